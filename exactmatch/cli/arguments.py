"""Arguments of a command, made from the declared options of its question.

The arguments that all commands share, of output and of metrics, are added here, too.
"""

import argparse
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, TypeVar

from exactmatch.base import values
from exactmatch.base.errors import InputError
from exactmatch.base.options import REQUIRED, Declared, Options
from exactmatch.cli.common import FILES, Demands, Naming, Output
from exactmatch.cli.parsers import Parser
from exactmatch.formats.scored_by import AMR, WAYS
from exactmatch.metrics import METRICS, clash, metric_class, metric_options
from exactmatch.metrics.options import MetricNames, Metrics
from exactmatch.scoring.options import Reading
from exactmatch.scoring.sources import File
from exactmatch.studies.command import Command
from exactmatch.studies.options import NamedFiles, Pairs, SystemPairs, Systems

O = TypeVar("O", bound=Options)  # noqa: E741  # the options' type


BY_FORMAT = "by the format, smatch for AMR"
"""The default metric."""


class Listing(argparse.Action):
    """Option that takes a list, with commas or as several words.

    Values of a repeated option are added: ``--only ARG0 --only ARG1`` is ``--only
    ARG0,ARG1``, whereas an option of a single value keeps the last one.  Only the first
    value replaces the default.  An option with ``nargs=1`` may not be repeated.
    """

    _filled: argparse.Namespace | None = None  # the namespace that has a value

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        del option_string
        if self._filled is namespace:
            before = getattr(namespace, self.dest)
            if self.nargs == 1:
                raise argparse.ArgumentError(self, "is given twice; name one file")
            if self.nargs is not None:
                values = [*before, *values]
            else:
                joined = ",".join(map(_text, (before, values)))
                values = parser._get_value(self, joined)
        self._filled = namespace
        setattr(namespace, self.dest, values)


def _text(value: str | tuple[Any, ...]) -> str:
    return value if isinstance(value, str) else ",".join(map(str, value))


def add_arguments(parser: Parser, row: Command, arguments: Sequence[str]) -> None:
    """Add the arguments of a question's command.

    The *arguments* that will be parsed decide which files need no place on the command
    line, and which metrics are imported for their options.
    """
    options = row.options
    _add_files_by_position(parser, row, {word.partition("=")[0] for word in arguments})
    groups: dict[str, argparse._ArgumentGroup] = {}
    metrics: argparse._ArgumentGroup | None = None
    shown = {} if row.shown is None else row.shown.DECLARED
    taken_names = {*options.DECLARED, *shown, *Output.DECLARED, *Demands.DECLARED}
    for title, declaring, home, names in row.groups():
        if home.WAITS:
            parser.hidden_groups.add(title)
        if home is MetricNames:
            metrics = parser.add_argument_group("metrics")
            continue
        if home is Metrics and issubclass(options, MetricNames):
            continue
        group = groups.get(title) or parser.add_argument_group(title)
        if home is Metrics:
            _add_metric_options(parser, group, row.metrics or (), taken_names)
            continue
        groups[title] = group
        for name, declared in declaring.DECLARED.items():
            is_python = declared.flags == () or not declared.about
            if name in names and not (declared.operand or is_python):
                _add_option(parser, group, name, declared)
        if "time_limit" in names:
            _add_options(parser, group, Demands)
        elif home is Reading:
            _add_files_by_name(parser, group, row)
    if issubclass(options, Systems | SystemPairs):
        _add_options(parser, groups[options.TITLE], Naming)
    _add_output(parser, row)
    if metrics is not None:  # all other flags are known by now
        metric_names = METRICS.own if row.metrics is None else row.metrics
        declared = options.DECLARED["metric"]
        _add_metrics(parser, metrics, arguments, [*metric_names], declared, taken_names)


def _add_files_by_position(parser: Parser, row: Command, flags: set[str]) -> None:
    """Add the operands of a command, mostly files, unless flags name them."""
    options = row.options
    for name, declared in options.DECLARED.items():
        if declared.operand is not None:
            several = declared.is_repeated or declared.is_list
            nargs, many = (None, "+") if declared.default is REQUIRED else ("?", "*")
            operand = parser.add_argument(
                name,
                nargs=many if several else nargs,
                choices=declared.choices,
                metavar=declared.operand,
                help=declared.about.replace("%", "%%"),
            )
            parser.declared[operand] = declared
    if issubclass(options, Pairs | SystemPairs):
        addition = ", or - for standard input"
        if issubclass(options, SystemPairs):
            addition = "; with --systems, references alone"
        meaning = (
            "predictions, then references: files of graphs, .gz, "
            f"folders{addition}; none: {row.otherwise or 'the bundled sample'}"
        )
        _add_files(parser, "files", "*", "FILE", meaning)
    elif issubclass(options, NamedFiles):
        meaning = options.DECLARED["files"].about
        nargs = "*" if {"--pred", "--gold"} & flags else "+"
        _add_files(parser, "files", nargs, "FILE", meaning)
    elif issubclass(options, Systems):
        if "--gold" not in flags:
            _add_files(parser, "gold", None, "GOLD", "the references")
        nargs, meaning = "*" if "--pred" in flags else "+", "each system's predictions"
        _add_files(parser, "systems", nargs, "SYSTEM", meaning)


def _add_files(
    parser: Parser, name: str, number: str | None, metavar: str, meaning: str
) -> None:
    files = parser.add_argument(name, nargs=number, metavar=metavar, help=meaning)
    parser.declared[files] = FILES


def _add_files_by_name(
    parser: Parser, group: argparse._ArgumentGroup, row: Command
) -> None:
    """Add the flags that name the files of predictions and of references.

    Several systems have several files of predictions; several references have several
    files, too.
    """
    of_pairs = issubclass(row.options, Pairs)
    either = issubclass(row.options, SystemPairs)
    of_preds = ("--pred", "--systems") if either else ("--pred",)
    of_golds = ("--gold", "--references") if of_pairs or either else ("--gold",)
    of_systems = "predictions" if of_pairs else "predictions, one for each system"
    for flags, name, meaning, many in (
        (of_preds, "pred_files", of_systems, not of_pairs),
        (of_golds, "gold_files", "references", of_pairs or either),
    ):
        files = group.add_argument(
            *flags,
            action=Listing,
            dest=name,
            nargs="+" if many else 1,
            default=[],
            metavar="FILE",
            help=f"files of {meaning}" if many else f"the file of {meaning}",
        )
        parser.declared[files] = FILES
    if of_pairs:
        output_meaning, shown = "as smatch: the two files", row.shown
        if shown is not None and "smatch_files" in shown.DECLARED:
            output_meaning += ", and output in smatch's own lines"
        metavars = ("PRED", "GOLD")
        files = group.add_argument(
            "-f", nargs=2, metavar=metavars, dest="smatch_files", help=output_meaning
        )
        parser.declared[files] = FILES


def _add_options(
    parser: Parser,
    group: argparse._ActionsContainer,
    options: type[Options],
    *names: str,
) -> None:
    """Add the options of a class, or those *names* among them."""
    for name in names or options.DECLARED:
        _add_option(parser, group, name, options.DECLARED[name])


def _add_option(
    parser: Parser, group: argparse._ActionsContainer, name: str, declared: Declared
) -> None:
    default = None if declared.default is REQUIRED else declared.default
    word = name.replace("_", "-")
    flags = declared.flags or (f"--{word}",)
    settings: dict[str, Any] = {"dest": name, "default": default}
    constant = {**settings, "action": "store_const"}
    if declared.switches:
        group = group.add_mutually_exclusive_group()
        for switch, value, meaning in declared.switches:
            shown = meaning or argparse.SUPPRESS
            action = group.add_argument(switch, const=value, help=shown, **constant)
            parser.declared[action] = declared
        if declared.flags is None:
            return
    if declared.off:
        action = group.add_argument(
            f"--no-{word}", const=False, help=declared.off, **constant
        )
        parser.declared[action] = declared
        return
    if declared.is_truth:
        settings["action"] = argparse.BooleanOptionalAction
    elif isinstance(default, bool):
        settings["action"] = "store_true"
    else:
        counted = "N" if declared.read in values.COUNTING else None
        settings |= {
            "choices": declared.choices,
            "metavar": declared.metavar or counted,
        }
        if declared.is_list or declared.is_repeated:
            settings["action"] = Listing if declared.is_list else "append"
        if declared.bare is not None:
            settings |= {"nargs": "?", "const": declared.bare}
        if not declared.is_repeated:
            settings["type"] = File if declared.is_input else declared.read
    action = group.add_argument(
        *flags, help=declared.about.replace("%", "%%"), **settings
    )
    parser.declared[action] = declared


def _add_output(parser: Parser, row: Command) -> None:
    """Add the options of :class:`Output` that the command has."""
    parser.hidden_groups.add(Output.TITLE)
    group = parser.add_argument_group(Output.TITLE)
    has_output = any("-o" in (d.flags or ()) for d in row.options.DECLARED.values())
    names = ["output"] if row.output != "shown" and not has_output else []
    if row.output == "tables":
        names = ["format", *names, "comments", "percent", "decimals", "short"]
    names.append("quiet")
    if row.is_verbose:
        names.append("verbose")
    if row.output in ("page", "tables"):
        names.append("open")
    _add_options(parser, group, Output, *names)
    if "output" not in names:
        parser.set_defaults(output=None)


def _add_metrics(
    parser: Parser,
    group: argparse._ArgumentGroup,
    arguments: Sequence[str],
    names: Sequence[str],
    declared: Declared,
    taken_names: Collection[str],
) -> None:
    """Add ``--metric``, and the options of the named metrics, or of all for help."""
    default = declared.default
    listed = ", ".join(names) if "--help-all" in arguments else ""
    metric = group.add_argument(
        "--metric",
        action=Listing,
        default=default,
        metavar="NAME[,NAME…]",
        help=f"{listed} (default: {default or BY_FORMAT}); all: every one that fits "
        "the graphs and needs no vectors or other files",
    )
    parser.declared[metric] = declared
    metric_names: list[str] = []
    for word, following in zip(arguments, [*arguments[1:], ""], strict=False):
        flag, has_value, value = word.partition("=")
        if flag == "--metric":
            metric_names += (value if has_value else following).split(",")
    if not metric_names:
        metric_names = _by_format(parser, arguments) if default is None else [default]
    if "--help-all" not in arguments and metric_names != ["all"]:
        names = [n for n in metric_names if n in names or _is_foreign(n)]
    elif "--help-all" in arguments and [*names] == [*METRICS.own]:
        added = METRICS.working(METRICS.active_entry_points)
        names = [*names, *(name for name, cls in added if clash(name, cls) is None)]
    _add_metric_options(parser, group, names, taken_names)


def _add_metric_options(
    parser: Parser,
    group: argparse._ArgumentGroup,
    names: Iterable[str],
    taken_names: Collection[str],
) -> None:
    """Add the options of metrics; those that are not given stay ``None``."""
    added: dict[str, str] = {}  # the attribute of each option's value
    for name, declared in metric_options(map(metric_class, names)).items():
        if declared[0].flags == ():
            continue
        place = f"metric_{name}" if declared[0].flags and name in taken_names else name
        if place in taken_names:
            raise InputError(
                f"a metric has an option {name!r}, and so has this command; the metric "
                "has to call it otherwise"
            )
        choices = [
            choice for declaration in declared for choice in declaration.choices or ()
        ]
        merged = declared[0]._replace(
            choices=tuple(dict.fromkeys(choices)) if choices else None,
            read=_read_by_all(
                [
                    declaration.read
                    for declaration in declared
                    if declaration.read is not None
                ]
            ),
        )
        _add_option(parser, group, place, merged)
        added[name] = place
    parser.set_defaults(**dict.fromkeys(added.values()), metric_options=added)


def _read_by_all(readers: Sequence[Callable[[Any], Any]]) -> Callable[[Any], Any]:
    """Return a function that checks a value by all readers.

    If there are several readers, the value stays a text, which each metric reads.
    """
    first, *other_readers = dict.fromkeys(readers or [str])
    if not other_readers:
        return first

    def read(value: Any) -> Any:
        for reader in (first, *other_readers):
            reader(value)
        return value

    return read


def _by_format(parser: Parser, arguments: Sequence[str]) -> list[str]:
    """Return the metrics a format may choose; only Smatch without unknown flags."""
    flags = {word.partition("=")[0] for word in arguments if word.startswith("--")}
    if flags <= {"--metric", *parser._option_string_actions}:
        return [AMR.metric]
    return [*dict.fromkeys(way.metric for way in WAYS)]


def _is_foreign(metric: str) -> bool:
    return metric not in METRICS.own and metric in METRICS


def options_of(options: type[O], args: argparse.Namespace, /, **more: Any) -> O:
    """Make options from parsed arguments and *more*; others keep their defaults.

    Files that are named by their places become values of the options.
    """
    arguments = {}
    for name, declared in options.DECLARED.items():
        if hasattr(args, name) and declared.flags != ():
            value = getattr(args, name)
            is_named = declared.choices or declared.read is values.words
            is_file = (declared.operand and not is_named) or declared.is_input
            if is_file and isinstance(value, str):
                value = File(value)
            elif is_file and not (value is None or isinstance(value, File)):
                value = [*map(File, value)]
            arguments[name] = value
    return options(**(arguments | more))


def metric_values(args: argparse.Namespace) -> dict[str, object]:
    """Return the parsed options of metrics that were given."""
    places = getattr(args, "metric_options", {})
    all_values = {name: getattr(args, place) for name, place in places.items()}
    return {name: value for name, value in all_values.items() if value is not None}
