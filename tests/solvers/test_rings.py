"""Cuts of rings: no alignment is cut off, and what they prove is true."""

from __future__ import annotations

import random
from typing import Any

import networkx as nx
import numpy as np
import pytest
from support.oracle import all_alignments

import exactmatch
from exactmatch.edit.options import GedOptions
from exactmatch.edit.problem import edit_problem
from exactmatch.solvers import get_solver
from exactmatch.solvers.linear import rings
from exactmatch.solvers.linear.rings import Joints, has_rings, searched
from exactmatch.solvers.problem import AlignmentProblem


def a_graph(rng: random.Random, most: int) -> Any:
    graph = nx.gnp_random_graph(rng.randint(3, most), 0.5, rng.getrandbits(30))
    for node in graph:
        graph.nodes[node]["atom"] = rng.choice("CN")
    for ends in graph.edges:
        graph.edges[ends]["weight"] = rng.choice((1, 1.5, 2))
    return graph


def a_problem(seed: int, most: int = 5) -> AlignmentProblem:
    rng = random.Random(seed)
    sides = a_graph(rng, most), a_graph(rng, most)
    return edit_problem(GedOptions(*sides, costs="mces")).problem


@pytest.mark.parametrize("seed", range(15))
def test_a_cycle_has_an_image_where_some_alignment_matches_all_of_it(seed: int) -> None:
    problem = a_problem(seed)
    alignments = [*all_alignments(problem)]
    for side in (0, 1):
        joints = Joints(problem, side)
        matched = set()
        for images in alignments:
            earned = problem.indicators(images)[problem.n_candidates :]
            matched.add(frozenset(joints.edge[earned].tolist()))
        graph = nx.Graph(joints.ends)
        for cycle in nx.simple_cycles(graph):
            nodes = rings._in_order([*cycle])
            edges = joints.edges_of(nodes)
            assert edges is not None
            is_matched = any(edges_of >= {*edges} for edges_of in matched)
            assert joints.has_image(nodes) == is_matched


def test_shortest_cycles_are_those_of_networkx() -> None:
    problem = a_problem(3, 8)
    joints = Joints(problem, 0)
    lengths = np.random.default_rng(0).random(len(joints.ends))
    cycles = joints.short_cycles(lengths, max_length=99.0)
    graph = nx.Graph()
    for (i, k), length in zip(joints.ends, lengths.tolist(), strict=True):
        graph.add_edge(i, k, weight=length)
    for i, k in joints.ends:
        rest = graph.copy()
        rest.remove_edge(i, k)
        if nx.has_path(rest, i, k):
            path = nx.shortest_path(rest, i, k, weight="weight")
            assert rings._in_order(path) in cycles
    short = joints.short_cycles(lengths, max_length=1.0)
    for cycle in cycles:
        edges = joints.edges_of(cycle)
        assert edges is not None
        assert (lengths[edges].sum() < 1) == (cycle in short)


@pytest.mark.parametrize("seed", range(12))
def test_what_is_searched_is_the_optimum_for_any_goal(seed: int) -> None:
    problem = a_problem(seed, 6)
    best = get_solver("brute").solve(problem).value
    step = problem.lattice()
    for goal in (0, best - step, best, best + step):
        if goal < 0:
            continue
        bound, alignment = searched(None, None, problem, goal)
        assert bound is not None
        assert bound >= best if goal < best else bound == goal
        if alignment is not None:
            assert goal < problem.value(alignment) <= bound


@pytest.mark.parametrize("seed", range(8))
def test_a_search_with_rings_finds_what_one_without_finds(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("RING_NODES", "RING_TREE"):
        monkeypatch.setattr(f"exactmatch.solvers.auto.{name}", 1)
    problem = a_problem(100 + seed, 9)
    found = get_solver("auto:rings=1").solve(problem)
    assert found.is_optimal
    assert found.value == get_solver("bnb").solve(problem).value


def test_a_ring_that_cannot_be_matched_is_cut() -> None:
    ring, chain = nx.cycle_graph(12), nx.path_graph(14)
    for graph in (ring, chain):
        nx.set_node_attributes(graph, "C", "atom")
        nx.set_edge_attributes(graph, 1, "weight")
    problem = edit_problem(GedOptions(ring, chain, costs="mces")).problem
    assert has_rings(problem)
    cuts: list[rings.RingCut] = []
    relaxed = rings._Relaxed(problem, cuts, None)
    assert [cut.side for cut in cuts] == [0]
    assert relaxed.value == pytest.approx(22)
    plain = exactmatch.ged(ring, chain, costs="mces")
    assert (plain.distance, plain.proven) == (3, True)
    same = edit_problem(GedOptions(ring, ring, costs="mces")).problem
    assert not has_rings(same)


def test_a_ring_is_never_claimed_where_walks_are_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rings, "STEPS", 0)
    ring, chain = nx.cycle_graph(6), nx.path_graph(7)
    for graph in (ring, chain):
        nx.set_node_attributes(graph, "C", "atom")
        nx.set_edge_attributes(graph, 1, "weight")
    assert not has_rings(edit_problem(GedOptions(ring, chain, costs="mces")).problem)


def test_certificates_are_made_without_rings() -> None:
    rng = random.Random(1)
    sides = a_graph(rng, 9), a_graph(rng, 9)
    found = exactmatch.ged(*sides, costs="mces", certify=True)
    assert found.certificate is not None
