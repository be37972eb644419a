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

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from exactmatch.metrics.yisi.matching import best_matching

FrameWeights: TypeAlias = Literal["coverage", "uniform"]
PREDICATE = "did"
TIE_BREAK = 1e-7
"""Similarities closer than this are a tie, decided by the structural value."""


@dataclass(frozen=True, slots=True)
class Filler:
    """A phrase in a role: a role filler, or the predicate itself.

    Attributes:
        role: its role type, such as ``who``; ``did`` for a predicate.
        units: its words, or its concepts.
        places: which tokens or nodes these are.
    """

    role: str
    units: tuple[str, ...]
    places: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Frame:
    """A predicate and the fillers of its roles."""

    predicate: Filler
    fillers: tuple[Filler, ...] = ()


class Likeness(NamedTuple):
    """How alike two phrases are.

    Attributes:
        rank: the similarity that the matching maximises.
        value: what the pair is worth once matched.
    """

    rank: float
    value: float


class FrameMatch(NamedTuple):
    """What a frame's predicate and fillers found on the other side, in [0, 1]."""

    predicate: float
    fillers: tuple[float, ...]


Compare: TypeAlias = Callable[[Filler, Filler], Likeness]
"""Compares a phrase of one's own side with one of the other side."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How frames are weighed and aligned.

    Attributes:
        role_weight: w_t or w_j, the weight of a predicate or filler of one's own.
        frame_weights: ``coverage``: a frame weighs as many units as it covers;
            ``uniform``: every frame weighs 1.
        count_overlap: a unit that is in two fillers of a frame covers twice.
        same_role: only fillers of equal role type are worth something; ``before``
            the matching they are also kept from being aligned otherwise; ``no``:
            the role type does not matter.
        align_unlike: predicates of similarity 0 may be aligned.
        joint: align frames by the value of predicates and fillers together, a
            nested assignment, instead of predicates first.
    """

    role_weight: Callable[[Filler], float]
    frame_weights: FrameWeights = "coverage"
    count_overlap: bool = False
    same_role: Literal["no", "after", "before"] = "after"
    align_unlike: bool = False
    joint: bool = False


def structural_similarity(
    own: Sequence[Frame],
    others: Sequence[Sequence[Frame]],
    compare: Compare,
    rules: Rules,
) -> float:
    """The structural precision of *own* frames; against several sides, the best.

    With more than one other side each predicate and filler takes the best of
    what it found on any of them.

    Returns:
        A number from 0 to 1; 0 if there is no frame.
    """
    if not own:
        return 0.0
    weighed = [_Weighed.of(frame, rules) for frame in own]
    matches = [_match_frames(weighed, other, compare, rules) for other in others]
    best = [
        FrameMatch(
            max(match.predicate for match in found),
            tuple(
                max(values) for values in zip(*(m.fillers for m in found), strict=True)
            ),
        )
        for found in zip(*matches, strict=True)
    ]
    total = sum(frame.weight for frame in weighed)
    if not best or total <= 0:
        return 0.0
    shares = zip(weighed, best, strict=True)
    return min(1.0, sum(f.weight * f.value(match) for f, match in shares) / total)


class _Weighed(NamedTuple):
    """A frame of one's own, and what it and its parts weigh.

    Attributes:
        frame: the frame.
        weight: how much it counts in its sentence or graph.
        predicate: w_t, the weight of its predicate.
        fillers: w_j, that of each filler.
    """

    frame: Frame
    weight: float
    predicate: float
    fillers: tuple[float, ...]

    @classmethod
    def of(cls, frame: Frame, rules: Rules) -> _Weighed:
        """Weigh a frame."""
        return cls(
            frame,
            frame_weight(frame, rules),
            rules.role_weight(frame.predicate),
            tuple(map(rules.role_weight, frame.fillers)),
        )

    def value(self, match: FrameMatch) -> float:
        """The weighted average of what the predicate and the fillers found."""
        found, mass = self.predicate * match.predicate, self.predicate
        for weight, value in zip(self.fillers, match.fillers, strict=True):
            found += weight * value
            mass += weight
        return found / mass if mass > 0 else 0.0


def _match_frames(
    own: Sequence[_Weighed], other: Sequence[Frame], compare: Compare, rules: Rules
) -> list[FrameMatch]:
    """Align the frames of two sides, and say what each of one's own found."""
    total = sum(frame.weight for frame in own) or 1.0
    ranks: list[list[float]] = []
    matches: list[list[FrameMatch]] = []
    for frame in own:
        ranks.append([])
        matches.append([])
        for sought in other:
            predicate = compare(frame.frame.predicate, sought.predicate)
            if not (predicate.rank > 0 or rules.align_unlike or rules.joint):
                ranks[-1].append(0.0)
                matches[-1].append(FrameMatch(0.0, ()))
                continue
            fillers = _match_fillers(frame, sought, compare, rules)
            match = FrameMatch(predicate.value, fillers)
            worth = frame.weight * frame.value(match) / total
            ranks[-1].append(
                worth if rules.joint else predicate.rank + TIE_BREAK * worth
            )
            matches[-1].append(match)
    return [
        matches[i][j] if j is not None else FrameMatch(0.0, (0.0,) * len(frame.fillers))
        for (i, frame), j in zip(enumerate(own), best_matching(ranks), strict=True)
    ]


def _match_fillers(
    own: _Weighed, sought: Frame, compare: Compare, rules: Rules
) -> tuple[float, ...]:
    """Align the fillers of two frames, and say what each of one's own found."""
    if not sought.fillers:
        return (0.0,) * len(own.fillers)
    total = sum(own.fillers) or 1.0
    any_role = rules.same_role == "no"
    no_other = rules.joint or rules.same_role == "before"
    ranks: list[list[float]] = []
    values: list[list[float]] = []
    for filler, weight in zip(own.frame.fillers, own.fillers, strict=True):
        share = weight / total
        nudge = TIE_BREAK * share
        found: list[float] = []
        worths: list[float] = []
        for other in sought.fillers:
            rank = value = 0.0
            if any_role or filler.role == other.role:
                rank, value = compare(filler, other)
            elif not no_other:
                rank = compare(filler, other).rank
            if rules.joint:
                rank = share * value
            elif rank > 0:
                rank += nudge * value
            found.append(rank)
            worths.append(value)
        ranks.append(found)
        values.append(worths)
    return tuple(
        0.0 if j is None else values[i][j] for i, j in enumerate(best_matching(ranks))
    )


def frame_weight(frame: Frame, rules: Rules) -> float:
    """How much a frame counts in its sentence or graph."""
    if rules.frame_weights == "uniform":
        return 1.0
    parts = (frame.predicate, *frame.fillers)
    if rules.count_overlap:
        return float(sum(len(part.units) for part in parts))
    return float(len({place for part in parts for place in part.places}))


def estimated_role_weights(
    frames: Sequence[Frame], roles: Sequence[str], start: float
) -> dict[str, float]:
    """Weights of role types: their counts, a predicate counting a quarter.

    Source: Lo (2019), §2.1, ``w_j = count(argument j)``, ``w_t = 0.25 · count
    (predicate)``; NRC's program starts every count at 1.

    Args:
        frames: the frames of the reference document.
        roles: the role types that may occur.
        start: what every type weighs before counting.
    """
    weights = dict.fromkeys(roles, start)
    for frame in frames:
        for part, share in (
            (frame.predicate, 0.25),
            *((f, 1.0) for f in frame.fillers),
        ):
            weights[part.role] = weights.get(part.role, start) + share
    return weights
