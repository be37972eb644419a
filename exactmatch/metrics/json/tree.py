"""Documents as distinct parts, children before parents, for the comparison.

Values without weight are left out: null, empty lists and objects, identifiers.  Items
of lists that may hold identifiers or references are kept apart (:class:`Item`), because
they are all matched at once.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal, NamedTuple, TypeAlias

from exactmatch.metrics.json.documents import Document
from exactmatch.metrics.json.patterns import Place, Rules, Step, key_text

Kind: TypeAlias = Literal["leaf", "object", "entry", "bag", "row", "ordered"]
ROUNDS = 4
"""Rounds of the best matching with bounds that know only the lengths of texts."""

Path: TypeAlias = tuple[Step | str, ...]


class Parts(NamedTuple):
    """The distinct parts of documents, children before parents.

    Attributes:
        numbers: the number of a leaf by its content, and of another part by its kind
            and content.
        kinds: the kind of each part.
        contents: of a leaf ``(type, value, pattern)``; of objects, entries and rows
            names and children; of other lists the children.
        weights: what the leaves of each weigh, in parts of the rules' unit.
        heights: the levels below each part; 0 for a leaf.
        lengths: the numbers of letters of its texts.
    """

    numbers: dict[tuple[Any, ...], int]
    kinds: list[Kind]
    contents: list[tuple[Any, ...]]
    weights: list[int]
    heights: list[int]
    lengths: set[int]

    def leaf(self, content: tuple[str, Any, str], weight: int) -> int:
        """Return the number of a leaf, which may be new."""
        number = self.numbers.setdefault(content, len(self.kinds))
        if number == len(self.kinds):
            if content[0] == "text":
                self.lengths.add(len(content[1]))
            self.kinds.append("leaf")
            self.contents.append(content)
            self.weights.append(weight)
            self.heights.append(0)
        return number

    def copy(self) -> Parts:
        """Return a copy that can be added to."""
        return Parts(
            self.numbers.copy(),
            self.kinds.copy(),
            self.contents.copy(),
            self.weights.copy(),
            self.heights.copy(),
            self.lengths.copy(),
        )


class Reference(NamedTuple):
    """A leaf that names an object.

    Attributes:
        scope, name: which objects, and which of them.
        weight: what it weighs.
        value: its value, as it is written.
        leaf: the part of its value, which is compared if it names no object.
    """

    scope: str
    name: tuple[str, Any]
    value: Any
    weight: int
    leaf: int


class Item(NamedTuple):
    """An item of a list whose items may hold identifiers or references.

    Attributes:
        parent: the number of the item that holds the list; -1 for the document.
        slot: the path of the list in its parent.
        kind: its kind; items of two kinds never match.
        part: its content without names and such lists; ``None`` without content.
        references: by their paths in the item.
    """

    parent: int
    slot: Path
    kind: str
    part: int | None
    references: dict[Path, Reference]


class Tree(NamedTuple):
    """A document, prepared for the comparison.

    Attributes:
        parts: its distinct parts.
        items: the document itself, and items that are matched all at once.
        owners: of each scope and name the item that has it and the path therein;
            ``None`` where two have it.
        twice: names that two objects have at one pattern, in words.
        weight: what all leaves weigh, in parts of the rules' unit.
        rules: the rules of its places.
        used: the numbers of the options' paths that it has.
        patterns: the patterns that it has, for messages.
        tolerances: by how much numbers may differ, by pattern, where not as all others.
        document: the document that it was made from.
    """

    parts: Parts
    items: list[Item]
    owners: dict[tuple[str, tuple[str, Any]], tuple[int, Path] | None]
    twice: list[str]
    weight: int
    rules: Rules
    used: frozenset[int]
    patterns: frozenset[str]
    tolerances: dict[str, Fraction]
    document: Document

    @property
    def root(self) -> int | None:
        """Part of the document; ``None`` if nothing in it has a weight."""
        return self.items[0].part

    def lists(self) -> list[dict[Path, list[int]]]:
        """Return the lists in each item, by their paths in it, with their items."""
        lists: list[dict[Path, list[int]]] = [{} for _ in self.items]
        for number, item in enumerate(self.items):
            if item.parent >= 0:
                lists[item.parent].setdefault(item.slot, []).append(number)
        return lists


class Layout(NamedTuple):
    """The values of an item, level by level; see ``_parts.visited``."""

    values: list[Any]
    places: list[Place]
    parts: list[int | None]
    spans: list[Any]


def target_of(tree: Tree, reference: Reference) -> tuple[int, Path] | None:
    """Return the item of the object that a reference names, and its path there."""
    return tree.owners.get((reference.scope, reference.name))


def path_text(path: Path) -> str:
    """Return a path of keys and numbers as a text."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif step is not None:
            text += f"{'.' * bool(text)}{key_text(step)}"
    return text
