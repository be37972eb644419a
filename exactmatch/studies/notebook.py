"""Tables and sentences of analyses, as notebooks show them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from exactmatch.base.markup import Markup, element, joined
from exactmatch.base.numbers import (
    Ends,
    Real,
    Share,
    fixed,
    p_value,
    percent,
    several,
)
from exactmatch.views.tables import Column, Table

if TYPE_CHECKING:
    from exactmatch.stats.resampling import Interval
    from exactmatch.studies.correlate.correlate import (
        Estimate,
        Preference,
        RankAgreement,
        SystemAgreement,
    )

DIGITS = 4
"""Decimals that notebooks show."""


def preferences_line(found: Mapping[str, Preference], foils: bool) -> str:
    """How often each metric prefers what it should."""
    shown = [
        f"{metric} {fixed(100 * one.accuracy.value, 1)} % ({one.right:,} right, "
        f"{one.tied:,} tied, {one.decided - one.right - one.tied:,} wrong)"
        for metric, one in found.items()
    ]
    what = "originals preferred to foils" if foils else "preferences"
    return f"{what}: {'; '.join(shown)}"


def preferences_html(
    found: Mapping[str, Preference], foils: bool, tests: Sequence[Any]
) -> Markup:
    """Right and wrong preferences, as a table."""
    rows = [
        {
            "metric": metric,
            "decided": one.decided,
            "right": one.right,
            "tied": one.tied,
            "wrong": one.decided - one.right - one.tied,
            "undecided": one.undecided,
            **estimated("accuracy", one.accuracy),
        }
        for metric, one in found.items()
    ]
    columns = [
        Column("metric", "metric"),
        Column("decided", "originals" if foils else "decided"),
        *(Column(key, key) for key in ("right", "tied", "wrong")),
        *(() if foils else (Column("undecided", "undecided"),)),
        estimates("accuracy", "accuracy"),
    ]
    return page([Table("", tuple(columns), rows)], tested(tests))


def systems_line(
    systems: Mapping[str, SystemAgreement], segments: Mapping[str, RankAgreement]
) -> str:
    """How far each metric agrees with people about systems, and about outputs."""
    shown = []
    for metric, one in systems.items():
        told = f"{metric} r {fixed(one.pearson.value, DIGITS)}, {one.right} of "
        told += f"{several(one.pairs, 'pair')} in the same order"
        if metric in segments:
            told += f", τ {fixed(segments[metric].tau.value, DIGITS)}"
        shown.append(told)
    count = max((one.systems for one in systems.values()), default=0)
    return f"{'; '.join(shown)}; {several(count, 'system')}"


def systems_html(
    names: Sequence[str],
    people: Sequence[float],
    scores: Mapping[str, Sequence[float]],
    systems: Mapping[str, SystemAgreement],
    segments: Mapping[str, RankAgreement],
    tests: Sequence[Any],
) -> Markup:
    """Metrics against people, and the systems with both their scores."""
    rows = []
    for metric, one in systems.items():
        row: dict[str, Any] = {"metric": metric, "systems": one.systems}
        row |= estimated("pearson", one.pearson)
        row |= {"accuracy": one.accuracy, "pairs": one.pairs}
        if metric in segments:
            row |= estimated("tau", segments[metric].tau)
        rows.append(row)
    columns = (
        Column("metric", "metric"),
        Column("systems", "systems"),
        estimates("pearson", "Pearson's r"),
        Column("accuracy", "same order %", percent()),
        Column("pairs", "of pairs"),
        *((estimates("tau", "Kendall's τ (WMT)"),) if segments else ()),
    )
    standings = [
        {"system": name, "human": people[k], **{m: scores[m][k] for m in scores}}
        for k, name in enumerate(names)
    ]
    ranking = (
        Column("system", "system"),
        Column("human", "people", Real(2)),
        *(Column(name, name, Share(DIGITS)) for name in scores),
    )
    tables = [Table("", columns, rows), Table("", ranking, standings)]
    return page(tables, tested(tests))


def tested(tests: Sequence[Any]) -> Iterator[str]:
    """The metrics that were tested against each other, a sentence each."""
    for test in tests:
        p = test.p_value if test.corrected is None else test.corrected
        corrected = "" if test.corrected is None else " (Holm)"
        yield f"{test.first} against {test.second}: p {p_value(p)}{corrected}"


def estimates(name: str, title: str) -> Column:
    """Make a column of estimates, their intervals beneath."""
    return Column(name, title, Real(DIGITS), beneath=f"{name}_ends")


def estimated(name: str, estimate: Estimate) -> dict[str, Any]:
    """Make the cells of :func:`estimates`."""
    return {name: estimate.value, f"{name}_ends": ends(estimate.interval)}


def ends(interval: Interval | None) -> Ends | str:
    """Return both ends of an interval, nothing where there is none."""
    return "" if interval is None else Ends(interval.low, interval.high)


def counted(number: int, what: str) -> str:
    """Write a number with its noun: ``3,000 pairs``."""
    return several(number, what).replace(str(number), f"{number:,}", 1)


def page(tables: Sequence[Table], sentences: Iterator[str] | Sequence[str]) -> Markup:
    """Put tables and the sentences beneath them together."""
    from exactmatch.views.page import table_of

    shown = [table_of(table) for table in tables]
    return joined([*shown, *(element("p", sentence) for sentence in sentences)])
