"""A shifted reward: the same optima as by brute force, and proofs that say it."""

from __future__ import annotations

import dataclasses
import io
import itertools
import json
import random
import re
from typing import Any

import numpy as np
import pytest
from support.cutting_planes import ProofError, check
from support.examples import examples
from support.oracle import brute_force
from support.strategies import side_by_side

from exactmatch.base.errors import SolverError
from exactmatch.solvers import auto
from exactmatch.solvers.auto import Auto
from exactmatch.solvers.certificate import (
    Certificate,
    CertificateError,
    ShiftedProof,
)
from exactmatch.solvers.checker import check_certificate
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.proof_files import write_proof
from exactmatch.solvers.pseudo_boolean import write_problem
from exactmatch.solvers.shifts import shift_of
from exactmatch.solvers.solution import Limits, Solution, check_solution


def molecules(seed: int, nodes: int = 6, equal: int = 20) -> AlignmentProblem:
    """Two graphs of two labels; equal nodes save 20, equal edges 6, others 3."""
    rng = random.Random(seed)
    labels = [[rng.randrange(2) for _ in range(nodes)] for _ in "ab"]
    edges = [
        {pair: rng.randrange(2) for pair in itertools.combinations(range(nodes), 2)}
        for _ in "ab"
    ]
    kept = [
        {pair: kind for pair, kind in side.items() if rng.random() < 0.4}
        for side in edges
    ]
    everything = itertools.product(range(nodes), repeat=2)
    unary = {(i, j): equal * (labels[0][i] == labels[1][j]) for i, j in everything}
    terms = {
        ((u, x), (v, y)): 6 if kind == other else 3
        for (u, v), kind in kept[0].items()
        for pair, other in kept[1].items()
        for x, y in (pair, pair[::-1])
    }
    return AlignmentProblem.from_weights(nodes, nodes, unary, terms)


ONE_FEWER = AlignmentProblem.from_weights(
    3, 3, {(0, 0): 5, (1, 1): 5}, {((0, 0), (1, 2)): 6, ((1, 2), (2, 1)): 3}
)
"""Of two candidates that earn 5, the best alignment holds one."""

TWO_FEWER = AlignmentProblem.from_weights(
    3,
    3,
    {(0, 0): 5, (1, 1): 5, (2, 2): 5},
    {((0, 1), (1, 0)): 9, ((0, 1), (2, 2)): 3, ((1, 0), (2, 2)): 3},
)
"""Of three such candidates, the best alignment holds one."""


def solved(problem: AlignmentProblem) -> Solution:
    return Auto().solve(problem, Limits(record_proof=True))


def written(problem: AlignmentProblem, solution: Solution) -> tuple[str, str]:
    opb, proof = io.StringIO(), io.StringIO()
    write_problem(opb, problem)
    write_proof(proof, problem, solution)
    return opb.getvalue(), proof.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize("equal", [20, 7, 2, 10])
def test_every_optimum_is_that_of_brute_force(equal: int) -> None:
    shapes = set()
    for seed in range(examples(12)):
        problem = molecules(seed, 5, equal)
        solution = solved(problem)
        assert solution.is_optimal
        assert solution.value == brute_force(problem)
        assert Auto().solve(problem).value == solution.value
        check_solution(problem, solution)
        assert check(*written(problem, solution)) == -solution.value
        worse = dataclasses.replace(solution, alignment=(-1,) * problem.n_left, value=0)
        assert check(*written(problem, worse)) == 0  # and no less than the bound
        assert solution.certificate is not None
        shifts = solution.certificate.shifts
        shapes.add(0 if shifts is None else len(shifts.proofs))
    assert 1 in shapes


@pytest.mark.parametrize(("problem", "n_proofs"), [(ONE_FEWER, 2), (TWO_FEWER, 0)])
def test_where_fewer_are_better(problem: AlignmentProblem, n_proofs: int) -> None:
    """One fewer is a case of its own; two fewer are proved without a shift."""
    solution = solved(problem)
    assert solution.is_optimal
    assert solution.value == brute_force(problem)
    check_solution(problem, solution)
    assert check(*written(problem, solution)) == -solution.value
    assert solution.certificate is not None
    shifts = solution.certificate.shifts
    assert len(shifts.proofs if shifts else ()) == n_proofs


@pytest.mark.parametrize("parts", [False, True])
def test_parts_of_a_shifted_problem(
    monkeypatch: pytest.MonkeyPatch, parts: bool
) -> None:
    monkeypatch.setattr(auto, "CERTIFY_WHOLE", 0 if parts else 10**9)
    first, second = molecules(1, 4), molecules(2, 4)
    problem = side_by_side(first, second)
    solution = solved(problem)
    assert solution.value == brute_force(first) + brute_force(second)
    assert solution.certificate is not None
    assert solution.certificate.shifts is not None
    (proof,) = solution.certificate.shifts.proofs
    assert bool(proof.certificate.parts) is parts
    check_solution(problem, solution)
    assert check(*written(problem, solution)) == -solution.value


def test_no_shift_where_it_sets_nothing_apart() -> None:
    for unary, terms in (
        ({}, {}),
        ({(0, 0): 2}, {}),
        ({(0, 0): 2, (1, 1): 2, (1, 0): 1}, {}),
        ({(0, 0): 6}, {((0, 0), (1, 1)): 3}),
        ({(0, 0): -2, (0, 1): 0}, {((0, 0), (1, 1)): 3}),
    ):
        assert shift_of(AlignmentProblem.from_weights(2, 2, unary, terms)) is None


def test_a_shift_takes_the_remainder_and_the_smaller_sides() -> None:
    unary = {(0, 0): 20, (1, 0): 20, (2, 0): 20, (3, 1): 20, (3, 2): 20, (4, 4): 9}
    problem = AlignmentProblem.from_weights(5, 5, unary, {((0, 0), (1, 1)): 6})
    shift = shift_of(problem)
    assert shift is not None
    assert (shift.remainder, shift.lowered_by, shift.raised_by) == (2, 11, 19)
    assert (shift.left.tolist(), shift.right.tolist()) == ([3], [0])
    assert shift.max_held == 2
    assert shift.of(problem, -2).lattice() == 3


@pytest.fixture(scope="module")
def proved() -> tuple[AlignmentProblem, Solution]:
    """A problem whose proof has two cases, and needs both."""
    return ONE_FEWER, solved(ONE_FEWER)


def replaced(data: Any, path: list[Any], value: Any) -> Any:
    copy = json.loads(json.dumps(data))
    place = copy
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return copy


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (["shifts", "left"], [], "not covered"),
        (["shifts", "candidates"], [], "."),
        (["shifts", "candidates"], [3, 1], "cannot hold 1"),
        (["shifts", "candidates"], [True], "cannot hold True"),
        (["shifts", "left"], [99], "cannot hold 99"),
        (["shifts", "proofs"], [], "nothing is shifted"),
        (["shifts", "proofs", 0, "amount"], 0, "."),
        (["shifts", "proofs", 0, "amount"], -1, "."),
        (["shifts", "proofs", 0, "amount"], 2**60, "is by"),
        (["shifts", "proofs", 0, "amount"], 0.5, "is by"),
        (["shifts", "proofs", 1, "amount"], 5, "."),
        (["shifts", "proofs", 0, "certificate", "bound"], 0, "shift 0: "),
        (["shifts", "proofs", 1, "certificate", "bound"], 0, "shift 1: "),
        (["nodes"], [{"rounds": [], "branch": None}], "something else"),
    ],
)
def test_a_certificate_that_was_tampered_with_is_refused(
    proved: tuple[AlignmentProblem, Solution], path: list[Any], value: Any, reason: str
) -> None:
    problem, solution = proved
    assert solution.certificate is not None
    data = json.loads(json.dumps(solution.certificate.to_dict()))
    whole = solution.alignment, solution.value
    check_certificate(problem, *whole, Certificate.from_dict(data))
    forged = Certificate.from_dict(replaced(data, path, value))
    with pytest.raises(CertificateError, match=reason):
        check_certificate(problem, *whole, forged)


def test_a_proof_of_one_direction_is_needed_and_a_node_of_the_cover(
    proved: tuple[AlignmentProblem, Solution],
) -> None:
    problem, solution = proved
    good = solution.certificate
    assert good is not None
    assert good.shifts is not None
    whole = solution.alignment, solution.value
    shifts = good.shifts
    for k in (0, 1):
        one = dataclasses.replace(shifts, proofs=(shifts.proofs[k],))
        forged = dataclasses.replace(good, shifts=one)
        with pytest.raises(CertificateError, match="do not prove"):
            check_certificate(problem, *whole, forged)
        changed = dataclasses.replace(solution, certificate=forged)
        with pytest.raises(SolverError, match="does not prove"):
            write_proof(io.StringIO(), problem, changed)
    nested = dataclasses.replace(
        shifts, proofs=(ShiftedProof(-1, good), shifts.proofs[1])
    )
    with pytest.raises(CertificateError, match="shifts of its own"):
        check_certificate(problem, *whole, dataclasses.replace(good, shifts=nested))


def test_a_certificate_without_its_shifts_is_none() -> None:
    with pytest.raises(CertificateError, match="not a certificate"):
        Certificate.from_dict({"bound": 1, "nodes": [], "shifts": {"left": []}})


def test_every_line_of_the_proof_counts(
    proved: tuple[AlignmentProblem, Solution],
) -> None:
    opb, proof = written(*proved)
    assert check(opb, proof) == -proved[1].value
    lines = proof.splitlines()
    for place in range(len(lines)):
        with pytest.raises((ProofError, ValueError)):
            check(opb, "\n".join(lines[:place] + lines[place + 1 :]))
    for place, line in enumerate(lines):
        if line.startswith("red"):
            lower = re.sub(r">= -(\d+)", ">= 0", line)
            with pytest.raises((ProofError, ValueError)):
                check(opb, "\n".join([*lines[:place], lower, *lines[place + 1 :]]))


def test_an_interval_is_true_when_time_is_over() -> None:
    problem = molecules(3, 6)
    solution = Auto().solve(problem, Limits(seconds=0.0))
    assert solution.value <= brute_force(problem) <= solution.bound


@pytest.mark.slow
def test_a_search_above_a_value_ends_below_it() -> None:
    for seed in range(examples(20)):
        problem = molecules(seed, 5)
        best = brute_force(problem)
        for above in (best - 1, best, best + 1, best + 40):
            found = Auto().solve(problem, Limits(above=above))
            assert best <= found.bound
            if above < best:
                assert found.value == best
            else:
                assert found.bound <= max(above, best)


def test_values_are_whole_steps() -> None:
    problem = molecules(0, 4)
    shift = shift_of(problem)
    assert shift is not None
    lowered = shift.of(problem, -shift.remainder)
    assert lowered.lattice() == lowered.step() == 3
    assert problem.lattice() == problem.step() == 1
    assert np.array_equal(lowered.first, problem.first)
