"""Graphs that belong together."""

from __future__ import annotations

from collections.abc import Iterator

from exactmatch.base.errors import InputError
from exactmatch.base.markup import element
from exactmatch.base.numbers import several
from exactmatch.base.options import Options, optional
from exactmatch.many.options import ClusterOptions
from exactmatch.studies.many import OfMany, columns, command, level
from exactmatch.views.charts import dendrogram
from exactmatch.views.tables import Table, Tables, fields_table


class Shown(Options):
    """Options of the view of clusters."""

    TITLE = ClusterOptions.TITLE

    plot: str | None = optional(
        "draw dendrogram and heat map: .png, .svg, .pdf", metavar="FILE"
    )


COMMAND = command(
    "cluster",
    """Put similar graphs together, by hierarchical clustering of exact scores.

CSV has a row for each graph, with its cluster and whether it is its medoid.

Example:
  exactmatch cluster graphs.amr --at-least 0.6 --plot clusters.pdf""",
    ClusterOptions,
    shown=Shown,
    picture="exactmatch.studies.cluster:draw",
)


class Clustering(OfMany):
    """Graphs in clusters."""

    FINDS = "exactmatch.many.clusters:clusters"


study = Clustering.of


def tables(answer: Clustering, digits: int | None = None) -> Tables:
    """Return a row for each cluster, and one for each graph; all count from 1."""
    asked, found = answer.asked, answer.found
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
        cut = level(0.5 if asked.at_least is None else asked.at_least)
    note = f"{several(len(names), 'graph')} in {several(len(rows), 'cluster')}"
    if asked.k is not None and len(rows) < min(asked.k, len(names)):
        note += f", not {asked.k}: those that are equally near are merged together"
    return answer.shown(
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
        yield dendrogram(answer.found.tree.tolist(), names, _cut(answer))


def _cut(answer: Clustering) -> float:
    """The distance at which the tree is cut into the clusters."""
    asked, found = answer.asked, answer.found
    distances: list[float] = [0.0, *found.tree[:, 2].tolist()]
    if asked.k is None:
        return 1 - (0.5 if asked.at_least is None else asked.at_least)
    merged = len(found.labels) - len(found.medoids)
    around = distances[merged : merged + 2]
    return sum(around) / len(around)


def draw(path: str, answer: Clustering) -> None:
    """Draw the dendrogram and the scores in its order into a file."""
    from exactmatch.views import pictures

    (names,) = answer.names
    if len(names) < 2:
        raise InputError("one graph makes no dendrogram; name files with more")
    pictures.clusters(path, answer.found.tree, answer.found.scores, names, _cut(answer))
