"""The proof that no case of a problem with conflicts is worth more than a value.

The tree of a case is written under the decision that its candidates are left out, so
that it ends with the line that one of them is chosen.  Where each case of a conflict
has such a line, their sum and the conflict itself leave the same line about what was
left out before the conflict.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from exactmatch.base.errors import SolverError
from exactmatch.solvers.bnb import BranchAndBound
from exactmatch.solvers.certificate import CaseNode, Certificate
from exactmatch.solvers.problem import AlignmentProblem, BoolArray
from exactmatch.solvers.proof_lines import ProofLines
from exactmatch.solvers.proof_tree import ConstraintSum, TreeProof, check_proved
from exactmatch.solvers.pseudo_boolean import Constraint, Model
from exactmatch.solvers.solution import Limits


class CaseProof:
    """Writes the proof that nothing in any case is worth as much as is demanded."""

    def __init__(
        self, lines: ProofLines, model: Model, certificate: Certificate
    ) -> None:
        self.lines, self.model, self.cases = lines, model, certificate.cases

    def write(self, demand: Constraint, goal: int) -> Constraint:
        """Refute a demand for the value *goal*; return the contradiction."""
        keep = np.ones(self.model.problem.n_candidates, dtype=np.bool_)
        return self._refuted(iter(self.cases), keep, demand, goal)

    def _refuted(
        self, cases: Iterator[CaseNode], keep: BoolArray, demand: Constraint, goal: int
    ) -> Constraint:
        """Refute the next case; return that a candidate left out is chosen."""
        case = next(cases)
        if case.conflict is None:
            if case.certificate is None:
                raise SolverError("the certificate leaves a case open")
            part = self.model.problem.restricted(keep)
            tree = TreeProof(
                self.lines, self.model, _as_tree(part, case.certificate, goal - 1)
            )
            left_out = np.flatnonzero(~keep).tolist()
            return tree.write(demand, goal, left_out=left_out)
        total = ConstraintSum(self.lines, self.model)
        for each in self.model.problem.conflicts[case.conflict]:
            rest = keep.copy()
            rest[list(each)] = False
            total.add(self._refuted(cases, rest, demand, goal))
        total.add(self.model.by_conflict[case.conflict])
        total.raise_to(np.maximum(total.coefficients, 0))
        if total.coefficients.any():
            total.to_clause()
        check_proved(total.degree > 0)
        return total.write()


def _as_tree(
    problem: AlignmentProblem, certificate: Certificate, bound: int
) -> Certificate:
    """Return the certificate of a case as a plain tree."""
    is_plain = not (certificate.parts or certificate.shifts or certificate.symmetry)
    if is_plain:
        return certificate
    solver = BranchAndBound(record_proof=1, symmetry=0)
    tree = solver.solve(problem, Limits(above=bound)).certificate
    if tree is None:
        tree = solver.solve(problem).certificate
    check_proved(tree is not None and tree.bound <= bound)
    assert tree is not None
    return tree


def without_symmetry(
    problem: AlignmentProblem, certificate: Certificate
) -> Certificate:
    """Return a certificate that takes no nodes for alike, where there are conflicts.

    Nodes that are alike by their weights may be in different conflicts.
    """
    parts = [certificate, *(part.certificate for part in certificate.parts)]
    if certificate.shifts is not None:
        inner = [proof.certificate for proof in certificate.shifts.proofs]
        parts += [
            *inner,
            *(
                p.certificate
                for inner_certificate in inner
                for p in inner_certificate.parts
            ),
        ]
    if not problem.conflicts or not any(part.symmetry for part in parts):
        return certificate
    keep = np.ones(problem.n_candidates, dtype=np.bool_)
    return _as_tree(problem.restricted(keep), certificate, certificate.bound)
