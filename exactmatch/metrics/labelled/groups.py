"""Groups of nodes that may together stand for one node: parts and their whole.

Parts count as one only if their joined labels are more similar to the whole than those
of fewer parts, or if each label is equal to the whole's.  A label that is only similar
to the whole is not a part of it: otherwise a mapping would excuse missing steps.  A
function of the whole and its parts, or lines of judgements, takes precedence.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base.deadline import check
from exactmatch.base.errors import InputError
from exactmatch.graphs.profile import in_words
from exactmatch.metrics.labelled.label_similarity import layered, similarities
from exactmatch.metrics.labelled.layers import Layer
from exactmatch.metrics.labelled.source_layers import part_judgements

Parts: TypeAlias = tuple[int, ...]
Shares: TypeAlias = dict[Parts, float]
OfParts: TypeAlias = Callable[[str, Sequence[str]], "float | None"]
Judgements: TypeAlias = Mapping[tuple[str, tuple[str, ...]], float]
"""Similarities by the whole and its sorted parts."""

WORDS = "words"
"""The name of the similarity that compares the words of two labels, in any order."""


class Group(NamedTuple):
    """Nodes that may together stand for one node of the other graph."""

    whole: int
    parts: Parts  # increasing
    similarity: float  # of all parts together with the whole


@dataclass(frozen=True, slots=True)
class PartRules:
    """Limits and price of nodes that stand for one.

    Attributes:
        most: the largest number of parts.
        price: the cost of each part beyond the first, in nodes.
        cutoff: the least similarity of joined labels with the whole.
        name: the name of the similarity in a signature.
        joined: similarity of joined labels; ``None`` for Dice's coefficient of words.
        function: takes precedence where it knows the whole and its parts.
        judged: judgements, which take precedence over the function.
    """

    most: int
    price: float
    cutoff: float
    name: str = WORDS
    joined: Layer | None = None
    function: OfParts | None = None
    judged: Judgements | None = None

    def groups(
        self,
        wholes: Sequence[str | None],
        parts: Sequence[str | None],
        alike: npt.NDArray[np.float64],
    ) -> list[Group]:
        """Return all groups of parts, with wholes of the other graph.

        A node without label is in no group.  *alike* has the similarity of each part,
        in a row, with each whole.
        """
        labels = {u: label for u, label in enumerate(parts) if label is not None}
        read = _Words(labels) if self.joined is None else _Joined(labels, self.joined)
        listed = []
        for w, whole in enumerate(wholes):
            if whole is None:
                continue
            check()
            singles = {u: float(alike[u, w]) for u in labels}
            shares = read.shares(whole, singles, self.most, self.cutoff)
            equal = [u for u, share in singles.items() if share == 1.0]
            shares.update(dict.fromkeys(_groups(equal, self.most), 1.0))
            for group, share in self._decided(whole, labels):
                shares[group] = share if share >= self.cutoff else 0.0
            listed += [
                Group(w, *pair) for pair in sorted(shares.items()) if pair[1] > 0
            ]
        return listed

    def _decided(
        self, whole: str, labels: Mapping[int, str]
    ) -> Iterator[tuple[Parts, float]]:
        """Yield the function's similarities of groups, then the judged ones."""
        if self.function is not None:
            for group in _groups([*labels], self.most):
                check()
                share = self.function(whole, [labels[u] for u in group])
                if share is not None:
                    yield group, _checked(share)
        if self.judged is not None:
            known = {
                ps: s
                for (judged_whole, ps), s in self.judged.items()
                if judged_whole == whole
            }
            named = {part for ps in known for part in ps}
            judged_parts = [u for u, label in labels.items() if label in named]
            for group in _groups(judged_parts, self.most):
                key = tuple(sorted(labels[u] for u in group))
                if key in known:
                    yield group, known[key]


def made_rules(
    most: int, price: float, cutoff: float, similarity: Any, sources: Mapping[str, Any]
) -> PartRules:
    """Make rules from options; *sources* are the files and models for labels."""
    layer, function, judged = None, None, None
    name = getattr(similarity, "__qualname__", type(similarity).__qualname__)
    if isinstance(similarity, str):
        name = similarity
        if similarity != WORDS:
            own = {**sources, "judged": None}
            layer = layered(similarity, "part_similarity", **own)
            name = layer.name
    elif callable(similarity):
        function = similarity
    else:
        raise InputError(
            f"part_similarity is {similarity!r}; it is a name, or a function of the "
            "whole and a list of parts"
        )
    path = sources.get("judged")
    if path is not None and os.path.exists(path):
        file, judged = part_judgements(path)
        name = f"{file}+{name}" if file else name
    return PartRules(most, price, cutoff, name, layer, function, judged or None)


def _groups(nodes: Sequence[int], most: int) -> Iterator[Parts]:
    for size in range(2, most + 1):
        yield from combinations(nodes, size)


def _checked(share: Any) -> float:
    try:
        number = float(share)
    except (TypeError, ValueError):
        number = -1.0
    if not 0 <= number <= 1:
        raise InputError(
            f"part_similarity says {share!r}; it is a number from 0 to 1, or None "
            "where it does not know"
        )
    return number


def _adds(group: Parts, share: float, known: Mapping[Parts, float]) -> bool:
    """Return whether parts are more similar to the whole than fewer of them."""
    fewer = (
        some for size in range(1, len(group)) for some in combinations(group, size)
    )
    return all(share > known.get(some, 0.0) for some in fewer)


class _Words:
    """Dice's coefficient of the words of joined labels, as often as they occur."""

    def __init__(self, labels: Mapping[int, str]) -> None:
        self.words = {u: Counter(in_words(x).split()) for u, x in labels.items()}
        self.sizes = {u: bag.total() for u, bag in self.words.items()}

    def shares(
        self, whole: str, singles: Mapping[int, float], most: int, cutoff: float
    ) -> Shares:
        """Return the similarities of groups that are similar to a whole."""
        words = Counter(in_words(whole).split())
        size = words.total()
        shared = {u: (bag & words).total() for u, bag in self.words.items()}
        most_others = math.inf if cutoff == 0 else 2 * size * (1 / cutoff - 1) + 1e-9
        own = [  # each has a word of the whole, and few others
            u
            for u, count in shared.items()
            if count and self.sizes[u] - count <= most_others
        ]
        shares_of_one = {u: 2 * shared[u] / (self.sizes[u] + size) for u in own}
        known: Shares = {(u,): max(shares_of_one[u], singles[u]) for u in own}
        shares: Shares = {}
        for group in _groups(own, most):
            both = size + sum(self.sizes[u] for u in group)
            at_most = min(sum(shared[u] for u in group), size)
            if most == 2 and 2 * at_most < cutoff * both:
                continue
            bag: Counter[str] = Counter()
            for u in group:
                bag.update(self.words[u])
            share = known[group] = 2 * (bag & words).total() / both
            if share >= cutoff and _adds(group, share, known):
                shares[group] = share
        return shares


class _Joined:
    """Another similarity, of labels joined in the order that is most like the whole."""

    def __init__(self, labels: Mapping[int, str], layer: Layer) -> None:
        self.labels, self.layer = labels, layer

    def shares(
        self, whole: str, singles: Mapping[int, float], most: int, cutoff: float
    ) -> Shares:
        """Return the similarities of groups that are similar to a whole."""
        single_nodes = [(u,) for u in self.labels]
        groups = [*single_nodes, *_groups([*self.labels], most)]
        orders = [(g, order) for g in groups for order in permutations(g)]
        texts = [" ".join(self.labels[u] for u in order) for _, order in orders]
        table = similarities(texts, [whole], self.layer, 0.0)
        known: Shares = {}
        for (group, _), share in zip(orders, table.ravel().tolist(), strict=True):
            known[group] = max(known.get(group, 0.0), _checked(share))
        for (u,) in single_nodes:
            known[u,] = max(known[u,], singles[u])
        return {
            group: known[group]
            for group in groups[len(single_nodes) :]
            if known[group] >= cutoff and _adds(group, known[group], known)
        }
