"""The view of what each choice of what counts does: a row for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from exactmatch.base.numbers import Bounds, Share, several
from exactmatch.scoring.selection import Selection
from exactmatch.studies.explain_profile.study import (
    RATIOS,
    SHARES,
    Pair,
    ProfileScores,
)
from exactmatch.studies.options import selection_of
from exactmatch.views.tables import PAIR, Column, Table, Tables, fields_table

_FIELDS = (
    *("profile", *RATIOS, "change", "pred_total", "gold_total"),
    *("pairs", "pairs_compared", "error"),
)


def tables(
    found: ProfileScores,
    per_pair: bool = False,
    digits: int | None = None,
    **chosen: Any,
) -> Tables:
    """Scores under each profile, and what a reader lost.

    Args:
        found: the scores.
        per_pair: whether every pair's F1 under each profile is shown.
        digits: decimals, which the tables are given afterwards.
        **chosen: which pairs are shown, by the options of
            :class:`~exactmatch.studies.options.Selecting`.
    """
    del digits
    rows = found.rows
    number = Share(4)
    differ = any(row["pairs_compared"] < row["pairs"] for row in rows if row["pairs"])
    fails = any(row["error"] for row in rows)
    columns = (
        Column("profile", "profile"),
        Column("_precision", "precision", number, exact="precision"),
        Column("_recall", "recall", number, exact="recall"),
        Column("_f1", "F1", number, exact="f1"),
        Column("change", "change", Share(4, signed=True)),
        Column("pairs", "pairs"),
        Column("pairs_compared", "pairs of change" if differ else None),
        Column("error", "error" if fails else None, is_text=True),
    )
    notes = [
        f"  {several(times, 'graph')}: {reason}"
        for reason, times in sorted(found.remarks.items(), key=lambda item: -item[1])
    ]
    shown = [
        {**row, **{f"_{n}": Bounds(row.get(n), row.get(f"{n}_upper")) for n in SHARES}}
        for row in rows
    ]
    made = Tables(
        "Profiles",
        (Table("", columns, shown),),
        {"rows": rows, "macro": found.macro, "remarks": found.remarks},
        states=["scores are means over pairs"] if found.macro else (),
        notes=["what smatch's reader met:", *notes] if notes else (),
        rows=fields_table(_FIELDS, rows),
    )
    selection = selection_of(chosen)
    return _with_pairs(made, found, selection) if per_pair or selection else made


def _with_pairs(made: Tables, found: ProfileScores, selection: Selection) -> Tables:
    """The same with the F1 under each profile of the pairs that are asked for.

    Text has room for the profiles that move a pair most; pages and LaTeX show all.
    """
    first, *others = profiles = [row["profile"] for row in found.rows]
    choose = partial(_conditions, profiles)
    pairs = selection.chosen(sorted(found.pairs.items()), choose)
    number = Share(4)
    text = ("text",)
    columns = (
        *PAIR,
        Column("_f1", first, number),
        Column("_lowest", "lowest", number, formats=text),
        Column("_lowest_under", "under", is_text=True, formats=text),
        Column("_highest", "highest", number, formats=text),
        Column("_highest_under", "under", is_text=True, formats=text),
        *(
            Column(f"_at_{k}", name, number, formats=("latex", "html"))
            for k, name in enumerate(others, 1)
        ),
    )
    rows, objects, flat = [], [], []
    for (index, name), by in pairs:
        about = {"index": index, "id": name}
        scores = {profile: by.get(profile) for profile in profiles}
        rows.append({"index": index, "_id": name or "", **_pair_row(scores)})
        objects.append({**about, "f1": scores})
        base = scores[first]
        for profile, f1 in scores.items():
            change = None if f1 is None or base is None else f1 - base
            flat.append({**about, "profile": profile, "f1": f1, "change": change})
    return made._replace(
        details=(Table("", columns, rows),),
        data={**made.data, "per_pair": objects},
        rows=fields_table(("index", "id", "profile", "f1", "change"), flat),
        lines=objects,
        is_wide=True,
    )


def _conditions(
    profiles: Sequence[str], one: tuple[Pair, Mapping[str, float]]
) -> dict[str, Any]:
    """A pair's columns: the first profile's F1, the largest change, every profile's."""
    (index, name), by = one
    base = by.get(profiles[0])
    changes = [] if base is None else [f1 - base for f1 in by.values()]
    return {
        "index": index,
        "id": name,
        "score": base,
        "f1": base,
        "difference": max(changes, key=abs, default=None),
        **{profile.lstrip("-"): by.get(profile) for profile in profiles},
    }


def _pair_row(scores: Mapping[str, float | None]) -> dict[str, Any]:
    """A pair's F1 under each profile, and the profiles that move it most."""
    row: dict[str, Any] = {f"_at_{k}": f1 for k, f1 in enumerate(scores.values())}
    row["_f1"] = base = row["_at_0"]
    if base is None:
        return row
    known = {name: f1 for name, f1 in scores.items() if f1 is not None}
    lowest = min(known, key=known.__getitem__)
    highest = max(known, key=known.__getitem__)
    if known[lowest] < base:
        row |= {"_lowest": known[lowest], "_lowest_under": lowest}
    if known[highest] > base:
        row |= {"_highest": known[highest], "_highest_under": highest}
    return row
