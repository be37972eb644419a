"""Hold what is done with many graphs against the plain double loop, bit for bit.

``python -m benchmarks.double_loop FILE … --graphs 2000`` scores each two of that many
graphs one after another, each pair by itself: reading and preparing apart, that is what
a loop over :func:`exactmatch.score` does.  Then it asks ``cdist`` (alone, with a score
cutoff, in threads, in processes and through Dask), ``search`` and ``ensemble``, and
compares every number.  It prints a line for each, with the CPU time of this process.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager, nullcontext
from multiprocessing import get_context
from typing import Any

import numpy as np
import numpy.typing as npt

import exactmatch
from exactmatch.formats.blocks import read_blocks

_CANDIDATES = 10


def main() -> int:
    """Compare everything; 1 if a number differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", metavar="FILE", help="graphs")
    parser.add_argument("--graphs", type=int, default=2000, help="default: 2000")
    parser.add_argument("--seed", type=int, default=0, help="of which graphs")
    parser.add_argument("--metric", default="smatch")
    args = parser.parse_args()
    texts = dict.fromkeys(
        "\n".join(block.content) for file in args.files for block in read_blocks(file)
    )
    chosen = [text for text in texts if text]
    random.Random(args.seed).shuffle(chosen)
    graphs = [exactmatch.read(text) for text in chosen[: args.graphs]]
    print(f"{len(graphs):,} graphs, {len(graphs) ** 2:,} pairs", flush=True)
    checks = Checks(args.metric, graphs)
    for what, work in checks.all():
        checks.report(what, work)
    return 1 if checks.wrong else 0


class Checks:
    """A question, and whether its answers equal those of the double loop.

    Attributes:
        wrong: how many answers were not.
    """

    def __init__(self, metric: str, graphs: list[exactmatch.Graph]) -> None:
        self.wrong = 0
        self._metric = metric
        self._graphs = graphs
        self._others = list(graphs)  # another list, so that no pair is spared
        started = time.process_time()
        self._scores = double_loop(metric, graphs)
        print(f"{'double loop':<28} {time.process_time() - started:9.1f} s", flush=True)

    def report(self, what: str, work: Callable[[], bool]) -> None:
        """Ask for something, and say whether it is right."""
        started = time.process_time()
        is_right = work()
        self.wrong += not is_right
        seconds = time.process_time() - started
        verdict = "equal" if is_right else "DIFFERENT"
        print(f"{what:<28} {seconds:9.1f} s  {verdict}", flush=True)

    def all(self) -> Iterator[tuple[str, Callable[[], bool]]]:
        """Yield each question with its name."""
        yield "cdist", self._cdist
        yield "cdist, symmetric", lambda: self._cdist(symmetric=True)
        for cutoff in (0.5, 0.8):
            yield f"cdist, at_least={cutoff}", self._with_cutoff(cutoff)
        yield "cdist, jobs=2", lambda: self._cdist(jobs=2)
        yield "cdist, two processes", lambda: self._elsewhere(_processes())
        yield "cdist, Dask", lambda: self._elsewhere(_dask())
        yield "search, k=10", self._search
        yield "search, at_least=0.8", lambda: self._search(None, 0.8)
        yield "search, jobs=2", lambda: self._search(workers=2)
        yield f"ensemble of {_CANDIDATES}", self._ensemble
        yield "ensemble, pruned", lambda: self._ensemble(prune=True)

    def _cdist(self, symmetric: bool = False, **options: Any) -> bool:
        others = self._graphs if symmetric else self._others
        scores = exactmatch.cdist(self._graphs, others, self._metric, **options)
        return np.array_equal(scores, self._scores)

    def _with_cutoff(self, cutoff: float) -> Callable[[], bool]:
        def check() -> bool:
            scores = exactmatch.cdist(
                self._graphs, self._others, self._metric, at_least=cutoff
            )
            expected = np.where(self._scores >= cutoff, self._scores, 0.0)
            return np.array_equal(scores, expected)

        return check

    def _elsewhere(self, made: Any) -> bool:
        with made as executor:
            if executor is None:
                print(
                    "  (there is no dask.distributed: pip install 'exactmatch[dask]')"
                )
                return True
            return self._cdist(executor=executor, jobs=2)

    def _search(
        self, k: int | None = 10, least: float | None = None, workers: int = 1
    ) -> bool:
        neighbours = exactmatch.search(
            self._graphs,
            self._graphs,
            k,
            at_least=least,
            metric=self._metric,
            jobs=workers,
        )
        return neighbours == [_nearest(row, k, least) for row in self._scores.tolist()]

    def _ensemble(self, prune: bool = False) -> bool:
        starts = range(0, len(self._graphs), _CANDIDATES)
        sentences = [self._graphs[i : i + _CANDIDATES] for i in starts]
        choices = exactmatch.ensemble(sentences, self._metric, prune=prune)
        return all(
            _is_choice(choice, self._scores[i : i + _CANDIDATES, i : i + _CANDIDATES])
            for i, choice in zip(starts, choices, strict=True)
        )


def double_loop(metric: str, graphs: list[exactmatch.Graph]) -> npt.NDArray[np.float64]:
    """Return every score by itself, each graph prepared once."""
    made = exactmatch.make_metric(metric)
    prepared = [made.prepare(made.read(graph).item) for graph in graphs]
    scores = np.empty((len(graphs), len(graphs)))
    for i, pred in enumerate(prepared):
        for j, gold in enumerate(prepared):
            scores[i, j] = made.scores(made.compare(pred, gold).statistics).score
    return scores


def _nearest(
    row: list[float], k: int | None, least: float | None
) -> list[tuple[int, float]]:
    order = sorted((-score, number) for number, score in enumerate(row))
    ranked = [(number, -score) for score, number in order]
    return [item for item in ranked if least is None or item[1] >= least][:k]


def _is_choice(choice: exactmatch.many.Choice, scores: npt.NDArray[np.float64]) -> bool:
    """Return whether a choice is that of an unrounded sum, except where pruned."""
    share = 1.0 / len(scores)
    expected = [math.fsum(score * share for score in row) for row in scores.tolist()]
    known = all(
        own == whole or (math.isnan(own) and whole < max(expected))
        for own, whole in zip(choice.expected, expected, strict=True)
    )
    return known and choice.index == expected.index(max(expected))


def _processes() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(2, get_context("spawn"))


def _dask() -> Any:
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        return nullcontext()

    @contextmanager
    def opened() -> Iterator[Executor]:
        start: Any = LocalCluster  # has no types, nor has the client
        join: Any = Client
        with (
            start(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
            join(cluster) as client,
        ):
            yield client.get_executor()

    return opened()


if __name__ == "__main__":
    sys.exit(main())
