"""Cuts hold for every alignment, and what they prove is true."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("scipy")
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.oracle import all_alignments, brute_force
from support.strategies import problems, random_problem

from exactmatch.base import compiled as kernels
from exactmatch.solvers import auto
from exactmatch.solvers.bnb import KERNEL, BranchAndBound
from exactmatch.solvers.linear import tightened
from exactmatch.solvers.linear.cuts import Items, Relief, Source, violated
from exactmatch.solvers.linear.relaxation import proven, relaxed
from exactmatch.solvers.problem import AlignmentProblem, BoolArray
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Limits, Proposal

UNIT = 1 << 16


def chosen(problem: AlignmentProblem, images: tuple[int, ...]) -> BoolArray:
    """Which items an alignment holds."""
    own = np.array(images)[problem.left] == problem.right
    flags: BoolArray = np.concatenate((own, own[problem.first] & own[problem.second]))
    return flags


@settings(max_examples=examples(100), deadline=None)
@given(problem=problems(max_nodes=4), seed=st.integers(0, 99))
def test_a_cut_holds_for_every_alignment(problem: AlignmentProblem, seed: int) -> None:
    rng = np.random.default_rng(seed)
    n_items = problem.n_candidates + problem.n_terms
    halves, slack = (
        rng.choice(np.array([0.0, 0.3, 0.5, 0.7]), n_items),
        rng.random(n_items),
    )
    cuts = violated(Items(problem), halves, slack)
    for cut in cuts:
        assert halves[list(cut)].sum() > 1
    for images in all_alignments(problem):
        held = chosen(problem, images)
        for cut in cuts:
            assert np.count_nonzero(held[list(cut)]) <= 1


@settings(max_examples=examples(60), deadline=None)
@given(problem=problems(max_nodes=4), seed=st.integers(0, 99))
def test_a_relief_bounds_every_alignment(problem: AlignmentProblem, seed: int) -> None:
    rng = np.random.default_rng(seed)
    n_items = problem.n_candidates + problem.n_terms
    cuts = violated(
        Items(problem),
        rng.choice(np.array([0.0, 0.5, 0.7]), n_items),
        np.zeros(n_items),
    )
    relief = Relief.of(problem, cuts, rng.random(len(cuts)) * 2)
    left_over = UNIT * problem.objective - np.concatenate((relief.unary, relief.weight))
    assert (left_over[problem.n_candidates :] >= 0).all()
    for images in all_alignments(problem):
        held = chosen(problem, images)
        bound = relief.total + int(left_over[held].sum())
        assert bound >= UNIT * problem.value(images)


def three_terms() -> AlignmentProblem:
    """Three pair terms, each of which excludes the two others."""
    terms = {
        ((0, 0), (1, 1)): 1,
        ((0, 2), (2, 3)): 1,
        ((1, 4), (2, 5)): 1,
    }
    return AlignmentProblem.from_weights(3, 6, {}, terms)


def test_three_terms_that_exclude_each_other_are_one() -> None:
    problem = three_terms()
    plain = relaxed(None, None, problem)
    cut = relaxed(None, None, problem, 0)
    assert plain is not None
    assert cut is not None
    assert plain.value == pytest.approx(1.5)
    assert cut.value == pytest.approx(1.0)
    assert len(cut.cuts) == 1
    assert proven(problem, plain).bound == proven(problem, cut).bound == 1


@settings(max_examples=examples(60), deadline=None)
@given(problem=problems(max_nodes=4))
def test_duals_with_cuts_bound_every_alignment(problem: AlignmentProblem) -> None:
    optimum = brute_force(problem)
    solution = relaxed(None, None, problem, 0)
    assert solution is not None
    duals = proven(problem, solution)
    assert duals.bound >= optimum
    for images in all_alignments(problem):
        value = problem.value(images)
        still_open = duals.open_candidates(value - 1)
        assert still_open[chosen(problem, images)[: problem.n_candidates]].all()


@settings(max_examples=examples(40), deadline=None)
@given(problem=problems(max_nodes=5), data=st.data())
def test_cuts_of_a_part_hold_in_the_whole(
    problem: AlignmentProblem, data: st.DataObject
) -> None:
    n = problem.n_candidates
    keep = np.array(
        data.draw(st.lists(st.booleans(), min_size=n, max_size=n)), dtype=bool
    )
    part, source = problem.restricted(keep), Source.of(problem, keep)
    solution = relaxed(None, None, part, 0, source)
    assert solution is not None
    assert proven(part, solution, source).bound >= brute_force(part)
    relief = Relief.of(problem, solution.cuts, solution.multipliers)
    progress = Progress(problem, Limits())
    proposal = BranchAndBound(nodes=1).search(problem, progress, deep=True, cuts=relief)
    assert proposal.bound is not None
    assert proposal.bound >= brute_force(problem) >= progress.value


@pytest.mark.parametrize("is_compiled", [True, False])
@pytest.mark.parametrize("seed", range(8))
def test_bnb_drops_nothing_that_is_better(seed: int, is_compiled: bool) -> None:
    problem = random_problem(seed, 5, 5, density=1.6)
    solution = relaxed(None, None, problem, 0)
    assert solution is not None
    relief = Relief.of(problem, solution.cuts, solution.multipliers)
    module = kernels.load(KERNEL) if is_compiled else kernels.load_interpreted(KERNEL)
    optimum = brute_force(problem)
    best = [each for each in all_alignments(problem) if problem.value(each) == optimum]
    call = problem, -1.0, 1, None, None, True, False
    ended = module.solve(*call, optimum - 1, -1, False, None, None, False, relief)
    assert ended[1] >= optimum
    if problem.value(tuple(ended[0])) < optimum:
        left = set(ended[6])
        for images in best:
            held = np.flatnonzero(chosen(problem, images)[: problem.n_candidates])
            assert left.issuperset(held.tolist())
    above = module.solve(*call, optimum, -1, False, None, None, False, relief)
    assert above[1] >= optimum


@pytest.mark.parametrize("seed", [102, 112, 113, 117, 120, 125, 128, 137])
def test_auto_with_cuts_proves_the_optimum(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("FIRST_NODES", "WINDOW_NODES"):
        monkeypatch.setattr(auto, name, 1)
    monkeypatch.setattr(auto, "LARGE", 0)
    called = []
    search = tightened.tightened

    def counted(*arguments: Any) -> Any:
        called.append(arguments)
        return search(*arguments)

    monkeypatch.setattr(tightened, "tightened", counted)
    problem = random_problem(seed, 8, 8, density=1.6)
    solution = auto.Auto(nodes=1).solve(problem)
    assert solution.is_optimal
    assert solution.value == BranchAndBound().solve(problem).value
    assert called


def test_without_time_the_window_comes_back() -> None:
    problem = random_problem(3, 13, 13, density=1.6)
    progress = Progress(problem, Limits(seconds=0.0))
    window = BranchAndBound(nodes=1).search(
        problem, Progress(problem, Limits()), deep=True
    )
    assert tightened.tightened(problem, progress, window, 0).bound == window.bound


@pytest.mark.parametrize("nodes", [1, 2, 100_000])
@pytest.mark.parametrize("seed", range(6))
def test_a_search_that_runs_out_of_nodes_is_true(seed: int, nodes: int) -> None:
    problem = random_problem(seed, 7, 7, density=1.6)
    source = Source.of(problem, np.ones(problem.n_candidates, dtype=np.bool_))
    optimum = BranchAndBound().solve(problem).value
    for goal in (0, optimum - 1, optimum):
        bound, x = tightened.searched(None, None, problem, goal, source, (), nodes)
        assert bound is None or bound >= optimum
        assert x is None or goal < optimum
        assert nodes < 100_000 or bound == optimum


def test_nodes_that_run_out_do_not_end_the_solver(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """SciPy has no status of its own for the limit on nodes."""
    from scipy.optimize import milp

    rng, limited = np.random.default_rng(0), []

    def knapsack(*_arguments: object, **_options: object) -> object:
        weights, rows = rng.integers(100, 1000, 60), rng.integers(1, 100, (8, 60))
        limited.append(
            milp(
                -weights,
                integrality=np.ones(60),
                bounds=(0, 1),
                constraints=(rows, -np.inf, rows.sum(axis=1) / 2),
                options={"node_limit": 1},
            )
        )
        limited[-1].x = None
        return limited[-1]

    monkeypatch.setattr("scipy.optimize.milp", knapsack)
    problem = random_problem(3, 7, 7, density=1.6)
    source = Source.of(problem, np.ones(problem.n_candidates, dtype=np.bool_))
    answer = tightened.searched(None, None, problem, 0, source, (), 1)
    assert answer == (None, None)
    assert limited[0].status not in (0, 1)


@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize("seed", range(8))
def test_the_gap_of_a_problem_is_closed_beyond_its_window(
    seed: int, is_known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The optimum is proven, whether or not ``bnb`` knows it when it takes the cuts."""
    monkeypatch.setattr(tightened, "FEW_CANDIDATES", -1)
    problem = random_problem(seed, 8, 8, density=1.6)
    optimum = BranchAndBound().solve(problem).value
    solution = relaxed(None, None, problem, 0)
    assert solution is not None
    window = Proposal(
        (-1,) * problem.n_left,
        problem.total_weight(),
        "dual",
        still_open=tuple(range(problem.n_candidates)),
        shares=(problem.weight * UNIT // 2).tolist(),
    )
    if not is_known:
        whole = tightened._Part.of(problem, np.arange(problem.n_candidates))
        nothing = whole.kept(np.zeros(problem.n_candidates, dtype=np.bool_))
        monkeypatch.setattr(tightened._Part, "likely", lambda *_: nothing)
        monkeypatch.setattr(tightened, "_relieved", lambda *_: (whole, _[-1]))
    progress = Progress(problem, Limits())
    last = tightened.tightened(problem, progress, window, 10**6)
    assert last.bound is not None
    assert last.bound == optimum if solution.cuts else last.bound >= optimum
    assert not solution.cuts or progress.value == optimum
