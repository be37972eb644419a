"""Problems with conflicts: the best alignment that breaks none, by every alignment."""

from __future__ import annotations

import io
import random
import subprocess
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.veripb import veripb

from exactmatch.base.errors import ProblemError, SolverError
from exactmatch.solvers import get_solver
from exactmatch.solvers.cases import CaseProblem, Conflict
from exactmatch.solvers.certificate import (
    CaseNode,
    Certificate,
    CertificateError,
)
from exactmatch.solvers.checker import check_certificate
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.proof_files import (
    claimed_interval,
    write_proof,
    write_proof_files,
)
from exactmatch.solvers.pseudo_boolean import write_problem
from exactmatch.solvers.solution import Limits

RECORD = Limits(record_proof=True)


def random_problem(seed: int, size: int = 4) -> CaseProblem:
    """A problem of at most 25 candidates, with up to three conflicts of three sets."""
    draw = random.Random(seed)
    cells = [c for c in product(range(size), range(size)) if draw.random() < 0.8]
    unary = {cell: draw.randint(-2, 4) for cell in cells}
    terms = {
        (a, b): draw.randint(1, 5)
        for a in cells
        for b in cells
        if a < b and a[0] != b[0] and a[1] != b[1] and draw.random() < 0.3
    }
    problem: Any = CaseProblem.from_weights(size, size, unary, terms)
    number = {cell: c for c, cell in enumerate(sorted(cells))}
    conflicts = []
    for _ in range(draw.randint(1, 3)):
        rows = draw.sample(range(size), 3)
        sets = [tuple(number[c] for c in sorted(cells) if c[0] == row) for row in rows]
        if all(sets):
            conflicts.append(tuple(sets))
    made: CaseProblem = replace(problem, conflicts=tuple(conflicts))
    return made


def without_conflicts(problem: CaseProblem) -> AlignmentProblem:
    return problem.restricted(np.ones(problem.n_candidates, dtype=np.bool_))


def best(problem: CaseProblem) -> int:
    """The greatest value of any alignment that breaks no conflict."""
    choices = [-1, *range(problem.n_right)]
    known = {*zip(problem.left.tolist(), problem.right.tolist(), strict=True)}
    found = 0
    for alignment in product(choices, repeat=problem.n_left):
        used = [(i, j) for i, j in enumerate(alignment) if j != -1]
        if len({j for _, j in used}) < len(used) or not known.issuperset(used):
            continue
        if next(problem.broken(alignment), None) is None:
            found = max(found, problem.value(alignment))
    return found


@pytest.mark.parametrize("name", ["auto", "bnb", "highs"])
def test_the_best_alignment_that_breaks_no_conflict_is_proven(name: str) -> None:
    broken = 0
    for seed in range(40):
        problem = random_problem(seed)
        found = get_solver(name).solve(problem)
        assert (found.value, found.bound) == (best(problem),) * 2, seed
        assert problem.value(found.alignment) == found.value
        assert not [*problem.broken(found.alignment)]
        every = get_solver(name).solve(
            problem.restricted(problem.unary == problem.unary)
        )
        broken += every.value > found.value
    assert broken > 5


@pytest.mark.parametrize("name", ["hillclimb", "hungarian"])
def test_heuristics_break_no_conflict(name: str) -> None:
    for seed in range(30):
        problem = random_problem(seed)
        found = get_solver(name).solve(problem)
        assert not [*problem.broken(found.alignment)]
        assert found.value <= best(problem) <= found.bound


def test_no_time_is_an_interval() -> None:
    for seed in range(30):
        problem = random_problem(seed)
        found = get_solver("auto").solve(problem, Limits(seconds=0.0))
        assert found.value <= best(problem) <= found.bound


def certified(minimum: int) -> list[tuple[CaseProblem, Any]]:
    """Problems whose certificates have at least so many cases."""
    solve = get_solver("auto").solve
    pairs = ((p, solve(p, RECORD)) for p in map(random_problem, range(80)))
    return [(p, s) for p, s in pairs if len(s.certificate.cases) >= minimum]


def test_certificates_hold_and_survive_json() -> None:
    known = certified(4)
    assert len(known) > 5
    for problem, solution in known:
        proof = Certificate.from_dict(solution.certificate.to_dict())
        assert proof == solution.certificate
        check_certificate(problem, solution.alignment, solution.value, proof)


def refused(problem: CaseProblem, solution: Any, **changes: Any) -> str:
    proof = replace(solution.certificate, **changes)
    with pytest.raises(CertificateError) as error:
        check_certificate(problem, solution.alignment, solution.value, proof)
    return str(error.value)


def test_forged_certificates_are_refused() -> None:
    problem, solution = certified(4)[0]
    cases = solution.certificate.cases
    last = len(cases) - 1
    assert "missing" in refused(problem, solution, cases=cases[:-1])
    assert "belongs to none" in refused(problem, solution, cases=(*cases, cases[-1]))
    unproved = (*cases[:last], CaseNode(None, None))
    assert "no bound" in refused(problem, solution, cases=unproved)
    other = (CaseNode(len(problem.conflicts), None), *cases[1:])
    assert "no conflict" in refused(problem, solution, cases=other)
    both = (CaseNode(cases[0].conflict, cases[-1].certificate), *cases[1:])
    assert "is proved and has cases" in refused(problem, solution, cases=both)
    one = (CaseNode(None, cases[-1].certificate),)
    assert refused(problem, solution, cases=one)  # of one case, for all
    mixed = refused(problem, solution, nodes=cases[-1].certificate.nodes)
    assert "something else" in mixed
    nested = (*cases[:last], CaseNode(None, solution.certificate))
    assert "no bound" in refused(problem, solution, cases=nested)


def test_an_alignment_that_breaks_a_conflict_is_refused() -> None:
    for problem, _ in certified(4)[:5]:
        every = get_solver("auto").solve(without_conflicts(problem), RECORD)
        with pytest.raises(CertificateError, match="breaks conflict"):
            check_certificate(problem, every.alignment, every.value, every.certificate)


BROKEN: tuple[Conflict, ...] = (((0,), (9,)), ((0,), (0,)), ((0,), ()), ((0,), (1, 2)))


@pytest.mark.parametrize("conflict", BROKEN)
def test_conflicts_that_cannot_be_are_refused(conflict: Conflict) -> None:
    unary = {(0, 0): 1, (1, 0): 1, (2, 1): 1}
    problem: Any = CaseProblem.from_weights(3, 2, unary, {})
    with pytest.raises(ProblemError, match="conflict"):
        replace(problem, conflicts=(conflict,))


def opb_and_proof(problem: CaseProblem, solution: Any, folder: Path) -> list[Path]:
    place = folder / "p.pbp"
    opb = write_proof_files(str(place), problem, solution, "1.2")
    return [Path(opb), place]


def test_proofs_are_those_of_cutting_planes(tmp_path: Path) -> None:
    program = veripb()
    for problem, solution in certified(4)[:8]:
        paths = opb_and_proof(problem, solution, tmp_path)
        done = subprocess.run([program, *paths], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    without = replace(problem, conflicts=())
    with paths[0].open("w") as stream:
        write_problem(stream, without)
    done = subprocess.run([program, *paths], capture_output=True, text=True)
    assert done.returncode != 0


def test_proofs_claim_the_interval(tmp_path: Path) -> None:
    for problem, solution in certified(4)[:8]:
        paths = opb_and_proof(problem, solution, tmp_path)
        proof, opb = (path.read_text().splitlines(True) for path in paths[::-1])
        assert claimed_interval(proof, opb) == (solution.value, solution.value)


def test_certificates_that_leave_a_case_open_make_no_proof() -> None:
    problem, solution = certified(4)[0]
    cases = solution.certificate.cases
    empty = replace(cases[-1], certificate=None)
    broken = replace(solution.certificate, cases=(*cases[:-1], empty))
    with pytest.raises(SolverError, match="leaves a case open"):
        write_proof(io.StringIO(), problem, replace(solution, certificate=broken))
