"""Nodes that are alike: who they are, that one for all is enough, and the evidence."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.oracle import brute_force, value_of
from support.strategies import symmetric_problem

from exactmatch.base import compiled as kernels
from exactmatch.solvers.auto import Auto
from exactmatch.solvers.bnb import KERNEL, BranchAndBound
from exactmatch.solvers.certificate import (
    Certificate,
    CertificateError,
    Symmetry,
)
from exactmatch.solvers.checker import check_certificate
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.solution import Limits, check_solution

LOAD: dict[str, Any] = {
    "compiled": kernels.load,
    "interpreted": kernels.load_interpreted,
}


def weights(problem: AlignmentProblem) -> tuple[dict[Any, int], dict[Any, int]]:
    pairs = list(zip(problem.left.tolist(), problem.right.tolist(), strict=True))
    terms = zip(problem.first.tolist(), problem.second.tolist(), strict=True)
    return (
        dict(zip(pairs, problem.unary.tolist(), strict=True)),
        {
            frozenset((pairs[c], pairs[d])): weight
            for (c, d), weight in zip(terms, problem.weight.tolist(), strict=True)
        },
    )


def leaders(problem: AlignmentProblem, side: int) -> list[int]:
    """The first node that each is like, by exchanging them everywhere."""
    unary, pairwise = weights(problem)
    count = problem.n_right if side else problem.n_left
    named = {pair[side] for pair in unary}
    found = []
    for b in range(count):
        found.append(b)
        for a in range(b):
            if not {a, b} <= named:
                continue

            def moved(pair: Any, a: int = a, b: int = b) -> Any:
                ends = list(pair)
                ends[side] = {a: b, b: a}.get(ends[side], ends[side])
                return tuple(ends)

            if {moved(p): w for p, w in unary.items()} == unary and {
                frozenset(map(moved, term)): w for term, w in pairwise.items()
            } == pairwise:
                found[b] = a
                break
    return found


@pytest.mark.parametrize("kind", list(LOAD))
@settings(max_examples=examples(150), deadline=None)
@given(seed=st.integers(0, 10**9), costs=st.booleans())
def test_alike_are_nodes_whose_exchange_changes_nothing(
    kind: str, seed: int, costs: bool
) -> None:
    problem = symmetric_problem(seed, 6, costs)
    found = LOAD[kind](KERNEL).classes_of(problem)
    wanted = [leaders(problem, side) for side in (0, 1)]
    counts = range(problem.n_left), range(problem.n_right)
    if all(list(count) == each for count, each in zip(counts, wanted, strict=True)):
        assert found is None
    else:
        assert [*found] == wanted


@pytest.mark.slow
@settings(max_examples=examples(150), deadline=None)
@given(seed=st.integers(0, 10**9), costs=st.booleans())
def test_the_optimum_is_the_same(seed: int, costs: bool) -> None:
    problem = symmetric_problem(seed, 5, costs)
    wanted = brute_force(problem)
    for symmetry in (0, 1, 2):
        found = BranchAndBound(symmetry=symmetry).solve(problem)
        assert found.value == found.bound == wanted
        assert value_of(problem, found.alignment) == wanted
    proven = BranchAndBound(record_proof=1, symmetry=2).solve(problem)
    check_solution(problem, proven)
    assert proven.bound == wanted


def branched(seed: int, most: int = 9) -> AlignmentProblem:
    """The next problem whose tree relies on nodes that are alike."""
    for number in itertools.count(1000 * seed):
        problem = symmetric_problem(number, most)
        solution = BranchAndBound(record_proof=1, symmetry=2).solve(problem)
        certificate = solution.certificate
        assert certificate is not None
        if certificate.symmetry is None or len(certificate.nodes) < 3:
            continue
        try:
            plain = replace(certificate, symmetry=None)
            check_certificate(problem, solution.alignment, solution.value, plain)
        except CertificateError:
            return problem
    raise AssertionError


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_the_interpreted_kernel_finds_the_same(seed: int) -> None:
    problem = branched(seed, 7)
    found = []
    for load in LOAD.values():
        solver = BranchAndBound(record_proof=1, symmetry=2)
        solver._load = load
        found.append(solver.solve(problem).certificate)
    assert found[0] == found[1]


@pytest.mark.slow
def test_one_for_all_makes_trees_smaller() -> None:
    sizes = [0, 0]
    for seed in range(6):
        problem = branched(seed)
        for symmetry in (0, 2):
            found = BranchAndBound(record_proof=1, symmetry=symmetry).solve(problem)
            assert found.is_optimal
            assert symmetry or found.certificate.symmetry is None
            sizes[symmetry // 2] += len(found.certificate.nodes)
    assert 2 * sizes[1] < sizes[0]


@pytest.mark.parametrize("seed", range(6))
def test_a_certificate_with_symmetry_comes_back_from_json(seed: int) -> None:
    certificate = (
        BranchAndBound(record_proof=1, symmetry=2).solve(branched(seed)).certificate
    )
    text = json.dumps(certificate.to_dict())
    assert Certificate.from_dict(json.loads(text)) == certificate


def test_what_is_alike_is_not_believed() -> None:
    problem = branched(0)
    solution = BranchAndBound(record_proof=1, symmetry=2).solve(problem)
    certificate = solution.certificate
    everyone = tuple(range(problem.n_left)), tuple(range(problem.n_right))
    unlike = leaders(problem, 0).count(0) < problem.n_left
    assert unlike or leaders(problem, 1).count(0) < problem.n_right
    for symmetry, reason in (
        (Symmetry((everyone[0],), (everyone[1],)), "are not alike"),
        (Symmetry(((0,),), ()), "not a class of its own"),
        (Symmetry(certificate.symmetry.left * 2, certificate.symmetry.right * 2), "no"),
        (Symmetry(((1, 0),), ()), "cannot hold 0"),
        (Symmetry(((0, problem.n_left),), ()), f"cannot hold {problem.n_left}"),
        (Symmetry((), ((-1, 0),)), "cannot hold -1"),
    ):
        forged = replace(solution, certificate=replace(certificate, symmetry=symmetry))
        with pytest.raises(CertificateError, match=reason):
            check_solution(problem, forged)
    strange: list[Any] = [None, {}, {"left": []}, {"left": 3, "right": []}]
    for bad in strange:
        with pytest.raises(CertificateError, match="not a certificate"):
            Certificate.from_dict({**certificate.to_dict(), "symmetry": bad})


@settings(max_examples=examples(200), deadline=None)
@given(seed=st.integers(0, 10**9), data=st.data())
def test_no_forged_symmetry_proves_what_is_false(seed: int, data: Any) -> None:
    """Nodes are called alike at will, and branches are moved: the bound stays true."""
    problem = symmetric_problem(seed, 5)
    solution = BranchAndBound(record_proof=1, symmetry=2).solve(problem)
    if not solution.bound:
        return
    certificate = replace(solution.certificate, bound=solution.bound - 1)
    sides = []
    for count in (problem.n_left, problem.n_right):
        members = st.sets(st.integers(0, count - 1), min_size=1)
        classes = data.draw(st.lists(members, max_size=2))
        sides.append(tuple(tuple(sorted(each)) for each in classes))
    if data.draw(st.booleans()):
        certificate = replace(certificate, symmetry=Symmetry(*sides))
    nodes = list(certificate.nodes)
    for _ in range(data.draw(st.integers(0, 3))):
        node = data.draw(st.integers(0, len(nodes) - 1))
        branch = data.draw(st.integers(0, problem.n_candidates))
        nodes[node] = replace(nodes[node], branch=branch)
        nodes[node + 1 : node + 1] = [nodes[node - 1], nodes[-1]]
    with pytest.raises(CertificateError):
        check_certificate(
            problem,
            (-1,) * problem.n_left,
            0,
            replace(certificate, nodes=tuple(nodes)),
        )


def complete(n: int) -> set[tuple[int, int]]:
    return set(itertools.combinations(range(n), 2))


@pytest.mark.slow
@pytest.mark.parametrize("record", [False, True])
def test_symmetric_problems_stay_with_bnb(record: bool) -> None:
    """Two cliques on one node against a clique without some edges: hours without."""
    ones = complete(12) | {(0, k) for k in range(12, 19)}
    ones |= set(itertools.combinations(range(12, 19), 2))
    arcs = complete(16) - complete(5) - set(itertools.combinations(range(8, 12), 2))
    pairwise = {
        ((u, x), (v, y)): 2
        for u, v in ones
        for a, b in arcs
        for x, y in ((a, b), (b, a))
    }
    unary = {(i, j): 2 for i in range(19) for j in range(16)}
    problem = AlignmentProblem.from_weights(19, 16, unary, pairwise)
    solution = Auto().solve(problem, Limits(record_proof=record))
    assert solution.is_optimal
    assert solution.proof == "branch"
    if record:
        check_solution(problem, solution)
        assert solution.certificate.symmetry is not None
