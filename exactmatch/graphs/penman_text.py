"""Write a graph as PENMAN text, each triple in its place, so that it can be read again.

A graph's triples are a set; PENMAN writes them as a tree, a line for each role::

    (w / want-01            w's instance
        :ARG0 (b / boy)     relation w ARG0 b, b's instance
        :ARG1 (g / go-02    relation w ARG1 g, g's instance
            :ARG0 b))       relation g ARG0 b, a *mention*: b is defined above

Relations are kept in the order in which they were read, so the tree that they were
read from can be guessed well: a relation stands under that of its variables which is
still open when its turn comes, and is written inverted, ``:ARG0-of``, if that is its
target; its other variable is defined there, unless it has been before.  The sentences
of a document AMR are defined behind ``:snt1``, ``:snt2`` …, whatever mentions them
before.  Symbols are written as they are and everything else in quotes.
"""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from exactmatch.graphs.graph import INSTANCE, TAG, Graph, inverse, reached

_SENTENCE = re.compile(r"snt[0-9]+")
_SYMBOL = re.compile(r'[^\s"()/:~]+')
_STRING = re.compile(rf'"[^"\\\n\r]*(?:\\.[^"\\\n\r]*)*"(?:{TAG})?')
_LABEL = re.compile(rf'[^\s"()/:~]+(?:{TAG})?')
_ROLE = re.compile(rf'[^\s"()/:~]*(?:{TAG})?')
_LAX_LABEL, _LAX_ROLE = re.compile(r'[^\s()":][^\s()"]*'), re.compile(r'[^\s()"]+')


@dataclass(slots=True)
class TextLine:
    """One line of a graph's text.

    Triples are numbered as :meth:`Graph.triples` yields them; what the graph does not
    have is ``None``.
    """

    depth: int  # how far it is indented
    role: str  # that it begins with, without colon; empty where a tree begins
    name: str = ""  # the variable that stands there; empty for a constant
    constant: str = ""
    concept: str = ""  # the variable's, where it is defined
    defines: bool = False  # whether the variable is defined there, behind a bracket
    triple: int | None = None  # which triple the role states
    instances: tuple[int, ...] = ()  # which triples the concept states
    variable: int | None = None  # the variable's number
    closed: int = 0  # how many brackets the line ends with


def layout(graph: Graph) -> list[TextLine]:
    """Lay a graph out as lines of text; each triple stands on exactly one line."""
    forest = _Forest(graph)
    names, labels = graph.variables, graph.labels
    instances = graph.instance_numbers()
    constants: list[list[tuple[int, str, str]]] = [[] for _ in names]
    for k, (v, code, value) in enumerate(graph.attributes, len(graph.instances)):
        constants[v].append((k, labels[code], labels[value]))
    lines: list[TextLine] = []
    open_nodes: list[tuple[int, str, int | None, int]] = [
        (0, "", None, v) for v in reversed(forest.roots)
    ]
    while open_nodes:
        depth, role, triple, v = open_nodes.pop()
        line = TextLine(depth, role, names[v], triple=triple, variable=v)
        lines.append(line)
        if triple is not None and triple != forest.definitions[v]:
            continue
        line.defines = True
        line.instances = tuple(instances[v])
        concepts = [labels[graph.instances[k][1]] for k in instances[v]]
        line.concept = " / ".join(concepts)
        depth += 1
        for k, name, constant in constants[v]:
            lines.append(TextLine(depth, name, constant=constant, triple=k))
        for triple, role, child in reversed(forest.edges[v]):
            open_nodes.append((depth, role, triple, child))
    depths = [line.depth for line in lines[1:]] + [0]  # one too many for no line
    for line, following in zip(lines, depths, strict=False):
        line.closed = line.depth + line.defines - following
    return lines


def roots(graph: Graph) -> list[int]:
    """Return the variables that trees begin with: one for each connected component."""
    return [root for root, _, _ in _pieces(graph)]


def _pieces(graph: Graph) -> list[tuple[int, list[int], list[int]]]:
    """Return the root, relations and variables of each connected component.

    The top's component comes first, the others in the order of their first variables.
    Relations are in order, variables in that of their instances.
    """
    links: list[list[int]] = [[] for _ in graph.variables]
    for source, _, target in graph.relations:
        links[source].append(target)
        links[target].append(source)
    place = [-1] * len(links)
    pieces: list[tuple[int, list[int], list[int]]] = []
    for first in sorted(range(len(links)), key=lambda v: (v != graph.top, v)):
        if place[first] == -1:
            for v in reached(first, links.__getitem__):
                place[v] = len(pieces)
            pieces.append((first, [], []))
    for k, (source, _, _) in enumerate(graph.relations):
        pieces[place[source]][1].append(k)
    with_concepts = dict.fromkeys(v for v, _ in graph.instances)
    for v in with_concepts | dict.fromkeys(range(len(links))):
        pieces[place[v]][2].append(v)
    return pieces


class _Forest:
    """Hangs variables and relations where the text had them, as far as can be told.

    The relations are taken in order, as if they were being written down: each belongs
    under that of its variables which is still open.  Its other variable is defined
    there if it is the next one in the order of the instances, and else later.  What
    finds no place so is hung up afterwards.
    """

    def __init__(self, graph: Graph) -> None:
        n = len(graph.variables)
        self.roots: list[int] = []  # the variables that trees begin with
        # the lines under each variable: triple, role as written there, other end
        self.edges: list[list[tuple[int, str, int]]] = [[] for _ in range(n)]
        self.definitions = [-1] * n  # on which triple's line each is defined
        self._ends = [(source, target) for source, _, target in graph.relations]
        self._roles = [graph.labels[role] for _, role, _ in graph.relations]
        self._first = len(graph.instances) + len(graph.attributes)
        self._depths = [-1] * n
        self._path: list[int] = []  # the variables that are still open
        for root, relations, variables in _pieces(graph):
            self.roots.append(root)
            self._grow(root, relations, variables)
        for edges in self.edges:
            edges.sort()

    def _grow(self, root: int, relations: list[int], variables: list[int]) -> None:
        """Lay out one connected component."""
        self._depths[root] = 0
        self._path = [root]
        early: dict[int, tuple[int, int]] = {}  # where a variable is first mentioned
        late: list[int] = []
        depths, path = self._depths, self._path
        sentences: dict[int, int] = {}  # what hangs them below the root
        for k in relations:
            source, target = self._ends[k]
            if source == root and _SENTENCE.fullmatch(self._roles[k]):
                sentences.setdefault(target, k)
        place = 0  # of the variable that is to be defined next
        for k, following in zip(relations, [*relations[1:], -1], strict=False):
            parent = self._parent(k, following)
            if parent is None:
                late.append(k)
                continue
            while place < len(variables) and depths[variables[place]] != -1:
                place += 1
            child = self._hang(k, parent)
            del path[depths[parent] + 1 :]
            if depths[child] == -1:
                if child == variables[place] and sentences.get(child, k) == k:
                    self._define(child, parent, k)
                    path.append(child)
                else:
                    early.setdefault(child, (parent, k))
        for v, mention in early.items():
            if depths[v] == -1:
                self._define(v, *mention)
        self._finish(late)

    def _finish(self, late: list[int]) -> None:
        """Hang up the relations that found no variable open."""
        waiting_for: dict[int, list[int]] = {}
        ready: deque[int] = deque()
        for k in late:
            unplaced = [v for v in self._ends[k] if self._depths[v] == -1]
            if len(unplaced) < 2:
                ready.append(k)
            for v in unplaced:
                waiting_for.setdefault(v, []).append(k)
        finished: set[int] = set()
        while ready:
            k = ready.popleft()
            if k in finished:
                continue
            finished.add(k)
            source, target = self._ends[k]
            parent = source if self._depths[source] != -1 else target
            child = self._hang(k, parent)
            if self._depths[child] == -1:
                self._define(child, parent, k)
                ready += waiting_for.pop(child, ())

    def _is_open(self, v: int) -> bool:
        depth, path = self._depths[v], self._path
        return 0 <= depth < len(path) and path[depth] == v

    def _parent(self, k: int, following: int) -> int | None:
        """Return which end of a relation is open; of two, the better one."""
        source, target = self._ends[k]
        if not self._is_open(target):
            return source if self._is_open(source) else None
        if not self._is_open(source):
            return target
        below = self._depths[target] - self._depths[source]
        if below <= 0:
            return source
        # a direct line would close what stands below the source, where what follows
        # may have to be written
        ends = () if following == -1 else self._ends[following]
        depths = [self._depths[end] for end in ends if self._is_open(end)]
        stays_below = bool(depths) and min(depths) > self._depths[source]
        return target if below > 1 or stays_below else source

    def _hang(self, k: int, parent: int) -> int:
        """Write a relation under one of its ends, and return the other."""
        role, (source, child) = self._roles[k], self._ends[k]
        if parent != source:
            role, child = inverse(role), source
        self.edges[parent].append((self._first + k, role, child))
        return child

    def _define(self, v: int, parent: int, k: int) -> None:
        """Define a variable on the line of relation *k* under its parent."""
        self.definitions[v] = self._first + k
        self._depths[v] = self._depths[parent] + 1


def is_symbol(text: str) -> bool:
    """Return whether PENMAN can write a name without quotes."""
    return _SYMBOL.fullmatch(text) is not None


def is_role(text: str, lax: bool = False) -> bool:
    """Return whether PENMAN can write a role, given without its colon."""
    pattern = _LAX_ROLE if lax else _ROLE
    return pattern.fullmatch(text) is not None and text != INSTANCE


def is_atom(text: str, lax: bool = False) -> bool:
    """Return whether PENMAN can write a concept or constant as it stands."""
    pattern = _LAX_LABEL if lax else _LABEL
    return bool(pattern.fullmatch(text) or _STRING.fullmatch(text))


def quoted(text: str) -> str:
    """Return a concept or constant in quotes."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def text_of(graph: Graph, *, indent: bool = True, lax: bool = False) -> str:
    """Write a graph as PENMAN text, without its metadata.

    Args:
        indent: whether every role begins a line; else all is one line.
        lax: whether concepts, constants and roles may have colons, slashes and tildes
            in them, as annotators write them (``0:00``) and penman does not read them.

    Raises:
        GraphError: if PENMAN cannot express the graph: a variable has several
            concepts, a constant is also a variable, PENMAN cannot write a name, role
            or label, or the graph is not connected.

    Example:
        >>> import exactmatch
        >>> text_of(exactmatch.read("(b / bark-01 :ARG0 (d / dog))"), indent=False)
        '(b / bark-01 :ARG0 (d / dog))'
    """
    if reason := next(_faults(graph, lax), None):
        raise graph.origin.error(reason)
    lines: list[str] = []
    for line in layout(graph):
        if line.depth == 0 and lines:
            raise graph.origin.error(
                "is not of one piece, which PENMAN cannot write: no relation joins "
                f"{line.name!r} to the rest"
            )
        text = "    " * line.depth if indent else ""
        text += f":{line.role} " if line.role or line.depth else ""
        text += f"({line.name}" if line.defines else line.name or line.constant
        text += f" / {line.concept}" if line.instances else ""
        lines.append(text + ")" * line.closed)
    return ("\n" if indent else " ").join(lines)


def _faults(graph: Graph, lax: bool) -> Iterator[str]:
    """Why PENMAN cannot write a graph, or would write it as another one."""
    names, labels = graph.variables, graph.labels
    for name in names:
        if not is_symbol(name):
            yield f"has a variable {name!r}, which PENMAN cannot write; rename it"
    for name, concepts in zip(names, graph.instance_numbers(), strict=True):
        if len(concepts) > 1:
            yield f"has several concepts for variable {name!r}"
    for role in {row[1]: None for row in (*graph.attributes, *graph.relations)}:
        if not is_role(labels[role], lax):
            yield f"has the role {labels[role]!r}, which PENMAN cannot write"
    constants = {labels[value]: None for _, _, value in graph.attributes}
    for atom in {labels[concept]: None for _, concept in graph.instances} | constants:
        if not is_atom(atom, lax):
            why = " because of its line break" if re.search(r"[\n\r]", atom) else ""
            yield f"has the label {atom!r}, which PENMAN cannot write as it stands{why}"
    for name in names:
        if name in constants:
            also = "which is also a variable; rename the variable"
            yield f"has the constant {name!r}, {also}"
