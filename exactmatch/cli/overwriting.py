"""No command writes over what it reads, nor two answers into one file.

And no file has an empty name.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator

from exactmatch.base.errors import InputError

_WRITTEN = ("output", "out", "certificates", "save", "plot", "proof")
"""The options that name files to write, by what argparse calls them."""


def refuse_overwriting(
    parser: argparse.ArgumentParser, options: argparse.Namespace
) -> None:
    """Refuse a file that is named both to be read and to be written.

    It would be lost, and with it what the numbers were computed from.

    Raises:
        InputError: if a file, or its folder, is named for both, or if two options
            name one file to write.
    """
    written: list[str] = []
    read: list[str] = []
    for action in parser._actions:
        value = getattr(options, action.dest, None)
        if action.option_strings and action.dest in _WRITTEN:
            written += _paths(value)
        elif not action.option_strings or _names_files(action):
            read += _paths(value)
    for number, path in enumerate(written):
        if _is_device(path):
            continue
        place = _place(path)
        if any(place == _place(other) for other in written[:number]):
            raise InputError(
                f"{path}: is named by two options that write; name a file for each"
            )
        if not os.path.exists(place):
            continue
        for other in map(_place, read):
            is_within = os.path.isdir(other) and os.path.dirname(place) == other
            if is_within or (os.path.isfile(other) and os.path.samefile(other, place)):
                raise InputError(
                    f"{path}: is read, so it cannot be written as well; name another "
                    "file"
                )


def refuse_empty_names(
    parser: argparse.ArgumentParser, options: argparse.Namespace
) -> None:
    """Refuse a file without a name, which a variable that is not set leaves behind.

    Raises:
        InputError: if an argument, or an option that names a file, is empty.
    """
    for action in parser._actions:
        value = getattr(options, action.dest, None)
        words = value if isinstance(value, list | tuple) else (value,)
        if "" not in words:
            continue
        if not action.option_strings:
            called = str(action.metavar or action.dest)
        elif _names_files(action) or action.dest in (*_WRITTEN, "cache"):
            called = "/".join(action.option_strings)
        else:
            continue
        raise InputError(
            f"{called} is an empty name, ''; is a variable of the shell not set?"
        )


def _place(path: str) -> str:
    """Where a path leads, or itself in a current folder that has been removed."""
    try:
        return os.path.realpath(path)
    except FileNotFoundError:
        return path


def _names_files(action: argparse.Action) -> bool:
    metavar = action.metavar
    names = metavar if isinstance(metavar, tuple) else (metavar,)
    return bool({"FILE", "FILE[,FILE]", "PRED", "GOLD", "SRC"} & {*names})


def _paths(value: object) -> Iterator[str]:
    """The values of an option that may be names of files."""
    for one in value if isinstance(value, list | tuple) else (value,):
        if isinstance(one, str) and one not in ("", "-"):
            yield one


def _is_device(path: str) -> bool:
    return os.path.exists(path) and not os.path.isfile(path)
