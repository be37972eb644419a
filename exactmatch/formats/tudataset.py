"""TUDatasets: folders of tables, as the graph kernel benchmarks are published.

``NAME_A.txt`` has an edge a line, ``NAME_graph_indicator.txt`` each node's graph, and
there may be tables of labels and attributes of nodes and edges, and labels of graphs.
Nodes are counted from 1, and so are graphs; some published sets count graphs from 0.

Source: Morris and others (2020), "TUDataset".
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, TypeAlias

from exactmatch.base.errors import InputError
from exactmatch.base.numbers import several
from exactmatch.formats.network_texts import NamedGraph, empty

Row: TypeAlias = "list[int | float]"

_EDGES, _OWNERS = "A", "graph_indicator"
_DIGITS = 18  # of a whole number; a longer one might be rounded
_UNUSUAL = re.compile(rf"[^\s,+\-0-9]|[0-9]{{{_DIGITS + 1}}}")


def tu_name(path: str) -> str | None:
    """Return the name of the TUDataset that a folder holds, if it holds one."""
    if not os.path.isdir(path):
        return None
    end = f"_{_OWNERS}.txt"
    names = [
        file_name.removesuffix(end)
        for file_name in os.listdir(path)
        if file_name.endswith(end)
    ]
    if len(names) > 1:
        raise InputError(
            f"{path}: holds several TUDatasets, {' and '.join(sorted(names)[:2])}; "
            "give each a folder of its own"
        )
    return names[0] if names else None


def tu_graphs(path: str, name: str, read: Callable[[str], str]) -> list[NamedGraph]:
    """Read the graphs of a TUDataset; their names are their numbers.

    Args:
        read: returns the text of a file.

    Raises:
        InputError: if a table is missing, does not fit the others, or has a line that
            is not of its kind; the message names file and line.
    """
    tables = _Tables(path, name, read)
    edges = tables.whole_numbers(_EDGES, 2, "an edge, two numbers of nodes")
    owners = [
        row[0] for row in tables.whole_numbers(_OWNERS, 1, "a node's graph, one number")
    ]
    of_nodes = tables.attributes("node", len(owners))
    of_edges = tables.attributes("edge", len(edges))
    classes = tables.rows("graph_labels")
    first, number = tables.numbering(owners, classes)
    edge_attributes = {(i, k): of_edges[place] for place, (i, k) in enumerate(edges)}
    directed = any(
        edge_attributes.get((k, i)) != of_both
        for (i, k), of_both in edge_attributes.items()
    )
    graphs = [empty(directed, multiple=False) for _ in range(number)]
    for node, owner in enumerate(owners, 1):
        graphs[owner - first].add_node(node, **of_nodes[node - 1])
    for (i, k), of_both in edge_attributes.items():
        wrong = ""
        if not (1 <= i <= len(owners) and 1 <= k <= len(owners)):
            wrong = f"one is not a node, which are numbered from 1 to {len(owners)}"
        elif owners[i - 1] != owners[k - 1]:
            wrong = "of two graphs"
        if wrong:
            where = tables.place(_EDGES, edges.index([i, k]))
            raise InputError(f"{where}: has an edge of {i} and {k}; {wrong}")
        graphs[owners[i - 1] - first].add_edge(i, k, **of_both)
    for graph, label in zip(graphs, classes or (), strict=False):
        graph.graph["class"] = label[0] if len(label) == 1 else tuple(label)
    return [NamedGraph(str(k), graph) for k, graph in enumerate(graphs, first)]


class _Tables:
    """The tables of a TUDataset, each a file of numbers with commas between."""

    def __init__(self, path: str, name: str, read: Callable[[str], str]) -> None:
        self._path, self._name, self._read = path, name, read

    def _file(self, table_name: str) -> str:
        return os.path.join(self._path, f"{self._name}_{table_name}.txt")

    def rows(self, table_name: str) -> list[Row] | None:
        """Return the rows of a table, equally long, or ``None`` if it is missing."""
        file = self._file(table_name)
        if not os.path.isfile(file):
            return None
        rows = _numbers(self._read(file), file)
        widths = [*map(len, rows)]
        if len({*widths}) > 1:
            wrong = next(k for k, width in enumerate(widths) if width != widths[0])
            raise InputError(
                f"{self.place(table_name, wrong)}: has "
                f"{several(widths[wrong], 'number')}, where the first line has "
                f"{widths[0]}"
            )
        return rows

    def whole_numbers(self, table_name: str, width: int, meaning: str) -> Any:
        """Return the rows of a table that must be there and holds whole numbers."""
        rows = self.rows(table_name)
        if rows is None:
            raise InputError(
                f"{self._path}: has no file {self._name}_{table_name}.txt; a TUDataset "
                "has one"
            )
        if rows and (len(rows[0]) != width or {*map(type, chain(*rows))} != {int}):
            is_wrong = (len(row) != width or {*map(type, row)} != {int} for row in rows)
            place = [*is_wrong].index(True)
            numbers = ", ".join(map(str, rows[place]))
            raise InputError(
                f"{self.place(table_name, place)}: is {numbers!r}; a line of this "
                f"table is {meaning}"
            )
        return rows

    def attributes(self, kind: str, number: int) -> list[dict[str, Any]]:
        """Return ``label`` and ``attributes``, if any, of each node or edge."""
        attributes: list[dict[str, Any]] = [{} for _ in range(number)]
        for key, table_name in (("label", "labels"), ("attributes", "attributes")):
            rows = self.rows(f"{kind}_{table_name}")
            if rows is not None and len(rows) != number:
                raise InputError(
                    f"{self._path}: {self._name}_{kind}_{table_name}.txt has "
                    f"{several(len(rows), 'line')} for {several(number, kind)}"
                )
            for attributes_of_one, row in zip(attributes, rows or (), strict=False):
                attributes_of_one[key] = (
                    row[0] if key == "label" and len(row) == 1 else tuple(row)
                )
        return attributes

    def numbering(
        self, owners: Sequence[int], classes: Sequence[Row] | None
    ) -> tuple[int, int]:
        """Return the number of the first graph, 0 or 1, and how many there are.

        Graphs without nodes are known by their labels alone.
        """
        seen = {*owners}
        first = 0 if 0 in seen else 1
        number = len(seen) if classes is None else len(classes)
        for place, owner in enumerate(owners):
            if not 0 <= owner - first < number:
                rule = f"has {several(number, 'graph')}; number them without gaps"
                if classes is not None:
                    rule = f"has labels of {several(number, 'graph')}"
                raise InputError(
                    f"{self.place(_OWNERS, place)}: is of graph {owner}, but the set "
                    f"{rule}, from {first} on"
                )
        return first, number

    def place(self, table_name: str, row: int) -> str:
        """Return file and line of a row, which empty lines may stand before."""
        file = self._file(table_name)
        lines = enumerate(self._read(file).splitlines(), 1)
        numbers = [number for number, line in lines if line.strip()]
        return f"{file}:{numbers[row]}"


def _numbers(text: str, file: str) -> list[Row]:
    """Read the numbers of each line that is not empty."""
    lines = text.splitlines()
    if not _UNUSUAL.search(text):  # whole numbers, which int reads fastest
        try:
            return [[*map(int, line.split(","))] for line in lines if line.strip()]
        except ValueError:  # the place of which is looked for below
            pass
    return [
        [_number(part, file, number) for part in line.split(",")]
        for number, line in enumerate(lines, 1)
        if line.strip()
    ]


def _number(text: str, file: str, line: int) -> int | float:
    """Read a finite number; a whole one is an integer, however it is written."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    written, fault = text.strip(), "not a number"
    if written.isdecimal():
        if len(written) <= _DIGITS:
            return int(written)
        value, fault = math.nan, f"a number of more than {_DIGITS} digits"
    if "_" in text or not math.isfinite(value):
        shown = written if len(written) < 40 else f"{written[:40]}…"
        raise InputError(f"{file}:{line}: has {shown!r}, which is {fault}")
    return int(value) if value.is_integer() and abs(value) < 2**53 else value
