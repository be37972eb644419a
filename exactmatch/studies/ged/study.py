"""Compute the edit distances of graphs that are paired in order."""

from __future__ import annotations

import math
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from exactmatch.base.errors import InputError
from exactmatch.base.numbers import several
from exactmatch.base.options import function
from exactmatch.base.paths import path_of, refuse_name
from exactmatch.edit.costs import compared_attributes
from exactmatch.edit.distance import EditDistance, measure_distance
from exactmatch.edit.options import GedOptions
from exactmatch.edit.packed import listed
from exactmatch.edit.triples import TripleOverlap
from exactmatch.formats.network_texts import NamedGraph
from exactmatch.formats.networks import read_graphs
from exactmatch.scoring.parallel import map_in_order
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.solvers.proof_files import check_proof_path
from exactmatch.studies.answer import Answer
from exactmatch.studies.ged.options import EditDistancesOptions


@dataclass(frozen=True, slots=True)
class GraphPair:
    """Pair of graphs and their distance; pairs are numbered from 0."""

    index: int
    names: tuple[str | None, str | None]  # of the graphs, where they have some
    result: EditDistance
    graphs: tuple[Any, ...] = field(default=(), repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        record = {"index": self.index, "names": list(self.names)}
        return record | self.result.to_dict()


@dataclass(frozen=True, eq=False, repr=False)
class EditDistances(Answer):
    """Edit distances of many pairs of graphs.

    Attributes:
        compared: the attributes that nodes and edges were compared by, in words.
        signature: what determines the distances.

    >>> import networkx
    >>> from exactmatch.studies import ged
    >>> distances = ged([networkx.path_graph(3)], [networkx.path_graph(5)])
    >>> distances.mean("distance"), distances.proven
    (4.0, 1)
    >>> print(str(distances).partition(";")[0])
    1 pair, every one proven
    """

    VIEW = "exactmatch.studies.ged.view:tables"

    pairs: tuple[GraphPair, ...]
    compared: str
    signature: str

    @property
    def proven(self) -> int:
        """Number of proven distances."""
        return sum(pair.result.proven for pair in self.pairs)

    def mean(self, name: str) -> float:
        """Return the mean of an attribute of all distances, such as ``similarity``."""
        values = [getattr(pair.result, name) for pair in self.pairs]
        return math.fsum(values) / len(values) if values else math.nan

    @property
    def triples(self) -> dict[str, TripleOverlap]:
        """Triples of all pairs together, by the way of counting."""
        ways = self.pairs[0].result.triples if self.pairs else ()
        return {
            way: TripleOverlap.total(pair.result.triples[way] for pair in self.pairs)
            for way in ways
        }


def study(options: EditDistancesOptions, reporter: Listener = SILENCE) -> EditDistances:
    """Compute the edit distance of each pair of graphs.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if the numbers of graphs differ, or an option is wrong.
        SolverError: if the solver is unknown, or records no certificates.

    >>> import networkx
    >>> graphs = [networkx.path_graph(3), networkx.cycle_graph(4)]
    >>> distances = ged(graphs, graphs[::-1], node_costs=(1, 2, 2))
    >>> [pair.result.distance for pair in distances.pairs]
    [4.0, 4.0]
    """
    if options.proof is not None:
        check_proof_path(options.proof)
    solver = options.chosen_solver(options.records)
    sides = options.first, options.second
    paths = [path_of(side) for side in sides]
    if paths == ["-", "-"]:
        raise InputError("standard input can be only one of the files")
    first, second = (_graphs(side, options, reporter) for side in sides)
    names = paths[0] or "the first side", paths[1] or "the second"
    if len(first) != len(second):
        raise InputError(
            f"{names[0]} holds {several(len(first), 'graph')} but {names[1]} "
            f"{several(len(second), 'graph')}; they are paired in order"
        )
    if options.proof is not None and len(first) != 1:
        raise InputError(f"--proof is of one pair, and there are {len(first)}")
    compare = partial(
        _compared, options.as_options(GedOptions, g1=None, g2=None), names
    )
    tasks = enumerate(zip(first, second, strict=True))
    answers = map_in_order(compare, tasks, options.jobs, options.executor)
    pairs = []
    with reporter.progress("comparing", len(first)) as advance, closing(answers):
        for pair in answers:
            graphs = first[pair.index].graph, second[pair.index].graph
            pairs.append(replace(pair, graphs=graphs))
            advance()
    proven = sum(pair.result.proven for pair in pairs)
    problems = (
        (f"pair {pair.index + 1}", pair.result.problem, pair.result.solution)
        for pair in pairs
    )
    reporter.solved(problems, len(pairs) - proven, options.certify)
    all_graphs = [g.graph for g in (*first, *second)]
    compared = compared_attributes(all_graphs, options).whole() if pairs else ""
    counts = f"{proven}/{len(pairs)}"
    signature = options.signature_with(solver, counts, options.seconds)
    return EditDistances(tuple(pairs), compared, signature)


ged = function("ged", EditDistancesOptions, study)


def _graphs(
    side: Any, options: EditDistancesOptions, reporter: Listener
) -> list[NamedGraph]:
    if (path := path_of(side)) is not None:
        return read_graphs(path, options.format_in, reporter.note, options.field)
    if isinstance(side, str):
        refuse_name(side, is_unreadable=True)
    return [NamedGraph(None, graph) for graph in listed(side, options.format_in)]


def _compared(
    options: GedOptions,
    names: tuple[str, str],
    task: tuple[int, tuple[NamedGraph, NamedGraph]],
) -> GraphPair:
    index, (first, second) = task
    try:
        g, h = first.graph, second.graph
        ways = [getattr(graph, "is_directed", str)() for graph in (g, h)]
        if set(ways) == {True, False}:
            first_name, second_name = names if ways[0] else names[::-1]
            raise InputError(
                f"the graph of {first_name} is directed and that of {second_name} is "
                "not; make both the same ('directed' in JSON, 'edgedefault' in "
                "GraphML, 'edgemode' in GXL, 'digraph' in DOT, --format-in "
                "directed-edge-list; triples are directed)"
            )
        roots = options.roots and (
            _node(g, options.roots[0]),
            _node(h, options.roots[1]),
        )
        result = measure_distance(options.replace(g1=g, g2=h, roots=roots))
    except InputError as error:
        raise InputError(f"pair {index + 1}: {error}") from None
    return GraphPair(index, (first.name, second.name), result)


def _node(graph: Any, name: Any) -> Any:
    """Return the node of a name, which may be the text of a node that is not one."""
    if name in graph:
        return name
    return next((node for node in graph if str(node) == name), name)
