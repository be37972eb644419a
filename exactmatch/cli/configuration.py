"""Defaults from files: ``exactmatch.toml``, or ``[tool.exactmatch]`` in pyproject.toml.

The nearest file counts, from the current folder upwards; in one folder
``exactmatch.toml`` comes first.  Keys are the long names of options without the hyphens
in front; a table named like a command is for that command alone::

    profile = "clean"        # every command that has --profile
    on-error = "skip"

    [compare]                # [tool.exactmatch.compare] in pyproject.toml
    test = "randomisation"

What stands on the command line counts more.  A file may have come with somebody's data.
So only options have defaults that say what is measured and how it is shown, and each
run says which they are; all others open or write files, load models, start programs,
lift bounds, or vouch for something.
"""

import argparse
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from exactmatch.base.errors import InputError, suggestion
from exactmatch.cli.commands import COMMANDS
from exactmatch.cli.parsers import Parser, make_parser

IGNORE = "--no-config"  # the option that leaves all such files alone
FILE = "exactmatch.toml"

_NAMES = ("format-in", "metric", "profile")
"""Options whose value can be a place, ``module:attribute``, which is imported."""

_SHOWN = (
    "aspects baseline below confidence decimals differences finegrained format "
    "interval macro ms names no-structure no-symmetry paths per-pair percent pr "
    "score-only short show significant style test verbose worst"
)
"""Options that choose what is shown."""

_MEASURED = (
    "metric profile align dereify duplicates except just justattribute justinstance "
    "justrelation ignore-unannotated only no-sense no-strip-alignments no-wiki reify "
    "standardise roles except-roles sense wiki strip-alignments top alpha at-least "
    "beta cutoff diffsense direction edge-to-node edge-weight filler frame-weights "
    "frames include-ref iterations joint ngram role-matching role-types sembleu "
    "similarity system-weights unmarked-quotes variant weights yisi edge-costs "
    "edge-match node-costs node-match human-range linkage"
)
"""Options that choose the metric and its numbers."""

_PAIRED = "by-id common extract field format-in framework on-error seed strict"
"""Options that choose how the files of a folder are read and paired."""

ALLOWED = frozenset(f"{_SHOWN} {_MEASURED} {_PAIRED}".split())
"""The options that may have defaults; one that is new has none until it stands here."""


class Defaults(NamedTuple):
    """The defaults of one command, by the names of options, and their file.

    Those of the command's own table have taken the place of the others.
    """

    path: str
    values: Mapping[str, Any]
    own: frozenset[str] = frozenset()


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
            text = file.read()
        found: Any = tomllib.loads(text.decode())
    except (OSError, RecursionError, UnicodeError, tomllib.TOMLDecodeError) as error:
        if keys and b"exactmatch" not in text:
            return None  # a broken file that is no concern of ours
        raise InputError(f"{path}: cannot be read: {error}") from None
    for key in keys:
        found = found.get(key) if isinstance(found, Mapping) else None
    if found is not None and not isinstance(found, Mapping):
        raise InputError(f"{path}: {'.'.join(keys)} is no table")
    return found


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
    for key, value in (*values.items(), *own.items()):
        if key not in ALLOWED and key in _every_option():
            raise InputError(
                f"{path}: {key}: this option can have no default, for it does not say "
                "what is measured or shown; give it on the command line, or leave "
                f"the file alone with {IGNORE}"
            )
        if key in _NAMES and _names_place(value):
            raise InputError(
                f"{path}: {key}: names a place in a module, which only the command "
                "line may"
            )
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
    applied = []
    for name, value in defaults.values.items():
        action = options.get(name)
        if action is None:  # one of another command
            known = sorted(_every_option())
            if name not in known:
                raise InputError(f"{defaults.path}: {_unknown('option', name, known)}")
            if name in defaults.own:
                raise InputError(
                    f"{defaults.path}: {name}: not an option of that command"
                )
            continue
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


def _names_place(value: Any) -> bool:
    """Whether a value names a place; MRP of one framework, ``mrp:eds``, does not."""
    words = value if isinstance(value, list) else [value]
    return any(":" in str(word).removeprefix("mrp:") for word in words)


def _every_option() -> set[str]:
    return {
        option
        for name, module in COMMANDS.working()
        for option in make_parser(module, name, ["--help-all"]).long_options()
    }


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
