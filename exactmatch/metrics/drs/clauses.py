"""The clauses of a discourse structure: which count, and what each of them says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

from exactmatch.base.errors import CertificationError, InputError
from exactmatch.engine.coding import CodedGraph, encode
from exactmatch.engine.problem import MAX_TERMS, StatedProblem
from exactmatch.formats.clauses import Clause, stated_clauses
from exactmatch.graphs.counting import CONCEPT, is_counted
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import Profile
from exactmatch.solvers.problem import Alignment, AlignmentProblem
from exactmatch.solvers.solution import Solution

Candidate: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class CodedClauses:
    """A structure, ready to be compared with others.

    Attributes:
        clauses: its clauses that count.
        coded: the graph that they were read as; ``total`` is how many clauses count.
    """

    clauses: DrsClauses
    coded: CodedGraph


def coded_clauses(clauses: DrsClauses, graph: Graph, profile: Profile) -> CodedClauses:
    """Put clauses beside the graph whose variables they name."""
    coded = encode(graph, profile)
    return CodedClauses(clauses, coded._replace(total=len(clauses.clauses)))


@dataclass(eq=False, kw_only=True)
class ClauseProblem(StatedProblem):
    """The mapping of variables and clauses as a problem, and what it was made of.

    Attributes:
        left_clauses, right_clauses: what is compared.
    """

    left_clauses: DrsClauses
    right_clauses: DrsClauses

    def check_count(self, alignment: Alignment, value: int) -> float:
        counted = self.kinds(alignment).total()
        if counted < value:
            raise CertificationError(
                f"a mapping said to match {value} clauses matches {counted}; please "
                "report the two structures"
            )
        return float(counted)

    def bound_of(self, solution: Solution, matched: float) -> float:
        del matched
        return float(solution.bound)

    def kinds(self, alignment: Alignment) -> Counter[str]:
        """How many clauses of each kind match under a mapping of variables.

        Clauses are renamed and compared; the alignment of clauses is not looked at.
        """
        ours = _rename(self.left_clauses.clauses, alignment)
        names = range(len(self.right.graph.variables))
        both = ours & _rename(self.right_clauses.clauses, names)
        found: Counter[str] = Counter()
        for (kind, *_), count in both.items():
            found[kind] += count
        return found


def _rename(
    clauses: Sequence[CountedClause], names: Sequence[int]
) -> Counter[tuple[str, Form, tuple[int, ...]]]:
    found: Counter[tuple[str, Form, tuple[int, ...]]] = Counter()
    for clause in clauses:
        variables = [names[v] for v in clause.variables]
        if clause.is_symmetric:
            variables[1:] = sorted(variables[1:])
        if -1 not in variables:
            found[clause.kind, clause.form, tuple(variables)] += 1
    return found


def state(
    left: CodedClauses, right: CodedClauses, profile: Profile, max_terms: int | None
) -> ClauseProblem:
    """State the mapping of two structures as a problem.

    Raises:
        InputError: if it would have more than *max_terms* pair terms.
    """
    most = MAX_TERMS if max_terms is None else max_terms
    pairs = [
        (ours, theirs)
        for form, clauses in left.clauses.forms.items()
        for ours in clauses
        for theirs in right.clauses.forms.get(form, ())
    ]
    count = sum(len(_rewards(*pair)) for pair in pairs)
    if count > most:
        raise InputError(
            f"two structures are too large: {count:,} pairs of their clauses may "
            f"match, more than {most:,}; raise --max-terms to allow them"
        )
    unary: dict[Candidate, int] = {}
    pairwise: dict[tuple[Candidate, Candidate], int] = {}
    for ours, theirs in pairs:
        chosen = ours.node, theirs.node
        unary[chosen] = 1 - len(ours.variables)
        for together in _rewards(ours, theirs):
            pairwise[chosen, together] = 1
    problem = AlignmentProblem.from_weights(
        len(left.coded.graph.variables),
        len(right.coded.graph.variables),
        unary,
        pairwise,
        start=[(o.node, t.node) for o, t in pairs if o.kind == "concepts"],
    )
    return ClauseProblem(
        left.coded,
        right.coded,
        profile,
        given=problem,
        left_clauses=left.clauses,
        right_clauses=right.clauses,
    )


def _rewards(ours: CountedClause, theirs: CountedClause) -> list[Candidate]:
    found = list(zip(ours.variables, theirs.variables, strict=True))
    if ours.is_symmetric:
        (_, x, y), (_, other, another) = ours.variables, theirs.variables
        found += [(x, another), (y, other)]
    return found


KINDS = ("operators", "roles", "concepts")

REF = "REF"
SYMMETRIC = frozenset(("APX", "EQU", "NEQ", "TAB"))
"""Operators that say the same of two arguments in either order."""

_INVERSE = "Of"
"""The end of a role that is stated from its other side; alone it is a role itself."""

_OF_BOXES = frozenset(("DIS", "DUP", "IMP"))
_OF_A_BOX = "PRP"
_PAIR = 2
_DISCOURSE = 4
"""Operators with as many letters relate boxes; shorter ones compare."""

Form: TypeAlias = tuple[str, ...]
"""A clause without its variables: its relation, how many variables it has, then its
constants and the types of its variables."""


class CountedClause(NamedTuple):
    """A clause that counts.

    Attributes:
        node: the variable that stands for it in the graph.
        form: what it says beside its variables; equal forms can match.
        kind: operator, role or concept.
        variables: its variables, the box first; each one once.
    """

    node: int
    form: Form
    kind: str
    variables: tuple[int, ...]

    @property
    def is_symmetric(self) -> bool:
        """Whether its last two variables may change places."""
        return self.form[0] in SYMMETRIC and len(self.variables) > _PAIR


@dataclass(frozen=True, eq=False)
class DrsClauses:
    """The clauses of a structure that count.

    Attributes:
        clauses: the clauses.
        boxes: the variables that are boxes.
    """

    clauses: tuple[CountedClause, ...]
    boxes: frozenset[int]

    @cached_property
    def forms(self) -> dict[Form, list[CountedClause]]:
        """The clauses by their forms."""
        found: dict[Form, list[CountedClause]] = {}
        for clause in self.clauses:
            found.setdefault(clause.form, []).append(clause)
        return found

    def counts(self) -> Counter[str]:
        """How many clauses of each kind there are."""
        return Counter(clause.kind for clause in self.clauses)


def clauses_of(graph: Graph, profile: Profile, include_ref: bool = False) -> DrsClauses:
    """The clauses of a graph that count.

    Args:
        graph: a graph as the reader of clauses makes it.
        profile: which relations count, and whether senses do.
        include_ref: whether REF clauses count that others make needless.

    Raises:
        GraphError: if a node with a concept is no clause.
    """
    stated = [_without_of(clause) for clause in stated_clauses(graph)]
    boxes = frozenset(v for clause in stated for v in _boxes(clause))
    if not include_ref:
        stated = [
            clause
            for place, clause in enumerate(stated)
            if clause.relation != REF or not _is_needless(place, stated)
        ]
    distinct = {(c.relation, c.arguments): c for c in reversed(stated)}
    counted = [
        _counted_clause(clause, boxes, profile)
        for clause in reversed(distinct.values())
        if is_counted(_names(clause), profile)
    ]
    return DrsClauses(tuple(counted), boxes)


def kind_of(relation: str) -> str:
    """Whether a relation is an operator, a role or a concept, by how it is written."""
    if relation.isupper():
        return "operators"
    return "roles" if relation[:1].isupper() else "concepts"


def _without_of(clause: Clause) -> Clause:
    """A role without its ``Of``: ``AttributeOf s x`` is ``Attribute x s``."""
    role = clause.relation.removesuffix(_INVERSE)
    box, *arguments = clause.arguments
    if (
        role in ("", clause.relation)
        or kind_of(clause.relation) != "roles"
        or len(arguments) < _PAIR
    ):
        return clause
    return clause._replace(relation=role, arguments=(box, *reversed(arguments)))


def _names(clause: Clause) -> tuple[str, ...]:
    concept = CONCEPT if kind_of(clause.relation) == "concepts" else ()
    return (clause.relation, *concept)


def _boxes(clause: Clause) -> list[int]:
    box, *arguments = clause.arguments
    relation = clause.relation
    if kind_of(relation) != "operators" or relation == REF:
        found = [box]
    elif relation == _OF_A_BOX:
        found = [box, arguments[-1]]
    elif len(arguments) == 1 or relation in _OF_BOXES or len(relation) >= _DISCOURSE:
        found = [box, *arguments]
    else:
        found = [box]
    return [v for v in found if isinstance(v, int)]


def _is_needless(place: int, stated: Sequence[Clause]) -> bool:
    """Whether another clause of a REF clause's box says something of its variable."""
    box, variable = stated[place].arguments[:2]
    return any(
        other != place and clause.arguments[0] == box and variable in clause.ending()
        for other, clause in enumerate(stated)
    )


def _counted_clause(
    clause: Clause, boxes: frozenset[int], profile: Profile
) -> CountedClause:
    """A clause with its form, its constants and types in a fixed order."""
    kind = kind_of(clause.relation)
    box, *arguments = clause.arguments
    if kind == "concepts" and not profile.sense:
        arguments = [a for a in arguments if isinstance(a, int)]
    if clause.relation in SYMMETRIC:
        arguments.sort(key=lambda a: isinstance(a, int))
    variables = tuple(dict.fromkeys(a for a in (box, *arguments) if isinstance(a, int)))
    shown = [_form_of(a, variables, boxes, clause.relation) for a in (box, *arguments)]
    form = (clause.relation, str(len(variables)), *shown)
    return CountedClause(clause.node, form, kind, variables)


def _form_of(
    argument: int | str,
    variables: tuple[int, ...],
    boxes: frozenset[int],
    relation: str,
) -> str:
    """An argument in a form: a constant, or the place and the type of a variable."""
    if isinstance(argument, str):
        return argument
    place = variables.index(argument)
    if relation in SYMMETRIC and place > 1:
        place = 1  # the second argument may stand for the first
    return f" {place} {'box' if argument in boxes else 'entity'}"
