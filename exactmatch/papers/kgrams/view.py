"""What is shown of k-grams: lists, nodes, growth."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from exactmatch.base.numbers import decimals, several
from exactmatch.papers.kgrams.study import GraphKgrams, Kgrams, by_position, growth
from exactmatch.views.tables import Column, Table, Tables, fields_table


def tables(found: Kgrams, digits: int | None = None) -> Tables:
    """Return the table that is asked for; numbers have the decimals that they have."""
    del digits
    shown = {"graphs": _lists, "nodes": _nodes, "growth": _growth}
    return shown[found.asked.table](found)


def draw(path: str, found: Kgrams) -> None:
    """Draw the growth into a file."""
    from exactmatch.views import pictures

    points = [(graph.nodes, graph.totals) for graph in found.graphs]
    pictures.kgram_growth(path, points)


def _lists(found: Kgrams) -> Tables:
    """The k-grams of every graph, as in Song and Gildea (2019), table 1."""
    rows, flat, data = [], [], []
    for graph in found.graphs:
        known = {"index": graph.index, "id": graph.id}
        listed: dict[str, Any] = {}
        for k, kgrams in enumerate(graph.kgrams, 1):
            listed[str(k)] = [{"kgram": path, "count": n} for path, n in kgrams]
            flat += [{**known, "k": k, **each} for each in listed[str(k)]]
            row = {"graph": _name(graph), "k": k, "number": graph.totals[k - 1]}
            words = (path if n == 1 else f"{path} (×{n})" for path, n in kgrams)
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
        {"graphs": data, "signatures": [found.signature]},
        signatures=(found.signature,),
        rows=fields_table(fields, flat),
    )


def _name(graph: GraphKgrams) -> str:
    return graph.id or f"graph {graph.index + 1}"


def _nodes(found: Kgrams) -> Tables:
    """How many k-grams each node stands in, and each kind of node on average."""
    order = max((len(graph.kgrams) for graph in found.graphs), default=0)
    data = [
        {
            "index": graph.index,
            "id": graph.id,
            "node": node.node,
            "label": node.label,
            "position": node.position,
            "degree": node.degree,
            **{f"k{k}": n for k, n in enumerate(node.counts, 1)},
            "total": node.total,
        }
        for graph in found.graphs
        for node in graph.by_node
    ]
    names = [_name(graph) for graph in found.graphs for _ in graph.by_node]
    rows = [{"graph": name, **row} for name, row in zip(names, data, strict=True)]
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
    positions = [asdict(position) for position in by_position(found.graphs)]
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
        {"nodes": data, "positions": positions, "signatures": [found.signature]},
        notes=("a wrong concept makes every k-gram wrong that its node stands in",),
        signatures=(found.signature,),
    )


def _growth(found: Kgrams) -> Tables:
    """How the number of k-grams grows with the number of nodes."""
    graphs, repeated = found.graphs, found.repeated
    kept = found.asked.keep_repeated
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
        signatures=(found.signature,),
    )
