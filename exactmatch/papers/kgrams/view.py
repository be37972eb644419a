"""What is shown of k-grams: lists, nodes, growth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from exactmatch.base.numbers import decimals, several
from exactmatch.papers.kgrams.kgrams import GraphKgrams, Kgrams, by_position, growth
from exactmatch.views.tables import Column, Table, Tables, fields_table


def tables(found: Kgrams, digits: int | None = None) -> Tables:
    """Return the table that is asked for; numbers have the decimals that they have."""
    del digits
    if found.asked.table == "growth":
        kept = found.asked.keep_repeated
        return growth_tables(found.graphs, found.repeated, kept, found.signature)
    made = node_tables if found.asked.table == "nodes" else list_tables
    return made(found.graphs, found.signature)


def draw(path: str, found: Kgrams) -> None:
    """Draw the growth into a file."""
    from exactmatch.views import pictures

    points = [(graph.nodes, graph.totals) for graph in found.graphs]
    pictures.kgram_growth(path, points)


def list_tables(graphs: Sequence[GraphKgrams], signature: str) -> Tables:
    """The k-grams of every graph, as in Song and Gildea (2019), table 1."""
    rows: list[dict[str, Any]] = [
        {
            "graph": _name(graph),
            "k": k,
            "number": sum(n for _, n in found),
            "kgrams": "; ".join(_times(path, n) for path, n in found) or "-",
        }
        for graph in graphs
        for k, found in enumerate(graph.kgrams, 1)
    ]
    flat = [
        {"index": graph.index, "id": graph.id, "k": k, "kgram": path, "count": n}
        for graph in graphs
        for k, found in enumerate(graph.kgrams, 1)
        for path, n in found
    ]
    table = Table(
        "",
        (
            Column("graph", "graph"),
            Column("k", "k"),
            Column("number", "number"),
            Column("kgrams", "k-grams", is_text=True),
        ),
        rows,
    )
    names = ("index", "id", "k", "kgram", "count")
    data = {
        "graphs": [_listed(graph) for graph in graphs],
        "signatures": [signature],
    }
    return Tables(
        "K-grams",
        (table,),
        data,
        signatures=(signature,),
        rows=fields_table(names, flat),
    )


def _name(graph: GraphKgrams) -> str:
    return graph.id or f"graph {graph.index + 1}"


def _times(path: str, count: int) -> str:
    return path if count == 1 else f"{path} (×{count})"


def _listed(graph: GraphKgrams) -> dict[str, Any]:
    return {
        "index": graph.index,
        "id": graph.id,
        "nodes": graph.nodes,
        "edges": graph.edges,
        "kgrams": {
            str(k): [{"kgram": path, "count": n} for path, n in found]
            for k, found in enumerate(graph.kgrams, 1)
        },
    }


def node_tables(graphs: Sequence[GraphKgrams], signature: str) -> Tables:
    """How many k-grams each node stands in, and each kind of node on average."""
    order = max((len(graph.kgrams) for graph in graphs), default=0)
    rows = [
        {
            "index": graph.index,
            "id": graph.id,
            "graph": _name(graph),
            "node": node.node,
            "label": node.label,
            "position": node.position,
            "degree": node.degree,
            **{f"k{k}": n for k, n in enumerate(node.counts, 1)},
            "total": node.total,
        }
        for graph in graphs
        for node in graph.by_node
    ]
    positions = [asdict(found) for found in by_position(graphs)]
    nodes = Table(
        "k-grams that each node stands in",
        (
            Column("graph", "graph"),
            Column("index"),
            Column("id"),
            Column("node", "node", _or_dash),
            Column("label", "label", is_text=True),
            Column("position", "position", is_text=True),
            Column("degree", "degree"),
            *(Column(f"k{k}", f"k = {k}") for k in range(1, order + 1)),
            Column("total", "all"),
        ),
        rows,
    )
    summary = Table(
        "by position",
        (
            Column("position", "position"),
            Column("nodes", "nodes"),
            Column("mean", "k-grams a node", decimals(2)),
            Column("most", "most"),
        ),
        positions,
    )
    note = "a wrong concept makes every k-gram wrong that its node stands in"
    data = {
        "nodes": [{k: v for k, v in row.items() if k != "graph"} for row in rows],
        "positions": positions,
        "signatures": [signature],
    }
    return Tables(
        "K-grams", (nodes, summary), data, notes=(note,), signatures=(signature,)
    )


def _or_dash(value: str | None) -> str:
    return "-" if value is None else value


def growth_tables(
    graphs: Sequence[GraphKgrams], repeated: int, kept: bool, signature: str
) -> Tables:
    """How the number of k-grams grows with the number of nodes.

    Args:
        graphs: what was counted.
        repeated: graphs that occur again.
        kept: whether those were counted too.
        signature: the metric's.
    """
    found = growth(graphs)
    nodes = [graph.nodes for graph in graphs]
    mean = sum(nodes) / len(nodes)
    again = "counted" if kept else "left out"
    table = Table(
        f"{several(len(graphs), 'graph')} of {mean:.1f} nodes (at most {max(nodes)})",
        (
            Column("k", "k"),
            Column("mean", "k-grams a graph", decimals(1)),
            Column("slope", "more a node", decimals(2)),
            Column("r_squared", "R² of the line", decimals(3)),
            Column("bend", "quadratic term", decimals(4)),
        ),
        [asdict(line) for line in found],
    )
    data = {
        "graphs": len(graphs),
        "repeated": repeated,
        "repeated_counted": kept,
        "mean_nodes": mean,
        "most_nodes": max(nodes),
        "growth": [asdict(line) for line in found],
        "points": [
            {
                "index": graph.index,
                "id": graph.id,
                "nodes": graph.nodes,
                "kgrams": list(graph.totals),
            }
            for graph in graphs
        ],
    }
    notes = (f"{repeated} repeated graphs are {again}",) if repeated else ()
    return Tables(
        "Growth of k-grams", (table,), data, notes=notes, signatures=(signature,)
    )
