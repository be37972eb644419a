"""Kill worker processes at random moments, and see that nothing hangs or is lost.

``python -m benchmarks.kills PRED GOLD --runs 500`` scores two files with ``-j 2`` again
and again.  In each run one of the program's processes gets a SIGKILL at a random
moment, or several do (``--kills``).  A run is *right* if its output is that of a run in
one process, times left out; it *hangs* if it takes longer than ``--patience`` seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path


def main() -> int:
    """Run the campaign and print what came of it; 1 if a run was not right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs=2, metavar="FILE", help="PRED GOLD")
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--kills", type=int, default=1, help="processes for each run")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--patience", type=float, default=120.0)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    command = [sys.executable, "-m", "exactmatch", *args.files]
    command += ["--per-pair", "--format", "jsonl", "-q"]
    command += ["--solver", "hungarian"]  # whose work no process keeps for itself
    expected = _records(subprocess.run(command, capture_output=True, check=True).stdout)
    command += ["-j", str(args.jobs)]
    started = time.monotonic()
    subprocess.run(command, capture_output=True, check=True)
    usual = time.monotonic() - started
    draw = random.Random(args.seed)
    outcomes: Counter[str] = Counter()
    killed = 0
    for number in range(args.runs):
        moments = sorted(draw.uniform(0, usual) for _ in range(args.kills))
        outcome, kills = _run(command, moments, draw, expected, args.patience)
        outcomes[outcome] += 1
        killed += kills
        if outcome != "right":
            print(f"run {number}: {outcome}", flush=True)
    counted = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.items())
    print(f"{args.runs} runs, {killed} processes killed: {counted}")
    return 0 if set(outcomes) == {"right"} else 1


def _run(
    command: list[str],
    moments: list[float],
    draw: random.Random,
    expected: list[object],
    patience: float,
) -> tuple[str, int]:
    """Return one run; what came of it, and how many processes were killed."""
    started = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    kills = 0
    for moment in moments:
        time.sleep(max(started + moment - time.monotonic(), 0.0))
        workers = _workers(process.pid)
        if workers:
            with suppress(ProcessLookupError):
                os.kill(draw.choice(workers), signal.SIGKILL)
                kills += 1
    try:
        output, errors = process.communicate(timeout=patience)
    except subprocess.TimeoutExpired:
        for worker in (*_workers(process.pid), process.pid):
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)
        process.communicate()
        return "hung", kills
    if process.returncode:
        return f"exit code {process.returncode}: {errors.decode()[-300:]}", kills
    return "right" if _records(output) == expected else "other output", kills


def _workers(parent: int) -> list[int]:
    """Return the processes that a program has started to work for it."""
    records = []
    with suppress(FileNotFoundError):
        tasks = Path(f"/proc/{parent}/task").iterdir()
        children = [(task / "children").read_text().split() for task in tasks]
        for child in (int(child) for numbers in children for child in numbers):
            with suppress(FileNotFoundError):
                called = Path(f"/proc/{child}/cmdline").read_bytes()
                if b"popen_loky" in called:
                    records.append(child)
    return records


def _records(output: bytes) -> list[object]:
    """Return a run's records of the pairs, without their times."""
    records = [json.loads(line) for line in output.splitlines()]
    for record in records:
        record.pop("seconds", None)
    return records


if __name__ == "__main__":
    sys.exit(main())
