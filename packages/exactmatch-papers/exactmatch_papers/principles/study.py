"""Measure the principles of metrics: read, vary and score graphs, and judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from typing import Any, NamedTuple

from exactmatch.base.errors import GraphError, InputError, check_seed
from exactmatch.base.options import function
from exactmatch.formats.files import STANDARD_INPUT
from exactmatch.formats.pairs import UnreadPair
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


def study(options: PrincipleOptions, reporter: Listener = SILENCE) -> Principles:
    """Measure the seven principles of Opitz et al. (2020) for each metric.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if there is no pair to measure on, or a single run, or a metric
            compares documents.

    >>> from exactmatch_papers import measure_principles
    >>> pred, gold = "(b / bark-01 :ARG0 (d / dog))", "(b / bark-01)"
    >>> judged = measure_principles([pred], [gold], metric="sembleu", graphs=2, runs=2)
    >>> judged["SemBleu", "III"].tick
    '✗'
    """
    if options.runs < 2:
        raise InputError("--runs is 1; determinacy needs two or more")
    paths = [*paths_of(options.preds), *paths_of(options.golds)]
    if STANDARD_INPUT in paths:
        raise InputError(
            "the principles are measured on one file of predictions and one of "
            "references, which are read more than once; name two files"
        )
    subjects = _subjects(options, reporter)
    metrics_compared = [subject.metric for subject in subjects if subject.counts]
    note_profile(options, paths, metrics_compared, reporter)
    prepared, plain, lost = _read_pairs(options, subjects, reporter)
    probes = {
        kind: _varied_probes(options, kind, pairs, reporter)
        for kind, pairs in plain.items()
    }
    tasks: list[tuple[int, Probe]] = []
    for number, (metric, pairs) in enumerate(prepared):
        kind = _kind(metric)
        metric_probes: list[Probe] = [*pairs, *probes[kind], FixedProbe(kind)]
        tasks += [(number, probe) for probe in metric_probes]
    metrics = [metric for metric, _ in prepared]
    findings = []
    for subject, responses in zip(
        subjects, _responses(options, subjects, metrics, tasks, reporter), strict=True
    ):
        kind = _kind(subject.metric)
        measured = Findings(subject.name, plain[kind], probes[kind], responses, kind)
        findings.append(measured)
    signatures = (_signature(options, subject.metric) for subject in subjects)
    return Principles(tuple(findings), tuple(signatures), lost)


measure_principles = function("measure_principles", PrincipleOptions, study)


class _Subject(NamedTuple):
    """Metric to measure.

    Attributes:
        name: its title.
        metric: the metric.
        counts: whether its pairs count as proven or not; false for the climbed Smatch
            that is compared with the exact one.
    """

    name: str
    metric: Metric
    counts: bool = True


def _subjects(options: PrincipleOptions, reporter: Listener) -> list[_Subject]:
    """Return the metrics to measure, and the climbed Smatch."""
    subjects: list[_Subject] = []
    solvers = options.solvers(reporter.note, climbs=options.hillclimb)
    for metric in options.metrics_per_restarts(reporter.note, solvers, GRAPH_METRICS):
        _kind(metric)  # before anything is read
        if options.certify:
            metric.check_recording()
        subjects.append(_Subject(metric.title, metric))
        if not metric.packable or not options.hillclimb:
            continue
        for restarts in options.restarts or (4,) if solvers[0].exact else ():
            profile = aligning(metric).profile
            climber = options.replace(
                solver=f"hillclimb:restarts={restarts}"
            ).one_solver()
            climbed = Smatch(profile, climber, options.max_terms)
            name = f"{metric.title} climbed, r={restarts}"
            subjects.append(_Subject(name, climbed, counts=False))
    return subjects


def _kind(metric: Metric) -> Kind:
    """Return what a metric reads, graphs or sentences, of which its probes are made.

    Raises:
        InputError: if it compares documents.
    """
    if metric.reads == "document":
        raise InputError(
            f"metric {metric.name!r} compares JSON documents; the principles are "
            "measured for metrics of graphs or sentences"
        )
    return metric.reads


def _responses(
    options: PrincipleOptions,
    subjects: Sequence[_Subject],
    metrics: Sequence[Metric],
    tasks: Sequence[tuple[int, Probe]],
    reporter: Listener,
) -> list[list[Response]]:
    """Return each metric's responses to all its probes, in one process or several."""
    setting = Setting(
        options.runs, options.seed, settings_of(options).limits, options.certify
    )
    respond = partial(answer, metrics=metrics, setting=setting)
    responses: list[list[Response]] = [[] for _ in metrics]
    proofs = ProofCounts()
    responses_in_order = map_in_order(respond, tasks, options.jobs, options.executor)
    with (
        reporter.progress("measuring", len(tasks)) as advance,
        closing(responses_in_order),
    ):
        for (number, _), response in zip(tasks, responses_in_order, strict=True):
            responses[number].append(response)
            advance()
            if subjects[number].counts:
                proofs += response.proofs
            if reporter.is_verbose and isinstance(response.scores, PairScores):
                reporter.pair(response.scores.forward)
    reporter.proved(proofs)
    return responses


def _varied_probes(
    options: PrincipleOptions,
    kind: Kind,
    pairs: Sequence[Plain | None],
    reporter: Listener,
) -> Sequence[VariedProbe[Any]]:
    """Return the varied graphs or sentences with which all metrics are probed."""
    check_seed(options.seed)
    golds = [pair.gold for pair in pairs if pair is not None]
    if kind == "text":
        sentences = [gold for gold in golds if isinstance(gold, str)]
        return list(varied_sentences(sentences, options.graphs, options.seed))
    graphs = [gold for gold in golds if isinstance(gold, Graph)]
    total = min(len(graphs), options.graphs) + options.graphs
    probes = []
    with reporter.progress("varying graphs", total) as advance:
        for probe in varied(graphs, options.graphs, options.seed):
            probes.append(probe)
            advance()
    return probes


def _read_pairs(
    options: PrincipleOptions, subjects: Sequence[_Subject], reporter: Listener
) -> tuple[
    list[tuple[Metric, list[PairProbe]]], dict[Kind, list[Plain | None]], Losses
]:
    """Read the pairs for each metric, and once more to compare their sides.

    A pair that one metric cannot read is left out of all.  The sides of a pair that the
    ``clean`` profile cannot read are not compared; there is no message.

    Returns:
        Each metric, which has learned from the references, with its pairs; all pairs
        with the comparison of their sides, by what the metrics read; and what readers
        left out.
    """
    proven_metrics = [subject.metric for subject in subjects if subject.counts]
    alike = {"common": True, "proofs": "leave"}
    run = opened(
        options.preds, options.golds, options, proven_metrics, reporter, **alike
    )
    probes_of: list[list[PairProbe]] = [[] for _ in proven_metrics]
    plain: dict[Kind, list[Plain | None]] = {
        _kind(metric): [] for metric in proven_metrics
    }
    number = 0
    compared = SentencesCompared()
    lost: dict[tuple[str, ...], Counter[str]] = {
        (m.name,): Counter() for m in proven_metrics
    }
    with reporter.progress("reading", run.total) as advance:
        for pair in compared.watch(run.pairs()):
            advance()
            reads = [pair_read for pair_read in run.read(pair) if pair_read is not None]
            if not reads:
                continue
            for metric, probes, pair_read in zip(
                proven_metrics, probes_of, reads, strict=True
            ):
                probes.append(PairProbe(number, pair.index, pair.id, *pair_read.items))
                for what, times in pair_read.dropped:
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
    fitted = zip(run.metrics, probes_of, strict=True)
    learned = {metric.name: (metric, probes) for metric, probes in fitted}
    prepared = []
    for subject in subjects:
        metric, probes = learned[subject.metric.name]
        prepared.append((metric if subject.counts else subject.metric, probes))
    some = {name: counts for name, counts in lost.items() if counts}
    return prepared, plain, some


def _plain(pair: UnreadPair, kind: Kind) -> Plain | None:
    """Compare the sides of a pair; ``None`` if one is missing or cannot be read."""
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


def _signature(options: PrincipleOptions, metric: Metric) -> str:
    """Return what determines the measurements of a metric."""
    items = [("metric", metric.name), *metric.signature()]
    if metric.aligns and options.time_limit is not None:
        items.append(("limit", f"{options.time_limit:g}s"))
    items += [(name, getattr(options, name)) for name in ("graphs", "runs", "seed")]
    return "|".join(f"{key}:{value}" for key, value in items)
