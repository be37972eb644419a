"""Show annotators, kinds, roles and the worst units: ``exactmatch agreement``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from math import floor
from typing import Any

from exactmatch.base.numbers import (
    Bounds,
    Real,
    Share,
    decimals,
    ends_of,
    fixed,
    interval_fields,
    several,
)
from exactmatch.base.version import __version__
from exactmatch.scoring.resampling import Interval
from exactmatch.studies.agreement.results import (
    TITLES,
    Agreed,
    Agreement,
    TripleAgreement,
)
from exactmatch.views.tables import Column, Table, Tables, fields_table

RELIABLE, TENTATIVE = 0.8, 0.667
"""From these values of α on annotations carry firm or tentative conclusions.

Source: Krippendorff (2004), "Content Analysis", section 11.4.2.
"""


def tables(found: Agreement, show: int = 5, digits: int | None = None) -> Tables:
    """Everything that was found out; of units, how many to *show*, least alike first.

    Scores have 4 *digits* by default.
    """
    digits = 4 if digits is None else digits
    pairs = [_record(pair) for pair in found.pairs]
    roles = [{"role": role.name, **_counted(role)} for role in found.roles]
    kinds = [
        {"kind": kind.name, "title": TITLES.get(kind.name, kind.name), **_counted(kind)}
        for kind in found.kinds
    ]
    worst = [
        {"unit": u.unit, "first": u.first, "second": u.second, "f1": u.score.score}
        for u in found.units[:show]
    ]
    items = (*found.signature, ("version", __version__))
    signature = "|".join(f"{key}:{value}" for key, value in items)
    chance, drawn, share = asdict(found.chance), found.intervals, Share(digits)
    chance["chance_pairs"] = chance.pop("drawn")
    data = {
        "annotators": list(found.annotators),
        "mean": found.mean,
        **chance,
        "proven": found.proven,
        "pairs": pairs,
        "kinds": kinds,
        "roles": roles,
        "disagreements": worst,
        "signatures": [signature],
    }
    if drawn is not None:
        for pair, interval in zip(pairs, drawn.pairs, strict=True):
            pair |= interval_fields("f1", interval)
        data["confidence"] = drawn.level
        data |= interval_fields("mean", drawn.mean)
        data |= interval_fields("alpha", drawn.alpha)
    f1 = Column("f1", "F1", share)
    counted = (Column("matched", "agreed"), Column("total", "total"), f1)
    unit = Column("unit", "unit", is_text=True, shrinks=True)
    both = (Column(key, "annotator", is_text=True) for key in ("first", "second"))
    shown = [
        _matrix(found, share),
        Table("by kind", (Column("title", "kind"), *counted), kinds),
        Table("by role", (Column("role", "role"), *counted), roles),
    ]
    if worst:
        shown.append(Table("least alike", (unit, *both, f1), worst))
    return Tables(
        "Agreement",
        shown,
        data,
        states=[*_states(found, digits)],
        signatures=(signature,),
        rows=fields_table(pairs[0], pairs),
        verdicts=[*_verdicts(found)],
    )


def draw(path: str, found: Agreement) -> None:
    """Draw the F1 of every two annotators as a heat map into a file."""
    from exactmatch.views.study_plots import heat_map

    names = found.annotators
    values = [
        [
            1.0 if one == other else score.score if score else float("nan")
            for other in names
            for score in (None if one == other else found.of(one, other),)
        ]
        for one in names
    ]
    heat_map(path, names, names, values, "F1", lambda f1: fixed(f1, 2), 1.0)


def _counted(triples: TripleAgreement) -> dict[str, float]:
    return {"matched": triples.matched, "total": triples.total, "f1": triples.f1}


def _record(pair: Agreed) -> dict[str, Any]:
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
    names, drawn = found.annotators, found.intervals
    rows: dict[str, dict[str, Any]] = {name: {"annotator": name} for name in names}
    for name, row in rows.items():
        if drawn is not None:
            row["_level"] = f"  {100 * drawn.level:g} %"
        mean = found.mean_of(name)
        if mean is not None:
            row["_mean"] = Bounds(mean)
    for place, pair in enumerate(found.pairs):
        if (score := pair.score) is None:
            continue
        upper = None if score.proven else score.f1_upper
        cells: dict[str, Any] = {"": Bounds(score.score, upper)}
        if drawn is not None:
            cells["_ends"] = ends_of(drawn.pairs[place])
        for name, other in ((pair.first, pair.second), (pair.second, pair.first)):
            k = names.index(other)
            rows[name] |= {f"_{k}{key}": cell for key, cell in cells.items()}
    columns = (
        Column("annotator", "F1", beneath="_level"),
        *(
            Column(f"_{k}", name, share, beneath=f"_{k}_ends")
            for k, name in enumerate(names)
        ),
        Column("_mean", "mean", share),
    )
    return Table("every two annotators", columns, [*rows.values()])


def _states(found: Agreement, digits: int) -> Iterator[str]:
    number, chance, drawn = decimals(digits), found.chance, found.intervals
    if found.mean is None:
        yield "no two annotators have annotated the same unit"
        return

    def told_ends(interval: Interval | None) -> str:
        return f" {Real(digits)(ends_of(interval))}" if interval else ""

    of_mean = told_ends(drawn.mean if drawn else None)
    shared = several(sum(p.units > 0 for p in found.pairs), "pair")
    yield f"mean F1 of {shared} of annotators: {number(found.mean)}{of_mean}"
    told = f"observed distance {number(chance.observed)}"
    if chance.alpha is None:
        yield (
            f"alpha is not defined ({told}): by chance nothing can be expected of "
            "annotations that are all alike"
        )
    else:
        pairs = f" in {chance.drawn:,} random pairs" if chance.drawn else ""
        of_alpha = told_ends(drawn.alpha if drawn else None)
        yield (
            f"alpha {number(chance.alpha)}{of_alpha} ({told}, by chance "
            f"{number(chance.expected)}{pairs}; {chance.annotations} annotations of "
            f"{several(chance.units, 'unit')})"
        )
    if drawn is not None and drawn.mean is not None:
        drawn_of = several(drawn.units, drawn.unit)
        how = f"random halves of {drawn_of}, each with what chance would give in it"
        if drawn.method != "halves":
            how = f"{drawn_of} resampled; what chance would give is held"
        yield f"intervals of {100 * drawn.level:g} %: {how}"
    if found.proven:
        yield "every alignment proven optimal"
    else:
        yield "some alignments are not proven optimal; their scores lie in intervals"


def _verdicts(found: Agreement) -> Iterator[str]:
    """How reliable the annotations are, and who differs most from the others."""
    alpha = found.chance.alpha
    if alpha is None:
        return
    shown = fixed(floor(1000 * alpha) / 1000, 3)  # never rounded up to a limit
    told = f"(α = {shown}, {several(found.chance.units, 'unit')})"
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
