"""Class ``AMR`` of smatch 1.0.4's module ``amr``, as far as others use it.

Differences: a malformed AMR is a :class:`~exactmatch.base.errors.GraphError` where
smatch prints a message and returns ``None``.
"""

from __future__ import annotations

from collections.abc import Iterable

from exactmatch.adapters import hinted
from exactmatch.base.errors import GraphError
from exactmatch.formats.blocks import Block
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.reading import read_one

TripleLists = tuple[
    list[tuple[str, str, str]], list[tuple[str, str, str]], list[tuple[str, str, str]]
]
"""Instance, attribute and relation triples, each ``(role, node, value)``."""

METRIC = Smatch(PROFILES["smatch"])  # reads and counts as smatch does
TOP = ("TOP", "top")  # the attribute that marks the first node


class AMR:
    """A graph as parallel lists with one entry for each node.

    Attributes:
        nodes: the nodes' names.
        node_values: their concepts.
        relations: for each node its ``[role, other node]`` lists.
        attributes: for each node its ``[role, constant]`` lists.
        root: the first node's name.
    """

    def __init__(
        self,
        node_list: list[str] | None = None,
        node_value_list: list[str] | None = None,
        relation_list: list[list[list[str]]] | None = None,
        attribute_list: list[list[list[str]]] | None = None,
    ) -> None:
        self.nodes = list(node_list or [])
        self.node_values = list(node_value_list or [])
        self.relations = list(relation_list or [])
        self.attributes = list(attribute_list or [])
        self.root = self.nodes[0] if self.nodes else None

    def rename_node(self, prefix: str) -> None:
        """Rename the nodes to *prefix* and their number, in place."""
        names = {name: f"{prefix}{i}" for i, name in enumerate(self.nodes)}
        self.nodes = [names[name] for name in self.nodes]
        for relations in self.relations:
            for relation in relations:
                relation[1] = names[relation[1]]

    def get_triples(self) -> TripleLists:
        """Return instance, attribute and relation triples, ``(role, node, value)``."""
        nodes = list(enumerate(self.nodes))
        return (
            [("instance", name, self.node_values[i]) for i, name in nodes],
            [(r, name, value) for i, name in nodes for r, value in self.attributes[i]],
            [(r, name, target) for i, name in nodes for r, target in self.relations[i]],
        )

    @staticmethod
    def get_amr_line(input_f: Iterable[str]) -> str:
        """Read the next AMR of an open file as one line; empty at the end.

        Lines that begin with ``#`` are left out; a blank line ends the AMR.
        """
        lines: list[str] = []
        for line in input_f:
            stripped = line.strip()
            if stripped and not stripped.startswith("#"):
                lines.append(stripped)
            elif not stripped and lines:
                break
        return "".join(lines)

    @staticmethod
    def parse_AMR_line(line: str) -> AMR:  # noqa: N802  smatch's own name
        """Read one AMR.

        Raises:
            GraphError: if smatch 1.0.4 cannot read it.
        """
        graph = read_line(line)
        labels, names = graph.labels, graph.variables
        places = [v for v, _ in graph.instances]
        relations: dict[int, list[list[str]]] = {v: [] for v in places}
        attributes: dict[int, list[list[str]]] = {v: [] for v in places}
        for source, role, target in graph.relations:
            relations[source].append([labels[role], names[target]])
        for v, role, value in graph.attributes:
            attributes[v].append([labels[role], labels[value]])
        amr = AMR(
            [names[v] for v in places],
            [labels[concept] for _, concept in graph.instances],
            [_share(relations[v], places.count(v)) for v in places],
            [_share(attributes[v], places.count(v)) for v in places],
        )
        amr.attributes[0].append(list(TOP))
        return amr


def read_line(line: str, name: str | None = None) -> Graph:
    """Read one AMR as smatch 1.0.4 does, or refuse it by its *name*."""
    read = read_one(METRIC, Block((line,), (line,), 1, None))
    if isinstance(read.error, GraphError) and name is not None:
        raise GraphError(read.error.reason, graph_id=name)
    if read.error is not None:
        raise read.error
    graph: Graph = read.item
    return graph


def _share(rows: list[list[str]], n_places: int) -> list[list[str]]:
    """Return copies of the rows of one of several equal nodes."""
    return [list(row) for row in rows[: len(rows) // n_places]]


__getattr__ = hinted(__name__)
