"""Clusters follow from the scores alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import exactmatch
from exactmatch import InputError

DOG = "(b / bark-01 :ARG0 (d / dog))"
BIG = "(b / bark-01 :ARG0 (d / dog :mod (b2 / big)))"
CAT = "(m / meow-01 :ARG0 (c / cat) :time (n / now))"


def test_alike_graphs_are_together() -> None:
    found = exactmatch.many.cluster([DOG, CAT, BIG, CAT, DOG])
    assert found.labels == (0, 1, 0, 1, 0)
    assert found.medoids == (0, 1)
    assert found.cohesion[1] == 1.0
    matrix = exactmatch.cdist([DOG, BIG], [DOG, BIG])
    assert found.cohesion[0] == pytest.approx((1 + 2 * matrix[0, 1]) / 3)
    assert found.members(1) == [1, 3]


def test_cuts_by_score_and_by_number() -> None:
    graphs = [DOG, CAT, BIG]
    assert exactmatch.many.cluster(graphs, at_least=1).labels == (0, 1, 2)
    assert exactmatch.many.cluster(graphs, at_least=0).labels == (0, 0, 0)
    assert exactmatch.many.cluster(graphs, k=1).labels == (0, 0, 0)
    assert exactmatch.many.cluster(graphs, k=9).labels == (0, 1, 2)
    alike = exactmatch.cdist([DOG], [BIG])[0, 0]
    assert exactmatch.many.cluster(graphs, at_least=alike).labels == (0, 1, 0)


@pytest.mark.parametrize("at_least", [0.2, 0.8])
def test_a_bank_is_clustered_as_its_graphs_are(at_least: float) -> None:
    graphs = [DOG, CAT, DOG]
    bank = exactmatch.many.Bank.build(graphs)
    found = exactmatch.many.cluster(bank, at_least=at_least)
    expected = exactmatch.many.cluster(graphs, at_least=at_least)
    assert (found.labels, found.medoids) == (expected.labels, expected.medoids)
    assert np.array_equal(found.scores, expected.scores)
    with pytest.raises(InputError, match="a bank has its metric"):
        exactmatch.many.cluster(bank, "sembleu")


@pytest.mark.parametrize("n", [0, 1])
def test_few_graphs(n: int) -> None:
    found = exactmatch.many.cluster([DOG] * n)
    assert found.labels == (0,) * n
    assert found.tree.shape == (0, 4)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"linkage": "ward"}, "it is one of"),
        ({"at_least": 0.5, "k": 2}, "give one of at_least and k"),
        ({"k": 0}, "k: 0 is no whole number of at least 1"),
        ({"k": True}, "no whole number"),
        ({"at_least": float("nan")}, "at_least: nan is no score"),
        ({"at_least": "half"}, "at_least: 'half' is no score"),
        ({"at_least": 50}, "in percent is written as 50%"),
    ],
)
def test_nonsense_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        exactmatch.many.cluster([DOG, CAT], **options)
