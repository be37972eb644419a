"""A question on the command line: its arguments, its run, its answer written."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, NamedTuple

from exactmatch.base.errors import InputError
from exactmatch.base.files import atomic_output, check_writable
from exactmatch.base.registry import imported
from exactmatch.cli import options, settings
from exactmatch.cli.answer import shown_score, write_answer
from exactmatch.cli.arguments import add_operands, add_options, operands_of, options_of
from exactmatch.cli.terminal import Terminal
from exactmatch.metrics.options import MetricNames, Metrics
from exactmatch.scoring.options import Reading, Solving
from exactmatch.scoring.sources import File
from exactmatch.studies.answer import Answer, Looks
from exactmatch.studies.command import Command
from exactmatch.studies.options import GraphFiles, NamedFiles, Pairs, Systems
from exactmatch.studies.systems import names_of
from exactmatch.views.tables import FORMATS


class Question(NamedTuple):
    """A command that is made of a row.

    Attributes:
        row: the question and how its answer is shown.
    """

    row: Command

    @property
    def does(self) -> str:
        """What the command does, with examples."""
        return self.row.does

    @property
    def WAITING(self) -> tuple[str, ...]:  # noqa: N802  # what modules of commands have
        """Headings of groups that ``--help-all`` shows alone."""
        return self.row.waiting

    def add_arguments(
        self, parser: argparse.ArgumentParser, arguments: Sequence[str]
    ) -> None:
        """Add the command's options; those of the metrics that *arguments* name."""
        row = self.row
        of_pairs = issubclass(row.options, Pairs)
        if of_pairs:
            parser.add_argument(
                "files",
                nargs="*",
                metavar="FILE",
                help="predictions, then references: files of graphs, .gz, folders, or "
                "- for standard input; none: the bundled sample",
            )
        elif issubclass(row.options, GraphFiles):
            about = row.options.DECLARED["files"].about
            parser.add_argument("files", nargs="+", metavar="FILE", help=about)
        elif issubclass(row.options, NamedFiles):
            are_named = {"--pred", "--gold"} & options.flags_of(arguments)
            parser.add_argument(
                "files",
                nargs="*" if are_named else "+",
                metavar="FILE",
                help=row.options.DECLARED["files"].about,
            )
        elif issubclass(row.options, Systems):
            options.add_systems(parser, arguments)
        add_operands(parser, row.options)
        groups: dict[str, argparse._ArgumentGroup] = {}
        for title, declaring, home, names in row.groups():
            if home is Metrics:
                continue
            if home is MetricNames:
                metrics = row.metrics or options.OWN_METRICS
                options.add_metrics(parser, arguments, metrics)
                continue
            group = groups.get(title) or parser.add_argument_group(title)
            groups[title] = group
            add_options(group, declaring, names)
            if home is Solving:
                options.add_require_optimal(group)
            elif home is Reading:
                options.add_named_files(group, several="gold" if of_pairs else "pred")
                if of_pairs:
                    options.add_smatch_files(group)
        if issubclass(row.options, Systems):
            options.add_names(groups[row.options.TITLE])
        named = not any("-o" in (d.flags or ()) for d in row.options.DECLARED.values())
        options.add_output(parser, FORMATS, verbose=row.is_verbose, output=named)

    def run(self, args: argparse.Namespace) -> int:
        """Ask the question and write the answer; return the exit code."""
        row = self.row
        study = imported(row.study)
        shown = {} if row.shown is None else vars(options_of(row.shown, args))
        plot = shown.pop("plot", None)
        if plot is not None:
            from exactmatch.views.pictures import check

            check(plot)
        terminal = Terminal(args)
        terminal.tells_omissions = args.format not in row.omissions
        asked = self._asked(args, terminal)
        filled = getattr(asked, "out", None)
        output = None if filled else args.output
        given = {"-o": output is not None, "--format": args.format != "text"}
        for flag, why in getattr(asked, "idle", {}).items():
            if given.get(flag, True):
                raise InputError(why)
        with atomic_output(output) as stream:
            if row.display is not None:
                looks = Looks(stream, args.format, shown_score(args))
                with imported(row.display)(looks, **shown) as display:
                    terminal.show = display.take
                    found = study(asked, terminal)
                    write_answer(args, stream, display.tables(found))
                    if plot is not None:
                        display.draw(plot, found)
                return terminal.exit_code
            answer: Answer | None = study(asked, terminal)
            terminal.sum_up()
            if answer is None:
                return terminal.exit_code
            for name, why in answer.WITHOUT_EFFECT:
                if shown.pop(name):
                    flag = name.replace("_", "-")
                    terminal.note(f"--{flag} has no effect {why}")
            if answer or not args.quiet or args.format != "text":
                tables = answer.tables(**shown, digits=args.significant)
                write_answer(args, stream, tables)
            if plot is not None and row.picture is not None:
                imported(row.picture)(plot, answer)
        return max(terminal.exit_code, answer.EXIT_CODE if answer else 0)

    def _asked(self, args: argparse.Namespace, terminal: Terminal) -> Any:
        """The question's options, with the files that it is about."""
        more: dict[str, Any] = {}
        cls = self.row.options
        if issubclass(cls, Pairs):
            paths, is_sample = settings.sources_from(args)
            if is_sample:
                terminal.note("no files named: the bundled sample is taken")
            if len(paths) > 2 and not self.row.references:
                raise InputError(
                    f"two files are taken here, predictions and references, not "
                    f"{len(paths)}"
                )
            golds = [File(path) for path in paths[1:]]
            one = golds[0] if len(golds) == 1 else golds
            more |= {"preds": File(paths[0]), "golds": one}
        elif issubclass(cls, Systems):
            paths = [*args.pred_files, *args.systems]
            named = zip(names_of(paths, args.names), map(File, paths), strict=True)
            (gold,) = args.gold_files or [args.gold]
            more |= {"systems": dict(named), "golds": File(gold)}
        elif issubclass(cls, GraphFiles):
            more["files"] = args.files
        elif issubclass(cls, NamedFiles):
            more |= {"preds": args.pred_files, "golds": args.gold_files}
            more["files"] = args.files
        more |= operands_of(cls, args)
        if self.row.fills is not None and (args.output or "").endswith(self.row.fills):
            check_writable(args.output)
            more["out"] = args.output
        if "executor" in cls.DECLARED:
            more |= settings.solving_from(args)
        if issubclass(cls, Metrics):
            more["more"] = options.foreign_options(args)
        return options_of(cls, args, **more)
