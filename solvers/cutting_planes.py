"""Proofs that others can check: a certificate as a VeriPB proof.

The *proof* is one of cutting planes, as VeriPB and CakePB check them, for the problem
that :mod:`exactmatch.solvers.pseudo_boolean` writes.  After the alignment
(``soli``), which demands a better value from then on, every line (``pol``) adds up
multiples of constraints, and divides and rounds:

* a round of the certificate adds the constraints, each as often as its dual says: what
  is left bounds the value of the candidates still there;
* against the demand for a better value, one line shows of all dropped candidates that
  none is chosen, or that a decision on the way to the node is wrong, and one more
  demands the better value of those that are left;
* or it shows that some decision is wrong, which closes the node.  The two branches of a
  node together show the same without the decision between them, and at the root no
  decision is left: nothing is better.

Nothing is added that a line holds without: duals are divided by what they have in
common, and coefficients below 0 of what was dropped stay.

A certificate in parts becomes a proof of each part's bound by contradiction (``red``
without a witness, whose subproof is about a better value in that part alone), and a
last line adds the bounds to the demand for a better value of the whole.  What follows
from shifted weights begins with a proof of each shifted problem's bound, in the same
way.  Each and the demand for a better value say how many of the shifted candidates are
chosen, at least or at most, and so do the rows of the cover: more than there may be.

Source: Gocht and Nordström (2021), "Certifying parity reasoning efficiently using
pseudo-Boolean proofs", and VeriPB's documentation.
"""

from __future__ import annotations

from typing import TextIO

import numpy as np

from exactmatch.base.errors import SolverError
from exactmatch.solvers.certificate import Certificate
from exactmatch.solvers.components import apart
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.proof_lines import ProofLines
from exactmatch.solvers.proof_tree import (
    ConstraintSum,
    TreeProof,
    check_proved,
    literal,
)
from exactmatch.solvers.pseudo_boolean import Constraint, Model
from exactmatch.solvers.solution import Solution


def write_proof(
    stream: TextIO,
    problem: AlignmentProblem,
    solution: Solution,
    version: str = "2.0",
) -> None:
    """Write the proof that no alignment is worth more than the solution's bound.

    Args:
        stream: where to.
        problem: what :func:`~exactmatch.solvers.pseudo_boolean.write_problem` wrote.
        solution: one with a certificate that holds; where it is not optimal, the
            proof is of an interval.
        version: the proof's format, one of
            :data:`~exactmatch.solvers.proof_lines.VERSIONS`.

    Raises:
        SolverError: if it has no certificate, or one that does not hold.
    """
    if solution.certificate is None:
        raise SolverError(
            f"solver {solution.solver!r} records no certificates to make a proof of; "
            "use auto"
        )
    model = Model(problem)
    lines = ProofLines(stream, version, len(model.constraints), model.n_variables)
    true = problem.earned(solution.alignment).tolist() or [False]
    demanded = lines.solution(literal(v, value) for v, value in enumerate(true, 1))
    lines.equal(demanded, _linear(model, 1, solution.value + 1))
    certificate = solution.certificate
    if not model.objective.any():
        proven = lines.sum([str(demanded)])
    elif certificate.shifts is not None:
        proven = _write_shifts(
            lines, model, certificate, demanded if solution.is_optimal else None
        )
    elif certificate.parts or not solution.is_optimal:
        proven = _write_bound(lines, model, certificate)
        if solution.is_optimal:
            proven = lines.sum([str(demanded), f"{proven} +"])
    else:
        goal = solution.value + 1
        demand = Constraint.of(demanded, model.objective, goal)
        proven = TreeProof(lines, model, certificate).write(demand, goal).number
    if not solution.is_optimal:
        lines.implied(proven, _linear(model, -1, -solution.bound))
    lines.conclude(-solution.bound, -solution.value, proven)


def _write_shifts(
    lines: ProofLines, model: Model, certificate: Certificate, demanded: int | None
) -> int:
    """Prove what follows from shifted weights.

    Args:
        lines: where to.
        model: the whole problem.
        certificate: one with shifts.
        demanded: the constraint that demands a better value, which is refuted; ``None``
            to prove the bound by itself.
    """
    shifts = certificate.shifts
    assert shifts is not None
    shifted = np.zeros(model.n_variables, dtype=np.int64)
    shifted[list(shifts.candidates)] = 1
    cover = ConstraintSum(lines, model)
    for nodes, by_node in zip((shifts.left, shifts.right), model.by_node, strict=True):
        cover.add(*(by_node[node] for node in nodes if node in by_node))
    cover.raise_to(-shifted)
    at_least: list[Constraint] = []
    at_most = [cover.write()]
    bounds = []
    for proof in shifts.proofs:
        own = model.shifted(proof.amount * shifted)
        number = _write_bound(lines, own, proof.certificate)
        bound = Constraint.of(number, -own.objective, -proof.certificate.bound)
        bounds.append((proof.amount, bound))
    claim = _linear(model, -1, -certificate.bound)
    better = lines.suppose(claim) if demanded is None else demanded
    demand = Constraint.of(better, model.objective, certificate.bound + 1)
    for amount, bound in bounds:
        counted = ConstraintSum(lines, model)
        counted.add(bound, demand)
        counted.divide(abs(amount))
        (at_least if amount < 0 else at_most).append(counted.write())
    contradiction = ConstraintSum(lines, model)
    for known in (at_least, at_most):
        if known:
            contradiction.add(max(known, key=lambda each: each.degree))
    contradiction.raise_to(np.zeros_like(shifted))
    check_proved(contradiction.degree > 0)
    refuted = contradiction.write().number
    return lines.contradiction(refuted) if demanded is None else refuted


def _write_bound(lines: ProofLines, model: Model, certificate: Certificate) -> int:
    """Prove a bound without what was demanded; return the number of the constraint."""
    if not certificate.parts:
        return _write_part(lines, model, certificate)
    owner = np.full(model.problem.n_candidates, -1, dtype=np.int64)
    for k, part in enumerate(certificate.parts):
        owner[list(part.candidates)] = k
    if np.any(owner < 0):
        raise SolverError("the certificate has a candidate in no part")
    steps: list[str] = []
    bound = 0
    parts = zip(apart(model.problem, owner), certificate.parts, strict=True)
    for component, part in parts:
        own = model.part(component)
        if own.objective.any():  # something of it counts
            number = _write_part(lines, own, part.certificate)
            steps.append(f"{number} +" if steps else f"{number}")
            bound += part.certificate.bound
    check_proved(bound <= certificate.bound)
    return lines.sum(steps)


def _write_part(lines: ProofLines, model: Model, certificate: Certificate) -> int:
    """Prove that a part is worth no more than its bound; return the line's number."""
    trivial = ConstraintSum(lines, model)
    trivial.raise_to(-model.objective)
    if -trivial.degree <= certificate.bound:
        return lines.sum(trivial.steps)
    if certificate.symmetry is not None:
        return _write_symmetric(lines, model, certificate)
    goal = certificate.bound + 1
    demanded = lines.suppose(_linear(model, -1, -certificate.bound))
    demand = Constraint.of(demanded, model.objective, goal)
    refuted = TreeProof(lines, model, certificate).write(demand, goal)
    return lines.contradiction(refuted.number)


def _write_symmetric(lines: ProofLines, model: Model, certificate: Certificate) -> int:
    """Prove the bound of a part where nodes are alike; return the line's number.

    A subproof has no lines with a witness.  So a new variable says that the part is
    worth more, and the tree shows that it is false.
    """
    bound, weights = certificate.bound, model.objective
    new = lines.new_variable()
    missing = bound + 1 - int(np.minimum(weights, 0).sum())
    excess = int(np.maximum(weights, 0).sum()) - bound
    demanded = lines.strengthen(
        f"{missing} ~x{new} {_linear(model, 1, bound + 1)}", [(f"x{new}", "0")]
    )
    limited = lines.strengthen(
        f"{excess} x{new} {_linear(model, -1, -bound)}", [(f"x{new}", "1")]
    )
    wrong = np.zeros(model.n_variables + 1, dtype=np.int64)
    wrong[-1] = -missing
    demand = Constraint.of(demanded, np.append(weights, -missing), bound + 1 - missing)
    tree = TreeProof(lines, model.with_variable(new), certificate)
    refuted = tree.write(demand, bound + 1, wrong)
    return lines.sum([str(limited), f"{refuted.number} {excess} * +"])


def _linear(model: Model, sign: int, degree: int) -> str:
    """The constraint that the value, times 1 or -1, is at least so much."""
    terms = zip(model.names.tolist(), model.objective.tolist(), strict=True)
    parts = [f"{sign * weight:+d} x{name}" for name, weight in terms if weight]
    return f"{' '.join(parts) or '+0 x1'} >= {degree}"
