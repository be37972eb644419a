"""Nodes that may be exchanged, and the candidates that are dropped together.

Two left nodes are *alike* where exchanging them in all candidates changes no weight,
and likewise two right nodes.  Nodes that are alike make a *class*; those that no
decision has taken yet are *free*.  If no better alignment holds a candidate of two free
nodes, none holds a candidate of nodes that are alike and free as well: it could be
exchanged.  So all these are dropped with the first.

That holds at every node of the tree, for the decisions above it are the same after the
exchange: candidates that were taken name no free node, and those that were left out
went with all that were alike.

Source: Margot (2010), "Symmetry in integer linear programming", section 17.5, for
fixing by orbits.

Time a change with ``python -m benchmarks solving common-subgraphs``.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython

if not cython.compiled:
    from exactmatch.base import compiled as kernels

    Split = kernels.load_interpreted("exactmatch.solvers.kernel.lagrangian").Split


class Symmetry:
    """The classes of left and right nodes of a problem, by their first nodes.

    ``left_class[i]`` is the first left node that node *i* is like, while *i* is free;
    when it is taken, all bits of that are turned, so that it is less than 0.
    """

    def __init__(self, split: Split):
        self.split = split
        self.is_used = False

    def carve(self, memory):
        """Take the arrays from *memory*."""
        self.left_class = memory.ints(self.split.n_left)
        self.right_class = memory.ints(self.split.n_right)

    def find(self):
        """Find all classes; it is used from now on, if any has two nodes."""
        self.begin = self.split.outer.row_begin
        self.order = self.split.outer.row_order
        self.own = self.split.left
        self.other = self.split.right
        self.is_used = self.classify(self.split.n_left, self.left_class)
        self.begin = self.split.outer.col_begin
        self.order = self.split.outer.col_order
        self.own = self.split.right
        self.other = self.split.left
        self.is_used |= self.classify(self.split.n_right, self.right_class)

    def classify(self, count, classes):
        """Give each of the nodes of a side its class; return whether two are alike."""
        any_alike: cython.bint = False
        for b in range(count):
            classes[b] = b
            for a in range(b):
                if classes[a] == a and self.are_alike(a, b):
                    classes[b] = a
                    any_alike = True
                    break
        return any_alike

    def are_alike(self, a, b):
        """Return whether exchanging two nodes of a side changes no weight."""
        begin: cython.p_int = self.begin
        order: cython.p_int = self.order
        other: cython.p_int = self.other
        n: cython.int = begin[a + 1] - begin[a]
        half_begin: cython.p_int = self.split.half_begin
        if n != begin[b + 1] - begin[b] or n == 0:
            return False
        for k in range(n):
            c: cython.int = order[begin[a] + k]
            d: cython.int = order[begin[b] + k]
            if other[c] != other[d] or self.split.unary[c] != self.split.unary[d]:
                return False
            if half_begin[c + 1] - half_begin[c] != half_begin[d + 1] - half_begin[d]:
                return False
        for k in range(n):
            c = order[begin[a] + k]
            d = order[begin[b] + k]
            if not self.have_like_terms(c, d, a, b):
                return False
        return True

    def have_like_terms(self, c, d, a, b):
        """Return whether candidates of *a* and *b* have the same terms with others.

        With each other's nodes they are in terms that the exchange turns into another.
        """
        own: cython.p_int = self.own
        other: cython.p_int = self.other
        partner: cython.p_int = self.split.partner
        last_x: cython.int = self.split.half_begin[c + 1]
        last_y: cython.int = self.split.half_begin[d + 1]
        for crossing in range(2):
            x: cython.int = self.split.half_begin[c]
            y: cython.int = self.split.half_begin[d]
            while True:
                while x < last_x and (own[partner[x]] == b) != crossing:
                    x += 1
                while y < last_y and (own[partner[y]] == a) != crossing:
                    y += 1
                if x == last_x or y == last_y:
                    break
                if crossing:
                    if other[partner[x]] != other[partner[y]]:
                        return False
                elif partner[x] != partner[y]:
                    return False
                if self.weight(x) != self.weight(y):
                    return False
                x += 1
                y += 1
            if x < last_x or y < last_y:
                return False
        return True

    def weight(self, h):
        """Return the weight of the pair term of a half, in parts of a unit."""
        return self.split.share[h] + self.split.share[self.split.twin[h]]

    # ------------------------------------------------------------- the tree

    def toggle(self, c):
        """Candidate *c* is taken, so that its nodes are not free; or no longer."""
        self.left_class[self.split.left[c]] ^= -1
        self.right_class[self.split.right[c]] ^= -1

    def drop(self, c):
        """Drop a candidate, and all that are alike."""
        i: cython.int = self.left_class[self.split.left[c]]
        j: cython.int = self.right_class[self.split.right[c]]
        for n in range(self.split.n_pool - 1, -1, -1):
            d: cython.int = self.split.pool[n]
            if (
                self.left_class[self.split.left[d]] == i
                and self.right_class[self.split.right[d]] == j
            ):
                self.split.drop(d)

    def classes(self):
        """Return the classes of left and of right nodes, or ``None``."""
        if not self.is_used:
            return None
        return (
            [max(k, ~k) for k in self.left_class[: self.split.n_left]],
            [max(k, ~k) for k in self.right_class[: self.split.n_right]],
        )
