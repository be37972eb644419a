"""Layers that compare labels by vectors, aliases or judgements from files."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from copy import copy
from itertools import islice
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import InputError
from exactmatch.base.signed import signed_function, signed_mapping
from exactmatch.graphs.profile import in_words
from exactmatch.metrics.labelled.layers import Layer, Similar, Table, as_similarity
from exactmatch.metrics.similarity.strings import are_equal

Path: TypeAlias = "str | os.PathLike[str]"


class CosineLayer(Layer):
    """Cosine of embeddings of whole labels; below 0 it is 0.

    With word vectors, the embedding of a label is the sum of its words' vectors, each
    of length 1.  A label without any vector matches only equal labels.
    """

    def __init__(self, vectors: Path | None, encoder: Any) -> None:
        from exactmatch.metrics.similarity.encoder import load_encoder
        from exactmatch.metrics.similarity.vectors import Vectors, unit_rows

        self._vectors = None if vectors is None else Vectors.load(vectors)
        self._encode = load_encoder(encoder) if isinstance(encoder, str) else encoder
        self._known: dict[str, npt.NDArray[np.float64]] = {}
        self._tables: list[tuple[dict[str, int], dict[str, int], Table]] | None = None
        source = encoder if isinstance(encoder, str) else _of_encoder(encoder)
        if self._vectors is not None:
            source = self._vectors.name
            self._units = unit_rows(self._vectors.matrix)
        self.name = f"cosine:{source}"

    def similarity(self, a: str, b: str) -> float | None:
        for rows, columns, table in self._tables or ():
            if a in rows and b in columns:
                return float(table[rows[a], columns[b]])
        cell = np.zeros((1, 1))
        self.put(cell, [a], [b])
        return float(cell[0, 0])

    def put(
        self,
        table: Table,
        left_labels: Sequence[str],
        right_labels: Sequence[str],
        cutoff: float = 0.0,
    ) -> None:
        del cutoff
        forms = [
            [in_words(label) for label in side] for side in (left_labels, right_labels)
        ]
        self._embed(sorted({*forms[0], *forms[1]} - self._known.keys()))
        left, right = (np.array([self._known[x] for x in side]) for side in forms)
        table[:] = np.clip(left @ right.T, 0.0, 1.0)
        table[are_equal(*forms)] = 1.0
        if self._tables is None:
            return
        for rows, columns, cosines in self._tables:
            row_places = [i for i, a in enumerate(left_labels) if a in rows]
            column_places = [j for j, b in enumerate(right_labels) if b in columns]
            places = (
                [rows[left_labels[i]] for i in row_places],
                [columns[right_labels[j]] for j in column_places],
            )
            table[np.ix_(row_places, column_places)] = cosines[np.ix_(*places)]
        places_of = [
            {x: k for k, x in enumerate(side)} for side in (left_labels, right_labels)
        ]
        self._tables.append((places_of[0], places_of[1], table.copy()))

    def remembering(self) -> Layer:
        """Return a layer that keeps its tables, as their last bits depend on shapes."""
        remembering_layer = copy(self)
        remembering_layer._tables = []
        return remembering_layer

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
    """Names that mean the same, from a mapping of aliases or a file.

    The file is tab-separated: each line has names that mean the same, or two names and
    their similarity, from 0 to 1.
    """

    def __init__(self, aliases: Mapping[str, str] | Path) -> None:
        self._graded: dict[frozenset[str], float] = {}
        self._group = group = dict[str, str]()
        if isinstance(aliases, Mapping):
            name = signed_mapping(aliases)
            rows = [list(map(str, pair)) for pair in aliases.items()]
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
            group_roots = [group[alias] for alias in names if alias in group]
            first = group_roots[0] if group_roots else names[0]
            for member, root in list(group.items()):  # two groups become one
                if root in group_roots:
                    group[member] = first
            group.update(dict.fromkeys(names, first))

    def similarity(self, a: str, b: str) -> float | None:
        left, right = in_words(a), in_words(b)
        if self._group.get(left, left) == self._group.get(right, right):
            return 1.0
        return self._graded.get(frozenset((left, right)))


class JudgedLayer(Layer):
    """Judgements that are kept in a file; the judge is called once for each two labels.

    The file has a line of JSON a pair: ``{"left", "right", "similarity"}``.  A line
    holds for both orders, unless the file has both.  The judge's answers are added.
    Lines about a whole and its parts are skipped.
    """

    def __init__(self, path: Path, judge: Similar | None, begins: bool) -> None:
        """Read a file; with *begins* it may not exist yet."""
        self.path, self._judge = os.fspath(path), judge
        self._known: dict[tuple[str, str], float] = {}
        text = ""
        if not begins or os.path.exists(self.path):
            text = _text_of(path, "judgements")
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip() and not is_of_parts(line):
                pair, grade = _judgement(line, self.path, number)
                self._known[pair] = grade
        self.name = f"judged:{_named(path, text)}"
        if judge is not None:
            self.name += f",{signed_function(judge)}"

    def similarity(self, a: str, b: str) -> float | None:
        grade = self._known.get((a, b), self._known.get((b, a)))
        if grade is None and self._judge is not None:
            grade = 1.0 if a == b else as_similarity(self._judge(a, b))
            if grade is None or not 0 <= grade <= 1:
                raise InputError(f"the judge says {grade}, not from 0 to 1")
            self._known[a, b] = grade
        return grade

    def put(
        self,
        table: Table,
        left_labels: Sequence[str],
        right_labels: Sequence[str],
        cutoff: float = 0.0,
    ) -> None:
        before = len(self._known)
        try:
            super().put(table, left_labels, right_labels, cutoff)
        finally:  # answers are kept though time may end before the last
            self._write(before)

    def _write(self, before: int) -> None:
        lines = [
            json.dumps({"left": a, "right": b, "similarity": s}, ensure_ascii=False)
            for (a, b), s in islice(self._known.items(), before, None)
        ]
        if lines:
            with open(self.path, "a", encoding="utf-8") as stream:
                stream.writelines(f"{line}\n" for line in lines)


def is_of_parts(line: str) -> bool:
    """Return whether a line of judgements is about a whole and its parts."""
    return '"whole"' in line and '"left"' not in line


def part_judgements(path: Path) -> tuple[str, dict[tuple[str, tuple[str, ...]], float]]:
    """Read the judgements of wholes and their parts from a file.

    A line is ``{"whole", "parts", "similarity"}``; the order of parts does not matter.
    The name of the file in a signature comes first.

    Raises:
        InputError: if the file cannot be read, or a line is not a judgement.
    """
    text, judgements = _text_of(path, "judgements"), {}
    for number, line in enumerate(text.split("\n"), 1):
        if not is_of_parts(line):
            continue
        try:
            record = json.loads(line)
            whole, parts, share = (record[k] for k in ("whole", "parts", "similarity"))
            is_list = isinstance(parts, list) and len(parts) > 1
        except (ValueError, KeyError, TypeError):
            is_list = False
        grade = _share(share) if is_list else None
        if grade is None:
            raise InputError(
                f"{os.fspath(path)}:{number}: is not a judgement; give "
                '{"whole": "a b", "parts": ["a", "b"], "similarity": 0.8}, from 0 to 1'
            )
        judgements[str(whole), tuple(sorted(map(str, parts)))] = grade
    return f"judged:{_named(path, text)}" if judgements else "", judgements


def _judgement(line: str, path: str, number: int) -> tuple[tuple[str, str], float]:
    try:
        record = json.loads(line)
        pair, share = (str(record["left"]), str(record["right"])), record["similarity"]
    except (ValueError, KeyError, TypeError):
        share = None
    grade = _share(share)
    if grade is not None:
        return pair, grade
    raise InputError(
        f"{path}:{number}: is not a judgement; give "
        '{"left": "a", "right": "b", "similarity": 0.8}, from 0 to 1'
    )


def _text_of(path: Path, what: str) -> str:
    try:
        with open(path, encoding="utf-8-sig") as stream:
            return stream.read()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot read {what} {os.fspath(path)!r}: {reason}") from None


def _of_encoder(encoder: Any) -> str:
    return "none" if encoder is None else signed_function(encoder)


def _named(path: Path, text: str) -> str:
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    return f"{os.path.basename(os.fspath(path))}@{digest}"


def _share(value: Any) -> float | None:
    """Return a value as a number from 0 to 1; ``None`` if it is not one."""
    try:
        number = float(value)
    except (ValueError, TypeError, OverflowError):
        return None
    return number if 0 <= number <= 1 else None
