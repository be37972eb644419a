"""The arguments of a command, made of the options that are declared for a question."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Any, TypeVar

from exactmatch.base.options import REQUIRED, Declared, Options
from exactmatch.cli.lists import Listing
from exactmatch.scoring.sources import File

O = TypeVar("O", bound=Options)  # noqa: E741  # the options' type


def add_options(
    group: argparse._ActionsContainer,
    options: type[Options],
    names: Iterable[str] | None = None,
) -> None:
    """Add the arguments of options to a group.

    Args:
        group: a parser or a group of one.
        options: the class that declares them, or one derived from it.
        names: those to add; default: all.
    """
    wanted = None if names is None else set(names)
    for name, declared in options.DECLARED.items():
        if (
            (wanted is None or name in wanted)
            and declared.flags != ()
            and declared.about
        ):
            default = None if declared.default is REQUIRED else declared.default
            _add(group, name, declared, default)


def _add(
    group: argparse._ActionsContainer, name: str, declared: Declared, default: Any
) -> None:
    flag = f"--{name.replace('_', '-')}"
    flags = declared.flags or (flag,)
    if declared.switches:
        group = group.add_mutually_exclusive_group()
        for switch, value, about in declared.switches:
            shown = about or argparse.SUPPRESS
            group.add_argument(
                switch,
                dest=name,
                action="store_const",
                const=value,
                default=default,
                help=shown,
            )
        if declared.flags is None:
            return
    if declared.is_truth:
        group.add_argument(
            *flags,
            dest=name,
            action=argparse.BooleanOptionalAction,
            default=default,
            help=declared.about,
        )
    elif declared.off:
        off = f"--no-{name.replace('_', '-')}"
        group.add_argument(
            off,
            dest=name,
            action="store_const",
            const=False,
            default=default,
            help=declared.off,
        )
    elif isinstance(default, bool):
        group.add_argument(*flags, dest=name, action="store_true", help=declared.about)
    else:
        more: dict[str, Any] = {}
        if declared.is_list or declared.is_repeated:
            more["action"] = Listing if declared.is_list else "append"
        if declared.bare is not None:
            more |= {"nargs": "?", "const": declared.bare}
        if declared.metavar is not None:
            more["metavar"] = declared.metavar
        if declared.read is not None and not declared.is_repeated:
            more["type"] = declared.read
        group.add_argument(
            *flags,
            dest=name,
            default=default,
            choices=declared.choices,
            help=declared.about.replace("%", "%%"),
            **more,
        )


def add_operands(parser: argparse.ArgumentParser, options: type[Options]) -> None:
    """Add the arguments that a command names by their places, mostly files."""
    for name, declared in options.DECLARED.items():
        if declared.is_operand:
            several = declared.is_repeated or declared.is_list
            is_asked = declared.default is REQUIRED
            parser.add_argument(
                name,
                nargs=("+" if is_asked else "*")
                if several
                else (None if is_asked else "?"),
                choices=declared.choices,
                metavar=declared.metavar,
                help=declared.about.replace("%", "%%"),
            )


def operands_of(options: type[Options], args: argparse.Namespace) -> dict[str, Any]:
    """Return these arguments as values of the options: files, or lists of paths."""
    found: dict[str, Any] = {}
    for name, declared in options.DECLARED.items():
        value = getattr(args, name) if declared.is_operand else None
        if declared.is_list or declared.choices or value is None:
            continue
        found[name] = [*map(File, value)] if declared.is_repeated else File(value)
    return found


def options_of(options: type[O], args: argparse.Namespace, **more: Any) -> O:
    """Make options of parsed arguments.

    Args:
        options: their class.
        args: the arguments; those that the command does not have are left as they are.
        **more: further values.
    """
    values = {
        name: getattr(args, name)
        for name, declared in options.DECLARED.items()
        if (declared.flags != () or declared.is_operand) and hasattr(args, name)
    }
    return options(**(values | more))
