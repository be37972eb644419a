"""``exactmatch align``: which variables correspond, and which triples differ."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from typing import Any, TextIO

from exactmatch import options
from exactmatch.corpus import Pairer, checked_counts, sources
from exactmatch.evaluation import Evaluation, PairResult
from exactmatch.explain import Explanation, explain
from exactmatch.graph import Triple
from exactmatch.metrics.smatch import AlignmentMetric
from exactmatch.output import delivered
from exactmatch.report import pair_record

_SEARCHING = ("smatch", "s2match")


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options; those of the metrics that *arguments* name."""
    options.add_input(parser)
    options.add_metrics(parser, arguments, _SEARCHING)
    options.add_profile(parser)
    options.add_solving(parser)
    options.add_output(parser, ("text", "json", "jsonl"))


def run(args: argparse.Namespace) -> int:
    """Show how variables are aligned and which triples match, miss, or are extra.

    Example:
      exactmatch align parsed.amr gold.amr
      exactmatch align parsed.amr gold.amr --format jsonl -o alignments.jsonl
    """
    options.quiet_penman()
    paths, _ = options.sources_from(args)
    metric = options.metrics_from(args, options.solver_from(args))[0]
    assert isinstance(metric, AlignmentMetric)
    evaluation = Evaluation(
        [metric],
        options.limits_from(args),
        args.on_error,
        args.strict,
        keep_graphs=True,
        warn=lambda _kind, text: options.note(args, f"warning: {text}"),
    )
    keep_bare = metric.counting.keeps_bare
    pairer = Pairer(args.by_id, args.on_error, args.strict, keep_bare, evaluation.warn)
    checked_counts(paths, args.by_id, keep_bare)
    streams = sources(paths)
    with delivered(args.output) as stream:
        results = evaluation.results(pairer.pairs(streams[0], streams[1:]))
        show = _SHOW[args.format]
        proven = show(stream, metric, results)
    for omission in (*pairer.omitted, *evaluation.omitted):
        options.note(args, f"{omission.action}: {omission.reason}")
    return 1 if args.require_optimal and not proven else 0


def _explained(metric: AlignmentMetric, result: PairResult) -> Explanation:
    assert result.solution is not None
    pred, gold = (metric.coded(g).graph for g in (result.pred, result.gold))
    return explain(pred, gold, metric.counting, result.solution.alignment)


def _record(metric: AlignmentMetric, result: PairResult) -> dict[str, Any]:
    return pair_record(result) | _explained(metric, result).as_dict()


def _show_json(
    stream: TextIO, metric: AlignmentMetric, results: Iterable[PairResult]
) -> bool:
    found = list(results)
    records = [_record(metric, result) for result in found]
    json.dump(records, stream, ensure_ascii=False, indent=2)
    stream.write("\n")
    return all(result.score.proven for result in found)


def _show_jsonl(
    stream: TextIO, metric: AlignmentMetric, results: Iterable[PairResult]
) -> bool:
    proven = True
    for result in results:
        json.dump(_record(metric, result), stream, ensure_ascii=False)
        stream.write("\n")
        proven &= bool(result.score.proven)
    return proven


def _show_text(
    stream: TextIO, metric: AlignmentMetric, results: Iterable[PairResult]
) -> bool:
    proven = True
    for result in results:
        proven &= bool(result.score.proven)
        found = _explained(metric, result)
        score = result.score
        name = f"pair {result.index}" + (f" ({result.id})" if result.id else "")
        state = "optimal" if score.proven else f"at most {score.bound}"
        stream.write(
            f"{name}: {metric.title} {score.score:.4f}, matched {score.matched} "
            f"({state}) of {score.pred_total} predicted and {score.gold_total} "
            "reference triples\n"
        )
        _write_alignment(stream, found)
        for title, triples in (
            ("matched", found.matched),
            ("missing", found.missing),
            ("extra", found.extra),
        ):
            for triple in triples:
                stream.write(f"  {title:<8} {_shown(triple)}\n")
        stream.write("\n")
    return proven


def _write_alignment(stream: TextIO, found: Explanation) -> None:
    sides = [
        (_node(pair.pred, pair.pred_concept), _node(pair.gold, pair.gold_concept))
        for pair in found.aligned
    ]
    width = max((len(left) for left, _ in sides), default=0)
    for left, right in sides:
        stream.write(f"  {left.ljust(width)}  ↔  {right}\n")


def _node(variable: str | None, concept: str | None) -> str:
    if variable is None:
        return "-"
    return variable if concept is None else f"{variable} / {concept}"


def _shown(triple: Triple) -> str:
    return f"({triple.source} :{triple.role} {triple.target})"


_SHOW = {"text": _show_text, "json": _show_json, "jsonl": _show_jsonl}
