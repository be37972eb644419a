"""What ``exactmatch agreement`` shows: annotators, kinds, roles and the worst units."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from exactmatch.analysis.agreement import Agreed, Agreement, Chance
from exactmatch.analysis.kinds import TITLES
from exactmatch.metrics.score import Score
from exactmatch.version import __version__
from exactmatch.writing.numbers import Bounds, Share, decimals
from exactmatch.writing.tables import Column, Row, Table, Tables

DIGITS = 4
"""Decimals of rounded scores."""

_PAIR = ("first", "second", "units", "matched", "first_total", "second_total")
_FIELDS = (*_PAIR, "f1", "f1_upper", "proven")


def tables(found: Agreement, show: int, digits: int = DIGITS) -> Tables:
    """Everything that was found out.

    Args:
        found: the agreement.
        show: how many units to list, the least alike first.
        digits: decimals of scores.
    """
    pairs = [_record(pair) for pair in found.pairs]
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
        Table("by kind", (Column("title", "kind"), *counted), kinds, sorts=True),
        Table("by role", (Column("role", "role"), *counted), roles, sorts=True),
    ]
    if worst:
        shown.append(Table("least alike", unit, worst, sorts=True))
    return Tables(
        "Agreement",
        shown,
        data,
        states=[*_states(found, digits)],
        signatures=(signature,),
        rows=Table("", tuple(map(Column, _FIELDS)), pairs),
    )


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
    for name in names:
        row: dict[str, Any] = {"annotator": name}
        scores = []
        for k, other in enumerate(names):
            score = None if name == other else found.of(name, other)
            if score is not None:
                row[f"_{k}"] = _bounds(score)
                scores.append(score.score)
        if scores:
            row["_mean"] = Bounds(sum(scores) / len(scores))
        rows.append(row)
    columns = (
        Column("annotator", "F1"),
        *(Column(f"_{k}", name, share) for k, name in enumerate(names)),
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
    yield (
        f"mean F1 of {sum(p.units > 0 for p in found.pairs)} pairs of annotators: "
        + (number(found.mean))
    )
    told = f"observed distance {number(chance.observed)}"
    if chance.alpha is None:
        yield (
            f"alpha is not defined ({told}): by chance nothing can be expected of "
            + (
                "a single unit"
                if chance.units == 1
                else "annotations that are all alike"
            )
        )
    else:
        yield (
            f"alpha {number(chance.alpha)} ({told}, by chance "
            f"{number(chance.expected)}{_drawn(chance)}; {chance.annotations} "
            f"annotations of {chance.units} units)"
        )
    yield (
        "every alignment proven optimal"
        if found.proven
        else ("some alignments are not proven optimal; their scores lie in intervals")
    )


def _drawn(chance: Chance) -> str:
    return "" if chance.drawn is None else f" in {chance.drawn:,} random pairs"
