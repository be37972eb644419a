"""Sets that are folders: TUDataset's tables, and the collections of IAM.

A TUDataset is files ``NAME_A.txt`` (an edge a line), ``NAME_graph_indicator.txt`` (each
node's graph) and, perhaps, labels and attributes of nodes, edges and graphs; all count
from 1.  A collection (``.cxl``) lists files of GXL beside it.

Sources: Morris and others (2020), "TUDataset"; Riesen and Bunke (2008), "IAM graph
database repository".
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from exactmatch.base.errors import InputError, no_xml
from exactmatch.formats.network_texts import NamedGraph, empty

Read = Callable[[str], str]
"""Returns the text of a file."""


def tu_name(path: str) -> str | None:
    """Return the name of the TUDataset that a folder holds, if it holds one."""
    if not os.path.isdir(path):
        return None
    ending = "_graph_indicator.txt"
    names = [
        one.removesuffix(ending) for one in os.listdir(path) if one.endswith(ending)
    ]
    if len(names) > 1:
        raise InputError(
            f"{path}: holds several TUDatasets, {' and '.join(sorted(names)[:2])}; "
            "give each a folder of its own"
        )
    return names[0] if names else None


def tu_graphs(path: str, name: str, read: Read) -> list[NamedGraph]:
    """Read the graphs of a TUDataset; their names are their numbers, from 1.

    Raises:
        InputError: if the tables do not fit together.
    """

    def table(what: str) -> list[list[Any]] | None:
        file = os.path.join(path, f"{name}_{what}.txt")
        if not os.path.exists(file):
            return None
        return [
            [_number(part, f"{file}:{n}") for part in line.split(",")]
            for n, line in enumerate(read(file).splitlines(), 1)
            if line.strip()
        ]

    edges, owners = table("A"), table("graph_indicator")
    if edges is None or owners is None:
        raise InputError(f"{path}: has no file {name}_A.txt; a TUDataset has one")
    of_nodes, of_edges = (
        _attributes(
            path,
            name,
            kind,
            len(rows),
            table(f"{kind}_labels"),
            table(f"{kind}_attributes"),
        )
        for kind, rows in (("node", owners), ("edge", edges))
    )
    classes = table("graph_labels")
    known = {tuple(ends): of_edges[k] for k, ends in enumerate(edges)}
    directed = any(known.get((k, i)) != of_both for (i, k), of_both in known.items())
    graphs = [empty(directed, multiple=False) for _ in range(max(o for (o,) in owners))]
    for node, (owner,) in enumerate(owners, 1):
        graphs[owner - 1].add_node(node, **of_nodes[node - 1])
    for i, k in known:
        if not (1 <= i <= len(owners) and 1 <= k <= len(owners)):
            raise InputError(f"{path}: has an edge of {i} and {k}; one is no node")
        if owners[i - 1] != owners[k - 1]:
            raise InputError(f"{path}: has an edge of {i} and {k}, of two graphs")
        graphs[owners[i - 1][0] - 1].add_edge(i, k, **known[i, k])
    for graph, (label,) in zip(graphs, classes or (), strict=False):
        graph.graph["class"] = label
    return [NamedGraph(str(number), graph) for number, graph in enumerate(graphs, 1)]


def _number(text: str, place: str) -> int | float:
    try:
        value = float(text)
    except ValueError:
        raise InputError(f"{place}: has {text.strip()!r}, which is no number") from None
    return int(value) if value.is_integer() else value


def _attributes(
    path: str,
    name: str,
    kind: str,
    number: int,
    labels: list[list[Any]] | None,
    values: list[list[Any]] | None,
) -> list[dict[str, Any]]:
    """Return the attributes of each node or edge: ``label`` and ``attributes``."""
    found: list[dict[str, Any]] = [{} for _ in range(number)]
    for key, table in (("label", labels), ("attributes", values)):
        if table is not None and len(table) != number:
            what = "labels" if key == "label" else key
            raise InputError(
                f"{path}: {name}_{kind}_{what}.txt has {len(table)} lines for {number} "
                f"{kind}s"
            )
        for own, row in zip(found, table or (), strict=False):
            own[key] = row[0] if key == "label" and len(row) == 1 else tuple(row)
    return found


def listed_in(text: str, path: str) -> Iterator[str]:
    """Yield the paths of the files that a collection lists.

    Raises:
        InputError: if it lists none, or one that is not there.
    """
    from xml.etree import ElementTree

    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise no_xml(error, path) from None
    names = [one.get("file") for one in root.iter() if one.get("file")]
    if not names:
        raise InputError(f"{path}: lists no file; a collection has <print file=…/>")
    for name in names:
        file = Path(path).parent / str(name)
        if not file.exists():
            raise InputError(
                f"{path}: lists {name}, and there is no such file beside it"
            )
        yield str(file)


def without_collections(files: list[str]) -> list[str]:
    """Leave out collections of a folder whose graphs are files of the folder, too."""
    graphs = [file for file in files if not file.endswith(".cxl")]
    return (
        graphs if any(file.endswith((".gxl", ".gxl.gz")) for file in graphs) else files
    )
