"""Solve graph matching problems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from exactmatch.base.errors import InputError
from exactmatch.base.options import function
from exactmatch.base.version import __version__
from exactmatch.scoring.reporter import SILENCE, Listener

if TYPE_CHECKING:
    from exactmatch.edit.matching import MatchingAsAlignment
    from exactmatch.solvers.solution import Solution
from exactmatch.studies.solve.options import SolveOptions
from exactmatch.studies.solve.results import Matchings


def study(asked: SolveOptions, reporter: Listener = SILENCE) -> Matchings:
    r"""Find the matching of each problem that costs least, and prove it.

    Raises:
        InputError: if a file is no such problem.
        SolverError: if the solver is unknown, or records no certificates.

    >>> import pathlib
    >>> import tempfile
    >>> from exactmatch import studies
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "small.dd"
    >>> _ = path.write_text("p 2 2 2 0\na 0 0 0 -1\na 1 1 1 -2\n")
    >>> studies.solve(path)
    Graph matching: 1 row
    """
    from exactmatch.base.deadline import reading
    from exactmatch.edit.matching import read_matching
    from exactmatch.formats.files import expand, named, read_text
    from exactmatch.solvers.proof_files import check_proof_path, write_proof_files
    from exactmatch.solvers.solution import Limits

    solver = asked.chosen_solver(asked.records)
    paths = [path for file in asked.paths for path in expand(file)]
    if asked.proof is not None:
        check_proof_path(asked.proof)
        if len(paths) != 1:
            raise InputError(f"--proof is of one problem, and there are {len(paths)}")
    limits = Limits(asked.seconds, record_proof=asked.records)
    solved = []
    records = []
    with reporter.progress("solving", len(paths)) as advance:
        for path in paths:
            name = named(path)
            with reading(name):
                stated = read_matching(read_text(path), name).as_alignment()
            solution = solver.solve(stated.problem, limits)
            solved.append((name, stated.problem, solution))
            records.append(_record(name, stated, solution))
            advance()
    if asked.proof is not None:
        write_proof_files(asked.proof, *solved[0][1:], asked.proof_version)
    proven = sum(record["proven"] for record in records)
    reporter.solved(solved, len(solved) - proven, asked.certify)
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
