"""Graph matching problems of computer vision, and quadratic assignment.

Some nodes of two sides may be matched, one-to-one, at a *cost* each, and any two
matches have a cost together.  Costs may be negative, nodes may stay unmatched, and the
total cost is minimised: a sparse quadratic assignment problem of Lawler's form.

Our solvers maximise, and their pair terms only reward.  Where a match *c* has positive
costs together with matches of another left node *k*, the largest of these costs is
charged to *c* in advance, and a pair term of *c* with each match of *k* refunds the
excess.  An extra match of *k* stands for leaving *k* unmatched, and refunds all of it.

In Koopmans and Beckmann's form all nodes are matched, and two matches cost the product
of a number between their left nodes and one between their right nodes: a flow and a
distance.  Then every match gets a reward so large that more matches always cost less.

A ``.dd`` file has lines ``p left right matches pairs``, ``a number left right cost``
for each match, and ``e match match cost`` for each pair; other lines say where nodes
are, or are comments (``c``).  A file of QAPLIB has the number of nodes and then two
square matrices.

Sources: Torresani, Kolmogorov and Rother (2008), "Feature correspondence via graph
matching", for the problem and the format; Haller and others (2022), "A comparative
study of graph matching algorithms in computer vision", for the benchmark in it;
Burkard, Karisch and Rendl (1997), "QAPLIB: a quadratic assignment problem library".
"""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass
from typing import Any

import numpy as np

from exactmatch.base.deadline import in_time
from exactmatch.base.errors import InputError
from exactmatch.base.limits import MAX_TERMS
from exactmatch.edit.costs import least_of, scale_of
from exactmatch.solvers.problem import Alignment, AlignmentProblem, FloatArray

MAX_NODES = 10**6
"""The most nodes of a side; without a limit, a line 'p' alone could fill the memory."""


@dataclass(frozen=True, slots=True)
class MatchingProblem:
    """Graph matching problem.

    Attributes:
        sizes: the numbers of left and right nodes.
        matches: the cost of each match, by left and right node.
        pairs: the cost of two matches together, the one with the smaller left node
            first; they share no node.
        reward: is subtracted from the cost of each match so that all nodes are
            matched; :meth:`cost` adds it again.
    """

    sizes: tuple[int, int]
    matches: dict[tuple[int, int], float]
    pairs: dict[tuple[tuple[int, int], tuple[int, int]], float]
    reward: float = 0.0

    def cost(self, alignment: Alignment) -> float:
        """Return the cost of an alignment, added up in double precision."""
        chosen = {(i, j) for i, j in enumerate(alignment) if j >= 0}
        costs = [self.matches[c] for c in chosen]
        costs.append(self.reward * self.sizes[0])
        costs += [cost for pair, cost in self.pairs.items() if chosen.issuperset(pair)]
        return math.fsum(costs)

    def as_alignment(self) -> MatchingAsAlignment:
        """Return the alignment problem, whose value is to be maximised."""
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
        numbers = {c: number for number, c in enumerate(unary)}
        first, second, weights = array("q"), array("q"), array("q")
        for (c, k), costs_here in together.items():
            highest_cost = max(0, *costs_here.values())
            unary[c] -= highest_cost
            unmatched = (k, self.sizes[1] + k)
            partners = [*rows[k], unmatched] if highest_cost else list(costs_here)
            for d in partners:
                saved = highest_cost - costs_here.get(d, 0)
                if saved > 0 and c[1] != d[1]:
                    first.append(numbers[c])
                    second.append(numbers.setdefault(d, len(numbers)))
                    weights.append(saved)
            if len(weights) > MAX_TERMS:
                raise InputError(
                    f"the problem is too large: more than {MAX_TERMS:,} pairs of "
                    "matches cost something together"
                )
        order = sorted(numbers)
        place = np.empty(len(order), np.intp)
        place[[numbers[c] for c in order]] = np.arange(len(order))
        ends = [place[np.frombuffer(end, np.int64)] for end in (first, second)]
        by_ends = np.lexsort(ends[::-1])
        left, right = self.sizes
        right += left if self.pairs else 0
        problem = AlignmentProblem(
            left,
            right,
            left=np.array([c[0] for c in order], np.int32),
            right=np.array([c[1] for c in order], np.int32),
            unary=np.array([unary.get(c, 0) for c in order], np.int64),
            first=ends[0][by_ends].astype(np.int32),
            second=ends[1][by_ends].astype(np.int32),
            weight=np.frombuffer(weights, np.int64)[by_ends],
            scale=scale,
        )
        return MatchingAsAlignment(self, problem, is_exact)


@dataclass(frozen=True, slots=True)
class MatchingAsAlignment:
    """Graph matching problem as an alignment problem, and the way back.

    Costs may have been rounded to units of ``1 / problem.scale``.
    """

    matching: MatchingProblem
    problem: AlignmentProblem
    is_exact: bool

    @property
    def rounding(self) -> float:
        """Largest change of the cost of an alignment by rounding."""
        if self.is_exact:
            return 0.0
        matched = min(self.matching.sizes)
        return (matched + matched * (matched - 1) / 2) / (2 * self.problem.scale)

    def alignment(self, of_solver: Alignment) -> Alignment:
        """Return a solver's alignment without the extra matches for unmatched nodes.

        If all nodes must be matched, nodes without a partner are matched in order.
        """
        n_right = self.matching.sizes[1]
        alignment = [j if j < n_right else -1 for j in of_solver]
        if self.matching.reward:
            free_nodes = iter(sorted({*range(n_right)}.difference(alignment)))
            alignment = [next(free_nodes) if j < 0 else j for j in alignment]
        return tuple(alignment)

    def least_cost(self, bound: int) -> float:
        """Return the lower bound on costs that an upper bound on values implies."""
        least = least_of(-bound, self.problem.scale, self.rounding)
        return least + self.matching.reward * self.matching.sizes[0]


def read_matching(text: str, name: str) -> MatchingProblem:
    """Read a problem of QAPLIB, which begins with a number, or a ``.dd`` file."""
    first_word = text.split(maxsplit=1)[:1]
    if first_word and first_word[0].isdecimal():
        return read_qaplib(text, name)
    return read_dd(text.splitlines(), name)


def read_qaplib(text: str, name: str) -> MatchingProblem:
    """Read a quadratic assignment problem of QAPLIB; messages contain its *name*.

    Example:
        >>> text = "2   0 3  1 0   5 1  2 0"
        >>> read_qaplib(text, "two.dat").cost((1, 0))  # 1 * 1 + 3 * 2, and 0 * 5
        7.0
    """
    size, *words = text.split()
    n = int(size)
    if len(words) != 2 * n * n:
        raise InputError(
            f"{name}: a problem of QAPLIB with {n:,} nodes has two matrices, "
            f"{2 * n * n:,} numbers, and here are {len(words):,}"
        )
    if n**4 > 4 * MAX_TERMS:
        raise InputError(
            f"{name}: the problem is too large: {n:,} nodes have about "
            f"{n**4 // 2:,} pairs of matches, more than {MAX_TERMS:,}"
        )
    try:
        flows, distances = np.array(words, dtype=np.float64).reshape(2, n, n)
    except ValueError:
        raise InputError(f"{name}: a matrix of QAPLIB holds only numbers") from None
    if not (np.isfinite(flows).all() and np.isfinite(distances).all()):
        raise InputError(f"{name}: a number of a matrix is not finite")
    reward = 1.0 + _dearest(flows, distances)
    unary = np.multiply.outer(flows.diagonal(), distances.diagonal()) - reward
    matches = {(i, j): float(unary[i, j]) for i in range(n) for j in range(n)}
    pairs: dict[tuple[tuple[int, int], tuple[int, int]], float] = {}
    for i in range(n):
        for k in range(i + 1, n):
            costs = flows[i, k] * distances + flows[k, i] * distances.T
            for j, m in np.argwhere(costs).tolist():
                if j != m:
                    pairs[(i, j), (k, m)] = float(costs[j, m])
    return MatchingProblem((n, n), matches, pairs, reward)


def _dearest(flows: FloatArray, distances: FloatArray) -> float:
    """Return an upper bound on what one match adds to the cost of any others.

    It is the sum of products of the sizes of numbers in its left and its right node's
    row and column, both in order.
    """
    sides = []
    for matrix in (flows, distances):
        sizes = np.abs(matrix)
        loops = sizes.diagonal()[:, None]
        is_other = ~np.eye(len(sizes), dtype=bool)
        shape = len(sizes), max(len(sizes) - 1, 0)
        away, back = sizes[is_other].reshape(shape), sizes.T[is_other].reshape(shape)
        sides.append([loops, np.sort(away, axis=1), np.sort(back, axis=1)])
    products = np.array([left @ right.T for left, right in zip(*sides, strict=True)])
    return math.ceil(float(products.sum(axis=0).max(initial=0.0)))


def read_dd(lines: Any, name: str) -> MatchingProblem:
    """Read the lines of a ``.dd`` file; messages contain its *name*.

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
    for place, line in enumerate(in_time(lines), 1):
        kind, *words = line.split() or ("c",)
        if kind not in ("p", "a", "e"):
            continue
        where, is_right, cost = f"{name}:{place}", True, 0.0
        if (kind == "p") == bool(sizes):
            rule = "occurs twice" if sizes else "must come first"
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
        if kind == "p" and max(sizes[:2]) > MAX_NODES:
            raise InputError(f"{where}: a side has at most {MAX_NODES:,} nodes")
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
        expected_line = "which begins with a line 'p left right matches pairs'"
        raise InputError(f"{name}: holds no graph matching problem, {expected_line}")
    held = (len(matches), sizes[2], "matches"), (counted, sizes[3], "pairs")
    for count, declared, item_name in held:
        if count != declared:
            why = f"holds {count} {item_name}, but its line 'p' declares {declared}"
            raise InputError(f"{name}: {why}")
    return MatchingProblem((sizes[0], sizes[1]), matches, pairs)
