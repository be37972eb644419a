"""Similarity of strings: the longest common substring.

Source: Lo (2019), "YiSi", section 3 (YiSi-0).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from exactmatch.base import compiled as kernels

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_kernel: Any = kernels.load("exactmatch.metrics.similarity._strings")

_WORD = 64  # the longest string that the kernel compares; others by Python's ``in``


def are_equal(rows: Sequence[str], columns: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Return whether each string of one side is each of the other side."""
    import numpy as np

    numbers: dict[str, int] = {}
    left = np.array([numbers.setdefault(text, len(numbers)) for text in rows], np.int64)
    right = np.array([numbers.get(text, -1) for text in columns], np.int64)
    equal: npt.NDArray[np.bool_] = left[:, None] == right
    return equal


def lcs_similarities(
    left: Sequence[str], right: Sequence[str], cutoff: float = 0.0
) -> npt.NDArray[np.float64]:
    """Return the :func:`lcs_similarity` of each left string with each right one.

    Similarities up to the cutoff may be given as 0.

    >>> lcs_similarities(["boy", "girl"], ["boys"]).round(3).tolist()
    [[0.857], [0.0]]
    """
    import numpy as np

    table: npt.NDArray[np.float64]
    if max(map(len, (*left, *right)), default=0) <= _WORD:
        table = _kernel.similarities(list(left), list(right), cutoff)
        return table
    table = np.empty((len(left), len(right)))
    rows, columns = (
        [k for k, text in enumerate(side) if len(text) <= _WORD]
        for side in (left, right)
    )
    words = [left[i] for i in rows], [right[j] for j in columns]
    table[np.ix_(rows, columns)] = _kernel.similarities(*words, cutoff)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            if len(a) > _WORD or len(b) > _WORD:
                table[i, j] = lcs_similarity(a, b)
    return table


def lcs_similarity(a: str, b: str) -> float:
    """Compute ``2 · |longest common substring| / (|a| + |b|)``; 1 if both are empty.

    Characters are compared as they are.

    >>> lcs_similarity("bacterium", "bacteria")
    0.8235294117647058
    """
    if a == b:
        return 1.0
    longest = start = 0
    if len(a) <= _WORD and len(b) <= _WORD:
        longest = _kernel.longest_common(a, b, 0)
    else:
        while start + longest < len(a):
            if a[start : start + longest + 1] in b:
                longest += 1
            else:
                start += 1
    return 2 * longest / (len(a) + len(b))
