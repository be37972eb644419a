"""Draw the pairs of two files, one by one.

usage: drawings.py PRED GOLD
"""

from __future__ import annotations

import json
import sys
import time


def main() -> None:
    """Time the drawing of each reference, and of each pair; one line a pair."""
    import exactmatch
    from exactmatch.formats.blocks import read_blocks

    pred, gold = (
        ["\n".join(block.content) for block in read_blocks(path)]
        for path in sys.argv[1:3]
    )
    exactmatch.draw(pred[0], gold[0])  # imports are not counted
    for one, other in zip(pred, gold, strict=True):
        started = time.perf_counter()
        exactmatch.draw(other)
        alone = time.perf_counter()
        exactmatch.draw(one, other)
        both = time.perf_counter()
        record = {"graph": 1000 * (alone - started), "pair": 1000 * (both - alone)}
        print(json.dumps(record), flush=True)


if __name__ == "__main__":
    main()
