"""The arguments of a command, made of the options that are declared for a question.

What commands have in common besides, where results go and the options of metrics, is
added here, too.
"""

import argparse
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from exactmatch.base import values
from exactmatch.base.options import REQUIRED, Declared, Options
from exactmatch.metrics import METRICS, metric_options
from exactmatch.metrics.options import MetricNames, Metrics
from exactmatch.scoring.options import Reading
from exactmatch.scoring.sources import File
from exactmatch.studies.command import Command
from exactmatch.studies.options import NamedFiles, Pairs, SystemPairs, Systems
from exactmatch.views.tables import FORMATS

O = TypeVar("O", bound=Options)  # noqa: E741  # the options' type


class Listing(argparse.Action):
    """An option that takes a list, with commas or as several words.

    What is given again is added: ``--only ARG0 --only ARG1`` is ``--only ARG0,ARG1``,
    where an option of a single value has the last one.  Only the first value takes the
    place of the default.  An option with ``nargs=1``, which has one word for its list,
    refuses to be given twice.
    """

    _filled: argparse.Namespace | None = None  # where it has been given before

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
                both = ",".join(map(_text, (before, values)))
                values = parser._get_value(self, both)
        self._filled = namespace
        setattr(namespace, self.dest, values)


def _text(value: str | tuple[Any, ...]) -> str:
    return value if isinstance(value, str) else ",".join(map(str, value))


def add_arguments(
    parser: argparse.ArgumentParser, row: Command, arguments: Sequence[str]
) -> None:
    """Add the arguments of a question's command.

    Of *arguments*, which will be parsed, depends what is not asked for by position, and
    which metrics are imported for their options.
    """
    asked = row.options
    _add_files_by_position(parser, row, {word.partition("=")[0] for word in arguments})
    groups: dict[str, argparse._ArgumentGroup] = {}
    for title, declaring, home, names in row.groups():
        if home is MetricNames:
            known = METRICS.own if row.metrics is None else row.metrics
            _add_metrics(parser, arguments, [*known], asked.DECLARED["metric"].default)
            continue
        if home is Metrics and issubclass(asked, MetricNames):
            continue
        group = groups.get(title) or parser.add_argument_group(title)
        if home is Metrics:
            _add_metric_options(group, row.metrics or ())
            continue
        groups[title] = group
        for name, declared in declaring.DECLARED.items():
            is_python = declared.flags == () or not declared.about
            if name in names and not (declared.operand or is_python):
                _add_option(group, name, declared)
        if "time_limit" in names:
            proven = "exit with 1 unless every pair is proven optimal"
            _add_switch(group, proven, "--require-optimal")
        elif home is Reading:
            _add_files_by_name(group, row)
    if issubclass(asked, Systems | SystemPairs):
        groups[asked.TITLE].add_argument(
            "--names",
            action=Listing,
            metavar="NAME[,NAME…]",
            help="what to call the systems (default: their files)",
        )
    _add_output(parser, row)


def _add_files_by_position(
    parser: argparse.ArgumentParser, row: Command, flags: set[str]
) -> None:
    """Add what a command names by its place, mostly files, unless flags name it."""
    asked = row.options
    for name, declared in asked.DECLARED.items():
        if declared.operand is not None:
            several = declared.is_repeated or declared.is_list
            few, many = (None, "+") if declared.default is REQUIRED else ("?", "*")
            parser.add_argument(
                name,
                nargs=many if several else few,
                choices=declared.choices,
                metavar=declared.operand,
                help=declared.about.replace("%", "%%"),
            )
    if issubclass(asked, Pairs | SystemPairs):
        whose, of_stdin = " of one system or several", ""
        if issubclass(asked, Pairs):
            whose, of_stdin = "", ", or - for standard input"
        about = (
            f"predictions{whose}, then references: files of graphs, .gz, "
            f"folders{of_stdin}; none: {row.otherwise or 'the bundled sample'}"
        )
        parser.add_argument("files", nargs="*", metavar="FILE", help=about)
    elif issubclass(asked, NamedFiles):
        about = asked.DECLARED["files"].about
        few = "*" if {"--pred", "--gold"} & flags else "+"
        parser.add_argument("files", nargs=few, metavar="FILE", help=about)
    elif issubclass(asked, Systems):
        if "--gold" not in flags:
            parser.add_argument("gold", metavar="GOLD", help="the references")
        few, about = "*" if "--pred" in flags else "+", "each system's predictions"
        parser.add_argument("systems", nargs=few, metavar="SYSTEM", help=about)


def _add_files_by_name(group: argparse._ArgumentGroup, row: Command) -> None:
    """Add the flags that say which files are predictions and which are references.

    Pairs can have several references, and else there can be several predictions.
    """
    of_pairs = issubclass(row.options, Pairs)
    of_golds = ("--gold", "--references") if of_pairs else ("--gold",)
    for flags, name, what, many in (
        (("--pred",), "pred_files", "predictions", not of_pairs),
        (of_golds, "gold_files", "references", of_pairs),
    ):
        group.add_argument(
            *flags,
            action=Listing,
            dest=name,
            nargs="+" if many else 1,
            default=[],
            metavar="FILE",
            help=f"files of {what}" if many else f"the file of {what}",
        )
    if of_pairs:
        about, shown = "as smatch: the two files", row.shown
        if shown is not None and "smatch_files" in shown.DECLARED:
            about += ", and output in smatch's own lines"
        both = ("PRED", "GOLD")
        group.add_argument("-f", nargs=2, metavar=both, dest="smatch_files", help=about)


def _add_option(
    group: argparse._ActionsContainer, name: str, declared: Declared
) -> None:
    default = None if declared.default is REQUIRED else declared.default
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
        counted = "N" if declared.read in values.COUNTING else None
        known |= {"choices": declared.choices, "metavar": declared.metavar or counted}
        if declared.is_list or declared.is_repeated:
            known["action"] = Listing if declared.is_list else "append"
        if declared.bare is not None:
            known |= {"nargs": "?", "const": declared.bare}
        if not declared.is_repeated:
            known["type"] = declared.read
    group.add_argument(*flags, help=declared.about.replace("%", "%%"), **known)


def _add_switch(group: argparse._ActionsContainer, about: str, *flags: str) -> None:
    group.add_argument(*flags, action="store_true", help=about)


def _add_output(parser: argparse.ArgumentParser, row: Command) -> None:
    group = parser.add_argument_group("output")
    has_forms = row.output == "tables"
    if has_forms:
        about = "default: text"
        group.add_argument("--format", choices=FORMATS, default="text", help=about)
    own = any("-o" in (d.flags or ()) for d in row.options.DECLARED.values())
    if row.output != "shown" and not own:
        about = "write to FILE when complete"
        group.add_argument("-o", "--output", metavar="FILE", help=about)
    else:
        parser.set_defaults(output=None)
    if has_forms:
        commented = (
            "begin CSV with signature and provenance, in lines after '#'; by default "
            "CSV holds only the table"
        )
        _add_switch(group, commented, "--comments")
        _add_switch(group, "show scores in percent, as LaTeX does", "--percent")
        group.add_argument(
            "--significant",
            type=values.digits,
            metavar="N",
            help="decimals of scores in text, LaTeX and HTML (default: mostly 4; 2 in "
            "smatch's own lines)",
        )
        omitted = "omit fields of the signature that the profile's name implies"
        _add_switch(group, omitted, "--short")
    only = "print results only; if the answer is one number or a few, only these"
    _add_switch(group, only, "-q", "--quiet")
    if row.is_verbose:
        _add_switch(group, "show how each pair was solved", "-v", "--verbose")
    if row.output in ("page", "tables"):
        opened = "open the page in a browser (with -o FILE)"
        _add_switch(parser.add_argument_group("output"), opened, "--open")


def _add_metrics(
    parser: argparse.ArgumentParser,
    arguments: Sequence[str],
    names: Sequence[str],
    default: str,
) -> None:
    """Add the metric, and the options of those that are named, or of all for help."""
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
    asked: list[str] = []
    for word, following in zip(arguments, [*arguments[1:], ""], strict=False):
        flag, has_value, value = word.partition("=")
        if flag == "--metric":
            asked += (value if has_value else following).split(",")
    asked = asked or default.split(",")
    if "--help-all" not in arguments and asked != ["all"]:
        names = [n for n in asked if n in names or _is_foreign(n)]
    _add_metric_options(group, names)


def _add_metric_options(group: argparse._ArgumentGroup, names: Iterable[str]) -> None:
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


def _is_foreign(metric: str) -> bool:
    return metric not in METRICS.own and metric in METRICS


def options_of(options: type[O], args: argparse.Namespace, **more: Any) -> O:
    """Options made of parsed arguments and *more*; what a command lacks is left.

    Files that are named by their places become values of the options.
    """
    given = {}
    for name, declared in options.DECLARED.items():
        if hasattr(args, name) and declared.flags != ():
            value = getattr(args, name)
            is_file = declared.operand and not (declared.is_list or declared.choices)
            if is_file and value is not None:
                value = [*map(File, value)] if declared.is_repeated else File(value)
            given[name] = value
    return options(**(given | more))


def foreign_options(args: argparse.Namespace) -> dict[str, object]:
    """The options of the metrics of other packages, as they were parsed."""
    named = getattr(args, "metric", None)
    asked = named.split(",") if isinstance(named, str) else []
    return {
        option.name: getattr(args, option.name, None)
        for option in metric_options(filter(_is_foreign, asked))
        if option.name not in Metrics.DECLARED
    }
