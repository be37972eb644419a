"""Similarity of strings: the longest common substring.

Source: Lo (2019), "YiSi", section 3 (YiSi-0).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeVar

Text = TypeVar("Text", str, bytes)

_WORD = 64
"""Longer strings are no words, and their parts are not remembered."""


def lcs_length(a: Text, b: Text, above: int = 0) -> int:
    """Length of the longest string that is part of both.

    Args:
        a, b: the strings.
        above: shorter strings, and of this length, are not looked for; their
            length is 0.

    >>> lcs_length("kitten", "mitten"), lcs_length("kitten", "mitten", above=5)
    (5, 0)
    """
    longest = above
    own, other = _parts(a), _parts(b)
    if own and other:
        for size in range(min(above, len(own) - 1), len(own)):
            if own[size].isdisjoint(other[size]):  # nearly always the first
                return size if size > above else 0
            longest = max(above, size + 1)
    start = 0
    while start + longest < len(a):
        if a[start : start + longest + 1] in b:
            longest += 1
        else:
            start += 1
    return longest if longest > above else 0


@lru_cache(maxsize=1 << 16)
def _parts(text: str | bytes) -> tuple[frozenset[Any], ...]:
    """The sets of a word's substrings of one, two and three characters.

    Strings of more than 64 characters are no words; of them there are none.
    """
    if len(text) > _WORD:
        return ()
    return tuple(
        frozenset(text[k : k + size] for k in range(len(text) - size + 1))
        for size in (1, 2, 3)
    )


def lcs_similarity(a: Text, b: Text) -> float:
    """``2 · |longest common substring| / (|a| + |b|)``; 1 for two empty ones.

    Characters are compared as they are.  Strings are measured in code points,
    bytes in bytes.

    >>> lcs_similarity("bacterium", "bacteria")
    0.8235294117647058
    """
    if a == b:
        return 1.0
    return 2 * lcs_length(a, b) / (len(a) + len(b))
