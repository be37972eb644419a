"""UMR files: documents of sentences with tokens, graphs and alignments.

A file is UTF-8 text.  Each sentence has four blocks, the first with its number and
words, the others under a heading each::

    ################################################################################
    # meta-info :: sent_id = u_tree-cs-s1-root
    # :: snt1
    Index: 1    2    3
    Words: Mary ran away

    # sentence level graph:
    (s1r / run-02
        :ARG0 (s1p / person :name (s1n / name :op1 "Mary"))
        :aspect performance)

    # alignment:
    s1r: 2-3
    s1p: 0-0
    s1n: 1-1

    # document level annotation:
    (s1s0 / sentence
        :temporal ((document-creation-time :before s1r))
        :modal ((root :modal author)
                (author :full-affirmative s1r)))

A file is one document, or several: a sentence ``snt1`` begins the next.  Published
files depart from this form, and are read all the same if they have no line of hashes,
tabs, further aligned lines (``Morphemes:``), several spans (``6-6,8-8``), no blank
behind the colon of an alignment, comments behind document triples, or lack a block.
What is not understood is reported with its line.  ``#`` behind a document triple begins
a comment, whatever it says.

If two sentences define a variable of one name, which is reported, the second is called
``s1a_2``.  The name means the node of its own sentence, else that of the nearest
sentence before; else that of the first one behind.

In the graph, inverse roles of sentence graphs are turned around; document triples stay
as they are written, and a node of theirs that no sentence defines (``author``,
``document-creation-time``) is a constant.

Source: the UMR guidelines and the published releases (umr4nlp/umr-data,
ufal/UMR).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from exactmatch.formats.blocks import Block
from exactmatch.formats.penman_graphs import Tree, parse_tree, state
from exactmatch.formats.remarks import TAGS, Reading, counted
from exactmatch.graphs.document import Document, DocumentTriple, Sentence, Span
from exactmatch.graphs.graph import Graph, GraphCoder, Origin
from exactmatch.graphs.penman_text import text_of

_NUMBER = re.compile(r"#\s*::\s*snt\s*(\d+)\s*(.*)", re.IGNORECASE)
_HEADING = re.compile(
    r"#\s*(sentence level graph|alignment|document level annotation)\s*:?\s*$",
    re.IGNORECASE,
)
_FACT = re.compile(r"#\s*(?:meta-info\s*::\s*)?([\w.-]+)\s*=\s*(.*)")
_TIER = re.compile(r"([^\s:#(][^:]*):\s*(.*)")
_ALIGNED = re.compile(r"(\S+?)\s*:\s*(-?\d+\s*-\s*-?\d+(?:\s*,\s*-?\d+\s*-\s*-?\d+)*)$")
_SPAN = re.compile(r"(-?\d+)\s*-\s*(-?\d+)")
_COMMENT = re.compile(r"(?<![^\s()])#.*")
_ANNOTATED = re.compile(
    r"\(\s*(?P<root>[^\s()]+)\s*/\s*[^\s()]+"  # (s1s0 / sentence
    r"|\(\s*(?P<source>[^\s()]+)\s+:(?P<role>[^\s()]+)\s+(?P<target>[^\s()]+)\s*\)"
    r"|:(?P<level>[^\s()]+)\s*\("  # :temporal (
    r"|(?P<other>:[^\s()]+|[^\s():]+)"  # so that no word is tried twice
)

_LONE_COLON = re.compile(r":(?![^\s()])")

_LONGEST = 10_000
"""The most words that an alignment may cover; no sentence has as many."""


def umr_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the documents of a file, one block each."""
    kept: list[str] = []
    first = 1
    introduction_start = 0  # where the lines begin that introduce the coming sentence
    sentences = 0
    for line in map(str.rstrip, lines):
        kept.append(line)
        match = _NUMBER.match(line)
        if match is None:
            if not line.startswith("#") or _HEADING.match(line):
                introduction_start = len(kept)
            continue
        if sentences and int(match[1]) == 1:
            yield _block(kept[:introduction_start], first, path)
            kept, first = kept[introduction_start:], first + introduction_start
            sentences = 0
        sentences += 1
        introduction_start = len(kept)
    if any(kept):
        yield _block(kept, first, path)


def umr_file_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield a file as one document, also where its sentences' numbers begin anew."""
    kept = [line.rstrip() for line in lines]
    if any(kept):
        yield _block(kept, 1, path, "umr-file")


def umr_sentences_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the sentence graphs of a file, in PENMAN, one block each."""
    for block in umr_file_blocks(lines, path):
        for place, sentence in enumerate(_Document(block).sentences):
            text = tuple(line.strip() for _, line in sentence.graph)
            metadata = dict(sentence.facts) | {"snt": " ".join(sentence.tokens)}
            metadata["id"] = metadata.pop(
                "sent_id", f"snt{sentence.number or place + 1}"
            )
            line = sentence.graph[0][0] if sentence.graph else sentence.line
            indented = tuple(line for _, line in sentence.graph)
            yield Block(text, text, line, path, known=metadata, indented=indented)


def _block(
    lines: Sequence[str], first: int, path: str | None, name: str = "umr"
) -> Block:
    content = tuple(line for line in lines if line)
    kept = tuple(lines)
    return Block(kept, content, first, path, format=name, indented=kept)


def read_umr(block: Block) -> Reading:
    """Read a document."""
    return _Document(block).reading()


@dataclass(slots=True)
class _SentencePart:
    """A sentence as it stands in the file.

    Attributes:
        facts, tiers, tokens: as in :class:`Sentence`.
        graph, annotation: the lines of its graph and document-level annotation.
        aligned: each variable's spans, with the line that states them.
        tree: what the lines of its graph state.
    """

    line: int
    number: int | None = None
    facts: list[tuple[str, str]] = field(default_factory=list)
    tiers: list[tuple[str, str]] = field(default_factory=list)
    tokens: tuple[str, ...] = ()
    graph: list[tuple[int, str]] = field(default_factory=list)
    annotation: list[tuple[int, str]] = field(default_factory=list)
    aligned: list[tuple[int, str, tuple[Span, ...]]] = field(default_factory=list)
    tree: Tree = field(default_factory=Tree)


class _NamesAt(Mapping[str, str]):
    """The unique names of variables, as one sentence means them.

    Attributes:
        place: the place of the sentence.
        definitions: for each name, the places of the sentences that define it,
            ascending, and the unique names.
    """

    def __init__(
        self, place: int, definitions: Mapping[str, list[tuple[int, str]]]
    ) -> None:
        self.place = place
        self.definitions = definitions

    def __getitem__(self, name: str) -> str:
        """Return the node of this sentence, the nearest before, or else the first."""
        definitions = self.definitions[name]
        k = bisect_right(definitions, self.place, key=itemgetter(0))
        return definitions[max(k - 1, 0)][1]

    def __iter__(self) -> Iterator[str]:
        return iter(self.definitions)

    def __len__(self) -> int:
        return len(self.definitions)


class _Document:
    """A document while it is read."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.sentences: list[_SentencePart] = []
        self.lenient: dict[str, None] = {}
        self.coder = GraphCoder()
        self._scan()

    def _scan(self) -> None:
        """Sort the lines into sentences and their blocks."""
        current = _SentencePart(self.block.line)
        part = "header"
        for number, line in enumerate(self.block.lines, self.block.line):
            heading = _HEADING.match(line)
            if _NUMBER.match(line) or line.startswith("####"):
                if part != "header" or current.number:
                    current = self._next(current, number)
                part = "header"
            if heading:
                part = heading[1].lower()
            elif part == "header":
                self._header(current, number, line)
            elif line and not line.startswith("#"):
                self._fill(current, part, number, line)
            elif (
                part != "alignment"
                and (fact := _FACT.match(line))
                and (fact[1] == "sent_id" or "meta-info" in line)
            ):
                current = self._next(current, number)
                part = "header"
                self._header(current, number, line)
        self._next(current, 0)
        if not self.sentences:
            raise self.block.origin().error("has no sentence; is this a UMR file?")

    def _next(self, current: _SentencePart, number: int) -> _SentencePart:
        """End a sentence, if anything is in it, and begin the next on that line."""
        if current.number is None and not (current.graph or current.annotation):
            return current
        self.sentences.append(current)
        return _SentencePart(number)

    def _header(self, sentence: _SentencePart, number: int, line: str) -> None:
        if not line or line.startswith("####"):
            return
        if parts := _NUMBER.match(line):
            sentence.number = int(parts[1])
            if parts[2]:
                sentence.facts.append(("snt", parts[2]))
        elif line.startswith("#"):
            if parts := _FACT.match(line):
                sentence.facts.append((parts[1], parts[2]))
        elif parts := _TIER.match(line):
            key, words = parts[1].rstrip(), tuple(parts[2].split())
            if key == "Words":
                sentence.tokens = words
            elif key != "Index" or words != _indices(words):
                sentence.tiers.append((key, " ".join(words)))
        else:
            self._remark(number, line)

    def _fill(self, sentence: _SentencePart, part: str, number: int, line: str) -> None:
        if part == "sentence level graph":
            sentence.graph.append((number, line))
        elif part == "document level annotation":
            sentence.annotation.append((number, _COMMENT.sub("", line)))
        elif parts := _ALIGNED.match(line.partition("#")[0].strip()):
            spans = tuple((int(a), int(b)) for a, b in _SPAN.findall(parts[2]))
            if any(last - first > _LONGEST for first, last in spans):
                raise self.block.origin().error(
                    f"aligns {parts[1]!r} with more than {_LONGEST:,} words", number
                )
            sentence.aligned.append((number, parts[1], spans))
        else:
            self._remark(number, line)

    def _remark(self, number: int, text: str) -> None:
        shown = " ".join(text.split())[:40]
        self.lenient[f"has {shown!r} on line {number}, which is left out"] = None

    def reading(self) -> Reading:
        parts = self.sentences
        for place, part in enumerate(parts):
            part.tree = self._tree(place)
        self._rename()
        numbers = self.coder.numbers
        homes: list[tuple[int, ...]] = []
        for place, part in enumerate(parts):
            for name in part.tree.lines:
                self.coder.variable(part.tree.called(name))
                homes.append((place,))
        turned = [row for part in parts for row in state(self.coder, part.tree)]
        n_variables = len(homes)
        document_triples = [
            t for place in range(len(parts)) for t in self._triples(place)
        ]
        homes += [()] * (len(numbers) - n_variables)
        sentences = tuple(
            Sentence(
                part.number,
                part.tokens,
                next((numbers[part.tree.called(v)] for v in part.tree.concepts), None),
                _root_of(part.annotation),
                tuple(part.facts),
                tuple(part.tiers),
            )
            for part in parts
        )
        document = Document(
            sentences,
            tuple(homes),
            self._anchors(),
            constants=frozenset(range(n_variables, len(homes))),
            triples=tuple(document_triples),
            inverse=frozenset(turned),
        )
        graph = self.coder.graph(
            None, self.block.metadata(), self.block.origin(), document=document
        )
        tags = sum(part.tree.mention_tags for part in parts)
        return Reading(graph, tuple(self.lenient), counted((TAGS, tags)))

    def _rename(self) -> None:
        """Make the names of variables unique.

        In a file of several documents, the names of the second one begin with ``2:``.
        A name that another sentence of the document has defined ends with ``_2``.
        """
        taken: set[str] = set()
        copies: dict[str, int] = {}
        definitions: dict[str, list[tuple[int, str]]] = {}
        names: list[_NamesAt] = []
        number = 1
        for place, part in enumerate(self.sentences):
            if place and part.number == 1 and self.block.format == "umr-file":
                definitions, number = {}, number + 1
            repeated: dict[int, list[str]] = {}
            for name in part.tree.lines:
                in_document = f"{number}:{name}" if number > 1 else name
                unique = in_document
                while unique in taken:
                    copies[in_document] = copies.get(in_document, 1) + 1
                    unique = f"{in_document}_{copies[in_document]}"
                taken.add(unique)
                if name in definitions:
                    repeated.setdefault(definitions[name][0][0], []).append(name)
                definitions.setdefault(name, []).append((place, unique))
            for other, shared in repeated.items():
                self._remark_shared(place, other, shared)
            names.append(_NamesAt(place, definitions))
        if number > 1 or copies:
            for part, names_at in zip(self.sentences, names, strict=True):
                part.tree.names = names_at

    def _remark_shared(self, place: int, other: int, names: Sequence[str]) -> None:
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        line = self.sentences[place].tree.lines[names[0]]
        self.lenient[
            f"defines variable {names[0]!r}{more} in {self._origin(place).graph_id} "
            f"(line {line}), as {self._origin(other).graph_id} does; in other "
            "sentences, that name means the nearest node before"
        ] = None

    def _origin(self, place: int) -> Origin:
        sentence = self.sentences[place]
        name = f"snt{sentence.number}" if sentence.number else f"sentence {place + 1}"
        return Origin(self.block.path, sentence.line, name)

    def _tree(self, place: int) -> Tree:
        """Return the tree of a sentence graph; an empty one if there is none."""
        lines = self.sentences[place].graph
        if not lines:
            return Tree()
        origin = self._origin(place)
        tree = parse_tree(lines, origin)
        tree.untag_mentions()
        for reason in tree.lenient:
            where = f"(in {origin.graph_id}, line {lines[0][0]})"
            self.lenient[f"{reason} {where}"] = None
        return tree

    def _anchors(self) -> tuple[tuple[Span, ...], ...]:
        anchors: list[dict[Span, None]] = [{} for _ in self.coder.numbers]
        for sentence in self.sentences:
            for line, name, spans in sentence.aligned:
                v = self.coder.numbers.get(sentence.tree.called(name))
                if v is None:
                    self._remark(line, f"{name}: …")
                else:
                    anchors[v] |= dict.fromkeys(spans)
        return tuple(map(tuple, anchors))

    def _triples(self, place: int) -> Iterator[DocumentTriple]:
        """Yield the triples of a sentence's document-level annotation."""
        sentence = self.sentences[place]
        variable_name = sentence.tree.called
        level = ""
        depth = 0
        for number, line in sentence.annotation:
            is_read = _LONE_COLON.search(line) is None
            for match in _ANNOTATED.finditer(line):
                last = match.lastgroup
                if last == "target":
                    source, role, target = match["source"], match["role"], match[last]
                    s, t = map(
                        self.coder.variable,
                        (variable_name(source), variable_name(target)),
                    )
                    yield DocumentTriple(level, s, role, t, place)
                elif last == "level":
                    level = match[last]
                elif last == "other":
                    is_read = False
            depth += line.count("(") - line.count(")")
            if is_read:
                continue
            unread = _ANNOTATED.sub(_unread, line)
            if unread.strip(" \t()"):
                self._remark(number, unread.strip())
        if depth:
            fault = "lacks" if depth > 0 else "has surplus"
            where = f"in the document-level annotation that ends on line {number}"
            self.lenient[f"{fault} closing parentheses {where}"] = None


def _unread(match: re.Match[str]) -> str:
    """Return the text outside an annotation, in its place."""
    return match["other"] or ""


def _root_of(lines: Sequence[tuple[int, str]]) -> str | None:
    """Return the name of the node that an annotation begins with, as ``s1s0``."""
    for _, line in lines:
        annotations = (
            match for match in _ANNOTATED.finditer(line) if not match["other"]
        )
        if (first := next(annotations, None)) and first["root"]:
            return first["root"]
    return None


def _indices(words: Sequence[str]) -> tuple[str, ...]:
    """Return the numbers of words, as the line ``Index:`` has them."""
    return tuple(map(str, range(1, len(words) + 1)))


def write_umr(graph: Graph) -> str:
    """Write a document."""
    document = graph.document
    if document is None or not document.sentences:
        raise graph.origin.error("has no sentences, which a UMR document is made of")
    return "\n\n".join(
        _sentence_text(graph, document, place)
        for place in range(len(document.sentences))
    )


def _sentence_text(graph: Graph, document: Document, place: int) -> str:
    sentence = document.sentences[place]
    if sentence.number is None:
        raise graph.origin.error("has a sentence without a number")
    facts = dict(sentence.facts)
    snt = facts.pop("snt", "")
    header = ["#" * 80, *(f"# meta-info :: {key} = {facts[key]}" for key in facts)]
    header.append(f"# :: snt{sentence.number} {snt}".rstrip())
    tiers = {"Index": _indices(sentence.tokens), "Words": sentence.tokens}
    rows = [(key, " ".join(words)) for key, words in tiers.items()]
    header += [f"{key}: {text}".rstrip() for key, text in (*rows, *sentence.tiers)]
    sentence_variables = [
        v for v in range(len(graph.variables)) if document.home(v) == (place,)
    ]
    aligned = [
        f"{graph.variables[v]}: {','.join(f'{a}-{b}' for a, b in document.spans(v))}"
        for v in sentence_variables
        if document.spans(v)
    ]
    sentence_text = _graph_text(graph, sentence, sentence_variables)
    parts = (
        "\n".join(header),
        f"# sentence level graph:\n{sentence_text}".rstrip(),
        "\n".join(("# alignment:", *aligned)),
        "# document level annotation:\n" + _annotation(graph, document, place),
    )
    return "\n\n".join(parts) + "\n"


def _graph_text(
    graph: Graph, sentence: Sentence, sentence_variables: Sequence[int]
) -> str:
    if not sentence_variables:
        return ""
    place = {v: k for k, v in enumerate(sentence_variables)}
    part = graph.revised(document=None).part(sentence_variables)
    coder = GraphCoder.of(part)
    coder.attributes += [
        (place[s], role, coder.label(graph.variables[t]))
        for s, role, t in graph.relations
        if s in place and t not in place  # but another sentence's variable
    ]
    top = None if sentence.top is None else place.get(sentence.top)
    return text_of(coder.revise(part).revised(top=top), lax=True)


def _annotation(graph: Graph, document: Document, place: int) -> str:
    names = graph.variables
    levels: dict[str, list[str]] = {}
    for t in sorted(document.triples, key=lambda t: bool(t.level)):
        if t.sentence == place:
            triple = f"({names[t.source]} :{t.role} {names[t.target]})"
            levels.setdefault(t.level, []).append(triple)
    root = document.sentences[place].root
    lines = [f"({root} / sentence"] if root else []
    for level, triples in levels.items():
        begin = f"    :{level} (" if level else "    ("
        lines.append(begin + f"\n{' ' * len(begin)}".join(triples) + ")")
    return "\n".join(lines) + (")" if root else "")
