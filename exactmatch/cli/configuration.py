"""Defaults from files: ``exactmatch.toml``, or ``[tool.exactmatch]`` in pyproject.toml.

The nearest file counts, from the current folder upwards; in one folder
``exactmatch.toml`` comes first.  Keys are the long names of options without the hyphens
in front; a table named like a command is for that command alone::

    profile = "clean"        # every command that has --profile
    on-error = "skip"

    [compare]                # [tool.exactmatch.compare] in pyproject.toml
    test = "exchange"

What stands on the command line counts more.  A file may have come with somebody's data.
So it may only set options that measure, show or pair (:data:`~exactmatch.base.options.
Purpose`), and each run says which it set; all others open or write files, load models,
start programs, lift bounds, or vouch for something.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from exactmatch.base.errors import InputError, suggestion
from exactmatch.base.records import NamedTuple
from exactmatch.cli.commands import COMMANDS
from exactmatch.cli.parsers import IGNORE, Parser, make_parser

FILE = "exactmatch.toml"

_LONGEST = 2**20  # bytes of a file
_MOST_DOTS = 10**8
"""The sum over lines of their dots, squared: a name of *n* parts takes n² steps."""


class Defaults(NamedTuple):
    """The defaults of one command, by the names of options, and their file.

    Those of the command's own table have taken the place of the others.
    """

    path: str
    values: Mapping[str, Any]
    own: frozenset[str] = frozenset()

    def metrics(self) -> list[str]:
        """Return the names of the metrics, whose options a parser has to know."""
        named = self.values.get("metric", [])
        return _check_names(self.path, "metric", named)


def defaults_for(command: str, folder: str) -> Defaults | None:
    """The defaults that the nearest file has for a command, from *folder* upwards."""
    place, inner = folder, ""
    while place != inner:
        for name, keys in ((FILE, ()), ("pyproject.toml", ("tool", "exactmatch"))):
            path = os.path.join(place, name)
            if os.path.isfile(path):
                found = _tables(path, keys)
                if found is not None:
                    return _of_command(path, found, command)
        place, inner = os.path.dirname(place), place
    return None


def _tables(path: str, keys: Sequence[str]) -> Mapping[str, Any] | None:
    """The settings that a file holds for us; ``None`` where it holds none."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    text = b""
    try:
        with open(path, "rb") as file:
            text = file.read(2**24)
        if keys and b"exactmatch" not in text:
            return None  # a file that is no concern of ours, broken or not
        if len(text) > _LONGEST:
            raise ValueError(
                f"it is longer than {_LONGEST:,} bytes; {IGNORE} leaves it alone"
            )
        if _dots(text) > _MOST_DOTS:
            raise ValueError("it has lines of too many dots")
        found: Any = tomllib.loads(text.decode("utf-8-sig"))
    except (OSError, RecursionError, ValueError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
    for key in keys:
        found = found.get(key) if isinstance(found, Mapping) else None
    if found is not None and not isinstance(found, Mapping):
        raise InputError(f"{path}: {'.'.join(keys)} is not a table")
    return found


def _dots(text: bytes) -> int:
    """Sum up the squares of the dots of lines, each with those of its table's name."""
    total = of_table = 0
    for line in text.splitlines():
        own = line.count(b".")
        if line.lstrip().startswith(b"["):
            of_table = own
        total += (own + of_table) ** 2
    return total


def _of_command(path: str, found: Mapping[str, Any], command: str) -> Defaults:
    values: dict[str, Any] = {}
    own: Mapping[str, Any] = {}
    for key, value in found.items():
        if not isinstance(value, Mapping):
            values[key] = value
        elif key == command:
            own = value
        elif key not in COMMANDS:
            raise InputError(f"{path}: {_unknown('command', key, COMMANDS)}")
    return Defaults(path, values | dict(own), frozenset(own))


def _unknown(what: str, name: str, known: Iterable[str]) -> str:
    return f"unknown {what} {name!r}{suggestion(name, known)}"


def apply(parser: Parser, given: Sequence[str], defaults: Defaults) -> list[str]:
    """Let options that are not given have the defaults of the file.

    Returns:
        The names of the options whose default is now another.
    """
    flags = {word.partition("=")[0] for word in given if word.startswith("-")}
    options = parser.long_options()
    excluded = parser.excluded_by(flags)
    every: dict[str, bool] = {}
    applied = []
    for name, value in defaults.values.items():
        action = options.get(name)
        if action is None or not parser.is_settable(action):
            every = every or _every_option()
            _check_elsewhere(defaults, name, every, action is not None)
            continue
        if parser.declared[action].registry:
            _check_names(defaults.path, name, value)
        if f"--{name}" in excluded or flags & set(action.option_strings):
            continue
        try:
            meant = _converted(parser, action, name, value)
        except (argparse.ArgumentError, ValueError) as error:
            said = getattr(error, "message", str(error))
            raise InputError(f"{defaults.path}: {name}: {said}") from None
        parser.set_defaults(**{action.dest: meant})
        applied.append(name)
    return applied


def _check_elsewhere(
    defaults: Defaults, name: str, every: Mapping[str, bool], is_here: bool
) -> None:
    """Refuse an option unless another command has it, and a file may set it there."""
    path, is_own = defaults.path, name in defaults.own
    if name not in every:
        raise InputError(f"{path}: {_unknown('option', name, every)}")
    if not every[name] or (is_here and is_own):
        raise InputError(
            f"{path}: {name}: this option can have no default, for it does not say "
            "what is measured or shown; give it on the command line, or leave the "
            f"file alone with {IGNORE}"
        )
    if is_own:
        raise InputError(f"{path}: {name}: not an option of that command")


def _check_names(path: str, name: str, value: Any) -> list[str]:
    """Return names of registered things; a place, ``module:attribute``, is refused.

    MRP of one framework, ``mrp:eds``, is not a place.
    """
    words = [str(word) for word in (value if isinstance(value, list) else [value])]
    if any(":" in word.removeprefix("mrp:") for word in words):
        raise InputError(
            f"{path}: {name}: names a place in a module, which only the command line "
            "may"
        )
    return words


def _every_option() -> dict[str, bool]:
    """Return every option of every command, and whether a file may set it somewhere."""
    found: dict[str, bool] = {}
    for command, module in COMMANDS.working():
        parser = make_parser(module, command, ["--help-all"])
        for name, action in parser.long_options().items():
            found[name] = found.get(name, False) or parser.is_settable(action)
    return found


def _converted(parser: Parser, action: argparse.Action, name: str, value: Any) -> Any:
    """A value of a file as the option would have it from the command line."""
    if action.nargs == 0:
        if not isinstance(value, bool):
            raise ValueError(f"takes true or false, not {value!r}")
        if isinstance(action, argparse.BooleanOptionalAction):
            return value != name.startswith("no-")
        return action.const if value else action.default
    if isinstance(value, bool) and action.const is not None and value:
        return action.const  # --confidence without a level
    words = value if isinstance(value, list) else [value]
    plain = (str, int, float)
    if any(isinstance(word, bool) or not isinstance(word, plain) for word in words):
        raise ValueError(f"takes text, a number or a list of these, not {value!r}")
    texts = [str(word) for word in words]
    if isinstance(action, argparse._AppendAction):
        return [parser.converted(action, text) for text in texts]
    if isinstance(action.nargs, int):
        raise ValueError("this option can have no default")
    return parser.converted(action, ",".join(texts))
