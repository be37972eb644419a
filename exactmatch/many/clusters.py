"""Clusters of similar graphs, by SciPy's agglomerative linkage of exact distances.

The distance of two graphs is 1 less their score (0 where a score exceeds 1); for edit
distances the score is the similarity, 1 less their share of replacing all.  The
tree is cut at a distance, or into a number of clusters; the *medoid* of a cluster is
its graph with the highest mean score.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import InputError
from exactmatch.base.markup import Markup, cell, element, joined, table
from exactmatch.base.numbers import Share, fixed, several
from exactmatch.base.options import function
from exactmatch.many.comparison import for_caller
from exactmatch.many.distances import DistanceComparison
from exactmatch.many.matrix import condensed
from exactmatch.many.options import ClusterOptions
from exactmatch.many.packed import Floats
from exactmatch.many.scores import ScoreComparison

_IN_LINE = 3
_IN_TABLE = 100  # clusters in a notebook's table


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Clusters:
    """Graphs in clusters.

    Attributes:
        labels: the cluster of each graph, from 0, in order of first appearance.
        medoids: the graph of each cluster with the highest mean score with the others,
            the first of equally good ones.
        cohesion: the mean score of the pairs of each cluster; 1 for a single graph.
        tree: SciPy's linkage matrix, shape ``(graphs - 1, 4)``.
        at_least: the score at which the tree is cut; ``None`` where *k* cuts it.
        scores: the matrix of scores.

    >>> import exactmatch
    >>> barks = ["(b / bark-01 :ARG0 (d / dog))", "(b / bark-01 :ARG0 (c / cat))"]
    >>> clusters = exactmatch.many.cluster([*barks, "(r / rain-01)"])
    >>> clusters.labels, clusters.members(0)
    ((0, 0, 1), [0, 1])
    >>> clusters
    3 graphs in 2 clusters: 2 around 0 (cohesion 0.7500), 1 around 2 (cohesion 1.0000)
    """

    labels: tuple[int, ...]
    medoids: tuple[int, ...]
    cohesion: tuple[float, ...]
    tree: npt.NDArray[np.float64]
    scores: Floats
    at_least: float | None = None

    def __repr__(self) -> str:
        first = [
            f"{size:,} around {medoid} (cohesion {fixed(cohesion, 4)})"
            for _, size, medoid, cohesion in self._rows()[:_IN_LINE]
        ]
        if len(self.medoids) > _IN_LINE:
            first.append("…")
        graphs = several(len(self.labels), "graph")
        clusters = several(len(self.medoids), "cluster")
        return f"{graphs} in {clusters}" + (f": {', '.join(first)}" if first else "")

    def _repr_html_(self) -> Markup:
        rows, share = self._rows(), Share(4)
        shown = [
            [*(cell(value, str(value)) for value in row), cell(mean, share(mean))]
            for *row, mean in rows[:_IN_TABLE]
        ]
        parts = [table(("cluster", "graphs", "medoid", "cohesion"), shown)]
        if len(rows) > _IN_TABLE:
            parts.append(element("p", f"and {len(rows) - _IN_TABLE:,} clusters more"))
        return joined(parts)

    def _rows(self) -> list[tuple[Any, ...]]:
        """Return the number of each cluster, its size, its medoid and its cohesion."""
        sizes = Counter(self.labels)
        about_each = zip(self.medoids, self.cohesion, strict=True)
        return [(k, sizes[k], *columns) for k, columns in enumerate(about_each)]

    def members(self, cluster: int) -> list[int]:
        """Return the numbers of the graphs in a cluster, from 0, increasing."""
        return [k for k, label in enumerate(self.labels) if label == cluster]


def clusters(
    options: ClusterOptions, comparison: ScoreComparison | DistanceComparison
) -> Clusters:
    """Group similar graphs into clusters.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if an option makes no sense.

    >>> import exactmatch
    >>> graphs = ["(b / bark-01)", "(r / rain-01)", "(x / bark-01)"]
    >>> exactmatch.many.cluster(graphs, at_least=0.9).labels
    (0, 1, 0)
    """
    k, at_least = options.k, options.at_least
    if at_least is not None and k is not None:
        raise InputError(
            "clusters are cut at a score or by number; give one of at_least and k"
        )
    if isinstance(comparison, DistanceComparison):
        between = comparison.similarities(options)
        n = len(comparison.names[0])
    else:
        (side,) = comparison.open(options.graphs)
        n, between = len(side), condensed(comparison, side)
    if n < 2:
        interval_of_one = (1.0,) * n
        return Clusters(
            (0,) * n, (0,) * n, interval_of_one, np.zeros((0, 4)), np.ones((n, n))
        )

    from scipy.cluster import hierarchy
    from scipy.spatial.distance import squareform

    scores = squareform(between, checks=False)
    np.fill_diagonal(scores, 1.0)
    distances = np.clip(1 - np.nan_to_num(between), 0, None)
    tree = hierarchy.linkage(distances, options.linkage)
    if k is not None:
        cut = np.arange(len(tree) + 1)  # old SciPys would make one cluster
        if k <= len(tree):
            cut = hierarchy.fcluster(tree, k, "maxclust")
    else:
        at_least = largest_gap(tree[:, 2]) if at_least is None else at_least
        limit = 1 - at_least
        cut = hierarchy.fcluster(tree, limit + _ROUNDING, "distance")
    order = dict.fromkeys(cut.tolist())
    place = {label: k for k, label in enumerate(order)}
    labels = tuple(place[label] for label in cut.tolist())
    medoids, cohesion = [], []
    for label in range(len(place)):
        members = np.flatnonzero(np.array(labels) == label)
        inner = scores[np.ix_(members, members)]
        medoids.append(int(members[np.argmax(np.round(inner.sum(axis=1), 9))]))
        pairs = len(members) * (len(members) - 1)
        total = float(inner.sum()) - len(members)
        cohesion.append(total / pairs if pairs else 1.0)
    return Clusters(labels, tuple(medoids), tuple(cohesion), tree, scores, at_least)


def largest_gap(distances: npt.NDArray[np.float64]) -> float:
    """Return the score in the middle of the largest gap between the merges of a tree.

    A cut there makes two clusters at least, of two graphs each on average, where there
    is such a gap.  Among equal gaps the one of the greatest distances counts; a tree
    without gaps is not cut if its merges are nearer to 0 than to 1.

    Args:
        distances: the distance of each merge, one less than there are graphs.

    >>> round(largest_gap(np.array([0.1, 0.2, 0.2, 0.8])), 4)
    0.5
    """
    heights = np.sort(np.clip(distances, 0, 1))
    gaps = np.round(np.diff(heights), 9)
    first = len(heights) // 2  # the merges before this one leave too many clusters
    begin = first if gaps[first:].any() else 0
    if not gaps.any():
        heights, gaps, begin = np.array([0.0, heights[0], 1.0]), np.ones(2), 0
        gaps[:] = heights[1], 1 - heights[1]
    place = len(gaps) - 1 - int(np.argmax(gaps[begin:][::-1]))
    return 1 - float(heights[place] + heights[place + 1]) / 2


def smaller_clusters(tree: npt.NDArray[np.float64]) -> float | None:
    """Return the score of a cut whose clusters hold half of the graphs at most.

    It lies in the middle of the largest gap between merges that leaves such clusters,
    of two graphs each on average where there is one; ``None`` if there is no gap.

    Args:
        tree: SciPy's linkage matrix.

    >>> merges = [[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.5, 4], [6, 7, 0.9, 5]]
    >>> round(smaller_clusters(np.array(merges)), 4)
    0.65
    """
    half = (len(tree) + 1) // 2
    largest = np.maximum.accumulate(tree[:, 3])
    merges = int(np.searchsorted(largest, half, "right"))
    heights = np.clip(np.maximum.accumulate(tree[: merges + 1, 2]), 0, 1)
    gaps = np.round(np.diff(heights), 9)
    if not gaps.any():
        return None
    begin = len(tree) // 2  # two graphs in each cluster on average, as above
    begin = begin if gaps[begin:].any() else 0
    place = len(gaps) - 1 - int(np.argmax(gaps[begin:][::-1]))
    return 1 - float(heights[place] + heights[place + 1]) / 2


cluster = function("cluster", ClusterOptions, for_caller(clusters))

_ROUNDING = 1e-9  # a distance that exceeds the limit by less is within it
