"""The proof of a tree in which one candidate is tried for all that are alike.

Before a candidate is taken, a line says of each that is like it (its *mate*)::

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

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from exactmatch.base.errors import SolverError
from exactmatch.solvers.certificate import Certificate, ProofNode
from exactmatch.solvers.problem import IntArray
from exactmatch.solvers.proof_tree import ProofPart, TreeProof, literal
from exactmatch.solvers.pseudo_boolean import Constraint

Classes = tuple[IntArray, IntArray]
"""Of each left node a number that free nodes alike share; and of each right node."""


class SymmetricProof(TreeProof):
    """Writes the proof of a tree whose certificate says which nodes are alike."""

    counts_what_is_there = True

    def write_tree(self, certificate: Certificate) -> Constraint:
        symmetry = certificate.symmetry
        assert symmetry is not None
        problem = self.problem
        classes = np.arange(problem.n_left), np.arange(problem.n_right)
        for own, alike in zip(classes, (symmetry.left, symmetry.right), strict=True):
            for nodes in alike:
                own[list(nodes)] = nodes[0]
        begun = self.lines.last
        closed = self._closed(iter(certificate.nodes), self._root(), classes)
        self._forget(begun, closed)
        return closed

    def _closed(
        self, nodes: Iterator[ProofNode], part: ProofPart, classes: Classes
    ) -> Constraint:
        """Walk through a subtree; return why some decision above it is wrong."""
        while True:
            node = next(nodes)
            if any(evidence.dropped for evidence in node.rounds):
                raise SolverError("one candidate is dropped without those like it")
            for evidence in node.rounds:
                if part.closed is None:
                    part = self._after_round(part, evidence)
            if part.closed is not None:
                _skip(nodes, node)
                return part.closed
            if node.branch is None:
                raise SolverError("the certificate leaves a node open")
            c = int(part.candidates[node.branch])
            begun = self.lines.last
            mates = {m: self._preferred(c, m) for m in self._mates(part, c, classes)}
            taken = self._closed(nodes, self._taken(part, c), self._fixed(classes, c))
            part = self._left_out(part, c, taken, mates)
            self._forget(begun, part.closed or part.demand)

    def _mates(self, part: ProofPart, c: int, classes: Classes) -> list[int]:
        """The other candidates still there that are like this one."""
        alike = part.candidates != c
        sides = (self.problem.left, self.problem.right)
        for nodes, own in zip(sides, classes, strict=True):
            alike &= own[nodes[part.candidates]] == own[nodes[c]]
        found: list[int] = part.candidates[alike].tolist()
        return found

    def _fixed(self, classes: Classes, c: int) -> Classes:
        """The classes where the nodes of a candidate are no longer free."""
        left, right = classes[0].copy(), classes[1].copy()
        for own, nodes in ((left, self.problem.left), (right, self.problem.right)):
            own[nodes[c]] = len(own) + nodes[c]
        return left, right

    def _preferred(self, c: int, mate: int) -> Constraint:
        """Write that the mate is chosen only if the candidate is."""
        problem, names = self.problem, self.model.names
        images = []
        for nodes, count in (
            (problem.left, problem.n_left),
            (problem.right, problem.n_right),
        ):
            image = np.arange(count)
            image[[nodes[c], nodes[mate]]] = nodes[mate], nodes[c]
            images.append(image[nodes].astype(np.int64))
        keys = problem.left.astype(np.int64) * problem.n_right + problem.right
        moved = np.searchsorted(keys, images[0] * problem.n_right + images[1])
        ends = np.sort([moved[problem.first], moved[problem.second]], axis=0)
        terms = problem.first.astype(np.int64) * problem.n_candidates + problem.second
        others = np.searchsorted(terms, ends[0] * problem.n_candidates + ends[1])
        image = np.concatenate([moved, problem.n_candidates + others])
        changed = np.flatnonzero(image != np.arange(len(image)))
        witness = zip(
            names[changed].tolist(), names[image[changed]].tolist(), strict=True
        )
        number = self.lines.strengthen(
            f"+1 x{names[c]} -1 x{names[mate]} >= 0",
            [(f"x{a}", literal(b, True)) for a, b in witness],
        )
        self.written.append(number)
        return Constraint(number, np.array([c, mate]), np.array([1, -1]), 0)

    def _left_out(
        self, part: ProofPart, c: int, taken: Constraint, mates: dict[int, Constraint]
    ) -> ProofPart:
        """The part without a candidate and its mates, which *taken* refutes."""
        if taken.coefficient(c) >= 0:
            return replace(part, closed=taken)
        reasons = []
        for m, preferred in ((c, None), *mates.items()):
            total = self._sum()
            total.add(taken, 1)
            if preferred is not None:
                total.add(preferred, 1)
            wrong = total.coefficients.copy()
            wrong[m] += 1
            clause = taken if preferred is None else self._written(total)
            reasons.append((clause, np.array([m]), wrong))
        return self._without(part, [c, *mates], reasons)

    def _forget(self, begun: int, kept: Constraint) -> None:
        """Delete what was derived after constraint *begun*, but for one constraint."""
        gone = [n for n in self.written if n > begun and n != kept.number]
        if gone:
            self.lines.delete(gone)
            self.written = [n for n in self.written if n <= begun or n == kept.number]


def _skip(nodes: Iterator[ProofNode], node: ProofNode) -> None:
    """Leave out what is below a node."""
    below = 0 if node.branch is None else 2
    while below:
        below += 1 if next(nodes).branch is not None else -1
