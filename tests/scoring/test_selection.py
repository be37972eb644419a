"""Which pairs are shown: conditions, ends, orders."""

import json
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
        with pytest.raises(InputError, match="no number"):
            Condition(text)({"id": "x"})


def test_unknown_columns_are_named() -> None:
    with pytest.raises(InputError, match=r"'f2' is no column; did you mean 'f1'"):
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
    with pytest.raises(InputError, match="no condition"):
        report.where("f1 <")
    with pytest.raises(KeyError):
        report.worst(1, "bleu")


def test_both_ends_and_unknown_ids_are_refused(cli: Cli, pair: list[str]) -> None:
    assert "two ends" in cli.refusal("score", *pair, "--worst", "1", "--best", "1")
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
    from exactmatch.scoring.sources import File

    page = exactmatch.studies.write_report(*map(File, pair), ids="p3,p1")
    assert len(page.pairs) == 2
    assert "4 pairs (2 shown)" in str(page)
    found = exactmatch.studies.count_errors(*map(File, pair), worst=1)
    assert [one.index for own in found.pairs.values() for one in own] == [3]


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
