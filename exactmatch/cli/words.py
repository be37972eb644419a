"""Words of the command line that are not options: commands, help, sample, ``@…``.

The first word names the command; without it, the arguments are those of ``score``.
"""

from __future__ import annotations

import os
import sys

from exactmatch.base.version import version_line
from exactmatch.cli.message import say_where_interpreted

TYPE_CHECKING = False  # importing typing takes a while
if TYPE_CHECKING:
    from collections.abc import Sequence

SAMPLE = "sample"  # the word for the bundled files


def answered(arguments: Sequence[str]) -> int | None:
    """Print version, citation or help if the arguments ask; return the exit code.

    Return ``None`` if they ask for something else.
    """
    first = arguments[0] if arguments else ""
    if first in ("--version", "-V"):
        print(version_line())
        say_where_interpreted()
        return 0
    if arguments == ["--cite"]:
        from exactmatch.cli.cite import citation

        print(citation(), end="")
        return 0
    if first in ("-h", "--help") or (not arguments and sys.stdout.isatty()):
        from exactmatch.cli.help import first_screen

        print(first_screen(), end="")
        return 0
    if first == "help":
        from exactmatch.cli.help import explain

        return explain(arguments[1:])
    return None


def command_of(arguments: list[str]) -> tuple[str, str]:
    """Remove the command's word from the arguments; return its name and the program's.

    Raises:
        InputError: if the first word is neither a command nor a file.
    """
    first = arguments[0] if arguments else ""
    if first != SAMPLE and not _is_command(first):
        _refuse_misspelt_command(arguments)
        return "score", "exactmatch"
    del arguments[0]
    return "score" if first == SAMPLE else first, f"exactmatch {first}"


def with_paths(arguments: list[str]) -> list[str]:
    """Return the arguments, with words that begin with ``@`` replaced by paths."""
    if any(word.startswith("@") for word in arguments):
        from exactmatch.cli.commands import PATHS

        for _, path_of in PATHS.working():
            arguments = [path_of(word) for word in arguments]
    return arguments


def _is_command(word: str) -> bool:
    """Return whether a word is a command; entry points are read only if it may be one.

    A file in the current folder takes precedence over a command of another package, but
    a folder does not.
    """
    from exactmatch.cli.commands import COMMANDS

    if word in COMMANDS.own:
        return True
    if not word.replace("-", "_").isidentifier() or word.startswith("-"):
        return False
    return not os.path.isfile(word) and word in COMMANDS


def _refuse_misspelt_command(arguments: list[str]) -> None:
    """Refuse a first word that looks like a command but is neither command nor file."""
    word = arguments[0] if arguments else ""
    is_name = word.replace("-", "_").isidentifier() and not word.startswith("-")
    if not is_name or os.path.exists(word):
        return
    from exactmatch.base.errors import InputError, suggestion
    from exactmatch.cli.commands import COMMANDS, INSTALLED_APART, meant

    if word in INSTALLED_APART:
        package = INSTALLED_APART[word]
        raise InputError(
            f"the command {word!r} is in a package of its own, {package}: "
            f"pip install ./packages/{package} in a checkout of exactmatch"
        )
    files = [name for name in arguments[1:] if os.path.isfile(name)]
    command = meant(word, files)
    hint = f"; {command}" if command else suggestion(word, [*COMMANDS, "help"], 0.7)
    if not hint and len(arguments) > 1:  # two files, of which one is not there
        return
    hint = hint or "; 'exactmatch --help' lists the commands"
    raise InputError(f"{word!r} is not a command or a file{hint}")
