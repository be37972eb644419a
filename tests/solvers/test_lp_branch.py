"""The search from the relaxation: optimal, certified, honest when cut short."""

from __future__ import annotations

import itertools
import time

import numpy as np
import pytest
from hypothesis import given, settings
from oracle import brute_force, value_of
from strategies import problems, random_problem

from exactmatch.solvers import get_solver
from exactmatch.solvers.certificate import check_certificate
from exactmatch.solvers.cpsat import CpSat
from exactmatch.solvers.lp_branch import Incumbent, Outcome, Search, restricted
from exactmatch.solvers.problem import AlignmentProblem

BY_KERNEL = {"tree_nodes": 0}
BY_TREE = {"window_nodes": 0, "tree_nodes": 1000}
BY_CPSAT = {"window_nodes": 0, "tree_nodes": 0, "finish": CpSat()}
every_means = pytest.mark.parametrize(
    "means", [BY_KERNEL, BY_TREE, BY_CPSAT], ids=["kernel", "tree", "cpsat"]
)


def hard_problem(seed: int, scale: int = 1) -> AlignmentProblem:
    """Few labels and many equal edges: the relaxation alone does not do."""
    heaviest = max(2, scale)
    return random_problem(seed, 8, 8, 2.0, max_weight=heaviest, scale=scale)


def run(problem: AlignmentProblem, **options) -> tuple[Incumbent, Outcome]:
    incumbent = Incumbent((-1,) * problem.n_left, 0)
    outcome = Search(**options).run(problem, incumbent)
    assert outcome is not None
    assert value_of(problem, incumbent.alignment) == incumbent.value
    return incumbent, outcome


@every_means
@settings(max_examples=60, deadline=None)
@given(problem=problems(max_nodes=4))
def test_it_proves_the_optimum(means, problem):
    incumbent, outcome = run(problem, **means)
    assert outcome.bound == incumbent.value == brute_force(problem)


@every_means
@settings(max_examples=40, deadline=None)
@given(problem=problems(max_nodes=4, max_weight=1000, scale=100))
def test_it_proves_the_optimum_of_scaled_weights(means, problem):
    """Windows of one unit of score then hold many different values."""
    incumbent, outcome = run(problem, **means)
    assert outcome.bound == incumbent.value == brute_force(problem)


@every_means
@pytest.mark.parametrize("scale", [1, 50])
def test_it_searches_on_where_one_relaxation_is_not_enough(means, scale):
    proofs = set()
    for seed in range(8):
        problem = hard_problem(seed, scale)
        incumbent, outcome = run(problem, **means)
        assert outcome.bound == incumbent.value
        assert incumbent.value == get_solver("cpsat").solve(problem).value
        proofs.add(outcome.proof)
    assert proofs - {"lp"} == {"milp" if "finish" in means else "branch"}


@pytest.mark.parametrize("means", [BY_KERNEL, BY_TREE], ids=["kernel", "tree"])
@settings(max_examples=60, deadline=None)
@given(problem=problems(max_nodes=4, max_weight=6, scale=2))
def test_its_certificate_is_accepted(means, problem):
    incumbent, outcome = run(problem, certify=True, **means)
    assert outcome.certificate is not None
    assert outcome.certificate.bound == outcome.bound
    check_certificate(
        problem, incumbent.alignment, incumbent.value, outcome.certificate
    )


@pytest.mark.parametrize("means", [BY_KERNEL, BY_TREE], ids=["kernel", "tree"])
@pytest.mark.parametrize("scale", [1, 50])
def test_the_certificate_of_a_whole_tree_is_accepted(means, scale):
    sizes = []
    for seed in range(8):
        problem = hard_problem(seed, scale)
        incumbent, outcome = run(problem, certify=True, **means)
        assert outcome.certificate is not None
        check_certificate(
            problem, incumbent.alignment, incumbent.value, outcome.certificate
        )
        sizes.append(len(outcome.certificate.nodes))
    assert max(sizes) > 1


def test_what_another_solver_says_has_no_certificate():
    for seed in range(8):
        _, outcome = run(hard_problem(seed), certify=True, **BY_CPSAT)
        assert (outcome.certificate is None) == (outcome.proof == "milp")


def test_a_good_start_is_kept_and_still_proved():
    problem = hard_problem(1)
    best = get_solver("cpsat").solve(problem)
    incumbent = Incumbent(best.alignment, best.value)
    outcome = Search().run(problem, incumbent)
    assert outcome is not None
    assert outcome.bound == incumbent.value == best.value


@pytest.mark.parametrize("scale", [1, 50])
def test_cut_short_it_says_what_it_proved(scale):
    """The bound must cover the branches that were never entered."""
    cut = 0
    for seed, nodes in itertools.product(range(6), (0, 1, 2, 3, 5, 8)):
        problem = hard_problem(seed, scale)
        optimum = get_solver("cpsat").solve(problem).value
        for means in (
            {"window_nodes": 0, "tree_nodes": nodes},
            {"window_nodes": nodes, "tree_nodes": 0},
        ):
            incumbent, outcome = run(problem, certify=True, **means)
            assert incumbent.value <= optimum <= outcome.bound
            cut += incumbent.value < outcome.bound
            if outcome.certificate is not None:
                check_certificate(
                    problem, incumbent.alignment, incumbent.value, outcome.certificate
                )
    assert cut


def test_after_the_deadline_there_is_nothing_to_report():
    problem = hard_problem(0)
    incumbent = Incumbent((-1,) * problem.n_left, 0)
    assert Search(deadline=time.perf_counter()).run(problem, incumbent) is None


@settings(max_examples=100, deadline=None)
@given(problem=problems(max_nodes=4))
def test_a_restriction_is_the_problem_without_some_candidates(problem):
    keep = np.arange(problem.n_candidates) % 3 != 1
    part = restricted(problem, keep)
    checked = AlignmentProblem(  # the constructor checks what "trusted" did not
        part.n_left,
        part.n_right,
        part.left,
        part.right,
        part.unary,
        part.first,
        part.second,
        part.weight,
        part.scale,
        part.start,
    )
    pairs = list(zip(problem.left.tolist(), problem.right.tolist(), strict=True))
    kept = {pair for pair, flag in zip(pairs, keep.tolist(), strict=True) if flag}
    assert set(zip(part.left.tolist(), part.right.tolist(), strict=True)) == kept
    unary = {
        pair: weight
        for pair, weight in zip(pairs, problem.unary.tolist(), strict=True)
        if pair in kept
    }
    pairwise = {
        (pairs[c], pairs[d]): weight
        for c, d, weight in zip(
            problem.first.tolist(),
            problem.second.tolist(),
            problem.weight.tolist(),
            strict=True,
        )
        if pairs[c] in kept and pairs[d] in kept
    }
    wanted = AlignmentProblem.from_weights(
        problem.n_left, problem.n_right, unary, pairwise
    )
    assert brute_force(checked) == brute_force(wanted)
