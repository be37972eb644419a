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


def study(options: SolveOptions, reporter: Listener = SILENCE) -> Matchings:
    r"""Find the matching of each problem that costs least, and prove it.

    Raises:
        InputError: if a file does not hold such a problem.
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

    solver = options.chosen_solver(options.records)
    paths = [path for file in options.paths for path in expand(file)]
    if options.proof is not None:
        check_proof_path(options.proof)
        if len(paths) != 1:
            raise InputError(f"--proof is of one problem, and there are {len(paths)}")
    limits = Limits(options.seconds, record_proof=options.records)
    solved = []
    records = []
    with reporter.progress("solving", len(paths)) as advance:
        for path in paths:
            name = named(path)
            with reading(name):
                problem = read_matching(read_text(path), name).as_alignment()
            solution = solver.solve(problem.problem, limits)
            solved.append((name, problem.problem, solution))
            records.append(_record(name, problem, solution))
            advance()
    if options.proof is not None:
        write_proof_files(options.proof, *solved[0][1:], options.proof_version)
    proven = sum(record["proven"] for record in records)
    reporter.solved(solved, len(solved) - proven, options.certify)
    signature = (
        f"problem:graph-matching|solver:{solver.signature()}|"
        f"proven:{proven}/{len(solved)}|version:{__version__}"
    )
    return Matchings(tuple(records), signature)


solve = function("solve", SolveOptions, study)


def _record(
    name: str, problem: MatchingAsAlignment, solution: Solution
) -> dict[str, Any]:
    matching, alignment = problem.matching, problem.alignment(solution.alignment)
    cost = matching.cost(alignment)
    return {
        "file": name,
        "left": matching.sizes[0],
        "right": matching.sizes[1],
        "matches": len(matching.matches),
        "pairs": len(matching.pairs),
        "cost": cost,
        "bound": min(problem.least_cost(solution.bound), cost),
        "proven": solution.is_optimal,
        "rounding": problem.rounding,
        "seconds": solution.seconds,
        "solver": solution.solver,
        "alignment": list(alignment),
    }
