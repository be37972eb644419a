"""The search from the relaxation: optimal, certified, honest when cut short."""

from __future__ import annotations

import functools
import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from support.examples import examples
from support.oracle import brute_force, value_of
from support.strategies import problems, random_problem

from exactmatch.solvers import get_solver
from exactmatch.solvers.base import Solver
from exactmatch.solvers.bnb import BranchAndBound
from exactmatch.solvers.checker import check_certificate
from exactmatch.solvers.cpsat import CpSat
from exactmatch.solvers.linear.branch import TreeSearch
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Limits, Proposal

BY_KERNEL = {"tree_nodes": 0}
BY_TREE = {"window_nodes": 0, "tree_nodes": 1000}
BY_CPSAT = {"window_nodes": 0, "tree_nodes": 0, "finish": CpSat()}
every_means = pytest.mark.parametrize(
    "means", [BY_KERNEL, BY_TREE, BY_CPSAT], ids=["kernel", "tree", "cpsat"]
)


HARD_SEEDS = {1: (30, 42), 50: (1, 3, 7, 8)}
"""Seeds whose problems one relaxation does not solve, by scale."""

each_hard_problem = pytest.mark.parametrize(
    ("seed", "scale"),
    [(s, scale) for scale, seeds in HARD_SEEDS.items() for s in seeds],
)


def hard_problem(seed: int, scale: int = 1) -> AlignmentProblem:
    """Few labels and many equal edges: the relaxation chooses halves."""
    if scale == 1:
        return random_problem(seed, 6, 6, 1.6, max_weight=2)
    return random_problem(seed, 6, 6, 1.4, max_weight=scale, scale=scale)


@functools.cache
def optimum_of(seed: int, scale: int) -> int:
    solution = get_solver("cpsat").solve(hard_problem(seed, scale))
    assert solution.is_optimal
    return solution.value


def run(problem: AlignmentProblem, **options: Any) -> tuple[Progress, Proposal]:
    """Search without a limit; what was found, and what was proved."""
    progress = Progress(problem, Limits())
    outcome = TreeSearch(progress, **options).run(problem)
    assert outcome is not None
    assert value_of(problem, progress.alignment) == progress.value
    return progress, outcome


@settings(max_examples=examples(100), deadline=None)
@given(problem=problems(max_nodes=4))
def test_a_restriction_is_the_problem_without_some_candidates(
    problem: AlignmentProblem,
) -> None:
    keep = np.arange(problem.n_candidates) % 3 != 1
    part = problem.restricted(keep)
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


@every_means
@settings(max_examples=examples(60), deadline=None)
@given(problem=problems(max_nodes=4))
def test_it_proves_the_optimum(
    means: dict[str, Any], problem: AlignmentProblem
) -> None:
    found, outcome = run(problem, **means)
    assert outcome.bound == found.value == brute_force(problem)


@every_means
@settings(max_examples=examples(40), deadline=None)
@given(problem=problems(max_nodes=4, max_weight=1000, scale=100))
def test_it_proves_the_optimum_of_scaled_weights(
    means: dict[str, Any], problem: AlignmentProblem
) -> None:
    """Windows of one unit of score then hold many different values."""
    found, outcome = run(problem, **means)
    assert outcome.bound == found.value == brute_force(problem)


@every_means
@each_hard_problem
def test_it_searches_on_where_one_relaxation_is_not_enough(
    means: dict[str, Any], seed: int, scale: int
) -> None:
    found, outcome = run(hard_problem(seed, scale), **means)
    assert outcome.bound == found.value == optimum_of(seed, scale)
    assert outcome.proof == ("milp" if "finish" in means else "branch")


@pytest.mark.parametrize("means", [BY_KERNEL, BY_TREE], ids=["kernel", "tree"])
@settings(max_examples=examples(60), deadline=None)
@given(problem=problems(max_nodes=4, max_weight=6, scale=2))
def test_its_certificate_is_accepted(
    means: dict[str, int], problem: AlignmentProblem
) -> None:
    found, outcome = run(problem, record_proof=True, **means)
    assert outcome.certificate is not None
    assert outcome.certificate.bound == outcome.bound
    check_certificate(problem, found.alignment, found.value, outcome.certificate)


def test_a_window_may_have_a_coarser_lattice_than_the_whole() -> None:
    """With the only odd weight dropped, the kernel counts in steps of 2."""
    problem = AlignmentProblem.from_weights(
        4,
        4,
        {(i, j): 2 * (i == 2) for i, j in ((0, 0), (0, 1), (1, 1), (2, 0), (2, 1))}
        | {(3, 0): 0},
        {((0, 0), (1, 1)): 1, ((0, 1), (3, 0)): 2},
        2,
    )
    found, outcome = run(problem, record_proof=True, **BY_KERNEL)
    assert outcome.bound == found.value == 2
    assert outcome.certificate is not None
    check_certificate(problem, found.alignment, found.value, outcome.certificate)


@each_hard_problem
def test_the_certificate_of_a_whole_tree_is_accepted(seed: int, scale: int) -> None:
    problem = hard_problem(seed, scale)
    found, outcome = run(problem, record_proof=True, **BY_TREE)
    assert outcome.certificate is not None
    check_certificate(problem, found.alignment, found.value, outcome.certificate)
    assert len(outcome.certificate.nodes) > 1


@each_hard_problem
def test_what_another_solver_says_has_no_certificate(seed: int, scale: int) -> None:
    _, outcome = run(hard_problem(seed, scale), record_proof=True, **BY_CPSAT)
    assert outcome.certificate is None
    assert outcome.proof == "milp"


@pytest.mark.parametrize("record", [False, True])
@each_hard_problem
def test_a_better_bound_that_is_known_is_kept(
    seed: int, scale: int, record: bool
) -> None:
    """``bnb`` may prove more on the way than one relaxation does."""
    problem = hard_problem(seed, scale)
    whole = BranchAndBound(record_proof=int(record)).solve(problem)
    assert whole.is_optimal
    known = Proposal(
        (-1,) * problem.n_left,
        whole.bound,
        whole.proof,
        whole.certificate,
        still_open=range(problem.n_candidates),
    )
    means: dict[str, Any] = {"window_nodes": 0, "tree_nodes": 0}
    alone = TreeSearch(Progress(problem, Limits()), record, **means).run(problem)
    assert alone is not None
    assert alone.bound > whole.bound
    outcome = TreeSearch(Progress(problem, Limits()), record, **means).run(
        problem, known
    )
    assert outcome is not None
    assert (outcome.bound, outcome.proof) == (whole.bound, whole.proof)
    assert outcome.certificate == whole.certificate


def test_a_certificate_of_another_bound_does_not_stand_for_a_known_one() -> None:
    problem = random_problem(4, 7, 7, 1.6)  # bnb does not prove it at the root
    whole = BranchAndBound(record_proof=1).solve(problem)
    known = Proposal(whole.alignment, whole.bound, "branch", None)
    loose = BranchAndBound(record_proof=1, nodes=1).solve(problem)
    assert loose.certificate is not None
    assert loose.bound > whole.bound
    known = known._replace(certificate=loose.certificate)
    means: dict[str, Any] = {"window_nodes": 0, "tree_nodes": 0}
    outcome = TreeSearch(Progress(problem, Limits()), True, **means).run(problem, known)
    assert outcome is not None
    assert (outcome.bound, outcome.certificate) == (whole.bound, None)


class LastResort(Solver):
    """A last resort that finds nothing, and bounds its part as it is told to."""

    name, exact, summary = "last", True, "a stub"

    def __init__(self, bound: int | None) -> None:
        self.bound = bound

    def _solve(self, problem: AlignmentProblem, progress: Progress) -> Proposal:
        del progress
        return Proposal((-1,) * problem.n_left, self.bound)


@each_hard_problem
def test_a_last_resort_that_proves_nothing_changes_no_bound(
    seed: int, scale: int
) -> None:
    problem = hard_problem(seed, scale)
    means = {"window_nodes": 0, "tree_nodes": 0}
    _, without = run(problem, **means)
    found, outcome = run(problem, finish=LastResort(None), **means)
    assert outcome.bound == without.bound > found.value


@each_hard_problem
def test_a_part_says_nothing_about_what_is_below_its_floor(
    seed: int, scale: int
) -> None:
    """Nothing in the window leaves everything up to its floor possible."""
    problem = hard_problem(seed, scale)
    means = {"window_nodes": 0, "tree_nodes": 0}
    found, outcome = run(problem, finish=LastResort(0), **means)
    assert outcome.bound == found.value


class Hesitant(LastResort):
    """A last resort that lowers the bound of its part by one, and counts its calls."""

    def __init__(self, above: int) -> None:
        super().__init__(None)
        self.above, self.calls = above, 0

    def _solve(self, problem: AlignmentProblem, progress: Progress) -> Proposal:
        self.calls += 1
        self.bound = self.above - self.calls
        return super()._solve(problem, progress)


@pytest.mark.parametrize("seed", HARD_SEEDS[50])
def test_a_window_that_was_cut_short_is_the_last(seed: int) -> None:
    """What was proved of it counts; searching on would begin the same again."""
    problem = hard_problem(seed, 50)
    means = {"window_nodes": 0, "tree_nodes": 0}
    _, without = run(problem, **means)
    hesitant = Hesitant(without.bound)
    _, outcome = run(problem, finish=hesitant, **means)
    assert (hesitant.calls, outcome.bound) == (1, without.bound - 1)
    assert outcome.proof == "milp"


@each_hard_problem
def test_a_good_start_is_kept_and_still_proved(seed: int, scale: int) -> None:
    problem = hard_problem(seed, scale)
    best = get_solver("cpsat").solve(problem)
    found = Progress(problem, Limits())
    found.offer(best.alignment)
    outcome = TreeSearch(found).run(problem)
    assert outcome is not None
    assert outcome.bound == found.value == best.value


@each_hard_problem
def test_cut_short_it_says_what_it_proved(seed: int, scale: int) -> None:
    """The bound must cover the branches that were never entered."""
    problem = hard_problem(seed, scale)
    optimum = optimum_of(seed, scale)
    left_open = 0
    for nodes, means in itertools.product(
        (0, 1, 2, 3, 5), ("window_nodes", "tree_nodes")
    ):
        limits = {"window_nodes": 0, "tree_nodes": 0, means: nodes}
        found, outcome = run(problem, record_proof=True, **limits)
        assert found.value <= optimum <= outcome.bound
        left_open += found.value < outcome.bound
        if outcome.certificate is not None:
            check_certificate(
                problem, found.alignment, found.value, outcome.certificate
            )
    assert left_open


def test_after_the_deadline_there_is_nothing_to_report() -> None:
    problem = hard_problem(30)
    progress = Progress(problem, Limits(seconds=0.0))
    assert TreeSearch(progress).run(problem) is None
