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

from functools import partial
from typing import Any

import exactmatch.formats.remarks as remarks
from exactmatch.base import compiled as kernels
from exactmatch.formats.blocks import Block
from exactmatch.formats.dialects.scanner import Scanner
from exactmatch.formats.remarks import Reading, counted
from exactmatch.graphs.graph import Graph, Parts

_kernel: Any = kernels.load("exactmatch.formats.dialects._plain")

QUOTE_MARK = "_"
"""What a closing quote leaves behind."""


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
        content: what is read instead of the block's own content.
        mark_quotes: whether a closing quote leaves ``_`` behind; without it
            ``"David"`` is ``David``.
        collapse: whether of relations between the same two variables, and of
            attributes with the same role, the last alone counts; smatch's first
            releases, which are read so otherwise, kept them all.

    Raises:
        GraphError: where the official code stops; file, line and id are named.
    """
    said = _kernel.scan(block.content if content is None else content)
    mark = QUOTE_MARK if mark_quotes else ""
    coded = None if said is None else _kernel.code_early(said, mark, collapse)
    lenient: tuple[str, ...] = ()
    cut = 0
    if coded is None:
        official = _S2matchReader(block.origin(), ("", mark))
        rewritten = [(official.origin.line or 1, line) for line in content or ()]
        said = official.scan(block.numbered() if content is None else rewritten)
        if len(set(official.order)) < len(official.order):
            raise official.error("defines a variable in its own concept; rename one")
        coded = _kernel.code_early(said, mark, collapse)
        cut, lenient = official.cut, tuple(official.lenient)
    parts: Parts
    parts, (also_cut, inverted, replaced, second_tops) = coded
    graph = Graph.trusted(*parts, 0, block.metadata(), block.origin(), reader)
    dropped = counted(
        (remarks.CUT, cut + also_cut),
        (remarks.INVERTED_CONSTANTS, inverted),
        (remarks.REPLACED, replaced),
        (remarks.SECOND_TOPS, second_tops),
    )
    return Reading(graph, lenient, dropped)


read_unmarked = partial(read_s2match, reader="s2match-unmarked", mark_quotes=False)


class _S2matchReader(Scanner):
    cut = 0
    """How many quoted values lost what stands behind a blank."""

    def value(self, role: str, words: list[str], *, last: bool) -> None:
        self.cut += len(words) > 1 and self.in_quotes
        self.stated.append((self.open[-1], role, words[0], False, last))
