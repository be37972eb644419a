"""The best alignment in which certain candidates are never chosen together.

A *conflict* is two candidates that no answer may hold both.  Nodes that must keep
their edges and their non-edges (induced common subgraphs) are the case in point: there
most candidates are in conflict with most others, while pair terms only reward.

CP-SAT gets them as rows.  A node has at most one partner, so a candidate and all those
candidates of one other node that it is in conflict with are together chosen at most
once.
"""

from __future__ import annotations

import numpy as np

from exactmatch.base.errors import SolverError
from exactmatch.solvers.cpsat import CpSat
from exactmatch.solvers.problem import AlignmentProblem, IntArray
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Proposal


class ConflictFree(CpSat):
    """Prove the optimum of one problem whose candidates are in conflict.

    Args:
        first, second: the candidates of each conflict, ``int32``, ``first < second``;
            those that share a node need not be named.
    """

    def __init__(self, first: IntArray, second: IntArray) -> None:
        self.first = first
        self.second = second

    def _solve(self, problem: AlignmentProblem, progress: Progress) -> Proposal:
        self._prove(problem, progress, self.groups(problem))
        chosen = problem.chosen(progress.alignment)
        if np.any(chosen[self.first] & chosen[self.second]):
            raise SolverError("CP-SAT chose two candidates that are in conflict")
        return progress.proposal()

    def groups(self, problem: AlignmentProblem) -> list[list[int]]:
        """Candidates of which at most one is chosen, covering every conflict."""
        groups = []
        owner = np.concatenate((self.first, self.second)).astype(np.int64)
        other = np.concatenate((self.second, self.first))
        for nodes, count in (
            (problem.left, problem.n_left),
            (problem.right, problem.n_right),
        ):
            key = owner * count + nodes[other]
            order = np.argsort(key, kind="stable")
            starts = np.flatnonzero(np.diff(key[order], prepend=-1))
            for group in np.split(order, starts[1:]):
                if len(group):
                    groups.append([int(owner[group[0]]), *other[group].tolist()])
        return groups
