"""The changes that a profile makes to a graph between reading and counting.

Each step is a function from graph to graph; a profile's fields say which steps
are taken.  Reification follows penman's AMR model; what SMATCH++ does about it
(:func:`dereified_as_smatchpp`) is a narrower step of its own.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, NamedTuple

from exactmatch.graphs.counting import counted_beside, without_vacant
from exactmatch.graphs.graph import INSTANCE, INVERSE, TAG, Graph, GraphCoder
from exactmatch.graphs.profile import NORMALISERS, Comparison, Profile

_SENSE = re.compile(rf"(?<=.)-\d\d+(?=(?:{TAG})?$)")
_SYNSET_SENSE = re.compile(rf'(?<=\.[nvasr])\.\d\d+(?=[_"]?(?:{TAG})?$)')
_SPLIT_SYNSET = ("synset", "synset_", '"synset"')


def standardise(graph: Graph, profile: Profile) -> Graph:
    """Change a graph before counting, as a profile's fields say.

    Args:
        graph: the graph.
        profile: ``reification``, ``wiki``, ``sense``, ``beside``, ``only`` and
            ``leave_out`` say what is changed.

    Returns:
        A new graph, or the same one if the profile changes nothing.
    """
    if profile.reification == "smatchpp":
        graph = dereified_as_smatchpp(graph, profile.comparison)
    elif profile.reification != "keep":
        graph = reified(graph, inverse=profile.reification == "dereify")
    if not profile.wiki:
        graph = graph.with_roles(lambda label: label.lower() != "wiki")
    if not profile.sense:
        graph = without_senses(graph)
    return counted_beside(graph, profile)


def as_whole(graph: Graph, profile: Profile) -> Graph:
    """Change a graph for a metric that compares more of it at once than triples.

    Its root is not marked, and a variable of which nothing counts is no node of it.

    Args:
        graph, profile: as for :func:`standardise`.
    """
    graph = standardise(graph, profile.with_options(top="none"))
    return without_vacant(graph) if profile.chooses_roles else graph


def changes_nothing(profile: Profile) -> bool:
    """Whether :func:`standardise` leaves every graph as it is."""
    return (
        profile.reification == "keep"
        and profile.wiki
        and profile.sense
        and profile.beside == "nothing"
        and not (profile.only or profile.leave_out)
    )


def without_senses(graph: Graph) -> Graph:
    """Take the sense from every concept: ``want-01`` becomes ``want``.

    A synset loses its sense, too: ``want.v.01`` becomes ``want.v``.  If the sense is an
    attribute of the synset, that attribute is left out.  Tags of alignments stay where
    the reader left them: ``want-01~e.1`` becomes ``want~e.1``.
    """
    labels = graph.labels
    codes = {label: k for k, label in enumerate(labels)}
    code_of = codes.setdefault
    instances = tuple(
        [(v, code_of(_senseless(labels[c]), len(codes))) for v, c in graph.instances]
    )
    graph = graph.revised(labels=tuple(codes), instances=instances)
    if codes.keys().isdisjoint(_SPLIT_SYNSET):
        return graph
    split = {v for v, concept in instances if graph.labels[concept] in _SPLIT_SYNSET}
    sense = codes.get("sense", -1)
    kept = (row for row in graph.attributes if row[0] not in split or row[1] != sense)
    return graph.revised(attributes=tuple(kept))


@lru_cache(maxsize=1 << 16)
def _senseless(concept: str) -> str:
    """A concept or synset without its sense."""
    return _SYNSET_SENSE.sub("", _SENSE.sub("", concept))


def reified(graph: Graph, *, inverse: bool = False) -> Graph:
    """Reify roles, or dereify nodes.

    To reify is to replace a role by a node that stands for it, such as ``:location`` by
    ``be-located-at-91``, wherever AMR has a concept for the role.

    Args:
        graph: the graph.
        inverse: replace such nodes by roles instead.

    Source: the reification table of ``penman.models.amr``.
    """
    from penman import Graph as PenmanGraph
    from penman import transform

    from exactmatch.graphs.quiet_penman import amr

    top = None if graph.top is None else graph.variables[graph.top]
    triples: list[Any] = [
        (source, f":{role}", target) for source, role, target in graph.triples()
    ]
    before = PenmanGraph(triples, top=top, epidata={t: [] for t in triples})
    step = transform.dereify_edges if inverse else transform.reify_edges
    after = step(before, amr.model)
    coder = GraphCoder()
    for source, role, _ in after.triples:
        if role == f":{INSTANCE}":
            coder.variable(str(source))
    for source, role, target in after.triples:
        coder.add(str(source), role.removeprefix(":"), str(target))
    document = graph.document
    if document is not None:
        numbers = coder.numbers
        place = {v: numbers[n] for v, n in enumerate(graph.variables) if n in numbers}
        document = document.renumbered(place, len(numbers))
    return coder.graph(after.top, graph.metadata, graph.origin, graph.reader, document)


_LEFT_ALONE = frozenset(
    (
        *("cause-01", "cost-01", "have-03", "have-org-role-91", "include-91"),
        *("mean-01", "receive-01"),
    )
)
"""Reifications of penman's model that SMATCH++ does not undo."""

_INSTEAD = {"have-degree-92": "have-degree-91"}
"""Where SMATCH++ undoes another concept than penman's model has."""


class Reification(NamedTuple):
    """A node that stands for a role: ``source :role target``.

    Attributes:
        role: the role it stands for.
        source_role, target_role: its own roles, for that role's two ends.
    """

    role: str
    source_role: str
    target_role: str


@cache
def smatchpp_reifications(comparison: Comparison) -> Mapping[str, Reification]:
    """The reifications that SMATCH++ undoes, by their concept; labels are normalised.

    Source: the reification table of ``penman.models.amr``, which follows that of the
    AMR guidelines, as far as smatchpp 1.8.0 undoes what it lists (each concept was
    tried with each two of ``:ARG0`` to ``:ARG6``).
    """
    from exactmatch.graphs.quiet_penman import amr

    normalise = NORMALISERS[comparison]
    found = {}
    for role, concept, source_role, target_role in amr.reifications:
        if concept not in _LEFT_ALONE:
            ends = (
                normalise(end.removeprefix(":")) for end in (source_role, target_role)
            )
            concept = normalise(_INSTEAD.get(concept, concept))
            found[concept] = Reification(role.removeprefix(":"), *ends)
    return found


def dereified_as_smatchpp(graph: Graph, comparison: Comparison) -> Graph:
    """Replace reified nodes by the roles they stand for, where SMATCH++ does.

    A node is replaced if it is not the root, nothing points at it, and its concept
    and the two roles of the reification, each stated once, are all it has.
    """
    table = smatchpp_reifications(comparison)
    labels = [NORMALISERS[comparison](label) for label in graph.labels]
    if table.keys().isdisjoint(labels):
        return graph
    nodes = _reified_nodes(graph, labels, table)
    kept = [v for v in range(len(graph.variables)) if v not in nodes]
    place = {v: k for k, v in enumerate(kept)}
    part = graph.part(kept)
    coder = GraphCoder.of(part)
    for role, source, target in nodes.values():
        role = role if source.is_variable else role + INVERSE
        code = coder.label(role)
        if not source.is_variable:
            coder.attributes.append((place[target.number], code, source.number))
        elif not target.is_variable:
            coder.attributes.append((place[source.number], code, target.number))
        else:
            ends = place[source.number], place[target.number]
            coder.relations.append((ends[0], code, ends[1]))
    return coder.stated_in(part)


class _End(NamedTuple):
    """Where a role leads: the number of a variable, or the place of a constant."""

    is_variable: bool
    number: int


def _reified_nodes(
    graph: Graph, labels: list[str], table: Mapping[str, Reification]
) -> dict[int, tuple[str, _End, _End]]:
    """The nodes to be replaced, each with its role and that role's two ends.

    Nothing points at any of them, so no two of them are each other's ends.
    """
    concepts = Counter(v for v, _ in graph.instances)
    ends: defaultdict[int, list[tuple[str, _End]]] = defaultdict(list)
    fixed = {graph.top}
    for v, role, value in graph.attributes:
        if labels[role].endswith(INVERSE):
            fixed.add(v)
        else:
            ends[v].append((labels[role], _End(False, value)))
    for source, role, target in graph.relations:
        fixed.add(target)
        ends[source].append((labels[role], _End(True, target)))
    found = {}
    for v, concept in graph.instances:
        rule = table.get(labels[concept])
        if rule is None or v in fixed or concepts[v] > 1 or len(ends[v]) != 2:
            continue
        stated = dict(ends[v])
        if stated.keys() == {rule.source_role, rule.target_role}:
            both = stated[rule.source_role], stated[rule.target_role]
            if any(end.is_variable for end in both):
                found[v] = (rule.role, *both)
    return found
