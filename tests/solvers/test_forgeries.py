"""The checker accepts nothing but proofs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.certificates import (
    BY_HAND,
    RING,
    SMALL,
    first_positive,
    nudged,
    with_round,
)
from support.examples import examples
from support.oracle import brute_force, value_of
from support.strategies import random_problem

from exactmatch.solvers.bnb import BranchAndBound
from exactmatch.solvers.certificate import (
    Certificate,
    CertificateError,
    ProofNode,
    Round,
)
from exactmatch.solvers.checker import check_certificate
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Limits, Solution, check_solution


@pytest.fixture(scope="module")
def solution() -> Solution:
    """A solution of RING; every kind of evidence occurs in its certificate."""
    solved = BranchAndBound(record_proof=1).solve(RING)
    nodes = solved.certificate.nodes
    assert solved.is_optimal
    assert any(node.branch is not None for node in nodes)
    assert any(r.dropped for node in nodes for r in node.rounds)
    return solved


def rejected(solution: Solution, certificate: Certificate, reason: str) -> None:
    with pytest.raises(CertificateError, match=reason):
        check_solution(RING, replace(solution, certificate=certificate))


def test_a_share_beyond_the_weight(solution: Solution) -> None:
    def change(r: Round) -> Round:
        return replace(r, shares=nudged(r.shares, 0, 3 * r.unit))

    forged = with_round(solution.certificate, -1, change)
    rejected(solution, forged, "more than the weight")


@pytest.mark.parametrize("by", [-1, 1])
def test_a_share_changed(by: int) -> None:
    """The first candidate's number, or else the second's, no longer covers."""
    change = BY_HAND.nodes[0].rounds[0]
    forged = with_round(
        BY_HAND, 0, lambda r: replace(r, shares=nudged(change.shares, 0, by))
    )
    with pytest.raises(CertificateError, match="do not cover a share"):
        check_certificate(SMALL, (0, 1), 4, forged)


def test_an_inner_number_lowered(solution: Solution) -> None:
    node, numbers = next(
        (n, node.rounds[-1].inner_left)
        for n, node in enumerate(solution.certificate.nodes)
        if node.rounds and any(node.rounds[-1].inner_left)
    )
    lower: Any = nudged(numbers, first_positive(numbers), -1)
    forged = with_round(
        solution.certificate, node, lambda r: replace(r, inner_left=lower)
    )
    rejected(solution, forged, f"node {node}: the inner numbers do not cover")


@pytest.mark.parametrize("number", [5, 4])
def test_inner_numbers_may_stand_on_either_side(number: int) -> None:
    """Candidate 0 has one partner, (1, 1): its five halves may be on either."""
    moved = with_round(
        BY_HAND,
        0,
        lambda r: replace(
            r, inner_left=(0, *r.inner_left[1:]), inner_right=(number, 0, 0, 0)
        ),
    )
    if number == 5:
        check_certificate(SMALL, (0, 1), 4, moved)
    else:
        with pytest.raises(CertificateError, match="do not cover a share"):
            check_certificate(SMALL, (0, 1), 4, moved)


@pytest.mark.parametrize("side", ["left", "right"])
def test_an_outer_number_lowered(solution: Solution, side: str) -> None:
    node, evidence = next(
        (n, r)
        for n, node in enumerate(solution.certificate.nodes)
        for r in node.rounds[-1:]
        if any(getattr(r, side))
    )
    numbers = getattr(evidence, side)
    lower: Any = nudged(numbers, first_positive(numbers), -1)
    forged = with_round(
        solution.certificate, node, lambda r: replace(r, **{side: lower})
    )
    rejected(solution, forged, "outer numbers do not cover")


def test_an_alignment_altered(solution: Solution) -> None:
    alignment = (solution.alignment[1], solution.alignment[0], *solution.alignment[2:])
    forged = replace(solution, alignment=alignment)
    with pytest.raises(CertificateError, match=r"worth \d+, not \d+"):
        check_solution(RING, forged)


@pytest.mark.parametrize(
    ("alignment", "reason"),
    [
        ((0, 0), "twice"),
        ((0,), "length 1, not 2"),
        ((0, 2), "does not exist"),
        ((0, -2), "does not exist"),
    ],
)
def test_what_is_no_alignment(alignment: tuple[int, ...], reason: str) -> None:
    with pytest.raises(CertificateError, match=reason):
        check_certificate(SMALL, alignment, 4, BY_HAND)


def test_a_value_raised(solution: Solution) -> None:
    forged = replace(solution, value=solution.value + 1)
    with pytest.raises(CertificateError, match="is worth"):
        check_solution(RING, forged)


def test_a_bound_lowered(solution: Solution) -> None:
    forged = replace(solution.certificate, bound=solution.bound - 1)
    with pytest.raises(CertificateError, match="is about the bound"):
        check_solution(RING, replace(solution, certificate=forged))
    rejected(replace(solution, bound=solution.bound - 1), forged, "below the value")


def test_a_bound_below_what_is_proved() -> None:
    """Three and a half is rounded down to three, not below."""
    with pytest.raises(CertificateError, match="does not prove the bound 3"):
        check_certificate(SMALL, (1, 0), 3, replace(BY_HAND, bound=3))


def test_a_bound_between_two_possible_values() -> None:
    """Two right nodes are worth 2 and 4: what is above 3 is 4, and nothing forbids it.

    One round proves 4; a bound of 3 would hold if the values were odd.
    """
    problem = AlignmentProblem.from_weights(1, 2, {(0, 0): 2, (0, 1): 4}, {})
    proof = (ProofNode((Round(1, (), (), (), (4,), (0, 0), ()),)),)
    for bound in (4, 5):
        check_certificate(problem, (1,), 4, Certificate(bound, proof))
        check_certificate(problem, (0,), 2, Certificate(bound, proof))
    for bound in (2, 3):
        with pytest.raises(CertificateError, match="does not prove the bound"):
            check_certificate(problem, (0,), 2, Certificate(bound, proof))


def test_values_are_multiples_of_the_weights_that_are_left() -> None:
    """Without the candidate of weight 3, nothing is worth 9 of 8 or more than 8."""
    unary = {(0, 0): 3, (0, 1): 4, (1, 2): 4}
    problem = AlignmentProblem.from_weights(2, 3, unary, {})
    assert brute_force(problem) == 8
    loose = [Round(1, (), (), (), (5, 4), (0, 0, 0), dropped) for dropped in ((0,), ())]
    check_certificate(problem, (1, 2), 8, Certificate(8, (ProofNode(tuple(loose)),)))
    for too_little in (loose[:1], loose[1:]):
        unfounded = Certificate(8, (ProofNode(tuple(too_little)),))
        with pytest.raises(CertificateError, match="does not prove the bound"):
            check_certificate(problem, (1, 2), 8, unfounded)


def test_a_leaf_removed(solution: Solution) -> None:
    forged = replace(solution.certificate, nodes=solution.certificate.nodes[:-1])
    rejected(solution, forged, "missing")


def test_a_node_too_many(solution: Solution) -> None:
    nodes = solution.certificate.nodes
    forged = replace(solution.certificate, nodes=(*nodes, nodes[-1]))
    rejected(solution, forged, "belongs to no branch")


def test_no_nodes_at_all(solution: Solution) -> None:
    rejected(solution, replace(solution.certificate, nodes=()), "missing")


def test_a_branch_that_does_not_cover(solution: Solution) -> None:
    """The root's branches cut off: it did not close the gap by itself."""
    root = solution.certificate.nodes[0]
    forged = replace(solution.certificate, nodes=(replace(root, branch=None),))
    rejected(solution, forged, "node 0 does not prove the bound")


def test_a_branch_on_another_candidate(solution: Solution) -> None:
    root = solution.certificate.nodes[0]
    assert root.branch is not None
    other = replace(root, branch=root.branch - 1 if root.branch else 1)
    nodes = (other, *solution.certificate.nodes[1:])
    rejected(solution, replace(solution.certificate, nodes=nodes), "node 1: ")


@pytest.mark.parametrize("branch", [-1, 36, 0.5, True])
def test_a_branch_on_no_candidate(solution: Solution, branch: Any) -> None:
    root = replace(solution.certificate.nodes[0], branch=branch)
    forged = replace(
        solution.certificate, nodes=(root, *solution.certificate.nodes[1:])
    )
    rejected(solution, forged, "no candidate")


@pytest.mark.parametrize(
    ("right", "dropped", "reason"),
    [
        ((0, 2), 0, "candidate 0 is dropped without proof"),  # 11 halves, no slack
        ((1, 1), 0, "candidate 0 is dropped without proof"),  # 11 - 1 halves are five
        ((0, 2), 1, "does not prove the bound"),  # 11 - 5 halves: that may be done
    ],
)
def test_a_candidate_dropped_without_proof(
    right: tuple[int, ...], dropped: int, reason: str
) -> None:
    weak = replace(BY_HAND.nodes[0].rounds[0], right=right, dropped=(dropped,))
    with pytest.raises(CertificateError, match=reason):
        check_certificate(SMALL, (0, 1), 4, Certificate(4, (ProofNode((weak,)),)))


@pytest.mark.parametrize("dropped", [(-1,), (4,), (1, 1), (0.0,)])
def test_a_candidate_that_is_not_there(dropped: tuple[Any, ...]) -> None:
    forged = with_round(BY_HAND, 0, lambda r: replace(r, dropped=dropped))
    with pytest.raises(CertificateError, match="no candidate"):
        check_certificate(SMALL, (0, 1), 4, forged)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"unit": 0}, "none or too many"),
        ({"unit": 2**60}, "none or too many"),
        ({"unit": 2.0}, "none or too many"),
        ({"shares": (5,)}, "shares has 1 numbers, not 2"),
        ({"shares": (-1, 0)}, "not a count"),
        ({"left": (7, 2, 0)}, "left has 3 numbers"),
        ({"left": (7.0, 2)}, "not a count"),
        ({"left": (2**60, 2)}, "adds up"),
        ({"right": (True, 0)}, "not a count"),
        ({"inner_left": (5, 0, 2)}, "inner_left has 3"),
        ({"inner_right": (2**59, 2**59, 0, 0)}, "inner_right adds up"),
    ],
    ids=str,
)
def test_numbers_that_make_no_sense(change: dict[str, Any], reason: str) -> None:
    forged = with_round(BY_HAND, 0, lambda r: replace(r, **change))
    with pytest.raises(CertificateError, match=reason):
        check_certificate(SMALL, (0, 1), 4, forged)


def test_no_certificate() -> None:
    solution = BranchAndBound().solve(SMALL)
    with pytest.raises(CertificateError, match="no certificate"):
        check_solution(SMALL, solution)


@pytest.mark.parametrize(
    "data", [{}, [], None, {"bound": 4, "nodes": [{}]}, {"bound": 4, "nodes": [3]}]
)
def test_what_is_not_a_certificate(data: dict[Any, Any] | list[Any] | None) -> None:
    with pytest.raises(CertificateError, match="not a certificate"):
        Certificate.from_dict(data)


@settings(max_examples=examples(200), deadline=None)
@given(seed=st.integers(0, 10**9), data=st.data())
def test_no_forgery_proves_what_is_false(seed: int, data: Any) -> None:
    """Numbers of an honest proof are changed until it claims too much."""
    problem = random_problem(seed, 4, 4, density=1.3)
    solution = BranchAndBound(record_proof=1).solve(problem)
    if not solution.bound:
        return
    certificate = replace(solution.certificate, bound=solution.bound - 1)
    for _ in range(data.draw(st.integers(0, 4))):
        certificate = data.draw(forgeries(certificate))
    with pytest.raises(CertificateError):
        check_certificate(problem, (-1,) * problem.n_left, 0, certificate)


@st.composite
def forgeries(draw: st.DrawFn, certificate: Certificate) -> Certificate:
    """A certificate with one thing changed."""
    node = draw(st.integers(0, len(certificate.nodes) - 1))
    changed = certificate.nodes[node]
    nodes = list(certificate.nodes)
    what = draw(st.sampled_from(["number", "drop", "cut", "swap"]))
    if what == "cut":
        nodes[node] = replace(changed, branch=None)
        del nodes[node + 1 : node + draw(st.integers(1, 3))]
    elif what == "swap":
        nodes[node], nodes[-1] = nodes[-1], nodes[node]
    elif changed.rounds and what == "drop":
        more = draw(st.integers(0, 8))
        return with_round(
            certificate, node, lambda r: replace(r, dropped=(*r.dropped, more))
        )
    elif changed.rounds:
        name = draw(
            st.sampled_from(["shares", "inner_left", "inner_right", "left", "right"])
        )
        numbers = getattr(changed.rounds[-1], name)
        if numbers:
            position = draw(st.integers(0, len(numbers) - 1))
            by = draw(st.integers(-(2**17), 2**17))
            value: Any = nudged(numbers, position, by)
            return with_round(certificate, node, lambda r: replace(r, **{name: value}))
    return replace(certificate, nodes=tuple(nodes))


def test_a_certificate_of_a_known_value_proves_that_value() -> None:
    proposal = BranchAndBound(record_proof=1).search(
        SMALL, Progress(SMALL, Limits()), above=6
    )
    assert proposal.certificate.bound == 6
    check_certificate(
        SMALL,
        proposal.alignment,
        value_of(SMALL, proposal.alignment),
        proposal.certificate,
    )
