"""``exactmatch align``: which variables correspond, and which triples differ."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import Any, TextIO, TypeAlias

from exactmatch.alignment.explain import Explanation, explain
from exactmatch.alignment.preferred import believed
from exactmatch.cli import options, settings
from exactmatch.cli.terminal import Terminal, note_omissions
from exactmatch.errors import InputError
from exactmatch.metrics import SEARCHING
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.report import pair_record
from exactmatch.report.align import stated, write_page
from exactmatch.scoring.results import PairResult, name_of
from exactmatch.scoring.run import open_files
from exactmatch.solvers.solution import Limits
from exactmatch.writing.data import write_json
from exactmatch.writing.files import delivered
from exactmatch.writing.visible import visible

Explain: TypeAlias = Callable[[AligningMetric[Any], PairResult], Explanation]


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options; those of the metrics that *arguments* name."""
    options.add_input(parser)
    options.add_measuring(parser, arguments, SEARCHING)
    options.add_output(parser, ("text", "json", "jsonl", "html"))


def run(args: argparse.Namespace) -> int:
    """Show how variables are aligned and which triples match, miss, or are extra.

    Of several optimal alignments the most plausible is shown: the one with most pairs
    that share words (where graphs are aligned with words), then most pairs of equal
    concepts. Pairs that other optimal alignments may lack are "not certain".

    Example:
      exactmatch align parsed.amr gold.amr
      exactmatch align parsed.amr gold.amr --format jsonl -o alignments.jsonl
      exactmatch align parsed.amr gold.amr --format html -o alignments.html
    """
    paths, _ = settings.sources_from(args)
    (metric, *others) = settings.aligning_from(args, settings.solver_from(args))
    if others:
        raise InputError("alignments are of one metric; name one with --metric")
    terminal = Terminal(args)
    chosen = settings.settings_from(args, keep_graphs=True, keep_problems=True)
    explained = partial(_explained, chosen.limits)
    with delivered(args.output) as stream:
        opened = open_files(paths, metric, chosen, terminal)
        with closing(opened.results("aligning")) as results:
            told = _told(results, terminal)
            if args.format == "html":
                write_page(stream, metric, told, explained, opened.report)
            else:
                _SHOW[args.format](stream, metric, told, explained)
    report = opened.report()
    exit_code = terminal.finish(report.proofs)
    note_omissions(args, report)
    return exit_code


def _told(results: Iterable[PairResult], terminal: Terminal) -> Iterator[PairResult]:
    """Pass results on, and say how each was found."""
    for result in results:
        terminal.pair(result)
        yield result


def _explained(
    limits: Limits, metric: AligningMetric[Any], result: PairResult
) -> Explanation:
    """The most plausible optimal alignment, and what it matches."""
    shown = believed(result.stated_problem, result.solved, metric.solver, limits)
    return explain(
        result.pred, result.gold, metric.profile, shown.alignment, shown.certain
    )


def _record(
    metric: AligningMetric[Any], result: PairResult, explained: Explain
) -> dict[str, Any]:
    return pair_record(result) | explained(metric, result).as_dict()


def _show_json(
    stream: TextIO,
    metric: AligningMetric[Any],
    results: Iterable[PairResult],
    explained: Explain,
) -> None:
    records = [_record(metric, result, explained) for result in results]
    write_json(stream, records, indent=2)


def _show_jsonl(
    stream: TextIO,
    metric: AligningMetric[Any],
    results: Iterable[PairResult],
    explained: Explain,
) -> None:
    for result in results:
        write_json(stream, _record(metric, result, explained))


def _show_text(
    stream: TextIO,
    metric: AligningMetric[Any],
    results: Iterable[PairResult],
    explained: Explain,
) -> None:
    for result in results:
        found = explained(metric, result)
        score = result.score
        name = visible(name_of(result.index, result.id))
        state = "optimal" if score.proven else f"at most {score.bound}"
        stream.write(
            f"{name}: {metric.title} {score.score:.4f}, matched {score.matched} "
            f"({state}) of {score.pred_total} predicted and {score.gold_total} "
            "reference triples\n"
        )
        _write_alignment(stream, found, score.proven)
        for title, triples in (
            ("matched", found.matched),
            ("missing", found.missing),
            ("extra", found.extra),
        ):
            for triple in triples:
                stream.write(f"  {title:<8} {visible(stated(triple))}\n")
        stream.write("\n")


def _write_alignment(stream: TextIO, found: Explanation, proven: bool | None) -> None:
    sides = [
        (_node(pair.pred, pair.pred_concept), _node(pair.gold, pair.gold_concept))
        for pair in found.aligned
    ]
    width = max((len(left) for left, _ in sides), default=0)
    for pair, (left, right) in zip(found.aligned, sides, strict=True):
        is_open = proven and not pair.certain and None not in (pair.pred, pair.gold)
        note = "  (not certain)" if is_open else ""
        stream.write(f"  {left.ljust(width)}  ↔  {right}{note}\n")


def _node(variable: str | None, concept: str | None) -> str:
    if variable is None:
        return "-"
    return visible(variable if concept is None else f"{variable} / {concept}")


_SHOW: dict[
    str, Callable[[TextIO, AligningMetric[Any], Iterable[PairResult], Explain], None]
] = {
    "text": _show_text,
    "json": _show_json,
    "jsonl": _show_jsonl,
}
