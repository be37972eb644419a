"""``exactmatch explain-profile``: what each choice of what counts does."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial, reduce
from typing import Any, TypeAlias

from exactmatch.base.errors import GraphError, InputError
from exactmatch.base.files import atomic_output
from exactmatch.cli import options, settings
from exactmatch.cli.answer import write_answer
from exactmatch.cli.terminal import Terminal, evaluated
from exactmatch.formats.blocks import Block
from exactmatch.formats.files import is_read_once
from exactmatch.formats.pairs import sources
from exactmatch.formats.readings import read_block
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics.base import Metric, Statistics, add
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.results import PairResult, ProofCounts
from exactmatch.studies.score.explain_profile import (
    RATIOS,
    PairScores,
    tables,
    with_pairs,
)
from exactmatch.views.tables import FORMATS

Pair: TypeAlias = tuple[int, str | None]
"""A pair by its place among all references, and its id."""

Kept: TypeAlias = dict[str, dict[Pair, Statistics]]
"""What each profile counts of each pair that it can read."""

VARIATIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("--duplicates multiset", {"duplicates": "multiset"}),
    ("--duplicates set", {"duplicates": "set"}),
    ("--top concept", {"top": "concept"}),
    ("--top none", {"top": "none"}),
    ("--no-wiki", {"wiki": False}),
    ("--no-sense", {"sense": False}),
    ("--strip-alignments", {"strip_alignments": True}),
    ("--reify", {"reification": "reify"}),
    ("--dereify", {"reification": "dereify"}),
)
"""One option at a time, and what it changes in a profile."""

OTHERS = ("clean", "smatchpp-generic", "smatchpp")
"""Profiles that differ from smatch in more than one thing."""


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options."""
    del arguments
    options.add_input(parser)
    options.add_solving(parser, cache=True)
    group = parser.add_argument_group("what is shown")
    group.add_argument(
        "--per-pair", action="store_true", help="show what it does to every pair"
    )
    group.add_argument(
        "--macro", action="store_true", help="average over pairs instead of summing"
    )
    options.add_output(parser, FORMATS, verbose=False)


def run(args: argparse.Namespace) -> int:
    """Say how much each difference between profiles moves the Smatch score.

    The first row is the smatch profile; each further row changes one thing, and
    the last three are other profiles: clean, and what SMATCH++ counts, generic and
    for AMR.  A profile that cannot read the files says so in its row; a change is
    over the pairs that both profiles read.  Below stands what smatch's reader lost.

    Example:
      exactmatch explain-profile parsed.amr gold.amr
      exactmatch explain-profile parsed.amr gold.amr --per-pair
    """
    with atomic_output(args.output, short=not args.per_pair) as stream:
        rows, scores, remarks, code = _answers(args)
        answer = tables(rows, remarks, args.macro)
        if args.per_pair:
            profiles = [row["profile"] for row in rows]
            answer = with_pairs(answer, profiles, scores)
        write_answer(args, stream, answer)
    return code


def _answers(
    args: argparse.Namespace,
) -> tuple[list[dict[str, Any]], PairScores, dict[str, int], int]:
    """A row for each profile, pairs, what smatch's reader lost, and the exit code."""
    paths, _ = settings.sources_from(args)
    if any(map(is_read_once, paths)):
        raise InputError(
            "explain-profile reads the files once for each profile; name a file "
            "instead of standard input"
        )
    terminal = Terminal(args, warns=False)
    base = PROFILES["smatch"]
    profiles = [("smatch", base)]
    profiles += [(flag, base.with_options(**change)) for flag, change in VARIATIONS]
    profiles += [(name, PROFILES[name]) for name in OTHERS]
    solver = settings.solver_from(args)
    metrics = [
        Smatch(profile, solver, args.max_terms).named(name)
        for name, profile in profiles
    ]
    kept: Kept = {metric.name: {} for metric in metrics}
    by_name, proofs = _rows(args, metrics, paths, terminal, partial(_keep, kept))
    ordered = [by_name[metric.name] for metric in metrics]
    if all(row["error"] for row in ordered):
        raise InputError(ordered[0]["error"])
    _count(metrics, ordered, kept, args)
    scores: PairScores = {}
    for metric in metrics:
        for pair, statistics in kept[metric.name].items():
            f1 = metric.scores(statistics).score
            scores.setdefault(pair, {})[metric.name] = f1
    return ordered, scores, _remarks(paths, args), terminal.finish(proofs)


def _rows(
    args: argparse.Namespace,
    metrics: Sequence[Metric],
    paths: Sequence[str],
    terminal: Terminal,
    take: Callable[[PairResult], None],
) -> tuple[dict[str, dict[str, Any]], ProofCounts]:
    """Score everything under some profiles; a failure is part of the answer."""
    fails = args.on_error in ("raise", "fail")
    on_error = "skip" if fails else args.on_error  # so that one fails, and not all
    found = {m.name: {"profile": m.name, "error": None} for m in metrics}
    try:
        report = evaluated(
            args, metrics, paths, terminal, take=[take], on_error=on_error
        )
    except InputError as error:
        for row in found.values():
            row["error"] = str(error)
        return found, ProofCounts()
    for corpus in report.scores:
        name = corpus.metric
        reasons = [o.reason for o in report.omitted if o.concerns(name)]
        if reasons and fails:
            found[name]["error"] = reasons[0]
        elif not corpus.pairs:
            found[name]["error"] = "; ".join(["no pair could be scored", *reasons[:1]])
    return found, report.proofs


def _keep(kept: Kept, result: PairResult) -> None:
    """Keep what a profile counts of a pair."""
    kept[result.metric][result.index, result.id] = result.statistics


def _count(
    metrics: Sequence[Metric],
    rows: Sequence[dict[str, Any]],
    kept: Kept,
    args: argparse.Namespace,
) -> None:
    """Put scores into the rows, and changes over the pairs that both profiles have."""
    scored = [kept[row["profile"]].keys() for row in rows if not row["error"]]
    if args.common:
        common = set[Pair].intersection(*map(set, scored))
        for name, found in kept.items():
            kept[name] = {pair: found[pair] for pair in found if pair in common}
    base = kept[rows[0]["profile"]] if not rows[0]["error"] else {}
    for metric, row in zip(metrics, rows, strict=True):
        row |= {"f1": None, "change": None}
        own = kept[metric.name]
        if row["error"] or not own:
            row |= {"pairs": 0, "pairs_compared": 0}
            continue
        score = metric.scores(reduce(add, own.values()))
        row |= {"pred_total": score.pred_total, "gold_total": score.gold_total}
        row |= _ratios(metric, own.values(), args.macro) | {"pairs": len(own)}
        shared = [pair for pair in own if pair in base]
        row["pairs_compared"] = len(shared)
        if shared:
            ours, theirs = (
                _ratios(which, [of[pair] for pair in shared], args.macro)["f1"]
                for which, of in ((metric, own), (metrics[0], base))
            )
            row["change"] = ours - theirs


def _ratios(
    metric: Metric, pairs: Iterable[Statistics], macro: bool
) -> dict[str, float]:
    """Precision, recall, F1 and the most that each can be, of sums or on average."""
    sums = list(pairs) if macro else [reduce(add, pairs)]
    scores = [metric.scores(found) for found in sums]
    rows = [
        (s.precision, s.recall, s.f1, *(s.upper() or (s.precision, s.recall, s.f1)))
        for s in scores
    ]
    columns = zip(*rows, strict=True)
    means = (sum(column) / len(rows) for column in columns)
    return dict(zip(RATIOS, means, strict=True))


def _remarks(paths: list[str], args: argparse.Namespace) -> dict[str, int]:
    """In how many graphs smatch's reader lost or tolerated something."""
    counts: Counter[str] = Counter()
    for stream in sources(paths, False, args.format_in, args.framework):
        for block in stream:
            counts.update(_losses(block))
    return dict(counts)


def _losses(block: Block) -> tuple[str, ...]:
    if not block.content:
        return ("has no graph",)
    try:
        reading = read_block(block, PROFILES["smatch"])
    except GraphError:
        return ("cannot be read",)
    return tuple(f"has {what}" for what, _ in reading.dropped) + reading.lenient
