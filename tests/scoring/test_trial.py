"""Which pairs are scored in this process, though there may be others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from exactmatch.formats.pairs import UnreadPair
from exactmatch.graphs.graph import Graph
from exactmatch.metrics.base import Metric
from exactmatch.metrics.score import Score
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring import parallel
from exactmatch.scoring.parallel import Trial
from exactmatch.scoring.report import Report
from exactmatch.studies.score.evaluate import evaluate

SMALL = "(a / b)"


class Clock:
    """A clock that a pair moves on by as much as it takes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
        self.now = 0.0
        self.seconds = seconds
        monkeypatch.setattr("time.process_time", lambda: self.now)

    def scored(self, pairs: Iterator[UnreadPair]) -> int:
        """Score pairs, and say how many."""
        number = 0
        for _ in pairs:
            number += 1
            self.now += self.seconds
        return number


def scored(report: Report) -> list[tuple[int, Score]]:
    return [(pair.index, pair.score) for pair in report.pairs]


def given(number: int, text: object = SMALL) -> Iterator[UnreadPair]:
    return iter([UnreadPair(k, None, text, (SMALL,)) for k in range(number)])


@pytest.fixture(autouse=True)
def usual(usual_trial: None) -> None:
    """Try pairs here as outside of tests."""


@pytest.mark.parametrize("total", [0, 1, 64, 65, 1000])
def test_little_work_is_all_done_here(
    monkeypatch: pytest.MonkeyPatch, total: int
) -> None:
    pairs = Trial([Smatch()], total)
    assert Clock(monkeypatch, 0.001).scored(pairs.pairs(given(total))) == total
    assert pairs.is_over


def test_where_the_first_pairs_promise_much_work_others_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """64 pairs of a millisecond are scored; 2,001 more would take two seconds."""
    source, pairs = given(2066), Trial([Smatch()], 2066)
    assert Clock(monkeypatch, 0.001).scored(pairs.pairs(source)) == 64
    assert not pairs.is_over
    assert [pair.index for pair in pairs.left] == [64]
    assert next(source).index == 65


@pytest.mark.parametrize(
    "large",
    ["(a / b :c " * 1000, 5, Graph(tuple(map(str, range(101))), (), (), (), ())],
    ids=["text", "unknown", "graph"],
)
def test_what_may_do_harm_is_never_tried_here(large: object) -> None:
    pairs = Trial([Smatch()], 3)
    assert list(pairs.pairs(given(3, large))) == []
    assert (len(pairs.left), pairs.is_over) == (1, False)


class Foreign(Smatch):
    """A metric of somebody else."""


@pytest.mark.parametrize(
    ("metric", "total"),
    [(Foreign(), 3), (Smatch(solver="cpsat"), 3), (Smatch(), None)],
    ids=["metric", "solver", "unknown number"],
)
def test_nothing_is_tried_with_foreign_code_or_an_unknown_number(
    metric: Metric, total: int | None
) -> None:
    pairs = Trial([metric], total)
    assert list(pairs.pairs(given(3))) == []
    assert (pairs.left, pairs.is_over) == ([], False)


def test_a_small_evaluation_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "Processes", lambda *_: pytest.fail("a process"))
    graphs = [f"(a / x{k % 3} :quant {k})" for k in range(70)]
    report = evaluate(graphs, graphs[::-1], jobs=2)
    assert scored(report) == scored(evaluate(graphs, graphs[::-1]))


@pytest.mark.slow
def test_results_are_the_same_where_others_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(parallel, "_WORTH", 0.0)
    graphs = [f"(a / x{k % 3} :quant {k})" for k in range(70)]
    report = evaluate(graphs, graphs[::-1], ["smatch", "sembleu"], jobs=2)
    expected = evaluate(graphs, graphs[::-1], ["smatch", "sembleu"])
    assert scored(report) == scored(expected)
