"""Meta-evaluation against SciPy, enumeration and counting by hand."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats

from exactmatch.base.errors import InputError
from exactmatch.scoring.exchange import Matrix
from exactmatch.scoring.resampling import Sampling
from exactmatch.studies.correlate import systems as systems_file
from exactmatch.studies.correlate.grouped import calibrated, correlation, ordered_pairs
from exactmatch.studies.correlate.rivals import (
    cluster_ranks,
    compare_pair_accuracies,
    compare_soft_accuracies,
)
from exactmatch.studies.correlate.soft import means_of, soft_accuracy, surely_better
from exactmatch.studies.correlate.systems import compare_metrics, output_agreement


def scores(seed: int, systems: int = 4, items: int = 6) -> tuple[Matrix, Matrix]:
    """People's scores with ties and a hole, and a metric's."""
    rng = np.random.default_rng(seed)
    people = rng.integers(0, 4, (systems, items)).astype(float)
    metric = people + rng.integers(0, 5, (systems, items)) / 2
    people[0, 1] = np.nan
    return people, metric


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("kind", "name", "how"),
    [
        ("pearson", "pearsonr", {}),
        ("spearman", "spearmanr", {}),
        ("tau_b", "kendalltau", {}),
        ("tau_c", "kendalltau", {"variant": "c"}),
    ],
)
def test_correlations_in_items_are_scipys(
    kind: str, name: str, how: dict[str, str], seed: int
) -> None:
    people, metric = scores(seed)
    values = []
    for x, y in zip(people.T, metric.T, strict=True):
        known = ~np.isnan(x)
        if np.ptp(x[known]) and np.ptp(y[known]):
            values.append(getattr(stats, name)(x[known], y[known], **how).statistic)
    found = correlation(kind, people, metric, "item")  # type: ignore[arg-type]  # of the table
    assert found.weight == len(values)
    assert found.value == pytest.approx(np.mean(values))


def test_the_best_epsilon_is_the_best_of_all() -> None:
    people, metric = scores(5)
    best = calibrated(people, metric, "item")
    gaps = {0.0}
    for column in metric.T:
        gaps |= {abs(a - b) for a, b in combinations(column, 2)}
    values = {
        gap: correlation("acc_eq", people, metric, "item", epsilon=gap).value
        for gap in sorted(gaps)
    }
    assert best.value == pytest.approx(max(values.values()))
    assert best.epsilon == next(g for g, v in values.items() if v >= best.value - 1e-12)


def test_equal_differences_are_one_candidate_or_two() -> None:
    people, metric = np.array([[1.0, 2, 3]]), np.array([[0.0, 0.3, 0.1 + 0.2 + 0.3]])
    assert calibrated(people, metric, "none").candidates == 3
    assert calibrated(people, metric, "none", merged=0.0).candidates == 4


def test_a_difference_of_the_margin_is_enough() -> None:
    people, metric = np.array([[10.0], [35.0]]), np.array([[1.0], [2.0]])
    found = ordered_pairs(people, metric, 25)
    assert (found.pairs, found.tau) == (1, 1.0)
    assert ordered_pairs(people, metric, 25.1).pairs == 0


def test_soft_accuracy_by_enumeration() -> None:
    people, metric = scores(7)
    people[0, 1] = 2.0
    shares = []
    for side in (people, metric):
        own = []
        for first, second in combinations(side, 2):
            gap = first - second
            signs = product((1, -1), repeat=len(gap))
            own.append(np.mean([np.dot(s, gap) >= gap.sum() - 1e-9 for s in signs]))
        assert surely_better(means_of(side)) == pytest.approx(np.array(own))
        shares.append(np.array(own))
    wanted = 1 - np.abs(shares[0] - shares[1]).mean()
    assert soft_accuracy(means_of(people), means_of(metric)) == pytest.approx(wanted)


def test_the_test_of_pair_accuracies_by_enumeration() -> None:
    """Every one-sided pair of outputs has a coin; groups differ in their sizes."""
    people, metric = scores(8, 3, 4)
    other = metric[::-1].copy()
    found = compare_pair_accuracies(people, metric, other, (0.0, 0.5), "item", 20_000)
    weights = []
    for x, y, z in zip(people.T, metric.T, other.T, strict=True):
        own = []
        for i, k in combinations(np.flatnonzero(~np.isnan(x)), 2):
            wanted = np.sign(x[i] - x[k])
            gaps = (y[i] - y[k], 0.0), (z[i] - z[k], 0.5)
            first, second = (
                (0 if abs(gap) <= epsilon else np.sign(gap)) == wanted
                for gap, epsilon in gaps
            )
            own.append(float(second) - float(first))
        weights.append(np.array(own) / len(own) / people.shape[1])
    every = np.concatenate(weights)
    difference = every.sum()
    every = every[every != 0]
    drawn = [np.dot(s, every) for s in product((1, -1), repeat=len(every))]
    assert found.difference == pytest.approx(difference)
    wanted = np.mean(np.abs(drawn) >= abs(difference) - 1e-12)
    assert found.p == pytest.approx(wanted, abs=0.02)


def test_equal_metrics_are_not_told_apart() -> None:
    people, metric = scores(9)
    people[0, 1] = 1.0
    assert compare_soft_accuracies(people, metric, metric, 50).p == 1.0
    tests, ranks = compare_metrics(
        people, {"a": metric, "b": metric}, {"a": 0, "b": 0}, True, "item", Sampling(50)
    )
    assert (tests[0].soft_p, tests[0].accuracy_p) == (1.0, 1.0)
    assert ranks["a"] == ranks["b"] == (1, 1)


def test_a_better_metric_has_a_better_rank() -> None:
    rng = np.random.default_rng(3)
    people = rng.normal(size=(6, 40)) + np.arange(6)[:, None] / 4
    good = people + rng.normal(size=people.shape) / 4
    outputs = {"bad": rng.normal(size=people.shape), "good": good}
    epsilons = {"bad": 0.0, "good": 0.0}
    tests, ranks = compare_metrics(
        people, outputs, epsilons, True, "item", Sampling(400)
    )
    assert tests[0].accuracy > 0
    assert tests[0].accuracy_p < 0.01
    assert (ranks["good"].accuracy, ranks["bad"].accuracy) == (1, 2)


@pytest.mark.slow
@pytest.mark.parametrize("by", ["item", "system", "none"])
def test_outputs_have_intervals(by: str) -> None:
    rng = np.random.default_rng(4)
    people = rng.normal(size=(3, 30))
    metric = people + rng.normal(size=people.shape)
    found = output_agreement(people, metric, by, Sampling(100))  # type: ignore[arg-type]  # of the table
    for one in (found.accuracy, found.pearson, found.spearman, found.kendall):
        assert one.interval is not None
        assert one.interval.low < one.value < one.interval.high


def test_too_many_pairs_of_outputs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(systems_file, "_MOST", 10)
    with pytest.raises(InputError, match="too many; group them by item"):
        output_agreement(*scores(1), "none")


def test_ranks_of_none_and_one() -> None:
    assert cluster_ranks(np.zeros((0, 0))) == []
    assert cluster_ranks(np.ones((1, 1))) == [1]
