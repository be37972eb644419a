"""Defaults from files: ``exactmatch.toml``, or ``[tool.exactmatch]`` in pyproject.toml.

The nearest file counts, from the current folder upwards; in one folder
``exactmatch.toml`` comes first.  Keys are the long names of options without the hyphens
in front; a table named like a command is for that command alone::

    profile = "clean"        # every command that has --profile
    on-error = "skip"

    [compare]                # [tool.exactmatch.compare] in pyproject.toml
    test = "exchange"

The command line overrides the file.  A file may have come with somebody's data, so it
may only set options that measure, show or pair (:data:`~exactmatch.base.options.
Purpose`), and each run says which it set.  The others open or write files, load models,
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
from exactmatch.cli.parsers import NO_CONFIG, Parser, make_parser

FILE = "exactmatch.toml"

_LONGEST = 2**20  # bytes of a file
_MOST_DOTS = 10**8
"""Limit of the sum of squared dots of lines: a name of n parts takes n² steps."""


class Defaults(NamedTuple):
    """Defaults of one command, by the names of options, and their file.

    Values from the command's own table (*of_command*) have replaced the general ones.
    """

    path: str
    values: Mapping[str, Any]
    of_command: frozenset[str] = frozenset()

    def metrics(self) -> list[str]:
        """Return the names of the metrics, whose options the parser must know."""
        named = self.values.get("metric", [])
        return _check_names(self.path, "metric", named)


def defaults_for(command: str, folder: str) -> Defaults | None:
    """Return the defaults of a command in the nearest file, from *folder* upwards."""
    place, inner = folder, ""
    while place != inner:
        for name, keys in ((FILE, ()), ("pyproject.toml", ("tool", "exactmatch"))):
            path = os.path.join(place, name)
            if os.path.isfile(path):
                settings = _tables(path, keys)
                if settings is not None:
                    return _of_command(path, settings, command)
        place, inner = os.path.dirname(place), place
    return None


def _tables(path: str, keys: Sequence[str]) -> Mapping[str, Any] | None:
    """Return the settings in a file; ``None`` if it has none."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    text = b""
    try:
        with open(path, "rb") as file:
            text = file.read(2**24)
        if keys and b"exactmatch" not in text:
            return None  # not about us, so it may even be broken
        if len(text) > _LONGEST:
            raise ValueError(
                f"it is longer than {_LONGEST:,} bytes; {NO_CONFIG} leaves it alone"
            )
        if _dots(text) > _MOST_DOTS:
            raise ValueError("it has lines of too many dots")
        settings: Any = tomllib.loads(text.decode("utf-8-sig"))
    except (OSError, RecursionError, ValueError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
    for key in keys:
        settings = settings.get(key) if isinstance(settings, Mapping) else None
    if settings is not None and not isinstance(settings, Mapping):
        raise InputError(f"{path}: {'.'.join(keys)} is not a table")
    return settings


def _dots(text: bytes) -> int:
    """Sum the squared dots of lines, each with those of its table's name."""
    total = of_table = 0
    for line in text.splitlines():
        dots = line.count(b".")
        if line.lstrip().startswith(b"["):
            of_table = dots
        total += (dots + of_table) ** 2
    return total


def _of_command(path: str, settings: Mapping[str, Any], command: str) -> Defaults:
    values: dict[str, Any] = {}
    of_command: Mapping[str, Any] = {}
    for key, value in settings.items():
        if not isinstance(value, Mapping):
            values[key] = value
        elif key == command:
            of_command = value
        elif key not in COMMANDS:
            raise InputError(f"{path}: {_unknown('command', key, COMMANDS)}")
    return Defaults(path, values | dict(of_command), frozenset(of_command))


def _unknown(noun: str, name: str, known_names: Iterable[str]) -> str:
    return f"unknown {noun} {name!r}{suggestion(name, known_names)}"


def apply(parser: Parser, arguments: Sequence[str], defaults: Defaults) -> list[str]:
    """Set the defaults of the file for options that are not given.

    Returns:
        The names of the options whose default has changed.
    """
    flags = {word.partition("=")[0] for word in arguments if word.startswith("-")}
    options = parser.long_options()
    excluded = parser.excluded_by(flags)
    readable: dict[str, bool] = {}
    applied = []
    for name, value in defaults.values.items():
        action = options.get(name)
        if action is None or not parser.is_settable(action):
            readable = readable or _every_option()
            _check_elsewhere(defaults, name, readable, action is not None)
            continue
        if parser.declared[action].registry:
            _check_names(defaults.path, name, value)
        if f"--{name}" in excluded or flags & set(action.option_strings):
            continue
        try:
            meant = _converted(parser, action, name, value)
        except (argparse.ArgumentError, ValueError) as error:
            reason = getattr(error, "message", str(error))
            raise InputError(f"{defaults.path}: {name}: {reason}") from None
        parser.set_defaults(**{action.dest: meant})
        applied.append(name)
    return applied


def _check_elsewhere(
    defaults: Defaults, name: str, readable: Mapping[str, bool], is_here: bool
) -> None:
    """Refuse an option unless another command has it and a file may set it there."""
    path, is_own = defaults.path, name in defaults.of_command
    if name not in readable:
        raise InputError(f"{path}: {_unknown('option', name, readable)}")
    if not readable[name] or (is_here and is_own):
        raise InputError(
            f"{path}: {name}: this option can have no default, because it does not "
            "say what is measured or shown; give it on the command line, or ignore the "
            f"file with {NO_CONFIG}"
        )
    if is_own:
        raise InputError(f"{path}: {name}: not an option of that command")


def _check_names(path: str, name: str, value: Any) -> list[str]:
    """Return the names of registered things; refuse places, ``module:attribute``.

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
    """Return all options of all commands, and whether a file may set them somewhere."""
    settable: dict[str, bool] = {}
    for command, module in COMMANDS.working():
        parser = make_parser(module, command, ["--help-all"])
        for name, action in parser.long_options().items():
            settable[name] = settable.get(name, False) or parser.is_settable(action)
    return settable


def _converted(parser: Parser, action: argparse.Action, name: str, value: Any) -> Any:
    """Convert a value of a file as the option converts the command line's."""
    if action.nargs == 0:
        if not isinstance(value, bool):
            raise ValueError(f"takes true or false, not {value!r}")
        if isinstance(action, argparse.BooleanOptionalAction):
            return value != name.startswith("no-")
        return action.const if value else action.default
    if isinstance(value, bool) and action.const is not None and value:
        return action.const  # --confidence without a level
    words = value if isinstance(value, list) else [value]
    plain_types = (str, int, float)
    if any(
        isinstance(word, bool) or not isinstance(word, plain_types) for word in words
    ):
        raise ValueError(f"takes text, a number or a list of these, not {value!r}")
    texts = [str(word) for word in words]
    if isinstance(action, argparse._AppendAction):
        return [parser.converted(action, text) for text in texts]
    if isinstance(action.nargs, int):
        raise ValueError("this option can have no default")
    return parser.converted(action, ",".join(texts))
