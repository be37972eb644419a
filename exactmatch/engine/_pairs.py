# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Score many pairs of packed graphs in one call from Python.

``_matched.py`` describes the steps of one pair, ``_packing.py`` the packed graphs.

The code is Python that Cython compiles; nothing between two pairs needs the GIL.  Time
a change with ``python -m benchmarks many all-pairs``.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython

if not cython.compiled:
    from exactmatch.base import compiled as kernels

    Overlap = kernels.load_interpreted("exactmatch.engine._shared").Overlap
    _matched = kernels.load_interpreted("exactmatch.engine._matched")
    LOWER, Matched = _matched.LOWER, _matched.Matched
    OK = kernels.load_interpreted("exactmatch.engine._statement").OK


def f1_of(matched, pred_total, gold_total):
    """Return F1 as ``f_score`` rounds it; neither side is empty."""
    precision: cython.double = matched / pred_total
    recall: cython.double = matched / gold_total
    if precision + recall == 0:
        return 0.0
    return 2 * precision * recall / (precision + recall)


def least_matches(cutoff, pred_total, gold_total):
    """Return the smallest number of matches whose F1 reaches *cutoff*."""
    matched: cython.longlong = cython.cast(
        cython.longlong, cutoff * (pred_total + gold_total) / 2
    )
    if not cython.compiled:
        matched = int(matched)
    while matched > 0 and f1_of(matched - 1, pred_total, gold_total) >= cutoff:
        matched -= 1
    while f1_of(matched, pred_total, gold_total) < cutoff:
        matched += 1
    return matched


def is_worse(score, number, other, other_number):
    """Return whether a score ranks behind another: lower, or of a later graph."""
    return score < other or (score == other and number > other_number)


def push_best(scores, numbers, count, score, number):
    """Add a score to a heap with the worst on top; a full heap drops its worst.

    Returns:
        The number of scores in the heap.
    """
    hole: cython.Py_ssize_t = count
    if count == len(scores):
        if not is_worse(scores[0], numbers[0], score, number):
            return count
        hole = 0
        next_hole: cython.Py_ssize_t = 1
        while next_hole < count:
            if next_hole + 1 < count and is_worse(
                scores[next_hole + 1],
                numbers[next_hole + 1],
                scores[next_hole],
                numbers[next_hole],
            ):
                next_hole += 1
            if not is_worse(scores[next_hole], numbers[next_hole], score, number):
                break
            scores[hole] = scores[next_hole]
            numbers[hole] = numbers[next_hole]
            hole = next_hole
            next_hole = 2 * hole + 1
    else:
        count += 1
        while hole > 0:
            next_hole = (hole - 1) // 2
            if not is_worse(score, number, scores[next_hole], numbers[next_hole]):
                break
            scores[hole] = scores[next_hole]
            numbers[hole] = numbers[next_hole]
            hole = next_hole
    scores[hole] = score
    numbers[hole] = number
    return count


def bounds_of(
    matched: cython.const[cython.int][::1],
    total: cython.longlong,
    totals: cython.const[cython.longlong][::1],
    out: cython.double[::1],
):
    """Write upper bounds on the F1 of one graph against many.

    Args:
        matched: the most matches of each of the many graphs.
        total: the number of triples of the one graph.
        totals: the number of triples of each of the many.
        out: receives the bounds.
    """
    with cython.nogil:
        for g in range(len(matched)):
            out[g] = f1_of(matched[g], total, totals[g]) if matched[g] > 0 else 0.0


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
        self.pair = Matched(self.overlap, max_terms, 0)
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
            How the work ended and at which place in *others*: ``OK`` and their
            number, or why the pair at that place must be scored from Python.
        """
        status: cython.int = 0
        end: cython.Py_ssize_t = len(others)
        with cython.nogil:
            while at < end:
                status = self.score(i, others[at], cutoff, below)
                if status > 1:
                    break
                out[at] = self.latest
                at += 1
        return (status if at < end else OK), at

    def nearest(
        self,
        i: cython.Py_ssize_t,
        others: cython.const[cython.int][::1],
        at: cython.Py_ssize_t,
        bounds: cython.const[cython.double][::1],
        least: cython.double,
        scores: cython.double[::1],
        numbers: cython.int[::1],
        count: cython.Py_ssize_t,
    ):
        """Score left graph *i* with ``others[at:]``, those that may be among the best.

        Args:
            i, others, at: which pairs, highest bounds first.
            bounds: an upper bound on the score of each right graph.
            least: the lowest score that counts.
            scores, numbers: the best so far and their graphs, a heap with the worst of
                them on top; it has room for as many as are searched for.
            count: how many there are.

        Returns:
            How the work ended and at which place in *others*, as for :meth:`scores`,
            and how many of the best there are.
        """
        status: cython.int = 0
        end: cython.Py_ssize_t = len(others)
        room: cython.Py_ssize_t = len(scores)
        reach: cython.double = least
        with cython.nogil:
            while at < end:
                j: cython.int = others[at]
                if count == room:
                    if bounds[j] < scores[0]:
                        at = end  # and so are all that follow
                        break
                    if bounds[j] == scores[0] and j > numbers[0]:
                        at += 1
                        continue
                    reach = max(least, scores[0])
                status = self.score(i, j, reach, -1.0)
                if status > 1:
                    break
                if self.latest >= reach:
                    count = push_best(scores, numbers, count, self.latest, j)
                at += 1
        return (status if at < end else OK), at, count

    def keep(
        self,
        scores: cython.double[::1],
        numbers: cython.int[::1],
        count: cython.Py_ssize_t,
        score: cython.double,
        number: cython.int,
    ):
        """Add a score from a solver to the best; return how many there are."""
        return push_best(scores, numbers, count, score, number)

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
                self.pair.matched = 0
                status = self.score(lefts[at], rights[at], 0.0, 0.0)
                out[at, 1] = self.overlap.left_total
                out[at, 2] = self.overlap.right_total
                if status > 1:
                    break
                out[at, 0] = self.pair.matched
                at += 1
        return (status if at < end else OK), at

    def score(self, i, j, cutoff, below):
        """Score one pair; ``latest`` is its F1, or *below*."""
        needed: cython.longlong = 0
        self.overlap.meet(i, j)
        pred_total: cython.longlong = self.overlap.left_total
        gold_total: cython.longlong = self.overlap.right_total
        if pred_total == 0 or gold_total == 0:
            self.latest = self.nothing if pred_total == gold_total else 0.0
            if self.latest < cutoff:
                self.latest = below
            return OK
        if cutoff > 0:
            needed = least_matches(cutoff, pred_total, gold_total)
        status: cython.int = self.pair.match(needed)
        if status == OK:
            self.latest = f1_of(self.pair.matched, pred_total, gold_total)
        elif status == LOWER:
            self.latest = below
        return status

    def bound(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t):
        """Return an upper bound on a pair's F1, from the keys that both graphs have."""
        self.overlap.meet(i, j)
        pred_total: cython.longlong = self.overlap.left_total
        gold_total: cython.longlong = self.overlap.right_total
        if pred_total == 0 or gold_total == 0:
            return self.nothing if pred_total == gold_total else 0.0
        return f1_of(self.overlap.max_matches, pred_total, gold_total)

    def f1(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t, matched: cython.longlong):
        """Return the F1 of a pair whose matches a solver has counted."""
        self.overlap.meet(i, j)
        return f1_of(matched, self.overlap.left_total, self.overlap.right_total)

    def problem(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t):
        """Return the problem of a pair for another solver, without starts.

        Returns:
            The numbers of nodes and the arrays of ``AlignmentProblem``; or only the
            number of pair terms (or pairs of variables), if it is too large.
        """
        self.overlap.meet(i, j)
        left = int(self.overlap.n_left)
        right = int(self.overlap.n_right)
        if self.pair.statement.begin() != OK:
            return max(int(self.overlap.n_terms), 4 * left * right)
        self.pair.statement.finish()
        return left, right, self.pair.statement.arrays(None, None)
