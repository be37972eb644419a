"""Read graphs that come without a text as their PENMAN text would be read.

A profile's reader is part of what the profile counts: smatch's cuts ``"New York"``
at its blank and turns ``:mod`` around.  A graph from networkx, penman or a list of
triples must meet with the same, or it would score differently from its own text.  So
it is written as PENMAN, and that text is read.

PENMAN cannot express every such graph: it may have several connected components, no top
or a variable without a concept, two concepts on a variable, or a blank in a role.  So
the graph is filled in before it is written, and the additions are removed from what was
read:

* a helper variable above all pieces, and one for each further concept;
* a concept for variables that have none;
* names for variables and roles that PENMAN cannot write;
* quotes around labels that are no symbols.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from exactmatch.formats.blocks import Block, blocks_of_text
from exactmatch.formats.remarks import Reading
from exactmatch.graphs.drawing.penman_lines import roots
from exactmatch.graphs.graph import INVERSE, Graph
from exactmatch.graphs.penman_text import (
    is_atom,
    is_role,
    is_symbol,
    quoted,
    text_of,
)
from exactmatch.graphs.profile import Profile

AS_THEY_STAND = ("umr", "mrp")
"""Readers whose graphs hold more than PENMAN can express; these are not rewritten."""

_FILLER = "x"
_TURN_MOD = (
    "smatch",
    "doc-amr",
    "drs",
    "drs-synsets",
    "amrlib",
    "amrlib-unlabeled",
    "amrlib-unsensed",
)


def read_as_text(
    graph: Graph, profile: Profile, read_block: Callable[[Block, Profile], Reading]
) -> Reading:
    """Read a graph as a profile's reader would read its text.

    Args:
        graph: the graph.
        profile: the profile.
        read_block: the reader of text (:func:`exactmatch.formats.readings.read_block`).

    Raises:
        GraphError: if the reader cannot read it, or loses a variable.
    """
    if not graph.variables:
        return Reading(graph)
    if profile.reader in AS_THEY_STAND:
        return Reading(replace(graph, reader=profile.reader))
    if profile.reader in _TURN_MOD:
        graph = _with_domain(graph)
    filled = _Filled(graph)
    (block,) = blocks_of_text(text_of(filled.graph, indent=False))
    reading = read_block(block, profile)
    lost = _lower(filled.graph.variables) - _lower(reading.graph.variables)
    if lost:
        raise graph.origin.error(
            f"is written as text in which {profile.reader} misses variable "
            f"{min(lost)!r}; are there quotes or '-of' inside its labels?"
        )
    return reading._replace(graph=filled.taken_out(reading.graph))


def _with_domain(graph: Graph) -> Graph:
    """Replace ``:mod`` between variables by ``:domain`` in the other direction.

    Smatch does the same when it reads ``:mod``, but it does not recognise the
    ``:mod-of`` that a layout may have to write.
    """
    if "mod" not in graph.labels:
        return graph
    mod = graph.labels.index("mod")
    labels = graph.labels + tuple({"domain"} - set(graph.labels))
    domain = labels.index("domain")
    relations = tuple(
        (t, domain, s) if role == mod else (s, role, t)
        for s, role, t in graph.relations
    )
    return replace(graph, labels=labels, relations=relations)


@dataclass(slots=True, init=False)
class _Filled:
    """A graph filled in so that PENMAN can express it, and what was filled in.

    Attributes:
        graph: the graph that can be written.
        original: the graph as it came.
        root: the helper variable above all others, if there is one.
        owners: for each helper variable, the variable whose further concept it carries.
        conceptless: the variables that had no concept.
        names: the original names of renamed variables.
        roles: the original names of renamed roles.
    """

    graph: Graph
    original: Graph
    root: str | None
    owners: dict[str, str]
    conceptless: set[str]
    names: dict[str, str]
    roles: dict[str, str]

    def __init__(self, graph: Graph) -> None:
        self.original = graph
        fresh = _Fresh((*graph.variables, *graph.labels))
        self.names = {}
        self.roles = {}
        graph = self._with_names(graph, fresh)
        graph = self._with_labels(graph, fresh)
        graph = self._with_concepts(graph, fresh)
        self.graph = self._with_root(graph, fresh)

    def _with_names(self, graph: Graph, fresh: _Fresh) -> Graph:
        names = list(graph.variables)
        for v, name in enumerate(names):
            if not is_symbol(name):
                names[v] = fresh.name()
                self.names[names[v]] = name
        return replace(graph, variables=tuple(names)) if self.names else graph

    def _with_labels(self, graph: Graph, fresh: _Fresh) -> Graph:
        """Replace labels that PENMAN cannot write where they are used."""
        as_role = {role for _, role, _ in (*graph.attributes, *graph.relations)}
        as_atom = {c for _, c in graph.instances} | {k for _, _, k in graph.attributes}
        variables = set(graph.variables)
        constants = {k for _, _, k in graph.attributes}
        labels = list(graph.labels)
        role_code: dict[int, int] = {}
        place = {label: k for k, label in enumerate(labels)}

        def code(label: str) -> int:
            if label not in place:
                place[label] = len(labels)
                labels.append(label)
            return place[label]

        for role in sorted(as_role):
            name = labels[role]
            if is_role(name) and name != "instance":
                continue
            turned = name.endswith(INVERSE)
            stand_in = fresh.name()
            self.roles[stand_in] = name.removesuffix(INVERSE) if turned else name
            role_code[role] = code(stand_in + INVERSE if turned else stand_in)
        atom_code: dict[int, int] = {}
        constant_code: dict[int, int] = {}
        for atom in sorted(as_atom):
            label = labels[atom]
            if not is_atom(label):
                if "\n" in label or "\r" in label:
                    raise graph.origin.error(
                        f"has a line break in {label!r}, which no text holds; "
                        "replace it by a blank"
                    )
                atom_code[atom] = code(quoted(label))
            if atom in constants and label in variables:
                constant_code[atom] = code(quoted(label))
        if not (role_code or atom_code or constant_code):
            return graph
        constant_code = atom_code | constant_code
        return replace(
            graph,
            labels=tuple(labels),
            instances=tuple((v, atom_code.get(c, c)) for v, c in graph.instances),
            attributes=tuple(
                (v, role_code.get(r, r), constant_code.get(k, k))
                for v, r, k in graph.attributes
            ),
            relations=tuple((s, role_code.get(r, r), t) for s, r, t in graph.relations),
        )

    def _with_concepts(self, graph: Graph, fresh: _Fresh) -> Graph:
        """One concept for every variable; further ones on helper variables."""
        self.owners = {}
        names = list(graph.variables)
        instances: list[tuple[int, int]] = []
        known: set[int] = set()
        for v, concept in graph.instances:
            if v in known:
                helper = fresh.name()
                self.owners[helper] = names[v]
                names.append(helper)
                instances.append((len(names) - 1, concept))
            else:
                known.add(v)
                instances.append((v, concept))
        missing = set(range(len(graph.variables))) - known
        self.conceptless = {names[v] for v in missing}
        if not (missing or self.owners):
            return graph
        labels = graph.labels
        if missing:
            labels = (*labels, *({_FILLER} - set(labels)))
            instances += [(v, labels.index(_FILLER)) for v in sorted(missing)]
        return replace(
            graph, variables=tuple(names), labels=labels, instances=tuple(instances)
        )

    def _with_root(self, graph: Graph, fresh: _Fresh) -> Graph:
        """All pieces under one variable."""
        pieces = roots(graph)
        self.root = None
        if len(pieces) == 1:
            return graph if graph.top is not None else replace(graph, top=pieces[0])
        self.root = fresh.name()
        top = len(graph.variables)
        labels = (*graph.labels, *({_FILLER} - set(graph.labels)), fresh.name())
        hanging = [(top, len(labels) - 1, v) for v in pieces]
        return replace(
            graph,
            variables=(*graph.variables, self.root),
            labels=labels,
            instances=(*graph.instances, (top, labels.index(_FILLER))),
            relations=(*graph.relations, *hanging),
            top=top,
        )

    def taken_out(self, found: Graph) -> Graph:
        """Remove from what was read everything that was filled in before."""
        original = self.original
        names, labels, top = found.variables, found.labels, found.top
        instances, attributes = found.instances, found.attributes
        relations = found.relations
        if self.graph is not original:
            number = {name.lower(): v for v, name in enumerate(names)}
            number |= {name: v for v, name in enumerate(names)}
            if self.root is not None and original.top is not None:
                top = _among(number, self.graph.variables[original.top])
            if self.conceptless:
                bare = {_among(number, name) for name in self.conceptless}
                instances = tuple((v, c) for v, c in instances if v not in bare)
            if self.root is not None or self.owners:
                place = self._places(names, number)
                root = None if self.root is None else number[self.root]
                instances = tuple((place[v], c) for v, c in instances if v != root)
                attributes = tuple((place[v], r, k) for v, r, k in attributes)
                relations = tuple(
                    (place[s], r, place[t])
                    for s, r, t in relations
                    if s != root and t != root
                )
                helpers = {self.root, *self.owners}
                names = tuple(name for name in names if name not in helpers)
                top = None if top is None or original.top is None else place[top]
        return Graph.trusted(
            _restored(names, self.names),
            _restored(labels, self.roles),
            instances,
            attributes,
            relations,
            None if original.top is None else top,
            original.metadata,
            original.origin,
            found.reader,
            found.document,
        )

    def _places(self, names: tuple[str, ...], number: dict[str, int]) -> dict[int, int]:
        """The variables' numbers without helpers; a helper gets its owner's number."""
        helpers = {self.root, *self.owners}
        kept = [v for v, name in enumerate(names) if name not in helpers]
        place = {v: k for k, v in enumerate(kept)}
        for helper, owner in self.owners.items():
            place[number[helper]] = place[_among(number, owner)]
        return place


def _among(number: dict[str, int], name: str) -> int:
    """A variable's number, where a reader may have merged names that differ in case."""
    return number[name] if name in number else number[name.lower()]


def _restored(found: Iterable[str], originals: dict[str, str]) -> tuple[str, ...]:
    """Labels or names with the original ones, where those are not taken."""
    if not originals:
        return tuple(found)
    names = list(found)
    taken = set(names)
    for k, name in enumerate(names):
        original = originals.get(name, name)
        if original not in taken:
            names[k] = original
            taken.add(original)
    return tuple(names)


def _lower(names: Iterable[str]) -> set[str]:
    return {name.lower() for name in names}


class _Fresh:
    """Generates names of variables that differ from all variables and labels."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = {name.lower().strip('"') for name in taken}
        self._count = 0

    def name(self) -> str:
        """The next name: a letter and a number, so that all readers see a variable."""
        while True:
            self._count += 1
            name = f"h{self._count}"
            if name not in self._taken:
                return name
