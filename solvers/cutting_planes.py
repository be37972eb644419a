"""Proofs that others can check: a certificate as a VeriPB proof.

The *proof* is one of cutting planes, as VeriPB checks them (format 2.0), for the
problem that :mod:`exactmatch.solvers.pseudo_boolean` writes.  After the alignment
(``soli``), which demands a better value from then on, every line (``pol``) adds up
multiples of constraints, and divides and rounds:

* a round of the certificate adds the constraints, each as often as its dual says: what
  is left bounds the value of the candidates still there;
* against the demand for a better value, it shows of a dropped candidate that it is not
  chosen, or that a decision on the way to the node is wrong;
* or it shows that some decision is wrong, which closes the node.  The two branches of a
  node together show the same without the decision between them, and at the root no
  decision is left: nothing is better.

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

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TextIO

import numpy as np

from exactmatch.base.solver_errors import SolverError
from exactmatch.solvers.certificate import Certificate, ComponentProof, Round, Shifts
from exactmatch.solvers.components import apart
from exactmatch.solvers.problem import AlignmentProblem, IntArray
from exactmatch.solvers.pseudo_boolean import Constraint, Model, Vector
from exactmatch.solvers.solution import Solution


def write_proof(stream: TextIO, problem: AlignmentProblem, solution: Solution) -> None:
    """Write the proof that the solution's alignment is the best.

    Args:
        stream: where to.
        problem: what :func:`~exactmatch.solvers.pseudo_boolean.write_problem` wrote.
        solution: an optimal one with a certificate that holds.

    Raises:
        SolverError: if it is not optimal, or has no certificate that holds.
    """
    if not solution.is_optimal:
        raise SolverError(
            "no proof can be written, because the optimum was not proven; give the "
            "solver more time"
        )
    if solution.certificate is None:
        raise SolverError(
            f"solver {solution.solver!r} records no certificates to make a proof of; "
            "use auto"
        )
    model = Model(problem)
    demanded = len(model.constraints) + 1
    stream.write(f"pseudo-Boolean proof version 2.0\nf {demanded - 1}\n")
    chosen = problem.chosen(solution.alignment)
    together = chosen[problem.first] & chosen[problem.second]
    true = np.concatenate([chosen, together]).tolist() or [False]
    literals = (_literal(v, value) for v, value in enumerate(true, 1))
    stream.write(f"soli {' '.join(literals)}\n")
    if solution.certificate.shifts is not None:
        _write_shifts(stream, model, solution.value, solution.certificate.shifts)
    elif solution.certificate.parts:
        _write_parts(stream, model, solution.value, solution.certificate.parts)
    elif model.n_variables:
        writer = _Writer(stream, model, solution.value, demanded)
        writer.write_tree(solution.certificate)
    else:
        stream.write(f"pol {demanded} x1 +\n")
    stream.write("output NONE\n")
    stream.write(f"conclusion BOUNDS {-solution.value} {-solution.value}\n")
    stream.write("end pseudo-Boolean proof\n")


def _write_shifts(stream: TextIO, model: Model, value: int, shifts: Shifts) -> None:
    demanded = last = len(model.constraints) + 1
    everything = np.arange(model.n_variables)
    shifted = np.zeros(model.n_variables, dtype=np.int64)
    shifted[list(shifts.candidates)] = 1
    at_least: list[Constraint] = []
    cover = _ConstraintSum(model)
    for nodes, rows in ((shifts.left, model.rows), (shifts.right, model.columns)):
        for node in nodes:
            if node in rows:
                cover.add(rows[node], 1)
    cover.raise_to(-shifted)
    last = cover.write(stream, last)
    at_most = [Constraint(last, everything, -shifted, cover.degree)]
    for proof in shifts.proofs:
        own = model.shifted(proof.amount * shifted)
        last = _write_bound(stream, own, proof.certificate, last)
        bound = proof.certificate.bound
        counted = _ConstraintSum(model)
        counted.add(Constraint(last, everything, -own.objective, -bound), 1)
        counted.add(Constraint(demanded, everything, model.objective, value + 1), 1)
        counted.divide(abs(proof.amount))
        last = counted.write(stream, last)
        shown = Constraint(last, everything, counted.coefficients, counted.degree)
        (at_least if proof.amount < 0 else at_most).append(shown)
    contradiction = _ConstraintSum(model)
    for known in (at_least, at_most):
        if known:
            contradiction.add(max(known, key=lambda each: each.degree), 1)
    contradiction.raise_to(np.zeros_like(shifted))
    if contradiction.degree <= 0:
        raise SolverError("the certificate does not prove what it claims")
    contradiction.write(stream, last)


def _write_bound(
    stream: TextIO, model: Model, certificate: Certificate, last: int
) -> int:
    """Prove that nothing is worth more than a bound; return the line's number."""
    if not certificate.parts:
        return _write_part(stream, model, certificate, last)
    total = _ConstraintSum(model)
    last = _write_bounds(stream, model, certificate.parts, total, last)
    if -total.degree > certificate.bound:
        raise SolverError("the certificate does not prove what it claims")
    return total.write(stream, last)


def _write_parts(
    stream: TextIO, model: Model, value: int, parts: Sequence[ComponentProof]
) -> None:
    last = len(model.constraints) + 1
    nothing = np.zeros(0, dtype=np.int64)
    total = _ConstraintSum(model)  # of what is added up, the degree is enough
    total.add(Constraint(last, nothing, nothing, value + 1), 1)
    last = _write_bounds(stream, model, parts, total, last)
    if total.degree <= 0:
        raise SolverError("the certificate does not prove what it claims")
    total.write(stream, last)


def _write_bounds(
    stream: TextIO,
    model: Model,
    parts: Sequence[ComponentProof],
    total: _ConstraintSum,
    last: int,
) -> int:
    """Prove the bound of each part, and add it; return the last line's number."""
    number = np.full(model.problem.n_candidates, -1, dtype=np.int64)
    for k, part in enumerate(parts):
        number[list(part.candidates)] = k
    if np.any(number < 0):
        raise SolverError("the certificate has a candidate in no part")
    nothing = np.zeros(0, dtype=np.int64)
    for component, part in zip(apart(model.problem, number), parts, strict=True):
        own = model.part(component)
        if not own.objective.any():
            continue  # nothing of it counts
        last = _write_part(stream, own, part.certificate, last)
        total.add(Constraint(last, nothing, nothing, -part.certificate.bound), 1)
    return last


def _write_part(
    stream: TextIO, model: Model, certificate: Certificate, last: int
) -> int:
    """Prove that a part is worth no more than its bound; return the line's number."""
    trivial = _ConstraintSum(model)
    trivial.raise_to(-model.objective)
    if -trivial.degree <= certificate.bound:
        stream.write(f"pol {' '.join(trivial.steps)}\n")
        return last + 1
    terms = zip(model.names.tolist(), model.objective.tolist(), strict=True)
    claim = " ".join(f"{-weight:+d} x{name}" for name, weight in terms if weight)
    stream.write(f"red {claim} >= {-certificate.bound} ; ; begin\nproofgoal #1\n")
    # The claim's negation, which is the better value, is there twice: once for the
    # rule and once for its goal, which differ where there is a witness.
    writer = _Writer(stream, model, certificate.bound, last + 2)
    contradiction = writer.write_tree(certificate)
    stream.write(f"end {contradiction.number}\nend\n")
    return writer.last + 1


class _ConstraintSum:
    """A line of the proof under construction, in reverse Polish notation."""

    def __init__(self, model: Model) -> None:
        self.names = model.names
        self.coefficients: Vector = np.zeros(model.n_variables, dtype=np.int64)
        self.degree = 0
        self.steps: list[str] = []

    def add(self, constraint: Constraint, times: int) -> None:
        """Add a constraint so many times."""
        self.coefficients[constraint.variables] += times * constraint.coefficients
        self.degree += times * constraint.degree
        self._push(str(constraint.number), times)

    def raise_to(self, wanted: Vector) -> None:
        """Add that variables lie between 0 and 1 until these are the coefficients."""
        missing = wanted - self.coefficients
        for variable in np.flatnonzero(missing).tolist():
            times = int(missing[variable])
            self._push(_literal(int(self.names[variable]), times > 0), abs(times))
            self.degree += min(times, 0)
        self.coefficients = wanted.copy()

    def divide(self, divisor: int) -> None:
        """Divide and round up in normal form, where coefficients are positive."""
        negative = np.minimum(self.coefficients, 0)
        degree = self.degree - int(negative.sum())
        signs = np.sign(self.coefficients)
        self.coefficients = signs * -(-np.abs(self.coefficients) // divisor)
        self.degree = -(-degree // divisor) + int(
            np.minimum(self.coefficients, 0).sum()
        )
        if divisor > 1:
            self.steps.append(f"{divisor} d")

    def multiply(self, factor: int) -> None:
        """Multiply by a number above 0."""
        self.coefficients = factor * self.coefficients
        self.degree *= factor
        if factor > 1:
            self.steps.append(f"{factor} *")

    def write(self, stream: TextIO, last: int) -> int:
        """Write the line after line *last*; return its number."""
        stream.write(f"pol {' '.join(self.steps)}\n")
        return last + 1

    def to_clause(self) -> None:
        """Divide so that every coefficient, and the degree, becomes 1.

        Raises:
            SolverError: if nothing is refuted, so that the certificate does not hold.
        """
        degree = self.degree - int(np.minimum(self.coefficients, 0).sum())
        if degree <= 0:
            raise SolverError("the certificate does not prove what it claims")
        largest = int(np.abs(self.coefficients).max(initial=0))
        self.divide(max(largest, degree))

    def _push(self, operand: str, times: int) -> None:
        step = operand if times == 1 else f"{operand} {times} *"
        self.steps.append(f"{step} +" if self.steps else step)


@dataclass(frozen=True, slots=True, eq=False)
class _ProofPart:
    """A node of the certificate's tree.

    Attributes:
        candidates, terms: the numbers of those still there, increasing.
        demand: what a better alignment must keep to: those still there are worth
            *goal*, or a decision was wrong.
        goal: the least value above the best one.
        wrong: of each decision the literal that refutes it (a variable, and whether
            it is true) and how much that weighs in the demand.
        closed: some decision is wrong, if that is known already.
    """

    candidates: Vector
    terms: Vector
    demand: Constraint
    goal: int
    wrong: dict[tuple[int, bool], int]
    closed: Constraint | None = None


class _Writer:
    """Writes the proof that nothing in a tree is worth more than a value.

    Attributes:
        last: the number of the last constraint.
    """

    def __init__(self, stream: TextIO, model: Model, value: int, demanded: int) -> None:
        """Write about a model, of which constraint *demanded* demands more."""
        self.stream = stream
        self.model = model
        self.problem = model.problem
        self.value = value
        self.last = demanded

    def write_tree(self, certificate: Certificate) -> Constraint:
        """Walk through the nodes; close each, and join the branches on the way up.

        Returns:
            The contradiction.

        Raises:
            SolverError: if there is none.
        """
        goal = self.value + 1
        whole = _ProofPart(
            np.arange(self.problem.n_candidates, dtype=np.int64),
            np.arange(self.problem.n_terms, dtype=np.int64),
            self._of(self.model.objective, goal),
            goal,
            {},
        )
        open_parts: list[_ProofPart | int] = [self._without(whole, {})]
        closed: list[Constraint] = []
        for node in certificate.nodes:
            part = open_parts.pop()
            assert isinstance(part, _ProofPart)
            for evidence in node.rounds:
                if part.closed is None:
                    part = self._after_round(part, evidence)
            if node.branch is not None and part.closed is not None:
                open_parts += [0, part, part]  # nothing below it is needed
                continue
            if node.branch is not None:
                c = int(part.candidates[node.branch])
                open_parts += [c, self._left_out(part, c), self._taken(part, c)]
                continue
            if part.closed is None:
                raise SolverError("the certificate leaves a node open")
            closed.append(part.closed)
            while open_parts and isinstance(decided := open_parts[-1], int):
                del open_parts[-1]
                left_out, taken = closed.pop(), closed.pop()
                closed.append(self._joined(decided, taken, left_out))
        return closed[0]

    def _after_round(self, part: _ProofPart, evidence: Round) -> _ProofPart:
        """Drop what a round drops, and close the node if it can."""
        problem, unit = self.problem, evidence.unit
        total = self._sum()
        for number, constraint in self._used(part, evidence):
            total.add(constraint, number)
        closes = -total.degree < part.goal * unit
        wanted = self._vector()
        wanted[part.candidates] = -unit * problem.unary[part.candidates]
        wanted[problem.n_candidates + part.terms] = -unit * problem.weight[part.terms]
        slack = wanted - total.coefficients
        if np.any(slack < 0):
            raise SolverError("the certificate's numbers do not cover a weight")
        dropped = part.candidates[[] if closes else list(evidence.dropped)]
        kept = self._vector()
        kept[dropped] = -slack[dropped]
        total.raise_to(wanted + kept)
        total.add(part.demand, unit)
        if closes:
            total.to_clause()
            return replace(part, closed=self._written(total))
        if not len(dropped):
            return part
        shown = self._written(total)
        refuted = {}
        for c in dropped.tolist():
            clause = self._sum()
            clause.add(shown, 1)
            spared = kept.copy()
            spared[c] = 0
            clause.raise_to(clause.coefficients - spared)
            clause.to_clause()
            refuted[c] = self._written(clause)
        return self._without(part, refuted)

    def _used(
        self, part: _ProofPart, evidence: Round
    ) -> Iterator[tuple[int, Constraint]]:
        model, problem = self.model, self.problem
        for duals, rows in (
            (evidence.left, model.rows),
            (evidence.right, model.columns),
        ):
            for node, number in enumerate(duals):
                if number and node in rows:
                    yield number, rows[node]
        first, second = problem.first[part.terms], problem.second[part.terms]
        owner = np.concatenate([first, second]).astype(np.int64)
        partner = np.concatenate([second, first])
        for duals, nodes, width, counted in (
            (evidence.inner_left, problem.left, problem.n_left, model.by_left),
            (evidence.inner_right, problem.right, problem.n_right, model.by_right),
        ):
            keys = np.unique(owner * width + nodes[partner])
            for key, number in zip(keys.tolist(), duals, strict=True):
                if number:
                    yield number, counted[divmod(key, width)]

    def _taken(self, part: _ProofPart, c: int) -> _ProofPart:
        refuted = {}
        for nodes, rows in (
            (self.problem.left, self.model.rows),
            (self.problem.right, self.model.columns),
        ):
            row = rows[int(nodes[c])]
            for rival in part.candidates[nodes[part.candidates] == nodes[c]].tolist():
                if rival != c:
                    clause = self._sum()
                    clause.add(row, 1)
                    wanted = self._vector()
                    wanted[[c, rival]] = -1
                    clause.raise_to(wanted)
                    refuted[rival] = self._written(clause)
        return self._without(part, refuted)

    def _left_out(self, part: _ProofPart, c: int) -> _ProofPart:
        return self._without(part, {c: None})

    def _without(
        self, part: _ProofPart, refuted: Mapping[int, Constraint | None]
    ) -> _ProofPart:
        """The part without some candidates, and what is demanded of the rest.

        Args:
            part: the part.
            refuted: why each of them is not chosen; ``None`` where that was decided.
        """
        problem = self.problem
        keep = np.ones(problem.n_candidates, dtype=np.bool_)
        keep[list(refuted)] = False
        both = keep[problem.first[part.terms]] & keep[problem.second[part.terms]]
        candidates, terms = part.candidates[keep[part.candidates]], part.terms[both]
        wrong = dict(part.wrong)
        total = self._sum()
        total.add(part.demand, 1)
        for c, heaviest in self._heaviest(part.terms[~both], refuted).items():
            for node, weight in heaviest.items():
                total.add(self.model.by_left[c, node], weight)
            worth = int(problem.unary[c]) + sum(heaviest.values())
            if worth > 0:
                reason = refuted[c]
                literals = [(c, True)]
                if reason is not None:
                    total.add(reason, worth)
                    literals = _literals(reason, c)
                for literal in literals:
                    wrong[literal] = wrong.get(literal, 0) + worth
        lattice = _lattice(problem.unary[candidates], problem.weight[terms])
        wrong = {t: -(-weight // lattice) * lattice for t, weight in wrong.items()}
        wanted = self._vector()
        wanted[candidates] = problem.unary[candidates]
        wanted[problem.n_candidates + terms] = problem.weight[terms]
        for (variable, true), weight in wrong.items():
            wanted[variable] += weight if true else -weight
        total.raise_to(wanted)
        total.divide(lattice)
        total.multiply(lattice)
        goal = -(-part.goal // lattice) * lattice
        return replace(
            part,
            candidates=candidates,
            terms=terms,
            demand=self._written(total),
            goal=goal,
            wrong=wrong,
        )

    def _heaviest(
        self, gone: Vector, refuted: Iterable[int]
    ) -> dict[int, dict[int, int]]:
        """The heaviest term of each refuted candidate with each left node."""
        problem = self.problem
        found: dict[int, dict[int, int]] = {c: {} for c in refuted}
        for p in gone.tolist():
            c, d = int(problem.first[p]), int(problem.second[p])
            if c not in found:
                c, d = d, c
            node = int(problem.left[d])
            weight = int(problem.weight[p])
            found[c][node] = max(found[c].get(node, 0), weight)
        return found

    def _joined(self, c: int, taken: Constraint, left_out: Constraint) -> Constraint:
        if taken.coefficient(c) >= 0:
            return taken
        if left_out.coefficient(c) <= 0:
            return left_out
        total = self._sum()
        total.add(taken, 1)
        total.add(left_out, 1)
        total.to_clause()
        return self._written(total)

    def _sum(self) -> _ConstraintSum:
        return _ConstraintSum(self.model)

    def _vector(self) -> Vector:
        return np.zeros(self.model.n_variables, dtype=np.int64)

    def _written(self, total: _ConstraintSum) -> Constraint:
        self.last += 1
        self.stream.write(f"pol {' '.join(total.steps)}\n")
        return self._of(total.coefficients, total.degree)

    def _of(self, coefficients: Vector, degree: int) -> Constraint:
        """The last constraint, of its coefficients of all variables."""
        variables = np.flatnonzero(coefficients)
        return Constraint(self.last, variables, coefficients[variables], degree)


def _lattice(*weights: IntArray) -> int:
    """The greatest common divisor of all weights, so also of all values."""
    return max(int(np.gcd.reduce(np.abs(np.concatenate(weights)), initial=0)), 1)


def _literals(clause: Constraint, c: int) -> list[tuple[int, bool]]:
    signs = zip(clause.variables.tolist(), clause.coefficients.tolist(), strict=True)
    return [(v, k > 0) for v, k in signs if v != c]


def _literal(name: int, true: bool) -> str:
    return f"{'' if true else '~'}x{name}"
