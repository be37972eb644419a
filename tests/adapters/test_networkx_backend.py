"""Networkx with us behind it: its own tests, its priorities, and what we refuse."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from support.examples import examples
from support.network_strategies import KINDS, costs, networks

from exactmatch.adapters import networkx_backend as backend
from exactmatch.adapters.networkx_info import info
from exactmatch.base.errors import InputError
from exactmatch.solvers import get_solver

FUNCTIONS = (
    "graph_edit_distance",
    "optimal_edit_paths",
    "optimize_graph_edit_distance",
    "optimize_edit_paths",
)
LOOP = nx.Graph([(0, 0), (0, 1)])


def run(*arguments: str, **environment: Any) -> subprocess.CompletedProcess[str]:
    """Run Python where networkx is started anew."""
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_networkx_finds_it_and_lists_its_functions() -> None:
    assert set(info()["functions"]) == set(FUNCTIONS)
    assert all(hasattr(backend, name) for name in FUNCTIONS)


def test_knowing_the_backend_loads_none_of_it() -> None:
    """Networkx asks for the information whenever it is imported."""
    code = (
        "import sys, networkx; print([m for m in sys.modules "
        "if m.startswith('exactmatch.') and m.count('.') > 1 "
        "and 'networkx_info' not in m and not m.startswith('exactmatch.base')])"
    )
    done = run("-c", code)
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.slow
def test_networkx_tests_of_edit_distances_pass() -> None:
    """Its own suite, as installed; it runs what we refuse without us."""
    done = run(
        "-m",
        "pytest",
        "-c",
        os.devnull,
        "-p",
        "no:cacheprovider",
        "-rA",
        "--pyargs",
        "networkx.algorithms.tests.test_similarity",
        "-k",
        "TestSimilarity and not simrank and not panther and not random_paths",
        NETWORKX_TEST_BACKEND="exactmatch",
    )
    assert done.returncode == 0, done.stdout
    outcomes: dict[str, set[str]] = {}
    for line in done.stdout.splitlines():
        if "::TestSimilarity::" in line:
            outcome, test, *_ = line.split()
            outcomes.setdefault(outcome, set()).add(test.rpartition("::")[2])
    assert len(outcomes["PASSED"]) >= 25  # NetworkX 3.4, Python 3.10's last; later 28
    assert outcomes["XFAIL"] == {"test_selfloops", "test_symmetry_with_custom_matching"}


@pytest.mark.slow
def test_the_environment_can_make_it_the_first_choice() -> None:
    code = (
        "import networkx as nx\n"
        "g, h = (nx.gnm_random_graph(12, 18, seed=s) for s in (1, 2))\n"
        "print(nx.graph_edit_distance(g, h))"
    )
    done = run("-c", code, NETWORKX_BACKEND_PRIORITY="exactmatch")
    assert float(done.stdout) == nx.graph_edit_distance(
        nx.gnm_random_graph(12, 18, seed=1),
        nx.gnm_random_graph(12, 18, seed=2),
        backend="exactmatch",
    )


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_it_gives_networkx_distance(kind: Any) -> None:
    @settings(max_examples=examples(60), deadline=None)
    @given(
        g=networks(kind=kind, max_nodes=3, loops=False),
        h=networks(kind=kind, max_nodes=3, loops=False),
        costs=costs(dear=False),
    )
    def law(g: Any, h: Any, costs: Any) -> None:
        ours = nx.graph_edit_distance(g, h, backend="exactmatch", **costs.options)
        assert ours == pytest.approx(nx.graph_edit_distance(g, h, **costs.options))

    law()


def test_the_last_of_the_improving_distances_is_the_least() -> None:
    g, h = nx.gnm_random_graph(14, 20, seed=3), nx.gnm_random_graph(14, 20, seed=4)
    found = list(nx.optimize_graph_edit_distance(g, h, backend="exactmatch"))
    assert found == sorted(found, reverse=True)
    assert found[-1] == nx.graph_edit_distance(g, h, backend="exactmatch")


def test_an_upper_bound_hides_what_is_dearer() -> None:
    g, h = nx.cycle_graph(6), nx.wheel_graph(7)
    asked = {"backend": "exactmatch", "upper_bound": 6}
    assert nx.graph_edit_distance(g, h, **asked) is None
    assert nx.optimal_edit_paths(g, h, **asked) == nx.optimal_edit_paths(
        g, h, upper_bound=6
    )
    assert list(nx.optimize_edit_paths(g, h, **asked)) == []


def test_an_upper_bound_ends_the_search_once_nothing_keeps_to_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names: list[str] = []

    def solver(name: str) -> Any:
        names.append(name)
        return get_solver(name)

    monkeypatch.setattr(backend, "get_solver", solver)
    g, h = nx.gnm_random_graph(14, 20, seed=3), nx.gnm_random_graph(14, 30, seed=4)
    every = list(nx.optimize_graph_edit_distance(g, h, backend="exactmatch"))
    stages = len(names)
    for most in (5, every[-1] - 1, every[-1]):
        names.clear()
        asked = {"backend": "exactmatch", "upper_bound": most}
        found = list(nx.optimize_graph_edit_distance(g, h, **asked))
        assert found[-1:] == [one for one in every[-1:] if one <= most]
        assert len(names) < stages or most > 5


def test_an_upper_bound_hides_all_paths_or_none() -> None:
    g, h = nx.gnm_random_graph(5, 7, seed=3), nx.gnm_random_graph(5, 5, seed=4)
    paths, cost = nx.optimal_edit_paths(g, h, backend="exactmatch")
    for most, wanted in ((cost - 1, ([], None)), (cost, (paths, cost))):
        asked = {"backend": "exactmatch", "upper_bound": most}
        assert nx.optimal_edit_paths(g, h, **asked) == wanted


def test_what_networkx_refuses_is_refused_in_its_words() -> None:
    g = nx.path_graph(2)
    with pytest.raises(nx.NodeNotFound, match="Root node not in graph"):
        nx.graph_edit_distance(g, g, roots=(5, 0), backend="exactmatch")
    with pytest.raises(nx.NetworkXError, match="Timeout value must be greater than 0"):
        nx.graph_edit_distance(g, g, timeout=0, backend="exactmatch")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"timeout": "x"}, "timeout: 'x' is not a number above 0"),
        ({"timeout": math.nan}, "timeout: nan is not a number above 0"),
        ({"upper_bound": "x"}, "upper_bound: 'x' is not a number"),
        ({"roots": (1,)}, r"roots: \(1,\) is not two nodes, one of each graph"),
        ({"node_match": 3}, "node_match: 3 is neither a function nor a name"),
    ],
)
def test_arguments_of_another_kind_are_refused_in_a_sentence(
    options: dict[str, Any], complaint: str
) -> None:
    g = nx.path_graph(2)
    with pytest.raises(InputError, match=complaint):
        nx.graph_edit_distance(g, g, backend="exactmatch", **options)


@pytest.mark.parametrize(
    ("name", "arguments", "reason"),
    [
        ("graph_edit_distance", (nx.Graph(), nx.DiGraph()), "one graph is directed"),
        ("graph_edit_distance", (LOOP, nx.path_graph(2)), "substitutes self-loops"),
        ("graph_edit_distance", (nx.path_graph(2), LOOP), "substitutes self-loops"),
    ],
)
def test_what_networkx_answers_otherwise_is_left_to_it(
    name: str, arguments: tuple[Any, ...], reason: str
) -> None:
    assert reason in str(backend.can_run(name, arguments, {}))


def test_a_graph_may_be_used_again_and_changed() -> None:
    """Networkx would warn that its kept copy may be out of date."""
    g = nx.path_graph(4)
    assert nx.graph_edit_distance(g, g, backend="exactmatch") == 0
    h = g.copy()
    h.adj[0][1]["label"] = "new"  # what networkx does not notice
    match = {"edge_match": lambda a, b: a == b, "backend": "exactmatch"}
    assert nx.graph_edit_distance(g, h, **match) == 1
    del h.adj[0][1]["label"]
    assert nx.graph_edit_distance(g, h, **match) == 0


def test_an_order_of_networkx_own_is_left_to_it() -> None:
    g = nx.path_graph(2)
    options = {"strictly_decreasing": False}
    assert "an order" in str(backend.can_run("optimize_edit_paths", (g, g), options))
    assert backend.can_run("optimize_edit_paths", (g, g), {}) is True
