"""The graph: what every reader makes and every metric reads.

A :class:`Graph` is a rooted, labelled, directed graph as AMR has it.  Its
*variables* are numbered in order of first appearance.  Its triples come in
three kinds, as Smatch counts them:

* *instance*: a variable has a concept, ``b / boy``;
* *attribute*: a variable has a constant, ``:polarity -``;
* *relation*: a variable has another variable, ``:ARG0 b``.

Triples are coded in integers: a variable by its number, a concept, role or
constant by its place in ``labels``, where each distinct string stands once.  So
a graph is normalised and compared once per distinct label, however often it is
scored.  Roles are written without their colon.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from exactmatch.base.errors import GraphError, shortened
from exactmatch.base.records import NamedTuple, dataclass, field
from exactmatch.base.registry import imported
from exactmatch.base.visible import visible

if TYPE_CHECKING:
    from exactmatch.graphs.document import Document

_Node = TypeVar("_Node")

INSTANCE = "instance"  # the role of instance triples
_LONGEST = 60  # characters of a name or concept that a graph's repr shows
INVERSE = "-of"  # the ending of inverse roles
UPRIGHT = frozenset(("consist-of", "prep-on-behalf-of", "prep-out-of"))  # not inverse
TAG = r"~(?:[a-z]\.?)?\d+(?:,\d+)*"  # alignment tags, such as ~e.3


_TAG_AT_END = re.compile(f"{TAG}$")


def without_tag(label: str) -> str:
    """Return a label without the alignment tag at its end.

    >>> without_tag("dog~e.3"), without_tag("dog")
    ('dog', 'dog')
    """
    return _TAG_AT_END.sub("", label) if "~" in label else label


def upright(role: str) -> str:
    """Return the direct role of an inverse one; a direct role stays as it is.

    >>> upright("ARG0-of"), upright("ARG0-of~e.4"), upright("consist-of")
    ('ARG0', 'ARG0~e.4', 'consist-of')
    """
    if INVERSE not in role:  # as most are, told sooner
        return role
    name = without_tag(role)
    if not name.endswith(INVERSE) or name in UPRIGHT:
        return role
    return name.removesuffix(INVERSE) + role[len(name) :]


def inverse(role: str) -> str:
    """Return the inverse of a role, which leads from its target to its source.

    An alignment tag stays at the end.

    >>> inverse("ARG0"), inverse("ARG0-of"), inverse("consist-of")
    ('ARG0-of', 'ARG0', 'consist-of-of')
    >>> inverse("location~e.4")
    'location-of~e.4'
    """
    direct = upright(role)
    if direct != role:
        return direct
    name = without_tag(role)
    return name + INVERSE + role[len(name) :]


def reached(start: _Node, follows: Callable[[_Node], Iterable[_Node]]) -> list[_Node]:
    """Return the nodes that can be reached from a node, itself first.

    >>> reached(1, {1: [2], 2: [1, 3], 3: []}.__getitem__)
    [1, 2, 3]
    """
    nodes = {start: None}
    open_nodes = [start]
    while open_nodes:
        for node in follows(open_nodes.pop()):
            if node not in nodes:
                nodes[node] = None
                open_nodes.append(node)
    return list(nodes)


class Triple(NamedTuple):
    """One statement of a graph, in strings.

    Attributes:
        source: a variable's name.
        role: the role without its colon; ``instance`` for a concept.
        target: a variable's name, a concept or a constant.

    >>> import exactmatch
    >>> graph = exactmatch.read("(b / bark-01 :ARG0 (d / dog))")
    >>> exactmatch.Triple("b", "ARG0", "d") in graph.triples()
    True
    """

    source: str
    role: str
    target: str


class Origin(NamedTuple):
    """File, line and id that a graph comes from.

    Attributes:
        path: the file, or ``None``.
        line: the line of its first bracket, from 1.
        graph_id: its ``# ::id``.
        text: the lines that it was read from, where they are kept so that the graph
            can be read again for another profile.
        format: the format of these lines; ``None`` for PENMAN.
    """

    path: str | None = None
    line: int | None = None
    graph_id: str | None = None
    text: tuple[str, ...] | None = None
    format: str | None = None

    def error(
        self,
        reason: str,
        line: int | None = None,
        column: int | None = None,
        text: str | None = None,
    ) -> GraphError:
        """Make the error that names this place, or a line and column behind it."""
        number = line or self.line
        return GraphError(reason, self.path, number, self.graph_id, column, text)


NOWHERE = Origin()

_Rows: TypeAlias = tuple[tuple[int, int, int], ...]
Parts: TypeAlias = tuple[
    tuple[str, ...], tuple[str, ...], tuple[tuple[int, int], ...], _Rows, _Rows
]
"""Variables, labels, instances, attributes and relations of a :class:`Graph`."""


_SENTENCES = ("snt", "input", "sentence", "text", "question", "tok")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Graph:
    """A meaning-representation graph as frozen, integer-coded triples.

    Two graphs are equal if they have the same variables, triples, top and document,
    in any order and with any numbers.

    Attributes:
        variables: names of the variables.
        labels: the distinct concepts, roles and constants.
        instances: ``(variable, concept)`` for each instance triple.
        attributes: ``(variable, role, constant)`` for each attribute triple.
        relations: ``(source, role, target)`` for each relation triple.
        top: the root's variable, or ``None``.
        metadata: the ``# ::key value`` lines, such as ``id`` and ``snt``.
        origin: file, line and id, for messages.
        reader: the reader that made the graph from a text, which has changed the
            triples in its way; ``None`` for unchanged triples.
        document: information beside the triples: sentences, anchors and so on;
            ``None`` for plain AMR.

    Raises:
        GraphError: if a code is out of range or a name or label occurs twice.

    >>> import exactmatch
    >>> graph = exactmatch.read("(b / bark-01 :ARG0 (d / dog))")
    >>> graph.variables, graph.concepts()
    (('b', 'd'), ['bark-01', 'dog'])
    """

    variables: tuple[str, ...]
    labels: tuple[str, ...]
    instances: tuple[tuple[int, int], ...]
    attributes: tuple[tuple[int, int, int], ...]
    relations: tuple[tuple[int, int, int], ...]
    top: int | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    origin: Origin = NOWHERE
    reader: str | None = None
    document: Document | None = None

    def __post_init__(self) -> None:
        n, m = len(self.variables), len(self.labels)
        if len(set(self.variables)) != n:
            raise self.origin.error("defines a variable twice; rename one of them")
        if len(set(self.labels)) != m:
            raise self.origin.error("lists a label twice; list each label once")
        nodes = [v for v, _ in self.instances]
        nodes += [v for v, _, _ in self.attributes]
        nodes += [v for s, _, t in self.relations for v in (s, t)]
        nodes += [] if self.top is None else [self.top]
        codes = [c for _, c in self.instances]
        codes += [c for _, r, k in self.attributes for c in (r, k)]
        codes += [r for _, r, _ in self.relations]
        if nodes and not (min(nodes) >= 0 and max(nodes) < n):
            raise self.origin.error("has a triple of a variable it does not define")
        if codes and not (min(codes) >= 0 and max(codes) < m):
            raise self.origin.error("has a triple with a label it does not list")

    @classmethod
    def trusted(
        cls,
        parts: Parts,
        top: int | None,
        metadata: Mapping[str, str],
        origin: Origin,
        reader: str | None = None,
        document: Document | None = None,
    ) -> Graph:
        """Make a graph without checking its codes.

        For readers alone, whose output is tested against the checks.
        """
        graph = object.__new__(cls)
        values = (*parts, top, metadata, origin, reader, document)
        for setter, value in zip(_SETTERS.values(), values, strict=True):
            setter(graph, value)
        return graph

    def revised(self, **parts: Any) -> Graph:
        """Return the graph with some parts replaced, without checking its codes.

        For steps that make a graph of a graph; :func:`dataclasses.replace` checks.
        """
        graph = object.__new__(Graph)
        for name, setter in _SETTERS.items():
            setter(graph, parts[name] if name in parts else getattr(self, name))
        return graph

    def with_roles(self, counts: Callable[[str], bool]) -> Graph:
        """Return the graph with the attributes and relations whose roles count."""
        kept = [counts(label) for label in self.labels]
        if all(kept):
            return self
        return self.revised(
            attributes=tuple(row for row in self.attributes if kept[row[1]]),
            relations=tuple(row for row in self.relations if kept[row[1]]),
        )

    def part(self, kept: Iterable[int]) -> Graph:
        """Return the part with these variables, and the triples that join only them."""
        return self.renumbered({v: k for k, v in enumerate(sorted(kept))})

    def renumbered(self, place: dict[int, int]) -> Graph:
        """Return the variables with new numbers, and the triples that join only them.

        Of variables that get the same number, the first gives its name.
        """
        names = {k: self.variables[v] for v, k in reversed(place.items())}
        return self.revised(
            variables=tuple(names[k] for k in range(len(names))),
            instances=tuple((place[v], c) for v, c in self.instances if v in place),
            attributes=tuple(
                (place[v], r, k) for v, r, k in self.attributes if v in place
            ),
            relations=tuple(
                (place[s], r, place[t])
                for s, r, t in self.relations
                if s in place and t in place
            ),
            top=None if self.top is None else place.get(self.top),
            document=self.document and self.document.renumbered(place, len(names)),
        )

    def __repr__(self) -> str:
        name = "" if self.id is None else f" {_short(self.id)}"
        triples = len(self.instances) + len(self.attributes) + len(self.relations)
        counts = {"variable": len(self.variables), "triple": triples}
        size = ", ".join(f"{n:,} {noun}{'s' * (n != 1)}" for noun, n in counts.items())
        if self.top is None:
            return f"<Graph{name}: {size}, no top>"
        concept = self.concept(self.top)
        top = _short(self.variables[self.top])
        top += f" / {_short(concept)}" if concept else ""
        return f"<Graph{name}: {size}, top {top}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        if self._content() != other._content():
            return False
        own_document, other_document = self.document, other.document
        if own_document is None or other_document is None:
            return own_document is other_document
        return own_document.content(self.variables) == other_document.content(
            other.variables
        )

    def __hash__(self) -> int:
        variables, top, triples = self._content()
        return hash((variables, top, frozenset(triples.items())))

    def _content(self) -> tuple[frozenset[str], str | None, Counter[object]]:
        names, labels = self.variables, self.labels
        triples: Counter[object] = Counter()
        triples.update((names[v], labels[c]) for v, c in self.instances)
        triples.update((names[v], labels[r], labels[k]) for v, r, k in self.attributes)
        triples.update((names[s], labels[r], (names[t],)) for s, r, t in self.relations)
        top = None if self.top is None else names[self.top]
        return frozenset(names), top, triples

    @property
    def id(self) -> str | None:
        """The ``# ::id`` of the graph, if it has one."""
        return self.metadata.get("id")

    @property
    def sentence(self) -> str:
        """The sentence of the graph, under the names that formats have for it.

        >>> triples = [("b", "instance", "bark-01")]
        >>> Graph.from_triples(triples, metadata={"input": "Wow"}).sentence
        'Wow'
        """
        texts = (self.metadata.get(name) for name in _SENTENCES)
        return next((text for text in texts if text), "")

    def words(self, variable: int) -> str:
        """Return the words of the sentence that a variable is anchored in, if any."""
        document, sentence = self.document, self.sentence
        if document is None or document.unit != "character" or not sentence:
            return ""
        spans = document.spans(variable)
        return " ".join(sentence[first:last] for first, last in spans).strip()

    def _repr_html_(self) -> str:
        """Draw the graph, for notebooks."""
        drawing = imported("exactmatch.graphs.drawing.svg")  # which is made of graphs
        return str(drawing.notebook(drawing.DrawnSide(self)))

    @classmethod
    def from_triples(
        cls,
        triples: Iterable[tuple[str, str, str]],
        top: str | None = None,
        metadata: Mapping[str, str] | None = None,
        origin: Origin = NOWHERE,
    ) -> Graph:
        """Make a graph from ``(source, role, target)`` strings.

        The role ``instance`` (or ``:instance``) gives a variable its concept.
        Every source is a variable.  A triple whose target is also a source is a
        relation; any other target is a constant.  Order and duplicates are kept.

        Args:
            triples: the statements; ``Triple`` or plain tuples.
            top: the root's variable; default: the source of the first triple.
            metadata: the graph's ``id``, ``snt`` and so on.
            origin: file, line and id, for messages.

        Raises:
            GraphError: if *top* is not a variable or a field is not a string.

        Example:
            >>> bark = [("b", "instance", "bark-01"), ("b", "ARG0", "d")]
            >>> Graph.from_triples([*bark, ("d", "instance", "dog")]).relations
            ((0, 1, 1),)
        """
        rows = list(triples)
        for triple in rows:
            of_three = isinstance(triple, tuple | list) and len(triple) == 3
            if not of_three or not all(isinstance(part, str) for part in triple):
                raise origin.error(
                    f"has the triple {triple!r}; a triple is three strings: "
                    "source, role, target"
                )
        coder = GraphCoder(source for source, _, _ in rows)
        for source, role, target in rows:
            coder.add(source, role.removeprefix(":"), target)
        if top is not None and top not in coder.numbers:
            raise origin.error(f"has the top {top!r}, which is not a variable")
        if top is None and rows:
            top = rows[0][0]
        return coder.graph(top, metadata or {}, origin)

    def triples(self) -> Iterator[Triple]:
        """Yield all triples as strings: instances, attributes, relations."""
        variables, labels = self.variables, self.labels
        for v, concept in self.instances:
            yield Triple(variables[v], INSTANCE, labels[concept])
        for v, role, value in self.attributes:
            yield Triple(variables[v], labels[role], labels[value])
        for source, role, target in self.relations:
            yield Triple(variables[source], labels[role], variables[target])

    def concept(self, variable: int) -> str | None:
        """Return the first concept of the variable with that number, or ``None``."""
        return next((self.labels[c] for v, c in self.instances if v == variable), None)

    def concepts(self) -> list[str | None]:
        """Return the first concept of every variable, or ``None``."""
        concepts: list[str | None] = [None] * len(self.variables)
        for v, concept in reversed(self.instances):
            concepts[v] = self.labels[concept]
        return concepts

    def instance_numbers(self) -> list[list[int]]:
        """Return the numbers of the instance triples of each variable."""
        numbers: list[list[int]] = [[] for _ in self.variables]
        for k, (v, _) in enumerate(self.instances):
            numbers[v].append(k)
        return numbers

    def relabelled(self, labels: tuple[str, ...]) -> Graph:
        """Return the graph with a new label for each of its own; equal ones are one."""
        if len(set(labels)) == len(labels):
            return self.revised(labels=labels)
        place = {label: k for k, label in enumerate(dict.fromkeys(labels))}
        code = [place[label] for label in labels]
        return self.revised(
            labels=tuple(place),
            instances=tuple((v, code[c]) for v, c in self.instances),
            attributes=tuple((v, code[r], code[k]) for v, r, k in self.attributes),
            relations=tuple((s, code[r], t) for s, r, t in self.relations),
        )


_SETTERS: Mapping[str, Callable[[Graph, Any], None]] = {
    name: Graph.__dict__[name].__set__ for name in Graph.__slots__
}
"""What sets each field of a new graph, in order."""


def _short(text: str) -> str:
    return visible(shortened(text, _LONGEST))


class GraphCoder:
    """Collects triples in strings and codes them in integers, order kept.

    Args:
        variables: those that are numbered first; repeated ones count once.
    """

    def __init__(self, variables: Iterable[str] = ()) -> None:
        names = dict.fromkeys(variables)
        self.numbers: dict[str, int] = {name: v for v, name in enumerate(names)}
        self.codes: dict[str, int] = {}
        self.instances: list[tuple[int, int]] = []
        self.attributes: list[tuple[int, int, int]] = []
        self.relations: list[tuple[int, int, int]] = []

    @classmethod
    def of(cls, graph: Graph) -> GraphCoder:
        """Return a coder with a graph's variables, labels and triples."""
        coder = cls(graph.variables)
        coder.codes = {label: k for k, label in enumerate(graph.labels)}
        coder.instances = [*graph.instances]
        coder.attributes = [*graph.attributes]
        coder.relations = [*graph.relations]
        return coder

    def revise(self, graph: Graph) -> Graph:
        """Return the graph with the collected labels, attributes and relations."""
        return graph.revised(
            labels=tuple(self.codes),
            attributes=tuple(self.attributes),
            relations=tuple(self.relations),
        )

    def variable(self, name: str) -> int:
        """Return the number of a variable, a new one at its first appearance."""
        return self.numbers.setdefault(name, len(self.numbers))

    def label(self, text: str) -> int:
        """Return the index of a label, which is appended at its first appearance."""
        return self.codes.setdefault(text, len(self.codes))

    def add(self, source: str, role: str, target: str) -> None:
        """Add one triple, whose variables have all been numbered before."""
        v = self.variable(source)
        if role == INSTANCE:
            self.instances.append((v, self.label(target)))
        elif target in self.numbers:
            self.relations.append((v, self.label(role), self.numbers[target]))
        else:
            self.attributes.append((v, self.label(role), self.label(target)))

    def graph(
        self,
        top: str | None,
        metadata: Mapping[str, str],
        origin: Origin,
        reader: str | None = None,
        document: Document | None = None,
    ) -> Graph:
        """Freeze what was collected; the coder made its codes, so they are right."""
        if document is not None and (reason := document.fault()):
            raise origin.error(reason)
        parts = (
            tuple(self.numbers),
            tuple(self.codes),
            tuple(self.instances),
            tuple(self.attributes),
            tuple(self.relations),
        )
        root = None if top is None else self.numbers[top]
        return Graph.trusted(parts, root, metadata, origin, reader, document)
