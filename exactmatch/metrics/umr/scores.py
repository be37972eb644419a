"""Scores of UMR documents, kind by kind: the tables of the shared tasks.

Every row of style ``umr`` is read off one alignment of the whole documents
(:mod:`exactmatch.metrics.umr.documents`); style ``umatch`` has the rows of juːmæʧ, by
its own greedy mapping (:mod:`exactmatch.metrics.umr.umatch`).

Source: the tables are those of the first shared task on UMR parsing (DMR 2026); which
roles are those of participants is said by the UMR guidelines 0.9, part 3-2-1.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from exactmatch.engine.candidates import overlapping_pairs
from exactmatch.engine.preferred import preferred
from exactmatch.graphs.profile import PROFILES, Profile
from exactmatch.metrics.aligning import PartScore
from exactmatch.metrics.base import Metric, Pair, Statistics
from exactmatch.metrics.counts import f1_of
from exactmatch.metrics.score import FScore, Score, parts_of
from exactmatch.metrics.smatch import Smatch
from exactmatch.metrics.umr import umatch
from exactmatch.metrics.umr.documents import (
    MEASURES,
    AlignedDocuments,
    ChainCounts,
    CodedDocument,
    Counting,
    TripleSelection,
    coded_document,
    mapped_nodes,
    mapped_triples,
    mentions,
    token_sets,
)
from exactmatch.metrics.umr.umatch import KINDS, Umatch

if TYPE_CHECKING:
    from typing_extensions import Self

    from exactmatch.engine.align import Want
    from exactmatch.engine.problem import GraphProblem
    from exactmatch.graphs.graph import Graph
    from exactmatch.graphs.profile import Align
    from exactmatch.metrics.umr.umatch import UmatchDocument
    from exactmatch.solvers.base import Solver
    from exactmatch.solvers.solution import Limits

ARGUMENTS = tuple(f"arg{n}" for n in range(10))  # numbered, normalised

PARTICIPANTS = (
    *("actor", "undergoer", "theme", "recipient", "force", "causer", "experiencer"),
    *("stimulus", "co-actor", "co-theme", "instrument", "companion", "material"),
    *("source", "place", "start", "goal", "affectee", "cause", "manner", "reason"),
    *("purpose", "temporal", "extent"),
)
"""Participant roles that need no frame file, normalised."""

ATTRIBUTES = (
    *("aspect", "modal-strength", "quant", "polarity", "mode", "degree"),
    *("refer-number", "refer-person", "wiki"),
)
"""Roles with a row of their own."""


class UmrRow(NamedTuple):
    """One row of the table: title, summary and counting function."""

    title: str
    summary: str
    counting: Counting


_of_sentences = partial(TripleSelection, ("sentence",))
_relations = partial(_of_sentences, ("relation",))


def _of_role(role: str) -> UmrRow:
    counting = _of_sentences(("attribute", "relation"), frozenset((role,)))
    return UmrRow(f":{role}", f"attributes and relations :{role}", counting)


LEVELS = {"temporal": "Temporal", "modal": "Modal", "coref": "Coreference"}
"""Levels of the document-level annotation, with their names in tables."""

_OF_LEVEL = "document-level triples of level {}"
_ROLES = frozenset((*ARGUMENTS, *PARTICIPANTS))

ROWS = {
    "smatch": UmrRow("Smatch (umr)", "all triples", TripleSelection()),
    "sentences": UmrRow("Sentence triples", "what is not a document", _of_sentences()),
    "concepts": UmrRow("Concepts", "concepts", _of_sentences(("instance",))),
    "arguments": UmrRow("Arguments", ":ARG0 …", _relations(frozenset(ARGUMENTS))),
    "participants": UmrRow(
        "Participant roles", ":ARG0 …, :actor, :undergoer …", _relations(_ROLES)
    ),
    "other-relations": UmrRow(
        "Other relations", "relations of other roles", _relations(_ROLES, others=True)
    ),
    "attributes": UmrRow("Attributes", "constants", _of_sentences(("attribute",))),
    **{role: _of_role(role) for role in ATTRIBUTES},
    "document": UmrRow("Document level", "its triples", TripleSelection(("document",))),
    **{
        level: UmrRow(title, _OF_LEVEL.format(level), TripleSelection((level,)))
        for level, title in LEVELS.items()
    },
    "mentions": UmrRow("Mentions", "mentions in chains of coreference", mentions),
    "muc": UmrRow("MUC", "links within chains of coreference", mentions),
    "b-cubed": UmrRow("B³", "chains of coreference, mention by mention", mentions),
    "ceaf-e": UmrRow("CEAF-e", "chains of coreference, assigned one to one", mentions),
    "conll": UmrRow("CoNLL", "the mean F1 of MUC, B³ and CEAF-e", mentions),
    "token-sets": UmrRow(
        "Aligned token sets", "sets of words that nodes are aligned with", token_sets
    ),
    "mapped-nodes": UmrRow("Mapped nodes", "nodes that are mapped", mapped_nodes),
    "mapped-triples": UmrRow(
        "Mapped nodes' triples", "sentence triples of mapped nodes", mapped_triples
    ),
}
"""The rows by name, in the order in which they are shown."""


class DocumentScore(PartScore[CodedDocument]):
    """One row of the table, counted in the alignment that all rows share."""

    def __init__(self, name: str, row: UmrRow, aligner: Smatch) -> None:
        super().__init__(aligner, name, row.title, row.summary)
        self.counting, self.aligner, self.learns = row.counting, aligner, aligner.learns

    @property
    def preparation_key(self) -> Hashable:
        return (DocumentScore, self.profile)

    @property
    def comparison_key(self) -> Hashable:
        return (DocumentScore, self.solver, self.max_terms, self.aligner.annotated)

    def prepare(self, item: Graph) -> CodedDocument:
        return coded_document(item, self.aligner.prepare(item), self.profile)

    def fit(self, references: Iterable[CodedDocument]) -> Self:
        self.fitted = True
        self.aligner = self.aligner.copy().fit(
            reference.coded for reference in references
        )
        return self

    def build_problem(self, left: CodedDocument, right: CodedDocument) -> GraphProblem:
        return self.aligner.build_problem(left.coded, right.coded)

    def compare_shared(
        self, sides: Sequence[Any], limits: Limits | None, want: Want
    ) -> Any:
        del want
        pred, gold = self.pred_and_gold(sides)
        pair = self.aligner.compare(pred.coded, gold.coded, limits=limits)
        sharing = overlapping_pairs(pred.coded.graph, gold.coded.graph)
        chosen = preferred(pair.problem, pair.solution, self.solver, limits, sharing)
        return AlignedDocuments(pair, pred, gold, chosen)

    def pair_of(self, aligned: Any) -> Pair:
        matched, *sizes = self.counting(aligned)
        proven = aligned.pair.solution.is_optimal  # else, all might match
        return self.read_off(
            aligned.pair, matched, matched if proven else min(sizes), *sizes
        )


class ChainScore(DocumentScore):
    """A score of chains of coreference.

    Statistics: pairs, proven pairs, then for each of the three measures its
    :class:`~exactmatch.metrics.umr.documents.ChainCounts`.
    """

    width = 2 + 4 * len(MEASURES)

    def pair_of(self, aligned: Any) -> Pair:
        pred, gold = aligned.mentions()
        counts = (measure(pred, gold) for measure in MEASURES.values())
        proven = float(aligned.pair.solution.is_optimal)
        statistics = (1.0, proven, *(number for three in counts for number in three))
        pair: Pair = aligned.pair._replace(statistics=statistics)
        return pair

    def scores(self, sums: Statistics) -> Any:  # CoNLL has no precision and no recall
        pairs, proven, *numbers = sums
        each = iter(numbers)
        counts_of = {
            name: ChainCounts(*four)
            for name, *four in zip(MEASURES, each, each, each, each, strict=True)
        }
        mentions = counts_of["b-cubed"]
        counts = counts_of.get(self.name, mentions)
        ratios: tuple[float | None, float | None, float] = counts.ratios()
        if self.name not in counts_of:
            f1s = [counts.ratios()[2] for counts in counts_of.values()]
            mean = math.fsum(f1s) / len(f1s)
            ratios = None, None, mean
        sizes = counts.pred_total, counts.gold_total
        return Score(
            self.name,
            ratios[2],
            *ratios,
            None if counts is mentions else counts.precise,
            *sizes,
            proven=proven == pairs,
            of_part=True,
            is_defined=self.has_score(*sizes),
        )

    def score_rows(self, sums: Any) -> Any:
        return Metric.score_rows(self, sums)


class UmatchRow(Umatch):
    """One row of juːmæʧ's table, of the items of one *kind*."""

    of_part = True
    has_own_roles = True

    def __init__(
        self, name: str, title: str, summary: str, kind: str, profile: Profile
    ) -> None:
        super().__init__(profile)
        self.name, self.title, self.summary, self.kind = name, title, summary, kind

    @property
    def preparation_key(self) -> Hashable:
        return UmatchRow

    @property
    def comparison_key(self) -> Hashable:
        return UmatchRow

    def compare_shared(
        self, sides: Sequence[Any], limits: Limits | None, want: Want
    ) -> Any:
        del limits, want
        pred, gold = self.pred_and_gold(sides)
        return pred, gold, umatch.mapped_nodes(gold, pred)

    def pair_of(self, comparison: Any) -> Pair:
        return Pair(self.counts(*comparison))

    def counts(
        self, pred: UmatchDocument, gold: UmatchDocument, mapping: dict[int, int]
    ) -> Statistics:
        pred_counted, gold_counted = (
            umatch.with_counts(side, self.profile) for side in (pred, gold)
        )
        return super().counts(pred_counted, gold_counted, mapping)

    def scores(self, sums: Statistics) -> FScore:
        return f1_of(self, parts_of(KINDS, sums)[self.kind])


def umr_scores(
    solver: Solver | str = "auto",
    max_terms: int | None = None,
    align: Align | None = None,
    ignore_unannotated: bool = False,
    roles: Iterable[str] = (),
) -> list[Metric]:
    """Return the rows of style ``umr``, with one for each of *roles* (``ARG1``)."""
    profile = PROFILES["umr"].with_options(
        align=align, ignore_unannotated=ignore_unannotated
    )
    aligner = Smatch(profile, solver, max_terms)
    metrics: list[Metric] = []
    further = {role: _of_role(role) for role in map(str.lower, roles)}
    for name, row in (ROWS | further).items():
        score_class = ChainScore if name in (*MEASURES, "conll") else DocumentScore
        metrics.append(score_class(name, row, aligner))
    return metrics


_MAPPED_VALUES = ("Mapped nodes' values", "values of mapped nodes")


def umatch_scores(
    roles: Iterable[str] = (), ignore_unannotated: bool = False
) -> list[Metric]:
    """Return the rows of style ``umatch``, with one for each of *roles*."""
    umr_profile = PROFILES["umr"].with_options(ignore_unannotated=ignore_unannotated)
    sentences = umr_profile.with_options(beside="nothing")
    values, within, sets, nodes = KINDS

    def row(
        name: str, title: str, summary: str, *only: str, kind: str = values, of: Profile
    ) -> Metric:
        return UmatchRow(name, title, summary, kind, of.with_options(only=only))

    arguments = tuple(end for role in ARGUMENTS for end in (role, f"{role}-of"))
    all_roles = dict.fromkeys((*ATTRIBUTES, *(role.lower() for role in roles)))
    return [
        row("umatch", "juːmæʧ", "all values", of=umr_profile),
        row("sentences", "Sentence values", "what is not a document", of=sentences),
        row("concepts", "Concepts", "concepts", "concept", of=sentences),
        row("arguments", "Arguments", ":ARG0 …", *arguments, of=sentences),
        *(row(r, f":{r}", f"values of :{r}", r, of=sentences) for r in all_roles),
        *(
            row(k, name, _OF_LEVEL.format(k), k, of=umr_profile)
            for k, name in LEVELS.items()
        ),
        row("token-sets", *ROWS["token-sets"][:2], of=sentences, kind=sets),
        row("mapped-nodes", *ROWS["mapped-nodes"][:2], of=sentences, kind=nodes),
        row("mapped-values", *_MAPPED_VALUES, of=sentences, kind=within),
    ]
