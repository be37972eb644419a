"""The search kernel, compiled and interpreted, against enumeration and itself."""

from __future__ import annotations

import importlib.util
import math
import signal
import sys
import threading
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.oracle import brute_force, value_of
from support.strategies import problems, random_problem

from exactmatch.base import compiled as kernels
from exactmatch.solvers import get_solver
from exactmatch.solvers.bnb import KERNEL, BranchAndBound
from exactmatch.solvers.checker import check_certificate
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Limits

LOAD: dict[str, Any] = {
    "compiled": kernels.load,
    "interpreted": kernels.load_interpreted,
}
HUGE = 2**46
"""Twenty weights of this size still add up to less than 2**53."""


def bnb(kind: str, **options: Any) -> BranchAndBound:
    """A solver that runs the kernel in one of its two forms."""
    solver = BranchAndBound(**options)
    solver._load = LOAD[kind]
    return solver


def run(kind: str, problem: AlignmentProblem, record_proof: bool = False) -> tuple:
    """Everything that the kernel returns."""
    limits = (-1.0, 2**62, None, None, False, False, 0, -1)
    return LOAD[kind](KERNEL).solve(problem, *limits, record_proof, None, None)


@pytest.fixture(params=list(LOAD))
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


def matching(left: list, right: list, label: int = 1) -> AlignmentProblem:
    """The problem of two graphs, each a list of labels and one of edges."""
    labels, edges = left
    others, arcs = right
    unary = {
        (i, j): label
        for i, a in enumerate(labels)
        for j, b in enumerate(others)
        if a == b and label
    }
    pairwise = {
        ((u, x), (v, y)): 1 for u, v in edges for x, y in arcs if u != v and x != y
    }
    return AlignmentProblem.from_weights(len(labels), len(others), unary, pairwise)


def cycles(*lengths: int) -> list:
    """Directed rings whose nodes are all alike."""
    edges, begin = [], 0
    for n in lengths:
        edges += [(begin + k, begin + (k + 1) % n) for k in range(n)]
        begin += n
    return [["node"] * begin, edges]


def teams(count: int) -> list:
    """A root above so many equal branches, each a team and its country."""
    edges = [(0, 2 * n + 1) for n in range(count)]
    edges += [(2 * n + 1, 2 * n + 2) for n in range(count)]
    return [["and", *["team", "country"] * count], edges]


STUBBORN = matching(cycles(15), cycles(5, 5, 5))
"""Fifteen labels and twelve edges; the bound says fifteen edges for a long time."""


# ------------------------------------------------------------------ the optimum


@settings(max_examples=examples(100), deadline=None)
@given(
    problem=st.sampled_from([1, 4, 10**6, HUGE]).flatmap(
        lambda weight: problems(max_nodes=4, max_weight=weight)
    )
)
@pytest.mark.parametrize("kind", LOAD)
def test_it_proves_what_enumeration_finds(kind: str, problem: AlignmentProblem) -> None:
    solution = bnb(kind).solve(problem)
    assert brute_force(problem) == solution.value == solution.bound


@pytest.mark.slow
@settings(max_examples=examples(40), deadline=None)
@given(seed=st.integers(0, 10**9), weight=st.sampled_from([1, 3, 10**6]))
@pytest.mark.parametrize("kind", LOAD)
def test_it_proves_what_enumeration_finds_on_dense_problems(
    kind: str, seed: int, weight: Any
) -> None:
    """Dense ones need shifted shares and branches."""
    problem = random_problem(seed, 5, 4, density=1.2, max_weight=weight)
    solution = bnb(kind).solve(problem)
    assert brute_force(problem) == solution.value == solution.bound


@pytest.mark.slow
@settings(max_examples=examples(100), deadline=None)
@given(seed=st.integers(0, 10**9), record_proof=st.booleans())
def test_compiled_and_interpreted_kernel_do_the_same(
    seed: int, record_proof: Any
) -> None:
    """Not only the optimum: alignment, nodes, rounds and log are equal."""
    problem = random_problem(seed, 7, 7, density=1.0, max_weight=1 + seed % 3)
    assert run("compiled", problem, record_proof) == run(
        "interpreted", problem, record_proof
    )


@pytest.mark.parametrize("seed", range(4))
def test_larger_problems_agree_with_highs(seed: int) -> None:
    problem = random_problem(seed, 10, 11, density=0.8, max_weight=1 + 4 * (seed % 2))
    ours, theirs = bnb("compiled").solve(problem), get_solver("highs").solve(problem)
    assert theirs.is_optimal
    assert ours.value == ours.bound == theirs.value


@pytest.mark.parametrize(
    ("n_left", "n_right"), [(0, 0), (0, 3), (3, 0), (3, 2)], ids=str
)
def test_without_candidates_nothing_is_worth_nothing(
    kind: str, n_left: int, n_right: int
) -> None:
    problem = AlignmentProblem.from_weights(n_left, n_right, {}, {})
    solution = bnb(kind, record_proof=1).solve(problem)
    assert solution.alignment == (-1,) * n_left
    assert solution.value == solution.bound == 0
    assert solution.proof == "assignment"


def test_weights_may_add_up_to_just_below_the_limit(kind: str) -> None:
    weight = 2**53 // 5
    problem = AlignmentProblem.from_weights(
        2, 2, {(0, 0): weight, (0, 1): weight}, {((0, 1), (1, 0)): weight}
    )
    solution = bnb(kind).solve(problem)
    assert solution.value == solution.bound == 2 * weight


def test_bounds_are_rounded_down_to_what_weights_can_add_up_to(kind: str) -> None:
    """A ring of six in two of three: ten of twelve, in steps of seven."""
    plain = matching(cycles(6), cycles(3, 3))
    scaled = AlignmentProblem(
        plain.n_left,
        plain.n_right,
        plain.left,
        plain.right,
        7 * plain.unary,
        plain.first,
        plain.second,
        7 * plain.weight,
    )
    once, again = run(kind, plain), run(kind, scaled)
    assert (once[1], again[1]) == (10, 70)
    assert once[2] == again[2]  # as many nodes


def test_what_the_bound_rests_on_is_named(kind: str) -> None:
    branching = matching(cycles(6), cycles(3, 3))
    rounds = AlignmentProblem.from_weights(
        2, 3, {(0, 1): 3}, {((0, 1), (1, 0)): 1, ((0, 0), (1, 2)): 3}
    )
    simple = AlignmentProblem.from_weights(2, 2, {(0, 1): 1, (1, 0): 1}, {})
    proofs = [bnb(kind).solve(p).proof for p in (simple, rounds, branching)]
    assert proofs == ["assignment", "dual", "branch"]


# ------------------------------------------------------------------- symmetry


@pytest.mark.parametrize("others", [9, 10])
def test_equal_branches_are_proved_at_the_root(kind: str, others: int) -> None:
    """Ten factorial alignments are equally good; the bound sees none of them."""
    problem = matching(teams(10), teams(others))
    alignment, bound, nodes, *_ = run(kind, problem)
    assert value_of(problem, alignment) == bound == 1 + 4 * others
    assert nodes == 1


@pytest.mark.parametrize(
    ("rings", "optimum"),
    [((6,), 10), ((8,), 14), ((2, 4), 9)],
    ids=["6", "8", "2+4"],
)
def test_rings_that_only_branching_can_tell_apart(
    rings: tuple[int, ...], optimum: int
) -> None:
    """Against rings of three, or of three and five: no bound sees the length."""
    other = (3, 5) if rings == (8,) else (3, 3)
    problem = matching(cycles(*rings), cycles(*other))
    solution = bnb("compiled").solve(problem)
    assert solution.value == solution.bound == optimum
    assert solution.proof == "branch"


def test_every_candidate_alike_is_one_assignment(kind: str) -> None:
    pairs = [(i, j) for i in range(7) for j in range(7)]
    problem = AlignmentProblem.from_weights(7, 7, dict.fromkeys(pairs, 1), {})
    assert run(kind, problem)[1:4] == (7, 1, 1)


# --------------------------------------------------------------------- limits


def test_out_of_time_is_an_interval(kind: str) -> None:
    solution = bnb(kind).solve(STUBBORN, Limits(seconds=0.0))
    assert solution.value == value_of(STUBBORN, solution.alignment)
    assert solution.value <= 27 <= solution.bound < 60


@settings(max_examples=examples(40), deadline=None)
@given(seed=st.integers(0, 10**9), nodes=st.integers(1, 4))
def test_a_node_limit_leaves_a_valid_interval(seed: int, nodes: Any) -> None:
    problem = random_problem(seed, 4, 5, density=1.3)
    solution = bnb("compiled", nodes=nodes).solve(problem)
    assert solution.value <= brute_force(problem) <= solution.bound


def test_the_node_limit_counts_and_is_part_of_the_signature() -> None:
    problem = matching(cycles(6), cycles(3, 3))
    limited = BranchAndBound(nodes=2)
    assert limited.signature() == "bnb:nodes=2"
    assert BranchAndBound(record_proof=1).signature() == "bnb"
    assert not limited.solve(problem).is_optimal


@settings(max_examples=examples(100), deadline=None)
@given(problem=problems(max_nodes=4), above=st.integers(0, 12))
@pytest.mark.parametrize("kind", LOAD)
def test_only_what_exceeds_a_known_value_is_looked_for(
    kind: str, problem: AlignmentProblem, above: Any
) -> None:
    """The bound is then the optimum, or else the known value."""
    lattice = math.gcd(*problem.unary.tolist(), *problem.weight.tolist()) or 1
    solver, optimum = bnb(kind, record_proof=1), brute_force(problem)
    proposal = solver.search(problem, Progress(problem, Limits()), above=above)
    assert proposal.bound == max(optimum, above - above % lattice)
    value = value_of(problem, proposal.alignment)
    assert value == optimum or optimum <= above
    check_certificate(problem, proposal.alignment, value, proposal.certificate)


def test_a_known_value_saves_the_search(kind: str) -> None:
    """Thirteen branches to prove 10; none to prove that 11 is not exceeded."""
    problem = matching(cycles(6), cycles(3, 3))
    kernel = LOAD[kind](KERNEL)
    _, bound, nodes, *_ = kernel.solve(
        problem, -1.0, 2**62, None, None, False, False, 12, -1, False, None, None
    )
    assert (bound, nodes) == (12, 1)


@settings(max_examples=examples(50), deadline=None)
@given(problem=problems(max_nodes=4), data=st.data())
@pytest.mark.parametrize("kind", LOAD)
def test_a_start_is_at_least_kept(
    kind: str, problem: AlignmentProblem, data: Any
) -> None:
    start = data.draw(st.permutations(range(-1, max(problem.n_right - 1, 0))))
    start = (*start, *[-1] * problem.n_left)[: problem.n_left]
    proposal = bnb(kind).search(
        problem, Progress(problem, Limits()), start=start, at_most=0
    )
    value = value_of(problem, proposal.alignment)
    assert value >= (value_of(problem, start) if problem.n_candidates else 0)


def test_a_climb_counts_a_lost_pair_once(kind: str) -> None:
    """Both ends of the pair term of 3 go for a candidate worth 4."""
    problem = AlignmentProblem.from_weights(2, 2, {(0, 1): 4}, {((0, 0), (1, 1)): 3})
    proposal = bnb(kind).search(
        problem, Progress(problem, Limits()), start=(0, 1), at_most=0
    )
    assert proposal.alignment == (1, -1)


def test_a_climb_exchanges_two_partners(kind: str) -> None:
    """Neither (0, 1) nor (1, 0) alone is worth the 3 that it ousts."""
    problem = AlignmentProblem.from_weights(
        2, 2, {(0, 0): 3, (1, 1): 3}, {((0, 1), (1, 0)): 7}
    )
    proposal = bnb(kind).search(
        problem, Progress(problem, Limits()), start=(0, 1), at_most=0
    )
    assert proposal.alignment == (1, 0)


def test_a_bound_that_is_reached_ends_the_search(kind: str) -> None:
    """The caller knows that 27 is the most there is, and how to get it."""
    best = bnb("compiled").solve(STUBBORN)
    proposal = bnb(kind).search(
        STUBBORN, Progress(STUBBORN, Limits()), start=best.alignment, at_most=27
    )
    assert proposal.bound == 27 == value_of(STUBBORN, proposal.alignment)
    assert proposal.certificate is None


def test_a_known_bound_is_never_exceeded(kind: str) -> None:
    proposal = bnb(kind, nodes=1).search(
        STUBBORN, Progress(STUBBORN, Limits()), at_most=28
    )
    assert proposal.bound == 28


# ----------------------------------------------------------- a good neighbour


@pytest.fixture
def long_problem() -> AlignmentProblem:
    """Far more than a second of search."""
    return matching(cycles(30), cycles(6, 10, 14))


@pytest.mark.usefixtures("alarm")
def test_ctrl_c_interrupts_a_search(kind: str, long_problem: AlignmentProblem) -> None:
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    with pytest.raises(KeyboardInterrupt):
        bnb(kind).solve(long_problem, Limits(seconds=60.0))


def test_other_threads_run_during_a_search(long_problem: AlignmentProblem) -> None:
    """The search holds no lock: another one runs beside it."""
    solutions = []

    def search() -> None:
        solutions.append(bnb("compiled").solve(long_problem, Limits(seconds=0.05)))

    threads = [threading.Thread(target=search) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(s.value <= s.bound for s in solutions)
    assert len(solutions) == 2


def test_memory_does_not_grow() -> None:
    resource = pytest.importorskip("resource")
    problem = random_problem(3, 12, 12)
    solver = bnb("compiled", record_proof=1)
    peaks = []
    for _ in range(3):
        for _ in range(700):
            solver.solve(problem)
        peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    assert peaks[2] - peaks[1] < 1024  # kilobytes on Linux, bytes elsewhere


def test_the_kernel_runs_where_cython_is_not_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in [name for name in sys.modules if name.endswith("__interpreted")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "cython", None)
    source = kernels.load_interpreted(KERNEL).__file__
    spec = importlib.util.spec_from_file_location("kernel_without_cython", source)
    kernel = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(kernel)
    assert kernel.cython.__name__ == "exactmatch.base._cython"
    solver = BranchAndBound()
    solver._load = lambda _: kernel
    assert solver.solve(matching(cycles(6), cycles(3, 3))).bound == 10


def test_it_says_whether_it_runs_as_machine_code() -> None:
    kernel = kernels.load(KERNEL)
    compiled = kernels.is_compiled(kernel)
    assert BranchAndBound.version() == ("compiled" if compiled else "interpreted")
