"""View of a consensus: a row for each sentence."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from exactmatch.base.errors import callers_are_warned
from exactmatch.base.numbers import Share, fixed, several
from exactmatch.many.ensemble import Choice
from exactmatch.studies.ensemble.results import Consensus
from exactmatch.studies.many import columns, share
from exactmatch.studies.pairs import names_of
from exactmatch.views.tables import Table, Tables


def tables(
    answer: Consensus, digits: int | None = None, percent: bool = False
) -> Tables:
    """Return a row for each sentence, and how often each system was chosen."""
    options, choices = answer.options, answer.result
    names = answer.comparison.systems
    candidates: Any = answer.comparison.sides[0]
    number = share(digits).in_percent() if percent else share(digits)
    rows: list[dict[str, Any]] = []
    sentences = zip(candidates, choices, strict=True)
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
    titles = {key: key for key in ("sentence", "chosen", "expected")}
    often = Counter(row["chosen"] for row in rows)
    notes = [f"{name}: chosen {often[name]} of {len(rows)} times" for name in names]
    notes.append(f"mean expected score {number(fmean(c.score for c in choices))}")
    data: dict[str, Any] = {"sentences": rows, "chosen": dict(often)}
    if options.golds is not None:
        titles |= {"score": "score", "oracle": "oracle", "oracle_score": "oracle's"}
        mean, best = (fmean(row[k] for row in rows) for k in ("score", "oracle_score"))
        data |= {"mean_score": mean, "mean_oracle": best}
        notes.append(
            f"mean score against {os.fspath(options.golds)}: {number(mean)} as chosen, "
            f"{number(best)} by an oracle"
        )
        for k, name in enumerate(names):
            scores_of_system = [c.gold[k] for c in choices if len(c.gold) > k]
            mean_score = number(math.fsum(scores_of_system) / len(scores_of_system))
            notes.append(f"mean score of {name} alone: {mean_score}")
    if options.graphs is None:
        option = "graphs=FILE" if callers_are_warned() else "--graphs FILE"
        notes.append(f"{option} writes the chosen graphs")
    return answer.signed_tables(
        "Consensus",
        (Table("", columns(digits, **titles), rows),),
        data,
        [("weights", options.system_weights or "equal")],
        notes=notes,
        verdicts=[_verdict(names, often, choices, number)],
    )


def draw(path: str, answer: Consensus) -> None:
    """Draw how often each system is chosen, as bars, into a file."""
    from exactmatch.views.study_plots import grouped_bars

    names, choices = answer.comparison.systems, answer.result
    often = Counter(choice.index for choice in choices)
    counts = [float(often[k]) for k in range(len(names))]
    label = f"chosen of {several(len(choices), 'sentence')}"
    short = names_of(names, None, least=1)
    grouped_bars(path, short, {"chosen": counts}, label, lambda n: f"{n:.0f}")


def _verdict(
    names: Sequence[str],
    often: Mapping[str, int],
    choices: Sequence[Choice],
    number: Share,
) -> str:
    """Say how often each system was chosen, and the gain over the most frequent one.

    A candidate that was skipped has no expected score.  Its sentence counts as no gain,
    so the gain is a lower bound.
    """
    short = dict(zip(names, names_of(names, None, least=1), strict=True))
    by_number = sorted(names, key=lambda name: -often.get(name, 0))
    shares = ", ".join(f"{short[name]} {often.get(name, 0)}" for name in by_number)
    sentence = f"chosen of {several(len(choices), 'sentence')}: {shares}"
    if any(len(choice.expected) != len(names) for choice in choices):
        return sentence
    most_chosen = names.index(by_number[0])
    gains = [choice.score - choice.expected[most_chosen] for choice in choices]
    least = "at least " if any(map(math.isnan, gains)) else ""
    gain = fmean(0.0 if math.isnan(gain) else gain for gain in gains)
    return (
        f"{sentence}; expected score {number(fmean(c.score for c in choices))}, "
        f"{least}{fixed(gain, 2, percent=True)} points more than "
        f"{short[names[most_chosen]]} alone"
    )
