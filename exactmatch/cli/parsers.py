"""Parsers of command lines, and their help.

``--help`` fits one screen: a command's own options, and the most common of those that
commands share.  ``--help-all`` has every option.  Wrong usage gets one sentence, which
says what was probably meant.

No command overwrites a file that it reads or has written, and no file name is empty.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn

from exactmatch.base.errors import InputError, unknown
from exactmatch.cli import commands
from exactmatch.cli.commands import AnyCommand
from exactmatch.cli.message import say

if TYPE_CHECKING:
    from exactmatch.base.options import Declared

NO_CONFIG = "--no-config"  # the option that leaves files of defaults alone
BAD_USAGE = 2

_BRIEF_WIDTH = 80
_MAX_WIDTH = 100  # columns of help, however wide the terminal


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Formatter that keeps examples as written, and options in narrow columns."""

    def __init__(self, prog: str, width: int = _MAX_WIDTH) -> None:
        super().__init__(prog, max_help_position=28, width=width)


def _terminal_formatter(prog: str) -> Formatter:
    import shutil

    return Formatter(
        prog, min(shutil.get_terminal_size((88, 24)).columns - 2, _MAX_WIDTH)
    )


class HelpAll(argparse.Action):
    """Action that prints every option and ends."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any, **__: Any) -> None:
        assert isinstance(parser, Parser)
        print(parser.format_help_all(), end="", flush=True)
        parser.exit()


class Parser(argparse.ArgumentParser):
    """Parser of one command; only ``--help-all`` shows all groups of options."""

    def __init__(
        self,
        prog: str,
        description: str = "",
        color: bool = False,  # what add_parser hands on from Python 3.14 on
    ) -> None:
        super().__init__(
            prog=prog,
            description=description,
            formatter_class=Formatter,
            allow_abbrev=False,
            add_help=False,
        )
        self.color = color
        self.declared: dict[argparse.Action, Declared] = {}
        self.hidden_groups = {"defaults"}  # headings of groups
        self.add_argument("-h", "--help", action="help", help="show the common options")
        self.add_argument(
            "--help-all", action=HelpAll, nargs=0, help="show every option"
        )

    def format_help(self) -> str:
        """Return the help that fits a screen."""
        self.formatter_class = _terminal_formatter
        formatter = self._get_formatter()
        formatter.add_text(f"usage: {self.prog} {' '.join(self._operands())}")
        formatter.add_text(self.description)
        shared: list[argparse.Action] = []
        help_actions = (argparse._HelpAction, HelpAll)
        for group in self._action_groups:
            shown = (a for a in group._group_actions if a.help is not argparse.SUPPRESS)
            actions = [
                action for action in shown if not isinstance(action, help_actions)
            ]
            if group.title in self.hidden_groups:
                shared += actions
                continue
            formatter.start_section(group.title)
            formatter.add_arguments(actions)
            formatter.end_section()
        common = [*filter(None, map(self._brief, shared))]
        text = formatter.format_help().rstrip()
        if common:
            text += "\n\ncommon options:\n" + "\n".join(common)
        n_hidden = len(shared) - len(common)
        if not n_hidden:
            return (
                f"{text}\n\n{self.prog} --help-all shows the same options as one list\n"
            )
        hidden_count = (
            "one more option" if n_hidden == 1 else f"{n_hidden} more options"
        )
        return f"{text}\n\n{hidden_count}: {self.prog} --help-all\n"

    def _brief(self, action: argparse.Action) -> str:
        """Return the brief line of an option that commands share, or ""."""
        declared = self.declared.get(action)
        if declared is None or declared.brief is None:
            return ""
        value, meaning = declared.brief
        shown = f"{', '.join(action.option_strings)} {value}"
        line = f"  {shown:<24}  {meaning.format(default=_default(action))}"
        return line if len(line) <= _BRIEF_WIDTH else line.partition(";")[0]

    def print_help(self, file: Any = None) -> None:
        """Print the help; argparse's own says nothing of a disk that is full."""
        print(self.format_help(), end="", file=file, flush=True)

    def format_help_all(self) -> str:
        """Return the help with every option."""
        self.formatter_class = _terminal_formatter
        return super().format_help()

    def _operands(self) -> Iterator[str]:
        yield "[OPTION …]"
        for action in self._actions:
            if not action.option_strings:
                name = str(action.metavar or action.dest)
                yield {"*": f"[{name} …]", "+": f"{name} …", "?": f"[{name}]"}.get(
                    str(action.nargs), name
                )

    def long_options(self) -> dict[str, argparse.Action]:
        """Return the options by their long names, without the hyphens in front."""
        return {
            flag[2:]: action
            for flag, action in self._option_string_actions.items()
            if flag.startswith("--")
        }

    def is_settable(self, action: argparse.Action) -> bool:
        """Return whether a configuration file may set an option."""
        declared = self.declared.get(action)
        return declared is not None and declared.is_settable

    def excluded_by(self, flags: set[str]) -> set[str]:
        """Return the options excluded by another one of the same group."""
        excluded: set[str] = set()
        for group in self._mutually_exclusive_groups:
            group_flags = {
                flag for a in group._group_actions for flag in a.option_strings
            }
            excluded |= group_flags if group_flags & flags else set()
        return excluded

    def converted(self, action: argparse.Action, text: str) -> Any:
        """Convert and check a value as the command line does."""
        value = self._get_value(action, text)
        self._check_value(action, value)
        return value

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        """Convert a value by the option's type, whose error is the message."""
        type_errors = {int: "not a whole number", float: "not a number"}
        read: Any = action.type or str
        try:
            return read(arg_string)
        except (argparse.ArgumentTypeError, TypeError, ValueError) as error:
            type_error = type_errors.get(read)
            message = (
                str(error) if type_error is None else f"{arg_string!r} is {type_error}"
            )
        raise argparse.ArgumentError(action, message)

    def error(self, message: str) -> NoReturn:
        """Say what is wrong in one sentence and exit with 2."""
        hint = self._hint(message) or f"see '{self.prog} --help'"
        say(f"error: {message}; {hint}")
        self.exit(BAD_USAGE)

    def _hint(self, message: str) -> str | None:
        """Return a hint to the option that an unknown one probably means."""
        _, separator, unknown_words = message.partition("unrecognized arguments: -")
        if not separator:
            return None
        name = f"-{unknown_words}".split()[0].partition("=")[0]
        known_options = self.long_options()
        owner_prefix = (
            "--metric" if "metric" in known_options else "other commands with --metric"
        )
        metrics = _metrics_by_option()
        if owners := metrics.get(name.replace("_", "-")):
            return f"it is an option of {owner_prefix} {' or '.join(owners)}"
        if meant := self._called_here(name):
            return f"did you mean {meant!r}?"
        elsewhere = _commands_by_option()
        if name == "--format" and "to" in known_options:  # of graphs, not of tables
            return "did you mean '--to'?"
        if name in elsewhere:
            return f"it is an option of exactmatch {_listed(elsewhere[name])}"
        if known := commands.meant(name):
            return known
        if meant := near(name, [f"--{known}" for known in known_options]):
            return f"did you mean {meant!r}?"
        if meant := near(name, metrics):
            names = " or ".join(metrics[meant])
            return f"did you mean {meant!r}, an option of {owner_prefix} {names}?"
        if meant := near(name, elsewhere):
            where = _listed(elsewhere[meant])
            return f"did you mean {meant!r}, an option of exactmatch {where}?"
        return None

    def _called_here(self, name: str) -> str | None:
        """Return the own option that other tools call so, with its value."""
        from exactmatch.cli.tasks import OPTIONS_ELSEWHERE

        for words, option in OPTIONS_ELSEWHERE:
            flag = option.partition(" ")[0]
            if name.strip("-").lower() in words and flag in self._option_string_actions:
                return option
        return None

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        choices: Iterable[str] = map(str, action.choices)
        raise argparse.ArgumentError(action, unknown("value", str(value), choices))


def _default(action: argparse.Action) -> str:
    """Return an option's default as its help writes it, or else its value."""
    _, separator, after = str(action.help).partition("(default: ")
    if separator:
        return after.partition(")")[0]
    return str(action.default)


_LIKENESS = 0.75  # least similarity of a word with the option that it may mean
_SHORTEST = 3  # least letters of an abbreviation of an option
_MAX_NAMED = 3  # commands in a list, at most


def near(name: str, known_names: Iterable[str]) -> str | None:
    """Return the option that a word resembles or begins; ``None`` if there is none.

    >>> near("--per-pairs", ["--per-pair", "--pred"]), near("--cutof", ["--top"])
    ('--per-pair', None)
    """
    import difflib

    word = name.lstrip("-")
    flags = {flag.lstrip("-"): flag for flag in known_names}
    completions = [flag for flag in flags if flag.startswith(word)]
    if len(word) >= _SHORTEST and len(completions) == 1:
        return flags[completions[0]]
    matches = difflib.get_close_matches(word, flags, 1, _LIKENESS)
    return flags[matches[0]] if matches else None


def _listed(names: Sequence[str]) -> str:
    """Return the first commands of a list, and the number of others, in words."""
    if len(names) <= _MAX_NAMED + 1:
        return " or ".join(names)
    return (
        f"{', '.join(names[:_MAX_NAMED])} or {len(names) - _MAX_NAMED} other commands"
    )


def _metrics_by_option() -> dict[str, list[str]]:
    from exactmatch.metrics import METRICS, metric_class

    owners: dict[str, list[str]] = {}
    for metric in METRICS:
        for name, declared in metric_class(metric).options_class.DECLARED.items():
            if declared.flags != ():
                flag = f"--{name.replace('_', '-')}"
                owners.setdefault(flag, []).append(metric)
    return owners


@cache
def _commands_by_option() -> dict[str, list[str]]:
    owners: dict[str, list[str]] = {}
    for name, module in commands.COMMANDS.working():
        for option in make_parser(module, name, []).long_options():
            owners.setdefault(f"--{option}", []).append(name)
    return owners


def make_parser(module: AnyCommand, prog: str, arguments: Sequence[str]) -> Parser:
    """Return the parser of a command, which its help calls *prog*.

    Options that the *arguments* cannot mean need not be added.
    """
    parser = Parser(prog, commands.purpose(module))
    if prog == "exactmatch":
        from exactmatch.base.version import version_line

        line = version_line()
        parser.add_argument("-V", "--version", action="version", version=line)
    arguments_left = [word for word in arguments if word != NO_CONFIG]
    module.add_arguments(parser, arguments_left)
    parser.add_argument_group("defaults").add_argument(
        NO_CONFIG,
        action="store_true",
        help="read no defaults from exactmatch.toml or pyproject.toml",
    )
    return parser


def refuse_files(parser: Parser, options: argparse.Namespace) -> None:
    """Refuse files that would overwrite each other, and names that are empty."""
    written: list[str] = []
    read: list[str] = []
    for action in parser._actions:
        value = getattr(options, action.dest, None)
        words = value if isinstance(value, list | tuple) else (value,)
        declared = parser.declared.get(action)
        purpose = "opens" if not action.option_strings else None  # a plug-in's own
        if declared is not None:
            purpose = declared.purpose
        is_written, is_read = purpose == "writes", purpose == "opens"
        if "" in words and (is_written or is_read):
            option_name = (
                "/".join(action.option_strings) or action.metavar or action.dest
            )
            raise InputError(
                f"{option_name} is an empty name, ''; is a variable of the shell not "
                "set?"
            )
        if is_written or is_read:
            paths = [w for w in words if isinstance(w, str) and w not in ("", "-")]
            (written if is_written else read).extend(paths)
    for number, path in enumerate(written):
        if os.path.exists(path) and not os.path.isfile(path):
            continue
        place = _real_path(path)
        if any(place == _real_path(other_path) for other_path in written[:number]):
            raise InputError(
                f"{path}: is named by two options that write; name a file for each"
            )
        if not os.path.exists(place):
            continue
        for other_path in map(_real_path, read):
            is_within = (
                os.path.isdir(other_path) and os.path.dirname(place) == other_path
            )
            if is_within or (
                os.path.isfile(other_path) and os.path.samefile(other_path, place)
            ):
                raise InputError(
                    f"{path}: is read, so it cannot be written as well; name another "
                    "file"
                )


def _real_path(path: str) -> str:
    """Return the real path, or the path itself if the current folder was removed."""
    try:
        return os.path.realpath(path)
    except FileNotFoundError:
        return path
