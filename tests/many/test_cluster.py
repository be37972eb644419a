"""Clusters follow from the scores alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.command import Cli
from support.files import Files

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
        ({"k": 0}, "k: 0 is not a whole number of at least 1"),
        ({"k": True}, "not a whole number"),
        ({"at_least": float("nan")}, "at_least: nan is not a score"),
        ({"at_least": "half"}, "at_least: 'half' is not a score"),
        ({"at_least": 50}, "in percent is written as 50%"),
    ],
)
def test_nonsense_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        exactmatch.many.cluster([DOG, CAT], **options)


def test_the_default_cut_is_the_largest_gap_that_makes_clusters() -> None:
    barks = [f"(b / bark-01 :ARG0 (d / dog) :time (n / n{k}))" for k in range(4)]
    rains = [f"(r / rain-01 :location (c / city) :mod (m / m{k}))" for k in range(3)]
    found = exactmatch.many.cluster([*barks, *rains])
    assert found.labels == (0, 0, 0, 0, 1, 1, 1)
    assert found.at_least is not None
    heights = found.tree[:, 2]
    assert heights[-2] < 1 - found.at_least < heights[-1]
    again = exactmatch.many.cluster([*barks, *rains], at_least=found.at_least)
    assert again.labels == found.labels


def test_without_a_gap_near_graphs_are_one_cluster() -> None:
    for count in (1, 2, 3, 5):
        assert exactmatch.many.cluster(["(a / b)"] * count).labels == (0,) * count
    apart = exactmatch.many.cluster(["(a / b :q (c / d) :r (e / f))", "(x / y)"])
    assert apart.labels == (0, 1)
    assert exactmatch.many.cluster([]).labels == ()


def test_the_command_says_where_it_cuts(cli: Cli, files: Files) -> None:
    graphs = ["(a / b)", "(a / b)", "(x / y)", "(x / y)"]
    path = files.graphs("g.amr", graphs, None)
    out = cli.out("cluster", path)
    assert "4 graphs in 2 clusters, cut at score " in out
    assert "the largest gap of the tree; --at-least SCORE or -k N" in out
    assert "gap" not in cli.out("cluster", path, "-k", "2")
    assert "at-least:0.9|" in cli.out("cluster", path, "--at-least", "0.9")


def test_a_cluster_of_nearly_all_is_said(cli: Cli, files: Files) -> None:
    """The cut that is named leaves clusters of half of the graphs at most."""
    often = "(b / bark-01 :time (t / now) :place (h / here) :manner (l / loud)"
    graphs = [f"{often} :ARG0 (d / dog :mod (m / m{k})))" for k in range(5)]
    graphs += [f"{often} :ARG1 (c / cat :poss (m / m{k})))" for k in range(5)]
    path = files.graphs("g.amr", [*graphs, "(r / rain-01 :polarity -)"], None)
    out = cli.out("cluster", path)
    assert "11 graphs in 2 clusters, cut at score " in out
    hint = "cluster 1 holds 10 of 11 graphs; for smaller clusters: --at-least "
    score = out.split(hint)[1].split("\n")[0]
    again = cli.json("cluster", path, "--at-least", score)
    assert [one["graphs"] for one in again["clusters"]] == [5, 5, 1]
    assert "holds" not in cli.out("cluster", path, "--at-least", score)
    alike = files.graphs("alike.amr", ["(a / b)"] * 6, None)
    assert "holds" not in cli.out("cluster", alike)
