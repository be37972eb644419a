"""Count the graphs of a file and those that are well formed, and keep their texts."""

from __future__ import annotations

from dataclasses import dataclass, field

from exactmatch.base.errors import GraphError
from exactmatch.formats.blocks import read_blocks
from exactmatch.formats.readings import read_block
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import Profile


@dataclass(frozen=True, slots=True)
class Source:
    """A file of graphs, or a folder of such files.

    Attributes:
        path: where it is.
        graphs: how many graphs it holds.
        well_formed: how many of them can be read without leniency.
        texts: each graph's own text, by file and line.
    """

    path: str
    graphs: int
    well_formed: int
    texts: dict[tuple[str | None, int | None], str] = field(repr=False)

    def text_of(self, graph: Graph) -> str | None:
        """The text of a graph, without comments; ``None`` if it is of another file."""
        return self.texts.get((graph.origin.path, graph.origin.line))


def source_of(
    path: str,
    profile: Profile,
    format_in: str | None = None,
    framework: str | None = None,
) -> Source:
    """Read a file of graphs once, to count them and to keep their texts.

    Args:
        path: the file or folder.
        profile: whose reader says what is well formed.
        format_in: its format; default: what it looks like.
        framework: take only the MRP graphs of this framework.

    Raises:
        InputError: if it cannot be opened, unpacked or decoded.
    """
    graphs = well_formed = 0
    texts = {}
    for block in read_blocks(path, format_in, framework):
        graphs += 1
        origin = block.origin()
        texts[origin.path, origin.line] = "\n".join(block.content)
        try:
            well_formed += not read_block(block, profile).lenient
        except GraphError:
            continue
    return Source(path, graphs, well_formed, texts)
