"""``exactmatch verify``: check certificates against the graphs themselves."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from exactmatch.base.errors import CertificationError, InputError
from exactmatch.base.files import atomic_output
from exactmatch.cli import options, settings
from exactmatch.cli.answer import write_answer
from exactmatch.cli.arguments import add_options
from exactmatch.metrics import ALIGNING, metric_class
from exactmatch.metrics.aligning import AligningMetric, aligning
from exactmatch.metrics.options import Solvers
from exactmatch.scoring.proofs import (
    Header,
    check_record,
    read_certificates,
    sha256_of,
)
from exactmatch.scoring.run import open_files
from exactmatch.scoring.settings import Settings
from exactmatch.solvers.certificate import CertificateError
from exactmatch.studies.score.verify import tables
from exactmatch.views.progress import progress
from exactmatch.views.tables import FORMATS


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options."""
    del arguments
    parser.add_argument(
        "certificates",
        metavar="CERTIFICATES",
        help="as written by exactmatch score --certificates",
    )
    options.add_input(parser, otherwise="those that the certificates name")
    add_options(parser.add_argument_group(Solvers.TITLE), Solvers, ("max_terms",))
    group = parser.add_argument_group("metrics")
    group.add_argument(
        "--metric",
        choices=ALIGNING,
        metavar="NAME",
        help="refuse certificates of another metric (default: what they say)",
    )
    options.add_metric_options(group, ALIGNING)
    options.add_output(parser, FORMATS, verbose=False)


def run(args: argparse.Namespace) -> int:
    """Check every pair's certificate: its alignment, its value and its bound.

    Each problem is rebuilt from the two files of graphs; the checker shares no
    code with any solver.  Exit code 1 if a certificate is rejected or missing.

    Example:
      exactmatch score parsed.amr gold.amr --certificates proofs.jsonl
      exactmatch verify proofs.jsonl
    """
    with atomic_output(args.output, short=True) as stream:
        counts, rejected, missing = _verified(args)
        write_answer(args, stream, tables(counts, rejected, missing))
    return 1 if rejected or missing else 0


def _verified(
    args: argparse.Namespace,
) -> tuple[dict[str, int], list[dict[str, Any]], list[int]]:
    """How many certificates hold, those that do not, and the pairs without one."""
    header, lines = read_certificates(args.certificates)
    metric = _metric(args, header)
    paths, is_sample = settings.sources_from(args)
    if is_sample:
        paths = header.graph_files(paths)
    else:
        _note_other_files(args, header, paths)
    if len(paths) != 2:
        raise InputError(
            f"{header.path} is about two files of graphs, not {len(paths)}; name "
            "predictions and references"
        )
    opened = open_files(paths, metric, _settings(args, header))
    (metric,) = map(aligning, opened.metrics)  # which has learned from the references
    by_index = {pair.index: pair for pair in opened.pairs()}
    counts = {"verified": 0, "optimal": 0}
    rejected: list[dict[str, Any]] = []
    exchanged = 0
    with progress("verifying", opened.total, args.quiet) as advance:
        for record in lines:
            advance()
            index = record.get("index")
            pair = by_index.pop(index, None) if type(index) is int else None
            read = opened.read(pair)[0] if pair is not None else None
            if read is None:
                reason = (
                    "there is no such pair, or another certificate before was about it"
                )
                rejected.append({"index": index, "reason": reason})
                continue
            pred, gold = map(metric.prepare, read.items)
            reason, optimal = _checked(metric, pred, gold, record)
            if reason:
                rejected.append({"index": index, "reason": reason})
                exchanged += not _checked(metric, gold, pred, record)[0]
            else:
                counts["verified"] += 1
                counts["optimal"] += optimal
    if rejected and exchanged == len(rejected):
        raise InputError(
            f"{args.certificates}: holds for the two files the other way round; name "
            f"{paths[1]} before {paths[0]}"
        )
    missing = sorted(i for i, pair in by_index.items() if opened.read(pair)[0])
    return counts, rejected, missing


def _note_other_files(
    args: argparse.Namespace, header: Header, paths: Sequence[str]
) -> None:
    """Say so where files are not those that the certificates were written for."""
    for path, (name, sha256) in zip(paths, header.files, strict=False):
        found = sha256 and sha256_of(path)
        if found and found != sha256:
            text = f"{path}: is not the file {name!r} that {header.path} is about"
            settings.note(args, f"{text}; its graphs are checked all the same")


def _metric(args: argparse.Namespace, header: Header) -> AligningMetric[Any]:
    """The metric that the file is about, with what is named here instead."""
    if args.metric not in (None, header.metric):
        raise InputError(
            f"{header.path}: holds certificates of {header.metric}, not "
            f"{args.metric}; leave "
            "--metric out"
        )
    given = settings.options_from(args, metric_class(header.metric))
    if args.max_terms is not None:
        given["max_terms"] = args.max_terms
    return header.remade_metric(**given)


def _settings(args: argparse.Namespace, header: Header) -> Settings:
    """How graphs are read and paired: as the file says, or this command."""
    said = header.pairing
    on_error = said.get("on_error", "fail")
    return Settings(
        format_in=args.format_in or said.get("format_in"),
        framework=args.framework or said.get("framework"),
        by_id=args.by_id or said.get("by_id", False),
        on_error=on_error if args.on_error in ("raise", "fail") else args.on_error,
        strict=args.strict or said.get("strict", False),
    )


def _checked(
    metric: AligningMetric[Any], pred: Any, gold: Any, record: dict[str, Any]
) -> tuple[str, bool]:
    """Why a line is rejected, if it is, and whether it proves its value optimal."""
    try:
        return "", check_record(metric.state(pred, gold), record)
    except (CertificateError, CertificationError) as error:
        return str(error), False
