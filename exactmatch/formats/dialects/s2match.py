"""S²match's official reading of a graph, to the letter.

S²match comes with an older reader of smatch's, which counts other triples than
today's:

* of two relations between the same two variables the last counts, and of two
  attributes of one variable with the same role; so nothing occurs twice;
* every ``:X-of`` with a variable in brackets is inverted; written without
  brackets only as the last role of its variable, and then what inverts to a
  constant is dropped; ``:mod`` is left alone;
* quotes are dropped, and a closing one leaves a ``_`` behind (which, unlike in
  smatch, stays when labels are compared: ``"David"`` is not ``David``), unless
  quotes are *unmarked*;
* a value is what stands before the first blank; blanks in a concept are
  dropped; lines are joined without a blank;
* the root is marked by its concept (the profile's ``top``); a ``:TOP`` of the
  root that is written out is lost.

Source: the reading facts of the implementation published with Opitz,
Parcalabescu and Frank (2020), "AMR Similarity Metrics from Principles".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from exactmatch.base import compiled as kernels
from exactmatch.formats.blocks import Block
from exactmatch.formats.dialects.scanner import Scanner, lines_of
from exactmatch.formats.remarks import (
    CUT,
    INVERTED_CONSTANTS,
    REPLACED,
    SECOND_TOPS,
    Reading,
    counted,
)
from exactmatch.graphs.graph import INVERSE, NOWHERE, Graph, Origin

_kernel: Any = kernels.load("exactmatch.formats.dialects._plain")

QUOTE_MARK = "_"
"""What a closing quote leaves behind."""

_TOP = "TOP"


def read_s2match(
    text: str, origin: Origin = NOWHERE, *, mark_quotes: bool = True
) -> Graph:
    """Read one graph the way S²match's own code does.

    Args:
        text: the graph; lines that begin with ``#`` are ignored, the others
            are stripped and joined.
        origin: where the graph stands, for messages.
        mark_quotes: whether a closing quote leaves ``_`` behind.

    Raises:
        GraphError: where the official code stops.
    """
    lines = lines_of(text, origin)
    return read_s2match_lines(lines, origin, {}, mark_quotes=mark_quotes).graph


def read_s2match_lines(
    lines: list[tuple[int, str]],
    origin: Origin,
    metadata: Mapping[str, str],
    *,
    mark_quotes: bool = True,
    collapse: bool = True,
    reader: str = "s2match",
) -> Reading:
    """Read one graph from its lines.

    Args:
        lines: the lines that are no comments, stripped, with their numbers.
        origin: where the graph stands, for messages.
        metadata: the graph's ``id``, ``snt`` and so on.
        mark_quotes: whether a closing quote leaves ``_`` behind.
        collapse: whether of relations between the same two variables, and of
            attributes with the same role, the last alone counts; smatch's first
            releases, which are read so otherwise, kept them all.
        reader: the name of the reader, which the graph records.

    Raises:
        GraphError: where the official code stops.
    """
    plain = _plain_reading(
        [line for _, line in lines], origin, metadata, mark_quotes, collapse, reader
    )
    if plain is not None:
        return plain
    official = _Official(origin, mark_quotes, collapse, reader)
    official.scan(lines)
    graph = official.graph(metadata)
    return Reading(graph, tuple(official.lenient), official.dropped())


def _plain_reading(
    lines: Sequence[str],
    origin: Origin,
    metadata: Mapping[str, str],
    mark_quotes: bool,
    collapse: bool,
    reader: str,
) -> Reading | None:
    """Read a plain text, as nearly all are; ``None`` for any other."""
    said = _kernel.scan(tuple(lines))
    if said is None:
        return None
    coded = _kernel.code_early(said, QUOTE_MARK if mark_quotes else "", collapse)
    if coded is None:
        return None
    parts, left_out = coded
    variables, labels, instances, attributes, relations = parts
    graph = Graph.trusted(
        variables,
        labels,
        instances,
        attributes,
        relations,
        0,
        metadata,
        origin,
        reader,
    )
    return Reading(graph, (), _dropped(*left_out))


def _dropped(
    cut: int, inverted: int, replaced: int, second_tops: int
) -> tuple[tuple[str, int], ...]:
    """What is not in a graph although it was well written, and how often."""
    return counted(
        (CUT, cut),
        (INVERTED_CONSTANTS, inverted),
        (REPLACED, replaced),
        (SECOND_TOPS, second_tops),
    )


def read_s2match_block(block: Block, *, mark_quotes: bool = True) -> Reading:
    """Read a block as :func:`read_s2match` does.

    Raises:
        GraphError: where the official code stops; file, line and id are named.
    """
    origin, metadata = block.origin(), block.metadata()
    reader = "s2match" if mark_quotes else "s2match-unmarked"
    found = _plain_reading(block.content, origin, metadata, mark_quotes, True, reader)
    if found is not None:
        return found
    return read_s2match_lines(
        block.numbered(),
        origin,
        metadata,
        mark_quotes=mark_quotes,
        reader=reader,
    )


def read_unmarked_block(block: Block) -> Reading:
    """Read a block without marking quotes, so that ``"David"`` is ``David``."""
    return read_s2match_block(block, mark_quotes=False)


class _Official(Scanner):
    """The state of reading one graph.

    Attributes:
        reader: the name of the reader, which the graph records.
        collapse: whether the last of several triples counts alone.
        cut: how many quoted values lost what stands behind a blank.
        replaced: how many triples gave way to a later one.
        second_tops: how many written ``:TOP`` of the root were lost.
        known: for each variable ``(role, variable)``, where the value was known
            to be a variable when it was read.
        later: for each variable ``(role, value)``, where it was not.
    """

    def __init__(
        self, origin: Origin, mark_quotes: bool, collapse: bool, reader: str
    ) -> None:
        super().__init__(origin)
        self.reader = reader
        self.mark = QUOTE_MARK if mark_quotes else ""
        self.collapse = collapse
        self.known: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        self.later: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        self.cut = self.replaced = self.second_tops = 0

    def dropped(self) -> tuple[tuple[str, int], ...]:
        """What is not in the graph although it was well written."""
        constants = self.known.keys() - self.concepts.keys()
        inverted = sum(len(self.known[value]) for value in constants)
        return _dropped(self.cut, inverted, self.replaced, self.second_tops)

    def quote(self) -> None:
        """Drop the quote; a closing one leaves its mark."""
        if self.quoted:
            self.pending.append(self.mark)

    def sign_in_quotes(self, sign: str) -> None:
        """Keep it."""
        self.pending.append(sign)

    def child(self, parent: str, role: str, name: str) -> None:
        """File a role whose value is a variable in brackets."""
        if role.endswith(INVERSE):
            self.known[name].append((role.removesuffix(INVERSE), parent))
        else:
            self.known[parent].append((role, name))

    def value(self, role: str, words: list[str], *, last: bool) -> None:
        """File a role whose value is written without brackets."""
        parent, value = self.open[-1], words[0]
        self.cut += len(words) > 1 and self.in_quotes
        if last and role.endswith(INVERSE):
            self.known[value].append((role.removesuffix(INVERSE), parent))
        elif value in self.concepts:
            self.known[parent].append((role, value))
        else:
            self.later[parent].append((role, value))

    def graph(self, metadata: Mapping[str, str]) -> Graph:
        """Make triples of what was read, in the official order."""
        numbers = {name: k for k, name in enumerate(self.order)}
        if len(numbers) < len(self.order):
            raise self.error("defines a variable in its own concept; rename one")
        codes: dict[str, int] = {}
        instances, attributes, relations = [], [], []
        for v, name in enumerate(self.order):
            instances.append((v, codes.setdefault(self.concepts[name], len(codes))))
            if name not in self.known and name not in self.later:
                continue
            targets, constants = self._stated(name)
            if v == 0 and self.collapse:
                kept = [pair for pair in constants if pair[0] != _TOP]
                self.second_tops = len(constants) - len(kept)
                constants = kept
            for role, target in targets:
                code = codes.setdefault(role, len(codes))
                relations.append((v, code, numbers[target]))
            for role, value in constants:
                code = codes.setdefault(role, len(codes))
                attributes.append((v, code, codes.setdefault(value, len(codes))))
        return Graph.trusted(
            tuple(numbers),
            tuple(codes),
            tuple(instances),
            tuple(attributes),
            tuple(relations),
            0,
            metadata,
            self.origin,
            self.reader,
        )

    def _stated(self, name: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
        """A variable's ``(role, variable)`` and ``(role, constant)``."""
        targets = list(self.known.get(name, ()))
        constants: list[tuple[str, str]] = []
        for role, value in self.later.get(name, ()):
            (targets if value in self.concepts else constants).append((role, value))
        if self.collapse and (len(targets) > 1 or len(constants) > 1):
            last = {target: role for role, target in targets}
            values = dict(constants)
            self.replaced += len(targets) - len(last) + len(constants) - len(values)
            targets = [(role, target) for target, role in last.items()]
            constants = list(values.items())
        return targets, constants
