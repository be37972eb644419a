"""Options of a matrix of scores or distances."""

from __future__ import annotations

from collections.abc import Mapping

from exactmatch.base.options import Options, option
from exactmatch.many.options import CdistOptions, Side
from exactmatch.studies.many import command
from exactmatch.studies.options import picture


class MatrixOptions(CdistOptions, purpose="shows"):
    """Options of ``cdist``, whose choices may be left out."""

    choices: Side | None = option(default=None)  # type: ignore[assignment]  # the command's alone

    @property
    def refused_flags(self) -> Mapping[str, str]:
        """Return the flags that have no use here, each with its message."""
        if self.out is None:
            return {}
        why = "is a NumPy array, which has no --format; leave that out, or name a file"
        drawn = "is a NumPy array, and --plot draws a matrix that is shown; name a file"
        return {
            "--format": f"-o {self.out} {why} with another ending",
            "--plot": f"-o {self.out} {drawn} with another ending",
        }


class Shown(Options, purpose="shows"):
    """Options of the view of a matrix."""

    TITLE = CdistOptions.TITLE

    plot: str | None = picture("draw a heat map")


COMMAND = command(
    "matrix",
    """Score every graph with every graph, exactly.

-o FILE.npy fills a NumPy array block by block, which may be larger than memory;
the same command after an interruption computes the blocks that are missing.
With --metric ged it has the edit distances of graphs of any kind.

Example:
  exactmatch matrix parsed.amr gold.amr --plot scores.pdf
  exactmatch matrix graphs.amr -o matrix.npy -j 2
  exactmatch matrix graphs.bank --at-least 0.8 --format csv -o matrix.csv
  exactmatch matrix molecules/ --metric ged --at-most 5 -o distances.npy""",
    MatrixOptions,
    fills=".npy",
    shown=Shown,
    picture="exactmatch.studies.matrix.view:draw",
)
