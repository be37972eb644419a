"""The arguments of a command, made of the options that are declared for a question.

What commands have in common besides, where results go and the options of metrics, is
added by the other ``add_…`` functions.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from exactmatch.base import values
from exactmatch.base.options import REQUIRED, Declared, Options
from exactmatch.cli.parsers import Formatter
from exactmatch.metrics import METRICS, metric_options
from exactmatch.metrics.options import Metrics
from exactmatch.scoring.sources import File

O = TypeVar("O", bound=Options)  # noqa: E741  # the options' type


class Listing(argparse.Action):
    """An option that takes a list, with commas or as several words.

    What is given again is added: ``--only ARG0 --only ARG1`` is ``--only ARG0,ARG1``,
    where an option of a single value has the last one.  Only the first value takes the
    place of the default.  An option with ``nargs=1``, which has one word for its list,
    refuses to be given twice.
    """

    _filled: argparse.Namespace | None = None
    """Where the option has been given before."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Take a list, or add one to what was given before.

        Raises:
            argparse.ArgumentError: if there can be one value, or it is refused.
        """
        del option_string
        if self._filled is namespace:
            before = getattr(namespace, self.dest)
            if self.nargs == 1:
                raise argparse.ArgumentError(self, "is given twice; name one file")
            if self.nargs is not None:
                values = [*before, *values]
            else:
                both = ",".join(map(_text, (before, values)))
                values = parser._get_value(self, both)
        self._filled = namespace
        setattr(namespace, self.dest, values)


def _text(value: str | tuple[Any, ...]) -> str:
    return value if isinstance(value, str) else ",".join(map(str, value))


def flags_of(arguments: Sequence[str]) -> set[str]:
    """Return the words of a command line, without what stands behind ``=``."""
    return {word.partition("=")[0] for word in arguments}


def add_options(
    group: argparse._ActionsContainer, options: type[Options], names: Iterable[str]
) -> None:
    """Add the arguments of the options of these names to a group."""
    for name, declared in options.DECLARED.items():
        if name in names and declared.flags != () and declared.about:
            default = None if declared.default is REQUIRED else declared.default
            _add(group, name, declared, default)


def _add(
    group: argparse._ActionsContainer, name: str, declared: Declared, default: Any
) -> None:
    word = name.replace("_", "-")
    flags = declared.flags or (f"--{word}",)
    known: dict[str, Any] = {"dest": name, "default": default}
    constant = {**known, "action": "store_const"}
    if declared.switches:
        group = group.add_mutually_exclusive_group()
        for switch, value, about in declared.switches:
            shown = about or argparse.SUPPRESS
            group.add_argument(switch, const=value, help=shown, **constant)
        if declared.flags is None:
            return
    if declared.off:
        group.add_argument(f"--no-{word}", const=False, help=declared.off, **constant)
        return
    if declared.is_truth:
        known["action"] = argparse.BooleanOptionalAction
    elif isinstance(default, bool):
        known["action"] = "store_true"
    else:
        known |= {"choices": declared.choices, "metavar": declared.metavar}
        if declared.is_list or declared.is_repeated:
            known["action"] = Listing if declared.is_list else "append"
        if declared.bare is not None:
            known |= {"nargs": "?", "const": declared.bare}
        if not declared.is_repeated:
            known["type"] = declared.read
    group.add_argument(*flags, help=declared.about.replace("%", "%%"), **known)


def add_operands(parser: argparse.ArgumentParser, options: type[Options]) -> None:
    """Add the arguments that a command names by their places, mostly files."""
    for name, declared in options.DECLARED.items():
        if declared.is_operand:
            several = declared.is_repeated or declared.is_list
            is_asked = declared.default is REQUIRED
            few, many = (None, "+") if is_asked else ("?", "*")
            parser.add_argument(
                name,
                nargs=many if several else few,
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


def add_files(group: argparse._ArgumentGroup, several: str) -> None:
    """Add what says which files are predictions and which are references.

    Args:
        group: a group of the command's parser.
        several: of which there can be several, ``gold`` or ``pred``.
    """
    for name, what in (("pred", "predictions"), ("gold", "references")):
        many = name == several
        flags = [f"--{name}", *(["--references"] * (name == several == "gold"))]
        group.add_argument(
            *flags,
            action=Listing,
            dest=f"{name}_files",
            nargs="+" if many else 1,
            default=[],
            metavar="FILE",
            help=f"files of {what}" if many else f"the file of {what}",
        )


def add_systems(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the references and several systems' predictions.

    Args:
        parser: the command's parser.
        arguments: what will be parsed: what ``--pred`` and ``--gold`` name there is not
            asked for by position.
    """
    named = flags_of(arguments)
    if "--gold" not in named:
        parser.add_argument("gold", metavar="GOLD", help="the references")
    many = "*" if "--pred" in named else "+"
    parser.add_argument(
        "systems", nargs=many, metavar="SYSTEM", help="each system's predictions"
    )


def add_switch(group: argparse._ActionsContainer, flag: str, about: str) -> None:
    """Add an option that is on or off."""
    group.add_argument(flag, action="store_true", help=about)


def add_output(
    parser: argparse.ArgumentParser,
    formats: tuple[str, ...],
    verbose: bool = True,
    output: bool = True,
) -> None:
    """Add where and how results are written.

    Args:
        parser: the command's parser.
        formats: what ``--format`` takes; empty where there is one form alone.
        verbose: whether there is more to say with ``-v``.
        output: whether ``-o`` names a file for them, and nothing else.
    """
    group = parser.add_argument_group("output")
    if formats:
        group.add_argument(
            "--format", choices=formats, default="text", help="default: text"
        )
    if output:
        about = "write to FILE when complete"
        group.add_argument("-o", "--output", metavar="FILE", help=about)
    else:
        parser.set_defaults(output=None)
    if formats:
        add_switch(
            group,
            "--comments",
            "begin CSV with signature and provenance, in lines after '#'; by default "
            "CSV holds only the table",
        )
        add_switch(group, "--percent", "show scores in percent, as LaTeX does")
        group.add_argument(
            "--significant",
            type=values.digits,
            metavar="N",
            help="decimals of scores in text, LaTeX and HTML (default: mostly 4; 2 in "
            "smatch's own lines)",
        )
        omitted = "omit fields of the signature that the profile's name implies"
        add_switch(group, "--short", omitted)
    group.add_argument(
        "-q",
        "--quiet",
        action="store_true",
        help="print results only; if the answer is one number or a few, only these",
    )
    if verbose:
        group.add_argument(
            "-v", "--verbose", action="store_true", help="show how each pair was solved"
        )


def add_metrics(
    parser: argparse.ArgumentParser,
    arguments: Sequence[str],
    names: Sequence[str],
    default: str,
) -> None:
    """Add the metric and its options.

    Args:
        parser: the command's parser.
        arguments: what will be parsed: unless help is asked for, only the
            metrics named there are imported for their options.
        names: the metrics that the command knows.
        default: those that are meant where none is named.
    """
    listed = ", ".join(names) if "--help-all" in arguments else ""
    group = parser.add_argument_group("metrics")
    group.add_argument(
        "--metric",
        action=Listing,
        default=default,
        metavar="NAME[,NAME…]",
        help=f"{listed} (default: {default}); all: every one of these that "
        "needs no vectors or other files",
    )
    add_metric_options(group, _named(arguments, names, default))


def add_metric_options(group: argparse._ArgumentGroup, names: Iterable[str]) -> None:
    """Add the options of the metrics of these names."""
    for option in metric_options(names):
        flag = f"--{option.name.replace('_', '-')}"
        more: dict[str, Any] = {"action": "store_true", "default": None}
        if option.type is not bool:
            more = {
                "action": Listing if "," in (option.metavar or "") else "store",
                "type": option.type,
                "choices": option.choices,
                "metavar": option.metavar,
            }
        group.add_argument(flag, dest=option.name, help=option.help, **more)


def _named(
    arguments: Sequence[str], names: Sequence[str], default: str
) -> Sequence[str]:
    """The metrics whose options are to be offered: those named, or all for help."""
    parser = argparse.ArgumentParser(
        add_help=False,
        allow_abbrev=False,
        exit_on_error=False,
        formatter_class=Formatter,
    )
    parser.add_argument("--metric", action=Listing, default=default)
    parser.add_argument("--help-all", action="store_true")
    try:
        known, _ = parser.parse_known_args(list(arguments))
    except argparse.ArgumentError:  # the command's own parser says it better
        return ()
    asked = known.metric.split(",")
    if known.help_all or asked == ["all"]:
        return names
    return [n for n in asked if n in names or _is_foreign(n)]


def _is_foreign(metric: str) -> bool:
    return metric not in METRICS.own and metric in METRICS


def foreign_options(args: argparse.Namespace) -> dict[str, object]:
    """Return the options of the metrics of other packages, as they were parsed."""
    named = getattr(args, "metric", None)
    asked = named.split(",") if isinstance(named, str) else []
    return {
        option.name: getattr(args, option.name, None)
        for option in metric_options(filter(_is_foreign, asked))
        if option.name not in Metrics.DECLARED
    }
