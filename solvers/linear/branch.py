"""Exact search from the linear relaxation, for large and stubborn problems.

1. The linear relaxation of the aggregated model is solved once for the whole
   problem, and its duals are made exact (:mod:`exactmatch.solvers.linear.relaxation`).
2. Its solution is rounded to an alignment and improved by hill-climbing.
3. Candidates that, by their slack, are in no better alignment are dropped
   (reduced-cost fixing).
4. What is left goes to ``bnb``; if that takes it too many nodes, to a branch
   and bound whose nodes are relaxations again; and then to another solver, whose
   answer comes without a certificate.  Where very many candidates are left, that
   solver comes before the tree.

The relaxation is so close to the optimum that it pays to be optimistic: what
is searched first is only the *window* of what may be worth as much as the bound
allows, a much smaller problem than what may beat the best alignment known.  If
nothing is found there, the bound falls to the window's floor, and the window
doubles.

Which candidate the tree branches on is told by *pseudo-costs*.  Of the two branches on
a candidate one takes it and one leaves it out.  How far the relaxation fell in earlier
branches of a kind, for each unit that the candidate's value had to move, is its
pseudo-cost of that kind; a candidate that was never branched on has the mean of those
that were.  What they promise of both branches is weighed: five parts for the one that
falls less, one part for the other, neither counted further than what closes it.

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
"""How many nodes ``bnb`` may take for a window; about one millisecond each."""

TREE_NODES = 600
"""How many relaxations the tree may take for a window; ten times as long."""

TRIED = 8
"""How many candidates are tried, at most, before the tree branches on one of them."""

MANY = 10_000
"""Where a window leaves more candidates, hundreds of relaxations take minutes, and the
other solver is asked before the tree grows."""

QUICK_TERMS = 5000
"""The relaxation of a part of no more pair terms takes little time."""

TAKEN, LEFT_OUT = 0, 1
"""The two kinds of branches, in the order of certificates."""

_WEIGHT_OF_THE_LESSER = 5 / 6

_WHOLE = 1e-6
"""A value as near as this to 0 or 1 is not fractional."""

_LIKELIEST = 200
"""So many candidates are compared, those with the most at stake."""


@dataclass(frozen=True, slots=True)
class TreeSearch:
    """Search by relaxations, with its limits and its best results.

    Attributes:
        window_nodes, tree_nodes: see the constants; 0 skips that means.
        finish: the solver for what is left of a window after that.
    """

    progress: Progress
    record_proof: bool = False
    window_nodes: int = WINDOW_NODES
    tree_nodes: int = TREE_NODES
    finish: Solver | None = None

    def run(
        self, problem: AlignmentProblem, first: Proposal | None = None, least: int = 0
    ) -> Proposal | None:
        """Improve the alignment and bound the problem, to optimality if possible.

        Args:
            first: what ``bnb`` found before it was cut short; what its root dropped is
                left out of the relaxation, too.
            least: only alignments worth more are looked for, so the bound falls no
                lower; what *first* looked for.

        Returns:
            The bound reached, never above that of *first*, or ``None`` if not even
            the first relaxation was solved in time.  One that rests on another solver's
            word (``milp``) has no certificate.
        """
        if first is None:
            return self._run(problem, least, None)
        known, dropping = first, first.certificate
        if dropping is not None and dropping.bound != first.bound:
            known = first._replace(certificate=None)
        if first.still_open is None:
            return self._run(problem, least, known)
        keep = np.zeros(problem.n_candidates, dtype=np.bool_)
        keep[list(first.still_open)] = True
        proposal = self._run(problem.restricted(keep), least, known)
        grown = None if proposal is None else proposal.certificate
        if grown is None or grown is known.certificate:
            return proposal
        assert proposal is not None
        assert dropping is not None
        return proposal._replace(certificate=grown.after(dropping.nodes[0].rounds))

    def _run(
        self, problem: AlignmentProblem, least: int, known: Proposal | None
    ) -> Proposal | None:
        """Return the same for a part of the problem that holds every better alignment.

        Where *known* is better than the relaxation's bound, the search goes on from it,
        and *known* itself is the answer where nothing better is proved.
        """
        progress = self.progress
        solved = relaxation(problem, progress)
        if solved is None:
            return None
        duals = solved[1]
        rounded(problem, solved[0].x, progress.of_part(problem))
        bound, root = max(duals.bound, progress.value, least), None
        if self.record_proof:
            root = Certificate(bound, (ProofNode((duals.round(),)),))
        proposal = Proposal(progress.alignment, bound, "lp", root)
        if known is not None and known.bound is not None and known.bound < bound:
            proposal, bound = known, known.bound
        window, before = problem.step(), bound + 1
        while max(progress.value, least) < bound < before:
            progress.prove(bound, proposal.proof)
            before = bound
            floor = max(progress.value, least, before - window)
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
        known_bound: int,
        known: Proposal,
        floor: int,
    ) -> tuple[int, Proposal]:
        """Look for alignments worth more than *floor*.

        Returns:
            The new bound, which is *floor* or the value of what was found if the search
            was not cut short, and what proves it.
        """
        keep = duals.open_candidates(floor)
        part = problem.restricted(keep)
        progress = self.progress.of_part(part, floor)
        bound, certificate, proof = known_bound, None, known.proof
        if self.window_nodes:
            solver = BranchAndBound(self.record_proof, self.window_nodes)
            proposal = solver.search(part, progress, above=floor, at_most=bound)
            if proposal.bound is not None and proposal.bound < bound:
                bound, certificate, proof = (
                    proposal.bound,
                    proposal.certificate,
                    "branch",
                )
        is_large = part.n_candidates > MANY and not self.record_proof
        if is_large and self.finish is not None and bound > self._least(floor):
            part = self._narrowed(part, floor)
            bound, proof = self._finished(part, floor, bound, proof)
        elif bound > self._least(floor):
            if self.tree_nodes:
                reached, grown = _Tree(self, floor).grow(part, bound)
                if reached < bound:
                    bound, certificate, proof = reached, grown, "branch"
            if self.finish is not None and bound > self._least(floor):
                bound, proof = self._finished(part, floor, bound, proof)
        if proof == "milp" and bound < known_bound:
            certificate = None
        if bound == known_bound:
            return bound, known
        if certificate is not None:
            dropped = tuple(np.flatnonzero(~keep).tolist())
            certificate = certificate.after([duals.round(dropped)])
        elif known.proof == "milp":
            proof = "milp"
        return bound, Proposal(progress.alignment, bound, proof, certificate)

    def _least(self, floor: int) -> int:
        """Return the bound at which a window is closed."""
        return max(floor, self.progress.value)

    def _finished(
        self, part: AlignmentProblem, floor: int, bound: int, proof: Proof
    ) -> tuple[int, Proof]:
        """Ask the other solver; return the bound that is then known, and its proof."""
        assert self.finish is not None
        progress = self.progress.of_part(part, floor)
        last = self.finish.propose(part, progress)
        progress.offer(last.alignment)
        if last.bound is not None and max(floor, last.bound) < bound:
            return max(floor, last.bound), "milp"
        return bound, proof

    def _narrowed(self, part: AlignmentProblem, floor: int) -> AlignmentProblem:
        """Drop candidates by relaxations of what is left, while a tenth goes."""
        before = 2 * part.n_candidates
        while 0 < 10 * part.n_candidates <= 9 * before:
            solved = relaxation(part, self.progress.of_part(part, floor))
            if solved is None:
                return part
            before = part.n_candidates
            part = part.restricted(solved[1].open_candidates(floor))
        return part


@dataclass(slots=True)
class PseudoCosts:
    """Pseudo-costs, learned from the branches of one tree.

    Attributes:
        falls: for each candidate that was branched on, by its name, the sum of the
            falls for a unit and their number: where it was taken, then left out.
    """

    falls: dict[int, tuple[list[float], list[float]]] = field(default_factory=dict)

    def learn(self, name: int, kind: int, distance: float, fall: float) -> None:
        """Note how far the relaxation fell where a value moved by some distance."""
        known = self.falls.setdefault(name, ([0.0, 0.0], [0.0, 0.0]))[kind]
        known[0] += max(fall, 0.0) / max(distance, 1e-3)
        known[1] += 1

    def choose(
        self, problem: AlignmentProblem, x: FloatArray, needed: float, lattice: int = 0
    ) -> int:
        """Return the candidate to branch on, or -1 if there is nothing to decide.

        Args:
            problem: the part that is left at the node.
            x: how much of each candidate the relaxation chooses.
            needed: how far it has to fall for a branch to be closed.
            lattice: what values are multiples of; a fall by more is no better.
        """
        stake = _at_stake(problem, x)
        order = np.argsort(-stake, kind="stable")[:_LIKELIEST]
        if not len(order) or stake[order[0]] <= 0:
            return -1
        open_still = order[(stake[order] > 0) & (np.abs(x[order] - 0.5) < 0.5 - _WHOLE)]
        if not len(open_still):
            return int(order[0])
        names, chosen = names_of(problem)[open_still].tolist(), x[open_still]
        out = self._expected(names, LEFT_OUT) * chosen
        taken = self._expected(names, TAKEN) * (1 - chosen)
        falls = np.minimum([out, taken], max(2 * needed + lattice, 1e-3))
        score = _WEIGHT_OF_THE_LESSER * falls.min(axis=0)
        score += (1 - _WEIGHT_OF_THE_LESSER) * falls.max(axis=0)
        return int(open_still[score.argmax()])

    def _expected(self, names: list[int], kind: int) -> FloatArray:
        learned = {
            name: known[kind][0] / known[kind][1]
            for name, known in self.falls.items()
            if known[kind][1]
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
    """A tree of relaxations; *nodes* holds what is to be certified, by path."""

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
            The bound reached, which is the goal if the search was not cut
            short, and then the certificate, if asked for.
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
            solved, duals = branch.solved
            rounded(part, solved.x, self.search.progress.of_part(part))
            bound = min(duals.bound, -negated)
            keep = duals.open_candidates(self.goal)
            rounds: tuple[Round, ...] = ()
            if self.search.record_proof:
                rounds = (duals.round(tuple(np.flatnonzero(~keep).tolist())),)
            self.nodes[branch.path] = ProofNode(rounds)
            if bound <= self.goal:
                continue
            rest = part.restricted(keep)
            c, children = self._branches(branch.path, rest, solved, keep, duals)
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
        rest: AlignmentProblem,
        solved: Relaxation,
        keep: BoolArray,
        duals: ProvenDuals,
    ) -> tuple[int, list[_Branch]]:
        """Return the candidate to branch on, -1 for none, and both branches.

        Before it is chosen, likely ones of which nothing is known are tried, where a
        relaxation takes little time.
        """
        x, value = solved.x[keep], solved.value
        needed = value - self.goal - duals.lattice
        names = names_of(rest)
        tried: dict[int, list[_Branch]] = {}
        while True:
            c = self.costs.choose(rest, x, needed, duals.lattice)
            if c < 0 or c in tried:
                return c, tried.get(c, [])
            name, itself = int(names[c]), np.arange(rest.n_candidates) == c
            rivals = (rest.left == rest.left[c]) | (rest.right == rest.right[c])
            children = [
                _Branch(rest.restricted(kept), (*path, kind), name, distance, value)
                for kind, kept, distance in (
                    (TAKEN, itself | ~rivals, 1 - float(x[c])),
                    (LEFT_OUT, ~itself, float(x[c])),
                )
            ]
            is_known = name in self.costs.falls
            if is_known or len(tried) == TRIED or rest.n_terms > QUICK_TERMS:
                return c, children
            for child in children:
                self._solve(child)
            tried[c] = children

    def _solve(self, branch: _Branch) -> None:
        """Solve the relaxation of a branch, from which is learned."""
        branch.solved = relaxation(branch.part, self.search.progress)
        self.count += 1
        if branch.solved is not None and branch.path:
            fall = branch.before - branch.solved[0].value
            self.costs.learn(branch.name, branch.path[-1], branch.distance, fall)


def names_of(problem: AlignmentProblem) -> IntArray:
    """Return a number for each candidate that it has in every part of the problem."""
    names: IntArray = problem.left * problem.n_right + problem.right
    return names


def _at_stake(problem: AlignmentProblem, x: FloatArray) -> FloatArray:
    """Return how unsure each candidate with a rival is, times what it could earn."""
    has_rival = np.zeros(problem.n_candidates, dtype=np.bool_)
    for nodes, count in problem.sides:
        has_rival |= np.bincount(nodes, minlength=count)[nodes] > 1
    stake = problem.unary.astype(np.float64)
    for ends in (problem.first, problem.second):
        np.add.at(stake, ends, problem.weight)
    return np.where(has_rival, (np.minimum(x, 1 - x) + 1e-6) * stake, 0.0)
