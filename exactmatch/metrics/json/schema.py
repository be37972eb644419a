"""Rules of comparison that a JSON Schema holds.

Read are ``properties``, ``items``, ``prefixItems``, ``additionalProperties``,
``patternProperties``, ``propertyNames``, ``allOf``, ``anyOf``, ``oneOf`` and ``$ref``
within the schema itself: no other file is opened.  ``enum``, ``const`` and ``format``
make texts equal or not; ``uniqueItems`` lists bags.  Words of ours, with those of other
tools: ``primaryKey``, ``ref`` (or ``idScope``), ``ordered`` (or ``order``), ``weight``
(or ``valueWeight``, ``x-aws-stickler-weight``), ``tolerance``, ``compare`` (or
``x-aws-stickler-comparator``) and ``map``; ``propertyNames`` with a ``ref`` makes the
keys of a map references.  Where a ``type`` says neither number nor boolean, texts that
state one are texts.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from exactmatch.base.errors import InputError
from exactmatch.base.paths import path_of
from exactmatch.formats.machine.documents import Schema, Schemas, read_schema
from exactmatch.metrics.json.patterns import key_text

MOST_PLACES = 20_000
"""Largest number of places that a schema may describe."""

DEEPEST = 100
"""Depth to which the places of recursive schemas are described."""

_EXACT = ("enum", "const")
_COERCED = ("number", "integer", "boolean")
_COMPARATORS = {
    "exact": "exact",
    "exactcomparator": "exact",
    "normalised": "normalised",
    "normalized": "normalised",
    "graded": "graded",
    "levenshteincomparator": "graded",
    "fuzzycomparator": "graded",
}
_NOT_FOLLOWED = ("x-aws-stickler-threshold", "$dynamicRef", "not", "if")


class SchemaRules(NamedTuple):
    """Rules of a schema, by the patterns of paths.

    Attributes:
        weights: weights of leaves.
        ids, refs: scopes of identifiers and of references.
        maps: objects whose keys are data.
        lists: how the items of lists are compared.
        texts: how texts are compared.
        keys: scopes that the keys of maps refer to, by the patterns of entries.
        tolerances: by how much numbers may differ.
        coerced: whether texts may state numbers or booleans.
        ignored_words: words of the schema that are not followed.
        checksum: of the schema.
    """

    weights: dict[str, Any]
    ids: dict[str, str]
    refs: dict[str, str]
    maps: list[str]
    lists: dict[str, str]
    texts: dict[str, str]
    keys: dict[str, str]
    tolerances: dict[str, Any]
    coerced: dict[str, bool]
    ignored_words: tuple[str, ...]
    checksum: str


def schema_of(schema: Any) -> Mapping[str, Any]:
    """Return the JSON Schema of a file, a mapping or a class.

    Raises:
        InputError: if it is not a schema.
    """
    if isinstance(schema, Mapping):
        return schema
    if hasattr(schema, "model_json_schema"):
        of_class: Mapping[str, Any] = schema.model_json_schema()
        return of_class
    if isinstance(schema, str) and schema.lstrip()[:1] == "{":
        return _of_text(schema)
    path = schema if isinstance(schema, str) else path_of(schema)
    if path is None:
        raise InputError(
            f"the schema is {schema!r}; give a file, a mapping or a class of pydantic"
        )
    return read_schema(path)


def _of_text(text: str) -> Mapping[str, Any]:
    try:
        schema = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"the schema is not JSON: {error}") from None
    return dict(schema)


class _At(NamedTuple):
    pattern: str
    schemas: Schemas
    name: str  # the last key, a scope of identifiers
    depth: int


def schema_rules(source: Any) -> SchemaRules:
    """Return the rules of each place that a schema describes.

    Raises:
        InputError: if it is not a schema, refers to something that it lacks, or has a
            value that is not allowed.
    """
    root = schema_of(source)
    text = json.dumps(root, sort_keys=True, default=str)
    schema = Schema(root)
    checksum = f"{zlib.crc32(text.encode()):08x}"
    rules = SchemaRules({}, {}, {}, [], {}, {}, {}, {}, {}, (), checksum)
    words: dict[str, None] = {}
    work = [_At("", schema.all_of([root]), "", 0)]
    for at in work:  # which grows
        for inner_schema in at.schemas:
            words |= dict.fromkeys(
                word for word in _NOT_FOLLOWED if word in inner_schema
            )
        _describe(rules, at)
        if at.depth < DEEPEST:
            work += _below(schema, at, rules)
        if len(work) > MOST_PLACES:
            break  # of a recursive schema, whose deep places nobody has
    return rules._replace(ignored_words=tuple(words))


def _describe(rules: SchemaRules, at: _At) -> None:
    """Add the rules that schemas have for a place itself."""
    for schema in at.schemas:
        for word in ("weight", "valueWeight", "x-aws-stickler-weight"):
            if word in schema:
                rules.weights.setdefault(at.pattern, schema[word])
        if isinstance(ref := schema.get("ref"), str):
            rules.refs.setdefault(at.pattern, ref)
        if isinstance(scope := schema.get("idScope"), str):
            rules.ids.setdefault(at.pattern, scope)
        if (key_ref := _ref_of_keys(schema)) is not None:
            rules.keys.setdefault(f"{at.pattern}{{}}", key_ref)
        if "tolerance" in schema:
            rules.tolerances.setdefault(at.pattern, schema["tolerance"])
        if (types := _types(schema)) and not rules.coerced.get(at.pattern):
            rules.coerced[at.pattern] = not types.isdisjoint(_COERCED)
        compare = schema.get("compare", schema.get("x-aws-stickler-comparator"))
        if compare is not None:
            rules.texts.setdefault(at.pattern, _comparator(compare, at.pattern))
        elif any(word in schema for word in _EXACT):
            rules.texts.setdefault(at.pattern, "exact")
        elif "format" in schema:  # a date-time with another offset may be the same
            rules.texts.setdefault(at.pattern, "coded")
        order = schema.get("order")
        if schema.get("ordered") is True or order == "fixed":
            rules.lists.setdefault(at.pattern, "ordered")
        elif (
            schema.get("ordered") is False
            or order == "align"
            or schema.get("uniqueItems")
        ):
            rules.lists.setdefault(at.pattern, "bag")
        elif isinstance(schema.get("prefixItems"), list):
            rules.lists.setdefault(at.pattern, "row")
        if schema.get("map") is True or _is_map(schema):
            rules.maps.append(at.pattern)


def _comparator(word: Any, pattern: str) -> str:
    comparator = _COMPARATORS.get(str(word).lower())
    if comparator is None:
        raise InputError(
            f"the schema compares {pattern or 'the top'} by {word!r}; known are "
            "exact, normalised and graded"
        )
    return comparator


def _types(schema: Mapping[str, Any]) -> set[str]:
    """Return the types that a schema allows; empty if it names none."""
    types = schema.get("type")
    return {types} if isinstance(types, str) else {*map(str, types or ())}


def _ref_of_keys(schema: Mapping[str, Any]) -> str | None:
    """Return the scope that the keys of an object refer to, if they do."""
    names = schema.get("propertyNames")
    ref = names.get("ref") if isinstance(names, Mapping) else None
    return ref if isinstance(ref, str) else None


def _is_map(schema: Mapping[str, Any]) -> bool:
    """Return whether the keys of an object are data: no field has a name."""
    if _ref_of_keys(schema) is not None:
        return True
    inner = schema.get("additionalProperties")
    has_inner = isinstance(inner, Mapping) or bool(schema.get("patternProperties"))
    return has_inner and not schema.get("properties")


def _below(schema: Schema, at: _At, rules: SchemaRules) -> Iterator[_At]:
    """Yield the places in a place."""
    names: dict[str, None] = {}
    entries: list[Any] = []
    for subschema in at.schemas:
        properties = subschema.get("properties")
        names |= dict.fromkeys(properties if isinstance(properties, Mapping) else ())
        if subschema.get("map") is True or _is_map(subschema):
            patterns = subschema.get("patternProperties")
            entries += patterns.values() if isinstance(patterns, Mapping) else ()
            entries.append(subschema.get("additionalProperties"))
        if isinstance(key := subschema.get("primaryKey"), str) and at.pattern:
            pattern = _joined(at.pattern, key)
            rules.ids.setdefault(pattern, at.name)
    for name in names:
        schemas = schema.of_field(at.schemas, name)
        yield _At(_joined(at.pattern, name), schemas, name, at.depth + 1)
    if entries:
        yield _At(f"{at.pattern}{{}}", schema.all_of(entries), at.name, at.depth + 1)
    places = _places(at.schemas)
    for number, inner in enumerate(places):
        pattern = f"{at.pattern}[{number}]"
        yield _At(pattern, schema.all_of([inner]), at.name, at.depth + 1)
    items = [
        subschema["items"]
        for subschema in at.schemas
        if isinstance(subschema.get("items"), Mapping)
    ]
    refer = [
        {"ref": subschema["ref"]} for subschema in at.schemas if subschema.get("ref")
    ]
    if items and not places:
        inner = [*schema.all_of(items), *refer]
        yield _At(f"{at.pattern}[]", inner, at.name, at.depth + 1)


def _places(schemas: Iterable[Mapping[str, Any]]) -> list[Any]:
    """Return the schemas of the places of a tuple."""
    for schema in schemas:
        if isinstance(schema.get("prefixItems"), list):
            return list(schema["prefixItems"])
    return []


def _joined(pattern: str, key: str) -> str:
    return f"{pattern}{'.' * bool(pattern)}{key_text(key)}"
