# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The parts of documents, equal ones once: as they are read, and of two documents.

A document is visited level by level, so that the children of a part follow one
another, and its parts are then made from the last one to the first.

The code is Python that Cython compiles.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython


def visited(value, place, reader, store):
    """Visit all that is in a value, level by level.

    Args:
        value: of a document.
        place: the place of the value.
        reader: reads scalars (``scalar``), makes parts of them (``part``), says what
            is in anything else (``inner``), and reads texts and numbers (``text``,
            ``number``, remembered in ``texts`` and ``floats``); values of its types
            ``quick`` need no more.
        store: the distinct parts; see ``tree.Parts``.

    Returns:
        Four lists with an entry for each value: the values, their places, the part of
        each, which is ``None`` for what weighs nothing or is made of others, and of
        what it is made: ``None``, or the kind, the names of the children, and where
        the first child is.
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
    found: object
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
                    found = below.get(name)
                    if found is None:
                        found = place.below(name)
                    places.append(found)
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
                    found = texts.get(value)
                    if found is None:
                        found = text(value)
                    content = ("text", found, pattern)
                elif kind is bool:
                    content = ("boolean", value, pattern)
                elif kind is float:
                    found = floats.get(value)
                    if found is None:
                        found = number(value)
                    content = ("number", found, pattern)
                else:
                    content = ("number", value, pattern)
                found = numbers.get(content)
                if found is None:
                    found = len(kinds)
                    numbers[content] = found
                    kinds.append("leaf")
                    if kind is str:
                        lengths.add(len(content[1]))
                    contents.append(content)
                    weights.append(place.weight)
                    heights.append(0)
                parts.append(found)
                spans.append(None)
                i += 1
                continue
        found = scalar(value)
        if found is not None:
            parts.append(part(found, place, i, value))
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
    """Make the parts that are made of others, from the last one to the first.

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
            there: list = [k for k in range(len(names)) if children[k] is not None]
            if not there:
                continue
            names = tuple([names[k] for k in there])
            children = [children[k] for k in there]
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
    place: list = []
    theirs: list = other.contents
    i: cython.Py_ssize_t
    for i in range(len(theirs)):
        kind = other.kinds[i]
        content = theirs[i]
        if kind == "bag":
            content = tuple(sorted([place[child] for child in content]))
        elif kind == "ordered":
            content = tuple([place[child] for child in content])
        elif kind != "leaf":
            content = (content[0], tuple([place[child] for child in content[1]]))
        key = content if kind == "leaf" else (kind, content)
        number = numbers.get(key)
        if number is None:
            number = len(kinds)
            numbers[key] = number
            kinds.append(kind)
            contents.append(content)
            weights.append(other.weights[i])
            heights.append(other.heights[i])
        place.append(number)
    return place


def bounded(rows: list, columns: list, store, unit: int, similar, lazily: bool):
    """Bound what each of some parts has in common with each of others.

    Args:
        rows, columns: the numbers of the parts.
        store: the distinct parts; see ``tree.Parts``.
        unit: how many units a weight of one has.
        similar: returns the similarity of two texts in units; ``None`` where texts that
            differ are worth nothing.
        lazily: whether texts are bounded by their lengths.

    Returns:
        A table of bounds, and a table that has 1 where one is not exact; ``None`` where
        all are.
    """
    kinds: list = store.kinds
    contents: list = store.contents
    weights: list = store.weights
    table: list = []
    open_ones: list = []
    is_open: cython.bint = False
    units: cython.longlong = unit
    lazy: cython.bint = lazily
    for a in rows:
        row: list = []
        marks: list = []
        for b in columns:
            bound: cython.longlong = _bound(
                a, b, kinds, contents, weights, units, similar, lazy
            )
            if bound & 1:
                is_open = True
            row.append(bound >> 1)
            marks.append(bound & 1)
        table.append(row)
        open_ones.append(marks)
    return table, open_ones if is_open else None


@cython.cfunc
@cython.returns(cython.longlong)
def _bound(
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    kinds: list,
    contents: list,
    weights: list,
    unit: cython.longlong,
    similar,
    lazily: cython.bint,
):
    """Return twice a bound of what two parts have in common, and 1 if it may be less.

    Names of children are sorted.
    """
    weight: cython.longlong = weights[a]
    if a == b:
        return 2 * weight * unit
    kind = kinds[a]
    if kind != kinds[b]:
        return 0
    ours: tuple = contents[a]
    theirs: tuple = contents[b]
    if kind == "leaf":
        if similar is None or ours[0] != "text" or theirs[0] != "text":
            return 0
        if ours[2] != theirs[2]:
            return 0
        if not lazily:
            value: cython.longlong = similar(ours[1], theirs[1])
            return 2 * weight * value
        if type(ours[1]) is not str and type(theirs[1]) is not str:
            return 0  # two codes
        n: cython.longlong = len(ours[1])
        m: cython.longlong = len(theirs[1])
        if n > m:
            n, m = m, n
        above: cython.longlong = 2 * n - m
        if above <= 0:
            return 0
        return 2 * weight * (above * (unit // m) + above * (unit % m) // m) + 1
    other: cython.longlong = weights[b]
    if kind == "bag" or kind == "ordered":
        return 2 * min(weight, other) * unit + 1
    names: tuple = ours[0]
    others: tuple = theirs[0]
    left: tuple = ours[1]
    right: tuple = theirs[1]
    total: cython.longlong = 0
    may_be_less: cython.longlong = 0
    bound: cython.longlong
    i: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t = 0
    is_same: cython.bint = names is others or names == others
    while i < len(left) and j < len(right):
        if not is_same and names[i] != others[j]:
            if names[i] < others[j]:
                i += 1
            else:
                j += 1
            continue
        bound = _bound(
            left[i], right[j], kinds, contents, weights, unit, similar, lazily
        )
        total += bound >> 1
        may_be_less |= bound & 1
        i += 1
        j += 1
    return 2 * total + may_be_less


def value(a: int, b: int, known: dict, store, unit: int, compared):
    """Return what two parts have in common, in units.

    Args:
        a, b: the numbers of the parts.
        known: what is known of pairs; objects, rows and entries are added.
        store: the distinct parts; see ``tree.Parts``.
        unit: how many units a weight of one has.
        compared: compares leaves and lists that differ.
    """
    return _value(
        a, b, known, store.kinds, store.contents, store.weights, unit, compared
    )


@cython.cfunc
@cython.returns(cython.longlong)
def _value(
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    known: dict,
    kinds: list,
    contents: list,
    weights: list,
    unit: cython.longlong,
    compared,
):
    found: cython.longlong
    if a == b:
        found = weights[a]
        return found * unit
    kind = kinds[a]
    if kind != kinds[b]:
        return 0
    if kind == "leaf" or kind == "bag" or kind == "ordered":
        found = compared(a, b)
        return found
    key = (a, b)
    there = known.get(key)
    if there is not None:
        found = there
        return found
    ours: tuple = contents[a]
    theirs: tuple = contents[b]
    names: tuple = ours[0]
    others: tuple = theirs[0]
    left: tuple = ours[1]
    right: tuple = theirs[1]
    total: cython.longlong = 0
    i: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t = 0
    is_same: cython.bint = names is others or names == others
    while i < len(left) and j < len(right):
        if not is_same and names[i] != others[j]:
            if names[i] < others[j]:
                i += 1
            else:
                j += 1
            continue
        total += _value(
            left[i], right[j], known, kinds, contents, weights, unit, compared
        )
        i += 1
        j += 1
    known[key] = total
    return total
