"""Graph matching problems in files: solved, with their costs proven."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from exactmatch.base import values
from exactmatch.base.errors import InputError
from exactmatch.base.numbers import decimals
from exactmatch.base.options import Options, function, option, redeclared
from exactmatch.base.version import __version__
from exactmatch.edit.options import Proving
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.studies.answer import Answer
from exactmatch.studies.command import Command
from exactmatch.views.tables import Column, Row, Table, Tables

if TYPE_CHECKING:
    from exactmatch.edit.matching import MatchingAsAlignment
    from exactmatch.solvers.base import Solver
    from exactmatch.solvers.solution import Solution


class Problems(Options):
    """Files of graph matching problems."""

    files: Sequence[str] = option(
        "graph matching problems (.dd), .gz, folders, or - for standard input",
        read=values.paths,
        operand="FILE",
        is_list=True,
        kw_only=False,
    )


class SolveOptions(Proving, Problems):
    """Which problems are solved, and how."""

    solver: Solver | str = redeclared(
        Proving,
        "solver",
        about="see 'exactmatch solvers' (default: auto)",
        default="auto",
    )


COMMAND = Command(
    """Find the matching that costs least, and prove it.

Example:
  exactmatch solve car1.dd
  exactmatch solve house/ --time-limit 60 --format csv
  exactmatch solve car1.dd --proof car1.pbp""",
    SolveOptions,
    "exactmatch.studies.solve:study",
    is_verbose=False,
)


@dataclass(frozen=True, eq=False, repr=False)
class Matchings(Answer):
    """Solved graph matching problems: their files and sizes, costs and alignments."""

    problems: tuple[dict[str, Any], ...]
    signature: str  # what determines the costs

    def tables(self, **shown: Any) -> Tables:
        del shown  # costs have the decimals that they have
        columns = (
            Column("file", "problem"),
            *(Column(key, key) for key in ("left", "right", "matches", "pairs")),
            Column("cost", "cost", _COST),
            Column("bound", "at least", _COST),
            Column("proven", "proven", lambda proven: "yes" if proven else "no"),
            Column("seconds", "seconds", decimals(3)),
        )
        return Tables(
            "Graph matching",
            (Table("", columns, self.problems),),
            {"problems": list(self.problems), "signatures": [self.signature]},
            signatures=(self.signature,),
            numbers=Table("", (Column("_number", ""),), [*map(_number, self.problems)]),
        )


_COST = "{:.6f}".format


def _number(problem: Row) -> Row:
    """The cost, where it is not proven with its bound."""
    cost, bound = _COST(problem["cost"]), _COST(problem["bound"])
    return {"_number": cost if problem["proven"] else f"{bound}..{cost}"}


def study(asked: SolveOptions, reporter: Listener = SILENCE) -> Matchings:
    """Find the matching of each problem that costs least, and prove it.

    Raises:
        InputError: if a file is no such problem.
        SolverError: if the solver is unknown, or records no certificates.
    """
    from exactmatch.edit.matching import read_dd
    from exactmatch.formats.files import expand, named, read_text
    from exactmatch.solvers.proof_files import check_proof_path, write_proof_files
    from exactmatch.solvers.solution import Limits

    solver = asked.chosen_solver(asked.records)
    paths = [path for file in asked.files for path in expand(file)]
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
            stated = read_dd(read_text(path).splitlines(), name).as_alignment()
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
