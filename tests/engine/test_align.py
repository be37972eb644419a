"""Pairs that the kernel aligns, and those that it leaves to a solver."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.graph_strategies import best_match, graphs

import exactmatch
from exactmatch.base import compiled as kernels
from exactmatch.base.errors import CertificationError
from exactmatch.engine import align as module
from exactmatch.engine.align import Want, align
from exactmatch.engine.problem import LARGE, CodedGraph, GraphProblem, encode
from exactmatch.formats.readings import as_graph
from exactmatch.graphs.document import Document
from exactmatch.graphs.profile import PROFILES, Profile
from exactmatch.solvers.auto import Auto
from exactmatch.solvers.bnb import BranchAndBound
from exactmatch.solvers.solution import Limits

SMATCH = PROFILES["smatch"]
NAME = "exactmatch.engine._matched"
SLOW = list(HealthCheck)


class Asked(Auto):
    """Notes that it was asked, and otherwise answers as ``auto``."""

    asked = False

    @property
    def kernel_nodes(self) -> int | None:
        return super().kernel_nodes

    def _solve(self, *given: Any) -> Any:
        self.asked = True
        return super()._solve(*given)


@pytest.fixture(params=["loaded", "interpreted"])
def kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The kernel as it is installed, and as Python."""
    load = kernels.load if request.param == "loaded" else kernels.load_interpreted
    monkeypatch.setattr(module, "_kernel", load(NAME))
    return load(NAME)


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The kernel as Python, to be changed."""
    monkeypatch.setattr(module, "_kernel", kernels.load_interpreted(NAME))
    return kernels.load_interpreted(NAME)


def coded(text: str, profile: Profile = SMATCH) -> CodedGraph:
    return encode(as_graph(text, profile), profile)


def in_kernel(
    left: CodedGraph,
    right: CodedGraph,
    profile: Profile = SMATCH,
    want: Want = "count",
    **options: Any,
) -> float | None:
    """What the kernel says that matches; ``None`` where the solver had to."""
    solver = Asked()
    stated = GraphProblem(left, right, profile, **options)
    found = align(stated, solver, want=want)
    return None if solver.asked else found.matched


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("name", ["smatch", "clean", "smatchpp", "smatchpp-generic"])
@pytest.mark.parametrize("just", [None, "attribute"])
@pytest.mark.parametrize("want", ["count", "alignment"])
def test_no_alignment_matches_more_and_one_as_many(
    name: str, just: Any, want: Want
) -> None:
    """Pair after pair in one memory, so that what is left of a pair would be seen."""
    profile = replace(PROFILES[name], just=just)

    @settings(max_examples=examples(60), deadline=None, suppress_health_check=SLOW)
    @given(left=graphs(), right=graphs())
    def check(left: Any, right: Any) -> None:
        pair = encode(left, profile), encode(right, profile)
        assert in_kernel(*pair, profile, want) == best_match(left, right, profile)

    check()


@pytest.mark.usefixtures("kernel")
@settings(max_examples=examples(80), deadline=None, suppress_health_check=SLOW)
@given(
    left=graphs(), right=graphs(), scale=st.sampled_from([1, 7, 1000]), data=st.data()
)
def test_the_kernel_answers_as_the_solvers_do(
    left: Any, right: Any, scale: int, data: st.DataObject
) -> None:
    """Of the problem with grades and restrictions, solutions worth the same."""
    n, m = len(left.variables), len(right.variables)
    cells = st.lists(st.integers(0, 2 * scale), min_size=n * m, max_size=n * m)
    grades = np.array(data.draw(cells), dtype=np.int64)
    partners = [
        sorted(data.draw(st.sets(st.integers(0, m - 1)))) if m else [] for _ in range(n)
    ]
    begins = np.cumsum([0, *map(len, partners)], dtype=np.int32)
    flat = np.array([j for row in partners for j in row], dtype=np.int32)
    for solver in (Auto(), BranchAndBound()):
        for allowed in (None, (begins, flat)):
            document = None if allowed is None else Document()
            sides = (replace(graph, document=document) for graph in (left, right))
            one, other = (encode(graph, SMATCH) for graph in sides)
            stated = GraphProblem(one, other, SMATCH, scale, grades)
            stated.__dict__["allowed"] = allowed
            found = align(stated, solver).solution
            wanted = solver.solve(stated.problem)
            bound = align(stated, solver, want="bound").bound
            assert bound >= wanted.value / scale
            assert found is not None
            assert stated.problem.value(found.alignment) == found.value
            # there may be several optimal alignments
            same = replace(found, seconds=0.0, alignment=wanted.alignment)
            assert same == replace(wanted, seconds=0.0)
            assert {*zip(stated.problem.left, stated.problem.right, strict=True)} <= {
                (i, j)
                for i in range(n)
                for j in (range(m) if allowed is None else partners[i])
            }


@pytest.mark.usefixtures("kernel")
def test_nothing_in_common_and_nothing_at_all() -> None:
    one, other = coded("(a / b)"), coded("(c / d)")
    assert in_kernel(one, other) == 1  # the mark of the root
    assert in_kernel(one, one) == 2
    profile = replace(SMATCH, just="relation")
    empty = [coded(text, profile) for text in ("(a / b)", "(c / d)")]
    assert in_kernel(empty[0], empty[1], profile) == 0


@pytest.mark.usefixtures("kernel")
def test_what_is_large_is_left_to_the_solvers() -> None:
    wide = " ".join(f":ARG0 (c{k} / d)" for k in range(150))
    many = coded(f"(a / b {wide})")
    assert many.n_variables**2 > LARGE
    assert in_kernel(many, many) is None
    narrow = coded("(a / b :ARG0 (c / d))")
    assert in_kernel(many, narrow) == 4


def test_what_is_not_proved_at_once_is_left_to_the_solvers(
    interpreted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = coded("(a / and :op (x / x1) :op (y / y1) :ARG0 x :ARG1 y)")
    right = coded("(o / or :op (z / z1) :op (w / w1) :ARG1 z :ARG0 w)")
    assert in_kernel(left, right) == 5
    monkeypatch.setattr(interpreted.Search, "run", lambda *_: True)
    monkeypatch.setattr(interpreted.Search, "averaged", False, raising=False)
    monkeypatch.setattr(interpreted.Search, "proved_bound", lambda *_: 9)
    assert in_kernel(left, right) is None


def test_certificates_are_the_solvers() -> None:
    one, solver = coded("(a / b)"), Asked()
    limits = Limits(record_proof=True)
    found = align(GraphProblem(one, one, SMATCH), solver, limits)
    assert solver.asked
    assert found.solution is not None
    assert found.solution.certificate is not None


class Stubborn(BranchAndBound):
    """Searches in a way of its own."""

    def _solve(self, problem: Any, progress: Any) -> Any:
        return super()._solve(problem, progress)._replace(bound=None)


def test_a_solver_that_searches_otherwise_is_not_passed_over() -> None:
    assert Stubborn().kernel_nodes is None
    assert BranchAndBound(nodes=1).kernel_nodes is None
    assert BranchAndBound().kernel_nodes == BranchAndBound.kernel_nodes.fget(  # type: ignore[attr-defined]  # a property
        BranchAndBound()
    )


def test_an_alignment_that_matches_something_else_is_an_error(
    interpreted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interpreted.Matched, "count_matches", lambda *_: 3)
    one = coded("(a / b)")
    with pytest.raises(CertificationError, match="matches another number"):
        in_kernel(one, one)


@pytest.mark.usefixtures("kernel")
def test_documents_say_which_variables_may_be_aligned() -> None:
    """A constant of a document is aligned with its namesake alone."""
    text = "(a / b :ARG0 (author / d))"
    graph = as_graph(text, SMATCH)
    bound = replace(graph, document=Document(constants=frozenset((1,))))
    other = replace(bound, variables=("a", "c"))
    for left, right, wanted in (
        (bound, bound, 4),
        (bound, other, 2),
        (graph, graph, 4),
    ):
        pair = [encode(side, SMATCH) for side in (left, right)]
        assert in_kernel(pair[0], pair[1]) == wanted


def test_the_construction_of_a_problem_counts_as_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    metric: Any = exactmatch.make_metric("smatch", solver="highs")
    sides = (metric.read(f"({v} / bark)").item for v in "ab")
    graph_problem = metric.build_problem(*map(metric.prepare, sides))
    clock = iter([10.0, 10.75, *range(20, 99)])
    monkeypatch.setattr(module, "perf_counter", lambda: next(clock))
    seconds: list[float | None] = []

    def solve(problem: Any, solver: Any, limits: Limits | None) -> Any:
        seconds.append(None if limits is None else limits.seconds)
        return solver.solve(problem, limits)

    monkeypatch.setattr(module, "solve", solve)
    aligned = align(graph_problem, metric.solver, Limits(seconds=1.0))
    assert (aligned.matched, seconds) == (2, [0.25])
