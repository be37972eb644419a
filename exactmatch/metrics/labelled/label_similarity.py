"""How alike two labels are, in [0, 1], by name or by a function of the caller's.

A label that is missing is like another that is missing, and like nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import InputError, MissingExtraError
from exactmatch.graphs.profile import Comparison, in_words
from exactmatch.metrics.similarity.strings import lcs_similarity

Similar: TypeAlias = Callable[[str, str], float]
"""Takes two labels; answers with a number in [0, 1]."""


class Tabled(Protocol):
    """A similarity that compares many labels at once."""

    @property
    def name(self) -> str:
        """Its name in a signature."""

    def table(
        self, ours: Sequence[str], theirs: Sequence[str]
    ) -> npt.NDArray[np.float64]:
        """Compare every label with every one of the others."""


def _equal(a: str, b: str) -> float:
    return float(a == b)


def _levenshtein(a: str, b: str) -> float:
    return float(_rapidfuzz().distance.Levenshtein.normalized_similarity(a, b))


def _token_set(a: str, b: str) -> float:
    return float(_rapidfuzz().fuzz.token_set_ratio(a, b)) / 100


def _rapidfuzz() -> Any:
    try:
        import rapidfuzz
    except ImportError:
        raise MissingExtraError(
            "levenshtein and token-set need rapidfuzz: pip install 'exactmatch[fuzzy]'"
        ) from None
    return rapidfuzz


SIMILARITIES: dict[str, tuple[Similar, bool]] = {
    "exact": (_equal, False),
    "normalised": (_equal, True),
    "lcs": (lcs_similarity, True),
    "levenshtein": (_levenshtein, True),
    "token-set": (_token_set, True),
}
"""Each similarity by name, and whether it compares normalised labels."""


def comparison_of(nodes: Any, edges: Any) -> Comparison | None:
    """Return how labels are compared where people are shown what differs."""
    known = [SIMILARITIES.get(one) for one in (nodes, edges) if isinstance(one, str)]
    of_words = {one[1] for one in known if one is not None}
    if len(known) < 2 or None in known or len(of_words) > 1:
        return None
    return "words" if of_words == {True} else "exact"


def name_of(similarity: str | Similar, option: str) -> str:
    """Return what a signature calls a similarity.

    Raises:
        InputError: if there is none of that name.
    """
    if callable(similarity):
        return str(getattr(similarity, "__qualname__", type(similarity).__qualname__))
    if similarity not in SIMILARITIES:
        known = ", ".join(map(repr, SIMILARITIES))
        raise InputError(
            f"{option} is {similarity!r}; it is one of {known}, or a function of two "
            "labels"
        )
    return similarity


def similarities(
    left: Sequence[str | None],
    right: Sequence[str | None],
    similarity: str | Similar | Tabled,
    cutoff: float,
) -> npt.NDArray[np.float64]:
    """Compare every left label with every right one.

    Args:
        left, right: the labels.
        similarity: one of :data:`SIMILARITIES`, a function, or one that compares many.
        cutoff: similarities below it are 0.

    Returns:
        An array of shape ``(left, right)``.

    Raises:
        InputError: if the function's answer is no number in [0, 1].
    """
    many = None if isinstance(similarity, str) or callable(similarity) else similarity
    compare: Similar = _equal
    is_normal = False
    if isinstance(similarity, str):
        compare, is_normal = SIMILARITIES[similarity]
    elif callable(similarity):
        compare = similarity
    sides = []
    for labels in (left, right):
        forms = [in_words(x) if is_normal and x is not None else x for x in labels]
        numbers = {form: number for number, form in enumerate(dict.fromkeys(forms))}
        sides.append((list(numbers), [numbers[form] for form in forms]))
    (ours, rows), (theirs, columns) = sides
    table = np.zeros((len(ours), len(theirs)))
    if many is not None:
        table = many.table(*([x or "" for x in side] for side in (ours, theirs)))
    for i, a in enumerate(ours):
        for j, b in enumerate(theirs):
            if a is None or b is None:
                table[i, j] = a is b
            elif many is None and (compare is not _equal or a == b):
                alike: Any = 1.0 if a == b and is_normal else compare(a, b)
                table[i, j] = math.nan if isinstance(alike, str) else alike
    if not ((table >= 0) & (table <= 1)).all():
        raise InputError("a similarity is a number from 0 to 1; the function says else")
    table[table < cutoff] = 0.0
    at = (np.array(places, dtype=np.intp) for places in (rows, columns))
    found: npt.NDArray[np.float64] = table[np.ix_(*at)]
    return found
