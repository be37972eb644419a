"""Answers end with sentences, which JSON has, too."""

import math
import random
from dataclasses import replace
from pathlib import Path
from statistics import NormalDist
from types import SimpleNamespace
from typing import Any

import pytest
from support.command import Cli
from support.files import Files

import exactmatch
from exactmatch.scoring.paired_tests import PairedTest
from exactmatch.scoring.resampling import Interval
from exactmatch.studies.agreement.view import _verdicts as verdicts_of
from exactmatch.studies.audit.summary import plausibility
from exactmatch.studies.compare.results import Winner, pairs_needed
from exactmatch.studies.pairs import names_of

BARK = "(b / bark-01 :ARG0 (d / dog))"
CAT = "(b / bark-01 :ARG0 (c / cat))"
RAIN = "(r / rain-01)"


def test_so_many_pairs_see_a_difference_in_four_cases_of_five() -> None:
    """Normal differences of the mean that is to be seen are drawn, and tested by z."""
    deviation, rng = 0.1, random.Random(5)
    error = deviation / math.sqrt(200)
    half = NormalDist().inv_cdf(0.975) * error
    test = PairedTest(0.0, Interval(-half, half, 0.95), 0.9, 0.5, 200)
    needed = pairs_needed(test, 2.0)
    assert needed is not None
    seen = 0
    for _ in range(600):
        draws = [rng.gauss(0.02, deviation) for _ in range(needed)]
        z = sum(draws) / len(draws) / (deviation / math.sqrt(needed))
        seen += abs(z) > 1.96
    assert seen / 600 == pytest.approx(0.8, abs=0.05)
    assert pairs_needed(test, 1.0) == pytest.approx(4 * needed, rel=0.01)


def test_no_interval_says_nothing_of_numbers_of_pairs() -> None:
    assert pairs_needed(PairedTest(0.0, None, 0.9, None, 5)) is None
    flat = PairedTest(0.0, Interval(0.0, 0.0, 0.95), 1.0, 0.5, 50)
    assert pairs_needed(flat) is None


def test_the_better_system_is_named() -> None:
    golds = [BARK] * 30
    found = exactmatch.compare({"poor": [CAT] * 30, "good": golds}, golds)
    (verdict,) = found.verdicts
    assert verdict.startswith(
        "good is better than poor under smatch by 25.00 points (p"
    )
    assert found.to_dict()["verdicts"] == [verdict]


def test_equal_systems_do_not_differ_significantly() -> None:
    golds = [BARK, RAIN] * 20
    mixed = [BARK, RAIN, CAT, RAIN] * 10, [CAT, RAIN, BARK, RAIN] * 10
    found = exactmatch.compare(dict(zip(("a", "b"), mixed, strict=True)), golds)
    (verdict,) = found.verdicts
    assert verdict.startswith("no significant difference between a and b under smatch")
    assert "; a difference of 0.5 points needs " in verdict


def test_few_pairs_are_too_few() -> None:
    given: Any = ({"a": [CAT], "b": [BARK]}, [BARK])
    (verdict,) = exactmatch.compare(*given).verdicts
    assert verdict == (
        "no significant difference between b and a under smatch (p = 1.0000, 1 pair); "
        "1 of 1 output differs, all in favour of b, and fewer than 6 differing outputs "
        "cannot be significant at 5 %"
    )
    (verdict,) = exactmatch.compare(*given, test="bootstrap").verdicts
    assert verdict == (
        "b is better than a under smatch by 25.00 points (1 pair, too few to test)"
    )


@pytest.mark.parametrize(
    ("published", "plausible"),
    [("0.90", False), ("0.788", True), ("0.787", True), ("0.70", False)],
)
def test_published_scores_are_plausible_within_what_runs_find(
    sample_audit: Any, published: str, plausible: bool
) -> None:
    """The optimum of the sample is 0.7880, and runs find 0.7847 to 0.7880."""
    told = plausibility(sample_audit, published)
    assert (" is plausible: " in told) is plausible
    assert (" is implausible: " in told) is not plausible
    if not plausible:
        why = "even the worst run scored 0.78" if published < "0.78" else "no alignment"
        assert f"implausible: {why}" in told
        assert "so other graphs, options or triples were counted; " in told
    half = 0.5 * 10.0 ** -len(published.partition(".")[2])
    k = sample_audit.plan.restarts.index(4)
    corpus = sample_audit.totals.corpus_f1(sample_audit.values)[:, k]
    below = sum(score <= float(published) + half for score in corpus)
    assert told.endswith(f"{below} of 3 runs with 4 restarts were at or below it")


def test_a_score_is_plausible_down_to_three_standard_deviations(
    sample_audit: Any,
) -> None:
    corpus = sample_audit.totals.corpus_f1(sample_audit.values)
    spread = corpus.mean(axis=0) - 3 * corpus.std(axis=0, ddof=1)
    floor = min(spread.min(), corpus.min())
    assert floor < corpus.min() - 1e-4  # else the deviations would go unnoticed
    assert " is plausible: " in plausibility(sample_audit, f"{floor + 1e-5:.6f}")
    assert " is implausible: " in plausibility(sample_audit, f"{floor - 1e-5:.6f}")


@pytest.fixture(scope="module")
def sample_audit() -> Any:
    from exactmatch.studies.pairs import SAMPLE

    pred, gold = map(Path, SAMPLE)
    return exactmatch.audit(pred, gold, runs=3, symmetry=False).metrics[0]


def test_an_audit_begins_with_the_published_score_and_ends_with_the_loss(
    cli: Cli,
) -> None:
    options = ("audit", "--runs", "2", "--no-symmetry", "--published", "0.99")
    first, last = cli.json(*options)["verdicts"]
    assert first.startswith("published 0.99 is implausible: no alignment scores")
    assert last.startswith("hill-climbing with 4 restarts loses ")
    shown = cli.out(*options)
    assert shown.startswith(f"{first}\n")
    assert f"\n\n{last}\n" in shown


def test_correlation_names_the_metric_that_agrees_best() -> None:
    golds = ["(b / boy)", "(g / girl)", BARK, RAIN, CAT]
    preds = ["(b / boy)", "(g / goat)", CAT, RAIN, RAIN]
    found = exactmatch.correlate(preds, golds, [1, 0.2, 0.5, 1, 0], "smatch,sembleu")
    (verdict,) = found.verdicts
    values = {one.metric: one.pearson.value for one in found.metrics}
    best = max(values, key=values.__getitem__)
    assert verdict.startswith(
        f"{best} agrees best with people (Pearson's r {values[best]:.3f}"
    )
    assert "significantly better than" in verdict


def test_a_metric_against_people_does_not_agree() -> None:
    golds = ["(b / boy)", "(g / girl)", BARK, RAIN, CAT]
    preds = ["(b / boy)", "(g / goat)", CAT, RAIN, RAIN]
    (verdict,) = exactmatch.correlate(preds, golds, [0, 0.8, 0.5, 0, 1]).verdicts
    assert verdict.startswith("smatch does not agree with people")


def test_preferences_are_told_from_chance() -> None:
    golds = [BARK] * 4
    found = exactmatch.studies.correlate_preferences(
        [BARK, CAT, CAT, BARK], golds, [1, 0]
    )
    (verdict,) = found.verdicts
    assert verdict.startswith("smatch agrees with people (right in 100.0 %")
    assert verdict.endswith("this may be chance")


def test_agreement_is_reliable_or_not() -> None:
    units = [BARK, RAIN, CAT, "(s / sleep-01)"]
    same = exactmatch.agreement({"Ann": units, "Bob": units})
    assert same.verdicts[0].startswith("the annotators agree reliably (α = 1.000")
    shuffled = {"Ann": units, "Bob": units, "Cy": [RAIN, CAT, "(x / y)", BARK]}
    first, second = exactmatch.agreement(shuffled).verdicts
    assert first.startswith("the annotators do not agree reliably")
    assert second.startswith("Cy differs most from the others")


def test_ensembles_say_how_often_each_was_chosen(cli: Cli, files: Files) -> None:
    paths = [
        files.one("a.amr", f"{BARK}\n\n{RAIN}\n\n{BARK}\n"),
        files.one("b.amr", f"{BARK}\n\n{RAIN}\n\n{CAT}\n"),
        files.one("c.amr", f"{CAT}\n\n{RAIN}\n\n{CAT}\n"),
    ]
    found = cli.json("ensemble", *map(str, paths))
    (verdict,) = found["verdicts"]
    assert verdict.startswith("chosen of 3 sentences: a 2, b 1, c 0;")
    expected = [row["expected"] for row in found["sentences"]]
    assert f"expected score {sum(expected) / 3:.4f}, " in verdict
    last = found["sentences"][2]
    if last["all"][0] is not None:
        gain = 100 * (last["expected"] - last["all"][0]) / 3
        assert f", {gain:.2f} points more than a alone" in verdict


def test_equal_file_names_are_told_apart_by_their_folders() -> None:
    assert names_of(["x/bart/dev.amr", "x/t5/dev.amr"], None) == ["bart", "t5"]
    paths = ["x/a.amr", "y/a.amr", "y/b.amr"]
    assert names_of(paths, None) == ["x/a", "y/a", "y/b"]
    assert names_of(["a.amr", "b/a.amr"], None) == ["a", "b/a"]


@pytest.mark.parametrize(
    ("alpha", "shown"),
    [(0.6669, "0.666"), (0.66699, "0.666"), (0.667, "0.667"), (0.7999, "0.799")],
)
def test_an_alpha_is_never_rounded_to_a_limit_that_it_misses(
    alpha: float, shown: str
) -> None:
    chance = SimpleNamespace(alpha=alpha, units=3)
    found: Any = SimpleNamespace(chance=chance, annotators=(), mean_of=None)
    (verdict,) = verdicts_of(found)
    assert f"(α = {shown}, 3 units)" in verdict


def test_nearest_says_how_many_queries_and_graphs(cli: Cli, files: Files) -> None:
    bank = files.one("bank.amr", f"{BARK}\n\n{RAIN}\n\n{CAT}\n")
    queries = files.one("queries.amr", f"{BARK}\n\n{RAIN}\n")
    assert "2 queries in a bank of 3 graphs" in cli.out("nearest", queries, bank)
    one = files.one("one.amr", f"{BARK}\n")
    assert "1 query in a bank of 3 graphs" in cli.out("nearest", one, bank)


def _winner(metric: str, best: str, p: float, gain: float = 0.1) -> Winner:
    return Winner(metric, best, None, "other", PairedTest(gain, None, p, 1.0), p, 1.0)


@pytest.mark.parametrize(
    ("winners", "ending"),
    [
        (
            [("smatch", "a", 0.01), ("ancast", "b", 0.02)],
            ": the winner depends on the metric",
        ),
        ([("smatch", "a", 0.01), ("ancast", "b", 0.2)], ": only a wins significantly"),
        ([("smatch", "a", 0.1), ("ancast", "b", 0.2)], ": these data do not decide"),
        (
            [("smatch", "a", 0.01), ("ancast", "a", 0.2)],
            "2 of 2 metrics, significantly under 1",
        ),
        (
            [("smatch", "a", 0.01), ("ancast", "b", 1.0, 0.0)],
            "; 1 of 2 metrics has a tie",
        ),
    ],
)
def test_the_winner_depends_on_the_metric_only_if_the_tests_say_so(
    winners: list[Any], ending: str
) -> None:
    """Different best systems are not enough, and a tie has no best system."""
    golds = ["(b / bark-01)", "(r / rain-01)"]
    compared = exactmatch.compare({"a": golds, "b": golds}, golds)
    made = replace(compared, winners=tuple(_winner(*one) for one in winners))
    assert made.verdicts[-1].endswith(ending)
