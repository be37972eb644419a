"""The contract of a metric: one file, one class, one line in ``METRICS``.

A metric measures a pair as *sufficient statistics*, a flat tuple of numbers
that can be summed.  The score of a pair is a function of its statistics, and
the score of a corpus is the same function of their sum; so corpus scores,
averages over pairs, bootstrap samples and paired tests all come from one pass.
(The idea is sacreBLEU's: Post 2018, "A call for clarity in reporting BLEU
scores".)
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES, Profile

if TYPE_CHECKING:
    from exactmatch.alignment.problem import Pairing
    from exactmatch.solvers.solution import Limits, Solution

Statistics: TypeAlias = tuple[float, ...]
Item: TypeAlias = "Graph | str"
"""What a metric compares: graphs, or sentences for a metric on text."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a metric, for the command line and the signature alike.

    Attributes:
        name: the keyword of the metric's constructor; the flag is ``--name``
            with hyphens.
        help: one line for ``--help``.
        type: how its text is converted; ``bool`` makes a flag without value.
        choices: the allowed values, if they are few.
        metavar: what the value is called in ``--help``.
    """

    name: str
    help: str
    type: type = str
    choices: tuple[str, ...] | None = None
    metavar: str | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """A score and, where the metric searches, its proof or its interval.

    Attributes:
        metric: the metric's name.
        score: the headline number; for Smatch and S²Match the F1 score.
        precision, recall, f1: as the metric defines them; ``None`` where it
            does not.
        matched: matched triples (a real number for S²Match).
        pred_total, gold_total: numbers of triples of the two sides.
        bound: no alignment matches more; equal to ``matched`` when proven.
        proven: whether ``matched`` is the optimum; ``None`` without a search.
        alignment: pairs of variables, prediction and reference, where a single
            pair of graphs was asked for.
        solution: the alignment in numbers, its proof and its certificate.
    """

    metric: str
    score: float
    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    matched: float | None = None
    pred_total: float | None = None
    gold_total: float | None = None
    bound: float | None = None
    proven: bool | None = None
    alignment: tuple[tuple[str, str], ...] | None = field(default=None, repr=False)
    solution: Solution | None = field(default=None, repr=False)

    @property
    def f1_upper(self) -> float | None:
        """No alignment reaches a higher F1; equal to ``f1`` when proven."""
        upper = self.upper()
        return upper[2] if upper else None

    def upper(self) -> tuple[float, float, float] | None:
        """Precision, recall and F1 if ``bound`` triples matched, or ``None``."""
        if self.bound is None or self.pred_total is None or self.gold_total is None:
            return None
        return f_score(self.bound, self.pred_total, self.gold_total, self.score)


@dataclass(frozen=True, slots=True)
class Measurement:
    """What a metric finds out about one pair.

    Attributes:
        statistics: summable numbers; their meaning is the metric's own.
        solution: the alignment and its bound, for a metric that searches.
        pairing: the problem behind the solution, for explanations.
        rejected: why the solution's certificate was refused, if it was; empty
            if it was checked and found right, ``None`` if it was not checked.
    """

    statistics: Statistics
    solution: Solution | None = None
    pairing: Pairing | None = None
    rejected: str | None = None


class Metric(ABC):
    """Base of all metrics.

    Class attributes:
        name: what ``--metric`` calls it.
        title: its name in tables.
        summary: one line for ``--help``.
        reads: whether it compares graphs or sentences.
        default_profile: the profile it uses unless told otherwise; ``None``
            for a metric on text.
        profiles: the profiles it can work with.
        options: its own options.
        needs_references: whether :meth:`prepare` must see every reference.
        in_all: whether ``--metric all`` runs it: it needs no extra resource.
        searches: whether it aligns variables, and so takes a solver.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    reads: ClassVar[Literal["graph", "text"]] = "graph"
    default_profile: ClassVar[str | None] = None
    profiles: ClassVar[tuple[str, ...]] = ()
    options: ClassVar[tuple[Option, ...]] = ()
    needs_references: ClassVar[bool] = False
    in_all: ClassVar[bool] = True
    searches: ClassVar[bool] = False

    def __init__(self, profile: Profile | None = None) -> None:
        if profile is None and self.default_profile is not None:
            profile = PROFILES[self.default_profile]
        self.profile = profile

    def prepare(self, references: Sequence[Any]) -> None:
        """See the references before any pair is measured, for idf weights."""
        del references

    def expect(self, references: int) -> None:
        """Hear how many references a pair has at most, for the signature.

        Where pairs are measured in other processes, this is the only way to know.
        """
        del references

    def foresee(self, texts: Iterable[str]) -> None:
        """See the text of all graphs before any is measured, to load resources once.

        A metric works without having foreseen anything; it may then read a
        file of vectors more than once.
        """
        del texts

    @abstractmethod
    def measure(
        self, pred: Any, *golds: Any, limits: Limits | None = None
    ) -> Measurement:
        """Measure one prediction against its reference (or references)."""

    @abstractmethod
    def score(self, statistics: Statistics) -> Score:
        """The score of one pair's statistics, or of the sum of many."""

    @abstractmethod
    def signature(self) -> list[tuple[str, str]]:
        """All that determines the number beside the data, as key and value."""

    def identity(self) -> Statistics:
        """The statistics of no pair at all: what sums start from."""
        return ()


def add(left: Statistics, right: Statistics) -> Statistics:
    """Sum two pairs' statistics; a shorter one is padded with zeros."""
    if len(left) == len(right):
        return tuple(map(operator.add, left, right))
    if len(left) < len(right):
        left, right = right, left
    padded = right + (0.0,) * (len(left) - len(right))
    return tuple(a + b for a, b in zip(left, padded, strict=True))


def f_score(
    matched: float, pred_total: float, gold_total: float, nothing: float = 0.0
) -> tuple[float, float, float]:
    """Precision, recall and F1; zero where a side is empty, *nothing* where both are.

    Source: smatch 1.0.4, ``compute_f``; SMATCH++ gives 1 where both are.
    """
    if pred_total == 0 and gold_total == 0:
        return nothing, nothing, nothing
    if pred_total == 0 or gold_total == 0:
        return 0.0, 0.0, 0.0
    precision, recall = matched / pred_total, matched / gold_total
    if precision + recall == 0:
        return precision, recall, 0.0
    return precision, recall, 2 * precision * recall / (precision + recall)
