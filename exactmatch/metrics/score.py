"""The score of a pair or of a corpus: a number, its parts and its proof.

A :class:`Score` has a headline number.  Where that is the F1 of a precision and a
recall it is an :class:`FScore`, in which all three are there.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, NoReturn

from exactmatch.base.errors import InputError, no_attribute
from exactmatch.base.numbers import count, fixed, several, whole
from exactmatch.base.records import NamedTuple, dataclass, field
from exactmatch.base.registry import imported

if TYPE_CHECKING:
    from typing_extensions import Self

    from exactmatch.solvers.solution import Solution


class Part(NamedTuple):
    """Counts of one kind of item: matched, predicted, and of the reference."""

    matched: float
    pred_total: float
    gold_total: float


class Compared(NamedTuple):
    """The metric and the problem of the pair behind a score.

    A pickled score has none.
    """

    metric: Any
    problem: Any

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as ``None``: functions and models cannot be pickled."""
        return type(None), ()


def _ordered(
    compare: Callable[[float, float], bool],
) -> Callable[[Score, object], bool]:
    """Make a comparison of a score with another, or with a number."""

    def compared(self: Score, other: object) -> Any:
        if not isinstance(other, Score | Real):
            return NotImplemented
        return compare(self.score, float(other))

    return compared


@dataclass(frozen=True, slots=True, repr=False)
class Score:
    """A score and, if the metric searches, its proof or its interval.

    Attributes:
        metric: the metric's name.
        score: the headline number; for Smatch and S²Match the F1 score.
        precision, recall, f1: as the metric defines them; ``None`` if it does not.
        matched: matched triples (a real number for S²Match).
        pred_total, gold_total: numbers of triples of the two sides.
        bound: no alignment matches more; equal to ``matched`` when proven.
        proven: whether ``matched`` is the optimum; ``None`` without a search.
        alignment: pairs of variables, prediction and reference, if a single pair of
            graphs was scored.
        solution: the alignment in numbers, its proof and its certificate.
        parts: the counts of each kind of triple, for a metric that distinguishes them.
        of_part: whether it scores a part of graphs that both sides may lack.
        is_defined: whether anything counts.  If neither side has the part, nothing
            counts, and the numbers are 0.
        compared: the metric and the problem of the pair, if :func:`exactmatch.score`
            scored a single pair.
        remarks: notes on a score of two JSON documents, such as a path in an option
            that neither has.
        matched_pred, matched_gold: matches on each side, where several parts may stand
            for one node; ``matched`` is then half of their sum, and precision and
            recall are shares of these.  ``None`` otherwise.

    >>> import exactmatch
    >>> found = exactmatch.smatch("(b / bark-01)", "(x / bark-01 :ARG0 (d / dog))")
    >>> found
    smatch 0.6667 (P 1.0000 R 0.5000), proven
    >>> found.matched, found.pred_total, found.gold_total, found.bound
    (2, 2, 4, 2)

    As a number a score is its headline number.  Unpacked, it is precision, recall and
    score.

    >>> f"{found:.2f}", found > 0.5, max(found, 0.4) is found, round(float(found), 1)
    ('0.67', True, True, 0.7)
    >>> precision, recall, f1 = found
    >>> precision, recall
    (1.0, 0.5)
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
    alignment: tuple[tuple[Any, Any], ...] | None = None
    solution: Solution | None = None
    parts: Mapping[str, Part] = field(default_factory=dict)
    of_part: bool = False
    is_defined: bool = True
    compared: Compared | None = field(default=None, compare=False)
    matched_pred: float | None = None
    matched_gold: float | None = None
    remarks: tuple[str, ...] = field(default=(), compare=False)

    def __repr__(self) -> str:
        remarks = several(len(self.remarks), "remark") if self.remarks else ""
        return ", ".join(filter(None, (self.numbers(), self.proof(), remarks)))

    if not TYPE_CHECKING:  # a type checker would accept every name

        def __getattr__(self, name: str) -> NoReturn:
            raise no_attribute(self, name)

    def __float__(self) -> float:
        return float(self.score)

    def __format__(self, spec: str) -> str:
        return format(self.score, spec) if spec else repr(self)

    def __iter__(self) -> Iterator[float | None]:
        return iter((self.precision, self.recall, self.score))

    __lt__ = _ordered(operator.lt)
    __le__ = _ordered(operator.le)
    __gt__ = _ordered(operator.gt)
    __ge__ = _ordered(operator.ge)

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as plain data, with the names of the attributes."""
        names = ("metric", "score", "precision", "recall", "f1", "matched", "bound")
        counts = ("pred_total", "gold_total", "proven", "alignment")
        numbers = {name: getattr(self, name) for name in (*names, *counts)}
        if self.matched_pred is not None:
            sides = self.matched_pred, self.matched_gold
            numbers |= dict(zip(("matched_pred", "matched_gold"), sides, strict=True))
        return {**numbers, "remarks": list(self.remarks)} if self.remarks else numbers

    def _repr_html_(self) -> str:
        from exactmatch.base.markup import cell, joined, table

        shares = {"P": self.precision, "R": self.recall, "score": self.score}
        counts = {"matched": self.matched, "predicted": self.pred_total}
        counts["reference"] = self.gold_total
        cells = {"": cell(self.metric, self.metric)}
        cells |= {k: cell(v, fixed(v, 4)) for k, v in shares.items() if v is not None}
        cells |= {k: cell(v, count(v)) for k, v in counts.items() if v is not None}
        if proof := self.proof():
            cells["proof"] = cell(None, proof)
        return joined((table(list(cells), [list(cells.values())]), self._drawing()))

    def _drawing(self) -> str:
        """Draw both graphs and their differences, if the score still has them."""
        if self.compared is None or self.solution is None:
            return ""
        problem = self.compared.problem
        if not hasattr(problem, "profile"):
            return ""
        from exactmatch.engine.differences import drawn_sides
        from exactmatch.graphs.drawing.svg import notebook

        graphs = problem.left.graph, problem.right.graph
        sides = drawn_sides(*graphs, problem.profile, self.solution.alignment)
        return notebook(*sides, names=("Reference", "Prediction"))

    def thresholds(self) -> list[Any]:
        """Return the F1 at every cutoff of similarity, as ``exactmatch.thresholds``.

        Raises:
            InputError: if it is not a score by :func:`exactmatch.score`, or its metric
                has no cutoff.

        >>> import exactmatch
        >>> pair = [("cat", "eats", "fly")], [("cats", "eats", "fly")]
        >>> found = exactmatch.score(*pair, metric="graph", node_similarity="lcs")
        >>> [round(stretch.f1, 3) for stretch in found.thresholds()]
        [0.952, 0.667]
        """
        of_score = imported("exactmatch.studies.thresholds.pair:of_score")
        return list(of_score(self))

    def fields(self) -> list[Any]:
        """Return the table by field of a score of two JSON documents.

        Raises:
            InputError: if it is not a score by :func:`exactmatch.score` under ``json``.

        >>> import exactmatch
        >>> found = exactmatch.score({"a": 1, "b": 2}, {"a": 1, "b": 3}, metric="json")
        >>> [(one.field, one.equal, one.wrong, one.f1) for one in found.fields()]
        [('a', 1, 0, 1.0), ('b', 0, 1, 0.0)]
        """
        return list(imported("exactmatch.metrics.json.fields:of_score")(self))

    def subscores(self) -> dict[str, Any]:
        """Return the parts of nodes, attributes and edges, of a graph score.

        Each has its range over all best mappings: ``low`` and ``high``.

        Raises:
            InputError: if it is not a proven graph score by :func:`exactmatch.score`.

        >>> import exactmatch
        >>> one = {"nodes": ["a", "b"], "edges": [[0, 1]]}
        >>> other = {"nodes": ["a", "c"], "edges": [[1, 0]]}
        >>> found = exactmatch.score(one, other, metric="graph").subscores()
        >>> found["nodes"].low, found["nodes"].high, found["edges"].f1_range
        (0.0, 1.0, (0.0, 1.0))
        """
        of_score = imported("exactmatch.metrics.labelled.subscores:of_score")
        return dict(of_score(self))

    def pair(self) -> Compared:
        """Return the metric and the problem of the pair.

        Raises:
            InputError: if they were not kept, or the metric aligns nothing.
        """
        if self.compared is None:
            raise InputError(
                f"this {self.metric} score has no alignment kept; make it by "
                "exactmatch.score with a metric that aligns"
            )
        return self.compared

    def aligned(
        self,
        alignment: tuple[tuple[Any, Any], ...],
        solution: Solution,
        compared: Compared | None = None,
    ) -> Self:
        """Return the score with the alignment behind it."""
        copy = object.__new__(type(self))
        set_attribute = object.__setattr__
        for name in Score.__slots__:
            set_attribute(copy, name, getattr(self, name))
        set_attribute(copy, "alignment", alignment)
        set_attribute(copy, "solution", solution)
        set_attribute(copy, "compared", compared)
        return copy

    def numbers(self) -> str:
        """Return the numbers as text: ``smatch 0.6671 (P 0.6633 R 0.6710)``."""
        if not self.is_defined:
            return f"{self.metric} -"
        parts = ("P", self.precision), ("R", self.recall)
        shown = " ".join(f"{name} {fixed(v, 4)}" for name, v in parts if v is not None)
        return f"{self.metric} {fixed(self.score, 4)}" + (
            f" ({shown})" if shown else ""
        )

    def proof(self) -> str:
        """Return *proven*, or the upper bound in words; empty without a search."""
        if self.proven is None or not self.is_defined:
            return ""
        upper = self.upper()
        if self.proven or upper is None:
            return "proven" if self.proven else "not proven"
        return f"at most {fixed(upper[2], 4)}"

    @property
    def shown(self) -> float | None:
        """Headline number, or ``None`` if nothing counts."""
        return self.score if self.is_defined else None

    @property
    def f1_upper(self) -> float | None:
        """Upper bound of F1; equal to ``f1`` when proven."""
        upper = self.upper()
        return upper[2] if upper else None

    def upper(self) -> tuple[float, float, float] | None:
        """Return precision, recall and F1 if ``bound`` triples matched, or ``None``."""
        if self.bound is None or self.pred_total is None or self.gold_total is None:
            return None
        if not self.is_defined:
            return None
        if self.matched_pred is not None and self.matched_gold is not None:
            possible_gain = 2 * (
                self.bound - (self.matched or 0)
            )  # of both sides together
            return (
                min(share_of(self.matched_pred + possible_gain, self.pred_total), 1.0),
                min(share_of(self.matched_gold + possible_gain, self.gold_total), 1.0),
                share_of(2 * self.bound, self.pred_total + self.gold_total, self.score),
            )
        return f_score(self.bound, self.pred_total, self.gold_total, self.score)


def required(value: float | None, name: str, metric: str) -> float:
    """Return a number that a metric has.

    Raises:
        AttributeError: if it has none.
    """
    if value is None:
        raise AttributeError(f"{metric} has no {name}; its number is .score")
    return value


class FScore(Score):
    """A score that is the F1 of a precision and a recall.

    Attributes:
        precision, recall, f1: numbers from 0 to 1; above 1 only if a profile counts
            repeated triples more than once.

    >>> import exactmatch
    >>> round(100 * exactmatch.smatch("(b / bark-01)", "(x / bark-01)").f1, 1)
    100.0
    """

    __slots__ = ()

    precision: float
    recall: float
    f1: float


def parts_of(kinds: Iterable[str], counts: Iterable[float]) -> dict[str, Part]:
    """Take the counts of each kind from a row of statistics."""
    numbers = iter(counts)
    return {
        kind: Part(*three)
        for kind, *three in zip(kinds, numbers, numbers, numbers, strict=True)
    }


def share_of(matched: float, total: float, nothing: float = 0.0) -> float:
    """Return the share of a side that matches; *nothing* where it is empty."""
    return matched / total if total else nothing


def score_of_sums(
    name: str,
    sums: Sequence[float],
    nothing: float,
    of_part: bool = False,
    is_defined: bool = True,
) -> FScore:
    """Return the score of summed statistics.

    It is *nothing* where both totals are zero.
    The sums are matches, their bound, both totals, pairs and proven pairs.
    """
    matched, bound, pred_total, gold_total, pairs, proven = sums
    precision, recall, f1 = f_score(matched, pred_total, gold_total, nothing)
    return FScore(
        name,
        f1,
        precision,
        recall,
        f1,
        whole(matched),
        whole(pred_total),
        whole(gold_total),
        whole(bound),
        proven == pairs,
        of_part=of_part,
        is_defined=is_defined,
    )


def f_score(
    matched: float, pred_total: float, gold_total: float, nothing: float = 0.0
) -> tuple[float, float, float]:
    """Compute precision, recall and F1 of counts.

    They are zero where one side is empty, and *nothing* where both are.

    Source: smatch 1.0.4, ``compute_f``; SMATCH++ gives 1 where both are.
    """
    if pred_total == 0 and gold_total == 0:
        return nothing, nothing, nothing
    if pred_total == 0 or gold_total == 0 or matched == 0:
        return 0.0, 0.0, 0.0
    precision, recall = matched / pred_total, matched / gold_total
    return precision, recall, 2 * precision * recall / (precision + recall)
