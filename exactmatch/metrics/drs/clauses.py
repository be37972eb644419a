"""The clauses of a discourse structure: which count, and what each of them says."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

from exactmatch.engine.problem import CodedGraph, encode
from exactmatch.formats.clauses import Clause, stated_clauses
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import Profile
from exactmatch.graphs.standardise import CONCEPT, is_counted

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
class CodedClauses:
    """A structure, ready to be compared with others.

    Attributes:
        clauses: its clauses that count.
        coded: the graph that they were read as; ``total`` is how many clauses count.
    """

    clauses: tuple[CountedClause, ...]
    coded: CodedGraph

    @classmethod
    def of(cls, graph: Graph, profile: Profile, include_ref: bool) -> CodedClauses:
        """Take the clauses that count, as :func:`clauses_of` says, of a graph."""
        clauses = clauses_of(graph, profile, include_ref)
        return cls(clauses, encode(graph, profile)._replace(total=len(clauses)))

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


def clauses_of(
    graph: Graph, profile: Profile, include_ref: bool
) -> tuple[CountedClause, ...]:
    """The clauses of a graph that count.

    Args:
        graph: a graph as the reader of clauses makes it.
        profile: which relations count, and whether senses do.
        include_ref: whether REF clauses count that others make needless.

    Raises:
        GraphError: if a node with a concept is no clause.
    """
    stated = [_without_of(clause) for clause in stated_clauses(graph)]
    boxes = {v for clause in stated for v in _boxes(clause)}
    if not include_ref:
        refs = [clause for clause in stated if clause.relation == REF]
        needless = {id(r) for r in refs if any(_says_more(c, r) for c in stated)}
        stated = [clause for clause in stated if id(clause) not in needless]
    distinct = {(c.relation, c.arguments): c for c in reversed(stated)}
    counted = []
    for clause in reversed(distinct.values()):
        concept = CONCEPT if _kind_of(clause.relation) == "concepts" else ()
        if is_counted((clause.relation, *concept), profile):
            counted.append(_counted_clause(clause, boxes, profile))
    return tuple(counted)


def _kind_of(relation: str) -> str:
    """Whether a relation is an operator, a role or a concept, by how it is written."""
    if relation.isupper():
        return "operators"
    return "roles" if relation[:1].isupper() else "concepts"


def _without_of(clause: Clause) -> Clause:
    """A role without its ``Of``: ``AttributeOf s x`` is ``Attribute x s``."""
    role = clause.relation.removesuffix(_INVERSE)
    box, *arguments = clause.arguments
    is_inverse = role not in ("", clause.relation)
    is_inverse = is_inverse and _kind_of(clause.relation) == "roles"
    if not is_inverse or len(arguments) < _PAIR:
        return clause
    return clause._replace(relation=role, arguments=(box, *reversed(arguments)))


def _boxes(clause: Clause) -> list[int]:
    box, *arguments = clause.arguments
    relation = clause.relation
    found = [box]
    if _kind_of(relation) == "operators" and relation != REF:
        if relation == _OF_A_BOX:
            found = [box, arguments[-1]]
        elif (
            len(arguments) == 1 or relation in _OF_BOXES or len(relation) >= _DISCOURSE
        ):
            found = [box, *arguments]
    return [v for v in found if isinstance(v, int)]


def _says_more(clause: Clause, ref: Clause) -> bool:
    """Whether another clause of a REF clause's box says something of its variable."""
    box, variable = ref.arguments[:2]
    is_other = clause is not ref
    return is_other and clause.arguments[0] == box and variable in clause.ending()


def _counted_clause(clause: Clause, boxes: set[int], profile: Profile) -> CountedClause:
    """A clause with its form, its constants and types in a fixed order."""
    kind = _kind_of(clause.relation)
    is_symmetric = clause.relation in SYMMETRIC
    box, *arguments = clause.arguments
    if kind == "concepts" and not profile.sense:
        arguments = [a for a in arguments if isinstance(a, int)]
    if is_symmetric:
        arguments.sort(key=lambda a: isinstance(a, int))
    variables = tuple(dict.fromkeys(a for a in (box, *arguments) if isinstance(a, int)))

    def shown(argument: int | str) -> str:
        """A constant, or the place and the type of a variable."""
        if isinstance(argument, str):
            return argument
        place = variables.index(argument)
        if is_symmetric and place > 1:
            place = 1  # the second argument may stand for the first
        return f" {place} {'box' if argument in boxes else 'entity'}"

    form = (clause.relation, str(len(variables)), *map(shown, (box, *arguments)))
    return CountedClause(clause.node, form, kind, variables)
