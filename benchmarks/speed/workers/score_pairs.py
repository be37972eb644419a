"""Score the pairs of two files one by one with exactmatch.

usage: score_pairs.py PRED GOLD

Writes the seconds of each pair, from its text to its proven score; imports are not
counted.
"""

from __future__ import annotations

import json
import sys
import time


def main() -> None:
    """Score each pair."""
    import exactmatch
    from exactmatch.formats.blocks import read_blocks

    sides = (["\n".join(b.content) for b in read_blocks(p)] for p in sys.argv[1:3])
    for solver in ("auto", "highs"):
        exactmatch.smatch("(a / a)", "(a / a)", solver=solver)
    for pred, gold in zip(*sides, strict=True):
        started = time.perf_counter()
        score = exactmatch.smatch(pred, gold)
        seconds = time.perf_counter() - started
        print(json.dumps({"seconds": seconds, "f1": score.f1}), flush=True)


if __name__ == "__main__":
    main()
