"""OPB problems and VeriPB proofs, by a checker that shares no code with the writer."""

from __future__ import annotations

import io
import itertools
import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from support.cutting_planes import (
    Constraint,
    Opb,
    ProofError,
    check,
    check_lines,
    computed,
)
from support.examples import examples
from support.oracle import brute_force
from support.strategies import problems, random_problem

from exactmatch.base.solver_errors import SolverError
from exactmatch.solvers import get_solver
from exactmatch.solvers.cutting_planes import write_proof
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.pseudo_boolean import write_problem
from exactmatch.solvers.solution import Limits, check_solution

SEEDS_WITH_BRANCHES = (5, 18, 27)


def written(problem: AlignmentProblem, solver: str = "auto") -> tuple[str, str]:
    solution = get_solver(solver).solve(problem, Limits(record_proof=True))
    opb, proof = io.StringIO(), io.StringIO()
    write_problem(opb, problem)
    write_proof(proof, problem, solution)
    return opb.getvalue(), proof.getvalue()


@settings(max_examples=examples(25))
@given(problem=problems(max_nodes=2))
def test_the_problem_is_the_problem(problem: AlignmentProblem) -> None:
    """The best assignment of its variables is worth what the best alignment is."""
    opb, _ = written(problem)
    if len(Opb(opb).variables()) <= 14:
        assert Opb(opb).minimum() == -brute_force(problem)


@settings(max_examples=examples(80))
@given(problem=problems())
def test_every_proof_is_accepted(problem: AlignmentProblem) -> None:
    assert check(*written(problem)) == -brute_force(problem)


def unlabelled(seed: int, nodes: int = 8, edges: int = 11) -> AlignmentProblem:
    """Two graphs whose nodes and edges are all alike: one bound is not enough."""
    rng = random.Random(seed)
    every = list(itertools.combinations(range(nodes), 2))
    own, others = rng.sample(every, edges), rng.sample(every, edges)
    pairs = itertools.product(own, [way for e in others for way in (e, e[::-1])])
    return AlignmentProblem.from_weights(
        nodes,
        nodes,
        dict.fromkeys(itertools.product(range(nodes), range(nodes)), 2),
        {((i, j), (k, m)): 2 for (i, k), (j, m) in pairs},
    )


@pytest.mark.parametrize("seed", SEEDS_WITH_BRANCHES)
def test_proofs_with_branches_are_accepted(seed: int) -> None:
    problem = unlabelled(seed)
    solution = get_solver("bnb").solve(problem)
    assert solution.proof == "branch"
    assert check(*written(problem, "bnb")) == -solution.value


@pytest.mark.parametrize("seed", [0, 2])
def test_deep_trees_are_accepted(seed: int) -> None:
    """More than a hundred nodes: the search goes down and back many times."""
    problem = unlabelled(seed, 20, 30)
    solution = get_solver("bnb").solve(problem, Limits(record_proof=True))
    assert solution.certificate is not None
    assert len(solution.certificate.nodes) > 100
    check_solution(problem, solution)


def test_a_proof_of_many_branches_is_accepted() -> None:
    problem = unlabelled(0, 12, 18)
    solution = get_solver("bnb").solve(problem)
    assert check(*written(problem, "bnb")) == -solution.value


@pytest.mark.slow
def test_a_proof_of_more_than_a_hundred_nodes_is_accepted_from_a_file(
    tmp_path: Path,
) -> None:
    """Ten megabytes, written and checked line by line."""
    problem = unlabelled(0, 16, 22)
    solution = get_solver("bnb").solve(problem, Limits(record_proof=True))
    assert solution.certificate is not None
    assert len(solution.certificate.nodes) > 100
    opb = io.StringIO()
    write_problem(opb, problem)
    with open(tmp_path / "p.pbp", "w") as stream:
        write_proof(stream, problem, solution)
    with open(tmp_path / "p.pbp") as stream:
        assert check_lines(Opb(opb.getvalue()), stream) == -solution.value


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("1 2 + 2 d", ({"x1": 1, "~x2": 1, "x3": 1}, 1)),
        ("1 3 * 2 2 * +", ({"x1": 5, "~x2": 3, "x3": 2}, 5)),
        ("3 1 +", ({"x3": 1, "x1": 1}, 1)),
        ("x1 2 * ~x1 +", ({"x1": 1}, -1)),
        ("1 x2 2 * +", ({"x1": 1, "x2": 1}, 0)),
        ("1 0 *", ({}, 0)),
    ],
)
def test_the_checker_adds_up(line: str, expected: Constraint) -> None:
    """Opposite literals make 1 together; what is added is left as it was."""
    known = [
        ({"x1": 1, "~x2": 1}, 1),
        ({"x1": 1, "x3": 1}, 1),
        ({"x2": 1, "x3": 1}, 1),
    ]
    before = [(dict(terms), degree) for terms, degree in known]
    assert computed(line.split(), known) == expected
    assert known == before


def tampered(proof: str, rule: str, old: str, new: str) -> str:
    """Replace something in the last line of a rule."""
    lines = proof.splitlines()
    place = max(n for n, line in enumerate(lines) if line.startswith(rule))
    lines[place] = re.sub(old, new, lines[place], count=0 if old == "~" else 1)
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("rule", "old", "new"),
    [
        ("pol", "^.*$", "pol 1"),
        ("pol", "^pol [0-9]+", "pol x1"),
        ("soli", "~", ""),
        ("soli", " x", " ~x"),
        ("soli", " ~?x1 ", " "),
        ("conclusion", "^.*$", "conclusion BOUNDS -1 -1"),
        ("end", "^.*$", "output NONE"),
    ],
)
def test_the_checker_rejects_what_is_wrong(rule: str, old: str, new: str) -> None:
    opb, proof = written(random_problem(1, 6, 6, 1.5))
    check(opb, proof)
    with pytest.raises((ProofError, ValueError)):
        check(opb, tampered(proof, rule, old, new))


def test_only_what_is_proven_has_a_proof() -> None:
    problem = random_problem(1, 6, 6, 1.5)
    for name, complaint in (
        ("hillclimb", "the optimum was not proven"),
        ("cpsat", "'cpsat' records no certificates"),
    ):
        solution = get_solver(name).solve(problem)
        with pytest.raises(SolverError, match=complaint):
            write_proof(io.StringIO(), problem, solution)
