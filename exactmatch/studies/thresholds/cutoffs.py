"""Matches of two graphs at every cutoff of similarity, by few exact solutions.

The match of two graphs falls as the cutoff rises, and changes only at similarities that
occur in them.  An alignment that is best at one cutoff keeps its match until the cutoff
passes the least similarity that it uses.  Up to there no other alignment can match
more, so the next problem is solved beyond.  If the match is that of the highest cutoff
already, it stays the same, and no more problems are solved.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from exactmatch.base.deadline import seconds_left
from exactmatch.base.errors import InputError
from exactmatch.engine.problem import GraphProblem
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.metrics.base import Metric, SolvedPair
from exactmatch.metrics.labelled.graded_problem import GradedProblem
from exactmatch.metrics.labelled.label_similarity import similarities
from exactmatch.metrics.labelled.matched_items import between
from exactmatch.metrics.labelled.rules import edge_similarities, node_similarities
from exactmatch.metrics.s2match import S2Match, SoftProblem
from exactmatch.solvers.problem import Alignment
from exactmatch.solvers.solution import Limits

Moves: TypeAlias = Literal["both", "nodes", "edges", "price"]
"""What is moved: the cutoff of both kinds of labels or of one, or a part's price."""

SAME_MATCH = 1e-6
"""Matches that differ by less are equal: solvers have rounded weights."""


class Steps(NamedTuple):
    """Matches of two graphs at every cutoff."""

    ends: tuple[float, ...]  # 0, the cutoffs at which matches change, 1
    matched: tuple[float, ...]  # on each stretch between two ends; decreasing
    totals: tuple[float, float]  # the items of both graphs
    proven: bool  # whether all matches are proven
    solved: int  # the number of solutions
    nothing: float  # the score of two graphs without items


class MovingCutoff(ABC):
    """Two graphs with a cutoff of similarity that moves.

    If a similarity equal to the cutoff counts, stretches include their upper ends;
    otherwise they include their lower ends.
    """

    counts_equal: bool

    def __init__(self, metric: AligningMetric[Any], values: Iterable[float]) -> None:
        self.metric = metric
        # the cutoffs at which anything may change
        self.ends = [0.0, *sorted({v for v in values if 0 < v < 1}), 1.0]

    def cutoff(self, stretch: int) -> float:
        """Return a cutoff within a stretch."""
        return self.ends[stretch + self.counts_equal]

    @abstractmethod
    def build_problem(self, cutoff: float) -> GraphProblem:
        """Build the problem at a cutoff."""

    @abstractmethod
    def used_similarities(self, alignment: Alignment) -> Iterable[float]:
        """Return the similarities of all aligned items, at the cutoff 0."""

    def last_end(self, alignment: Alignment, stretch: int) -> int:
        """Return the index of the end up to which an alignment keeps its match."""
        cutoff, used = self.cutoff(stretch), self.used_similarities(alignment)
        if not self.counts_equal:
            least = min((v for v in used if v > cutoff), default=1.0)
            return max(bisect_left(self.ends, least), stretch + 1)
        least = min((v for v in used if v > 0 and v >= cutoff), default=1.0)
        return bisect_right(self.ends, least) - 1


class GraphCutoff(MovingCutoff):
    """Two labelled graphs with a moving cutoff."""

    counts_equal = True

    def __init__(
        self, metric: AligningMetric[Any], problem: GradedProblem, moves: Moves
    ) -> None:
        self.problem = problem
        self.moved = {"both": ("nodes", "edges")}.get(moves, (moves,))
        left, right = problem.graphs
        rules = replace(problem.rules, node_cutoff=0.0, edge_cutoff=0.0)
        self.nodes = node_similarities(left, right, rules)
        self.edges = edge_similarities(left, right, rules)
        values: list[float] = []
        if "nodes" in self.moved:
            values += np.unique(self.nodes).tolist()
            left_values, right_values = (
                [*{v: None for facts in graph.attributes for _, v in facts}]
                for graph in (left, right)
            )
            of_values = similarities(left_values, right_values, rules.nodes, 0.0)
            values += np.unique(of_values).tolist()
        if "edges" in self.moved and rules.count != "nodes":
            values += np.unique(self.edges).tolist()
        super().__init__(metric, values)
        self.rules_without_cutoffs = replace(
            rules, table=self.nodes, edge_table=self.edges
        )
        self.edges_between = between(right)

    def build_problem(self, cutoff: float) -> GraphProblem:
        problem, rules = self.problem, self.problem.rules
        nodes = cutoff if "nodes" in self.moved else rules.node_cutoff
        edges = cutoff if "edges" in self.moved else rules.edge_cutoff
        moved = replace(
            self.rules_without_cutoffs, node_cutoff=nodes, edge_cutoff=edges
        )
        return replace(problem, rules=moved, prebuilt=None)

    def used_similarities(self, alignment: Alignment) -> Iterable[float]:
        left, right = self.problem.graphs
        rules = self.rules_without_cutoffs
        image = {i: j for i, j in enumerate(alignment) if j != -1}
        if "nodes" in self.moved:
            for i, j in image.items():
                yield self.nodes[i, j]
                if rules.count == "nodes-and-edges":
                    left_attributes, right_attributes = (
                        left.attributes[i],
                        right.attributes[j],
                    )
                    for name, value in left_attributes:
                        same = [
                            right_value
                            for attribute, right_value in right_attributes
                            if attribute == name
                        ]
                        yield from similarities([value], same, rules.nodes, 0.0).ravel()
        if "edges" in self.moved and rules.count != "nodes":
            for e, (i, k, _) in enumerate(left.edges):
                if i in image and k in image:
                    ends = sorted((image[i], image[k]))
                    for f in self.edges_between.get((ends[0], ends[1]), ()):
                        yield self.edges[e, f]


class ConceptCutoff(MovingCutoff):
    """Two graphs with graded concepts and a moving cutoff."""

    metric: S2Match
    counts_equal = False

    def __init__(self, metric: S2Match, problem: SoftProblem) -> None:
        self.sides = problem.sides
        self.words = metric.words(*self.sides)
        values = self.words.ravel().tolist()
        self.several = any(side.several for side in self.sides)
        if self.several:
            lists = [[c for v in side.concepts for c in v] for side in self.sides]
            numbers = map(metric.similarity.numbers, lists)
            values += metric.grading().words(*numbers).ravel().tolist()
        super().__init__(metric, values)

    def last_end(self, alignment: Alignment, stretch: int) -> int:
        return stretch + 1 if self.several else super().last_end(alignment, stretch)

    def build_problem(self, cutoff: float) -> GraphProblem:
        return self.metric.with_cutoff(cutoff).build_problem(*self.sides)

    def used_similarities(self, alignment: Alignment) -> Iterable[float]:
        left, right = self.sides
        n, m = left.coded.n_variables, right.coded.n_variables
        cells = [(i, j) for i, j in enumerate(alignment) if j != -1]
        for a, i in enumerate(left.marks, n):
            for b, j in enumerate(right.marks, m):
                if alignment[i] == j:
                    cells.append((a, b))
        return [self.words[cell] for cell in cells]


def movable(metric: Metric) -> AligningMetric[Any]:
    """Return a metric that has a cutoff; refuse others."""
    if isinstance(metric, AligningMetric) and metric.cutoff_of:
        return metric
    raise InputError(
        f"metric {metric.name!r} has no cutoff to be moved; name graph or s2match"
    )


def moving(
    metric: AligningMetric[Any], problem: Any, moves: Moves = "both"
) -> MovingCutoff:
    """Return the moving cutoff of a metric for the problem of two graphs."""
    if moves == "price":
        raise InputError(
            "a score changes gradually with a price, so it has no steps; "
            "studies.thresholds finds its pieces"
        )
    if metric.cutoff_of == "labels":
        of_labels: Any = metric  # a LabelledMatch, or what a plug-in derives from it
        if of_labels.rules.parts is not None:
            raise InputError(
                "parts have a cutoff of their own, so with parts no other is moved; "
                "move their price instead (moves price), or leave out parts"
            )
        return GraphCutoff(metric, problem, moves)
    if moves != "both":
        raise InputError(f"moves is {moves!r}, but s2match has one cutoff alone")
    of_concepts: Any = metric  # S2Match, or what a plug-in derives from it
    return ConceptCutoff(of_concepts, problem)


def steps(pair: MovingCutoff, limits: Limits) -> Steps:
    """Find the matches of two graphs at every cutoff, within limits for all of them.

    When the time is over, the remaining cutoffs get the matches of the last one, which
    are a lower bound and not proven.
    """
    last = len(pair.ends) - 2

    def solve(stretch: int) -> SolvedPair:
        problem = pair.build_problem(pair.cutoff(stretch))
        remaining = limits.remaining()
        solved_pair: SolvedPair = pair.metric.solve_problem(
            problem, remaining, "alignment"
        )
        return solved_pair

    top = solve(last)
    solved, proven = 1, True
    ends, matches, stretch = [0.0], list[float](), 0
    while stretch <= last:
        is_late = stretch < last and seconds_left() <= 0
        pair_at_cutoff = solve(stretch) if stretch < last and not is_late else top
        solved += stretch < last and not is_late
        matched, is_proven = (
            pair_at_cutoff.statistics[0],
            pair_at_cutoff.solution.is_optimal,
        )
        proven = proven and is_proven and not is_late
        end = (
            last + 1
            if is_late
            else pair.last_end(pair_at_cutoff.solution.alignment, stretch)
        )
        if matched <= top.statistics[0] + SAME_MATCH:
            end = last + 1
        if matches and matched >= matches[-1] - SAME_MATCH:
            ends[-1] = pair.ends[end]
        else:
            matches.append(matched)
            ends.append(pair.ends[end])
        stretch = end
    totals = top.statistics[2], top.statistics[3]
    nothing = top.problem.profile.score_of_nothing
    return Steps(tuple(ends), tuple(matches), totals, proven, solved, nothing)


def unknown(problem: GraphProblem) -> Steps:
    """Return the steps of two graphs when no time is left: nothing matches."""
    totals = float(problem.left.total), float(problem.right.total)
    nothing = problem.profile.score_of_nothing
    return Steps((0.0, 1.0), (0.0,), totals, False, 0, nothing)


def f1_of(steps: Steps) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the F1 on each stretch."""
    total = math.fsum(steps.totals)
    if not total:
        return np.full(len(steps.matched), steps.nothing)
    f1: np.ndarray[Any, np.dtype[np.float64]] = 2 * np.array(steps.matched) / total
    return f1 if all(steps.totals) else np.zeros_like(f1)
