"""juːmæʧ: the greedy score of the first shared task on UMR parsing, for the record.

Nodes of corresponding sentences are mapped one to one, greedily, and what mapped nodes
say is compared; ``docs/metrics/umatch.md`` has the rules.  A *value* of a node is its
concept, an attribute, or a relation as it is written: ``ARG1-of`` stays with the node
that it stands under.  Document-level triples count as values, too.

Source: Zeman (2025) and the tables of the shared task (DMR 2026); the mapping is worked
out from the values that the published program gives (ufal/umrtools 4377bc4).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from exactmatch.graphs.document import Document, DocumentTriple
from exactmatch.graphs.graph import INVERSE, Graph, upright
from exactmatch.graphs.profile import Profile
from exactmatch.graphs.standardise import CONCEPT, is_counted, standardise
from exactmatch.metrics.base import Statistics
from exactmatch.metrics.counts import DirectMetric, f1_of
from exactmatch.metrics.score import FScore, parts_of

if TYPE_CHECKING:
    from typing_extensions import Self

Value: TypeAlias = tuple[str, "str | int"]  # a role with a constant, or with a variable
_PART = re.compile(r"op\d+")
NAME = "name"  # the concept of nodes that spell a name: :op1 "Rio" :op2 "Negro"
_CONCEPT, _TOP = _WITHOUT_ROLE = ("/", "top")  # what stands for a role in values
KINDS = ("values", "mapped nodes' values", "aligned token sets", "mapped nodes")


@dataclass(frozen=True, slots=True)
class UmatchDocument:
    """A document as juːmæʧ sees it."""

    graph: Graph
    nodes: tuple[int, ...]  # its variables that have a concept
    concepts: tuple[str | None, ...]  # of each variable, as all that follows
    words: tuple[frozenset[int], ...]  # that it is aligned with
    values: tuple[frozenset[Value], ...]  # its attributes and written relations
    counted: tuple[frozenset[Value], ...] = ()  # of each, with concept and top
    triples: frozenset[DocumentTriple] = frozenset()  # of the document, that count
    all_triples: frozenset[DocumentTriple] = frozenset()  # of the document

    @property
    def document(self) -> Document:
        """Return the document with sentences and tokens."""
        return self.graph.document or Document()

    def token_sets(self) -> set[tuple[tuple[int, ...], frozenset[int]]]:
        """Return the sets of words that nodes are aligned with, by sentence."""
        home, words = self.document.home, self.words
        return {(home(v), words[v]) for v in self.nodes if words[v]}

    def spelled(self, v: int) -> tuple[str | None, frozenset[Value]]:
        """Return the concept of a node, and the parts of a name that it spells."""
        concept = self.concepts[v]
        parts = self.values[v] if concept == NAME else ()
        return concept, frozenset(value for value in parts if _PART.fullmatch(value[0]))

    def length(self, v: int) -> int:
        """Return the number of characters of the words that a node is aligned with."""
        homes = self.document.home(v)
        tokens = self.document.sentences[homes[0]].tokens if homes else ()
        return len(" ".join(tokens[k - 1] for k in self.words[v] if k <= len(tokens)))

    def by_sentence(self) -> defaultdict[int, list[int]]:
        """Return the nodes of each sentence, by its place."""
        nodes_of: defaultdict[int, list[int]] = defaultdict(list)
        for v in self.nodes:
            for place in self.document.home(v):
                nodes_of[place].append(v)
        return nodes_of

    def total(self) -> int:
        """Return the number of counted values and triples."""
        return sum(len(self.counted[v]) for v in self.nodes) + len(self.triples)

    def roles(self) -> frozenset[str]:
        """Return the direct roles of all values and document-level triples."""
        of_values = (upright(role) for values in self.values for role, _ in values)
        of_triples = (triple.role for triple in self.all_triples)
        return frozenset(map(str.lower, (*of_values, *of_triples)))

    def with_roles(self, roles: Set[str]) -> UmatchDocument:
        """Return the document without counted values and triples of other roles."""
        kept = {*roles, *_WITHOUT_ROLE}
        counted = tuple(
            frozenset(value for value in values if upright(value[0]).lower() in kept)
            for values in self.counted
        )
        triples = frozenset(t for t in self.triples if t.role.lower() in kept)
        return replace(self, counted=counted, triples=triples)

    def tops(self) -> set[int]:
        """Return the first node of each sentence."""
        return {s.top for s in self.document.sentences if s.top is not None}


class Umatch(DirectMetric):
    """juːmæʧ on documents."""

    name = "umatch"
    title = "juːmæʧ"
    summary = "greedy score of the first UMR shared task, for the record (Zeman 2025)"
    default_profile = "umr"
    profiles: ClassVar[tuple[str, ...]] = ("umr",)
    in_all = False
    learns_roles = True
    width = 3 * len(KINDS)

    def __init__(self, profile: Profile | str | None = None, **options: object) -> None:
        super().__init__(profile, **options)
        self.learns = self.profile.ignore_unannotated
        self.annotated: frozenset[str] | None = None  # roles that references have

    def fit(self, references: Iterable[UmatchDocument]) -> Self:
        self.fitted = True
        self.annotated = frozenset().union(*(gold.roles() for gold in references))
        return self

    def prepare(self, item: Graph) -> UmatchDocument:
        from exactmatch.engine.candidates import words_of

        profile = self.profile
        all_triples = replace(
            profile, beside="nothing", top="none", only=(), leave_out=()
        )
        graph = standardise(item, all_triples)
        labels, concepts = graph.labels, graph.concepts()
        nodes = range(len(concepts))
        values: list[set[Value]] = [set() for _ in nodes]
        for v, role, value in graph.attributes:
            values[v].add((labels[role], labels[value]))
        for source, name, target in as_written(graph):
            values[source].add((name, target))
        uncounted = UmatchDocument(
            graph,
            tuple(v for v in nodes if concepts[v] is not None),
            tuple(concepts),
            tuple(frozenset(words_of(graph.document or Document(), v)) for v in nodes),
            tuple(map(frozenset, values)),
            all_triples=frozenset((graph.document or Document()).triples),
        )
        return with_counts(uncounted, profile)

    def statistics(self, pred: UmatchDocument, gold: UmatchDocument) -> Statistics:
        return self.counts(pred, gold, mapped_nodes(gold, pred))

    def counts(
        self, pred: UmatchDocument, gold: UmatchDocument, mapping: dict[int, int]
    ) -> Statistics:
        """Count the common values of mapped nodes."""
        if self.profile.ignore_unannotated:
            roles = gold.roles() if self.annotated is None else self.annotated
            pred = pred.with_roles(roles)
        n_equal_values = _equal_values(gold, pred, mapping)
        document = _equal_triples(gold, pred, mapping)
        sets = gold.token_sets(), pred.token_sets()
        within = (
            sum(len(pred.counted[w]) for w in mapping.values()),
            sum(len(gold.counted[v]) for v in mapping),
        )
        counts = (
            (n_equal_values + document, pred.total(), gold.total()),
            (n_equal_values, *within),
            (len(sets[0] & sets[1]), len(sets[1]), len(sets[0])),
            (len(mapping), len(pred.nodes), len(gold.nodes)),
        )
        return tuple(float(count) for kind in counts for count in kind)

    def names_in(self, item: Graph) -> set[str]:
        written = {role.lower() for _, role, _ in as_written(item)}
        return super().names_in(item) | written

    def scores(self, sums: Statistics) -> FScore:
        parts = parts_of(KINDS, sums)
        return f1_of(self, parts.pop(KINDS[0]), parts)


def with_counts(side: UmatchDocument, profile: Profile) -> UmatchDocument:
    """Return the document with the values that count under another profile."""
    document = side.document
    marked = side.tops() if profile.top != "none" else set()
    counted = []
    for v, (concept, values) in enumerate(zip(side.concepts, side.values, strict=True)):
        counts = {value for value in values if is_counted(value[:1], profile)}
        if concept is not None and is_counted(CONCEPT, profile):
            counts.add((_CONCEPT, concept))
        if v in marked and is_counted(("top",), profile):
            counts.add((_TOP, ""))
        counted.append(frozenset(counts))
    triples = frozenset(
        triple
        for triple in document.triples
        if profile.beside == "document"
        and is_counted((triple.role, triple.level), profile)
    )
    return replace(side, counted=tuple(counted), triples=triples)


def as_written(graph: Graph) -> Iterator[tuple[int, str, int]]:
    """Yield the relations as written in the text, some from their targets' side."""
    inverse = (graph.document or Document()).inverse
    for source, code, target in graph.relations:
        role = graph.labels[code]
        if (source, role, target) in inverse:
            yield target, role + INVERSE, source
        else:
            yield source, role, target


def mapped_nodes(gold: UmatchDocument, pred: UmatchDocument) -> dict[int, int]:
    """Return the prediction's node of each of the reference's nodes that has one."""
    from exactmatch.engine.candidates import corresponding

    places = corresponding(gold.document.sentences, pred.document.sentences)
    pred_by_sentence = pred.by_sentence()
    mapping: dict[int, int] = {}
    for place, nodes in gold.by_sentence().items():
        partners = pred_by_sentence[places.get(place, -1)]
        pairs = [(v, w) for v in nodes for w in partners if _alike(gold, pred, v, w)]
        mapping |= _map_sentence(gold, pred, pairs)
    return mapping


def _alike(gold: UmatchDocument, pred: UmatchDocument, v: int, w: int) -> bool:
    if gold.words[v] or pred.words[w]:
        return bool(gold.words[v] & pred.words[w])
    return gold.spelled(v) == pred.spelled(w)


def _map_sentence(
    gold: UmatchDocument, pred: UmatchDocument, pairs: list[tuple[int, int]]
) -> dict[int, int]:
    """Map the nodes of one sentence, until none has several partners."""
    sides = gold, pred
    partners: list[defaultdict[int, set[int]]] = [defaultdict(set), defaultdict(set)]
    for v, w in pairs:
        partners[0][v].add(w)
        partners[1][w].add(v)

    def rank(
        choice: tuple[int, int, int],
    ) -> tuple[bool, int, int, int, bool, str, str]:
        """Rank node *a* of one side with its partner *b*; lower is better."""
        side, a, b = choice
        own_side, other_side = sides[side], sides[1 - side]
        roles = {role for role, _ in other_side.values[b]}
        equal = (own_side.concepts[a] == other_side.concepts[b]) + sum(
            (role, other_end) in other_side.values[b]
            for role, end in own_side.values[a]
            for other_end in (partners[side][end] if isinstance(end, int) else (end,))
        )
        names = own_side.graph.variables[a], other_side.graph.variables[b]
        return (
            own_side.spelled(a) != other_side.spelled(b),
            -equal,
            -len({role for role, _ in own_side.values[a] if role in roles}),
            -own_side.length(a) - other_side.length(b),
            names[0] != names[1],
            *names,
        )

    while choices := [
        (side, a, b)
        for side in (0, 1)
        for a, ends in partners[side].items()
        if len(ends) > 1
        for b in ends
    ]:
        side, *chosen = min(choices, key=rank)
        v, w = chosen if side == 0 else reversed(chosen)
        for partner_sets, end in zip(partners, (w, v), strict=True):
            for ends in partner_sets.values():
                ends.discard(end)
        partners[0][v] = {w}
        partners[1][w] = {v}
    return {v: w for v, ends in partners[0].items() for w in ends}


def _equal_values(
    gold: UmatchDocument, pred: UmatchDocument, mapping: dict[int, int]
) -> int:
    return sum(
        (role, mapping.get(end) if isinstance(end, int) else end) in pred.counted[w]
        for v, w in mapping.items()
        for role, end in gold.counted[v]
    )


def _equal_triples(
    gold: UmatchDocument, pred: UmatchDocument, mapping: dict[int, int]
) -> int:
    from exactmatch.engine.candidates import corresponding

    places = corresponding(gold.document.sentences, pred.document.sentences)

    def ours(v: int) -> Any:
        return gold.graph.variables[v] if gold.concepts[v] is None else mapping.get(v)

    def theirs(v: int) -> Any:
        return pred.graph.variables[v] if pred.concepts[v] is None else v

    predicted = {
        (t.sentence, theirs(t.source), t.role, theirs(t.target)) for t in pred.triples
    }
    return sum(
        (places.get(t.sentence), ours(t.source), t.role, ours(t.target)) in predicted
        for t in gold.triples
    )
