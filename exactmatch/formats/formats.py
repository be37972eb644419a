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
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

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
_SYNSET = r"\S+\.[nvasr]\.\d\d(\s|$)"
_OPERATOR = r"\s*[A-Z]{3,} [<-]\d"
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


def _is_sbn(text: str) -> bool:
    first = _first_line(text)
    return bool(re.match(_SYNSET, first) or re.match(_OPERATOR, first))


def _is_clauses(text: str) -> bool:
    return re.match(_CLAUSE, _first_line(text)) is not None


def _has_triple(text: str) -> bool:
    return re.fullmatch(_TRIPLE, _first_line(text).strip()) is not None


def _is_triples(text: str) -> bool:
    if not _has_triple(text) or _is_weighted(text):
        return False
    return not _asks("machine.lines:is_table")(text)


def _is_weighted(text: str) -> bool:
    """Whether every line that was not cut off is an edge with a weight."""
    lines = [*_lines(text)]
    whole = lines if text[:HEAD].endswith("\n") else lines[:-1] or lines
    return _has_triple(text) and all(re.fullmatch(_WEIGHTED, line) for line in whole)


def _is_json_of(kind: str, text: str) -> bool:
    return _kind_of_json(text) == kind


def _kind_of_json(text: str) -> str | None:
    """Tell node-link JSON and MRP from other JSON; text without keys may be PENMAN.

    Args:
        text: the whole of the first object at least; if it is broken, keys are
            looked for all the same.
    """
    if not _is_json(text):
        return None
    from json import JSONDecoder

    begun = text.lstrip().removeprefix("[").lstrip()
    if begun[:1] in ("[", "]", '"') and text.lstrip()[0] == "[":
        return "json"
    data: Any = {}
    try:
        data = JSONDecoder().raw_decode(begun)[0]
        keys = {*data}
    except (ValueError, RecursionError, TypeError):
        keys = set(re.findall(r'"(\w+)"\s*:', begun))
    if "nodes" in keys and keys & {"links", "directed", "multigraph", "graph"}:
        is_plain = data.get("directed") is False or _has_texts(data.get("nodes"))
        return "json" if is_plain else "node-link"
    if len(_MRP_KEYS & keys) > 1 and keys & _MRP_ONLY:
        return "mrp"
    if keys & {"@context", "@graph", "@id"}:
        return "rdf"
    if keys & _ANSWER_KEYS and "nodes" not in keys:
        return "answers"
    if keys & _GRAPH_KEYS:
        return "json"
    return "JSON" if keys else None


def _has_texts(nodes: Any) -> bool:
    """Whether nodes are a list of texts or numbers, which node-link JSON has not."""
    return isinstance(nodes, list) and any(not isinstance(n, dict) for n in nodes)


PENMAN = "penman"
MRP = "mrp"
DOCUMENT = "document"

_DOCUMENTS = Format(
    "umr",
    "UMR documents",
    ".umr",
    "exactmatch.formats.umr",
    ("umr_blocks", "read_umr", "write_umr"),
    profile="umr",
    recognises=_is_umr,
)


_ROOM = "exactmatch.formats.machine"


def _of_machines(
    name: str,
    title: str,
    suffix: str,
    recognises: Callable[[str], bool] | None = None,
    module: str = "packaged",
) -> Format:
    """A format whose graphs are cut into blocks of JSON.

    Args:
        module: where its functions are, called by its name; default: where those are
            that other packages read.
    """
    place = f"{_ROOM}.{module}"
    functions = (f"{place}:{name}_blocks", f"{place}:write_{name}")
    return _in_json(name, title, suffix, *functions, recognises=recognises)


def _of_networks(
    name: str,
    title: str,
    suffix: str,
    recognises: Callable[[str], bool] | None = None,
    write: str = "refuse_to_write",
) -> Format:
    """A format that :mod:`exactmatch.formats.networks` reads."""
    functions = (f"{_ROOM}.packaged:network_blocks", f"{_ROOM}.packaged:{write}")
    return _in_json(name, title, suffix, *functions, name, recognises)


def _in_json(
    name: str,
    title: str,
    suffix: str,
    cut: str,
    write: str,
    told: str | None = None,
    recognises: Callable[[str], bool] | None = None,
) -> Format:
    functions = (cut, f"{_ROOM}.json_graphs:read_json", write)
    lines = name in ("json", "answers")
    return Format(
        name, title, suffix, _ROOM, functions, lines, told, recognises=recognises
    )


def _asks(place: str) -> Callable[[str], bool]:
    """A function of a module that is imported when it is asked."""
    return lambda text: bool(imported(f"exactmatch.formats.{place}")(text))


def _begins(pattern: str) -> Callable[[str], bool]:
    return lambda text: re.match(pattern, text[:HEAD].lstrip()) is not None


_MACHINES = (
    _of_machines(
        "json",
        "graphs in JSON: nodes and edges in any dialect, or triples",
        ".jsonl",
        partial(_is_json_of, "json"),
        "json_graphs",
    ),
    _in_json(
        DOCUMENT,
        "any JSON: objects are nodes; document:FILE names their JSON Schema",
        ".document.json",
        f"{_ROOM}.documents:document_blocks",
        f"{_ROOM}.packaged:refuse_to_write",
    ),
    _of_machines(
        "answers",
        "answers of models in rows of JSON, with the graphs in them",
        ".answers.jsonl",
        partial(_is_json_of, "answers"),
        "answers",
    ),
    _of_machines(
        "table",
        "triples in a table with a header: CSV or TSV",
        ".csv",
        _asks("machine.lines:is_table"),
        "lines",
    ),
    _of_machines(
        "relations",
        "triples as relation(subject, object), one a line",
        ".rel",
        _asks("machine.lines:is_relations"),
        "lines",
    ),
    _of_machines(
        "worfbench",
        "workflows of WorFBench: numbered nodes, then edges",
        ".worf",
        _asks("machine.lines:is_worfbench"),
        "lines",
    ),
    _of_machines(
        "mermaid",
        "flowcharts of Mermaid",
        ".mmd",
        _asks("machine.mermaid:is_mermaid"),
        "mermaid",
    ),
    _of_networks(
        "gml", "GML, as networkx reads it", ".gml", _begins(_GML), "write_gml"
    ),
    _of_networks(
        "dot", "DOT of Graphviz, by pydot", ".dot", _begins(_DOT), "write_dot"
    ),
    _of_machines(
        "graphml",
        "GraphML, as networkx reads it",
        ".graphml",
        _begins(_XML_OF.format("graphml")),
    ),
    _of_machines(
        "webnlg",
        "WebNLG's XML: the triples of each entry",
        ".xml",
        _begins(_XML_OF.format("benchmark")),
    )._replace(frame=("<benchmark>\n<entries>\n", "</entries>\n</benchmark>\n")),
    _of_machines("pajek", "Pajek, as networkx reads it", ".net", _begins(_PAJEK)),
    _of_machines(
        "rdf",
        "RDF as Turtle, N-Triples or JSON-LD, by rdflib",
        ".ttl",
        lambda text: _begins(_RDF)(text) or _is_json_of("rdf", text),
    ),
    *(
        _of_networks(name, title, suffix, _asks(f"sets:is_{name.replace('-', '_')}"))
        for name, title, suffix in (
            ("gspan", "lines that gSpan reads: t, v, e", ".gspan"),
            ("ged-json", "JSON of SimGNN and GEDGNN", ".ged.json"),
            ("gexf", "GEXF, as networkx reads it", ".gexf"),
            ("gxl", "GXL, and collections of it", ".gxl"),
        )
    ),
    *(
        _of_networks(name, title, f".{name}")
        for name, title in (
            ("edge-list", "two nodes a line, perhaps with a weight"),
            ("directed-edge-list", "the same, from the first to the second"),
            ("adjacency-list", "a node and its neighbours a line"),
            ("directed-adjacency-list", "the same, from the first to the others"),
        )
    ),
)

_OURS = (
    Format(
        PENMAN,
        "PENMAN graphs between blank lines",
        ".amr",
        "exactmatch.formats.penman_graphs",
        ("penman_blocks", "read_penman", "write_penman"),
        recognises=_is_penman,
    ),
    _DOCUMENTS,
    _DOCUMENTS._replace(
        name="umr-file",
        title="a UMR document a file, also where its numbers begin anew",
        functions=("umr_file_blocks", "read_umr", "write_umr"),
        recognises=None,
    ),
    _DOCUMENTS._replace(
        name="umr-sentences",
        title="the sentence graphs of UMR files, one by one",
        functions=("umr_sentence_blocks", "read_umr", "write_umr"),
        recognises=None,
    ),
    Format(
        MRP,
        "MRP graphs, one JSON object a line",
        ".mrp",
        "exactmatch.formats.mrp",
        ("mrp_blocks", "read_mrp", "write_mrp"),
        one_a_line=True,
        recognises=partial(_is_json_of, "mrp"),
    ),
    Format(
        "sbn",
        "DRSs in simplified box notation",
        ".sbn",
        "exactmatch.formats.sbn",
        ("sbn_blocks", "read_sbn", "write_sbn"),
        profile="drs",
        recognises=_is_sbn,
    ),
    Format(
        "clauses",
        "DRSs as clauses",
        ".clf",
        "exactmatch.formats.clauses",
        ("clause_blocks", "read_clauses", "write_clauses"),
        profile="drs",
        recognises=_is_clauses,
    ),
    Format(
        "triples",
        "triples with tabs between source, role and target",
        ".tsv",
        "exactmatch.formats.triples",
        ("triples_blocks", "read_triples", "write_triples"),
        recognises=_is_triples,
    ),
    Format(
        "node-link",
        "node-link JSON, as networkx writes it",
        ".json",
        "exactmatch.formats.node_link",
        ("node_link_blocks", "read_node_link", "write_node_link"),
        one_a_line=True,
        recognises=partial(_is_json_of, "node-link"),
    ),
    *_MACHINES,
)

FORMATS: Registry[Format] = Registry(
    "format",
    {found.name: found for found in _OURS},
    "exactmatch.base.errors:InputError",
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
        path: the file.
        ours: whether those of other packages are left out.

    >>> format_by_name("gold.umr.gz").title
    'UMR documents'
    """
    bare = path.removesuffix(".gz")
    formats = FORMATS.working(FORMATS.own if ours else FORMATS)
    return next((f for _, f in formats if bare.endswith(f.suffix)), None)


PACKED = {
    b"PK\x03\x04": ("a zip archive", "unpack it"),
    b"BZh": ("packed with bzip2", "unpack it, for example with bunzip2"),
    b"\xfd7zXZ\x00": ("packed with xz", "unpack it, for example with unxz"),
    b"\x28\xb5\x2f\xfd": ("packed with zstd", "unpack it, for example with unzstd"),
    b"7z\xbc\xaf\x27\x1c": ("a 7z archive", "unpack it"),
    b"\xff\xfe": ("UTF-16", "convert it, for example with iconv -f UTF-16 -t UTF-8"),
    b"\xfe\xff": ("UTF-16", "convert it, for example with iconv -f UTF-16 -t UTF-8"),
    b"%PDF": ("a PDF", "give the graphs as text"),
}
"""First bytes of files that are not UTF-8 text: what they are, and what to do."""

GZIP = b"\x1f\x8b"


def packed(head: bytes) -> tuple[str, str] | None:
    """Recognise a file that is not UTF-8 text by its first bytes.

    Args:
        head: the beginning of the file; four bytes are enough for most kinds.

    Returns:
        What the file is and what to do about it, for the error message; ``None`` if
        it is none of :data:`PACKED`.
    """
    for magic, found in PACKED.items():
        if head.startswith(magic):
            return found
    return None


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
    head = text[:HEAD].lstrip()
    other = next(
        (name for name, begun in _OTHERS.items() if re.match(begun, head)), None
    )
    for name, found in FORMATS.working():
        if _recognises(found, text) and not (other and name in _PLAIN):
            return name
    weighted = WEIGHTED if _is_weighted(text) else PENMAN
    return other or _kind_of_json(text) or weighted


def _recognises(found: Format, text: str) -> bool:
    """Ask a format; what another package's code raises is a warning, and no."""
    try:
        return found.recognises is not None and found.recognises(text)
    except Exception as error:  # the text may be of any other format
        what = f"the format {found.name!r} cannot tell whether a text is its own"
        told = f"{what}: {type(error).__name__}: {error}"
        warnings.warn(told, ExactmatchWarning, stacklevel=2)
        return False
