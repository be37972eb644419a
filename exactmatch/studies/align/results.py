"""Alignments, and what follows from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from exactmatch.base.numbers import several
from exactmatch.engine.explain import Explanation
from exactmatch.scoring.report import Report
from exactmatch.scoring.results import PairResult
from exactmatch.solvers.problem import Alignment
from exactmatch.studies.answer import Answer


class Explained(NamedTuple):
    """A pair and why it got its score.

    Attributes:
        result: the pair's result, with the graphs as they are counted.
        found: the triples that differ.
        alignment: the alignment.
        uncertain: the prediction's variables that have their partner in some optimal
            alignments only.
        title: what people call the metric.
    """

    result: PairResult
    found: Explanation
    alignment: Alignment
    uncertain: frozenset[int]
    title: str


@dataclass(frozen=True, eq=False, repr=False)
class Alignments(Answer):
    """The alignments of some pairs.

    Attributes:
        pairs: those that are shown, each with its score and what differs; none where
            they were written as they came.
        report: the scores of all pairs.

    >>> import exactmatch
    >>> preds = ["(b / bark-01 :ARG0 (d / dog))", "(r / rain-01)"]
    >>> golds = ["(b / bark-01)", "(r / rain-01)"]
    >>> found = exactmatch.studies.alignments(preds, golds, below=0.9)
    >>> found
    1 of 2 pairs shown
    >>> found.pairs[0].found.extra[0]
    Triple(source='d', role='instance', target='dog')
    """

    VIEW = "exactmatch.studies.align.view:tables"

    pairs: tuple[Explained, ...]
    report: Report

    def __repr__(self) -> str:
        return f"{len(self.pairs)} of {several(len(self.report), 'pair')} shown"
