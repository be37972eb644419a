"""View of clusters: tables and a dendrogram."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from exactmatch.base.errors import InputError
from exactmatch.base.markup import element
from exactmatch.base.numbers import several
from exactmatch.many.clusters import smaller_clusters
from exactmatch.many.scores import level
from exactmatch.studies.cluster.results import Clustering
from exactmatch.studies.many import columns, share
from exactmatch.views.charts import dendrogram
from exactmatch.views.tables import Column, Table, Tables, fields_table


def tables(answer: Clustering, digits: int | None = None) -> Tables:
    """Return a row for each cluster, and one for each graph; all count from 1."""
    options, result = answer.options, answer.result
    (names,) = answer.names
    rows = []
    for k, medoid in enumerate(result.medoids):
        members = [names[number] for number in result.members(k)]
        rows.append(
            {
                "cluster": k + 1,
                "graphs": len(members),
                "medoid": names[medoid],
                "cohesion": result.cohesion[k],
                "members": members,
            }
        )
    titles = {key: key for key in ("cluster", "graphs", "medoid")}
    shown = (
        *columns(digits, **titles, cohesion="mean score"),
        Column("members", "members", _listed, is_text=True),
    )
    flat = [
        {
            "graph": number + 1,
            "id": names[number],
            "cluster": label + 1,
            "medoid": int(result.medoids[label] == number),
        }
        for number, label in enumerate(result.labels)
    ]
    cut: tuple[str, object] = ("number", options.k)
    if options.k is None:
        cut = level(result.at_least)
    note = f"{several(len(names), 'graph')} in {several(len(rows), 'cluster')}"
    if options.k is not None and len(rows) < min(options.k, len(names)):
        note += f", not {options.k}: those that are equally near are merged together"
    if options.k is None and options.at_least is None and result.at_least is not None:
        note += (
            f", cut at score {share(digits)(result.at_least)}, the largest gap of the "
        )
        note += "tree; --at-least SCORE or -k N cuts it elsewhere"
    notes = [note, *_of_nearly_all(answer, [row["graphs"] for row in rows])]
    return answer.signed_tables(
        "Clusters",
        (Table("", shown, rows),),
        {"clusters": rows, "graphs": flat},
        [("linkage", options.linkage), cut],
        notes=notes,
        rows=fields_table(("graph", "id", "cluster", "medoid"), flat),
        parts=_tree(answer),
    )


def _of_nearly_all(answer: Clustering, sizes: Sequence[int]) -> Iterator[str]:
    """Say that a cluster holds nearly all graphs, and where to cut for smaller ones."""
    largest, n = max(sizes, default=0), sum(sizes)
    if len(sizes) < 2 or largest <= _MOST * n:
        return
    at_least = smaller_clusters(answer.result.tree)
    if at_least is not None:
        yield (
            f"cluster {sizes.index(largest) + 1} holds {largest} of {n} graphs; for "
            f"smaller clusters: --at-least {at_least:.{_PLACES}g}"
        )


_MOST = 0.8  # share of the graphs that are nearly all
_PLACES = 3

_NAMED = 6  # members of a cluster that its row names


def _listed(members: Sequence[str]) -> str:
    """Return the first members of a cluster, with the number of the others."""
    rest = len(members) - _NAMED
    rest_note = f" … {rest} more" if rest > 0 else ""
    return f"{', '.join(members[:_NAMED])}{rest_note}"


_DRAWN = 300  # graphs up to which a page draws the tree


def _tree(answer: Clustering) -> Iterator[str]:
    """Yield the dendrogram of a page, with the line that cuts it."""
    (names,) = answer.names
    if len(names) <= _DRAWN:
        yield element("h2", "Tree")
        tree, labels = answer.result.tree.tolist(), answer.result.labels
        yield dendrogram(tree, names, _cut(answer), [int(label) for label in labels])


def _cut(answer: Clustering) -> float:
    """Return the distance at which the tree is cut into the clusters."""
    options, result = answer.options, answer.result
    distances: list[float] = [0.0, *result.tree[:, 2].tolist()]
    if options.k is None:
        return 1 - (0.5 if result.at_least is None else result.at_least)
    merged = len(result.labels) - len(result.medoids)
    around = distances[merged : merged + 2]
    return math.fsum(around) / len(around)


def draw(path: str, answer: Clustering) -> None:
    """Draw the dendrogram and the scores in its order into a file."""
    from exactmatch.views import pictures

    (names,) = answer.names
    if len(names) < 2:
        raise InputError("one graph makes no dendrogram; name files with more")
    result = answer.result
    labels = [int(label) for label in result.labels]
    pictures.clusters(path, result.tree, result.scores, names, _cut(answer), labels)
