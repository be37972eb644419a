"""Options of the ground truth of a set, and the command."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from exactmatch.base import values
from exactmatch.base.errors import InputError
from exactmatch.base.options import Options, flag, option, optional, redeclared
from exactmatch.edit.options import Costs
from exactmatch.scoring.options import Solving
from exactmatch.studies.command import Command
from exactmatch.studies.ged.options import EditDistancesOptions, Networks
from exactmatch.studies.options import picture

if TYPE_CHECKING:
    from concurrent.futures import Executor


def _folder(value: Any) -> str:
    if value is None:
        raise InputError("name the folder to write, on the command line by -o")
    if not isinstance(value, str | os.PathLike):
        raise ValueError(f"{value!r} is not a folder")
    return os.fspath(value)


class OneSet(Options, waits=True):
    """Graphs of a set, and the folder of their distances."""

    TITLE = Networks.TITLE

    graphs: Any = option(
        "the graphs, as 'exactmatch ged' reads them; in Python also networkx graphs",
        operand="SET",
        kw_only=False,
        purpose="opens",
    )
    out: str | os.PathLike[str] = option(
        "the folder; after an interruption, the same command completes it",
        read=_folder,
        flags=("-o", "--output"),
        metavar="FOLDER",
        purpose="writes",
        brief=("FOLDER", "the folder, which a second call completes"),
    )
    format_in: str | None = redeclared(Networks, "format_in")
    field: str | None = redeclared(Networks, "field")
    max_bytes: int = redeclared(Networks, "max_bytes")


class Edits(Options):
    """Options of the costs of edits, and of the choice of pairs."""

    TITLE = Costs.TITLE

    labels: str | Iterable[str] | None = redeclared(EditDistancesOptions, "labels")
    costs: str | None = redeclared(Costs, "costs")
    sample: int | None = optional(
        "number of pairs, drawn at random (default: every two graphs)",
        read=values.positive_int,
        purpose="measures",
    )
    seed: int = redeclared(Solving, "seed")


class GroundTruthOptions(Edits, OneSet, purpose="runs", waits=True):
    """Options of computing the ground truth of a set."""

    TITLE = "solving"

    time_limit: float | None = redeclared(
        Solving,
        "time_limit",
        about="seconds for each pair; one that is not proven in time has an interval",
    )
    jobs: int = redeclared(Solving, "jobs", about="workers that share the pairs")
    executor: Executor | None = redeclared(Solving, "executor")
    proofs: bool = flag(
        "also write a proof of each distance for VeriPB; this takes longer, because "
        "only the slower solvers record proofs"
    )


class Shown(Options, purpose="shows"):
    """Options of the view of a ground truth."""

    TITLE = GroundTruthOptions.TITLE

    plot: str | None = picture("draw the share of pairs that is proven over time")


COMMAND = Command(
    """Compute the edit distances of a whole set, each with a proof or an interval.

The folder has distances.npy (NaN where open), bounds.npy, paths.npy (costs of
known paths), seconds.npy, manifest.json and, where pyarrow is, pairs.parquet.

Example:
  exactmatch ground-truth AIDS700/ -o aids --time-limit 10
  exactmatch ground-truth letters.cxl -o letters --costs letter
  exactmatch ground-truth imdb.jsonl -o imdb --sample 1000 --time-limit 1""",
    GroundTruthOptions,
    "exactmatch.studies.ground_truth.study:study",
    Shown,
    picture="exactmatch.studies.ground_truth.view:draw",
    is_verbose=False,
)
