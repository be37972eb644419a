"""Several systems, what they are called, and their scores on the same pairs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from exactmatch.base.errors import InputError
from exactmatch.base.numbers import several
from exactmatch.metrics.base import Metric
from exactmatch.scoring.options import Measuring
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.scoring.results import PairResult
from exactmatch.scoring.sources import paths_of
from exactmatch.scoring.tables import Losses, losses_of_systems
from exactmatch.studies.options import Graphs
from exactmatch.studies.pairs import (
    finish,
    ids_of,
    note_exchanged,
    note_profile,
    opened,
    refuse_pipes,
)


def names_of(
    paths: Sequence[str], names: str | None, what: str = "system", least: int = 2
) -> list[str]:
    """Return what systems are called: distinct, and as many as there are files.

    Args:
        names: their names, parted by commas; default: the files'.
        what: what each is of.
        least: how many there must be.

    Raises:
        InputError: if there are fewer, or names of another number, or a name twice.
    """
    if len(paths) < least:
        raise InputError(f"only one {what} is named; name two or more to compare")
    if names is None:
        own = [Path(path).name for path in paths]
        if len(set(own)) < len(own):
            own = _told_apart(paths)
        repeated = {name for name in own if own.count(name) > 1}
        return [
            f"{name} ({1 + own[:k].count(name)})" if name in repeated else name
            for k, name in enumerate(own)
        ]
    given = names.split(",")
    if len(given) != len(paths) or len(set(given)) < len(given):
        raise InputError(
            f"--names gives {several(len(given), 'name')} to "
            f"{several(len(paths), what)}; give each its own"
        )
    return given


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Return names of files as tables show them, without what all begin and end with.

    Names that have no ending of files in common are what somebody calls the systems,
    and stay.

    >>> short_names(["dev.bart.amr.gz", "dev.t5-large.amr.gz"])
    {'dev.bart.amr.gz': 'bart', 'dev.t5-large.amr.gz': 't5-large'}
    """
    alike = re.compile(r"(.*[._-]|).*(?:\n\1.*)*\Z")
    mirrored = [name[::-1] for name in names]
    first, last = (
        len("".join(alike.findall("\n".join(each))[:1])) for each in (names, mirrored)
    )
    for begun in (first, 0):
        short = {name: name[begun : len(name) - last] for name in names}
        is_name = all(re.match(r"[^\W\d_]\S*\Z", name) for name in short.values())
        if len(names) > 1 and is_name and "." in names[0][len(names[0]) - last :]:
            return short
    return {name: name for name in names}


def _told_apart(paths: Sequence[str]) -> list[str]:
    """Paths without the folders and the file names that all have in common.

    >>> _told_apart(["runs/bart/dev.amr", "runs/t5/dev.amr"])
    ['bart', 't5']
    """
    parts = [Path(path).parts for path in paths]
    first = last = 0
    shortest = min(map(len, parts)) - 1
    while first < shortest and len({own[first] for own in parts}) == 1:
        first += 1
    while last < shortest - first and len({own[-1 - last] for own in parts}) == 1:
        last += 1
    return ["/".join(own[first : len(own) - last]) for own in parts]


@dataclass(frozen=True, slots=True)
class ScoredSystems:
    """Several systems' scores on the same pairs.

    Attributes:
        results: each pair's, by metric and system, on the pairs that every system
            has.
        segments: the ``# ::id`` of every pair by its number, ``None`` where it has
            none.
        signatures: the metrics'.
        remarks: what looks wrong about the files.
    """

    results: dict[str, dict[str, list[PairResult]]]
    segments: tuple[str | None, ...]
    signatures: tuple[str, ...]
    remarks: tuple[str, ...]

    @property
    def lost(self) -> Losses:
        """Parts of each system's graphs that the metrics' readers left out."""
        return losses_of_systems(self.results)


def score_systems(
    systems: Mapping[str, Graphs],
    golds: Graphs,
    options: Measuring,
    metrics: Sequence[Metric],
    reporter: Listener = SILENCE,
) -> ScoredSystems:
    """Score several systems against the same references.

    Args:
        systems: each system's graphs by its name, in memory or as a file.

    Raises:
        InputError: if no pair is scored for every system.
    """
    files = {name: path for name, side in systems.items() for path in paths_of(side)}
    references = paths_of(golds)
    refuse_pipes([*references, *files.values()])
    said = note_exchanged(references, files, reporter)
    note_profile(options, [*references, *files.values()], metrics, reporter)
    reports = {}
    for name, preds in systems.items():
        run = opened(preds, golds, options, metrics, reporter)
        reports[name] = finish(run, reporter, f"scoring {name}")
    scored = {name: report.by_metric() for name, report in reports.items()}
    results = {}
    for metric in metrics:
        found = {name: found[metric.name] for name, found in scored.items()}
        shared = sorted(set.intersection(*map(set, found.values())))
        if not shared:
            raise InputError(
                "the systems have no pair in common; there is nothing to test"
            )
        if len(shared) < len(set().union(*found.values())):
            reporter.note(
                f"{metric.name}: compared on the {several(len(shared), 'pair')} that "
                "all systems have"
            )
        results[metric.name] = {
            name: [pairs[index] for index in shared] for name, pairs in found.items()
        }
    ids: dict[int, str | None] = {}
    for report in reports.values():
        ids |= ids_of(report)
    return ScoredSystems(
        results,
        tuple(ids.get(index) for index in range(max(ids) + 1)),
        tuple(score.signature for score in next(iter(reports.values())).scores),
        said,
    )
