"""Options of the edit distances of many graphs, and the command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from exactmatch.base.options import Options, flag, option, optional, redeclared
from exactmatch.edit.options import Costs, Proving
from exactmatch.formats.networks import READERS
from exactmatch.scoring.options import Formats, Solving
from exactmatch.studies.command import Command

if TYPE_CHECKING:
    from concurrent.futures import Executor


class Networks(Options, purpose="pairs", waits=True):
    """Graphs of any kind, paired in order."""

    TITLE = Formats.TITLE

    first: Any = option(
        "graphs in JSON, GraphML, GXL, GEXF, GML, DOT, gSpan's lines or triples, "
        "molecules in SMILES or SD files, .gz or not; a folder, also of a TUDataset; "
        "-; in Python also networkx graphs, and molecules of RDKit",
        operand="A",
        kw_only=False,
        purpose="opens",
    )
    second: Any = option(
        "equally many graphs, paired in order",
        operand="B",
        kw_only=False,
        purpose="opens",
    )
    format_in: str | None = optional(
        "their format (default: by how they begin)",
        choices=tuple(READERS),
        metavar="NAME",
    )
    field: str | None = optional(
        "the column of a table (CSV, TSV or Parquet) that holds the graphs, SMILES "
        "unless --format-in names another format",
        metavar="NAME",
    )
    max_bytes: int = redeclared(Formats, "max_bytes")


class EditDistancesOptions(Proving, Costs, Networks, waits=True):
    """Options of the edit distances of many graphs."""

    jobs: int = redeclared(Solving, "jobs")
    executor: Executor | None = redeclared(Solving, "executor")


class Shown(Options, purpose="shows"):
    """Options of the view of distances."""

    TITLE = "what is shown"

    paths: bool = flag("list the edits of every pair, as for one pair")
    percent: bool = option(default=False)


COMMAND = Command(
    """Compute edit distances: the least cost of turning graphs of A into those of B.

Every distance is proven to be the least, or is reported with a bound below it.

Example:
  exactmatch ged a.graphml b.graphml
  exactmatch ged parsed.tsv gold.tsv --triples
  exactmatch ged first/ second/ --labels symbol,valence
  exactmatch ged predicted.smi true.smi --costs mces""",
    EditDistancesOptions,
    "exactmatch.studies.ged.study:study",
    Shown,
    is_verbose=False,
)
