"""Similarity of two labels, in [0, 1], by name, by a function or by layers of these.

A missing label is equal to another missing one and differs from all others.  Of several
layers the first that knows two labels decides: ``value+lcs`` compares two numbers or
two dates by their values, and other labels by the longest common substring.  Judgements
in a file and a table of aliases come before the named layers; the last layer knows all
labels.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import InputError
from exactmatch.base.signed import signed_function
from exactmatch.graphs.profile import Comparison
from exactmatch.metrics.labelled.layers import (
    SIMILARITIES,
    FunctionLayer,
    Layer,
    Layered,
    NamedLayer,
    Similar,
    Table,
    ValueLayer,
)
from exactmatch.metrics.labelled.source_layers import (
    AliasLayer,
    CosineLayer,
    JudgedLayer,
    Path,
)

Places: TypeAlias = npt.NDArray[np.intp]


def comparison_of(nodes: str, edges: str) -> Comparison | None:
    """Return the comparison of labels for lists of differences that people read."""
    kinds = [SIMILARITIES.get(name) for name in (nodes, edges)]
    normalised = {None if kind is None else kind.is_normal for kind in kinds}
    if normalised == {True}:
        return "words"
    return "exact" if normalised == {False} else None


class Distinct(NamedTuple):
    """Similarities of distinct labels, and the place of each label among these."""

    table: Table
    rows: Places
    columns: Places


def similarities(
    left: Sequence[str | None], right: Sequence[str | None], layer: Layer, cutoff: float
) -> Table:
    """Compare every left label with every right one; below the cutoff it is 0."""
    table, rows, columns = distinct_similarities(left, right, layer, cutoff)
    all_pairs: Table = table[np.ix_(rows, columns)]
    return all_pairs


def distinct_similarities(
    left: Sequence[str | None],
    right: Sequence[str | None],
    layer: Layer,
    cutoff: float,
    most: float = math.inf,
) -> Distinct:
    """Compare the distinct labels of two sides; below the cutoff it is 0.

    Raises:
        InputError: if there are more than *most* pairs of them, or if a similarity is
            not a number from 0 to 1.
    """
    sides = []
    for labels in (left, right):
        distinct = dict.fromkeys(label for label in labels if label is not None)
        place = {label: number for number, label in enumerate((*distinct, None))}
        at = np.array([place[label] for label in labels], dtype=np.intp)
        sides.append(([*distinct], at))
    (left_labels, rows), (right_labels, columns) = sides
    if len(left_labels) * len(right_labels) > most:
        raise InputError(
            f"graphs with {len(left_labels):,} and {len(right_labels):,} distinct "
            f"labels are too large: more than {most:,} pairs would be compared; raise "
            "--max-terms to allow them"
        )
    shape = len(left_labels) + 1, len(right_labels) + 1  # the last: no label
    table = np.zeros(shape)
    table[-1, -1] = 1.0
    if left_labels and right_labels:
        known = table[:-1, :-1]
        known[:] = math.nan
        layer.put(known, left_labels, right_labels, cutoff)
    if not ((table >= 0) & (table <= 1)).all():
        raise InputError(_NO_SHARE)
    table[table < cutoff] = 0.0
    return Distinct(table, rows, columns)


def similarity_of(a: str | None, b: str | None, layer: Layer, cutoff: float) -> float:
    """Compare two labels; below the cutoff it is 0."""
    if a is None or b is None:
        return float(a is b)
    grade = layer.similarity(a, b)
    if grade is None or not 0 <= grade <= 1:
        raise InputError(_NO_SHARE)
    return grade if grade >= cutoff else 0.0


_NO_SHARE = "a similarity is a number from 0 to 1; the function says else"


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
            if judged is None:
                layers.append(FunctionLayer(signed_function(name), name))
        elif name == "value":
            layers.append(ValueLayer())
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
