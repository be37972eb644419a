"""Differences of two documents, leaf by leaf, under the best matching of items."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from exactmatch.metrics.json.building import Builder, Entry, LeafReader, plain_value
from exactmatch.metrics.json.leaves import nfc
from exactmatch.metrics.json.matching import MOST_UNITS, Comparing, matcher_of
from exactmatch.metrics.json.patterns import Place, Rules
from exactmatch.metrics.json.ties import Items, Ties
from exactmatch.metrics.json.tree import Layout, Path, Tree, path_text, target_of

if TYPE_CHECKING:
    from exactmatch.solvers.problem import AlignmentProblem
    from exactmatch.solvers.solution import Solution

How: TypeAlias = Literal["equal", "similar", "wrong", "missing", "extra"]


class Whole(NamedTuple):
    """A part of one document that has no partner.

    Attributes:
        path: where it is.
        value: its value.
    """

    path: str
    value: Any


class Difference(NamedTuple):
    """A leaf of one document, or a leaf of each that are matched with each other.

    Attributes:
        outcome: the result of their comparison.
        field: the pattern of their paths.
        pred_path, gold_path: where they are; ``None`` where there is none.
        pred, gold: their values, likewise.
        weight: what each of them weighs.
        similarity: from 0 to 1.
        whole: the largest part that holds the leaf and has no partner.
        names: the paths of the objects that two references name.
    """

    outcome: How
    field: str
    pred_path: str | None
    gold_path: str | None
    pred: Any
    gold: Any
    weight: Fraction
    similarity: Fraction
    whole: Whole | None = None
    names: tuple[str, str] | None = None


class Differences(NamedTuple):
    """All leaves of two documents.

    Attributes:
        leaves: each leaf, with its partner.
        items: of each list of lists or objects how many items the prediction has, the
            reference has, and are matched.
    """

    leaves: list[Difference]
    items: dict[str, tuple[int, int, int]]


class ComparedDocuments(NamedTuple):
    """Two documents, and which items of those with identifiers match.

    Attributes:
        rules: the rules of places.
        reading: the reader of leaves.
        comparing: how leaves and items are compared.
        trees: the prediction and the reference.
        pairs: the numbers of matched items, by those of the prediction.
        problem, solution: the alignment problem of items that may hold identifiers or
            references, and its solution; ``None`` where there are none.
    """

    rules: Rules
    reading: LeafReader
    comparing: Comparing
    trees: tuple[Tree, Tree]
    pairs: dict[int, int]
    problem: AlignmentProblem | None = None
    solution: Solution | None = None

    def refusal(self) -> str | None:
        """Return why the proof of the matching is refused; empty if it holds.

        ``None`` without identifiers and references: then assignments prove themselves.
        A matching that HiGHS found, for a cutoff of items, has no proof of ours.
        """
        if self.problem is None:
            return None
        if self.solution is None:
            return "the matching under the cutoff of items has no certificate"
        return self.solution.refusal(self.problem)

    def differences(self) -> Differences:
        """Compare the documents leaf by leaf."""
        return _Walk(self).differences()

    def are_unique(self) -> bool | None:
        """Return whether every best matching of items has the same fields.

        ``None`` where that is not known: with identifiers or references, whose items
        are matched by a solver, and for two lists with more than 4,000,000 pairs.
        """
        if any(len(tree.items) > 1 for tree in self.trees):
            return None
        left, right = self.trees
        if left.root is None or right.root is None:
            return True
        weight = max(1, left.weight, right.weight)
        matcher = matcher_of(self.trees, self.comparing, MOST_UNITS // weight)
        a, b = matcher.sides[0][left.root], matcher.sides[1][right.root]
        matcher.value(a, b)
        return Ties(matcher).are_unique(a, b)

    def order(self) -> list[str]:
        """Return the patterns of leaves in the reference's order, then the others."""
        patterns: dict[str, None] = {}
        for tree in reversed(self.trees):
            place = self.rules.root()
            work: list[tuple[Any, Place]] = [(tree.document.value, place)]
            while work:
                value, place = work.pop()
                value = plain_value(value)
                inner: list[tuple[Any, Place]] = []
                if isinstance(value, Mapping):
                    if place.is_map:
                        below = place.below(None)
                        patterns.setdefault(f"{below.pattern} key")
                        inner = [(inner_value, below) for inner_value in value.values()]
                    else:
                        inner = [
                            (inner_value, place.below(nfc(key)))
                            for key, inner_value in value.items()
                        ]
                elif isinstance(value, list | tuple):
                    inner = [
                        (inner_value, place.below(k))
                        for k, inner_value in enumerate(value)
                    ]
                if inner:
                    work += inner[::-1]
                else:
                    patterns.setdefault(place.pattern)
        return list(patterns)


class _At(NamedTuple):
    """A value of a document: its item, its number there, and its path."""

    item: int
    number: int
    path: Path


class _Walk:
    def __init__(self, compared: ComparedDocuments) -> None:
        rules, trees = compared.rules, compared.trees
        self._trees = trees
        self._unit = rules.unit
        self._pairs = compared.pairs
        self._layouts: list[list[Layout]] = []
        for tree in trees:
            builder = Builder(rules, compared.reading, keeps=True)
            builder.tree(tree.document)
            self._layouts.append(builder.layouts)
        weight = max(1, *(tree.weight for tree in trees))
        max_units = MOST_UNITS // weight
        self._matcher = matcher_of(trees, compared.comparing, max_units)
        self._ties = Ties(self._matcher)
        self._leaves: list[Difference] = []
        self._items: dict[str, list[int]] = {}
        self._paths: list[list[Path]] = [[()] * len(tree.items) for tree in trees]
        for paths, tree, layouts in zip(self._paths, trees, self._layouts, strict=True):
            counts: defaultdict[tuple[int, Path], int] = defaultdict(int)
            for number, item in enumerate(tree.items):
                if item.parent >= 0:
                    place = counts[item.parent, item.slot]
                    counts[item.parent, item.slot] += 1
                    value = layouts[number].values[0]
                    step = value.key if isinstance(value, Entry) else place
                    paths[number] = (*paths[item.parent], *item.slot, step)

    def differences(self) -> Differences:
        """Compare the documents from the top."""
        items: list[tuple[int | None, int | None, Whole | None]] = [(0, 0, None)]
        lists = [tree.lists() for tree in self._trees]
        for i, j, whole in items:  # which grows
            if i is not None and j is not None:
                self._pair(i, j)
                self._references(i, j)
            else:
                side, number = (0, i) if i is not None else (1, j)
                assert number is not None
                layout = self._layouts[side][number]
                path = self._paths[side][number]
                if whole is None:
                    value = plain_value(layout.values[0])
                    whole = Whole(path_text(path), value)
                self._add_unmatched(side, _At(number, 0, path), whole)
                for reference in self._trees[side].items[number].references:
                    self._add_unmatched_reference(side, number, reference, whole)
            left_references = {} if i is None else lists[0][i]
            right_references = {} if j is None else lists[1][j]
            for slot in dict.fromkeys((*left_references, *right_references)):
                left, right = (
                    left_references.get(slot, []),
                    right_references.get(slot, []),
                )
                partners = [self._pairs.get(x, -1) for x in left]
                items += [
                    (x, y if y in right else None, whole)
                    for x, y in zip(left, partners, strict=True)
                ]
                items += [(None, y, whole) for y in right if y not in partners]
                n_common = sum(y in right for y in partners)
                self._count((left, right), n_common)
        counts = {name: (a, b, c) for name, (a, b, c) in self._items.items()}
        return Differences(self._leaves, counts)

    def _count(self, sides: Sequence[Sequence[int]], n_common: int) -> None:
        """Count the items of a list, and those that are matched."""
        counts = [0, 0, n_common]
        name = ""
        for side, numbers in enumerate(sides):
            for number in numbers:
                if self._trees[side].items[number].kind != "scalar":
                    name = self._layouts[side][number].places[0].pattern
                    counts[side] += 1
        if name:
            self._add_counts(name, counts)

    def _add_counts(self, name: str, counts: Sequence[int]) -> None:
        field_counts = self._items.get(name, [0, 0, 0])
        self._items[name] = [a + b for a, b in zip(field_counts, counts, strict=True)]

    def _part(self, side: int, at: _At) -> int | None:
        part: int | None = self._layouts[side][at.item].parts[at.number]
        return None if part is None else self._matcher.sides[side][part]

    def _children(self, side: int, at: _At) -> Iterator[tuple[Any, _At]]:
        """Yield the name and the position of each child of a value."""
        layout = self._layouts[side][at.item]
        kind, names, first = layout.spans[at.number]
        for k, name in enumerate(names):
            number = first + k
            value = layout.values[number]
            step: Path = () if kind == "entry" else (name,)
            if isinstance(value, Entry):
                step = (value.key,)
            yield name, _At(at.item, number, (*at.path, *step))

    def _pair(self, i: int, j: int) -> None:
        paths = self._paths[0][i], self._paths[1][j]
        work = [(_At(i, 0, paths[0]), _At(j, 0, paths[1]))]
        while work:
            left, right = work.pop()
            x, y = self._part(0, left), self._part(1, right)
            if x is None or y is None:
                for side, at in ((0, left), (1, right)):
                    self._add_unmatched(side, at)
                continue
            kinds = self._matcher.kinds
            kind = kinds[x]
            if kind != kinds[y]:
                self._add_unmatched(0, left)
                self._add_unmatched(1, right)
            elif kind == "leaf":
                self._add_leaves(left, right, x, y)
            elif kind in ("bag", "ordered"):
                work += self._matched_items(left, right, x, y)[::-1]
            else:
                right_children = dict(self._children(1, right))
                pairs = []
                for name, at in self._children(0, left):
                    right_child = right_children.pop(name, None)
                    if right_child is None:
                        self._add_unmatched(0, at)
                    else:
                        pairs.append((at, right_child))
                work += pairs[::-1]
                for at in right_children.values():
                    self._add_unmatched(1, at)

    def _matched_items(
        self, left: _At, right: _At, x: int, y: int
    ) -> list[tuple[_At, _At]]:
        """Return the items of two lists that match; add the others as unmatched."""
        matcher = self._matcher
        nodes: list[list[_At]] = []
        sides: list[Items] = []
        counts: list[int] = []
        name = ""
        for side, at in ((0, left), (1, right)):
            children, parts, places, count = list[_At](), list[int](), list[int](), 0
            for place, (_, child) in enumerate(self._children(side, at)):
                part = self._part(side, child)
                if part is None:
                    continue
                children.append(child)
                parts.append(part)
                places.append(place)
                if matcher.kinds[part] != "leaf":
                    layout = self._layouts[side][child.item]
                    name, count = layout.places[child.number].pattern, count + 1
            nodes.append(children)
            sides.append(Items(parts, places))
            counts.append(count)
        matcher.value(x, y)
        numbers = self._ties.matched(matcher.kinds[x], *sides)
        n_common = sum(matcher.kinds[sides[0].parts[i]] != "leaf" for i, _ in numbers)
        if name:
            self._add_counts(name, (*counts, n_common))
        for side in (0, 1):
            matched = {pair[side] for pair in numbers}
            for number, at in enumerate(nodes[side]):
                if number not in matched:
                    self._add_unmatched(side, at)
        return [(nodes[0][i], nodes[1][j]) for i, j in numbers]

    def _add_leaves(self, left_at: _At, right_at: _At, x: int, y: int) -> None:
        matcher = self._matcher
        weight = matcher.weights[x]
        similarity = Fraction(matcher.value(x, y), weight * matcher.unit)
        outcome: How = "equal"
        if similarity < 1:
            outcome = "similar" if similarity else "wrong"
        left, right = (
            plain_value(self._layouts[side][at.item].values[at.number])
            for side, at in ((0, left_at), (1, right_at))
        )
        self._leaves.append(
            Difference(
                outcome,
                matcher.contents[x][2],
                path_text(left_at.path),
                path_text(right_at.path),
                left,
                right,
                Fraction(weight, self._unit),
                similarity,
            )
        )

    def _add_unmatched(self, side: int, at: _At, whole: Whole | None = None) -> None:
        """Add all leaves of a part that has no partner."""
        work = [at]
        while work:
            node = work.pop()
            part = self._part(side, node)
            if part is None:
                continue
            layout = self._layouts[side][node.item]
            value = layout.values[node.number]
            if whole is None:
                whole = Whole(path_text(node.path), plain_value(value))
            if layout.spans[node.number] is None:
                number = layout.parts[node.number]
                assert number is not None  # its part is there
                field = self._trees[side].parts.contents[number][2]
                weight = self._trees[side].parts.weights[number]
                self._add_unmatched_leaf(side, field, node.path, value, weight, whole)
            else:
                inner = [child for _, child in self._children(side, node)]
                work += inner[::-1]
                if layout.spans[node.number][0] in ("bag", "ordered"):
                    for child in inner:
                        if layout.spans[child.number] is not None:
                            name = layout.places[child.number].pattern
                            self._add_counts(name, (1 - side, side, 0))

    def _add_unmatched_leaf(
        self, side: int, field: str, path: Path, value: Any, weight: int, whole: Whole
    ) -> None:
        details = Fraction(weight, self._unit), Fraction(0), whole
        text, value_as_data = path_text(path), plain_value(value)
        if side:
            difference = Difference(
                "missing", field, None, text, None, value_as_data, *details
            )
        else:
            difference = Difference(
                "extra", field, text, None, value_as_data, None, *details
            )
        self._leaves.append(difference)

    # ------------------------------------------------------------- references

    def _add_unmatched_reference(
        self, side: int, item: int, path: Path, whole: Whole | None = None
    ) -> None:
        tree = self._trees[side]
        reference = tree.items[item].references[path]
        full = (*self._paths[side][item], *path)
        value = plain_value(reference.value)
        whole = whole or Whole(path_text(full), value)
        field = tree.parts.contents[reference.leaf][2]
        self._add_unmatched_leaf(side, field, full, value, reference.weight, whole)

    def _references(self, i: int, j: int) -> None:
        """Compare the references that two matched items hold."""
        left, right = self._trees
        left_references, right_references = (
            left.items[i].references,
            right.items[j].references,
        )
        for path, left_reference in left_references.items():
            right_reference = right_references.get(path)
            if right_reference is None or left_reference.scope != right_reference.scope:
                self._add_unmatched_reference(0, i, path)
                continue
            u, v = target_of(left, left_reference), target_of(right, right_reference)
            names = None
            if u is None and v is None:
                sides = self._matcher.sides
                x, y = sides[0][left_reference.leaf], sides[1][right_reference.leaf]
                similarity = Fraction(
                    self._matcher.value(x, y),
                    left_reference.weight * self._matcher.unit,
                )
            elif u is None or v is None:
                similarity = Fraction(0)
            else:
                is_right = u[1] == v[1] and self._are_matched(u[0], v[0])
                similarity = Fraction(is_right)
                names = (
                    path_text((*self._paths[0][u[0]], *u[1])),
                    path_text((*self._paths[1][v[0]], *v[1])),
                )
            outcome: How = "equal"
            if similarity < 1:
                outcome = "similar" if similarity else "wrong"
            self._leaves.append(
                Difference(
                    outcome,
                    left.parts.contents[left_reference.leaf][2],
                    path_text((*self._paths[0][i], *path)),
                    path_text((*self._paths[1][j], *path)),
                    plain_value(left_reference.value),
                    plain_value(right_reference.value),
                    Fraction(left_reference.weight, self._unit),
                    similarity,
                    None,
                    names,
                )
            )
        for path, right_reference in right_references.items():
            left_reference_of_path = left_references.get(path)
            if (
                left_reference_of_path is None
                or left_reference_of_path.scope != right_reference.scope
            ):
                self._add_unmatched_reference(1, j, path)

    def _are_matched(self, u: int, v: int) -> bool:
        return u == v == 0 or self._pairs.get(u) == v
