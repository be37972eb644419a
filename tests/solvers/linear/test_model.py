"""The aggregated model: its rows, and that it says what it should."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.optimize import LinearConstraint
from support.examples import examples
from support.oracle import brute_force
from support.strategies import problems, random_problem

from exactmatch.base.errors import SolverError
from exactmatch.solvers.linear.model import (
    AggregatedModel,
    aggregated_model,
    alignment_of,
    floored,
)
from exactmatch.solvers.problem import AlignmentProblem


def dense(model: AggregatedModel) -> np.ndarray:
    matrix = np.zeros((model.n_rows, model.n_x + model.n_y), dtype=np.int64)
    for row in range(model.n_rows):
        entries = slice(model.starts[row], model.starts[row + 1])
        matrix[row, model.columns[entries]] += model.coefficients[entries]
    return matrix


def rows_of_the_definition(problem: AlignmentProblem) -> set[tuple[int, ...]]:
    """Every row of the docstring's model, one by one, as a dense tuple."""
    n, n_terms = problem.n_candidates, problem.n_terms
    left, right = problem.left.tolist(), problem.right.tolist()
    terms = list(zip(problem.first.tolist(), problem.second.tolist(), strict=True))
    rows = set()
    for nodes, count in ((left, problem.n_left), (right, problem.n_right)):
        for node in range(count):
            rows.add((*(int(k == node) for k in nodes), *([0] * n_terms), 1))
        for c, node in itertools.product(range(n), range(count)):
            y = [0] * n_terms
            for p, (a, b) in enumerate(terms):
                if c in (a, b) and nodes[b if c == a else a] == node:
                    y[p] = 1
            rows.add((*(-int(k == c) for k in range(n)), *y, 0))
    return rows


def implied(row: np.ndarray, upper: int, others: list[tuple[np.ndarray, int]]) -> bool:
    """Whether another row, or the bounds 0 and 1, imply this one at once."""
    if row[row > 0].sum() <= upper and (row >= 0).all():
        return True
    if (row <= 0).all():
        return True
    return any((row <= other).all() and upper >= limit for other, limit in others)


@settings(max_examples=examples(200), deadline=None)
@given(problem=problems(max_nodes=4))
def test_rows_are_those_of_the_definition_and_none_is_missing(
    problem: AlignmentProblem,
) -> None:
    model = aggregated_model(problem)
    matrix, wanted = dense(model), rows_of_the_definition(problem)
    built = [(row, int(b)) for row, b in zip(matrix, model.upper, strict=True)]
    for row, upper in built:
        assert (*row.tolist(), upper) in wanted
    for entries in wanted:
        assert implied(np.array(entries[:-1]), entries[-1], built)


@settings(max_examples=examples(200), deadline=None)
@given(problem=problems(max_nodes=4))
def test_no_row_is_equal_to_or_contained_in_another(problem: AlignmentProblem) -> None:
    model = aggregated_model(problem)
    rows = dense(model)[model.n_node_rows :]
    for a, b in itertools.permutations(range(len(rows)), 2):
        assert not (rows[a] <= rows[b]).all()


@settings(max_examples=examples(100), deadline=None)
@given(problem=problems(max_nodes=3))
def test_its_integer_optimum_is_the_optimum(problem: AlignmentProblem) -> None:
    """Enumerated over 0/1 points, so that no solver's word is needed."""
    model = aggregated_model(problem)
    matrix = dense(model)
    best = 0
    for x in itertools.product((0, 1), repeat=model.n_x):
        together = np.array(x)[problem.first] * np.array(x)[problem.second]
        point = np.concatenate((x, together)).astype(np.int64)
        if (matrix @ point <= model.upper).all():
            best = max(best, int(model.objective @ point))
            for p in np.flatnonzero(together == 0).tolist():
                more = point.copy()  # a y without its two x is not feasible
                more[model.n_x + p] = 1
                assert not (matrix @ more <= model.upper).all() or is_implied(
                    problem, p, x
                )
    assert best == brute_force(problem)


def is_implied(problem: AlignmentProblem, p: int, x: tuple[int, ...]) -> bool:
    return bool(x[problem.first[p]] and x[problem.second[p]])


def test_a_candidate_is_the_last_entry_of_its_row() -> None:
    """What the CP-SAT model relies on."""
    model = aggregated_model(random_problem(0, 9, 8))
    for row in range(model.n_node_rows, model.n_rows):
        *terms, last = model.columns[model.starts[row] : model.starts[row + 1]]
        assert last < model.n_x
        assert min(terms) >= model.n_x
        assert model.coefficients[model.starts[row + 1] - 1] == -1


def test_three_terms_of_one_candidate_give_these_rows() -> None:
    """Worked by hand: c = (0, 0) with partners (1, 1), (1, 2) and (2, 1)."""
    c, partners = (0, 0), [(1, 1), (1, 2), (2, 1)]
    problem = AlignmentProblem.from_weights(3, 3, {}, {(c, d): 1 for d in partners})
    model = aggregated_model(problem)
    rows = {
        tuple(model.columns[model.starts[r] : model.starts[r + 1]].tolist())
        for r in range(model.n_node_rows, model.n_rows)
    }
    # x: 0 = (0,0), 1 = (1,1), 2 = (1,2), 3 = (2,1); y: 4, 5, 6 in partners' order
    assert rows == {(4, 5, 0), (4, 6, 0), (4, 1), (5, 2), (6, 3)}


def test_fractional_values_never_align_a_node_twice() -> None:
    problem = AlignmentProblem.from_weights(2, 2, {(0, 0): 1, (0, 1): 1, (1, 0): 1}, {})
    assert alignment_of(problem, np.array([0.5, 0.5, 0.5])) == (-1, -1)
    assert alignment_of(problem, np.array([1e-7, 1 - 1e-7, 0.9])) == (1, 0)


@pytest.mark.parametrize(
    ("reported", "kept"),
    [(37.9999999, 38), (38.0000001, 38), (38.9, 38), (0.0, 0), (1e12, 10**12 + 1000)],
)
def test_a_reported_bound_is_floored_with_its_noise(reported: float, kept: int) -> None:
    """38 computed as 37.9999999 would be a false proof of 37."""
    assert floored(reported) == kept


def test_that_highs_gave_up_is_said() -> None:
    """Nothing is chosen twice."""
    model = aggregated_model(AlignmentProblem.from_weights(1, 1, {(0, 0): 1}, {}))
    twice = LinearConstraint(np.ones((1, 1)), 2, np.inf)
    with pytest.raises(SolverError, match="HiGHS gave up: "):
        model.minimise(np.ones(1), twice)
