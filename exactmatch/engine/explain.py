"""Why a pair got its score: the alignment, and the triples that differ.

Triples are shown as the graphs state them, each side in its own variables, and
sorted into three heaps by renaming the prediction's variables: *matched*,
*missing* (the reference states it and the prediction does not) and *extra* (the
other way round).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from exactmatch.base.errors import shortened
from exactmatch.engine.coding import CountedTriple, counted_triples
from exactmatch.engine.problem import renamed
from exactmatch.graphs.graph import INSTANCE, Graph, Triple
from exactmatch.graphs.profile import Profile

if TYPE_CHECKING:
    from exactmatch.graphs.drawing.drawing import DrawnSide, Mark
    from exactmatch.solvers.problem import Alignment

_ROWS = 20
"""So many triples that differ stand in a notebook's table."""


@dataclass(frozen=True, slots=True)
class AlignedPair:
    """Two variables that correspond, or one that has no partner.

    Attributes:
        pred, gold: the variables; ``None`` where there is no partner.
        pred_concept, gold_concept: their concepts.
        certain: whether the pair is proven to be in every optimal alignment.

    >>> import exactmatch
    >>> pair = exactmatch.align("(b / bark-01)", "(x / bark-01)").aligned[0]
    >>> pair.pred, pair.gold, pair.gold_concept
    ('b', 'x', 'bark-01')
    """

    pred: str | None
    pred_concept: str | None
    gold: str | None
    gold_concept: str | None
    certain: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class Explanation:
    """An alignment and what follows from it.

    Attributes:
        aligned: pairs of variables in the prediction's order, then the
            reference's variables without partner.
        matched: matched triples, in the reference's variables.
        missing: triples of the reference that nothing matches.
        extra: triples of the prediction that match nothing.
        pred, gold: the two graphs as they count.

    >>> import exactmatch
    >>> found = exactmatch.align("(b / bark-01 :ARG0 (d / dog))", "(x / bark-01)")
    >>> for triple in found.extra:
    ...     print(*triple)
    d instance dog
    b ARG0 d
    """

    aligned: tuple[AlignedPair, ...]
    matched: tuple[Triple, ...]
    missing: tuple[Triple, ...]
    extra: tuple[Triple, ...]
    pred: Graph
    gold: Graph

    def __repr__(self) -> str:
        pairs = sum(None not in (pair.pred, pair.gold) for pair in self.aligned)
        return (
            f"{pairs:,} of {len(self.aligned):,} variables aligned; "
            f"{len(self.matched):,} triples matched, {len(self.missing):,} missing, "
            f"{len(self.extra):,} extra"
        )

    def _repr_html_(self) -> str:
        from exactmatch.base.markup import Cell, element, joined, table
        from exactmatch.graphs.drawing.svg import notebook

        parts = [element("p", repr(self))]
        parts.append(notebook(*self._sides(), names=("Reference", "Prediction")))
        differing = [("missing", triple) for triple in self.missing]
        differing += [("extra", triple) for triple in self.extra]
        if differing:
            rows = [
                (Cell(what), *(Cell(shortened(part, 60)) for part in triple))
                for what, triple in differing[:_ROWS]
            ]
            parts.append(table(("", "source", "role", "target"), rows))
        if len(differing) > _ROWS:
            parts.append(element("p", f"… and {len(differing) - _ROWS:,} more"))
        return joined(parts)

    def _sides(self) -> tuple[DrawnSide, DrawnSide]:
        from exactmatch.graphs.drawing.drawing import DrawnSide

        numbers = {name: j for j, name in enumerate(self.gold.variables)}
        partner = {pair.pred: pair.gold for pair in self.aligned}
        partners = [numbers.get(partner.get(v) or "", -1) for v in self.pred.variables]
        return (
            DrawnSide(self.gold, (), _marked(self.gold, self.missing, "missing")),
            DrawnSide(self.pred, partners, _marked(self.pred, self.extra, "extra")),
        )

    def as_dict(self) -> dict[str, Any]:
        """The explanation as plain data."""
        return {
            "alignment": [
                {
                    "pred": pair.pred,
                    "pred_concept": pair.pred_concept,
                    "gold": pair.gold,
                    "gold_concept": pair.gold_concept,
                    "certain": pair.certain,
                }
                for pair in self.aligned
            ],
            "matched_triples": [list(triple) for triple in self.matched],
            "missing_triples": [list(triple) for triple in self.missing],
            "extra_triples": [list(triple) for triple in self.extra],
        }


def _marked(graph: Graph, differing: tuple[Triple, ...], mark: Mark) -> dict[int, Mark]:
    wanted = Counter(differing)
    marks: dict[int, Mark] = {}
    for number, triple in enumerate(graph.triples()):
        if wanted[triple] > 0:
            wanted[triple] -= 1
            marks[number] = mark
    return marks


def explain(
    pred: Graph,
    gold: Graph,
    profile: Profile,
    alignment: Alignment,
    certain: Collection[int] = (),
) -> Explanation:
    """Say what an alignment of two graphs matches and what it leaves.

    Args:
        pred, gold: the two graphs as they count.
        profile: which triples count, and when they are equal.
        alignment: the gold variable of every predicted one, or -1.
        certain: predicted variables whose pair every optimal alignment has.
    """
    images = [renamed(triple, alignment) for triple in counted_triples(pred, profile)]
    gold_triples = list(counted_triples(gold, profile))
    return Explanation(
        aligned_pairs(pred, gold, alignment, certain),
        *_split(gold, gold_triples, images, profile),
        _split(pred, images, gold_triples, profile)[1],
        pred,
        gold,
    )


def _split(
    graph: Graph,
    triples: Sequence[CountedTriple | None],
    others: Sequence[CountedTriple | None],
    profile: Profile,
) -> tuple[tuple[Triple, ...], tuple[Triple, ...]]:
    """Split a graph's triples into those the other graph has and the rest.

    Args:
        graph: the graph, for its variables.
        triples: its counted triples, in the reference's variables.
        others: those of the other graph, likewise.
        profile: whether a triple of the other graph serves once or always.
    """
    left = Counter(others)
    left[None] = 0
    written = counted_triples(graph, profile, raw=True)
    found: list[Triple] = []
    rest: list[Triple] = []
    for image, triple in zip(triples, written, strict=True):
        if left[image] > 0:
            found.append(_shown(graph, triple))
            if profile.duplicates == "multiset":
                left[image] -= 1
        else:
            rest.append(_shown(graph, triple))
    return tuple(found), tuple(rest)


def aligned_pairs(
    pred: Graph, gold: Graph, alignment: Alignment, certain: Collection[int] = ()
) -> tuple[AlignedPair, ...]:
    """Which variables correspond, in the prediction's order, then those left over."""
    pred_concepts, gold_concepts = pred.concepts(), gold.concepts()
    pairs = []
    for i, j in enumerate(alignment):
        partner = None if j == -1 else gold.variables[j]
        concept = None if j == -1 else gold_concepts[j]
        pairs.append(
            AlignedPair(
                pred.variables[i], pred_concepts[i], partner, concept, i in certain
            )
        )
    taken = set(alignment)
    for j, variable in enumerate(gold.variables):
        if j not in taken:
            pairs.append(AlignedPair(None, None, variable, gold_concepts[j]))
    return tuple(pairs)


def _shown(graph: Graph, triple: CountedTriple) -> Triple:
    target = triple.target
    return Triple(
        graph.variables[triple.source],
        triple.role if triple.kind != INSTANCE else INSTANCE,
        graph.variables[target] if isinstance(target, int) else target,
    )
