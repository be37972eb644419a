"""View of agreement: annotators, kinds, roles and the units that differ most."""

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
"""Values of α from which annotations support firm or tentative conclusions.

Source: Krippendorff (2004), "Content Analysis", section 11.4.2.
"""


def tables(result: Agreement, show: int = 5, digits: int | None = None) -> Tables:
    """Return all tables; *show* units at most, the least alike first.

    Scores have 4 *digits* by default.
    """
    digits = 4 if digits is None else digits
    pairs = [_record(pair) for pair in result.pairs]
    roles = [{"role": role.name, **_counted(role)} for role in result.roles]
    kinds = [
        {"kind": kind.name, "title": TITLES.get(kind.name, kind.name), **_counted(kind)}
        for kind in result.kinds
    ]
    worst = [
        {"unit": u.unit, "first": u.first, "second": u.second, "f1": u.score.score}
        for u in result.units[:show]
    ]
    items = (*result.signature, ("version", __version__))
    signature = "|".join(f"{key}:{value}" for key, value in items)
    chance, drawn, share = asdict(result.chance), result.intervals, Share(digits)
    chance["chance_pairs"] = chance.pop("drawn")
    data = {
        "annotators": list(result.annotators),
        "mean": result.mean,
        **chance,
        "proven": result.proven,
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
    annotator_columns = (
        Column(key, "annotator", is_text=True) for key in ("first", "second")
    )
    shown = [
        _matrix(result, share),
        Table("by kind", (Column("title", "kind"), *counted), kinds),
        Table("by role", (Column("role", "role"), *counted), roles),
    ]
    if worst:
        shown.append(Table("least alike", (unit, *annotator_columns, f1), worst))
    return Tables(
        "Agreement",
        shown,
        data,
        states=[*_states(result, digits)],
        signatures=(signature,),
        rows=fields_table(pairs[0], pairs),
        verdicts=[*_verdicts(result)],
    )


def draw(path: str, result: Agreement) -> None:
    """Draw the F1 of every two annotators as a heat map into a file."""
    from exactmatch.views.study_plots import heat_map

    names = result.annotators
    values = [
        [
            1.0 if name == partner else score.score if score else float("nan")
            for partner in names
            for score in (None if name == partner else result.of(name, partner),)
        ]
        for name in names
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


def _matrix(result: Agreement, share: Share) -> Table:
    names, drawn = result.annotators, result.intervals
    rows: dict[str, dict[str, Any]] = {name: {"annotator": name} for name in names}
    for name, row in rows.items():
        if drawn is not None:
            row["_level"] = f"  {100 * drawn.level:g} %"
        mean = result.mean_of(name)
        if mean is not None:
            row["_mean"] = Bounds(mean)
    for place, pair in enumerate(result.pairs):
        if (score := pair.score) is None:
            continue
        upper = None if score.proven else score.f1_upper
        cells: dict[str, Any] = {"": Bounds(score.score, upper)}
        if drawn is not None:
            cells["_ends"] = ends_of(drawn.pairs[place])
        for name, partner in ((pair.first, pair.second), (pair.second, pair.first)):
            k = names.index(partner)
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


def _states(result: Agreement, digits: int) -> Iterator[str]:
    number, chance, drawn = decimals(digits), result.chance, result.intervals
    if result.mean is None:
        yield "no two annotators have annotated the same unit"
        return

    def shown_interval(interval: Interval | None) -> str:
        return f" {Real(digits)(ends_of(interval))}" if interval else ""

    of_mean = shown_interval(drawn.mean if drawn else None)
    shared = several(sum(p.units > 0 for p in result.pairs), "pair")
    yield f"mean F1 of {shared} of annotators: {number(result.mean)}{of_mean}"
    distances = f"observed distance {number(chance.observed)}"
    if chance.alpha is None:
        yield (
            f"alpha is not defined ({distances}): all annotations are alike, so "
            "chance cannot be estimated from them"
        )
    else:
        pairs = f" in {chance.drawn:,} random pairs" if chance.drawn else ""
        of_alpha = shown_interval(drawn.alpha if drawn else None)
        yield (
            f"alpha {number(chance.alpha)}{of_alpha} ({distances}, by chance "
            f"{number(chance.expected)}{pairs}; {chance.annotations} annotations of "
            f"{several(chance.units, 'unit')})"
        )
    if drawn is not None and drawn.mean is not None:
        drawn_of = several(drawn.units, drawn.unit)
        method = f"random halves of {drawn_of}, chance estimated in each half"
        if drawn.method != "halves":
            method = f"{drawn_of} resampled; the estimate of chance is held constant"
        yield f"intervals of {100 * drawn.level:g} %: {method}"
    if result.proven:
        yield "every alignment proven optimal"
    else:
        yield "some alignments are not proven optimal; their scores are ranges"


def _verdicts(result: Agreement) -> Iterator[str]:
    """Say how reliable the annotations are, and who differs most from the others."""
    alpha = result.chance.alpha
    if alpha is None:
        return
    shown = fixed(floor(1000 * alpha) / 1000, 3)  # never rounded up to a limit
    evidence = f"(α = {shown}, {several(result.chance.units, 'unit')})"
    if alpha >= RELIABLE:
        yield f"the annotators agree reliably {evidence}: α is {RELIABLE:g} or more"
    elif alpha >= TENTATIVE:
        yield (
            f"the annotators agree well enough for tentative conclusions {evidence}: α "
            f"is between {TENTATIVE:g} and {RELIABLE:g}"
        )
    else:
        below = f"α is below {TENTATIVE:g}"
        yield f"the annotators do not agree reliably {evidence}: {below}"
    means = {name: result.mean_of(name) for name in result.annotators}
    defined_means = {name: mean for name, mean in means.items() if mean is not None}
    ordered = sorted(defined_means, key=defined_means.__getitem__)
    if len(ordered) > 2 and defined_means[ordered[0]] < defined_means[ordered[1]]:
        least, second = ordered[:2]
        yield (
            f"{least} differs most from the others: mean F1 "
            f"{fixed(defined_means[least], 4)}, the others' "
            f"{fixed(defined_means[second], 4)} or more"
        )
