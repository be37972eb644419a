"""Documents with identifiers and references, as one alignment problem.

A reference is worth its weight if the objects that the two sides name are matched with
each other.  The candidates are pairs of items of the same list, where items may hold
identifiers or references; their other content is the unary weight.  A reference is a
pair term of the candidate that holds it and the candidate of its targets.

An item may match only if its parents do: a nested candidate costs *L*, more than a
whole document is worth, and a pair term with its parents' candidate pays that back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from exactmatch.base.errors import DocumentError
from exactmatch.base.numbers import several
from exactmatch.metrics.json.cutoffs import Candidate, Inside
from exactmatch.metrics.json.matching import Matcher
from exactmatch.metrics.json.tree import Path, Reference, Tree, path_text, target_of
from exactmatch.solvers.problem import AlignmentProblem


class ReferenceProblem(NamedTuple):
    """The alignment problem of two documents.

    Attributes:
        problem: its candidates are pairs of items; ``None`` where there are none.
        fixed: the common part of the documents under any matching.
        inside: the common part that matched items need, if there is a cutoff.
    """

    problem: AlignmentProblem | None
    fixed: int
    inside: Inside | None = None


Targeted: TypeAlias = tuple[Reference, tuple[int, Path] | None]
"""A reference, with the item and the path of the object that it names."""

MAX_TERMS = 2_000_000
"""Largest number of candidates, and of pair terms, of two documents."""

MOST = 2**52
"""Largest sum of the absolute weights of a problem."""


def problem_of(matcher: Matcher, trees: Sequence[Tree]) -> ReferenceProblem | None:
    """Build the alignment problem of two documents with references.

    Returns:
        The problem; ``None`` where its weights are too large in the matcher's unit.

    Raises:
        DocumentError: if there are more candidates or pair terms.
    """
    return _ProblemBuilder(matcher, trees).problem()


class _ProblemBuilder:
    def __init__(self, matcher: Matcher, trees: Sequence[Tree]) -> None:
        self._matcher = matcher
        self._left, self._right = trees
        # the references of each item by path, each with its target
        self._references = [
            [
                {
                    path: (reference, target_of(tree, reference))
                    for path, reference in references.items()
                }
                for references in (item.references for item in tree.items)
            ]
            for tree in trees
        ]
        least = min(tree.weight for tree in trees)
        self._price = 1 + least * matcher.unit
        self._unary: dict[Candidate, int] = {}
        self._terms: defaultdict[tuple[Candidate, Candidate], int] = defaultdict(int)
        self._fixed = 0
        self._own: defaultdict[Candidate, int] = defaultdict(int)
        self._held: dict[Candidate, list[tuple[Candidate, int]]] = {}
        self._parents: dict[Candidate, Candidate] = {}

    def problem(self) -> ReferenceProblem | None:
        self._add_candidates()
        self._add_worth()
        unary, terms = self._unary, self._terms
        total = sum(map(abs, unary.values())) + sum(terms.values())
        if total >= MOST:
            return None
        if not unary:
            return ReferenceProblem(None, self._fixed)
        problem = AlignmentProblem.from_weights(
            len(self._left.items),
            len(self._right.items),
            unary,
            dict(terms),
            self._matcher.unit,
        )
        return ReferenceProblem(problem, self._fixed, self._inside())

    def _inside(self) -> Inside | None:
        """Return the common part that matched items need, if there is a cutoff."""
        cutoff = self._matcher.comparing.item_cutoff
        if not cutoff:
            return None
        sizes = [_sizes(tree) for tree in (self._left, self._right)]
        needed = {
            (i, j): cutoff * (sizes[0][i] + sizes[1][j]) * self._matcher.unit / 2
            for i, j in self._unary
        }
        return Inside(
            {pair: self._own[pair] for pair in needed},
            {pair: self._held.get(pair, []) for pair in needed},
            self._parents,
            needed,
        )

    def _add_candidates(self) -> None:
        """Add the pairs of items of equal kind in equal lists of possible parents."""
        lists = [tree.lists() for tree in (self._left, self._right)]
        work: list[Candidate] = [(0, 0)]
        for i, j in work:  # which grows
            for slot, left_items in lists[0][i].items():
                right_items = lists[1][j].get(slot, ())
                if len(self._unary) + len(left_items) * len(right_items) > MAX_TERMS:
                    items = several(len(left_items), "item")
                    raise DocumentError(
                        f"has a list {path_text(slot)!r} of {items} and one of "
                        f"{len(right_items)} to match, with identifiers or references; "
                        f"more than {MAX_TERMS:,} pairs are refused"
                    )
                for x in left_items:
                    for y in right_items:
                        if self._left.items[x].kind == self._right.items[y].kind:
                            self._unary[x, y] = -self._price if i else 0
                            work.append((x, y))
                            if i:
                                self._terms[(i, j), (x, y)] += self._price
                                self._parents[x, y] = i, j

    def _add_worth(self) -> None:
        sides = self._matcher.sides
        for i, j in [(0, 0), *self._unary]:
            left_item, right_item = self._left.items[i], self._right.items[j]
            a = None if left_item.part is None else sides[0][left_item.part]
            b = None if right_item.part is None else sides[1][right_item.part]
            self._earn((i, j), self._matcher.value(a, b))
            right_references = self._references[1][j]
            for path, left_reference in self._references[0][i].items():
                if (
                    path in right_references
                    and left_reference[0].scope == right_references[path][0].scope
                ):
                    self._refer((i, j), left_reference, right_references[path])
        if len(self._terms) > MAX_TERMS:
            raise DocumentError(
                f"has {len(self._terms):,} pairs of references to match; more than "
                f"{MAX_TERMS:,} are refused"
            )

    def _refer(self, holder: Candidate, left: Targeted, right: Targeted) -> None:
        """Add the worth of a pair of references."""
        (left_target, u), (right_target, v) = left, right
        if u is None and v is None:
            sides = self._matcher.sides
            value = self._matcher.value(
                sides[0][left_target.leaf], sides[1][right_target.leaf]
            )
            self._earn(holder, value)
            return
        if u is None or v is None or u[1] != v[1]:
            return
        worth = min(left_target.weight, right_target.weight) * self._matcher.unit
        target = u[0], v[0]
        if target in (holder, (0, 0)):
            self._earn(holder, worth)
        elif target in self._unary:
            if holder == (0, 0):
                self._unary[target] += worth
            elif holder[0] != target[0] and holder[1] != target[1]:
                key = (holder, target) if holder < target else (target, holder)
                self._terms[key] += worth
                self._held.setdefault(holder, []).append((target, worth))

    def _earn(self, holder: Candidate, worth: int) -> None:
        if holder == (0, 0):
            self._fixed += worth
        else:
            self._unary[holder] += worth
            self._own[holder] += worth


def _sizes(tree: Tree) -> list[int]:
    """Return the weight of each item, with the items in it."""
    weights = tree.parts.weights
    sizes = [
        (0 if item.part is None else weights[item.part])
        + sum(reference.weight for reference in item.references.values())
        for item in tree.items
    ]
    for number in range(len(sizes) - 1, 0, -1):  # an item is behind what holds it
        sizes[tree.items[number].parent] += sizes[number]
    return sizes
