"""The mapping of two structures' variables and clauses as an alignment problem."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from exactmatch.base.errors import CertificationError, InputError
from exactmatch.engine.coding import CodedGraph, encode
from exactmatch.engine.problem import MAX_TERMS, StatedProblem
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import Profile
from exactmatch.metrics.drs.clauses import CountedClause, DrsClauses, Form
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
