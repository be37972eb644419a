"""RDF in Turtle, TriG, N-Triples, N-Quads or JSON-LD, by rdflib, which opens nothing.

Of a dataset the default graph is read, and the triples of named graphs are left out and
counted; where it has no triple, each named graph is read, and its name is its id.

A JSON-LD document can name a context that lies elsewhere, and rdflib would fetch it
from a network or read it from a file.  While it reads for us, the function by which it
loads contexts refuses.  Relative IRIs are resolved against a base that does not exist,
so that the folder where a file lies is in no node's name; and blank nodes are numbered
as they come in the text.
"""

from __future__ import annotations

import json
import logging
import re
import threading
import warnings
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from functools import cache
from importlib import import_module
from typing import Any
from urllib.parse import quote, unquote

from exactmatch.base.errors import InputError, place_of, shortened
from exactmatch.base.json_texts import loads
from exactmatch.formats.block import Block
from exactmatch.formats.items import Items
from exactmatch.formats.machine.network import (
    UNLABELLED,
    Network,
    block_of,
    of_graph,
)
from exactmatch.formats.network_texts import not_read
from exactmatch.formats.remarks import NAMED_GRAPHS
from exactmatch.graphs.graph import Graph

BASE = "http://exactmatch.invalid/"
"""What relative IRIs are resolved against; nothing has such a name (RFC 6761)."""

_NAMES = "urn:exactmatch:"
"""What stands before a name that is not an IRI, where RDF wants one."""

_LITERAL = re.compile(r'"(.*)"(@[\w-]+|\^\^<[^<>\s]*>)?', re.DOTALL)


_NODE = r"(?:<[^<>\s]*>|_:[^\s<>\"]+)"
_TEXT = r"\"[^\"\n\\]*(?:\\.[^\"\n\\]*)*\"(?:@[\w-]+|\^\^<[^<>\s]*>)?"
_TRIPLE = rf"[ \t]*{_NODE}[ \t]*<[^<>\s]*>[ \t]*(?:{_NODE}|{_TEXT})"
_END = r"[ \t]*\.[ \t]*(?:#|$)"
_ONE_A_LINE = re.compile(
    rf"(?:[ \t]*(?:#[^\n]*)?\n)*{_TRIPLE}(?:[ \t]*{_NODE})?{_END}", re.MULTILINE
)
_QUAD = re.compile(rf"^{_TRIPLE}[ \t]*{_NODE}{_END}", re.MULTILINE)
"""A line of N-Quads with the name of a graph."""

_JSON = re.compile(r'\s*(\{\s*["}]|\[\s*([{\["]|\]\s*\Z))')
"""The beginning of a JSON document; TriG may begin with ``{ :a``, ``[]``, ``[ :p``."""

_MOST_PREFIXES = 1000

_is_ours: ContextVar[bool] = ContextVar("_is_ours", default=False)
"""Whether rdflib reads for us now, so that it may load nothing."""

_alone = threading.Lock()


class _Elsewhere(Exception):  # noqa: N818  turned into an InputError
    """A context that lies elsewhere, by its name."""

    def refusal(self, path: str | None) -> InputError:
        """Return the error of the file that names it."""
        name = shortened(repr(str(self).removeprefix(BASE)), 60)
        return InputError(
            f"{place_of(path, None)}names a '@context' elsewhere, {name}, which is not "
            "loaded; write what it holds in its place"
        )


def rdf_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the graphs of a file of RDF, which is one unless all have names."""
    where = place_of(path, None)
    try:
        import rdflib
    except ImportError:
        raise InputError(
            f"{where}is RDF, which needs rdflib: pip install 'exactmatch[rdf]'"
        ) from None
    logging.getLogger("rdflib.term").setLevel(logging.ERROR)
    default, named = _dataset("".join(lines), path)
    if default or not named:
        network = _network(default, path)
        network.left_out[NAMED_GRAPHS] += sum(map(len, named.values()))
        yield block_of(network.as_data(), 1, path)
        return
    for name, triples in named.items():
        is_blank = isinstance(name, rdflib.BNode)
        network = _network(triples, path)
        yield block_of(network.as_data(), 1, path, None if is_blank else str(name))


def _network(triples: list[Any], path: str | None) -> Network:
    """Return the graph of some triples."""
    from rdflib import BNode

    blank: dict[Any, str] = {}
    for triple in triples:
        for term in triple:
            if isinstance(term, BNode):
                blank.setdefault(term, f"_:b{len(blank) + 1}")
    names = {term: _term(term) for triple in triples for term in triple} | blank
    network = Network(items=Items(path))
    for triple in sorted(
        triples, key=lambda triple_terms: [names[term] for term in triple_terms]
    ):
        for term in (triple[0], triple[2]):
            if names[term] not in network.nodes:
                has_label = term not in blank and str(term) != BASE
                network.add(names[term], _local(term) if has_label else None)
        ends = names[triple[0]], names[triple[2]]
        network.join(ends[0], _local(triple[1]), ends[1])
    return network


def _dataset(text: str, path: str | None) -> tuple[list[Any], dict[Any, list[Any]]]:
    """Return the triples of a text without a graph's name, and those with each name.

    They are in the order in which they stand in it.
    """
    import rdflib

    kind = "turtle"
    if _JSON.match(text):
        kind = "json-ld"
        _check_contexts(text, path)
    elif _ONE_A_LINE.match(text) and _QUAD.search(text):
        kind = "nquads"
    elif "{" in text:
        kind = "trig"  # which is Turtle, and graphs in braces
    store_class, names_class = _store_and_names()
    store = store_class()
    store.items = Items(path)
    graph = rdflib.Graph(store=store, identifier=rdflib.URIRef(f"{_NAMES}default"))
    graph.namespace_manager = names_class(graph)
    _refuse_to_load()
    before = _is_ours.set(True)
    try:
        with _alone, warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # rdflib's own
            graph.parse(data=text, format=kind, publicID=BASE)
    except _Elsewhere as error:
        raise error.refusal(path) from None
    except InputError:
        raise
    except Exception as error:  # rdflib raises errors of many kinds
        reason = " ".join(str(error).split())[:200]
        raise not_read(path, kind, "rdflib", reason) from None
    finally:
        _is_ours.reset(before)
    named: dict[Any, list[Any]] = {}
    for triple, name in store.order:
        named.setdefault(name, []).append(triple)
    return named.pop(graph.identifier, []), named


@cache
def _store_and_names() -> tuple[Any, Any]:
    """Return classes of a store that keeps the order of triples, and of no prefixes.

    rdflib looks at all prefixes for each new one; names of nodes are whole IRIs.
    """
    from rdflib.namespace import NamespaceManager
    from rdflib.plugins.stores.memory import Memory

    class WithoutPrefixes(NamespaceManager):
        def bind(self, *args: Any, **options: Any) -> None:
            pass

    class Ordered(Memory):
        def __init__(self) -> None:
            super().__init__()
            self.order: dict[Any, None] = {}
            self.items = Items()

        def add(self, triple: Any, context: Any, quoted: bool = False) -> None:
            self.items.add()
            self.order[triple, context.identifier] = None
            super().add(triple, context, quoted)

        def bind(self, prefix: Any, namespace: Any, override: bool = True) -> None:
            pass

    return Ordered, WithoutPrefixes


def _refuse_to_load() -> None:
    """Let rdflib load no context while it reads for us; for others it does as ever.

    Raises:
        InputError: if this version of rdflib loads them in another way.
    """
    context: Any = import_module("rdflib.plugins.shared.jsonld.context")
    with _alone:
        load = getattr(context, "source_to_json", None)
        if load is None:
            raise InputError(
                "this version of rdflib cannot be kept from loading what a text names; "
                "install another: pip install 'exactmatch[rdf]'"
            )
        if getattr(load, "asks_us", False):
            return

        def source_to_json(source: Any, *args: Any, **options: Any) -> Any:
            return _load(load, source, *args, **options)

        vars(source_to_json)["asks_us"] = True
        context.source_to_json = source_to_json


def _load(load: Any, source: Any, *args: Any, **options: Any) -> Any:
    if _is_ours.get():
        raise _Elsewhere(str(source))
    return load(source, *args, **options)


def _check_contexts(text: str, path: str | None) -> None:
    """Refuse a document that names a context, or has more prefixes than rdflib can.

    rdflib may not come to a context that is named.  For each prefix it looks at all
    others.
    """
    try:
        stack = [loads(text)]
    except (ValueError, RecursionError):
        return
    prefixes = 0
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            contexts = [value.get("@context"), value.get("@import")]
            while contexts:
                context = contexts.pop()
                if isinstance(context, str):
                    raise _Elsewhere(context).refusal(path)
                if isinstance(context, dict):
                    prefixes += sum(map(_is_prefix, context.values()))
                contexts += context if isinstance(context, list) else []
            if prefixes > _MOST_PREFIXES:
                raise InputError(
                    f"{place_of(path, None)}has contexts with more than "
                    f"{_MOST_PREFIXES:,} prefixes, which rdflib does not read in time "
                    "linear in their number; write whole IRIs"
                )
        if isinstance(value, dict | list):
            stack += value.values() if isinstance(value, dict) else value


def _is_prefix(definition: Any) -> bool:
    """Return whether rdflib reads the definition of a term as that of a prefix."""
    if isinstance(definition, dict):
        definition = definition.get("@id")
    return isinstance(definition, str) and definition.endswith(("#", "/", ":"))


def _term(term: Any) -> str:
    """Return a term as N-Triples write it, without escapes."""
    kind = type(term).__name__
    if kind == "URIRef" and term.startswith(_NAMES):
        return unquote(term.removeprefix(_NAMES))
    if kind != "Literal":
        return f"<{term}>" if kind == "URIRef" else f"_:{term}"
    tag = f"@{term.language}" if term.language else ""
    return f'"{term}"{tag}' + (f"^^<{term.datatype}>" if term.datatype else "")


def _local(term: Any) -> str:
    """Return the value of a literal, or the last part of an IRI."""
    text = str(term)
    if type(term).__name__ == "URIRef":
        match = re.search(r"[^/#:]+(?=[/#:]*$)", text)
        return unquote(match[0]) if match else text
    return text


def write_rdf(graph: Graph) -> str:
    """Write the triples of a graph as N-Triples."""
    network = of_graph(graph)
    next(rdf_blocks([], "the result"))
    lines = ""
    for source, label, target in network.edges:
        relation = _iri(label or UNLABELLED)
        lines += f"{_written(source)} {relation} {_written(target)} .\n"
    return lines


def _written(name: str) -> str:
    """Write a node as a term; names that are not terms get IRIs of their own."""
    if re.fullmatch(r"<[^<>\s]*>|_:\w+", name):
        return name
    if match := _LITERAL.fullmatch(name):
        return f"{json.dumps(match[1], ensure_ascii=False)}{match[2] or ''}"
    return _iri(name)


def _iri(text: str) -> str:
    return f"<{_NAMES}{quote(text, safe='')}>"
