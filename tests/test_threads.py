"""Several threads get what one gets, from shared metrics and from the kernels.

With a global interpreter lock threads take turns after every few instructions here;
without one they run at the same time.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from typing import Any

import numpy as np
import pytest

import exactmatch
from exactmatch.formats.pairs import sources
from exactmatch.metrics.making import make_metric

THREADS = 8


@pytest.fixture(autouse=True)
def _that_take_turns_often() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.fixture(scope="module")
def pairs() -> list[tuple[str, str]]:
    """The sample's pairs, as text."""
    sample = files("exactmatch") / "sample"
    paths = [str(sample / name) for name in ("pred.amr", "gold.amr")]
    streams = sources(paths)
    texts = [["\n".join(block.lines) for block in stream] for stream in streams]
    return list(zip(*texts, strict=True))


def in_threads(work: Callable[[Any], Any], tasks: list[Any]) -> list[Any]:
    """What several threads make of the tasks, each of all of them, in other orders."""

    def all_of_them(start: int) -> list[Any]:
        order = [(start + k) % len(tasks) for k in range(len(tasks))]
        found = {number: work(tasks[number]) for number in order}
        return [found[number] for number in range(len(tasks))]

    with ThreadPoolExecutor(THREADS) as threads:
        return list(threads.map(all_of_them, range(THREADS)))


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["smatch", "s2match", "sembleu", "yisi", "rematch", "wlk", "bleu"]
)
@pytest.mark.filterwarnings("ignore::exactmatch.errors.ExactmatchWarning")
def test_one_metric_serves_several_threads(
    name: str, pairs: list[tuple[str, str]]
) -> None:
    def scored(pair: tuple[str, str]) -> tuple[Any, ...]:
        found = exactmatch.score(*pair, metric=metric)
        return found.matched, found.precision, found.recall, found.score, found.bound

    metric = make_metric(name)
    alone = [scored(pair) for pair in pairs]
    metric = make_metric(name)  # whose caches are empty
    assert in_threads(scored, pairs) == [alone] * THREADS


@pytest.mark.skipif(
    getattr(sys, "_is_gil_enabled", lambda: True)(), reason="this Python has the lock"
)
def test_the_kernels_leave_the_lock_off() -> None:
    """A kernel that does not say that it needs no lock would turn it on.

    In a process of its own: other packages turn it on, such as lxml, which sacreBLEU
    imports.
    """
    code = (
        "import sys; from exactmatch.solvers.kernel import compiled\n"
        "names = 'exactmatch.engine._pairs', 'exactmatch.formats.dialects._smatch'\n"
        "assert all(compiled.is_compiled(compiled.load(name)) for name in names)\n"
        "print(sys._is_gil_enabled())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("False\n", "")


@pytest.mark.parametrize("solver", ["bnb", "highs", "hillclimb"])
@pytest.mark.filterwarnings("ignore::exactmatch.errors.ExactmatchWarning")
def test_solvers_work_in_several_threads(
    solver: str, pairs: list[tuple[str, str]]
) -> None:
    def scored(pair: tuple[str, str]) -> tuple[Any, ...]:
        found = exactmatch.smatch(*pair, solver=solver)
        return found.matched, found.bound, found.f1

    some = pairs[:10]
    alone = [scored(pair) for pair in some]
    assert in_threads(scored, some) == [alone] * THREADS


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::exactmatch.errors.ExactmatchWarning")
def test_matrices_are_computed_in_several_threads_at_once(
    pairs: list[tuple[str, str]],
) -> None:
    preds, golds = map(list, zip(*pairs, strict=True))
    alone = exactmatch.cdist(preds, golds)
    for found in in_threads(lambda _: exactmatch.cdist(preds, golds, jobs=2), [0]):
        assert np.array_equal(found[0], alone)
