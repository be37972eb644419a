"""Graph matching problems, as computer vision states them.

Some nodes of two sides may be matched, one-to-one, at a *cost* each, and any two
matches have a cost together.  Costs may be negative, nodes may stay unmatched, and the
total cost is minimised: a sparse quadratic assignment problem of Lawler's form.

Our solvers maximise, and their pair terms only reward.  Where a match *c* has positive
costs together with matches of another left node *k*, the largest of these costs is
charged to *c* in advance, and a pair term of *c* with each match of *k* refunds the
excess.  So that it is also refunded where *k* stays unmatched, *k* gets an extra match
that stands for this.

A ``.dd`` file has lines ``p left right matches pairs``, ``a number left right cost``
for each match, and ``e match match cost`` for each pair; other lines say where nodes
are, or are comments (``c``).

Sources: Torresani, Kolmogorov and Rother (2008), "Feature correspondence via graph
matching", for the problem and the format; Haller and others (2022), "A comparative
study of graph matching algorithms in computer vision", for the benchmark in it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from exactmatch.base.errors import InputError
from exactmatch.edit.costs import least_of, scale_of
from exactmatch.edit.problem import MAX_TERMS
from exactmatch.solvers.problem import Alignment, AlignmentProblem, FloatArray


@dataclass(frozen=True, slots=True)
class MatchingProblem:
    """A graph matching problem.

    Attributes:
        sizes: the numbers of left and right nodes.
        matches: the cost of each match, by left and right node.
        pairs: the cost of two matches together, the one with the smaller left node
            first; they share no node.
    """

    sizes: tuple[int, int]
    matches: dict[tuple[int, int], float]
    pairs: dict[tuple[tuple[int, int], tuple[int, int]], float]

    def cost(self, alignment: Alignment) -> float:
        """The cost of an alignment, added up in double precision."""
        chosen = {(i, j) for i, j in enumerate(alignment) if j >= 0}
        costs = [self.matches[c] for c in chosen]
        costs += [cost for pair, cost in self.pairs.items() if chosen.issuperset(pair)]
        return math.fsum(costs)

    def as_alignment(self) -> MatchingAsAlignment:
        """State the problem as an alignment problem, whose value is to be maximised."""
        costs: FloatArray = np.array([*self.matches.values(), *self.pairs.values()])
        total = 2 * float(np.abs(costs).sum()) * (1 + max(self.sizes))
        scale, is_exact = scale_of(costs, total) if len(costs) else (1, True)
        rows: dict[int, list[tuple[int, int]]] = {}
        for match in self.matches:
            rows.setdefault(match[0], []).append(match)
        unary = {c: -round(cost * scale) for c, cost in self.matches.items()}
        together: dict[tuple[tuple[int, int], int], dict[tuple[int, int], int]] = {}
        for (c, d), cost in self.pairs.items():
            together.setdefault((c, d[0]), {})[d] = round(cost * scale)
        terms: dict[tuple[tuple[int, int], tuple[int, int]], int] = {}
        for (c, k), given in together.items():
            most = max(0, *given.values())
            unary[c] -= most
            alone = (k, self.sizes[1] + k)
            others = [*rows[k], alone] if most else list(given)
            for d in others:
                saved = most - given.get(d, 0)
                if saved > 0 and c[1] != d[1]:
                    terms[c, d] = saved
            if len(terms) > MAX_TERMS:
                raise InputError(
                    f"the problem is too large: more than {MAX_TERMS:,} pairs of "
                    "matches cost something together"
                )
        left, right = self.sizes
        right += left if self.pairs else 0
        problem = AlignmentProblem.from_weights(left, right, unary, terms, scale)
        return MatchingAsAlignment(self, problem, is_exact)


@dataclass(frozen=True, slots=True)
class MatchingAsAlignment:
    """A graph matching problem as an alignment problem, and the way back.

    Costs may have been rounded to units of ``1 / problem.scale``.
    """

    matching: MatchingProblem
    problem: AlignmentProblem
    is_exact: bool

    @property
    def rounding(self) -> float:
        """The most by which rounding may change the cost of an alignment."""
        if self.is_exact:
            return 0.0
        matched = min(self.matching.sizes)
        return (matched + matched * (matched - 1) / 2) / (2 * self.problem.scale)

    def alignment(self, found: Alignment) -> Alignment:
        """A solver's alignment without the extra matches for unmatched nodes."""
        n_right = self.matching.sizes[1]
        return tuple(j if j < n_right else -1 for j in found)

    def least_cost(self, bound: int) -> float:
        """The lower bound on costs that *bound*, an upper bound on values, implies."""
        return least_of(-bound, self.problem.scale, self.rounding)


def read_dd(lines: Any, name: str) -> MatchingProblem:
    """Read the lines of a ``.dd`` file, of which messages know the name.

    Example:
        >>> lines = ["p 2 2 2 1", "a 0 0 0 -1", "a 1 1 1 -2", "e 0 1 0.5"]
        >>> read_dd(lines, "two.dd").cost((0, 1))
        -2.5
    """
    sizes: list[int] = []
    matches: dict[tuple[int, int], float] = {}
    numbered: dict[int, tuple[int, int]] = {}
    pairs: dict[tuple[tuple[int, int], tuple[int, int]], float] = {}
    counted = 0
    for place, line in enumerate(lines, 1):
        kind, *words = line.split() or ("c",)
        if kind not in ("p", "a", "e"):
            continue
        where, is_right, cost = f"{name}:{place}", True, 0.0
        if (kind == "p") == bool(sizes):
            rule = "stands there twice" if sizes else "must come first"
            raise InputError(f"{where}: the line 'p left right matches pairs' {rule}")
        try:
            if kind == "p":
                sizes = [int(word) for word in words]
                is_right = len(sizes) == 4 and min(sizes) >= 0
            elif kind == "a":
                number, i, j = (int(word) for word in words[:3])
                cost = float(words[3])
                is_right = 0 <= i < sizes[0] and 0 <= j < sizes[1]
            else:
                c, d = sorted(numbered[int(word)] for word in words[:2])
                cost = float(words[2])
        except KeyError:
            raise InputError(
                f"{where}: the pair has a match that no line 'a' before it defines"
            ) from None
        except (ValueError, IndexError):
            is_right = False
        if not (is_right and math.isfinite(cost)):
            raise InputError(
                f"{where}: cannot be understood; lines are 'p left right matches "
                "pairs', 'a number left right cost' and 'e match match cost'"
            )
        if kind == "a":
            if number in numbered or (i, j) in matches:
                why = "a match of this number or these nodes is there already"
                raise InputError(f"{where}: {why}")
            numbered[number], matches[i, j] = (i, j), cost
        elif kind == "e":
            counted += 1
            if c[0] != d[0] and c[1] != d[1]:
                pairs[c, d] = pairs.get((c, d), 0.0) + cost
    if not sizes:
        begun = "which begins with a line 'p left right matches pairs'"
        raise InputError(f"{name}: holds no graph matching problem, {begun}")
    held = (len(matches), sizes[2], "matches"), (counted, sizes[3], "pairs")
    for found, said, what in held:
        if found != said:
            why = f"holds {found} {what}, but its line 'p' says {said}"
            raise InputError(f"{name}: {why}")
    return MatchingProblem((sizes[0], sizes[1]), matches, pairs)
