"""Tables and a picture of scores under profiles, with a row for each profile."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from exactmatch.base.numbers import Bounds, Share, several
from exactmatch.scoring.selection import Selection
from exactmatch.studies.explain_profile.results import ProfileScores
from exactmatch.studies.explain_profile.study import RATIOS, SHARES, columns_of
from exactmatch.studies.options import selection_of
from exactmatch.views.tables import PAIR, Column, Table, Tables, fields_table

_FIELDS = (
    *("profile", *RATIOS, "change", "pred_total", "gold_total"),
    *("pairs", "pairs_compared", "error", "signature"),
)


def tables(result: ProfileScores, per_pair: bool = False, **chosen: Any) -> Tables:
    """Return the scores under each profile, and what a reader lost.

    Pairs are shown if all or some are *chosen*, by the options of
    :class:`~exactmatch.studies.options.Selecting`.
    """
    rows = result.rows
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
        for reason, times in sorted(result.remarks.items(), key=lambda item: -item[1])
    ]
    shown = [
        {**row, **{f"_{n}": Bounds(row.get(n), row.get(f"{n}_upper")) for n in SHARES}}
        for row in rows
    ]
    scores = Tables(
        "Profiles",
        (Table("", columns, shown),),
        {"rows": rows, "macro": result.macro, "remarks": result.remarks},
        states=["scores are means over pairs"] if result.macro else (),
        signatures=[rows[0]["signature"]],
        notes=["what smatch's reader met:", *notes] if notes else (),
        rows=fields_table(_FIELDS, rows),
    )
    selection = selection_of(chosen)
    is_with_pairs = per_pair or selection
    return _with_pairs(scores, result, selection) if is_with_pairs else scores


def draw(path: str, result: ProfileScores) -> None:
    """Draw how far each profile moves the score, as steps, into a file."""
    from exactmatch.views.study_plots import Step, steps

    first, *other_steps = (
        Step(r["profile"], r["f1"], r["change"]) for r in result.rows
    )
    label = "F1, mean over pairs" if result.macro else "F1"
    steps(path, [first._replace(change=None), *other_steps], label)


def _with_pairs(
    profile_tables: Tables, result: ProfileScores, selection: Selection
) -> Tables:
    """Add the F1 of the chosen pairs under each profile.

    Text has room for the profiles that move a pair most; pages and LaTeX show all.
    """
    first, *other_profiles = profiles = [row["profile"] for row in result.rows]
    choose = partial(columns_of, profiles)
    pairs = selection.of_shown.chosen(sorted(result.pairs.items()), choose)
    number = Share(4)
    text = ("text",)
    columns = (
        *PAIR,
        Column("_at_0", first, number),
        Column("_lowest", "lowest", number, formats=text),
        Column("_lowest_under", "under", is_text=True, formats=text),
        Column("_highest", "highest", number, formats=text),
        Column("_highest_under", "under", is_text=True, formats=text),
        *(
            Column(f"_at_{k}", name, number, formats=("latex", "html"))
            for k, name in enumerate(other_profiles, 1)
        ),
    )
    rows, objects, flat = [], [], []
    for (index, name), by in pairs:
        pair_cells = {"index": index, "id": name}
        scores = {profile: by.get(profile) for profile in profiles}
        rows.append({"index": index, "_id": name or "", **_pair_row(scores)})
        objects.append({**pair_cells, "f1": scores})
        base = scores[first]
        for profile, f1 in scores.items():
            change = None if f1 is None or base is None else f1 - base
            flat.append({**pair_cells, "profile": profile, "f1": f1, "change": change})
    return profile_tables._replace(
        details=(Table("", columns, rows),),
        data={**profile_tables.data, "per_pair": objects},
        rows=fields_table(("index", "id", "profile", "f1", "change"), flat),
        lines=objects,
        is_wide=True,
    )


def _pair_row(scores: Mapping[str, float | None]) -> dict[str, Any]:
    """Return a pair's F1 under each profile, and the profiles that move it most."""
    row: dict[str, Any] = {f"_at_{k}": f1 for k, f1 in enumerate(scores.values())}
    base = row["_at_0"]
    if base is None:
        return row
    defined_scores = {name: f1 for name, f1 in scores.items() if f1 is not None}
    for end, choose in (("_lowest", min), ("_highest", max)):
        name = choose(defined_scores, key=defined_scores.__getitem__)
        if defined_scores[name] != base:
            row |= {end: defined_scores[name], f"{end}_under": name}
    return row
