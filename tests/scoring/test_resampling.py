"""Intervals and paired tests against SciPy, sacreBLEU and closed forms."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats

from exactmatch.base.deadline import within
from exactmatch.base.errors import (
    ExactmatchWarning,
    InputError,
    callers_not_warned,
)
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics.base import Metric
from exactmatch.metrics.baselines import Bleu
from exactmatch.metrics.score import Score, f_score
from exactmatch.metrics.sembleu import SemBleu
from exactmatch.metrics.smatch import Smatch
from exactmatch.metrics.weisfeiler_leman.wlk import Wlk
from exactmatch.scoring.exchange import Matrix
from exactmatch.scoring.paired_tests import PairedTest, influence, paired_test
from exactmatch.scoring.resampling import (
    FEWEST,
    NO_TIME,
    Sampling,
    bca_quantiles,
    drawing,
    resampling_counts,
    signed_as,
)
from exactmatch.scoring.rows import mean_scorer, pair_weights, rows_of
from exactmatch.studies.compare.results import MetricComparison, Standing, _verdict
from exactmatch.studies.score.evaluate import evaluate


def ratio(sums: Matrix) -> Matrix:
    """F1 of (matched, total of both sides)."""
    return 2 * sums[:, :1] / sums[:, 1:2]


def scorer_of_two(sums: Matrix) -> Matrix:
    """The same, of nothing too."""
    return 2 * sums[:, :1] / np.maximum(sums[:, 1:2], 1)


def corpus(rng: np.random.Generator, n: int) -> Matrix:
    """Matched triples and the totals of both sides, sizes skewed as in corpora."""
    size = 3 + rng.geometric(0.08, n)
    quality = rng.beta(6, 2, n)
    return np.stack((rng.binomial(size, quality), 2 * size), axis=1).astype(float)


def means(values: np.ndarray) -> Matrix:
    return np.stack((values, np.ones_like(values)), axis=1)


def test_counts_are_draws_with_replacement() -> None:
    """Every corpus has as many pairs; counts vary as a multinomial's."""
    found = np.concatenate(
        list(resampling_counts(20, 20_000, np.random.default_rng(0)))
    )
    assert found.shape == (20_000, 20)
    assert (found.sum(axis=1) == 20).all()
    assert found.mean(axis=0) == pytest.approx(np.ones(20), abs=0.05)
    assert found.var(axis=0) == pytest.approx(np.full(20, 19 / 20), rel=0.06)


def test_bca_ends_are_scipys_on_scipys_own_samples() -> None:
    """The same distribution gives the same interval to the last digits."""
    rng = np.random.default_rng(1)
    values = rng.gamma(2.0, size=150)
    theirs = scipy_stats.bootstrap(
        (values,), np.mean, n_resamples=2000, method="BCa", random_state=rng
    )
    drawn = theirs.bootstrap_distribution
    jackknife = (values.sum() - values) / (len(values) - 1)
    quantiles = bca_quantiles(drawn, values.mean(), jackknife, 0.95)
    assert np.quantile(drawn, quantiles) == pytest.approx(
        list(theirs.confidence_interval), abs=1e-12
    )


@pytest.mark.slow
@pytest.mark.parametrize("method", ["bca", "percentile"])
def test_intervals_agree_with_scipy(method: Any) -> None:
    """Different random numbers, the same interval but for sampling error."""
    rows = corpus(np.random.default_rng(2), 300)
    ours = Sampling(20_000, 0.9, 0, method).intervals(rows, ratio)[0]
    theirs = scipy_stats.bootstrap(
        (rows[:, 0], rows[:, 1]),
        lambda m, t, axis: 2 * m.sum(axis=axis) / t.sum(axis=axis),
        paired=True,
        vectorized=True,
        n_resamples=20_000,
        confidence_level=0.9,
        method=method,
        batch=1000,
        random_state=np.random.default_rng(3),
    ).confidence_interval
    assert ours is not None
    width = theirs.high - theirs.low
    assert ours.low == pytest.approx(theirs.low, abs=0.03 * width)
    assert ours.high == pytest.approx(theirs.high, abs=0.03 * width)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["bca", "percentile"])
def test_the_interval_of_a_mean_is_the_normal_one(method: Any) -> None:
    """Mean ± 1.96 standard errors, in closed form, for many normal values."""
    values = np.random.default_rng(4).normal(5.0, 2.0, 2000)
    found = Sampling(10_000, method=method).intervals(means(values), mean_scorer)[0]
    error = values.std() / np.sqrt(2000)
    assert found is not None
    assert found.low == pytest.approx(values.mean() - 1.96 * error, abs=0.05 * error)
    assert found.high == pytest.approx(values.mean() + 1.96 * error, abs=0.05 * error)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["bca", "percentile"])
def test_coverage_of_nominal_95_percent_intervals(method: Any) -> None:
    """93 to 97 % of the intervals of 1,000 simulated corpora hold the truth.

    The truth is the F1 of the population: the mean of ``size * quality`` over the
    mean of ``size``, and quality is independent of size, so 6 / (6 + 2).
    """
    rng = np.random.default_rng(5)
    covered = 0
    for seed in range(1000):
        rows = corpus(rng, 200)
        bootstrap = Sampling(400, seed=seed, method=method)
        found = bootstrap.intervals(rows, ratio)[0]
        assert found is not None
        covered += found.low <= 0.75 <= found.high
    assert 930 <= covered <= 970


def test_pairs_that_are_all_alike_leave_nothing_open() -> None:
    rows = np.tile([3.0, 8.0], (20, 1))
    found = Sampling().intervals(rows, ratio)[0]
    assert found is not None
    assert (found.low, found.high) == (0.75, 0.75)


@pytest.mark.parametrize("n", [0, 1, 2, FEWEST - 1])
def test_few_pairs_have_no_interval(n: int) -> None:
    rows = corpus(np.random.default_rng(0), n)
    assert Sampling(method="bca").intervals(rows, scorer_of_two) == [None]
    found = Sampling(method="bca").intervals(means(rows[:, 0]), mean_scorer)
    assert found == [None]


def test_enough_pairs_have_one() -> None:
    rows = corpus(np.random.default_rng(0), FEWEST)
    assert Sampling().intervals(rows, ratio)[0] is not None


def test_a_skewed_corpus_keeps_its_ends_in_order() -> None:
    """One pair of 20 decides everything, and the acceleration is beyond its range."""
    values = np.zeros(20)
    values[0] = 1.0
    for level in (0.5, 0.95, 0.999, 0.9999999):
        sampling = Sampling(500, level, method="bca")
        found = sampling.intervals(means(values), mean_scorer)[0]
        assert found is not None
        assert 0 <= found.low <= found.high <= 1


def test_the_seed_decides() -> None:
    rows = corpus(np.random.default_rng(6), 50)
    first, again, other = (
        Sampling(seed=seed).intervals(rows, ratio) for seed in (0, 0, 1)
    )
    assert first == again
    assert first != other


def test_the_signature_names_samples_seed_and_level() -> None:
    assert Sampling().signature(50) == ("interval", "halves,10000,seed:0,level:95%")
    assert Sampling().signature(200_000)[1].startswith("halves,1000,")
    assert Sampling(500, 0.9, 3, "bca").signature(50)[1] == "bca,500,seed:3,level:90%"
    signed = signed_as(Sampling().test_signature("exchange", 50))
    assert signed.startswith("test:exchange|samples:10000|seed:0|interval:inverted|")


@pytest.mark.parametrize(
    "options",
    [{"level": 95}, {"level": 0.0}, {"samples": 0}, {"method": "t"}, {"seed": -1}],
)
def test_nonsense_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Sampling(**options)


def test_many_sums_are_scored_as_one_by_one() -> None:
    """The vectorised F-score is the metric's own score."""
    rng = np.random.default_rng(7)
    rows = rng.integers(1, 30, (40, 6)).astype(float)
    rows[0, 2] = rows[1, 3] = rows[2, 0] = 0
    for found, row in zip(Smatch().score_rows(rows), rows.tolist(), strict=True):
        assert tuple(found) == f_score(row[0], row[2], row[3])


@pytest.mark.parametrize("name", ["smatch", "smatchpp"])
def test_sums_without_any_triple_score_what_the_profile_says(name: str) -> None:
    metric = Smatch(PROFILES[name])
    rows = np.array([[0, 0, 0, 0, 2, 2], [0, 0, 0, 3, 1, 1]], dtype=float)
    found = metric.score_rows(rows).tolist()
    assert found == [[metric.profile.nothing] * 3, [0, 0, 0]]
    assert [row[2] for row in found] == [
        metric.scores(tuple(row)).score for row in rows
    ]


def test_a_metric_without_precision_has_no_interval_of_it() -> None:
    rng = np.random.default_rng(8)
    rows = rng.integers(5, 30, (20, 8)).astype(float)
    found = Sampling(200).intervals(rows, SemBleu().score_rows)
    assert found[0] is None
    assert found[1] is None
    assert found[2] is not None


def test_short_statistics_end_in_zeros() -> None:
    assert rows_of([(1.0, 2.0), (3.0,), ()]).tolist() == [[1, 2], [3, 0], [0, 0]]


def noisy_systems(gain: float, n: int = 200) -> tuple[Matrix, Matrix]:
    rng = np.random.default_rng(9)
    first = rng.normal(0.7, 0.1, n)
    second = first + gain + rng.normal(0, 0.05, n)
    return means(first), means(second)


@pytest.mark.slow
@pytest.mark.parametrize("test", ["bootstrap", "exchange"])
@pytest.mark.parametrize("gain", [0.004, 0.007, 0.01])
def test_p_values_are_those_of_the_normal_test(test: Any, gain: float) -> None:
    """For a mean difference both tests approach the t-test's p-value."""
    first, second = noisy_systems(gain)
    found = paired_test(
        first, second, mean_scorer, pair_weights, 0, Sampling(20_000), test
    )
    expected = scipy_stats.ttest_rel(second[:, 0], first[:, 0]).pvalue
    assert found.difference == pytest.approx((second - first)[:, 0].mean())
    assert found.p_value == pytest.approx(expected, abs=0.012)


@pytest.mark.parametrize("test", ["bootstrap", "exchange"])
def test_a_system_does_not_differ_from_itself(test: Any) -> None:
    first, _ = noisy_systems(0.0)
    found = paired_test(first, first, mean_scorer, pair_weights, 0, Sampling(100), test)
    wins = 0.5 if test == "bootstrap" else None
    assert (found.difference, found.p_value, found.wins) == (0.0, 1.0, wins)
    assert found.differing == 0


@pytest.mark.parametrize("test", ["bootstrap", "exchange"])
def test_no_p_value_is_zero(test: Any) -> None:
    """The observed corpus counts among the samples: (0 + 1) / (99 + 1)."""
    first, second = noisy_systems(0.5)
    found = paired_test(first, second, mean_scorer, pair_weights, 0, Sampling(99), test)
    assert found.p_value == 0.01
    assert found.wins == (1.0 if test == "bootstrap" else None)
    assert found.interval is not None
    assert found.interval.low > 0.4


def test_p_values_are_uniform_where_there_is_no_difference() -> None:
    """About 5 % of the tests of equally good systems reject at 5 %."""
    rng = np.random.default_rng(10)
    rejected = 0
    for seed in range(400):
        first = rng.normal(0.7, 0.1, 100)
        second = first + rng.normal(0, 0.05, 100)
        found = paired_test(
            means(first),
            means(second),
            mean_scorer,
            pair_weights,
            0,
            Sampling(200, seed=seed),
        )
        rejected += found.p_value <= 0.05
    assert 8 <= rejected <= 36  # binomial(400, 0.05): 20 ± 3.7 standard deviations


WORDS = [
    "the",
    "a",
    "boy",
    "girl",
    "dog",
    "saw",
    "heard",
    "in",
    "on",
    "garden",
    "house",
    "old",
    "small",
    "and",
    "left",
]


def sentences(rng: np.random.Generator, noise: float) -> list[str]:
    plain = np.random.default_rng(11)
    found = []
    for _ in range(60):
        words = plain.choice(WORDS, size=12)
        wrong = rng.random(12) < noise
        words[wrong] = rng.choice(WORDS, size=int(wrong.sum()))
        found.append(" ".join(words))
    return found


def bleu_of_two_systems() -> tuple[Matrix, Matrix, dict[str, Any]]:
    """Statistics of both, and sacreBLEU's own two paired tests."""
    from sacrebleu import significance
    from sacrebleu.metrics.bleu import BLEU

    rng = np.random.default_rng(12)
    golds = sentences(rng, 0.0)
    first, second = sentences(rng, 0.30), sentences(rng, 0.27)
    bleu, engine = Bleu(), BLEU()
    rows = [
        rows_of([bleu.statistics_of(p, (g,)) for p, g in zip(side, golds, strict=True)])
        for side in (first, second)
    ]
    score = significance.Result(engine.corpus_score(first, [golds]).score)
    base = np.array(engine._extract_corpus_statistics(first, [golds]))
    info = {"BLEU": (base, score)}
    results = {
        name: getattr(significance, name)(
            info, "second", second, [golds], {"BLEU": engine}, n_samples=3000, seed=1
        )[1]["BLEU"]
        for name in ("_paired_bs_test", "_paired_ar_test")
    }
    return rows[0], rows[1], results | {"baseline": score}


@pytest.mark.slow
def test_exchanges_agree_with_sacrebleus_on_bleu() -> None:
    """The same test on the same statistics, with other random numbers."""
    first, second, theirs = bleu_of_two_systems()
    found = paired_test(
        first,
        second,
        Bleu().score_rows,
        Bleu().output_weights,
        2,
        Sampling(3000),
        "exchange",
    )
    expected = theirs["_paired_ar_test"]
    assert 0.02 < expected.p_value < 0.9
    assert found.p_value == pytest.approx(expected.p_value, abs=0.02)
    assert 100 * found.difference == pytest.approx(
        expected.score - theirs["baseline"].score
    )


@pytest.mark.slow
def test_resampled_differences_agree_with_sacrebleus_on_bleu() -> None:
    """SacreBLEU's p-value, computed from our resampled corpora.

    It centres the absolute differences, so that its test is nearly one-sided;
    ours centres the differences.
    """
    from sacrebleu.significance import _compute_p_value

    first, second, theirs = bleu_of_two_systems()
    score = Bleu().score_rows
    width = first.shape[1]
    found = Sampling(3000).resample(
        np.hstack((first, second)),
        lambda sums: score(sums[:, width:]) - score(sums[:, :width]),
    )
    differences = np.abs(found.values[:, 2])
    p_value = _compute_p_value(differences - differences.mean(), abs(found.estimate[2]))
    expected = theirs["_paired_bs_test"]
    assert 0.02 < expected.p_value < 0.9
    assert p_value == pytest.approx(expected.p_value, abs=0.02)
    interval = (np.quantile(100 * score_values(first, score), [0.025, 0.975])).tolist()
    assert interval[0] < theirs["baseline"].score < interval[1]


def score_values(rows: Matrix, score: Any) -> Any:
    return Sampling(500).resample(rows, score).values[:, 2]


def test_influence_is_what_a_pair_adds_to_the_difference() -> None:
    first, second = (corpus(np.random.default_rng(seed), 30) for seed in (13, 14))
    found = influence(first, second, ratio, 0)
    whole = ratio(second.sum(0, keepdims=True)) - ratio(first.sum(0, keepdims=True))
    left = np.delete(second, 7, 0).sum(0, keepdims=True)
    right = np.delete(first, 7, 0).sum(0, keepdims=True)
    assert found[7] == pytest.approx((whole - (ratio(left) - ratio(right))).item())


def test_scores_from_python_carry_their_intervals() -> None:
    """Of micro and macro averages, and in the signature."""
    texts = ["(a / b :c (d / e))", "(a / b)", "(a / b :x (f / g))", "(h / i)"] * 5
    preds = ["(a / b :c (d / x))", "(a / b)", "(a / c :x (f / g))", "(h / j)"] * 5
    report = evaluate(preds, texts, confidence=0.9, samples=300)
    (score,) = report.scores
    assert score.interval == score.intervals["score"]
    for intervals, centre in (
        (score.intervals, score.score.f1),
        (score.macro_intervals, score.macro["f1"]),
    ):
        assert set(intervals) == {"precision", "recall", "score"}
        assert centre is not None
        assert intervals["score"].low < centre < intervals["score"].high
        assert intervals["score"].level == 0.9
    assert "|interval:halves,300,seed:0,level:90%|" in score.signature
    assert evaluate(preds, texts).scores[0].interval is None
    few = evaluate(preds[:5], texts[:5], confidence=0.9).scores[0]
    assert few.intervals == {}
    assert few.interval_remark == "no interval: only 4 of 5 outputs err"
    bca = evaluate(preds[:19], texts[:19], confidence=0.9, interval="bca").scores[0]
    assert bca.intervals == {}
    assert bca.interval_remark == "no interval of 19 pairs; bca takes 20"


@pytest.mark.parametrize("method", ["halves", "bca"])
def test_without_time_there_are_no_intervals(method: Any) -> None:
    """The time that a corpus has is that of its samples, too; a warning says so."""
    rows: Matrix = np.ones((40, 2))
    rows[:, 0] = np.random.default_rng(1).integers(1, 9, size=40)
    sampling = Sampling(method=method)
    with within(seconds=-1.0), pytest.warns(ExactmatchWarning, match="no time is left"):
        assert sampling.intervals(rows, mean_scorer) == [None]
    with within(seconds=60.0):
        (interval,) = sampling.intervals(rows, mean_scorer)
    assert interval is not None
    assert interval == sampling.intervals(rows, mean_scorer)[0]


@pytest.mark.parametrize("test", ["exchange", "bootstrap"])
def test_without_time_a_difference_is_not_tested(test: Any) -> None:
    rows: Matrix = np.ones((40, 2))
    rows[:, 0] = np.random.default_rng(1).integers(1, 9, size=40)
    other = rows + np.array([1, 0])
    asked = (mean_scorer, pair_weights, 0, Sampling(), test)
    with within(seconds=-1.0), pytest.warns(ExactmatchWarning, match="no time is left"):
        found = paired_test(rows, other, *asked)
    assert found.difference == pytest.approx(1)
    assert (found.interval, found.p_value, found.wins) == (None, None, None)
    assert found.late
    assert paired_test(rows, other, *asked).p_value is not None


def test_the_command_line_hears_once_that_no_time_was_left() -> None:
    """Python's warnings are not shown there."""
    rows: Matrix = np.ones((40, 2))
    rows[:, 0] = np.random.default_rng(1).integers(1, 9, size=40)
    notes: list[str] = []
    with callers_not_warned(), drawing(1.0, notes.append) as missed:
        for _ in range(3):
            assert Sampling().intervals(rows, mean_scorer) == [None]
    assert len(missed) == 3
    assert notes == [NO_TIME]
    with drawing(None, notes.append):
        assert Sampling().intervals(rows, mean_scorer) != [None]
    assert len(notes) == 1


def test_a_late_difference_is_not_too_few_to_test() -> None:
    score = Score("x", 0.5)
    test = PairedTest(-0.1, None, None, pairs=40, differing=30, late=True)
    standing = Standing("a", 1, score, (0.5,) * 3, (None,) * 3, test, None, ())
    best = Standing("b", 1, score, (0.6,) * 3, (None,) * 3, None, None, ())
    said = _verdict(
        MetricComparison("smatch", "b", 40, (best, standing)), standing, test
    )
    assert said.endswith("(40 pairs, no time was left to test)")


def test_the_end_of_the_total_time_is_fixed_when_options_are_made() -> None:
    from exactmatch.studies.compare.options import CompareOptions

    systems: dict[str, Any] = {"a": [], "b": []}
    before = time.time()
    asked = CompareOptions(golds=[], systems=systems, total_time=100.0)
    assert before + 100 <= (asked.until or 0) <= time.time() + 100
    assert asked.replace(samples=7).until == asked.until
    assert CompareOptions(golds=[], systems=systems).until is None


@pytest.mark.parametrize("order", [1, 3, 4])
def test_many_sums_of_sembleu_are_scored_as_one_by_one(order: int) -> None:
    rng, metric = np.random.default_rng(order), SemBleu(ngram=order)
    totals = -np.sort(-rng.integers(0, 6, (500, order)), axis=1)
    matches = np.minimum(totals, rng.integers(0, 5, (500, order)))
    rows = np.hstack([matches, totals, rng.integers(0, 9, (500, 2))]).astype(float)
    wanted = Metric.score_rows(metric, rows)
    np.testing.assert_allclose(metric.score_rows(rows), wanted, rtol=0, atol=1e-14)


def test_many_sums_of_means_are_scored_as_one_by_one() -> None:
    metric = Wlk()
    rows = np.array([[1.5, 2.0], [0.0, 0.0], [2.0, 3.0]])
    wanted = Metric.score_rows(metric, rows)
    np.testing.assert_allclose(metric.score_rows(rows), wanted, rtol=0, atol=1e-15)
