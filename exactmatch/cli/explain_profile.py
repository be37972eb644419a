"""``exactmatch explain-profile``: what each choice of what counts does."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

from exactmatch.cli import options, settings
from exactmatch.cli.answer import write_answer
from exactmatch.cli.terminal import Terminal, evaluated
from exactmatch.errors import GraphError, InputError
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics.base import Metric
from exactmatch.metrics.smatch import Smatch
from exactmatch.reading import read_block
from exactmatch.reading.blocks import Block
from exactmatch.reading.files import is_read_once
from exactmatch.reading.pairs import sources
from exactmatch.report.explain_profile import PairScores, tables, with_pairs
from exactmatch.scoring.counts import ProofCounts
from exactmatch.scoring.records import corpus_record
from exactmatch.scoring.results import PairResult
from exactmatch.writing.files import atomic_output
from exactmatch.writing.tables import FORMATS

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
    for AMR.  A profile that cannot read the files says so in its row.  Below stands
    what smatch's reader lost.

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
    scores: PairScores = {}
    by_name, proofs = _rows(args, metrics, paths, terminal, scores)
    ordered = [by_name[metric.name] for metric in metrics]
    if all(row["error"] for row in ordered):
        raise InputError(ordered[0]["error"])
    for row in ordered:
        if row["f1"] is not None and ordered[0]["f1"] is not None:
            row["change"] = row["f1"] - ordered[0]["f1"]
    return ordered, scores, _remarks(paths, args), terminal.finish(proofs)


def _rows(
    args: argparse.Namespace,
    metrics: Sequence[Metric],
    paths: Sequence[str],
    terminal: Terminal,
    scores: PairScores,
) -> tuple[dict[str, dict[str, Any]], ProofCounts]:
    """Score everything under some profiles; a failure is part of the answer.

    The F1 of every pair is put into *scores*, where pairs are to be shown.
    """
    row: dict[str, Any] = {"f1": None, "change": None, "error": None}
    fails = args.on_error == "fail"
    on_error = "skip" if fails else args.on_error  # so that one fails, and not all
    try:
        report = evaluated(
            args,
            metrics,
            paths,
            terminal,
            take=[partial(_keep, scores)] if args.per_pair else (),
            on_error=on_error,
        )
    except InputError as error:
        names = [metric.name for metric in metrics]
        failed = row | {"error": str(error)}
        return {name: {"profile": name, **failed} for name in names}, ProofCounts()
    found = {}
    for corpus in report.scores:
        name, score = corpus.metric, corpus.score
        reasons = [o.reason for o in report.omitted if o.concerns(name)]
        found[name] = {"profile": name, **row}
        if reasons and fails:
            found[name]["error"] = reasons[0]
        elif not corpus.pairs:
            found[name]["error"] = "; ".join(["no pair could be scored", *reasons[:1]])
        else:
            ratios = corpus_record(corpus, args.macro)
            found[name] |= {
                "precision": ratios["precision"],
                "recall": ratios["recall"],
                "f1": ratios["f1"],
                "pred_total": score.pred_total,
                "gold_total": score.gold_total,
            }
    return found, report.proofs


def _keep(scores: PairScores, result: PairResult) -> None:
    """Keep a pair's F1 under a profile."""
    of_pair = scores.setdefault((result.index, result.id), {})
    of_pair[result.metric] = result.score.score


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
