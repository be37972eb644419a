"""Scores of things that few graphs have: means, intervals, tests and dashes.

Expected numbers are counted from the graphs' texts, with penman alone, and from the
counts of single pairs.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from importlib.resources import files as resources
from itertools import product
from pathlib import Path

import penman
import pytest
from support.command import Cli
from support.files import Files

import exactmatch
from exactmatch.metrics.finegrained.scores import finegrained

SAMPLE = resources("exactmatch") / "sample"
PRED, GOLD = str(SAMPLE / "pred.amr"), str(SAMPLE / "gold.amr")
NEGATED = "(w / want-01 :ARG0 (b / boy) :polarity -)"
PLAIN = "(w / want-01 :ARG0 (b / boy))"

Counts = tuple[int, int, int]
"""Matched, predicted, reference."""


def ratios(matched: float, pred: float, gold: float) -> tuple[float, float, float]:
    precision = matched / pred if pred else 0.0
    recall = matched / gold if gold else 0.0
    return precision, recall, 2 * matched / (pred + gold) if pred and gold else 0.0


def negations(graph: str) -> Counter[str | None]:
    """The concepts of what has a ``:polarity -``."""
    found = penman.decode(graph)
    concept = {instance.source: instance.target for instance in found.instances()}
    return Counter(
        concept[each.source]
        for each in found.attributes(role=":polarity")
        if each.target == "-"
    )


def counted(pred: str, gold: str) -> Counts:
    ours, theirs = negations(pred), negations(gold)
    shared = sum((ours & theirs).values())
    return shared, sum(ours.values()), sum(theirs.values())


def graphs_of(path: str) -> list[str]:
    return Path(path).read_text("utf-8").strip().split("\n\n")


def mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def test_the_mean_is_over_the_pairs_that_have_the_thing(cli: Cli) -> None:
    counts = [
        found
        for pred, gold in zip(graphs_of(PRED), graphs_of(GOLD), strict=True)
        if any(found := counted(pred, gold))
    ]
    assert 0 < len(counts) < 40
    given = ["finegrained", PRED, GOLD, "--only", "negation", "--macro", "-q"]
    record = cli.record(*given)
    assert record["defined"] == len(counts)
    assert record["pairs"] == 40
    for place, name in enumerate(("precision", "recall", "f1")):
        expected = mean([ratios(*found)[place] for found in counts])
        assert record[name] == pytest.approx(expected, abs=1e-12)
    text = cli.out(*given)
    assert re.search(rf"Negation +\d+ +\d+ +\d+ +{len(counts)} ", text)
    assert "means over the pairs that have what is scored" in text
    head, row = (line.split(",") for line in cli.out(*given, "--format", "csv").split())
    assert dict(zip(head, row, strict=True))["defined"] == str(len(counts))


@pytest.mark.parametrize("aspects", [[], ["--aspects"]])
def test_a_file_against_itself_has_means_of_1_or_none(
    cli: Cli, aspects: list[str]
) -> None:
    given = ["finegrained", GOLD, GOLD, "--macro", "--per-pair", "-q"]
    for record in cli.json(*given, *aspects)["metrics"]:
        assert record["f1"] == (1.0 if record["defined"] else None)
        scores = [pair["f1"] for pair in record["per_pair"]]
        assert set(scores) <= {1.0, None}
        assert scores.count(1.0) == record["defined"]
    text = cli.out(*given, *aspects).splitlines()
    assert sum(" 0.0" in line for line in text) == 0


def test_json_has_null_where_text_has_a_dash(cli: Cli) -> None:
    given = ["finegrained", PRED, GOLD, "--per-pair", "-q"]
    records = cli.json(*given)["metrics"]
    lines = [line.split() for line in cli.out(*given).splitlines()[2:42]]
    for k, line in enumerate(lines):
        pairs = [record["per_pair"][k] for record in records]
        dashes = [shown == "-" for shown in line[-len(records) :]]
        for name in ("precision", "recall", "f1", "score"):
            assert [pair[name] is None for pair in pairs] == dashes
    assert any("-" in line for line in lines)
    report = exactmatch.evaluate([PLAIN], [PLAIN], metric=finegrained())
    assert report["negation", 0].score.is_defined is False
    assert repr(report["negation", 0].score) == "negation -"
    plain = {metric["metric"]: metric for metric in report.to_dict()["metrics"]}
    assert plain["negation"]["f1"] is None
    assert plain["concepts"]["f1"] == 1.0


@pytest.mark.slow
@pytest.mark.parametrize("macro", [[], ["--macro"]])
def test_an_interval_needs_20_pairs_that_have_the_thing(
    cli: Cli, files: Files, macro: list[str]
) -> None:
    for having in (1, 19, 20):
        path = files.graphs("g.amr", having * [NEGATED] + (40 - having) * [PLAIN])
        given = ["finegrained", path, path, "--confidence", "--interval", "bca"]
        (negation, concepts) = sorted(
            cli.json(*given, *macro, "--only", "negation,concepts", "-q")["metrics"],
            key=lambda record: record["defined"],
        )
        assert negation["defined"] == having
        expected = (1.0, 1.0) if having == 20 else (None, None)
        assert (negation["score_low"], negation["score_high"]) == expected
        assert (concepts["score_low"], concepts["score_high"]) == (1.0, 1.0)
        said = cli(*given, "--only", "negation,concepts").err
        assert ("bca takes 20" in said) == (having < 20)


# Unproven pairs.


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("score", ["--solver", "hungarian"]),
        ("finegrained", ["--solver", "hungarian", "--only", "srl"]),
        ("finegrained", ["--aspects", "main", "--only", "core-roles"]),
        (
            "finegrained",
            ["--aspects", "main", "--only", "time", "--solver", "hungarian"],
        ),
    ],
)
def test_a_mean_with_unproven_pairs_is_an_interval(
    cli: Cli, command: str, options: list[str]
) -> None:
    given = [command, PRED, GOLD, *options, "--macro", "--per-pair", "-q"]
    record = cli.record(*given)
    assert record["proven"] < record["pairs"]
    pairs = [p for p in record["per_pair"] if p["pred_total"] or p["gold_total"]]
    for place, name in enumerate(("precision", "recall", "f1")):
        for end, field in (("matched", name), ("bound", f"{name}_upper")):
            each = [ratios(p[end], p["pred_total"], p["gold_total"]) for p in pairs]
            expected = mean([found[place] for found in each])
            assert record[field] == pytest.approx(expected, abs=1e-12)
    shown = f"{record['f1']:.4f}..{record['f1_upper']:.4f}"
    assert record["f1"] < record["f1_upper"]
    assert shown in cli.out(*given)


def test_the_mean_of_proven_pairs_is_its_own_upper_end(cli: Cli) -> None:
    record = cli.record(PRED, GOLD, "--macro", "-q")
    assert record["f1_upper"] == record["f1"]
    assert ".." not in cli.out(PRED, GOLD, "--macro", "-q")
    bleu = cli.record(PRED, GOLD, "--macro", "--metric", "sembleu", "-q")
    assert bleu["f1_upper"] is None


def test_systems_compared_by_means_have_the_means_upper_end(cli: Cli) -> None:
    given = [PRED, GOLD, "--solver", "hungarian", "--macro", "-q"]
    mean_of = cli.record(*given)
    assert (
        f"{mean_of['f1']:.4f}..{mean_of['f1_upper']:.4f}"
        == cli.out(*given, "-b").strip()
    )
    compared = ["compare", GOLD, PRED, GOLD, *given[2:], "--samples", "20"]
    rows = {row["system"]: row for row in cli.json(*compared)["systems"]}
    row = rows["pred"]
    assert row["score"] == pytest.approx(mean_of["f1"], abs=1e-12)
    assert row["f1_upper"] == pytest.approx(mean_of["f1_upper"], abs=1e-12)
    assert f"its score is at most {row['f1_upper']:.4f}" in cli.out(*compared)


# Paired tests.


def exchanged(first: list[Counts], second: list[Counts]) -> float:
    """The share of all exchanges with as large a difference, counted one by one."""

    def f1(rows: Sequence[Counts]) -> float:
        return ratios(*(sum(column) for column in zip(*rows, strict=True)))[2]

    pairs = list(zip(first, second, strict=True))
    observed = abs(f1(first) - f1(second))
    extreme = 0
    for turns in product((0, 1), repeat=len(pairs)):
        ours = [pair[turn] for pair, turn in zip(pairs, turns, strict=True)]
        theirs = [pair[1 - turn] for pair, turn in zip(pairs, turns, strict=True)]
        extreme += abs(f1(ours) - f1(theirs)) >= observed - 1e-12
    return extreme / 2 ** len(pairs)


GOLDS = 3 * [NEGATED] + 30 * [PLAIN] + 5 * [NEGATED]
SYSTEMS = {
    "good": 4 * [NEGATED] + 34 * [PLAIN],
    "bad": 2 * [PLAIN] + 3 * [NEGATED] + 33 * [PLAIN],
    "worse": 38 * [PLAIN],
}


@pytest.fixture
def compared(files: Files) -> list[str]:
    files.enter()
    files.graphs("gold.amr", GOLDS)
    paths = [files.graphs(f"{name}.amr", graphs) for name, graphs in SYSTEMS.items()]
    names = ["--names", ",".join(SYSTEMS), "--baseline", "good"]
    return ["compare", "gold.amr", *paths, *names, "--samples", "100", "--no-structure"]


def counts_of(name: str) -> list[Counts]:
    return [counted(*pair) for pair in zip(SYSTEMS[name], GOLDS, strict=True)]


@pytest.mark.slow
def test_few_pairs_that_have_the_thing_are_exchanged_in_every_way(
    cli: Cli, compared: list[str]
) -> None:
    found = cli.json(*compared, "--finegrained", "-q")
    assert found["test"] == "exchange"
    rows = {r["system"]: r for r in found["systems"] if r["metric"] == "negation"}
    for name in ("bad", "worse"):
        pairs = [
            pair
            for pair in zip(counts_of("good"), counts_of(name), strict=True)
            if any(map(any, pair))
        ]
        ours, theirs = map(list, zip(*pairs, strict=True))
        assert rows[name]["p_value"] == exchanged(ours, theirs)
        assert rows[name]["pairs"] == sum(map(any, counts_of(name)))
        for field in ("score_low", "difference_low", "wins"):
            assert rows[name][field] is None


@pytest.mark.slow
def test_one_negation_among_40_pairs_decides_nothing(cli: Cli, files: Files) -> None:
    golds = [NEGATED, *39 * [PLAIN]]
    gold = files.graphs("gold.amr", golds)
    worse = files.graphs("worse.amr", 40 * [PLAIN])
    given = ["compare", gold, gold, worse, "--finegrained", "-q"]
    for test, p in (("exchange", 1.0), ("bootstrap", None)):
        found = cli.json(*given, "--test", test)["systems"]
        (row,) = (
            r for r in found if r["metric"] == "negation" and r["system"] == "worse"
        )
        assert (row["score"], row["difference"]) == (0.0, -1.0)
        assert (row["p_value"], row["difference_low"]) == (p, None)
    text = cli.out(*given, "--test", "bootstrap")
    assert "negation: no bootstrap p and no intervals: fewer than 20 pairs have" in text


@pytest.mark.slow
@pytest.mark.parametrize("test", ["bootstrap", "exchange"])
def test_rows_without_a_test_are_not_corrected_for(
    cli: Cli, compared: list[str], test: str
) -> None:
    """Holm (1979): the k-th smallest of m by m - k + 1, m being the p-values shown."""
    given = [*compared, "--finegrained", "--test", test, "-q"]
    found = cli.json(*given)["systems"]
    values = sorted(r["p_value"] for r in found if r["p_value"] is not None)
    assert any(r["score"] is None for r in found)
    running = 0.0
    corrected: dict[float, float] = {}
    for k, p in enumerate(values):
        running = max(running, min(1.0, p * (len(values) - k)))
        corrected[p] = max(corrected.get(p, 0.0), running)
    for row in found:
        expected = None if row["p_value"] is None else corrected[row["p_value"]]
        assert row["p_holm"] == pytest.approx(expected)
    assert f"p (Holm): corrected for all {len(values)} tests\n" in cli.out(*given)


@pytest.mark.slow
def test_metrics_agree_about_what_both_score(cli: Cli, compared: list[str]) -> None:
    """SciPy's t-test over the pairs in which all systems have a negation's score."""
    given = [*compared, "--finegrained", "-q"]
    found = cli.json(*given)
    names = {
        name for row in found["agreement"] for name in (row["first"], row["second"])
    }
    assert names == {r["metric"] for r in found["systems"] if r["score"] is not None}
    (row,) = (
        r
        for r in found["agreement"]
        if (r["first"], r["second"]) == ("concepts", "negation")
    )
    counts = {name: counts_of(name) for name in sorted(SYSTEMS)}
    having = [k for k in range(38) if all(any(own[k]) for own in counts.values())]
    scores = [[ratios(*own[k])[2] for k in having] for own in counts.values()]
    differences = [
        scores[b][k] - scores[a][k]
        for a, b in ((0, 1), (0, 2), (1, 2))
        for k in range(len(having))
    ]
    assert row["disagreement"] == 0.0
    assert len(differences) == 3 * len(having)
    text = cli.out(*given)
    assert "wikification: Δ and p" not in text


@pytest.mark.slow
def test_pairs_without_the_thing_have_no_score_of_any_system(
    cli: Cli, compared: list[str]
) -> None:
    given = [*compared, "--finegrained", "--per-pair", "-q"]
    pairs = [p for p in cli.json(*given)["per_pair"] if p["metric"] == "negation"]
    for k, pair in enumerate(pairs):
        for name in SYSTEMS:
            counts = counts_of(name)[k]
            expected = ratios(*counts)[2] if any(counts) else None
            assert pair["scores"][name] == expected
    assert pairs[10]["differences"] == {"bad": None, "worse": None}


@pytest.mark.parametrize("test", ["bootstrap", "exchange"])
def test_means_are_compared_on_the_pairs_that_have_the_thing(
    cli: Cli, compared: list[str], test: str
) -> None:
    found = cli.json(*compared, "--finegrained", "--macro", "--test", test, "-q")
    rows = {r["system"]: r for r in found["systems"] if r["metric"] == "negation"}
    for name, row in rows.items():
        scores = [ratios(*own)[2] for own in counts_of(name) if any(own)]
        assert row["score"] == pytest.approx(mean(scores))
        alone = cli.record(
            *("finegrained", f"{name}.amr", "gold.amr", "--only", "negation"),
            *("--macro", "-q"),
        )
        assert row["score"] == pytest.approx(alone["f1"])
        assert row["score_low"] is None
        assert (row["p_value"] is None) == (test == "bootstrap" or name == "good")


@pytest.mark.slow
def test_a_system_without_a_score_is_neither_first_nor_tested(
    cli: Cli, files: Files
) -> None:
    """Nobody negates but one system, wrongly: there is nothing to compare it with."""
    gold = files.graphs("gold.amr", 25 * [PLAIN])
    wrong = files.graphs("wrong.amr", 25 * [NEGATED])
    found = cli.json("compare", gold, gold, wrong, "--finegrained", "-q")["systems"]
    rows = {r["system"]: r for r in found if r["metric"] == "negation"}
    assert (rows["wrong"]["score"], rows["wrong"]["rank"]) == (0.0, 1)
    assert (rows["gold"]["score"], rows["gold"]["rank"]) == (None, 2)
    for row in rows.values():
        assert row["p_value"] is row["difference"] is row["p_holm"] is None


@pytest.mark.slow
def test_profiles_have_intervals_where_pairs_are_unproven(cli: Cli) -> None:
    given = ["--solver", "hungarian", "--macro", "-q"]
    record = cli.record(PRED, GOLD, *given)
    row = cli.json("explain-profile", PRED, GOLD, *given)["rows"][0]
    assert (row["f1"], row["f1_upper"]) == (record["f1"], record["f1_upper"])
    shown = f"{record['f1']:.4f}..{record['f1_upper']:.4f}"
    assert shown in cli.out("explain-profile", PRED, GOLD, *given)
