"""The proof that nothing in a certificate's tree is worth more than a value.

:mod:`exactmatch.solvers.proof_files` says how, and what comes of it.

Where nodes are alike, one candidate is tried for all that are.  Before it is taken, a
line says of each that is like it (its *mate*)::

    red +1 x3 -1 x7 >= 0 ; x3 -> x7 x7 -> x3 ...

Where the mate is chosen, the candidate is: a better alignment in which it is not
becomes one in which it is, if the nodes of both are exchanged.  Its *witness*, that
exchange, has to leave what was written before as it is.  So branches are written one
after the other; what was derived for one is deleted before the next; and all demands on
the way count the candidates still there alone, which are as many of a kind as there
were.  When the branch that takes the candidate is closed, it is not chosen, nor is any
mate.

Source: Bogaerts, Gocht, McCreesh and Nordström (2023), "Certified dominance and
symmetry breaking for combinatorial optimisation", section 3, for the rule.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from exactmatch.base.errors import SolverError
from exactmatch.solvers.certificate import LARGEST, Certificate, ProofNode, Round
from exactmatch.solvers.problem import IntArray, keys_of
from exactmatch.solvers.proof_lines import ProofLines
from exactmatch.solvers.pseudo_boolean import Constraint, Model

Classes = tuple[IntArray, IntArray]
"""Of each left node a number that free nodes alike share; and of each right node."""


class ConstraintSum:
    """A line of the proof under construction, in reverse Polish notation."""

    def __init__(self, lines: ProofLines, model: Model) -> None:
        self.lines = lines
        self.names = model.names
        self.coefficients: IntArray = np.zeros(model.n_variables, dtype=np.int64)
        self.degree = 0
        self.steps: list[str] = []

    def add(self, *constraints: Constraint) -> None:
        """Add constraints, each once."""
        self.add_all([(1, each) for each in constraints])

    def add_all(self, constraints: Sequence[tuple[int, Constraint]]) -> None:
        """Add constraints, each multiplied by its factor."""
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

    def raise_to(self, coefficients: IntArray) -> None:
        """Add that variables lie between 0 and 1 until these are the coefficients."""
        missing = coefficients - self.coefficients
        for variable in np.flatnonzero((missing != 0) & (coefficients != 0)).tolist():
            times, name = int(missing[variable]), int(self.names[variable])
            self._push(literal(name, times > 0), abs(times))
        needless = self.names[(missing != 0) & (coefficients == 0)].tolist()
        self.steps += [f"x{name} w" for name in needless]
        self.degree += int(np.minimum(missing, 0).sum())
        self.coefficients = coefficients.copy()

    def divide(self, divisor: int) -> None:
        """Divide and round up in normal form, where coefficients are positive."""
        degree = -(-self._normal_degree() // divisor)
        signs = np.sign(self.coefficients)
        self._put(signs * -(-np.abs(self.coefficients) // divisor), degree)
        if divisor > 1:
            self.steps.append(f"{divisor} d")

    def saturate(self) -> None:
        """Lower coefficients to the degree, both in normal form."""
        degree = self._normal_degree()
        if np.abs(self.coefficients).max(initial=0) > degree:
            self._put(np.clip(self.coefficients, -degree, degree), degree)
            self.steps.append("s")

    def multiply(self, factor: int) -> None:
        """Multiply by a number above 0."""
        self.coefficients = factor * self.coefficients
        self.degree *= factor
        if factor > 1:
            self.steps.append(f"{factor} *")

    def to_clause(self) -> None:
        """Divide so that every coefficient, and the degree, becomes 1."""
        degree = self._normal_degree()
        check_proved(degree > 0)
        largest = int(np.abs(self.coefficients).max(initial=0))
        self.divide(max(largest, degree))

    def write(self) -> Constraint:
        """Write the line; return the constraint that it derives."""
        number = self.lines.sum(self.steps)
        return Constraint.of(number, self.coefficients, self.degree)

    def _normal_degree(self) -> int:
        return self.degree - int(np.minimum(self.coefficients, 0).sum())

    def _put(self, coefficients: IntArray, normal_degree: int) -> None:
        self.coefficients = coefficients
        self.degree = normal_degree + int(np.minimum(coefficients, 0).sum())

    def _push(self, operand: str, times: int) -> None:
        step = operand if times == 1 else f"{operand} {times} *"
        self.steps.append(f"{step} +" if self.steps else step)


@dataclass(frozen=True, slots=True, eq=False)
class ProofPart:
    """A node of the certificate's tree.

    Attributes:
        candidates, terms: those still there, by number.
        demand: what a better alignment must keep to: those still there are worth
            *goal*, or a decision was wrong; others may have coefficients below 0.
        goal: the least value above the best one.
        wrong: how much a wrong decision about each candidate weighs in the demand:
            above 0 if it was left out, below 0 if it was taken.
        closed: some decision is wrong, if that is known already.
    """

    candidates: IntArray
    terms: IntArray
    demand: Constraint
    goal: int
    wrong: IntArray
    closed: Constraint | None = None


class TreeProof:
    """Writes the proof that nothing in a tree is worth as much as is demanded."""

    def __init__(
        self, lines: ProofLines, model: Model, certificate: Certificate
    ) -> None:
        self.lines, self.model, self.problem = lines, model, model.problem
        self.nodes, self.symmetry = certificate.nodes, certificate.symmetry

    def write(
        self,
        demand: Constraint,
        goal: int,
        wrong: IntArray | None = None,
        left_out: Sequence[int] = (),
    ) -> Constraint:
        """Refute a demand for the value *goal*; return the contradiction.

        *wrong* is that of the root.  Where candidates are *left out*, it is that one of
        them is chosen.  There is none if the certificate does not hold, which is a
        SolverError.
        """
        problem = self.problem
        candidates, terms = map(np.arange, (problem.n_candidates, problem.n_terms))
        wrong = self._vector() if wrong is None else wrong
        first_line = self.lines.last
        root_part = ProofPart(candidates, terms, demand, goal, wrong)
        root = self._without(root_part, np.array(left_out, dtype=np.int64))
        if self.symmetry is None:
            return self._plain(root)
        classes = np.arange(problem.n_left), np.arange(problem.n_right)
        alike = self.symmetry.left, self.symmetry.right
        for side_classes, groups in zip(classes, alike, strict=True):
            for nodes in groups:
                side_classes[list(nodes)] = nodes[0]
        closed = self._symmetric(iter(self.nodes), root, classes)
        self.lines.forget(first_line, closed.number)
        return closed

    def _plain(self, root: ProofPart) -> Constraint:
        """Walk through the nodes; close each, and join the branches on the way up."""
        open_parts: list[ProofPart | int] = [root]
        closed: list[Constraint] = []
        for node in self.nodes:
            part = open_parts.pop()
            assert isinstance(part, ProofPart)
            part = self._after_rounds(part, node)
            if node.branch is not None and part.closed is not None:
                open_parts += [0, part, part]  # nothing below it is needed
            elif node.branch is not None:
                c = int(part.candidates[node.branch])
                open_parts += [c, self._without(part, [c]), self._taken(part, c)]
            elif part.closed is None:
                raise SolverError("the certificate leaves a node open")
            else:
                closed.append(part.closed)
                while open_parts and isinstance(decided := open_parts[-1], int):
                    del open_parts[-1]
                    left_out, taken = closed.pop(), closed.pop()
                    closed.append(self._joined(decided, taken, left_out))
        return closed[0]

    def _symmetric(
        self, nodes: Iterator[ProofNode], part: ProofPart, classes: Classes
    ) -> Constraint:
        """Walk through a subtree; return why some decision above it is wrong."""
        while True:
            node = next(nodes)
            if any(evidence.dropped for evidence in node.rounds):
                raise SolverError("one candidate is dropped without those like it")
            part = self._after_rounds(part, node)
            if part.closed is not None:
                below = 0 if node.branch is None else 2
                while below:  # nothing below it is needed
                    below += 1 if next(nodes).branch is not None else -1
                return part.closed
            if node.branch is None:
                raise SolverError("the certificate leaves a node open")
            c = int(part.candidates[node.branch])
            first_line = self.lines.last
            alike = part.candidates != c  # of the candidates still there
            fixed = classes[0].copy(), classes[1].copy()
            for fixed_nodes, (side, count) in zip(
                fixed, self.problem.sides, strict=True
            ):
                alike &= fixed_nodes[side[part.candidates]] == fixed_nodes[side[c]]
                fixed_nodes[side[c]] = count + side[c]  # free no longer
            mates = {m: self._preferred(c, m) for m in part.candidates[alike].tolist()}
            taken = self._symmetric(nodes, self._taken(part, c), fixed)
            part = self._left_out(part, c, taken, mates)
            self.lines.forget(first_line, (part.closed or part.demand).number)

    def _after_rounds(self, part: ProofPart, node: ProofNode) -> ProofPart:
        for evidence in node.rounds:
            if part.closed is None:
                part = self._after_round(part, evidence)
        return part

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
        raised = unit * part.wrong
        if gap >= 0 and not len(dropped):
            return part
        total.add_all([(unit, part.demand)])
        if gap < 0:
            if raised.any():
                total.raise_to(raised)
                total.to_clause()
            else:  # no values of the variables are enough
                highest = int(np.maximum(total.coefficients, 0).sum())
                check_proved(highest < total.degree)
            return replace(part, closed=total.write())
        raised[dropped] -= gap + 1
        total.raise_to(raised)
        total.divide(gap + 1)
        total.saturate()
        shown = total.write()
        wrong = total.coefficients.copy()
        wrong[dropped] += 1
        return self._without(part, dropped, [(shown, dropped, wrong)])

    def _used(
        self, part: ProofPart, evidence: Round
    ) -> Iterator[tuple[int, Constraint]]:
        """Return the constraints that a round adds up, and how often."""
        model, problem = self.model, self.problem
        outer = evidence.left, evidence.right
        for duals, by_node in zip(outer, model.by_node, strict=True):
            for node, number in enumerate(duals):
                if number and node in by_node:
                    yield number, by_node[node]
        both_directions = np.concatenate([part.terms, part.terms + problem.n_terms])
        owner, partner = (ends[both_directions] for ends in problem.directed_terms())
        inner = evidence.inner_left, evidence.inner_right
        sides = zip(inner, problem.sides, model.by_pair, strict=True)
        for duals, (nodes, width), by_pair in sides:
            keys = np.unique(owner * width + nodes[partner])
            for key, number in zip(keys.tolist(), duals, strict=True):
                if number:
                    yield number, by_pair[divmod(key, width)]

    def _taken(self, part: ProofPart, c: int) -> ProofPart:
        wrong = self._vector()
        wrong[c] = -1
        reasons = []
        sides = zip(self.problem.sides, self.model.by_node, strict=True)
        for (nodes, _), by_node in sides:
            rivals = part.candidates[nodes[part.candidates] == nodes[c]]
            reasons.append((by_node[int(nodes[c])], rivals[rivals != c], wrong))
        rivals = np.concatenate([excluded for _, excluded, _ in reasons])
        return self._without(part, rivals, reasons)

    def _without(
        self,
        part: ProofPart,
        dropped: Sequence[int] | IntArray,
        reasons: Iterable[tuple[Constraint, IntArray, IntArray]] = (),
    ) -> ProofPart:
        """Return the part without some candidates, with its demand.

        Reasons are constraints that exclude some of them, and how much it weighs in
        each that a decision was wrong; where there is none, to drop them was decided.
        """
        problem = self.problem
        keep = np.ones(problem.n_candidates, dtype=np.bool_)
        keep[dropped] = False
        keep_term = keep[problem.first[part.terms]] & keep[problem.second[part.terms]]
        candidates, terms = (
            part.candidates[keep[part.candidates]],
            part.terms[keep_term],
        )
        weights = np.concatenate([problem.unary[candidates], problem.weight[terms]])
        lattice = max(int(np.gcd.reduce(weights, initial=0)), 1)
        goal = -(-part.goal // lattice) * lattice
        if goal == part.goal and not len(dropped):
            return part
        heaviest = self._heaviest(part.terms[~keep_term], dropped).items()
        by_left = self.model.by_pair[0]
        total = self._sum()
        total.add(part.demand)
        total.add_all([(weight, by_left[key]) for key, weight in heaviest])
        wrong = part.wrong.copy()
        worth = total.coefficients - wrong
        for constraint, excluded, amounts in reasons:
            times = int(worth[excluded].max(initial=0))
            if times:
                total.add_all([(times, constraint)])
                wrong += times * amounts
        if not reasons:
            wrong[dropped] = np.maximum(worth[dropped], 0)
        if goal > part.goal or self.symmetry is not None:
            wrong = np.sign(wrong) * -(-np.abs(wrong) // lattice) * lattice
            raised = wrong.copy()
            raised[candidates] += problem.unary[candidates]
            raised[problem.n_candidates + terms] = problem.weight[terms]
            total.raise_to(raised)
            total.divide(lattice)
            total.multiply(lattice)
        return ProofPart(candidates, terms, total.write(), goal, wrong)

    def _heaviest(
        self, gone: IntArray, refuted: Sequence[int] | IntArray
    ) -> dict[tuple[int, int], int]:
        """Return the heaviest term of each refuted candidate with each left node."""
        problem = self.problem
        first, second = problem.first[gone], problem.second[gone]
        is_first = np.isin(first, refuted)
        owner = np.where(is_first, first, second).tolist()
        node = problem.left[np.where(is_first, second, first)].tolist()
        heaviest: dict[tuple[int, int], int] = {}
        weights = problem.weight[gone].tolist()
        for c, left, weight in zip(owner, node, weights, strict=True):
            heaviest[c, left] = max(heaviest.get((c, left), 0), weight)
        return heaviest

    def _joined(self, c: int, taken: Constraint, left_out: Constraint) -> Constraint:
        if taken.coefficient(c) >= 0:
            return taken
        if left_out.coefficient(c) <= 0:
            return left_out
        total = self._sum()
        total.add(taken, left_out)
        total.to_clause()
        return total.write()

    def _preferred(self, c: int, mate: int) -> Constraint:
        """Write that the mate is chosen only if the candidate is."""
        problem, names = self.problem, self.model.names
        n, width = problem.n_candidates, problem.n_right
        images = []
        for nodes, count in problem.sides:
            image = np.arange(count)
            image[[nodes[c], nodes[mate]]] = nodes[mate], nodes[c]
            images.append(image[nodes])
        keys = keys_of(problem.left, problem.right, width)
        moved = np.searchsorted(keys, keys_of(images[0], images[1], width))
        first, second = np.sort([moved[problem.first], moved[problem.second]], axis=0)
        terms = keys_of(problem.first, problem.second, n)
        image = np.append(moved, n + np.searchsorted(terms, keys_of(first, second, n)))
        changed = np.flatnonzero(image != np.arange(len(image)))
        variables_and_images = zip(
            names[changed].tolist(), names[image[changed]].tolist(), strict=True
        )
        claim = f"+1 x{names[c]} -1 x{names[mate]} >= 0"
        number = self.lines.strengthen(
            claim, [(f"x{a}", f"x{b}") for a, b in variables_and_images]
        )
        return Constraint(number, np.array([c, mate]), np.array([1, -1]), 0)

    def _left_out(
        self, part: ProofPart, c: int, taken: Constraint, mates: dict[int, Constraint]
    ) -> ProofPart:
        """Return the part without a candidate and its mates, which *taken* refutes."""
        if taken.coefficient(c) >= 0:
            return replace(part, closed=taken)
        reasons = []
        for m, preferred in ((c, []), *((m, [each]) for m, each in mates.items())):
            total = self._sum()
            total.add(taken, *preferred)
            wrong = total.coefficients.copy()
            wrong[m] += 1
            clause = total.write() if preferred else taken
            reasons.append((clause, np.array([m]), wrong))
        return self._without(part, [c, *mates], reasons)

    def _sum(self) -> ConstraintSum:
        return ConstraintSum(self.lines, self.model)

    def _vector(self) -> IntArray:
        return np.zeros(self.model.n_variables, dtype=np.int64)


def check_proved(is_proved: bool) -> None:
    """Refuse a certificate that proves too little."""
    if not is_proved:
        raise SolverError("the certificate does not prove what it claims")


def literal(name: int, true: bool) -> str:
    """Return a variable, or its negation, as proofs name it."""
    return f"{'' if true else '~'}x{name}"
