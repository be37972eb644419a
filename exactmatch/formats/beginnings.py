"""Beginnings of texts in each format, and functions that tell a format by them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

from exactmatch.base.registry import imported

HEAD = 2**16
"""Number of bytes at a file's beginning by which its format is recognised."""

_UMR = r"\n#\s*(?i:sentence level graph|document level annotation|alignment)\s*:"
"""The beginning of a comment that UMR documents alone have, behind another line."""
_MRP_ONLY = {"framework", "flavor", "tops"}
_MRP_KEYS = {"nodes", "edges"} | _MRP_ONLY
ANSWER_FIELDS = (
    *("prediction", "response", "output", "model_output", "model_response"),
    *("model_answer", "generated_text", "completion", "generation", "pred"),
)
"""Where the answer of a row is looked for, in that order."""

_ANSWER_KEYS = {*ANSWER_FIELDS, "choices", "custom_id"}
_GRAPH_KEYS = {
    *("nodes", "vertices", "elements", "entities", "graphs"),
    *("triples", "triplets", "relations", "relationships", "subject", "head"),
    *("entity_1", "entity1", "node_1", "head_entity", "subj"),
}
SBN_LINE = r"\S+\.[nvasr]\.\d\d(\s|$)|\s*[A-Z]{3,} [<-]\d"
CLAUSE_LINE = r'b\d+\s+[^\s"]+\s+(\w+\d+|"[^"]*")'
_TRIPLE = r"[^\t]+\t[^\t]+\t[^\t]+"
_WEIGHTED = r"(?i)[^\t]+\t[^\t]+\t\s*([-+.\d][-+.\de]*|\{.*\})\s*"
"""Patterns are compiled when they are looked for: most files are PENMAN."""
WEIGHTED = "an edge list with weights"
GML = r"(?i)(?:(?:#|Creator|Version|Comment)[^\n]*\n\s*)*graph\s*\["
DOT = (
    r"(?i)(?:(?://|#)[^\n]*\n\s*|/\*(?:[^*]|\*(?!/))*\*/\s*)*(?:strict\s+)?(?:di)?graph\b"
    r"(?:[ \t+\w.-]|\"(?:[^\"\\]|\\.)*\"|<(?![a-z]+:)[^\n>]*>)*(?:[\r\n]\s*)?\{"
)
PAJEK = r"(?i)(?:%[^\n]*\n\s*)*\*(?:vertices|network|arcs|edges)"
XML_OF = r"(?:<\?[^>]*\?>\s*|<!--(?:[^-]|-(?!->))*-->\s*|<!DOCTYPE[^>]*>\s*)*<{}\b"
GEXF = XML_OF.format(r"(?:\w+:)?gexf")
GXL = XML_OF.format(r"(?:\w+:)?(?:gxl|GraphCollection)")
_COLLECTION = (
    r"\(\s*(?:(?:[-+]?\.?\d[\d.]*|\"[^\"\n]*\"|<[^<>\s]*>|_:\w+)\s*)+\)"
    r"\s*(?:<[^<>\s]+>|[A-Za-z][\w-]*:\w|:\w|a\s)"
)
"""A list of RDF that is the subject of a triple."""
_HTML = r"(?i:<(?:html|table|ul|ol)>\s*<(?:head|body|caption|t\w+|li)\b)"
RDF = (
    r"(?:#[^\n]*\n\s*)*(?:@prefix\s|@base\s|(?i:prefix)\s+[\w.-]*:\s*<"
    rf"|\[\s*(?:<[^<>\s]*>|a\s+(?!/)|[A-Za-z][\w-]*:\w|:\w)|{_COLLECTION}"
    r"|(?i:base)\s*<[^<>\s]*>\s|(?:(?i:graph)\s*)?<[^<>\s]*>\s*\{"
    rf"|(?!{_HTML})(?:<[^<>\s]*>|_:[\w.-]+|\[\s*\])\s*(?:<[^<>\s]+>|a\s)"
    r"\s*(?:<[^<>\s]*>|_:\w|[\"'\[(]|[-+]?\.?\d|true\b|false\b))"
)
_IRI_OR_KEYWORD = r"[a-z][a-z0-9+.-]*:\S+|@[a-z]+"
_KEYWORD = r'"@(?:id|type|value|language|list|set|graph|included|reverse)"\s*:'
"""All keys of an object of JSON-LD without a context, and one that is within it."""
IS_SDF = "molecules:is_sdf"
OTHERS = {
    "XML": "<",
    "graph6": r">>(?:di)?(?:graph|sparse)6<<",
    "LEDA": r"(?:#[^\n]*\n\s*)*LEDA\.GRAPH",
}
"""Beginnings of texts that no format reads, by their name."""

Recognises: TypeAlias = Callable[[str], bool]


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of content, without comments; of JSON its bracket alone."""
    if is_json(text):
        yield text.lstrip()[0]
        return
    for line in lines_of(text[:HEAD]):
        if line.strip() and line[0] not in "#%":
            yield line


def lines_of(text: str) -> Iterator[str]:
    """Yield the lines of a text, of which often the first alone is taken."""
    begun = 0
    while (end := text.find("\n", begun)) >= 0:
        yield text[begun:end]
        begun = end + 1
    yield text[begun:]


def _first_line(text: str) -> str:
    return next(_lines(text), "")


def is_json(text: str) -> bool:
    """Tell JSON by its first bracket."""
    return text.lstrip().startswith(("{", "["))


def is_umr(text: str) -> bool:
    """Tell UMR documents by their comments."""
    return not is_json(text) and bool(re.search(_UMR, f"\n{text[:HEAD]}"))


def is_penman(text: str) -> bool:
    """Return whether an opening bracket comes first, or all are comments."""
    first = _first_line(text).lstrip()
    if first[:1] not in ("(", "") or is_umr(text):
        return False
    return re.match(_COLLECTION, first) is None


def _has_triple(text: str) -> bool:
    return re.fullmatch(_TRIPLE, _first_line(text).strip()) is not None


def is_triples(text: str) -> bool:
    """Tell tab-separated triples from tables and from edges with weights."""
    is_unweighted = _has_triple(text) and not is_weighted(text)
    return is_unweighted and not asks("machine.lines:is_table")(text)


def is_weighted(text: str) -> bool:
    """Return whether every line that was not cut off is an edge with a weight."""
    lines = [*_lines(text)]
    whole_lines = lines if text[:HEAD].endswith("\n") else lines[:-1] or lines
    return _has_triple(text) and all(
        re.fullmatch(_WEIGHTED, line) for line in whole_lines
    )


def kind_of_json(text: str) -> str | None:
    """Tell node-link JSON and MRP from other JSON; text without keys may be PENMAN.

    Args:
        text: the whole of the first object at least; if it is broken, keys are
            looked for all the same.
    """
    if not is_json(text):
        return None
    if begins(RDF)(text):
        return "rdf"
    if re.match(r'\s*\[\s*[]["]', text):
        return "json"
    from exactmatch.formats.network_texts import first_object

    data, keys = first_object(text)
    if "nodes" in keys and keys & {"links", "directed", "multigraph", "graph"}:
        nodes = data.get("nodes")  # texts or numbers, which node-link JSON has not
        texts = isinstance(nodes, list) and any(not isinstance(n, dict) for n in nodes)
        return "json" if data.get("directed") is False or texts else "node-link"
    if len(_MRP_KEYS & keys) > 1 and keys & _MRP_ONLY:
        return "mrp"
    if keys & {"@context", "@graph", "@id"}:
        return "rdf"
    if keys & _ANSWER_KEYS and "nodes" not in keys:
        return "answers"
    if keys & _GRAPH_KEYS:
        return "json"
    if keys and all(re.fullmatch(_IRI_OR_KEYWORD, key) for key in keys):
        return "rdf" if re.search(_KEYWORD, text) else "JSON"
    return "JSON" if keys else None


def json_of(kind: str) -> Recognises:
    """Return a function that tells JSON of a kind."""
    return lambda text: kind_of_json(text) == kind


def line_like(pattern: str) -> Recognises:
    """Return a function that looks at the first line of content."""
    return lambda text: re.match(pattern, _first_line(text)) is not None


def begins(pattern: str) -> Recognises:
    """Return a function that looks at how a text begins."""
    return lambda text: re.match(pattern, text[:HEAD].lstrip()) is not None


def asks(place: str) -> Recognises:
    """Return a function of a module that is imported at its first call."""
    return lambda text: bool(imported(f"exactmatch.formats.{place}")(text))
