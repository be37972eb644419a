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
from collections.abc import Mapping
from functools import partial
from typing import Any

from exactmatch.base import compiled as kernels
from exactmatch.formats.blocks import Block
from exactmatch.formats.dialects.scanner import Scanner
from exactmatch.formats.remarks import (
    CUT,
    INVERTED_CONSTANTS,
    REPLACED,
    SECOND_TOPS,
    Reading,
    counted,
)
from exactmatch.graphs.graph import INVERSE, Graph, Origin, Parts

_kernel: Any = kernels.load("exactmatch.formats.dialects._plain")

QUOTE_MARK = "_"
"""What a closing quote leaves behind."""

_TOP = "TOP"


def read_s2match(
    block: Block,
    reader: str = "s2match",
    *,
    content: tuple[str, ...] | None = None,
    mark_quotes: bool = True,
    collapse: bool = True,
) -> Reading:
    """Read a block the way S²match's own code does.

    Args:
        block: the graph with its place.
        reader: the name of the reader, which the graph records.
        content: what is read instead of the block's own content.
        mark_quotes: whether a closing quote leaves ``_`` behind; without it
            ``"David"`` is ``David``.
        collapse: whether of relations between the same two variables, and of
            attributes with the same role, the last alone counts; smatch's first
            releases, which are read so otherwise, kept them all.

    Raises:
        GraphError: where the official code stops; file, line and id are named.
    """
    origin, metadata = block.origin(), block.metadata()
    said = _kernel.scan(block.content if content is None else content)
    mark = QUOTE_MARK if mark_quotes else ""
    coded = None if said is None else _kernel.code_early(said, mark, collapse)
    if coded is not None:
        parts: Parts
        parts, left_out = coded
        graph = Graph.trusted(*parts, 0, metadata, origin, reader)
        return Reading(graph, (), _dropped(*left_out))
    official = _S2matchReader(origin, mark, collapse, reader)
    rewritten = [(origin.line or 1, line) for line in content or ()]
    official.scan(block.numbered() if content is None else rewritten)
    graph = official.graph(metadata)
    return Reading(graph, tuple(official.lenient), official.dropped())


read_unmarked = partial(read_s2match, reader="s2match-unmarked", mark_quotes=False)


def _dropped(
    cut: int, inverted: int, replaced: int, second_tops: int
) -> tuple[tuple[str, int], ...]:
    """Count the relations that S²match's reader discards, by kind."""
    return counted(
        (CUT, cut),
        (INVERTED_CONSTANTS, inverted),
        (REPLACED, replaced),
        (SECOND_TOPS, second_tops),
    )


class _S2matchReader(Scanner):
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

    def __init__(self, origin: Origin, mark: str, collapse: bool, reader: str) -> None:
        super().__init__(origin)
        self.reader = reader
        self.mark = mark
        self.collapse = collapse
        self.known: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        self.later: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        self.cut = self.replaced = self.second_tops = 0

    def dropped(self) -> tuple[tuple[str, int], ...]:
        """Relations that S²match's reader discards, with counts."""
        constants = self.known.keys() - self.concepts.keys()
        inverted = sum(len(self.known[value]) for value in constants)
        return _dropped(self.cut, inverted, self.replaced, self.second_tops)

    def quote(self) -> None:
        if self.quoted:
            self.pending.append(self.mark)

    def sign_in_quotes(self, sign: str) -> None:
        self.pending.append(sign)

    def child(self, parent: str, role: str, name: str) -> None:
        if role.endswith(INVERSE):
            self.known[name].append((role.removesuffix(INVERSE), parent))
        else:
            self.known[parent].append((role, name))

    def value(self, role: str, words: list[str], *, last: bool) -> None:
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
