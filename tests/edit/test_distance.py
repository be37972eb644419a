"""Edit distances against enumeration and networkx; edit paths by doing the edits."""

from __future__ import annotations

import math
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.edit_oracle import Costs, applied, cost_of_path, edit_distance
from support.examples import examples
from support.network_strategies import KINDS, costs, equal_labels, networks, pairs

from exactmatch import ged, ged_matrix
from exactmatch.base.errors import InputError, SolverError
from exactmatch.edit import contains
from exactmatch.solvers.solution import check_solution

EVERY_CLASS = pytest.mark.parametrize("kind", KINDS)
UNIT: dict[str, Any] = {"node_match": equal_labels, "edge_match": equal_labels}


def check(g: Any, h: Any, costs: Costs, result: Any) -> None:
    """The path turns one graph into the other and costs what it says."""
    made = applied(g, h, result.node_edit_path, result.edge_edit_path)
    assert dict(made.nodes(data=True)) == dict(h.nodes(data=True))
    assert made.number_of_edges() == h.number_of_edges()
    assert all(h.edges[edge] == made.edges[edge] for edge in made.edges)
    path = (result.node_edit_path, result.edge_edit_path)
    assert cost_of_path(g, h, *path, costs) == pytest.approx(result.distance)


@pytest.mark.slow
@settings(max_examples=examples(400), deadline=None)
@given(graphs=pairs(max_nodes=4), costs=costs())
def test_it_is_the_least_of_all_maps(graphs: Any, costs: Any) -> None:
    """Every kind, self-loops and parallel edges, costs cheap and dear."""
    g, h = graphs
    result = ged(g, h, labels="none", **costs.options)
    assert result.distance == edit_distance(g, h, costs)
    assert result.proven
    assert result.bound == result.distance
    assert result.rounding == 0
    check(g, h, costs, result)


@pytest.mark.slow
@EVERY_CLASS
def test_it_is_networkx_distance(kind: Any) -> None:
    """Without self-loops and with substitutions that are not dearer than both others.

    Elsewhere networkx 3.6 is not exact: it substitutes self-loops by edges, and does
    not try a substitution where its first idea is a deletion.
    """
    sure = costs(dear=False)

    @settings(max_examples=examples(200), deadline=None)
    @given(
        g=networks(kind=kind, max_nodes=4, loops=False),
        h=networks(kind=kind, max_nodes=3, loops=False),
        costs=sure,
    )
    def law(g: Any, h: Any, costs: Costs) -> None:
        result = ged(g, h, labels="none", **costs.options)
        theirs = nx.graph_edit_distance(g, h, **costs.options)
        assert result.distance == pytest.approx(theirs)
        assert result.proven

    law()


def test_networkx_takes_a_self_loop_for_an_edge() -> None:
    """Why self-loops are left out above; if this fails, they need not be any more."""
    loop, edge = nx.Graph([(0, 0)]), nx.Graph([(0, 1)])
    loop.add_node(1)
    assert nx.graph_edit_distance(edge, loop) == 0
    assert ged(edge, loop).distance == 2


@settings(max_examples=examples(150), deadline=None)
@given(
    graphs=pairs(max_nodes=3),
    costs=costs(numbers=st.floats(0, 10, allow_nan=False, width=32)),
)
def test_real_costs_are_rounded_and_it_says_how_far(graphs: Any, costs: Any) -> None:
    g, h = graphs
    result = ged(g, h, labels="none", **costs.options)
    truth = edit_distance(g, h, costs)
    assert result.bound <= truth + 1e-12
    assert truth - 1e-9 <= result.distance <= truth + 2 * result.rounding + 1e-9
    assert result.distance - result.bound <= 3 * result.rounding + 1e-9
    assert result.proven
    check(g, h, costs, result)


@settings(max_examples=examples(100), deadline=None)
@given(graphs=pairs(max_nodes=4), costs=costs(), data=st.data())
def test_roots_are_substituted_whatever_it_costs(
    graphs: Any, costs: Any, data: Any
) -> None:
    g, h = graphs
    if not len(g) or not len(h):
        return
    roots = data.draw(st.sampled_from(list(g))), data.draw(st.sampled_from(list(h)))
    result = ged(g, h, labels="none", roots=roots, **costs.options)
    assert result.distance == edit_distance(g, h, costs, roots)
    assert result.proven
    assert roots in result.node_edit_path
    check(g, h, costs, result)


@pytest.mark.slow
@settings(max_examples=examples(100), deadline=None)
@given(graphs=pairs(max_nodes=3), data=st.data())
def test_unit_costs_make_a_metric(graphs: Any, data: Any) -> None:
    g, h = graphs
    third = data.draw(networks(kind=type(g), max_nodes=3))
    assert ged(g, g, **UNIT).distance == 0
    there, back = ged(g, h, **UNIT).distance, ged(h, g, **UNIT).distance
    assert there == back
    detour = ged(g, third, **UNIT).distance + ged(third, h, **UNIT).distance
    assert there <= detour


@settings(max_examples=examples(100), deadline=None)
@given(graphs=pairs(max_nodes=3))
def test_the_distance_is_0_of_isomorphic_graphs_alone(graphs: Any) -> None:
    """Labels of parallel edges are compared as multisets, networkx's way."""
    g, h = graphs

    def equal_edges(a: Any, b: Any) -> bool:
        if not g.is_multigraph():
            return equal_labels(a, b)
        labels = [sorted(e["label"] for e in edges.values()) for edges in (a, b)]
        return labels[0] == labels[1]

    isomorphic = nx.is_isomorphic(g, h, node_match=equal_labels, edge_match=equal_edges)
    assert (ged(g, h, **UNIT).distance == 0) == isomorphic


@settings(max_examples=examples(60), deadline=None)
@given(graphs=pairs(max_nodes=4), costs=costs(), name=st.sampled_from(["cpsat", "bnb"]))
def test_solvers_agree(graphs: Any, costs: Any, name: Any) -> None:
    g, h = graphs
    assert ged(
        g, h, labels="none", solver=name, **costs.options
    ).distance == edit_distance(g, h, costs)


@settings(max_examples=examples(60), deadline=None)
@given(graphs=pairs(max_nodes=4), costs=costs())
def test_its_certificate_is_accepted(graphs: Any, costs: Any) -> None:
    result = ged(*graphs, labels="none", record_proof=True, **costs.options)
    assert result.certificate is not None
    check_solution(result.problem, result.solution)


# ---------------------------------------------------------------- known graphs

SEPARATE_TREES = (
    nx.Graph([(5, 4), (5, 6), (5, 7), (21, 8), (2, 1), (2, 0), (5, 3)]),
    nx.Graph(
        [
            (15, 13),
            (23, 16),
            (23, 24),
            (100, 7),
            (18, 19),
            (100, 23),
            (19, 20),
            (22, 21),
        ]
    ),
)
"""Of https://github.com/networkx/networkx/issues/2997, where networkx finds no end."""


@pytest.mark.parametrize(
    ("g", "h", "distance"),
    [
        (nx.cycle_graph(6), nx.wheel_graph(7), 7),
        (nx.circular_ladder_graph(2), nx.circular_ladder_graph(6), 22),
        (nx.circular_ladder_graph(6), nx.circular_ladder_graph(8), 14),
        (*SEPARATE_TREES, 5),
        (nx.Graph(), nx.Graph(), 0),
        (nx.Graph(), nx.path_graph(6), 11),
        (nx.empty_graph(1), nx.empty_graph(1), 0),
    ],
)
def test_known_distances(g: Any, h: Any, distance: int) -> None:
    """The ladder is cut once: two rails go; two rungs with three edges each come."""
    result = ged(g, h)
    assert (result.distance, result.bound, result.proven) == (distance, distance, True)


def test_nodes_may_be_anything() -> None:
    """A node may be ``()``, and an edge's attributes may be missing."""
    g, h = nx.DiGraph([((), frozenset())]), nx.DiGraph([("x", 1.5)])
    assert ged(g, h).node_edit_path == [((), "x"), (frozenset(), 1.5)]


def test_similarity_is_between_0_and_1() -> None:
    path = nx.path_graph(3)
    assert ged(path, path).similarity == 1
    assert ged(nx.Graph(), nx.Graph()).similarity == 1
    assert ged(nx.Graph(), path).similarity == 0
    assert ged(path, nx.path_graph(4)).similarity == pytest.approx(1 - 2 / 12)
    never = ged(path, path, node_subst_cost=returning(math.inf))
    assert (never.distance, never.similarity) == (10, 0)


# ----------------------------------------------------------------- limits


def test_an_upper_bound_that_is_kept_changes_nothing() -> None:
    g, h = nx.cycle_graph(6), nx.wheel_graph(7)
    assert ged(g, h, upper_bound=7).distance == 7
    assert ged(g, h, upper_bound=100).distance == 7
    assert ged(g, h, upper_bound=10**400).distance == 7
    assert ged(g, h, upper_bound=-math.inf).distance == math.inf


def test_a_distance_is_an_upper_bound_that_is_kept() -> None:
    graphs = nx.path_graph(1), nx.path_graph(6)  # 5/3, and 1.6666666666666665 in floats
    costs: dict[str, Any] = {"node_costs": (0, 1, 1 / 3), "edge_costs": (0, 1, 0)}
    least = ged(*graphs, **costs).distance
    assert ged(*graphs, **costs, upper_bound=least).distance == least


def test_an_upper_bound_that_cannot_be_kept_leaves_no_path() -> None:
    result = ged(nx.cycle_graph(6), nx.wheel_graph(7), upper_bound=6.5)
    assert result.distance == math.inf
    assert result.bound == 7
    assert result.proven
    assert (result.node_edit_path, result.edge_edit_path) == ([], [])
    assert result.similarity == 0


def test_running_out_of_time_leaves_an_interval() -> None:
    """Too large to be solved in no time; the path is still one."""
    g, h = nx.gnm_random_graph(40, 60, seed=1), nx.gnm_random_graph(40, 60, seed=2)
    result = ged(g, h, timeout=1e-6)
    assert result.bound < result.distance
    assert not result.proven
    check(g, h, Costs(), result)


# ----------------------------------------------------------------- refusals


def returning(value: Any) -> Any:
    return lambda *_: value


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"timeout": 0}, "timeout: 0 is not a number above 0"),
        ({"time_limit": -1}, "time_limit: -1 is not a number above 0"),
        ({"timeout": 1, "time_limit": 1}, "timeout and time_limit mean the same"),
        ({"timeout": "x"}, "timeout: 'x' is not a number above 0"),
        ({"upper_bound": math.nan}, "upper_bound: nan is not a number"),
        ({"upper_bound": "x"}, "upper_bound: 'x' is not a number"),
        ({"roots": 5}, "roots: 5 is not two nodes, one of each graph"),
        ({"node_match": 3}, "node_match: 3 is neither a function nor a name"),
        ({"edge_ins_cost": "x"}, "edge_ins_cost: 'x' is not a function"),
        ({"node_costs": "1,2"}, "node_costs: '1,2' is not three numbers"),
        ({"edge_costs": (1, math.inf, 1)}, "edge_costs: .* holds what is not a cost"),
        ({"edge_costs": (1, 2)}, r"edge_costs: \(1, 2\) is not three numbers"),
        ({"node_match": returning(None)}, "node_match gives None for 0 and 0"),
        ({"solver": 3}, "solver: 3 is neither a name nor a Solver"),
        ({"roots": (1,)}, r"roots: \(1,\) is not two nodes, one of each graph"),
        ({"roots": (7, 0)}, "root 7 is not a node of the first graph"),
        ({"roots": (0, 7)}, "root 7 is not a node of the second graph"),
        ({"node_subst_cost": returning(-1)}, "node_subst_cost gives -1 for 0 and 0"),
        ({"node_subst_cost": returning(None)}, "node_subst_cost gives None for 0"),
        ({"node_del_cost": returning("x")}, "node_del_cost gives 'x' for 0"),
        ({"node_ins_cost": returning(math.nan)}, "node_ins_cost gives nan for 0"),
        (
            {"edge_subst_cost": returning([1])},
            r"edge_subst_cost gives \[1\] for \(0, 1\)",
        ),
        (
            {"edge_del_cost": returning(math.inf)},
            r"edge_del_cost is infinite for \(0, 1\)",
        ),
        ({"node_del_cost": returning(1e300)}, "costs stay below"),
        ({"node_subst_cost": returning(10**400)}, "hundreds of digits; costs stay"),
        ({"node_match": returning(10**400)}, "hundreds of digits; costs stay"),
        ({"node_match": returning(math.inf)}, "node_match gives -inf for 0 and 0"),
        ({"node_costs": (1, 10**400, 1)}, "is not three numbers"),
        ({"time_limit": 10**400}, "is not a number above 0"),
    ],
)
def test_nonsense_is_refused_and_named(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        ged(nx.path_graph(3), nx.path_graph(2), **options)


def test_roots_that_may_not_be_substituted_are_refused() -> None:
    with pytest.raises(InputError, match="the roots 0 and 1 may not be substituted"):
        ged(
            nx.path_graph(2),
            nx.path_graph(2),
            node_subst_cost=returning(math.inf),
            roots=(0, 1),
        )


def test_a_direction_on_one_side_only_is_refused() -> None:
    with pytest.raises(InputError, match="one graph is directed and the other is not"):
        ged(nx.Graph(), nx.DiGraph())


def test_attributes_that_cannot_be_compared_are_refused() -> None:
    """Arrays say of each of their numbers whether it is equal."""
    g: nx.Graph[int] = nx.path_graph(2)
    for node in g:
        g.nodes[node]["at"] = np.array([0.0, node])
    complaint = "attributes of a node cannot be compared by value; .* as node_match"
    for labels in ("all", "at"):
        with pytest.raises(InputError, match=complaint):
            ged(g, g.copy(), labels=labels)
    result = ged(g, g, node_match=lambda a, b: np.array_equal(a["at"], b["at"]))
    assert result.distance == 0


def test_a_problem_beyond_memory_is_refused_before_it_is_built() -> None:
    g = nx.empty_graph(10_000)
    with pytest.raises(InputError, match="100,000,000 pairs of nodes"):
        ged(g, g, node_subst_cost=returning(0))


def test_a_solver_that_records_nothing_cannot_certify() -> None:
    with pytest.raises(SolverError, match="'cpsat' records no certificates"):
        ged(nx.Graph(), nx.Graph(), solver="cpsat", record_proof=True)


@pytest.mark.parametrize("stranger", ["(a / b)", None, 3, [(0, 1)]])
def test_only_networkx_graphs_have_a_distance(stranger: Any) -> None:
    graph = nx.path_graph(2)
    for ask in (ged, contains):
        with pytest.raises(InputError, match="is not a networkx graph"):
            ask(graph, stranger)
        with pytest.raises(InputError, match="is not a networkx graph"):
            ask(stranger, graph)


@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 99), st.integers(-1, 12))
@settings(max_examples=examples(60), deadline=None)
def test_an_upper_bound_cuts_the_search_and_no_answer(
    n: int, m: int, seed: int, most: int
) -> None:
    """Against networkx."""
    first, second = (nx.gnp_random_graph(k, 0.5, seed=seed + k) for k in (n, m))
    expected = nx.graph_edit_distance(first, second)
    result = ged(first, second, upper_bound=most)
    assert result.proven
    if expected <= most:
        assert result.distance == expected
    else:
        assert math.isinf(result.distance)
        assert most < result.bound <= expected


def test_a_search_ends_when_its_bound_exceeds_the_upper_bound() -> None:
    first, second = (nx.gnp_random_graph(n, 0.4, seed=n) for n in (16, 17))
    result = ged(first, second, upper_bound=5)
    assert result.proven
    assert not result.solution.is_optimal


@pytest.mark.slow
@given(pairs(max_nodes=6), st.integers(0, 8))
@settings(max_examples=examples(200), deadline=None)
def test_small_pairs_are_searched_and_cost_what_solvers_find(
    pair: Any, limit: int
) -> None:
    """The default searches where every edit costs 1; named solvers never do."""
    result = ged(*pair, **UNIT)
    other = ged(*pair, **UNIT, solver="bnb")
    assert result.proven
    assert result.distance == other.distance
    assert result.bound == result.distance
    g, h = pair
    within = ged(g, h, upper_bound=limit, **UNIT)
    assert within.proven
    assert within.distance == (
        result.distance if result.distance <= limit else math.inf
    )
    assert within.bound > limit or within.distance == within.bound


@pytest.mark.parametrize("seed", range(12))
def test_turns_of_search_and_solver_end_in_the_same_distance(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dense graphs of one label, whose distances are all odd or all even."""
    first = nx.gnp_random_graph(8, 0.6, seed=seed, directed=seed % 2 == 0)
    second = nx.gnp_random_graph(9, 0.5, seed=seed + 50, directed=seed % 2 == 0)
    distance = ged(first, second, solver="bnb").distance
    limits = [distance + more for more in (-2, -1, 0, 1, 2)]
    for turns in ({}, {"distance.WORK": 0, "turns.FIRST_SECONDS": 1e-3}):
        for name, value in turns.items():
            monkeypatch.setattr(f"exactmatch.edit.{name}", value)
        result = ged(first, second)
        assert (result.distance, result.proven) == (distance, True)
        for limit in limits:
            within = ged(first, second, upper_bound=limit)
            assert within.proven
            assert within.distance == (distance if limit >= distance else math.inf)
            matrix = ged_matrix([first], [second], at_most=max(int(limit), 0))
            assert matrix[0, 0] == (distance if limit >= distance else math.inf)


def test_dense_graphs_with_interchangeable_nodes_are_proven() -> None:
    cliques = [nx.complete_graph(n) for n in (5, 6, 7)]
    one = nx.complement(nx.disjoint_union_all(cliques))
    other = nx.complement(nx.disjoint_union_all([nx.complete_graph(9)] * 2))
    result = ged(one, other)
    assert result.proven
    assert result.distance == ged_matrix([one], [other])[0, 0]
