"""Check certificates against the graphs themselves."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from exactmatch.base.errors import CertificationError, InputError
from exactmatch.base.inputs import sha256_of
from exactmatch.base.options import function
from exactmatch.engine.problem import GraphProblem
from exactmatch.formats.formats import is_document
from exactmatch.formats.pairs import UnreadPair
from exactmatch.metrics import metric_class
from exactmatch.metrics.aligning import AligningMetric, aligning
from exactmatch.scoring.notes import Notes
from exactmatch.scoring.pair import PairScorer
from exactmatch.scoring.proofs import PAIRING, Header, check_record, read_certificates
from exactmatch.scoring.reporter import SILENCE, Reporter
from exactmatch.scoring.run import Run
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.sources import File, paths_of
from exactmatch.solvers.certificate import CertificateError
from exactmatch.studies.pairs import SAMPLE, sources_of

if TYPE_CHECKING:
    from exactmatch.studies.verify.folder import ProofFolder
from exactmatch.studies.verify.options import VerifyOptions
from exactmatch.studies.verify.results import Rejection, Verification


def study(options: VerifyOptions, reporter: Reporter = SILENCE) -> Verification:
    """Check every pair's certificate: its alignment, its value and its bound.

    Each problem is rebuilt from the graphs; the checker shares no code with any solver.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if the file holds no certificates, or is about other graphs.

    >>> import exactmatch.studies
    >>> exactmatch.studies.verify("proofs.jsonl")  # doctest: +SKIP
    40 verified, 40 of them optimal
    """
    path, folder = os.fspath(options.certificates), None
    if os.path.isdir(path):
        from exactmatch.studies.verify.folder import ProofFolder

        folder = ProofFolder(path)
        path = folder.certificates
    elif options.checker is not None:
        raise InputError(
            f"{path}: is not a folder of proofs, which --with is about; write one with "
            "'exactmatch score --proofs'"
        )
    header, records = read_certificates(path)
    metric: AligningMetric[Any] = _metric(options, header)
    options = options.replace(**_pairing(options, header.pairing))
    preds, golds = options.preds, options.golds
    if preds is None or golds is None:
        preds, golds = map(File, header.graph_files(SAMPLE))
    paths = [*paths_of(preds), *paths_of(golds)]
    if options.preds is not None:
        _note_other_files(header, paths, reporter)
    sources = sources_of(preds, golds, options)
    if sources.references != 1:
        raise InputError(
            f"{header.path} is about two files of graphs, not "
            f"{1 + sources.references}; name predictions and references"
        )
    settings = Settings(**{name: getattr(options, name) for name in PAIRING})
    run = Run(sources, [metric], settings)
    metric = aligning(run.metrics[0])  # it has learned from the references
    by_index = {pair.index: pair for pair in run.pairs()}
    verified = optimal = exchanged = 0
    rejected = []
    check = _Check(PairScorer(run.metrics, settings), metric)
    with reporter.progress("verifying", run.total) as advance:
        for record, pair, checked in _shared(check, records, by_index, options):
            advance()
            index = record.get("index")
            if pair is None or checked is None:
                message = "there is no such pair, or it has an earlier certificate"
                rejected.append(Rejection(index, message))
                continue
            reason = checked.reason
            if folder and not reason:
                try:
                    folder.check(metric, check.problem(pair), record)
                except (CertificateError, InputError) as error:
                    reason = str(error)
            if reason:
                exchanged += checked.is_exchanged
                rejected.append(Rejection(index, reason))
            else:
                verified += 1
                optimal += checked.is_optimal
    if rejected and exchanged == len(rejected):
        first, second = paths or ("the predictions", "the references")
        raise InputError(
            f"{header.path}: holds for the two files the other way round; name "
            f"{second} before {first}"
        )
    missing = sorted(i for i, pair in by_index.items() if run.read(pair)[0])
    verification = Verification(verified, optimal, rejected, missing)
    if folder is None:
        return verification
    return _of_folder(verification, folder, metric, options, reporter)


verify = function("verify", VerifyOptions, study)

_Task: TypeAlias = tuple[dict[str, Any], UnreadPair | None]

_TOGETHER = 16
"""Certificates that are sent together."""


class _Checked(NamedTuple):
    reason: str  # why a certificate is rejected; empty if it is accepted
    is_optimal: bool
    is_exchanged: bool = False  # whether it proves the pair the other way round


@dataclass(frozen=True)
class _Check:
    """Check of certificates, which other processes can do."""

    scorer: PairScorer
    metric: AligningMetric[Any]

    def __call__(self, tasks: Sequence[_Task]) -> list[_Checked | None]:
        return [None if pair is None else self._one(r, pair) for r, pair in tasks]

    def _one(self, record: dict[str, Any], pair: UnreadPair) -> _Checked | None:
        sides = self._sides(pair)
        if sides is None:
            return None
        pred, gold = sides
        reason, is_optimal = _checked(self.metric, pred, gold, record)
        exchanged = bool(reason) and not _checked(self.metric, gold, pred, record)[0]
        return _Checked(reason, is_optimal, exchanged)

    def _sides(self, pair: UnreadPair) -> list[Any] | None:
        """Return a pair prepared; ``None`` if it is left out."""
        read = self.scorer.read(pair, Notes())[0]
        return None if read is None else [*map(self.metric.prepare, read.items)]

    def problem(self, pair: UnreadPair) -> GraphProblem:
        """Return the problem of a pair that is not left out."""
        sides = self._sides(pair)
        assert sides is not None
        return self.metric.build_problem(*sides)


def _shared(
    check: _Check,
    records: Iterable[dict[str, Any]],
    by_index: dict[int, UnreadPair],
    options: VerifyOptions,
) -> Iterator[tuple[dict[str, Any], UnreadPair | None, _Checked | None]]:
    """Yield each certificate with its pair, and what the check says of them.

    Pairs that have a certificate are taken out of *by_index*.
    """
    from exactmatch.scoring.parallel import map_in_order

    batches: deque[list[_Task]] = deque()

    def taken() -> Iterator[list[_Task]]:
        remaining = iter(records)
        while some := [*islice(remaining, _TOGETHER)]:
            tasks: list[_Task] = []
            for record in some:
                index = record.get("index")
                pair = by_index.pop(index, None) if type(index) is int else None
                tasks.append((record, pair))
            batches.append(tasks)
            yield tasks

    answers = map_in_order(check, taken(), options.jobs, options.executor)
    with closing(answers):
        for checks in answers:
            for (record, pair), checked in zip(batches.popleft(), checks, strict=True):
                yield record, pair, checked


def _of_folder(
    verification: Verification,
    folder: ProofFolder,
    metric: AligningMetric[Any],
    options: VerifyOptions,
    reporter: Reporter,
) -> Verification:
    """Add the check of the folder as a whole, and that of another program."""
    from exactmatch.studies.verify.folder import outside_check

    more: dict[str, Any] = {"faults": list(folder.faults(metric))}
    more["f1"] = folder.score(metric)["f1"]
    if options.checker is not None:
        refused = outside_check(folder.proofs, options.checker, options.jobs, reporter)
        outside = [Rejection(index, why) for index, why in refused.items()]
        more["accepted"] = len(folder.proofs) - len(outside)
        more["rejected"] = [*verification.rejected, *outside]
    return replace(verification, **more)


def _note_other_files(header: Header, paths: Sequence[str], reporter: Reporter) -> None:
    """Note which files are not those that the certificates were written for."""
    for path, (name, sha256) in zip(paths, header.files, strict=False):
        if sha256 and sha256_of(path) not in ("", sha256):
            text = f"{path}: is not the file {name!r} that {header.path} is about"
            reporter.note(f"{text}; its graphs are checked all the same")


def _metric(options: VerifyOptions, header: Header) -> AligningMetric[Any]:
    """Return the metric that the file names, with the options that replace its own."""
    if options.metric not in (None, header.metric):
        raise InputError(
            f"{header.path}: holds certificates of {header.metric}, not "
            f"{options.metric}; leave --metric out"
        )
    own = metric_class(header.metric).options_class.DECLARED
    metric_options = options.explicit_options()
    for name in metric_options:
        if name not in own:
            raise InputError(
                f"{header.path} holds certificates of {header.metric}, which has no "
                f"option --{name.replace('_', '-')}; leave it out"
            )
    if options.max_terms is not None:
        metric_options["max_terms"] = options.max_terms
    return header.remade_metric(**metric_options)


def _pairing(options: VerifyOptions, recorded: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of reading and pairing, by default those of the file."""
    chosen = {name: getattr(options, name) for name in PAIRING}
    named = recorded.get("format_in")
    if options.format_in is None and isinstance(named, str) and is_document(named):
        raise InputError(
            f"the certificates ask for --format-in {named!r:.400}, a file that only "
            "the command line may name; give it here, too, if you trust it"
        )
    declared = VerifyOptions.DECLARED
    left = {n: v for n, v in recorded.items() if chosen[n] == declared[n].default}
    return chosen | left


def _checked(
    metric: AligningMetric[Any], pred: Any, gold: Any, record: dict[str, Any]
) -> tuple[str, bool]:
    """Return why a line is rejected (or ""), and whether it proves an optimum."""
    try:
        return "", check_record(metric.build_problem(pred, gold), record)
    except (CertificateError, CertificationError) as error:
        return str(error), False
