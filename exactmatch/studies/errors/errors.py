"""Types of a parser's errors, their numbers and costs.

Every triple in which prediction and reference differ belongs to one edit
(:mod:`exactmatch.engine.differences`), and every edit to one type of error.  The share
of a type in all differing triples is its share of the lost F1, as docs/report.md
explains.  Where a profile marks the root by its concept, a wrong concept there is one
error, which costs four triples.

If several alignments are optimal, the one is chosen that joins the most equal concepts,
whatever their senses, and then needs the fewest edits.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING, NamedTuple

from exactmatch.engine.differences import (
    Differences,
    Edit,
    Statement,
    differences,
    statements,
    without_groups,
)
from exactmatch.engine.problem import GraphProblem
from exactmatch.graphs.drawing.drawing import TOP
from exactmatch.graphs.drawing.source_text import (
    TripleWords,
    Worded,
    worded,
    words_of_triples,
)
from exactmatch.graphs.graph import INVERSE
from exactmatch.graphs.standardise import TOP_ROLE

if TYPE_CHECKING:  # importing it imports NumPy, which is slow
    from exactmatch.solvers.problem import Alignment

_SENSE = re.compile(r"-\d\d+$")
_DATE_ROLE = re.compile(
    r"(calendar|century|day|dayperiod|decade|era|month|quarter|season|timezone|weekday"
    r"|year|year2)$"
)
_QUANTITY_ROLES = frozenset(("quant", "unit", "value", "scale"))
_COORDINATIONS = frozenset(("and", "or", "either", "neither", "slash"))
_OPERAND = re.compile(r"(op|snt)\d+$")

_MEANINGS = {
    "role confusion": "the same two variables, but another role",
    "concept confusion": "aligned variables with different concepts",
    "sense confusion": "aligned variables with other senses of one concept",
    "value confusion": "the same variable and role, but another constant",
    "wrong attachment": "the role and its target are right, but not its source",
    "wrong argument": "the source and its role are right, but not its target",
    "wrong direction": "the relation is turned round",
    "wrong root": "another variable is the root",
}


def meaning(kind: str) -> str:
    """Define a kind of errors in a few words.

    >>> meaning("missing polarity")
    'stated in the reference only; it is about: polarity'
    """
    side, _, topic = kind.partition(" ")
    whose = "reference" if side == "missing" else "prediction"
    return _MEANINGS.get(kind) or f"stated in the {whose} only; it is about: {topic}"


class ErrorType(NamedTuple):
    """Type of error; with an empty detail all errors of a kind together."""

    kind: str  # such as ``role confusion``
    detail: str = ""  # such as ``ARG1→ARG0``: reference, then prediction

    def __str__(self) -> str:
        return f"{self.kind} {self.detail}".strip()


@dataclass(frozen=True, slots=True)
class PairErrors:
    """Errors of one pair, under the most plausible of its optimal alignments."""

    index: int  # the pair's number, from 0
    id: str | None
    pred: Worded  # the graphs as they are counted, with their texts
    gold: Worded
    differences: Differences
    types: tuple[ErrorType, ...]  # of each edit
    least: Counter[ErrorType]  # least number of each type in any optimal alignment
    greatest: Counter[ErrorType]  # greatest number
    optima: int  # optimal alignments that were examined
    complete: bool  # whether these are all
    fixed: frozenset[int]  # variables proven to have one partner in all of them
    varying: frozenset[int]  # variables with several partners
    groups: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()
    """Nodes of either side that together stand for one."""

    @property
    def uncertain(self) -> frozenset[int]:
        """Aligned variables that are not proven to have only one partner."""
        partners = enumerate(self.differences.alignment)
        return frozenset(v for v, w in partners if w != -1) - self.fixed


@dataclass(frozen=True, slots=True)
class ErrorCount:
    """Numbers of a type of error."""

    type: ErrorType
    count: int  # edits of this type
    least: int  # least number over all optimal alignments
    greatest: int  # greatest number over all optimal alignments
    triples: int  # differing triples of these edits
    share: float  # of the lost F1, from 0 to 1
    pairs: tuple[int, ...]  # numbers of the pairs with this error


def pair_errors(
    problem: GraphProblem,
    alignment: Alignment,
    index: int = 0,
    name: str | None = None,
    texts: tuple[str | None, str | None] = (None, None),
    until: float | None = None,
    *,
    alone: bool = False,
) -> PairErrors:
    """Find the errors of a pair under all its optimal alignments, from one of them.

    The *texts* of both graphs give roles their original names and show re-entrancies.
    The search for other optimal alignments ends at *until* (of ``time.time()``).  There
    is none if *alone*, which does without NumPy, or if several nodes may stand for one.
    """
    graphs = problem.left.graph, problem.right.graph
    left, right = map(worded, graphs, texts)
    pred, gold = _Reader(left), _Reader(right)
    pred_statements, gold_statements = (
        statements(side.graph, problem.profile) for side in (left, right)
    )
    alone = alone or not problem.is_one_to_one
    solved_alignment, alignment = alignment, problem.images(alignment)
    optima: Sequence[Alignment] = (alignment,)
    complete, fixed, varying = False, frozenset[int](), frozenset[int]()
    if not alone:
        from exactmatch.solvers.enumeration import optimal_alignments

        enumeration = optimal_alignments(problem.problem, alignment, until=until)
        optima, complete = enumeration.alignments, enumeration.complete
        fixed, varying = enumeration.fixed, enumeration.varying
    all_differences = [
        without_groups(
            differences(pred_statements, gold_statements, problem.completed(each)),
            problem,
            solved_alignment,
        )
        for each in optima
    ]
    types_by_alignment = [
        tuple(_type(edit, pred, gold) for edit in each.edits)
        for each in all_differences
    ]
    counts = [
        _count_types(*each)
        for each in zip(all_differences, types_by_alignment, strict=True)
    ]
    order = [
        (-_equal_concepts(each, pred, gold), len(each.edits))
        for each in all_differences
    ]
    best = order.index(min(order))
    return PairErrors(
        index,
        name,
        left,
        right,
        all_differences[best],
        types_by_alignment[best],
        reduce(and_, counts),
        reduce(or_, counts),
        len(all_differences),
        complete,
        fixed,
        varying,
        tuple((tuple(a), tuple(b)) for a, b in problem.together(solved_alignment)),
    )


def _equal_concepts(compared: Differences, pred: _Reader, gold: _Reader) -> int:
    """Count the aligned variables with the same concept, whatever its sense."""
    return sum(
        partner != -1 and _lemma(pred.concepts[v]) == _lemma(gold.concepts[partner])
        for v, partner in enumerate(compared.alignment)
    )


def _lemma(concept: str) -> str:
    return _SENSE.sub("", concept).lower()


def _count_types(
    compared: Differences, types: Sequence[ErrorType]
) -> Counter[ErrorType]:
    """Count types and kinds of edits; root marks that repeat an edit do not count."""
    counts: Counter[ErrorType] = Counter()
    repeated = repeated_roots(compared)
    for k, kind in enumerate(types):
        if k not in repeated:
            counts[kind] += 1
            counts[ErrorType(kind.kind)] += 1
    return counts


def repeated_roots(compared: Differences) -> set[int]:
    """Return the edits of root marks that only repeat a wrong concept."""
    changed = [edit.pred for edit in compared.edits if edit.change == "concept"]
    renamed = {s.triple.source for s in changed if s and s.number != TOP}
    return {
        k
        for k, edit in enumerate(compared.edits)
        if edit.change == "concept"
        and edit.pred is not None
        and edit.pred.number == TOP
        and edit.pred.triple.source in renamed
    }


class ErrorSums:
    """Sums of errors over pairs, which need not be kept."""

    def __init__(self, pairs: Iterable[PairErrors] = ()) -> None:
        self._differing = 0  # triples
        self._pairs: defaultdict[ErrorType, list[int]] = defaultdict(list)
        # counts of each type, least and greatest counts, and differing triples
        self._sums = tuple(Counter[ErrorType]() for _ in range(4))
        for pair in pairs:
            self.add(pair)

    def add(self, pair: PairErrors) -> None:
        """Add the errors of a pair."""
        counted = _count_types(pair.differences, pair.types)
        triples: Counter[ErrorType] = Counter()
        for edit, kind in zip(pair.differences.edits, pair.types, strict=True):
            self._differing += edit.size
            for named in (kind, ErrorType(kind.kind)):
                triples[named] += edit.size
        counters = counted, pair.least, pair.greatest, triples
        for sums, counter in zip(self._sums, counters, strict=True):
            sums.update(counter)
        for kind in counted:
            self._pairs[kind].append(pair.index)

    def counts(self) -> list[ErrorCount]:
        """Return each kind of errors with its types, the most costly first."""
        *_, greatest, triples = self._sums

        def order(kind: ErrorType) -> tuple[object, ...]:
            whole_and_type = ErrorType(kind.kind), kind
            whole_rank, of_type = (
                (-triples[each], -greatest[each]) for each in whole_and_type
            )
            return (*whole_rank, kind.kind, bool(kind.detail), *of_type, kind.detail)

        rows = []
        for kind in sorted((kind for kind in greatest if greatest[kind]), key=order):
            share = triples[kind] / self._differing if self._differing else 0.0
            count, least_cost, most_cost, cost = (sums[kind] for sums in self._sums)
            pairs = tuple(self._pairs[kind])
            rows.append(
                ErrorCount(kind, count, least_cost, most_cost, cost, share, pairs)
            )
        return rows


class _Reader:
    """Reader of the words and topics of a graph's triples, from its text."""

    def __init__(self, side: Worded) -> None:
        self._words = words_of_triples(side.graph, side.lines)
        self._reentrant_triples = {
            line.triple for line in side.lines if not line.defines
        }
        self.concepts = [concept or "" for concept in side.graph.concepts()]
        instances = enumerate(side.graph.instances)
        roots = [k for k, (v, _) in instances if v == side.graph.top]
        self._root = self._words[roots[0]].value if roots else ""

    def words_of(self, statement: Statement) -> TripleWords:
        """Return the words of a triple in the text."""
        if statement.number == TOP:
            return TripleWords(TOP_ROLE, self._root)
        return self._words[statement.number]

    def topic(self, statement: Statement) -> str:
        kind, role, source, target = statement.written
        role = role.lower()
        if kind == "instance":
            concept = str(target).lower()
            if concept.endswith("-quantity"):
                return "quantity"
            if concept in _COORDINATIONS:
                return "coordination"
            topics = {"name": "named entity", "date-entity": "date"}
            return topics.get(concept, "concept")
        if statement.number == TOP:
            return "root"
        if role == "polarity":
            return "polarity"
        around = {self.concepts[source]}
        if isinstance(target, int):
            around.add(self.concepts[target])
        if role in ("name", "wiki") or "name" in around:
            return "named entity"
        if _DATE_ROLE.match(role) or "date-entity" in around:
            return "date"
        if role in _QUANTITY_ROLES or any(c.endswith("-quantity") for c in around):
            return "quantity"
        if _OPERAND.match(role) and self.concepts[source] in _COORDINATIONS:
            return "coordination"
        if kind == "attribute":
            return "constant"
        return (
            "re-entrancy" if statement.number in self._reentrant_triples else "relation"
        )


def _type(edit: Edit, pred: _Reader, gold: _Reader) -> ErrorType:
    if edit.pred is None or edit.gold is None:
        statement, side = (edit.pred, pred) if edit.pred else (edit.gold, gold)
        assert statement is not None
        words = side.words_of(statement)
        kind = "extra" if edit.pred else "missing"
        return ErrorType(f"{kind} {side.topic(statement)}", words.role or words.value)
    gold_words, pred_words = gold.words_of(edit.gold), pred.words_of(edit.pred)
    if edit.change == "concept":
        same = _lemma(gold_words.value) == _lemma(pred_words.value)
        kind = "sense confusion" if same else "concept confusion"
        return ErrorType(kind, f"{gold_words.value}→{pred_words.value}")
    if edit.change == "value":
        return ErrorType(
            "value confusion",
            f"{gold_words.role} {gold_words.value}→{pred_words.value}",
        )
    if edit.change == "root":
        root = gold.concepts[edit.gold.triple.source]
        other_concept = pred.concepts[edit.pred.triple.source]
        return ErrorType("wrong root", f"{root}→{other_concept}")
    turned = edit.change == "direction"
    has_other_role = edit.pred.triple.role != edit.gold.triple.role
    if edit.change == "role" or (turned and has_other_role):
        return ErrorType(
            "role confusion", _roles(gold_words, pred_words, opposite=turned)
        )
    return ErrorType(f"wrong {edit.change}", gold_words.role)


def _roles(gold_words: TripleWords, pred_words: TripleWords, *, opposite: bool) -> str:
    """Name two roles between the same variables from the same end.

    *against* says that the triples have different directions.
    """
    names = [gold_words.role, pred_words.role]
    if opposite != (gold_words.turned != pred_words.turned):
        names[1] = _inverse(names[1])
    if any(name.lower() == "mod-of" for name in names):  # which is ``domain``
        names = [_inverse(name) for name in names]
    return "→".join(names)


def _inverse(role: str) -> str:
    """Name a role from its other end."""
    return role.removesuffix(INVERSE) if role.endswith(INVERSE) else role + INVERSE
