"""Whatever stands for a graph, as a graph: text, triples, penman, networkx."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from exactmatch.errors import GraphError, InputError
from exactmatch.graphs.convert import from_networkx
from exactmatch.graphs.graph import Graph, Origin
from exactmatch.graphs.profile import Profile
from exactmatch.reading import read_block
from exactmatch.reading.blocks import blocks_of_text

if TYPE_CHECKING:
    import penman


def as_graph(item: Any, profile: Profile) -> Graph:
    """Take whatever stands for one graph and make it a :class:`Graph`.

    Args:
        item: PENMAN text of one graph, which the profile's reader reads; a
            ``penman.Graph``, which counts as the text penman writes of it; a
            ``networkx`` graph, triples, or a :class:`Graph`, which count as
            they stand.
        profile: says how text is read.

    Raises:
        GraphError: if it is no graph that the profile's reader can read.
        InputError: if it is something else, or the text of several graphs.
    """
    if isinstance(item, Graph):
        return item
    if isinstance(item, str):
        return _read(item, profile)
    packages = {cls.__module__.partition(".")[0] for cls in type(item).__mro__}
    if "networkx" in packages:
        return from_networkx(item)
    if "penman" in packages:
        return _read(_written(item), profile)
    if isinstance(item, Iterable) and not isinstance(item, (bytes, Mapping)):
        return Graph.from_triples(item)
    raise InputError(
        f"{type(item).__name__} is no graph; give PENMAN text, triples, a penman "
        "graph or a networkx graph"
    )


def _read(text: str, profile: Profile) -> Graph:
    """Read the text of one graph as the profile says."""
    blocks = [block for block in blocks_of_text(text) if block.content]
    if not blocks:
        raise GraphError("is empty; a graph is '(variable / concept ...)'")
    if len(blocks) > 1:
        raise InputError(
            f"a text holds {len(blocks)} graphs where one is wanted; split it at "
            "its blank lines"
        )
    return read_block(blocks[0], profile)[0]


def _written(decoded: penman.Graph) -> str:
    """The text of a penman graph, with roles inverted as AMR inverts them."""
    import penman
    from penman.exceptions import LayoutError
    from penman.models import amr

    try:
        text: str = penman.encode(decoded, model=amr.model)
    except LayoutError:
        name = decoded.metadata.get("id")
        raise Origin(graph_id=name).error(
            "cannot be written as text, because its top does not reach every "
            "node; convert it with exactmatch.from_penman"
        ) from None
    return text
