"""What readers left out of well-formed texts, shown beside the scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from exactmatch.formats.remarks import left_out
from exactmatch.scoring.results import Findings, PairResult
from exactmatch.views.tables import Tables

Lost: TypeAlias = Mapping[tuple[str, ...], Mapping[str, int]]
"""What was left out, and how often, by the names of what it concerns: a metric, or a
system and a metric."""


def lost_in(report: Findings) -> Lost:
    """What each metric's reader left out, of those that left out anything."""
    return {(score.metric,): score.dropped for score in report.scores if score.dropped}


def lost_in_systems(
    results: Mapping[str, Mapping[str, Iterable[PairResult]]],
) -> Lost:
    """The same for each system and the references that it is held against.

    Args:
        results: each pair's, by metric and system.
    """
    found: dict[tuple[str, ...], Mapping[str, int]] = {}
    for metric, systems in results.items():
        for name, pairs in systems.items():
            if counts := lost_of(pairs):
                found[name, metric] = counts
    return found


def lost_of(pairs: Iterable[PairResult]) -> dict[str, int]:
    """What a metric's reader left out of some pairs, and how often."""
    counts: Counter[str] = Counter()
    for pair in pairs:
        for what, times in pair.dropped:
            counts[what] += times
    return dict(counts)


def as_read(lost: Lost) -> list[str]:
    """A sentence for each; what several have in common is said once."""
    names: dict[str, list[str]] = {}
    for name, counts in lost.items():
        told = ", ".join(left_out(what, times) for what, times in counts.items())
        names.setdefault(told, []).append(" ".join(name))
    return [f"{', '.join(named)}: as read: {told}" for told, named in names.items()]


def with_lost(tables: Tables, lost: Lost) -> Tables:
    """Tables that say what was left out: in a note, and under ``dropped`` as data."""
    if not lost:
        return tables
    dropped: dict[str, Any] = {}
    for (*outer, last), counts in lost.items():
        place = dropped
        for name in outer:
            place = place.setdefault(name, {})
        place[last] = dict(counts)
    return tables._replace(
        notes=[*tables.notes, *as_read(lost)],
        data={**tables.data, "dropped": dropped},
    )
