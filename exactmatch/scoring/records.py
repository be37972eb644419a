"""Results as plain data under stable names.

Numbers are fractions between 0 and 1, in full double precision.  The names of the
fields are a stable interface.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from exactmatch.base.numbers import whole
from exactmatch.metrics.score import Score
from exactmatch.scoring.results import CorpusScore, PairResult

if TYPE_CHECKING:
    from exactmatch.scoring.resampling import Interval

_COUNTS = ("metric", "matched", "pred_total", "gold_total")
_SHARES = ("precision", "recall", "f1", "score")
_NUMBERS = (*_COUNTS, *_SHARES, "bound")

_SCORE_FIELDS = (*_NUMBERS, "proven")
"""The fields that a score has itself."""

_UPPER = ("precision_upper", "recall_upper", "f1_upper")

_SOLVING = ("solver", "seconds", "f1_upper", "proof", "problem", "certified")
PAIR_FIELDS = ("index", "id", *_SCORE_FIELDS, *_SOLVING)
"""The fields of a pair, in this order."""

CORPUS_FIELDS = (*_NUMBERS, *_UPPER, "pairs", "proven", "signature")
"""The fields of a corpus, in this order."""

_ENDS = [
    f"{name}_{end}"
    for name in ("precision", "recall", "score")
    for end in ("low", "high")
]
INTERVAL_FIELDS = (*_ENDS, "confidence")
"""Further fields of a corpus whose intervals were asked for."""

_RATIOS = (*_SHARES, *_UPPER)
"""The fields that are ``null`` as long as no pair has what is scored."""


def pair_record(result: PairResult) -> dict[str, Any]:
    """A pair's result as plain data under the stable names."""
    record: dict[str, Any] = {"index": result.index, "id": result.id}
    record |= {name: getattr(result.score, name) for name in _SCORE_FIELDS}
    solution = result.solution
    upper = result.score.upper()
    record["solver"] = solution.solver if solution else None
    record["seconds"] = solution.seconds if solution else None
    record["f1_upper"] = upper[2] if upper else None
    record["proof"] = solution.proof if solution else None
    record["problem"] = result.problem
    if not result.score.is_defined:
        record |= dict.fromkeys(_SHARES)
    record["certified"] = None if result.rejected is None else not result.rejected
    faults = {"faults": list(result.faults)} if result.faults else {}
    return record | _parts(result.score) | faults


def corpus_record(corpus: CorpusScore, macro: bool = False) -> dict[str, Any]:
    """A corpus score as plain data under the stable names.

    Args:
        corpus: the score.
        macro: replace precision, recall, F1 and score by their means over pairs.
    """
    record = {name: getattr(corpus.score, name) for name in _SCORE_FIELDS}
    upper = corpus.score.upper() or (None, None, None)
    record |= zip(_UPPER, upper, strict=True)
    if macro:
        record |= corpus.macro
    if not corpus.defined:
        record |= dict.fromkeys(_RATIOS)
    record["pairs"] = corpus.pairs
    record["proven"] = corpus.proven
    record["signature"] = corpus.signature + ("|average:macro" if macro else "")
    intervals = corpus.macro_intervals if macro else corpus.intervals
    ends = {} if corpus.confidence is None else _ends(intervals, corpus.confidence)
    having = {"defined": corpus.defined} if corpus.score.of_part else {}
    numbers = {name: record[name] for name in CORPUS_FIELDS}
    return numbers | having | _parts(corpus.score) | ends


def _parts(score: Score) -> dict[str, Any]:
    if not score.parts:
        return {}
    return {
        "pieces": {
            kind: {
                "g": whole(part.gold_total),
                "s": whole(part.pred_total),
                "c": whole(part.matched),
            }
            for kind, part in score.parts.items()
        }
    }


def _ends(intervals: Mapping[str, Interval], level: float) -> dict[str, Any]:
    ends: dict[str, Any] = {**dict.fromkeys(INTERVAL_FIELDS), "confidence": level}
    for name, interval in intervals.items():
        ends[f"{name}_low"], ends[f"{name}_high"] = interval.low, interval.high
    return ends
