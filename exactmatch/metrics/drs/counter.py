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

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from exactmatch.graphs.graph import Graph
from exactmatch.metrics.aligning import KindsMetric
from exactmatch.metrics.base import Option
from exactmatch.metrics.drs.clauses import KINDS, DrsClauses, clauses_of

if TYPE_CHECKING:  # NumPy stands behind it; a command's help can do without
    from exactmatch.metrics.drs.clause_problem import ClauseProblem, CodedClauses
    from exactmatch.solvers.problem import Alignment


class Counter(KindsMetric["CodedClauses"]):
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
        from exactmatch.metrics.drs.clause_problem import coded_clauses

        return coded_clauses(self.clauses(item), item, self.profile)

    def role_names(self, item: Graph) -> set[str]:
        every = replace(self.profile, only=(), leave_out=())
        found = clauses_of(item, every, include_ref=True).clauses
        return {clause.form[0].lower() for clause in found}

    def clauses(self, graph: Graph) -> DrsClauses:
        """The clauses of a graph that count.

        Raises:
            GraphError: if a node with a concept is no clause.
        """
        return clauses_of(graph, self.profile, self.asked.include_ref)

    def state(self, left: CodedClauses, right: CodedClauses) -> ClauseProblem:
        from exactmatch.metrics.drs.clause_problem import state

        return state(left, right, self.profile, self.max_terms)

    def counts_of_kinds(
        self, stated: ClauseProblem, alignment: Alignment
    ) -> Sequence[Mapping[Any, int]]:
        sides = (stated.left_clauses.counts(), stated.right_clauses.counts())
        return stated.kinds(alignment), *sides

    def counting_signature(self) -> list[tuple[str, str]]:
        profile = self.profile
        items = [("read", "clauses"), ("sense", "yes" if profile.sense else "no")]
        if profile.only:
            items.append(("only", ",".join(profile.only)))
        if profile.leave_out:
            items.append(("except", ",".join(profile.leave_out)))
        return [*items, ("ref", "all" if self.asked.include_ref else "needed")]
