"""How a command line is taken apart, and how its help looks.

``--help`` fits one screen: a command's own options, and of those that commands share
the common ones.  ``--help-all`` has every option.  Bad usage is met with one sentence,
which says what was probably meant.

No command writes over what it reads, nor two answers into one file, and no file has an
empty name.
"""

import argparse
import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NoReturn

from exactmatch.base.errors import InputError, unknown
from exactmatch.cli import commands
from exactmatch.cli.commands import AnyCommand
from exactmatch.cli.message import say

COMMON = {
    "--metric": ("NAME,…", "default: {default}; see 'exactmatch help metrics'"),
    "--profile": ("NAME", "what counts (umr, doc-amr …); see 'help profiles'"),
    "--solver": ("NAME", "default: {default}; see 'exactmatch help solvers'"),
    "--by-id": ("", "pair graphs by '# ::id', not by position"),
    "--on-error": ("skip|empty", "leave out what is unreadable, or count it as empty"),
    "--per-pair": ("", "show every pair"),
    "--worst": ("N", "the N worst; or --best --below --where --sort --ids"),
    "--confidence": ("[LEVEL]", "bootstrap intervals (default: of 95 %)"),
    "--jobs": ("N", "processes that score pairs; the results are the same"),
    "--format": ("NAME", "text (default), json, jsonl, csv, latex, html"),
    "--output": ("FILE", "write to FILE when complete"),
}
"""The options to know first, in a line each.

Of the shared options these are the ones that ``--help`` shows.
"""

_SHORT = {"--jobs": "-j, ", "--output": "-o, "}

SHARED = (
    "which pairs are shown",
    "reading, pairing and errors",
    "answers of models",
    "metrics",
    "what counts",
    "solving",
    "intervals",
    "intervals of --against",
    "output",
    "defaults",
)
"""The groups of options that wait for ``--help-all``, but for the common ones.

A command adds more of its own in ``WAITING``.
"""

BAD_USAGE = 2

_NARROW = 80
_MOST = 100  # columns of help, however wide the terminal


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Keeps the examples as written and the options in narrow columns."""

    def __init__(self, prog: str, width: int = _MOST) -> None:
        super().__init__(prog, max_help_position=28, width=width)


def _fitted(prog: str) -> Formatter:
    import shutil

    return Formatter(prog, min(shutil.get_terminal_size((88, 24)).columns - 2, _MOST))


class HelpAll(argparse.Action):
    """Prints every option and ends."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any, **__: Any) -> None:
        assert isinstance(parser, Parser)
        print(parser.format_help_all(), end="")
        parser.exit()


class Parser(argparse.ArgumentParser):
    """The parser of one command; only ``--help-all`` shows the groups that wait."""

    def __init__(
        self, prog: str, description: str = "", waiting: Sequence[str] = ()
    ) -> None:
        super().__init__(
            prog=prog,
            description=description,
            formatter_class=Formatter,
            allow_abbrev=False,
            add_help=False,
        )
        self._waiting = (*SHARED, *waiting)
        self.add_argument("-h", "--help", action="help", help="show the common options")
        self.add_argument(
            "--help-all", action=HelpAll, nargs=0, help="show every option"
        )

    def format_help(self) -> str:
        """The help that fits a screen."""
        formatter = _fitted(self.prog)
        formatter.add_text(f"usage: {self.prog} {' '.join(self._operands())}")
        formatter.add_text(self.description)
        shared: list[argparse.Action] = []
        own = (argparse._HelpAction, HelpAll)
        for group in self._action_groups:
            shown = (a for a in group._group_actions if a.help is not argparse.SUPPRESS)
            actions = [action for action in shown if not isinstance(action, own)]
            if group.title in self._waiting:
                shared += actions
                continue
            formatter.start_section(group.title)
            formatter.add_arguments(actions)
            formatter.end_section()
        given = {flag: action for action in shared for flag in action.option_strings}
        common = [common_option(f, _default(given[f])) for f in COMMON if f in given]
        text = formatter.format_help().rstrip()
        if common:
            text += "\n\ncommon options:\n" + "\n".join(common)
        waiting = len(shared) - len(common)
        if not waiting:
            return f"{text}\n\n{self.prog} --help-all has the same as one list\n"
        more = "one more option" if waiting == 1 else f"{waiting} more options"
        return f"{text}\n\n{more}: {self.prog} --help-all\n"

    def format_help_all(self) -> str:
        """The help with every option."""
        self.formatter_class = _fitted
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
        """The options by their long names, without the hyphens in front."""
        return {
            flag[2:]: action
            for flag, action in self._option_string_actions.items()
            if flag.startswith("--")
        }

    def excluded_by(self, flags: set[str]) -> set[str]:
        """The options of groups of which flags give one, and only one can be given."""
        found: set[str] = set()
        for group in self._mutually_exclusive_groups:
            own = {flag for a in group._group_actions for flag in a.option_strings}
            found |= own if own & flags else set()
        return found

    def converted(self, action: argparse.Action, text: str) -> Any:
        """A value as the option takes it from the command line."""
        value = self._get_value(action, text)
        self._check_value(action, value)
        return value

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        """Convert a value; the message is what the option's type says of it."""
        wanted = {int: "no whole number", float: "no number"}
        read: Any = action.type or str
        try:
            return read(arg_string)
        except (argparse.ArgumentTypeError, TypeError, ValueError) as error:
            known = wanted.get(read)
            message = str(error) if known is None else f"{arg_string!r} is {known}"
        raise argparse.ArgumentError(action, message)

    def error(self, message: str) -> NoReturn:
        """Say what is wrong in one sentence and exit with 2."""
        hint = self._hint(message) or f"see '{self.prog} --help'"
        say(f"error: {message}; {hint}")
        self.exit(BAD_USAGE)

    def _hint(self, message: str) -> str | None:
        """The option that an unknown one probably means."""
        _, found, given = message.partition("unrecognized arguments: -")
        if not found:
            return None
        name = f"-{given}".split()[0].partition("=")[0]
        own = self.long_options()
        of = "--metric" if "metric" in own else "other commands with --metric"
        metrics = _metrics_by_option()
        if owners := metrics.get(name.replace("_", "-")):
            return f"it belongs to {of} {' or '.join(owners)}"
        elsewhere = _commands_by_option()
        if name in elsewhere:
            return f"it belongs to exactmatch {_listed(elsewhere[name])}"
        if meant := near(name, [f"--{known}" for known in own]):
            return f"did you mean {meant!r}? (see '{self.prog} --help')"
        if known := commands.meant(name):
            return known
        if meant := near(name, metrics):
            return f"did you mean {meant!r}, of {of} {' or '.join(metrics[meant])}?"
        if meant := near(name, elsewhere):
            where = _listed(elsewhere[meant])
            return f"did you mean {meant!r}, of exactmatch {where}?"
        return None

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        known: Iterable[str] = map(str, action.choices)
        raise argparse.ArgumentError(action, unknown("value", str(value), known))


def _default(action: argparse.Action) -> str:
    """An option's default as its help tells it, or else as it is."""
    _, found, told = str(action.help).partition("(default: ")
    if found:
        return told.partition(")")[0]
    return str(action.default)


def common_option(flag: str, default: str) -> str:
    """A line about a common option."""
    value, summary = COMMON[flag]
    shown = f"{_SHORT.get(flag, '')}{flag} {value}"
    line = f"  {shown:<24}  {summary.format(default=default)}"
    return line if len(line) <= _NARROW else line.partition(";")[0]


_LIKENESS = 0.75  # how similar a word must be to an option to be taken for it
_SHORTEST = 3  # letters that a beginning must have to be taken for the whole
_NAMED = 3  # so many commands are named at most


def near(name: str, known: Iterable[str]) -> str | None:
    """The option that a word is nearly, or of which it is the beginning.

    >>> near("--per-pairs", ["--per-pair", "--pred"]), near("--cutof", ["--top"])
    ('--per-pair', None)
    """
    import difflib

    word = name.lstrip("-")
    flags = {flag.lstrip("-"): flag for flag in known}
    begun = [flag for flag in flags if flag.startswith(word)]
    if len(word) >= _SHORTEST and len(begun) == 1:
        return flags[begun[0]]
    found = difflib.get_close_matches(word, flags, 1, _LIKENESS)
    return flags[found[0]] if found else None


def _listed(names: Sequence[str]) -> str:
    """The first of some commands, and how many more there are."""
    if len(names) <= _NAMED + 1:
        return " or ".join(names)
    return f"{', '.join(names[:_NAMED])} or {len(names) - _NAMED} other commands"


def _metrics_by_option() -> dict[str, list[str]]:
    from exactmatch.metrics import METRICS, metric_class

    found: dict[str, list[str]] = {}
    for metric in METRICS:
        for option in metric_class(metric).options:
            flag = f"--{option.name.replace('_', '-')}"
            found.setdefault(flag, []).append(metric)
    return found


@cache
def _commands_by_option() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, module in commands.COMMANDS.working():
        for option in make_parser(module, name, []).long_options():
            found.setdefault(f"--{option}", []).append(name)
    return found


def make_parser(module: AnyCommand, prog: str, arguments: Sequence[str]) -> Parser:
    """The parser of one command, which is called *prog* in its help.

    Options need not be made that the arguments to be parsed cannot mean.
    """
    parser = Parser(prog, commands.purpose(module), getattr(module, "WAITING", ()))
    if prog == "exactmatch":
        from exactmatch.base.version import __version__

        version = f"exactmatch {__version__}"
        parser.add_argument("-V", "--version", action="version", version=version)
    module.add_arguments(parser, arguments)
    parser.add_argument_group("defaults").add_argument(
        "--no-config",
        action="store_true",
        help="take none from exactmatch.toml or pyproject.toml",
    )
    return parser


_WRITTEN = ("output", "out", "certificates", "save", "plot", "proof")
"""The options that name files to write, by what argparse calls them."""


def refuse_files(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Refuse files that would overwrite each other, and names that are empty."""
    written: list[str] = []
    read: list[str] = []
    for action in parser._actions:
        value = getattr(options, action.dest, None)
        words = value if isinstance(value, list | tuple) else (value,)
        is_written = bool(action.option_strings) and action.dest in _WRITTEN
        is_read = not action.option_strings or _names_files(action)
        if "" in words and (is_written or is_read or action.dest == "cache"):
            called = "/".join(action.option_strings) or action.metavar or action.dest
            raise InputError(
                f"{called} is an empty name, ''; is a variable of the shell not set?"
            )
        if is_written or is_read:
            paths = [w for w in words if isinstance(w, str) and w not in ("", "-")]
            (written if is_written else read).extend(paths)
    for number, path in enumerate(written):
        if os.path.exists(path) and not os.path.isfile(path):
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
