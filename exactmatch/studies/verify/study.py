"""Check certificates against the graphs themselves."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from exactmatch.base import values
from exactmatch.base.errors import CertificationError, InputError
from exactmatch.base.inputs import sha256_of
from exactmatch.base.numbers import from_one, several
from exactmatch.base.options import Options, function, option, optional, redeclared
from exactmatch.formats.formats import is_document
from exactmatch.metrics import ALIGNING, metric_class
from exactmatch.metrics.aligning import AligningMetric, aligning
from exactmatch.metrics.options import Metrics, Solvers
from exactmatch.scoring.options import Reading, Working
from exactmatch.scoring.proofs import PAIRING, Header, check_record, read_certificates
from exactmatch.scoring.reporter import SILENCE, Reporter
from exactmatch.scoring.run import Run
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.sources import File, paths_of
from exactmatch.solvers.certificate import CertificateError
from exactmatch.studies.answer import Answer
from exactmatch.studies.command import Command
from exactmatch.studies.options import Graphs, Pairs
from exactmatch.studies.pairs import SAMPLE, sources_of
from exactmatch.views.tables import Column, Row, Table, Tables

if TYPE_CHECKING:
    from exactmatch.studies.verify.folder import ProofFolder


class Certificates(Options):
    """A file of certificates."""

    certificates: str | os.PathLike[str] = option(
        "a file, as written by exactmatch score --certificates, or a folder, by "
        "--proofs",
        read=values.path,
        operand="CERTIFICATES",
        kw_only=False,
    )


class Checkers(Options):
    """Options of the program that checks a folder of proofs besides us."""

    TITLE = "checking a folder"

    checker: str | None = optional(
        "for a folder: also check each proof by another program, such as veripb",
        flags=("--with",),
        metavar="PROGRAM",
    )
    jobs: int = redeclared(Working, "jobs", about="how many of them run at once")


class VerifyOptions(Reading, Metrics, Pairs, Checkers, Certificates):
    """The certificates, and the graphs that they are about."""

    TITLE = "metrics"

    preds: Graphs | None = option(  # type: ignore[assignment]  # none by default
        "the predicted graphs (default: those that the certificates name)",
        default=None,
        flags=(),
        kw_only=False,
    )
    golds: Graphs | None = option(default=None, kw_only=False)  # type: ignore[assignment]  # none by default
    metric: str | None = optional(
        "refuse certificates of another metric (default: accept the one that they "
        "name)",
        choices=ALIGNING,
        metavar="NAME",
    )
    max_terms: int | None = redeclared(Solvers, "max_terms")


COMMAND = Command(
    """Check every pair's certificate: its alignment, its value and its bound.

Each problem is rebuilt from the two files of graphs; the checker shares no
code with any solver.  Exit code 1 if a certificate is rejected or missing.

A folder of proofs is checked as a whole: its problems are those of the graphs,
its proofs claim what the certificates prove, and its score follows from them.

Example:
  exactmatch score parsed.amr gold.amr --certificates proofs.jsonl
  exactmatch verify proofs.jsonl
  exactmatch score parsed.amr gold.amr --proofs proofs --proof-version 1.2
  exactmatch verify proofs --with veripb -j 2""",
    VerifyOptions,
    "exactmatch.studies.verify.study:study",
    metrics=ALIGNING,
    references=True,
    otherwise="those that the certificates name",
    is_verbose=False,
)


class Rejection(NamedTuple):
    """A certificate that does not hold, and why."""

    index: Any  # the number of its pair, as the certificate says
    reason: str


@dataclass(frozen=True, eq=False, repr=False)
class Verification(Answer):
    """The outcome of checking certificates.

    Attributes:
        verified: how many hold.
        optimal: how many of them prove an optimum.
        rejected: those that do not hold.
        missing: the numbers of the pairs that have none.
        faults: what is wrong with a folder of proofs as a whole.
        f1: of a folder, the F1 of all pairs as the proofs have it.
        accepted: how many proofs another program has accepted, if one was asked.

    >>> import exactmatch.studies
    >>> exactmatch.studies.Verification(2, 1, rejected=[], missing=[])
    2 verified, 1 of them optimal
    """

    verified: int
    optimal: int
    rejected: Sequence[Rejection]
    missing: Sequence[int]
    faults: Sequence[str] = ()
    f1: float | None = None
    accepted: int | None = None

    @property
    def exit_code(self) -> int:
        return 1 if self.rejected or self.missing or self.faults else 0

    def tables(self, **shown: Any) -> Tables:
        del shown
        rejected: list[Row] = [rejection._asdict() for rejection in self.rejected]
        data: dict[str, Any] = {
            "verified": self.verified,
            "optimal": self.optimal,
            "rejected": rejected,
            "missing": self.missing,
        }
        counted = f"{self.verified} verified, {self.optimal} of them optimal"
        prose = [counted]
        if self.f1 is not None:
            data |= {"faults": list(self.faults), "f1": self.f1}
            prose += [f"rejected: {fault}" for fault in self.faults]
            prose.append(f"F1 of all pairs, as proven: {self.f1:.6f}")
        if self.accepted is not None:
            data["accepted"] = self.accepted
            accepted = several(self.accepted, "proof")
            prose.append(f"{accepted} accepted by the other checker")
        for index, reason in self.rejected:
            prose.append(f"rejected: pair {from_one(index)}: {reason}")
        for index in self.missing:
            prose.append(f"missing: pair {from_one(index)} has no certificate")
        rows = [{**record, "state": "rejected"} for record in rejected]
        rows += [{"index": index, "state": "missing"} for index in self.missing]
        columns = (
            Column("index", "pair", from_one),
            Column("state", "state", is_text=True),
            Column("reason", "reason", is_text=True),
        )
        table = Table("certificates that do not hold", columns, rows)
        return Tables(
            "Certificates",
            (table,) if rows else (),
            data,
            states=(counted,),
            prose=prose,
            rows=table,
            lines=[data],
        )


def study(asked: VerifyOptions, reporter: Reporter = SILENCE) -> Verification:
    """Check every pair's certificate: its alignment, its value and its bound.

    Each problem is rebuilt from the graphs; the checker shares no code with any solver.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if the file holds no certificates, or is about other graphs.

    >>> import exactmatch.studies
    >>> exactmatch.studies.verify_certificates("proofs.jsonl")  # doctest: +SKIP
    40 verified, 40 of them optimal
    """
    path, folder = os.fspath(asked.certificates), None
    if os.path.isdir(path):
        from exactmatch.studies.verify.folder import ProofFolder

        folder = ProofFolder(path)
        path = folder.certificates
    elif asked.checker is not None:
        raise InputError(
            f"{path}: is no folder of proofs, which --with is about; write one with "
            "'exactmatch score --proofs'"
        )
    header, records = read_certificates(path)
    metric: AligningMetric[Any] = _metric(asked, header)
    asked = asked.but(**_pairing(asked, header.pairing))
    preds, golds = asked.preds, asked.golds
    if preds is None or golds is None:
        preds, golds = map(File, header.graph_files(SAMPLE))
    paths = [*paths_of(preds), *paths_of(golds)]
    if asked.preds is not None:
        _note_other_files(header, paths, reporter)
    given = sources_of(preds, golds, asked)
    if given.references != 1:
        raise InputError(
            f"{header.path} is about two files of graphs, not {1 + given.references}; "
            "name predictions and references"
        )
    settings = Settings(**{name: getattr(asked, name) for name in PAIRING})
    run = Run(given, [metric], settings)
    metric = aligning(run.metrics[0])  # which has learned from the references
    by_index = {pair.index: pair for pair in run.pairs()}
    verified = optimal = exchanged = 0
    rejected = []
    with reporter.progress("verifying", run.total) as advance:
        for record in records:
            advance()
            index = record.get("index")
            pair = by_index.pop(index, None) if type(index) is int else None
            read = run.read(pair)[0] if pair is not None else None
            if read is None:
                told = (
                    "there is no such pair, or another certificate before was about it"
                )
                rejected.append(Rejection(index, told))
                continue
            pred, gold = map(metric.prepare, read.items)
            reason, is_optimal = _checked(metric, pred, gold, record)
            if reason:
                exchanged += not _checked(metric, gold, pred, record)[0]
            elif folder:
                try:
                    folder.check(metric, metric.state(pred, gold), record)
                except (CertificateError, InputError) as error:
                    reason = str(error)
            if reason:
                rejected.append(Rejection(index, reason))
            else:
                verified += 1
                optimal += is_optimal
    if rejected and exchanged == len(rejected):
        first, second = paths or ("the predictions", "the references")
        raise InputError(
            f"{header.path}: holds for the two files the other way round; name "
            f"{second} before {first}"
        )
    missing = sorted(i for i, pair in by_index.items() if run.read(pair)[0])
    found = Verification(verified, optimal, rejected, missing)
    return _of_folder(found, folder, metric, asked, reporter) if folder else found


verify_certificates = function("verify_certificates", VerifyOptions, study)


def _of_folder(
    found: Verification,
    folder: ProofFolder,
    metric: AligningMetric[Any],
    asked: VerifyOptions,
    reporter: Reporter,
) -> Verification:
    """Add what is to be said of the folder as a whole, and what others say."""
    from exactmatch.studies.verify.folder import outside_check

    more: dict[str, Any] = {"faults": list(folder.faults(metric))}
    more["f1"] = folder.score(metric)["f1"]
    if asked.checker is not None:
        refused = outside_check(folder.proofs, asked.checker, asked.jobs, reporter)
        outside = [Rejection(index, why) for index, why in refused.items()]
        more["accepted"] = len(folder.proofs) - len(outside)
        more["rejected"] = [*found.rejected, *outside]
    return replace(found, **more)


def _note_other_files(header: Header, paths: Sequence[str], reporter: Reporter) -> None:
    """Say so where files are not those that the certificates were written for."""
    for path, (name, sha256) in zip(paths, header.files, strict=False):
        if sha256 and sha256_of(path) not in ("", sha256):
            text = f"{path}: is not the file {name!r} that {header.path} is about"
            reporter.note(f"{text}; its graphs are checked all the same")


def _metric(asked: VerifyOptions, header: Header) -> AligningMetric[Any]:
    """The metric that the file is about, with what is asked for instead."""
    if asked.metric not in (None, header.metric):
        raise InputError(
            f"{header.path}: holds certificates of {header.metric}, not "
            f"{asked.metric}; leave --metric out"
        )
    own = {option.name for option in metric_class(header.metric).options}
    options = asked.given_options()
    for name in options:
        if name not in own:
            raise InputError(
                f"{header.path} holds certificates of {header.metric}, which has no "
                f"option --{name.replace('_', '-')}; leave it out"
            )
    if asked.max_terms is not None:
        options["max_terms"] = asked.max_terms
    return header.remade_metric(**options)


def _pairing(asked: VerifyOptions, said: Mapping[str, Any]) -> dict[str, Any]:
    """How graphs are read and paired: as asked for, or else as the file says."""
    asked_for = {name: getattr(asked, name) for name in PAIRING}
    if asked.on_error == "fail":
        asked_for["on_error"] = "raise"
    named = said.get("format_in")
    if asked.format_in is None and isinstance(named, str) and is_document(named):
        raise InputError(
            f"the certificates ask for --format-in {named!r:.400}, a file that only "
            "the command line may name; give it here, too, if you trust it"
        )
    declared = VerifyOptions.DECLARED
    left = {n: v for n, v in said.items() if asked_for[n] == declared[n].default}
    return asked_for | left


def _checked(
    metric: AligningMetric[Any], pred: Any, gold: Any, record: dict[str, Any]
) -> tuple[str, bool]:
    """Why a line is rejected, if it is, and whether it proves its value optimal."""
    try:
        return "", check_record(metric.state(pred, gold), record)
    except (CertificateError, CertificationError) as error:
        return str(error), False
