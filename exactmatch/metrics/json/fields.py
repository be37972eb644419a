"""Fields of compared documents, with equal, wrong, missing and extra leaves."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from exactmatch.metrics.score import Score, f_score

if TYPE_CHECKING:
    from exactmatch.metrics.json.differences import ComparedDocuments, Differences


@dataclass(slots=True)
class Field:
    """All leaves of one pattern in one pair of documents or in many.

    Attributes:
        field: the pattern of their paths.
        equal, similar, wrong: leaves that are matched with one of the other side, by
            how they compare.
        missing, extra: leaves of the reference, and of the prediction, that are not.
        matched: the sum of weights times similarities.
        pred_total, gold_total: what the leaves of each side weigh.

    >>> import exactmatch
    >>> pred, gold = {"a": 1, "b": "red cup"}, {"a": 2, "b": "red cups", "c": 1}
    >>> for one in exactmatch.score(pred, gold, metric="json").fields():
    ...     print(one.field, one.equal, one.similar, one.wrong, one.missing, one.f1)
    a 0 0 1 0 0.0
    b 0 1 0 0 0.75
    c 0 0 0 1 0.0
    """

    field: str
    equal: int = 0
    similar: int = 0
    wrong: int = 0
    missing: int = 0
    extra: int = 0
    matched: Fraction = dataclasses.field(default_factory=Fraction)
    pred_total: Fraction = dataclasses.field(default_factory=Fraction)
    gold_total: Fraction = dataclasses.field(default_factory=Fraction)

    @property
    def gold(self) -> int:
        """Number of leaves of the references."""
        return self.equal + self.similar + self.wrong + self.missing

    @property
    def pred(self) -> int:
        """Number of leaves of the predictions."""
        return self.equal + self.similar + self.wrong + self.extra

    @property
    def precision(self) -> float:
        """Matched share of the predictions' leaves."""
        return self._ratios()[0]

    @property
    def recall(self) -> float:
        """Matched share of the references' leaves."""
        return self._ratios()[1]

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return self._ratios()[2]

    @property
    def accuracy(self) -> float:
        """Equal leaves, as a share of the references' leaves and the extra ones."""
        n_values = self.gold + self.extra
        return self.equal / n_values if n_values else 1.0

    def _ratios(self) -> tuple[float, float, float]:
        totals = float(self.pred_total), float(self.gold_total)
        return f_score(float(self.matched), *totals, 1.0)

    def add(self, other: Field) -> None:
        """Add the leaves of another pair."""
        for field in dataclasses.fields(self)[1:]:
            value = getattr(self, field.name) + getattr(other, field.name)
            setattr(self, field.name, value)

    def to_dict(self) -> dict[str, Any]:
        """Return the counts and ratios as plain data."""
        names = ("field", "gold", "pred", "equal", "similar", "wrong", "missing")
        ratios = ("extra", "precision", "recall", "f1", "accuracy")
        sums = {
            name: float(getattr(self, name))
            for name in ("matched", "pred_total", "gold_total")
        }
        return {name: getattr(self, name) for name in (*names, *ratios)} | sums


@dataclass(slots=True)
class Items:
    """The items of all lists of one pattern.

    Attributes:
        field: the pattern of the items' paths.
        pred, gold: how many there are on each side.
        matched: how many are matched.
    """

    field: str
    pred: int = 0
    gold: int = 0
    matched: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return the counts as plain data."""
        missing, extra = self.gold - self.matched, self.pred - self.matched
        counts = {"pred": self.pred, "gold": self.gold, "matched": self.matched}
        return {"field": self.field} | counts | {"missing": missing, "extra": extra}


class Fields:
    """The fields of many pairs of documents, in the order of the references."""

    def __init__(self) -> None:
        self._fields: dict[str, Field] = {}
        self._items: dict[str, Items] = {}
        self._order: dict[str, int] = {}

    def add(
        self, compared: ComparedDocuments, differences: Differences | None = None
    ) -> int:
        """Add the leaves of a pair, and return their number."""
        differences = differences or compared.differences()
        for name in compared.order():
            self._order.setdefault(name, len(self._order))
        for leaf in differences.leaves:
            field = self._fields.setdefault(leaf.field, Field(leaf.field))
            setattr(field, leaf.outcome, getattr(field, leaf.outcome) + 1)
            field.matched += leaf.weight * leaf.similarity
            field.pred_total += leaf.weight if leaf.outcome != "missing" else 0
            field.gold_total += leaf.weight if leaf.outcome != "extra" else 0
        for name, (pred, gold, matched) in differences.items.items():
            items = self._items.setdefault(name, Items(name))
            items.pred += pred
            items.gold += gold
            items.matched += matched
        return len(differences.leaves)

    def fields(self) -> list[Field]:
        """Return the fields; those that the references lack come last."""

        def place(field: Field) -> tuple[bool, int]:
            return not field.gold, self._order.get(field.field, len(self._order))

        return sorted(self._fields.values(), key=place)

    def items(self) -> list[Items]:
        """Return the lists of objects or lists."""
        return list(self._items.values())

    def mean(self) -> float | None:
        """Return the mean of the fields' F1; ``None`` without fields."""
        f1s = [field.f1 for field in self._fields.values()]
        return math.fsum(f1s) / len(f1s) if f1s else None


def of_score(score: Score) -> list[Field]:
    """Return the fields of a score of two documents; see ``Score.fields``."""
    from exactmatch.base.errors import InputError
    from exactmatch.metrics.json.differences import ComparedDocuments

    compared = score.compared.problem if score.compared else None
    if not isinstance(compared, ComparedDocuments):
        raise InputError(
            f"this {score.metric} score has no fields; make it by exactmatch.score "
            "with metric='json'"
        )
    fields = Fields()
    fields.add(compared)
    return fields.fields()
