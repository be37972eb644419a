"""Exact search from the linear relaxation, for large and stubborn problems.

1. The linear relaxation of the aggregated model is solved once for the whole
   problem, and its duals are made exact (:mod:`exactmatch.solvers.linear.relaxation`).
2. Its solution is rounded to an alignment and improved by hill-climbing.
3. Candidates that, by their slack, are in no better alignment are dropped
   (reduced-cost fixing).
4. What is left goes to ``bnb``; if that takes it too many nodes, to a branch
   and bound whose nodes are relaxations again
   (:mod:`exactmatch.solvers.linear.branching`); and then to another solver, whose
   answer comes without a certificate.

The relaxation is so close to the optimum that it pays to be optimistic: what
is searched first is only the *window* of what may be worth as much as the bound
allows, a much smaller problem than what may beat the best alignment known.  If
nothing is found there, the bound falls to the window's floor, and the window
doubles.

Every part is a restriction of the problem to some of its candidates, so an
alignment of one is an alignment of all.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field, replace

import numpy as np

from exactmatch.solvers.base import Solver
from exactmatch.solvers.bnb import BranchAndBound
from exactmatch.solvers.certificate import Certificate, ProofNode, Round
from exactmatch.solvers.hillclimb import PeakSearch
from exactmatch.solvers.linear.branching import (
    LEFT_OUT,
    TAKEN,
    Branched,
    PseudoCosts,
    names_of,
)
from exactmatch.solvers.linear.relaxation import (
    ProvenDuals,
    Relaxation,
    proven,
    relaxation,
)
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Proof, Proposal

WINDOW_NODES = 1000
"""How many nodes ``bnb`` may take for a window; about one millisecond each."""

TREE_NODES = 600
"""How many relaxations the tree may take for a window; ten times as long."""


@dataclass(frozen=True, slots=True)
class TreeOutcome:
    """The bound that a search proved.

    Attributes:
        bound: no alignment is worth more.
        proof: ``lp`` if one relaxation proves it, ``branch`` if a tree under it,
            ``milp`` if it rests on another solver's word.
        certificate: evidence for the bound, if asked for and not ``milp``.
    """

    bound: int
    proof: Proof
    certificate: Certificate | None = None


@dataclass(frozen=True, slots=True)
class TreeSearch:
    """How to search, and what is found.

    Attributes:
        progress: the best alignment so far, and until when to search.
        record_proof: whether to record certificates.
        window_nodes, tree_nodes: see the constants; 0 skips that means.
        finish: the solver for what is left of a window after that.
    """

    progress: Progress
    record_proof: bool = False
    window_nodes: int = WINDOW_NODES
    tree_nodes: int = TREE_NODES
    finish: Solver | None = None

    def run(
        self,
        problem: AlignmentProblem,
        first: Proposal | None = None,
        least: int = 0,
    ) -> TreeOutcome | None:
        """Improve the alignment and bound the problem, to optimality if possible.

        Args:
            problem: what to maximise.
            first: what ``bnb`` found before it was cut short; what its root dropped is
                left out of the relaxation, too.
            least: only alignments worth more are looked for, so the bound falls no
                lower; what *first* looked for.

        Returns:
            The bound reached, never above that of *first*, or ``None`` if not even
            the first relaxation was solved in time.
        """
        known = None if first is None else _outcome_of(first)
        if first is None or first.still_open is None:
            return self._run(problem, least, known)
        keep = np.zeros(problem.n_candidates, dtype=np.bool_)
        keep[list(first.still_open)] = True
        outcome = self._run(problem.restricted(keep), least, known)
        if outcome is None or outcome is known or outcome.certificate is None:
            return outcome
        assert first.certificate is not None
        rounds = first.certificate.nodes[0].rounds
        return replace(outcome, certificate=outcome.certificate.after(rounds))

    def _run(
        self, problem: AlignmentProblem, least: int, known: TreeOutcome | None
    ) -> TreeOutcome | None:
        """The same for a part of the problem that holds every better alignment.

        Where *known* is better than the relaxation's bound, the search goes on from it,
        and *known* itself is the answer where nothing better is proved.
        """
        solved = self.relaxed(problem)
        if solved is None:
            return None
        relaxation, duals = solved
        self.round(problem, relaxation)
        bound = max(duals.bound, self.progress.value, least)
        root = (
            Certificate(bound, (ProofNode((duals.round(),)),))
            if self.record_proof
            else None
        )
        outcome = TreeOutcome(bound, "lp", root)
        if known is not None and known.bound < bound:
            outcome = known
        window, before = problem.step(), outcome.bound + 1
        while max(self.progress.value, least) < outcome.bound < before:
            self.progress.prove(outcome.bound, outcome.proof)
            before = outcome.bound
            floor = max(self.progress.value, least, before - window)
            outcome = self._search_window(problem, duals, outcome, floor)
            if outcome.bound > max(floor, self.progress.value):  # cut short
                break
            window *= 2
        return outcome

    def _search_window(
        self,
        problem: AlignmentProblem,
        duals: ProvenDuals,
        known: TreeOutcome,
        floor: int,
    ) -> TreeOutcome:
        """Look for alignments worth more than *floor*.

        The outcome's bound is *floor* or the value of what was found, if the
        search was not cut short.
        """
        keep = duals.open_candidates(floor)
        part = problem.restricted(keep)
        progress = self.progress.of_part(part)
        bound, certificate, proof = known.bound, None, known.proof
        if self.window_nodes:
            solver = BranchAndBound(
                record_proof=self.record_proof, nodes=self.window_nodes
            )
            found = solver.search(part, progress, above=floor, at_most=known.bound)
            progress.offer(found.alignment)
            if found.bound is not None and found.bound < bound:
                bound, certificate, proof = found.bound, found.certificate, "branch"
        if bound > max(floor, self.progress.value) and self.tree_nodes:
            reached, grown = _Tree(self, floor).grow(part, bound)
            if reached < bound:
                bound, certificate, proof = reached, grown, "branch"
        if bound > max(floor, self.progress.value) and self.finish is not None:
            last = self.finish.propose(part, progress)
            progress.offer(last.alignment)
            reached = bound if last.bound is None else max(floor, last.bound)
            if reached < bound:
                bound, certificate, proof = reached, None, "milp"
        if bound == known.bound:
            return known
        if certificate is not None:
            dropped = tuple(np.flatnonzero(~keep).tolist())
            certificate = certificate.after([duals.round(dropped)])
        if known.proof == "milp" and certificate is None:
            proof = "milp"
        return TreeOutcome(bound, proof, certificate)

    def relaxed(
        self, problem: AlignmentProblem
    ) -> tuple[Relaxation, ProvenDuals] | None:
        """The relaxation of a part and its duals, made exact; ``None`` out of time."""
        found = relaxation(problem, self.progress)
        return None if found is None else (found, proven(problem, found))

    def round(self, problem: AlignmentProblem, relaxation: Relaxation) -> None:
        """Climb from the alignment nearest to the relaxation's solution."""
        from scipy.optimize import linear_sum_assignment

        chosen = np.zeros((problem.n_left, problem.n_right))
        chosen[problem.left, problem.right] = relaxation.x
        rows, columns = linear_sum_assignment(chosen, maximize=True)
        start = np.full(problem.n_left, -1)
        used = chosen[rows, columns] > 0
        start[rows[used]] = columns[used]
        climb = PeakSearch(problem)
        progress = self.progress.of_part(problem)
        climb.run(start.tolist(), progress)
        progress.offer(climb.alignment())


def _outcome_of(proposal: Proposal) -> TreeOutcome | None:
    """Return the bound of ``bnb``, and its certificate if it is of that bound."""
    if proposal.bound is None:
        return None
    certificate = proposal.certificate
    if certificate is not None and certificate.bound != proposal.bound:
        certificate = None
    return TreeOutcome(proposal.bound, proposal.proof, certificate)


@dataclass(slots=True)
class _Branch:
    """A node of the tree of relaxations, for the certificate."""

    node: ProofNode = field(default_factory=lambda: ProofNode(()))
    children: tuple[_Branch, ...] = ()

    def listed(self) -> list[ProofNode]:
        """The node, then its branches."""
        return [self.node, *(n for child in self.children for n in child.listed())]


@dataclass(slots=True)
class _Tree:
    search: TreeSearch
    floor: int
    costs: PseudoCosts = field(default_factory=PseudoCosts)

    @property
    def goal(self) -> int:
        """Only alignments worth more are looked for."""
        return max(self.floor, self.search.progress.value)

    def grow(
        self, part: AlignmentProblem, bound: int
    ) -> tuple[int, Certificate | None]:
        """Search a part whose alignments are worth at most *bound*.

        Returns:
            The bound reached, which is the goal if the search was not cut
            short, and then the certificate, if asked for.
        """
        root = _Branch()
        order = 0  # of equal bounds the newest first, so that the search dives
        known: Branched | None = None  # what the part is a branch of
        heap = [(-bound, order, part, root, known)]
        for _ in range(self.search.tree_nodes):
            if not heap or -heap[0][0] <= self.goal:
                break
            negated, _, part, branch, known = heapq.heappop(heap)
            solved = self.search.relaxed(part)
            if solved is None:
                return -negated, None
            relaxation, duals = solved
            if known is not None:
                self.costs.learn(known, relaxation.value)
            self.search.round(part, relaxation)
            bound = min(duals.bound, -negated)
            keep = duals.open_candidates(self.goal)
            rounds: tuple[Round, ...] = ()
            if self.search.record_proof:
                rounds = (duals.round(tuple(np.flatnonzero(~keep).tolist())),)
            branch.node = ProofNode(rounds)
            if bound <= self.goal:
                continue
            rest = part.restricted(keep)
            x, value = relaxation.x[keep], relaxation.value
            c = self.costs.choose(rest, x, value - self.goal - duals.lattice)
            if c < 0:
                return bound, None
            name = int(names_of(rest)[c])
            itself = np.arange(rest.n_candidates) == c
            rivals = (rest.left == rest.left[c]) | (rest.right == rest.right[c])
            branch.node = ProofNode(rounds, c)
            branch.children = (_Branch(), _Branch())
            taken, left_out = branch.children
            for child, kept, kind, distance in (
                (left_out, ~itself, LEFT_OUT, float(x[c])),
                (taken, itself | ~rivals, TAKEN, 1 - float(x[c])),
            ):
                order -= 1
                known = Branched(name, kind, distance, value)
                heapq.heappush(
                    heap, (-bound, order, rest.restricted(kept), child, known)
                )
        if heap and -heap[0][0] > self.goal:
            return -heap[0][0], None
        certificate = None
        if self.search.record_proof:
            certificate = Certificate(self.goal, tuple(root.listed()))
        return self.goal, certificate
