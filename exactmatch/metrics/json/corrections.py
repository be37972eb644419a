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
        path: where, in the prediction; of what is missing, in the reference.
        says: what the prediction says.
        reference: what the reference says.
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
        for one in leaves:
            self._matched += one.weight * one.similarity
            self._total += one.weight * (1 + (one.whole is None))

    def rise(self, matched: Fraction, pred: Fraction = Fraction(0)) -> float:
        """Return the gain for *matched* more, and *pred* more in the prediction."""
        before = 2 * self._matched / self._total if self._total else Fraction(1)
        total = self._total + pred
        after = 2 * (self._matched + matched) / total if total else Fraction(1)
        return float(after - before)


def _of_leaves(leaves: Iterable[Difference], f1: _F1) -> Iterator[Correction]:
    for one in leaves:
        if one.how not in ("similar", "wrong"):
            continue
        price = f1.rise(one.weight * (1 - one.similarity))
        path, likeness = one.pred_path or "", float(one.similarity)
        elsewhere = ""
        if one.gold_path != one.pred_path:
            elsewhere = f" ({one.gold_path} of the reference)"
        if one.names is not None:
            text = f"refers to {one.names[0]}, should refer to what is {one.names[1]}"
            text += " in the reference"
            elsewhere = ""
        else:
            text = f"{shown(one.pred)} should be {shown(one.gold)}"
            ours, theirs = _kind(one.pred), _kind(one.gold)
            if ours != theirs:
                text += f": {theirs}, not {ours}"
        worth = fixed(price, 2, signed=True)
        graded = f"{fixed(likeness, 2)}, " if one.how == "similar" else ""
        yield Correction(
            "change",
            path,
            one.pred,
            one.gold,
            likeness,
            price,
            f"{_top(path)}: {text}{elsewhere} ({graded}{worth})",
        )


def _of_parts(leaves: Iterable[Difference], f1: _F1) -> Iterator[Correction]:
    """Yield corrections of parts without a partner."""
    weights: dict[tuple[str, str], Fraction] = {}
    wholes: dict[tuple[str, str], Whole] = {}
    for one in leaves:
        if one.whole is not None:
            key = one.how, one.whole.path
            weights[key] = weights.get(key, Fraction(0)) + one.weight
            wholes[key] = one.whole
    extra = {path: whole for (how, path), whole in wholes.items() if how == "extra"}
    moved: dict[str, list[str]] = {}
    for path, whole in extra.items():
        moved.setdefault(_text(whole.value), []).append(path)
    for (how, path), whole in wholes.items():
        if how == "extra":
            continue
        weight = weights[how, path]
        if path in extra:
            weight_of_extra = weights["extra", path]
            price = f1.rise(weight, weight - weight_of_extra)
            says = extra.pop(path).value
            text = f"{_top(path)}: {shown(says)} should be {shown(whole.value)}"
            yield _correction("change", path, says, whole.value, price, text)
            continue
        others = [
            other_path
            for other_path in moved.get(_text(whole.value), ())
            if other_path in extra
        ]
        if others and isinstance(whole.value, dict | list):
            del extra[others[0]]
            text = f"{_top(others[0])}: moved; belongs to {_top(path)}"
            price, value = f1.rise(weight), whole.value
            yield _correction("move", others[0], value, value, price, text)
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

    plain = plain_value(value)
    return str(value) if plain is value else plain


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
    if leaf.how == "missing":
        return f"{path} is missing: {shown(leaf.gold)}"
    if leaf.how == "extra":
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
