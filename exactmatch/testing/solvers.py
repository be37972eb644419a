"""Checks of a solver: value ≤ optimum ≤ bound, also if the search is cut short.

The optimum is found by trying every alignment, in a few lines that share no code with
any solver.
"""

import itertools
import pickle
import random
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from exactmatch.solvers import get_solver
from exactmatch.solvers.base import Solver
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.solution import Limits, Solution, Watch

SolverCheck = Callable[[Solver], None]


def check_solver(solver: Solver | type[Solver] | str) -> None:
    """Check that a solver keeps the contract of ``exactmatch.solvers.base.Solver``.

    Args:
        solver: a solver, a class that is made without arguments, or a specification
            as ``--solver`` takes it.

    Raises:
        AssertionError: if it does not; the message names the broken promise.

    Example:
        >>> from exactmatch.testing import check_solver
        >>> check_solver("hungarian")
    """
    if isinstance(solver, str):
        solver = get_solver(solver)
    made = solver() if isinstance(solver, type) else solver
    for check in solver_checks().values():
        check(made)


def solver_checks() -> dict[str, SolverCheck]:
    """Return the single checks by name; each takes a solver."""
    return {
        "is described": _described,
        "encloses the optimum": _encloses,
        "encloses the optimum of odd problems": _odd,
        "encloses huge weights": _huge,
        "answers with an interval when time runs out": _out_of_time,
        "answers with an interval when interrupted": _interrupted,
        "gives the same answer again": _repeats,
        "leaves the problem as it was": _leaves,
        "can be pickled": _sendable,
    }


def value_of(problem: AlignmentProblem, alignment: Sequence[int]) -> int:
    """Compute the value of an alignment, straight from the definition."""
    pairs = zip(problem.left.tolist(), problem.right.tolist(), strict=True)
    chosen = [alignment[i] == j for i, j in pairs]
    unary = zip(chosen, problem.unary.tolist(), strict=True)
    arrays = (problem.first, problem.second, problem.weight)
    terms = zip(*(array.tolist() for array in arrays), strict=True)
    total: int = sum(weight for taken, weight in unary if taken)
    total += sum(weight for c, d, weight in terms if chosen[c] and chosen[d])
    return total


def optimum_of(problem: AlignmentProblem) -> int:
    """Return the optimum by trying every alignment; for a handful of nodes."""
    options: list[list[int]] = [[-1] for _ in range(problem.n_left)]
    for i, j in zip(problem.left.tolist(), problem.right.tolist(), strict=True):
        options[i].append(j)
    return max(
        value_of(problem, alignment)
        for alignment in itertools.product(*options)
        if _is_one_to_one(alignment)
    )


def _is_one_to_one(alignment: Sequence[int]) -> bool:
    used = [j for j in alignment if j >= 0]
    return len(set(used)) == len(used)


def small_problem(seed: int, most: int = 4, scale: int = 1) -> AlignmentProblem:
    """Draw a problem of at most ``most`` nodes a side; in some, candidates cost."""
    rng = random.Random(seed)
    n, m = rng.randint(0, most), rng.randint(0, most)
    pairs = list(itertools.product(range(n), range(m)))
    least = -4 * scale if rng.random() < 0.5 else 0
    candidates = [pair for pair in pairs if rng.random() < 0.6]
    unary = {pair: rng.randint(least, 4 * scale) for pair in candidates}
    terms = {
        (c, d): rng.randint(1, 4 * scale)
        for c, d in itertools.combinations(pairs, 2)
        if c[0] != d[0] and c[1] != d[1] and rng.random() < 0.3
    }
    return AlignmentProblem.from_weights(n, m, unary, terms, scale)


def rings(*lengths: int) -> AlignmentProblem:
    """Return a hard problem: one ring against several of the same total length."""

    def edges(*parts: int) -> list[tuple[int, int]]:
        begins = itertools.accumulate((0, *parts[:-1]))
        return [
            (begin + k, begin + (k + 1) % length)
            for begin, length in zip(begins, parts, strict=True)
            for k in range(length)
        ]

    n = sum(lengths)
    left, right = edges(n), edges(*lengths)
    terms = {((u, x), (v, y)): 1 for u, v in left for x, y in right}
    return AlignmentProblem.from_weights(n, n, {}, terms)


def _hold(problem: AlignmentProblem, solution: Solution, optimum: int) -> None:
    assert len(solution.alignment) == problem.n_left, "an entry for each left node"
    assert _is_one_to_one(solution.alignment), "an alignment is one-to-one"
    assert solution.value == value_of(problem, solution.alignment), (
        "the value must be that of the alignment"
    )
    assert solution.value <= optimum <= solution.bound, (
        f"value {solution.value} ≤ optimum {optimum} ≤ bound {solution.bound} must hold"
    )


def _described(solver: Solver) -> None:
    assert solver.name, "a solver must have a name"
    assert solver.summary, "a solver must have a summary"
    signature = solver.signature()
    assert signature.startswith(solver.name), "the signature begins with the name"
    assert not set(signature) & set("|\n"), "the signature has a sign that separates"
    assert type(solver).is_available(), f"what {solver.name} needs is not installed"


def _encloses(solver: Solver) -> None:
    for seed in range(40):
        problem = small_problem(seed, scale=1 if seed % 2 else 10**6)
        for turned in (problem, problem.transposed()):
            solution = solver.solve(turned)
            _hold(turned, solution, optimum_of(turned))
            assert solution.is_optimal or not solver.exact, (
                "an exact solver must prove the optimum when it has the time"
            )


def _odd(solver: Solver) -> None:
    build = AlignmentProblem.from_weights
    all_candidates = {(i, j): 1 for i in range(3) for j in range(3)}
    cross = {((0, 0), (1, 1)): 3}
    for problem in (
        build(0, 0, {}, {}),
        build(3, 0, {}, {}),
        build(0, 3, {}, {}),
        build(3, 2, {}, {}),
        build(2, 2, {(0, 0): 0, (0, 1): 0, (1, 0): 0}, {}),
        build(1, 4, {(0, j): j for j in range(4)}, {}),
        build(3, 3, all_candidates, {}),
        build(2, 2, {(0, 0): -1, (0, 1): -2, (1, 1): -1}, {}),
        build(2, 2, {(0, 0): -2, (1, 1): -2}, cross),
        build(2, 2, {(0, 0): -2, (1, 1): -1}, cross),
        build(2, 2, {(0, 0): -1, (1, 1): -1}, cross),
    ):
        solution = solver.solve(problem)
        _hold(problem, solution, optimum_of(problem))
        assert solution.is_optimal or not solver.exact


def _huge(solver: Solver) -> None:
    """Check weights that doubles cannot tell apart."""
    half = 2**51
    unary = {(0, 0): half, (0, 1): half - 1, (1, 0): half - 1, (1, 1): half - 3}
    problem = AlignmentProblem.from_weights(2, 2, unary, {((0, 0), (1, 1)): 1})
    _hold(problem, solver.solve(problem), 2 * half - 2)


def _out_of_time(solver: Solver) -> None:
    for seed in range(3):
        problem = small_problem(seed, most=5)
        for seconds in (0.0, 1e-9, 1e-4, 2e-3):
            solution = solver.solve(problem, Limits(seconds=seconds))
            _hold(problem, solution, optimum_of(problem))


def _interrupted(solver: Solver) -> None:
    """Interrupt a hard search; one that ends before is fine, too."""
    problem = rings(3, 5)
    optimum = 6  # a ring of eight has six edges in common with rings of three and five
    if threading.current_thread() is not threading.main_thread():
        return
    if not hasattr(signal, "SIGALRM"):
        return
    watch = Watch()
    with _alarm(0.3):
        first = solver.solve(problem, Limits(watch=watch))
    second = solver.solve(problem, Limits(seconds=1.0, watch=watch))
    for solution in (first, second):
        _hold(problem, solution, optimum)
    with suppress(KeyboardInterrupt):
        watch.proceed()


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Raise what Ctrl-C raises, if the block still runs then."""

    def interrupt(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _repeats(solver: Solver) -> None:
    problem = small_problem(7, most=6)
    for seed in (0, 1, 2**40):
        solutions = {
            (answer.alignment, answer.value, answer.bound)
            for answer in (solver.solve(problem, Limits(seed=seed)) for _ in range(2))
        }
        assert len(solutions) == 1, "the same seed must give the same answer"


def _leaves(solver: Solver) -> None:
    problem = small_problem(11, most=6)
    arrays = (problem.left, problem.right, problem.unary, problem.first, problem.weight)
    before = [array.copy() for array in arrays]
    solver.solve(problem)
    same = all((a == b).all() for a, b in zip(before, arrays, strict=True))
    assert same, "a solver must leave the problem as it was"


def _sendable(solver: Solver) -> None:
    sent = pickle.loads(pickle.dumps(solver))
    assert sent.signature() == solver.signature(), "pickling changes the signature"
