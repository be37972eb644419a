"""``exactmatch correlate`` against SciPy and against counting by hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from exactmatch.analysis.correlate import (
    kendall,
    pearson,
    preference,
    quantile_rmse,
    resampled,
    rmse,
    spearman,
)
from exactmatch.api import evaluate
from exactmatch.cli.main import main
from exactmatch.scoring.resampling import FEWEST, Bootstrap, Vector

Capture = pytest.CaptureFixture[str]
Write = Callable[[str, Sequence[object]], str]

GOLD = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b :time (n / now)))"
PREDS = [
    GOLD,
    "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :time (n / now)))",
    "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))",
    "(w / want-01 :ARG0 (b / boy))",
    "(g / go-02 :ARG0 (b / boy))",
    "(s / sleep-01 :ARG0 (b / boy))",
    "(s / sleep-01 :ARG0 (c / cat))",
    "(h / house)",
]
HUMAN = [1.0, 0.8, 0.9, 0.5, 0.6, 0.3, 0.1, 0.0]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def make(name: str, lines: Sequence[object]) -> str:
        path = tmp_path / name
        gap = "\n\n" if name.endswith(".amr") else "\n"
        path.write_text(gap.join(map(str, lines)) + "\n")
        return str(path)

    return make


def run(capsys: Capture, *arguments: str) -> tuple[int, str, str]:
    code = main(["correlate", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def data(capsys: Capture, *arguments: str) -> Any:
    code, out, err = run(capsys, *arguments, "--format", "json")
    assert code == 0, err
    return json.loads(out)


def noisy(n: int, share: float, seed: int) -> tuple[Vector, Vector]:
    rng = np.random.default_rng(seed)
    x = rng.random(n)
    return x, share * x + (1 - share) * rng.random(n)


def test_pearsons_interval_is_scipys() -> None:
    x, y = noisy(60, 0.5, 0)
    theirs = stats.pearsonr(x, y)
    found = pearson(x, y, 0.9)
    assert found.value == pytest.approx(theirs.statistic)
    assert found.interval is not None
    expected = theirs.confidence_interval(0.9)
    assert (found.interval.low, found.interval.high) == pytest.approx(
        (expected.low, expected.high)
    )


@pytest.mark.parametrize("function", [pearson, spearman, kendall])
def test_intervals_cover(function: Any) -> None:
    """Most intervals of samples hold the correlation of a very large sample."""
    truth = function(*noisy(20_000, 0.5, 1)).value
    covered = 0
    for seed in range(200):
        interval = function(*noisy(100, 0.5, 10 + seed)).interval
        covered += interval.low <= truth <= interval.high
    assert 180 <= covered <= 200


def test_a_constant_has_no_correlation() -> None:
    x = np.arange(10.0)
    found = pearson(x, np.ones(10))
    assert np.isnan(found.value)
    assert found.interval is None


@pytest.mark.parametrize("function", [pearson, spearman, kendall])
def test_perfect_agreement_has_no_interval(function: Any) -> None:
    """Fisher's z of 1 is infinite, and so few points do not prove the truth to be 1."""
    x = np.arange(10.0)
    for sign in (1, -1):
        found = function(x, sign * x)
        assert found.value == pytest.approx(sign)
        assert found.interval is None


@pytest.mark.parametrize("function", [pearson, spearman, kendall])
@pytest.mark.parametrize("n", [0, 1, 2, 4])
def test_correlations_of_very_few(function: Any, n: int) -> None:
    """Nothing and one point have none; so few have no interval."""
    x, y = noisy(n, 0.5, 4)
    found = function(x, y)
    assert np.isnan(found.value) == (n < 2)
    assert found.interval is None


@pytest.mark.parametrize("function", [rmse, quantile_rmse])
def test_errors_of_nothing_and_of_few(function: Any) -> None:
    x, y = noisy(FEWEST, 0.5, 4)
    assert np.isnan(function(x[:0], y[:0]))
    assert function(x[:1], y[:1]) == pytest.approx(abs(x[0] - y[0]))
    assert resampled(function, x[1:], y[1:], Bootstrap(50)).interval is None
    assert resampled(function, x, y, Bootstrap(50)).interval is not None


def test_preference_of_nothing() -> None:
    nothing = np.array([])
    found = preference(nothing, nothing, nothing)
    assert (found.decided, found.accuracy.interval) == (0, None)
    assert np.isnan(found.accuracy.value)


def test_errors_are_counted_by_hand() -> None:
    """Differences 0.1 and -0.3: the root of 0.1 / 2; quantiles ignore the order."""
    x, y = np.array([0.5, 0.2]), np.array([0.4, 0.5])
    assert rmse(x, y) == pytest.approx(np.sqrt(0.05))
    values = np.random.default_rng(2).random(50)
    assert quantile_rmse(values, values[::-1]) == 0
    assert quantile_rmse(values, values + 0.25) == pytest.approx(0.25)


def test_the_interval_of_an_error_surrounds_it() -> None:
    x, y = noisy(200, 0.7, 3)
    found = resampled(rmse, x, y, Bootstrap(500))
    assert found.interval is not None
    squares = (x - y) ** 2
    reach = 1.96 * squares.std() / np.sqrt(200) / (2 * found.value)
    assert found.interval.low == pytest.approx(found.value - reach, abs=0.15 * reach)
    assert found.interval.high == pytest.approx(found.value + reach, abs=0.15 * reach)


def test_preferences_are_counted_by_hand() -> None:
    """Right, wrong, tied by the metric, undecided by people, right."""
    first = np.array([0.9, 0.9, 0.5, 0.3, 0.1])
    second = np.array([0.2, 0.2, 0.5, 0.9, 0.7])
    found = preference(first, second, np.array([1.0, 0.0, 1.0, 0.5, 0.0]))
    assert (found.decided, found.right, found.tied, found.undecided) == (4, 2, 1, 1)
    assert found.accuracy.value == 0.5
    theirs = stats.binomtest(2, 4).proportion_ci(0.95, "wilson")
    assert found.accuracy.interval is not None
    assert found.accuracy.interval.low == pytest.approx(theirs.low)


def test_metrics_are_held_against_scores(capsys: Capture, write: Write) -> None:
    preds, golds, human = PREDS * 3, [GOLD] * len(PREDS) * 3, HUMAN * 3
    files = write("a.amr", preds), write("b.amr", golds), write("human.txt", human)
    found = data(capsys, *files, "--metric", "smatch,sembleu")
    smatch, sembleu = found["metrics"]
    scores = [pair.score.score for pair in evaluate(preds, golds).pairs]
    assert smatch["pairs"] == 24
    assert smatch["rmse"] == pytest.approx(rmse(np.array(scores), np.array(human)))
    assert smatch["pearson"] == pytest.approx(stats.pearsonr(scores, human).statistic)
    expected = stats.spearmanr(scores, human).statistic
    assert smatch["spearman"] == pytest.approx(expected)
    expected = stats.kendalltau(scores, human).statistic
    assert smatch["kendall"] == pytest.approx(expected)
    assert smatch["pearson_low"] < smatch["pearson"] < smatch["pearson_high"]
    assert smatch["rmse_low"] < smatch["rmse"] < smatch["rmse_high"]
    assert sembleu["metric"] == "sembleu"


def test_graphs_beyond_the_scores_are_left_out(capsys: Capture, write: Write) -> None:
    files = write("a.amr", PREDS), write("b.amr", [GOLD] * 8)
    code, out, err = run(capsys, *files, write("h.txt", HUMAN[:6]), "--format", "json")
    assert code == 0
    assert json.loads(out)["pairs"] == 6
    assert "2 pairs beyond the 6 scores are left out" in err


def test_other_scales_are_named_or_have_no_error(capsys: Capture, write: Write) -> None:
    files = write("a.amr", PREDS), write("b.amr", [GOLD] * 8)
    stars = write("h.txt", [1 + 4 * value for value in HUMAN])
    found = data(capsys, *files, stars)["metrics"][0]
    assert found["rmse"] is None
    assert found["pearson"] is not None
    scaled = data(capsys, *files, stars, "--human-range", "1,5")["metrics"][0]
    plain = data(capsys, *files, write("p.txt", HUMAN))["metrics"][0]
    assert scaled["rmse"] == pytest.approx(plain["rmse"])


def test_preferences_of_two_parses(capsys: Capture, write: Write) -> None:
    """People prefer the first twice and the third not; a tie is left out."""
    preds = [GOLD, PREDS[3], GOLD, PREDS[3], PREDS[6], PREDS[1], GOLD, GOLD]
    lines = ["1.0\t1\t0\tx.1", "see above", "0.0\t0\t1\tx.2", "see above"]
    lines += ["0.0\t1\t1\tx.3", "see above", "0.5\t1\t1\tx.4", "see above"]
    files = write("a.amr", preds), write("b.amr", [GOLD] * 8), write("p.txt", lines)
    (found,) = data(capsys, *files)["metrics"]
    assert (found["decided"], found["right"], found["wrong"]) == (3, 2, 1)
    assert found["undecided"] == 1
    code, out, _ = run(capsys, *files)
    assert code == 0
    assert "66.7" in out


def test_originals_against_foils(capsys: Capture, write: Write) -> None:
    """Foil and original alternate; an equal score is not right."""
    preds = [PREDS[3], GOLD, PREDS[6], PREDS[2], GOLD, GOLD]
    files = write("a.amr", preds), write("b.amr", [GOLD] * 6)
    (found,) = data(capsys, *files, "--foils")["metrics"]
    assert (found["decided"], found["right"], found["tied"]) == (3, 2, 1)


@pytest.mark.parametrize("human", [HUMAN, ["1.0\tx", "see above"] * 4])
def test_densities_are_drawn(
    capsys: Capture, write: Write, tmp_path: Path, human: list[object]
) -> None:
    pytest.importorskip("matplotlib")
    files = write("a.amr", PREDS), write("b.amr", [GOLD] * 8), write("h.txt", human)
    path = tmp_path / "densities.svg"
    code, _, err = run(capsys, *files, "--plot", str(path))
    assert code == 0, err
    assert path.read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["0.5", "much"], "h.txt:2: 'much' does not begin with a number"),
        (["nan"], "h.txt:1: nan is no judgement"),
        (["0.7 x", "see above"], "the preference is 0.7; it must be 1, 0 or 0.5"),
        (["1 x", "see above", "0 x", "0 y"], "h.txt:4: must say 'see above'"),
        (["1 x", "see above", "0 x"], "ends after the first of two graphs"),
        ([""], "holds no judgement"),
        ([0.5] * 9, "9 scores but 8 pairs of graphs"),
    ],
)
def test_bad_judgement_is_one_sentence(
    capsys: Capture, write: Write, lines: list[object], message: str
) -> None:
    files = write("a.amr", PREDS), write("b.amr", [GOLD] * 8), write("h.txt", lines)
    code, out, err = run(capsys, *files)
    assert (code, out) == (2, "")
    assert message in err


def test_judgement_or_foils(capsys: Capture, write: Write) -> None:
    files = write("a.amr", PREDS), write("b.amr", [GOLD] * 8)
    assert "either a file of human judgement or --foils" in run(capsys, *files)[2]
    assert run(capsys, *files, write("h.txt", HUMAN), "--foils")[0] == 2
    assert "No such file" in run(capsys, *files, "missing.txt")[2]
