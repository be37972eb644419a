"""What ``exactmatch agreement`` shows: annotators, kinds, roles and the worst units."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from exactmatch.base.numbers import (
    Bounds,
    Ends,
    Share,
    between,
    decimals,
    fixed,
    several,
)
from exactmatch.base.version import __version__
from exactmatch.metrics.score import Score
from exactmatch.scoring.resampling import Interval
from exactmatch.scoring.tables import with_losses
from exactmatch.studies.agreement.kinds import TITLES
from exactmatch.studies.agreement.results import Agreed, Agreement, Chance
from exactmatch.views.tables import Column, Row, Table, Tables, fields_table

DIGITS = 4
"""Decimals of rounded scores."""

_PAIR = ("first", "second", "units", "matched", "first_total", "second_total")
_FIELDS = (*_PAIR, "f1", "f1_upper", "proven")


def tables(found: Agreement, show: int = 5, digits: int | None = None) -> Tables:
    """Everything that was found out.

    Args:
        found: the agreement.
        show: how many units to list, the least alike first.
        digits: decimals of scores; default: 4.
    """
    digits = DIGITS if digits is None else digits
    drawn = found.intervals
    of_pairs = drawn.pairs if drawn else [None] * len(found.pairs)
    pairs = [
        {**_record(pair), **(_ends("f1", interval) if drawn else {})}
        for pair, interval in zip(found.pairs, of_pairs, strict=True)
    ]
    worst = [
        {
            "unit": unit.unit,
            "first": unit.first,
            "second": unit.second,
            "f1": unit.score.score,
        }
        for unit in found.units[:show]
    ]
    roles = [
        {"role": r.name, "matched": r.matched, "stated": r.stated, "f1": r.f1}
        for r in found.roles
    ]
    kinds = [
        {
            "kind": k.name,
            "title": TITLES.get(k.name, k.name),
            "matched": k.matched,
            "stated": k.stated,
            "f1": k.f1,
        }
        for k in found.kinds
    ]
    items = (*found.signature, ("version", __version__))
    signature = "|".join(f"{key}:{value}" for key, value in items)
    chance = found.chance
    share = Share(digits)
    data = {
        "annotators": list(found.annotators),
        "mean": found.mean,
        "alpha": chance.alpha,
        "observed": chance.observed,
        "expected": chance.expected,
        "annotations": chance.annotations,
        "units": chance.units,
        "chance_pairs": chance.drawn,
        "proven": found.proven,
        "pairs": pairs,
        "kinds": kinds,
        "roles": roles,
        "disagreements": worst,
        "signatures": [signature],
    }
    fields: tuple[str, ...] = _FIELDS
    if drawn is not None:
        fields += ("f1_low", "f1_high")
        data |= {"confidence": drawn.level, **_ends("mean", drawn.mean)}
        data |= _ends("alpha", drawn.alpha)
    unit = (
        Column("unit", "unit", is_text=True, shrinks=True),
        Column("first", "annotator", is_text=True),
        Column("second", "annotator", is_text=True),
        Column("f1", "F1", share),
    )
    counted = (
        Column("matched", "agreed"),
        Column("stated", "stated"),
        Column("f1", "F1", share),
    )
    shown = [
        _matrix(found, share),
        Table("by kind", (Column("title", "kind"), *counted), kinds),
        Table("by role", (Column("role", "role"), *counted), roles),
    ]
    if worst:
        shown.append(Table("least alike", unit, worst))
    made = Tables(
        "Agreement",
        shown,
        data,
        states=[*_states(found, digits)],
        signatures=(signature,),
        rows=fields_table(fields, pairs),
        verdicts=[*_verdicts(found)],
    )
    return with_losses(made, found.lost)


def _ends(name: str, interval: Interval | None) -> dict[str, float | None]:
    """The ends of an interval, as data."""
    low, high = (interval.low, interval.high) if interval else (None, None)
    return {f"{name}_low": low, f"{name}_high": high}


def _record(pair: Agreed) -> Row:
    score = pair.score
    return {
        "first": pair.first,
        "second": pair.second,
        "units": pair.units,
        "matched": score and score.matched,
        "first_total": score and score.pred_total,
        "second_total": score and score.gold_total,
        "f1": score and score.score,
        "f1_upper": score and score.f1_upper,
        "proven": score and score.proven,
    }


def _matrix(found: Agreement, share: Share) -> Table:
    """A row and a column for each annotator."""
    names = found.annotators
    rows: list[dict[str, Any]] = []
    drawn: dict[frozenset[str], Interval | None] = {}
    if found.intervals is not None:
        for pair, interval in zip(found.pairs, found.intervals.pairs, strict=True):
            drawn[frozenset((pair.first, pair.second))] = interval
    for name in names:
        row: dict[str, Any] = {"annotator": name}
        if found.intervals is not None:
            row["_level"] = f"  {100 * found.intervals.level:g} %"
        scores = []
        for k, other in enumerate(names):
            score = None if name == other else found.of(name, other)
            if score is not None:
                row[f"_{k}"] = _bounds(score)
                interval = drawn.get(frozenset((name, other)))
                if drawn:
                    ends = (interval.low, interval.high) if interval else (None, None)
                    row[f"_{k}_ends"] = Ends(*ends)
                scores.append(score.score)
        if scores:
            row["_mean"] = Bounds(sum(scores) / len(scores))
        rows.append(row)
    columns = (
        Column("annotator", "F1", beneath="_level"),
        *(
            Column(f"_{k}", name, share, beneath=f"_{k}_ends")
            for k, name in enumerate(names)
        ),
        Column("_mean", "mean", share),
    )
    return Table("every two annotators", columns, rows)


def _bounds(score: Score) -> Bounds:
    return Bounds(score.score, None if score.proven else score.f1_upper)


def _states(found: Agreement, digits: int) -> Iterator[str]:
    number = decimals(digits)
    chance = found.chance
    if found.mean is None:
        yield "no two annotators have annotated the same unit"
        return
    drawn = found.intervals
    told_of = {"mean": "", "alpha": ""}
    if drawn is not None:
        for name, interval in (("mean", drawn.mean), ("alpha", drawn.alpha)):
            if interval is not None:
                ends = between(interval.low, interval.high, digits)
                told_of[name] = f" {ends}"
    shared = several(sum(p.units > 0 for p in found.pairs), "pair")
    yield f"mean F1 of {shared} of annotators: {number(found.mean)}{told_of['mean']}"
    told = f"observed distance {number(chance.observed)}"
    if chance.alpha is None:
        yield (
            f"alpha is not defined ({told}): by chance nothing can be expected of "
            "annotations that are all alike"
        )
    else:
        yield (
            f"alpha {number(chance.alpha)}{told_of['alpha']} ({told}, by chance "
            f"{number(chance.expected)}{_drawn(chance)}; {chance.annotations} "
            f"annotations of {several(chance.units, 'unit')})"
        )
    if drawn is not None and drawn.mean is not None:
        yield (
            f"intervals of {100 * drawn.level:g} %: {several(drawn.units, 'unit')} "
            "resampled; "
            "what chance would give is held"
        )
    yield (
        "every alignment proven optimal"
        if found.proven
        else ("some alignments are not proven optimal; their scores lie in intervals")
    )


RELIABLE, TENTATIVE = 0.8, 0.667
"""From these values of α on annotations carry firm or tentative conclusions.

Source: Krippendorff (2004), "Content Analysis", section 11.4.2.
"""


def _verdicts(found: Agreement) -> Iterator[str]:
    """How reliable the annotations are, and who differs most from the others."""
    alpha = found.chance.alpha
    if alpha is None:
        return
    told = f"(α = {fixed(alpha, 2)}, {several(found.chance.units, 'unit')})"
    if alpha >= RELIABLE:
        yield f"the annotators agree reliably {told}: α is {RELIABLE:g} or more"
    elif alpha >= TENTATIVE:
        yield (
            f"the annotators agree well enough for tentative conclusions {told}: α is "
            f"between {TENTATIVE:g} and {RELIABLE:g}"
        )
    else:
        yield f"the annotators do not agree reliably {told}: α is below {TENTATIVE:g}"
    own = {name: found.mean_of(name) for name in found.annotators}
    known = {name: mean for name, mean in own.items() if mean is not None}
    ordered = sorted(known, key=known.__getitem__)
    if len(ordered) > 2 and known[ordered[0]] < known[ordered[1]]:
        least, second = ordered[:2]
        yield (
            f"{least} differs most from the others: mean F1 {fixed(known[least], 4)}, "
            f"theirs {fixed(known[second], 4)} or more"
        )


def _drawn(chance: Chance) -> str:
    return "" if chance.drawn is None else f" in {chance.drawn:,} random pairs"
