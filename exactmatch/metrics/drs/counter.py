"""Counter: precision, recall and F1 of the clauses of two discourse structures.

A discourse representation structure is a set of clauses: a box, a relation and its
arguments, ``b2 Agent e1 x1``.  Under a one-to-one mapping of variables, boxes to boxes
and others to others, a clause of the prediction matches one of the reference that has
the same relation, the same constants, and the variables that its own are mapped to.
With *M* matches of the best mapping, and *T* and *G* clauses, P = M / T, R = M / G.

What counts is what Counter counts:

* each distinct clause once;
* ``b REF x`` only if no other clause of box *b* ends in *x* or has it last but one:
  else it would be matched with it, and inflate the score (``include_ref`` has all);
* a role in ``…Of`` is turned around (``b AttributeOf s x`` is ``b Attribute x s``);
* ``EQU``, ``NEQ``, ``APX`` and ``TAB`` say the same with their arguments exchanged.

Unlike Counter this one leaves concepts as they are written (Counter looks up the synset
of each in a list of WordNet's), and it does not ask whether a structure is well-formed.

**How a clause of three variables is stated exactly.**  A pair term joins two pairs of
variables, and a clause needs three (box, event, entity) at once.  So every clause is a
node of its own.  Aligning two clauses of equal relations and constants costs *k* - 1,
where *k* is the number of their variables, and is rewarded with 1 for each variable of
the one that is aligned with its counterpart in the other::

    1 - k + (number of variables that correspond)  =  1 if all do, else 0 or less.

As clauses that are worth nothing stay unaligned, the optimum of the whole is the number
of clauses that match.  One-to-one alignment of clause nodes matches each at most once.

Source: van Noord, Abzianidze, Haagsma and Bos (2018), "Evaluating scoped meaning
representations", sections 3 and 4; their program Counter (RikVN/DRS_parsing c64db4e)
for what counts.
"""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from exactmatch.base.errors import CertificationError, InputError
from exactmatch.engine.problem import MAX_TERMS, StatedProblem
from exactmatch.graphs.graph import Graph
from exactmatch.metrics.aligning import KindsMetric
from exactmatch.metrics.base import Option
from exactmatch.metrics.drs.clauses import (
    KINDS,
    CodedClauses,
    CountedClause,
    Form,
    clauses_of,
)

if TYPE_CHECKING:  # NumPy stands behind it; a command's help can do without
    from exactmatch.solvers.problem import Alignment
    from exactmatch.solvers.solution import Solution

Candidate: TypeAlias = tuple[int, int]


class Counter(KindsMetric[CodedClauses]):
    """The clause F of Counter, its mapping of variables solved to the proven optimum.

    It compares structures of clauses, in profile ``drs-lenient`` concepts without their
    senses.

    Args:
        profile: which clauses count, by their relations, and whether senses do.
        **options: those of :class:`AligningMetric`, and ``include_ref``.
    """

    name = "counter"
    title = "Counter"
    summary = "F1 of the clauses of discourse structures (van Noord et al. 2018)"
    default_profile = "drs"
    takes_kinds = False
    profiles: ClassVar[tuple[str, ...]] = ("drs", "drs-lenient")
    kinds = KINDS
    options: ClassVar[tuple[Option, ...]] = (
        Option("include_ref", "count every REF clause, too (Counter's -ic)", bool),
    )

    @property
    def preparation(self) -> Hashable:
        return (Counter, self.profile, self.asked.include_ref)

    def prepare(self, item: Graph) -> CodedClauses:
        return CodedClauses.of(item, self.profile, self.asked.include_ref)

    def role_names(self, item: Graph) -> set[str]:
        every = replace(self.profile, only=(), leave_out=())
        found = clauses_of(item, every, include_ref=True)
        return {clause.form[0].lower() for clause in found}

    def state(self, left: CodedClauses, right: CodedClauses) -> ClauseProblem:
        """State the mapping of two structures as a problem.

        Raises:
            InputError: if it would have more than ``max_terms`` pair terms.
        """
        from exactmatch.solvers.problem import AlignmentProblem

        most = MAX_TERMS if self.max_terms is None else self.max_terms
        pairs = [
            (ours, theirs)
            for form, clauses in left.forms.items()
            for ours in clauses
            for theirs in right.forms.get(form, ())
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
        n, m = (len(side.coded.graph.variables) for side in (left, right))
        start = [(o.node, t.node) for o, t in pairs if o.kind == "concepts"]
        given = AlignmentProblem.from_weights(n, m, unary, pairwise, start=start)
        both = (left, right)
        return ClauseProblem(
            left.coded, right.coded, self.profile, given=given, structures=both
        )

    def counts_of_kinds(
        self, stated: ClauseProblem, alignment: Alignment
    ) -> Sequence[Mapping[Any, int]]:
        return stated.kinds(alignment), *(each.counts() for each in stated.structures)

    def counting_signature(self) -> list[tuple[str, str]]:
        profile = self.profile
        items = [("read", "clauses"), ("sense", "yes" if profile.sense else "no")]
        if profile.only:
            items.append(("only", ",".join(profile.only)))
        if profile.leave_out:
            items.append(("except", ",".join(profile.leave_out)))
        return [*items, ("ref", "all" if self.asked.include_ref else "needed")]


def _rewards(ours: CountedClause, theirs: CountedClause) -> list[Candidate]:
    found = list(zip(ours.variables, theirs.variables, strict=True))
    if ours.is_symmetric:
        (_, x, y), (_, other, another) = ours.variables, theirs.variables
        found += [(x, another), (y, other)]
    return found


@dataclass(eq=False, kw_only=True)
class ClauseProblem(StatedProblem):
    """The mapping of variables and clauses as a problem.

    Attributes:
        structures: the two that are compared.
    """

    structures: tuple[CodedClauses, CodedClauses]

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

    def kinds(self, alignment: Alignment) -> Multiset[str]:
        """How many clauses of each kind match under a mapping of variables.

        Clauses are renamed and compared; the alignment of clauses is not looked at.
        """
        ours, theirs = (each.clauses for each in self.structures)
        names = range(len(self.right.graph.variables))
        both = _renamed(ours, alignment) & _renamed(theirs, names)
        found: Multiset[str] = Multiset()
        for (kind, *_), count in both.items():
            found[kind] += count
        return found


def _renamed(
    clauses: Sequence[CountedClause], names: Sequence[int]
) -> Multiset[tuple[str, Form, tuple[int, ...]]]:
    found: Multiset[tuple[str, Form, tuple[int, ...]]] = Multiset()
    for clause in clauses:
        variables = [names[v] for v in clause.variables]
        if clause.is_symmetric:
            variables[1:] = sorted(variables[1:])
        if -1 not in variables:
            found[clause.kind, clause.form, tuple(variables)] += 1
    return found
