"""State the alignment of two AMR graphs as a pseudo-Boolean problem, on one's own.

    python encode.py smatch|clean PREDICTIONS REFERENCES NUMBER > pair.opb

This program needs nothing but Python.  It reads the graphs NUMBER (from 1) of two files
as exactmatch's profiles ``smatch`` and ``clean`` read them, and writes the problem that
exactmatch proves, byte for byte.  Whoever trusts these lines and a proof checker need
trust no other line of exactmatch.

Under ``smatch`` a graph is read as smatch 1.0.4 reads it, faults included, and of equal
triples every pair counts.  Under ``clean`` it is read as penman reads it, with its
model of AMR, and a triple counts as often as both graphs have it.

The problem.  A *candidate* is a pair of variables, of the prediction and the reference;
those are kept that have a triple of the same kind, role and value (a relation: of the
same role, at the same end).  A *term* is a pair of candidates that match a relation
together.  ``x1, x2, ...`` are the candidates, ordered by their two variables, and then
the terms, ordered by their two candidates; variables are ordered as the text defines
them.  To be minimised is minus the number of matched triples.  The constraints say, in
this order, and none of them twice: a variable of the prediction is aligned once at
most, one of the reference likewise; of the terms of a candidate with the candidates of
one variable of the prediction at most one counts, and none if the candidate is not
chosen; for each variable of the reference likewise.
"""

import re
import sys
from collections import Counter, defaultdict

NOT_INVERTED = ("prep-on-behalf-of", "prep-out-of", "consist-of")
"""Roles that end in -of and say nothing of an inverse."""


class Graph:
    """Triples of a graph, whose variables are numbers."""

    def __init__(self):
        self.variables = {}  # name: number
        self.unary = Counter()  # (variable, kind, role, value)
        self.relations = Counter()  # (variable, role, variable)


# --- reading -------------------------------------------------------------------------


def blocks(path):
    """The texts of a file's graphs: lines that are no comments, between empty lines."""
    found, lines = [], []
    with open(path, encoding="utf-8") as file:
        for line in [*file.read().split("\n"), ""]:
            line = line.strip()
            if not line:
                if lines:
                    found.append(lines)
                lines = []
            elif not line.startswith("#"):
                lines.append(line)
    return found


def stated(top, concepts, triples, normal):
    """A graph of its concepts, in order, and of the triples between names."""
    graph = Graph()
    for name in concepts:
        graph.variables[name] = len(graph.variables)
    for name, concept in concepts.items():
        graph.unary[graph.variables[name], "concept", "", normal(concept)] += 1
    for source, role, target in triples:
        v, role = graph.variables[source], normal(role)
        if target in graph.variables:
            graph.relations[v, role, graph.variables[target]] += 1
        else:
            graph.unary[v, "constant", role, normal(target)] += 1
    graph.unary[graph.variables[top], "constant", normal("TOP"), normal("top")] += 1
    return graph


def read_smatch(lines):
    """Read a graph as the automaton of smatch 1.0.4 does."""
    text = "".join(lines).strip()
    state, word, role, quoted = "", "", "", False
    concepts, triples, stack = {}, [], []

    def relate(source, role, target):
        if role.endswith("-of") and role not in NOT_INVERTED:
            source, role, target = target, role[:-3], source
        elif role == "mod":
            source, role, target = target, "domain", source
        triples.append((source, role, target))

    def end_of_word():
        nonlocal word
        if state == ":":
            parts = word.split()
            relate(stack[-1], parts[0], parts[1])  # what follows a space is lost
        elif state == "/":
            concepts[stack[-1]] = word
        word = ""

    for c in text:
        if c == " ":
            word += c if state == ":" else ""
        elif c == '"':
            word += "_" if quoted else ""  # what is left of a closing quote
            quoted = not quoted
        elif quoted or c not in "(:/)":
            word += c
        elif c == "(":
            if state == ":":
                role, word = word.strip(), ""
            state = c
        elif c == "/":
            if role:
                relate(stack[-1], role, word)
            stack.append(word)
            concepts[word] = None
            role, word, state = "", "", c
        else:
            end_of_word()
            state = c
            if c == ")":
                stack.pop()
                role, state = "", ""
    triples = [t for t in triples if t[0] in concepts]  # a constant states nothing
    return stated(
        next(iter(concepts)), concepts, triples, lambda s: s.lower().rstrip("_")
    )


TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|:[^\s()]*|[()/]|[^\s()/:"~][^\s()/"]*|~[^\s()]*')


def read_clean(lines):
    """Read a graph as penman does, inverse roles turned around."""
    concepts, triples, stack, nodes = {}, [], [], []
    role, after = None, ""
    for token in TOKEN.findall("\n".join(lines)):
        if token[0] == "~":
            continue  # the alignment of what stands before
        token = re.sub(r"(?<=.)~[^~\"]*$", "", token)
        if token == ")":
            stack.pop()
        elif token[0] == ":":
            role = token[1:]
        elif token in ("(", "/"):
            pass
        elif after == "(":
            nodes.append(token)
            concepts.setdefault(token, None)
            if stack:
                triples.append((stack[-1], role, token))
            stack.append(token)
        elif after == "/":
            concepts[stack[-1]] = token
        else:
            triples.append((stack[-1], role, token))
        after = token
    upright = []
    for source, role, target in triples:
        if target in concepts:  # a constant has no roles of its own
            if role.endswith("-of") and role not in NOT_INVERTED:
                source, role, target = target, role[:-3], source
            if role == "domain":
                source, role, target = target, "mod", source
        upright.append((source, role, target))

    def normal(label):
        if len(label) > 1 and label[0] == label[-1] == '"':
            label = label[1:-1]
        return label.lower()

    return stated(nodes[0], concepts, upright, normal)


# --- stating -------------------------------------------------------------------------


def weights(left, right, together):
    """What candidates, and pairs of them, are worth."""
    unary, terms = Counter(), Counter()
    places, edges = defaultdict(list), defaultdict(list)
    for (j, *key), n in right.unary.items():
        places[tuple(key)].append((j, n))
    for (i, *key), m in left.unary.items():
        for j, n in places[tuple(key)]:
            unary[i, j] += together(m, n)
    for (j, role, k), n in right.relations.items():
        edges[role].append((j, k, n))
    for (i, role, k), m in left.relations.items():
        for j, h, n in edges[role]:
            if (i == k) != (j == h):  # a loop matches no other relation
                unary.update({(i, j): 0, (k, h): 0})
            elif i == k:
                unary[i, j] += together(m, n)
            else:
                first, second = sorted([(i, j), (k, h)])
                terms[first, second] += together(m, n)
    return unary, terms


def problem(left, right, together):
    """The lines of the problem."""
    unary, terms = weights(left, right, together)
    candidates = sorted({*unary, *(c for term in terms for c in term)})
    number = {c: k for k, c in enumerate(candidates, 1)}
    order = sorted((number[c], number[d]) for c, d in terms)
    of_term = {t: k for k, t in enumerate(order, len(candidates) + 1)}
    constraints = []
    for side in (0, 1):
        rows = defaultdict(list)
        for c in candidates:
            rows[c[side]].append(f"-1 x{number[c]}")
        constraints += [f"{' '.join(rows[v])} >= -1 ;" for v in sorted(rows)]
    for side in (0, 1):
        rows = defaultdict(list)
        for (c, d), k in of_term.items():
            for one, other in ((c, d), (d, c)):
                rows[one, candidates[other - 1][side]].append(f"-1 x{k}")
        for c, v in sorted(rows):
            constraints.append(f"+1 x{c} {' '.join(rows[c, v])} >= 0 ;")
    constraints = [*dict.fromkeys(constraints)]
    values = [unary[c] for c in candidates]
    values += [terms[candidates[c - 1], candidates[d - 1]] for c, d in order]
    objective = " ".join(f"{-v:+d} x{k}" for k, v in enumerate(values, 1) if v)
    yield f"* #variable= {max(len(values), 1)} #constraint= {len(constraints)}"
    yield (
        f"* candidates: x1 to x{len(candidates)}; pair terms: the others; "
        "values in units of 1/1"
    )
    yield f"min: {objective or '+0 x1'} ;"
    yield from constraints


PROFILES = {
    "smatch": (read_smatch, lambda m, n: m * n),
    "clean": (read_clean, min),
}


def encoded(profile, pred, gold):
    """The problem of two graphs, each given by its lines."""
    read, together = PROFILES[profile]
    return "".join(f"{line}\n" for line in problem(read(pred), read(gold), together))


if __name__ == "__main__":
    if len(sys.argv) != 5 or sys.argv[1] not in PROFILES:
        sys.exit(__doc__)
    pred, gold = (blocks(path)[int(sys.argv[4]) - 1] for path in sys.argv[2:4])
    sys.stdout.write(encoded(sys.argv[1], pred, gold))
