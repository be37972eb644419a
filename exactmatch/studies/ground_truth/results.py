"""Edit distances of a set of graphs, kept in a folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exactmatch.studies.answer import Answer
from exactmatch.studies.ground_truth.folder import (
    Floats,
)


@dataclass(frozen=True, eq=False, repr=False)
class GroundTruth(Answer):
    """Distances of a set of graphs.

    Attributes:
        folder: the folder that holds them.
        manifest: the options, the progress, and the graphs' names and sizes.
        tables_of: the matrices by their names, in the files of the folder.

    >>> import tempfile
    >>> import networkx
    >>> from exactmatch import ground_truth
    >>> graphs = [networkx.path_graph(n) for n in (2, 4)]
    >>> truth = ground_truth(graphs, out=tempfile.mkdtemp())
    >>> float(truth.distances[0, 1]), truth.manifest["proven"]
    (4.0, 1)
    """

    VIEW = "exactmatch.studies.ground_truth.view:tables"

    folder: Path
    manifest: dict[str, Any]
    tables_of: dict[str, Floats]

    @property
    def distances(self) -> Floats:
        """Matrix of distances, NaN where one is not proven."""
        return self.tables_of["distances"]
