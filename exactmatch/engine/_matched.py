# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""How many triples of two graphs match at best: found and proved, but not shown.

Where nobody asks which variables are aligned, no problem has to be made for a solver.
A pair is counted in steps, each of which may end it:

1. *compare* (``_shared.py``): the triples that both graphs share apart from variables
   bound how many can match;
2. *state* (``_statement.py``): the pair becomes an alignment problem; the best
   candidate of every variable, with half of its pair terms, bounds it;
3. *solve*: ``solvers/kernel/search.py`` finds the best alignment, or proves that none
   is as good as was asked for;
4. *count*: what the alignment matches is counted anew from the triples.

The code is Python that Cython compiles.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython

if cython.compiled:
    from cython.cimports.exactmatch.engine._shared import Shared
    from cython.cimports.exactmatch.engine._statement import (
        LOWER,
        NO_MEMORY,
        SOLVED,
        Statement,
    )
    from cython.cimports.exactmatch.solvers.kernel.search import Search
else:
    from exactmatch.base import compiled as kernels

    Shared = kernels.load_interpreted("exactmatch.engine._shared").Shared
    Search = kernels.load_interpreted("exactmatch.solvers.kernel.search").Search
    _statement = kernels.load_interpreted("exactmatch.engine._statement")
    Statement = _statement.Statement
    LOWER, NO_MEMORY, SOLVED = _statement.LOWER, _statement.NO_MEMORY, _statement.SOLVED

UNPROVEN = 4
MISCOUNTED = 5
"""Further ways in which the work on a pair ends."""

ENDS = ("solved", "lower", "too large", "no memory", "unproven", "miscounted")
"""All of them in words; all but the first two need Python."""

NODES = 100
"""After so many nodes of its tree a pair is left to the solver of the metric."""


class Matched:
    """Counts the matches of one pair after another, in memory that is reused.

    One thread uses it at a time.

    Args:
        shared: says what the pair at hand has in common.
        product: whether a triple stated *n* and *m* times counts ``n × m``; else it
            counts ``min(n, m)``.
        max_terms: how many pair terms, or pairs of variables, a pair may have.
        slices: how many slices of some milliseconds each a search may take; 0 for all
            that it needs.

    Attributes:
        matched: how many triples of the last pair match.
    """

    def __init__(self, shared, product, max_terms, slices):
        self.slices = slices
        self.shared = shared
        self.statement = Statement(shared, product, max_terms)
        self.search = Search()

    def match(self, needed):
        """Count the matches of the pair that was compared last.

        Args:
            needed: how many triples must match for the pair to matter.

        Returns:
            ``SOLVED``, ``LOWER`` if fewer match, or why that is not known.
        """
        status: cython.int
        self.matched = 0
        if self.shared.most < needed:
            return LOWER
        if self.shared.most == 0:
            return SOLVED
        status = self.statement.state(needed)
        if status != SOLVED:
            return status
        return self.solve(needed)

    def solve(self, needed):
        """Find the best alignment, or prove that none matches *needed* triples."""
        value: cython.longlong
        bound: cython.longlong
        if not self.search.load(
            self.statement.n_left,
            self.statement.n_right,
            self.statement.n_candidates,
            self.statement.n_terms,
            self.statement.node_left,
            self.statement.node_right,
            self.statement.unary,
            self.statement.first,
            self.statement.second,
            self.statement.weight,
        ):
            return NO_MEMORY
        self.search.limit(max(needed - 1, 0), self.shared.most)
        taken: cython.int = 1
        while self.search.run(NODES) and taken != self.slices:
            taken += 1
        value = self.search.climb.best_value // self.search.split.unit
        bound = min(self.search.proved_bound(), self.shared.most)
        if bound < needed:
            return LOWER
        if value < needed or bound > value:
            return UNPROVEN
        self.matched = self.statement.counted(self.search.climb.best)
        return SOLVED if self.matched == value else MISCOUNTED

    def count(self, left, right) -> tuple:
        """Count the matches of two coded graphs.

        Args:
            left, right: ``CodedGraph`` objects.

        Returns:
            ``SOLVED`` and how many triples match, or why that is not known.

        Raises:
            MemoryError: if there is no memory for what the graphs share.
        """
        self.shared.meet_coded(left, right)
        status: cython.int = self.match(0)
        return status, self.matched


def counter(product, max_terms):
    """Make what counts the matches of coded graphs; see ``Matched``."""
    return Matched(Shared(product), product, max_terms, 1)
