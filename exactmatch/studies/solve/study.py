"""Solve graph matching problems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from exactmatch.base.errors import InputError
from exactmatch.base.options import function
from exactmatch.base.version import __version__
from exactmatch.edit.matching import MatchingAsAlignment, read_dd
from exactmatch.formats.files import expand, named, read_text
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.proof_files import check_proof_path, write_proof_files
from exactmatch.solvers.solution import Limits, Solution
from exactmatch.studies.answer import Answer
from exactmatch.studies.proofs import count_proofs
from exactmatch.studies.solve.options import SolveOptions


@dataclass(frozen=True, eq=False, repr=False)
class Matchings(Answer):
    """Solved graph matching problems.

    Attributes:
        problems: each one's file and sizes, cost and bound, proof and alignment.
        signature: what determines the costs.
    """

    VIEW = "exactmatch.studies.solve.view:tables"

    problems: tuple[dict[str, Any], ...]
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
    solved: list[tuple[str, AlignmentProblem, Solution]] = []
    records = []
    with reporter.progress("solving", len(paths)) as advance:
        for path in paths:
            name = named(path)
            stated = read_dd(read_text(path).splitlines(), name).as_alignment()
            solution = solver.solve(stated.problem, limits)
            solved.append((name, stated.problem, solution))
            records.append(_record(name, stated, solution))
            advance()
    if asked.proof is not None:
        write_proof_files(asked.proof, *solved[0][1:], asked.proof_version)
    proven = sum(record["proven"] for record in records)
    count_proofs(solved, len(solved) - proven, asked.certify, reporter)
    signature = (
        f"problem:graph-matching|solver:{solver.signature()}|"
        f"proven:{proven}/{len(solved)}|version:{__version__}"
    )
    return Matchings(tuple(records), signature)


solve = function("solve", SolveOptions, study)


def _record(
    name: str, stated: MatchingAsAlignment, solution: Solution
) -> dict[str, Any]:
    matching, alignment = stated.matching, stated.alignment(solution.alignment)
    cost = matching.cost(alignment)
    return {
        "file": name,
        "left": matching.sizes[0],
        "right": matching.sizes[1],
        "matches": len(matching.matches),
        "pairs": len(matching.pairs),
        "cost": cost,
        "bound": min(stated.least_cost(solution.bound), cost),
        "proven": solution.is_optimal,
        "rounding": stated.rounding,
        "seconds": solution.seconds,
        "solver": solution.solver,
        "alignment": list(alignment),
    }
