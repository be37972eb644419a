"""Options of a matrix of scores, and the command."""

from __future__ import annotations

from collections.abc import Mapping

from exactmatch.base.options import option
from exactmatch.many.options import CdistOptions, Side
from exactmatch.scoring.options import Formats
from exactmatch.studies.command import Command


class MatrixOptions(CdistOptions):
    """The options of ``cdist``, where choices may be left out."""

    TITLE = CdistOptions.TITLE

    choices: Side | None = option(default=None)  # type: ignore[assignment]  # the command's alone

    @property
    def idle(self) -> Mapping[str, str]:
        """Options that have no effect, with the reason."""
        if self.out is None:
            return {}
        why = "is a NumPy array, which has no --format; leave that out, or name a file"
        return {"--format": f"-o {self.out} {why} with another ending"}


COMMAND = Command(
    """Score every graph with every graph, exactly.

-o FILE.npy fills a NumPy array block by block, which may be larger than memory;
the same command after an interruption computes the blocks that are missing.

Example:
  exactmatch matrix parsed.amr gold.amr
  exactmatch matrix graphs.amr -o matrix.npy -j 2
  exactmatch matrix graphs.bank --at-least 0.8 --format csv -o matrix.csv""",
    MatrixOptions,
    "exactmatch.studies.matrix.view:study",
    titles=((Formats, "reading"),),
    is_verbose=False,
    fills=".npy",
)
