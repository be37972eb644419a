"""Parts of well-formed texts that readers leave out, shown beside the scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from exactmatch.formats.remarks import left_out
from exactmatch.scoring.results import CorpusScore, PairResult
from exactmatch.views.tables import Tables

Losses: TypeAlias = Mapping[tuple[str, ...], Mapping[str, int]]
"""How often each thing was left out, by the names of what it concerns: a metric, or a
system and a metric."""


def losses(scores: Iterable[CorpusScore]) -> Losses:
    """The losses of each metric's reader, if it left out anything."""
    return {(score.metric,): score.dropped for score in scores if score.dropped}


def losses_of_systems(
    results: Mapping[str, Mapping[str, Iterable[PairResult]]],
) -> Losses:
    """Find the losses of each system and the references that it is held against.

    Args:
        results: each pair's, by metric and system.
    """
    return {
        (name, metric): counts
        for metric, systems in results.items()
        for name, pairs in systems.items()
        if (counts := losses_of_pairs(pairs))
    }


def losses_of_pairs(pairs: Iterable[PairResult]) -> dict[str, int]:
    """Count the losses of a metric's reader over some pairs, by kind."""
    counts: Counter[str] = Counter()
    for pair in pairs:
        for what, times in pair.dropped:
            counts[what] += times
    return dict(counts)


def notes_of(losses: Losses) -> list[str]:
    """A sentence for each; what several have in common is said once."""
    names: dict[str, list[str]] = {}
    for name, counts in losses.items():
        sentence = ", ".join(left_out(what, times) for what, times in counts.items())
        names.setdefault(sentence, []).append(" ".join(name))
    return [f"{', '.join(named)}: as read: {s}" for s, named in names.items()]


def with_losses(tables: Tables, losses: Losses) -> Tables:
    """Tables that say what was left out: in a note, and under ``dropped`` as data."""
    if not losses:
        return tables
    dropped: dict[str, Any] = {}
    for (*outer, last), counts in losses.items():
        place = dropped
        for name in outer:
            place = place.setdefault(name, {})
        place[last] = dict(counts)
    return tables._replace(
        notes=[*tables.notes, *notes_of(losses)],
        data={**tables.data, "dropped": dropped},
    )
