"""The formats of files, and how to recognise a file's format by its beginning.

A format is one file with three functions and one line in :data:`FORMATS`.  The first
cuts lines into blocks, one for each graph; the second reads a block's graph as it
stands; the third writes a graph as text.  Formats know nothing of profiles.  Other
packages add theirs as entry points of the group ``exactmatch.formats``.

A file in none of the formats is refused before anything is counted or read, with a
message that says what it is.  Otherwise its blank lines would cut it into blocks that
look like broken graphs.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from exactmatch.base.errors import ExactmatchWarning, GraphError
from exactmatch.base.registry import Registry, imported

if TYPE_CHECKING:
    from exactmatch.formats.block import Block
    from exactmatch.formats.remarks import Reading
    from exactmatch.graphs.graph import Graph


class Format(NamedTuple):
    """A format of files of graphs.

    Attributes:
        name: what ``--format-in`` calls it.
        title: what it is, for people.
        suffix: how the names of its files end.
        module: where its functions are.
        functions: the names of those that cut lines into blocks, read a block, and
            write a graph; of another module than that, ``module:name``.
        one_a_line: whether each graph is a line.
        framework: of MRP files, the framework whose graphs are read; ``None`` for all;
            of documents, the file of their JSON Schema; of networks, their reader.
        profile: the profile that counts such graphs by their own rules; ``None``
            where those of AMR do.
        recognises: tells from the beginning of a text, cut off anywhere, whether it is
            surely in the format; of JSON it is given the first object at least.
            ``None`` for a format that is read only where it is named.
        frame: what stands before and behind all graphs of a file.
    """

    name: str
    title: str
    suffix: str
    module: str
    functions: tuple[str, str, str]
    one_a_line: bool = False
    framework: str | None = None
    profile: str | None = None
    recognises: Callable[[str], bool] | None = None
    frame: tuple[str, str] = ("", "")

    def _function(self, place: int) -> Any:
        module, _, name = self.functions[place].rpartition(":")
        return imported(f"{module or self.module}:{name}")

    def blocks(self, lines: Iterable[str], path: str | None) -> Iterator[Block]:
        """Cut a file's lines into blocks, one a graph.

        Those of a format of another package bear the name it was asked for by.  A
        block without a format is PENMAN.
        """
        cut = self._function(0)
        if self.module == _ROOM and self.framework is not None:
            return iter(cut(lines, path, self.framework))
        found: Iterator[Block] = cut(lines, path)
        if self.name not in FORMATS.own:
            return (replace(b, format=self.name) if b.format else b for b in found)
        if self.framework is None:
            return found
        return (b for b in found if (b.known or {}).get("framework") == self.framework)

    def read(self, block: Block) -> Reading:
        """Read a block's graph as it stands.

        Raises:
            GraphError: if it cannot be read.
        """
        try:
            reading: Reading = self._function(1)(block)
        except GraphError as error:
            raise block.located(error) from None
        return reading

    def write(self, graph: Graph) -> str:
        """Write a graph.

        Raises:
            GraphError: if the format cannot say it.
        """
        text: str = self._function(2)(graph)
        return f"{self.frame[0]}{text}{self.frame[1]}"


HEAD = 2**16
"""Number of bytes at a file's beginning by which its format is recognised."""

_UMR = r"(?i)\n#\s*(?:sentence level graph|document level annotation|alignment)\s*:"
"""The beginning of a comment that UMR documents alone have, behind another line."""
_MRP_ONLY = {"framework", "flavor", "tops"}
_MRP_KEYS = {"nodes", "edges"} | _MRP_ONLY
_ANSWER_KEYS = {"prediction", "response", "output"}
_GRAPH_KEYS = {
    *("nodes", "vertices", "elements", "entities", "graphs"),
    *("triples", "triplets", "relations", "relationships", "subject", "head"),
}
_SBN = r"\S+\.[nvasr]\.\d\d(\s|$)|\s*[A-Z]{3,} [<-]\d"
_CLAUSE = r'b\d+\s+[^\s"]+\s+(\w+\d+|"[^"]*")'
_TRIPLE = r"[^\t]+\t[^\t]+\t[^\t]+"
_WEIGHTED = r"(?i)[^\t]+\t[^\t]+\t\s*([-+.\d][-+.\de]*|\{.*\})\s*"
"""Patterns are compiled when they are looked for: most files are PENMAN."""
WEIGHTED = "an edge list with weights"
_GML = r"(?i)(?:(?:#|Creator|Version|Comment)[^\n]*\n\s*)*graph\s*\["
_DOT = (
    r"(?i)(?:(?://|#|/\*(?:[^*]|\*(?!/))*\*/)[^\n]*\n\s*)*(?:strict\s+)?"
    r"(?:di)?graph\b[^\[{;\n]*\{"
)
_PAJEK = r"(?i)(?:%[^\n]*\n\s*)*\*(?:vertices|network|arcs|edges)"
_XML_OF = r"(?:<\?[^>]*\?>\s*|<!--(?:[^-]|-(?!->))*-->\s*|<!DOCTYPE[^>]*>\s*)*<{}\b"
_GEXF = _XML_OF.format(r"(?:\w+:)?gexf")
_GXL = _XML_OF.format(r"(?:\w+:)?(?:gxl|GraphCollection)")
_RDF = (
    r"(?:#[^\n]*\n\s*)*(?:@prefix\s|@base\s|(?i:prefix)\s+\w*:\s*<|(?:<[^<>\s]*>|_:\w+)"
    r"\s+<[^<>\s]+>\s+(?:<[^<>\s]*>|_:\w+|\"))"
)
_OTHERS = {
    "XML": "<",
    "graph6": r">>(?:di)?(?:graph|sparse)6<<",
    "LEDA": r"(?:#[^\n]*\n\s*)*LEDA\.GRAPH",
}
"""Beginnings of what is no format of ours, by its name."""

_Recognises: TypeAlias = Callable[[str], bool]


def _lines(text: str) -> Iterator[str]:
    """The lines that are neither blank nor comments; of JSON its bracket alone."""
    if _is_json(text):
        yield text.lstrip()[0]
        return
    for line in text[:HEAD].split("\n"):
        if line.strip() and line[0] not in "#%":
            yield line


def _first_line(text: str) -> str:
    return next(_lines(text), "")


def _is_json(text: str) -> bool:
    return text.lstrip().startswith(("{", "["))


def _is_umr(text: str) -> bool:
    return not _is_json(text) and bool(re.search(_UMR, f"\n{text[:HEAD]}"))


def _is_penman(text: str) -> bool:
    """Whether an opening bracket comes first, or there is nothing but comments."""
    return _first_line(text).lstrip()[:1] in ("(", "") and not _is_umr(text)


def _has_triple(text: str) -> bool:
    return re.fullmatch(_TRIPLE, _first_line(text).strip()) is not None


def _is_triples(text: str) -> bool:
    plain = _has_triple(text) and not _is_weighted(text)
    return plain and not _asks("machine.lines:is_table")(text)


def _is_weighted(text: str) -> bool:
    """Whether every line that was not cut off is an edge with a weight."""
    lines = [*_lines(text)]
    whole = lines if text[:HEAD].endswith("\n") else lines[:-1] or lines
    return _has_triple(text) and all(re.fullmatch(_WEIGHTED, line) for line in whole)


def _kind_of_json(text: str) -> str | None:
    """Tell node-link JSON and MRP from other JSON; text without keys may be PENMAN.

    Args:
        text: the whole of the first object at least; if it is broken, keys are
            looked for all the same.
    """
    if not _is_json(text):
        return None
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
    return "JSON" if keys else None


def _json_of(kind: str) -> _Recognises:
    return lambda text: _kind_of_json(text) == kind


def _line_like(pattern: str) -> _Recognises:
    return lambda text: re.match(pattern, _first_line(text)) is not None


def _begins(pattern: str) -> _Recognises:
    return lambda text: re.match(pattern, text[:HEAD].lstrip()) is not None


def _asks(place: str) -> _Recognises:
    """A function of a module that is imported when it is asked."""
    return lambda text: bool(imported(f"exactmatch.formats.{place}")(text))


PENMAN = "penman"
MRP = "mrp"
DOCUMENT = "document"

_ROOM = "exactmatch.formats.machine"
_ONE_A_LINE = ("mrp", "node-link", "json", "answers")
"""Formats of which each graph is a line."""


_PROFILES = {"umr": "umr", "sbn": "drs", "clauses": "drs"}
"""The profiles that count graphs of a format by their own rules."""


def _own(
    name: str, title: str, suffix: str, recognises: _Recognises, module: str = ""
) -> Format:
    """A format with a module of its own, whose functions are called by its name."""
    called = name.replace("-", "_")
    place = f"exactmatch.formats.{module or called}"
    functions = (f"{called}_blocks", f"read_{called}", f"write_{called}")
    more = name in _ONE_A_LINE, None, _PROFILES.get(name), recognises
    return Format(name, title, suffix, place, functions, *more)


def _machine(
    name: str,
    title: str,
    suffix: str,
    module: str = "packaged",
    recognises: _Recognises | None = None,
    cut: str = "",
    write: str = "",
) -> Format:
    """A format whose graphs are cut into blocks of JSON.

    Args:
        module: where it is cut, written and recognised by functions called by its name;
            default: where those are that other packages read.
        cut, write: the functions, where they are others.
    """
    if module != "packaged" and not recognises:
        recognises = _asks(f"machine.{module}:is_{name}")
    functions = (
        f"{_ROOM}.{cut or f'{module}:{name}_blocks'}",
        f"{_ROOM}.json_graphs:read_json",
        f"{_ROOM}.{write or f'{module}:write_{name}'}",
    )
    lines = name in _ONE_A_LINE
    return Format(name, title, suffix, _ROOM, functions, lines, recognises=recognises)


def _network(
    name: str,
    title: str,
    suffix: str,
    recognises: _Recognises | None = None,
    write: str = "refuse_to_write",
) -> Format:
    """A format that :mod:`exactmatch.formats.networks` reads."""
    functions = "packaged:network_blocks", f"packaged:{write}"
    found = _machine(name, title, suffix, "packaged", recognises, *functions)
    return found._replace(framework=name)


_DOCUMENTS = _own("umr", "UMR documents", ".umr", _is_umr)

_OURS = (
    _own(
        PENMAN, "PENMAN graphs between blank lines", ".amr", _is_penman, "penman_graphs"
    ),
    _DOCUMENTS,
    *(
        _DOCUMENTS._replace(
            name=name,
            title=title,
            functions=(f"{name.replace('-', '_')}_blocks", "read_umr", "write_umr"),
            recognises=None,
        )
        for name, title in (
            ("umr-file", "a UMR document a file, also where its numbers begin anew"),
            ("umr-sentences", "the sentence graphs of UMR files, one by one"),
        )
    ),
    _own(MRP, "MRP graphs, one JSON object a line", ".mrp", _json_of("mrp")),
    _own("sbn", "DRSs in simplified box notation", ".sbn", _line_like(_SBN)),
    _own("clauses", "DRSs as clauses", ".clf", _line_like(_CLAUSE)),
    _own(
        "triples",
        "triples with tabs between source, role and target",
        ".tsv",
        _is_triples,
    ),
    _own(
        "node-link",
        "node-link JSON, as networkx writes it",
        ".json",
        _json_of("node-link"),
    ),
    _machine(
        "json",
        "graphs in JSON: nodes and edges in any dialect, or triples",
        ".jsonl",
        "json_graphs",
        _json_of("json"),
    ),
    _machine(
        DOCUMENT,
        "any JSON: objects are nodes; document:FILE names their JSON Schema",
        ".document.json",
        cut="documents:document_blocks",
        write="packaged:refuse_to_write",
    ),
    _machine(
        "answers",
        "answers of models in rows of JSON, with the graphs in them",
        ".answers.jsonl",
        "answers",
        _json_of("answers"),
    ),
    _machine("table", "triples in a table with a header: CSV or TSV", ".csv", "lines"),
    _machine(
        "relations", "triples as relation(subject, object), one a line", ".rel", "lines"
    ),
    _machine(
        "worfbench",
        "workflows of WorFBench: numbered nodes, then edges",
        ".worf",
        "lines",
    ),
    _machine("mermaid", "flowcharts of Mermaid", ".mmd", "mermaid"),
    _network("gml", "GML, as networkx reads it", ".gml", _begins(_GML), "write_gml"),
    _network("dot", "DOT of Graphviz, by pydot", ".dot", _begins(_DOT), "write_dot"),
    _machine(
        "graphml",
        "GraphML, as networkx reads it",
        ".graphml",
        recognises=_begins(_XML_OF.format("graphml")),
    ),
    _machine(
        "webnlg",
        "WebNLG's XML: the triples of each entry",
        ".xml",
        recognises=_begins(_XML_OF.format("benchmark")),
    )._replace(frame=("<benchmark>\n<entries>\n", "</entries>\n</benchmark>\n")),
    _machine(
        "pajek", "Pajek, as networkx reads it", ".net", recognises=_begins(_PAJEK)
    ),
    _machine(
        "rdf",
        "RDF as Turtle, N-Triples or JSON-LD, by rdflib",
        ".ttl",
        recognises=lambda text: _begins(_RDF)(text) or _kind_of_json(text) == "rdf",
    ),
    *(
        _network(name, title, suffix, _asks(f"sets:is_{name.replace('-', '_')}"))
        for name, title, suffix in (
            ("gspan", "lines that gSpan reads: t, v, e", ".gspan"),
            ("ged-json", "JSON of SimGNN and GEDGNN", ".ged.json"),
        )
    ),
    _network("gexf", "GEXF, as networkx reads it", ".gexf", _begins(_GEXF)),
    _network("gxl", "GXL, and collections of it", ".gxl", _begins(_GXL)),
    *(
        _network(name, title, f".{name}")
        for name, title in (
            ("edge-list", "two nodes a line, perhaps with a weight"),
            ("directed-edge-list", "the same, from the first to the second"),
            ("adjacency-list", "a node and its neighbours a line"),
            ("directed-adjacency-list", "the same, from the first to the others"),
        )
    ),
)

FORMATS: Registry[Format] = Registry(
    "format",
    {found.name: found for found in _OURS},
    lambda found: isinstance(found, Format),
    "an exactmatch.formats.formats.Format",
)
"""The formats by name; modules are imported when they are needed."""


def is_document(name: str) -> bool:
    """Whether a format's name is that of JSON with a JSON Schema, which it names."""
    return name.startswith(f"{DOCUMENT}:")


def is_format(name: str) -> bool:
    """Whether :func:`get_format` knows a name."""
    return name in FORMATS or is_document(name) or name.startswith(f"{MRP}:")


def get_format(name: str) -> Format:
    """The format of that name; ``mrp:eds`` is MRP of which only EDS is read.

    ``document:FILE`` is JSON with the JSON Schema of that file.

    Raises:
        InputError: if there is none (the message suggests one), or no such file.
    """
    if name.startswith(f"{MRP}:"):
        return FORMATS[MRP]._replace(framework=name.removeprefix(f"{MRP}:"))
    if is_document(name):
        from exactmatch.formats.machine.documents import read_schema

        schema = name.partition(":")[2]
        read_schema(schema)  # so that a fault in it is no fault of a graph
        return FORMATS[DOCUMENT]._replace(framework=schema)
    found = FORMATS.find(name)
    return found if found.name == name else found._replace(name=name)


def format_by_name(path: str, ours: bool = False) -> Format | None:
    """The first format with a file's suffix, if any; ``.gz`` makes no difference.

    Args:
        ours: whether those of other packages are left out.

    >>> format_by_name("gold.umr.gz").title
    'UMR documents'
    """
    bare = path.removesuffix(".gz")
    formats = FORMATS.working(FORMATS.own if ours else FORMATS)
    return next((f for _, f in formats if bare.endswith(f.suffix)), None)


_PLAIN = frozenset(("umr", "sbn", "clauses", "triples"))
"""Formats whose beginnings may be those of other texts."""


def looks_like(text: str) -> str:
    """Recognise the format of a text by its beginning.

    Formats of other packages are asked where none of ours recognises the text.

    Args:
        text: the text; unless it is JSON, its beginning, cut off anywhere, is enough.

    Returns:
        A name in :data:`FORMATS`, or what else it is, such as ``XML``, ``JSON`` or
        ``GML``; ``penman`` in doubt.

    Example:
        >>> looks_like("b1 REF x1"), looks_like("(b / boy)")
        ('clauses', 'penman')
    """
    if _is_penman(text):  # as most texts are
        return PENMAN
    other = next(
        (name for name, begun in _OTHERS.items() if _begins(begun)(text)), None
    )
    for name, found in FORMATS.working():
        if recognises(found, text) and not (other and name in _PLAIN):
            return name
    weighted = WEIGHTED if _is_weighted(text) else PENMAN
    return other or _kind_of_json(text) or weighted


def recognises(found: Format, text: str) -> bool:
    """Ask a format; what another package's code raises is a warning, and no."""
    try:
        return found.recognises is not None and found.recognises(text)
    except Exception as error:  # the text may be of any other format
        what = f"the format {found.name!r} cannot tell whether a text is its own"
        told = f"{what}: {type(error).__name__}: {error}"
        warnings.warn(told, ExactmatchWarning, stacklevel=2)
        return False
