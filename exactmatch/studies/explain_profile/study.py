"""Score under each profile, and measure what its difference from the first does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from exactmatch.base.errors import GraphError, InputError
from exactmatch.base.options import function
from exactmatch.formats.blocks import Block
from exactmatch.formats.scored_by import ScoredBy
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics.base import Metric, Statistics
from exactmatch.metrics.score import required
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.report import Report
from exactmatch.scoring.reporter import SILENCE, Listener, Reporter
from exactmatch.scoring.results import UPPER
from exactmatch.scoring.run import Run
from exactmatch.scoring.selection import Counting
from exactmatch.scoring.settings import settings_of
from exactmatch.scoring.sources import is_missing, paths_of
from exactmatch.scoring.sums import Columns
from exactmatch.studies.explain_profile.options import ExplainProfileOptions
from exactmatch.studies.explain_profile.results import Pair, ProfileScores
from exactmatch.studies.options import selection_of
from exactmatch.studies.pairs import formats_of, sources_of
from exactmatch.views.progress import Steps

SHARES = ("precision", "recall", "f1")


RATIOS = (*SHARES, *UPPER)
"""A profile's score in the rows, and the most that it can be."""


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


def study(
    options: ExplainProfileOptions, reporter: Listener = SILENCE
) -> ProfileScores:
    """Say how much each difference between profiles moves the Smatch score.

    Raises:
        GraphError: if no profile can read a graph.
        InputError: if graphs cannot be paired, or an option is wrong.

    >>> import exactmatch.studies
    >>> preds, golds = ["(b / bark-01)"], ["(b / bark-02)"]
    >>> scores = exactmatch.studies.explain_profile(preds, golds)
    >>> scores["smatch"]["f1"], scores["--no-sense"]["f1"]
    (0.5, 1.0)
    """
    sources = sources_of(options.preds, options.golds, options)
    if sources.read_once:
        raise InputError(
            "explain-profile reads the files once for each profile; name a file "
            "instead of standard input"
        )
    base = PROFILES["smatch"]
    profiles = [("smatch", base)]
    profiles += [(flag, base.with_options(**change)) for flag, change in VARIATIONS]
    paths = [*paths_of(options.preds), *paths_of(options.golds)]
    seen = formats_of(options.format_in, paths or [options.preds, options.golds])
    ways = (form.scored_by for form in seen)
    profiles_of = (w.profile for w in ways if isinstance(w, ScoredBy) and w.profile)
    names = dict.fromkeys((*profiles_of, *OTHERS))
    profiles += [(name, PROFILES[name]) for name in names]
    solver = options.only_solver(reporter.note)
    metrics = [
        Smatch(profile, solver, options.max_terms).named(name)
        for name, profile in profiles
    ]
    fails = options.on_error == "raise"
    on_error = "skip" if fails else options.on_error  # so that one profile can fail
    settings = settings_of(options, on_error=on_error, keep_solutions=False)
    run = Run(sources, metrics, settings, _Unwarned(reporter))
    report = run.finish()
    reporter.scored(replace(report, omitted=()))  # rows name their own errors
    errors = {metric.name: _error(report, metric.name, fails) for metric in metrics}
    fault = errors["smatch"]
    if fault and all(errors.values()):
        raise InputError(fault)
    kept = _kept(report, errors, options.common)
    selection = selection_of(vars(options))
    if selection.of_scored:
        counting = Counting(selection)
        for pair in sorted(_scores(metrics, kept).items()):
            counting.chooses([columns_of([*errors], pair)])
        counting.check()
        chosen = [pair for pair in report.pairs if pair.index in counting.indices]
        run.evaluation.recount(chosen, counting)
        report = run.evaluation.report(chosen)
        kept = _kept(report, errors, options.common)
    base_of = {} if fault else kept["smatch"]
    rows = []
    for metric in metrics:
        of_metric, error = kept[metric.name], errors[metric.name]
        row = _row(metric, error, of_metric, base_of, options.macro)
        signature = report[metric.name].signature.replace(metric.name, Smatch.name, 1)
        row["signature"] = signature + "|average:macro" * options.macro
        rows.append(row)
    lost = (
        _losses(metrics[0], graph) for side in sources.sides(False) for graph in side
    )
    remarks = Counter(remark for remarks in lost for remark in remarks)
    return ProfileScores(rows, _scores(metrics, kept), dict(remarks), options.macro)


explain_profile = function("explain_profile", ExplainProfileOptions, study)


def columns_of(
    profiles: Sequence[str], pair: tuple[Pair, Mapping[str, float]]
) -> dict[str, Any]:
    """Return a pair's columns: the first profile's F1, the largest change, every F1."""
    (index, name), by = pair
    base = by.get(profiles[0])
    changes = [] if base is None else [f1 - base for f1 in by.values()]
    return {
        "index": index,
        "id": name,
        "metric": profiles[0],
        "score": base,
        "f1": base,
        "difference": max(changes, key=abs, default=None),
        **{profile.lstrip("-"): by.get(profile) for profile in profiles},
    }


class _Unwarned(Reporter):
    """Reporter that drops warnings, which would come once for each profile."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter

    def progress(self, what: str, total: int | None) -> AbstractContextManager[Steps]:
        return self._reporter.progress(what, total)

    def note(self, text: str) -> None:
        self._reporter.note(text)


def _error(report: Report, name: str, fails: bool) -> str | None:
    """Return why a profile cannot read the graphs, which is part of the answer."""
    reasons = [o.reason for o in report.omitted if o.concerns(name)]
    if reasons and fails:
        return reasons[0]
    if not report[name].pairs:
        return "; ".join(["no pair could be scored", *reasons[:1]])
    return None


def _kept(
    report: Report, errors: Mapping[str, str | None], common: bool
) -> dict[str, dict[Pair, Statistics]]:
    """Return each profile's counts of the pairs that it can read, or that all can."""
    kept = {
        name: {(result.index, result.id): result.statistics for result in of.values()}
        for name, of in report.by_metric().items()
    }
    if common:
        readable = [set(kept[name]) for name, error in errors.items() if not error]
        shared = set[Pair].intersection(*readable)
        for name, counts in kept.items():
            kept[name] = {pair: counts[pair] for pair in counts if pair in shared}
    return kept


def _scores(
    metrics: Iterable[Metric], kept: Mapping[str, Mapping[Pair, Statistics]]
) -> dict[Pair, dict[str, float]]:
    """Return each pair's F1 by profile."""
    pairs: dict[Pair, dict[str, float]] = {}
    for metric in metrics:
        for pair, statistics in kept[metric.name].items():
            f1 = metric.scores(statistics).score
            pairs.setdefault(pair, {})[metric.name] = f1
    return pairs


def _row(
    metric: Metric,
    error: str | None,
    of_profile: Mapping[Pair, Statistics],
    base: Mapping[Pair, Statistics],
    macro: bool,
) -> dict[str, Any]:
    """Return a profile's scores, and their change over the pairs of both profiles."""
    row: dict[str, Any] = {"profile": metric.name, "error": error}
    row |= {"f1": None, "change": None}
    if error or not of_profile:
        return row | {"pairs": 0, "pairs_compared": 0}
    score = metric.scores(_summed(of_profile.values()))
    row |= {"pred_total": score.pred_total, "gold_total": score.gold_total}
    row |= _ratios(metric, of_profile.values(), macro) | {"pairs": len(of_profile)}
    shared = [pair for pair in of_profile if pair in base]
    row["pairs_compared"] = len(shared)
    if shared:
        ratios = _ratios(metric, [of_profile[pair] for pair in shared], macro)
        base_ratios = _ratios(metric, [base[pair] for pair in shared], macro)
        row["change"] = ratios["f1"] - base_ratios["f1"]
    return row


def _ratios(
    metric: Metric, pairs: Iterable[Statistics], macro: bool
) -> dict[str, float]:
    """Return precision, recall, F1 and their upper bounds, of sums or on average."""
    sums = list(pairs) if macro else [_summed(pairs)]
    scores = [metric.scores(statistics) for statistics in sums]
    names = ("precision", "recall", "f1")
    rows: list[Statistics] = []
    for score in scores:
        ratios = tuple(required(getattr(score, n), n, score.metric) for n in names)
        rows.append((*ratios, *(score.upper() or ratios)))
    means = (total / len(rows) for total in _summed(rows))
    return dict(zip(RATIOS, means, strict=True))


def _summed(rows: Iterable[Statistics]) -> Statistics:
    columns = Columns()
    for row in rows:
        columns.add(row)
    return columns.sums()


def _losses(metric: Metric, graph: Any) -> tuple[str, ...]:
    """Return what the metric's reader lost or tolerated in a graph."""
    if is_missing(graph) or (isinstance(graph, Block) and not graph.content):
        return ("has no graph",)
    try:
        read = metric.read(graph)
    except GraphError:
        return ("cannot be read",)
    return (
        *(f"has {kind}" for kind, _ in read.dropped),
        *(error.reason for error in read.lenient),
    )
