# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Pack coded graphs, and build the inverted index of packed graphs.

A *packed* graph is a coded graph whose keys (a concept, a role with its constant, a
role) are numbers that all graphs share, in ascending order, so that two graphs are
paired by merging two lists of integers.  It is a run of ``int32``::

    variables total keys roles | k k … | s s … | p p … | b b … b | … | v n … | s t n …
                                 keys    sums   peaks   begins   ^     ^       ^
                                                    the same of roles  |   relations
                                                            variables that carry a key

Each key has a *sum* (how often it occurs in the graph), a *peak* (how often at one
variable, at most), and the position where its carriers begin.

The code is Python that Cython compiles.  Time a change with
``python -m benchmarks banks many``.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython

import numpy as np

if cython.compiled:
    from cython.cimports.exactmatch.engine._shared import HEAD
else:
    from exactmatch.base import compiled as kernels

    HEAD = kernels.load_interpreted("exactmatch.engine._shared").HEAD

_WORD = 2**64 - 1


def pack(coded, key_numbers: dict, role_numbers: dict, learn: bool):
    """Pack a coded graph.

    Args:
        coded: a ``CodedGraph``.
        key_numbers, role_numbers: the shared number of each key.
        learn: whether an unknown key gets the next free number; otherwise it is left
            out, because no graph that is packed already can share it.
    """
    cells: cython.int[::1] = coded.cells
    keys: list = _shared(coded.unary_keys, key_numbers, learn)
    roles: list = _shared(coded.role_keys, role_numbers, learn)
    used: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t
    for _, k in keys:
        used += cells[3 + k + 1] - cells[3 + k]
    for _, k in roles:
        used += cells[cells[0] + k + 1] - cells[cells[0] + k]
    size: cython.Py_ssize_t = HEAD + 4 * (len(keys) + len(roles)) + 2 + used
    array = np.empty(size, dtype=np.int32)
    packed: cython.int[::1] = array
    packed[0] = coded.n_variables
    packed[1] = coded.total
    packed[2] = len(keys)
    packed[3] = len(roles)
    at: cython.Py_ssize_t = HEAD + 4 * (len(keys) + len(roles)) + 2
    at = _lay_out(keys, cells, 3, 2, packed, HEAD, at)
    _lay_out(roles, cells, cells[0], 3, packed, HEAD + 4 * len(keys) + 1, at)
    return array


@cython.cfunc
def _shared(key_numbers: dict, numbers: dict, learn: cython.bint):
    """Return each key's shared number and its number in the graph, sorted."""
    pairs: list = []
    for key, number in key_numbers.items():
        shared = numbers.get(key)
        if shared is None:
            if not learn:
                continue
            shared = len(numbers)
            numbers[key] = shared
        pairs.append((shared, number))
    pairs.sort()
    return pairs


@cython.cfunc
@cython.returns(cython.Py_ssize_t)
def _lay_out(
    keys: list,
    cells: cython.int[::1],
    begins: cython.Py_ssize_t,
    width: cython.Py_ssize_t,
    packed: cython.int[::1],
    head: cython.Py_ssize_t,
    at: cython.Py_ssize_t,
):
    """Write keys from *head* on, their carriers from *at* on; return their end."""
    n: cython.Py_ssize_t = len(keys)
    for x in range(n):
        packed[head + x] = keys[x][0]
        k: cython.Py_ssize_t = keys[x][1]
        packed[head + n + x] = 0
        packed[head + 2 * n + x] = 0
        packed[head + 3 * n + x] = at
        for c in range(cells[begins + k], cells[begins + k + 1], width):
            for w in range(width):
                packed[at + w] = cells[c + w]
            times: cython.int = cells[c + width - 1]
            packed[head + n + x] += times
            packed[head + 2 * n + x] = max(packed[head + 2 * n + x], times)
            at += width
    packed[head + 4 * n] = at
    return at


def postings(cells: cython.const[cython.int][::1], begins: object, n_keys: int, n: int):
    """Build the inverted index: for each key, the graphs that have it.

    Args:
        cells: packed graphs, one behind the other.
        begins: where each begins, and where the last one ends.
        n_keys: number of keys that are not roles; roles are numbered after them.
        n: number of all keys, roles included.

    Returns:
        Where the postings of each key begin (``n + 1`` numbers), and for each posting
        the graph, the key's sum there, and its peak.
    """
    graph_begins: cython.const[cython.longlong][::1] = begins
    first = np.zeros(n + 1, dtype=np.int64)
    starts: cython.longlong[::1] = first
    part: cython.Py_ssize_t
    key: cython.Py_ssize_t
    n_graphs: cython.Py_ssize_t = len(graph_begins) - 1
    for g in range(n_graphs):
        base: cython.Py_ssize_t = graph_begins[g]
        for part in range(2):
            count: cython.Py_ssize_t = cells[base + 2 + part]
            head: cython.Py_ssize_t = (
                base + HEAD + (0 if part == 0 else 4 * cells[base + 2] + 1)
            )
            offset: cython.Py_ssize_t = 0 if part == 0 else n_keys
            for x in range(count):
                starts[cells[head + x] + offset + 1] += 1
    for key in range(n):
        starts[key + 1] += starts[key]
    total = int(starts[n])
    graphs = np.empty(total, dtype=np.int32)
    sums = np.empty(total, dtype=np.int32)
    peaks = np.empty(total, dtype=np.int32)
    graph_of: cython.int[::1] = graphs
    sum_of: cython.int[::1] = sums
    peak_of: cython.int[::1] = peaks
    filled: cython.longlong[::1] = first[0:n].copy()
    for g in range(n_graphs):
        base = graph_begins[g]
        for part in range(2):
            count = cells[base + 2 + part]
            head = base + HEAD + (0 if part == 0 else 4 * cells[base + 2] + 1)
            offset = 0 if part == 0 else n_keys
            for x in range(count):
                key = cells[head + x] + offset
                at: cython.Py_ssize_t = filled[key]
                filled[key] += 1
                graph_of[at] = g
                sum_of[at] = cells[head + count + x]
                peak_of[at] = cells[head + 2 * count + x]
    return first, graphs, sums, peaks


def first_fault(
    cells: cython.const[cython.int][::1],
    begins: cython.const[cython.longlong][::1],
    starts: cython.const[cython.longlong][::1],
    graphs: cython.const[cython.int][::1],
    sums: cython.const[cython.int][::1],
    peaks: cython.const[cython.int][::1],
    n_keys: cython.Py_ssize_t,
    salt: cython.ulonglong,
    pepper: cython.ulonglong,
):
    """Find the first graph that is not as ``pack`` makes it, or a wrong index.

    Two lists hold the same postings if the sums of their hashes are equal.

    Args:
        cells, begins: packed graphs, each with room for its head at least.
        starts, graphs, sums, peaks: an index, to be checked against what ``postings``
            returns; its *starts* never fall and lie within the postings.
        n_keys: as for ``postings``.
        salt, pepper: odd random numbers that the writer of the postings did not know.

    Returns:
        The graph's number; the number of graphs for a wrong index; -1 for no fault.
    """
    if not cython.compiled:
        cells, begins, starts = cells.tolist(), begins.tolist(), starts.tolist()
        graphs, sums, peaks = graphs.tolist(), sums.tolist(), peaks.tolist()
    part: cython.Py_ssize_t
    n: cython.Py_ssize_t = len(starts) - 1
    n_graphs: cython.Py_ssize_t = len(begins) - 1
    packed_sum: cython.ulonglong = 0
    posted_sum: cython.ulonglong = 0
    for g in range(n_graphs):
        base: cython.Py_ssize_t = begins[g]
        size: cython.Py_ssize_t = begins[g + 1] - base
        variables: cython.int = cells[base]
        if variables < 0 or cells[base + 2] < 0 or cells[base + 3] < 0:
            return g
        at: cython.Py_ssize_t = HEAD + 2
        at += 4 * cython.cast(cython.Py_ssize_t, cells[base + 2])
        at += 4 * cython.cast(cython.Py_ssize_t, cells[base + 3])
        if at > size:
            return g
        head: cython.Py_ssize_t = base + HEAD
        n_triples: cython.longlong = 0
        for part in range(2):
            width: cython.Py_ssize_t = 2 + part
            count: cython.Py_ssize_t = cells[base + 2 + part]
            offset: cython.Py_ssize_t = 0 if part == 0 else n_keys
            first: cython.Py_ssize_t = offset
            last: cython.Py_ssize_t = n_keys if part == 0 else n
            stop: cython.Py_ssize_t = cells[head + 4 * count]
            if stop > size:
                return g
            stop += base
            all_times: cython.int = 1  # as long as every key occurs once at a variable
            row: cython.Py_ssize_t = base + at
            while row + width <= stop:
                times: cython.int = cells[row + 1 + part]
                if times < 1 or not 0 <= cells[row] < variables:
                    return g
                if part and not 0 <= cells[row + 1] < variables:
                    return g
                all_times |= times
                row += width
            for x in range(count):
                key: cython.Py_ssize_t = offset + cells[head + x]
                end: cython.Py_ssize_t = cells[head + 3 * count + x + 1]
                if not first <= key < last or not at < end <= stop - base:
                    return g
                if cells[head + 3 * count + x] != at:
                    return g
                first = key + 1
                if end - at > width and _repeats(cells, base + at, base + end, width):
                    return g
                total: cython.longlong = cells[head + count + x]
                peak: cython.int = cells[head + 2 * count + x]
                if all_times == 1:
                    if peak != 1 or total * width != end - at:
                        return g
                    at = end
                else:
                    highest: cython.int = 0
                    while at + width <= end:
                        times = cells[base + at + 1 + part]
                        total -= times
                        highest = max(highest, times)
                        at += width
                    if at != end or total or highest != peak:
                        return g
                    total = cells[head + count + x]
                n_triples += total
                packed_sum += _mixed(key, g, total, peak, salt, pepper)
            if cells[head + 4 * count] != at:
                return g
            head += 4 * count + 1
        if at != size or n_triples != cells[base + 1]:
            return g
    for key in range(n):
        for p in range(starts[key], starts[key + 1]):
            posted_sum += _mixed(key, graphs[p], sums[p], peaks[p], salt, pepper)
    return -1 if packed_sum == posted_sum else n_graphs


@cython.cfunc
@cython.returns(cython.bint)
def _repeats(
    cells: cython.const[cython.int][::1],
    at: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    width: cython.Py_ssize_t,
):
    """Return whether a variable, or a pair of variables, carries a key twice.

    Carriers are mostly in ascending order; then no set is needed.
    """
    ascend: cython.bint = True
    before: cython.longlong = -1
    for row in range(at, end - width + 1, width):
        carrier: cython.longlong = cells[row]
        if width == 3:
            carrier = carrier << 32 | cells[row + 1]
        if carrier <= before:
            ascend = False
            break
        before = carrier
    if ascend:
        return False
    seen: set = set()
    for row in range(at, end - width + 1, width):
        carrier = cells[row]
        if width == 3:
            carrier = carrier << 32 | cells[row + 1]
        if carrier in seen:
            return True
        seen.add(carrier)
    return False


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.returns(cython.ulonglong)
def _mixed(
    key: cython.ulonglong,
    graph: cython.ulonglong,
    total: cython.ulonglong,
    peak: cython.ulonglong,
    salt: cython.ulonglong,
    pepper: cython.ulonglong,
):
    """Return the salted hash of a posting, safe against crafted collisions."""
    mixed: cython.ulonglong = (key << 32 | graph) * salt ^ (total << 32 | peak) * pepper
    if not cython.compiled:
        mixed &= _WORD
    mixed = (mixed ^ mixed >> 32) * salt
    if not cython.compiled:
        mixed &= _WORD
    return mixed ^ mixed >> 29
