"""Documents of JSON, and the JSON Schema that says which of their fields are names.

An object is a node, and is called by its ``label``, ``name``, ``type`` or the like; a
field that holds objects is an edge to each, any other field an attribute.  In a schema
``primaryKey`` names the field that identifies an object, as in those of document
databases, and a field with ``ref`` holds identifiers of others: such a field is an
edge, and an identifier is not an attribute, so that it may be any.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeAlias
from urllib.parse import unquote

from exactmatch.base.errors import GraphError, InputError, shortened
from exactmatch.base.inputs import note_input
from exactmatch.base.json_files import read_object
from exactmatch.formats.block import Block
from exactmatch.formats.machine.columns import NODE_LABELS
from exactmatch.formats.machine.json_graphs import Broken, json_values
from exactmatch.formats.machine.network import Network, block_of, plain_text

Schemas: TypeAlias = list[Mapping[str, Any]]
"""Schemas of a value: it satisfies all of them, or one of them."""


def document_blocks(
    lines: Iterable[str], path: str | None, schema: str | None = None
) -> Iterator[Block]:
    """Yield the documents of a file: one, one a line, or those of a list.

    A list whose schema says what its items are is one document.
    """
    schema_rules = Schema({} if schema is None else read_schema(schema))
    root_schemas = schema_rules.all_of([schema_rules.root])
    is_list = any("items" in root_schema for root_schema in root_schemas)
    for number, value in json_values("".join(lines)):
        if isinstance(value, Broken):
            yield block_of(value, number, path)
            continue
        for root_schema in [value] if is_list or not isinstance(value, list) else value:
            try:
                data = (
                    _Document(schema_rules).network(root_schema, root_schemas).as_data()
                )
            except GraphError as error:
                data = {"unreadable": error.reason}
            except RecursionError:
                data = {"unreadable": "nests too deeply to be read"}
            yield block_of(data, number, path)


def read_schema(path: str) -> Mapping[str, Any]:
    """Read a JSON Schema, anew where the file has changed."""
    note_input(path)
    try:
        facts = os.stat(path)
        return _read(path, facts.st_mtime_ns, facts.st_size)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


@lru_cache(maxsize=8)
def _read(path: str, *_: int) -> Mapping[str, Any]:
    return read_object(path, "a JSON Schema")


class Schema:
    """A schema whose parts are looked up."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self.root = root

    def of_field(self, schemas: Schemas, name: str) -> Schemas:
        """Return the rules of a field of an object."""
        rules = []
        for schema in schemas:
            properties = schema.get("properties")
            field_schema = (
                properties.get(name) if isinstance(properties, Mapping) else None
            )
            rules.append(
                schema.get("additionalProperties")
                if field_schema is None
                else field_schema
            )
        return self.all_of(rules)

    def of_items(self, schemas: Schemas) -> Schemas:
        """The rules of the items of a list; they refer where the list does."""
        rules: list[Any] = []
        for schema in schemas:
            for items in (schema.get("items"), schema.get("prefixItems")):
                rules += items if isinstance(items, list) else [items]
        refer = [{"ref": schema["ref"]} for schema in schemas if schema.get("ref")]
        return [*self.all_of(rules), *refer]

    def all_of(self, schemas: Iterable[Any]) -> Schemas:
        """Schemas with those that they combine or refer to."""
        collected: Schemas = []
        open_schemas = [*schemas]
        while open_schemas:
            schema = open_schemas.pop()
            if not isinstance(schema, Mapping) or any(
                schema is collected_schema for collected_schema in collected
            ):
                continue
            collected.append(schema)
            for way in ("allOf", "anyOf", "oneOf"):
                open_schemas += schema[way] if isinstance(schema.get(way), list) else []
            if isinstance(schema.get("$ref"), str):
                open_schemas.append(self._at(schema["$ref"]))
        return collected

    def _at(self, place: str) -> Any:
        inner: Any = self.root
        for part in place.removeprefix("#").split("/")[1:]:
            key = unquote(part).replace("~1", "/").replace("~0", "~")
            inner = inner.get(key) if isinstance(inner, Mapping) else None
        if place[:1] != "#" or inner is None:
            place = shortened(repr(place))
            raise InputError(f"the JSON Schema refers to {place}, which is not in it")
        return inner


class _Document:
    """A document while its nodes are collected."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._network = Network()
        self._named: dict[tuple[str | None, str], str | None] = {}
        self._references: list[tuple[str, str, str | None, str]] = []

    def network(self, data: Any, schemas: Schemas) -> Network:
        """Return the graph of a document."""
        items = data if isinstance(data, list) else [data]
        inner = self._schema.of_items(schemas) if items is data else schemas
        for item in items:
            if not isinstance(item, Mapping):
                raise GraphError(
                    f"is {shortened(json.dumps(item))}, which is not an object"
                )
            name = self._object(item, inner, None)
            if items is not data and (None, name) in self._named:
                self._network.metadata["id"] = name
        for source, field, kind, text in self._references:
            target = self._named.get((kind, text), self._named.get((None, text)))
            if target is None:
                raise GraphError(
                    f"has {shortened(repr(text))} in the field {field!r}, which is "
                    "the identifier of no object, or of several"
                )
            self._network.join(source, field, target)
        return self._network

    def _object(
        self, members: Mapping[str, Any], schemas: Schemas, place: str | None
    ) -> str:
        """Add an object and what it holds; return the name of its node."""
        keys = {schema.get("primaryKey") for schema in schemas}
        texts = {key: plain_text(value) for key, value in members.items()}
        label_keys = (k for k in (*NODE_LABELS, "type") if texts.get(k) is not None)
        label = next((key for key in label_keys if key not in keys), None)
        key_texts = [
            text for key, text in texts.items() if key in keys and text is not None
        ]
        name = next((t for t in key_texts if t not in self._network.nodes), None)
        name = name or f"object {len(self._network.nodes)}"
        self._network.add(name, None if label is None else texts[label])
        for text in key_texts:
            if place is not None and (place, text) in self._named:
                raise GraphError(
                    f"has two objects with the identifier {shortened(repr(text))} in "
                    f"the field {place!r}"
                )
            self._named[place, text] = name
            several = place is not None and (None, text) in self._named
            self._named[None, text] = None if several else name
        for key, value in members.items():
            if key != label and (key not in keys or texts[key] is None):
                self._field(name, key, value, self._schema.of_field(schemas, key))
        return name

    def _field(self, node: str, key: str, value: Any, schemas: Schemas) -> None:
        if value is None or value == []:
            self._network.nodes[node][1].append((key, json.dumps(value)))
            return
        if isinstance(value, list):
            inner = self._schema.of_items(schemas)
            for item in value:
                self._field(node, key, item, inner)
            return
        if isinstance(value, Mapping):
            self._network.join(node, key, self._object(value, schemas, key))
            return
        text = plain_text(value)
        referred = next(
            (schema["ref"] for schema in schemas if schema.get("ref")), None
        )
        if text is None:
            return
        if referred is None:
            self._network.nodes[node][1].append((key, text))
        else:
            self._references.append((node, key, plain_text(referred), text))
