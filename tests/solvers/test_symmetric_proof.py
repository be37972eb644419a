"""Proofs for other checkers in which one candidate is tried for all that are alike."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest
from support.cutting_planes import ProofError, check
from support.strategies import side_by_side, symmetric_problem

from exactmatch.base.errors import SolverError
from exactmatch.solvers import auto
from exactmatch.solvers.auto import Auto
from exactmatch.solvers.bnb import BranchAndBound
from exactmatch.solvers.certificate import Certificate, CertificateError, Round
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.proof_files import claimed_interval, write_proof
from exactmatch.solvers.proof_lines import VERSIONS
from exactmatch.solvers.pseudo_boolean import write_problem
from exactmatch.solvers.solution import Limits, Solution

PROBLEMS = 12


@cache
def solved() -> list[tuple[AlignmentProblem, Solution]]:
    """Problems whose trees have branches and nodes that are alike."""

    def each() -> Iterator[tuple[AlignmentProblem, Solution]]:
        for seed in range(1000):
            problem = symmetric_problem(seed, 7)
            solution = BranchAndBound(record_proof=1, symmetry=2).solve(problem)
            certificate = solution.certificate
            if certificate.symmetry is not None and len(certificate.nodes) > 1:
                yield problem, solution

    pairs = each()
    return [next(pairs) for _ in range(PROBLEMS)]


def written(
    problem: AlignmentProblem, solution: Solution, version: str = "2.0"
) -> tuple[str, str]:
    opb, proof = io.StringIO(), io.StringIO()
    write_problem(opb, problem)
    write_proof(proof, problem, solution, version)
    return opb.getvalue(), proof.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize("number", range(PROBLEMS))
def test_the_proof_is_accepted(number: int) -> None:
    problem, solution = solved()[number]
    opb, proof = written(problem, solution)
    assert " -> " in proof
    assert check(opb, proof) == -solution.value


@pytest.mark.slow
@pytest.mark.parametrize("number", range(PROBLEMS))
def test_an_interval_is_accepted(number: int) -> None:
    problem, solution = solved()[number]
    nothing = replace(solution, alignment=(-1,) * problem.n_left, value=0)
    opb, proof = written(problem, nothing)
    assert check(opb, proof) == 0
    assert f"conclusion BOUNDS {-solution.bound} : " in proof


def test_parts_are_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "CERTIFY_WHOLE", 0)
    (one, _), (other, _) = solved()[:2]
    problem = side_by_side(one, other)
    solution = Auto(nodes=1).solve(problem, Limits(record_proof=True))
    assert solution.is_optimal
    assert any(part.certificate.symmetry for part in solution.certificate.parts)
    opb, proof = written(problem, solution)
    assert " -> " in proof
    assert check(opb, proof) == -solution.value


@pytest.mark.parametrize("number", range(PROBLEMS))
def test_without_the_witnesses_it_is_refused(number: int) -> None:
    """Each line with a witness is needed, and so is the witness."""
    problem, solution = solved()[number]
    opb, proof = written(problem, solution)
    lines = proof.splitlines()
    at = next(k for k, line in enumerate(lines) if " -> " in line)
    claim, _, witness = lines[at].partition(" ; ")
    rest = witness.split(" ", 3)[3]
    for changed in ("", rest, "x1 -> 1"):
        lines[at] = f"{claim} ; {changed}"
        with pytest.raises((ProofError, ValueError, IndexError)):
            check(opb, "\n".join(lines))


@pytest.mark.parametrize("number", range(PROBLEMS))
@pytest.mark.parametrize("version", VERSIONS)
def test_the_claim_is_read(number: int, version: str) -> None:
    problem, solution = solved()[number]
    opb, proof = written(problem, solution, version)
    value = solution.value
    assert claimed_interval(proof.splitlines(), opb.splitlines()) == (value, value)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_proof_may_not_delete_the_problem(version: str) -> None:
    problem, solution = solved()[0]
    opb, proof = written(problem, solution, version)
    rule, first = ("d", "d 3") if version == "1.2" else ("del", "del id 3")
    lines = [
        f"{first} {line.split(' ', 1)[1]}" if line.startswith(f"{rule} ") else line
        for line in proof.splitlines()
    ]
    assert lines != proof.splitlines()
    with pytest.raises(CertificateError, match="deletes what it is about"):
        claimed_interval(lines, opb.splitlines())


def test_what_is_not_alike_makes_no_proof() -> None:
    problem, solution = solved()[0]
    dropping = Round(1, (), (), (), (), (), dropped=(0,))
    node = replace(solution.certificate.nodes[0], rounds=(dropping,))
    forged = replace(
        solution.certificate, nodes=(node, *solution.certificate.nodes[1:])
    )
    with pytest.raises(SolverError, match="without those like it"):
        written(problem, replace(solution, certificate=forged))
    cut = Certificate(
        solution.bound,
        (replace(solution.certificate.nodes[0], branch=None),),
        symmetry=solution.certificate.symmetry,
    )
    with pytest.raises(SolverError, match="leaves a node open"):
        written(problem, replace(solution, certificate=cut))
