"""Count the graphs of a file and those that are well formed."""

from __future__ import annotations

from typing import NamedTuple

from exactmatch.base.errors import GraphError
from exactmatch.formats.blocks import read_blocks
from exactmatch.formats.readings import read_block
from exactmatch.graphs.profile import Profile
from exactmatch.scoring.options import Formats


class Source(NamedTuple):
    """A file of graphs, or a folder of such files.

    Attributes:
        path: where it is.
        graphs: how many graphs it holds.
        well_formed: how many of them can be read without leniency.
    """

    path: str
    graphs: int
    well_formed: int


def source_of(path: str, profile: Profile, options: Formats) -> Source:
    """Read a file of graphs once, to count them.

    Args:
        path: the file or folder.
        profile: whose reader says what is well formed.
        options: the format of the file, and which of its graphs are meant.

    Raises:
        InputError: if it cannot be opened, unpacked or decoded.
    """
    graphs = well_formed = 0
    for block in read_blocks(path, options.how_read, options.framework):
        graphs += 1
        try:
            well_formed += not read_block(block, profile).lenient
        except GraphError:
            continue
    return Source(path, graphs, well_formed)
