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
from itertools import chain
from typing import TYPE_CHECKING, Any

from exactmatch.base.errors import ExactmatchWarning, GraphError
from exactmatch.base.records import NamedTuple, replace
from exactmatch.base.registry import Registry, imported
from exactmatch.formats.beginnings import (
    CLAUSE_LINE,
    DOT,
    GEXF,
    GML,
    GXL,
    HEAD,
    IS_SDF,
    OTHERS,
    PAJEK,
    RDF,
    SBN_LINE,
    WEIGHTED,
    XML_OF,
    Recognises,
    asks,
    begins,
    is_json,
    is_penman,
    is_triples,
    is_umr,
    is_weighted,
    json_of,
    kind_of_json,
    line_like,
)
from exactmatch.formats.scored_by import (
    AMR,
    CLAUSES,
    NODES_AND_EDGES,
    SBN,
    TRIPLES,
    UMR,
    Scored,
    ScoredBy,
    as_json,
    as_node_link,
    as_triples,
)
from exactmatch.formats.scored_by import MRP as MRP_GRAPHS

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
        scored_by: what scores such graphs by default; or a function that tells it from
            a text in the format, perhaps cut off, and returns ``None`` in doubt.
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
    recognises: Callable[[str], bool] | None = None
    frame: tuple[str, str] = ("", "")
    scored_by: Scored = AMR

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
        blocks: Iterator[Block] = cut(lines, path)
        if self.name not in FORMATS.own:
            return (replace(b, format=self.name) if b.format else b for b in blocks)
        if self.framework is None:
            return blocks
        return (b for b in blocks if (b.known or {}).get("framework") == self.framework)

    def scoring(self, text: str) -> ScoredBy | None:
        """Return what scores the graphs of a text by default, ``None`` in doubt."""
        scored_by = self.scored_by
        return scored_by if isinstance(scored_by, ScoredBy) else scored_by(text)

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


PENMAN = "penman"
MRP = "mrp"
DOCUMENT = "document"

_ROOM = "exactmatch.formats.machine"
_ONE_A_LINE = ("mrp", "node-link", "json", "answers")
"""Formats with one graph a line."""


def _scored_by(place: str) -> Callable[[str], ScoredBy | None]:
    """Return a function of a module that is imported at the first call."""

    def scored(text: str) -> ScoredBy | None:
        way: ScoredBy | None = imported(f"exactmatch.formats.{place}")(text)
        return way

    return scored


def _own(
    name: str,
    title: str,
    suffix: str,
    recognises: Recognises,
    module: str = "",
    scored_by: Scored = AMR,
) -> Format:
    """Return a format with a module of its own."""
    function_name = name.replace("-", "_")
    place = f"exactmatch.formats.{module or function_name}"
    functions = (
        f"{function_name}_blocks",
        f"read_{function_name}",
        f"write_{function_name}",
    )
    how_recognised = name in _ONE_A_LINE, None, recognises
    return Format(
        name, title, suffix, place, functions, *how_recognised, scored_by=scored_by
    )


def _machine(
    name: str,
    title: str,
    suffix: str,
    module: str = "packaged",
    recognises: Recognises | None = None,
    cut: str = "",
    write: str = "",
    scored_by: Scored = NODES_AND_EDGES,
) -> Format:
    """Return a format whose graphs are cut into blocks of JSON.

    Args:
        module: where it is cut, written and recognised by functions called by its name;
            default: where those are that other packages read.
        cut, write: the functions, where they are others.
    """
    if module != "packaged" and not recognises:
        recognises = asks(f"machine.{module}:is_{name}")
    functions = (
        f"{_ROOM}.{cut or f'{module}:{name}_blocks'}",
        f"{_ROOM}.json_graphs:read_json",
        f"{_ROOM}.{write or f'{module}:write_{name}'}",
    )
    lines = name in _ONE_A_LINE
    form = name, title, suffix, _ROOM, functions, lines
    return Format(*form, recognises=recognises, scored_by=scored_by)


def _network(
    name: str,
    title: str,
    suffix: str,
    recognises: Recognises | None = None,
    write: str = "refuse_to_write",
) -> Format:
    """Return a format that :mod:`exactmatch.formats.networks` reads."""
    functions = "packaged:network_blocks", f"packaged:{write}"
    form = _machine(name, title, suffix, "packaged", recognises, *functions)
    return form._replace(framework=name)


_DOCUMENTS = _own("umr", "UMR documents", ".umr", is_umr, scored_by=UMR)

_OURS = (
    _own(
        PENMAN,
        "PENMAN graphs: between blank lines",
        ".amr",
        is_penman,
        "penman_graphs",
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
    _own(
        MRP,
        "MRP graphs: one JSON object a line",
        ".mrp",
        json_of("mrp"),
        scored_by=MRP_GRAPHS,
    ),
    _own(
        "sbn",
        "DRSs in simplified box notation",
        ".sbn",
        line_like(SBN_LINE),
        scored_by=SBN,
    ),
    _own(
        "clauses", "DRSs as clauses", ".clf", line_like(CLAUSE_LINE), scored_by=CLAUSES
    ),
    _own(
        "triples",
        "triples: source, role and target, with tabs between",
        ".tsv",
        is_triples,
        scored_by=as_triples,
    ),
    _own(
        "node-link",
        "node-link JSON: as networkx writes it",
        ".json",
        json_of("node-link"),
        scored_by=as_node_link,
    ),
    _machine(
        "json",
        "JSON graphs: nodes and edges in any dialect, or triples",
        ".jsonl",
        "json_graphs",
        json_of("json"),
        scored_by=as_json,
    ),
    _machine(
        DOCUMENT,
        "JSON documents: objects are nodes; document:FILE names their JSON Schema",
        ".document.json",
        cut="documents:document_blocks",
        write="packaged:refuse_to_write",
    ),
    _machine(
        "answers",
        "answers of models: rows of JSON with the graphs in them",
        ".answers.jsonl",
        "answers",
        json_of("answers"),
        scored_by=_scored_by("machine.answers:scored_by"),
    ),
    _machine(
        "table",
        "tables of triples: CSV or TSV with a header",
        ".csv",
        "lines",
        scored_by=TRIPLES,
    ),
    _machine(
        "relations",
        "triples: relation(subject, object), one a line",
        ".rel",
        "lines",
        scored_by=TRIPLES,
    ),
    _machine(
        "worfbench",
        "WorFBench workflows: numbered nodes, then edges",
        ".worf",
        "lines",
    ),
    _machine("mermaid", "Mermaid flowcharts", ".mmd", "mermaid"),
    _network("gml", "GML: as networkx reads it", ".gml", begins(GML), "write_gml"),
    _network("dot", "Graphviz DOT", ".dot", begins(DOT), "write_dot"),
    _machine(
        "graphml",
        "GraphML: as networkx reads it",
        ".graphml",
        recognises=begins(XML_OF.format("graphml")),
    ),
    _machine(
        "webnlg",
        "WebNLG's XML: the triples of each entry",
        ".xml",
        recognises=begins(XML_OF.format("benchmark")),
        scored_by=TRIPLES,
    )._replace(frame=("<benchmark>\n<entries>\n", "</entries>\n</benchmark>\n")),
    _machine("pajek", "Pajek: as networkx reads it", ".net", recognises=begins(PAJEK)),
    _machine(
        "rdf",
        "RDF: Turtle, TriG, N-Triples, N-Quads or JSON-LD, by rdflib",
        ".ttl",
        "rdf",
        lambda text: begins(RDF)(text) or kind_of_json(text) == "rdf",
        scored_by=TRIPLES,
    ),
    *(
        _network(name, title, suffix, asks(f"sets:is_{name.replace('-', '_')}"))
        for name, title, suffix in (
            ("gspan", "gSpan: lines of t, v, e", ".gspan"),
            ("ged-json", "JSON of SimGNN and GEDGNN", ".ged.json"),
        )
    ),
    _network("gexf", "GEXF: as networkx reads it", ".gexf", begins(GEXF)),
    _network("gxl", "GXL: graphs and collections of graphs", ".gxl", begins(GXL)),
    _network("smiles", "SMILES: a molecule a line, by RDKit", ".smi"),
    _network("sdf", "SD files of molecules, by RDKit", ".sdf", asks(IS_SDF)),
    _network("mol", "a MOL file: one molecule, by RDKit", ".mol"),
    *(
        _network(name, title, f".{name}")
        for name, title in (
            ("edge-list", "lists of edges: two nodes a line, perhaps with a weight"),
            (
                "directed-edge-list",
                "directed edges: from the first of two nodes a line to the second",
            ),
            ("adjacency-list", "adjacency lists: a node and its neighbours a line"),
            (
                "directed-adjacency-list",
                "directed adjacency lists: from the first node of a line to the others",
            ),
        )
    ),
)

FORMATS: Registry[Format] = Registry(
    "format",
    {form.name: form for form in _OURS},
    lambda thing: isinstance(thing, Format),
    "an exactmatch.formats.formats.Format",
)
"""The formats by name; modules are imported when they are needed."""


def is_document(name: str) -> bool:
    """Return whether a name is that of JSON with the JSON Schema that it names."""
    return name.startswith(f"{DOCUMENT}:")


def is_format(name: str) -> bool:
    """Return whether :func:`get_format` knows a name."""
    return name in FORMATS or is_document(name) or name.startswith(f"{MRP}:")


def get_format(name: str) -> Format:
    """Return the format of that name; ``mrp:eds`` is MRP with EDS graphs alone.

    ``document:FILE`` is JSON with the JSON Schema of that file.

    Raises:
        InputError: if there is none (the message suggests one), or no such file.
    """
    if name.startswith(f"{MRP}:"):
        return FORMATS[MRP]._replace(framework=name.removeprefix(f"{MRP}:"))
    if is_document(name):
        from exactmatch.formats.machine.documents import read_schema

        schema = name.partition(":")[2]
        read_schema(schema)  # so that a fault in it is not a fault of a graph
        return FORMATS[DOCUMENT]._replace(framework=schema)
    form = FORMATS.find(name)
    return form if form.name == name else form._replace(name=name)


def format_by_name(path: str, only_own: bool = False) -> Format | None:
    """Return the first format with a file's suffix, if any; ``.gz`` is ignored.

    Args:
        only_own: whether those of other packages are left out.

    >>> format_by_name("gold.umr.gz").title
    'UMR documents'
    """
    bare = path.removesuffix(".gz")
    formats = FORMATS.working(FORMATS.own if only_own else FORMATS)
    return next((f for _, f in formats if bare.endswith(f.suffix)), None)


OF_SETS = ("gspan", "ged-json", "gexf", "gxl")
"""The formats of data sets of edit distances, which are asked first."""

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
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if is_penman(text):  # as most texts are
        return PENMAN
    if not is_json(text):
        return _recognised(text)
    from exactmatch.formats.network_texts import objects_kept

    with objects_kept():
        return _recognised(text)


def _recognised(text: str) -> str:
    beginning = text[:HEAD].lstrip()
    names = chain(OF_SETS, (name for name in FORMATS if name not in OF_SETS))
    for name, form in FORMATS.working(names):
        if recognises(form, text) and not (name in _PLAIN and _other_text(beginning)):
            return name
    other_format = _other_text(beginning)
    weighted = WEIGHTED if is_weighted(text) else PENMAN
    return other_format or kind_of_json(text) or weighted


def _other_text(beginning: str) -> str | None:
    """Return the kind of a text that no format reads, by its first characters."""
    matches = (name for name, pattern in OTHERS.items() if re.match(pattern, beginning))
    return next(matches, None)


def recognises(form: Format, text: str) -> bool:
    """Ask a format; an error in another package's code is a warning, and means no."""
    try:
        return form.recognises is not None and form.recognises(text)
    except Exception as error:  # the text may be of any other format
        fault = f"the format {form.name!r} cannot tell whether a text is its own"
        reason = f"{fault}: {type(error).__name__}: {error}"
        warnings.warn(reason, ExactmatchWarning, stacklevel=2)
        return False
