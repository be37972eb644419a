"""Random graphs, random texts of them, and a slow count of what matches.

Nothing here uses the package's own readers, coding or counting: triples are
strings, and matches are counted by trying alignments.
"""

from __future__ import annotations

import functools
import itertools
import random
from collections import Counter
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import Profile

CONCEPTS = ("want-01", "Want-01", "boy", "boy_", "boy__", "go-02", "and")
CONSTANTS = ("-", "1", "2", "Ann_", "ann", '"Ann"', "x_y")
ROLES = ("ARG0", "arg0", "ARG1", "mod", "op1")

Plain = tuple[str, str, str]


@dataclass(frozen=True)
class Parts:
    """Graph in plain strings, relations apart from attributes.

    Attributes:
        concepts: each variable's concept, in order; the first is the top.
        attributes: ``(variable, role, constant)``.
        relations: ``(source, role, target)``.
    """

    concepts: dict[str, str]
    attributes: list[Plain]
    relations: list[Plain]

    @property
    def top(self) -> str:
        return next(iter(self.concepts))

    def graph(self) -> Graph:
        triples = [(v, "instance", c) for v, c in self.concepts.items()]
        return Graph.from_triples([*triples, *self.attributes, *self.relations])


@st.composite
def parts(
    draw: st.DrawFn,
    max_variables: int = 4,
    max_relations: int = 5,
    *,
    connected: bool = False,
    repeat: bool = True,
) -> Parts:
    """Draw a graph: loops, parallel and repeated relations included.

    Args:
        draw: Hypothesis's.
        max_variables: how many variables at most.
        max_relations: how many relations at most beside those that connect.
        connected: whether every variable hangs together with the top.
        repeat: whether a triple may occur twice.
    """
    concepts = draw(_concepts(max_variables))
    names = list(concepts)
    relations = list(draw(_relations(len(names), max_relations, repeat)))
    attributes = draw(_attributes(len(names), repeat))
    if connected:
        for i in range(1, len(names)):
            one = draw(_links(i))
            if repeat or one not in relations:
                relations.append(one)
    return Parts(dict(concepts), attributes, relations)


# To make a strategy takes longer than to draw from it, and to draw three values takes
# three times as long as to draw one of all triples.


@functools.cache
def _concepts(max_variables: int) -> st.SearchStrategy[dict[str, str]]:
    """Return the concepts of the variables v0, v1 and so on."""
    concepts = st.lists(st.sampled_from(CONCEPTS), min_size=1, max_size=max_variables)
    return concepts.map(lambda names: {f"v{i}": c for i, c in enumerate(names)})


@functools.cache
def _relations(n: int, most: int, repeat: bool) -> st.SearchStrategy[list[Plain]]:
    names = [f"v{i}" for i in range(n)]
    every = list(itertools.product(names, ROLES, names))
    return st.lists(st.sampled_from(every), max_size=most, unique=not repeat)


@functools.cache
def _attributes(n: int, repeat: bool) -> st.SearchStrategy[list[Plain]]:
    names = [f"v{i}" for i in range(n)]
    every = list(itertools.product(names, ROLES, CONSTANTS))
    return st.lists(st.sampled_from(every), max_size=4, unique=not repeat)


@functools.cache
def _links(i: int) -> st.SearchStrategy[Plain]:
    """Return a relation between a variable and an earlier one."""
    every = [
        one
        for role in ROLES
        for k in range(i)
        for one in ((f"v{i}", role, f"v{k}"), (f"v{k}", role, f"v{i}"))
    ]
    return st.sampled_from(every)


def graphs(max_variables: int = 4, **options: Any) -> st.SearchStrategy[Graph]:
    """Draw a graph; options as of :func:`parts`."""
    return parts(max_variables, **options).map(Parts.graph)


GRAPHS = graphs()
BOOLEANS = st.booleans()


@st.composite
def aligned_graphs(draw: st.DrawFn) -> tuple[Graph, Graph, tuple[int, ...]]:
    """Draw two graphs and the second's partner of each variable of the first, or -1."""
    first, second = draw(GRAPHS), draw(GRAPHS)
    order = draw(st.permutations(range(len(second.variables))))
    partners = [*order, *[-1] * len(first.variables)][: len(first.variables)]
    kept = [draw(BOOLEANS) for _ in partners]
    alignment = [p if k else -1 for p, k in zip(partners, kept, strict=True)]
    return first, second, tuple(alignment)


def renamed(plain: Parts, seed: int) -> Parts:
    """Return the same graph with other names of its variables, shuffled."""
    rng = random.Random(seed)
    fresh = [f"n{k}" for k in range(100, 100 + len(plain.concepts))]
    rng.shuffle(fresh)
    name = dict(zip(plain.concepts, fresh, strict=True))
    attributes = [(name[v], role, value) for v, role, value in plain.attributes]
    relations = [(name[s], role, name[t]) for s, role, t in plain.relations]
    rng.shuffle(attributes)
    rng.shuffle(relations)
    return Parts(
        {name[v]: concept for v, concept in plain.concepts.items()},
        attributes,
        relations,
    )


def shuffled(graph: Graph, seed: int) -> Graph:
    """Return the same graph with other orders of triples and variables."""
    rng = random.Random(seed)
    triples = list(graph.triples())
    rng.shuffle(triples)
    top = None if graph.top is None else graph.variables[graph.top]
    return Graph.from_triples(triples, top=top)


def linearised(plain: Parts, seed: int) -> str:
    """Return a PENMAN text of a connected graph, written by a random walk from its top.

    Relations met from behind are written inverted; ``:mod`` then becomes
    ``:domain``.  Constants are quoted where they do not look like symbols.
    """
    rng = random.Random(seed)
    waiting = list(plain.relations)
    written: set[str] = set()

    def node(name: str) -> str:
        written.add(name)
        pieces = [f"({name} / {plain.concepts[name]}"]
        own = [(role, value) for v, role, value in plain.attributes if v == name]
        rng.shuffle(own)
        pieces += [f":{role} {value}" for role, value in own]
        while True:
            here = [k for k, (s, _, t) in enumerate(waiting) if name in (s, t)]
            if not here:
                break
            source, role, target = waiting.pop(rng.choice(here))
            inverse = source != name
            other = source if inverse else target
            written_role = role
            if inverse:
                written_role = "domain" if role == "mod" else f"{role}-of"
            inner = other if other in written else node(other)
            pieces.append(f":{written_role} {inner}")
        return " ".join(pieces) + ")"

    return node(plain.top)


def counted(
    graph: Graph, profile: Profile, reference: Graph | None = None
) -> list[tuple[str, ...]]:
    """Return what counts, computed independently: ``("i", v, concept)`` and so on.

    Args:
        graph: the graph.
        profile: which triples count.
        reference: of a prediction, for the roles that are annotated.
    """

    def same(label: str) -> str:
        if profile.comparison == "exact":
            return label
        if profile.comparison == "smatch":
            return label.lower().rstrip("_")
        if profile.comparison == "unquoted":
            return "".join(c for c in label.lower() if c not in "\"'")
        quoted = len(label) > 1 and label.startswith('"') and label.endswith('"')
        bare = label[1:-1] if quoted and profile.comparison == "clean" else label
        return bare.lower()

    def concept(code: int) -> str:
        lemma, _, sense = graph.labels[code].rpartition("-")
        has_sense = lemma and len(sense) > 1 and sense.isdigit()
        return same(graph.labels[code] if profile.sense or not has_sense else lemma)

    def named(code: int) -> set[str]:
        """Return the names of a role; reading turns one of mod and domain around."""
        name = graph.labels[code].lower()
        both = {"mod", "domain"}
        if name in both and profile.reader in ("smatch", "penman", "smatchpp"):
            return both
        return {name}

    names, labels = graph.variables, graph.labels
    items: list[tuple[set[str], tuple[str, ...]]] = []
    for v, c in graph.instances:
        items.append(({"concept", "instance"}, ("i", names[v], concept(c))))
    for v, r, c in graph.attributes:
        item = ("a", names[v], same(labels[r]), same(labels[c]))
        items.append((named(r), item))
    if graph.top is not None and profile.top != "none":
        first = [concept(c) for v, c in graph.instances if v == graph.top][:1]
        value = "top" if profile.top == "constant" or not first else first[0]
        items.append(({"top"}, ("a", names[graph.top], same("TOP"), value)))
    for s, r, t in graph.relations:
        item = ("r", names[s], same(labels[r]), names[t])
        items.append((named(r), item))
    kept = [
        item
        for roles, item in items
        if (not profile.only or roles & set(profile.only))
        and not roles & set(profile.leave_out)
        and (profile.wiki or roles != {"wiki"})
        and (profile.just is None or profile.just[0] == item[0])
    ]
    if profile.ignore_unannotated and reference is not None:
        annotated = {one[2] for one in counted(reference, profile) if one[0] != "i"}
        kept = [one for one in kept if one[0] == "i" or one[2] in annotated]
    return kept


def matches(left: Graph, right: Graph, profile: Profile, to: dict[str, str]) -> int:
    """Count the matches of one alignment by renaming and intersecting triples."""
    ours: Counter[tuple[str, ...]] = Counter()
    for triple in counted(left, profile, right):
        source = to.get(triple[1])
        target = to.get(triple[3]) if triple[0] == "r" else triple[-1]
        if source is not None and target is not None:
            key = (triple[0], source, *triple[2:-1], target)
            ours[key] += 1
    theirs = Counter(counted(right, profile))
    if profile.duplicates == "product":
        return sum(n * theirs[triple] for triple, n in ours.items())
    if profile.duplicates == "set":
        return len(set(ours) & set(theirs))
    return (ours & theirs).total()


def alignments(left: Graph, right: Graph) -> list[dict[str, str]]:
    """Return every one-to-one partial mapping of the variables."""
    renamings = []
    for size in range(min(len(left.variables), len(right.variables)) + 1):
        for some in itertools.combinations(left.variables, size):
            for others in itertools.permutations(right.variables, size):
                renamings.append(dict(zip(some, others, strict=True)))
    return renamings


def best_match(left: Graph, right: Graph, profile: Profile) -> int:
    """Return the optimum, by trying every alignment."""
    return max(matches(left, right, profile, to) for to in alignments(left, right))


def checked(graph: Graph) -> Graph:
    """Return the same parts, through the constructor and its checks."""
    return Graph(
        graph.variables,
        graph.labels,
        graph.instances,
        graph.attributes,
        graph.relations,
        graph.top,
    )
