"""Options of solving problems of graph matching."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from exactmatch.base import values
from exactmatch.base.options import Options, option, redeclared
from exactmatch.edit.options import Proving
from exactmatch.studies.command import Command

if TYPE_CHECKING:
    from exactmatch.solvers.base import Solver


class Problems(Options, purpose="opens"):
    """Files of graph matching problems."""

    files: os.PathLike[str] | Sequence[os.PathLike[str]] = option(
        "graph matching problems (.dd) or problems of QAPLIB, .gz, folders, or - for "
        "standard input",
        read=values.paths,
        operand="FILE",
        is_list=True,
        kw_only=False,
    )

    @property
    def paths(self) -> Sequence[str]:
        """Paths of the files."""
        paths: Sequence[str] = vars(self)["files"]
        return paths


class SolveOptions(Proving, Problems, waits=True):
    """Options of solving problems."""

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
