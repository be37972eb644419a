"""Options and schemas as rules of the places of documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from fractions import Fraction
from typing import Any

from exactmatch.base.errors import InputError
from exactmatch.metrics.json.patterns import (
    ANYTHING,
    KINDS,
    Rules,
    Segment,
    common_unit,
    segments,
)
from exactmatch.metrics.json.schema import SchemaRules

MAX_WEIGHT = 10**6
MAX_PARTS = 10**6
"""Largest weight, and largest number of parts of the weight 1."""


def rules_of(
    options: Any,
    schema: SchemaRules | None = None,
    inferred: tuple[Sequence[str], Iterable[tuple[str, str]]] = ((), ()),
) -> Rules:
    """Read the options of paths.

    Args:
        options: those of the metric.
        schema: the rules of a schema; options override them.
        inferred: identifiers, and references with the identifiers that they hold.

    Raises:
        InputError: if they cannot be read, or contradict each other.
    """
    id_paths: list[tuple[str, Any]] = [(path, "") for path in inferred[0]]
    ref_paths: list[tuple[str, Any]] = [*inferred[1]]
    if options.ids != "auto":
        id_paths, ref_paths = paths_in(options, "ids"), paths_in(options, "refs")
    elif options.refs is not None:
        raise InputError(
            "ids=auto infers references, too; leave out refs, or name the ids"
        )
    ids = [(path, scope or path) for path, scope in id_paths]
    scopes = dict(ids)
    referenced = {*scopes.values(), *(() if schema is None else schema.ids.values())}
    refs = []
    for path, target in ref_paths:
        scope = scopes.get(target, target)
        if scope not in referenced:
            names = ", ".join(scopes) or "none"
            raise InputError(
                f"refs: {path} refers to {target!r}, which is not a path of ids "
                f"(known: {names})"
            )
        refs.append((path, scope))
    weights = {path: _weight(path, text) for path, text in paths_in(options, "weights")}
    by_schema: dict[str, Fraction] = {}
    if schema is not None:
        for path, text in schema.weights.items():
            by_schema[path] = _weight(f"{path} in the schema", text)
        _check_scopes(schema, referenced)
    unit = common_unit({**by_schema, **weights})
    if unit > MAX_PARTS:
        raise InputError(
            f"weights have no common part above 1/{MAX_PARTS:,}; write them with fewer "
            "digits"
        )
    lists: list[tuple[str, Any, str]] = []
    for name, order in (
        ("ordered", "ordered"),
        ("unordered", "bag"),
        ("tuples", "row"),
    ):
        lists += [(path, order, name) for path, _ in paths_in(options, name)]
    rules = _Collected()
    if schema is not None:
        for path, weight in by_schema.items():
            rules.add("weights", path, int(weight * unit))
        for path, scope in schema.ids.items():
            rules.add("ids", path, scope)
        for path, scope in schema.refs.items():
            rules.add("refs", path, scope)
        for path in schema.maps:
            rules.add("maps", path, True)
        for path, order in schema.lists.items():
            rules.add("lists", path, order)
        for path, comparison in schema.texts.items():
            rules.add("texts", path, comparison)
        for path, scope in schema.keys.items():
            rules.add("keys", path, scope)
        for path, text in schema.tolerances.items():
            rules.add("tolerances", path, _tolerance(path, text))
        for path, is_coerced in schema.coerced.items() if options.coerce else ():
            rules.add("coerced", path, is_coerced)
    for path, weight in weights.items():
        rules.add("weights", path, int(weight * unit), "weights")
    for path, _ in paths_in(options, "ignore"):
        rules.add("weights", path, 0, "ignore", (ANYTHING,))
    for path, scope in ids:
        rules.add("ids", path, scope, "ids")
    for path, scope in refs:
        rules.add("refs", path, scope, "refs")
    for path, _ in paths_in(options, "maps"):
        rules.add("maps", path, True, "maps")
    for path, order, name in lists:
        rules.add("lists", path, order, name)
    return rules.rules(unit, options.order)


class _Collected:
    """Collector of the rules of places."""

    def __init__(self) -> None:
        self._rules: dict[str, list[tuple[tuple[Segment, ...], Any]]] = {
            kind: [] for kind in KINDS
        }
        self._named: dict[str, list[str]] = {kind: [] for kind in KINDS}

    def add(
        self,
        kind: str,
        path: str,
        value: Any,
        option: str = "",
        more: tuple[Segment, ...] = (),
    ) -> None:
        """Add a rule for a path, from an *option* or, without a name, from a schema."""
        self._rules[kind].append(((*segments(path), *more), value))
        self._named[kind].append(f"{option}: {path}" if option else "")

    def rules(self, unit: int, order: str) -> Rules:
        """Return the rules."""
        kinds: Any = {kind: tuple(entries) for kind, entries in self._rules.items()}
        named = tuple(name for kind in KINDS for name in self._named[kind])
        return Rules(unit=unit, order=order, named=named, **kinds)


def _check_scopes(schema: SchemaRules, scopes: Set[str]) -> None:
    for path, scope in (*schema.refs.items(), *schema.keys.items()):
        if scope not in scopes:
            raise InputError(
                f"the schema: {path} refers to {scope!r}, where no primaryKey "
                "identifies objects"
            )


def _weight(path: str, value: Any) -> Fraction:
    try:
        weight = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        raise InputError(
            f"weights: the weight of {path} is {value!r}, which is not a number; write "
            "PATH=NUMBER"
        ) from None
    if not 0 <= weight <= MAX_WEIGHT:
        raise InputError(
            f"weights: the weight of {path} is {value}; it is from 0 to {MAX_WEIGHT:,}"
        )
    return weight


def _tolerance(path: str, value: Any) -> Fraction:
    try:
        tolerance = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        tolerance = Fraction(-1)
    if not 0 <= tolerance < 1:
        raise InputError(
            f"the schema: the tolerance of {path or 'the top'} is {value!r}; it is a "
            "number from 0 to less than 1"
        )
    return tolerance


def read_paths(paths: Any) -> Any:
    """Read paths with the value of each, which may be empty."""
    if isinstance(paths, Mapping):
        entries = [(path, value) for path, value in paths.items()]
    elif isinstance(paths, str):
        entries = list(map(_parted, _split(paths)))
    elif isinstance(paths, Iterable) and not isinstance(paths, bytes):
        entries = [
            _parted(part) if isinstance(part, str) else (part, "") for part in paths
        ]
    else:
        raise InputError(f"{paths!r} is not a path, list of paths or mapping of paths")
    for path, _ in entries:
        if not isinstance(path, str):
            raise InputError(f"{path!r} is not a path, which is a text")
    return entries


def paths_in(options: Any, name: str) -> list[tuple[str, Any]]:
    """Return the paths of an option, with the value of each."""
    paths = getattr(options, name)
    try:
        return [] if paths is None else read_paths(paths)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def _split(text: str) -> Iterable[str]:
    """Split a text at the commas outside of quotes."""
    parts, is_quoted = [""], False
    for sign in text:
        is_quoted ^= sign == '"'
        if sign == "," and not is_quoted:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts if part.strip()]


def _parted(text: str) -> tuple[str, str]:
    """Split a text at its first ``=`` outside of quotes."""
    is_quoted = False
    for at, sign in enumerate(text):
        is_quoted ^= sign == '"'
        if sign == "=" and not is_quoted:
            return text[:at].strip(), text[at + 1 :].strip()
    return text.strip(), ""
