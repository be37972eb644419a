"""Read graphs that come without a text as their PENMAN text would be read.

A profile's reader is part of what the profile counts: smatch's cuts ``"New York"``
at its blank and turns ``:mod`` around.  A graph from networkx, penman or a list of
triples must meet with the same, or it would score differently from its own text.  So
it is written as PENMAN, and that text is read.

PENMAN cannot express every such graph: it may have several connected components, no top
or a variable without a concept, two concepts on a variable, or a blank in a role.  So
the graph is filled in before it is written, and the additions are removed from what was
read:

* a helper variable that holds pieces together, and one for each further concept;
* a concept for variables that have none;
* names for variables and roles that PENMAN cannot write;
* quotes around labels that are not symbols.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import count

from exactmatch.formats.blocks import Block, blocks_of_text
from exactmatch.formats.remarks import TAGS, Reading, count_tags, without_tags
from exactmatch.graphs.graph import INVERSE, Graph, GraphCoder
from exactmatch.graphs.penman_text import (
    is_atom,
    is_role,
    is_symbol,
    quoted,
    roots,
    text_of,
)
from exactmatch.graphs.profile import Profile

AS_THEY_STAND = ("umr", "mrp")
"""Readers whose graphs hold more than PENMAN can express; these are not rewritten."""

_FILLER = "x"
_TURN_MOD = (
    *("smatch", "doc-amr", "drs", "drs-synsets"),
    *("amrlib", "amrlib-unlabeled", "amrlib-unsensed"),
)


def read_as_text(
    graph: Graph, profile: Profile, read_block: Callable[[Block, Profile], Reading]
) -> Reading:
    """Read a graph as a profile's reader would read its text."""
    if not graph.variables:
        return Reading(graph)
    if profile.reader in AS_THEY_STAND:
        graph = replace(graph, reader=profile.reader)
        return _untagged(graph) if profile.strip_alignments else Reading(graph)
    is_document = profile.reader == "doc-amr"
    turns_mod = profile.reader in _TURN_MOD
    untags = profile.strip_alignments
    filled = _Filled(graph, turns_mod=turns_mod, keeps_top=is_document, untags=untags)
    (block,) = blocks_of_text(text_of(filled.graph, indent=False))
    reading = read_block(block, profile)
    written, read_names = filled.graph.variables, reading.graph.variables
    if lost := {*map(str.lower, written)} - {*map(str.lower, read_names)}:
        raise graph.origin.error(
            f"is written as text in which {profile.reader} misses variable "
            f"{min(lost)!r}; are there quotes or '-of' inside its labels?"
        )
    return reading._replace(graph=filled.taken_out(reading.graph))


def _untagged(graph: Graph) -> Reading:
    """Leave out the alignment tags of a graph that is not rewritten."""
    codes = [concept for _, concept in graph.instances]
    codes += [code for row in graph.attributes for code in row[1:]]
    codes += [role for _, role, _ in graph.relations]
    tags = sum(count_tags(graph.labels[code]) for code in codes)
    if not tags:
        return Reading(graph)
    untagged = graph.relabelled(tuple(map(without_tags, graph.labels)))
    return Reading(untagged, (), ((TAGS, tags),))


class _Filled:
    """A graph filled in so that PENMAN can express it, and what was filled in.

    Args:
        turns_mod: whether ``:mod`` between variables becomes ``:domain`` in the other
            direction.  Smatch does the same when it reads ``:mod``, but it does not
            recognise the ``:mod-of`` that a layout may have to write.
        keeps_top: whether a root that is stated stays the root.  That of a document
            states the sentences; but to S²match's reader it matters which role of a
            variable comes last.
        untags: whether alignment tags are left out when the text is read.

    Attributes:
        root: the helper variable that holds pieces together, if there is one.
        owners: for each helper variable, the variable whose further concept it carries.
    """

    def __init__(
        self, graph: Graph, *, turns_mod: bool, keeps_top: bool, untags: bool
    ) -> None:
        self._original = graph
        self._untags = untags
        self._fresh = _fresh_names((*graph.variables, *graph.labels))
        self._names = [
            name if is_symbol(name) else next(self._fresh) for name in graph.variables
        ]
        pairs = zip(self._names, graph.variables, strict=True)
        self.names = {name: old for name, old in pairs if name != old}
        self.roles: dict[str, str] = {}
        self.owners: dict[str, str] = {}
        self.root: str | None = None
        labels = graph.labels
        coder = GraphCoder(self._names)
        codes = sorted({row[1] for row in (*graph.attributes, *graph.relations)})
        roles = {code: coder.label(self._role(labels[code])) for code in codes}
        concepts = {code for _, code in graph.instances}
        codes = sorted(concepts.union(code for _, _, code in graph.attributes))
        texts = {code: self._atom(labels[code]) for code in codes}
        atoms = {code: coder.label(text) for code, text in texts.items()}
        taken_codes = {code for code, text in texts.items() if text in coder.numbers}
        constants = atoms | {
            code: coder.label(quoted(texts[code])) for code in taken_codes
        }
        self._state_concepts(coder, atoms)
        for v, role, value in graph.attributes:
            coder.attributes.append((v, roles[role], constants[value]))
        for source, role, target in graph.relations:
            if turns_mod and labels[role] == "mod":
                coder.relations.append((target, coder.label("domain"), source))
            else:
                coder.relations.append((source, roles[role], target))
        self.graph = coder.graph(self._top(coder, keeps_top), {}, graph.origin)

    def _role(self, role: str) -> str:
        """Return a role, or a stand-in for one that PENMAN cannot write.

        A reader that keeps tags takes ``:location-of~e.4`` for a direct role.
        """
        if is_role(role) and (self._untags or "~" not in role):
            return role
        stand_in = next(self._fresh)
        self.roles[stand_in] = role.removesuffix(INVERSE)
        return stand_in + INVERSE if role.endswith(INVERSE) else stand_in

    def _atom(self, label: str) -> str:
        """Return a concept or constant, in quotes if PENMAN needs them."""
        atom = label if is_atom(label) else quoted(label)
        if atom != label and ("\n" in label or "\r" in label):
            raise self._original.origin.error(
                f"has a line break in {label!r}, which no text holds; replace it by a "
                "blank"
            )
        return atom

    def _state_concepts(self, coder: GraphCoder, atoms: dict[int, int]) -> None:
        """One concept for every variable; further ones on helper variables."""
        bare = dict.fromkeys(range(len(self._names)))
        for v, concept in self._original.instances:
            if v not in bare:
                helper = next(self._fresh)
                self.owners[helper] = self._names[v]
                v = coder.variable(helper)
            bare.pop(v, None)
            coder.instances.append((v, atoms[concept]))
        self.conceptless = {self._names[v] for v in bare}
        coder.instances += [(v, coder.label(_FILLER)) for v in bare]

    def _top(self, coder: GraphCoder, keeps_top: bool) -> str:
        """Return the root, or a helper variable above several pieces."""
        top = self._original.top
        name = None if top is None else self._names[top]
        pieces = roots(coder.graph(name, {}, self._original.origin))
        if len(pieces) == 1:
            return self._names[pieces[0]] if name is None else name
        self.root = next(self._fresh)
        v, role = coder.variable(self.root), coder.label(next(self._fresh))
        coder.instances.append((v, coder.label(_FILLER)))
        coder.relations += [(v, role, piece) for piece in pieces]
        return name if keeps_top and name is not None else self.root

    def taken_out(self, read_graph: Graph) -> Graph:
        """Remove from what was read everything that was filled in before."""
        original = self._original
        number = {name.lower(): v for v, name in enumerate(read_graph.variables)}
        # a reader may have merged names that differ in case
        number |= {name: number[name.lower()] for name in self.graph.variables}
        number |= {name: v for v, name in enumerate(read_graph.variables)}
        helpers = {self.root, *self.owners}
        kept = [v for v, name in enumerate(read_graph.variables) if name not in helpers]
        place = {v: k for k, v in enumerate(kept)}
        for helper, owner in self.owners.items():
            place[number[helper]] = place[number[owner]]
        bare = {number[name] for name in self.conceptless}
        kept_instances = tuple(
            row for row in read_graph.instances if row[0] not in bare
        )
        rest = read_graph.revised(instances=kept_instances).renumbered(place)
        top = None
        if original.top is not None:
            top = place[number[self._names[original.top]]]
        return rest.revised(
            variables=_restored(rest.variables, self.names),
            labels=_restored(rest.labels, self.roles),
            top=top,
            metadata=original.metadata,
            origin=original.origin,
        )


def _restored(texts: Iterable[str], originals: dict[str, str]) -> tuple[str, ...]:
    """Labels or names with the original ones, where those are not taken."""
    if not originals:
        return tuple(texts)
    names = list(texts)
    taken_names = set(names)
    for k, name in enumerate(names):
        original = originals.get(name, name)
        if original not in taken_names:
            names[k] = original
            taken_names.add(original)
    return tuple(names)


def _fresh_names(taken_names: Iterable[str]) -> Iterator[str]:
    """Yield names of variables that differ from all variables and labels.

    Each is a letter and a number, so that all readers see a variable.
    """
    used_names = {name.lower().strip('"') for name in taken_names}
    return (name for k in count(1) if (name := f"h{k}") not in used_names)
