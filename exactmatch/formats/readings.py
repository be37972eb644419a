"""From text to :class:`~exactmatch.graphs.graph.Graph`: one reader per profile family.

A reader takes a block and returns a :class:`~exactmatch.formats.remarks.Reading`: the
graph, what only a lenient reader accepts, and how much was left out.  A new reader is
one file and one line in :data:`~exactmatch.graphs.profile.OUR_READERS`; a profile of
another package names its own by its place, ``module:function``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from exactmatch.base.errors import GraphError
from exactmatch.base.registry import Registry
from exactmatch.formats.blocks import Block
from exactmatch.formats.formats import get_format
from exactmatch.formats.remarks import (
    REPEATED,
    TAGS,
    Reading,
    count_repeated,
    count_tags,
    counted,
    without_tags,
)
from exactmatch.graphs.profile import NORMALISERS, OUR_READERS

if TYPE_CHECKING:
    from exactmatch.graphs.profile import Profile

ReadBlock: TypeAlias = Callable[[Block], Reading]

READERS: Registry[ReadBlock] = Registry(
    "reader",
    OUR_READERS,
    "exactmatch.base.errors:InputError",
    callable,
    "a function of a Block that returns a Reading",
)
"""The readers by name; imported at their first use."""


@cache
def get_reader(name: str) -> ReadBlock:
    """Import the reader that a profile's ``reader`` field names.

    Raises:
        InputError: if it is of another package and cannot be loaded.
    """
    return READERS.find(name)


def read_block(block: Block, profile: Profile) -> Reading:
    """Read a block as a profile says.

    Returns:
        The graph, what a careful reader would refuse, and what was left out.

    Raises:
        GraphError: if the profile's reader cannot read it.
    """
    if block.format is not None:
        return _read_graph(block, profile)
    tags = 0
    if profile.strip_alignments and profile.reader != "penman":
        tags = count_tags("\n".join(block.content))
        if tags:
            block = _untagged(block)
    try:
        reading = get_reader(profile.reader)(block)
    except GraphError as error:
        raise block.located(error) from None
    repeated = 0
    if profile.duplicates == "set":
        repeated = count_repeated(reading.graph, NORMALISERS[profile.comparison])
    if tags or repeated:
        more = counted((TAGS, tags), (REPEATED, repeated))
        reading = reading._replace(dropped=reading.dropped + more)
    return reading


def _read_graph(block: Block, profile: Profile) -> Reading:
    """Read a block of another format as the profile reads the same graph in PENMAN."""
    from exactmatch.formats.graph_as_text import read_as_text

    assert block.format is not None
    stated = get_format(block.format).read(block)
    if profile.reader == "drs" and block.format == "sbn":
        from exactmatch.formats.sbn import split_synsets

        split = split_synsets(stated.graph)
        stated = stated._replace(
            graph=split.graph, dropped=stated.dropped + split.dropped
        )
    try:
        found = read_as_text(stated.graph, profile, read_block)
    except GraphError as error:
        raise block.origin().error(error.reason) from None
    lenient = dict.fromkeys((*stated.lenient, *found.lenient))
    return Reading(found.graph, tuple(lenient), stated.dropped + found.dropped)


def _untagged(block: Block) -> Block:
    """Remove the alignment tags from a block, but not from its comments."""
    return replace(
        block,
        lines=tuple(
            line if line[0] == "#" else without_tags(line) for line in block.lines
        ),
        content=tuple(without_tags(line) for line in block.content),
    )
