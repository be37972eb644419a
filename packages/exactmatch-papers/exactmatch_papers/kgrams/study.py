"""The k-grams that SemBleu compares: list them, and count them per node and graph.

A *k-gram* is a path of *k* nodes with the roles between them
(:mod:`exactmatch.metrics.sembleu`).  Three questions about them:

* which k-grams a graph has (Song and Gildea 2019, table 1);
* how many k-grams contain each node, so how many are wrong if its concept is: in a
  tree of out-degree d, 3 of those up to k = 3 contain a leaf, d² + d + 1 the root,
  d² + 2d + 3 a branching node (Opitz, Parcalabescu and Frank 2020, figure 6, table 4
  and footnote 9);
* how their number grows with the number of nodes (Song and Gildea 2019, figure 3).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from exactmatch.base.errors import GraphError, InputError
from exactmatch.base.numbers import decimals, several
from exactmatch.base.options import function
from exactmatch.formats.dialects.sembleu import CONSTANT_MARK
from exactmatch.formats.pairs import sources
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import get_profile
from exactmatch.metrics.sembleu import (
    PathGraph,
    SemBleu,
    Variant,
    kgrams,
    path_graph,
    start_nodes,
)
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.scoring.results import name_of
from exactmatch.studies.answer import Answer
from exactmatch.views.tables import Column, Table, Tables, fields_table
from exactmatch_papers.kgrams.options import KgramOptions

Position: TypeAlias = Literal["root", "branching", "leaf", "alone"]

_POSITIONS: dict[tuple[bool, bool], Position] = {
    (False, True): "root",
    (True, True): "branching",
    (True, False): "leaf",
    (False, False): "alone",
}
"""Position of a node, by whether there are edges into it and out of it."""


@dataclass(frozen=True, slots=True)
class NodeKgrams:
    """Node of a graph, with the number of its k-grams.

    Attributes:
        node: its variable; a constant has none.
        label: its concept or value.
        position: its position in the graph.
        degree: the number of edges into it and out of it.
        counts: for k = 1, 2, … the number of k-grams that contain it.
    """

    node: str | None
    label: str
    position: Position
    degree: int
    counts: tuple[int, ...]

    @property
    def total(self) -> int:
        """Number of k-grams of all orders that contain it."""
        return sum(self.counts)


@dataclass(frozen=True, slots=True)
class GraphKgrams:
    """K-grams of one graph.

    Attributes:
        index, id: the graph's number, from 0, and its ``# ::id``.
        nodes: variables and constants.
        edges: roles between them.
        kgrams: for k = 1, 2, … each k-gram and how often it occurs, in the order in
            which SemBleu meets them.
        by_node: each node, in the order of reading.
    """

    index: int
    id: str | None
    nodes: int
    edges: int
    kgrams: tuple[tuple[tuple[str, int], ...], ...]
    by_node: tuple[NodeKgrams, ...]

    @property
    def totals(self) -> tuple[int, ...]:
        """Number of k-grams of each order."""
        return tuple(sum(n for _, n in counts) for counts in self.kgrams)

    def __str__(self) -> str:
        counts = ", ".join(f"{n} {k}-grams" for k, n in enumerate(self.totals, 1))
        return f"{name_of(self.index, self.id)}: {self.nodes} nodes, {counts}"


@dataclass(frozen=True, eq=False, repr=False)
class Kgrams(Answer):
    """K-grams of some graphs.

    Attributes:
        graphs: each graph's.
        repeated: the number of graphs that occurred before.
        options: the options.
        signature: what determines the k-grams.

    >>> from importlib.resources import files
    >>> from exactmatch_papers import list_kgrams
    >>> listed = list_kgrams(files("exactmatch") / "sample" / "gold.amr")
    >>> listed.repeated, sum(graph.totals[0] for graph in listed.graphs) > 40
    (0, True)
    """

    VIEW = "exactmatch_papers.kgrams.study:tables"

    graphs: tuple[GraphKgrams, ...]
    repeated: int
    options: KgramOptions
    signature: str


def kgrams_of(metric: SemBleu, graph: Graph, index: int) -> GraphKgrams:
    """Extract the k-grams of a graph as SemBleu does."""
    path_nodes = path_graph(graph, metric.profile)
    counted = kgrams(path_nodes, metric.order, metric.variant)
    counts = np.zeros((len(path_nodes.labels), metric.order), dtype=int)
    for path in paths(path_nodes, metric.order, metric.variant):
        counts[list(set(path)), len(path) - 1] += 1
    into = Counter(target for edges in path_nodes.edges for _, _, target in edges)
    nodes = []
    for node, label in enumerate(path_nodes.labels):
        name = graph.variables[node] if node < len(graph.variables) else None
        if name is not None and name.startswith(CONSTANT_MARK):
            name = None
        out = len(path_nodes.edges[node])
        where = _POSITIONS[into[node] > 0, out > 0]
        degree, node_counts = into[node] + out, tuple(counts[node].tolist())
        nodes.append(NodeKgrams(name, label.strip(), where, degree, node_counts))
    return GraphKgrams(
        index,
        graph.id,
        len(nodes),
        path_nodes.length - len(nodes),
        tuple(tuple((path.strip(), n) for path, n in k.items()) for k in counted),
        tuple(nodes),
    )


def paths(seen: PathGraph, order: int, variant: Variant) -> Iterator[tuple[int, ...]]:
    """Yield the paths of a graph's k-grams, as the nodes on them.

    :func:`~exactmatch.metrics.sembleu.kgrams` counts the same paths by their words.
    """
    skipped = seen.skipped if variant == "official" else {}
    unfinished: list[tuple[tuple[int, ...], tuple[int, ...]]]
    unfinished = [((v,), (skipped.get(v, -1),)) for v in start_nodes(seen, variant)]
    while unfinished:
        path, taken = unfinished.pop()
        yield path
        if len(path) < order:
            unfinished += [
                ((*path, target), (*taken, number))
                for number, _, target in seen.edges[path[-1]]
                if number not in taken
            ]


@dataclass(frozen=True, slots=True)
class Growth:
    """Growth of the number of k-grams of one order with the size of graphs.

    Attributes:
        k: the order.
        mean: k-grams of a graph, on average.
        slope: additional k-grams for each additional node, by a straight line through
            all graphs; NaN where all graphs have equally many nodes.
        r_squared: share of the variance that the line explains.
        bend: the quadratic term of a parabola in its place: 0 where growth is
            linear; NaN with fewer than three sizes of graphs.
    """

    k: int
    mean: float
    slope: float
    r_squared: float
    bend: float


def growth(graphs: Sequence[GraphKgrams]) -> list[Growth]:
    """Relate the number of k-grams to the number of nodes, for each order.

    Source: Song and Gildea (2019), section 3.3 and figure 3.
    """
    from scipy.stats import linregress

    nodes = np.array([graph.nodes for graph in graphs], dtype=np.float64)
    sizes = len(np.unique(nodes))
    lines = []
    for k, numbers in enumerate(zip(*(g.totals for g in graphs), strict=True), 1):
        counts = np.array(numbers, dtype=np.float64)
        slope = r_squared = bend = math.nan
        if sizes > 1:
            line = linregress(nodes, counts)
            slope = float(line.slope)
            if np.ptp(counts) > 0:
                r_squared = float(line.rvalue) ** 2
        if sizes > 2:
            curve = np.polynomial.Polynomial.fit(nodes, counts, 2).convert().coef
            bend = float(curve[2]) if len(curve) > 2 else 0.0
        lines.append(Growth(k, float(counts.mean()), slope, r_squared, bend))
    return lines


@dataclass(frozen=True, slots=True)
class PositionKgrams:
    """Number of k-grams that contain nodes of one position.

    Attributes:
        position: their position.
        nodes: the number of such nodes.
        mean: k-grams of all orders that contain one of them, on average.
        most: the largest number.
    """

    position: Position
    nodes: int
    mean: float
    most: int


def by_position(graphs: Sequence[GraphKgrams]) -> list[PositionKgrams]:
    """Count the k-grams that depend on a node, by its position."""
    positions = []
    nodes = [node for graph in graphs for node in graph.by_node]
    for position in _POSITIONS.values():
        totals = [node.total for node in nodes if node.position == position]
        if totals:
            mean = sum(totals) / len(totals)
            positions.append(PositionKgrams(position, len(totals), mean, max(totals)))
    return positions


def study(options: KgramOptions, reporter: Listener = SILENCE) -> Kgrams:
    """List the k-grams of graphs: the paths that SemBleu compares.

    Raises:
        InputError: if a file holds no graph, or none can be read.
        GraphError: if one cannot be read, unless it is to be left out.

    >>> from importlib.resources import files
    >>> from exactmatch_papers import list_kgrams
    >>> listed = list_kgrams(files("exactmatch") / "sample" / "gold.amr", ngram=2)
    >>> len(listed.graphs), listed.graphs[0].totals
    (40, (1, 0))
    """
    profile = get_profile(options.profile)
    metric = SemBleu(
        profile, sembleu=options.sembleu, ngram=options.ngram, weights=options.weights
    )
    graphs: list[GraphKgrams] = []
    seen: set[tuple[str, ...]] = set()
    index = repeated = 0
    streams = sources(options.paths, False, options.how_read, options.framework)
    with reporter.progress("extracting", None) as advance:
        for path, stream in zip(options.paths, streams, strict=True):
            before = index
            for block in stream:
                advance()
                is_repeated = tuple(block.content) in seen
                seen.add(tuple(block.content))
                repeated += is_repeated
                index += 1
                if (
                    is_repeated
                    and options.table == "growth"
                    and not options.keep_repeated
                ):
                    continue
                try:
                    read = metric.read(block)
                except GraphError as error:
                    if options.on_error != "skip":
                        raise
                    reporter.note(f"skipped: {error}")
                    continue
                for remark in read.remarks():
                    reporter.warn("lenient", remark)
                graphs.append(kgrams_of(metric, read.item, index - 1))
                if reporter.is_verbose:
                    reporter.note(str(graphs[-1]))
            if index == before:
                raise InputError(f"{path}: holds no graph")
    if not graphs:
        raise InputError(
            f"{', '.join(options.paths)}: no graph to extract k-grams from"
        )
    signature = "|".join(f"{key}:{value}" for key, value in metric.signature())
    return Kgrams(tuple(graphs), repeated, options, signature)


list_kgrams = function("list_kgrams", KgramOptions, study)


def tables(answer: Kgrams, digits: int | None = None) -> Tables:
    """Return the table that the options name; decimals are fixed."""
    del digits
    shown = {"graphs": _lists, "nodes": _nodes, "growth": _growth}
    return shown[answer.options.table](answer)


def draw(path: str, answer: Kgrams) -> None:
    """Draw the k-grams of graphs against their nodes: a panel for each k.

    Points are larger where more graphs have the same numbers; the line is the
    least-squares fit.

    Source: Song and Gildea (2019), figure 3.
    """
    from exactmatch.views import pictures

    counts = np.array([(g.nodes, *g.totals) for g in answer.graphs], dtype=float)
    nodes, orders = counts[:, 0], counts.shape[1] - 1
    width = pictures.PAGE if orders > 1 else pictures.COLUMN
    with pictures.picture(path, width, 2.4) as figure:
        panels = figure.subplots(1, orders, sharey=True, squeeze=False)[0]
        for k, axes in enumerate(panels, 1):
            points, many = np.unique(counts[:, [0, k]], axis=0, return_counts=True)
            size = 1 + 12 * np.sqrt(many / many.max())
            axes.scatter(*points.T, s=size, color="0.45", rasterized=True)
            if len(np.unique(nodes)) > 1:
                line = np.polynomial.Polynomial.fit(nodes, counts[:, k], 1)
                ends = np.array((0.0, nodes.max()))
                axes.plot(ends, line(ends), color="black", linewidth=1, linestyle="--")
            axes.set_title(f"k = {k}", loc="center")
            axes.set_xlabel("nodes")
        panels[0].set(ylabel="k-grams", ylim=(0, None))


def _lists(answer: Kgrams) -> Tables:
    """Return a table of every graph's k-grams, as Song and Gildea (2019), table 1."""
    rows, flat, data = [], [], []
    for graph in answer.graphs:
        known = {"index": graph.index, "id": graph.id}
        listed: dict[str, Any] = {}
        for k, counts in enumerate(graph.kgrams, 1):
            listed[str(k)] = [{"kgram": path, "count": n} for path, n in counts]
            flat += [{**known, "k": k, **each} for each in listed[str(k)]]
            row = {"graph": _name(graph), "k": k, "number": graph.totals[k - 1]}
            words = (path if n == 1 else f"{path} (×{n})" for path, n in counts)
            rows.append({**row, "kgrams": "; ".join(words) or "-"})
        sizes = {"nodes": graph.nodes, "edges": graph.edges}
        data.append({**known, **sizes, "kgrams": listed})
    columns = (
        *(Column(name, name) for name in ("graph", "k", "number")),
        Column("kgrams", "k-grams", is_text=True),
    )
    fields = ("index", "id", "k", "kgram", "count")
    return Tables(
        "K-grams",
        (Table("", columns, rows),),
        {"graphs": data, "signatures": [answer.signature]},
        signatures=(answer.signature,),
        rows=fields_table(fields, flat),
    )


def _name(graph: GraphKgrams) -> str:
    return graph.id or f"graph {graph.index + 1}"


def _nodes(answer: Kgrams) -> Tables:
    """Return tables of the k-grams of each node, and of each position on average."""
    order = max((len(graph.kgrams) for graph in answer.graphs), default=0)
    data, rows = [], []
    for graph in answer.graphs:
        known = {"index": graph.index, "id": graph.id}
        for node in graph.by_node:
            own = asdict(node)
            own |= {f"k{k}": n for k, n in enumerate(own.pop("counts"), 1)}
            data.append({**known, **own, "total": node.total})
            rows.append({"graph": _name(graph), **data[-1]})
    columns = (
        Column("graph", "graph"),
        Column("index"),
        Column("id"),
        Column("node", "node", lambda value: "-" if value is None else str(value)),
        Column("label", "label", is_text=True),
        Column("position", "position", is_text=True),
        Column("degree", "degree"),
        *(Column(f"k{k}", f"k = {k}") for k in range(1, order + 1)),
        Column("total", "all"),
    )
    positions = [asdict(position) for position in by_position(answer.graphs)]
    summary = (
        Column("position", "position"),
        Column("nodes", "nodes"),
        Column("mean", "k-grams a node", decimals(2)),
        Column("most", "most"),
    )
    return Tables(
        "K-grams",
        (
            Table("k-grams that each node stands in", columns, rows),
            Table("by position", summary, positions),
        ),
        {"nodes": data, "positions": positions, "signatures": [answer.signature]},
        notes=("a wrong concept makes every k-gram wrong that its node stands in",),
        signatures=(answer.signature,),
    )


def _growth(answer: Kgrams) -> Tables:
    """Return a table of the growth of k-grams with the number of nodes."""
    graphs, repeated = answer.graphs, answer.repeated
    kept = answer.options.keep_repeated
    lines = [asdict(line) for line in growth(graphs)]
    nodes = [graph.nodes for graph in graphs]
    mean, most = sum(nodes) / len(nodes), max(nodes)
    columns = (
        Column("k", "k"),
        Column("mean", "k-grams a graph", decimals(1)),
        Column("slope", "more a node", decimals(2)),
        Column("r_squared", "R² of the line", decimals(3)),
        Column("bend", "quadratic term", decimals(4)),
    )
    title = f"{several(len(graphs), 'graph')} of {mean:.1f} nodes (at most {most})"
    data = {
        "graphs": len(graphs),
        "repeated": repeated,
        "repeated_counted": kept,
        "mean_nodes": mean,
        "most_nodes": most,
        "growth": lines,
        "points": [
            {"index": g.index, "id": g.id, "nodes": g.nodes, "kgrams": list(g.totals)}
            for g in graphs
        ],
    }
    again = "counted" if kept else "left out"
    return Tables(
        "Growth of k-grams",
        (Table(title, columns, lines),),
        data,
        notes=(f"{repeated} repeated graphs are {again}",) if repeated else (),
        signatures=(answer.signature,),
    )
