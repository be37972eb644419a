"""Tables and a picture of scores at every cutoff."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from exactmatch.base.numbers import Share, decimals, fixed, several
from exactmatch.studies.thresholds.prices import Lead
from exactmatch.studies.thresholds.study import Prices, SystemThresholds, Thresholds
from exactmatch.views.tables import Column, Table, Tables, fields_table

MANY = 20
"""Stretches for people at most; of more, they see every tenth cutoff."""

TENTHS = [k / 10 for k in range(11)]

_shown = decimals(4)


def tables(
    result: Thresholds, at: Sequence[float] | None = None, digits: int | None = None
) -> Tables:
    """Return all stretches for programs; for people, some or those *at* cutoffs."""
    names = [system.name for system in result.systems]
    rows: list[dict[str, Any]] = [
        {"low": low, "high": high, **dict(zip(names, f1, strict=True))}
        for low, high, f1 in result.rows()
    ]
    quantity = "mean F1 of pairs" if result.macro else "F1"
    scores = _scores(names, digits)
    above, up_to = ("above", "up to") if result.counts_equal else ("from", "below")
    where = [Column("low", above, _shown), Column("high", up_to, _shown)]
    shown = rows
    if at is not None or len(rows) > MANY:
        where = [Column("cutoff", "cutoff", _shown)]
        shown = [
            {"cutoff": c, **{name: result.f1(k, c) for k, name in enumerate(names)}}
            for c in (TENTHS if at is None else at)
        ]
    leads = result.leads() if len(names) == 2 else ()
    notes = [
        *(_falls(system_result, quantity) for system_result in result.systems),
        *_led(leads, result),
    ]
    if shown is not rows:
        notes.append(f"{len(rows):,} stretches in all; --format csv has every one")
    if len(rows) == 1 and not any(
        system_result.unproven for system_result in result.systems
    ):
        way = "--vectors FILE"
        if "metric:graph|" in result.signature:
            of_edges = "|moves:edges" in result.signature
            way = f"--{'edge' if of_edges else 'node'}-similarity lcs"
        notes.append(
            "labels were compared as equal or not, so no cutoff matters; add "
            f"{way} to give partial credit"
        )
    unproven = sum(system.unproven for system in result.systems)
    if unproven:
        notes.append(
            f"{several(unproven, 'pair')} not proven in time: scores may be higher"
        )
    data = {
        "systems": [
            {
                "name": system.name,
                "pairs": system.pairs,
                "unproven": system.unproven,
                "solutions": system.solved,
                "stretches": [stretch._asdict() for stretch in system.stretches],
            }
            for system in result.systems
        ],
        "leads": [lead._asdict() for lead in leads],
        "holds": "high" if result.counts_equal else "low",
        "signatures": [result.signature],
    }
    return Tables(
        "Scores at every cutoff",
        (Table(f"{quantity} by cutoff", (*where, *scores), shown),),
        data,
        notes=notes,
        signatures=(result.signature,),
        rows=fields_table(["low", "high", *names], rows),
        tells_scores=True,
    )


def price_tables(
    result: Prices, at: Sequence[float] | None = None, digits: int | None = None
) -> Tables:
    """Return the scores *at* some prices for people, and every piece for programs."""
    names = [system.name for system in result.systems]
    some = [
        {"price": price, **{system.name: system.f1(price) for system in result.systems}}
        for price in (at or TENTHS)
    ]
    columns = (Column("price", "price", _shown), *_scores(names, digits))
    pieces = [
        {
            "system": system.name,
            "low": piece.low,
            "high": piece.high,
            "f1_low": piece.f1(piece.low),
            "f1_high": piece.f1(piece.high),
            "matched_low": piece.matched.at(piece.low),
            "matched_high": piece.matched.at(piece.high),
        }
        for system in result.systems
        for piece in system.pieces
    ]
    leads = result.leads() if len(names) == 2 else ()
    notes = [
        f"{system.name}: {several(len(system.pieces), 'piece')}, F1 from "
        f"{fixed(system.f1(0), 4)} (price 0) to {fixed(system.f1(1), 4)} (price 1)"
        for system in result.systems
    ]
    for lead in leads:
        where = f"from {_shown(lead.low)} to {_shown(lead.high)}"
        who = "both are equally good" if lead.best is None else f"{lead.best} is better"
        notes.append(f"{who} for every price {where}")
    unproven = sum(system.unproven for system in result.systems)
    if unproven:
        notes.append(f"{several(unproven, 'pair')} not proven in time")
    return Tables(
        "Scores at every price",
        (Table("F1 by the price of a part", columns, some),),
        {
            "pieces": pieces,
            "leads": [lead._asdict() for lead in leads],
            "signatures": [result.signature],
        },
        notes=notes,
        signatures=(result.signature,),
        rows=fields_table(list(pieces[0]) if pieces else [], pieces),
        tells_scores=True,
    )


def _scores(names: Sequence[str], digits: int | None) -> list[Column]:
    number = Share(4 if digits is None else digits)
    return [Column(name, name, number) for name in names]


def _falls(system: SystemThresholds, what: str) -> str:
    stretches = system.stretches
    first, last = stretches[0].f1, stretches[-1].f1
    if len(stretches) == 1:
        return f"{system.name}: {what} is {fixed(first, 4)} at every cutoff"
    drop, at = max((a.f1 - b.f1, a.high) for a, b in pairwise(stretches))
    steps = several(len(stretches) - 1, "step")
    return (
        f"{system.name}: {what} falls from {fixed(first, 4)} to {fixed(last, 4)} in "
        f"{steps}, the largest, by {fixed(drop, 4)}, at the cutoff {_shown(at)}"
    )


def _led(leads: Sequence[Lead], result: Thresholds) -> Iterator[str]:
    for lead in leads:
        low, high = _shown(lead.low), _shown(lead.high)
        where = f"({low}, {high}]" if result.counts_equal else f"[{low}, {high})"
        if result.counts_equal and lead.low == 0:
            where = f"[{low}, {high}]"
        if lead.best is None:
            yield f"both are equally good for every cutoff in {where}"
            continue
        by = " to ".join(dict.fromkeys((fixed(lead.least, 4), fixed(lead.most, 4))))
        yield f"{lead.best} is better for every cutoff in {where}, by {by}"


def draw(path: str, result: Thresholds | Prices) -> None:
    """Draw the score of every system as a function of the cutoff, or of the price."""
    from exactmatch.views.pictures import step_functions

    if isinstance(result, Prices):
        fine = [(k / 200, (k + 1) / 200) for k in range(200)]
        curves = {
            system.name: [(a, b, system.f1((a + b) / 2)) for a, b in fine]
            for system in result.systems
        }
        step_functions(path, curves, "price of a part", "F1")
        return
    series = {system.name: system.stretches for system in result.systems}
    what = "mean F1 of pairs" if result.macro else "F1"
    step_functions(path, series, "cutoff of similarity", what)
