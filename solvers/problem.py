"""The alignment problem, which every solver maximises; nothing in it is about AMR.

A *candidate* ``c = (i, j)`` aligns left node *i* with right node *j*; a *pair
term* ``p = (c, d)`` rewards choosing two candidates together; it is a quadratic term of
a quadratic assignment problem in Lawler's form.  An alignment is a set of candidates in
which no node occurs twice.  Its value is the sum of ``unary[c]`` over its candidates,
plus the sum of ``weight[p]`` over the pair terms whose candidates are both in it.  The
empty alignment is worth 0.

The weights of pair terms are positive.  A ``unary`` weight may be negative: such a
candidate is worth choosing only if its pair terms outweigh its cost.

Under Smatch, for example, nodes are variables::

    left   (b / bark-01 :ARG0 (d / dog))    node 0 is b, node 1 is d
    right  (x / bark-01 :ARG0 (y / cat))    node 0 is x, node 1 is y

>>> unary = {(0, 0): 2, (1, 1): 0}  # b-x: bark-01, and both are roots; d-y: nothing
>>> terms = {((0, 0), (1, 1)): 1}  # b-x and d-y together: ARG0
>>> problem = AlignmentProblem.from_weights(2, 2, unary, terms)
>>> problem.value((0, -1)), problem.value((0, 1))
(2, 3)

Weights are integers in units of ``1 / scale``: a solver can prove an integer optimum,
but only approach a floating-point one.  Everything is kept in flat NumPy arrays,
because a corpus holds thousands of small problems, each built in microseconds.

Source: Cai and Knight (2013), "Smatch: an evaluation metric for semantic
feature structures", section 3, with equal triples summed per candidate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base import compiled as kernels
from exactmatch.base.errors import ProblemError

_kernel: Any = kernels.load("exactmatch.solvers.kernel.objective")

Alignment: TypeAlias = tuple[int, ...]
"""The right node of every left node; ``-1`` leaves a left node unaligned."""

IntArray: TypeAlias = npt.NDArray[np.signedinteger[Any]]
FloatArray: TypeAlias = npt.NDArray[np.float64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]

FEW_VALUES = 16
"""If a unit of score has fewer values in it, bounds are lowered value by value."""

MAX_TOTAL_WEIGHT = 2**53
"""Totals stay below this, so that even a double holds every value exactly."""

_ARRAYS: dict[str, type[np.signedinteger[Any]]] = {
    "left": np.int32,
    "right": np.int32,
    "unary": np.int64,
    "first": np.int32,
    "second": np.int32,
    "weight": np.int64,
    "start": np.int32,
}


@dataclass(frozen=True, slots=True, eq=False)
class AlignmentProblem:
    """A sparse quadratic assignment problem.

    Attributes:
        n_left, n_right: numbers of nodes; *i* and *j* count from 0.
        left, right: nodes of each candidate, ``int32``, shape ``(candidates,)``,
            strictly increasing in ``(left, right)``.
        unary: weight of each candidate, ``int64``; negative if choosing it costs.
        first, second: the candidates of each pair term, ``int32``, shape
            ``(terms,)``, ``first < second``, strictly increasing in
            ``(first, second)``; the two candidates share no node.
        weight: weight of each pair term, ``int64``, at least 1.
        scale: the weight of one unit of score; 1 for Smatch, more for S²Match.
        start: candidates that a heuristic may begin with, as increasing
            candidate numbers, ``int32`` (for Smatch: equal concepts); they
            say where to look first and change no value.

    Raises:
        ProblemError: if an array has another shape or order, a node does not
            exist, a pair term's weight is not positive, or the absolute weights add up
            to 2⁵³ or more.

    >>> import exactmatch
    >>> metric = exactmatch.make_metric("smatch")
    >>> read = (metric.read(text).item for text in ("(b / bark-01)", "(x / bark-01)"))
    >>> problem = metric.build_problem(*map(metric.prepare, read)).problem
    >>> problem.unary.tolist(), problem.value((0,))
    ([2], 2)
    """

    n_left: int
    n_right: int
    left: IntArray
    right: IntArray
    unary: IntArray
    first: IntArray
    second: IntArray
    weight: IntArray
    scale: int = 1
    start: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int32))

    def __post_init__(self) -> None:
        _check(self)
        for name in _ARRAYS:
            getattr(self, name).flags.writeable = False

    @classmethod
    def from_weights(
        cls,
        n_left: int,
        n_right: int,
        unary: dict[tuple[int, int], int],
        pairwise: dict[tuple[tuple[int, int], tuple[int, int]], int],
        scale: int = 1,
        start: Sequence[tuple[int, int]] = (),
    ) -> AlignmentProblem:
        """Build a problem from dictionaries keyed by node pairs.

        This is convenient for tests and hand-made problems.  The two candidates of a
        pair may come in either order; weights of the same pair add up.

        Raises:
            ProblemError: as the constructor, and where a pairwise key joins
                candidates that cannot be chosen together.
        """
        candidates = set(unary)
        terms: dict[tuple[tuple[int, int], tuple[int, int]], int] = {}
        for (c, d), weight in pairwise.items():
            if c[0] == d[0] or c[1] == d[1]:
                raise ProblemError(f"candidates {c} and {d} share a node")
            key = (c, d) if c < d else (d, c)
            terms[key] = terms.get(key, 0) + weight
            candidates.update(key)
        order = sorted(candidates)
        number = {c: k for k, c in enumerate(order)}
        keys = sorted(terms)
        lists = (
            [c[0] for c in order],
            [c[1] for c in order],
            [unary.get(c, 0) for c in order],
            [number[c] for c, _ in keys],
            [number[d] for _, d in keys],
            [terms[key] for key in keys],
            sorted(number[c] for c in start),
        )
        arrays = {
            name: np.array(numbers, dtype=kind)
            for (name, kind), numbers in zip(_ARRAYS.items(), lists, strict=True)
        }
        return cls(n_left, n_right, scale=scale, **arrays)

    @classmethod
    def trusted(
        cls, n_left: int, n_right: int, arrays: tuple[IntArray, ...], scale: int = 1
    ) -> AlignmentProblem:
        """Make a problem from seven arrays, in the order of the attributes, unchecked.

        Only for builders whose output is tested against the checks; all other code
        calls the constructor.
        """
        problem = object.__new__(cls)
        fields = ("n_left", "n_right", "scale", *_ARRAYS)
        for name, value in zip(fields, (n_left, n_right, scale, *arrays), strict=True):
            object.__setattr__(problem, name, value)
        return problem

    @property
    def conflicts(self) -> tuple[Any, ...]:
        """Sets of candidates that exclude each other; only ``CaseProblem`` has any."""
        return ()

    @property
    def n_candidates(self) -> int:
        """The number of candidates."""
        return len(self.left)

    @property
    def n_terms(self) -> int:
        """The number of pair terms."""
        return len(self.first)

    @property
    def sides(self) -> tuple[tuple[IntArray, int], tuple[IntArray, int]]:
        """Left node of each candidate and number of left nodes; then of the right."""
        return (self.left, self.n_left), (self.right, self.n_right)

    @property
    def objective(self) -> IntArray:
        """The weights of the candidates, then of the pair terms."""
        return np.concatenate((self.unary, self.weight))

    def directed_terms(self) -> tuple[IntArray, IntArray]:
        """Return each pair term in both directions: (first, second), (second, first).

        Both arrays have the shape ``(2 * terms,)``.
        """
        terms = np.stack((self.first, self.second)).astype(np.int64)
        return terms.ravel(), terms[::-1].ravel()

    def total_weight(self) -> int:
        """Return the sum of all absolute weights, which no alignment exceeds."""
        return int(np.abs(self.unary).sum()) + int(self.weight.sum())

    def chosen(self, alignment: Alignment) -> BoolArray:
        """Return flags: which candidates an alignment holds."""
        chosen: BoolArray = np.array(alignment)[self.left] == self.right
        return chosen

    def indicators(self, alignment: Alignment) -> BoolArray:
        """Return flags: which candidates, then which pair terms, an alignment holds."""
        chosen = self.chosen(alignment)
        return np.concatenate((chosen, chosen[self.first] & chosen[self.second]))

    def appraise(self, alignment: Alignment) -> tuple[int, Alignment]:
        """Value an alignment, and drop the pairs that add nothing to it.

        Dropping a pair that matches nothing changes no value, and makes the alignments
        of all solvers the same.

        Raises:
            ProblemError: if it is not one-to-one, or names nodes that do not exist.
        """
        self.check_alignment(alignment)
        candidates = self.left, self.right, self.unary
        terms = self.first, self.second, self.weight
        value, kept = _kernel.appraise(alignment, *candidates, *terms)
        return value, kept

    def value(self, alignment: Alignment) -> int:
        """Return the value of an alignment, counted from the arrays."""
        return self.appraise(alignment)[0]

    def rows(self) -> list[tuple[int, int]]:
        """Return where the candidates of each left node begin and end."""
        begins = np.searchsorted(self.left, np.arange(self.n_left + 1))
        return list(pairwise(begins.tolist()))

    def greedy(self) -> Alignment:
        """Return an alignment by unary weights alone, in one pass over the candidates.

        Each left node in turn takes the heaviest candidate whose right node is free.
        """
        is_free = np.ones(self.n_right, dtype=np.bool_)
        alignment = [-1] * self.n_left
        for i, (begin, end) in enumerate(self.rows()):
            right = self.right[begin:end]
            weight = np.where(is_free[right], self.unary[begin:end], -1)
            if len(right) and weight.max() >= 0:
                alignment[i] = int(right[weight.argmax()])
                is_free[alignment[i]] = False
        return tuple(alignment)

    def check_alignment(self, alignment: Sequence[int]) -> None:
        """Refuse an alignment that is not a one-to-one partial mapping of the nodes.

        Raises:
            ProblemError: if the length is wrong, a right node does not exist
                or is used twice.
        """
        if len(alignment) != self.n_left:
            raise ProblemError(
                f"an alignment has length {len(alignment)}, not {self.n_left}"
            )
        try:
            if _kernel.is_one_to_one(tuple(alignment), self.n_right):
                return
        except OverflowError:  # over 64 bits, so not the number of a node
            pass
        used = [j for j in alignment if j != -1]
        if len(set(used)) != len(used):
            raise ProblemError("an alignment uses a right node twice")
        raise ProblemError("an alignment names a right node that does not exist")

    def lattice(self) -> int:
        """Return the greatest common divisor of all weights, or 1 if all are 0."""
        common = np.gcd.reduce(self.unary, initial=0)
        return max(int(np.gcd.reduce(self.weight, initial=common)), 1)

    def step(self) -> int:
        """Return the step by which an optimistic search lowers its bound.

        It is a unit of score; if a unit has fewer than ``FEW_VALUES`` values, it is the
        distance from one value to the next.
        """
        lattice = self.lattice()
        return lattice if self.scale < FEW_VALUES * lattice else self.scale

    def row_bound(self) -> int:
        """Return a cheap upper bound on all values, after Gilmore and Lawler.

        The credit of a candidate is its unary weight plus half of its pair terms.  The
        best credits of all left nodes add up to a bound, and so do those of all right
        nodes; the smaller sum is rounded down.

        Source: Gilmore (1962) and Lawler (1963), with the best candidate of every node
        instead of the best assignment.
        """
        doubled = 2 * self.unary
        np.add.at(doubled, self.first, self.weight)
        np.add.at(doubled, self.second, self.weight)
        sums = []
        for nodes, count in self.sides:
            best = np.zeros(count, dtype=np.int64)
            np.maximum.at(best, nodes, doubled)
            sums.append(int(best.sum()))
        return min(*sums) // 2

    def restricted(self, keep: BoolArray) -> AlignmentProblem:
        """Return the problem with only some of its candidates, in their order.

        Nodes keep their numbers, so that an alignment of the part is one of the whole.
        """
        together = keep[self.first] & keep[self.second]
        number = np.cumsum(keep, dtype=np.int32) - np.int32(1)
        candidates = self.left[keep], self.right[keep], self.unary[keep]
        ends = number[self.first[together]], number[self.second[together]]
        start = number[self.start[keep[self.start]]]
        arrays = *candidates, *ends, self.weight[together], start
        return AlignmentProblem.trusted(self.n_left, self.n_right, arrays, self.scale)

    def weighted(self, unary: IntArray) -> AlignmentProblem:
        """Return the problem with other unary weights."""
        terms = self.first, self.second, self.weight
        arrays = (self.left, self.right, unary, *terms, self.start)
        return AlignmentProblem.trusted(self.n_left, self.n_right, arrays, self.scale)

    def transposed(self) -> AlignmentProblem:
        """Return the problem with left and right exchanged."""
        order = np.lexsort((self.left, self.right))
        number = np.argsort(order).astype(np.int32)
        first, second = np.sort([number[self.first], number[self.second]], axis=0)
        terms = np.lexsort((second, first))
        candidates = self.right[order], self.left[order], self.unary[order]
        pairs = first[terms], second[terms], self.weight[terms]
        start = np.sort(number[self.start])
        arrays = *candidates, *pairs
        return AlignmentProblem(self.n_right, self.n_left, *arrays, self.scale, start)


def _check(problem: AlignmentProblem) -> None:
    if problem.n_left < 0 or problem.n_right < 0:
        raise ProblemError("a problem cannot have a negative number of nodes")
    if problem.scale < 1:
        raise ProblemError(f"scale is {problem.scale}; it must be at least 1")
    for name, dtype in _ARRAYS.items():
        array = getattr(problem, name)
        if not isinstance(array, np.ndarray) or array.dtype != dtype:
            raise ProblemError(f"{name} must be an array of {dtype.__name__}")
        if array.ndim != 1 or not array.flags.c_contiguous:
            raise ProblemError(f"{name} must be a contiguous one-dimensional array")
    left, right, unary = problem.left, problem.right, problem.unary
    first, second, weight = problem.first, problem.second, problem.weight
    if not len(left) == len(right) == len(unary):
        raise ProblemError("left, right and unary differ in length")
    if not len(first) == len(second) == len(weight):
        raise ProblemError("first, second and weight differ in length")
    if len(left):
        for side, (nodes, count) in zip(("left", "right"), problem.sides, strict=True):
            if nodes.min() < 0 or nodes.max() >= count:
                why = f"a candidate names a {side} node that does not exist"
                raise ProblemError(why)
        if not _is_increasing(keys_of(left, right, problem.n_right)):
            raise ProblemError("candidates must be distinct and sorted")
    if len(first):
        if first.min() < 0 or second.max() >= len(left):
            raise ProblemError("a pair term names a candidate that does not exist")
        keys = keys_of(first, second, len(left))
        if (first >= second).any() or not _is_increasing(keys):
            raise ProblemError("pair terms must be distinct and sorted")
        if weight.min() < 1:
            raise ProblemError("the weight of a pair term is not positive")
        shared = (left[first] == left[second]) | (right[first] == right[second])
        if shared.any():
            raise ProblemError("a pair term joins candidates that share a node")
    start = problem.start
    if len(start) and (start.min() < 0 or start.max() >= len(left)):
        raise ProblemError("a start names a candidate that does not exist")
    if not _is_increasing(start):
        raise ProblemError("starts must be distinct and sorted")
    sizes = np.abs(unary, dtype=np.float64).sum() + weight.sum(dtype=np.float64)
    if sizes >= MAX_TOTAL_WEIGHT:
        raise ProblemError("the weights add up to 2**53 or more; use a smaller scale")


def _is_increasing(keys: IntArray) -> bool:
    return bool((keys[1:] > keys[:-1]).all())


def keys_of(major: IntArray, minor: IntArray, width: int) -> IntArray:
    """Return ``major * width + minor``, which sorts as the pairs if minor < width."""
    keys: IntArray = major.astype(np.int64) * max(width, 1) + minor
    return keys
