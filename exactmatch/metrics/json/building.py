"""Make the trees of documents: leaves are read, and equal parts are kept once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from exactmatch.base import compiled as kernels
from exactmatch.base.errors import DocumentError, InputError
from exactmatch.metrics.json.documents import DEEPEST, Document, Odd
from exactmatch.metrics.json.leaves import (
    LONG,
    REMEMBERED,
    as_plain,
    coded,
    folded,
    nfc,
    read_out,
    value_of,
)
from exactmatch.metrics.json.patterns import Place, Rules, Step
from exactmatch.metrics.json.tree import Item, Layout, Parts, Path, Reference, Tree

_kernel: Any = kernels.load("exactmatch.metrics.json._parts")


class LeafReader(NamedTuple):
    """Reader of leaves.

    Attributes:
        strings: how texts are compared.
        nulls: whether null and empty values count as values.
        coerce: whether texts that state numbers and booleans are such.
    """

    strings: str = "graded"
    nulls: bool = False
    coerce: bool = False

    def leaf(self, value: Any) -> tuple[str, Any] | None:
        """Return the type and the value of a scalar; ``None`` for other values."""
        if isinstance(value, str):
            coerced = read_out(value) if self.coerce else None
            if isinstance(coerced, bool):
                return "boolean", coerced
            if coerced is not None:
                return "number", coerced
            return "text", self.text(value)
        if isinstance(value, bool):
            return "boolean", value
        if isinstance(value, int):
            return "number", value
        if isinstance(value, float | Decimal):
            return "number", value_of(value)
        if isinstance(value, Odd):
            return "number", value.text
        return ("null", None) if value is None else None

    def exactly(self, value: str, comparison: str) -> str:
        """Return the form of a text in which equal texts are the same."""
        if comparison == "coded":
            return coded(value)
        return folded(value) if comparison == "normalised" else nfc(value)

    def text(self, value: str) -> Any:
        """Return a text as it is compared."""
        if self.strings == "graded":
            return coded(value)
        return folded(value) if self.strings == "normalised" else nfc(value)


QUICK = frozenset((str, bool, int, float, list))
"""Types of values that the kernel reads at places without rules."""


@lru_cache(8)
def _texts_read(strings: str) -> dict[str, Any]:
    """Return the remembered texts, as they are compared by *strings*."""
    del strings
    return {}


_FLOATS: dict[float, Any] = {}
"""Floating-point numbers, and the value of each."""


class Entry(NamedTuple):
    """An entry of a map."""

    key: str
    value: Any


class _Key(NamedTuple):
    """The key of an entry."""

    text: str


class _OpenItem(NamedTuple):
    """Item that is still to be read."""

    parent: int
    slot: Path
    value: Any
    place: Place
    depth: int


class Builder:
    """Makes the tree of one document.

    Args:
        rules: the rules of places.
        reading: the reader of leaves.
        keeps: whether the layouts of items are kept.
    """

    def __init__(self, rules: Rules, reading: LeafReader, keeps: bool = False) -> None:
        self.layouts: list[Layout] = []
        self._keeps = keeps
        self._rules = rules
        self._reading = reading
        self._parts = Parts({}, [], [], [], [], set())
        self._open_items: list[_OpenItem] = []
        self._references: list[dict[Path, Reference]] = []
        self._owners: dict[Any, tuple[int, Path] | None] = {}
        self._at: dict[Any, str] = {}
        self._twice: list[str] = []
        self._places: set[Place] = set()
        self._depth = 0
        self._paths: dict[int, tuple[Path, Path]] = {}
        self.scalar, self.text = reading.leaf, self._text
        self.texts, self.floats = _texts_read(reading.strings), _FLOATS
        self.quick = QUICK - {str} if reading.coerce else QUICK

    def _text(self, value: str) -> Any:
        """Read a text, and remember it if it is short."""
        compared = self._reading.text(value)
        if len(value) < LONG:
            if len(self.texts) >= REMEMBERED:
                self.texts.clear()
            self.texts[value] = compared
        return compared

    def number(self, value: float) -> Any:
        """Read a floating-point number, and remember it."""
        if len(_FLOATS) >= REMEMBERED:
            _FLOATS.clear()
        number = _FLOATS[value] = value_of(value)
        return number

    def tree(self, document: Document) -> Tree:
        """Return the tree of a document.

        Raises:
            DocumentError: if it nests too deeply, or is not JSON.
            InputError: if an ordered list has identifiers or references in it.
        """
        items: list[Item] = []
        self._open_items.append(
            _OpenItem(-1, (), document.value, self._rules.root(), 0)
        )
        for item in self._open_items:  # which grows
            self._references.append({})
            part = self._built(item)
            references = self._references[len(items)]
            kind = _kind_of(item.value)
            items.append(Item(item.parent, item.slot, kind, part, references))
        weights = self._parts.weights
        weight = sum(weights[item.part] for item in items if item.part is not None)
        weight += sum(r.weight for item in items for r in item.references.values())
        return Tree(
            self._parts,
            items,
            self._owners,
            self._twice,
            weight,
            self._rules,
            frozenset(number for place in self._places for number in place.used),
            frozenset(place.pattern for place in self._places),
            {
                place.pattern: place.tolerance
                for place in self._places
                if place.tolerance is not None
            },
            document,
        )

    def _built(self, item: _OpenItem) -> int | None:
        self._depth = item.depth
        self._paths = {0: ((), ())} if item.place.names else {}
        layout = Layout(*_kernel.visited(item.value, item.place, self, self._parts))
        self._places.update(layout.places)
        _kernel.made(layout.parts, layout.spans, self._parts)
        if self._keeps:
            self.layouts.append(layout)
        return layout.parts[0]

    def descend(self) -> None:
        """Enter the next level of the item that is being read."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise DocumentError(f"nests more than {DEEPEST:,} levels deep")

    def part(
        self, leaf: tuple[str, Any], place: Place, at: int, value: Any
    ) -> int | None:
        """Return the part of a leaf; ``None`` for one without weight.

        Args:
            leaf: its type and value, as they are compared.
            value: as it is written.
            place: where it stands.
            at: which value of the item it is.
        """
        if leaf[0] == "null" and not self._reading.nulls:
            return None
        if isinstance(value, str):
            if leaf[0] != "text" and not place.coerces:
                leaf = ("text", self._reading.text(value))
            if place.texts not in (None, "graded") and leaf[0] == "text":
                leaf = ("exact text", self._reading.exactly(value, place.texts))
        if place.scope is not None:
            if leaf[0] != "null":
                self._name(self._paths[at][1], place, leaf)
            return None
        if not place.weight:
            return None
        part = self._parts.leaf((*leaf, place.pattern), place.weight)
        if place.refers is not None and leaf[0] != "null":
            reference = Reference(place.refers, leaf, value, place.weight, part)
            self._references[-1][self._paths[at][0]] = reference
            return None
        return part

    def _name(self, path: Path, place: Place, leaf: tuple[str, Any]) -> None:
        """Remember the object that an identifier names."""
        key = place.scope, leaf
        if key not in self._owners:
            self._owners[key] = len(self._references) - 1, path
            self._at[key] = place.pattern
        elif self._at[key] == place.pattern:
            self._twice.append(
                f"has two objects with the identifier {_shown(leaf)} at {place.pattern}"
            )
        else:
            self._owners[key] = None

    def inner(
        self, value: Any, place: Place, at: int, values: list[Any], places: list[Place]
    ) -> Any:
        """Append the content of a value that is not a scalar to all values so far.

        Returns:
            The kind of the part, the names of the children and where the first one is;
            a part itself, or ``None``, if there are none.

        Raises:
            DocumentError: if it is not a value of JSON.
        """
        if isinstance(value, _Key):
            if not place.weight:
                return None
            name = ("text", self._reading.text(value.text))
            key = self._parts.leaf((*name, f"{place.pattern} key"), place.weight)
            if place.keys is None:
                return key
            reference = Reference(place.keys, name, value.text, place.weight, key)
            self._references[-1][self._paths[at][0]] = reference
            return None
        begin = len(values)
        if isinstance(value, Entry):
            values += (_Key(value.key), value.value)
            places += (place, place)
            self._step(at, begin + 1, place, None)
            if place.names:
                self._paths[begin] = self._paths[at]
            return "entry", ("key", "value"), begin
        plain_number = as_plain(value)
        if self._depth >= DEEPEST:
            raise DocumentError(f"nests more than {DEEPEST:,} levels deep")
        if isinstance(plain_number, Mapping):
            return self._object(plain_number, place, at, values, places)
        if isinstance(plain_number, list | tuple):
            return self._list(plain_number, place, at, values, places)
        if plain_number is value:
            raise DocumentError(
                f"has a {type(value).__name__} at {place_name(place)}, which JSON "
                "does not have"
            )
        leaf_of = self.scalar(plain_number)
        if leaf_of is None:
            return self.inner(plain_number, place, at, values, places)
        return self.part(leaf_of, place, at, plain_number)

    def _step(
        self, at: int, to: int, place: Place, step: Step | str, owns: bool = False
    ) -> None:
        """Remember the path of a child, where identifiers or references may be."""
        if place.names and at in self._paths:
            path, owner = self._paths[at]
            self._paths[to] = (*path, step), path if owns else owner

    def _empty(self, kind: str, place: Place) -> int | None:
        if not self._reading.nulls or not place.weight:
            return None
        return self._parts.leaf((kind, None, place.pattern), place.weight)

    def _object(
        self,
        value: Mapping[Any, Any],
        place: Place,
        at: int,
        values: list[Any],
        places: list[Place],
    ) -> Any:
        if not value:
            return self._empty("object", place)
        named: dict[str, Any] = {}
        for key, inner in value.items():
            if not isinstance(key, str):
                raise DocumentError(
                    f"has the key {key!r} at {place_name(place)}; keys are texts"
                )
            named[nfc(key)] = inner
        begin = len(values)
        if place.is_map:
            entries = [Entry(key, inner) for key, inner in named.items()]
            below = place.below(None)
            if place.names:
                return self._split(at, entries, below)
            values += entries
            places += [below] * len(entries)
            return "bag", range(len(entries)), begin
        names = tuple(sorted(named))
        for name in names:
            below = place.below(name)
            self._step(at, len(values), below, name, owns=True)
            values.append(named[name])
            places.append(below)
        return "object", names, begin

    def _list(
        self,
        value: Sequence[Any],
        place: Place,
        at: int,
        values: list[Any],
        places: list[Place],
    ) -> Any:
        if not value:
            return self._empty("list", place)
        below = place.below(0)
        if place.names and place.order == "bag" and below.names:
            return self._split(at, value, below)
        if place.order == "ordered" and below.names:
            raise InputError(
                f"the list {place_name(place)} is ordered and may hold identifiers or "
                f"references; compare it without order: unordered={place.pattern!r}"
            )
        begin, names = len(values), range(len(value))
        values += value
        if place.order != "row":
            places += [below] * len(value)
            return place.order, names, begin
        for number in names:
            below = place.below(number)
            self._step(at, begin + number, below, number, owns=True)
            places.append(below)
        return "row", tuple(names), begin

    def _split(self, at: int, values: Sequence[Any], below: Place) -> None:
        """Open an item for each item of a list or entry of a map."""
        number, slot = len(self._references) - 1, self._paths[at][0]
        for value in values:
            item = _OpenItem(number, slot, value, below, self._depth + 1)
            self._open_items.append(item)


def plain_value(value: Any) -> Any:
    """Return a value of a document as a plain Python value."""
    if isinstance(value, _Key):
        return value.text
    if isinstance(value, Entry):
        return value.value
    return float(value) if isinstance(value, Decimal) else as_plain(value)


def _kind_of(value: Any) -> str:
    value = as_plain(value)
    if isinstance(value, Entry):
        return "entry"
    if isinstance(value, Mapping):
        return "object"
    return "list" if isinstance(value, list | tuple) else "scalar"


def place_name(place: Place) -> str:
    """Return the name of a place for messages."""
    return place.pattern or "the top"


def _shown(leaf: tuple[str, Any]) -> str:
    value = leaf[1]
    return repr(value if isinstance(value, str) else str(value))
