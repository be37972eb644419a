"""Options that several commands share.

Each ``add_…`` function adds a group of options to a parser;
:mod:`exactmatch.cli.settings` makes library objects of what was given.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence

from exactmatch.base import values
from exactmatch.cli.lists import Listing
from exactmatch.cli.parsers import Formatter
from exactmatch.metrics import METRICS, metric_options
from exactmatch.metrics.options import Metrics

OWN_METRICS = tuple(METRICS.own)


def add_smatch_files(group: argparse._ArgumentGroup, as_smatch: bool = False) -> None:
    """Add ``-f PRED GOLD``; *as_smatch* if it asks for smatch's own lines, too."""
    group.add_argument(
        "-f",
        nargs=2,
        metavar=("PRED", "GOLD"),
        dest="smatch_files",
        help="as smatch: the two files"
        + (", and output in smatch's own lines" if as_smatch else ""),
    )


def add_named_files(group: argparse._ArgumentGroup, several: str) -> None:
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


def flags_of(arguments: Sequence[str]) -> set[str]:
    """Return the words of a command line, without what stands behind ``=``."""
    return {word.partition("=")[0] for word in arguments}


def add_names(group: argparse._ArgumentGroup, what: str = "systems") -> None:
    """Add what the systems, or whatever else the files are of, are called."""
    group.add_argument(
        "--names",
        action=Listing,
        metavar="NAME[,NAME…]",
        help=f"what to call the {what} (default: their files)",
    )


def add_require_optimal(group: argparse._ArgumentGroup) -> None:
    """Add that the exit code tells whether every pair is proven."""
    group.add_argument(
        "--require-optimal",
        action="store_true",
        help="exit with 1 unless every pair is proven optimal",
    )


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
        group.add_argument(
            "-o",
            "--output",
            metavar="FILE",
            help="write to FILE when complete",
        )
    else:
        parser.set_defaults(output=None)
    if formats:
        group.add_argument(
            "--comments",
            action="store_true",
            help="begin CSV with signature and provenance, in lines after '#'; by "
            "default CSV holds only the table",
        )
        add_looks(group)
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


def add_open(parser: argparse.ArgumentParser) -> None:
    """Add that a page is opened once it is written."""
    parser.add_argument_group("output").add_argument(
        "--open", action="store_true", help="open the page in a browser (with -o FILE)"
    )


def add_looks(group: argparse._ArgumentGroup) -> None:
    """Add how numbers and signatures look, for people."""
    group.add_argument(
        "--percent", action="store_true", help="show scores in percent, as LaTeX does"
    )
    group.add_argument(
        "--significant",
        type=values.digits,
        metavar="N",
        help="decimals of scores in text, LaTeX and HTML (default: mostly 4; 2 in "
        "smatch's own lines)",
    )
    group.add_argument(
        "--short",
        action="store_true",
        help="omit fields of the signature that the profile's name implies",
    )


def add_metrics(
    parser: argparse.ArgumentParser,
    arguments: Sequence[str],
    names: Sequence[str] = OWN_METRICS,
    default: str = "smatch",
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
        if option.type is bool:
            group.add_argument(
                flag, action="store_true", default=None, help=option.help
            )
        else:
            group.add_argument(
                flag,
                action=Listing if "," in (option.metavar or "") else "store",
                type=option.type,
                choices=option.choices,
                metavar=option.metavar,
                dest=option.name,
                help=option.help,
            )


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
    own = METRICS.own
    return [n for n in asked if n in names or (n not in own and n in METRICS)]


def foreign_options(args: argparse.Namespace) -> dict[str, object]:
    """Return the options of the metrics of other packages, as they were parsed."""
    own = set(Metrics.DECLARED)
    named = getattr(args, "metric", None)
    asked = named.split(",") if isinstance(named, str) else []
    names = [name for name in asked if name not in METRICS.own and name in METRICS]
    return {
        option.name: getattr(args, option.name, None)
        for option in metric_options(names)
        if option.name not in own
    }
