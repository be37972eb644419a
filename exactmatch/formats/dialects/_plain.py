"""Scan plain PENMAN text, which all readers understand in the same way.

A text is *plain* if readers cannot disagree about it: it holds one graph whose brackets
and quotes close, every variable has a slash and a concept of one word, every role has a
value, words are separated by blanks, and there are no alignment tags.  Nearly all
graphs in corpora are plain.  Other texts are not scanned here: each reader has its own,
slower scanner for them, which also reports what is wrong.

The code is Python that Cython compiles; the input is scanned once.  Time a change with
``python -m benchmarks reading`` and ``exactmatch PRED GOLD --profile clean``.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython

from exactmatch.base.deadline import check, in_time

_DEEPEST = cython.declare(cython.Py_ssize_t, 100)
"""Deepest nesting that counts as plain; penman refuses graphs that nest too deep."""

_OFTEN = cython.declare(cython.Py_ssize_t, 0xFFF)
"""The clock is looked at whenever a number of statements ends in these bits."""


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
    waits: cython.bint = False  # whether a role waits for its value
    role: object = None
    statements: list = []
    stack: list = []
    names: set = set()

    for line in lines[1:]:
        if not line or line[0] not in "(:/)":
            return None
    while i < n:
        c: cython.Py_UCS4 = text[i]
        if c == " " or c == "\n":
            i += 1
            if len(statements) & _OFTEN == _OFTEN:
                check()
        elif c == "(":
            if not waits and statements:
                return None
            start: cython.Py_ssize_t = _behind_blanks(text, i + 1, n)
            i = _behind_word(text, start, n)
            name: str = text[start:i]
            if i == start or name in names or len(stack) >= _DEEPEST:
                return None
            i = _behind_blanks(text, i, n)
            if i >= n or text[i] != "/":
                return None
            start = _behind_blanks(text, i + 1, n)
            i = _behind_word(text, start, n)
            if i == start or not _ends(text, i, n):
                return None
            word: str = text[start:i]
            statements.append((stack[-1] if stack else None, role, name, word, False))
            names.add(name)
            stack.append(name)
            waits = False
        elif c == ")":
            if waits or not stack:
                return None
            stack.pop()
            i += 1
            if not stack:
                return statements if i == n else None
        elif not stack:
            return None
        elif c == ":":
            if waits or not (text[i - 1] == " " or text[i - 1] == "\n"):
                return None
            start = i + 1
            i = _behind_word(text, start, n)
            if i == start or i >= n or not (text[i] == " " or text[i] == "\n"):
                return None
            role = text[start:i]
            if role.startswith("instance"):
                return None
            waits = True
        else:
            if not waits:
                return None
            start = i
            i = _behind_string(text, i, n) if c == '"' else _behind_word(text, i, n)
            if i == start or not _ends(text, i, n):
                return None
            word = text[start:i]
            i = _behind_blanks(text, i, n)
            statements.append((stack[-1], role, word, None, i < n and text[i] == ")"))
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
    while i < n:
        c: cython.Py_UCS4 = text[i]
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
    k: cython.Py_ssize_t = i + 1
    while k < n:
        c: cython.Py_UCS4 = text[k]
        if c == '"':
            return k + 1
        if c == "\\" or c == "~" or (c != " " and c.isspace()):
            return i
        k += 1
    return i


@cython.cfunc
@cython.returns(cython.bint)
def _ends(text: str, i: cython.Py_ssize_t, n: cython.Py_ssize_t):
    """Return whether a blank or ``)`` follows what ends before *i*."""
    if i >= n:
        return False
    c: cython.Py_UCS4 = text[i]
    return c == " " or c == "\n" or c == ")"


@cython.cfunc
def _frozen(
    numbers: dict, codes: dict, instances: list, attributes: list, relations: list
):
    """Freeze the parts of a graph."""
    return (
        tuple(numbers),
        tuple(codes),
        tuple(instances),
        tuple(attributes),
        tuple(relations),
    )


def code_upright(statements: list, is_inverted):
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
    target: str
    for _, _, target, concept, _ in statements:
        if concept is not None:
            numbers[target] = len(numbers)
    for source, role_or_none, target, concept, _ in in_time(statements):
        v = numbers.get(target)
        if source is not None:
            role: str = role_or_none
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
    return _frozen(numbers, codes, instances, attributes, relations)


def code_early(statements: list, mark: str, collapse: cython.bint):
    """Code scanned statements as smatch's first reader did, and S²match's does.

    Args:
        said: what :func:`scan` returned.
        mark: what a closing quote leaves behind.
        collapse: whether the last of several triples counts alone.

    Returns:
        ``(variables, labels, instances, attributes, relations)``, as in ``Graph``, and
        how many values were cut, inverted ones and replaced triples were left out, and
        written tops were lost; ``None`` where a value is nothing but blanks.
    """
    concepts: dict = {}
    relations_of: dict = {}  # for each variable (role, variable)
    later: dict = {}  # for each variable (role, value), not known to be a variable
    codes: dict = {}
    instances: list = []
    attributes: list = []
    relations: list = []
    cut: cython.Py_ssize_t = 0
    replaced: cython.Py_ssize_t = 0
    second_tops: cython.Py_ssize_t = 0
    inverted: cython.Py_ssize_t = 0
    for source, role_or_none, value, concept, last in in_time(statements):
        target: str = value
        if concept is not None:
            if source is not None:
                role: str = role_or_none
                if role.endswith("-of"):
                    relations_of.setdefault(target, []).append((role[:-3], source))
                else:
                    relations_of.setdefault(source, []).append((role, target))
            concepts[target] = concept
            continue
        role = role_or_none
        if target[0] == '"':
            words: list = (target[1:-1] + mark).split()
            if not words:
                return None
            cut += len(words) > 1
            target = words[0]
        if last and role.endswith("-of"):
            relations_of.setdefault(target, []).append((role[:-3], source))
        elif target in concepts:
            relations_of.setdefault(source, []).append((role, target))
        else:
            later.setdefault(source, []).append((role, target))
    numbers: dict = {name: k for k, name in enumerate(concepts)}
    for name, pairs in relations_of.items():
        if name not in numbers:
            inverted += len(pairs)
    for name, v in numbers.items():
        instances.append((v, codes.setdefault(concepts[name], len(codes))))
        targets: list = relations_of.get(name, [])
        constants: list = []
        for pair in later.get(name, ()):
            (targets if pair[1] in numbers else constants).append(pair)
        if collapse and (len(targets) > 1 or len(constants) > 1):
            roles: dict = {end: kind for kind, end in targets}
            values: dict = dict(constants)
            replaced += len(targets) - len(roles) + len(constants) - len(values)
            targets = [(kind, end) for end, kind in roles.items()]
            constants = list(values.items())
        if v == 0 and collapse:
            kept: list = [pair for pair in constants if pair[0] != "TOP"]
            second_tops = len(constants) - len(kept)
            constants = kept
        for kind, end in targets:
            code = codes.setdefault(kind, len(codes))
            relations.append((v, code, numbers[end]))
        for kind, end in constants:
            code = codes.setdefault(kind, len(codes))
            attributes.append((v, code, codes.setdefault(end, len(codes))))
    graph = _frozen(numbers, codes, instances, attributes, relations)
    return graph, (cut, inverted, replaced, second_tops)


def code_nodes(statements: list):
    """Code scanned statements as SemBleu's reader does, a node for every constant.

    Args:
        said: what :func:`scan` returned.

    Returns:
        ``(variables, labels, instances, attributes, relations)``, as in ``Graph``, and
        how many signs in quotes were deleted; where the official code stops, ``None``
        and the label at which it does.
    """
    concepts: dict = {}
    links: dict = {}  # for each variable (role, value, whether it is a variable)
    labels: dict = {}
    codes: dict = {}
    instances: list = []
    edges: list = []
    relations: list = []
    deleted: cython.Py_ssize_t = 0
    constants: cython.Py_ssize_t = 0
    for source, role_or_none, target, concept, _ in in_time(statements):
        value: str = target
        if concept is not None:
            if value.endswith("-of"):
                return None, value
            if source is not None:
                links.setdefault(source, []).append((role_or_none, value, True))
            concepts[value] = concept
            continue
        if value not in concepts and value[0] == '"':
            kept: str = value.replace("(", "").replace(")", "")
            kept = kept.replace(":", "").replace("/", "")
            deleted += len(value) - len(kept)
            value = " ".join(kept.split())
        is_variable: cython.bint = value in concepts or _is_short_name(value)
        links.setdefault(source, []).append((role_or_none, value, is_variable))
    labels.update(concepts)
    for _, _, name, concept, _ in statements:
        if concept is None:
            continue
        for role_or_none, target, is_variable in links.get(name, ()):
            role: str = role_or_none
            value = target
            if is_variable:
                if value not in concepts:
                    return None, value
            else:
                if value[0] == '"' and value[len(value) - 1] == '"':
                    value = value[1:-1]
                if value.endswith("-of"):
                    return None, value
                kept = f":{constants}"
                constants += 1
                labels[kept] = labels.get(value, value)
                value = kept
            if role.endswith("-of"):
                edges.append((value, role.replace("-of", "", 10), name))
            else:
                edges.append((name, role, value))
    numbers: dict = {}
    for name, label in labels.items():
        instances.append((len(numbers), codes.setdefault(label, len(codes))))
        numbers[name] = len(numbers)
    for source, role_or_none, target in edges:
        code = codes.setdefault(role_or_none, len(codes))
        relations.append((numbers[source], code, numbers[target]))
    return _frozen(numbers, codes, instances, [], relations), deleted


@cython.cfunc
@cython.returns(cython.bint)
def _is_short_name(text: str):
    """Return whether a value is a letter from a to z and any digits."""
    k: cython.Py_ssize_t = 1
    if not text or not "a" <= text[0] <= "z":
        return False
    while k < len(text) and "0" <= text[k] <= "9":
        k += 1
    return k == len(text)
