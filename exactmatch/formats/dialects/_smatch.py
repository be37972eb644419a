"""Read one graph exactly as smatch 1.0.4 reads it, faults included.

The published Smatch numbers rest on one reader, so this one makes the same
triples from the same characters (facts, each met by a test):

* Lines are joined without a space, spaces outside a role are skipped, and
  quotes are not kept: a closing quote leaves one ``_`` behind.
* A constant is the second word after the colon: everything behind the first
  space of a quoted value is lost.
* ``:X-of`` is stored inverted, save for three roles; ``:mod`` is stored as an
  inverted ``:domain``.  What inverts to a constant is dropped.
* A value is a relation if it names a variable, wherever that is defined.
* A missing ``)`` is accepted, a surplus one is not; brackets and words that stand
  where none belongs are read as part of what comes next.

What a careful reader would refuse is flagged, and what is dropped is counted.

The automaton knows four states: behind ``(``, ``:``, ``/``, and otherwise.  The
code is Python that Cython compiles; the input is scanned once.  Time a change with
``python -m benchmarks reading``.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython

from exactmatch.base.deadline import check
from exactmatch.formats.remarks import NO_OPENING, without_value

NOT_INVERTED = frozenset(("prep-on-behalf-of", "prep-out-of", "consist-of"))
"""Roles that end in ``-of`` without being inverse roles."""

UNCLOSED = 1
OPEN_QUOTE = 2
SEVERAL_GRAPHS = 4
NAMELESS_ROLE = 8
TAGGED = 16
STRAY = 32
ROLELESS = 64
BLANK = 128
GLUED = 256
UNQUOTED = 512
TABBED = 1024
CONCEPTLESS = 2048

_OFTEN = cython.declare(cython.Py_ssize_t, 0xFFF)
"""The clock is looked at whenever a number of words or triples ends in these bits."""

_START = cython.declare(cython.int, 0)
_NODE = cython.declare(cython.int, 1)
_ROLE = cython.declare(cython.int, 2)
_CONCEPT = cython.declare(cython.int, 3)


class MalformedError(Exception):
    """Raised for text that smatch 1.0.4 cannot read; *position* counts from 0."""

    def __init__(self, reason: str, position: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.position = position

    def __reduce__(self):
        """It may be the cause of an error in another process."""
        return type(self), (self.reason, self.position)


def parse(lines: tuple):
    """Read one graph.

    Args:
        lines: the graph's lines, stripped if there are several.

    Returns:
        ``(variables, labels, instances, attributes, relations, top, remarks,
        inverted, cut)``, the first six as in ``Graph``; *remarks* is a sum of the
        flags above that says what only smatch's leniency could read; *inverted*
        is how many constants of ``:mod`` and of inverted roles were dropped, and
        *cut* how many quoted values lost what stands behind a space.

    Raises:
        MalformedError: where smatch 1.0.4 stops; its position counts the
            characters of the stripped lines, joined without a space.
    """
    text: str = "".join(lines).strip()
    n: cython.Py_ssize_t = len(text)
    i: cython.Py_ssize_t = -1
    line: cython.Py_ssize_t = 0
    n_lines: cython.Py_ssize_t = len(lines)
    joint: cython.Py_ssize_t = len(lines[0]) if n_lines > 1 else n
    before: cython.Py_UCS4 = " "
    c: cython.Py_UCS4 = " "
    blank: cython.Py_ssize_t = 0
    cut: cython.Py_ssize_t = 0
    start: cython.Py_ssize_t = 0
    n_signs: cython.Py_ssize_t = 0
    state: cython.int = _START
    quoted: cython.bint = False
    remarks: cython.int = 0
    # A word is text from *first* to *last*, or several pieces.
    n_pieces: cython.Py_ssize_t = 0
    first: cython.Py_ssize_t = 0
    last: cython.Py_ssize_t = 0
    pieces: list = []
    role: str = ""
    # Each name has a slot: its concept, and its relations to and from defined ones.
    slots: dict = {}
    names: list = []
    concepts: list = []
    edges: list = []
    order: list = []
    stack: list = []
    later: dict = {}

    for following in text:
        before = c
        c = following
        i += 1
        if i == joint:
            line += 1
            joint += len(lines[line])
            if quoted or not (
                c == ":"
                or c == "("
                or c == ")"
                or c == "/"
                or before == "("
                or before == "/"
            ):
                remarks |= GLUED
        if c > ":":  # nearly all characters
            if c == "~" and not quoted:
                remarks |= TAGGED
            continue
        if c == " ":
            if state == _ROLE:
                continue
        elif c != '"' and (
            quoted or not (c == ":" or c == "(" or c == ")" or c == "/")
        ):
            continue

        if start < i:
            if n_pieces > 0:
                _add_piece(pieces, text, first, last, text[start:i])
            else:
                first = start
                last = i
            n_pieces += 1
        start = i + 1
        n_signs += 1
        if n_signs & _OFTEN == _OFTEN:
            check()
        if c == " ":
            if blank == 0:
                blank = n_pieces
        elif c == '"':
            if quoted:
                if n_pieces > 0:
                    _add_piece(pieces, text, first, last, "_")
                else:
                    pieces.append("_")
                n_pieces += 1
            quoted = not quoted
        elif c == "(":
            if state == _ROLE:
                if role:
                    raise MalformedError(f"role {role!r} has no value", i)
                role = _word(pieces, text, first, last, n_pieces)
                n_pieces = 0
                if not (role and _is_plain(role[0]) and _is_plain(role[len(role) - 1])):
                    role = role.strip()
                if not role:
                    remarks |= NAMELESS_ROLE
                elif " " in role:
                    remarks |= BLANK
            elif state != _START or n_pieces > 0:
                remarks |= STRAY
            elif stack:
                remarks |= ROLELESS
            elif order:
                remarks |= SEVERAL_GRAPHS
            state = _NODE
        elif c == "/":
            if state != _NODE:
                raise MalformedError(
                    "has a '/' that is not in '(variable / concept'", i
                )
            if 0 < blank < n_pieces:
                remarks |= BLANK
            node: str = _word(pieces, text, first, last, n_pieces)
            n_pieces = 0
            blank = 0
            met = slots.get(node)
            slot: cython.Py_ssize_t = len(names) if met is None else met
            if met is None:
                slots[node] = slot
                names.append(node)
                concepts.append(None)
                edges.append(None)
            elif concepts[slot] is not None:
                raise MalformedError(f"defines variable {node!r} twice", i)
            order.append(slot)
            if role:
                if not stack:
                    raise MalformedError(f"has role {role!r} outside of any node", i)
                _connect(edges, stack[-1], role, slot)
                role = ""
            stack.append(slot)
            state = _CONCEPT
        else:
            if c == ")" and not stack:
                raise MalformedError(NO_OPENING, i)
            if state == _ROLE:
                ends: cython.bint = len(pieces) > 0 and "_" in pieces
                words: list = _split(_word(pieces, text, first, last, n_pieces))
                n_pieces = 0
                _value(words, stack, slots, names, concepts, edges, later, i)
                if len(words) > 2 and ends and words[-1][-1] == "_":
                    cut += 1
                elif len(words) > 2:
                    remarks |= UNQUOTED
            elif state == _CONCEPT:
                if 0 < blank < n_pieces:
                    remarks |= BLANK
                if n_pieces == 0:
                    remarks |= CONCEPTLESS
                concepts[stack[-1]] = _word(pieces, text, first, last, n_pieces)
                n_pieces = 0
            elif state == _NODE or n_pieces > 0:
                remarks |= STRAY
            state = _ROLE
            blank = 0
            if c == ")":
                stack.pop()
                role = ""
                state = _START
    if stack:
        remarks |= UNCLOSED
    elif state != _START or n_pieces > 0 or start < n:
        remarks |= STRAY
    if quoted:
        remarks |= OPEN_QUOTE
    if "\t" in text:
        for slot in order:
            if "\t" in names[slot] or "\t" in (concepts[slot] or ""):
                remarks |= TABBED
    return _coded(slots, names, concepts, edges, order, later, remarks, cut, n)


@cython.cfunc
def _add_piece(
    pieces: list,
    text: str,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    piece: str,
):
    """Add one more piece of a word; the first is put down only now."""
    if not pieces:
        pieces.append(text[first:last])
    pieces.append(piece)


@cython.cfunc
def _word(
    pieces: list,
    text: str,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    n_pieces: cython.Py_ssize_t,
):
    """The word that was read, without spaces where it is one piece."""
    if n_pieces == 0:
        return ""
    if not pieces:
        while first < last and text[first] == " ":
            first += 1
        while first < last and text[last - 1] == " ":
            last -= 1
        return text[first:last]
    word: str = "".join(pieces)
    pieces.clear()
    return word


@cython.cfunc
@cython.inline
@cython.returns(cython.bint)
def _is_plain(c: cython.Py_UCS4):
    """Return whether a character is one of ASCII's that are seen."""
    return "!" <= c <= "~"


@cython.cfunc
def _split(word: str):
    """The words of a role and its value, as ``str.split`` finds them."""
    n: cython.Py_ssize_t = len(word)
    gap: cython.Py_ssize_t = -1
    for at in range(n):
        if not _is_plain(word[at]):
            if gap >= 0 or word[at] != " ":
                return word.split()
            gap = at
    if gap < 1 or gap == n - 1:
        return word.split()
    return [word[:gap], word[gap + 1 :]]


@cython.cfunc
def _value(
    words: list,
    stack: list,
    slots: dict,
    names: list,
    concepts: list,
    edges: list,
    later: dict,
    i: cython.Py_ssize_t,
):
    """File ``:role value``, a role and the first word of its value, under its node."""
    if len(words) < 2:
        raise MalformedError(without_value(" ".join(words)), i)
    if not stack:
        raise MalformedError(f"has role {words[0]!r} outside of any node", i)
    slot: cython.Py_ssize_t = stack[-1]
    known_slot = slots.get(words[1])
    target: cython.Py_ssize_t = -1 if known_slot is None else known_slot
    if target >= 0 and concepts[target] is not None:
        _connect(edges, slot, words[0], target)
    else:
        _relate(later, names[slot], words[0], words[1])


@cython.cfunc
@cython.inline
@cython.returns(cython.bint)
def _is_inverse(role: str):
    """Return whether a role is told from its target."""
    n: cython.Py_ssize_t = len(role)
    if n < 3 or role[n - 1] != "f":
        return False
    return role.endswith("-of") and role not in NOT_INVERTED


@cython.cfunc
def _connect(
    edges: list, source: cython.Py_ssize_t, role: str, target: cython.Py_ssize_t
):
    """Store a relation of two slots with its source, which may be told as target."""
    n: cython.Py_ssize_t = len(role)
    if _is_inverse(role):
        role = role[: n - 3]
        source, target = target, source
    elif n == 3 and role[0] == "m" and role == "mod":
        role = "domain"
        source, target = target, source
    relations: list = edges[source]
    if relations is None:
        edges[source] = relations = []
    relations.append(role)
    relations.append(target)


@cython.cfunc
def _relate(table: dict, source: str, role: str, target: str):
    """Store a relation to what has no slot yet under its source's name."""
    if _is_inverse(role):
        table.setdefault(target, []).append((role[: len(role) - 3], source))
    elif role == "mod":
        table.setdefault(target, []).append(("domain", source))
    else:
        table.setdefault(source, []).append((role, target))


@cython.cfunc
def _coded(
    slots: dict,
    names: list,
    concepts: list,
    edges: list,
    order: list,
    later: dict,
    remarks: cython.int,
    cut: cython.Py_ssize_t,
    n: cython.Py_ssize_t,
):
    """Number variables and labels, in smatch's own order of triples."""
    if not order:
        raise MalformedError("has no node; a graph is '(variable / concept ...)'", n)
    codes: dict = {}
    instances: list = []
    attributes: list = []
    relations: list = []
    role: str
    value: str
    variables: list = names
    numbers: list = order
    if len(names) < len(order):
        # A node inside the concept of its namesake: smatch keeps both, and
        # every triple of either belongs to the later one.
        numbers = [0] * len(names)
        for k in range(len(order)):
            numbers[order[k]] = k
        variables = []
        for k in range(len(order)):
            name: str = names[order[k]]
            variables.append(name if numbers[order[k]] == k else f"{name} #{k}")
    for k in range(len(order)):
        slot: cython.Py_ssize_t = order[k]
        name = names[slot]
        v = numbers[slot]
        if concepts[slot] is None:
            raise MalformedError(f"has no concept for variable {name!r}", n)
        instances.append((v, codes.setdefault(concepts[slot], len(codes))))
        if len(instances) & _OFTEN == _OFTEN:
            check()
        slot_edges: list = edges[slot]
        if slot_edges is not None:
            for at in range(0, len(slot_edges), 2):
                code = codes.setdefault(slot_edges[at], len(codes))
                slot = slot_edges[at + 1]
                relations.append((v, code, numbers[slot]))
        if later and name in later:
            for role, value in later[name]:
                if value == "":
                    raise MalformedError("has a variable without a name", n)
                code = codes.setdefault(role, len(codes))
                met = slots.get(value)
                slot = -1 if met is None else met
                if slot >= 0 and concepts[slot] is not None:
                    relations.append((v, code, numbers[slot]))
                else:
                    target = codes.setdefault(value, len(codes))
                    attributes.append((v, code, target))
                if len(attributes) & _OFTEN == _OFTEN:
                    check()
    inverted: cython.Py_ssize_t = 0
    for name in later:
        if name not in slots:
            inverted += len(later[name])
    return (
        tuple(variables),
        tuple(codes),
        tuple(instances),
        tuple(attributes),
        tuple(relations),
        numbers[0],
        remarks,
        inverted,
        cut,
    )
