"""A graph whose concepts match by degrees, and the alignment of two as a problem.

Solvers maximise integers, so the problem holds graded matches rounded to units; what
an alignment matches is added up again in doubles, from the similarities themselves.
:mod:`exactmatch.metrics.s2match` says what that leaves exact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.engine.coding import CodedGraph
from exactmatch.engine.problem import StatedProblem
from exactmatch.solvers.problem import Alignment
from exactmatch.solvers.solution import Solution

Matrix: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class GradedGraph:
    """A coded graph and what of it is graded.

    Attributes:
        coded: the graph's counted triples.
        names: each variable's concept, empty where it has none, then the value of
            each mark of the root; normalised as the profile says.
        has_concept: whether each variable has a concept.
        marks: the variables that are marked as root, with a concept as value.
        spelt: all concepts of each variable, where one has several; else ``None``.
        context: the vector of each name in its sentence, shape ``(names, size)``;
            ``None`` where similarities do not depend on the sentence.
    """

    coded: CodedGraph
    names: tuple[str, ...]
    has_concept: npt.NDArray[np.bool_]
    marks: tuple[int, ...]
    spelt: tuple[tuple[str, ...], ...] | None
    context: Matrix | None = None


@dataclass(eq=False, kw_only=True)
class GradedProblem(StatedProblem):
    """An alignment problem whose unary weights hold graded matches.

    Attributes:
        soft: what two variables match beyond equal triples, in [0, 2], shape
            ``(left variables, right variables)``.
        sides: the two graphs, to be graded again.
    """

    soft: Matrix
    sides: tuple[GradedGraph, GradedGraph]

    def worth(self, alignment: Alignment, equal: int) -> int:
        grades = (round(part * self.scale) for part in self.softly(alignment))
        return equal * self.scale + sum(grades)

    def matched(self, alignment: Alignment, equal: int) -> float:
        return float(equal + math.fsum(self.softly(alignment)))

    def softly(self, alignment: Alignment) -> list[float]:
        """The graded match of each aligned pair."""
        cell = self.soft.item
        return [cell(i, j) for i, j in enumerate(alignment) if j != -1]

    def bound_of(self, solution: Solution, matched: float) -> float:
        if solution.is_optimal:
            return matched
        return max(matched, self.at_most(solution.bound))

    def at_most(self, units: int) -> float:
        rounding: float = min(self.soft.shape) / self.scale
        return units / self.scale + rounding


def all_concepts(graph: GradedGraph) -> tuple[tuple[str, ...], ...]:
    """All concepts of each variable."""
    if graph.spelt is not None:
        return graph.spelt
    named = zip(graph.has_concept.tolist(), graph.names, strict=False)
    return tuple((name,) if has_concept else () for has_concept, name in named)
