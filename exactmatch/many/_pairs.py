# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Score many pairs of packed graphs without returning to Python between two of them.

A pair is scored in steps, each of which may end it:

1. *meet* (``_overlap.py``): the triples that both graphs share apart from variables
   bound how many can match;
2. *state* (``_statement.py``): the pair becomes an alignment problem; the best
   candidate of every variable, with half of its pair terms, bounds it;
3. *solve*: ``solvers/kernel/search.py`` finds the best alignment, or proves that none
   is as good as was asked for;
4. *count*: what the alignment matches is counted anew from the triples.

``_packing.py`` says what a packed graph is.  The code is Python that Cython compiles;
nothing between two pairs needs the GIL.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.solvers.kernel import _cython as cython

if cython.compiled:
    from cython.cimports.exactmatch.many._overlap import Overlap
    from cython.cimports.exactmatch.many._statement import (
        LOWER,
        NO_MEMORY,
        SOLVED,
        Statement,
    )
    from cython.cimports.exactmatch.solvers.kernel.search import Search
else:
    from exactmatch.solvers.kernel import compiled as kernels

    Overlap = kernels.load_interpreted("exactmatch.many._overlap").Overlap
    Search = kernels.load_interpreted("exactmatch.solvers.kernel.search").Search
    _statement = kernels.load_interpreted("exactmatch.many._statement")
    Statement = _statement.Statement
    LOWER, NO_MEMORY, SOLVED = _statement.LOWER, _statement.NO_MEMORY, _statement.SOLVED

UNPROVEN = 4
MISCOUNTED = 5
"""Further ways in which the work on a pair ends."""

ENDS = ("solved", "lower", "too large", "no memory", "unproven", "miscounted")
"""All of them in words; all but the first two need Python."""

NODES = 100
"""After so many nodes of its tree a pair is left to the solver of the metric."""


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
@cython.returns(cython.double)
def _f1(matched: cython.double, pred_total: cython.double, gold_total: cython.double):
    """F1 as ``f_score`` rounds it; neither side is empty."""
    precision: cython.double = matched / pred_total
    recall: cython.double = matched / gold_total
    if precision + recall == 0:
        return 0.0
    return 2 * precision * recall / (precision + recall)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
@cython.returns(cython.longlong)
def _least(cutoff: cython.double, pred_total: cython.double, gold_total: cython.double):
    """The smallest number of matches whose F1 is no less than *cutoff*."""
    matched: cython.longlong = cython.cast(
        cython.longlong, cutoff * (pred_total + gold_total) / 2
    )
    if not cython.compiled:
        matched = int(matched)
    while matched > 0 and _f1(matched - 1, pred_total, gold_total) >= cutoff:
        matched -= 1
    while _f1(matched, pred_total, gold_total) < cutoff:
        matched += 1
    return matched


class Matcher:
    """Scores pairs of packed graphs, one at a time, in memory that is reused.

    One thread uses it at a time; several may share the arrays.

    Args:
        left, left_begins, right, right_begins: the packed graphs of either side, and
            where each begins (and the last one ends).
        product: whether a triple stated *n* and *m* times counts ``n × m``; else it
            counts ``min(n, m)``.
        nothing: the score of two graphs without triples.
        max_terms: how many pair terms, or pairs of variables, a pair may have.
    """

    def __init__(
        self, left, left_begins, right, right_begins, product, nothing, max_terms
    ):
        self.overlap = Overlap(left, left_begins, right, right_begins, product)
        self.statement = Statement(self.overlap, product, max_terms)
        self.search = Search()
        self.nothing = nothing

    def scores(
        self,
        i: cython.Py_ssize_t,
        others: cython.const[cython.int][::1],
        at: cython.Py_ssize_t,
        cutoff: cython.double,
        below: cython.double,
        out: cython.double[::1],
    ):
        """Score left graph *i* with the right graphs ``others[at:]``.

        Args:
            i, others, at: which pairs.
            cutoff: a pair that is proved to score less is not solved.
            below: the score that is reported for such a pair.
            out: receives the scores, that of ``others[k]`` at ``out[k]``.

        Returns:
            How the work ended and at which place in *others*: ``SOLVED`` and their
            number, or why the pair at that place must be scored from Python.
        """
        status: cython.int = 0
        end: cython.Py_ssize_t = len(others)
        with cython.nogil:
            while at < end:
                status = self.score(i, others[at], cutoff, below)
                if status > 1:
                    break
                out[at] = self.found
                at += 1
        return (status if at < end else SOLVED), at

    def counts(
        self,
        lefts: cython.const[cython.int][::1],
        rights: cython.const[cython.int][::1],
        at: cython.Py_ssize_t,
        out: cython.longlong[:, ::1],
    ):
        """Count the matching triples of the graphs ``lefts[k]`` and ``rights[k]``.

        Args:
            lefts, rights, at: which pairs: those from place *at* on.
            out: receives, at ``out[k]``, how many triples match, and how many the left
                and the right graph have.

        Returns:
            As for :meth:`scores`.
        """
        status: cython.int = 0
        end: cython.Py_ssize_t = len(lefts)
        with cython.nogil:
            while at < end:
                self.matched = 0
                status = self.score(lefts[at], rights[at], 0.0, 0.0)
                out[at, 1] = self.overlap.left[1]
                out[at, 2] = self.overlap.right[1]
                if status > 1:
                    break
                out[at, 0] = self.matched
                at += 1
        return (status if at < end else SOLVED), at

    def score(self, i, j, cutoff, below):
        """Score one pair; ``found`` is its F1, or *below*."""
        status: cython.int
        needed: cython.longlong = 0
        self.overlap.meet(i, j)
        pred_total: cython.longlong = self.overlap.left[1]
        gold_total: cython.longlong = self.overlap.right[1]
        if pred_total == 0 or gold_total == 0:
            self.found = self.nothing if pred_total == gold_total else 0.0
            if self.found < cutoff:
                self.found = below
            return SOLVED
        if cutoff > 0:
            needed = _least(cutoff, pred_total, gold_total)
        status = self.match(needed)
        if status == SOLVED:
            self.found = _f1(self.matched, pred_total, gold_total)
        elif status == LOWER:
            self.found = below
        return status

    def match(self, needed):
        """Find how many triples match; ``SOLVED``, or why that is not known."""
        status: cython.int
        self.matched = 0
        if self.overlap.most < needed:
            return LOWER
        if self.overlap.most == 0:
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
        self.search.limit(max(needed - 1, 0), self.overlap.most)
        while self.search.run(NODES):
            pass
        value = self.search.climb.best_value // self.search.split.unit
        bound = min(self.search.proved_bound(), self.overlap.most)
        if bound < needed:
            return LOWER
        if value < needed or bound > value:
            return UNPROVEN
        self.matched = self.statement.counted(self.search.climb.best)
        return SOLVED if self.matched == value else MISCOUNTED

    def bound(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t):
        """An upper bound on a pair's F1, from triples shared apart from variables."""
        self.overlap.meet(i, j)
        pred_total: cython.longlong = self.overlap.left[1]
        gold_total: cython.longlong = self.overlap.right[1]
        if pred_total == 0 or gold_total == 0:
            return self.nothing if pred_total == gold_total else 0.0
        return _f1(self.overlap.most, pred_total, gold_total)

    def f1(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t, matched: cython.longlong):
        """The F1 of a pair whose number of matches was found by another solver."""
        self.overlap.meet(i, j)
        return _f1(matched, self.overlap.left[1], self.overlap.right[1])

    def problem(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t):
        """The problem of a pair for another solver, without starts.

        Returns:
            The numbers of nodes and the arrays of ``AlignmentProblem``, or how many
            pair terms (or pairs of variables) are too many.
        """
        self.overlap.meet(i, j)
        left = int(self.overlap.left[0])
        right = int(self.overlap.right[0])
        if self.statement.state(0) != SOLVED:
            return max(int(self.overlap.n_terms), left * right)
        return left, right, self.statement.arrays()
