"""S²Match: Smatch with graded concepts, solved to the optimum.

Two aligned variables count not only if their concepts are equal, but as far as
they are alike:

    softMatch = 1 - d(x, y),

with a distance *d* of concepts (:mod:`exactmatch.metrics.similarity.concepts`).  Where
the profile marks the root by its concept, that mark is graded too.  All other
triples match or do not, as in Smatch, and precision, recall and F1 are Smatch's
with the soft number of matches.

**Exactness.**  Solvers maximise integers, so each graded match is rounded once
to a multiple of ``1 / scale``.  The alignment is the proven optimum of the
rounded problem; its number of matches is then added up again in doubles, from
the similarities themselves.  Each graded match is off by at most half a unit,
so no alignment matches more than that plus ``graded matches / scale``.

**In context.**  With an encoder and one of its layers, the words of a node are those of
the sentence that it is aligned to, so that a concept has another vector in another
sentence (:mod:`exactmatch.metrics.similarity.encoder`).

Source: Opitz, Parcalabescu and Frank (2020), "AMR Similarity Metrics from
Principles", section 4, equations 6 to 8.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import InputError
from exactmatch.engine.coding import CodedGraph, encode
from exactmatch.engine.problem import MAX_TERMS
from exactmatch.formats.alignments import places_of, sentence_of, with_anchors
from exactmatch.formats.blocks import Block
from exactmatch.graphs.counting import TOP_ROLE
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import NORMALISERS, PROFILES, Profile
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.metrics.base import VECTORS, Option, ReadItem
from exactmatch.metrics.graded import GradedGraph, GradedProblem, Matrix, all_concepts
from exactmatch.metrics.similarity.choice import Kind, concept_similarity
from exactmatch.metrics.similarity.concepts import (
    ConceptSimilarity,
    GradedSimilarity,
    Numbers,
)
from exactmatch.metrics.similarity.encoder import ContextualSimilarity
from exactmatch.solvers.base import Solver

SCALE = 1_000_000
"""Units of a whole match: a graded match is rounded by 5e-7 at most."""

LARGEST_SCALE = 10**9
"""Finer units mean nothing: similarities are computed in single precision."""

_CONCEPT = re.compile(r"/\s*([^\s()]+)")


class S2Match(AligningMetric[GradedGraph]):
    """S²Match with any similarity of concepts, by any exact solver.

    Args:
        profile: which triples count; default ``s2match``, as the official program
            counts.
        solver: who aligns the variables.
        max_terms: how large a problem may become.
        unmarked_quotes: whether ``"David"`` and ``David`` are equal.
        similarity: the kind of similarity, or one of your own.
        scale: units of a whole match.
        **options: those of :func:`concept_similarity`.

    Raises:
        InputError: if options contradict each other or a file cannot be read.
        MissingExtraError: if an encoder is named and its package missing.
    """

    name = "s2match"
    title = "S²Match"
    summary = "Smatch with graded similarity of concepts (Opitz et al. 2020)"
    default_profile = "s2match"
    options = (
        VECTORS,
        Option(
            "cutoff", "similarities up to C become 0 (default: 0.5)", float, metavar="C"
        ),
        Option(
            "diffsense",
            "similarity of two senses of a word (default: 0.5)",
            float,
            metavar="D",
        ),
        Option(
            "similarity",
            "similarity of concepts (default: cosine with vectors or encoder, else "
            "lcs)",
            choices=get_args(Kind),
        ),
        Option(
            "encoder",
            "a model that embeds the words of each concept, instead of vectors",
            metavar="MODEL",
        ),
        Option(
            "layer",
            "with --encoder: embed the words that nodes are aligned to in their "
            "sentence, by this hidden layer",
            int,
            metavar="N",
        ),
        Option("unmarked_quotes", 'read "David" as David', bool),
    )

    def __init__(
        self,
        profile: Profile | None = None,
        solver: Solver | str = "auto",
        max_terms: int | None = None,
        *,
        similarity: Kind | ConceptSimilarity | None = None,
        unmarked_quotes: bool | None = None,
        scale: int = SCALE,
        **options: Any,
    ) -> None:
        profile = PROFILES[self.default_profile] if profile is None else profile
        if options.get("layer") is not None:  # tags say where a node stands alone
            profile = profile.with_options(strip_alignments=True)
        if unmarked_quotes:
            profile = _without_quotes(profile)
        super().__init__(profile, solver, max_terms, **options)
        if not isinstance(scale, int) or not 1 <= scale <= LARGEST_SCALE:
            raise InputError(
                f"the scale is {scale!r}; it is a whole number from 1 to "
                f"{LARGEST_SCALE:,}"
            )
        self.scale = scale
        if isinstance(similarity, ConceptSimilarity):
            self.similarity = similarity
        else:
            given = {name: v for name, v in options.items() if v is not None}
            self.similarity = concept_similarity(similarity, **given)
            self.asked.similarity = similarity

    def options_given(self) -> dict[str, Any]:
        return super().options_given() | {"scale": self.scale}

    @property
    def preparation(self) -> Hashable:
        holds_vectors = isinstance(self.similarity, ContextualSimilarity)
        return (S2Match, self.profile, self.similarity if holds_vectors else None)

    @property
    def reading(self) -> Hashable:
        return (super().reading, isinstance(self.similarity, ContextualSimilarity))

    def read(self, given: Any) -> ReadItem:
        found = super().read(given)
        if not isinstance(self.similarity, ContextualSimilarity):
            return found
        text = given.lines if isinstance(given, Block) else found.item.origin.text
        graph = with_anchors(found.item, text or ())
        if fault := self.similarity.encoder.fault(sentence_of(graph)):
            raise graph.origin.error(f"has a sentence that {fault}")
        found = found._replace(item=graph)
        if any(places_of(graph)) or found.lenient:
            return found
        error = graph.origin.error(
            "has no alignment with its sentence ('~e.N' tags or '# ::alignments')"
        )
        return found._replace(lenient=(error,), reader="--encoder without --layer")

    @property
    def preloads(self) -> bool:
        return self.similarity.preloads

    def preload(self, texts: Iterable[str]) -> None:
        concepts: set[str] = set()
        for text in texts:
            concepts.update(_CONCEPT.findall(text))
        self.similarity.preload(concepts)

    def prepare(self, item: Graph) -> GradedGraph:
        return self._grade(encode(self.standardise(item), self.profile))

    def _grade(self, coded: CodedGraph) -> GradedGraph:
        graph, words = coded.graph, coded.labels
        names, several = [""] * len(graph.variables), False
        has_concept = [False] * len(names)
        for v, concept in graph.instances:
            if has_concept[v]:
                several = True
            else:
                names[v], has_concept[v] = words[concept], True
        marks: list[int] = []
        if self.profile.top == "concept":
            if graph.top is not None and has_concept[graph.top]:
                marks.append(graph.top)
                names.append(names[graph.top])
            top = NORMALISERS[self.profile.comparison](TOP_ROLE)
            for v, role, value in graph.attributes:
                if words[role] == top:
                    marks.append(v)
                    names.append(words[value])
        return GradedGraph(
            coded,
            tuple(names),
            np.array(has_concept, dtype=np.bool_),
            tuple(marks),
            _concepts_in(graph, words) if several else None,
            self._context(graph, names, marks),
        )

    def _context(
        self, graph: Graph, names: Sequence[str], marks: Sequence[int]
    ) -> Matrix | None:
        """The vectors of variables and marks; a mark stands where its variable does."""
        if not isinstance(self.similarity, ContextualSimilarity):
            return None
        places = places_of(graph)
        aligned = [*places, *(places[v] for v in marks)]
        return self.similarity.vectors(names, sentence_of(graph), aligned)

    def expect(
        self, lefts: Sequence[GradedGraph], rights: Sequence[GradedGraph]
    ) -> None:
        if not isinstance(self.similarity, ContextualSimilarity):
            names = (
                (n for side in sides for n in side.names) for sides in (lefts, rights)
            )
            self.similarity.expect(*names)

    def state(self, left: GradedGraph, right: GradedGraph) -> GradedProblem:
        ours, theirs = left.coded, right.coded
        soft = np.zeros((0, 0))
        graded = None
        most = MAX_TERMS if self.max_terms is None else self.max_terms
        if ours.n_variables * theirs.n_variables <= most:
            soft = self.graded(left, right)
            graded = _in_units(soft, self.scale).reshape(-1)
        return GradedProblem(
            ours,
            theirs,
            self.profile,
            self.scale,
            graded,
            self.max_terms,
            soft=soft,
            sides=(left, right),
        )

    def grading(self) -> GradedSimilarity:
        """The similarity, if it has a cutoff.

        Raises:
            InputError: if it has none.
        """
        if not isinstance(self.similarity, GradedSimilarity):
            raise InputError("the similarity has no cutoff; name one that grades words")
        return self.similarity

    def with_cutoff(self, cutoff: float) -> S2Match:
        """Return the same metric with another cutoff, for graphs compared before."""
        other = self.copy()
        other.similarity = self.grading().with_cutoff(cutoff)
        return other

    def words(self, left: GradedGraph, right: GradedGraph) -> Matrix:
        """How alike the words of all names are, whatever the cutoff."""
        similarity = self.grading()
        if isinstance(similarity, ContextualSimilarity):
            assert left.context is not None
            assert right.context is not None
            return similarity.alike(left.context, right.context)
        return similarity.words(*map(similarity.numbers, (left.names, right.names)))

    def graded(self, left: GradedGraph, right: GradedGraph) -> Matrix:
        """The matches of two variables beyond equal triples, for all pairs of them."""
        n, m = left.coded.n_variables, right.coded.n_variables
        just = self.profile.just
        ours = self.similarity.numbers(left.names)
        theirs = self.similarity.numbers(right.names)
        alike = self._alike(ours, theirs, left.context, right.context)
        if self.profile.comparison == "exact":  # the similarity may ignore case
            ours, theirs = _codes(left.names, right.names)
        alike = np.array(alike, dtype=np.float64)
        alike[ours[:, None] == theirs] = 0.0  # equal ones match anyway
        named = left.has_concept[:, None] & right.has_concept
        soft: Matrix = np.where(named, alike[:n, :m], 0.0)
        if left.spelt is not None or right.spelt is not None:
            self._grade_several(left, right, soft)
        if just not in (None, "instance"):
            soft[:] = 0.0
        if just in (None, "attribute"):
            for a, i in enumerate(left.marks, n):
                for b, j in enumerate(right.marks, m):
                    soft[i, j] += alike[a, b]
        return soft

    def _alike(
        self, ours: Numbers, theirs: Numbers, left: Matrix | None, right: Matrix | None
    ) -> Matrix:
        if isinstance(self.similarity, ContextualSimilarity):
            assert left is not None
            assert right is not None
            return self.similarity.in_context(left, right, ours, theirs)
        return self.similarity.between(ours, theirs)

    def _grade_several(
        self, left: GradedGraph, right: GradedGraph, soft: Matrix
    ) -> None:
        """Where variables have several concepts, the most similar ones count."""
        theirs = all_concepts(right)
        for i, ours in enumerate(all_concepts(left)):
            for j, others in enumerate(theirs):
                if len(ours) > 1 or len(others) > 1:
                    alike = self._alike(
                        self.similarity.numbers(ours),
                        self.similarity.numbers(others),
                        _rows_of(left.context, i, len(ours)),
                        _rows_of(right.context, j, len(others)),
                    )
                    equal = set(ours) & set(others)
                    soft[i, j] = 0.0 if equal else alike.max(initial=0.0)

    def counting_signature(self) -> list[tuple[str, str]]:
        return [
            *super().counting_signature(),
            *self.similarity.signature(),
            ("scale", str(self.scale)),
            ("rounding", f"{0.5 / self.scale:g}"),
        ]


def _concepts_in(graph: Graph, words: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    found: list[list[str]] = [[] for _ in graph.variables]
    for v, concept in graph.instances:
        found[v].append(words[concept])
    return tuple(map(tuple, found))


def _rows_of(context: Matrix | None, row: int, times: int) -> Matrix | None:
    return None if context is None else context[[row] * times]


def _codes(ours: Sequence[str], theirs: Sequence[str]) -> tuple[Numbers, Numbers]:
    """Numbers for names; equal ones have equal numbers."""
    place: dict[str, int] = {}
    left, right = (
        np.array([place.setdefault(name, len(place)) for name in side], dtype=np.int64)
        for side in (ours, theirs)
    )
    return left, right


def _in_units(soft: Matrix, scale: int) -> npt.NDArray[np.int64]:
    units = soft * scale
    return np.rint(units, units).astype(np.int64)


def _without_quotes(profile: Profile) -> Profile:
    if profile.reader not in ("s2match", "s2match-unmarked"):
        raise InputError(
            f"--unmarked-quotes belongs to profile s2match, not {profile.name}"
        )
    return profile.with_options(reader="s2match-unmarked")
