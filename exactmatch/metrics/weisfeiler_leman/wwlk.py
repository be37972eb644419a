"""WWLK: the earth mover's distance between two graphs' contextual nodes.

Each node begins with the vector of its label.  In every iteration it adds the mean of
its neighbours' vectors, each times the weight of the edge between (the product of the
weights of parallel edges).  A node's embedding is the vectors of all iterations side by
side, scaled to length 1.  All nodes of a graph weigh the same, together 1; to move
weight between two nodes costs the Euclidean distance of their embeddings, and

    WWLK = 1 - least cost of turning one graph's weights into the other's,

a linear program that is solved to its optimum.  It lies in [-1, 1].  Precision is 1
minus the mean distance of the prediction's nodes to their nearest ones in the
reference; recall is the other way round.

Source: Opitz, Daza and Frank (2021), section 4.2; Togninalli et al. (2019),
"Wasserstein Weisfeiler-Lehman Graph Kernels"; the program published with the former
(version 0.2); see ``docs/metrics/wlk.md``.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from exactmatch.base import values
from exactmatch.base.errors import InputError
from exactmatch.base.options import option
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import Profile
from exactmatch.metrics.base import VECTORS, Statistics
from exactmatch.metrics.similarity.vectors import (
    Matrix,
    Vector,
    VectorFile,
    unit_rows,
)
from exactmatch.metrics.weisfeiler_leman.wlk import (
    Direction,
    Kernel,
    KernelOptions,
    LabelledGraph,
)

DIMENSIONS = 100  # of vectors drawn without a file, as many as the paper's GloVe has
MAX_FLOWS = 4_000_000  # two graphs with more pairs of nodes are an error

_SENSE = re.compile(r"-[0-9]+")
_LABEL = re.compile(r'"[^"]*"|[^\s()]+')


def parts_of(label: str) -> list[str]:
    """Return the words whose vectors make a label's vector, without digits."""
    text = label.strip().replace('"', "").replace("'", "").lower()
    text = "false-not-untrue" if text == "-" else _SENSE.sub("", text).replace(":", "")
    return [*text.split("-"), *(text.split("_") if "_" in text else ())]


def vector_of(label: str, vectors: VectorFile | None) -> Vector:
    """Return the mean vector of a label's parts, or of a number's digits by place.

    A label without known parts gets a vector drawn by a seed from the label; the
    published program draws anew in every run.
    """
    if vectors is not None:
        parts = parts_of(label)
        part_vectors = [v for part in parts if (v := vectors.get(part)) is not None]
        if not part_vectors and parts[0].isnumeric():
            part_vectors = [
                v / place
                for place, digit in enumerate(parts[0], 1)
                if (v := vectors.get(digit)) is not None
            ]
        if part_vectors:
            mean: Vector = np.mean(part_vectors, axis=0)
            return mean
    size = DIMENSIONS if vectors is None else vectors.dimensions()
    seed = hashlib.sha256(label.encode("utf-8", "surrogatepass")).digest()
    drawn: Vector = np.random.default_rng(list(seed)).uniform(-0.05, 0.05, size)
    return drawn


def embeddings(
    graph: LabelledGraph,
    iterations: int,
    direction: Direction,
    weight: float,
    vectors: VectorFile | None,
) -> Matrix:
    """Embed each node as a row of length 1 or 0, from vectors known or drawn.

    Rows are ``dimensions * (iterations + 1)`` wide.
    """
    n = len(graph.labels)
    label_vectors = {label: vector_of(label, vectors) for label in set(graph.labels)}
    size = len(next(iter(label_vectors.values()))) if label_vectors else 0
    states = np.array([label_vectors[label] for label in graph.labels]).reshape(n, size)
    influence = np.zeros((n, n))
    sources = np.zeros(n)
    parallel = Counter((source, target) for source, _, target in graph.edges)
    for (source, target), times in parallel.items():
        if direction != "fromin":
            influence[source, target] += weight**times
            sources[source] += 1
        if direction != "fromout":
            influence[target, source] += weight**times
            sources[target] += 1
    influence /= np.maximum(sources, 1.0)[:, None]
    layers = [states]
    for _ in range(iterations):
        layers.append(layers[-1] + influence @ layers[-1])
    return unit_rows(np.concatenate(layers, axis=1))


def cheapest_flow(costs: Matrix) -> tuple[float, Matrix]:
    """Return the earth mover's distance between uniform weights, and its flow.

    The distance is the least cost of moving 1/n from each row so that 1/m arrives at
    each column. Neither *n* nor *m* is 0.
    """
    n, m = costs.shape
    if n == m:  # by Birkhoff and von Neumann, a permutation is among the cheapest
        from scipy.optimize import linear_sum_assignment

        rows, columns = linear_sum_assignment(costs)
        flow = np.zeros((n, m))
        flow[rows, columns] = 1 / n
        return math.fsum(costs[rows, columns]) / n, flow
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix

    # Whole supplies and demands, so that the solver has nothing to round.
    common = math.lcm(n, m)
    cells = np.arange(n * m)
    leaving, arriving = np.divmod(cells, m)
    ends = np.concatenate([leaving, n + arriving])
    balance = csr_matrix((np.ones(2 * n * m), (ends, np.tile(cells, 2))))
    demands = np.repeat([common // n, common // m], [n, m])
    solved = linprog(costs.reshape(-1), A_eq=balance, b_eq=demands, method="highs-ds")
    flow = np.rint(solved.x).reshape(n, m) / common
    return math.fsum((costs * flow).reshape(-1)), flow


class WwlkOptions(KernelOptions, purpose="measures"):
    """Options of WWLK: vectors, and the weight of neighbours."""

    vectors: str | None = VECTORS
    edge_weight: float = option(
        "how much a neighbour counts (default: 0.2)",
        default=0.2,  # the published program's ``constant``
        metavar="W",
        read=values.between(-1000, 1000),
    )


class Wwlk(Kernel):
    """The Wasserstein Weisfeiler-Leman kernel, its distance solved to the optimum.

    Without ``vectors``, every label has a vector of its own that is like no other's.

    Args:
        profile: how graphs are read; default ``smatchpp-generic``, which is how the
            published program reads them.

    Raises:
        InputError: if an option has no meaning or the file cannot be read.
    """

    name = "wwlk"
    title = "WWLK"
    summary = "Wasserstein Weisfeiler-Leman kernel of node embeddings"
    in_all = False
    options_class = WwlkOptions

    def __init__(self, profile: Profile | str | None = None, **options: Any) -> None:
        super().__init__(profile, **options)
        self.weight: float = self.options.edge_weight
        file = self.options.vectors
        self.vectors = None if file is None else VectorFile(file)
        self.preloads = file is not None

    @property
    def preparation_key(self) -> Hashable:
        return (Wwlk, self.profile, *self.steps(), self.weight, self.vectors)

    def preload(self, texts: Iterable[str]) -> None:
        if self.vectors is not None:
            labels = (label for text in texts for label in _LABEL.findall(text))
            self.vectors.preload(word for label in labels for word in _words_of(label))

    def prepare(self, item: Graph) -> Matrix:
        graph, options = self.nodes_and_edges(item), self.options
        steps = options.iterations, options.direction
        return embeddings(graph, *steps, self.weight, self.vectors)

    def statistics(self, pred: Matrix, gold: Matrix) -> Statistics:
        if not len(pred) or not len(gold):
            score_of_nothing = (
                self.profile.score_of_nothing if len(pred) == len(gold) else -1.0
            )
            pairs = float(self.has_score(len(pred), len(gold)))
            return score_of_nothing, score_of_nothing, score_of_nothing, pairs
        if len(pred) * len(gold) > MAX_FLOWS:
            raise InputError(
                f"{self.name}: graphs of {len(pred):,} and {len(gold):,} nodes have "
                f"more than {MAX_FLOWS:,} pairs of nodes; leave them out"
            )
        from scipy.spatial.distance import cdist

        costs: Matrix = cdist(pred, gold)
        cost, _ = cheapest_flow(costs)
        precision = 1 - math.fsum(costs.min(axis=1)) / len(pred)
        recall = 1 - math.fsum(costs.min(axis=0)) / len(gold)
        return 1 - cost, precision, recall, 1.0

    def signature(self) -> list[tuple[str, str]]:
        vectors = "drawn" if self.vectors is None else self.vectors.name()
        edge = ("edge", f"{self.weight:g}")
        return [("vectors", vectors), *self.steps(), edge, *self.profile.signature()]


def _words_of(label: str) -> list[str]:
    parts = parts_of(label.lstrip("/: ").strip())
    return [*parts, *(digit for part in parts if part.isnumeric() for digit in part)]
