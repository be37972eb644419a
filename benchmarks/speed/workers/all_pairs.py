"""Score all ordered pairs of a file's graphs in one call.

usage: all_pairs.py FILE
"""

from __future__ import annotations

import json
import sys
import time


def main() -> None:
    """Score, and write one line with the figures."""
    import exactmatch
    from exactmatch.formats.blocks import read_blocks

    graphs = ["\n".join(block.content) for block in read_blocks(sys.argv[1])]
    preds = [graph for graph in graphs for _ in graphs]
    golds = graphs * len(graphs)
    started = time.perf_counter()
    report = exactmatch.evaluate(preds, golds, keep_pairs=False)
    seconds = time.perf_counter() - started
    corpus = report.scores[0]
    record = {"pairs": corpus.pairs, "proven": corpus.proven, "seconds": seconds}
    print(json.dumps(record | {"f1": corpus.score.f1}))


if __name__ == "__main__":
    main()
