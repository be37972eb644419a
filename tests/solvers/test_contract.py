"""What every solver in the table promises, whatever is behind it."""

from __future__ import annotations

import functools
import itertools
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from support.examples import examples
from support.oracle import brute_force, value_of
from support.strategies import problems, random_problem

from exactmatch.solvers import SOLVERS, cpsat, get_solver, highs, solver_class
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.solution import Limits, Solution, Watch

SPECS = ["pulp:COIN_CMD" if name == "pulp" else name for name in SOLVERS]
EXACT = [s for s in SPECS if solver_class(s.partition(":")[0]).exact]
SLOW = {"cbc", "pulp:COIN_CMD"}  # one process per problem
THIRD_PARTIES = ("ortools", "scipy", "pulp", "cbcbox", "networkx", "penman")

every_solver = pytest.mark.parametrize("spec", SPECS)
every_exact_solver = pytest.mark.parametrize("spec", EXACT)


def check(problem: AlignmentProblem, solution: Solution, exact: bool) -> None:
    """Hold a solution against enumeration and the plain definition."""
    optimum = brute_force(problem)
    assert solution.value == value_of(problem, solution.alignment)
    assert solution.value <= optimum <= solution.bound
    assert solution.is_optimal or not exact
    used = [j for j in solution.alignment if j >= 0]
    assert len(solution.alignment) == problem.n_left
    assert len(set(used)) == len(used)
    assert all(j < problem.n_right for j in used)


def examples_for(spec: str) -> int:
    return 15 if spec in SLOW else 80


@pytest.mark.slow
@every_solver
def test_value_and_bound_enclose_the_optimum(spec: str) -> None:
    """A heuristic may fall short and an exact solver may not."""
    solver = get_solver(spec)

    @settings(max_examples=examples(examples_for(spec)), deadline=None)
    @given(problem=problems(max_nodes=4))
    def law(problem: AlignmentProblem) -> None:
        check(problem, solver.solve(problem), solver.exact)

    law()


@pytest.mark.slow
@every_solver
def test_weights_in_millionths_are_solved_to_the_unit(spec: str) -> None:
    """As S²Match needs: similarities rounded to multiples of 1e-6."""
    solver = get_solver(spec)

    @settings(max_examples=examples(examples_for(spec) // 2), deadline=None)
    @given(problem=problems(max_nodes=4, max_weight=10**6, scale=10**6))
    def law(problem: AlignmentProblem) -> None:
        check(problem, solver.solve(problem), solver.exact)

    law()


@every_solver
def test_exchanging_the_sides_changes_nothing(spec: str) -> None:
    solver = get_solver(spec)

    @settings(max_examples=examples(examples_for(spec) // 3), deadline=None)
    @given(problem=problems(max_nodes=4))
    def law(problem: AlignmentProblem) -> None:
        mirrored = problem.transposed()
        assert brute_force(mirrored) == brute_force(problem)
        check(mirrored, solver.solve(mirrored), solver.exact)

    law()


@functools.cache
def larger(
    seed: int, n_left: int, n_right: int, density: float, cost: int = 0
) -> tuple[AlignmentProblem, int]:
    """A problem beyond enumeration, and its optimum: CP-SAT is the reference."""
    problem = random_problem(seed, n_left, n_right, density, cost=cost)
    solution = get_solver("cpsat").solve(problem)
    assert solution.is_optimal
    return problem, solution.value


@pytest.mark.parametrize("spec", [s for s in EXACT if s != "brute"])
@pytest.mark.parametrize("seed", range(5))
def test_exact_solvers_agree_on_larger_problems(spec: str, seed: int) -> None:
    """Twelve nodes a side."""
    problem, optimum = larger(seed, 12, 11 + seed % 3, 0.8)
    solution = get_solver(spec).solve(problem)
    assert solution.is_optimal
    assert solution.value == optimum


@pytest.mark.parametrize("spec", [s for s in EXACT if s != "brute"])
@pytest.mark.parametrize("seed", range(4))
def test_exact_solvers_agree_where_candidates_cost(spec: str, seed: int) -> None:
    """Every two nodes may be aligned, and most pairs must be paid for by terms."""
    problem, optimum = larger(seed, 9, 9 + seed % 3, 1.6, cost=2)
    solution = get_solver(spec).solve(problem)
    assert solution.is_optimal
    assert solution.value == optimum
    assert bound_without_costs(seed) < optimum


@functools.cache
def bound_without_costs(seed: int) -> int:
    """What can be reached where no candidate may be chosen that costs."""
    problem, _ = larger(seed, 9, 9 + seed % 3, 1.6, cost=2)
    return get_solver("cpsat").solve(problem.restricted(problem.unary >= 0)).bound


@pytest.mark.parametrize("cost", [0, 2])
@pytest.mark.parametrize("spec", ["hillclimb", "hungarian"])
@pytest.mark.parametrize("seed", range(6))
def test_heuristics_stay_within_the_truth_on_larger_problems(
    spec: str, seed: int, cost: int
) -> None:
    problem, optimum = larger(seed, 10, 9 + seed % 3, 0.8, cost)
    solution = get_solver(spec).solve(problem)
    assert solution.value <= optimum <= solution.bound


def degenerate() -> dict[str, AlignmentProblem]:
    build = AlignmentProblem.from_weights
    every_pair = {(i, j): 1 for i in range(4) for j in range(4)}
    every_term = {
        ((i, j), (k, m)): 1
        for i in range(4)
        for k in range(i + 1, 4)
        for j in range(4)
        for m in range(4)
        if j != m
    }
    cross = {((0, 0), (1, 1)): 3}
    return {
        "nothing at all": build(0, 0, {}, {}),
        "left side only": build(3, 0, {}, {}),
        "right side only": build(0, 3, {}, {}),
        "no candidates": build(3, 2, {}, {}),
        "idle candidates": build(2, 2, {(0, 0): 0, (0, 1): 0, (1, 0): 0}, {}),
        "one candidate": build(1, 1, {(0, 0): 1}, {}),
        "one left node": build(1, 4, {(0, j): j for j in range(4)}, {}),
        "one right node": build(4, 1, {(i, 0): i for i in range(4)}, {}),
        "no unary weights": build(4, 4, {}, every_term),
        "all ties": build(4, 4, every_pair, every_term),
        "only costs": build(2, 2, {(0, 0): -1, (0, 1): -2, (1, 1): -1}, {}),
        "a term that does not pay": build(2, 2, {(0, 0): -2, (1, 1): -2}, cross),
        "a term that just pays": build(2, 2, {(0, 0): -2, (1, 1): -1}, cross),
        "a term that pays": build(2, 2, {(0, 0): -1, (1, 1): -1}, cross),
        "a single term": build(2, 2, {}, {((0, 1), (1, 0)): 3}),
    }


@every_solver
@pytest.mark.parametrize("kind", degenerate())
def test_degenerate_problems(spec: str, kind: str) -> None:
    problem = degenerate()[kind]
    solver = get_solver(spec)
    check(problem, solver.solve(problem), solver.exact)


@every_solver
def test_huge_weights_are_enclosed(spec: str) -> None:
    """Doubles cannot tell these apart; whoever uses them must not claim to."""
    half = 2**51
    unary = {(0, 0): half, (0, 1): half - 1, (1, 0): half - 1, (1, 1): half - 3}
    problem = AlignmentProblem.from_weights(2, 2, unary, {((0, 0), (1, 1)): 1})
    solution = get_solver(spec).solve(problem)
    assert solution.value <= 2 * half - 2 <= solution.bound


def test_huge_weights_are_told_apart_by_integer_solvers() -> None:
    half = 2**51
    unary = {(0, 0): half, (0, 1): half - 1, (1, 0): half - 1, (1, 1): half - 3}
    problem = AlignmentProblem.from_weights(2, 2, unary, {((0, 0), (1, 1)): 1})
    for spec in ("cpsat", "brute", "bnb"):
        solution = get_solver(spec).solve(problem)
        assert solution.value == solution.bound == 2 * half - 2


@pytest.mark.slow
@every_solver
@pytest.mark.parametrize("seconds", [0.0, 1e-9, 1e-4, 2e-3, 0.02])
def test_running_out_of_time_is_an_interval(spec: str, seconds: float) -> None:
    """Never an exception, never a wrong bound; the empty alignment is there."""
    n = 8 if spec == "brute" else 14
    problem, optimum = larger(3, n, n, 1.0)
    solution = get_solver(spec).solve(problem, Limits(seconds=seconds))
    assert solution.value == value_of(problem, solution.alignment)
    assert solution.value <= optimum <= solution.bound


def solve_with_a_gap(
    monkeypatch: pytest.MonkeyPatch, spec: str
) -> list[tuple[Solution, int]]:
    """Let the package behind a solver stop early, as a time limit may."""
    import scipy.optimize
    from ortools.sat.python import cp_model

    milp, solve = scipy.optimize.milp, cp_model.CpSolver.solve

    def sloppy_milp(*arguments: Any, options: Any, **keywords: Any) -> Any:
        return milp(*arguments, options={**options, "mip_rel_gap": 0.9}, **keywords)

    def sloppy_solve(self: Any, model: Any, callback: Any) -> Any:
        self.parameters.relative_gap_limit = 0.9
        return solve(self, model, callback)

    found = []
    for seed in range(7):
        problem, optimum = larger(seed, 9, 9, 1.0)
        with monkeypatch.context() as patch:
            patch.setattr(scipy.optimize, "milp", sloppy_milp)
            patch.setattr(cp_model.CpSolver, "solve", sloppy_solve)
            for module in (cpsat, highs):  # without a good alignment to begin with
                patch.setattr(module, "climbed", lambda p: (-1,) * p.n_left)
            found.append((get_solver(spec).solve(problem), optimum))
    return found


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize("spec", ["cpsat", "highs"])
def test_optimal_within_a_gap_is_not_passed_off_as_optimal(
    monkeypatch: pytest.MonkeyPatch, spec: str
) -> None:
    """The bound is the package's bound, never the value it found."""
    found = solve_with_a_gap(monkeypatch, spec)
    assert all(s.value <= optimum <= s.bound for s, optimum in found)
    assert any(s.value < optimum for s, optimum in found)


def stubborn(spec: str) -> AlignmentProblem:
    """One ring against several, all nodes alike: no solver proves it in a minute.

    Enumeration, which takes no more than eight nodes, needs a second for its own.
    """
    lengths = (3, 5) if spec == "brute" else (6, 10, 14)
    left, right = ring_edges(sum(lengths)), ring_edges(*lengths)
    terms = {((u, x), (v, y)): 1 for u, v in left for x, y in right}
    return AlignmentProblem.from_weights(len(left), len(right), {}, terms)


def ring_edges(*lengths: int) -> list[tuple[int, int]]:
    begins = itertools.accumulate((0, *lengths[:-1]))
    return [
        (begin + k, begin + (k + 1) % n)
        for begin, n in zip(begins, lengths, strict=True)
        for k in range(n)
    ]


LONG = [
    "hillclimb:restarts=1000000" if spec == "hillclimb" else spec
    for spec in SPECS
    if spec != "hungarian"  # one assignment: there is nothing to interrupt
]


@pytest.mark.slow
@pytest.mark.usefixtures("alarm")
@pytest.mark.parametrize("spec", LONG)
def test_an_interrupted_search_is_an_interval_for_who_watches(spec: str) -> None:
    """And what comes after it ends at once, until the interruption is dealt with."""
    problem = stubborn(spec)
    found = threading.Event()

    def interrupt() -> None:
        found.wait()
        os.kill(os.getpid(), signal.SIGALRM)

    watch = Watch(lambda value, bound: found.set() if 0 < value < bound else None)
    interrupter = threading.Thread(target=interrupt)
    interrupter.start()
    first = get_solver(spec).solve(problem, Limits(watch=watch))
    found.set()
    interrupter.join()
    assert isinstance(watch.interruption, KeyboardInterrupt)
    second = get_solver(spec).solve(problem, Limits(watch=watch))
    for solution in (first, second):
        assert 0 < solution.value < solution.bound
        assert solution.value == value_of(problem, solution.alignment)
    with pytest.raises(KeyboardInterrupt):
        watch.proceed()
    watch.proceed()  # only once


@pytest.mark.slow
@pytest.mark.usefixtures("alarm")
@pytest.mark.parametrize("spec", LONG)
def test_an_interruption_is_raised_where_nobody_watches(spec: str) -> None:
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    with pytest.raises(KeyboardInterrupt):
        get_solver(spec).solve(stubborn(spec))


@pytest.mark.slow
@pytest.mark.parametrize("spec", LONG)
def test_a_watch_hears_of_the_search(spec: str) -> None:
    problem = stubborn(spec)
    optimum = 6 if spec == "brute" else 27
    told = []
    limits = Limits(1.0, watch=Watch(lambda *found: told.append(found)))
    get_solver(spec).solve(problem, limits)
    assert told
    assert all(0 <= value <= optimum <= bound for value, bound in told)


def test_a_watch_stays_in_its_process() -> None:
    limits = Limits(2.0, 3, 4, Watch())
    copy = pickle.loads(pickle.dumps(limits))
    assert copy == limits
    assert (copy.seconds, copy.threads, copy.seed, copy.watch) == (2.0, 3, 4, None)


@every_solver
def test_the_same_seed_gives_the_same_answer(spec: str) -> None:
    n = 7 if spec == "brute" else 10
    problem = random_problem(5, n, n, density=0.8)
    for seed in (0, 1, 2**40):
        first, second = (
            get_solver(spec).solve(problem, Limits(seed=seed)) for _ in range(2)
        )
        assert first.alignment == second.alignment
        assert (first.value, first.bound) == (second.value, second.bound)


@every_solver
def test_a_solver_leaves_the_problem_as_it_was(spec: str) -> None:
    problem = random_problem(1, 7, 6)
    before = [a.copy() for a in (problem.unary, problem.weight, problem.first)]
    get_solver(spec).solve(problem)
    after = (problem.unary, problem.weight, problem.first)
    assert all(np.array_equal(a, b) for a, b in zip(before, after, strict=True))


@every_solver
def test_a_signature_makes_the_same_solver_again(spec: str) -> None:
    signature = get_solver(spec).signature()
    assert signature.startswith(spec)
    assert get_solver(signature).signature() == signature


@every_solver
def test_a_proof_is_named_where_something_is_proved(spec: str) -> None:
    problem = random_problem(2, 8, 8)
    solution = get_solver(spec).solve(problem)
    if get_solver(spec).exact:
        assert solution.proof != "none"
    if spec == "hillclimb":
        assert solution.proof == "none"


def test_asking_what_is_installed_imports_nothing() -> None:
    """The listing of solvers must not cost seconds."""
    code = f"""
    import sys
    from exactmatch.solvers import SOLVERS, solver_class
    for name in SOLVERS:
        cls = solver_class(name)
        cls.is_available(), cls.version(), cls.summary, cls.install
    print([m for m in {THIRD_PARTIES!r} if m in sys.modules])
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
