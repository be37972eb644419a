"""Score the pairs of two files one by one with smatch 1.0.4.

usage: smatch_pairs.py PRED GOLD RESTARTS

Writes the seconds of each pair, from its text to its score.
"""

from __future__ import annotations

import json
import sys
import time


def main() -> None:
    """Score each pair."""
    import smatch
    from amr import AMR

    smatch.iteration_num = int(sys.argv[3]) + 1
    with (
        open(sys.argv[1], encoding="utf-8") as preds,
        open(sys.argv[2], encoding="utf-8") as golds,
    ):
        while (pred := AMR.get_amr_line(preds)) and (gold := AMR.get_amr_line(golds)):
            started = time.perf_counter()
            counts = smatch.get_amr_match(pred, gold)
            smatch.match_triple_dict.clear()
            f1 = smatch.compute_f(*counts)[2]
            seconds = time.perf_counter() - started
            print(json.dumps({"seconds": seconds, "f1": f1}), flush=True)


if __name__ == "__main__":
    main()
