"""Which pairs are shown: conditions, ends, orders."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.command import Cli
from support.files import Files

import exactmatch
from exactmatch.base.errors import InputError
from exactmatch.base.expressions import Condition
from exactmatch.scoring.selection import Selection
from exactmatch.studies.report.view import ReportPage

GOLDS = [
    "(b / bark-01 :ARG0 (d / dog))",
    "(r / rain-01)",
    "(s / sing-01 :ARG0 (b / boy) :ARG1 (t / tune))",
    "(g / go-02 :ARG0 (g2 / girl) :time (n / now))",
]
PREDS = [
    "(b / bark-01 :ARG0 (c / cat))",
    "(r / rain-01)",
    "(s / sing-01 :ARG0 (g / girl))",
    "(x / leave-11)",
]

numbers = st.one_of(st.none(), st.integers(-5, 5))


@given(a=numbers, b=numbers, text=st.text("ab", max_size=3))
def test_conditions_are_pythons_where_nothing_is_missing(
    a: int | None, b: int | None, text: str
) -> None:
    row = {"a": a, "b": b, "text": text}
    for condition in (
        "a < b and not a == 3",
        "1 <= a < 4 or text in ('a', 'b')",
        "abs(a - 2 * b) % 5 >= 2 and len(text) != 1",
        "-a + b / 2 > 0.25 or 'a' not in text",
        "max(a, b) - min(a, b) == 3",
    ):
        if a is not None and b is not None:
            expected = bool(eval(condition, {}, dict(row)))
            assert Condition(condition)(row) is expected, condition


def test_what_is_missing_is_neither_less_nor_greater() -> None:
    row = {"f1": None}
    for condition in ("f1 < 1", "f1 >= 0", "f1 + 1 > 0", "-f1 < 2", "abs(f1) >= 0"):
        assert not Condition(condition)(row)
    assert Condition("f1 is None")(row)
    assert Condition("f1 == None and not f1")(row)


@pytest.mark.parametrize(
    "text",
    [
        *("__import__('os')", "f1.real > 0", "(lambda: 1)()", "[f for f in id]"),
        *("f1 ** 9", "id[0]", "f1 <", "", "f1 := 3", "f'{id}'", "abs(x=1)", "1 << 9"),
        *("1 " + "+ 1" * 900, "b'x' == id", "len.__class__", "open('x')", "...", "1j"),
    ],
)
def test_nothing_else_of_python_can_be_said(text: str) -> None:
    with pytest.raises(ValueError, match="condition"):
        Condition(text)


def test_texts_are_not_computed_with() -> None:
    for text in ("id * 1000000000", "'%99999d' % 3", "id + id"):
        with pytest.raises(InputError, match="not a number"):
            Condition(text)({"id": "x"})


def test_unknown_columns_are_named() -> None:
    with pytest.raises(InputError, match=r"'f2' is not a column; did you mean 'f1'"):
        Condition("f2 < 1")({"f1": 0.5})
    assert Condition("named_entity < 1")({"named-entity": 0.5})


def test_selection_against_a_sorted_list() -> None:
    report = exactmatch.evaluate(PREDS, GOLDS)
    ordered = sorted(report.pairs, key=lambda pair: pair.score.score)
    assert list(report.worst(2)) == ordered[:2]
    assert list(report.best(2)) == ordered[::-1][:2]
    low = [pair for pair in report.pairs if pair.f1 < 0.8]
    assert list(report.where("f1 < 0.8")) == low
    by_size = report.where("f1 < 0.8", sort="-gold_total")
    assert [p.score.gold_total for p in by_size] == sorted(
        (p.score.gold_total for p in low), reverse=True
    )
    assert report.where("f1 > 2") == ()
    with pytest.raises(InputError, match="not a condition"):
        report.where("f1 <")
    with pytest.raises(KeyError):
        report.worst(1, "bleu")


def test_both_ends_and_unknown_ids_are_refused(cli: Cli, pair: list[str]) -> None:
    assert "exclude each other" in cli.refusal(
        "score", *pair, "--worst", "1", "--best", "1"
    )
    assert "names no id" in cli.refusal("score", *pair, "--ids", ",")
    assert "no pair has the id 'p9'; did you" in cli.refusal(
        "score", *pair, "--ids", "p9"
    )


@pytest.fixture
def pair(files: Files) -> list[str]:
    return [
        files.graphs("pred.amr", PREDS, "p{}"),
        files.graphs("gold.amr", GOLDS, "p{}"),
    ]


def shown(cli: Cli, *arguments: str) -> list[Any]:
    lines = cli.out(*arguments, "--format", "jsonl").splitlines()
    return [json.loads(line)["index"] for line in lines]


@pytest.mark.parametrize("command", ["score", "align"])
def test_commands_choose_alike(command: str, cli: Cli, pair: list[str]) -> None:
    """Of the scores 3/4, 1, 2/3 and 0 (a prediction with one concept)."""
    start = command, *pair
    assert shown(cli, *start, "--worst", "2") == [3, 2]
    assert shown(cli, *start, "--best", "2") == [1, 0]
    assert shown(cli, *start, "--below", "0.8") == [0, 2, 3]
    assert shown(cli, *start, "--where", "gold_total >= 5") == [2, 3]
    assert shown(cli, *start, "--ids", "p3,p1") == [1, 3]
    assert shown(cli, *start, "--sort=-score", "--ids", "p3,p1,p0") == [1, 0, 3]


def test_ids_come_from_a_file(cli: Cli, files: Files, pair: list[str]) -> None:
    listed = files.lines("ids.txt", ["\ufeffp2", "", "p0 "])
    assert shown(cli, "score", *pair, "--ids", listed) == [0, 2]


def test_numbers_stand_for_pairs_without_ids(cli: Cli, files: Files) -> None:
    pair = [
        files.graphs("p.amr", PREDS, None),
        files.graphs("g.amr", GOLDS, None),
    ]
    assert shown(cli, "score", *pair, "--ids", "4,1") == [0, 3]


def test_all_formats_have_the_choice_and_the_whole_score(
    cli: Cli, pair: list[str]
) -> None:
    whole = cli.json("score", *pair)["metrics"][0]["score"]
    found = cli.json("score", *pair, "--worst", "1")["metrics"][0]
    assert found["score"] == whole
    assert [one["id"] for one in found["per_pair"]] == ["p3"]
    lines = cli.out("score", *pair, "--worst", "1", "--format", "csv").splitlines()
    assert len(lines) == 2
    assert lines[1].startswith("3,p3,smatch")
    assert cli.out("score", *pair, "--worst", "1").count("p3") == 1


def test_a_pair_keeps_the_rows_of_all_metrics(cli: Cli, pair: list[str]) -> None:
    where = ("--where", "smatch > sembleu and index < 3")
    out = cli.json("score", *pair, "--metric", "smatch,sembleu", *where)["metrics"]
    both = [[one["index"] for one in metric["per_pair"]] for metric in out]
    assert both[0] == both[1]
    every = cli.json("score", *pair, "--metric", "smatch,sembleu", "--per-pair")
    first, second = (
        {one["index"]: one["score"] for one in metric["per_pair"]}
        for metric in every["metrics"]
    )
    assert both[0] == [k for k in range(3) if first[k] > second[k]]


def test_errors_and_reports_are_of_the_chosen_pairs(cli: Cli, pair: list[str]) -> None:
    every = cli.json("errors", *pair, "--per-pair")
    worst = cli.json("errors", *pair, "--per-pair", "--worst", "1")
    assert worst != every

    pred, gold = map(Path, pair)
    page = exactmatch.studies.report(pred, gold, ids="p3,p1")
    assert isinstance(page, ReportPage)
    assert len(page.pairs) == 2
    assert "2 pairs of 4" in str(page)
    (report,) = page.reports.values()
    alone = exactmatch.evaluate(pred, gold, ids="p3,p1")
    assert report.scores[0].score.f1 == alone["smatch"].score.f1
    (record,) = page.records().values()
    assert "chosen:2/4@" in record["signature"]
    assert "chosen:2/4@" in report.scores[0].signature
    page = exactmatch.studies.report(pred, gold, ids="p3,p1", worst=1)
    assert isinstance(page, ReportPage)
    assert "2 pairs of 4 (1 shown)" in str(page)
    systems = {"one": pred, "other": gold}
    page = exactmatch.studies.report(systems, gold, where="score < 1")
    assert isinstance(page, ReportPage)
    pairs = {each.scores[0].pairs for each in page.reports.values()}
    signed = {
        dict(part.split(":", 1) for part in each.scores[0].signature.split("|"))[
            "chosen"
        ]
        for each in page.reports.values()
    }
    assert len(pairs) == len(signed) == 1
    found: Any = exactmatch.studies.errors(pred, gold, worst=1)
    assert [one.index for own in found.pairs.values() for one in own] == [3]


def test_errors_are_counted_in_the_chosen_pairs_of_all(
    cli: Cli, pair: list[str]
) -> None:
    pred, gold = pair
    (every,) = cli.json("errors", *pair)["systems"]
    ids = [one["id"] for one in every["per_pair"]][2:]
    found = cli.json("errors", *pair, "--ids", ",".join(ids))
    (system,) = found["systems"]
    assert [one["id"] for one in system["per_pair"]] == ids
    edits = sum(len(one["edits"]) for one in every["per_pair"][2:])
    kinds = [one for one in system["errors"] if not one["detail"]]
    assert sum(one["count"] for one in kinds) == edits
    assert found["chosen_of"] == 4
    assert found["signatures"][0].count("chosen:2/4@") == 1
    said = cli("errors", *pair, "--ids", ",".join(ids))
    assert "2 of 4 pairs, " in said.out
    assert "shown" not in said.out + said.err
    two = ("--systems", pred, pred, "--names", "a,b", "--where", "score < 1")
    both = cli.json("errors", gold, *two, "--worst", "1")
    assert [len(one["per_pair"]) for one in both["systems"]] == [1, 1]
    assert [one.count("chosen:1/4@") for one in both["signatures"]] == [1, 1]
    assert "no pair has the id 'p9'" in cli.refusal("errors", *pair, "--ids", "p9")


def test_finegrained_scores_are_columns(cli: Cli, pair: list[str]) -> None:
    """One of 2 and 3 concepts is right in pair 2, none in pair 3."""
    out = cli.json("finegrained", *pair, "--where", "concepts < 0.5")["metrics"]
    rows = {row["index"] for metric in out for row in metric["per_pair"]}
    assert rows == {2, 3}


def test_alignments_fit_one_line_each(cli: Cli, pair: list[str]) -> None:
    lines = cli.out("align", *pair, "--one-line").splitlines()
    assert lines[0] == (
        "pair 1 (p0): 0.7500 | b↔b c↔d | missing (d :instance dog) | "
        "extra (c :instance cat)"
    )
    assert [line[:6] for line in lines[:4]] == [f"pair {k}" for k in range(1, 5)]


def test_no_selection_is_none() -> None:
    assert not Selection()
    assert Selection(worst=1)
    assert Selection(sort="f1")


def test_ids_and_a_condition_choose_what_is_scored(cli: Cli, pair: list[str]) -> None:
    preds, golds = PREDS, GOLDS
    rows = [json.loads(line) for line in lines_of(cli, *pair)]
    for flags, chosen in (
        (("--ids", "p1,p3"), [row for row in rows if row["id"] in ("p1", "p3")]),
        (("--where", "f1 < 1"), [row for row in rows if row["f1"] < 1]),
    ):
        assert 0 < len(chosen) < len(rows) == len(preds) == len(golds)
        matched = sum(row["matched"] for row in chosen)
        totals = sum(row["pred_total"] + row["gold_total"] for row in chosen)
        found = cli.json("score", *pair, *flags)["metrics"][0]
        assert found["f1"] == pytest.approx(2 * matched / totals)
        assert (found["pairs"], found["chosen_of"]) == (len(chosen), len(rows))
        assert f"|chosen:{len(chosen)}/{len(rows)}@" in found["signature"]
        shown = cli.out("score", *pair, *flags)
        assert f" of {len(rows)}, every one proven optimal" in shown
        assert cli.out("score", *pair, *flags, "-b") == f"{found['f1']:.4f}\n"
        assert f"|chosen:{len(chosen)}/{len(rows)}@" in cli.out("align", *pair, *flags)
    assert "no pair has the id 'p99'" in cli.refusal("score", *pair, "--ids", "p99")
    assert "none of " in cli.refusal("score", *pair, "--where", "f1 > 1")
    assert "chosen" not in cli.out("score", *pair, "--worst", "1")


def lines_of(cli: Cli, *paths: str) -> list[str]:
    """The records of all pairs."""
    return cli.out("score", *paths, "--per-pair", "--format", "jsonl").splitlines()


def test_python_chooses_what_is_scored() -> None:
    graphs = ["(a / b)", "(a / c)", "(a / d)"]
    report = exactmatch.evaluate(graphs, ["(a / b)", "(a / c)", "(a / e)"], ids="1,3")
    (score,) = report.scores
    assert (score.pairs, score.chosen_of, len(report)) == (2, 3, 2)
    assert score.f1 == 0.75
    report = exactmatch.evaluate(graphs, graphs, where="f1 > 0")
    assert report.scores[0].chosen_of == 3


def test_a_place_is_a_pair_whose_id_is_not_a_number(cli: Cli, files: Files) -> None:
    ids = ("a", "2", "c", "d")
    text = "\n".join(f"# ::id {name}\n(x / x{name})\n" for name in ids)
    pair = [files.one("g.amr", text)] * 2
    rows = cli.json_lines("score", *pair, "--ids", "1,d", "--per-pair")
    assert [row["id"] for row in rows if "id" in row] == ["a", "d"]
    rows = cli.json_lines("score", *pair, "--ids", "2", "--per-pair")
    assert [row["id"] for row in rows if "id" in row] == ["2"]
    assert "no pair has the id '5'" in cli.refusal("score", *pair, "--ids", "5")


def test_a_number_that_means_two_pairs_is_refused(cli: Cli, files: Files) -> None:
    pair = [files.one("g.amr", "# ::id a\n(x / x)\n\n# ::id 1\n(y / y)\n")] * 2
    assert "the place of another" in cli.refusal("score", *pair, "--ids", "1")


def test_a_pair_whose_id_is_a_number_goes_by_that_alone(cli: Cli, files: Files) -> None:
    """Pair 2 is called 1: it has no other number."""
    pair = [files.one("g.amr", "# ::id a\n(x / x)\n\n# ::id 1\n(y / y)\n")] * 2
    assert "no pair has the id '2'" in cli.refusal("score", *pair, "--ids", "2")


def test_ranges_of_places_choose_pairs(cli: Cli, files: Files) -> None:
    """A range of what no pair has, and one that is an id, too, are refused."""
    pair = files.pair(*["(a / x)\n\n(b / y)\n\n(c / z)\n\n(d / w)\n"] * 2)
    for text, places in (("2-3", [1, 2]), ("1,3-4", [0, 2, 3]), ("4-4", [3])):
        assert shown(cli, "score", *pair, "--ids", text) == places
    report = exactmatch.evaluate(Path(pair[0]), Path(pair[1]), ids=["2-3"])
    assert [one.index for one in report.pairs] == [1, 2]
    report = exactmatch.evaluate(Path(pair[0]), Path(pair[1]), ids=range(2, 4))
    assert [one.index for one in report.pairs] == [1, 2]
    refusal = cli.refusal("score", *pair, "--ids", "3-5")
    assert "the id '3-5' or the place 5; there are 4 pairs" in refusal
    assert "ends before it begins" in cli.refusal("score", *pair, "--ids", "3-1")
    ids = ("7", "1-2", "9")
    text = "\n".join(f"# ::id {name}\n(a / x)\n" for name in ids)
    named = files.pair(text, text)
    assert shown(cli, "score", *named, "--ids", "7-9") == [0, 2]  # ids are numbers
    assert shown(cli, "score", *named, "--ids", "1-2") == [1]
    other = "(a / x)\n\n# ::id 1-2\n(a / x)\n"
    refusal = cli.refusal("score", *files.pair(other, other), "--ids", "1-2")
    assert "'1-2' is the id of one pair and a range of places" in refusal
