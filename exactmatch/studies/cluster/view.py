"""How clusters are shown: tables and a dendrogram."""

from __future__ import annotations

import math
from collections.abc import Iterator

from exactmatch.base.errors import InputError
from exactmatch.base.markup import element
from exactmatch.base.numbers import several
from exactmatch.many.scores import level
from exactmatch.studies.cluster.results import Clustering
from exactmatch.studies.many import columns, share
from exactmatch.views.charts import dendrogram
from exactmatch.views.tables import Table, Tables, fields_table


def tables(answer: Clustering, digits: int | None = None) -> Tables:
    """Return a row for each cluster, and one for each graph; all count from 1."""
    asked, found = answer.options, answer.result
    (names,) = answer.names
    rows = []
    for k, medoid in enumerate(found.medoids):
        members = [names[number] for number in found.members(k)]
        rows.append(
            {
                "cluster": k + 1,
                "graphs": len(members),
                "medoid": names[medoid],
                "cohesion": found.cohesion[k],
                "members": members,
            }
        )
    titles = {key: key for key in ("cluster", "graphs", "medoid")}
    shown = columns(digits, **titles, cohesion="mean score")
    flat = [
        {
            "graph": number + 1,
            "id": names[number],
            "cluster": label + 1,
            "medoid": int(found.medoids[label] == number),
        }
        for number, label in enumerate(found.labels)
    ]
    cut: tuple[str, object] = ("number", asked.k)
    if asked.k is None:
        cut = level(found.at_least)
    note = f"{several(len(names), 'graph')} in {several(len(rows), 'cluster')}"
    if asked.k is not None and len(rows) < min(asked.k, len(names)):
        note += f", not {asked.k}: those that are equally near are merged together"
    if asked.k is None and asked.at_least is None and found.at_least is not None:
        note += (
            f", cut at score {share(digits)(found.at_least)}, the largest gap of the "
        )
        note += "tree; --at-least SCORE or -k N cuts it elsewhere"
    return answer.signed_tables(
        "Clusters",
        (Table("", shown, rows),),
        {"clusters": rows, "graphs": flat},
        [("linkage", asked.linkage), cut],
        notes=(note,),
        rows=fields_table(("graph", "id", "cluster", "medoid"), flat),
        parts=_tree(answer),
    )


_DRAWN = 300  # a page draws the tree of so many graphs


def _tree(answer: Clustering) -> Iterator[str]:
    """The dendrogram of a page, with the line that cuts it."""
    (names,) = answer.names
    if len(names) <= _DRAWN:
        yield element("h2", "Tree")
        tree, labels = answer.result.tree.tolist(), answer.result.labels
        yield dendrogram(tree, names, _cut(answer), [int(label) for label in labels])


def _cut(answer: Clustering) -> float:
    """The distance at which the tree is cut into the clusters."""
    asked, found = answer.options, answer.result
    distances: list[float] = [0.0, *found.tree[:, 2].tolist()]
    if asked.k is None:
        return 1 - (0.5 if found.at_least is None else found.at_least)
    merged = len(found.labels) - len(found.medoids)
    around = distances[merged : merged + 2]
    return math.fsum(around) / len(around)


def draw(path: str, answer: Clustering) -> None:
    """Draw the dendrogram and the scores in its order into a file."""
    from exactmatch.views import pictures

    (names,) = answer.names
    if len(names) < 2:
        raise InputError("one graph makes no dendrogram; name files with more")
    found = answer.result
    labels = [int(label) for label in found.labels]
    pictures.clusters(path, found.tree, found.scores, names, _cut(answer), labels)
