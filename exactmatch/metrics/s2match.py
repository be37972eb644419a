"""S²Match: Smatch with graded concepts, solved to the optimum.

Two aligned variables count in part where their concepts are similar but not equal:

    softMatch = 1 - d(x, y),

with a distance *d* of concepts (:mod:`exactmatch.metrics.similarity.concepts`).  Where
the profile marks the root by its concept, that mark is graded too.  All other
triples match or not, as in Smatch, and precision, recall and F1 are Smatch's
with the soft number of matches.

**Exactness.**  Solvers maximise integers, so each graded match is rounded once to a
multiple of ``1 / scale``.  Matches are added up again in doubles under the proven
optimum; no alignment matches more than that plus ``graded matches / scale``.

Source: Opitz, Parcalabescu and Frank (2020), "AMR Similarity Metrics from
Principles", section 4, equations 6 to 8.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from exactmatch.base import values
from exactmatch.base.errors import InputError
from exactmatch.base.limits import MAX_TERMS
from exactmatch.base.options import Options, flag, option, optional
from exactmatch.engine.problem import CodedGraph, GraphProblem, encode
from exactmatch.formats.alignments import places_of, sentence_of, with_anchors
from exactmatch.formats.blocks import Block
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import NORMALISERS, Profile, get_profile
from exactmatch.graphs.standardise import TOP_ROLE
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.metrics.base import VECTORS, ReadItem
from exactmatch.metrics.similarity.concepts import (
    ConceptSimilarity,
    GradedSimilarity,
    Numbers,
)
from exactmatch.metrics.similarity.encoder import (
    ContextualSimilarity,
    Kind,
    concept_similarity,
)
from exactmatch.metrics.similarity.strings import are_equal
from exactmatch.metrics.similarity.vectors import Matrix
from exactmatch.solvers.base import Solver
from exactmatch.solvers.problem import Alignment


@dataclass(frozen=True, slots=True)
class GradedGraph:
    """A coded graph with the normalised labels that S²Match compares by similarity.

    Its names are each variable's concept, empty where it has none, then the value of
    each mark of the root.
    """

    coded: CodedGraph
    names: tuple[str, ...]
    concepts: tuple[tuple[str, ...], ...]  # all those of each variable
    several: bool  # whether a variable has several
    has_concept: npt.NDArray[np.bool_]  # whether each variable has one
    marks: tuple[int, ...]  # variables that are marked as root, by a concept
    context: Matrix | None = None  # the vector of each name, if its sentence matters


@dataclass(eq=False, kw_only=True)
class SoftProblem(GraphProblem):
    """An alignment problem whose unary weights hold graded matches."""

    soft: Matrix  # match of each two variables beyond equal triples, in [0, 2]
    sides: tuple[GradedGraph, GradedGraph]  # to be graded again

    def worth(self, alignment: Alignment, equal: int) -> int:
        grades = (round(part * self.scale) for part in self.softly(alignment))
        return equal * self.scale + sum(grades)

    def matched(self, alignment: Alignment, equal: int) -> float:
        return float(equal + math.fsum(self.softly(alignment)))

    def softly(self, alignment: Alignment) -> list[float]:
        """Return the graded match of each aligned pair."""
        cell = self.soft.item
        return [cell(i, j) for i, j in enumerate(alignment) if j != -1]

    def at_most(self, units: int) -> float:
        rounding: float = min(self.soft.shape) / self.scale
        return units / self.scale + rounding


SCALE = 1_000_000  # units of a whole match: a graded one is rounded by 5e-7 at most
LARGEST_SCALE = 10**9  # finer units mean nothing: similarities are in single precision
_CONCEPT = re.compile(r"/\s*([^\s()]+)")


def _scale(value: Any) -> int:
    """Read the number of units of a whole match."""
    number = values.integer(value, 1)
    if number > LARGEST_SCALE:
        raise ValueError(f"{value!r} is more than {LARGEST_SCALE:,}")
    return number


class S2MatchOptions(Options, purpose="measures"):
    """Options of S²Match: the similarity of two concepts."""

    vectors: str | None = VECTORS
    cutoff: float | None = optional(
        "similarities up to C become 0 (default: 0.5)", metavar="C", read=values.real
    )
    diffsense: float | None = optional(
        "similarity of two senses of a word (default: 0.5)",
        metavar="D",
        read=values.real,
    )
    similarity: Kind | ConceptSimilarity | None = optional(
        "similarity of concepts (default: cosine with vectors or encoder, else lcs)",
        choices=get_args(Kind),
        takes_objects=True,
    )
    encoder: str | None = optional(
        "a model that embeds the words of each concept, instead of vectors",
        metavar="MODEL",
        read=values.text,
        purpose="opens",
    )
    layer: int | None = optional(
        "with --encoder: embed the words that nodes are aligned to in their sentence, "
        "by this hidden layer",
        metavar="N",
        read=values.integer,
    )
    unmarked_quotes: bool = flag('read "David" as David', read=values.boolean)
    scale: int = option("units of a whole match", default=SCALE, read=_scale, flags=())


class S2Match(AligningMetric[GradedGraph]):
    """S²Match with any similarity of concepts, by any exact solver.

    Args:
        profile: which triples count; default ``s2match``, as the official program
            counts.
        solver: the solver that aligns the variables.
        max_terms: how large a problem may become.

    Raises:
        InputError: if options contradict each other or a file cannot be read.
        MissingExtraError: if an encoder is named and its package missing.
    """

    name = "s2match"
    cutoff_of = "concepts"
    title = "S²Match"
    summary = "Smatch with graded similarity of concepts (Opitz et al. 2020)"
    default_profile = "s2match"
    options_class = S2MatchOptions

    def __init__(
        self,
        profile: Profile | str | None = None,
        solver: Solver | str = "auto",
        max_terms: int | None = None,
        **keywords: Any,
    ) -> None:
        profile = get_profile(self.default_profile if profile is None else profile)
        if keywords.get("layer") is not None:  # tags say where a node stands alone
            profile = profile.with_options(strip_alignments=True)
        if keywords.get("unmarked_quotes"):
            if profile.reader not in ("s2match", "s2match-unmarked"):
                raise InputError(
                    f"--unmarked-quotes belongs to profile s2match, not {profile.name}"
                )
            profile = profile.with_options(reader="s2match-unmarked")
        super().__init__(profile, solver, max_terms, **keywords)
        options = self.options
        self.scale: int = options.scale
        if isinstance(options.similarity, ConceptSimilarity):
            self.similarity = options.similarity
        else:
            names = ("vectors", "encoder", "cutoff", "diffsense", "layer")
            similarity_options = {name: getattr(options, name) for name in names}
            chosen = {
                name: value
                for name, value in similarity_options.items()
                if value is not None
            }
            self.similarity = concept_similarity(options.similarity, **chosen)
        self.preloads = self.similarity.preloads
        if options.similarity is options.vectors is options.encoder is None:
            self.advice = (
                "no vectors are named, so concepts are as similar as their letters; "
                "the paper's S2match has GloVe: --vectors FILE"
            )

    @property
    def _contextual(self) -> ContextualSimilarity | None:
        similarity = self.similarity
        return similarity if isinstance(similarity, ContextualSimilarity) else None

    @property
    def preparation_key(self) -> Hashable:
        return (S2Match, self.profile, self._contextual)

    @property
    def reading_key(self) -> Hashable:
        return (super().reading_key, self._contextual is not None)

    def read(self, value: Any) -> ReadItem:
        reading = super().read(value)
        if self._contextual is None:
            return reading
        text = value.lines if isinstance(value, Block) else reading.item.origin.text
        graph = with_anchors(reading.item, text or ())
        if fault := self._contextual.encoder.fault(sentence_of(graph)):
            raise graph.origin.error(f"has a sentence that {fault}")
        reading = reading._replace(item=graph)
        if any(places_of(graph)) or reading.lenient:
            return reading
        error = graph.origin.error(
            "has no alignment with its sentence ('~e.N' tags or '# ::alignments')"
        )
        return reading._replace(lenient=(error,), reader="--encoder without --layer")

    def preload(self, texts: Iterable[str]) -> None:
        concepts = {word for text in texts for word in _CONCEPT.findall(text)}
        self.similarity.preload(concepts)

    def remark(self) -> str:
        return self.similarity.remark()

    def prepare(self, item: Graph) -> GradedGraph:
        coded = encode(self.standardise(item), self.profile)
        graph, words = coded.graph, coded.labels
        concepts: list[list[str]] = [[] for _ in graph.variables]
        for v, concept in graph.instances:
            concepts[v].append(words[concept])
        names = [
            node_concepts[0] if node_concepts else "" for node_concepts in concepts
        ]
        marks: list[int] = []
        if self.profile.top == "concept":
            if graph.top is not None and concepts[graph.top]:
                marks.append(graph.top)
                names.append(names[graph.top])
            top = NORMALISERS[self.profile.comparison](TOP_ROLE)
            for v, role, value in graph.attributes:
                if words[role] == top:
                    marks.append(v)
                    names.append(words[value])
        context = None
        if self._contextual is not None:  # a mark stands where its variable does
            places = places_of(graph)
            aligned = [*places, *(places[v] for v in marks)]
            context = self._contextual.vectors(names, sentence_of(graph), aligned)
        return GradedGraph(
            coded,
            tuple(names),
            tuple(map(tuple, concepts)),
            any(len(node_concepts) > 1 for node_concepts in concepts),
            np.array(
                [bool(node_concepts) for node_concepts in concepts], dtype=np.bool_
            ),
            tuple(marks),
            context,
        )

    def expect(
        self, lefts: Sequence[GradedGraph], rights: Sequence[GradedGraph]
    ) -> None:
        if self._contextual is None:
            names = (
                (n for side in sides for n in side.names) for sides in (lefts, rights)
            )
            self.similarity.expect(*names)

    def build_problem(self, left: GradedGraph, right: GradedGraph) -> SoftProblem:
        left_coded, right_coded = left.coded, right.coded
        soft = np.zeros((0, 0))
        graded = None
        max_terms = MAX_TERMS if self.max_terms is None else self.max_terms
        if left_coded.n_variables * right_coded.n_variables <= max_terms:
            soft = self.graded(left, right)
            graded = np.rint(soft * self.scale).astype(np.int64).reshape(-1)
        weighed = (
            left_coded,
            right_coded,
            self.profile,
            self.scale,
            graded,
            self.max_terms,
        )
        return SoftProblem(*weighed, soft=soft, sides=(left, right))

    def grading(self) -> GradedSimilarity:
        """Return the similarity; refuse one without a cutoff."""
        if not isinstance(self.similarity, GradedSimilarity):
            raise InputError("the similarity has no cutoff; name one that grades words")
        return self.similarity

    def with_cutoff(self, cutoff: float) -> S2Match:
        """Return the same metric with another cutoff, for graphs compared before."""
        metric = self.copy()
        metric.similarity = self.grading().with_cutoff(cutoff)
        return metric

    def words(self, left: GradedGraph, right: GradedGraph) -> Matrix:
        """Return the similarity of the words of all names, before any cutoff."""
        contexts: Any = left.context, right.context
        if self._contextual is not None:
            return self._contextual.alike(*contexts)
        similarity = self.grading()
        return similarity.words(*map(similarity.numbers, (left.names, right.names)))

    def graded(self, left: GradedGraph, right: GradedGraph) -> Matrix:
        """Compute how much each two variables match beyond equal triples."""
        n, m = left.coded.n_variables, right.coded.n_variables
        just = self.profile.just
        left_numbers, right_numbers = map(
            self.similarity.numbers, (left.names, right.names)
        )
        similarities = self._alike(
            left_numbers, right_numbers, left.context, right.context
        )
        equal = left_numbers[:, None] == right_numbers
        if self.profile.comparison == "exact":  # the similarity may ignore case
            equal = are_equal(left.names, right.names)
        similarities = np.array(similarities, dtype=np.float64)
        similarities[equal] = 0.0  # equal ones match anyway
        named = left.has_concept[:, None] & right.has_concept
        soft: Matrix = np.where(named, similarities[:n, :m], 0.0)
        if left.several or right.several:
            self._grade_several(left, right, soft)
        if just not in (None, "instance"):
            soft[:] = 0.0
        if just in (None, "attribute"):
            for a, i in enumerate(left.marks, n):
                for b, j in enumerate(right.marks, m):
                    soft[i, j] += similarities[a, b]
        return soft

    def _alike(
        self,
        left_numbers: Numbers,
        right_numbers: Numbers,
        left: Matrix | None,
        right: Matrix | None,
    ) -> Matrix:
        contextual = self._contextual
        if contextual is None or left is None or right is None:
            return self.similarity.between(left_numbers, right_numbers)
        return contextual.apply_rules(
            contextual.alike(left, right), left_numbers, right_numbers
        )

    def _grade_several(
        self, left: GradedGraph, right: GradedGraph, soft: Matrix
    ) -> None:
        """Grade variables with several concepts by their most similar ones."""
        for i, left_concepts in enumerate(left.concepts):
            for j, right_concepts in enumerate(right.concepts):
                if len(left_concepts) > 1 or len(right_concepts) > 1:
                    similarities = self._alike(
                        self.similarity.numbers(left_concepts),
                        self.similarity.numbers(right_concepts),
                        _rows_of(left.context, i, len(left_concepts)),
                        _rows_of(right.context, j, len(right_concepts)),
                    )
                    equal = set(left_concepts) & set(right_concepts)
                    soft[i, j] = 0.0 if equal else similarities.max(initial=0.0)

    def counting_signature(self) -> list[tuple[str, str]]:
        return [
            *super().counting_signature(),
            *self.similarity.signature(),
            ("scale", str(self.scale)),
            ("rounding", f"{0.5 / self.scale:g}"),
        ]


def _rows_of(context: Matrix | None, row: int, times: int) -> Matrix | None:
    return None if context is None else context[[row] * times]
