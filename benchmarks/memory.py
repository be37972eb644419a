"""Call exactmatch again and again in one process, and see that its memory stays flat.

``python -m benchmarks.memory --calls 100000`` prints the process's resident memory at
ten moments of that many calls of :func:`exactmatch.smatch`, and of the command line's
``main`` on one pair of graphs.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import io
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import exactmatch
from exactmatch.cli.main import main as command_line

_PRED = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"
_GOLD = "(w / want-01 :ARG0 (b / girl) :ARG1 (g / go-02 :ARG0 b :time (n / now)))"
_WARM_UP = 200
_MOMENTS = 10


def main() -> int:
    """Run both and print tables; 1 if memory grew by more than a hundred bytes a call.

    A hundred bytes are less than any object that a call might leave behind.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=100_000)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        pred, gold = Path(folder) / "pred.amr", Path(folder) / "gold.amr"
        pred.write_text(_PRED + "\n")
        gold.write_text(_GOLD + "\n")

        def commanded() -> None:
            with contextlib.redirect_stdout(io.StringIO()):
                command_line([str(pred), str(gold)])

        grown = [
            _grown("exactmatch.smatch", _scored, args.calls),
            _grown("exactmatch.cli.main.main", commanded, args.calls),
        ]
    return 1 if max(grown) > 100 else 0


def _scored() -> None:
    exactmatch.smatch(_PRED, _GOLD)


def _grown(name: str, call: Callable[[], None], calls: int) -> float:
    """Print how memory goes; return by how many bytes a call it grew."""
    for _ in range(_WARM_UP):
        call()
    first = _resident()
    print(f"{name}: {first // 1024} KiB after {_WARM_UP} calls")
    for moment in range(1, _MOMENTS + 1):
        for _ in range(calls // _MOMENTS):
            call()
        print(f"  {moment * (calls // _MOMENTS):>9} more: {_resident() // 1024} KiB")
    grown = (_resident() - first) / calls
    print(f"  {grown:.1f} bytes a call")
    return grown


def _resident() -> int:
    """Bytes of memory that the process holds (Linux)."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


if __name__ == "__main__":
    sys.exit(main())
