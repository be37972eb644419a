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

from exactmatch.base.errors import GraphError
from exactmatch.formats.blocks import Block, commented_blocks
from exactmatch.formats.dialects.smatch import read_smatch
from exactmatch.formats.remarks import COMMENT_WORDS, REPLACED, Reading, counted
from exactmatch.graphs.document import Document, Span
from exactmatch.graphs.graph import INVERSE, Graph, GraphCoder
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
    """Whether a line holds several synsets, so that it is a structure of its own."""
    bare = _COMMENT.sub("", line)
    return sum(_SYNSET.fullmatch(word) is not None for word in bare.split()) > 1


def read_sbn(block: Block) -> Reading:
    """Read one structure.

    Raises:
        GraphError: if there is no synset and no operator, a role has no target, or a
            word is neither.
    """
    return _Sbn(block).reading()


class _Sbn:
    """One structure while it is read."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.synsets: list[tuple[str, int]] = []  # with the box each is in
        self.operators: list[tuple[str, int]] = []  # with the box each comes from
        self.roles: list[tuple[int, str, str]] = []  # synset, role, target
        self.spans: list[tuple[str, int, tuple[Span, ...]]] = []
        self.lenient: dict[str, None] = {}
        self.words = 0

    def reading(self) -> Reading:
        """The graph."""
        for number, line in enumerate(self.block.lines, self.block.line):
            self._line(number, line)
        if not self.synsets and not self.operators:
            raise self.block.origin().error("has no synset, such as person.n.01")
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
        for k, role, target in self.roles:
            self._state(coder, boxes, synsets, k, role, target)
        anchors: list[tuple[Span, ...]] = [()] * len(coder.numbers)
        for kind, k, spans in self.spans:
            anchors[(synsets if kind == "s" else boxes)[k]] = spans
        document = Document(anchors=tuple(anchors), unit="character")
        graph = coder.graph(
            "b0",
            self.block.metadata(),
            self.block.origin(),
            document=document if any(anchors) else None,
        )
        dropped = counted((COMMENT_WORDS, self.words))
        return Reading(graph, tuple(self.lenient), dropped)

    def _line(self, number: int, line: str) -> None:
        """Take the synset or operator of a line, with its roles."""
        bare = _COMMENT.sub("", line)
        tokens = _TOKEN.findall(bare)
        waiting: str | None = None
        opened: tuple[str, int] | None = None
        for token in tokens:
            if waiting is not None:
                if self._opens(waiting, token):
                    opened = self._open(waiting, token, number)
                else:
                    self._role(waiting, token, number)
                waiting = None
            elif _SYNSET.fullmatch(token):
                opened = ("s", len(self.synsets))
                self.synsets.append((token, len(self.operators)))
            elif token[0].isupper():
                waiting = token
            else:
                raise self._error(
                    f"has {token!r} where a synset or role belongs", number
                )
        if waiting is not None:
            raise self._error(f"has {waiting!r} without a target", number)
        self._comment(line[len(bare) :], opened)

    def _opens(self, word: str, target: str) -> bool:
        """Whether a word opens a box."""
        index = _INDEX.fullmatch(target) or _BOX_INDEX.fullmatch(target)
        return bool(index) and word in OPERATORS

    def _open(self, operator: str, target: str, number: int) -> tuple[str, int]:
        k = len(self.operators) + 1
        steps = int(target.lstrip("<>-+"))
        source = k + steps if target[0] in ">+" else k - steps
        if not 0 <= source < k:
            raise self._error(f"has {operator} {target}, which leads to no box", number)
        self.operators.append((operator, source))
        return ("b", k)

    def _role(self, role: str, target: str, number: int) -> None:
        if not self.synsets:
            raise self._error(f"has {role} before any synset", number)
        self.roles.append((len(self.synsets) - 1, role, target))

    def _state(
        self,
        coder: GraphCoder,
        boxes: list[int],
        synsets: list[int],
        k: int,
        role: str,
        target: str,
    ) -> None:
        """State a role as a relation or attribute."""
        upright = role.removesuffix("Of")
        turned = upright != role and upright in TURNED
        others, place = synsets, -1
        if _INDEX.fullmatch(target):
            place = k + int(target)
        elif match := _BOX_INDEX.fullmatch(target):
            steps = int(match[2]) * (1 if match[1] == ">" else -1)
            others, place = boxes, self.synsets[k][1] + steps
        leads = 0 <= place < len(others)
        if not leads:
            if _INDEX.fullmatch(target) or _BOX_INDEX.fullmatch(target):
                self.lenient[NOWHERE_LED] = None
            code = coder.label(upright + INVERSE if turned else role)
            coder.attributes.append((synsets[k], code, coder.label(target)))
        elif turned:
            coder.relations.append((others[place], coder.label(upright), synsets[k]))
        else:
            coder.relations.append((synsets[k], coder.label(role), others[place]))

    def _comment(self, comment: str, opened: tuple[str, int] | None) -> None:
        """Take the anchors of a comment; its words are in the text anyway."""
        found = _SPANS.search(comment)
        words = (comment[: found.start()] if found else comment).split()
        if opened is None or comment.lstrip().startswith("%%%"):
            return
        self.words += sum(word != "%" for word in words)
        if found:
            ends = re.findall(r"\d+", found[1])
            spans = tuple(
                (int(a), int(b)) for a, b in zip(ends[::2], ends[1::2], strict=True)
            )
            self.spans.append((*opened, spans))

    def _error(self, reason: str, number: int) -> GraphError:
        return self.block.origin().error(reason, number)


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
    coder = GraphCoder()
    for name in names:
        coder.variable(name)
    relations = [(names[s], labels[r], names[t]) for s, r, t in graph.relations]
    for v, concept in graph.instances:
        label = labels[concept]
        match = _SYNSET.fullmatch(label)
        kind = "synset" if match else label
        coder.instances.append((v, coder.label(quoted(kind))))
        if match:
            for role, part in match.groupdict().items():
                pair = coder.label(role), coder.label(quoted(part))
                coder.attributes.append((v, *pair))
    for k, (v, role_code, value) in enumerate(graph.attributes):
        constant = f"c{k}"
        while constant in coder.numbers:
            constant += "_"
        said = coder.label(quoted(labels[value].strip('"')))
        coder.instances.append((coder.variable(constant), said))
        relations.append((names[v], labels[role_code], constant))
    last = {(source, target): role for source, role, target in relations}
    for (source, target), role in last.items():
        ends = coder.numbers[source], coder.numbers[target]
        if role.endswith(INVERSE):
            ends, role = ends[::-1], role.removesuffix(INVERSE)
        coder.relations.append((ends[0], coder.label(role), ends[1]))
    top = None if graph.top is None else names[graph.top]
    found = coder.graph(top, graph.metadata, graph.origin)
    return Reading(found, (), counted((REPLACED, len(relations) - len(last))))


def write_sbn(graph: Graph) -> str:
    """Write a graph as SBN, one line a synset or operator.

    Raises:
        GraphError: if it holds anything but boxes, their synsets and synsets' roles.
    """
    return _Written(graph).text()


class _Written:
    """A graph while it is written."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.concepts = graph.concepts()
        numbers = range(len(graph.variables))
        self.boxes = [v for v in numbers if self.concepts[v] == BOX]
        self.place = {v: k for k, v in enumerate(self.boxes)}
        self.home: dict[int, int] = {}
        self.source: dict[int, tuple[int, str]] = {}
        self.roles: dict[int, list[tuple[str, int]]] = {}
        for s, code, t in graph.relations:
            self._sort(s, graph.labels[code], t)
        members = [v for v in numbers if v not in self.place]
        for v in members:
            if v not in self.home:
                raise self._error(f"has {graph.variables[v]!r}, which is in no box")
        self.order = sorted(members, key=lambda v: self.place[self.home[v]])
        self.number = {v: k for k, v in enumerate(self.order)}

    def _sort(self, source: int, role: str, target: int) -> None:
        """Sort a relation by what it says."""
        if source not in self.place:
            self.roles.setdefault(source, []).append((role, target))
        elif target in self.place:
            if target in self.source or self.place[source] >= self.place[target]:
                raise self._error(
                    f"has a box that {role} and another relation lead to, or that "
                    f"{role} leads back to"
                )
            self.source[target] = (source, role)
        elif role != MEMBER or target in self.home:
            raise self._error(
                f"has the relation {role} from a box to a synset, or a synset in two "
                "boxes"
            )
        else:
            self.home[target] = source

    def text(self) -> str:
        """The lines."""
        graph = self.graph
        constants: dict[int, list[tuple[str, str]]] = {}
        for v, role, value in graph.attributes:
            pair = graph.labels[role], graph.labels[value]
            constants.setdefault(v, []).append(pair)
        lines = []
        for number, box in enumerate(self.boxes):
            if number:
                if box not in self.source:
                    raise self._error(
                        f"has box {graph.variables[box]!r}, which no relation leads to"
                    )
                source, operator = self.source[box]
                lines.append((f"{operator} -{number - self.place[source]}", box))
            for v in self.order:
                if self.home[v] == box:
                    words = [self.concepts[v] or ""]
                    words += [self._role(v, *role) for role in self.roles.get(v, ())]
                    words += [
                        f"{self._name(role)} {value}"
                        for role, value in constants.get(v, ())
                    ]
                    lines.append((" ".join(words), v))
        return "\n".join(self._anchored(*line) for line in lines) + "\n"

    def _name(self, role: str) -> str:
        upright = role.removesuffix(INVERSE)
        return upright + "Of" if upright != role and upright in TURNED else role

    def _role(self, v: int, role: str, target: int) -> str:
        if target in self.place:
            steps = self.place[target] - self.place[self.home[v]]
            return f"{role} {'>' if steps > 0 else '<'}{abs(steps)}"
        return f"{role} {self.number[target] - self.number[v]:+d}"

    def _anchored(self, line: str, v: int) -> str:
        document = self.graph.document or Document()
        spans = ", ".join(f"{a}-{b}" for a, b in document.spans(v))
        return f"{line} % [{spans}]" if spans else line

    def _error(self, reason: str) -> GraphError:
        return self.graph.origin.error(f"{reason}, which SBN cannot say")
