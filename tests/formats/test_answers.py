"""Answers of language models: what is taken out of them, and what is said of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.command import Cli
from support.files import Files

import exactmatch
from exactmatch.base.errors import ExactmatchError, InputError
from exactmatch.formats import faults
from exactmatch.formats.machine.answer_texts import graph_in
from exactmatch.formats.machine.json_graphs import network_in
from exactmatch.formats.machine.mending import values_in
from exactmatch.formats.machine.network import UNLABELLED
from exactmatch.formats.reading import REPAIRED, UNREADABLE

GRAPH = {"nodes": ["a", "b"], "edges": [[0, "r", 1]]}
GOOD = json.dumps(GRAPH)
EDGE = {("a", "r", "b")}


def taken(answer: str, extract: Any = "repair") -> set[tuple[str, str, str]]:
    """The edges between labels of the graph in an answer."""
    block = graph_in(answer, extract)
    if block.format is None:
        graph = exactmatch.read("\n".join(block.lines), profile="clean")
        names = graph.concepts()
        rows = graph.relations
        return {(names[s], graph.labels[r], names[t]) for s, r, t in rows}
    found = network_in(block)
    label = {name: own for name, (own, _) in found.nodes.items()}
    return {(label[s], r or UNLABELLED, label[t]) for s, r, t in found.edges}


def said(answer: str) -> tuple[str, ...]:
    return graph_in(answer, "repair").faults


def test_a_graph_alone_has_no_faults() -> None:
    for answer in (GOOD, "r(a, b)", "(x / a :r (y / b))", f"\n{GOOD}\n\n"):
        assert taken(answer) == EDGE
        assert said(answer) == ()


@pytest.mark.parametrize(
    ("answer", "kinds"),
    [
        (f"Sure! Here it is:\n{GOOD}\nAnything else?", [faults.TEXT_AROUND]),
        (f"```json\n{GOOD}\n```", [faults.FENCE]),
        (f"Sure! ```json\n{GOOD}\n```", [faults.FENCE, faults.TEXT_AROUND]),
        (f"<think>a {{b}} c</think>\n{GOOD}", [faults.THOUGHTS]),
        (
            f"```\n[]\n```\nNo:\n```\n{GOOD}\n```",
            [faults.FENCE, faults.TEXT_AROUND, faults.SEVERAL],
        ),
        (GOOD.replace('"', "'"), [faults.QUOTES]),
        (GOOD.replace('"', "“"), [faults.QUOTES]),
        (GOOD.replace("]]}", "],]}"), [faults.COMMA]),
        (GOOD[:-1], [faults.UNCLOSED]),
        (GOOD[:-3], [faults.UNCLOSED]),
        ('{nodes: ["a", "b"], edges: [[0, "r", 1]]}', [faults.WORD]),
        (
            '{"nodes": ["a"], "edges": [["a", "r", "b"]]}',
            [faults.UNKNOWN_END],
        ),
        ('{"nodes": ["a", "b"], "edges": [[0, "r", 1], [1', [faults.UNCLOSED, "edge"]),
        ("[('a', 'r', 'b')]", [faults.QUOTES]),
        ("The triples:\n- r(a, b)", [faults.TEXT_AROUND]),
        ("1. (a, r, b)", []),
        ("Sure: (x / a :r (y / b", [faults.TEXT_AROUND, faults.UNCLOSED]),
        (f"// mine\n{GOOD[:-2]} // end\n]}}", [faults.TEXT_AROUND]),
        ('{"nodes": ["a", "b"] "edges": [[0, "r", 1]]}', [faults.COMMA]),
        ('{"nodes": ["a" "b"], "edges": [[0, "r", 1]]}', [faults.COMMA]),
        ("{'nodes': ['a' 'b'], 'edges': [[0, 'r', 1]]}", [faults.COMMA]),
    ],
)
def test_broken_answers_are_mended(answer: str, kinds: list[str]) -> None:
    assert taken(answer) == EDGE
    found = said(answer)
    assert not kinds or found[0] == REPAIRED
    for kind in kinds:
        assert any(kind in one for one in found), found


def test_quotes_within_texts() -> None:
    answer = '{"nodes": ["say "hi" now", \'it\'s\'], "edges": [[0, "r", 1]]}'
    assert taken(answer) == {('say "hi" now', "r", "it's")}


def test_the_last_attempt_counts() -> None:
    first = GOOD.replace('"r"', '"s"')
    assert taken(f"{first}\nOn second thoughts:\n{GOOD}") == EDGE


def test_triples_of_an_answer_are_one_graph() -> None:
    rows = '{"subject": "a", "relation": "r", "object": "b"}'
    assert taken(f"1. {rows}\n2. {rows.replace('b', 'c')}") >= EDGE
    assert taken('["a", "r", "b"]\n\n["b", "r", "c"]') == {*EDGE, ("b", "r", "c")}


def test_charts_behind_words() -> None:
    chart = "flowchart TD\n  x[a] -->|r| y[b]"
    assert taken(f"Here:\n{chart}") == EDGE
    assert taken(f"Here:\n```mermaid\n{chart}\n```\nBye.") == EDGE
    nodes = "Node:\n1. a\n2. b\nEdges: (START,1) (1,2) (2,END)"
    assert ("a", "edge", "b") in taken(f"My plan.\n{nodes}\n\nGood luck!")


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("", faults.EMPTY),
        (" \n", faults.EMPTY),
        ("I cannot do that.", faults.NO_GRAPH),
        ("<think>{", faults.NO_GRAPH),
        ("{", faults.NO_GRAPH),
        ("[" * 5000, faults.NO_GRAPH),
    ],
)
def test_an_answer_without_a_graph_is_an_empty_graph(answer: str, kind: str) -> None:
    assert taken(answer) == set()
    assert said(answer) == (UNREADABLE, kind)


def test_off_and_fences_mend_nothing() -> None:
    fenced = f"Sure!\n```json\n{GOOD}\n```"
    assert taken(GOOD, "off") == EDGE
    assert taken(fenced, "fences") == EDGE
    for answer, extract in ((fenced, "off"), (GOOD[:-1], "fences"), ("No.", "fences")):
        with pytest.raises(ExactmatchError):
            taken(answer, extract)


# ------------------------------------------------------------------ files of rows


def scored(pred: Path, gold: Path, **how: Any) -> Any:
    return exactmatch.evaluate(pred, gold, "graph", **how)


ANSWERS = [GOOD, f"Sure: {GOOD[:-1]}", "", None, "No.", GRAPH]
"""One well-formed as text, one repaired, three unreadable, one well-formed as data."""


def rows(path: Path, column: str = "response") -> Path:
    lines = [{"id": k, column: one, "gold": GRAPH} for k, one in enumerate(ANSWERS)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize("column", ["prediction", "response", "output"])
def test_rows_of_answers_are_scored_in_their_places(
    column: str, tmp_path: Path
) -> None:
    path = rows(tmp_path / "a.jsonl", column)
    report = scored(path, path, field=f"{column},gold")
    found = report.predictions
    assert (found.count, found.repaired, found.unreadable) == (6, 1, 3)
    assert [pair.score.f1 for pair in report.pairs] == [1, 1, 0, 0, 0, 1]
    assert [pair.id for pair in report.pairs] == list("012345")
    assert found.well_formed == pytest.approx(2 / 6)
    assert found.record()["repaired"] == 1
    assert "|repaired:1|unreadable:3|" in report["graph"].signature
    gold = tmp_path / "gold.jsonl"
    gold.write_text(f"{GOOD}\n" * 6)
    assert scored(path, gold)["graph"].score == report["graph"].score


def test_a_field_within_a_field(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"m": {"answer": GOOD}, "gold": [["a", "r", "b"]]}))
    assert scored(path, path, field="m.answer,gold")["graph"].score.f1 == 1


def test_strict_takes_no_repaired_answer(tmp_path: Path) -> None:
    path = rows(tmp_path / "a.jsonl")
    gold = tmp_path / "gold.jsonl"
    gold.write_text(f"{GOOD}\n" * 6)
    with pytest.raises(InputError, match="is repaired, text around the graph, unclo"):
        scored(path, gold, strict=True)
    report = scored(path, gold, strict=True, on_error="skip")
    assert [pair.index for pair in report.pairs] == [0, 5]


def test_without_extraction_an_answer_must_be_a_graph(tmp_path: Path) -> None:
    path = rows(tmp_path / "a.jsonl")
    with pytest.raises(InputError, match=r"a.jsonl:2: graph '1'"):
        scored(path, path, field="response,gold", extract="off")


def test_a_column_that_is_missing_is_named(tmp_path: Path) -> None:
    path = rows(tmp_path / "a.jsonl", "text")
    with pytest.raises(InputError, match=r"no column 'x'.*its columns: 'id', 'text'"):
        scored(path, path, field="x")
    plain = tmp_path / "a.amr"
    plain.write_text("(a / b)\n")
    with pytest.raises(InputError, match="--field has no effect"):
        scored(plain, plain, field="x")


def test_tables_and_datasets_read_as_rows_do(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    texts = [one if isinstance(one, str) else json.dumps(one) for one in ANSWERS]
    texts[3] = None
    table = pa.table({"id": list(range(6)), "response": texts, "gold": [GOOD] * 6})
    pq.write_table(table, tmp_path / "a.parquet")
    folder = tmp_path / "saved"
    folder.mkdir()
    with pa.ipc.new_stream(folder / "data-00000-of-00001.arrow", table.schema) as file:
        file.write_table(table)
    names = [{"filename": "data-00000-of-00001.arrow"}]
    (folder / "state.json").write_text(json.dumps({"_data_files": names}))
    (folder / "dataset_info.json").write_text("{}")
    lines = scored(
        rows(tmp_path / "a.jsonl"), tmp_path / "a.jsonl", field="response,gold"
    )
    for path in (tmp_path / "a.parquet", folder):
        report = scored(path, path, field="response,gold")
        assert report["graph"].score == lines["graph"].score
        assert report.predictions == lines.predictions


def test_files_of_graphs_read_the_same_and_broken_ones_are_mended(
    tmp_path: Path, cli: Any
) -> None:
    from importlib.resources import files

    gold = Path(str(files("exactmatch.sample") / "gold.amr"))
    pred = gold.with_name("pred.amr")
    plain = exactmatch.evaluate(pred, gold)
    mended = exactmatch.evaluate(pred, gold, extract="repair")
    assert plain["smatch"].score == mended["smatch"].score
    assert not mended.predictions.faulty
    broken = tmp_path / "broken.amr"
    text = pred.read_text("utf-8").rstrip().removesuffix(")")
    broken.write_text(text, "utf-8")
    last = exactmatch.load(broken, profile="clean", extract="repair")[-1]
    assert last == exactmatch.load(pred, profile="clean")[-1]
    found = exactmatch.evaluate(broken, gold, extract="repair")
    assert found["smatch"].score == plain["smatch"].score
    assert found.predictions.faults == {faults.UNCLOSED: 1}
    out = cli.out(str(broken), str(gold), "--extract", "repair")
    assert "1 repaired, 0 unreadable" in out


def test_one_answer_is_a_file(tmp_path: Path) -> None:
    answer, gold = tmp_path / "answer.md", tmp_path / "gold.json"
    answer.write_text(f"Sure!\n\n```json\n{GOOD}\n```\n\nBye.\n")
    gold.write_text(GOOD)
    assert scored(answer, gold, extract="repair")["graph"].score.f1 == 1


def test_texts_in_memory() -> None:
    scorer = exactmatch.Scorer("graph", extract="repair")
    scorer.update([f"Sure: {GOOD}", "", GOOD], [GRAPH] * 3)
    found = scorer.compute().predictions
    assert (found.count, found.taken_out, found.unreadable) == (3, 1, 1)
    assert (found.repaired, found.faulty, found.well_formed) == (0, 1, 1 - 1 / 3)
    report = exactmatch.evaluate(
        ["Sure! (w / want-01 :ARG0 (b / boy", ""],
        ["(w / want-01 :ARG0 (b / boy))"] * 2,
        extract="repair",
    )
    assert [pair.score.f1 for pair in report.pairs] == [1, 0]


FENCED = ["(b / bark-01)", "(m / meow-01)", "(m / moo-01 :ARG0 (c / cow))"]


def test_fences_around_well_formed_graphs_cost_nothing(cli: Cli, files: Files) -> None:
    """The option that takes graphs out of fences is named, also if counts are equal."""
    gold = files.one("gold.amr", "\n\n".join(FENCED))
    pred = files.lines("equal.amr", (f"```\n{graph}\n```\n" for graph in FENCED))
    end = "faults of the others: markdown fence 3; to take graphs out of fences: "
    assert f"{end}--extract all\n" in cli.out(pred, gold)
    report = exactmatch.evaluate(Path(pred), Path(gold))
    assert f"{end}extract=&#x27;all&#x27;" in report.to_html()
    whole = "100.0 % of 3 predictions are well-formed graphs (3 of them in fences or"
    assert whole in cli.out(pred, gold, "--extract", "all")
    all_fences = exactmatch.evaluate(Path(pred), Path(gold), extract="all")
    shown = all_fences.predictions.record()
    assert (shown["well_formed"], shown["faults"], shown["taken_out"]) == (1, {}, 3)
    prose = files.lines(
        "prose.amr", (f"Here:\n\n```\n{graph}\n```" for graph in FENCED)
    )
    five = files.one("five.amr", "\n\n".join([*FENCED, *FENCED][:4]))
    refusal = cli.refusal(prose, five)
    assert refusal.endswith("; to take graphs out of fences: --extract all\n")
    assert whole in cli.out(prose, gold, "--extract", "all")


def test_texts_with_fences_are_answers_everywhere(cli: Cli, files: Files) -> None:
    """In files of texts, in lists, in single calls and in all pairs."""
    golds = ["(b / bark-01 :ARG0 (d / dog))", "(s / sleep-01 :ARG0 (c / cat))"]
    answers = [
        f"Sure:\n```\n{golds[0]}\n```\n",
        "Well: ```amr\n(s / sleep-01)\n``` done",
    ]
    gold = files.one("gold.amr", "\n\n".join(golds))
    scores = [1.0, 2 / 3]
    total = 6 / 7
    page = files.one("page.txt", "\n".join([answers[0], "Next:\n", answers[1][6:]]))
    assert cli.json(page, gold)["metrics"][0]["f1"] == pytest.approx(total)
    files({"folder/1.txt": answers[0], "folder/2.txt": answers[1].replace(": ", "\n")})
    folder = str(files.folder / "folder")
    assert cli.json(folder, gold)["metrics"][0]["f1"] == pytest.approx(total)
    report = exactmatch.evaluate(answers, golds)
    assert report["smatch"].f1 == pytest.approx(total)
    assert report.predictions.record()["taken_out"] == 2
    pairs = [*zip(answers, golds, strict=True)]
    assert [exactmatch.score(*pair).f1 for pair in pairs] == pytest.approx(scores)
    assert [exactmatch.smatch(*pair).f1 for pair in pairs] == pytest.approx(scores)
    assert exactmatch.cdist(answers, golds).diagonal() == pytest.approx(scores)
    off = exactmatch.evaluate(answers, golds, extract="off", on_error="empty")
    assert off["smatch"].f1 == 0


def test_answers_with_several_graphs_are_counted(cli: Cli, files: Files) -> None:
    gold = files.one("gold.amr", "(b / bark-01)\n\n(c / cat)")
    rows = ["```\n(x / y)\n```\nBetter:\n```\n(b / bark-01)\n```", "(c / cat)"]
    path = files.lines("rows.jsonl", (json.dumps({"response": row}) for row in rows))
    sentence = (
        "(1 of them in fences or among other text; 1 answer held several graphs, of"
    )
    assert sentence in cli.out(path, gold)
    assert cli.out(path, gold, "-q") == "1.0000\n"
    predictions = cli.json(path, gold)["metrics"][0]["predictions"]
    assert (predictions["taken_out"], predictions["of_several"]) == (1, 1)


def test_answers_stand_under_the_names_of_many_programs(cli: Cli, files: Files) -> None:
    gold = files.one("gold.amr", "(b / bark-01)")
    for name in ("model_output", "model_response", "completion", "generated_text"):
        row = json.dumps({"id": "a", name: "Here: (b / bark-01)"})
        assert cli.out(files.one("rows.jsonl", row), gold, "-q") == "1.0000\n"
        assert name in cli.out("help", "answers")


# ---------------------------------------------------------------- hostile answers

SIGNS = st.text(
    alphabet="{}[]()\"'`,:;\\/<>#|-=~ \n\tab01_nodesedges“”",
    max_size=200,
)
PIECES = st.lists(
    st.sampled_from(
        [
            *(GOOD, "```", "```json\n", "<think>", "</think>", '"', "{", "[", "]", "}"),
            *("(x / a", ":r", ")", "flowchart TD\n", "a --> b", "Node:\n1. a\n", ","),
            *("\n", " ", "//", "/*", "*/", "\\", "'", "null", '"nodes": ', "r(a, b)"),
        ]
    ),
    max_size=12,
).map("".join)


@given(SIGNS | PIECES)
@example("(x / aNode:\n1. a\n")  # a colon at a word's end is not a role
def test_whatever_is_answered_is_one_graph(answer: str) -> None:
    block = graph_in(answer, "repair")
    assert exactmatch.make_metric("graph").read(block).item is not None
    assert exactmatch.make_metric("smatch", profile="clean").read(
        block
    ).item.variables == (
        exactmatch.make_metric("smatch", profile="clean").read(block).item.variables
    )


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.text(max_size=3), inner, max_size=3)
        ),
        max_leaves=8,
    ).filter(lambda value: isinstance(value, dict | list))
)
def test_mending_leaves_json_as_it_is(value: Any) -> None:
    ((found, _, _, wrong),) = [*values_in(f"x {json.dumps(value)}")]
    assert found == value
    assert not wrong
    cut = json.dumps(value)[:-1]
    ((found, _, _, wrong), *_) = values_in(cut)
    assert found == value
    assert faults.UNCLOSED in wrong


@given(st.integers(0, len(GOOD)))
def test_a_graph_cut_anywhere_keeps_only_what_it_said(end: int) -> None:
    assert taken(GOOD[:end]) <= EDGE | {("a", "edge", "r")}


@pytest.mark.slow
@pytest.mark.parametrize(
    "hostile",
    [
        "[" * 10**4,
        "{" * 10**4,
        '{"a":' * 10**4,
        "(" * 10**4,
        '"' * 10**4,
        "(x / " * 10**4,
        "```\n" * 10**4,
        "<think>" * 10**4,
        "r(a, " * 10**4,
        "[1, " * 10**4,
        " " * 10**4 + "{",
        "Node:\n" * 10**4,
        "flowchart TD\n" * 10**4,
        '["a","r","b"],' * 10**4,
        "a -- b " * 10**4,
        '" ' * 10**4,
    ],
    ids=lambda text: text[:6].strip(),
)
def test_hostile_answers_take_linear_time(hostile: str) -> None:
    graph_in(hostile, "repair")


@pytest.mark.parametrize("head", ["", "# Answers\n\n", "Here they are:\n"])
def test_each_fence_of_markdown_is_a_graph(cli: Cli, files: Files, head: str) -> None:
    graphs = ["(w / want-01 :ARG0 (b / boy))", "(g / go-02)"]
    for number in (1, 2):
        fenced = "\n".join(f"```amr\n{graph}\n```\n" for graph in graphs[:number])
        answers = files.one("answers.md", head + fenced)
        gold = files.one("gold.amr", "\n\n".join(graphs[:number]))
        record = cli.record("score", answers, gold)
        assert (record["pairs"], record["score"]) == (number, 1)
        assert cli.record("score", gold, answers)["score"] == 1
    plain = files.one("plain.md", "\n\n".join(graphs))
    assert cli.record("score", plain, gold)["score"] == 1


DRAFT = "```amr\n(d / draft-01)\n```"
BARK = "```amr\n(b / bark-01)\n```"
RAIN = "```\n(r / rain-01)\n```"


@pytest.mark.parametrize(
    "page",
    [
        f"## 1\n{BARK}\n## 2\nSorry.\n## 3\n{RAIN}\n",
        f"# All\nwords\n## 1\n{DRAFT}\n{BARK}\n## 2\nSorry.\n## 3\n{RAIN}\n",
        f"{DRAFT}\nor\n{BARK}\n\n---\nSorry.\n\n---\n{RAIN}\n",
        f"\n---\n{DRAFT}\nor\n{BARK}\n\n---\nSorry.\n\n---\n{RAIN}\n\n---\n",
        f"{BARK}\n```\nSorry.\n```\n{RAIN}\n",
        f"{BARK}\n```\n```\n{RAIN}\n",
        f"## 1\n{BARK}\n## 2\n```\nSorry (a).\n```\n## 3\n{RAIN}\n",
    ],
)
@pytest.mark.parametrize("name", ["answers.md", "answers.txt"])
def test_an_answer_without_a_graph_keeps_its_place(
    name: str, page: str, cli: Cli, files: Files
) -> None:
    """The graphs of a draft and of an answer never stand for two answers."""
    answers = files.one(name, page)
    gold = files.one("gold.amr", "(b / bark-01)\n\n(m / meow-01)\n\n(r / rain-01)\n")
    options = ("--extract", "all") if name.endswith(".txt") else ()
    rows = cli.json_lines(answers, gold, "--per-pair", *options)
    assert [row["f1"] for row in rows] == [1, 0, 1]
    record = cli.record(answers, gold, *options)
    assert record["predictions"]["unreadable"] == 1
    if not options:
        assert [one.concept(one.top) for one in exactmatch.load(Path(answers))] == [
            "bark-01",
            None,
            "rain-01",
        ]


def test_fences_under_other_headings_are_the_answers(cli: Cli, files: Files) -> None:
    """A part of a page with all of them is no answer."""
    graphs = f"{DRAFT}\n{BARK}\n{RAIN}\n"
    answers = files.one("answers.md", f"## Graphs\n{graphs}## Notes\nNone.\n")
    gold = files.one("gold.amr", "(d / draft-01)\n\n(b / bark-01)\n\n(r / rain-01)\n")
    assert cli.record(answers, gold)["score"] == 1


@pytest.mark.parametrize("name", ["refs.jsonl", "refs.json", "refs.parquet"])
@pytest.mark.parametrize("columns", [("prediction", "gold"), ("output", "target")])
def test_references_are_not_read_from_predictions(
    name: str, columns: tuple[str, str], tmp_path: Path
) -> None:
    """A file of both is read only where the columns are named."""
    rows = [dict(zip(columns, ("(a / x)", "(b / y)"), strict=True))] * 2
    path, pred = tmp_path / name, tmp_path / "pred.amr"
    pred.write_text("(a / x)\n\n(a / y)\n")
    if name.endswith("parquet"):
        pandas = pytest.importorskip("pandas")
        pytest.importorskip("pyarrow")
        pandas.DataFrame(rows).to_parquet(path)
    else:
        lines = [json.dumps(row) for row in rows]
        path.write_text(
            json.dumps(rows) if name.endswith(".json") else "\n".join(lines)
        )
    way = rf"name both columns: --field {','.join(columns)}$"
    for preds in (pred, path):
        with pytest.raises(InputError, match=way):
            exactmatch.evaluate(preds, path)
    report = exactmatch.evaluate(pred, path, field=",".join(columns))
    assert [pair.f1 for pair in report.pairs] == [0.5, 1.0]  # both have a top
