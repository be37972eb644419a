"""From text to :class:`~exactmatch.graphs.graph.Graph`: one reader per profile family.

A reader takes a block and returns the graph and, in words, what a careful reader
would refuse: what could be read only by leniency.  It is one file and one line in
:data:`READERS`.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from exactmatch.reading.blocks import Block

if TYPE_CHECKING:
    from exactmatch.graphs.graph import Graph
    from exactmatch.graphs.profile import Profile

ReadBlock: TypeAlias = "Callable[[Block], tuple[Graph, tuple[str, ...]]]"

READERS = {
    "smatch": "exactmatch.reading.smatch:read_smatch",
    "penman": "exactmatch.reading.clean:read_clean",
    "s2match": "exactmatch.reading.s2match:read_s2match_block",
    "s2match-unmarked": "exactmatch.reading.s2match:read_unmarked_block",
    "sembleu": "exactmatch.reading.sembleu:read_sembleu_block",
    "smatchpp": "exactmatch.reading.smatchpp:read_smatchpp",
    "smatchpp-generic": "exactmatch.reading.smatchpp:read_smatchpp_generic",
    "smatchpp-none": "exactmatch.reading.smatchpp:read_smatchpp_none",
    "amrlib": "exactmatch.reading.amrlib:read_amrlib",
    "amrlib-unlabeled": "exactmatch.reading.amrlib:read_amrlib_unlabeled",
    "amrlib-unsensed": "exactmatch.reading.amrlib:read_amrlib_unsensed",
    "amrlib-early": "exactmatch.reading.amrlib:read_amrlib_early",
    "damonte": "exactmatch.reading.amrlib:read_damonte",
    "damonte-unlabeled": "exactmatch.reading.amrlib:read_damonte_unlabeled",
    "damonte-unsensed": "exactmatch.reading.amrlib:read_damonte_unsensed",
}
"""Every reader by name, as ``module:function``; imported when it is asked for."""


@cache
def get_reader(name: str) -> ReadBlock:
    """The reader of that name, as a profile's ``reader`` gives it."""
    module, _, attribute = READERS[name].partition(":")
    found: ReadBlock = getattr(importlib.import_module(module), attribute)
    return found


_TAG = re.compile(r'("[^"\\]*(?:\\.[^"\\]*)*")|~(?:[a-z]\.?)?\d+(?:,\d+)*')


def read_block(block: Block, profile: Profile) -> tuple[Graph, tuple[str, ...]]:
    """Read a block as a profile says.

    Returns:
        The graph, and in words what a careful reader would refuse.

    Raises:
        GraphError: if the profile's reader cannot read it.
    """
    if profile.strip_alignments and profile.reader != "penman":
        block = Block(
            tuple(
                line if line[0] == "#" else without_tags(line) for line in block.lines
            ),
            tuple(without_tags(line) for line in block.content),
            block.line,
            block.path,
            block.id_line,
        )
    return get_reader(profile.reader)(block)


def without_tags(text: str) -> str:
    """Remove ``~e.N`` alignment tags that stand outside quotes."""
    return _TAG.sub(lambda match: match[1] or "", text) if "~" in text else text
