"""Options of graph matching, and the command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from exactmatch.base import values
from exactmatch.base.options import Options, option, redeclared
from exactmatch.edit.options import Proving
from exactmatch.studies.command import Command

if TYPE_CHECKING:
    from exactmatch.solvers.base import Solver


class Problems(Options):
    """Files of graph matching problems."""

    files: Sequence[str] = option(
        "graph matching problems (.dd), .gz, folders, or - for standard input",
        read=values.paths,
        flags=(),
        metavar="FILE",
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
    "exactmatch.studies.solve.study:study",
    is_verbose=False,
)
