"""Frames and their fillers are matched as brute force matches them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactmatch.base import compiled as kernels
from exactmatch.metrics.similarity.vectors import Matrix
from exactmatch.metrics.yisi.frames import (
    Filler,
    Frame,
    Rules,
    best_matching,
    structural_similarity,
)

no_deadline = settings(deadline=None)
"""SciPy takes its time when it is first imported."""


MATRICES = st.tuples(st.integers(1, 6), st.integers(1, 6)).flatmap(
    lambda shape: st.lists(
        st.lists(
            st.sampled_from([0.0, 0.25, 0.5, 1.0]),
            min_size=shape[1],
            max_size=shape[1],
        ),
        min_size=shape[0],
        max_size=shape[0],
    )
)


@no_deadline
@given(MATRICES)
def test_matching_equals_brute_force(weights: list[list[float]]) -> None:
    """No permutation is worth more, and worthless pairs are left out."""
    size = max(len(weights), len(weights[0]))
    padded = [[*row, *[0.0] * (size - len(row))] for row in weights]
    padded += [[0.0] * size for _ in range(size - len(weights))]
    best = max(
        sum(padded[i][j] for i, j in enumerate(order))
        for order in itertools.permutations(range(size))
    )
    found = best_matching(np.array(weights))
    chosen = [j for j in found if j >= 0]
    assert len(set(chosen)) == len(chosen)
    values = [weights[i][j] for i, j in enumerate(found) if j >= 0]
    assert sum(values) == best
    assert all(value > 0 for value in values)


def by_subsets(weights: list[list[float]]) -> tuple[int | None, ...]:
    """The same as a dynamic programme over sets: the first of the best is kept."""
    best: dict[frozenset[int], tuple[float, tuple[int | None, ...]]]
    best = {frozenset(): (0.0, ())}
    for row in weights:
        grown: dict[frozenset[int], tuple[float, tuple[int | None, ...]]] = {}
        for taken, (value, chosen) in best.items():
            options = [(taken, value, (*chosen, None))]
            for column, weight in enumerate(row):
                if column not in taken and weight > 0:
                    found = (*chosen, column)
                    options.append((taken | {column}, value + weight, found))
            for key, total, found in options:
                if key not in grown or total > grown[key][0]:
                    grown[key] = (total, found)
        best = grown
    return max(best.values(), key=lambda state: state[0])[1]


@no_deadline
@given(MATRICES)
def test_of_several_best_matchings_it_is_always_the_same(
    weights: list[list[float]],
) -> None:
    """Compiled or not: every row its first wish, else the first of the best sets."""
    loaded = (
        load("exactmatch.metrics.yisi._matching")
        for load in (kernels.load, kernels.load_interpreted)
    )
    wishes = [row.index(max(row)) if max(row) > 0 else -1 for row in weights]
    wished = [column for column in wishes if column >= 0]
    for kernel in loaded:
        found = kernel.match(np.array(weights), lambda table: [-1] * len(table))
        if len(set(wished)) == len(wished):
            assert found == wishes
        elif len(weights[0]) <= kernel.SMALL:
            assert [None if j < 0 else j for j in found] == list(by_subsets(weights))
        elif len(weights) <= kernel.SMALL:
            flipped = by_subsets(
                [list(column) for column in zip(*weights, strict=True)]
            )
            pairs = {(i, j) for j, i in enumerate(flipped) if i is not None}
            assert {(i, j) for i, j in enumerate(found) if j >= 0} == pairs
        else:
            assert found == [-1] * len(weights), "others assign them"


def test_matching_of_nothing() -> None:
    assert best_matching(np.zeros((0, 2))) == []
    assert best_matching(np.zeros((2, 0))) == [-1, -1]


@no_deadline
@given(
    st.lists(st.integers(0, 6), max_size=3),
    st.lists(st.integers(0, 6), max_size=3),
    st.randoms(use_true_random=False),
)
def test_blocks_are_matched_each_for_itself(
    rows: list[int], columns: list[int], random: Random
) -> None:
    """With two tables of what is found; a block that is not wanted finds nothing."""
    shape = sum(rows), sum(columns)
    weights, values, worths = (
        np.array([random.choice([0.0, 0.5, 1.0]) for _ in range(shape[0] * shape[1])])
        .astype(np.float64)
        .reshape(shape)
        for _ in range(3)
    )
    wanted = np.array([random.random() < 0.8 for _ in range(len(rows) * len(columns))])
    wanted = wanted.reshape(len(rows), len(columns))
    begins = [np.cumsum([0, *side], dtype=np.intp) for side in (rows, columns)]
    assign = kernels.load("exactmatch.solvers.kernel.dense").assign
    for load in kernels.load, kernels.load_interpreted:
        kernel = load("exactmatch.metrics.yisi._matching")
        sums, found = np.ones(wanted.shape), np.zeros((shape[0], len(columns)))
        tables = weights, values, worths, *begins, wanted.view(np.uint8), sums, found
        kernel.match_blocks(*tables, assign)
        expected, totals = np.zeros((shape[0], len(columns))), np.ones(wanted.shape)
        for i, j in zip(*np.nonzero(wanted), strict=True):
            row, column = sum(rows[:i]), sum(columns[:j])
            block = weights[row : row + rows[i], column : column + columns[j]]
            for a, b in enumerate(best_matching(block)):
                if b >= 0:
                    expected[row + a, j] = values[row + a, column + b]
                    totals[i, j] += worths[row + a, column + b]
        assert found.tolist() == expected.tolist()
        assert sums.tolist() == totals.tolist()


ROLES = st.sampled_from(["who", "what", "how"])
UNITS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=3).map(tuple)


@st.composite
def frames(draw: st.DrawFn) -> list[Frame]:
    found = []
    for _ in range(draw(st.integers(0, 3))):
        parts = draw(st.lists(st.tuples(ROLES, UNITS), max_size=3))
        fillers = tuple(Filler(r, u, tuple(range(len(u)))) for r, u in parts)
        predicate = draw(st.sampled_from("abcd"))
        found.append(Frame(Filler("did", (predicate,), (9,)), fillers))
    return found


def share(own: Filler, other: Filler) -> float:
    return sum(unit in other.units for unit in own.units) / len(own.units)


def shared(own: Sequence[Filler], others: Sequence[Filler]) -> tuple[Matrix, Matrix]:
    values = [[share(mine, theirs) for theirs in others] for mine in own]
    value = np.array(values, dtype=np.float64).reshape(len(own), len(others))
    return value, value


def alignments(n: int, m: int) -> list[dict[int, int]]:
    """Every partial one-to-one alignment of n things with m."""
    places = [*range(m), *[None] * n]
    found = {order[:n] for order in itertools.permutations(places, n)}
    return [{i: j for i, j in enumerate(o) if j is not None} for o in found]


def brute_force(own: list[Frame], other: list[Frame], rules: Rules) -> float:
    """Structural precision by trying all alignments of frames and of fillers.

    Alignments are compared by similarity and, where that ties, by value; under
    ``joint`` by value alone.
    """

    def covered(frame: Frame) -> float:
        if rules.frame_weights == "uniform":
            return 1.0
        parts = (frame.predicate, *frame.fillers)
        if rules.count_overlap:
            return sum(len(part.units) for part in parts)
        return len({place for part in parts for place in part.places})

    def value(frame: Frame, sought: Frame) -> float:
        """The largest value of the fillers' best alignments."""
        tried = []
        for pairs in alignments(len(frame.fillers), len(sought.fillers)):
            similarity = worth = 0.0
            for i, j in pairs.items():
                mine, theirs = frame.fillers[i], sought.fillers[j]
                same = mine.role == theirs.role or rules.same_role == "no"
                if same or rules.same_role == "after":
                    similarity += share(mine, theirs)
                if same:
                    worth += rules.role_weight(mine) * share(mine, theirs)
            tried.append((0.0 if rules.joint else round(similarity, 9), worth))
        weight = rules.role_weight(frame.predicate)
        mass = weight + sum(map(rules.role_weight, frame.fillers))
        predicate = share(frame.predicate, sought.predicate)
        return (weight * predicate + max(tried)[1]) / mass

    tried = []
    for pairs in alignments(len(own), len(other)):
        ranks = {
            (i, j): share(own[i].predicate, other[j].predicate)
            for i, j in pairs.items()
        }
        kept = [p for p, r in ranks.items() if r or rules.align_unlike or rules.joint]
        worth = sum(covered(own[i]) * value(own[i], other[j]) for i, j in kept)
        tried.append((0.0 if rules.joint else round(sum(ranks.values()), 9), worth))
    total = sum(map(covered, own))
    return max(tried)[1] / total if own else 0.0


@no_deadline
@given(
    frames(),
    frames(),
    st.sampled_from(["no", "after", "before"]),
    st.sampled_from(["coverage", "uniform"]),
    st.booleans(),
    st.booleans(),
)
def test_structure_equals_brute_force(
    own: list[Frame],
    other: list[Frame],
    same_role: Any,
    frame_weights: Any,
    align_unlike: bool,
    joint: bool,
) -> None:
    rules = Rules(
        lambda filler: {"who": 2.0, "what": 1.0, "how": 3.0, "did": 0.5}[filler.role],
        frame_weights,
        count_overlap=align_unlike,
        same_role=same_role,
        align_unlike=align_unlike,
        joint=joint,
    )
    found = structural_similarity(own, [other], shared, rules)
    assert found == pytest.approx(brute_force(own, other, rules), abs=1e-6)


@no_deadline
@given(frames(), frames())
def test_joint_alignment_is_worth_no_less(own: list[Frame], other: list[Frame]) -> None:
    one, both = (
        structural_similarity(
            own, [other], shared, Rules(lambda _: 1.0, joint=joint, align_unlike=True)
        )
        for joint in (False, True)
    )
    assert both >= one - 1e-9
