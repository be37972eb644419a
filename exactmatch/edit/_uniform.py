# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Search for edit distances of pairs of small graphs whose edits all cost 1.

Small changes here can cost speed: run ``python -m benchmarks edit-matrix
edit-distance`` before and after.

If all edits cost the same, some cheapest edit path substitutes every node of the
smaller graph: a substitution costs no more than a deletion and an insertion, and keeps
as many edges.  So the distance is the least cost of a map of the smaller graph's nodes
into the larger one's, and a depth-first search over such maps finds it.

**The bound** at each step is that of Chang et al.: the cost of the mapped nodes, and a
linear assignment of the others.  A node *i* that becomes *j* costs 1 if the labels
differ, 1 for each mapped neighbour whose edge differs, and half of the number of edges
by which the unmapped neighbourhoods of *i* and *j* differ at least, as each such edge
has two ends.  All costs are counted in halves.  The assignment is a map, whose cost is
an upper bound.  Its duals also bound each single choice: a choice that cannot lead to
less is forbidden from then on, and the node with fewest choices is mapped next.  Graphs
of similar size begin with the duals of the step before.

If no labels are compared, a map costs as much as all edges, less two for each edge that
it keeps.  So all distances are odd, or all are even, and bounds are rounded up to that.

**Twins**, nodes of one label with the same neighbours except for each other, may be
exchanged.  Of free twins of the larger graph only the first is tried.  Twins of the
smaller graph are mapped to classes of twins in increasing order, whatever the order of
mapping; every map equals one of these up to exchanges.

Source: Chang, Feng, Yao, Qin, Zhang (2023), "Accelerating Graph Similarity Search via
Efficient GED Computation", IEEE TKDE 35(5), section 4, for the bound.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython

import numpy as np

OPEN = -1
"""The distance of a pair whose search was given up."""

FAR = 1 << 29

FORBIDDEN = 1 << 20
"""Cost of mapping a node to one that no map cheaper than the best uses."""

EACH = 1024
"""Weight of a column in the choice of the next node; a spare half of duals weighs 1."""


@cython.cclass
class Search:
    """Search of pairs of packed graphs; each thread has its own.

    Args:
        nodes: where each graph's nodes begin among all, shape ``(graphs,)``.
        cells: where each graph's adjacency matrix begins among all.
        sizes: the number of nodes of each.
        labels: the label of every node; equal numbers are equal labels.
        sorted_labels: the same, sorted within each graph.
        degrees: the number of edges of each node, falling within each graph.
        matrix: all adjacency matrices, row by row; 0 is no edge, others are labels.
        counts: the edges of each node by direction and label, shape
            ``(nodes * sides * kinds,)``.
        totals: the same of each graph, shape ``(graphs * kinds,)``.
        kinds: how many labels of edges there are.
        sides: 1 for undirected graphs, 2 for directed ones.
        room: the number of nodes of the largest graph.
    """

    def __init__(
        self,
        nodes,
        cells,
        sizes,
        labels,
        sorted_labels,
        degrees,
        matrix,
        counts,
        totals,
        kinds,
        sides,
        room,
    ):
        if not cython.compiled:  # Python's integers, which are faster and wider
            nodes, cells, sizes = nodes.tolist(), cells.tolist(), sizes.tolist()
            labels, sorted_labels = labels.tolist(), sorted_labels.tolist()
            degrees, matrix = degrees.tolist(), matrix.tolist()
            counts, totals = counts.tolist(), totals.tolist()
        self.nodes, self.cells, self.sizes = nodes, cells, sizes
        self.labels, self.sorted_labels = labels, sorted_labels
        self.degrees = degrees
        self.matrix, self.counts, self.totals = matrix, counts, totals
        self.kinds, self.sides, self.room = kinds, sides, room
        self.order, self.left_twins = _zeros(room), _zeros(room)
        self.twins, self.image = _zeros(room), _zeros(room)
        self.taken, self.best_image = _zeros(room), _zeros(room)
        self.anchored = _zeros((room + 1) * room * room)
        self.free_cost = _zeros((room + 1) * room)
        size = (room + 1) * room * sides * kinds
        self.left_counts, self.right_counts = _zeros(size), _zeros(size)
        self.columns = _zeros(room)
        self.table = _zeros(room * room)
        self.row_dual, self.col_dual = _zeros(room + 1), _zeros(room + 1)
        self.kept_dual = _zeros(room * room)
        self.row_of, self.column_of = _zeros(room + 1), _zeros(room + 1)
        self.least, self.before = _zeros(room + 1), _zeros(room + 1)
        self.passed = _zeros(room + 1)
        self.choices = _zeros((room + 1) * room)
        self.choice_bounds = _zeros((room + 1) * room)
        self.choice_count, self.spent = _zeros(room + 1), _zeros(room + 1)

    def distances(
        self,
        pairs: cython.const[cython.int][:, ::1],
        distances: cython.int[::1],
        bounds: cython.int[::1],
        at_most: cython.int,
        budget: cython.longlong,
    ):
        """Write the distance of each pair of graphs, and a lower bound.

        Args:
            pairs: two graphs by number, shape ``(pairs, 2)``.
            distances: ``OPEN`` where the search was given up, and *at_most* + 1 where
                the distance is more than *at_most*.
            bounds: lower bounds.
            at_most: the largest distance of interest; less than 0: any.
            budget: the most steps of one search.
        """
        with cython.nogil:
            for k in range(pairs.shape[0]):
                distances[k] = self.run(pairs[k, 0], pairs[k, 1], at_most, budget)
                bounds[k] = self.bound

    def mapping(self):
        """Return the image of each node of the smaller graph of the last pair.

        The first of the pair is the smaller one where both have as many nodes.
        """
        return np.array(self.best_image)[: self.n]

    def quick_bound(self, a, b):
        """Return a lower bound by labels of nodes, and by labels of edges or degrees.

        An edge that is inserted or deleted changes two degrees by one.
        """
        i: cython.int = 0
        k: cython.int = 0
        common: cython.int = 0
        n: cython.int = self.sizes[a]
        m: cython.int = self.sizes[b]
        first: cython.int = self.nodes[a]
        other: cython.int = self.nodes[b]
        while i < n and k < m:
            x: cython.int = self.sorted_labels[first + i]
            y: cython.int = self.sorted_labels[other + k]
            if x == y:
                common += 1
            i += x <= y
            k += y <= x
        labels_apart: cython.int = (n if n > m else m) - common
        n = m = common = 0
        for i in range(self.kinds):
            x = self.totals[a * self.kinds + i]
            y = self.totals[b * self.kinds + i]
            n += x
            m += y
            common += x if x < y else y
        common = (n if n > m else m) - common
        n = 0
        for i in range(
            self.sizes[a] if self.sizes[a] > self.sizes[b] else self.sizes[b]
        ):
            x = self.degrees[first + i] if i < self.sizes[a] else 0
            y = self.degrees[other + i] if i < self.sizes[b] else 0
            n += x - y if x > y else y - x
        n = (n + 1) >> 1
        return labels_apart + (n if n > common else common)

    def run(self, a, b, at_most, budget):
        """Search one pair; return its distance, as ``distances`` does."""
        if self.begin(a, b, at_most):
            return self.best
        return self.go_on(budget)

    def begin(self, a, b, at_most):
        """Prepare the search of one pair; return whether it is over already."""
        self.tried = 0
        self.depth = 0
        self.at_most = at_most
        self.best = FAR if at_most < 0 else at_most + 1
        self.bound = self.quick_bound(a, b)
        if self.bound >= self.best:
            self.bound = self.best
            return True
        swap: cython.int = self.parity(a, b)
        self.slack = swap >= 0
        if self.slack:
            self.best += (self.best ^ swap) & 1
            self.bound += (self.bound ^ swap) & 1
        if self.sizes[a] > self.sizes[b]:
            swap = a
            a = b
            b = swap
        self.n = self.sizes[a]
        self.m = self.sizes[b]
        self.left_nodes = self.nodes[a]
        self.right_nodes = self.nodes[b]
        self.left_cells = self.cells[a]
        self.right_cells = self.cells[b]
        if self.n == 0:
            swap = self.m
            for w in range(self.kinds):
                swap += self.totals[b * self.kinds + w]
            self.best = swap if swap < self.best else self.best
            self.over()
            return True
        self.right_edges = 0
        for w in range(self.kinds):
            self.right_edges += self.totals[b * self.kinds + w]
        self.prepare()
        halves: cython.int = self.relax(0)
        root: cython.int = (halves + 1) >> 1
        root += self.slack & (root ^ self.bound)
        if root > self.bound:
            self.bound = root
        if self.bound >= self.best:
            self.over()
            return True
        self.choose(0, halves)
        return False

    def go_on(self, budget):
        """Search on for *budget* steps; a caller may have lowered ``best`` before."""
        depth: cython.int = self.depth
        until: cython.longlong = self.tried + budget
        while depth >= 0:
            place: cython.int = self.choice_count[depth] - 1
            self.choice_count[depth] = place
            if place < 0 or self.choice_bounds[depth * self.room + place] >= (
                self.best - self.slack
            ):
                depth -= 1
                if depth >= 0:
                    self.taken[self.image[self.order[depth]]] = 0
                continue
            if self.best <= self.bound:
                break
            if self.tried >= until:
                self.choice_count[depth] = place + 1
                self.depth = depth
                return OPEN
            w: cython.int = self.choices[depth * self.room + place]
            self.tried += 1
            self.step(depth, w)
            depth += 1
            if depth == self.n:
                self.complete()
            else:
                halves: cython.int = self.relax(depth)
                if (halves + 1) >> 1 < self.best - self.slack:
                    self.choose(depth, halves)
                    continue
            depth -= 1
            self.taken[w] = 0
        return self.over()

    def over(self):
        """End the search, and return the best distance, which is proven now."""
        if 0 <= self.at_most < self.best:
            self.best = self.at_most + 1
        self.bound = self.best
        return self.best

    def parity(self, a, b):
        """Return 1 if the distance must be odd, 0 if even, less than 0 if unknown.

        It is known if no labels of nodes or edges differ.
        """
        first: cython.int = self.nodes[a]
        other: cython.int = self.nodes[b]
        n: cython.int = self.sizes[a]
        m: cython.int = self.sizes[b]
        if self.kinds > 1 or n == 0 or m == 0:
            return -1
        if self.sorted_labels[first] != self.sorted_labels[first + n - 1]:
            return -1
        if self.sorted_labels[other] != self.sorted_labels[other + m - 1]:
            return -1
        if self.sorted_labels[first] != self.sorted_labels[other]:
            return -1
        return (n + m + self.totals[a] + self.totals[b]) & 1

    def prepare(self):
        """Find twins, and fill the root's tables."""
        n: cython.int = self.n
        m: cython.int = self.m
        kinds: cython.int = self.kinds * self.sides
        for i in range(n):
            self.order[i] = i
        self.find_twins(self.left_twins, self.left_cells, self.left_nodes, n)
        self.find_twins(self.twins, self.right_cells, self.right_nodes, m)
        for i in range(n * kinds):
            self.left_counts[i] = self.counts[self.left_nodes * kinds + i]
        for i in range(m * kinds):
            self.right_counts[i] = self.counts[self.right_nodes * kinds + i]
        for i in range(n):
            for j in range(m):
                self.anchored[i * m + j] = 2 * (
                    self.labels[self.left_nodes + i]
                    != self.labels[self.right_nodes + j]
                ) + 2 * (
                    self.matrix[self.left_cells + i * n + i]
                    != self.matrix[self.right_cells + j * m + j]
                )
        for j in range(m):
            self.free_cost[j] = 2 + 2 * (self.matrix[self.right_cells + j * m + j] != 0)
            self.taken[j] = 0
        self.spent[0] = 0

    def find_twins(self, first, cells, node, size):
        """Write the first twin of every node of a graph."""
        for i in range(size):
            first[i] = i
            for k in range(i):
                if first[k] == k and self.are_twins(cells, node, size, k, i):
                    first[i] = k
                    break

    def are_twins(self, cells, node, size, i, k):
        """Return whether two nodes of a graph may be exchanged."""
        if self.labels[node + i] != self.labels[node + k]:
            return False
        if self.matrix[cells + i * size + k] != self.matrix[cells + k * size + i]:
            return False
        if self.matrix[cells + i * size + i] != self.matrix[cells + k * size + k]:
            return False
        same: cython.bint = True
        for other in range(size):
            if other != i and other != k:
                same &= (
                    self.matrix[cells + i * size + other]
                    == self.matrix[cells + k * size + other]
                )
                same &= (
                    self.matrix[cells + other * size + i]
                    == self.matrix[cells + other * size + k]
                )
        return same

    def relax(self, depth):
        """Bound all maps that agree with the steps so far, in halves.

        The assignment of the free nodes completes the map, whose cost may be the best.
        """
        n: cython.int = self.n
        m: cython.int = self.m
        kinds: cython.int = self.kinds
        total: cython.int = self.spent[depth]
        columns: cython.int = 0
        counts: cython.int = depth * self.room * self.sides * kinds
        anchored: cython.int = depth * self.room * self.room
        warm: cython.bint = 8 * (m - n) <= n
        rows: cython.int = m - depth if warm else n - depth
        for j in range(m):
            if not self.taken[j]:
                self.columns[columns] = j
                cost: cython.int = self.free_cost[depth * self.room + j]
                its: cython.int = counts + j * kinds * self.sides
                for k in range(kinds * self.sides):
                    cost += self.right_counts[its + k]
                self.least[columns] = cost
                self.col_dual[columns] = 0
                if warm and depth > 0:
                    self.col_dual[columns] = self.kept_dual[(depth - 1) * self.room + j]
                total += cost + self.col_dual[columns]
                columns += 1
        floor: cython.int = total
        for row in range(n - depth):
            i: cython.int = self.order[depth + row]
            table: cython.int = row * columns
            left: cython.int = FAR
            for column in range(columns):
                j = self.columns[column]
                cost = self.anchored[anchored + i * m + j] - self.least[column]
                own: cython.int = counts + i * self.sides * kinds
                its = counts + j * self.sides * kinds
                if kinds == 1:
                    for side in range(self.sides):
                        x: cython.int = (
                            self.left_counts[own + side] - self.right_counts[its + side]
                        )
                        cost += x if x > 0 else -x
                else:
                    for side in range(self.sides):
                        cost += self.unlike(own + side * kinds, its + side * kinds)
                self.table[table + column] = cost
                cost -= self.col_dual[column]
                left = cost if cost < left else left
            self.row_dual[row] = left
            floor += left
        for row in range(n - depth, rows):  # insertions
            left = FAR
            for column in range(columns):
                self.table[row * columns + column] = 0
                left = min(left, -self.col_dual[column])
            self.row_dual[row] = left
            floor += left
        if (floor + 1) >> 1 >= self.best - self.slack:
            return floor
        total = self.assign(rows, columns, floor)
        if (total + 1) >> 1 < self.best - self.slack:
            for row in range(n - depth):
                self.image[self.order[depth + row]] = self.columns[self.column_of[row]]
            self.complete()
        return total

    def unlike(self, own, its):
        """Count the edges by which two nodes differ at least, by label."""
        left: cython.int = 0
        right: cython.int = 0
        common: cython.int = 0
        for k in range(self.kinds):
            x: cython.int = self.left_counts[own + k]
            y: cython.int = self.right_counts[its + k]
            left += x
            right += y
            common += x if x < y else y
        return (left if left > right else right) - common

    def assign(self, rows, columns, bound):
        """Match every row of the table with a column at the least cost.

        At first columns have duals of any value if they are as many as rows, else 0;
        rows have the largest that these allow.  Duals and matches stay for ``choose``
        and ``relax``.

        Args:
            rows: the number of free nodes of the smaller graph.
            columns: the number of those of the larger one.
            bound: the bound of the duals at first, in halves.

        Returns:
            Their bound in the end; it may exceed the best before all are matched.
        """
        for column in range(columns):
            self.row_of[column] = -1
        for row in range(rows):
            value: cython.int = self.row_dual[row]
            at: cython.int = row * columns
            self.column_of[row] = -1
            for column in range(columns):
                if (
                    self.row_of[column] < 0
                    and self.table[at + column] - self.col_dual[column] == value
                ):
                    self.row_of[column] = row
                    self.column_of[row] = column
                    break
        for row in range(rows):
            if self.column_of[row] >= 0:
                continue
            step: cython.int = FAR
            place: cython.int = -1
            for column in range(columns):
                value = (
                    self.table[row * columns + column]
                    - self.row_dual[row]
                    - self.col_dual[column]
                )
                self.least[column] = value
                self.before[column] = row
                self.passed[column] = 0
                if value < step or (value == step and self.row_of[column] < 0):
                    step = value
                    place = column
            while self.row_of[place] >= 0:
                self.passed[place] = 1
                other: cython.int = self.row_of[place]
                at = other * columns
                value = step - self.row_dual[other]
                step = FAR
                for column in range(columns):
                    if self.passed[column]:
                        continue
                    there: cython.int = (
                        self.table[at + column] + value - self.col_dual[column]
                    )
                    if there < self.least[column]:
                        self.least[column] = there
                        self.before[column] = other
                    else:
                        there = self.least[column]
                    if there < step or (there == step and self.row_of[column] < 0):
                        step = there
                        place = column
            bound += step
            if (bound + 1) >> 1 >= self.best - self.slack:
                return bound
            for column in range(columns):
                if self.passed[column]:
                    self.row_dual[self.row_of[column]] += step - self.least[column]
                    self.col_dual[column] -= step - self.least[column]
            self.row_dual[row] += step
            while True:
                other = self.before[place]
                self.row_of[place] = other
                column = self.column_of[other]
                self.column_of[other] = place
                if other == row:
                    break
                place = column
        return bound

    def choose(self, depth, bound):
        """List the images of the next node that may lead to less, the best one last.

        Args:
            depth: the number of mapped nodes.
            bound: the bound of ``relax``, in halves, whose duals are kept.
        """
        columns: cython.int = self.m - depth
        at: cython.int = depth * self.room
        count: cython.int = 0
        least: cython.int = 0
        most: cython.int = self.m
        for column in range(columns):
            self.kept_dual[at + self.columns[column]] = self.col_dual[column]
        row: cython.int = self.narrowest(depth, bound)
        i: cython.int = self.order[depth + row]
        self.order[depth + row] = self.order[depth]
        self.order[depth] = i
        for place in range(depth):
            k: cython.int = self.order[place]
            if self.left_twins[k] == self.left_twins[i]:
                j: cython.int = self.twins[self.image[k]]
                if k < i and j > least:
                    least = j
                if k > i and j < most:
                    most = j
        for column in range(columns):
            j = self.columns[column]
            if self.twins[j] < least or self.twins[j] > most:
                continue
            if self.twins[j] != j:
                k = 0
                while (
                    self.columns[k] < j
                    and self.twins[self.columns[k]] != (self.twins[j])
                ):
                    k += 1
                if self.columns[k] < j:
                    continue
            halves: cython.int = (
                bound
                + self.table[row * columns + column]
                - self.row_dual[row]
                - self.col_dual[column]
                + 1
            ) >> 1
            if halves >= self.best - self.slack:
                continue
            place = count
            count += 1
            while place > 0 and self.choice_bounds[at + place - 1] < halves:
                self.choice_bounds[at + place] = self.choice_bounds[at + place - 1]
                self.choices[at + place] = self.choices[at + place - 1]
                place -= 1
            self.choice_bounds[at + place] = halves
            self.choices[at + place] = j
        self.choice_count[depth] = count

    def narrowest(self, depth, bound):
        """Forbid what the duals exclude; return the row with the fewest columns left.

        Of two rows with equally many, it is the one whose duals exclude more nearly.

        Args:
            depth: the number of mapped nodes.
            bound: the bound of ``relax``, in halves, whose duals are kept.
        """
        columns: cython.int = self.m - depth
        anchored: cython.int = depth * self.room * self.room
        spare: cython.int = 2 * (self.best - self.slack - 1) - bound
        fewest: cython.int = FAR
        narrowest: cython.int = 0
        for row in range(self.n - depth):
            count: cython.int = 0
            at: cython.int = anchored + self.order[depth + row] * self.m
            left: cython.int = spare + self.row_dual[row]
            for column in range(columns):
                more: cython.int = left - self.table[row * columns + column]
                more += self.col_dual[column]
                if more < 0:
                    self.anchored[at + self.columns[column]] = FORBIDDEN
                else:
                    count += EACH + more
            if count < fewest:
                fewest = count
                narrowest = row
        return narrowest

    def step(self, depth, w):
        """Map the next node to *w*, and fill the tables of the next depth."""
        n: cython.int = self.n
        m: cython.int = self.m
        width: cython.int = self.sides * self.kinds
        v: cython.int = self.order[depth]
        now: cython.int = depth * self.room
        then: cython.int = now + self.room
        directed: cython.bint = self.sides == 2
        self.image[v] = w
        self.taken[w] = 1
        self.spent[depth + 1] = (
            self.spent[depth] + self.anchored[now * self.room + v * m + w]
        )
        for j in range(m):
            if self.taken[j]:
                continue
            out: cython.int = self.matrix[self.right_cells + w * m + j]
            back: cython.int = (
                self.matrix[self.right_cells + j * m + w] if directed else 0
            )
            self.free_cost[then + j] = (
                self.free_cost[now + j] + 2 * (out != 0) + 2 * (back != 0)
            )
            for k in range(width):
                self.right_counts[(then + j) * width + k] = self.right_counts[
                    (now + j) * width + k
                ]
            if out and not directed:
                self.right_counts[(then + j) * width + out - 1] -= 1
            elif directed:
                if back:
                    self.right_counts[(then + j) * width + back - 1] -= 1
                if out:
                    self.right_counts[(then + j) * width + self.kinds + out - 1] -= 1
        for row in range(depth + 1, n):
            i: cython.int = self.order[row]
            out = self.matrix[self.left_cells + v * n + i]
            back = self.matrix[self.left_cells + i * n + v] if directed else 0
            for k in range(width):
                self.left_counts[(then + i) * width + k] = self.left_counts[
                    (now + i) * width + k
                ]
            if out and not directed:
                self.left_counts[(then + i) * width + out - 1] -= 1
            elif directed:
                if back:
                    self.left_counts[(then + i) * width + back - 1] -= 1
                if out:
                    self.left_counts[(then + i) * width + self.kinds + out - 1] -= 1
            for j in range(m):
                if self.taken[j]:
                    continue
                cost: cython.int = self.anchored[now * self.room + i * m + j]
                cost += 2 * (out != self.matrix[self.right_cells + w * m + j])
                if directed:
                    cost += 2 * (back != self.matrix[self.right_cells + j * m + w])
                self.anchored[then * self.room + i * m + j] = cost

    def complete(self):
        """Keep the map of all nodes if it costs less than the best so far."""
        n: cython.int = self.n
        m: cython.int = self.m
        cost: cython.int = m - n + self.right_edges
        for i in range(n):
            v: cython.int = self.left_cells + i * n
            w: cython.int = self.right_cells + self.image[i] * m
            cost += (
                self.labels[self.left_nodes + i]
                != self.labels[self.right_nodes + self.image[i]]
            )
            x: cython.int = self.matrix[v + i]
            y: cython.int = self.matrix[w + self.image[i]]
            cost += (x != y) - (y != 0)
            for k in range(i + 1, n):
                x = self.matrix[v + k]
                y = self.matrix[w + self.image[k]]
                cost += (x != y) - (y != 0)
                if self.sides == 2:
                    x = self.matrix[self.left_cells + k * n + i]
                    y = self.matrix[
                        self.right_cells + self.image[k] * m + self.image[i]
                    ]
                    cost += (x != y) - (y != 0)
        if cost < self.best:
            self.best = cost
            for i in range(n):
                self.best_image[i] = self.image[i]


def _zeros(size):
    return np.zeros(size, dtype=np.intc) if cython.compiled else [0] * size
