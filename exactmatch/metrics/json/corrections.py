"""Corrections of a predicted document, in sentences with paths."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from exactmatch.base.numbers import fixed
from exactmatch.metrics.json.differences import Difference, Whole

if TYPE_CHECKING:
    from exactmatch.metrics.json.differences import ComparedDocuments

LONGEST = 80
"""Letters of a value that are shown."""


@dataclass(frozen=True, slots=True)
class Correction:
    """One change of a predicted document.

    Attributes:
        does: ``add``, ``remove``, ``change`` or ``move``.
        path: the path in the prediction; for a missing value, in the reference.
        says: the value in the prediction.
        reference: the value in the reference.
        similarity: how alike two values are.
        price: gain in F1 by this change alone.
        words: the change in a sentence.
    """

    does: str
    path: str
    says: Any
    reference: Any
    similarity: float | None
    price: float
    words: str

    def __str__(self) -> str:
        return self.words

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return asdict(self)


def corrections(compared: ComparedDocuments) -> list[Correction]:
    """Return the changes that a predicted document needs, the most valuable first."""
    leaves = compared.differences().leaves
    listed = [*_of_leaves(leaves, _F1(leaves)), *_of_parts(leaves, _F1(leaves))]
    return sorted(listed, key=lambda correction: -correction.price)


class _F1:
    """F1 of documents, and the gain by changes."""

    def __init__(self, leaves: Iterable[Difference]) -> None:
        self._matched, self._total = Fraction(0), Fraction(0)
        for leaf in leaves:
            self._matched += leaf.weight * leaf.similarity
            self._total += leaf.weight * (1 + (leaf.whole is None))

    def rise(self, matched: Fraction, pred: Fraction = Fraction(0)) -> float:
        """Return the gain for *matched* more, and *pred* more in the prediction."""
        before = 2 * self._matched / self._total if self._total else Fraction(1)
        total = self._total + pred
        after = 2 * (self._matched + matched) / total if total else Fraction(1)
        return float(after - before)


def _of_leaves(leaves: Iterable[Difference], f1: _F1) -> Iterator[Correction]:
    for leaf in leaves:
        if leaf.outcome not in ("similar", "wrong"):
            continue
        price = f1.rise(leaf.weight * (1 - leaf.similarity))
        path, likeness = leaf.pred_path or "", float(leaf.similarity)
        elsewhere = ""
        if leaf.gold_path != leaf.pred_path:
            elsewhere = f" ({leaf.gold_path} of the reference)"
        if leaf.names is not None:
            text = f"refers to {leaf.names[0]}, should refer to what is {leaf.names[1]}"
            text += " in the reference"
            elsewhere = ""
        else:
            text = f"{shown(leaf.pred)} should be {shown(leaf.gold)}"
            pred_kind, gold_kind = _kind(leaf.pred), _kind(leaf.gold)
            if pred_kind != gold_kind:
                text += f": {gold_kind}, not {pred_kind}"
        worth = fixed(price, 2, signed=True)
        graded = f"{fixed(likeness, 2)}, " if leaf.outcome == "similar" else ""
        yield Correction(
            "change",
            path,
            leaf.pred,
            leaf.gold,
            likeness,
            price,
            f"{_top(path)}: {text}{elsewhere} ({graded}{worth})",
        )


def _of_parts(leaves: Iterable[Difference], f1: _F1) -> Iterator[Correction]:
    """Yield corrections of parts without a partner."""
    weights: dict[tuple[str, str], Fraction] = {}
    wholes: dict[tuple[str, str], Whole] = {}
    for leaf in leaves:
        if leaf.whole is not None:
            key = leaf.outcome, leaf.whole.path
            weights[key] = weights.get(key, Fraction(0)) + leaf.weight
            wholes[key] = leaf.whole
    extra = {
        path: whole for (outcome, path), whole in wholes.items() if outcome == "extra"
    }
    moved: dict[str, list[str]] = {}
    for path, whole in extra.items():
        moved.setdefault(_text(whole.value), []).append(path)
    for (outcome, path), whole in wholes.items():
        if outcome == "extra":
            continue
        weight = weights[outcome, path]
        if path in extra:
            weight_of_extra = weights["extra", path]
            price = f1.rise(weight, weight - weight_of_extra)
            says = extra.pop(path).value
            text = f"{_top(path)}: {shown(says)} should be {shown(whole.value)}"
            yield _correction("change", path, says, whole.value, price, text)
            continue
        other_leaves = [
            other_path
            for other_path in moved.get(_text(whole.value), ())
            if other_path in extra
        ]
        if other_leaves and isinstance(whole.value, dict | list):
            del extra[other_leaves[0]]
            text = f"{_top(other_leaves[0])}: moved; belongs to {_top(path)}"
            price, value = f1.rise(weight), whole.value
            yield _correction("move", other_leaves[0], value, value, price, text)
            continue
        price = f1.rise(weight, weight)
        text = f"{_top(path)} of the reference is missing: {shown(whole.value)}"
        yield _correction("add", path, None, whole.value, price, text)
    for path, whole in extra.items():
        price = f1.rise(Fraction(0), -weights["extra", path])
        text = f"{_top(path)}: {shown(whole.value)} is too much"
        yield _correction("remove", path, whole.value, None, price, text)


def _correction(
    does: str, path: str, says: Any, reference: Any, price: float, text: str
) -> Correction:
    worth = fixed(price, 2, signed=True)
    return Correction(does, path, says, reference, None, price, f"{text} ({worth})")


def _top(path: str) -> str:
    return path or "the document"


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=_plain)


def _plain(value: Any) -> Any:
    from exactmatch.metrics.json.building import plain_value

    value_as_data = plain_value(value)
    return str(value) if value_as_data is value else value_as_data


def shown(value: Any) -> str:
    """Return a value as JSON, shortened."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=_plain)
    except (RecursionError, TypeError, ValueError):
        text = f"a {type(value).__name__}"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def difference_text(leaf: Difference) -> str:
    """Return the difference of a leaf in words."""
    path = _top((leaf.gold_path if leaf.pred_path is None else leaf.pred_path) or "")
    if leaf.outcome == "missing":
        return f"{path} is missing: {shown(leaf.gold)}"
    if leaf.outcome == "extra":
        return f"{path} is too much: {shown(leaf.pred)}"
    return f"{path}: {shown(leaf.pred)} should be {shown(leaf.gold)}"


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, str):
        return "a text"
    if value is None:
        return "null"
    return "an object" if isinstance(value, dict) else "a number"
