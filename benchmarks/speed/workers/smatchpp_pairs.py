"""Score the pairs of two files one by one with smatchpp's integer linear program.

usage: smatchpp_pairs.py PRED GOLD

Writes the seconds of each pair, from its text to its score.
"""

from __future__ import annotations

import json
import re
import sys
import time
from pathlib import Path


def main() -> None:
    """Score each pair."""
    from smatchpp import Smatchpp, solvers

    measure = Smatchpp(alignmentsolver=solvers.ILP())
    sides = (
        re.split(r"\n\s*\n", Path(path).read_text(encoding="utf-8").strip())
        for path in sys.argv[1:3]
    )
    for pred, gold in zip(*sides, strict=True):
        started = time.perf_counter()
        score = measure.score_pair(pred, gold)
        seconds = time.perf_counter() - started
        f1 = score["main"]["F1"] / 100
        print(json.dumps({"seconds": seconds, "f1": f1}), flush=True)


if __name__ == "__main__":
    main()
