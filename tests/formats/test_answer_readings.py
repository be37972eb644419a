"""What is taken of an answer that can be read in several ways, or has several parts."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path

import pytest

import exactmatch
from exactmatch.base.errors import InputError
from exactmatch.formats import faults
from exactmatch.formats.formats import get_format, looks_like
from exactmatch.formats.machine.answer_texts import graph_in
from exactmatch.formats.machine.json_graphs import labelled_network, network_in
from exactmatch.formats.machine.relations import relation_in
from exactmatch.formats.reading import REPAIRED, UNREADABLE
from exactmatch.formats.unknown import refusal
from exactmatch.graphs.quiet_penman import penman

Triple = tuple[str, str, str]


def edges_of(answer: str) -> list[Triple]:
    """The edges between labels of the graph in an answer, sorted."""
    found = labelled_network(graph_in(answer, "repair"))
    assert found is not None, "a graph of meaning"
    label = {name: own or "" for name, (own, _) in found.nodes.items()}
    return sorted((label[s], r or "", label[t]) for s, r, t in found.edges)


def is_penman(answer: str) -> bool:
    block = graph_in(answer, "repair")
    return block.format is None and UNREADABLE not in block.faults


# ----------------------------------------------------------- slashes in brackets

SLASHES = ("km/s", "TI-99/4A", "and/or", "I/O", "w/o", "he / she", "24/7", "n/a", "a/c")


@pytest.mark.parametrize("word", SLASHES)
def test_words_with_slashes_in_brackets_are_no_graph(word: str) -> None:
    triples = [("Halley", "has_speed", "70"), ("Halley", "is_a", "comet")]
    stated = "\n".join(f"{r}({s}, {o})" for s, r, o in triples)
    for answer in (
        f"In this unit ({word}), we have:\n\n{stated}",
        f"{stated}\n\nThat is ({word}) what it says.",
        f"```\n{stated}\n```\nNote ({word}): none.",
        f"Here ({word}) has_speed(Halley, 70) and ({word}) is_a(Halley, comet) hold.",
    ):
        assert edges_of(answer) == triples, answer
    assert UNREADABLE in graph_in(f"It is ({word}), in a way.", "repair").faults
    named = f"made_by(The X ({word}), Y ({word}))"
    assert edges_of(f"Well: {named}.") == [
        (f"The X ({word})", "made_by", f"Y ({word})")
    ]


@pytest.mark.parametrize(
    "answer",
    [
        "(a/and)",
        "( a/and )",
        "Answer: (a/and)",
        "The graph is\n(a/and)\nas you see.",
        "```\n(a/and)\n```",
        "It is (a/and :op1 (b/boy) :op2 (g/girl)), as said.",
        "It is (b / bark-01) here.",
        "At 3 (km/s): (w / want-01 :ARG0 (b / boy)) and/or (so/so).",
        "He (he / she) wants: (w / want-01 (b / boy))",
        "(w/want-01 :ARG0 (b/boy)",
        'Well (s1x / "a b" :name (n / name)) it is.',
        "creator(A, B) is in (w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))",
    ],
)
def test_nodes_of_penman_are_graphs(answer: str) -> None:
    assert is_penman(answer)
    graph = penman.decode("\n".join(graph_in(answer, "repair").content))
    assert graph.variables() <= {"a", "b", "g", "w", "s1x", "n"}


def test_of_several_nodes_in_prose_the_first_counts() -> None:
    text = "(b / bark-01)\n(w / want-01 :ARG0 (g / girl))"
    for answer in (text, f"Either:\n{text}", f"In (km/s) and\n{text}"):
        block = graph_in(answer, "repair")
        assert penman.decode("\n".join(block.content)).variables() == {"b"}
        assert faults.SEVERAL in block.faults


def test_the_reading_with_most_nodes_and_edges_counts() -> None:
    triples = [(f"a{k}", f"r{k}", f"b{k}") for k in range(6)]
    stated = "\n".join(f"{r}({s}, {o})" for s, r, o in triples)
    for word in ("(w / want-01 :ARG0 (b / boy))", '["x", "y", "z"]', "[x, y, z]"):
        assert edges_of(f"{stated}\n\nSuch as {word} would be wrong.") == triples
        assert edges_of(f"Not as in {word}, but:\n\n{stated}") == triples
    large = "(a / and " + " ".join(f":op{k} (b{k} / boy)" for k in range(12)) + ")"
    assert is_penman(f"Or r(a, b) and s(c, d)?\nr(a, b)\ns(c, d)\n\n{large}\n")
    listed = json.dumps([[*triple] for triple in triples])
    assert edges_of(f"x(y, z)\n\nIn JSON: {listed}") == triples


# ---------------------------------------------------------------------- names


@pytest.mark.parametrize(
    "name",
    [
        *("1stRunwaySurfaceType", "2nd_runway", "1990s", "3D", "runway/length"),
        *("1st/2nd_runway", "spacecraft_docking/undocking_date", "co-produced_by"),
        *("dc:creator", "has part", "no. of seats"),
    ],
)
def test_relations_may_begin_with_digits_and_have_slashes(name: str) -> None:
    line = f'{name}(Alpena Airport, "Asphalt")'
    triple = ("Alpena Airport", name, "Asphalt")
    assert relation_in(line) == triple
    for form in (
        "{}",
        "1. {}",
        "- {}",
        "2) `{}`",
        "Output: {}",
        "{}, {}",
        "[{}], [{}]",
    ):
        assert {*edges_of(form.format(line, line))} == {triple}
    if " " not in name and ":" not in name:
        assert edges_of(f"One sees {line} there, and no more.") == [triple]


def test_numbers_of_lines_are_no_part_of_names() -> None:
    assert edges_of("1.season(A, B)\n2. season(C, 2. D)\n3.3rd(E, F)") == [
        ("A", "season", "B"),
        ("C", "season", "2. D"),
        ("E", "3rd", "F"),
    ]


def test_dashes_and_sentences_end_before_names() -> None:
    assert edges_of("I Get Lonely - performer(I Get Lonely, Janet)") == [
        ("I Get Lonely", "performer", "Janet")
    ]
    assert edges_of(
        "It was first seen on its way in 2007.creator(K, R)creator(K, E)"
    ) == [
        ("K", "creator", "E"),
        ("K", "creator", "R"),
    ]
    code = "triples.append((a, b)); x.join(c, d); \\frac(e, f)"
    assert UNREADABLE in graph_in(code, "repair").faults


# ------------------------------------------------------------------ empty ends


@pytest.mark.parametrize("empty", ["", " ", '""', "''", "[]", "()"])
@pytest.mark.parametrize(
    "form",
    ["{r}({s}, {o})", "({s}, {r}, {o})", "{s} -> {r} -> {o}", "| {s} | {r} | {o} |"],
)
@pytest.mark.parametrize("around", ["{}", "Here they are:\n{}", "```\n{}\n```"])
def test_a_triple_with_an_empty_end_cannot_be_read(
    empty: str, form: str, around: str
) -> None:
    if "(" not in form and empty in ("[]", "()"):
        pytest.skip("which may be the answer itself")
    whole = form.format(s="A", r="born in", o="B")
    for ends in ((empty, "C"), ("C", empty), (empty, empty)):
        broken = form.format(s=ends[0], r="in", o=ends[1])
        for rows in ((broken, whole), (whole, broken)):
            answer = around.format("\n".join(rows))
            assert edges_of(answer) == [("A", "born in", "B")], answer
            assert faults.NO_END in graph_in(answer, "repair").faults, answer
        assert edges_of(around.format(broken)) == []


def test_a_file_of_relations_names_the_line_of_an_empty_end() -> None:
    for line in ("p(A,)", "p(,B)", 'p(A, "")', "r(a, b), s(c, d)"):
        text = f"r(a, b)\n{line}\n"
        with pytest.raises(InputError, match=r"x:2: .* two ends, alone in its line;"):
            list(get_format("relations").blocks(io.StringIO(text), "x"))
    for text in ("p(A,)\nr(a, b)\n", "r(a, b)\np(,B)\n"):
        assert looks_like(text) == "relations"  # so that its reader names the line


# --------------------------------------------------------------- several parts


def test_triples_of_several_fences_are_one_graph() -> None:
    triples = [(f"a{k}", f"r{k}", f"b{k}") for k in range(5)]
    forms = {
        "relations": "{1}({0}, {2})",
        "brackets": "({0}, {1}, {2})",
        "JSON": '[["{0}", "{1}", "{2}"]]',
        "objects": '{{"head": "{0}", "type": "{1}", "tail": "{2}"}}',
        "tabs": "{0}\t{1}\t{2}",
        "fields": "Subject: {0}\nPredicate: {1}\nObject: {2}",
    }
    for form in forms.values():
        fences = [f"```\n{form.format(*triple)}\n```" for triple in triples]
        answer = "One after another:\n" + "\nand\n".join(fences)
        assert edges_of(answer) == triples, answer
        block = graph_in(answer, "repair")
        assert block.faults == (REPAIRED, faults.FENCE, faults.TEXT_AROUND), answer
        assert edges_of(answer + "\n```\nThat is all.\n```") == triples
    relations = "\n".join(f"```\n{r}({s}, {o})\n```" for s, r, o in triples)
    as_is = network_in(graph_in(relations, "fences"))
    assert sorted(as_is.edges) == triples


def test_of_several_graphs_in_fences_the_last_counts() -> None:
    first, last = "(a / and :op1 (b / boy))", "(w / want-01)"
    answer = f"```\n{first}\n```\nor\n```\n{last}\n```"
    block = graph_in(answer, "repair")
    assert block.content == (last,)
    assert faults.SEVERAL in block.faults
    nodes = '{{"nodes": ["{0}", "x"], "edges": [["{0}", "x"]]}}'
    answer = f"```\n{nodes.format('a')}\n```\n```\n{nodes.format('b')}\n```"
    assert edges_of(answer) == [("b", "", "x")]
    answer = f"```\nr(a, b)\n```\n```\n{last}\n```"
    assert graph_in(answer, "repair").content == (last,)
    answer = f"```\n{last}\n```\n```\nr(a, b)\n```\n```\ns(c, d)\n```"
    assert edges_of(answer) == [("a", "r", "b"), ("c", "s", "d")]
    assert faults.SEVERAL in graph_in(answer, "repair").faults


def test_an_earlier_attempt_does_not_count() -> None:
    fence = "```\n{}\n```".format
    first = fence("r(a, b)\ns(c, wrong)")
    last = fence("r(a, b)\ns(c, d)")
    right = [("a", "r", "b"), ("c", "s", "d")]
    assert edges_of(f"{first}\nNo:\n{last}") == right
    assert faults.SEVERAL in graph_in(f"{first}\n{last}", "repair").faults
    again = "\n".join(map(fence, ("r(a, b)", "s(c, d)", "r(a, b)")))
    assert edges_of(again) == right
    steps = "\n".join(map(fence, ("r(a, b)", "s(c, d)", "r(a, b)\ns(c, d)")))
    assert edges_of(steps) == right


def test_lines_of_relations_outside_of_fences_count() -> None:
    triples = [("a", "r", "b"), ("c", "s", "d"), ("e", "t", "f")]
    answer = "r(a, b)\ns(c, d)\n```\nt(e, f)"  # which was never opened
    assert edges_of(answer) == triples
    answer = (
        "First, x(y, z) is wrong.\n```\nr(a, b)\ns(c, d)\nt(e, f)\n```\nSo: u(v, w)!"
    )
    assert {*triples} <= {*edges_of(answer)}
    draft = "r(a, b)\ns(c, d)\nt(e, wrong)\n"
    assert edges_of(f"{draft}```\nr(a, b)\ns(c, d)\nt(e, f)\n```") == triples


def test_all_splits_fences_still(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    row = {"id": "x", "response": "```\nr(a, b)\n```\n```\ns(c, d)\n```"}
    path.write_text(json.dumps(row), encoding="utf-8")
    assert [g.id for g in exactmatch.load(path, extract="all")] == ["x.1", "x.2"]
    (graph,) = exactmatch.load(path)
    assert (graph.id, len(graph.relations)) == ("x", 2)


def test_random_fences_hold_what_they_hold() -> None:
    rng = random.Random(3)
    for _ in range(200):
        triples = [(f"a{k}", f"r{k}", f"b{k}") for k in range(rng.randint(1, 9))]
        text, fence = "", False
        for source, label, target in triples:
            if rng.random() < 0.5:
                text += rng.choice(("Words.\n", "")) if not fence else ""
                text += "```\n"
                fence = not fence
            text += f"{label}({source}, {target})\n"
        assert edges_of(text) == triples, text


# --------------------------------------------------------------------- boxes


@pytest.mark.parametrize(
    "answer",
    [
        r"\boxed{r_1(A, B)}",
        r"Thus $\boxed{r\_1(A, B)}$.",
        r"$$\boxed{\text{r\_1(A, B)}}$$",
        r"\[ \boxed{ \mathrm{r\_1}(\text{A},\, \text{B}) } \]",
        r"\boxed{(\text{A}, \text{r\_1}, \text{B})}",
        r'\boxed{[["A", "r_1", "B"]]}',
        r'\boxed{\{"triples": [["A", "r_1", "B"]]\}}',
        r'\boxed{{"head": "A", "type": "r_1", "tail": "B"}}',
        r"\boxed{\text{A} \xrightarrow{} r_1 \rightarrow B}".replace(
            r"\xrightarrow{}", "→"
        ),
        "Not x(y, z).\n\\boxed{r_1(A, B)",
        "```latex\n\\boxed{r_1(A, B)}\n```",
        "<think>\\boxed{x(y, z)}</think>\\fbox{r_1(A, B)}",
    ],
)
def test_answers_in_a_box(answer: str) -> None:
    assert edges_of(answer) == [("A", "r_1", "B")]
    assert faults.BOX in graph_in(answer, "repair").faults


def test_boxes_hold_any_graph_and_may_be_several() -> None:
    assert is_penman(r"So: $\boxed{(w / want-01 :ARG0 (b / boy))}$")
    answer = r"\boxed{r(A, B)} and \boxed{s(C, D)}"
    assert edges_of(answer) == [("A", "r", "B"), ("C", "s", "D")]
    assert edges_of("\\boxed{42}\n```\nr(A, B)\n```") == [("A", "r", "B")]
    row = json.dumps({"x": r"\boxed{r(A, B)}", "nodes": ["a"], "edges": []})
    assert graph_in(row, "repair").faults == ()


# ------------------------------------------------------- wide signs, and HTML


@pytest.mark.parametrize(
    ("answer", "triple"),
    [
        ("创始人（阿里巴巴，马云）", ("阿里巴巴", "创始人", "马云")),
        ("1、首都（北京（城市，市），中国）。", ("北京（城市，市）", "首都", "中国")),
        ("（北京，首都，中国）", ("北京", "首都", "中国")),
        ("三元组：【北京；首都；中国】", ("北京", "首都", "中国")),
        ("首都(東京、日本)", ("東京", "首都", "日本")),
        ("| 北京（市，城） | 首都 | 中国 |", ("北京（市，城）", "首都", "中国")),
        ("capital(北京（市，城）, 中国)", ("北京（市，城）", "capital", "中国")),
        ("عاصمة(القاهرة، مصر)", ("القاهرة", "عاصمة", "مصر")),
    ],
)
def test_wide_signs_part_triples_and_stay_in_names(answer: str, triple: Triple) -> None:
    assert edges_of(answer) == [triple]
    assert triple in edges_of(f"好的：\n{answer}\n就这些（以上，全部）。")


def test_tables_of_html() -> None:
    triples = [("A & B", "r|s", "C"), ("D", "in", "E F")]
    rows = "".join(
        f"<tr><td>{s.replace('&', '&amp;')}</td>\n<td> {r} </td><td>{o}</td></tr>\n"
        for s, r, o in triples
    )
    for head in (
        "",
        "<caption>All</caption><tr><th>Subject<th>Relation<th>Object</tr>",
    ):
        answer = f"Here:<p><table class='x'>{head}{rows}</table></p>Done."
        assert edges_of(answer) == triples
    swapped = "<TABLE><TR><TH>Object<TH>Subject<TH>Relation<TR><TD>A<TD>B<TD>in</TABLE>"
    assert edges_of(swapped) == [("B", "in", "A")]
    assert edges_of("r(<b>, <td>)") == [("<b>", "r", "<td>")]
    row = r"<table><tr><td>A</td><td>r\_1</td><td>B</td></tr></table>"
    assert edges_of(row) == [("A", "r_1", "B")]
    assert looks_like(row) == "XML"
    assert looks_like("<table> <p> <c> .") == "rdf"
    assert "looks like HTML; " in str(refusal(row, looks_like(row), "x"))
