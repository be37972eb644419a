"""Exact search from the linear relaxation, for large and stubborn problems.

1. The linear relaxation of the aggregated model is solved once for the whole
   problem, and its duals are made exact (:mod:`exactmatch.solvers.linear.relaxation`).
2. Its solution is rounded to an alignment and improved by hill-climbing.
3. Candidates that, by their slack, are in no better alignment are dropped
   (reduced-cost fixing).
4. The rest goes to ``bnb``; if that needs too many nodes, to a branch and bound whose
   nodes are relaxations again; and then to another solver, whose answer has no
   certificate.  If very many candidates are left, that solver comes before the tree.

The relaxation is so close to the optimum that the search is optimistic: it first looks
only for alignments worth nearly as much as the bound.  This *window* is a much smaller
problem than all that may beat the best alignment so far.  If there is no such
alignment, the bound falls to the window's floor, and the window doubles.

*Pseudo-costs* choose the candidate that the tree branches on.  One branch takes the
candidate, the other leaves it out.  The pseudo-cost of a kind of branch is the mean
fall of the relaxation in earlier branches of that kind, for each unit that the
candidate's value had to move; a candidate without earlier branches has the mean of all
others.  The falls that are expected of both branches are weighed: five parts for the
smaller one, one part for the larger one; a fall that closes a branch counts no more
than that.

Source: Bénichou et al. (1971), "Experiments in mixed-integer linear programming", for
pseudo-costs; Linderoth and Savelsbergh (1999), "A computational study of search
strategies for mixed integer programming", for the weights.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, field

import numpy as np

from exactmatch.solvers.base import Solver
from exactmatch.solvers.bnb import BranchAndBound
from exactmatch.solvers.certificate import Certificate, ProofNode, Round
from exactmatch.solvers.linear.relaxation import (
    ProvenDuals,
    Relaxation,
    relaxation,
    rounded,
)
from exactmatch.solvers.problem import AlignmentProblem, BoolArray, FloatArray, IntArray
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Proof, Proposal

WINDOW_NODES = 1000
"""Limit on the nodes of ``bnb`` for a window; about one millisecond each."""

TREE_NODES = 600
"""Limit on the relaxations of the tree for a window; ten times as long each."""

MAX_TRIALS = 8
"""The most candidates that are tried before the tree branches on one of them."""

MANY_CANDIDATES = 10_000
"""If a window leaves more candidates, hundreds of relaxations take minutes; so the
other solver comes before the tree."""

QUICK_TERMS = 5000
"""The relaxation of a part with no more pair terms is quick."""

TAKEN, LEFT_OUT = 0, 1
"""The two kinds of branches, in the order of certificates."""

_WEIGHT_OF_THE_LESSER = 5 / 6

_INTEGRAL = 1e-6
"""A value that is this near to 0 or 1 is not fractional."""

_MAX_COMPARED = 200
"""The most candidates that are compared: those with the highest stakes."""


@dataclass(frozen=True, slots=True)
class TreeSearch:
    """Search by relaxations, with its limits and its best results.

    Attributes:
        window_nodes, tree_nodes: see the constants; 0 skips ``bnb`` or the tree.
        finish: the solver for the rest of a window.
    """

    progress: Progress
    record_proof: bool = False
    window_nodes: int = WINDOW_NODES
    tree_nodes: int = TREE_NODES
    finish: Solver | None = None

    def run(
        self, problem: AlignmentProblem, first: Proposal | None = None, above: int = 0
    ) -> Proposal | None:
        """Improve the alignment and bound the problem, to optimality if possible.

        Args:
            first: the proposal of ``bnb``, which was cut short; candidates that its
                root dropped are left out of the relaxation, too.
            above: only alignments worth more are looked for, as *first* did, so the
                bound falls no lower.

        Returns:
            The bound reached, never above that of *first*, or ``None`` if not even
            the first relaxation was solved in time.  A bound that another solver proved
            (``milp``) has no certificate.
        """
        if first is None:
            return self._run(problem, above, None)
        previous, first_certificate = first, first.certificate
        if first_certificate is not None and first_certificate.bound != first.bound:
            previous = first._replace(certificate=None)
        if first.still_open is None:
            return self._run(problem, above, previous)
        keep = np.zeros(problem.n_candidates, dtype=np.bool_)
        keep[list(first.still_open)] = True
        proposal = self._run(problem.restricted(keep), above, previous)
        certificate = None if proposal is None else proposal.certificate
        if certificate is None or certificate is previous.certificate:
            return proposal
        assert proposal is not None
        assert first_certificate is not None
        return proposal._replace(
            certificate=certificate.after(first_certificate.nodes[0].rounds)
        )

    def _run(
        self, problem: AlignmentProblem, above: int, previous: Proposal | None
    ) -> Proposal | None:
        """Do the same for a part of the problem that has every better alignment.

        If *previous* has a lower bound than the relaxation, the search goes on from it,
        and returns it if no lower bound is proved.
        """
        progress = self.progress
        relaxed = relaxation(problem, progress)
        if relaxed is None:
            return None
        duals = relaxed[1]
        rounded(problem, relaxed[0].x, progress.of_part(problem))
        bound, root = max(duals.bound, progress.value, above), None
        if self.record_proof:
            root = Certificate(bound, (ProofNode((duals.round(),)),))
        proposal = Proposal(progress.alignment, bound, "lp", root)
        if (
            previous is not None
            and previous.bound is not None
            and previous.bound < bound
        ):
            proposal, bound = previous, previous.bound
        window, last_bound = problem.step(), bound + 1
        while max(progress.value, above) < bound < last_bound:
            progress.prove(bound, proposal.proof)
            last_bound = bound
            floor = max(progress.value, above, last_bound - window)
            bound, proposal = self._search_window(
                problem, duals, bound, proposal, floor
            )
            if bound > max(floor, progress.value):  # cut short
                break
            window *= 2
        return proposal._replace(alignment=progress.alignment)

    def _search_window(
        self,
        problem: AlignmentProblem,
        duals: ProvenDuals,
        previous_bound: int,
        previous: Proposal,
        floor: int,
    ) -> tuple[int, Proposal]:
        """Look for alignments worth more than *floor*.

        Returns:
            The new bound and its proof.  Unless the search was cut short, the bound is
            *floor* or the value of the best alignment.
        """
        keep = duals.open_candidates(floor)
        part = problem.restricted(keep)
        progress = self.progress.of_part(part, floor)
        bound, certificate, proof = previous_bound, None, previous.proof
        if self.window_nodes:
            solver = BranchAndBound(self.record_proof, self.window_nodes)
            proposal = solver.search(part, progress, above=floor, at_most=bound)
            if proposal.bound is not None and proposal.bound < bound:
                # values of a part may lie further apart: the floor counts for the rest
                bound, proof = max(proposal.bound, floor), "branch"
                if bound == proposal.bound:
                    certificate = proposal.certificate
        is_large = part.n_candidates > MANY_CANDIDATES and not self.record_proof
        if is_large and self.finish is not None and bound > self._closing_bound(floor):
            part = self._narrow(part, floor)
            bound, proof = self._finish_by_solver(part, floor, bound, proof)
        elif bound > self._closing_bound(floor):
            if self.tree_nodes:
                tree_bound, tree_certificate = _Tree(self, floor).grow(part, bound)
                if tree_bound < bound:
                    bound, certificate, proof = tree_bound, tree_certificate, "branch"
            if self.finish is not None and bound > self._closing_bound(floor):
                bound, proof = self._finish_by_solver(part, floor, bound, proof)
        if proof == "milp" and bound < previous_bound:
            certificate = None
        if bound == previous_bound:
            return bound, previous
        if certificate is not None:
            dropped = tuple(np.flatnonzero(~keep).tolist())
            certificate = certificate.after([duals.round(dropped)])
        elif previous.proof == "milp":
            proof = "milp"
        return bound, Proposal(progress.alignment, bound, proof, certificate)

    def _closing_bound(self, floor: int) -> int:
        """Return the bound at which a window is closed."""
        return max(floor, self.progress.value)

    def _finish_by_solver(
        self, part: AlignmentProblem, floor: int, bound: int, proof: Proof
    ) -> tuple[int, Proof]:
        """Run the other solver; return the bound after it, and its proof."""
        assert self.finish is not None
        progress = self.progress.of_part(part, floor)
        last = self.finish.propose(part, progress)
        progress.offer(last.alignment)
        if last.bound is not None and max(floor, last.bound) < bound:
            return max(floor, last.bound), "milp"
        return bound, proof

    def _narrow(self, part: AlignmentProblem, floor: int) -> AlignmentProblem:
        """Drop candidates by repeated relaxations, while each drops a tenth."""
        n_before = 2 * part.n_candidates
        while 0 < 10 * part.n_candidates <= 9 * n_before:
            relaxed = relaxation(part, self.progress.of_part(part, floor))
            if relaxed is None:
                return part
            n_before = part.n_candidates
            part = part.restricted(relaxed[1].open_candidates(floor))
        return part


@dataclass(slots=True)
class PseudoCosts:
    """Pseudo-costs, learned from the branches of one tree.

    Attributes:
        falls: by the name of each candidate that was branched on: the sum of the falls
            for a unit, and their number, where it was taken and where it was left out.
    """

    falls: dict[int, tuple[list[float], list[float]]] = field(default_factory=dict)

    def learn(self, name: int, kind: int, distance: float, fall: float) -> None:
        """Record the fall of a relaxation where a value moved by some distance."""
        sum_and_number = self.falls.setdefault(name, ([0.0, 0.0], [0.0, 0.0]))[kind]
        sum_and_number[0] += max(fall, 0.0) / max(distance, 1e-3)
        sum_and_number[1] += 1

    def choose(
        self, problem: AlignmentProblem, x: FloatArray, needed: float, lattice: int = 0
    ) -> int:
        """Return the candidate to branch on, or -1 if there is nothing to decide.

        Args:
            problem: the part that is left at the node.
            x: the value of each candidate in the relaxation, 0 to 1.
            needed: the fall that closes a branch.
            lattice: values are multiples of it; a larger fall is no better.
        """
        stakes = at_stake(problem, x)
        order = np.argsort(-stakes, kind="stable")[:_MAX_COMPARED]
        if not len(order) or stakes[order[0]] <= 0:
            return -1
        undecided = order[
            (stakes[order] > 0) & (np.abs(x[order] - 0.5) < 0.5 - _INTEGRAL)
        ]
        if not len(undecided):
            return int(order[0])
        names, chosen = names_of(problem)[undecided].tolist(), x[undecided]
        fall_if_left_out = self._expected(names, LEFT_OUT) * chosen
        fall_if_taken = self._expected(names, TAKEN) * (1 - chosen)
        falls = np.minimum(
            [fall_if_left_out, fall_if_taken], max(2 * needed + lattice, 1e-3)
        )
        scores = _WEIGHT_OF_THE_LESSER * falls.min(axis=0)
        scores += (1 - _WEIGHT_OF_THE_LESSER) * falls.max(axis=0)
        return int(undecided[scores.argmax()])

    def _expected(self, names: list[int], kind: int) -> FloatArray:
        learned = {
            name: sums_and_numbers[kind][0] / sums_and_numbers[kind][1]
            for name, sums_and_numbers in self.falls.items()
            if sums_and_numbers[kind][1]
        }
        mean = math.fsum(learned.values()) / len(learned) if learned else 1.0
        return np.array([learned.get(name, mean) for name in names])


@dataclass(slots=True)
class _Branch:
    """A branch that is still to be searched.

    Attributes:
        path: the kinds of the branches that lead to it.
        name, distance: the candidate that was branched on last, and how far its value
            has to move, between 0 and 1.
        before: what the relaxation was worth before.
        solved: its relaxation, if it was tried before.
    """

    part: AlignmentProblem
    path: tuple[int, ...] = ()
    name: int = -1
    distance: float = 0.0
    before: float = 0.0
    solved: tuple[Relaxation, ProvenDuals] | None = None


@dataclass(slots=True)
class _Tree:
    """A tree of relaxations; *nodes* holds the nodes of its certificate, by path."""

    search: TreeSearch
    floor: int
    costs: PseudoCosts = field(default_factory=PseudoCosts)
    nodes: dict[tuple[int, ...], ProofNode] = field(default_factory=dict)
    count: int = 0

    @property
    def goal(self) -> int:
        """Only alignments worth more are looked for."""
        return max(self.floor, self.search.progress.value)

    def grow(
        self, part: AlignmentProblem, bound: int
    ) -> tuple[int, Certificate | None]:
        """Search a part whose alignments are worth at most *bound*.

        Returns:
            The bound reached, which is the goal if the search was not cut short; and
            then the certificate, if one is recorded.
        """
        order = 0  # of equal bounds the newest first, so that the search dives
        heap = [(-bound, order, _Branch(part))]
        while heap and -heap[0][0] > self.goal:
            if self.count >= self.search.tree_nodes:
                return -heap[0][0], None
            negated, _, branch = heapq.heappop(heap)
            part = branch.part
            if branch.solved is None:
                self._solve(branch)
            if branch.solved is None:
                return -negated, None
            relaxed, duals = branch.solved
            rounded(part, relaxed.x, self.search.progress.of_part(part))
            bound = min(duals.bound, -negated)
            keep = duals.open_candidates(self.goal)
            rounds: tuple[Round, ...] = ()
            if self.search.record_proof:
                rounds = (duals.round(tuple(np.flatnonzero(~keep).tolist())),)
            self.nodes[branch.path] = ProofNode(rounds)
            if bound <= self.goal:
                continue
            remaining = part.restricted(keep)
            c, children = self._branches(branch.path, remaining, relaxed, keep, duals)
            if c < 0:
                return bound, None
            self.nodes[branch.path] = ProofNode(rounds, c)
            for child in reversed(children):
                self.nodes[child.path] = ProofNode(())
                order -= 1
                heapq.heappush(heap, (-bound, order, child))
        if not self.search.record_proof:
            return self.goal, None
        nodes = [self.nodes[path] for path in sorted(self.nodes)]
        return self.goal, Certificate(self.goal, tuple(nodes))

    def _branches(
        self,
        path: tuple[int, ...],
        remaining: AlignmentProblem,
        relaxed: Relaxation,
        keep: BoolArray,
        duals: ProvenDuals,
    ) -> tuple[int, list[_Branch]]:
        """Return the candidate to branch on, -1 for none, and both branches.

        If a relaxation is quick, likely candidates without pseudo-costs are tried
        before one is chosen.
        """
        x, value = relaxed.x[keep], relaxed.value
        needed = value - self.goal - duals.lattice
        names = names_of(remaining)
        children_of: dict[int, list[_Branch]] = {}
        while True:
            c = self.costs.choose(remaining, x, needed, duals.lattice)
            if c < 0 or c in children_of:
                return c, children_of.get(c, [])
            name, is_candidate = int(names[c]), np.arange(remaining.n_candidates) == c
            rivals = (remaining.left == remaining.left[c]) | (
                remaining.right == remaining.right[c]
            )
            children = [
                _Branch(
                    remaining.restricted(keep_in_child),
                    (*path, kind),
                    name,
                    distance,
                    value,
                )
                for kind, keep_in_child, distance in (
                    (TAKEN, is_candidate | ~rivals, 1 - float(x[c])),
                    (LEFT_OUT, ~is_candidate, float(x[c])),
                )
            ]
            is_known = name in self.costs.falls
            if (
                is_known
                or len(children_of) == MAX_TRIALS
                or remaining.n_terms > QUICK_TERMS
            ):
                return c, children
            for child in children:
                self._solve(child)
            children_of[c] = children

    def _solve(self, branch: _Branch) -> None:
        """Solve the relaxation of a branch, and learn its pseudo-cost."""
        branch.solved = relaxation(branch.part, self.search.progress)
        self.count += 1
        if branch.solved is not None and branch.path:
            fall = branch.before - branch.solved[0].value
            self.costs.learn(branch.name, branch.path[-1], branch.distance, fall)


def names_of(problem: AlignmentProblem) -> IntArray:
    """Return the name of each candidate: a number that is equal in all parts."""
    names: IntArray = problem.left * problem.n_right + problem.right
    return names


def at_stake(problem: AlignmentProblem, x: FloatArray) -> FloatArray:
    """Return the stake of each candidate: its doubt times the weight it could add."""
    has_rival = np.zeros(problem.n_candidates, dtype=np.bool_)
    for nodes, count in problem.sides:
        has_rival |= np.bincount(nodes, minlength=count)[nodes] > 1
    stakes = problem.unary.astype(np.float64)
    for ends in (problem.first, problem.second):
        np.add.at(stakes, ends, problem.weight)
    return np.where(has_rival, (np.minimum(x, 1 - x) + 1e-6) * stakes, 0.0)
