"""Checks of a format: it recognises and reads back the texts that it writes."""

import io
from collections.abc import Callable, Sequence

from exactmatch import ExactmatchError, Graph
from exactmatch.formats.formats import Format, get_format

FormatCheck = Callable[[Format, Sequence[Graph]], None]

GRAPHS = (
    Graph.from_triples([("d", "instance", "dog")], "d", {"id": "1"}),
    Graph.from_triples(
        [
            ("b", "instance", "bark"),
            ("b", "ARG0", "d"),
            ("d", "instance", "dog"),
            ("b", "time", "n"),
            ("n", "instance", "now"),
        ],
        "b",
        {"id": "2"},
    ),
)
"""Graphs that any format for graphs should be able to write."""


def check_format(form: Format | str, graphs: Sequence[Graph] = GRAPHS) -> None:
    """Check that a format reads what it writes and refuses what it cannot read.

    Args:
        form: a format, or its name.
        graphs: graphs that it can write.

    Raises:
        AssertionError: if it does not; the message names the broken promise.

    Example:
        >>> from exactmatch.testing import check_format
        >>> check_format("triples")
    """
    checked_format = get_format(form) if isinstance(form, str) else form
    for check in format_checks().values():
        check(checked_format, graphs)


def format_checks() -> dict[str, FormatCheck]:
    """Return the single checks by name; each takes a format and graphs."""
    return {
        "reads what it writes": _round_trip,
        "reads several graphs of a file": _several,
        "recognises what it writes": _recognised,
        "refuses with a sentence": _refuses,
    }


def _read(form: Format, text: str) -> list[Graph]:
    lines = list(io.StringIO(text, newline=None))
    return [form.read(block).graph for block in form.blocks(lines, None)]


def _round_trip(form: Format, graphs: Sequence[Graph]) -> None:
    for graph in graphs:
        (again,) = _read(form, form.write(graph))
        assert sorted(again.triples()) == sorted(graph.triples()), (
            f"{form.name} reads other triples than it wrote"
        )
        assert again.id == graph.id, f"{form.name} loses the id"


def _several(form: Format, graphs: Sequence[Graph]) -> None:
    between = "" if form.one_a_line else "\n"
    text = between.join(form.write(graph) for graph in graphs)
    read_graphs = [sorted(graph.triples()) for graph in _read(form, text)]
    assert read_graphs == [sorted(graph.triples()) for graph in graphs], (
        f"{form.name} loses a graph of a file with several"
    )


def _recognised(form: Format, graphs: Sequence[Graph]) -> None:
    """Check one text at least: a format may not recognise its shortest texts."""
    if form.recognises is not None:
        assert any(form.recognises(form.write(graph)) for graph in graphs), (
            f"{form.name} recognises nothing of what it wrote"
        )


def _refuses(form: Format, graphs: Sequence[Graph]) -> None:
    """Cut a text in every place: it is read, or refused in one sentence."""
    text = form.write(graphs[-1])
    for end in range(len(text)):
        message = ""
        try:
            _read(form, text[:end])
        except ExactmatchError as error:
            message = str(error)
        assert "\n" not in message, "an error is one sentence"
