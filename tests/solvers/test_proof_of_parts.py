"""VeriPB proofs of problems that are certified part by part.

They are checked by a checker that shares no code with the writer, against optima that
brute force finds.
"""

from __future__ import annotations

import io
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from support.cutting_planes import Opb, ProofError, check, check_lines
from support.examples import examples
from support.oracle import brute_force
from support.strategies import problems, random_problem, side_by_side

from exactmatch.base.errors import SolverError
from exactmatch.solvers import auto
from exactmatch.solvers.auto import Auto
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.proof_files import write_proof
from exactmatch.solvers.pseudo_boolean import write_problem
from exactmatch.solvers.solution import Limits, Solution, check_solution


def solved(problem: AlignmentProblem) -> Solution:
    """With a certificate by parts, however small the problem is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(auto, "CERTIFY_WHOLE", 0)
        return Auto().solve(problem, Limits(record_proof=True))


def written(problem: AlignmentProblem, solution: Solution) -> tuple[str, str]:
    opb, proof = io.StringIO(), io.StringIO()
    write_problem(opb, problem)
    write_proof(proof, problem, solution)
    return opb.getvalue(), proof.getvalue()


@settings(max_examples=examples(60))
@given(first=problems(max_nodes=3), second=problems(max_nodes=3))
def test_what_falls_apart_has_a_proof(
    first: AlignmentProblem, second: AlignmentProblem
) -> None:
    problem = side_by_side(first, second)
    optimum = brute_force(first) + brute_force(second)
    assert check(*written(problem, solved(problem))) == -optimum


@pytest.mark.parametrize("seed", range(6))
def test_parts_with_dropped_candidates_have_a_proof(seed: int) -> None:
    """Parts of several rounds, beside one that is worth nothing and one that costs."""
    parts = [
        random_problem(10 * seed, 5, 5, density=1.4),
        AlignmentProblem.from_weights(1, 1, {(0, 0): 0}, {}),
        random_problem(10 * seed + 1, 5, 5, density=1.4),
        AlignmentProblem.from_weights(1, 1, {(0, 0): -2}, {}),
    ]
    problem = side_by_side(*parts)
    solution = solved(problem)
    assert solution.certificate is not None
    assert len(solution.certificate.parts) >= 4
    assert check(*written(problem, solution)) == -sum(map(brute_force, parts))


def test_parts_with_branches_have_a_proof() -> None:
    """Cycles that a triangle pairs off and one that nothing tells apart."""
    part = random_problem(0, 8, 8, density=1.2)
    hexagon, triangles = (
        {(k, (k + 1) % 6) for k in range(6)},
        {(k, k // 3 * 3 + (k + 1) % 3) for k in range(6)},
    )
    both = [(e, way) for e in hexagon for f in triangles for way in (f, f[::-1])]
    alike = AlignmentProblem.from_weights(
        6,
        6,
        {(i, j): 2 for i in range(6) for j in range(6)},
        {((e[0], f[0]), (e[1], f[1])): 2 for e, f in both},
    )
    problem = side_by_side(alike, part, alike)
    solution = solved(problem)
    assert solution.certificate is not None
    assert any(len(p.certificate.nodes) > 1 for p in solution.certificate.parts)
    check_solution(problem, solution)
    assert check(*written(problem, solution)) == -solution.value


@pytest.fixture(scope="module")
def accepted() -> tuple[AlignmentProblem, Solution, str, str]:
    problem = side_by_side(*(random_problem(k, 5, 5, density=1.4) for k in range(3)))
    solution = solved(problem)
    return problem, solution, *written(problem, solution)


def lines_of(proof: str, start: str) -> list[int]:
    return [n for n, x in enumerate(proof.splitlines()) if x.startswith(start)]


@pytest.mark.parametrize(
    ("start", "old", "new"),
    [
        ("red", r">= -(\d+)", ">= 0"),
        ("red", r"-(\d+) (x\d+)", r"-9\1 \2"),
        ("red", "; ; begin", "; x1 -> 0 ; begin"),
        ("proofgoal", "#1", "#2"),
        ("end ", r"end \d+", "end 1"),
        ("end ", r"end \d+", "end"),
        ("end ", r"^.*$", "pol x1"),
        ("soli", " x", " ~x"),
        ("conclusion", r"BOUNDS -\d+ -\d+", "BOUNDS -1 -1"),
    ],
)
def test_a_proof_that_was_tampered_with_is_refused(
    accepted: tuple[AlignmentProblem, Solution, str, str],
    start: str,
    old: str,
    new: str,
) -> None:
    _, solution, opb, proof = accepted
    assert check(opb, proof) == -solution.value
    lines = proof.splitlines()
    place = lines_of(proof, start)[0]
    lines[place] = re.sub(old, new, lines[place], count=1)
    with pytest.raises((ProofError, ValueError)):
        check(opb, "\n".join(lines))


def test_every_line_is_needed(
    accepted: tuple[AlignmentProblem, Solution, str, str],
) -> None:
    """Whichever line is left out, what is left is not a proof."""
    _, _, opb, proof = accepted
    lines = proof.splitlines()
    for place in range(len(lines)):
        with pytest.raises((ProofError, ValueError)):
            check(opb, "\n".join(lines[:place] + lines[place + 1 :]))


def test_nothing_of_a_part_is_used_outside(
    accepted: tuple[AlignmentProblem, Solution, str, str],
) -> None:
    """What was shown of a better value in one part holds in its subproof alone."""
    _, _, opb, proof = accepted
    lines = proof.splitlines()
    first, end = lines_of(proof, "red")[0], lines_of(proof, "end")[1]
    assert lines[end] == "end"
    assumed = len(Opb(opb).constraints) + 2 + lines[:first].count("pol")
    for place in range(end + 1, len(lines)):
        if lines[place].startswith("pol"):
            changed = [*lines]
            changed[place] += f" {assumed} +"
            with pytest.raises(ProofError, match="was forgotten"):
                check(opb, "\n".join(changed))
    # A contradiction inside a subproof refutes nothing outside.
    (last,) = lines_of(proof, "output")
    with pytest.raises(ProofError, match="no contradiction"):
        check(opb, "\n".join(lines[: last - 1] + lines[last:]))


def test_a_certificate_that_proves_too_little_has_no_proof(
    accepted: tuple[AlignmentProblem, Solution, str, str],
) -> None:
    problem, solution, *_ = accepted
    good = solution.certificate
    assert good is not None
    first, second, *rest = good.parts
    higher = replace(first.certificate, bound=first.certificate.bound + 1)
    lower = replace(first.certificate, bound=first.certificate.bound - 1)
    for parts, complaint in (
        ((second, *rest), "in no part"),
        ((replace(first, certificate=higher), second, *rest), "does not prove"),
        ((replace(first, certificate=lower), second, *rest), "a node open"),
    ):
        forged = replace(solution, certificate=replace(good, parts=parts))
        with pytest.raises(SolverError, match=complaint):
            write_proof(io.StringIO(), problem, forged)


def test_the_parts_of_a_large_problem_are_written_one_by_one() -> None:
    """Lines are as long as their part needs, so the proof grows with the number."""
    sizes = []
    for count in (10, 40):
        parts = [random_problem(k % 5, 4, 4, density=1.4) for k in range(count)]
        problem = side_by_side(*parts)
        solution = solved(problem)
        opb, proof = written(problem, solution)
        value = check_lines(Opb(opb), proof.splitlines())
        assert value == -sum(brute_force(parts[k % 5]) for k in range(count))
        numbers = np.array([len(line.split()) for line in proof.splitlines()])
        sizes.append(int(numbers.sum()))
    assert sizes[1] < 4.5 * sizes[0]
