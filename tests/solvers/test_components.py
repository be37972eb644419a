"""Components of a problem: what falls apart is solved apart."""

from dataclasses import replace
from typing import Any

import networkx
import numpy as np
import pytest
from hypothesis import given
from support.oracle import brute_force
from support.strategies import problems, random_problem, side_by_side

from exactmatch.solvers import auto
from exactmatch.solvers.auto import Auto
from exactmatch.solvers.bnb import BranchAndBound
from exactmatch.solvers.certificate import (
    Certificate,
    CertificateError,
    ComponentProof,
)
from exactmatch.solvers.checker import check_certificate
from exactmatch.solvers.components import apart, components
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Limits, Proposal, Solution, check_solution


@given(problem=problems(max_nodes=4))
def test_components_are_those_of_the_graph(problem: AlignmentProblem) -> None:
    """Two candidates are neighbours by a node or by a pair term."""
    graph = networkx.Graph()
    for c, (i, j) in enumerate(zip(problem.left, problem.right, strict=True)):
        graph.add_edges_from([(c, ("left", int(i))), (c, ("right", int(j)))])
    graph.add_edges_from(
        zip(problem.first.tolist(), problem.second.tolist(), strict=True)
    )
    number = components(problem)
    expected = {
        frozenset(c for c in found if isinstance(c, int))
        for found in networkx.connected_components(graph)
    }
    assert {frozenset(np.flatnonzero(number == k)) for k in set(number)} == expected


def test_a_long_chain_is_one_component() -> None:
    terms = {((i, i), (i + 1, i + 1)): 1 for i in range(3000)}
    problem = AlignmentProblem.from_weights(3001, 3001, {}, terms)
    assert not components(problem).any()


@given(problem=problems(max_nodes=4))
def test_components_are_problems_of_their_own(problem: AlignmentProblem) -> None:
    """Their optima add up, and alignments go back and forth."""
    found = list(apart(problem, components(problem)))
    for component in found:
        part = component.problem
        AlignmentProblem(  # the constructor checks what "trusted" did not
            part.n_left,
            part.n_right,
            *(part.left, part.right, part.unary),
            *(part.first, part.second, part.weight),
            part.scale,
            part.start,
        )
    whole: tuple[int, ...] = (-1,) * problem.n_left
    for component in found:
        best = BranchAndBound().solve(component.problem).alignment
        whole = component.within(whole, best)
        assert component.of(whole) == best
    assert problem.value(whole) == brute_force(problem)
    chosen = [c for component in found for c in component.candidates.tolist()]
    assert sorted(chosen) == list(range(problem.n_candidates))


@pytest.mark.parametrize("seed", range(4))
def test_what_falls_apart_is_solved_solve_components(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    solved = []
    of_component = Progress.of_component

    def counted(progress: Progress, component: Any) -> Progress:
        solved.append(component.problem.n_candidates)
        return of_component(progress, component)

    parts = [random_problem(10 * seed + k, 9, 9, density=1.4) for k in range(3)]
    problem = side_by_side(*parts)
    monkeypatch.setattr(Progress, "of_component", counted)
    solution = Auto(nodes=1).solve(problem)
    assert solution.is_optimal
    assert {part.n_candidates for part in parts} <= set(solved)
    assert solution.value == sum(BranchAndBound().solve(part).value for part in parts)


@pytest.mark.parametrize("seed", range(4))
def test_out_of_time_the_parts_are_bounded(seed: int) -> None:
    parts = [random_problem(10 * seed + k, 5, 4, density=1.4) for k in range(3)]
    optimum = sum(brute_force(part) for part in parts)
    solution = Auto(nodes=1).solve(side_by_side(*parts), Limits(seconds=0.0))
    assert solution.value <= optimum <= solution.bound


def test_the_least_bound_of_a_part_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where what is answered at last is worse than what was proved on the way."""
    parts = [random_problem(k, 9, 9, density=1.4) for k in range(3)]
    optimum = sum(BranchAndBound().solve(part).value for part in parts)
    search = BranchAndBound.search

    def forgetful(
        self: Any, problem: AlignmentProblem, progress: Any, **known: Any
    ) -> Any:
        found = search(self, problem, progress, **known)
        if problem.n_candidates > max(part.n_candidates for part in parts):
            return found._replace(bound=problem.row_bound())
        full = search(BranchAndBound(), problem, Progress(problem, Limits()))
        progress.prove(full.bound, "branch")
        return found._replace(bound=problem.row_bound())

    monkeypatch.setattr(BranchAndBound, "search", forgetful)
    solution = Auto(nodes=1).solve(side_by_side(*parts), Limits(seconds=0.0))
    assert solution.bound == optimum


@pytest.mark.slow
def test_a_bound_of_the_whole_counts_where_its_parts_prove_less() -> None:
    """As in a shifted problem, which nobody asks what was proved on the way."""
    parts = [random_problem(k, 9, 9, density=4) for k in range(3)]
    problem = side_by_side(*parts)
    optimum = sum(BranchAndBound().solve(part).value for part in parts)
    number, known = components(problem), Proposal((-1,) * problem.n_left, optimum)
    in_no_time = Progress(problem, Limits(seconds=0.0))
    assert Auto()._solve_components(problem, in_no_time, known, number).bound == optimum
    for bound in (None, optimum + 10**6):  # nothing that helps
        known = known._replace(bound=bound)
        found = Auto()._solve_components(problem, in_no_time, known, number).bound
        assert found is not None
        assert optimum < found < optimum + 10**6


@pytest.fixture(scope="module")
def certified() -> tuple[AlignmentProblem, Solution]:
    """A problem of three parts, and its certificate by parts."""
    problem = side_by_side(*(random_problem(k, 6, 6, density=1.4) for k in range(3)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(auto, "CERTIFY_WHOLE", 0)
        solution = Auto(record_proof=1).solve(problem)
    return problem, solution


def test_what_falls_apart_is_certified_solve_components(
    certified: tuple[AlignmentProblem, Solution],
) -> None:
    problem, solution = certified
    assert solution.is_optimal
    assert solution.certificate is not None
    assert len(solution.certificate.parts) >= 3
    check_solution(problem, solution)
    again = Certificate.from_dict(solution.certificate.to_dict())
    assert again == solution.certificate
    whole = Auto(record_proof=1).solve(problem)
    assert whole.certificate is not None
    assert not whole.certificate.parts
    assert "parts" not in whole.certificate.to_dict()


@pytest.mark.parametrize("seed", range(4))
def test_out_of_time_the_parts_are_certified(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auto, "CERTIFY_WHOLE", 0)
    parts = [random_problem(10 * seed + k, 5, 4, density=1.4) for k in range(3)]
    problem = side_by_side(*parts)
    solution = Auto(record_proof=1).solve(problem, Limits(seconds=0.0))
    assert solution.value <= sum(map(brute_force, parts)) <= solution.bound
    if solution.certificate is not None:
        check_solution(problem, solution)


def forged(
    certified: tuple[AlignmentProblem, Solution], reason: str, certificate: Any
) -> None:
    problem, solution = certified
    with pytest.raises(CertificateError, match=reason):
        check_certificate(problem, solution.alignment, solution.value, certificate)


def test_parts_that_prove_nothing(
    certified: tuple[AlignmentProblem, Solution],
) -> None:
    _, solution = certified
    good = solution.certificate
    assert good is not None
    first, second, *rest = good.parts
    least = replace(first.certificate, bound=first.certificate.bound - 1)
    c, *others = first.candidates
    for reason, parts in {
        "is in no part": (second, *rest),
        "cannot hold candidate": (first, first, second, *rest),
        "part 0 cannot hold candidate -1": (
            replace(first, candidates=(-1, *others)),
            second,
            *rest,
        ),
        "cannot hold candidate 10000": (
            replace(first, candidates=(*first.candidates, 10_000)),
            second,
            *rest,
        ),
        "part 0: node": (ComponentProof(first.candidates, least), second, *rest),
        "parts of its own": (
            replace(first, certificate=replace(first.certificate, parts=(second,))),
            second,
            *rest,
        ),
        "do not prove the bound": (
            replace(first, certificate=replace(first.certificate, bound=10**6)),
            second,
            *rest,
        ),
        "share a node": (
            replace(first, candidates=tuple(others)),
            replace(second, candidates=(c, *second.candidates)),
            *rest,
        ),
    }.items():
        forged(certified, reason, replace(good, parts=parts))
    both = replace(good, nodes=first.certificate.nodes)
    forged(certified, "both nodes and parts", both)


def test_parts_that_a_pair_term_joins() -> None:
    """Each candidate is worth nothing by itself, and both together one."""
    problem = AlignmentProblem.from_weights(2, 2, {}, {((0, 0), (1, 1)): 1})
    alone = AlignmentProblem.from_weights(1, 1, {(0, 0): 0}, {})
    proof = BranchAndBound(record_proof=1).solve(alone).certificate
    assert proof is not None
    certificate = Certificate(
        0, (), (ComponentProof((0,), proof), ComponentProof((1,), proof))
    )
    with pytest.raises(CertificateError, match="joins two parts"):
        check_certificate(problem, (-1, -1), 0, certificate)
