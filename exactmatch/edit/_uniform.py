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

if not cython.compiled:
    from exactmatch.base import compiled as kernels

    PackedGraphs = kernels.load_interpreted(
        "exactmatch.edit._packed_graphs"
    ).PackedGraphs

OPEN = -1
"""The distance of a pair whose search was given up."""

INFINITE = 1 << 29
"""More than any cost."""

FORBIDDEN = 1 << 20
"""Cost of mapping a node to one that no map cheaper than the best uses."""

PER_COLUMN = 1024
"""Weight of a column in the choice of the next node; a spare half of duals weighs 1."""


@cython.cclass
class Search(PackedGraphs):
    """Search of pairs of packed graphs; each thread has its own.

    Args:
        *packed: the graphs, as ``PackedGraphs`` takes them.
        room: the number of nodes of the largest graph.
    """

    def __init__(self, *packed_and_room):
        *packed, room = packed_and_room
        PackedGraphs.__init__(self, *packed)
        self.room = room
        sides, kinds = self.sides, self.kinds
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
        self.least_cost, self.previous_row = _zeros(room + 1), _zeros(room + 1)
        self.visited = _zeros(room + 1)
        self.choices = _zeros((room + 1) * room)
        self.choice_bounds = _zeros((room + 1) * room)
        self.choice_count, self.cost_so_far = _zeros(room + 1), _zeros(room + 1)

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

    def run(self, a, b, at_most, budget):
        """Search one pair; return its distance, as ``distances`` does."""
        if self.begin(a, b, at_most):
            return self.best
        return self.resume(budget)

    def begin(self, a, b, at_most):
        """Prepare the search of one pair; return whether it is over already."""
        self.tried = 0
        self.depth = 0
        self.at_most = at_most
        self.best = INFINITE if at_most < 0 else at_most + 1
        self.bound = self.quick_bound(a, b)
        if self.bound >= self.best:
            self.bound = self.best
            return True
        swap: cython.int = self.parity(a, b)
        self.parity_step = swap >= 0
        if self.parity_step:
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
            self.finish()
            return True
        self.right_edges = 0
        for w in range(self.kinds):
            self.right_edges += self.totals[b * self.kinds + w]
        self.prepare()
        halves: cython.int = self.relax(0)
        root: cython.int = (halves + 1) >> 1
        root += self.parity_step & (root ^ self.bound)
        if root > self.bound:
            self.bound = root
        if self.bound >= self.best:
            self.finish()
            return True
        self.choose(0, halves)
        return False

    def resume(self, budget):
        """Search for *budget* more steps; the caller may have lowered ``best``."""
        depth: cython.int = self.depth
        until: cython.longlong = self.tried + budget
        while depth >= 0:
            choice: cython.int = self.choice_count[depth] - 1
            self.choice_count[depth] = choice
            if choice < 0 or self.choice_bounds[depth * self.room + choice] >= (
                self.best - self.parity_step
            ):
                depth -= 1
                if depth >= 0:
                    self.taken[self.image[self.order[depth]]] = 0
                continue
            if self.best <= self.bound:
                break
            if self.tried >= until:
                self.choice_count[depth] = choice + 1
                self.depth = depth
                return OPEN
            w: cython.int = self.choices[depth * self.room + choice]
            self.tried += 1
            self.step(depth, w)
            depth += 1
            if depth == self.n:
                self.complete()
            else:
                halves: cython.int = self.relax(depth)
                if (halves + 1) >> 1 < self.best - self.parity_step:
                    self.choose(depth, halves)
                    continue
            depth -= 1
            self.taken[w] = 0
        return self.finish()

    def finish(self):
        """End the search, and return the best distance, which is proven now."""
        if 0 <= self.at_most < self.best:
            self.best = self.at_most + 1
        self.bound = self.best
        return self.best

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
        self.cost_so_far[0] = 0

    def relax(self, depth):
        """Bound all maps that agree with the steps so far, in halves.

        The assignment of the free nodes completes the map, whose cost may be the best.
        """
        n: cython.int = self.n
        m: cython.int = self.m
        kinds: cython.int = self.kinds
        total: cython.int = self.cost_so_far[depth]
        columns: cython.int = 0
        counts: cython.int = depth * self.room * self.sides * kinds
        anchored: cython.int = depth * self.room * self.room
        warm: cython.bint = 8 * (m - n) <= n
        rows: cython.int = m - depth if warm else n - depth
        for j in range(m):
            if not self.taken[j]:
                self.columns[columns] = j
                cost: cython.int = self.free_cost[depth * self.room + j]
                right_at: cython.int = counts + j * kinds * self.sides
                for k in range(kinds * self.sides):
                    cost += self.right_counts[right_at + k]
                self.least_cost[columns] = cost
                self.col_dual[columns] = 0
                if warm and depth > 0:
                    self.col_dual[columns] = self.kept_dual[(depth - 1) * self.room + j]
                total += cost + self.col_dual[columns]
                columns += 1
        floor: cython.int = total
        for row in range(n - depth):
            i: cython.int = self.order[depth + row]
            table: cython.int = row * columns
            row_least: cython.int = INFINITE
            for column in range(columns):
                j = self.columns[column]
                cost = self.anchored[anchored + i * m + j] - self.least_cost[column]
                left_at: cython.int = counts + i * self.sides * kinds
                right_at = counts + j * self.sides * kinds
                if kinds == 1:
                    for side in range(self.sides):
                        x: cython.int = (
                            self.left_counts[left_at + side]
                            - self.right_counts[right_at + side]
                        )
                        cost += x if x > 0 else -x
                else:
                    for side in range(self.sides):
                        cost += self.edge_difference(
                            left_at + side * kinds, right_at + side * kinds
                        )
                self.table[table + column] = cost
                cost -= self.col_dual[column]
                row_least = cost if cost < row_least else row_least
            self.row_dual[row] = row_least
            floor += row_least
        for row in range(n - depth, rows):  # insertions
            row_least = INFINITE
            for column in range(columns):
                self.table[row * columns + column] = 0
                row_least = min(row_least, -self.col_dual[column])
            self.row_dual[row] = row_least
            floor += row_least
        if (floor + 1) >> 1 >= self.best - self.parity_step:
            return floor
        total = self.assign(rows, columns, floor)
        if (total + 1) >> 1 < self.best - self.parity_step:
            for row in range(n - depth):
                self.image[self.order[depth + row]] = self.columns[self.column_of[row]]
            self.complete()
        return total

    def edge_difference(self, left_at, right_at):
        """Count the edges by which two nodes differ at least, by label."""
        n_left: cython.int = 0
        n_right: cython.int = 0
        common: cython.int = 0
        for k in range(self.kinds):
            x: cython.int = self.left_counts[left_at + k]
            y: cython.int = self.right_counts[right_at + k]
            n_left += x
            n_right += y
            common += x if x < y else y
        return (n_left if n_left > n_right else n_right) - common

    def assign(self, rows, columns, bound):
        """Match every row of the table with a column at the least cost.

        If there are as many columns as rows, columns begin with any duals, else with 0;
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
            reduced_cost: cython.int = self.row_dual[row]
            row_start: cython.int = row * columns
            self.column_of[row] = -1
            for column in range(columns):
                if (
                    self.row_of[column] < 0
                    and self.table[row_start + column] - self.col_dual[column]
                    == reduced_cost
                ):
                    self.row_of[column] = row
                    self.column_of[row] = column
                    break
        for row in range(rows):
            if self.column_of[row] >= 0:
                continue
            step: cython.int = INFINITE
            nearest: cython.int = -1
            for column in range(columns):
                reduced_cost = (
                    self.table[row * columns + column]
                    - self.row_dual[row]
                    - self.col_dual[column]
                )
                self.least_cost[column] = reduced_cost
                self.previous_row[column] = row
                self.visited[column] = 0
                if reduced_cost < step or (
                    reduced_cost == step and self.row_of[column] < 0
                ):
                    step = reduced_cost
                    nearest = column
            while self.row_of[nearest] >= 0:
                self.visited[nearest] = 1
                matched_row: cython.int = self.row_of[nearest]
                row_start = matched_row * columns
                reduced_cost = step - self.row_dual[matched_row]
                step = INFINITE
                for column in range(columns):
                    if self.visited[column]:
                        continue
                    through_row: cython.int = (
                        self.table[row_start + column]
                        + reduced_cost
                        - self.col_dual[column]
                    )
                    if through_row < self.least_cost[column]:
                        self.least_cost[column] = through_row
                        self.previous_row[column] = matched_row
                    else:
                        through_row = self.least_cost[column]
                    if through_row < step or (
                        through_row == step and self.row_of[column] < 0
                    ):
                        step = through_row
                        nearest = column
            bound += step
            if (bound + 1) >> 1 >= self.best - self.parity_step:
                return bound
            for column in range(columns):
                if self.visited[column]:
                    self.row_dual[self.row_of[column]] += step - self.least_cost[column]
                    self.col_dual[column] -= step - self.least_cost[column]
            self.row_dual[row] += step
            while True:
                matched_row = self.previous_row[nearest]
                self.row_of[nearest] = matched_row
                column = self.column_of[matched_row]
                self.column_of[matched_row] = nearest
                if matched_row == row:
                    break
                nearest = column
        return bound

    def choose(self, depth, bound):
        """List the images of the next node that may lower the cost, the best one last.

        Args:
            depth: the number of mapped nodes.
            bound: the bound of ``relax``, in halves, whose duals are kept.
        """
        columns: cython.int = self.m - depth
        base: cython.int = depth * self.room
        count: cython.int = 0
        first_class: cython.int = 0
        last_class: cython.int = self.m
        for column in range(columns):
            self.kept_dual[base + self.columns[column]] = self.col_dual[column]
        row: cython.int = self.narrowest(depth, bound)
        i: cython.int = self.order[depth + row]
        self.order[depth + row] = self.order[depth]
        self.order[depth] = i
        for place in range(depth):
            k: cython.int = self.order[place]
            if self.left_twins[k] == self.left_twins[i]:
                j: cython.int = self.twins[self.image[k]]
                if k < i and j > first_class:
                    first_class = j
                if k > i and j < last_class:
                    last_class = j
        for column in range(columns):
            j = self.columns[column]
            if self.twins[j] < first_class or self.twins[j] > last_class:
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
            if halves >= self.best - self.parity_step:
                continue
            place = count
            count += 1
            while place > 0 and self.choice_bounds[base + place - 1] < halves:
                self.choice_bounds[base + place] = self.choice_bounds[base + place - 1]
                self.choices[base + place] = self.choices[base + place - 1]
                place -= 1
            self.choice_bounds[base + place] = halves
            self.choices[base + place] = j
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
        spare: cython.int = 2 * (self.best - self.parity_step - 1) - bound
        fewest: cython.int = INFINITE
        narrowest: cython.int = 0
        for row in range(self.n - depth):
            count: cython.int = 0
            base: cython.int = anchored + self.order[depth + row] * self.m
            row_spare: cython.int = spare + self.row_dual[row]
            for column in range(columns):
                margin: cython.int = row_spare - self.table[row * columns + column]
                margin += self.col_dual[column]
                if margin < 0:
                    self.anchored[base + self.columns[column]] = FORBIDDEN
                else:
                    count += PER_COLUMN + margin
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
        level: cython.int = depth * self.room
        next_level: cython.int = level + self.room
        directed: cython.bint = self.sides == 2
        self.image[v] = w
        self.taken[w] = 1
        self.cost_so_far[depth + 1] = (
            self.cost_so_far[depth] + self.anchored[level * self.room + v * m + w]
        )
        for j in range(m):
            if self.taken[j]:
                continue
            out: cython.int = self.matrix[self.right_cells + w * m + j]
            back: cython.int = (
                self.matrix[self.right_cells + j * m + w] if directed else 0
            )
            self.free_cost[next_level + j] = (
                self.free_cost[level + j] + 2 * (out != 0) + 2 * (back != 0)
            )
            for k in range(width):
                self.right_counts[(next_level + j) * width + k] = self.right_counts[
                    (level + j) * width + k
                ]
            if out and not directed:
                self.right_counts[(next_level + j) * width + out - 1] -= 1
            elif directed:
                if back:
                    self.right_counts[(next_level + j) * width + back - 1] -= 1
                if out:
                    self.right_counts[
                        (next_level + j) * width + self.kinds + out - 1
                    ] -= 1
        for row in range(depth + 1, n):
            i: cython.int = self.order[row]
            out = self.matrix[self.left_cells + v * n + i]
            back = self.matrix[self.left_cells + i * n + v] if directed else 0
            for k in range(width):
                self.left_counts[(next_level + i) * width + k] = self.left_counts[
                    (level + i) * width + k
                ]
            if out and not directed:
                self.left_counts[(next_level + i) * width + out - 1] -= 1
            elif directed:
                if back:
                    self.left_counts[(next_level + i) * width + back - 1] -= 1
                if out:
                    self.left_counts[
                        (next_level + i) * width + self.kinds + out - 1
                    ] -= 1
            for j in range(m):
                if self.taken[j]:
                    continue
                cost: cython.int = self.anchored[level * self.room + i * m + j]
                cost += 2 * (out != self.matrix[self.right_cells + w * m + j])
                if directed:
                    cost += 2 * (back != self.matrix[self.right_cells + j * m + w])
                self.anchored[next_level * self.room + i * m + j] = cost

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
