"""YiSi's phrases: how much of one phrase is found in another.

The phrasal precision of a hypothesis phrase *e* against *f* is (Lo 2019, §2.1)

    s_p(e, f) = Σ_a max_b Σ_{k<n} w(e_{a+k}) s(e_{a+k}, f_{b+k})
                / Σ_a Σ_{k<n} w(e_{a+k})

Each n-gram of *e* finds its best n-gram of *f*, independently of the others: it
is a "maximum alignment", not a one-to-one matching.  Phrasal recall is the same
with the sides exchanged, and the weights those of *f*.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from exactmatch.base import compiled as kernels
from exactmatch.metrics.yisi.words import Matrix, Similarity, Weight, similarity_table

_kernel: Any = kernels.load("exactmatch.metrics.yisi._matching")


def phrasal_similarity(
    own: Sequence[str],
    other: Sequence[str],
    weight: Weight,
    similarity: Similarity,
    n: int = 1,
) -> float:
    """How much of the phrase *own* is found in *other*: ``s_p(own, other)``.

    Args:
        own: the words whose weights count.
        other: the words they are sought among.
        weight: weight of a word of *own*.
        similarity: of a word of *own* and a word of *other*, in this order.
        n: length of the n-grams; where a phrase has fewer words, its length.

    Returns:
        A number from 0 to 1; 0 if a phrase is empty or *n* is 0.
    """
    if n < 1 or not own or not other:
        return 0.0
    alike = similarity_table(similarity, own, other)
    return phrasal_share([weight(word) for word in own], alike, n)


def phrasal_share(weights: Sequence[float], alike: Matrix, n: int) -> float:
    """The :func:`phrasal_similarity` of words that have been weighed and compared.

    Args:
        weights: of the words of one's own.
        alike: for each of them its similarity with each word of the other phrase.
        n: length of the n-grams; where a phrase has fewer words, its length.
    """
    n = min(n, *alike.shape)
    if n < 1:
        return 0.0
    weighted = alike * np.array(weights)[:, None]
    starts = range(len(weights) - n + 1)
    mass = sum(sum(weights[a : a + n]) for a in starts)
    return min(1.0, sum(best_runs(weighted, n)) / mass) if mass > 0 else 0.0


def best_runs(weighted: Matrix, n: int) -> list[float]:
    """The value of each n-gram at its best place.

    Args:
        weighted: what each word found at every place, weighted; shape ``(words,
            places)``.
        n: how many words in a row find as many places in a row; at least 1, at most
            the smaller side.
    """
    rows, columns = (size - n + 1 for size in weighted.shape)
    total = weighted[:rows, :columns]
    for k in range(1, n):
        total = total + weighted[k : rows + k, k : columns + k]
    found: list[float] = total.max(axis=1, initial=0.0).tolist()
    return found


def bag_similarities(
    own: Sequence[Sequence[int]],
    others: Sequence[Sequence[int]],
    weights: Sequence[float],
    similarities: Matrix,
) -> Matrix:
    """Phrasal similarity with n = 1 of each phrase in *own* in each of *others*.

    Args:
        own: phrases as numbers of units, whose weights count.
        others: phrases as numbers of units, among which they are sought.
        weights: weight of each unit of *own*.
        similarities: of each unit of *own* with each of *others*.

    Returns:
        An array of shape ``(len(own), len(others))``.
    """
    found = np.zeros((len(own), len(others)))
    columns = [j for j, phrase in enumerate(others) if phrase]
    if not columns or not len(weights):
        return found
    sizes = [len(others[j]) for j in columns]
    every = np.fromiter(chain.from_iterable(others), dtype=np.intp)
    begins = np.cumsum([0, *sizes[:-1]])
    best = np.maximum.reduceat(similarities[:, every], begins, axis=1)
    weighted = best * np.array(weights)[:, None]
    found[:, columns] = _kernel.shares(own, weights, weighted)
    return found
