"""Graphs made to probe a metric: copies, edits, trees, seeded random graphs."""

from __future__ import annotations

from collections import Counter

import numpy as np

from exactmatch.graphs.graph import INSTANCE, Graph, Triple

_CONCEPTS = (
    *("see-01", "ask-01", "give-01", "carry-01", "man", "man"),
    *("girl", "letter", "river", "garden", "old", "quick"),
)
_ROLES = ("ARG0", "ARG1", "ARG2", "mod", "time", "location")
_CONSTANTS = (("polarity", "-"), ("quant", "2"), ("quant", "7"), ("mode", "imperative"))


def copy_of(graph: Graph, rng: np.random.Generator) -> Graph:
    """Give a graph other variables, and its triples another order."""
    numbers = rng.permutation(len(graph.variables)).tolist()
    names = {
        v: f"v{number}" for v, number in zip(graph.variables, numbers, strict=True)
    }
    triples = [
        t._replace(
            source=names[t.source],
            target=t.target if t.role == INSTANCE else names.get(t.target, t.target),
        )
        for t in graph.triples()
    ]
    shuffled = [triples[k] for k in rng.permutation(len(triples))]
    return Graph.from_triples(shuffled, names[_top(graph)])


def generated(rng: np.random.Generator) -> Graph:
    """Return a rooted graph of 5 to 10 variables with re-entrancies and constants.

    Two of its variables are called ``man``, and one of these fills two roles.
    """
    n = int(rng.integers(5, 11))
    concepts = [str(rng.choice(_CONCEPTS)) for _ in range(n)]
    first, second = (int(k) for k in 1 + rng.permutation(n - 1)[:2])
    concepts[first] = concepts[second] = "man"
    triples = [Triple(f"x{v}", INSTANCE, concept) for v, concept in enumerate(concepts)]
    for v in range(1, n):
        parents = [u for u in range(v) if u not in (first, second)]
        parent = int(rng.choice(parents))
        triples.append(Triple(f"x{parent}", str(rng.choice(_ROLES)), f"x{v}"))
    again = [u for u in range(n) if u not in (first, second)]
    triples.append(Triple(f"x{rng.choice(again)}", "ARG3", f"x{second}"))
    for _ in range(int(rng.integers(0, 3))):
        role, value = _CONSTANTS[int(rng.integers(len(_CONSTANTS)))]
        triples.append(Triple(f"x{rng.integers(n)}", role, value))
    return Graph.from_triples(list(dict.fromkeys(triples)), "x0")


def refilled(graph: Graph, rng: np.random.Generator) -> Graph | None:
    """Return the graph with a role given to another participant of the same concept.

    One of two edges into a variable goes to another variable with its concept: *he
    sees himself* and *he sees him* (Opitz, Parcalabescu and Frank 2020, figure 2).
    No triple is stated twice thereby, and no part of the graph is cut off.  ``None``
    if there is no such edge.
    """
    triples, relations = list(graph.triples()), _relations(graph)
    concepts = {t.source: t.target for t in triples if t.role == INSTANCE}
    incoming = Counter(t.target for t in relations)
    choices = [
        (t, other)
        for t in relations
        if incoming[t.target] > 1
        for other in graph.variables
        if concepts.get(other) == concepts.get(t.target)
        and other not in (t.target, t.source)
        and t._replace(target=other) not in triples
    ]
    for k in rng.permutation(len(choices)).tolist():
        edge, other = choices[k]
        changed = list(triples)
        changed[triples.index(edge)] = edge._replace(target=other)
        variant = Graph.from_triples(changed, _top(graph))
        if is_connected(variant) or not is_connected(graph):
            return variant
    return None


def edited(graph: Graph, edits: int, rng: np.random.Generator) -> Graph:
    """Return the graph with random errors: wrong concepts and roles, missing leaves."""
    top = _top(graph)
    for number in range(edits):
        triples, relations = list(graph.triples()), _relations(graph)
        sources = {t.source for t in relations}
        parents = Counter(t.target for t in relations)
        leaves = [
            v
            for v in graph.variables
            if v != top and v not in sources and parents[v] == 1
        ]
        kind = int(rng.integers(3))
        if kind == 0 and relations:
            edge = relations[int(rng.integers(len(relations)))]
            triples[triples.index(edge)] = edge._replace(role=f"wrong{number}")
        elif kind == 1 and leaves:
            leaf = str(rng.choice(leaves))
            triples = [t for t in triples if leaf not in (t.source, t.target)]
        else:
            variable = str(rng.choice(graph.variables))
            graph = with_concept(graph, variable, f"wrong{number}")
            continue
        graph = Graph.from_triples(triples, top)
    return graph


def with_concept(graph: Graph, variable: str, concept: str) -> Graph:
    """Return the graph with another concept of one variable."""
    triples = [
        t._replace(target=concept) if (t.source, t.role) == (variable, INSTANCE) else t
        for t in graph.triples()
    ]
    return Graph.from_triples(triples, _top(graph))


def tree(degree: int) -> Graph:
    """Return a root, *degree* branching nodes under it, and *degree* leaves under each.

    The setting of Opitz, Parcalabescu and Frank (2020), table 4.  The variables
    are ``r``, ``b0`` … and ``l0.0`` …; no two concepts are equal.
    """
    triples = [Triple("r", INSTANCE, "root")]
    for i in range(degree):
        triples.append(Triple(f"b{i}", INSTANCE, f"branch{i}"))
        triples.append(Triple("r", f"ARG{i}", f"b{i}"))
        for k in range(degree):
            triples.append(Triple(f"l{i}.{k}", INSTANCE, f"leaf{i}-of{k}"))
            triples.append(Triple(f"b{i}", f"ARG{k}", f"l{i}.{k}"))
    return Graph.from_triples(triples, "r")


def position(graph: Graph, variable: str) -> str:
    """Return the position of a variable: ``root``, ``branching`` or ``leaf``."""
    if variable == _top(graph):
        return "root"
    if any(t.source == variable for t in _relations(graph)):
        return "branching"
    return "leaf"


def is_connected(graph: Graph) -> bool:
    """Return whether every variable can be reached from any other, in any direction."""
    import networkx

    from exactmatch.formats.convert import to_networkx

    network = to_networkx(graph)
    return not network or networkx.is_weakly_connected(network)


def text_of(graph: Graph) -> str:
    """Return the graph in PENMAN notation; its triples if it falls into parts."""
    from exactmatch.formats.convert import to_penman
    from exactmatch.graphs.quiet_penman import penman

    decoded = to_penman(graph)
    if is_connected(graph):
        return str(penman.encode(decoded))
    return str(penman.format_triples(decoded.triples))


def _relations(graph: Graph) -> list[Triple]:
    variables, labels = graph.variables, graph.labels
    return [
        Triple(variables[s], labels[r], variables[t]) for s, r, t in graph.relations
    ]


def _top(graph: Graph) -> str:
    return graph.variables[0 if graph.top is None else graph.top]
