"""Pairs of which only numbers are wanted are counted without a solution."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest
from support.running import score_files

from exactmatch import InputError, Settings, make_metric
from exactmatch.engine.problem import CodedGraph, GraphProblem
from exactmatch.metrics.finegrained.scores import finegrained
from exactmatch.metrics.smatch import Smatch

GOOD = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"
OTHER = "(w / want-01 :ARG0 (g / girl) :ARG1 (l / leave-11 :ARG0 g))"
LENIENT = "(a / b :c (d / e)"

Write = Callable[..., str]


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_without_solutions_everything_else_is_the_same(write: Write, jobs: int) -> None:
    """Counted in the kernel, or in those of other processes."""
    preds = [GOOD, OTHER, LENIENT, '(a / b :op "x y" :mod "z")', "(a / b :c-of 3)"] * 9
    files = write("p.amr", *preds), write("g.amr", *preds[1:], GOOD)
    reports = [
        score_files(*files, settings=Settings(keep_solutions=keep, jobs=jobs))
        for keep in (True, False)
    ]
    full, short = reports
    assert full["smatch"] == short["smatch"]
    assert full.warnings == short.warnings
    for one, other in zip(full.pairs, short.pairs, strict=True):
        assert one.solved.is_optimal
        assert dataclasses.replace(one, solution=None) == other
        with pytest.raises(InputError, match=r"pair \d+ \(\d+\) was not kept"):
            _ = other.solved


@pytest.mark.parametrize(
    "settings",
    [
        Settings(keep_solutions=False, time_limit=60),
        Settings(keep_solutions=False, proofs="record"),
        Settings(keep_solutions=False, keep_problems=True),
        Settings(keep_solutions=False, keep_graphs=True),
    ],
)
def test_what_needs_a_solver_has_one(settings: Settings, write: Write) -> None:
    files = write("p.amr", GOOD), write("g.amr", OTHER)
    assert settings.want != "count"
    (pair,) = score_files(*files, settings=settings).pairs
    assert pair.solved.value == pair.score.matched


@pytest.mark.parametrize("solver", ["cpsat", "hillclimb", "bnb:nodes=1"])
def test_another_solver_is_not_passed_over(solver: str, write: Write) -> None:
    files = write("p.amr", GOOD), write("g.amr", OTHER)
    metric = make_metric("smatch", solver=solver)
    settings = Settings(keep_solutions=False)
    (pair,) = score_files(*files, metrics=metric, settings=settings).pairs
    assert pair.solved.solver == solver.partition(":")[0]


class Doubled(Smatch):
    """States the alignment of a graph with itself."""

    def build_problem(self, left: CodedGraph, right: CodedGraph) -> GraphProblem:
        del right
        return super().build_problem(left, left)


def test_a_metric_that_states_another_problem_is_not_passed_over(write: Write) -> None:
    files = write("p.amr", GOOD), write("g.amr", OTHER)
    settings = Settings(keep_solutions=False)
    (pair,) = score_files(*files, metrics=Doubled(), settings=settings).pairs
    assert pair.score.matched == pair.score.pred_total
    assert not Doubled().packs


def test_aligned_fine_grained_scores_are_counted_too(write: Write) -> None:
    files = write("p.amr", GOOD, OTHER), write("g.amr", OTHER, GOOD)
    metrics = finegrained("exact")
    full, short = (
        score_files(*files, metrics=metrics, settings=Settings(keep_solutions=keep))
        for keep in (True, False)
    )
    assert full.scores == short.scores
    solved = [pair for pair in short.pairs if pair.score.proven]
    assert len(solved) > 2
    assert {pair.solution for pair in short.pairs} == {None}
