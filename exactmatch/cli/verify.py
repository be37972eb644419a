"""``exactmatch verify``: check certificates against the graphs themselves."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from exactmatch.cli import options, settings
from exactmatch.errors import CertificationError, InputError
from exactmatch.metrics import SEARCHING, metric_class
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.reading.pairs import Pairer, checked_counts, sources
from exactmatch.scoring.evaluation import Evaluation
from exactmatch.scoring.proofs import (
    check_record,
    counting_signature,
    profile_of,
    read_certificates,
)
from exactmatch.solvers.certificate import CertificateError
from exactmatch.writing.data import write_json
from exactmatch.writing.progress import progress
from exactmatch.writing.visible import visible


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options."""
    del arguments
    parser.add_argument(
        "certificates",
        metavar="CERTIFICATES",
        help="as written by exactmatch score --certificates",
    )
    options.add_input(parser)
    group = parser.add_argument_group("metrics")
    group.add_argument(
        "--metric",
        choices=SEARCHING,
        help="refuse certificates of another metric (default: what they say)",
    )
    options.add_metric_options(group, SEARCHING)
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("-q", "--quiet", action="store_true", help="results only")


def run(args: argparse.Namespace) -> int:
    """Check every pair's certificate: its alignment, its value and its bound.

    Each problem is rebuilt from the two files of graphs; the checker shares no
    code with any solver.  Exit code 1 if a certificate is rejected or missing.

    Example:
      exactmatch score parsed.amr gold.amr --certificates proofs.jsonl
      exactmatch verify proofs.jsonl parsed.amr gold.amr
    """
    settings.quiet_penman()
    header, lines = read_certificates(args.certificates)
    metric = _metric(args, header)
    paths, _ = settings.sources_from(args)
    keep_bare = metric.keeps_bare
    checked_counts(paths, args.by_id, keep_bare)
    streams = sources(paths)
    pairer = Pairer(args.by_id, args.on_error, args.strict, keep_bare)
    by_index = {p.index: p for p in pairer.pairs(streams[0], streams[1:])}
    reading = Evaluation([metric], on_error=args.on_error, strict=args.strict)
    counts = {"verified": 0, "optimal": 0}
    rejected: list[dict[str, Any]] = []
    with progress("verifying", len(by_index), args.quiet) as advance:
        for record in lines:
            advance()
            index = record.get("index", -1)
            read = reading.read(by_index.pop(index)) if index in by_index else None
            if read is None:
                reason = "there is no such pair, or not once more"
                rejected.append({"index": record.get("index"), "reason": reason})
                continue
            (graphs,), _ = read
            try:
                stated = metric.state(*map(metric.prepare, graphs))
                optimal = check_record(stated, record)
            except (CertificateError, CertificationError) as error:
                rejected.append({"index": index, "reason": str(error)})
            else:
                counts["verified"] += 1
                counts["optimal"] += optimal
    missing = sorted(i for i, pair in by_index.items() if reading.read(pair))
    _report(args, counts, rejected, missing)
    return 1 if rejected or missing else 0


def _metric(args: argparse.Namespace, header: dict[str, Any]) -> AligningMetric[Any]:
    """The metric that the file is about, with the resources named here."""
    name = str(header.get("metric"))
    if args.metric not in (None, name):
        raise InputError(f"{args.certificates}: is about {name}, not {args.metric}")
    cls = metric_class(name)
    keywords = {
        option.name: value
        for option in cls.options
        if (value := getattr(args, option.name, None)) not in (None, False)
    }
    if not issubclass(cls, AligningMetric):
        raise InputError(f"{args.certificates}:1: metric {name!r} has no certificates")
    profile = profile_of(header, args.certificates)
    metric = cls(profile, max_terms=args.max_terms, **keywords)
    if counting_signature(metric) != header.get("counting"):
        raise InputError(
            f"{args.certificates}: is about {header.get('counting')!r}, not "
            f"{counting_signature(metric)!r}; name the same options"
        )
    return metric


def _report(
    args: argparse.Namespace,
    counts: dict[str, int],
    rejected: list[dict[str, Any]],
    missing: list[int],
) -> None:
    if args.format == "json":
        write_json(sys.stdout, {**counts, "rejected": rejected, "missing": missing})
        return
    print(f"{counts['verified']} verified, {counts['optimal']} of them optimal")
    for record in rejected:
        reason = f"pair {record['index']}: {record['reason']}"
        print(f"rejected: {visible(reason)}")
    for index in missing:
        print(f"missing: pair {index} has no certificate")
