"""Scan plain PENMAN text, which all readers understand in the same way.

A text is *plain* if readers cannot disagree about it: it holds one graph whose brackets
and quotes close, every variable has a slash and a concept of one word, every role has a
value, words are separated by blanks, and there are no alignment tags.  Nearly all
graphs in corpora are plain.  Other texts are not scanned here: each reader has its own,
slower scanner for them, which also reports what is wrong.

The code is Python that Cython compiles; the input is scanned once.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.solvers.kernel import _cython as cython

_DEEPEST = cython.declare(cython.Py_ssize_t, 100)
"""Deepest nesting that counts as plain; penman refuses graphs that nest too deep."""


def scan(lines: tuple):
    """Scan one graph.

    Args:
        lines: the graph's lines, stripped; no comments.

    Returns:
        ``None`` if the text is not plain.  Otherwise its statements in order, as tuples
        ``(source, role, target, concept, last)``: first the root, whose source and role
        are ``None``, then each role with its value.  *concept* is the concept of a
        variable that is defined there, else ``None``; *last* is true if the value has
        no brackets of its own and the variable that it belongs to ends behind it.
    """
    text: str = "\n".join(lines)
    n: cython.Py_ssize_t = len(text)
    i: cython.Py_ssize_t = 0
    begun: cython.Py_ssize_t
    c: cython.Py_UCS4
    waits: cython.bint = False  # whether a role waits for its value
    role: object = None
    said: list = []
    stack: list = []
    names: set = set()
    name: str
    word: str

    for line in lines[1:]:
        if not line or line[0] not in "(:/)":
            return None
    while i < n:
        c = text[i]
        if c == " " or c == "\n":
            i += 1
        elif c == "(":
            if not waits and said:
                return None
            begun = _behind_blanks(text, i + 1, n)
            i = _behind_word(text, begun, n)
            name = text[begun:i]
            if i == begun or name in names or len(stack) >= _DEEPEST:
                return None
            i = _behind_blanks(text, i, n)
            if i >= n or text[i] != "/":
                return None
            begun = _behind_blanks(text, i + 1, n)
            i = _behind_word(text, begun, n)
            if i == begun or not _ends(text, i, n):
                return None
            word = text[begun:i]
            said.append((stack[-1] if stack else None, role, name, word, False))
            names.add(name)
            stack.append(name)
            waits = False
        elif c == ")":
            if waits or not stack:
                return None
            stack.pop()
            i += 1
            if not stack:
                return said if i == n else None
        elif not stack:
            return None
        elif c == ":":
            if waits or not (text[i - 1] == " " or text[i - 1] == "\n"):
                return None
            begun = i + 1
            i = _behind_word(text, begun, n)
            if i == begun or i >= n or not (text[i] == " " or text[i] == "\n"):
                return None
            role = text[begun:i]
            if role.startswith("instance"):
                return None
            waits = True
        else:
            if not waits:
                return None
            begun = i
            i = _behind_string(text, i, n) if c == '"' else _behind_word(text, i, n)
            if i == begun or not _ends(text, i, n):
                return None
            word = text[begun:i]
            i = _behind_blanks(text, i, n)
            said.append((stack[-1], role, word, None, i < n and text[i] == ")"))
            waits = False
    return None


@cython.cfunc
@cython.returns(cython.Py_ssize_t)
def _behind_blanks(text: str, i: cython.Py_ssize_t, n: cython.Py_ssize_t):
    """The index of the first character from *i* on that is not a blank."""
    while i < n and (text[i] == " " or text[i] == "\n"):
        i += 1
    return i


@cython.cfunc
@cython.returns(cython.Py_ssize_t)
def _behind_word(text: str, i: cython.Py_ssize_t, n: cython.Py_ssize_t):
    """The index of the first character from *i* on that cannot be part of a word."""
    c: cython.Py_UCS4
    while i < n:
        c = text[i]
        if c == ")" or c == "(" or c == ":" or c == "/" or c == '"' or c == "~":
            break
        if c.isspace():
            break
        i += 1
    return i


@cython.cfunc
@cython.returns(cython.Py_ssize_t)
def _behind_string(text: str, i: cython.Py_ssize_t, n: cython.Py_ssize_t):
    """The index behind the string that begins at *i*; *i* if it is not plain."""
    c: cython.Py_UCS4
    k: cython.Py_ssize_t = i + 1
    while k < n:
        c = text[k]
        if c == '"':
            return k + 1
        if c == "\\" or c == "~" or (c != " " and c.isspace()):
            return i
        k += 1
    return i


@cython.cfunc
@cython.returns(cython.bint)
def _ends(text: str, i: cython.Py_ssize_t, n: cython.Py_ssize_t):
    """Whether a blank or ``)`` follows a concept or value that ends before *i*."""
    c: cython.Py_UCS4
    if i >= n:
        return False
    c = text[i]
    return c == " " or c == "\n" or c == ")"


def code_upright(said: list, is_inverted):
    """Code scanned statements in integers, inverse roles in their direct form.

    Args:
        said: what :func:`scan` returned.
        is_inverted: tells whether a role that ends in ``-of`` is an inverse role.

    Returns:
        ``(variables, labels, instances, attributes, relations)``, as in ``Graph``.
    """
    numbers: dict = {}
    codes: dict = {}
    instances: list = []
    attributes: list = []
    relations: list = []
    role: str
    target: str
    for _, _, target, concept, _ in said:
        if concept is not None:
            numbers[target] = len(numbers)
    for source, role_or_none, target, concept, _ in said:
        v = numbers.get(target)
        if source is not None:
            role = role_or_none
            if v is None:
                code = codes.setdefault(role, len(codes))
                attributes.append(
                    (numbers[source], code, codes.setdefault(target, len(codes)))
                )
                continue
            start = numbers[source]
            end = v
            if role.endswith("-of") and is_inverted(role):
                role = role[:-3]
                start, end = end, start
            if role == "domain":
                role = "mod"
                start, end = end, start
            relations.append((start, codes.setdefault(role, len(codes)), end))
        if concept is not None:
            instances.append((v, codes.setdefault(concept, len(codes))))
    return (
        tuple(numbers),
        tuple(codes),
        tuple(instances),
        tuple(attributes),
        tuple(relations),
    )
