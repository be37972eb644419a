"""``exactmatch explain-profile``: what each choice of what counts does."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from typing import Any

from exactmatch.cli import options, settings
from exactmatch.cli.scoring import ProofCounts
from exactmatch.errors import GraphError
from exactmatch.graphs.profile import PROFILES, Profile
from exactmatch.metrics.smatch import Smatch
from exactmatch.reading.blocks import Block
from exactmatch.reading.pairs import Pairer, checked_counts, sources
from exactmatch.reading.smatch import read_smatch
from exactmatch.scoring.evaluation import Evaluation
from exactmatch.scoring.parallel import mapped
from exactmatch.solvers.base import Solver
from exactmatch.writing.data import write_json
from exactmatch.writing.numbers import fixed
from exactmatch.writing.progress import progress
from exactmatch.writing.visible import visible

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
    options.add_solving(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("-q", "--quiet", action="store_true", help="results only")


def run(args: argparse.Namespace) -> int:
    """Say how much each difference between profiles moves the Smatch score.

    The first row is the smatch profile; each further row changes one thing, and
    the last three are other profiles: clean, and what SMATCH++ counts, generic and
    for AMR.  Below stands what smatch's reader lost.

    Example:
      exactmatch explain-profile parsed.amr gold.amr
    """
    settings.quiet_penman()
    paths, _ = settings.sources_from(args)
    checked_counts(paths, args.by_id)
    base = PROFILES["smatch"]
    profiles = [("smatch", base)]
    profiles += [(flag, base.with_options(**change)) for flag, change in VARIATIONS]
    profiles += [(name, PROFILES[name]) for name in OTHERS]
    solver = settings.solver_from(args)
    proofs = ProofCounts()
    scored = partial(_row, paths=paths, solver=solver, args=args)
    rows = []
    given = mapped(scored, profiles, args.jobs)
    with progress("scoring", len(profiles), args.quiet) as advance, closing(given):
        for row, counted in given:
            rows.append(row)
            proofs.add(counted)
            advance()
    for row in rows:
        if row["f1"] is not None and rows[0]["f1"] is not None:
            row["change"] = row["f1"] - rows[0]["f1"]
    remarks = _remarks(paths)
    if args.format == "json":
        write_json(sys.stdout, {"rows": rows, "remarks": remarks}, indent=2)
    else:
        _print(rows, remarks)
    return proofs.finish(args)


def _row(
    profile: tuple[str, Profile],
    paths: list[str],
    solver: Solver,
    args: argparse.Namespace,
) -> tuple[dict[str, Any], ProofCounts]:
    """Score everything under one profile; a failure is part of the answer."""
    name, counting = profile
    proofs = ProofCounts()
    metric = Smatch(counting, solver, args.max_terms)
    evaluation = Evaluation(
        [metric],
        settings.limits_from(args),
        args.on_error,
        args.strict,
        check_proofs=args.certify,
    )
    pairer = Pairer(args.by_id, args.on_error, args.strict)
    streams = sources(paths)
    row: dict[str, Any] = {"profile": name, "f1": None, "change": None, "error": None}
    try:
        for result in evaluation.results(pairer.pairs(streams[0], streams[1:])):
            proofs.take(result)
    except GraphError as error:
        if name == "smatch":
            raise
        row["error"] = str(error)
        return row, proofs
    score = evaluation.report().scores[0].score
    row |= {"precision": score.precision, "recall": score.recall, "f1": score.f1}
    row |= {"pred_total": score.pred_total, "gold_total": score.gold_total}
    return row, proofs


def _remarks(paths: list[str]) -> dict[str, int]:
    """In how many graphs smatch's reader lost or tolerated something."""
    counts: Counter[str] = Counter()
    for stream in sources(paths):
        for block in stream:
            counts.update(_losses(block))
    return dict(counts)


def _losses(block: Block) -> tuple[str, ...]:
    if not block.content:
        return ("has comments but no graph",)
    try:
        reading = read_smatch(block)
    except GraphError:
        return ("cannot be read",)
    return tuple(f"has {what}" for what, _ in reading.dropped) + reading.lenient


def _print(rows: list[dict[str, Any]], remarks: dict[str, int]) -> None:
    width = max(len(row["profile"]) for row in rows)
    print(f"{'profile':<{width}}  precision  recall      F1   change")
    for row in rows:
        if row["error"]:
            print(f"{row['profile']:<{width}}  {visible(row['error'])}")
            continue
        print(
            f"{row['profile']:<{width}}     {fixed(row['precision'], 4)}  "
            f"{fixed(row['recall'], 4)}  {fixed(row['f1'], 4)}  "
            f"{fixed(row['change'], 4, signed=True)}"
        )
    if remarks:
        print("\nwhat smatch's reader met:")
    for reason, count in sorted(remarks.items(), key=lambda item: -item[1]):
        print(f"  {count} graph{'s' if count > 1 else ''}: {visible(reason)}")
