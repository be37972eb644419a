"""Items with references that match only above a cutoff of their F1.

What a pair of items has in common depends on the other matches: on the references that
are right, and on the items in it.  So the cutoff is a row of the integer program for
each pair, and HiGHS solves it.  If the best matching without these rows keeps to the
cutoff, it is also the best one with them, and HiGHS is not needed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from exactmatch.solvers.problem import Alignment, AlignmentProblem
from exactmatch.solvers.solution import Limits

Candidate: TypeAlias = tuple[int, int]


class Inside(NamedTuple):
    """Content that pairs of items share, and the least that they need to share.

    Attributes:
        own: the common part of each pair under any matching, in units.
        held: for each pair, the pairs that its references name, each with its worth.
        parents: the pair that holds a pair; the outermost ones have none.
        needed: the common part that each pair must have, in units.
    """

    own: dict[Candidate, int]
    held: dict[Candidate, list[tuple[Candidate, int]]]
    parents: dict[Candidate, Candidate]
    needed: dict[Candidate, Fraction]

    def too_little(self, alignment: Alignment) -> list[Candidate]:
        """Return the matched pairs that have less in common than they must have.

        A pair within an unmatched pair has nothing in common.
        """
        matched = {(i, j) for i, j in enumerate(alignment) if j != -1}
        common = dict.fromkeys(matched, 0)
        for pair in matched:
            worth = self.own[pair]
            worth += sum(added for to, added in self.held[pair] if to in matched)
            for held_pair in self._chain(pair):
                if held_pair in common:
                    common[held_pair] += worth
        return [
            pair
            for pair in matched
            if common[pair] < self.needed[pair]
            or self.parents.get(pair, pair) not in matched
        ]

    def rows(self, problem: AlignmentProblem) -> dict[Candidate, dict[int, float]]:
        """Return a row of each pair, whose sum must not be below 0, by columns.

        Columns are those of :class:`~exactmatch.solvers.linear.model.AggregatedModel`.
        """
        pairs = zip(problem.left.tolist(), problem.right.tolist(), strict=True)
        column = {pair: k for k, pair in enumerate(pairs)}
        ends = zip(problem.first.tolist(), problem.second.tolist(), strict=True)
        term = {term_pair: problem.n_candidates + k for k, term_pair in enumerate(ends)}
        unit = problem.scale
        rows = {
            pair: {column[pair]: -float(needed) / unit}
            for pair, needed in self.needed.items()
        }
        for pair in self.needed:
            worth = [(column[pair], self.own[pair])]
            for to, added in self.held[pair]:
                term_pair = sorted((column[pair], column[to]))
                worth.append((term[term_pair[0], term_pair[1]], added))
            for held_pair in self._chain(pair):
                row = rows[held_pair]
                for k, added in worth:
                    row[k] = row.get(k, 0.0) + added / unit
        return rows

    def _chain(self, pair: Candidate) -> list[Candidate]:
        """Return a pair and the pairs that hold it."""
        chain = [pair]
        while chain[-1] in self.parents:
            chain.append(self.parents[chain[-1]])
        return chain


class Matched(NamedTuple):
    """A matching of items that keeps to the cutoff.

    Attributes:
        pairs: the numbers of matched items, by those of the prediction.
        value, bound: its value, and an upper bound on the best value.
    """

    pairs: Mapping[int, int]
    value: int
    bound: int


def matched(
    problem: AlignmentProblem, inside: Inside, alignment: Alignment, limits: Limits
) -> Matched:
    """Return the best matching whose pairs all reach the cutoff.

    Args:
        problem: the pairs of items, and what they are worth.
        inside: the common part that pairs must have.
        alignment: the best matching without the cutoff, some of whose pairs fall below.
        limits: the time for a solver.
    """
    import numpy as np
    from scipy.optimize import LinearConstraint
    from scipy.sparse import csr_array

    from exactmatch.solvers.linear.model import aggregated_model, alignment_of, floored

    model = aggregated_model(problem)
    rows = list(inside.rows(problem).values())
    numbers = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    columns = np.concatenate([list(row) for row in rows])
    weights = np.concatenate([list(row.values()) for row in rows])
    shape = len(rows), model.n_x + model.n_y
    least = csr_array((weights, (numbers, columns)), shape=shape)
    unit = problem.scale
    time = {} if limits.seconds is None else {"time_limit": limits.seconds}
    result = model.minimise(
        -model.objective / unit, LinearConstraint(least, -_NOTHING, np.inf), **time
    )
    bound = problem.total_weight()
    if result.mip_dual_bound is not None and math.isfinite(result.mip_dual_bound):
        bound = floored(-result.mip_dual_bound * unit)
    if result.x is not None:
        alignment = alignment_of(problem, result.x[: model.n_x])
    while refused := inside.too_little(alignment):
        other_rows = {i for i, _ in refused}
        alignment = tuple(-1 if i in other_rows else j for i, j in enumerate(alignment))
    value = problem.value(alignment)
    pairs = {i: j for i, j in enumerate(alignment) if j != -1}
    return Matched(pairs, value, max(value, bound))


_NOTHING = 1e-9
"""Slack for rows of floating-point numbers, in weight units."""
