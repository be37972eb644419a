"""From text to :class:`~exactmatch.graph.Graph`: one reader per profile family.

A reader takes a block and returns the graph and, in words, what a careful reader
would refuse: what could be read only by leniency.  It is one file and one line in
:data:`READERS`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from exactmatch.graph import Graph
    from exactmatch.reading.blocks import Block

ReadBlock: TypeAlias = "Callable[[Block], tuple[Graph, tuple[str, ...]]]"

READERS = {
    "smatch": "exactmatch.reading.smatch:read_smatch",
    "penman": "exactmatch.reading.clean:read_clean",
    "s2match": "exactmatch.reading.s2match:read_s2match_block",
    "s2match-unmarked": "exactmatch.reading.s2match:read_unmarked_block",
    "sembleu": "exactmatch.reading.sembleu:read_sembleu_block",
    "amrlib": "exactmatch.reading.finegrained:read_amrlib",
    "amrlib-unlabeled": "exactmatch.reading.finegrained:read_amrlib_unlabeled",
    "amrlib-unsensed": "exactmatch.reading.finegrained:read_amrlib_unsensed",
    "amrlib-early": "exactmatch.reading.finegrained:read_amrlib_early",
    "damonte": "exactmatch.reading.finegrained:read_damonte",
    "damonte-unlabeled": "exactmatch.reading.finegrained:read_damonte_unlabeled",
    "damonte-unsensed": "exactmatch.reading.finegrained:read_damonte_unsensed",
}
"""Every reader by name, as ``module:function``; imported when it is asked for."""


def get_reader(name: str) -> ReadBlock:
    """The reader of that name, as a profile's ``reader`` gives it."""
    module, _, attribute = READERS[name].partition(":")
    found: ReadBlock = getattr(importlib.import_module(module), attribute)
    return found
