"""Questions on the command line: their arguments, runs and output."""

import argparse
import os
import re
import shlex
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any

from exactmatch.base.deadline import (
    ReadingLimits,
    look_by_signal,
    reading_limits,
    reading_within,
)
from exactmatch.base.errors import InputError
from exactmatch.base.files import atomic_output, check_writable, takes_colour
from exactmatch.base.inputs import command_line, name_of
from exactmatch.base.numbers import several
from exactmatch.base.options import limits_of
from exactmatch.base.registry import imported
from exactmatch.cli.answer import shown_score, write_answer
from exactmatch.cli.arguments import add_arguments, metric_values, options_of
from exactmatch.cli.message import note
from exactmatch.cli.parsers import Parser
from exactmatch.cli.terminal import Terminal
from exactmatch.metrics import metric_class, metric_options
from exactmatch.metrics.options import Making, Metrics
from exactmatch.scoring.sources import File, paths_of
from exactmatch.studies.answer import Answer, Looks
from exactmatch.studies.command import Command
from exactmatch.studies.options import NamedFiles, Pairs, SystemPairs, Systems
from exactmatch.views.tables import FORMATS


class Question:
    """Command made from a row, which declares a question and the view of its answer."""

    def __init__(self, row: Command) -> None:
        self.row, self.does = row, row.does

    def add_arguments(self, parser: Parser, arguments: Sequence[str]) -> None:
        """Add the command's options; those of the metrics that *arguments* name."""
        add_arguments(parser, self.row, arguments)

    def run(self, args: argparse.Namespace) -> int:
        """Ask the question and write the answer; return the exit code."""
        if self.row.output == "tables":
            args.format = args.format or _format_of(args.output, self.row)
        total = getattr(args, "total_time", None)
        until = None if total is None else args.started + total
        limits = reading_limits(getattr(args, "time_limit", None), until, total)
        if args.owns_process and limits != ReadingLimits():
            look_by_signal()
        if getattr(args, "format", "") == "parquet" and args.output in (None, "-"):
            raise InputError("Parquet needs a file; name it with -o FILE.parquet")
        with reading_within(limits):  # checks of files before reading count, too
            return self._run(args)

    def _run(self, args: argparse.Namespace) -> int:
        if self.row.output != "page" and getattr(args, "format", "") != "html":
            return self._answer(args)
        is_served = getattr(args, "serve", False)
        if args.output is None and sys.stdout.isatty() and not is_served:
            raise InputError("a page is not for a terminal; write it with -o page.html")
        if args.open and args.output in (None, "-"):
            raise InputError("--open opens a file; name it with -o page.html")
        code = self._answer(args)
        if args.output not in (None, "-"):
            path = os.path.abspath(args.output)
            if os.path.isfile(path):
                note(args, f"{path} ({_size(os.path.getsize(path))})")
            if args.open:
                import webbrowser
                from pathlib import Path

                webbrowser.open(Path(path).as_uri())
        return code

    def _answer(self, args: argparse.Namespace) -> int:
        row = self.row
        shown = {} if row.shown is None else vars(options_of(row.shown, args))
        plot = shown.pop("plot", None)
        if plot is not None:
            from exactmatch.views.pictures import check

            check(plot)
        terminal = Terminal(args)
        options = self._options(args, terminal)
        is_made = isinstance(options, Making)
        lead = options.by_format_line(row.metrics) if is_made else ""
        roles = "" if args.quiet else _roles_line(options)
        leads = [*filter(None, [lead, roles])]
        if row.output != "tables" or args.format not in ("text", "html"):
            for line in filter(None, [lead]):
                terminal.note(line)
            leads = []

        def find() -> Any:
            study = imported(row.study)
            try:
                with limits_of(options):
                    result = study(options, terminal)
            except InputError:
                terminal.sum_up()
                raise
            if getattr(args, "is_sample", False):
                prog = args.prog.removesuffix(" sample")
                terminal.note(
                    "no files named: the bundled sample is taken; to score your own: "
                    f"{prog} PRED GOLD"
                )
            return result

        if row.output == "shown":
            find()
            return terminal.exit_code
        filled = getattr(options, "out", None)
        output = None if filled else args.output
        if output not in (None, "-") and row.suffixes:
            if not output.lower().endswith(row.suffixes):
                raise InputError(
                    f"{output}: the answer is written to a file whose name ends in "
                    f"{', '.join(row.suffixes)}"
                )
            if row.picture is not None and not output.lower().endswith(".svg"):
                return _drawn(output, row.picture, find, terminal)
        form = getattr(args, "format", "text")
        used_flags = {"-o": output is not None, "--format": form != "text"}
        used_flags["--plot"] = plot is not None
        for flag, why in getattr(options, "refused_flags", {}).items():
            if used_flags.get(flag, True):
                raise InputError(why)
        if row.display is not None:
            return _shown_as_it_comes(
                args, terminal, row.display, shown, find, plot, leads
            )
        with atomic_output(output, short=form != "jsonl") as stream:
            if row.output == "page":
                find().write(stream)
                return terminal.exit_code
            if row.output == "text":
                text = find()
                stream.writelines([text, "\n"] if isinstance(text, str) else text)
                terminal.sum_up()
                return terminal.exit_code
            answer: Answer | None = find()
            terminal.sum_up()
            if answer is None:
                return terminal.exit_code
            for name, why in answer.WITHOUT_EFFECT:
                if shown.pop(name):
                    flag = name.replace("_", "-")
                    terminal.note(f"--{flag} has no effect {why}")
            if answer or not args.quiet or args.format != "text":
                tables = answer.tables(**shown, digits=args.decimals)
                tables = tables._replace(leads=leads or tables.leads)
                write_answer(args, stream, tables)
            if plot is not None and row.picture is not None:
                imported(row.picture)(plot, answer)
        return max(terminal.exit_code, answer.exit_code)

    def _options(self, args: argparse.Namespace, terminal: Terminal) -> Any:
        """Return the question's options, with the files that it is about."""
        cls = self.row.options
        extra: dict[str, Any] = {}
        if issubclass(cls, Pairs | SystemPairs):
            of_systems = issubclass(cls, SystemPairs)
            paths, is_sample = _sources(args, of_systems, terminal)
            args.is_sample = is_sample and self.row.otherwise is None
            if of_systems:
                from exactmatch.studies.pairs import names_of, note_exchanged

                count = len(args.pred_files) or 1
                preds, references = paths[:count], paths[count:]
                if count == 1 and "," in (args.names or ""):
                    raise InputError(
                        "--names gives names to several systems, and there is one; "
                        f"name them all: {args.prog} GOLD --systems A B"
                    )
                names = names_of(preds, args.names, least=1)
                systems = dict(zip(names, preds, strict=True))
                note_exchanged(references, systems, terminal)
                files = dict(zip(names, map(File, preds), strict=True))
                extra |= {"preds": files, "golds": _one_or_several(references)}
            elif len(paths) > 2 and not self.row.references:
                raise InputError(
                    f"two files are taken here, predictions and references, not "
                    f"{len(paths)}"
                )
            elif args.is_sample or not is_sample:
                extra |= {"preds": File(paths[0]), "golds": _one_or_several(paths[1:])}
        elif issubclass(cls, Systems):
            from exactmatch.studies.pairs import names_of

            paths = [*args.pred_files, *args.systems]
            named = zip(names_of(paths, args.names), map(File, paths), strict=True)
            (gold,) = args.gold_files or [args.gold]
            extra |= {"systems": dict(named), "golds": File(gold)}
        elif issubclass(cls, NamedFiles):
            extra |= {"preds": args.pred_files, "golds": args.gold_files}
            extra["files"] = args.files
        for name, place in self.row.by_output:
            if getattr(args, name) is None and args.output is not None:
                extra[name] = imported(place)(args.output)
        if self.row.fills is not None and (args.output or "").endswith(self.row.fills):
            check_writable(args.output)
            extra["out"] = args.output
        if "executor" in cls.DECLARED:
            extra |= _workers(args, terminal)
            if getattr(args, "total_time", None) is not None:
                extra["until"] = args.started + args.total_time
        if issubclass(cls, Metrics):
            extra["options"] = metric_values(args)
        class_options = options_of(cls, args, **extra)
        if isinstance(class_options, Making):
            return _heeded(class_options, getattr(args, "by_file", ()), terminal)
        return class_options


_ENDINGS = {".tex": "latex", ".htm": "html"} | {f".{name}": name for name in FORMATS}
_GRAPHS = (".amr", ".penman")
"""Endings of files that hold graphs and no tables."""


def _format_of(output: str | None, row: Command) -> str:
    """Return the format of an answer that the ending of its file's name chooses.

    Raises:
        InputError: if the name is that of a file of graphs.
    """
    ending = os.path.splitext(output or "")[1].lower()
    if ending in _GRAPHS:
        way = "its name ends in .txt, .csv, .json, .tex or .html"
        if "graphs" in row.options.DECLARED:
            words = shlex.split(command_line())
            flag = re.compile("(-o|--output)(?=$|=)")
            words = [flag.sub("--graphs", word, count=1) for word in words]
            way = f"for graphs: {shlex.join(words)}"
        raise InputError(f"{output}: -o writes a table, not graphs; {way}")
    return _ENDINGS.get(ending, "text")


def _drawn(
    output: str, picture: str, find: Callable[[], Any], terminal: Terminal
) -> int:
    """Write a drawing as a picture, which *picture* does; return the exit code."""
    from exactmatch.views.svg_pictures import check_picture

    check_picture(output)
    imported(picture)(output, find())
    terminal.sum_up()
    return terminal.exit_code


def _heeded(options: Any, by_file: Collection[str], terminal: Terminal) -> Any:
    """Drop options of a configuration file that the format's metric does not have."""
    explicit = options.explicit_options()
    names = [name for name in explicit if name.replace("_", "-") in by_file]
    if vars(options)["metric"] is not None or not names:
        return options
    chosen = vars(options.by_format())["metric"]
    declared_options = metric_options(map(metric_class, chosen))
    unused = [name for name in names if name not in declared_options]
    if not unused:
        return options
    terminal.note(f"{', '.join(unused)}: without effect on {', '.join(chosen)}")
    kept = {name: value for name, value in explicit.items() if name not in unused}
    return options.replace(options=kept or None)


def _sources(
    args: argparse.Namespace, systems: bool, terminal: Terminal
) -> tuple[list[str], bool]:
    """Return the files to read, predictions first, and whether they are the sample.

    For several *systems*, the caller notes files that look exchanged.
    """
    from exactmatch.studies.pairs import SAMPLE, note_exchanged

    of_smatch = getattr(args, "smatch_files", None) or ()
    paths = [*of_smatch, *args.pred_files, *args.files]
    is_named = systems and len(paths) == len(args.pred_files) > 0
    if args.gold_files and len(paths) != 1 and not is_named:
        predictions = f"{several(len(paths), 'file')} of" if paths else "no"
        way = (
            "name them with --systems" if systems and paths else "name one with --pred"
        )
        raise InputError(f"--gold is given with {predictions} predictions; {way}")
    paths += args.gold_files
    if not paths:
        return list(SAMPLE), True
    if len(paths) == len(args.pred_files) > 1:
        raise InputError("no references are named; name them with --gold")
    if len(paths) == 1:
        raise InputError(
            f"only one file is named, {paths[0]!r}; {_way_out_of_one(paths[0])}"
        )
    if paths.count("-") > 1:
        raise InputError("standard input can be only one of the files")
    if not systems:
        note_exchanged(paths[1:], {name_of(paths[0]): paths[0]}, terminal)
    return paths, False


def _way_out_of_one(path: str) -> str:
    """Return what to name beside the only file; itself if its rows hold both sides."""
    from exactmatch.formats.blocks import both_columns_of

    with suppress(OSError, InputError):  # said when the file is read
        if (both := both_columns_of(path)) is not None:
            files = shlex.join([path, path])
            return f"its rows hold both sides: {files} --field {','.join(both)}"
    return "name predictions and references"


def _roles_line(options: Any) -> str:
    """Say which files are references where they could be taken for systems."""
    golds = paths_of(getattr(options, "golds", None))
    systems = getattr(options, "systems", None)
    if isinstance(options, SystemPairs):
        systems = options.systems()
    elif isinstance(options, Pairs) and len(golds) > 1:
        (pred,) = paths_of(options.preds)
        return f"prediction: {name_of(pred)}; references: {_listed(golds)}"
    if not golds or not isinstance(systems, Mapping) or len(systems) < 2:
        return ""
    plural = "s" * (len(golds) > 1)
    return f"reference{plural}: {_listed(golds)}; systems: {', '.join(systems)}"


def _listed(paths: Sequence[str]) -> str:
    return ", ".join(map(name_of, paths))


def _one_or_several(paths: Sequence[str]) -> File | list[File]:
    """Return one file, or a list of several."""
    files = [File(path) for path in paths]
    return files[0] if len(files) == 1 else files


def _workers(args: argparse.Namespace, terminal: Terminal) -> dict[str, Any]:
    """Return the workers and their number; ``main`` ends them."""
    if args.executor is None:
        return {"executor": None, "jobs": args.jobs}
    if args.workers is None:
        from exactmatch.scoring.executors import connect_executor

        opened = connect_executor(args.executor, args.jobs, terminal.note)
        args.workers = args.at_end.enter_context(opened)
    return dict(zip(("executor", "jobs"), args.workers, strict=True))


def _size(count: int) -> str:
    """Write a number of bytes in words.

    >>> _size(999), _size(89_935), _size(4_200_000)
    ('999 bytes', '90 kB', '4.2 MB')
    """
    if count < 1000:
        return f"{count} bytes"
    return f"{count / 1e3:.0f} kB" if count < 999_500 else f"{count / 1e6:.1f} MB"


def _shown_as_it_comes(
    args: argparse.Namespace,
    terminal: Terminal,
    place: str,
    shown: Mapping[str, Any],
    find: Callable[[], Any],
    plot: str | None,
    leads: Sequence[str],
) -> int:
    """Show the parts of an answer as they come; return the exit code.

    *place* names the class of the display, which gets the view's options, and then the
    parts from the terminal.  The output is opened before the work begins.
    """
    with atomic_output(args.output, short=args.format != "jsonl") as stream:
        number = shown_score(args)
        is_text = args.format == "text" and args.output is None
        looks = Looks(
            stream,
            args.format,
            number,
            args.decimals,
            terminal.note,
            is_text and takes_colour(sys.stdout),
        )
        with imported(place)(looks, **shown) as display:
            terminal.display = display
            if args.format == "text" and not args.quiet and display.leads:
                from exactmatch.views.text import write_lines

                write_lines(stream, leads)
                leads = ()
            result = find()
            tables = display.tables(result)
            if tables is not None:
                write_answer(args, stream, tables._replace(leads=leads))
            if plot is not None:
                display.draw(plot, result)
    for remark in display.remarks(result):
        terminal.note(remark)
    return terminal.exit_code
