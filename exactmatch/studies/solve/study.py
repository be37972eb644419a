"""Solve graph matching problems."""

from __future__ import annotations

from dataclasses import dataclass

from exactmatch.base.errors import InputError
from exactmatch.base.options import function
from exactmatch.base.version import __version__
from exactmatch.edit.matching import MatchingAsAlignment, read_dd
from exactmatch.formats.files import expand, named
from exactmatch.formats.networks import read_text
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.solvers.proof_files import check_proof_path, write_proof_files
from exactmatch.solvers.solution import Limits, Solution
from exactmatch.studies.answer import Answer
from exactmatch.studies.proofs import count_proofs
from exactmatch.studies.solve.options import SolveOptions


@dataclass(frozen=True, slots=True)
class Solved:
    """A problem and its solution.

    Attributes:
        name: the file.
        stated: the problem.
        solution: the matching, and its bound.
    """

    name: str
    stated: MatchingAsAlignment
    solution: Solution


@dataclass(frozen=True, eq=False, repr=False)
class Matchings(Answer):
    """Solved graph matching problems.

    Attributes:
        problems: each problem and its solution.
        signature: what determines the costs.
    """

    VIEW = "exactmatch.studies.solve.view:tables"

    problems: tuple[Solved, ...]
    signature: str


def study(asked: SolveOptions, reporter: Listener = SILENCE) -> Matchings:
    """Find the matching of each problem that costs least, and prove it.

    Raises:
        InputError: if a file is no such problem.
        SolverError: if the solver is unknown, or records no certificates.
    """
    solver = asked.chosen_solver(asked.records)
    paths = [path for file in asked.files for path in expand(file)]
    if asked.proof is not None:
        check_proof_path(asked.proof)
        if len(paths) != 1:
            raise InputError(f"--proof is of one problem, and there are {len(paths)}")
    limits = Limits(asked.seconds, record_proof=asked.records)
    solved: list[Solved] = []
    with reporter.progress("solving", len(paths)) as advance:
        for path in paths:
            name = named(path)
            stated = read_dd(read_text(path).splitlines(), name).as_alignment()
            solved.append(Solved(name, stated, solver.solve(stated.problem, limits)))
            advance()
    if asked.proof is not None:
        write_proof_files(asked.proof, solved[0].stated.problem, solved[0].solution)
    proven = sum(found.solution.is_optimal for found in solved)
    problems = ((one.name, one.stated.problem, one.solution) for one in solved)
    count_proofs(problems, len(solved) - proven, asked.certify, reporter)
    signature = (
        f"problem:graph-matching|solver:{solver.signature()}|"
        f"proven:{proven}/{len(solved)}|version:{__version__}"
    )
    return Matchings(tuple(solved), signature)


solve = function("solve", SolveOptions, study)
