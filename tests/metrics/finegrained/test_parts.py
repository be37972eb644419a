"""Parts and items of graphs are what their definitions say, edge by edge."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Sequence

from hypothesis import given
from hypothesis import strategies as st

from exactmatch.graphs.graph import Graph
from exactmatch.metrics.finegrained import parts

ROLES = st.sampled_from(["ARG0", "ARG1", "ARGM", "xARG0", "name", "wiki", "op1", "op2"])


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Graphs with the roles that matter, on relations and attributes alike."""
    names = "abcd"[: draw(st.integers(1, 4))]
    concepts = st.sampled_from(["go-02", "go-03", "name", "-", "go", "x-1"])
    triples = [(v, "instance", draw(concepts)) for v in names if draw(st.booleans())]
    targets = st.sampled_from([*names, "-", "1", "Q1", "name"])
    edges = st.tuples(st.sampled_from(names), ROLES, targets)
    triples += draw(st.lists(edges, max_size=8))
    defined = {source for source, _, _ in triples}
    stated = [t for t in triples if t[2] not in names or t[2] in defined]
    return Graph.from_triples([*stated, ("r", "instance", "root")], top="r")


def check(found: Graph, graph: Graph, edges: Sequence[parts.Edge]) -> None:
    """Check that a part has these edges, and the concepts of what they touch."""
    ends = {end for edge in edges for end in edge[::2] if isinstance(end, int)}
    assert found.variables == graph.variables
    assert found.instances == tuple(row for row in graph.instances if row[0] in ends)
    assert list(parts.edges(found)) == edges
    assert (found.top, found.id) == (None, graph.id)


@given(graphs())
def test_a_part_is_that_of_its_edges(graph: Graph) -> None:
    edges = list(parts.edges(graph))
    core = [edge for edge in edges if re.match(r"ARG\d+$", edge[1])]
    check(parts.core_roles(graph), graph, core)
    operands = [edge for edge in edges if edge[1] in ("op1", "op2")]
    check(parts.with_roles(graph, ("op1", "op2").__contains__), graph, operands)
    arrivals = Counter(target for _, _, target in edges)
    several = [e for e in edges if isinstance(e[2], int) and arrivals[e[2]] > 1]
    check(parts.reentrant(graph), graph, several)


@given(graphs())
def test_items_are_read_off_the_edges(graph: Graph) -> None:
    edges, concept = list(parts.edges(graph)), graph.concepts()

    def shown(end: int | str) -> str | None:
        return concept[end] if isinstance(end, int) else end

    def name_of(entity: int) -> tuple[tuple[str, str], ...]:
        return tuple(
            sorted(
                (role, target)
                for source, role, target in edges
                if source == entity and role[:2] == "op" and isinstance(target, str)
            )
        )

    entities: list[Hashable] = [
        (shown(source), name_of(target))
        for source, role, target in edges
        if role == "name" and isinstance(target, int)
    ]
    assert parts.named_entities(graph) == entities
    triples = [(role, shown(source), shown(target)) for source, role, target in edges]
    assert parts.triples_of_concepts(graph) == triples
    assert parts.wiki_values(graph) == [
        graph.variables[target] if isinstance(target, int) else target
        for _, role, target in edges
        if role == "wiki"
    ]
    for value in None, "-", "1":
        assert parts.concepts_with("ARG0", graph, value) == [
            shown(source)
            for source, role, target in edges
            if role == "ARG0" and value in (None, target)
        ]
    frames = [c for c in parts.concepts(graph) if re.search(r"-\d\d$", c)]
    assert parts.frames(graph) == frames
    assert parts.frames_without_sense(graph) == [frame[:-3] for frame in frames]
