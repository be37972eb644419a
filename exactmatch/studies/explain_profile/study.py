"""Score under each profile, and see what its difference from the first one does."""

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


def study(asked: ExplainProfileOptions, reporter: Listener = SILENCE) -> ProfileScores:
    """Say how much each difference between profiles moves the Smatch score.

    Raises:
        GraphError: if no profile can read a graph.
        InputError: if graphs cannot be paired, or an option is wrong.

    >>> import exactmatch.studies
    >>> preds, golds = ["(b / bark-01)"], ["(b / bark-02)"]
    >>> found = exactmatch.studies.explain_profile(preds, golds)
    >>> found["smatch"]["f1"], found["--no-sense"]["f1"]
    (0.5, 1.0)
    """
    given = sources_of(asked.preds, asked.golds, asked)
    if given.read_once:
        raise InputError(
            "explain-profile reads the files once for each profile; name a file "
            "instead of standard input"
        )
    base = PROFILES["smatch"]
    profiles = [("smatch", base)]
    profiles += [(flag, base.with_options(**change)) for flag, change in VARIATIONS]
    paths = [*paths_of(asked.preds), *paths_of(asked.golds)]
    seen = formats_of(asked.format_in, paths or [asked.preds, asked.golds])
    ways = (one.scored_by for one in seen)
    profiles_of = (w.profile for w in ways if isinstance(w, ScoredBy) and w.profile)
    named = dict.fromkeys(profiles_of)
    profiles += [(name, PROFILES[name]) for name in (*named, *OTHERS)]
    solver = asked.only_solver(reporter.note)
    metrics = [
        Smatch(profile, solver, asked.max_terms).named(name)
        for name, profile in profiles
    ]
    fails = asked.on_error == "raise"
    settings = settings_of(
        asked,
        on_error="skip" if fails else asked.on_error,  # one profile fails, and not all
        keep_solutions=False,
    )
    run = Run(given, metrics, settings, _Unwarned(reporter))
    report = run.finish()
    reporter.scored(replace(report, omitted=()))  # rows name their own errors
    errors = {metric.name: _error(report, metric.name, fails) for metric in metrics}
    fault = errors["smatch"]
    if fault and all(errors.values()):
        raise InputError(fault)
    kept = _kept(report, errors, asked.common)
    selection = selection_of(vars(asked))
    if selection.of_scored:
        counting = Counting(selection)
        for pair in sorted(_scores(metrics, kept).items()):
            counting.chooses([columns_of([*errors], pair)])
        counting.check()
        chosen = [one for one in report.pairs if one.index in counting.indices]
        run.evaluation.recount(chosen, counting)
        report = run.evaluation.report(chosen)
        kept = _kept(report, errors, asked.common)
    base_of = {} if fault else kept["smatch"]
    rows = []
    for metric in metrics:
        own, error = kept[metric.name], errors[metric.name]
        row = _row(metric, error, own, base_of, asked.macro)
        signature = report[metric.name].signature.replace(metric.name, Smatch.name, 1)
        row["signature"] = signature + "|average:macro" * asked.macro
        rows.append(row)
    lost = (_losses(metrics[0], one) for side in given.sides(False) for one in side)
    remarks = Counter(remark for remarks in lost for remark in remarks)
    return ProfileScores(rows, _scores(metrics, kept), dict(remarks), asked.macro)


explain_profile = function("explain_profile", ExplainProfileOptions, study)


def columns_of(
    profiles: Sequence[str], one: tuple[Pair, Mapping[str, float]]
) -> dict[str, Any]:
    """A pair's columns: the first profile's F1, the largest change, every profile's."""
    (index, name), by = one
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
    """Passes on all but warnings, which would come once for each profile."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter

    def progress(self, what: str, total: int | None) -> AbstractContextManager[Steps]:
        return self._reporter.progress(what, total)

    def note(self, text: str) -> None:
        self._reporter.note(text)


def _error(report: Report, name: str, fails: bool) -> str | None:
    """Why a profile cannot read the graphs, which is part of the answer."""
    reasons = [o.reason for o in report.omitted if o.concerns(name)]
    if reasons and fails:
        return reasons[0]
    if not report[name].pairs:
        return "; ".join(["no pair could be scored", *reasons[:1]])
    return None


def _kept(
    report: Report, errors: Mapping[str, str | None], common: bool
) -> dict[str, dict[Pair, Statistics]]:
    """The counts of each profile, of the pairs that it can read, or that all can."""
    kept = {
        name: {(result.index, result.id): result.statistics for result in of.values()}
        for name, of in report.by_metric().items()
    }
    if common:
        readable = [set(kept[name]) for name, error in errors.items() if not error]
        shared = set[Pair].intersection(*readable)
        for name, found in kept.items():
            kept[name] = {pair: found[pair] for pair in found if pair in shared}
    return kept


def _scores(
    metrics: Iterable[Metric], kept: Mapping[str, Mapping[Pair, Statistics]]
) -> dict[Pair, dict[str, float]]:
    """Each pair's F1 by profile."""
    pairs: dict[Pair, dict[str, float]] = {}
    for metric in metrics:
        for pair, statistics in kept[metric.name].items():
            f1 = metric.scores(statistics).score
            pairs.setdefault(pair, {})[metric.name] = f1
    return pairs


def _row(
    metric: Metric,
    error: str | None,
    own: Mapping[Pair, Statistics],
    base: Mapping[Pair, Statistics],
    macro: bool,
) -> dict[str, Any]:
    """A profile's scores, and the change over the pairs that both profiles have."""
    row: dict[str, Any] = {"profile": metric.name, "error": error}
    row |= {"f1": None, "change": None}
    if error or not own:
        return row | {"pairs": 0, "pairs_compared": 0}
    score = metric.scores(_summed(own.values()))
    row |= {"pred_total": score.pred_total, "gold_total": score.gold_total}
    row |= _ratios(metric, own.values(), macro) | {"pairs": len(own)}
    shared = [pair for pair in own if pair in base]
    row["pairs_compared"] = len(shared)
    if shared:
        ours = _ratios(metric, [own[pair] for pair in shared], macro)
        theirs = _ratios(metric, [base[pair] for pair in shared], macro)
        row["change"] = ours["f1"] - theirs["f1"]
    return row


def _ratios(
    metric: Metric, pairs: Iterable[Statistics], macro: bool
) -> dict[str, float]:
    """Precision, recall, F1 and the most that each can be, of sums or on average."""
    sums = list(pairs) if macro else [_summed(pairs)]
    scores = [metric.scores(found) for found in sums]
    names = ("precision", "recall", "f1")
    rows: list[Statistics] = []
    for one in scores:
        own = tuple(required(getattr(one, n), n, one.metric) for n in names)
        rows.append((*own, *(one.upper() or own)))
    means = (total / len(rows) for total in _summed(rows))
    return dict(zip(RATIOS, means, strict=True))


def _summed(rows: Iterable[Statistics]) -> Statistics:
    columns = Columns()
    for row in rows:
        columns.add(row)
    return columns.sums()


def _losses(metric: Metric, given: Any) -> tuple[str, ...]:
    """The things in a graph that the metric's reader lost or tolerated."""
    if is_missing(given) or (isinstance(given, Block) and not given.content):
        return ("has no graph",)
    try:
        read = metric.read(given)
    except GraphError:
        return ("cannot be read",)
    return (
        *(f"has {what}" for what, _ in read.dropped),
        *(error.reason for error in read.lenient),
    )
