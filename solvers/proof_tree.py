"""The proof that nothing in a certificate's tree is worth more than a value.

:mod:`exactmatch.solvers.cutting_planes` says how, and what comes of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from exactmatch.base.errors import SolverError
from exactmatch.solvers.certificate import LARGEST, Certificate, Round
from exactmatch.solvers.problem import IntArray
from exactmatch.solvers.proof_lines import ProofLines
from exactmatch.solvers.pseudo_boolean import Constraint, Model, Vector


class ConstraintSum:
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

    def add_all(self, constraints: Sequence[tuple[int, Constraint]]) -> None:
        """Add constraints, each so many times."""
        if not constraints:
            return
        sizes = [len(each.variables) for _, each in constraints]
        times = np.repeat([times for times, _ in constraints], sizes)
        coefficients = np.concatenate([each.coefficients for _, each in constraints])
        variables = np.concatenate([each.variables for _, each in constraints])
        np.add.at(self.coefficients, variables, times * coefficients)
        for number, constraint in constraints:
            self.degree += number * constraint.degree
            self._push(str(constraint.number), number)

    def raise_to(self, wanted: Vector) -> None:
        """Add that variables lie between 0 and 1 until these are the coefficients."""
        missing = wanted - self.coefficients
        for variable in np.flatnonzero((missing != 0) & (wanted != 0)).tolist():
            times, name = int(missing[variable]), int(self.names[variable])
            self._push(literal(name, times > 0), abs(times))
        needless = self.names[(missing != 0) & (wanted == 0)].tolist()
        self.steps += [f"x{name} w" for name in needless]
        self.degree += int(np.minimum(missing, 0).sum())
        self.coefficients = wanted.copy()

    def divide(self, divisor: int) -> None:
        """Divide and round up in normal form, where coefficients are positive."""
        degree = -(-self._normal_degree() // divisor)
        signs = np.sign(self.coefficients)
        self.coefficients = signs * -(-np.abs(self.coefficients) // divisor)
        self.degree = degree + int(np.minimum(self.coefficients, 0).sum())
        if divisor > 1:
            self.steps.append(f"{divisor} d")

    def saturate(self) -> None:
        """Lower coefficients to the degree, both in normal form."""
        degree = self._normal_degree()
        if np.abs(self.coefficients).max(initial=0) > degree:
            self.coefficients = np.clip(self.coefficients, -degree, degree)
            self.degree = degree + int(np.minimum(self.coefficients, 0).sum())
            self.steps.append("s")

    def _normal_degree(self) -> int:
        return self.degree - int(np.minimum(self.coefficients, 0).sum())

    def multiply(self, factor: int) -> None:
        """Multiply by a number above 0."""
        self.coefficients = factor * self.coefficients
        self.degree *= factor
        if factor > 1:
            self.steps.append(f"{factor} *")

    def to_clause(self) -> None:
        """Divide so that every coefficient, and the degree, becomes 1.

        Raises:
            SolverError: if nothing is refuted, so that the certificate does not hold.
        """
        degree = self._normal_degree()
        if degree <= 0:
            raise SolverError("the certificate does not prove what it claims")
        largest = int(np.abs(self.coefficients).max(initial=0))
        self.divide(max(largest, degree))

    def check_contradiction(self) -> None:
        """Check that no values of the variables are enough.

        Raises:
            SolverError: if some are, so that the certificate does not hold.
        """
        if int(np.maximum(self.coefficients, 0).sum()) >= self.degree:
            raise SolverError("the certificate does not prove what it claims")

    def _push(self, operand: str, times: int) -> None:
        step = operand if times == 1 else f"{operand} {times} *"
        self.steps.append(f"{step} +" if self.steps else step)


@dataclass(frozen=True, slots=True, eq=False)
class ProofPart:
    """A node of the certificate's tree.

    Attributes:
        candidates, terms: the numbers of those still there, increasing.
        demand: what a better alignment must keep to: those still there are worth
            *goal*, or a decision was wrong; others may have coefficients below 0.
        goal: the least value above the best one.
        wrong: for each candidate how much a wrong decision about it weighs in the
            demand: above 0 if it was left out, below 0 if it was taken.
        closed: some decision is wrong, if that is known already.
    """

    candidates: Vector
    terms: Vector
    demand: Constraint
    goal: int
    wrong: Vector
    closed: Constraint | None = None


class TreeProof:
    """Writes the proof that nothing in a tree is worth as much as is demanded.

    Attributes:
        written: the numbers of the constraints that were derived.
    """

    counts_what_is_there: ClassVar[bool] = False
    """Whether demands have no coefficients of what was dropped."""

    def __init__(
        self,
        lines: ProofLines,
        model: Model,
        demand: Constraint,
        goal: int,
        wrong: Vector | None = None,
    ) -> None:
        """Write about a model; *demand* and *wrong* are those of the root."""
        self.lines = lines
        self.model = model
        self.problem = model.problem
        self.demand = demand
        self.goal = goal
        self.wrong = self._vector() if wrong is None else wrong
        self.written: list[int] = []

    def _root(self) -> ProofPart:
        whole = ProofPart(
            np.arange(self.problem.n_candidates, dtype=np.int64),
            np.arange(self.problem.n_terms, dtype=np.int64),
            self.demand,
            self.goal,
            self.wrong,
        )
        return self._without(whole, [])

    def write_tree(self, certificate: Certificate) -> Constraint:
        """Walk through the nodes; close each, and join the branches on the way up.

        Returns:
            The contradiction.

        Raises:
            SolverError: if there is none.
        """
        open_parts: list[ProofPart | int] = [self._root()]
        closed: list[Constraint] = []
        for node in certificate.nodes:
            part = open_parts.pop()
            assert isinstance(part, ProofPart)
            for evidence in node.rounds:
                if part.closed is None:
                    part = self._after_round(part, evidence)
            if node.branch is not None and part.closed is not None:
                open_parts += [0, part, part]  # nothing below it is needed
                continue
            if node.branch is not None:
                c = int(part.candidates[node.branch])
                open_parts += [c, self._without(part, [c]), self._taken(part, c)]
                continue
            if part.closed is None:
                raise SolverError("the certificate leaves a node open")
            closed.append(part.closed)
            while open_parts and isinstance(decided := open_parts[-1], int):
                del open_parts[-1]
                left_out, taken = closed.pop(), closed.pop()
                closed.append(self._joined(decided, taken, left_out))
        return closed[0]

    def _after_round(self, part: ProofPart, evidence: Round) -> ProofPart:
        """Drop what a round drops, and close the node if it can."""
        used = [*self._used(part, evidence)]
        common = math.gcd(evidence.unit, *(number for number, _ in used))
        unit = evidence.unit // common
        if unit * float(np.abs(part.demand.coefficients).sum()) >= LARGEST:
            raise SolverError("the certificate needs numbers that are too large")
        total = self._sum()
        total.add_all([(number // common, constraint) for number, constraint in used])
        gap = -total.degree - unit * part.goal
        dropped = part.candidates[list(evidence.dropped)]
        wanted = unit * part.wrong
        if gap >= 0 and not len(dropped):
            return part
        total.add(part.demand, unit)
        if gap < 0 and wanted.any():
            total.raise_to(wanted)
            total.to_clause()
        elif gap < 0:
            total.check_contradiction()
        if gap < 0:
            return replace(part, closed=self._written(total))
        wanted[dropped] -= gap + 1
        total.raise_to(wanted)
        total.divide(gap + 1)
        total.saturate()
        shown = self._written(total)
        wrong = total.coefficients.copy()
        wrong[dropped] += 1
        return self._without(part, dropped, [(shown, dropped, wrong)])

    def _used(
        self, part: ProofPart, evidence: Round
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

    def _taken(self, part: ProofPart, c: int) -> ProofPart:
        reasons = []
        for nodes, rows in (
            (self.problem.left, self.model.rows),
            (self.problem.right, self.model.columns),
        ):
            rivals = part.candidates[nodes[part.candidates] == nodes[c]]
            wrong = self._vector()
            wrong[c] = -1
            reasons.append((rows[int(nodes[c])], rivals[rivals != c], wrong))
        rivals = np.concatenate([excluded for _, excluded, _ in reasons])
        return self._without(part, rivals, reasons)

    def _without(
        self,
        part: ProofPart,
        dropped: Sequence[int] | Vector,
        reasons: Iterable[tuple[Constraint, Vector, Vector]] = (),
    ) -> ProofPart:
        """The part without some candidates, and what is demanded of the rest.

        Args:
            part: the part.
            dropped: the candidates; where no reason is given, that was decided.
            reasons: constraints that exclude some of them, and how much in each it
                weighs that a decision was wrong.
        """
        problem = self.problem
        keep = np.ones(problem.n_candidates, dtype=np.bool_)
        keep[dropped] = False
        both = keep[problem.first[part.terms]] & keep[problem.second[part.terms]]
        candidates, terms = part.candidates[keep[part.candidates]], part.terms[both]
        lattice = _lattice(problem.unary[candidates], problem.weight[terms])
        goal = -(-part.goal // lattice) * lattice
        if goal == part.goal and not len(dropped):
            return part
        total = self._sum()
        total.add(part.demand, 1)
        heaviest = self._heaviest(part.terms[~both], dropped)
        total.add_all([(heaviest[key], self.model.by_left[key]) for key in heaviest])
        wrong = part.wrong.copy()
        worth = total.coefficients - wrong
        for constraint, excluded, amounts in reasons:
            times = int(worth[excluded].max(initial=0))
            if times:
                total.add(constraint, times)
                wrong += times * amounts
        if not reasons:
            wrong[dropped] = np.maximum(worth[dropped], 0)
        if goal > part.goal or self.counts_what_is_there:
            wrong = np.sign(wrong) * -(-np.abs(wrong) // lattice) * lattice
            wanted = wrong.copy()
            wanted[candidates] += problem.unary[candidates]
            wanted[problem.n_candidates + terms] = problem.weight[terms]
            total.raise_to(wanted)
            total.divide(lattice)
            total.multiply(lattice)
        demand = self._written(total)
        return ProofPart(candidates, terms, demand, goal, wrong)

    def _heaviest(
        self, gone: Vector, refuted: Sequence[int] | Vector
    ) -> dict[tuple[int, int], int]:
        """The heaviest term of each refuted candidate with each left node."""
        problem = self.problem
        first, second = problem.first[gone], problem.second[gone]
        is_first = np.isin(first, refuted)
        owner = np.where(is_first, first, second)
        node = problem.left[np.where(is_first, second, first)]
        found: dict[tuple[int, int], int] = {}
        triples = zip(
            owner.tolist(), node.tolist(), problem.weight[gone].tolist(), strict=True
        )
        for c, left, weight in triples:
            found[c, left] = max(found.get((c, left), 0), weight)
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

    def _sum(self) -> ConstraintSum:
        return ConstraintSum(self.model)

    def _vector(self) -> Vector:
        return np.zeros(self.model.n_variables, dtype=np.int64)

    def _written(self, total: ConstraintSum) -> Constraint:
        number = self.lines.sum(total.steps)
        self.written.append(number)
        return Constraint.of(number, total.coefficients, total.degree)


def _lattice(*weights: IntArray) -> int:
    """The greatest common divisor of all weights, so also of all values."""
    return max(int(np.gcd.reduce(np.abs(np.concatenate(weights)), initial=0)), 1)


def literal(name: int, true: bool) -> str:
    """A variable, or its negation, as proofs name it."""
    return f"{'' if true else '~'}x{name}"
