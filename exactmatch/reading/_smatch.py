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
code is Python that Cython compiles; the input is scanned once.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.solvers.kernel import _cython as cython

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

_START = cython.declare(cython.int, 0)
_NODE = cython.declare(cython.int, 1)
_ROLE = cython.declare(cython.int, 2)
_CONCEPT = cython.declare(cython.int, 3)

# Which kind of words, if any, were cut off a value behind its first word.
_NO_WORDS = cython.declare(cython.int, 0)
_QUOTED_WORDS = cython.declare(cython.int, 1)
_BARE_WORDS = cython.declare(cython.int, 2)


class MalformedError(Exception):
    """What smatch 1.0.4 cannot read; *position* counts characters from 0."""

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
    i: cython.Py_ssize_t
    line: cython.Py_ssize_t = 0
    n_lines: cython.Py_ssize_t = len(lines)
    joint: cython.Py_ssize_t = len(lines[0]) if n_lines > 1 else n
    before: cython.Py_UCS4
    blank: cython.Py_ssize_t = 0
    cut: cython.Py_ssize_t = 0
    words: cython.int
    begun: cython.Py_ssize_t = 0
    c: cython.Py_UCS4
    state: cython.int = _START
    quoted: cython.bint = False
    remarks: cython.int = 0
    pieces: list = []
    stack: list = []
    names: list = []
    concepts: dict = {}
    known: dict = {}
    later: dict = {}
    role: str = ""
    node: str

    for i in range(n):
        c = text[i]
        if i == joint:
            line += 1
            joint += len(lines[line])
            before = text[i - 1]
            if quoted or not (
                c == ":"
                or c == "("
                or c == ")"
                or c == "/"
                or before == "("
                or before == "/"
            ):
                remarks |= GLUED
        if c == " ":
            if state != _ROLE:
                if begun < i:
                    pieces.append(text[begun:i])
                begun = i + 1
                if blank == 0:
                    blank = len(pieces)
            continue
        if c == '"':
            if begun < i:
                pieces.append(text[begun:i])
            if quoted:
                pieces.append("_")
            quoted = not quoted
            begun = i + 1
            continue
        if quoted or not (c == ":" or c == "(" or c == ")" or c == "/"):
            if c == "~" and not quoted:
                remarks |= TAGGED
            continue

        if begun < i:
            pieces.append(text[begun:i])
        begun = i + 1
        if c == "(":
            if state == _ROLE:
                if role != "":
                    raise MalformedError(f"role {role!r} has no value", i)
                role = "".join(pieces).strip()
                pieces.clear()
                if role == "":
                    remarks |= NAMELESS_ROLE
                elif " " in role:
                    remarks |= BLANK
            elif state != _START or pieces:
                remarks |= STRAY
            elif stack:
                remarks |= ROLELESS
            elif names:
                remarks |= SEVERAL_GRAPHS
            state = _NODE
        elif c == ":":
            if state == _CONCEPT:
                if 0 < blank < len(pieces):
                    remarks |= BLANK
                concepts[stack[-1]] = "".join(pieces)
                pieces.clear()
            elif state == _ROLE:
                words = _value(pieces, stack, concepts, known, later, i)
                cut += words == _QUOTED_WORDS
                if words == _BARE_WORDS:
                    remarks |= UNQUOTED
            elif state == _NODE or pieces:
                remarks |= STRAY
            state = _ROLE
            blank = 0
        elif c == "/":
            if state != _NODE:
                raise MalformedError(
                    "has a '/' that is not in '(variable / concept'", i
                )
            if 0 < blank < len(pieces):
                remarks |= BLANK
            node = "".join(pieces)
            pieces.clear()
            blank = 0
            if node in concepts:
                raise MalformedError(f"defines variable {node!r} twice", i)
            stack.append(node)
            names.append(node)
            if role != "":
                if len(stack) < 2:
                    raise MalformedError(f"has role {role!r} outside of any node", i)
                _relate(known, stack[-2], role, node)
                role = ""
            state = _CONCEPT
        else:
            if not stack:
                raise MalformedError("has a ')' without its '('", i)
            if state == _ROLE:
                words = _value(pieces, stack, concepts, known, later, i)
                cut += words == _QUOTED_WORDS
                if words == _BARE_WORDS:
                    remarks |= UNQUOTED
            elif state == _CONCEPT:
                if 0 < blank < len(pieces):
                    remarks |= BLANK
                concepts[stack[-1]] = "".join(pieces)
                pieces.clear()
            elif state == _NODE or pieces:
                remarks |= STRAY
            stack.pop()
            role = ""
            state = _START
            blank = 0
    if stack:
        remarks |= UNCLOSED
    elif state != _START or pieces or begun < n:
        remarks |= STRAY
    if quoted:
        remarks |= OPEN_QUOTE
    if "\t" in text:
        for node in names:
            if "\t" in node or ("\t" in concepts.get(node, "")):
                remarks |= TABBED
    return _coded(names, concepts, known, later, remarks, cut, n)


@cython.cfunc
@cython.returns(cython.int)
def _value(
    pieces: list,
    stack: list,
    concepts: dict,
    known: dict,
    later: dict,
    i: cython.Py_ssize_t,
):
    """File ``:role value`` under its node; say what kind of words were cut off."""
    written: str = "".join(pieces)
    words: list = written.split()
    was_quoted: cython.bint = len(words) > 2 and words[-1][-1] == "_" and "_" in pieces
    pieces.clear()
    if len(words) < 2:
        raise MalformedError(f"has ':{written.strip()}' without a role or a value", i)
    if not stack:
        raise MalformedError(f"has role {words[0]!r} outside of any node", i)
    table: dict = known if words[1] in concepts else later
    _relate(table, stack[-1], words[0], words[1])
    if len(words) <= 2:
        return _NO_WORDS
    return _QUOTED_WORDS if was_quoted else _BARE_WORDS


@cython.cfunc
def _relate(table: dict, source: str, role: str, target: str):
    """Store a relation under its source, which is the target of an inverse role."""
    if role.endswith("-of") and role not in NOT_INVERTED:
        table.setdefault(target, []).append((role[:-3], source))
    elif role == "mod":
        table.setdefault(target, []).append(("domain", source))
    else:
        table.setdefault(source, []).append((role, target))


@cython.cfunc
def _coded(
    names: list,
    concepts: dict,
    known: dict,
    later: dict,
    remarks: cython.int,
    cut: cython.Py_ssize_t,
    n: cython.Py_ssize_t,
):
    """Number variables and labels, in smatch's own order of triples."""
    if not names:
        raise MalformedError("has no node; a graph is '(variable / concept ...)'", n)
    numbers: dict = {}
    codes: dict = {}
    instances: list = []
    attributes: list = []
    relations: list = []
    v: cython.Py_ssize_t = 0
    name: str
    role: str
    value: str
    for name in names:
        numbers[name] = v
        v += 1
    if len(numbers) < len(names):
        # A node inside the concept of its namesake: smatch keeps both, and
        # every triple of either belongs to the later one.
        v = 0
        variables = []
        for name in names:
            later_one = numbers[name] == v
            variables.append(name if later_one else f"{name} #{v}")
            v += 1
    else:
        variables = names
    for name in names:
        if name not in concepts:
            raise MalformedError(f"has no concept for variable {name!r}", n)
        v = numbers[name]
        instances.append((v, codes.setdefault(concepts[name], len(codes))))
        if name in known:
            for role, value in known[name]:
                relations.append(
                    (v, codes.setdefault(role, len(codes)), numbers[value])
                )
        if name in later:
            for role, value in later[name]:
                if value == "":
                    raise MalformedError("has a variable without a name", n)
                if value in concepts:
                    relations.append(
                        (v, codes.setdefault(role, len(codes)), numbers[value])
                    )
                else:
                    attributes.append(
                        (
                            v,
                            codes.setdefault(role, len(codes)),
                            codes.setdefault(value, len(codes)),
                        )
                    )
    inverted: cython.Py_ssize_t = 0
    for name in later:
        if name not in numbers:
            inverted += len(later[name])
    return (
        tuple(variables),
        tuple(codes),
        tuple(instances),
        tuple(attributes),
        tuple(relations),
        numbers[names[0]],
        remarks,
        inverted,
        cut,
    )
