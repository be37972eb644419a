"""Edit distances of many graphs, where other metrics have scores.

With ``metric="ged"``, :func:`~exactmatch.many.matrix.cdist` and
:func:`~exactmatch.many.search.search` compute them: each edit costs 1, and near graphs
have small distances.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import InputError
from exactmatch.base.files import replacing
from exactmatch.edit.packed import listed
from exactmatch.many.comparison import Comparison, Signed
from exactmatch.many.options import (
    DISTANCE,
    CdistOptions,
    ClusterOptions,
    SearchOptions,
)
from exactmatch.many.targets import array_for, float_type
from exactmatch.scoring.reporter import CALLER, Reporter
from exactmatch.scoring.sources import File, as_list, expanded, paths_of

_HEEDED = (
    *("bank", "queries", "choices", "metric", "k", "jobs", "executor", "format_in"),
    *("max_bytes", "at_most", "labels", "costs", "field", "out", "dtype"),
)
"""The options that have an effect on distances."""

_OF_CLUSTERS = ("graphs", "linkage", "at_least")
"""Further options that have an effect on clusters."""


class Networks(NamedTuple):
    """One side of a comparison: networkx graphs, or mappings of nodes and edges."""

    graphs: Sequence[Any]
    names: Sequence[str]  # their names, or their numbers from 1

    @classmethod
    def of(
        cls,
        side: Any,
        format_in: str | None,
        field: str | None,
        note: Callable[[str], None],
    ) -> Networks:
        """Read a side, graphs in memory or files; count the parts that are left out."""
        from exactmatch.formats.network_texts import NamedGraph
        from exactmatch.formats.networks import read_graphs

        paths = paths_of(side)
        items = [*map(File, paths)] if paths else as_list(side)
        read_file = partial(read_graphs, format_in=format_in, field=field, note=note)
        read = expanded(items, read_file)
        if format_in is not None:
            read = listed(read, format_in)
        if paths and not read:
            raise InputError(f"{', '.join(paths)}: holds no graph")
        graphs = [
            network if isinstance(network, NamedGraph) else NamedGraph(None, network)
            for network in read
        ]
        names = [
            network.name or str(number) for number, network in enumerate(graphs, 1)
        ]
        return cls([network.graph for network in graphs], names)


class DistanceComparison(Comparison):
    """Reads networkx graphs and measures the edit distance of two of them.

    Raises:
        InputError: if an option has no effect on distances.
    """

    what = "distance"
    title = "Distances"
    proof = "every distance proven"

    def __init__(self, options: Any, reporter: Reporter = CALLER) -> None:
        self._note = reporter.note
        heeded: tuple[str, ...] = _HEEDED
        if isinstance(options, ClusterOptions):
            heeded += _OF_CLUSTERS
        for name, declared in options.DECLARED.items():
            unset: tuple[Any, ...] = (declared.default, None, {})
            if name not in heeded and getattr(options, name) not in unset:
                raise InputError(
                    f"--{name.replace('_', '-')} has no effect on --metric {DISTANCE}; "
                    "leave it out"
                )
        self.at_most = getattr(options, "at_most", None)
        self.costs, self.labels = options.costs, options.labels
        if self.labels is self.costs is None:
            self.labels = "all"
        self.sides: Sequence[Networks] = ()

    @property
    def names(self) -> Sequence[Sequence[str]]:
        """The names of the graphs of each side."""
        return [side.names for side in self.sides]

    def matrix(self, options: CdistOptions) -> Any:
        """Measure the distance of every query and every choice."""
        from exactmatch.edit.matrix import ged_matrix

        queries, choices = self._open(options, options.queries, options.choices)
        distances = ged_matrix(
            queries.graphs,
            None if choices is queries else choices.graphs,
            at_most=options.at_most,
            labels=self.labels,
            costs=self.costs,
            jobs=options.jobs,
            executor=options.executor,
        )
        return filled(distances, options.out, options.dtype)

    def nearest(self, options: SearchOptions) -> list[list[tuple[int, float]]]:
        """Find the graphs of a bank that are nearest to each query."""
        from exactmatch.edit.matrix import ged_search

        queries, bank = self._open(options, options.queries, options.bank)
        return ged_search(
            queries.graphs,
            bank.graphs,
            options.at_most,
            k=options.most,
            labels=self.labels,
            costs=self.costs,
            jobs=options.jobs,
            executor=options.executor,
        )

    def similarities(self, options: ClusterOptions) -> npt.NDArray[np.float64]:
        """Measure the similarity of every two graphs, as :class:`EditDistance` does.

        Returns:
            The entries right of the diagonal of the matrix, row by row, 0 to 1.
        """
        from exactmatch.edit.matrix import ged_matrix

        (side, _) = self._open(options, options.graphs, options.graphs)
        self.sides, graphs = (side,), side.graphs
        if not graphs:
            return np.zeros(0)
        measure = partial(
            ged_matrix,
            labels=self.labels,
            costs=self.costs,
            jobs=options.jobs,
            executor=options.executor,
        )
        sizes = np.asarray(measure(graphs, [_nothing_like(graphs[0])]))[:, 0]
        i, k = np.triu_indices(len(graphs), 1)
        largest, distances = sizes[i] + sizes[k], np.asarray(measure(graphs))[i, k]
        shares = np.divide(
            distances, largest, out=np.zeros_like(largest), where=largest > 0
        )
        return 1.0 - shares

    def signature(self) -> Signed:
        """Return the compared attributes of nodes and edges, or the costs."""
        names = self.labels
        if names is not None and not isinstance(names, str):
            names = ",".join(names)
        return [("metric", DISTANCE), ("labels", names), ("costs", self.costs)]

    def limits(self) -> Signed:
        """Return the largest distance of interest."""
        return [("at-most", self.at_most)]

    def plain(self, matrix: Any) -> dict[str, Any]:
        """Return distances, ``None`` for those above the limit, and their bounds."""
        rows = matrix.tolist()
        distances = [
            [None if math.isinf(distance) else distance for distance in row]
            for row in rows
        ]
        return {"distances": distances, "bounds": matrix.bounds.tolist()}

    def say_losses(self) -> None:
        """Report nothing: losses were reported when the files were read."""

    def written(self, digits: int | None) -> Callable[[Any], str]:
        """Return the function that writes distances."""
        del digits
        from exactmatch.edit.distance import number

        def write(value: Any) -> str:
            return f">{self.at_most:g}" if value is None else number(value)

        return write

    def _open(self, options: Any, queries: Any, others: Any) -> Sequence[Networks]:
        """Read both sides; if they are one object, read it once."""
        read = partial(
            Networks.of,
            format_in=options.format_in,
            field=options.field,
            note=self._note,
        )
        first = second = read(queries)
        if others is not queries:
            second = read(others)
        self.sides = (first, second)
        return self.sides


def _nothing_like(graph: Any) -> Any:
    """Return a graph without nodes, directed if this graph is."""
    import networkx

    if isinstance(graph, Mapping):
        return {"n": 0, "edges": [], "directed": bool(graph.get("directed", False))}
    is_directed = getattr(graph, "is_directed", bool)()
    return networkx.DiGraph() if is_directed else networkx.Graph()


def filled(distances: npt.NDArray[Any], out: Any, dtype: npt.DTypeLike) -> Any:
    """Return distances in the array or in the file that is to hold them."""
    entries = float_type(dtype)
    if isinstance(out, str | os.PathLike):
        with replacing(os.fspath(out)) as file:
            np.save(file, np.asarray(distances, entries))
        return np.load(out, mmap_mode="r")
    if out is None:
        return distances.astype(entries, copy=False)
    array = array_for(out, distances.shape, distances.dtype)
    array[:] = distances
    return array
