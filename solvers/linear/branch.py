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
import numpy.typing as npt

from exactmatch.solvers.base import Solver
from exactmatch.solvers.bnb import BranchAndBound
from exactmatch.solvers.certificate import Certificate, ProofNode, Round
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
    rounded,
)
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Proof, Proposal

WINDOW_NODES = 1000
"""How many nodes ``bnb`` may take for a window; about one millisecond each."""

TREE_NODES = 600
"""How many relaxations the tree may take for a window; ten times as long."""

TRIED = 8
"""How many candidates are tried, at most, before the tree branches on one of them."""

QUICK_TERMS = 5000
"""The relaxation of a part of no more pair terms takes little time."""


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
        progress = self.progress.of_part(part, floor)
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
        rounded(problem, relaxation.x, self.progress.of_part(problem))


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
class _Open:
    """A branch that is still to be searched.

    Attributes:
        part: what is left of the problem.
        branch: where it stands in the certificate.
        known: which branch it is.
        solved: its relaxation, if it was tried before.
    """

    part: AlignmentProblem
    branch: _Branch
    known: Branched | None = None
    solved: tuple[Relaxation, ProvenDuals] | None = None


@dataclass(slots=True)
class _Tree:
    search: TreeSearch
    floor: int
    costs: PseudoCosts = field(default_factory=PseudoCosts)
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
            The bound reached, which is the goal if the search was not cut
            short, and then the certificate, if asked for.
        """
        root = _Branch()
        order = 0  # of equal bounds the newest first, so that the search dives
        heap = [(-bound, order, _Open(part, root))]
        while self.count < self.search.tree_nodes:
            if not heap or -heap[0][0] <= self.goal:
                break
            negated, _, node = heapq.heappop(heap)
            part, branch = node.part, node.branch
            solved = node.solved or self._solved(part, node.known)
            if solved is None:
                return -negated, None
            relaxation, duals = solved
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
            c, children = self._branches(rest, relaxation, keep, duals.lattice)
            if c < 0:
                return bound, None
            branch.node = ProofNode(rounds, c)
            taken, left_out = children[TAKEN], children[LEFT_OUT]
            branch.children = (taken.branch, left_out.branch)
            for child in (left_out, taken):
                order -= 1
                heapq.heappush(heap, (-bound, order, child))
        if heap and -heap[0][0] > self.goal:
            return -heap[0][0], None
        certificate = None
        if self.search.record_proof:
            certificate = Certificate(self.goal, tuple(root.listed()))
        return self.goal, certificate

    def _branches(
        self,
        rest: AlignmentProblem,
        relaxation: Relaxation,
        keep: npt.NDArray[np.bool_],
        lattice: int,
    ) -> tuple[int, dict[int, _Open]]:
        """The candidate to branch on, -1 for none, and both branches.

        Before it is chosen, likely ones of which nothing is known are tried, where a
        relaxation takes little time.
        """
        x, value = relaxation.x[keep], relaxation.value
        needed = value - self.goal - lattice
        names = names_of(rest)
        tried: dict[int, dict[int, _Open]] = {}
        while True:
            c = self.costs.choose(rest, x, needed, lattice)
            if c < 0:
                return c, {}
            children = tried.get(c) or self._children(rest, c, float(x[c]), value)
            is_known = c in tried or int(names[c]) in self.costs.falls
            if is_known or len(tried) == TRIED or rest.n_terms > QUICK_TERMS:
                return c, children
            for child in children.values():
                child.solved = self._solved(child.part, child.known)
            tried[c] = children

    def _children(
        self, rest: AlignmentProblem, c: int, x: float, value: float
    ) -> dict[int, _Open]:
        name = int(names_of(rest)[c])
        itself = np.arange(rest.n_candidates) == c
        rivals = (rest.left == rest.left[c]) | (rest.right == rest.right[c])
        return {
            kind: _Open(
                rest.restricted(kept), _Branch(), Branched(name, kind, distance, value)
            )
            for kind, kept, distance in (
                (LEFT_OUT, ~itself, x),
                (TAKEN, itself | ~rivals, 1 - x),
            )
        }

    def _solved(
        self, part: AlignmentProblem, known: Branched | None
    ) -> tuple[Relaxation, ProvenDuals] | None:
        """The relaxation of a branch, from which is learned."""
        solved = self.search.relaxed(part)
        self.count += 1
        if solved is not None and known is not None:
            self.costs.learn(known, solved[0].value)
        return solved
