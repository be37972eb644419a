"""The view of what each choice of what counts does: a row for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from exactmatch.base.numbers import Bounds, Share, from_one, several
from exactmatch.scoring.selection import Selection
from exactmatch.studies.explain_profile.results import RATIOS, Pair, ProfileScores
from exactmatch.studies.options import selection_of
from exactmatch.views.tables import Column, Row, Table, Tables, fields_table

_SHARES = RATIOS[:3]
_FIELDS = (
    *("profile", *RATIOS, "change", "pred_total", "gold_total"),
    *("pairs", "pairs_compared", "error"),
)
_TEXT = ("text",)
_PROGRAMS = ("index", "id", "profile", "f1", "change")


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
    errors = [row["error"] for row in rows]
    differ = any(row["pairs_compared"] < row["pairs"] for row in rows if row["pairs"])
    columns = [
        Column("profile", "profile"),
        Column("_precision", "precision", number, exact="precision"),
        Column("_recall", "recall", number, exact="recall"),
        Column("_f1", "F1", number, exact="f1"),
        Column("change", "change", Share(4, signed=True)),
        Column("pairs", "pairs"),
        Column("pairs_compared", _title_if(differ, "pairs of change")),
        Column("error", _title_if(any(errors), "error"), is_text=True),
    ]
    notes = [
        f"  {several(times, 'graph')}: {reason}"
        for reason, times in sorted(found.remarks.items(), key=lambda item: -item[1])
    ]
    shown = [
        {**row, **{f"_{n}": Bounds(row.get(n), row.get(f"{n}_upper")) for n in _SHARES}}
        for row in rows
    ]
    made = Tables(
        "Profiles",
        (Table("", tuple(columns), shown),),
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
    profiles = [row["profile"] for row in found.rows]
    chosen = selection.chosen(sorted(found.pairs.items()), partial(_columns, profiles))
    ordered = dict(chosen)
    number = Share(4)
    columns = (
        Column("index", "pair", from_one),
        Column("_id", "id", is_text=True, shrinks=True),
        Column("_f1", profiles[0], number),
        Column("_lowest", "lowest", number, formats=_TEXT),
        Column("_lowest_under", "under", is_text=True, formats=_TEXT),
        Column("_highest", "highest", number, formats=_TEXT),
        Column("_highest_under", "under", is_text=True, formats=_TEXT),
        *(
            Column(f"_at_{k}", name, number, formats=("latex", "html"))
            for k, name in enumerate(profiles)
            if k
        ),
    )
    flat = [row for pair, by in ordered.items() for row in _flat(pair, by, profiles)]
    objects = [
        {"index": index, "id": name, "f1": {p: by.get(p) for p in profiles}}
        for (index, name), by in ordered.items()
    ]
    rows = [_pair_row(pair, by, profiles) for pair, by in ordered.items()]
    return made._replace(
        details=(Table("", columns, rows),),
        data={**made.data, "per_pair": objects},
        rows=fields_table(_PROGRAMS, flat),
        lines=objects,
        is_wide=True,
    )


def _columns(
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


def _pair_row(pair: Pair, by: Mapping[str, float], profiles: Sequence[str]) -> Row:
    """A pair's F1 under the first profile, and the profiles that move it most."""
    row: dict[str, Any] = {"index": pair[0], "_id": pair[1] or ""}
    row["_f1"] = base = by.get(profiles[0])
    row |= {f"_at_{k}": by.get(name) for k, name in enumerate(profiles)}
    if base is None:
        return row
    others = {name: by[name] for name in profiles if name in by}
    lowest = min(others, key=others.__getitem__)
    highest = max(others, key=others.__getitem__)
    if others[lowest] < base:
        row |= {"_lowest": others[lowest], "_lowest_under": lowest}
    if others[highest] > base:
        row |= {"_highest": others[highest], "_highest_under": highest}
    return row


def _flat(
    pair: Pair, by: Mapping[str, float], profiles: Sequence[str]
) -> Iterator[Row]:
    """A row for each profile."""
    base = by.get(profiles[0])
    for name in profiles:
        f1 = by.get(name)
        change = None if f1 is None or base is None else f1 - base
        known = {"index": pair[0], "id": pair[1], "profile": name}
        yield {**known, "f1": f1, "change": change}


def _title_if(is_shown: bool, title: str) -> str | None:
    """The heading of a column that not every answer shows."""
    return title if is_shown else None
