"""Matrices, searches and consensus on a file's graphs, in one process.

usage: many.py FILE GRAPHS
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any


def measured(what: str, pairs: int, work: Callable[[], Any]) -> Any:
    """Do some work, write what it cost, and return what came of it."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    record = {
        "what": what,
        "pairs": pairs,
        "wall": time.perf_counter() - wall,
        "cpu": time.process_time() - cpu,
    }
    print(json.dumps(record), flush=True)
    return result


def main() -> None:
    """Do everything once."""
    import numpy as np

    import exactmatch
    from exactmatch.formats.blocks import read_blocks

    texts = list(dict.fromkeys("\n".join(b.content) for b in read_blocks(sys.argv[1])))
    random.Random(0).shuffle(texts)
    graphs = [exactmatch.read(text) for text in texts[: int(sys.argv[2])]]
    n = len(graphs)
    few = graphs[:100]
    preds, golds = [g for g in few for _ in few], few * len(few)
    measured(
        "evaluate",
        len(preds),
        lambda: exactmatch.evaluate(preds, golds, keep_pairs=False),
    )
    others = list(graphs)
    whole = measured("cdist", n * n, lambda: exactmatch.cdist(graphs, others))
    for cutoff in (0.5, 0.8):
        scores = measured(
            f"cdist, at_least={cutoff}",
            n * n,
            partial(exactmatch.cdist, graphs, others, at_least=cutoff),
        )
        assert np.array_equal(scores, np.where(whole >= cutoff, whole, 0.0))
    scores = measured(
        "cdist, jobs=2", n * n, lambda: exactmatch.cdist(graphs, others, jobs=2)
    )
    assert np.array_equal(scores, whole)
    bank = exactmatch.many.Bank.build(graphs)
    queries = graphs[:200]
    scores = measured(
        "search, k=10", len(queries) * n, lambda: exactmatch.search(queries, bank)
    )
    for row, neighbours in zip(whole, scores, strict=False):
        order = sorted((-score, j) for j, score in enumerate(row.tolist()))
        assert neighbours == [(j, -score) for score, j in order[:10]]
    size = min(10, n)
    sentences = [graphs[i : i + size] for i in range(0, n - size + 1, size)]
    measured(
        f"ensemble of {size} candidates",
        len(sentences) * size * size,
        lambda: exactmatch.ensemble(sentences, prune=True),
    )


if __name__ == "__main__":
    main()
