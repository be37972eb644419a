"""How alike two labels are, in [0, 1], by name, by a function or by layers of these.

A label that is missing is like another that is missing, and like nothing else.  Of
several layers the first that knows two labels decides: ``value+lcs`` compares two
numbers or two dates by their values, and all else by the longest common substring.
Before the layers that are named come judgements that are kept in a file, and a table of
aliases; the last layer knows all labels.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from itertools import islice
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import InputError
from exactmatch.base.registry import installed
from exactmatch.graphs.profile import Comparison, in_words
from exactmatch.metrics.similarity.strings import are_equal, lcs_similarity

Table: TypeAlias = npt.NDArray[np.float64]
Path: TypeAlias = "str | os.PathLike[str]"
Similar: TypeAlias = Callable[[str, str], float]  # of two labels, in [0, 1]


def _levenshtein(a: str, b: str) -> float:
    return float(_rapidfuzz().distance.Levenshtein.normalized_similarity(a, b))


def _token_set(a: str, b: str) -> float:
    return float(_rapidfuzz().fuzz.token_set_ratio(a, b)) / 100


def _rapidfuzz() -> Any:
    return installed("rapidfuzz", "levenshtein and token-set need", "fuzzy")


SIMILARITIES: dict[str, tuple[Similar | None, bool]] = {
    "exact": (None, False),
    "normalised": (None, True),
    "lcs": (lcs_similarity, True),
    "levenshtein": (_levenshtein, True),
    "token-set": (_token_set, True),
}
"""Each similarity by name: of labels that are not equal, if they may be alike at all;
and whether it compares normalised labels."""


def comparison_of(nodes: str, edges: str) -> Comparison | None:
    """Return how labels are compared where people are shown what differs."""
    normalised = {SIMILARITIES.get(name, (None, None))[1] for name in (nodes, edges)}
    if normalised == {True}:
        return "words"
    return "exact" if normalised == {False} else None


def similarities(
    left: Sequence[str | None], right: Sequence[str | None], layer: Layer, cutoff: float
) -> Table:
    """Compare every left label with every right one; what is below the cutoff is 0."""
    sides = []
    for labels in (left, right):
        distinct = dict.fromkeys(label for label in labels if label is not None)
        place = {label: number for number, label in enumerate((*distinct, None))}
        at = np.array([place[label] for label in labels], dtype=np.intp)
        sides.append(([*distinct], at))
    (ours, rows), (theirs, columns) = sides
    table = np.zeros((len(ours) + 1, len(theirs) + 1))  # the last: no label
    table[-1, -1] = 1.0
    if ours and theirs:
        known = table[:-1, :-1]
        known[:] = math.nan
        layer.put(known, ours, theirs)
    if not ((table >= 0) & (table <= 1)).all():
        raise InputError("a similarity is a number from 0 to 1; the function says else")
    table[table < cutoff] = 0.0
    found: Table = table[np.ix_(rows, columns)]
    return found


_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august"),
    *("september", "october", "november", "december"),
)
_NUMBER = re.compile(r"[+-]?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?([eE][+-]?\d+)?%?")
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_MONTH = r"(?P<month>[a-z]{3,9})\.?"
_DATES = (
    re.compile(
        r"(?P<year>\d{4})-(?P<month>\d{1,2})(?:-(?P<day>\d{1,2}))?(?:T[\d:.]+Z?)?"
    ),
    re.compile(rf"(?:{_DAY}\s+)?{_MONTH},?\s+(?P<year>\d{{4}})", re.IGNORECASE),
    re.compile(rf"{_MONTH}\s+{_DAY},?\s+(?P<year>\d{{4}})", re.IGNORECASE),
)


def value_of(label: str) -> tuple[Any, ...] | None:
    """Read the number or the date that a label states; ``None`` if it states neither.

    >>> value_of('"1,000.0"') == value_of("1e3") == ("number", 1000)
    True
    >>> value_of("11 July 1907") == value_of("1907-07-11") == value_of("Jul. 11, 1907")
    True
    """
    text = label.strip(" \t\"'").replace("_", " ")
    if _NUMBER.fullmatch(text):
        with suppress(ArithmeticError):  # of an exponent that nobody counts to
            number = Decimal(text.rstrip("%").replace(",", ""))
            return "number", number / 100 if text.endswith("%") else number
        return None
    for pattern in _DATES:
        if found := pattern.fullmatch(text):
            return _date(**found.groupdict())
    return None


def _date(year: str, month: str, day: str | None) -> tuple[Any, ...] | None:
    named = [k for k, m in enumerate(_MONTHS, 1) if m.startswith(month.lower())]
    number = int(month) if month.isdigit() else 0
    if len(named) == 1:
        number = named[0]
    if not 1 <= number <= 12 or (day is not None and not 1 <= int(day) <= 31):
        return None
    return "date", int(year), number, None if day is None else int(day)


def by_value(a: str, b: str) -> float | None:
    """Compare two numbers, or two dates; ``None`` if they are no such two."""
    one, other = value_of(a), value_of(b)
    if one is None or other is None or one[0] != other[0]:
        return None
    return float(one == other)


class Layer:
    """One similarity among others, with the name that a signature calls it.

    It is a function of two labels, which answers ``None`` where it does not know them.
    """

    def __init__(self, name: str, ask: Callable[[str, str], float | None]) -> None:
        self.name, self._ask = name, ask

    def put(self, table: Table, ours: Sequence[str], theirs: Sequence[str]) -> None:
        """Put the similarities of the labels that it knows into a table."""
        for i, a in enumerate(ours):
            for j, b in enumerate(theirs):
                found: Any = self._ask(a, b)
                if found is not None:
                    table[i, j] = math.nan if isinstance(found, str) else found


class Layered(Layer):
    """Several similarities, the first of which that knows two labels decides."""

    def __init__(self, layers: Sequence[Layer]) -> None:
        self._layers = layers
        self.name = "+".join(layer.name for layer in layers)

    def put(self, table: Table, ours: Sequence[str], theirs: Sequence[str]) -> None:
        for layer in reversed(self._layers):
            layer.put(table, ours, theirs)


class NamedLayer(Layer):
    """A similarity of :data:`SIMILARITIES`; equal labels are alike."""

    def __init__(self, name: str) -> None:
        self.name = name

    def put(self, table: Table, ours: Sequence[str], theirs: Sequence[str]) -> None:
        compare, is_normal = SIMILARITIES[self.name]
        if is_normal:
            ours, theirs = ([in_words(x) for x in side] for side in (ours, theirs))
        table[:] = are_equal(ours, theirs)
        if compare is not None:
            for i, j in np.argwhere(table == 0.0).tolist():
                table[i, j] = compare(ours[i], theirs[j])


class CosineLayer(Layer):
    """The cosine of embeddings of whole labels; below 0 it is 0.

    Of word vectors, the embedding of a label is the sum of its words', each of length
    1.  A label without any vector is like those alone that are equal to it.
    """

    def __init__(self, vectors: Path | None, encoder: Any) -> None:
        from exactmatch.metrics.similarity.encoder import load_encoder
        from exactmatch.metrics.similarity.vectors import Vectors, unit_rows

        self._vectors = None if vectors is None else Vectors.load(vectors)
        self._encode = load_encoder(encoder) if isinstance(encoder, str) else encoder
        self._known: dict[str, npt.NDArray[np.float64]] = {}
        source = encoder if isinstance(encoder, str) else "encoder"
        if self._vectors is not None:
            source = self._vectors.name
            self._units = unit_rows(self._vectors.matrix)
        self.name = f"cosine:{source}"

    def put(self, table: Table, ours: Sequence[str], theirs: Sequence[str]) -> None:
        forms = [[in_words(label) for label in side] for side in (ours, theirs)]
        self._embed(sorted({*forms[0], *forms[1]} - self._known.keys()))
        left, right = (np.array([self._known[x] for x in side]) for side in forms)
        table[:] = np.clip(left @ right.T, 0.0, 1.0)
        table[are_equal(*forms)] = 1.0

    def _embed(self, labels: list[str]) -> None:
        if not labels:
            return
        vectors = self._vectors
        if vectors is None:
            rows = np.asarray(self._encode(labels), dtype=np.float64)
        else:
            rows = np.zeros((len(labels), self._units.shape[1]))
            for row, label in zip(rows, labels, strict=True):
                for word in label.split():
                    if word in vectors:
                        row += self._units[vectors.rows[word]]
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        rows = rows / np.where(lengths > 0, lengths, 1.0)
        self._known.update(zip(labels, rows, strict=True))


class AliasLayer(Layer):
    """Names that mean the same, given by their aliases or in a file.

    It is tab-separated: in each line names that mean the same, or two names and how
    alike they are, from 0 to 1.
    """

    def __init__(self, aliases: Mapping[str, str] | Path) -> None:
        self._graded: dict[frozenset[str], float] = {}
        self._group = group = dict[str, str]()
        if isinstance(aliases, Mapping):
            name, rows = "given", [list(map(str, pair)) for pair in aliases.items()]
        else:
            text = _text_of(aliases, "aliases")
            name = _named(aliases, text)
            rows = [line.split("\t") for line in text.splitlines() if line.strip()]
        self.name = f"aliases:{name}"
        for row in rows:
            names = [in_words(cell) for cell in row if cell.strip()]
            share = _share(row[2]) if len(row) == 3 else None
            if share is not None:
                self._graded[frozenset(names[:2])] = share
                continue
            known = [group[one] for one in names if one in group]
            first = known[0] if known else names[0]
            for other, root in list(group.items()):  # two groups become one
                if root in known:
                    group[other] = first
            group.update(dict.fromkeys(names, first))

    def _ask(self, a: str, b: str) -> float | None:
        one, other = in_words(a), in_words(b)
        if self._group.get(one, one) == self._group.get(other, other):
            return 1.0
        return self._graded.get(frozenset((one, other)))


class JudgedLayer(Layer):
    """Judgements that are kept in a file: each pair of labels is asked about once.

    The file has a line of JSON a pair: ``{"left", "right", "similarity"}``.  It holds
    for both orders, unless it has both.  What a judge answers is added to it.
    """

    def __init__(self, path: Path, judge: Similar | None, begins: bool) -> None:
        """Read a file; where one *begins*, it need not be there yet."""
        self.path, self._judge = os.fspath(path), judge
        self._known: dict[tuple[str, str], float] = {}
        text = ""
        if not begins or os.path.exists(self.path):
            text = _text_of(path, "judgements")
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                pair, grade = _judgement(line, self.path, number)
                self._known[pair] = grade
        self.name = f"judged:{_named(path, text)}"

    def _ask(self, a: str, b: str) -> float | None:
        found = self._known.get((a, b), self._known.get((b, a)))
        if found is None and self._judge is not None:
            found = 1.0 if a == b else float(self._judge(a, b))
            if not 0 <= found <= 1:
                raise InputError(f"the judge says {found}, not from 0 to 1")
            self._known[a, b] = found
        return found

    def put(self, table: Table, ours: Sequence[str], theirs: Sequence[str]) -> None:
        before = len(self._known)
        super().put(table, ours, theirs)
        lines = [
            json.dumps({"left": a, "right": b, "similarity": s}, ensure_ascii=False)
            for (a, b), s in islice(self._known.items(), before, None)
        ]
        if lines:
            with open(self.path, "a", encoding="utf-8") as stream:
                stream.writelines(f"{line}\n" for line in lines)


def _judgement(line: str, path: str, number: int) -> tuple[tuple[str, str], float]:
    try:
        known = json.loads(line)
        pair, share = (str(known["left"]), str(known["right"])), known["similarity"]
    except (ValueError, KeyError, TypeError):
        share = None
    grade = _share(share)
    if grade is not None:
        return pair, grade
    raise InputError(
        f"{path}:{number}: is no judgement; give "
        '{"left": "a", "right": "b", "similarity": 0.8}, from 0 to 1'
    )


def _text_of(path: Path, what: str) -> str:
    try:
        with open(path, encoding="utf-8") as stream:
            return stream.read()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot read {what} {os.fspath(path)!r}: {reason}") from None


def _named(path: Path, text: str) -> str:
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    return f"{os.path.basename(os.fspath(path))}@{digest}"


def _share(stated: Any) -> float | None:
    """The number from 0 to 1 that is stated; ``None`` for all else."""
    try:
        number = float(stated)
    except (ValueError, TypeError, OverflowError):
        return None
    return number if 0 <= number <= 1 else None


def layered(
    similarity: str | Similar,
    option: str,
    vectors: Path | None = None,
    encoder: Any = None,
    aliases: Mapping[str, str] | Path | None = None,
    judged: Path | None = None,
    begins: bool = False,
) -> Layer:
    """Make the layers that options describe.

    The similarity is names with ``+`` between them, or a function, whose answers are
    kept in a file of judgements; *begins* says whether a function may begin that file.
    """
    layers: list[Layer] = []
    function = similarity if callable(similarity) else None
    if judged is not None:
        layers.append(JudgedLayer(judged, function, begins))
    if aliases is not None:
        layers.append(AliasLayer(aliases))
    names: list[str | Similar] = [similarity]
    if isinstance(similarity, str):
        names = [*similarity.split("+")]
    if names[-1] == "value":
        names.append("normalised")
    for name in names:
        if callable(name):
            called = getattr(name, "__qualname__", type(name).__qualname__)
            if judged is None:
                layers.append(Layer(str(called), name))
        elif name == "value":
            layers.append(Layer("value", by_value))
        elif name == "cosine":
            if (vectors is None) == (encoder is None):
                raise InputError(
                    f"{option} is 'cosine', which compares vectors; give vectors or an "
                    "encoder"
                )
            layers.append(CosineLayer(vectors, encoder))
        elif name in SIMILARITIES:
            layers.append(NamedLayer(name))
        else:
            known = ", ".join(map(repr, SIMILARITIES))
            raise InputError(
                f"{option} is {name!r}; it is one of {known}, or a function of two "
                "labels"
            )
    return layers[0] if len(layers) == 1 else Layered(layers)
