"""Explanation of a pair's score: the alignment, and the triples that differ.

Triples are shown as written, each side in its own variables.  Once the prediction's
variables are renamed, each triple is *matched*, *missing* (only the reference has it)
or *extra* (only the prediction has it).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from exactmatch.base.errors import shortened
from exactmatch.engine.problem import CountedTriple, counted_triples, renamed
from exactmatch.graphs.graph import INSTANCE, Graph, Triple
from exactmatch.graphs.profile import Profile
from exactmatch.graphs.standardise import TOP_ROLE

if TYPE_CHECKING:
    from exactmatch.solvers.problem import Alignment

_ROWS = 20  # differing triples in a notebook's table


@dataclass(frozen=True, slots=True)
class AlignedPair:
    """Two aligned variables, or one without partner.

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

    @property
    def nodes(self) -> tuple[str, str]:
        """Two partners with their concepts, or a dash where there is none."""
        return _node(self.pred, self.pred_concept), _node(self.gold, self.gold_concept)


def _node(variable: str | None, concept: str | None) -> str:
    if variable is None:
        return "-"
    return variable if concept is None else f"{variable} / {concept}"


@dataclass(frozen=True, slots=True, repr=False)
class Explanation:
    """An alignment with the triples that match, are missing and are extra.

    Attributes:
        aligned: pairs of variables in the prediction's order, then the
            reference's variables without partner.
        matched: matched triples, in the reference's variables.
        missing: triples of the reference that nothing matches.
        extra: triples of the prediction that match nothing.
        pred, gold: the two graphs as they count.
        profile: what counts, and how triples are compared.

    >>> import exactmatch
    >>> pair = exactmatch.align("(b / bark-01 :ARG0 (d / dog))", "(x / bark-01)")
    >>> for triple in pair.extra:
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
    profile: Profile

    def __repr__(self) -> str:
        pairs = sum(None not in (pair.pred, pair.gold) for pair in self.aligned)
        return (
            f"{pairs:,} of {len(self.aligned):,} variables aligned; "
            f"{len(self.matched):,} triples matched, {len(self.missing):,} missing, "
            f"{len(self.extra):,} extra"
        )

    def _repr_html_(self) -> str:
        from exactmatch.base.markup import Cell, element, joined, table
        from exactmatch.engine.differences import drawn_sides
        from exactmatch.graphs.drawing.svg import notebook

        parts = [element("p", repr(self))]
        numbers = {name: j for j, name in enumerate(self.gold.variables)}
        partner = {pair.pred: pair.gold for pair in self.aligned}
        partners = (numbers.get(partner.get(v) or "", -1) for v in self.pred.variables)
        sides = drawn_sides(self.pred, self.gold, self.profile, tuple(partners))
        parts.append(notebook(*sides, names=("Reference", "Prediction")))
        differing = [("missing", triple) for triple in self.missing]
        differing += [("extra", triple) for triple in self.extra]
        if differing:
            rows = [
                (Cell(kind), *(Cell(shortened(part, 60)) for part in triple))
                for kind, triple in differing[:_ROWS]
            ]
            parts.append(table(("", "source", "role", "target"), rows))
        if len(differing) > _ROWS:
            parts.append(element("p", f"… and {len(differing) - _ROWS:,} more"))
        return joined(parts)

    def as_dict(self) -> dict[str, Any]:
        """Return the explanation as plain data."""
        return {
            "alignment": [asdict(pair) for pair in self.aligned],
            "matched_triples": list(map(list, self.matched)),
            "missing_triples": list(map(list, self.missing)),
            "extra_triples": list(map(list, self.extra)),
        }


def numbers_of(graph: Graph, differing: Iterable[Triple]) -> set[int]:
    """Return the numbers of a graph's triples that differ; ``TOP`` for the root's mark.

    The last of equal triples differ: the first ones match.
    """
    from exactmatch.graphs.drawing.drawing import TOP

    numbered = list(enumerate(graph.triples()))
    if graph.top is not None:
        mark = Triple(graph.variables[graph.top], TOP_ROLE, "")
        numbered.insert(len(graph.instances) + len(graph.attributes), (TOP, mark))
    remaining = list(differing)
    numbers = set()
    for number, triple in reversed(numbered):
        parts = 2 if number == TOP else 3  # the root's mark, whatever its value is
        if remaining and remaining[-1][:parts] == triple[:parts]:
            remaining.pop()
            numbers.add(number)
    return numbers


def explain(
    pred: Graph,
    gold: Graph,
    profile: Profile,
    alignment: Alignment,
    certain: Collection[int] = (),
) -> Explanation:
    """Return the matched, missing and extra triples of an alignment of two graphs.

    Every optimal alignment has the pairs of the *certain* predicted variables.
    """
    images = [renamed(triple, alignment) for triple in counted_triples(pred, profile)]
    golds = list(counted_triples(gold, profile))
    matched, missing = _split(gold, golds, images, profile)
    _, extra = _split(pred, images, golds, profile)
    pairs = aligned_pairs(pred, gold, alignment, certain)
    return Explanation(pairs, matched, missing, extra, pred, gold, profile)


def _split(
    graph: Graph,
    triples: Sequence[CountedTriple],
    other_triples: Sequence[CountedTriple],
    profile: Profile,
) -> tuple[tuple[Triple, ...], tuple[Triple, ...]]:
    """Split a graph's triples into those the other graph has and the rest.

    Both graphs' triples are in the reference's variables; under the profile's
    ``duplicates``, a triple of the other graph matches once or always.
    """
    unmatched = Counter(other_triples)
    written = counted_triples(graph, profile, raw=True)
    shared: list[Triple] = []
    rest: list[Triple] = []
    for image, (kind, role, source, target) in zip(triples, written, strict=True):
        end = graph.variables[target] if isinstance(target, int) else target
        triple = Triple(
            graph.variables[source], INSTANCE if kind == INSTANCE else role, end
        )
        (shared if unmatched[image] > 0 else rest).append(triple)
        if unmatched[image] > 0 and profile.duplicates == "multiset":
            unmatched[image] -= 1
    return tuple(shared), tuple(rest)


def aligned_pairs(
    pred: Graph, gold: Graph, alignment: Alignment, certain: Collection[int] = ()
) -> tuple[AlignedPair, ...]:
    """Return the aligned variables in the prediction's order, then the others."""
    pred_nodes = list(zip(pred.variables, pred.concepts(), strict=True))
    gold_nodes = list(zip(gold.variables, gold.concepts(), strict=True))
    pairs = []
    for i, j in enumerate(alignment):
        partner, concept = (None, None) if j == -1 else gold_nodes[j]
        pairs.append(AlignedPair(*pred_nodes[i], partner, concept, i in certain))
    aligned_golds = set(alignment)
    unaligned_golds = [
        node for j, node in enumerate(gold_nodes) if j not in aligned_golds
    ]
    return (*pairs, *(AlignedPair(None, None, *node) for node in unaligned_golds))
