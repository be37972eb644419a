"""The choice among several parses, as the command shows it."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from exactmatch.many.candidates import CandidateLists, opened
from exactmatch.many.comparison import Comparison
from exactmatch.many.ensemble import chosen
from exactmatch.scoring.reporter import SILENCE, Reporter
from exactmatch.scoring.sources import File
from exactmatch.studies.ensemble.options import PrunedOptions
from exactmatch.studies.many import OfMany, share
from exactmatch.views.tables import Column, Table, Tables


@dataclass(frozen=True, repr=False)
class Consensus(OfMany):
    """The candidate of each sentence that agrees best with all.

    Attributes:
        candidates: what there was to choose from.
    """

    VIEW = "exactmatch.studies.ensemble.view:tables"

    candidates: CandidateLists


def study(asked: PrunedOptions, reporter: Reporter = SILENCE) -> Consensus:
    """Choose for each sentence the candidate with the highest expected score."""
    if isinstance(asked.golds, str):
        asked = asked.but(golds=File(asked.golds))
    comparison = Comparison(asked, reporter)
    candidates = opened(asked, comparison)
    found = chosen(asked, comparison, candidates)
    return Consensus(asked, comparison, found, candidates)


def tables(
    answer: Consensus, digits: int | None = None, percent: bool = False
) -> Tables:
    """Return a row for each sentence, and how often each system was chosen.

    Args:
        answer: the choices.
        digits: decimals of scores.
        percent: whether sentences have scores in percent.
    """
    asked, names, choices = answer.asked, answer.candidates.names, answer.found
    shown = share(digits)
    number = shown.in_percent() if percent else shown
    rows: list[dict[str, Any]] = []
    sentences = zip(answer.candidates.sentences, choices, strict=True)
    for place, (sentence, choice) in enumerate(sentences, 1):
        row = {
            "sentence": sentence[0].id or str(place),
            "chosen": names[choice.index],
            "index": choice.index,
            "expected": choice.score,
            "all": list(choice.expected),
        }
        if choice.gold is not None:
            row |= {
                "score": choice.gold[choice.index],
                "oracle": names[choice.oracle],
                "oracle_score": choice.gold[choice.oracle],
            }
        rows.append(row)
    columns = [
        Column("sentence", "sentence"),
        Column("chosen", "chosen"),
        Column("expected", "expected", shown),
    ]
    often = Counter(row["chosen"] for row in rows)
    notes = [f"{name}: chosen {often[name]} of {len(rows)} times" for name in names]
    notes.append(f"mean expected score {number(fmean(c.score for c in choices))}")
    data: dict[str, Any] = {"sentences": rows, "chosen": dict(often)}
    if asked.golds is not None:
        columns += [
            Column("score", "score", shown),
            Column("oracle", "oracle"),
            Column("oracle_score", "oracle's", shown),
        ]
        mean, best = (fmean(row[k] for row in rows) for k in ("score", "oracle_score"))
        data |= {"mean_score": mean, "mean_oracle": best}
        notes.append(
            f"mean score against {asked.golds.path}: {number(mean)} as chosen, "
            f"{number(best)} by an oracle"
        )
        for k, name in enumerate(names):
            own = [c.gold[k] for c in choices if len(c.gold) > k]
            alone = number(math.fsum(own) / len(own))
            notes.append(f"mean score of {name} alone: {alone}")
    return answer.shown(
        "Consensus",
        (Table("", tuple(columns), rows),),
        data,
        [("weights", asked.system_weights or "equal")],
        notes=notes,
    )
