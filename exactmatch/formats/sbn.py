"""Simplified Box Notation: the discourse structures of the Parallel Meaning Bank.

A line has a synset and its roles, or an operator that opens a new box; ``%`` begins a
comment, with the characters that the line is anchored in::

    %%% a comment
    person.n.01   EQU speaker               % I        [0-1]
                  NEGATION -1               % don't    [2-7]
    run.v.02      Agent -1 Time +1          % run      [8-11]
    time.n.08     EQU now                   %

A role points to a synset by its distance in synsets (``-1`` is the one before, ``+1``
the next), to a box by its distance in boxes (``<1``, ``>1``), or to a constant.  An
operator (``NEGATION -1``, in newer files ``NEGATION <1``) relates an earlier box, that
many before, to the new one.  Parsers often write a whole structure on one line; this is
read too, and then every line is a structure.

In the graph, boxes are ``b0``, ``b1`` … with the concept ``box``, synsets ``s0`` …
with their synset as concept, and a box has its synsets by ``member``.  ``AttributeOf``
and similar roles are stored as ``Attribute`` in the other direction.

:func:`split_synsets` gives the form that ud-boxer writes in PENMAN and scores.

Source: Bos (2021), "Variable-free discourse representation structures"; the PMB's own
files; ud-boxer (Poelman, van Noord and Bos 2022) for the roles that turn around.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial

from exactmatch.base.deadline import in_time
from exactmatch.base.errors import GraphError
from exactmatch.formats.blocks import Block, commented_blocks
from exactmatch.formats.dialects.smatch import read_smatch
from exactmatch.formats.remarks import COMMENT_WORDS, REPLACED, Reading, counted
from exactmatch.graphs.document import Document, Span
from exactmatch.graphs.graph import INSTANCE, INVERSE, Graph, GraphCoder, Origin
from exactmatch.graphs.penman_text import quoted

BOX = "box"
MEMBER = "member"

OPERATORS = frozenset(
    (
        *("ALTERNATION", "ATTRIBUTION", "BACKGROUND", "COMMENTARY", "CONDITION"),
        *("CONJUNCTION", "CONSEQUENCE", "CONTINUATION", "CONTRAST", "ELABORATION"),
        *("EXPLANATION", "NARRATION", "NECESSITY", "NEGATION", "PARALLEL"),
        *("POSSIBILITY", "PRECONDITION", "RESULT", "SOURCE"),
    )
)
"""The operators that open a new box."""

TURNED = ("Instance", "Attribute", "Colour", "Content", "Part", "Sub")
"""Roles whose form with ``Of`` is their inverse."""

NOWHERE_LED = "has an index that leads to no synset or box, and is read as a constant"

_SYNSET = re.compile(r"(?P<lemma>\S+)\.(?P<pos>[nvasrx])\.(?P<sense>\d\d+)")
_TOKEN = re.compile(r'"[^"]*"|\S+')
_INDEX = re.compile(r"[+-]\d+")
_BOX_INDEX = re.compile(r"([<>])(\d+)")
_COMMENT = re.compile(r"(?:^|\s)%.*")
_SPANS = re.compile(r"\[\s*(\d+\s*-\s*\d+(?:\s*,\s*\d+\s*-\s*\d+)*)\s*\]\s*$")


def sbn_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the structures of a file, one block each."""
    kept = list(lines)
    if any(_is_whole(line) for line in kept):
        for number, line in enumerate(kept, 1):
            text = line.strip()
            if text and not text.startswith("%"):
                yield Block((text,), (text,), number, path, format="sbn", known={})
        return
    yield from commented_blocks(kept, path, "sbn")


def _is_whole(line: str) -> bool:
    """Return whether a line holds several synsets: a structure of its own."""
    bare = _COMMENT.sub("", line)
    return sum(_SYNSET.fullmatch(word) is not None for word in bare.split()) > 1


def read_sbn(block: Block) -> Reading:
    """Read one structure."""
    return _Sbn(block).reading()


class _Sbn:
    def __init__(self, block: Block) -> None:
        self.block = block
        self.synsets: list[tuple[str, int]] = []  # with the box each is in
        self.operators: list[tuple[str, int]] = []  # with the box each comes from
        self.roles: list[tuple[int, str, str]] = []  # synset, role, target
        self.spans: dict[str, tuple[Span, ...]] = {}  # of variables
        self.words = 0

    def reading(self) -> Reading:
        origin = self.block.origin()
        for number, line in enumerate(in_time(self.block.lines), self.block.line):
            self._line(number, line, origin)
        if not self.synsets and not self.operators:
            raise origin.error("has no synset, such as person.n.01")
        coder = GraphCoder()
        boxes = [coder.variable(f"b{k}") for k in range(len(self.operators) + 1)]
        synsets = [coder.variable(f"s{k}") for k in range(len(self.synsets))]
        coder.instances += [(box, coder.label(BOX)) for box in boxes]
        for v, (concept, _) in zip(synsets, self.synsets, strict=True):
            coder.instances.append((v, coder.label(concept)))
        for k, (operator, source) in enumerate(self.operators, 1):
            coder.relations.append((boxes[source], coder.label(operator), boxes[k]))
        for v, (_, box) in zip(synsets, self.synsets, strict=True):
            coder.relations.append((boxes[box], coder.label(MEMBER), v))
        lenient: tuple[str, ...] = ()
        for k, role, target in self.roles:
            upright = role.removesuffix("Of")
            turned = upright != role and upright in TURNED
            targets, place = synsets, -1
            if _INDEX.fullmatch(target):
                place = k + int(target)
            elif match := _BOX_INDEX.fullmatch(target):
                steps = int(match[2]) * (1 if match[1] == ">" else -1)
                targets, place = boxes, self.synsets[k][1] + steps
            if 0 <= place < len(targets):
                ends = (synsets[k], targets[place])[:: -1 if turned else 1]
                code = coder.label(upright if turned else role)
                coder.relations.append((ends[0], code, ends[1]))
                continue
            if _is_index(target):
                lenient = (NOWHERE_LED,)
            code = coder.label(upright + INVERSE if turned else role)
            coder.attributes.append((synsets[k], code, coder.label(target)))
        anchors = tuple(self.spans.get(name, ()) for name in coder.numbers)
        document = Document(anchors=anchors, unit="character") if any(anchors) else None
        graph = coder.graph("b0", self.block.metadata(), origin, document=document)
        return Reading(graph, lenient, counted((COMMENT_WORDS, self.words)))

    def _line(self, number: int, line: str, origin: Origin) -> None:
        """Take the synset or operator of a line, with its roles."""
        bare = _COMMENT.sub("", line)
        open_role: str | None = None
        opened: str | None = None  # the variable that the line begins
        for token in _TOKEN.findall(bare):
            if open_role in OPERATORS and _is_index(token):
                k = len(self.operators) + 1
                steps = int(token.lstrip("<>-+"))
                source = k + steps if token[0] in ">+" else k - steps
                if not 0 <= source < k:
                    reason = f"has {open_role} {token}, which leads to no box"
                    raise origin.error(reason, number)
                self.operators.append((open_role, source))
                opened, open_role = f"b{k}", None
            elif open_role is not None:
                if not self.synsets:
                    raise origin.error(f"has {open_role} before any synset", number)
                self.roles.append((len(self.synsets) - 1, open_role, token))
                open_role = None
            elif _SYNSET.fullmatch(token):
                opened = f"s{len(self.synsets)}"
                self.synsets.append((token, len(self.operators)))
            elif token[0].isupper():
                open_role = token
            else:
                reason = f"has {token!r} where a synset or role belongs"
                raise origin.error(reason, number)
        if open_role is not None:
            raise origin.error(f"has {open_role!r} without a target", number)
        if opened is not None:
            self._comment(line[len(bare) :], opened)

    def _comment(self, comment: str, opened: str) -> None:
        """Take the anchors of a comment; its words are in the text anyway."""
        if comment.lstrip().startswith("%%%"):
            return
        match = _SPANS.search(comment)
        words = (comment[: match.start()] if match else comment).split()
        self.words += sum(word != "%" for word in words)
        if match:
            spans = (part.split("-") for part in match[1].split(","))
            self.spans[opened] = tuple((int(a), int(b)) for a, b in spans)


def _is_index(target: str) -> bool:
    return bool(_INDEX.fullmatch(target) or _BOX_INDEX.fullmatch(target))


read_penman_drs = partial(read_smatch, reader="drs")
read_penman_synsets = partial(read_smatch, reader="drs-synsets")
"""Read a DRS in PENMAN as smatch does, by which DRSs are usually scored."""


def split_synsets(graph: Graph) -> Reading:
    """Split synsets into lemma, part of speech and sense, as ud-boxer does to score.

    A synset's concept becomes ``synset``; its lemma, part of speech and sense become
    the attributes ``lemma``, ``pos`` and ``sense``.  Every constant becomes a variable
    whose concept it is.  Of several roles from one synset to another the last counts.
    """
    names, labels = graph.variables, graph.labels
    coder = GraphCoder(names)
    relations = [(names[s], labels[r], names[t]) for s, r, t in graph.relations]
    for v, concept in graph.instances:
        label = labels[concept]
        match = _SYNSET.fullmatch(label)
        coder.add(names[v], INSTANCE, quoted("synset" if match else label))
        for role, part in match.groupdict().items() if match else ():
            coder.add(names[v], role, quoted(part))
    for k, (v, role_code, value) in enumerate(graph.attributes):
        constant = f"c{k}"
        while constant in coder.numbers:
            constant += "_"
        coder.add(constant, INSTANCE, quoted(labels[value].strip('"')))
        relations.append((names[v], labels[role_code], constant))
    last = {(source, target): role for source, role, target in relations}
    for (source, target), role in last.items():
        if role.endswith(INVERSE):
            source, target, role = target, source, role.removesuffix(INVERSE)
        coder.add(source, role, target)
    top = None if graph.top is None else names[graph.top]
    split = coder.graph(top, graph.metadata, graph.origin)
    return Reading(split, (), counted((REPLACED, len(relations) - len(last))))


def write_sbn(graph: Graph) -> str:
    """Write a graph of boxes, synsets and their roles: a line a synset or operator."""
    concepts, labels = graph.concepts(), graph.labels
    boxes = [v for v, concept in enumerate(concepts) if concept == BOX]
    place = {box: k for k, box in enumerate(boxes)}
    homes, sources = _boxes_of(graph, place)
    synsets = (v for v in range(len(concepts)) if v not in place)
    order = sorted(synsets, key=lambda v: place[homes[v]])
    number = {v: k for k, v in enumerate(order)}
    words = {v: [concepts[v] or ""] for v in order}
    for v, code, target in graph.relations:
        if v in words and target in place:
            steps = place[target] - place[homes[v]]
            words[v].append(f"{labels[code]} {'>' if steps > 0 else '<'}{abs(steps)}")
        elif v in words:
            words[v].append(f"{labels[code]} {number[target] - number[v]:+d}")
    for v, code, value in graph.attributes:
        role = labels[code]
        upright = role.removesuffix(INVERSE)
        named = f"{upright}Of" if upright != role and upright in TURNED else role
        if v in words:
            words[v].append(f"{named} {labels[value]}")
    lines = []
    for box, k in place.items():
        if k:
            source, operator = sources[box]
            lines.append((f"{operator} -{k - place[source]}", box))
        lines += [(" ".join(words[v]), v) for v in order if homes[v] == box]
    document = graph.document or Document()
    texts = []
    for line, v in lines:
        spans = ", ".join(f"{a}-{b}" for a, b in document.spans(v))
        texts.append(f"{line} % [{spans}]" if spans else line)
    return "\n".join(texts) + "\n"


def _boxes_of(
    graph: Graph, place: dict[int, int]
) -> tuple[dict[int, int], dict[int, tuple[int, str]]]:
    """Return the box of each synset, and the box before each box, with the operator."""

    def refused(reason: str) -> GraphError:
        return graph.origin.error(f"{reason}, which SBN cannot say")

    homes: dict[int, int] = {}
    sources: dict[int, tuple[int, str]] = {}
    for source, code, target in graph.relations:
        role = graph.labels[code]
        if source not in place:
            continue
        if target in place:
            if target in sources or place[source] >= place[target]:
                raise refused(
                    f"has a box that {role} and another relation lead to, or that "
                    f"{role} leads back to"
                )
            sources[target] = source, role
        elif role != MEMBER or target in homes:
            raise refused(
                f"has the relation {role} from a box to a synset, or a synset in two "
                "boxes"
            )
        else:
            homes[target] = source
    for v, name in enumerate(graph.variables):
        if v not in place and v not in homes:
            raise refused(f"has {name!r}, which is in no box")
    for box, k in place.items():
        if k and box not in sources:
            name = graph.variables[box]
            raise refused(f"has box {name!r}, which no relation leads to")
    return homes, sources
