"""``exactmatch finegrained``: how well single aspects of the graphs are matched."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Iterable, Sequence
from typing import Any

from exactmatch.cli import options, settings
from exactmatch.cli.terminal import Terminal, evaluated, note_omissions
from exactmatch.errors import InputError
from exactmatch.metrics.base import Metric
from exactmatch.report import RENDERERS, Renderer, corpus_record, pair_record
from exactmatch.scoring.results import PairResult, Report, name_of
from exactmatch.solvers.base import Solver
from exactmatch.writing.files import delivered
from exactmatch.writing.numbers import fixed
from exactmatch.writing.tables import Column, Sheet, Table, write_sheet


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options."""
    del arguments
    options.add_input(parser)
    group = parser.add_argument_group("scores")
    group.add_argument(
        "--style",
        choices=("exact", "amrlib", "damonte"),
        default="exact",
        help="what the scores mean in detail: as penman reads AMR (default), or as "
        "amrlib or Damonte's tool would score with the best alignments",
    )
    group.add_argument(
        "--aspects",
        nargs="?",
        choices=("realign", "main"),
        const="realign",
        help="score agents, places, times and so on instead: each aligned anew "
        "(realign), or read off the alignment of the whole graphs (main), with the "
        "range over all its optima",
    )
    group.add_argument(
        "--only",
        metavar="NAME[,NAME…]",
        help="these scores alone; names as in --format json",
    )
    options.add_solving(parser)
    options.add_output(parser, tuple(RENDERERS))
    group = parser.add_argument_group("what is shown")
    group.add_argument("--per-pair", action="store_true", help="show every pair")
    group.add_argument(
        "--macro", action="store_true", help="average over pairs instead of summing"
    )
    group.add_argument(
        "--significant",
        type=options.natural_int,
        default=4,
        metavar="N",
        help="decimals in text, LaTeX and HTML (default: 4)",
    )


def run(args: argparse.Namespace) -> int:
    """Score single aspects: frames, names, negation, re-entrancies, agents, places.

    Where a score needs an alignment, it is the best one, proven.

    Example:
      exactmatch finegrained parsed.amr gold.amr
      exactmatch finegrained parsed.amr gold.amr --style amrlib --format csv
      exactmatch finegrained parsed.amr gold.amr --only negation,srl --per-pair
      exactmatch finegrained parsed.amr gold.amr --aspects main
    """
    paths, _ = settings.sources_from(args)
    metrics = _metrics(args, settings.solver_from(args))
    if len(paths) != 2:
        raise InputError(f"{len(paths)} files are named; one gold file is compared")
    terminal = Terminal(args)
    with delivered(args.output) as stream:
        renderer = _renderer(args, stream, metrics)
        report = evaluated(
            args,
            metrics,
            paths,
            terminal,
            take=[renderer.pair],
            keep_pairs=False,
            partial=True,
        )
        renderer.finish(report)
    exit_code = terminal.finish(report.proofs)
    if args.format != "text":
        note_omissions(args, report)
    if report.partial:
        settings.note(args, "interrupted; what is shown is partial")
        return 130
    return exit_code


def _metrics(args: argparse.Namespace, solver: Solver) -> list[Metric]:
    """The scores that the arguments ask for."""
    if args.aspects:
        from exactmatch.metrics.finegrained.aspects import aspects

        if args.style != "exact":
            raise InputError(f"style {args.style!r} knows no aspects; leave it out")
        every = aspects(args.aspects, solver, args.max_terms)
    else:
        from exactmatch.metrics.finegrained.scores import finegrained

        every = finegrained(args.style, solver, args.max_terms)
    if args.only is None:
        return every
    known = {metric.name: metric for metric in every}
    names = args.only.split(",")
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1, 0.5)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise InputError(
                f"--only names the unknown score {name!r}{hint} "
                f"(known: {', '.join(known)})"
            )
    return [metric for metric in every if metric.name in names]


def _renderer(
    args: argparse.Namespace, stream: Any, metrics: Iterable[Metric]
) -> Renderer:
    if args.format not in ("text", "html"):
        renderer = RENDERERS[args.format]
        return renderer(stream, args.per_pair, args.macro, args.significant)
    titles = {metric.name: metric.title for metric in metrics}
    given = (stream, args.per_pair, args.macro, args.significant)
    return _Scores(*given, titles=titles, form=args.format)


class _Scores(Renderer):
    """One table with a row for each score; one more for each pair, if asked for."""

    def __init__(
        self, *args: Any, titles: dict[str, str], form: str, **options: Any
    ) -> None:
        super().__init__(*args, **options)
        self._titles = titles
        self._form = form
        self._pairs: dict[str, list[dict[str, Any]]] = {}

    def pair(self, result: PairResult) -> None:
        """Keep a pair's score for its table."""
        if self.per_pair:
            name = name_of(result.index, result.id)
            self._pairs.setdefault(name, []).append(pair_record(result))

    def finish(self, report: Report) -> None:
        """Write the tables, what is not proven, and what was left out."""
        records = [corpus_record(score, self.macro) for score in report.scores]
        tables = [self._table(name, rows) for name, rows in self._pairs.items()]
        tables.append(self._table(_counted(report), records))
        notes = _notes(report, self._titles)
        signed = _signatures(report)
        sheet = Sheet(tuple(tables), {}, notes, signed, title="Fine-grained scores")
        write_sheet(self.stream, sheet, self._form)

    def _table(self, title: str, records: list[dict[str, Any]]) -> Table:
        columns = (
            Column("metric", "score", lambda name: self._titles[name]),
            *(Column(key, key.removesuffix("_total"), _count) for key in _COUNTS),
            *(Column(f"shown_{k}", k, str) for k in ("precision", "recall", "f1")),
        )
        return Table(title, columns, [self._row(record) for record in records])

    def _row(self, record: dict[str, Any]) -> dict[str, Any]:
        """A record with its ratios as text, intervals where they are open."""
        shown = {
            f"shown_{key}": self._interval(record[key], record.get(f"{key}_upper"))
            for key in ("precision", "recall", "f1")
        }
        if not record["pred_total"] and not record["gold_total"]:
            shown = dict.fromkeys(shown, "-")
        return record | shown

    def _interval(self, low: float | None, high: float | None) -> str:
        text = fixed(low, self.digits)
        if high is None or high == low:
            return text
        return f"{text}..{fixed(high, self.digits)}"


_COUNTS = ("matched", "pred_total", "gold_total")


def _count(number: float | None) -> str:
    return "-" if number is None else f"{number:g}"


def _counted(report: Report) -> str:
    pairs = report.scores[0].pairs if report.scores else 0
    return f"{pairs} pair{'' if pairs == 1 else 's'}"


def _notes(report: Report, titles: dict[str, str]) -> tuple[str, ...]:
    """Which scores are open, what was left out, whether the end was reached."""
    notes = []
    open_pairs = {
        titles[score.metric]: score.pairs - score.proven
        for score in report.scores
        if score.proven is not None and score.proven < score.pairs
    }
    if open_pairs:
        counted = ", ".join(f"{title} {n}" for title, n in open_pairs.items())
        notes.append(
            "intervals where an alignment is not proven, or where optimal ones "
            f"differ; pairs: {counted}"
        )
    elif any(score.proven is not None for score in report.scores):
        notes.append("every alignment proven optimal")
    if report.partial:
        notes.append("PARTIAL: interrupted before the end")
    notes += map(str, report.omitted)
    return tuple(notes)


def _signatures(report: Report) -> tuple[str, ...]:
    """The signatures, one for all scores that differ in name and proofs alone."""
    texts = []
    for score in report.scores:
        fields = score.signature.split("|")
        kept = [f for f in fields if not f.startswith(("metric:", "proven:"))]
        texts.append("|".join(kept))
    return tuple(dict.fromkeys(texts))
