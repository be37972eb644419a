# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The distinct parts of documents: as they are read, and of two documents.

A document is visited level by level, so that the children of a part follow one
another, and its parts are then made from the last one to the first.

The code is Python that Cython compiles.  Small changes cost speed here; time
``python -m benchmarks.json_peers`` before and after one.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython


def visited(value, place, reader, store):
    """Visit a value and all values in it, level by level.

    Args:
        value: of a document.
        place: the place of the value.
        reader: reads scalars (``scalar``), makes parts of them (``part``), appends the
            content of other values (``inner``), and reads texts and numbers (``text``,
            ``number``, remembered in ``texts`` and ``floats``); values of its types
            ``quick`` need no more.
        store: the distinct parts; see ``tree.Parts``.

    Returns:
        Four lists with an entry for each value: the values; their places; their parts,
        ``None`` for a value without weight or with children; and their spans: ``None``,
        or the kind, the names of the children, and the index of the first child.
    """
    values: list = [value]
    places: list = [place]
    parts: list = []
    spans: list = []
    part = reader.part
    scalar = reader.scalar
    text = reader.text
    quick = reader.quick
    numbers: dict = store.numbers
    kinds: list = store.kinds
    contents: list = store.contents
    weights: list = store.weights
    heights: list = store.heights
    lengths: set = store.lengths
    texts: dict = reader.texts
    floats: dict = reader.floats
    number = reader.number
    level_end: cython.Py_ssize_t = 1
    i: cython.Py_ssize_t = 0
    span: object
    inner_place: object
    leaf: object
    part_number: object
    while i < len(values):
        if i == level_end:
            level_end = len(values)
            reader.descend()
        value = values[i]
        place = places[i]
        kind = type(value)
        if kind is dict and place.is_plain and value:
            names = place.orders.get(tuple(value))
            if names is None:
                names = place.names_of(value)
            if names is not None:
                spans.append(("object", names, len(values)))
                parts.append(None)
                below: dict = place.by_step
                for name in names:
                    values.append(value[name])
                    inner_place = below.get(name)
                    if inner_place is None:
                        inner_place = place.below(name)
                    places.append(inner_place)
                i += 1
                continue
        if place.is_plain and kind in quick:
            if kind is list:
                if value and place.order != "row":
                    spans.append((place.order, range(len(value)), len(values)))
                    parts.append(None)
                    values.extend(value)
                    places.extend([place.below(0)] * len(value))
                    i += 1
                    continue
            else:
                pattern = place.pattern
                if kind is str:
                    leaf = texts.get(value)
                    if leaf is None:
                        leaf = text(value)
                    content = ("text", leaf, pattern)
                elif kind is bool:
                    content = ("boolean", value, pattern)
                elif kind is float:
                    leaf = floats.get(value)
                    if leaf is None:
                        leaf = number(value)
                    content = ("number", leaf, pattern)
                else:
                    content = ("number", value, pattern)
                part_number = numbers.get(content)
                if part_number is None:
                    part_number = len(kinds)
                    numbers[content] = part_number
                    kinds.append("leaf")
                    if kind is str:
                        lengths.add(len(content[1]))
                    contents.append(content)
                    weights.append(place.weight)
                    heights.append(0)
                parts.append(part_number)
                spans.append(None)
                i += 1
                continue
        leaf = scalar(value)
        if leaf is not None:
            parts.append(part(leaf, place, i, value))
            spans.append(None)
            i += 1
            continue
        span = reader.inner(value, place, i, values, places)
        if type(span) is tuple:
            parts.append(None)
            spans.append(span)
        else:
            parts.append(span)
            spans.append(None)
        i += 1
    return values, places, parts, spans


def made(parts: list, spans: list, store):
    """Make the parts that have children, from the last one to the first.

    Args:
        parts, spans: see :func:`visited`; the parts are added.
        store: the distinct parts; see ``tree.Parts``.
    """
    numbers: dict = store.numbers
    kinds: list = store.kinds
    contents: list = store.contents
    weights: list = store.weights
    heights: list = store.heights
    i: cython.Py_ssize_t = len(spans)
    first: cython.Py_ssize_t
    weight: object
    while i:
        i -= 1
        span = spans[i]
        if span is None:
            continue
        kind, names, first = span
        children: list = parts[first : first + len(names)]
        if None in children:
            weighty: list = [k for k in range(len(names)) if children[k] is not None]
            if not weighty:
                continue
            names = tuple([names[k] for k in weighty])
            children = [children[k] for k in weighty]
        if kind == "bag":
            children.sort()
        inside = tuple(children)
        content = inside if kind == "bag" or kind == "ordered" else (names, inside)
        key = (kind, content)
        number = numbers.get(key)
        if number is None:
            number = len(kinds)
            numbers[key] = number
            weight = 0
            height = 0
            for child in children:
                weight += weights[child]
                if heights[child] > height:
                    height = heights[child]
            kinds.append(kind)
            contents.append(content)
            weights.append(weight)
            heights.append(height + 1)
        parts[i] = number


def merged(store, other):
    """Add the parts of another document to those of one.

    Args:
        store, other: the distinct parts of each; see ``tree.Parts``.

    Returns:
        The numbers of the other's parts among those of the first one.
    """
    numbers: dict = store.numbers
    kinds: list = store.kinds
    contents: list = store.contents
    weights: list = store.weights
    heights: list = store.heights
    new_numbers: list = []
    other_contents: list = other.contents
    i: cython.Py_ssize_t
    for i in range(len(other_contents)):
        kind = other.kinds[i]
        content = other_contents[i]
        if kind == "bag":
            content = tuple(sorted([new_numbers[child] for child in content]))
        elif kind == "ordered":
            content = tuple([new_numbers[child] for child in content])
        elif kind != "leaf":
            content = (content[0], tuple([new_numbers[child] for child in content[1]]))
        key = content if kind == "leaf" else (kind, content)
        number = numbers.get(key)
        if number is None:
            number = len(kinds)
            numbers[key] = number
            kinds.append(kind)
            contents.append(content)
            weights.append(other.weights[i])
            heights.append(other.heights[i])
        new_numbers.append(number)
    return new_numbers


def bounded(rows: list, columns: list, store, unit: int, similar, lazily: bool):
    """Bound the common part of each of some parts with each of others.

    Args:
        rows, columns: the numbers of the parts.
        store: the distinct parts; see ``tree.Parts``.
        unit: the units of a weight of one.
        similar: returns the similarity of two texts in units; ``None`` where different
            texts are worth nothing.
        lazily: whether texts are bounded by their lengths.

    Returns:
        A table of bounds, and a table that has 1 where a bound is not exact; ``None``
        instead of the second where all bounds are exact.
    """
    comparison = Comparison(store, unit)
    comparison.similar = similar
    comparison.lazily = lazily
    table: list = []
    open_ones: list = []
    is_open: cython.bint = False
    for a in rows:
        row: list = []
        marks: list = []
        for b in columns:
            bound: cython.longlong = comparison.doubled(a, b)
            if bound & 1:
                is_open = True
            row.append(bound >> 1)
            marks.append(bound & 1)
        table.append(row)
        open_ones.append(marks)
    return table, open_ones if is_open else None


def value(a: int, b: int, known: dict, store, unit: int, compared):
    """Return the size of what two parts share, in units.

    Args:
        a, b: the numbers of the parts.
        known: the known values of pairs; objects, rows and entries are added.
        store: the distinct parts; see ``tree.Parts``.
        unit: the units of a weight of one.
        compared: compares different leaves and lists.
    """
    comparison = Comparison(store, unit)
    comparison.known = known
    comparison.compared = compared
    worth: cython.longlong = comparison.doubled(a, b)
    return worth >> 1


@cython.cclass
class Comparison:
    """Comparison of parts: exact where ``compared`` is set, else by upper bounds."""

    kinds: list
    contents: list
    weights: list
    unit: cython.longlong
    compared: object
    known: dict
    similar: object
    lazily: cython.bint

    def __init__(self, store, unit):
        self.kinds = store.kinds
        self.contents = store.contents
        self.weights = store.weights
        self.unit = unit
        self.compared = None
        self.known = None
        self.similar = None
        self.lazily = False

    @cython.cfunc
    @cython.returns(cython.longlong)
    def doubled(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t):
        """Return twice the size of what two parts share; add 1 if it is only a bound.

        Names of children are sorted.
        """
        weight: cython.longlong
        if a == b:
            weight = self.weights[a]
            return 2 * weight * self.unit
        kind = self.kinds[a]
        if kind != self.kinds[b]:
            return 0
        if kind == "leaf" or kind == "bag" or kind == "ordered":
            if self.compared is None:
                return self.bound(kind, a, b)
            worth: cython.longlong = self.compared(a, b)
            return 2 * worth
        if self.known is not None:
            known_value = self.known.get((a, b))
            if known_value is not None:
                worth = known_value
                return 2 * worth
        left_content: tuple = self.contents[a]
        right_content: tuple = self.contents[b]
        left_names: tuple = left_content[0]
        right_names: tuple = right_content[0]
        left_children: tuple = left_content[1]
        right_children: tuple = right_content[1]
        total: cython.longlong = 0
        may_be_less: cython.longlong = 0
        i: cython.Py_ssize_t = 0
        j: cython.Py_ssize_t = 0
        is_same: cython.bint = left_names is right_names or left_names == right_names
        while i < len(left_children) and j < len(right_children):
            if not is_same and left_names[i] != right_names[j]:
                if left_names[i] < right_names[j]:
                    i += 1
                else:
                    j += 1
                continue
            worth = self.doubled(left_children[i], right_children[j])
            total += worth >> 1
            may_be_less |= worth & 1
            i += 1
            j += 1
        if self.known is not None:
            self.known[a, b] = total
        return 2 * total + may_be_less

    @cython.cfunc
    @cython.returns(cython.longlong)
    def bound(self, kind, a: cython.Py_ssize_t, b: cython.Py_ssize_t):
        """Return twice a bound of different leaves or lists, plus 1 if not exact."""
        weight: cython.longlong = self.weights[a]
        if kind != "leaf":
            other_weight: cython.longlong = self.weights[b]
            return 2 * min(weight, other_weight) * self.unit + 1
        left_content: tuple = self.contents[a]
        right_content: tuple = self.contents[b]
        if (
            self.similar is None
            or left_content[0] != "text"
            or right_content[0] != "text"
        ):
            return 0
        if left_content[2] != right_content[2]:
            return 0
        if not self.lazily:
            share: cython.longlong = self.similar(left_content[1], right_content[1])
            return 2 * weight * share
        if type(left_content[1]) is not str and type(right_content[1]) is not str:
            return 0  # two codes
        n: cython.longlong = len(left_content[1])
        m: cython.longlong = len(right_content[1])
        if n > m:
            n, m = m, n
        above: cython.longlong = 2 * n - m
        if above <= 0:
            return 0
        unit: cython.longlong = self.unit
        return 2 * weight * (above * (unit // m) + above * (unit % m) // m) + 1
