"""YiSi on graphs: frames and role fillers of two AMRs, aligned and scored.

The *units* of a graph, its concepts and constants, take the place of YiSi's words.  A
*frame* is a node with roles whose concept is a PropBank sense (``want-01``); inverse
roles are turned around first.  Its *role fillers* are the units of the sub-graph under
each role.  A node with two parents fills a role of both, as a span of text does in two
frames.  Roles are grouped into YiSi's eight role types as in YiSi's table for PropBank.

The formulas are those of :mod:`exactmatch.metrics.yisi.text`, with all units in place
of the sentence, phrases as bags (n = 1), and idf from the reference graphs.

Source: Lo (2019), "YiSi", §2.1 and §2.1.1, carried over from shallow semantic
parses of sentences to AMR.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from exactmatch.base import values
from exactmatch.base.errors import InputError
from exactmatch.base.options import Options, flag, option
from exactmatch.graphs.graph import Graph, reached
from exactmatch.graphs.profile import NORMALISERS, Profile
from exactmatch.metrics.base import VECTORS, GraphMetric, Statistics
from exactmatch.metrics.similarity.strings import are_equal
from exactmatch.metrics.similarity.vectors import Matrix
from exactmatch.metrics.yisi.frames import (
    PREDICATE,
    Compare,
    Filler,
    Frame,
    FrameWeights,
    Rules,
    estimated_role_weights,
)
from exactmatch.metrics.yisi.text import (
    BETA,
    IDF,
    SIMILARITY,
    YisiMean,
    share_option,
)
from exactmatch.metrics.yisi.words import (
    Idf,
    Similarity,
    Weight,
    bag_similarities,
    uniform_weight,
    words_to_load,
)

if TYPE_CHECKING:
    from typing_extensions import Self


RoleTypes: TypeAlias = Literal["yisi8", "amr", "core"]
Frames: TypeAlias = Literal["propbank", "all"]
Fillers: TypeAlias = Literal["subgraph", "head"]

_SENSE = re.compile(r"(?<=.)-\d\d+$")
_TAG = re.compile(r"~[\w.,]+$")

_BY_TYPE = {
    "who": "ARG0",
    "what": "ARG1",
    "whom": "ARG2 beneficiary accompanier",
    "when": "time duration frequency calendar century day dayperiod decade era "
    "month quarter season timezone weekday year year2",
    "where": "ARG3 ARG4 location source destination direction path",
    "why": "cause purpose reason condition concession",
}
_TYPE_OF = {
    role.lower(): kind for kind, roles in _BY_TYPE.items() for role in roles.split()
}
_CORE = re.compile(r"arg\d+")


def role_type(role: str, kind: RoleTypes = "yisi8") -> str:
    """Return the type of an AMR role, which has no colon and is not inverse.

    ``yisi8``: who, what, whom, when, where, why, and how for the rest; ``core``: each
    numbered argument is a type, and the rest are one; ``amr``: each role is a type.
    """
    name = role.lower()
    if kind == "amr":
        return name
    if kind == "core":
        return name if _CORE.fullmatch(name) else "rest"
    return _TYPE_OF.get(name, "how")


@dataclass(frozen=True, slots=True)
class Meaning:
    """A graph as YiSi sees it: normalised concepts and constants, and frames."""

    units: tuple[str, ...]
    frames: tuple[Frame, ...]

    @property
    def whole(self) -> Filler:
        """Return all units as one phrase."""
        return Filler("", self.units)


def meaning_of(
    graph: Graph,
    normalise: Callable[[str], str],
    frames: Frames = "propbank",
    fillers: Fillers = "subgraph",
    role_types: RoleTypes = "yisi8",
) -> Meaning:
    """Return units and frames of a graph without inverse roles.

    Frames are the nodes with roles: all, or those with a PropBank sense.  A filler is
    all units under a role, except beyond the frame's own node, or only the head.
    """
    labels = [normalise(label) for label in graph.labels]
    units = [""] * len(graph.variables)
    is_sense = [False] * len(units)
    for node, concept in reversed(graph.instances):
        units[node] = labels[concept]
        is_sense[node] = _lemma_of(graph.labels[concept]) != graph.labels[concept]
    roles: list[list[tuple[str, int]]] = [[] for _ in units]
    for source, role, target in graph.relations:
        roles[source].append((labels[role], target))
    for source, role, value in graph.attributes:
        roles[source].append((labels[role], len(units)))
        units.append(labels[value])
        roles.append([])

    def filler(role: str, head: int, node: int) -> Filler:
        under = [head]
        if fillers == "subgraph":
            under = reached(head, lambda v: (k for _, k in roles[v] if k != node))
        places = [place for place in under if units[place]]  # some lack a concept
        words = [units[place] for place in places]
        return Filler(role_type(role, role_types), tuple(words), tuple(places))

    frames_of_nodes = [
        Frame(
            Filler(PREDICATE, (units[node],), (node,)),
            tuple(filler(role, head, node) for role, head in roles[node]),
        )
        for node in range(len(graph.variables))
        if roles[node] and units[node] and (frames == "all" or is_sense[node])
    ]
    return Meaning(tuple(unit for unit in units if unit), tuple(frames_of_nodes))


def unit_similarities(
    own: Sequence[str], others: Sequence[str], words: Similarity, other_sense: float
) -> Matrix:
    """Compare concepts and constants by their lemmas.

    Two senses of one lemma (``play-01``, ``play-11``) are worth *other_sense*.
    """
    own_lemmas, other_lemmas = list(map(_lemma_of, own)), list(map(_lemma_of, others))
    table = words(own_lemmas, other_lemmas)
    table[are_equal(own_lemmas, other_lemmas)] = other_sense
    table[are_equal(own, others)] = 1.0
    return table


@lru_cache(maxsize=1 << 16)
def _lemma_of(unit: str) -> str:
    return _SENSE.sub("", unit)


_LABEL = re.compile(r'^[ \t]*#.*$|("[^"]*"|[^\s()"]+)', re.MULTILINE)
"""A possible concept or constant.  Lines of comment are skipped: a quote in one would
begin a constant that ends somewhere in the graph."""


def _choice(meaning: str, choices: tuple[str, ...]) -> Any:
    """Declare an option whose default is the first choice."""
    text = f"{meaning} (default: {choices[0]})"
    return option(text, choices=choices, default=choices[0], purpose="measures")


class YiSiGraphOptions(Options, purpose="measures"):
    """Options of YiSi on graphs: similarity of lemmas, frames, fillers and weights."""

    similarity: str | None = SIMILARITY
    vectors: str | None = VECTORS
    diffsense: float = share_option("similarity of two senses of a lemma", "D", 0.5)
    alpha: float = option(
        "weight of recall in the F-score, 0 to 1 (default: 0.5; 0.7 for yisi-text)",
        default=0.5,
        metavar="A",
        read=values.between(0, 1),
    )
    beta: float = BETA
    idf: str = IDF
    role_types: RoleTypes = _choice("grouping of roles into types", get_args(RoleTypes))
    role_weights: str = _choice(
        "source of the weights of role types", ("estimated", "uniform")
    )
    role_matching: str = _choice(
        "when to compare roles: after all fillers are aligned, or before, so that only "
        "fillers of one role type are aligned",
        ("after", "before"),
    )
    frames: Frames = _choice("the nodes that are frames", get_args(Frames))
    filler: Fillers = _choice("the part that fills a role", get_args(Fillers))
    frame_weights: FrameWeights = _choice("weights of frames", get_args(FrameWeights))
    joint: bool = flag(
        "align frames and fillers together, not frames first", read=values.boolean
    )


class YiSiGraph(YisiMean, GraphMetric):
    """YiSi on graphs.

    If the prediction has no frame, and some reference has none either, β is 0.

    Args:
        profile: how graphs are read; default ``clean``.

    Raises:
        InputError: if an option is wrong, or the profile does not fit.
    """

    name = "yisi"
    title = "YiSi"
    summary = "frames and role fillers by bipartite matching (after Lo 2019)"
    default_profile = "clean"
    profiles = ("clean", "smatch")
    options_class = YiSiGraphOptions

    def __init__(self, profile: Profile | str | None = None, **keywords: Any) -> None:
        GraphMetric.__init__(self, profile, **keywords)
        options = self.options
        self.alpha, self.beta = options.alpha, options.beta
        self.compare_by(options.similarity, options.vectors)
        if self.profile.reader not in ("penman", "smatch"):
            raise InputError(
                f"metric 'yisi' does not work with profile {self.profile.name!r} "
                f"(known: {', '.join(self.profiles)})"
            )
        self._learned: tuple[Weight, dict[str, float]] | None = None

    @property
    def preparation_key(self) -> Hashable:
        options = self.options
        return (
            YiSiGraph,
            self.profile,
            options.frames,
            options.filler,
            options.role_types,
        )

    def preload(self, texts: Iterable[str]) -> None:
        if self.vectors:
            normalise = NORMALISERS[self.profile.comparison]
            words = {word for text in texts for word in _LABEL.findall(text)}
            untagged = {_TAG.sub("", normalise(word)) for word in words}
            self.vectors[0].preload(
                words_to_load(untagged | set(map(_lemma_of, untagged)))
            )

    def prepare(self, item: Graph) -> Meaning:
        options, normalise = self.options, NORMALISERS[self.profile.comparison]
        kinds = (options.frames, options.filler, options.role_types)
        return meaning_of(self.as_whole(item), normalise, *kinds)

    def fit(self, references: Iterable[Meaning]) -> Self:
        self.fitted = True
        self._learned = self._learn(references)
        return self

    def statistics_of(self, pred: Meaning, golds: Sequence[Meaning]) -> Statistics:
        if not golds:
            raise InputError("metric 'yisi' needs at least one reference")
        if not self.has_score(*(len(side.units) for side in (pred, *golds))):
            return self.identity()
        weight, roles = self._learned or self._learn(golds)
        rules = Rules(
            role_weight=lambda filler: roles.get(filler.role, 1.0),
            frame_weights=self.options.frame_weights,
            same_role=self.options.role_matching,
            joint=bool(self.options.joint),
        )
        pred_phrases, gold_phrases = _Phrases.of([pred]), _Phrases.of(golds)
        units = list(pred_phrases.units), list(gold_phrases.units)
        similarities = unit_similarities(
            *units, self.similarity, self.options.diffsense
        )
        from_pred = _comparison(pred_phrases, gold_phrases, weight, similarities)
        from_golds = _comparison(gold_phrases, pred_phrases, weight, similarities.T)
        pred_units, gold_units = [pred.whole], [gold.whole for gold in golds]
        phrasal = (
            from_pred(pred_units, gold_units)[1].max(),
            from_golds(gold_units, pred_units)[1].max(),
        )
        frames = pred.frames, [gold.frames for gold in golds]
        return self.weighed(
            *phrasal, *frames, ((from_pred, rules), (from_golds, rules))
        )

    def signature(self) -> list[tuple[str, str]]:
        options = self.options
        return [
            *self.similarity_signature(),
            ("diffsense", f"{options.diffsense:g}"),
            ("alpha", f"{self.alpha:g}"),
            ("beta", f"{self.beta:g}"),
            ("idf", options.idf),
            (
                "roles",
                f"{options.role_types},{options.role_weights},{options.role_matching}",
            ),
            ("frames", f"{options.frames},{options.frame_weights}"),
            ("filler", options.filler),
            ("align", "joint" if options.joint else "frames-first"),
            *self.profile.signature(),
        ]

    def _learn(self, references: Iterable[Meaning]) -> tuple[Weight, dict[str, float]]:
        """Return the weights of units and of role types."""
        meanings, roles = list(references), {}
        unit_weight: Weight = uniform_weight
        if self.options.idf == "reference":
            unit_weight = Idf.of(meaning.units for meaning in meanings)
        if self.options.role_weights == "estimated":
            frames = chain.from_iterable(meaning.frames for meaning in meanings)
            roles = estimated_role_weights(frames, (), 1.0)
        return unit_weight, roles


class _Phrases(NamedTuple):
    """All units and all phrases of one side, each once, with their numbers."""

    units: dict[str, int]
    numbers: dict[tuple[str, ...], int]

    @classmethod
    def of(cls, meanings: Iterable[Meaning]) -> _Phrases:
        """Return the phrases of graphs: predicates, fillers, and all units of each."""
        units: dict[str, int] = {}
        numbers: dict[tuple[str, ...], int] = {}
        for meaning in meanings:
            for unit in meaning.units:
                units.setdefault(unit, len(units))
            parts = (p for f in meaning.frames for p in (f.predicate, *f.fillers))
            for part in (meaning.whole, *parts):
                numbers.setdefault(part.units, len(numbers))
        return cls(units, numbers)


def _comparison(
    own: _Phrases, other: _Phrases, weight: Weight, similarities: Matrix
) -> Compare:
    """Compare all phrases of two sides at once; return a look-up of pairs of them."""
    weights = [weight(unit) for unit in own.units]
    own_phrases, other_phrases = (
        [[side.units[unit] for unit in phrase] for phrase in side.numbers]
        for side in (own, other)
    )
    table = bag_similarities(own_phrases, other_phrases, weights, similarities)

    def compare(
        own_fillers: Sequence[Filler], other_fillers: Sequence[Filler]
    ) -> tuple[Matrix, Matrix]:
        rows = np.array([own.numbers[filler.units] for filler in own_fillers], np.intp)
        columns = np.array(
            [other.numbers[filler.units] for filler in other_fillers], np.intp
        )
        value = table[rows[:, None], columns]
        return value, value

    return compare
