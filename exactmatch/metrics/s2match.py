"""S²Match: Smatch with graded concepts, solved to the optimum.

Two aligned variables count not only if their concepts are equal, but as far as
they are alike:

    softMatch = 1 - d(x, y),

with a distance *d* of concepts (:mod:`exactmatch.similarity.concepts`).  Where
the profile marks the root by its concept, that mark is graded too.  All other
triples match or do not, as in Smatch, and precision, recall and F1 are Smatch's
with the soft number of matches.

**Exactness.**  Solvers maximise integers, so each graded match is rounded once
to a multiple of ``1 / scale``.  The alignment is the proven optimum of the
rounded problem; its number of matches is then added up again in doubles, from
the similarities themselves.  Each graded match is off by at most half a unit,
so no alignment matches more than that plus ``graded matches / scale``.

Source: Opitz, Parcalabescu and Frank (2020), "AMR Similarity Metrics from
Principles", section 4, equations 6 to 8.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from exactmatch.alignment import problem as build
from exactmatch.alignment.coding import TOP_ROLE, CodedGraph, matches
from exactmatch.errors import CertificationError, InputError
from exactmatch.graphs.profile import NORMALISERS, Profile
from exactmatch.metrics.base import Measurement, Option
from exactmatch.metrics.smatch import AlignmentMetric
from exactmatch.similarity.choice import Kind, concept_similarity
from exactmatch.similarity.concepts import ConceptSimilarity
from exactmatch.solvers.base import Solver

if TYPE_CHECKING:
    from exactmatch.graphs.graph import Graph
    from exactmatch.solvers.solution import Limits, Solution

Matrix: TypeAlias = npt.NDArray[np.float64]

SCALE = 1_000_000
"""Units of a whole match: a graded match is rounded by 5e-7 at most."""

_KNOWN_GRAPHS = 4096
_CONCEPT = re.compile(r"/\s*([^\s()]+)")


@dataclass(frozen=True, slots=True)
class Concepts:
    """What of a graph is graded.

    Attributes:
        numbers: the similarity's number of each variable's concept, then of the
            value of each mark.
        names: a number for each variable's concept, the same for equal concepts,
            ``-1`` for none; then one for the value of each mark.
        marks: the variables that are marked as root, with a concept as value.
        several: whether a variable has more than one concept.
    """

    numbers: npt.NDArray[np.int64]
    names: npt.NDArray[np.int64]
    marks: list[int]
    several: bool


class S2Match(AlignmentMetric):
    """S²Match with any similarity of concepts, by any exact solver.

    Args:
        profile: which triples count; default ``s2match``, the official reading.
        solver: who aligns the variables.
        max_terms: how large a problem may become.
        vectors: a file of static word vectors.
        encoder: a contextual encoder, by name or folder.
        similarity: the kind of similarity, or one of your own; default:
            ``cosine`` with vectors or an encoder, else ``lcs``.
        cutoff: similarities of words up to this count as 0; default 0.5.
        diffsense: factor where senses are involved; default 0.5.
        unmarked_quotes: whether ``"David"`` and ``David`` are equal.
        scale: units of a whole match.

    Raises:
        InputError: if options contradict each other or a file cannot be read.
        MissingExtraError: if an encoder is named and its package missing.
    """

    name = "s2match"
    title = "S²Match"
    summary = "Smatch with graded similarity of concepts (Opitz et al. 2020)"
    default_profile = "s2match"
    options = (
        Option(
            "vectors",
            "word vectors: GloVe, word2vec or fastText, also gzipped",
            str,
            None,
            "FILE",
        ),
        Option(
            "cutoff", "similarities up to C count as 0 (default 0.5)", float, None, "C"
        ),
        Option("diffsense", "factor for other senses (default 0.5)", float, None, "D"),
        Option(
            "similarity",
            "of concepts (default: cosine with vectors or encoder, else lcs)",
            choices=get_args(Kind),
        ),
        Option("encoder", "contextual encoder instead of vectors", str, None, "MODEL"),
        Option("unmarked_quotes", 'read "David" as David', bool),
    )

    def __init__(
        self,
        profile: Profile | None = None,
        solver: Solver | str = "auto",
        max_terms: int | None = None,
        *,
        vectors: str | os.PathLike[str] | None = None,
        encoder: str | None = None,
        similarity: Kind | ConceptSimilarity | None = None,
        cutoff: float | None = None,
        diffsense: float | None = None,
        unmarked_quotes: bool | None = None,
        scale: int = SCALE,
    ) -> None:
        super().__init__(profile, solver, max_terms)
        if unmarked_quotes:
            self.counting = self.profile = _unmarked(self.counting)
        if isinstance(similarity, ConceptSimilarity):
            self.similarity = similarity
        else:
            self.similarity = concept_similarity(
                similarity,
                vectors,
                encoder,
                0.5 if cutoff is None else cutoff,
                0.5 if diffsense is None else diffsense,
            )
        self.scale = scale
        self._spelling: dict[str, int] = {}
        self._concepts: dict[int, tuple[CodedGraph, Concepts]] = {}

    def foresee(self, texts: Iterable[str]) -> None:
        """See the text of all graphs, so that a file of vectors is read once."""
        self.similarity.foresee(
            concept for text in texts for concept in _CONCEPT.findall(text)
        )

    def pairing(self, pred: Graph, gold: Graph) -> build.Pairing:
        """State the pair as an alignment problem."""
        return self._stated(pred, gold)[0]

    def _stated(self, pred: Graph, gold: Graph) -> tuple[build.Pairing, Matrix]:
        """The problem, and the graded matches of all pairs of variables."""
        left, right = self.coded(pred), self.coded(gold)
        graded = None
        soft = np.zeros((0, 0))
        most = build.MAX_TERMS if self.max_terms is None else self.max_terms
        if left.n_variables * right.n_variables <= most:
            soft = self.graded(left, right)
            graded = _rounded(soft, self.scale).reshape(-1)
        pairing = build.build(
            left,
            right,
            self.counting,
            scale=self.scale,
            graded=graded,
            max_terms=self.max_terms,
        )
        return pairing, soft

    def graded(self, left: CodedGraph, right: CodedGraph) -> Matrix:
        """What two variables match beyond equal triples, for all pairs of them."""
        mine, theirs = self.concepts(left), self.concepts(right)
        n, m = left.n_variables, right.n_variables
        just = self.counting.just
        alike = self.similarity.between(mine.numbers, theirs.numbers)
        alike[mine.names[:, None] == theirs.names] = 0.0
        soft: Matrix = alike[:n, :m].copy()
        soft[mine.names[:n] == _NO_CONCEPT] = 0.0
        soft[:, theirs.names[:m] == _NO_CONCEPT] = 0.0
        if mine.several or theirs.several:
            self._grade_several(left.graph, right.graph, soft)
        if just not in (None, "instance"):
            soft[:] = 0.0
        if just in (None, "attribute"):
            for a, i in enumerate(mine.marks, n):
                for b, j in enumerate(theirs.marks, m):
                    soft[i, j] += alike[a, b]
        return soft

    def _grade_several(self, left: Graph, right: Graph, soft: Matrix) -> None:
        """Where variables have several concepts, the most similar ones count."""
        theirs = self._spelt(right)
        for i, ours in enumerate(self._spelt(left)):
            for j, others in enumerate(theirs):
                if len(ours) > 1 or len(others) > 1:
                    alike = self.similarity.matrix(ours, others)
                    equal = set(ours) & set(others)
                    soft[i, j] = 0.0 if equal else alike.max(initial=0.0)

    def _spelt(self, graph: Graph) -> list[list[str]]:
        """The normalised concepts of each variable."""
        normalise = NORMALISERS[self.counting.comparison]
        found: list[list[str]] = [[] for _ in graph.variables]
        for v, concept in graph.instances:
            found[v].append(normalise(graph.labels[concept]))
        return found

    def concepts(self, coded: CodedGraph) -> Concepts:
        """What of a graph is graded, found out once."""
        known = self._concepts.get(id(coded))
        if known is not None and known[0] is coded:
            return known[1]
        if len(self._concepts) >= _KNOWN_GRAPHS:
            self._concepts.clear()
        found = self._found(coded.graph)
        self._concepts[id(coded)] = (coded, found)
        return found

    def _found(self, graph: Graph) -> Concepts:
        normalise = NORMALISERS[self.counting.comparison]
        labels = graph.labels
        several = len(graph.instances) > len({v for v, _ in graph.instances})
        names = [""] * len(graph.variables)
        stated = [False] * len(graph.variables)
        for v, concept in reversed(graph.instances):
            names[v] = normalise(labels[concept])
            stated[v] = True
        marks: list[int] = []
        if self.counting.top == "concept":
            top = graph.top
            if top is not None and stated[top]:
                marks.append(top)
                names.append(names[top])
            for v, role, value in graph.attributes:
                if normalise(labels[role]) == normalise(TOP_ROLE):
                    marks.append(v)
                    names.append(normalise(labels[value]))
        numbers = self.similarity.numbers(names)
        if self.counting.comparison == "exact":
            spelling = self._spelling
            found = [spelling.setdefault(name, len(spelling)) for name in names]
            spelt = np.array(found, dtype=np.int64)
        else:
            spelt = numbers.copy()
        spelt[: len(stated)][np.logical_not(stated)] = _NO_CONCEPT
        return Concepts(numbers, spelt, marks, several)

    def measure(
        self, pred: Graph, *golds: Graph, limits: Limits | None = None
    ) -> Measurement:
        """Align two graphs, prove it, and count again in doubles."""
        if len(golds) != 1:
            raise InputError(f"{self.name} takes one reference, not {len(golds)}")
        pairing, soft = self._stated(pred, golds[0])
        solution = self.solver.solve(pairing.problem, limits)
        matched = self._recounted(pairing, soft, solution)
        bound = matched
        if not solution.is_optimal:
            # Each aligned pair holds two graded matches at most: concept and mark.
            rounding = min(soft.shape) / self.scale
            bound = max(matched, solution.bound / self.scale + rounding)
        statistics = (
            matched,
            bound,
            float(pairing.left.total),
            float(pairing.right.total),
            1.0,
            float(solution.is_optimal),
        )
        rejected = None
        if self.check_certificates:
            rejected = build.rejection(pairing, solution)
        return Measurement(statistics, solution, pairing, rejected)

    def _recounted(
        self, pairing: build.Pairing, soft: Matrix, solution: Solution
    ) -> float:
        """The matches of an alignment in doubles, its value held against them."""
        alignment = solution.alignment
        aligned = [(i, j) for i, j in enumerate(alignment) if j != -1]
        graded = [float(soft[pair]) for pair in aligned]
        equal = matches(pairing.left, pairing.right, self.counting, alignment)
        units = int(_rounded(np.array(graded), self.scale).sum())
        if equal * self.scale + units != solution.value:
            raise CertificationError(
                f"an alignment said to be worth {solution.value} units is worth "
                f"{equal * self.scale + units}; please report the two graphs"
            )
        return equal + math.fsum(graded)

    def signature(self) -> list[tuple[str, str]]:
        """Profile, similarity, scale, worst rounding error of a match, solver."""
        *profile, solver = super().signature()
        return [
            *profile,
            *self.similarity.signature(),
            ("scale", str(self.scale)),
            ("rounding", f"{0.5 / self.scale:g}"),
            solver,
        ]


_NO_CONCEPT = -1


def _rounded(soft: Matrix, scale: int) -> npt.NDArray[np.int64]:
    """Graded matches in units of ``1 / scale``."""
    return np.rint(soft * scale).astype(np.int64)


def _unmarked(profile: Profile) -> Profile:
    if profile.reader != "s2match":
        raise InputError(
            f"--unmarked-quotes belongs to profile s2match, not {profile.name}"
        )
    return profile.with_options(reader="s2match-unmarked")
