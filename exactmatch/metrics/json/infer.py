"""Inference of identifiers and references from the values of documents.

An identifier is a field of the items of a list, by its name (``id``, ``uid``, ``key``,
``…_id``), whose values are unique in every document, and are whole numbers or handles
such as ``n12`` or a UUID, never words.  Another field refers to it if at least nine
tenths of its values are identifiers of the same document, and its name says so, or its
values cannot be mere quantities.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from exactmatch.metrics.json.building import plain_value
from exactmatch.metrics.json.leaves import nfc
from exactmatch.metrics.json.patterns import Place, Rules

SHARE = 0.9
"""Share of a referring field's values that must be identifiers."""

QUANTITY = 1000
"""Whole numbers under this may be quantities, ranks or years of service."""

_ID = re.compile(r"\[\]\.(?:id|uid|uuid|guid|key|\w+_id|\w*[a-z]Id)\Z")
_REFERS = re.compile(
    r"(?:^|[._\[\]])(?:\w*(?:id|ids|ref|refs|Id|Ids|Ref|Refs)|source|target|from|to|"
    r"parent|child|children|head|tail|subject|object|owner|manager|lead|start|end|"
    r"src|dst|dest|depends_on|dependencies|next|previous)(?:\[\])?\Z"
)
_HANDLE = re.compile(
    r"[A-Za-z]{1,4}[-_:]?\d+|(?=[0-9a-f]*\d)[0-9a-f]{8,}|"
    r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
)


class Inferred(NamedTuple):
    """Identifiers and references.

    Attributes:
        ids: the patterns of fields that identify objects.
        refs: the pattern of identifiers by that of fields that refer to them.
    """

    ids: tuple[str, ...]
    refs: tuple[tuple[str, str], ...]

    def words(self) -> str:
        """Return the inferred identifiers and references in words."""
        if not self.ids:
            return "ids=auto: no field identifies objects that others refer to"
        parts = []
        for identifier in self.ids:
            names = [path for path, scope in self.refs if scope == identifier]
            parts.append(
                f"{identifier} identifies objects that {', '.join(names)} refer to"
            )
        return f"ids=auto: {'; '.join(parts)}"


def inferred(documents: Iterable[Any], rules: Rules) -> Inferred:
    """Infer identifiers and references from the values of documents.

    >>> people = [{"id": 1001, "name": "Ann"}, {"id": 1002, "name": "Bob"}]
    >>> inferred([{"people": people, "boss": 1002}], Rules())
    Inferred(ids=('people[].id',), refs=(('boss', 'people[].id'),))
    """
    read = [_values(document, rules.root()) for document in documents]
    patterns = dict.fromkeys(name for values in read for name in values)
    ids = [name for name in patterns if _ID.search(name) and _identifies(name, read)]
    refs = []
    for name in patterns:
        shares = [(_share(name, scope, read), scope) for scope in ids if scope != name]
        share, scope = max(shares, default=(0.0, ""), key=lambda pair: pair[0])
        if share >= SHARE:
            refs.append((name, scope))
    named = dict(refs)  # what refers to others identifies nothing
    refs = [(name, scope) for name, scope in refs if scope not in named]
    used = {scope for _, scope in refs}
    return Inferred(tuple(scope for scope in ids if scope in used), tuple(refs))


def _values(document: Any, place: Place) -> dict[str, list[Any]]:
    """Return the texts and whole numbers of a document, by pattern."""
    values: defaultdict[str, list[Any]] = defaultdict(list)
    work = [(document, place)]
    while work:
        value, place = work.pop()
        value = plain_value(value)
        if isinstance(value, Mapping):
            work += _inside(value, place)
        elif isinstance(value, list | tuple):
            work += [
                (inner_value, place.below(k)) for k, inner_value in enumerate(value)
            ][::-1]
        elif value is not None:
            values[place.pattern].append(value)
    return dict(values)


def _inside(value: Mapping[Any, Any], place: Place) -> Iterator[tuple[Any, Place]]:
    for key, item in [*value.items()][::-1]:
        yield item, place.below(None if place.is_map else nfc(str(key)))


def _is_handle(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | str):
        return False
    return isinstance(value, int) or bool(_HANDLE.fullmatch(value))


def _identifies(name: str, read: Iterable[Mapping[str, list[Any]]]) -> bool:
    """Return whether a field has a different handle in each object of a document."""
    for values in read:
        handles = values.get(name, [])
        if not all(map(_is_handle, handles)) or len(set(handles)) < len(handles):
            return False
    return True


def _share(name: str, ids: str, read: Iterable[Mapping[str, list[Any]]]) -> float:
    """Return the share of a field's values that are identifiers, if it may refer."""
    may_refer = bool(_REFERS.search(name))
    n_known = n_values = 0
    for values in read:
        field_values = values.get(name, [])
        id_values = set(values.get(ids, ()))
        for value in field_values:
            if not _is_handle(value):
                return 0.0
            if not may_refer and isinstance(value, int) and value < QUANTITY:
                return 0.0
            n_known += value in id_values
        n_values += len(field_values)
    return n_known / n_values if n_values else 0.0
