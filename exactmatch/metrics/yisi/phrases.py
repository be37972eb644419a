"""YiSi's phrases: how much of one phrase is found in another.

The phrasal precision of a hypothesis phrase *e* against *f* is (Lo 2019, §2.1)

    s_p(e, f) = Σ_a max_b Σ_{k<n} w(e_{a+k}) s(e_{a+k}, f_{b+k})
                / Σ_a Σ_{k<n} w(e_{a+k})

Each n-gram of *e* finds its best n-gram of *f*, independently of the others: it
is a "maximum alignment", not a one-to-one matching.  Phrasal recall is the same
with the sides exchanged, and the weights those of *f*.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from exactmatch.metrics.yisi.words import Similarity, Weight


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
    n = min(n, len(own), len(other))
    if n < 1:
        return 0.0
    weights = [weight(word) for word in own]
    if n == 1:
        found = sum(
            w * max(similarity(word, sought) for sought in other)
            for w, word in zip(weights, own, strict=True)
        )
        mass = sum(weights)
    else:
        weighted = [
            [w * similarity(word, sought) for sought in other]
            for w, word in zip(weights, own, strict=True)
        ]
        starts = range(len(own) - n + 1)
        found = sum(
            max(
                sum(weighted[a + k][b + k] for k in range(n))
                for b in range(len(other) - n + 1)
            )
            for a in starts
        )
        mass = sum(sum(weights[a : a + n]) for a in starts)
    return min(1.0, found / mass) if mass > 0 else 0.0


class Table(dict[str, float]):
    """Similarities of one unit with others, computed when they are first asked for.

    Attributes:
        similarity: of the unit and another.
    """

    def __init__(self, similarity: Callable[[str], float]) -> None:
        self.similarity = similarity

    def __missing__(self, unit: str) -> float:
        value = self[unit] = self.similarity(unit)
        return value


def bag_similarity(
    own: Sequence[str],
    other: Sequence[str],
    weights: Mapping[str, float],
    tables: Mapping[str, Table],
) -> float:
    """The same for single units (n = 1), each as like itself as can be: 1.

    Args:
        own: the units whose weights count.
        other: the units they are sought among.
        weights: weight of every unit of *own*.
        tables: similarities of every unit of *own*.
    """
    if not own or not other:
        return 0.0
    found = mass = 0.0
    for unit in own:
        weight = weights[unit]
        if unit in other:
            found += weight
        else:
            found += weight * max(map(tables[unit].__getitem__, other))
        mass += weight
    return min(1.0, found / mass) if mass > 0 else 0.0
