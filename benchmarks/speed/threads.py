"""Two threads of one process beside one: a loop over prepared pairs, without ``-j``."""

from __future__ import annotations

from time import perf_counter, process_time
from typing import TYPE_CHECKING

from benchmarks.speed import texts
from benchmarks.speed.documents import PARA
from benchmarks.speed.spec import Measure, Outcome, Row, Setting, middle, ratio

if TYPE_CHECKING:
    from exactmatch import Scorer
    from exactmatch.many import PreparedGraphs

_ROUNDS = 40
"""So often every pair is scored in a run, so that a run takes long enough."""


def run(setting: Setting) -> Outcome:
    """Measure wall and CPU time of ``Scorer.update`` with one and with two threads."""
    from exactmatch import Scorer

    pairs = texts.pairs_of(setting, PARA)
    scorer = Scorer("smatch")
    golds = scorer.prepare([gold for _, gold in pairs])
    preds = scorer.prepare([pred for pred, _ in pairs])
    rounds = 1 if setting.smoke else _ROUNDS
    walls: dict[int, list[float]] = {1: [], 2: []}
    cpus: dict[int, list[float]] = {1: [], 2: []}
    totals = set()
    for turn in range(setting.warmup + setting.repeats):
        for threads in walls:
            scorer.reset()
            wall, cpu = perf_counter(), process_time()
            _update(scorer, preds, golds, threads, rounds)
            if turn >= setting.warmup:
                walls[threads].append(perf_counter() - wall)
                cpus[threads].append(process_time() - cpu)
            totals.add(scorer.compute().scores[0].score.matched)
        setting.say(f"  run {turn + 1}")
    if len(totals) != 1:
        return Outcome((Row("Scorer", note="the threads' results differ"),))
    rows = tuple(
        Row(
            f"{threads} thread{'s' if threads > 1 else ''}",
            {"wall s": middle(walls[threads]), "cpu s": middle(cpus[threads])},
        )
        for threads in walls
    )
    measure = Measure(
        "one thread / two threads, wall time",
        ratio(middle(walls[1]), middle(walls[2])),
        "at least",
        1.7,
        "×",
    )
    return Outcome(rows, (measure,), (f"{len(pairs):,} prepared pairs × {rounds}",))


def _update(
    scorer: Scorer,
    preds: PreparedGraphs,
    golds: PreparedGraphs,
    threads: int,
    rounds: int,
) -> None:
    """Score all pairs so many times, each thread its part of them."""
    from concurrent.futures import ThreadPoolExecutor

    half = len(preds) // threads
    parts = [slice(k * half, (k + 1) * half) for k in range(threads)]
    parts[-1] = slice((threads - 1) * half, len(preds))

    def work(part: slice) -> None:
        mine = preds[part], golds[part]
        for _ in range(rounds):
            scorer.update(*mine)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, parts))
