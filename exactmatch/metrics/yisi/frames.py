"""YiSi's predicate frames and role fillers, aligned and scored.

A *frame* is a predicate with the *role fillers* around it, each a phrase.  The
frames of the two sides are aligned one-to-one by maximum-weight bipartite
matching on the similarity of their predicates, then, within each two aligned
frames, the fillers on theirs.  The structural precision of the hypothesis is
(Lo 2019, §2.1)

    srl_p = Σ_i w_i (w_t s_p(predicates) + Σ_j w_j s_p(fillers j))
            / (w_t + Σ_j w_j)  /  Σ_i w_i

over its frames *i* and their fillers *j*; recall is the same from the other side.
What is not aligned counts as similarity 0.

Where several matchings are best, the one that gives the larger structural value
is taken, so that the value does not depend on the order of frames and fillers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base import compiled as kernels
from exactmatch.metrics.similarity.strings import are_equal
from exactmatch.metrics.similarity.vectors import Matrix
from exactmatch.metrics.yisi.words import in_turn

_kernel: Any = kernels.load("exactmatch.metrics.yisi._matching")
_dense: Any = kernels.load("exactmatch.solvers.kernel.dense")

FrameWeights: TypeAlias = Literal["coverage", "uniform"]
PREDICATE = "did"
TIE_BREAK = 1e-7
"""Similarities closer than this are a tie, decided by the structural value."""


@dataclass(frozen=True, slots=True)
class Filler:
    """A phrase in a role: a role filler, or the predicate itself."""

    role: str  # its type, such as ``who``; ``did`` for a predicate
    units: tuple[str, ...]  # its words, or its concepts
    places: tuple[int, ...] = ()  # the numbers of these tokens or nodes


@dataclass(frozen=True, slots=True)
class Frame:
    """A predicate and the fillers of its roles."""

    predicate: Filler
    fillers: tuple[Filler, ...] = ()

    def change(self, part: Callable[[Filler], Filler]) -> Frame:
        """Return the frame with its predicate and fillers changed."""
        return Frame(part(self.predicate), tuple(map(part, self.fillers)))


@dataclass(frozen=True, slots=True)
class Sentence:
    """The words of a sentence, and its frames where they are known."""

    tokens: tuple[str, ...]
    frames: tuple[Frame, ...] = ()

    def with_tokens(self, tokens: tuple[str, ...]) -> Sentence:
        """Return the frames over other words in the same places."""

        def with_units(part: Filler) -> Filler:
            return replace(part, units=tuple(tokens[place] for place in part.places))

        return Sentence(tokens, tuple(f.change(with_units) for f in self.frames))


def tokens_of(text: str) -> tuple[str, ...]:
    """Split a line at its spaces, without other tokenisation."""
    return tuple(token for token in text.split(" ") if token)


Compare: TypeAlias = Callable[
    [Sequence[Filler], Sequence[Filler]], tuple[Matrix, Matrix]
]
"""Compares phrases of one's own side with those of the other: the similarities that the
matching maximises, and the worth of each two once matched."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules of weighing and aligning frames.

    A frame weighs the number of units that it covers (``coverage``), or 1
    (``uniform``).  Only fillers of equal role type are worth something; with ``before``
    others are not aligned either; with ``no`` the role type does not matter.
    """

    role_weight: Callable[[Filler], float]  # w_t or w_j, of one's own side
    frame_weights: FrameWeights = "coverage"
    count_overlap: bool = False  # whether a unit in two fillers covers twice
    same_role: Literal["no", "after", "before"] = "after"
    align_unlike: bool = False  # whether predicates of similarity 0 may be aligned
    joint: bool = False  # whether frames are aligned by predicates and fillers together


def structural_similarity(
    own: Sequence[Frame],
    others: Sequence[Sequence[Frame]],
    compare: Compare,
    rules: Rules,
) -> float:
    """Return the structural precision of *own* frames; against several sides, the best.

    With several other sides each predicate and filler takes its best match on any of
    them.  Without frames it is 0.
    """
    if not own:
        return 0.0
    weighed = [_WeighedFrame.of(frame, rules) for frame in own]
    matches = [_match_frames(weighed, other, compare, rules) for other in others]
    total = in_turn(frame.weight for frame in weighed)
    if total <= 0:
        return 0.0
    sides = zip(*matches, strict=True)
    best = [list(map(max, zip(*parts, strict=True))) for parts in sides]
    pairs = zip(weighed, best, strict=True)
    return min(1.0, in_turn(f.weight * f.value(parts) for f, parts in pairs) / total)


class _WeighedFrame(NamedTuple):
    """A frame of one's own side, its weight, w_t with each w_j, and their sum."""

    frame: Frame
    weight: float
    parts: list[float]
    mass: float

    @classmethod
    def of(cls, frame: Frame, rules: Rules) -> _WeighedFrame:
        parts = (frame.predicate, *frame.fillers)
        if rules.frame_weights == "uniform":
            covered = 1
        elif rules.count_overlap:
            covered = sum(len(part.units) for part in parts)
        else:
            covered = len({place for part in parts for place in part.places})
        weights = [rules.role_weight(part) for part in parts]
        return cls(frame, float(covered), weights, in_turn(weights))

    def value(self, matches: Sequence[float]) -> float:
        """Return the weighted mean of the matches of the predicate and the fillers."""
        products = [w * part for w, part in zip(self.parts, matches, strict=True)]
        return in_turn(products) / self.mass if self.mass > 0 else 0.0


def _match_frames(
    own: Sequence[_WeighedFrame], other: Sequence[Frame], compare: Compare, rules: Rules
) -> list[list[float]]:
    """Return the matches of each frame: of its predicate, and of its fillers."""
    rank, value = compare(
        [frame.frame.predicate for frame in own], [frame.predicate for frame in other]
    )
    allowed = (rank > 0) | (rules.align_unlike or rules.joint)
    sums = np.array([[frame.parts[0]] for frame in own]) * value
    fillers = _match_fillers(own, other, allowed, sums, compare, rules)
    total = in_turn(frame.weight for frame in own) or 1.0
    weights = np.array([[frame.weight] for frame in own])
    masses = np.array([[frame.mass] for frame in own])
    shares = np.divide(sums, masses, out=np.zeros_like(sums), where=masses > 0)
    worth = weights * shares / total
    ranks = worth if rules.joint else rank + TIE_BREAK * worth
    matches = []
    begin = 0
    for i, j in enumerate(best_matching(np.where(allowed, ranks, 0.0))):
        end = begin + len(own[i].parts) - 1
        if j < 0:
            matches.append([0.0] * (1 + end - begin))
        else:
            matches.append([float(value[i, j]), *fillers[begin:end, j].tolist()])
        begin = end
    return matches


def _match_fillers(
    own: Sequence[_WeighedFrame],
    other: Sequence[Frame],
    allowed: npt.NDArray[np.bool_],
    sums: Matrix,
    compare: Compare,
    rules: Rules,
) -> Matrix:
    """Return the best filler of each *allowed* other frame for each own filler.

    Weighted, it is added to *sums*, which holds the matches of predicates.
    """
    own_fillers = [filler for frame in own for filler in frame.frame.fillers]
    other_fillers = [filler for frame in other for filler in frame.fillers]
    rank, value = compare(own_fillers, other_fillers)
    if rules.same_role != "no":
        roles = (
            [filler.role for filler in side] for side in (own_fillers, other_fillers)
        )
        same = are_equal(*roles)
        value = np.where(same, value, 0.0)
        if rules.same_role == "before":
            rank = np.where(same, rank, 0.0)
    sizes = [len(frame.parts) - 1 for frame in own], [len(f.fillers) for f in other]
    weights = np.array([[w] for f in own for w in f.parts[1:]]).reshape(-1, 1)
    masses = [in_turn(frame.parts[1:]) or 1.0 for frame in own]
    totals = np.repeat(masses, sizes[0])
    shares = weights / totals[:, None]
    if rules.joint:
        rank = shares * value
    else:
        rank = np.where(rank > 0, rank + TIE_BREAK * shares * value, rank)
    starts = [np.array([0, *accumulate(side)], dtype=np.intp) for side in sizes]
    matches = np.zeros((len(own_fillers), len(other)))
    ranks = rank, value, weights * value
    choice = allowed.view(np.uint8)
    _kernel.match_blocks(*ranks, *starts, choice, sums, matches, _dense.assign)
    return matches


def best_matching(weights: Matrix) -> list[int]:
    """Return the column of each row in the one-to-one matching of largest total weight.

    Pairs of weight 0 stay unmatched: -1.  Few rows or columns are matched by the
    kernel, more by shortest augmenting paths.
    """
    unmatched = [-1] * len(weights)
    return _kernel.match(weights, _dense.assign) if weights.size else unmatched


def estimated_role_weights(
    frames: Iterable[Frame], roles: Sequence[str], start: float
) -> dict[str, float]:
    """Return weights of role types: their counts, a predicate counting 1/4 (§2.1).

    NRC's program starts every count at 1.
    """
    weights = dict.fromkeys(roles, start)
    for frame in frames:
        for part in (frame.predicate, *frame.fillers):
            share = 0.25 if part is frame.predicate else 1.0
            weights[part.role] = weights.get(part.role, start) + share
    return weights
