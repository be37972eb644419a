"""Graphs of one format in another, and what is lost."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO

from exactmatch.base import values
from exactmatch.base.errors import InputError
from exactmatch.base.options import flag, function, option
from exactmatch.formats.formats import Format, get_format
from exactmatch.scoring.reporter import CALLER, Listener
from exactmatch.studies.command import Command
from exactmatch.studies.options import GraphFiles


class ConvertOptions(GraphFiles):
    """Which graphs are converted, and into what."""

    TITLE = "conversion"

    to: str = option(
        "the format to write (default: by the suffix of the file after -o)",
        read=values.name_in("exactmatch.formats.formats:FORMATS"),
        metavar="NAME",
    )
    lossy: bool = flag("write graphs even if something is lost, and name the loss")


COMMAND = Command(
    """Write graphs in another format, where nothing is lost, or say what would be.

Example:
  exactmatch convert gold.amr --to node-link -o gold.json
  exactmatch convert document.umr -o document.json
  exactmatch convert graphs.mrp --to triples""",
    ConvertOptions,
    "exactmatch.studies.convert:study",
    output="text",
    by_output=(("to", "exactmatch.formats.conversion:format_of_name"),),
)


def texts(asked: ConvertOptions) -> list[str]:
    """Write the graphs of files in another format, where nothing is lost.

    Returns:
        The text of each graph; together they are the text of a file.

    Raises:
        GraphError: if a graph cannot be read, or cannot be written without loss.
        InputError: if a file cannot be opened.

    >>> import exactmatch
    >>> from importlib.resources import files
    >>> gold = str(files("exactmatch") / "sample" / "gold.amr")
    >>> texts = exactmatch.studies.convert_files(gold, to="node-link")
    >>> len(texts)
    40
    """
    return list(study(asked))


convert_files = function("convert_files", ConvertOptions, texts)


def study(asked: ConvertOptions, reporter: Listener = CALLER) -> Iterator[str]:
    """Yield these texts."""
    from exactmatch.formats.conversion import converted

    if asked.to is None:
        raise InputError("name a format by --to, or a file to write by -o")
    target = get_format(asked.to)
    head, tail = target.frame
    between = "" if target.one_a_line else "\n"
    held, number = "", 0
    for path in asked.files:
        for text in converted(
            path,
            target,
            format_in=asked.how_read,
            framework=asked.framework,
            lossy=asked.lossy,
            warn=reporter.warn,
        ):
            body = text.removeprefix(head).removesuffix(tail).rstrip("\n") + "\n"
            if number == 1 and not _are_two(f"{held}{between}{body}{tail}", target):
                raise InputError(
                    f"a file of {target.name} holds one graph, and there are several; "
                    "convert files of one graph, or --to json"
                )
            if number:
                yield held
            held = f"{between if number else head}{body}"
            number += 1
    if number:
        yield f"{held}{tail}"
    else:
        reporter.note("no graph was found")


def _are_two(text: str, target: Format) -> bool:
    """Whether a text of two graphs is read as two."""
    try:
        return len([*target.blocks(StringIO(text, newline=None), None)]) > 1
    except InputError:
        return False
