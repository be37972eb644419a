"""Smatch under each profile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from exactmatch.base.numbers import fixed
from exactmatch.studies.answer import Answer, of_metric
from exactmatch.views.tables import Row

Pair: TypeAlias = tuple[int, str | None]
"""A pair by its place among all references, and its id."""


@dataclass(frozen=True, eq=False, repr=False)
class ProfileScores(Answer):
    """Smatch under each profile.

    ``scores["--no-wiki"]`` is the row of that profile.

    Attributes:
        rows: a row for each profile: ``precision``, ``recall`` and ``f1``, the most
            that each can be (``f1_upper``), the ``change`` of F1 from the first row
            over ``pairs_compared``, ``pairs``, totals, the ``error`` of a profile that
            cannot read the graphs, and what determines the row (``signature``).
        pairs: each pair's F1 by profile, for the profiles that can read it.
        remarks: what the reader of smatch lost or tolerated, and in how many graphs.
        macro: whether the scores are means over pairs.

    >>> import exactmatch.studies
    >>> preds, golds = ["(b / bark-01 :mod (l / loud))"], ["(b / bark-02)"]
    >>> scores = exactmatch.studies.explain_profile(preds, golds)
    >>> scores
    smatch 0.3333; --top concept moves it most: -0.3333
    >>> scores["--top none"]["f1"]
    0.0
    """

    VIEW = "exactmatch.studies.explain_profile.view:tables"

    rows: Sequence[Row]
    pairs: Mapping[Pair, Mapping[str, float]]
    remarks: Mapping[str, int]
    macro: bool

    def __getitem__(self, profile: str) -> Row:
        return of_metric({row["profile"]: row for row in self.rows}, profile)

    def __repr__(self) -> str:
        first, *other_rows = self.rows
        largest_change = max(other_rows, key=lambda row: abs(row["change"] or 0.0))
        change = fixed(largest_change["change"], 4, signed=True)
        shown = f"{first['profile']} {fixed(first['f1'], 4)}"
        return f"{shown}; {largest_change['profile']} moves it most: {change}"
