"""Write graphs in another format."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO

from exactmatch.base.errors import InputError
from exactmatch.base.options import function
from exactmatch.formats.formats import Format, get_format
from exactmatch.scoring.reporter import CALLER, Listener
from exactmatch.studies.convert.options import ConvertOptions


def texts(options: ConvertOptions) -> list[str]:
    """Write the graphs of files in another format, if nothing is lost.

    Returns:
        The text of each graph; together they are the text of a file.

    Raises:
        GraphError: if a graph cannot be read, or cannot be written without loss.
        InputError: if a file cannot be opened.

    >>> import exactmatch
    >>> from importlib.resources import files
    >>> gold = files("exactmatch") / "sample" / "gold.amr"
    >>> texts = exactmatch.studies.convert(gold, to="node-link")
    >>> len(texts)
    40
    """
    return list(study(options))


convert = function("convert", ConvertOptions, texts)


def study(options: ConvertOptions, reporter: Listener = CALLER) -> Iterator[str]:
    """Yield the text of each graph in the other format."""
    from exactmatch.formats.conversion import converted

    if options.to is None:
        raise InputError("name a format by --to, or a file to write by -o")
    target = get_format(options.to)
    head, tail = target.frame
    between = "" if target.one_a_line else "\n"
    pending, number = "", 0
    for path in options.paths:
        for text in converted(
            path,
            target,
            format_in=options.how_read,
            framework=options.framework,
            lossy=options.lossy,
            warn=reporter.warn,
        ):
            body = text.removeprefix(head).removesuffix(tail).rstrip("\n") + "\n"
            if number == 1 and not _are_two(f"{pending}{between}{body}{tail}", target):
                raise InputError(
                    f"a file of {target.name} holds one graph, and there are several; "
                    "convert files of one graph, or --to json"
                )
            if number:
                yield pending
            pending = f"{between if number else head}{body}"
            number += 1
    if number:
        yield f"{pending}{tail}"
    else:
        reporter.note("no graph was found")


def _are_two(text: str, target: Format) -> bool:
    """Return whether a text of two graphs is read as two."""
    try:
        return len([*target.blocks(StringIO(text, newline=None), None)]) > 1
    except InputError:
        return False
