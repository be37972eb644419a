"""Measure what a good metric should do: read, vary, score, sort the answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from typing import Any, NamedTuple

from exactmatch.base.errors import GraphError, InputError, check_seed
from exactmatch.base.options import function
from exactmatch.formats.files import STANDARD_INPUT
from exactmatch.formats.pairs import GivenPair
from exactmatch.graphs.graph import Graph
from exactmatch.metrics.aligning import aligning
from exactmatch.metrics.base import Metric, sentence_of
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.parallel import map_in_order
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.scoring.results import ProofCounts
from exactmatch.scoring.sentences import SentencesCompared
from exactmatch.scoring.settings import settings_of
from exactmatch.scoring.sources import paths_of
from exactmatch.scoring.tables import Losses
from exactmatch.studies.pairs import note_profile, opened
from exactmatch_papers.principles.options import GRAPH_METRICS, PrincipleOptions
from exactmatch_papers.principles.principles import Findings, Principles
from exactmatch_papers.principles.probes import (
    SMATCH,
    FixedProbe,
    Kind,
    PairProbe,
    PairScores,
    Plain,
    Probe,
    Response,
    Setting,
    VariedProbe,
    answer,
    are_equal,
    same_words,
    varied,
    varied_sentences,
)


def study(asked: PrincipleOptions, reporter: Listener = SILENCE) -> Principles:
    """Measure the seven principles of Opitz et al. (2020) for each metric.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if there is no pair to measure on, or a single run, or a metric
            compares documents.

    >>> from exactmatch_papers import measure_principles
    >>> pred, gold = "(b / bark-01 :ARG0 (d / dog))", "(b / bark-01)"
    >>> found = measure_principles([pred], [gold], metric="sembleu", graphs=2, runs=2)
    >>> found["SemBleu", "III"].tick
    '✗'
    """
    if asked.runs < 2:
        raise InputError("--runs is 1; determinacy needs two or more")
    paths = [*paths_of(asked.preds), *paths_of(asked.golds)]
    if STANDARD_INPUT in paths:
        raise InputError(
            "the principles are measured on one file of predictions and one of "
            "references, which are read more than once; name two files"
        )
    subjects = _subjects(asked, reporter)
    own = [subject.metric for subject in subjects if subject.counts]
    note_profile(asked, paths, own, reporter)
    ready, plain, lost = _read(asked, subjects, reporter)
    probes = {
        kind: _varied(asked, kind, pairs, reporter) for kind, pairs in plain.items()
    }
    tasks: list[tuple[int, Probe]] = []
    for number, (metric, pairs) in enumerate(ready):
        kind = _kind(metric)
        every: list[Probe] = [*pairs, *probes[kind], FixedProbe(kind)]
        tasks += [(number, probe) for probe in every]
    metrics = [metric for metric, _ in ready]
    findings = []
    for subject, found in zip(
        subjects, _asked(asked, subjects, metrics, tasks, reporter), strict=True
    ):
        kind = _kind(subject.metric)
        made = Findings(subject.name, plain[kind], probes[kind], found, kind)
        findings.append(made)
    signatures = (_signature(asked, subject.metric) for subject in subjects)
    return Principles(tuple(findings), tuple(signatures), lost)


measure_principles = function("measure_principles", PrincipleOptions, study)


class _Subject(NamedTuple):
    """A metric to measure.

    Attributes:
        name: what it is called.
        metric: the metric.
        counts: whether its pairs are to be proven; not those of the climbed Smatch
            that stands beside the exact one.
    """

    name: str
    metric: Metric
    counts: bool = True


def _subjects(asked: PrincipleOptions, reporter: Listener) -> list[_Subject]:
    """The metrics to measure, and the climbed Smatch."""
    found: list[_Subject] = []
    solvers = asked.solvers(reporter.note, climbs=asked.hillclimb)
    for metric in asked.metrics_per_restarts(reporter.note, solvers, GRAPH_METRICS):
        _kind(metric)  # before anything is read
        if asked.certify:
            metric.check_recording()
        found.append(_Subject(metric.title, metric))
        if not metric.packable or not asked.hillclimb:
            continue
        for restarts in asked.restarts or (4,) if solvers[0].exact else ():
            profile = aligning(metric).profile
            climber = asked.replace(
                solver=f"hillclimb:restarts={restarts}"
            ).one_solver()
            climbed = Smatch(profile, climber, asked.max_terms)
            name = f"{metric.title} climbed, r={restarts}"
            found.append(_Subject(name, climbed, counts=False))
    return found


def _kind(metric: Metric) -> Kind:
    """What a metric reads: graphs or sentences, which the probes are made of.

    Raises:
        InputError: if it compares documents.
    """
    if metric.reads == "document":
        raise InputError(
            f"metric {metric.name!r} compares JSON documents; the principles are "
            "measured for metrics of graphs or sentences"
        )
    return metric.reads


def _asked(
    asked: PrincipleOptions,
    subjects: Sequence[_Subject],
    metrics: Sequence[Metric],
    tasks: Sequence[tuple[int, Probe]],
    reporter: Listener,
) -> list[list[Response]]:
    """Put all probes to all metrics, in one process or several."""
    setting = Setting(asked.runs, asked.seed, settings_of(asked).limits, asked.certify)
    put = partial(answer, metrics=metrics, setting=setting)
    responses: list[list[Response]] = [[] for _ in metrics]
    proofs = ProofCounts()
    found_of = map_in_order(put, tasks, asked.jobs, asked.executor)
    with reporter.progress("measuring", len(tasks)) as advance, closing(found_of):
        for (number, _), found in zip(tasks, found_of, strict=True):
            responses[number].append(found)
            advance()
            if subjects[number].counts:
                proofs += found.proofs
            if reporter.is_verbose and isinstance(found.scores, PairScores):
                reporter.pair(found.scores.forward)
    reporter.proved(proofs)
    return responses


def _varied(
    asked: PrincipleOptions,
    kind: Kind,
    pairs: Sequence[Plain | None],
    reporter: Listener,
) -> Sequence[VariedProbe[Any]]:
    """The graphs or sentences that every metric of that kind is probed with."""
    check_seed(asked.seed)
    golds = [pair.gold for pair in pairs if pair is not None]
    if kind == "text":
        sentences = [gold for gold in golds if isinstance(gold, str)]
        return list(varied_sentences(sentences, asked.graphs, asked.seed))
    graphs = [gold for gold in golds if isinstance(gold, Graph)]
    total = min(len(graphs), asked.graphs) + asked.graphs
    found = []
    with reporter.progress("varying graphs", total) as advance:
        for probe in varied(graphs, asked.graphs, asked.seed):
            found.append(probe)
            advance()
    return found


def _read(
    asked: PrincipleOptions, subjects: Sequence[_Subject], reporter: Listener
) -> tuple[
    list[tuple[Metric, list[PairProbe]]], dict[Kind, list[Plain | None]], Losses
]:
    """The pairs as each metric reads them, and as they are told apart.

    A pair that one metric cannot read is left out of all.  What the ``clean`` profile
    cannot read is not told apart, without a word.

    Returns:
        Each metric, which has learned from the references, with its pairs; all pairs as
        they are told apart, by what the metrics read; and what was left out in reading.
    """
    own = [subject.metric for subject in subjects if subject.counts]
    alike = {"common": True, "proofs": "leave"}
    run = opened(asked.preds, asked.golds, asked, own, reporter, **alike)
    found: list[list[PairProbe]] = [[] for _ in own]
    plain: dict[Kind, list[Plain | None]] = {_kind(metric): [] for metric in own}
    number = 0
    compared = SentencesCompared()
    lost: dict[tuple[str, ...], Counter[str]] = {(m.name,): Counter() for m in own}
    with reporter.progress("reading", run.total) as advance:
        for pair in compared.watch(run.pairs()):
            advance()
            reads = [read for read in run.read(pair) if read is not None]
            if not reads:
                continue
            for metric, probes, read in zip(own, found, reads, strict=True):
                probes.append(PairProbe(number, pair.index, pair.id, *read.items))
                for what, times in read.dropped:
                    lost[metric.name,][what] += times
            for kind, pairs in plain.items():
                pairs.append(_plain(pair, kind))
            number += 1
    for omission in run.evaluation.report().omitted:
        reporter.note(str(omission))
    if "text" in plain and compared.all_same:
        reporter.warn("sentences", compared.warning)
    if not number:
        raise InputError("no pair can be read; there is nothing to measure")
    fitted = zip(run.metrics, found, strict=True)
    learned = {metric.name: (metric, probes) for metric, probes in fitted}
    ready = []
    for subject in subjects:
        metric, probes = learned[subject.metric.name]
        ready.append((metric if subject.counts else subject.metric, probes))
    some = {name: counts for name, counts in lost.items() if counts}
    return ready, plain, some


def _plain(pair: GivenPair, kind: Kind) -> Plain | None:
    """A pair as it is told apart, unless one side is missing or cannot be read."""
    if pair.pred is None or pair.golds[0] is None:
        return None
    sides = (pair.pred, pair.golds[0])
    try:
        if kind == "text":
            texts = (s if isinstance(s, str) else sentence_of(s) for s in sides)
            first, second = texts
            return Plain(first, second, same_words(first, second))
        pred, gold = (SMATCH.read(side).item for side in sides)
    except GraphError:
        return None
    return Plain(pred, gold, are_equal(pred, gold))


def _signature(asked: PrincipleOptions, metric: Metric) -> str:
    """All that determines what is measured of a metric."""
    items = [("metric", metric.name), *metric.signature()]
    if metric.aligns and asked.time_limit is not None:
        items.append(("limit", f"{asked.time_limit:g}s"))
    items += [(name, getattr(asked, name)) for name in ("graphs", "runs", "seed")]
    return "|".join(f"{key}:{value}" for key, value in items)
