"""Patterns of paths in documents, and the places of a document that they name.

A path is keys with points between them; ``[]`` stands for any item of a list, ``[2]``
for a place of a tuple and ``{}`` for any entry of a map.  ``*`` is any one key and
``**`` any part of a path.  A key with a blank or one of ``.[]{}"*`` is quoted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

from exactmatch.base.errors import InputError

Order: TypeAlias = Literal["bag", "row", "ordered"]
Step: TypeAlias = str | int | None
"""A step down: a key as text, a place in a list as a number, ``None`` into a map."""

_PARTS = re.compile(
    r'"(?P<quoted>(?:[^"\\]|\\.)*)"|\[(?P<place>\d*)\]|(?P<entry>\{\})|(?P<point>\.)'
    r"|(?P<any>\*\*?)(?=[.\[{]|\Z)|(?P<key>[^.\[\]{}\"\s]+)"
)
_PLAIN = re.compile(r'[^.\[\]{}"\s*]+')

Segment: TypeAlias = tuple[str, Any]
"""A kind (``key``, ``item``, ``place``, ``entry``, ``one``, ``any``) and its value."""


ANYTHING: Segment = ("any", None)
"""A place and all that is in it."""


def segments(pattern: str) -> tuple[Segment, ...]:
    """Return the segments of a pattern.

    Raises:
        InputError: if it is not a pattern.

    >>> segments('items[].price')
    (('key', 'items'), ('item', None), ('key', 'price'))
    """
    parsed: list[Segment] = []
    at = 0
    wants_key = True
    while at < len(pattern):
        part = _PARTS.match(pattern, at)
        if part is None or (part.lastgroup == "point") is wants_key is True:
            raise _no_path(pattern)
        kind, at = part.lastgroup, part.end()
        is_named = kind in ("quoted", "any", "key")
        if is_named and not wants_key and parsed:
            raise _no_path(pattern)
        wants_key = kind == "point" or (not parsed and kind == "point")
        if kind == "quoted":
            parsed.append(("key", re.sub(r"\\(.)", r"\1", part["quoted"])))
        elif kind == "place":
            number = part["place"]
            parsed.append(("place", int(number)) if number else ("item", None))
        elif kind == "entry":
            parsed.append(("entry", None))
        elif kind == "any":
            parsed.append(("any" if part["any"] == "**" else "one", None))
        elif kind == "key":
            parsed.append(("key", part["key"]))
    if wants_key and pattern:
        raise _no_path(pattern)
    return tuple(parsed)


def _no_path(pattern: str) -> InputError:
    return InputError(
        f"{pattern!r} is not a path; write items[].price, and quote keys with points, "
        'brackets or blanks: "a.b"[].c'
    )


def key_text(key: str) -> str:
    """Return a key as paths have it, in quotes where it needs them."""
    if _PLAIN.fullmatch(key):
        return key
    escaped = re.sub(r'(["\\])', r"\\\1", key)
    return f'"{escaped}"'


KINDS = (
    *("weights", "ids", "refs", "maps", "lists", "texts"),
    *("keys", "tolerances", "coerced"),
)
"""Kinds of rules."""


class Rules(NamedTuple):
    """Rules for the places of documents, as the options give them.

    Attributes:
        weights: weight of leaves by pattern, as whole numbers of ``1 / unit``.
        unit: how many parts the weight 1 has.
        ids, refs: scope of identifiers and of references, by pattern.
        maps: patterns of objects whose keys are data.
        lists: order of the items of lists, by pattern.
        texts: how texts are compared, by pattern, where not as all others.
        keys: scope that the keys of maps refer to, by the pattern of their entries.
        tolerances: by how much numbers may differ, by pattern, where not as all others.
        coerced: whether texts may state numbers and booleans, by pattern.
        order: the order of lists without a rule.
        named: for each rule the path that an option names; empty for a schema's.
    """

    weights: tuple[tuple[tuple[Segment, ...], int], ...] = ()
    unit: int = 1
    ids: tuple[tuple[tuple[Segment, ...], str], ...] = ()
    refs: tuple[tuple[tuple[Segment, ...], str], ...] = ()
    maps: tuple[tuple[tuple[Segment, ...], bool], ...] = ()
    lists: tuple[tuple[tuple[Segment, ...], Order], ...] = ()
    texts: tuple[tuple[tuple[Segment, ...], str], ...] = ()
    keys: tuple[tuple[tuple[Segment, ...], str], ...] = ()
    tolerances: tuple[tuple[tuple[Segment, ...], Fraction], ...] = ()
    coerced: tuple[tuple[tuple[Segment, ...], bool], ...] = ()
    order: str = "rows"
    named: tuple[str, ...] = ()

    def root(self) -> Place:
        """Return the place of whole documents, which remembers the places below."""
        return _root(self)


MOST_ORDERS = 1000
"""Number of key orders that a place remembers."""

MOST_PLACES = 20_000
"""Number of places that are remembered below a place of whole documents."""

_Active: TypeAlias = list[tuple[str, tuple[Segment, ...], Any, int]]


class Place:
    """All values of documents at one pattern, with the rules for them.

    Attributes:
        pattern: the pattern of the place.
        weight: what a leaf weighs, in parts of ``rules.unit``.
        scope: the scope of the identifiers here, if leaves are identifiers.
        refers: the scope that leaves refer to, if they are references.
        is_map: whether the keys of an object are data.
        order: how the items of a list are compared.
        texts: how texts are compared, if not as all others.
        keys: the scope that the keys of entries refer to, if they are references.
        tolerance: the share by which numbers may differ, if not as all others.
        coerces: whether texts may count as numbers here, with the option ``coerce``.
        names: whether there may be identifiers or references, here or below.
        is_plain: whether leaves here are no more than leaves with a weight, and objects
            are not maps.
        by_step: the remembered places below.
        orders: sorted keys of objects here, by the keys as written.
        used: the numbers of the rules for this place.
    """

    __slots__ = (
        *("pattern", "weight", "scope", "refers", "is_map", "order", "names"),
        *("is_plain", "by_step", "used", "texts", "keys", "tolerance", "coerces"),
        *("orders", "_active", "_kept", "_rules"),
    )

    def __init__(
        self,
        rules: Rules,
        pattern: str,
        active: _Active,
        is_item: bool,
        kept: Counter[str],
    ) -> None:
        self._rules = rules
        self._kept = kept
        self.pattern = pattern
        chosen: dict[str, Any] = {}
        used = []
        for kind, path, value, number in active:
            if not path or path == (ANYTHING,):
                chosen[kind] = value
                used.append(number)
        self.used: tuple[int, ...] = tuple(used)
        self.weight: int = chosen.get("weights", rules.unit)
        self.scope: str | None = chosen.get("ids")
        self.refers: str | None = chosen.get("refs")
        self.is_map = bool(chosen.get("maps"))
        default: Order = "row" if is_item else "bag"
        if rules.order != "rows":
            default = "ordered" if rules.order == "all" else "bag"
        self.order: Order = chosen.get("lists", default)
        self.texts: str | None = chosen.get("texts")
        self.keys: str | None = chosen.get("keys")
        self.tolerance: Fraction | None = chosen.get("tolerances")
        self.coerces: bool = chosen.get("coerced", True)
        self.names = any(kind in ("ids", "refs", "keys") for kind, *_ in active)
        self.is_plain = bool(
            self.weight and not self.names and not self.is_map and not self.texts
        )
        self._active = active
        self.by_step: dict[Step, Place] = {}
        self.orders: dict[tuple[str, ...], tuple[str, ...] | None] = {}

    def below(self, step: Step) -> Place:
        """Return the place that a step leads to; all items of bags share one."""
        if isinstance(step, int) and self.order != "row":
            step = -1
        place = self.by_step.get(step)
        if place is None:
            place = self._made(step)
            if self._kept["places"] < MOST_PLACES:
                self._kept["places"] += 1
                self.by_step[step] = place
        return place

    def names_of(self, value: Mapping[Any, Any]) -> tuple[str, ...] | None:
        """Return the sorted keys of an object; ``None`` if not all are ASCII texts."""
        keys = tuple(value)
        try:
            return self.orders[keys]
        except KeyError:
            is_plain = all(isinstance(key, str) and key.isascii() for key in keys)
            names = tuple(sorted(keys)) if is_plain else None
            if len(self.orders) < MOST_ORDERS:
                self.orders[keys] = names
            return names

    def _made(self, step: Step) -> Place:
        active: _Active = []
        for kind, path, value, number in self._active:
            active += [
                (kind, remaining, value, number) for remaining in _after(path, step)
            ]
        if isinstance(step, int):
            of_row = self.order == "row" and self.has_places()
            name = self.pattern + (f"[{step}]" if of_row else "[]")
        elif step is None:
            name = self.pattern + "{}"
        else:
            point = "." if self.pattern else ""
            name = f"{self.pattern}{point}{key_text(step)}"
        return Place(self._rules, name, active, isinstance(step, int), self._kept)

    def has_places(self) -> bool:
        """Return whether a rule names single places of a list here."""
        return any(path and path[0][0] == "place" for _, path, *_ in self._active)


@lru_cache(16)
def _root(rules: Rules) -> Place:
    patterns = [
        (kind, path, value) for kind in KINDS for path, value in getattr(rules, kind)
    ]
    active = [(*pattern, number) for number, pattern in enumerate(patterns)]
    return Place(rules, "", active, False, Counter())


def _after(path: tuple[Segment, ...], step: Step) -> Iterable[tuple[Segment, ...]]:
    """Yield the remainders of a pattern after a step that it allows."""
    if not path:
        return
    (kind, value), *rest = path
    if kind == "any":
        yield path
        yield from _after(tuple(rest), step)
        return
    fits = {
        "key": isinstance(step, str) and step == value,
        "one": isinstance(step, str),
        "item": isinstance(step, int),
        "place": isinstance(step, int) and step == value,
        "entry": step is None,
    }
    if fits[kind]:
        yield tuple(rest)


def common_unit(weights: Mapping[str, Fraction]) -> int:
    """Return the least number that makes all weights whole."""
    from math import lcm

    return lcm(*(weight.denominator for weight in weights.values()))
