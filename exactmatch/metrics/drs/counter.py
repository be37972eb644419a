"""Counter: precision, recall and F1 of the clauses of two discourse structures.

A discourse representation structure is a set of clauses: a box, a relation and its
arguments, ``b2 Agent e1 x1``.  ``docs/metrics/counter.md`` says which clauses count,
and when two clauses match under a mapping of variables.

**Clauses of three variables.**  A pair term joins two pairs of variables, but a clause
needs three (box, event, entity) at once.  So every clause is a node of its own.
Aligning two clauses of equal relations and constants costs *k* - 1, where *k* is the
number of their variables, and is rewarded with 1 for each variable of the one that is
aligned with its counterpart in the other: it is worth 1 if all are, and 0 or less
otherwise.  As clauses that are worth nothing stay unaligned, the optimum of the whole
is the number of clauses that match, each at most once.

Source: van Noord, Abzianidze, Haagsma and Bos (2018), "Evaluating scoped meaning
representations", sections 3 and 4; their program Counter (RikVN/DRS_parsing c64db4e)
for what counts.
"""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias

from exactmatch.base import values
from exactmatch.base.errors import CertificationError, InputError
from exactmatch.base.limits import MAX_TERMS
from exactmatch.base.options import Options, flag
from exactmatch.engine.problem import CodedGraph, GraphProblem, encode
from exactmatch.formats.clauses import Clause, clauses_of_graph
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import Profile
from exactmatch.graphs.standardise import CONCEPT, is_counted
from exactmatch.metrics.aligning import KindsMetric

if TYPE_CHECKING:  # it imports NumPy, which a command's help does without
    from exactmatch.solvers.problem import Alignment

_SYMMETRIC = ("APX", "EQU", "NEQ", "TAB")  # operators whose arguments may change places
_OF_BOXES = ("DIS", "DUP", "IMP")
_DISCOURSE = 4  # operators with as many letters relate boxes; shorter ones compare
Candidate: TypeAlias = tuple[int, int]
Form: TypeAlias = tuple[str, ...]
"""A clause without its variables: its relation, how many variables it has, then its
constants and the types of its variables."""


class CountedClause(NamedTuple):
    """A clause that counts."""

    node: int  # the variable that stands for it in the graph
    form: Form  # the clause without its variables; equal forms can match
    kind: str  # operators, roles or concepts
    variables: tuple[int, ...]  # the box first; each one once

    @property
    def is_symmetric(self) -> bool:
        """Return whether its last two variables may change places."""
        return self.form[0] in _SYMMETRIC and len(self.variables) > 2


class CodedClauses(NamedTuple):
    """A structure, prepared for the comparison."""

    clauses: list[CountedClause]  # those that count
    forms: dict[Form, list[CountedClause]]  # the same by their forms
    coded: CodedGraph  # the graph that they were read as; its total is their number


def clauses_of(
    graph: Graph, profile: Profile, include_ref: bool
) -> list[CountedClause]:
    """Return the counted clauses of a graph; a node with a concept must be a clause."""
    clauses = [_without_of(clause) for clause in clauses_of_graph(graph)]
    boxes = {v for clause in clauses for v in _boxes(clause)}
    if not include_ref:
        clauses = [clause for clause in clauses if not _is_needless(clause, clauses)]
    distinct = {(c.relation, c.arguments): c for c in reversed(clauses)}
    counted = []
    for clause in reversed(distinct.values()):
        concept = CONCEPT if _kind_of(clause.relation) == "concepts" else ()
        if is_counted((clause.relation, *concept), profile):
            counted.append(_counted_clause(clause, boxes, profile))
    return counted


def _kind_of(relation: str) -> str:
    """Return the kind of a relation, by its spelling: operator, role or concept."""
    if relation.isupper():
        return "operators"
    return "roles" if relation[:1].isupper() else "concepts"


def _without_of(clause: Clause) -> Clause:
    """Return ``AttributeOf s x`` as ``Attribute x s``; ``Of`` alone is a role."""
    role = clause.relation.removesuffix("Of")
    box, *arguments = clause.arguments
    is_inverse = role not in ("", clause.relation)
    if not is_inverse or _kind_of(clause.relation) != "roles" or len(arguments) < 2:
        return clause
    return clause._replace(relation=role, arguments=(box, *reversed(arguments)))


def _boxes(clause: Clause) -> list[int]:
    boxes, relation = clause.arguments, clause.relation
    relates = relation in _OF_BOXES or len(relation) >= _DISCOURSE or len(boxes) == 2
    if relation == "PRP":
        boxes = (boxes[0], boxes[-1])
    elif _kind_of(relation) != "operators" or relation == "REF" or not relates:
        boxes = boxes[:1]
    return [v for v in boxes if isinstance(v, int)]


def _is_needless(ref: Clause, clauses: Sequence[Clause]) -> bool:
    """Return whether a clause is a REF whose box has another clause on its variable.

    Both would match together, which would inflate the score.
    """
    box, variable = ref.arguments[:2]
    other_clauses = (c for c in clauses if c is not ref and c.arguments[0] == box)
    return ref.relation == "REF" and any(variable in c.ending() for c in other_clauses)


def _counted_clause(clause: Clause, boxes: set[int], profile: Profile) -> CountedClause:
    """Return a clause with its form, its constants and types in a fixed order."""
    kind = _kind_of(clause.relation)
    is_symmetric = clause.relation in _SYMMETRIC
    box, *arguments = clause.arguments
    if kind == "concepts" and not profile.sense:
        arguments = [a for a in arguments if isinstance(a, int)]
    if is_symmetric:
        arguments.sort(key=lambda a: isinstance(a, int))
    variables = tuple(dict.fromkeys(a for a in (box, *arguments) if isinstance(a, int)))

    def shown(argument: int | str) -> str:
        """Return a constant, or the place and the type of a variable."""
        if isinstance(argument, str):
            return argument
        place = variables.index(argument)
        if is_symmetric and place > 1:
            place = 1  # the second argument may stand for the first
        return f" {place} {'box' if argument in boxes else 'entity'}"

    form = (clause.relation, str(len(variables)), *map(shown, (box, *arguments)))
    return CountedClause(clause.node, form, kind, variables)


class CounterOptions(Options, purpose="measures"):
    """Options of Counter: the clauses that count."""

    include_ref: bool = flag(
        "count every REF clause, too (Counter's -ic)", read=values.boolean
    )


class Counter(KindsMetric[CodedClauses]):
    """The clause F of Counter, its mapping of variables solved to the proven optimum.

    It compares structures of clauses, in profile ``drs-lenient`` concepts without their
    senses.
    """

    name = "counter"
    title = "Counter"
    summary = "F1 of the clauses of discourse structures (van Noord et al. 2018)"
    default_profile = "drs"
    takes_kinds = False
    profiles: ClassVar[tuple[str, ...]] = ("drs", "drs-lenient")
    kinds = ("operators", "roles", "concepts")
    options_class = CounterOptions

    @property
    def preparation_key(self) -> Hashable:
        return (Counter, self.profile, self.options.include_ref)

    def prepare(self, item: Graph) -> CodedClauses:
        clauses = clauses_of(item, self.profile, self.options.include_ref)
        forms: dict[Form, list[CountedClause]] = {}
        for clause in clauses:
            forms.setdefault(clause.form, []).append(clause)
        coded = encode(item, self.profile)._replace(total=len(clauses))
        return CodedClauses(clauses, forms, coded)

    def names_in(self, item: Graph) -> set[str]:
        all_triples = replace(self.profile, only=(), leave_out=())
        clauses = clauses_of(item, all_triples, include_ref=True)
        return {clause.form[0].lower() for clause in clauses}

    def build_problem(self, left: CodedClauses, right: CodedClauses) -> ClauseProblem:
        from exactmatch.solvers.problem import AlignmentProblem

        max_terms = MAX_TERMS if self.max_terms is None else self.max_terms
        pairs = [
            (left_clause, right_clause)
            for form, clauses in left.forms.items()
            for left_clause in clauses
            for right_clause in right.forms.get(form, ())
        ]
        count = sum(len(_rewards(*pair)) for pair in pairs)
        if count > max_terms:
            raise InputError(
                f"two structures are too large: {count:,} pairs of their clauses may "
                f"match, more than {max_terms:,}; raise --max-terms to allow them"
            )
        unary: dict[Candidate, int] = {}
        pairwise: dict[tuple[Candidate, Candidate], int] = {}
        for left_clause, right_clause in pairs:
            clause_pair = left_clause.node, right_clause.node
            unary[clause_pair] = 1 - len(left_clause.variables)
            for rewarded in _rewards(left_clause, right_clause):
                pairwise[clause_pair, rewarded] = 1
        n, m = (len(side.coded.graph.variables) for side in (left, right))
        start = [(o.node, t.node) for o, t in pairs if o.kind == "concepts"]
        problem = AlignmentProblem.from_weights(n, m, unary, pairwise, start=start)
        extra: Any = {"prebuilt": problem, "structures": (left, right)}
        return ClauseProblem(left.coded, right.coded, self.profile, **extra)

    def counts_of_kinds(
        self, problem: ClauseProblem, alignment: Alignment
    ) -> Sequence[Mapping[Any, int]]:
        sides = [Multiset(c.kind for c in side.clauses) for side in problem.structures]
        return problem.kinds(alignment), *sides

    def counting_signature(self) -> list[tuple[str, str]]:
        counted = super().counting_signature()
        chosen = [(key, value) for key, value in counted if key in ("only", "except")]
        sense = ("sense", "yes" if self.profile.sense else "no")
        ref = ("ref", "all" if self.options.include_ref else "needed")
        return [("read", "clauses"), sense, *chosen, ref]


def _rewards(
    left_clause: CountedClause, right_clause: CountedClause
) -> list[Candidate]:
    pairs = list(zip(left_clause.variables, right_clause.variables, strict=True))
    if left_clause.is_symmetric:
        (_, x, y), (_, right_x, right_y) = left_clause.variables, right_clause.variables
        pairs += [(x, right_y), (y, right_x)]
    return pairs


@dataclass(eq=False, kw_only=True)
class ClauseProblem(GraphProblem):
    """The mapping of variables and clauses of two structures as a problem."""

    structures: tuple[CodedClauses, CodedClauses]

    def check_count(self, alignment: Alignment, value: int) -> float:
        counted = self.kinds(alignment).total()
        if counted < value:
            raise CertificationError(
                f"a mapping of value {value} matches {counted} clauses; please "
                "report the two structures"
            )
        return float(counted)

    def kinds(self, alignment: Alignment) -> Multiset[str]:
        """Count the clauses of each kind that match under a mapping of variables.

        Clauses are renamed and compared, without the alignment of clauses.
        """
        left_clauses, right_clauses = (each.clauses for each in self.structures)
        names = range(len(self.right.graph.variables))
        matched = _renamed(left_clauses, alignment) & _renamed(right_clauses, names)
        return Multiset(kind for kind, *_ in matched.elements())


def _renamed(
    clauses: Sequence[CountedClause], names: Sequence[int]
) -> Multiset[tuple[str, Form, tuple[int, ...]]]:
    renamed: Multiset[tuple[str, Form, tuple[int, ...]]] = Multiset()
    for clause in clauses:
        variables = [names[v] for v in clause.variables]
        if clause.is_symmetric:
            variables[1:] = sorted(variables[1:])
        if -1 not in variables:
            renamed[clause.kind, clause.form, tuple(variables)] += 1
    return renamed
