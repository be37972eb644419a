"""A limit of time holds for all that is between a command and its answer."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.command import Cli

from exactmatch.cli.commands import GROUPS

FOREVER = "10000000"  # samples that nobody waits for
LIMITED: dict[str, list[str]] = {
    "score": ["P", "G", "--confidence", "--samples", FOREVER],
    "finegrained": ["P", "G", "--confidence", "--samples", FOREVER],
    "align": ["P", "G"],
    "report": ["P", "G", "-o", "page.html"],
    "errors": ["P", "G"],
    "explain-profile": ["P", "G"],
    "compare": ["G", "P", "Q", "--samples", FOREVER],
    "audit": ["P", "G"],
    "thresholds": ["P", "G", "--metric", "s2match"],
    "correlate": ["P", "G", "--human", "human.txt", "--samples", FOREVER],
    "ged": ["A", "B"],
    "ground-truth": ["A", "-o", "truth"],
    "solve": ["problem.dd"],
}
"""What each command is asked, with graphs that none can align in time."""


def graph(rng: random.Random, n: int) -> str:
    """Write a random graph in which all nodes are alike, as an AMR."""
    text = ""
    for k in range(n):
        text += f"(x{k} / a"
        for role, end in sorted({(rng.randrange(2), rng.randrange(n)) for _ in "ab"}):
            text += f" :r{role} x{end}" if end != k else ""
        text += " :r0 " if k < n - 1 else ")" * n
    return text


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, rng = tmp_path_factory.mktemp("limits"), random.Random(1)
    for name in "GPQ":
        texts = [graph(rng, 60)] + [graph(rng, 3) for _ in range(24)]
        (folder / name).write_text("\n\n".join(texts) + "\n", "utf-8")
    (folder / "human.txt").write_text("".join(f"{k % 7}\n" for k in range(25)))
    for name in "AB":
        rows = []
        for _ in range(2):
            edges = [
                f"[{i}, {k}]" for i in range(40) for k in range(i) if rng.random() < 0.4
            ]
            rows.append(f'{{"n": 40, "edges": [{", ".join(edges)}]}}\n')
        (folder / name).write_text("".join(rows))
        (folder / name).rename(folder / f"{name}.jsonl")
    return folder


@pytest.mark.slow  # the help of every command
def test_every_command_with_a_limit_is_tried(cli: Cli) -> None:
    names = [name for group in GROUPS.values() for name in group]
    limited = {
        name
        for name in names
        if re.search("--t(ime-limit|otal-time)", cli.out(name, "--help-all"))
    }
    assert limited == LIMITED.keys()


@pytest.mark.slow  # commands that work until their limit is over
@pytest.mark.parametrize("name", sorted(LIMITED.keys() - {"solve"}))
@pytest.mark.parametrize("limit", ["--time-limit", "--total-time"])
def test_a_command_ends_in_time(name: str, limit: str, place: Path) -> None:
    """None would end by itself; the bound is far above the limit, and below forever.

    By how much a limit is exceeded, the benchmark ``time-limits`` measures.
    """
    only_pairs = name in ("ged", "ground-truth")
    if limit == "--total-time" and only_pairs:
        pytest.skip("it has a limit of each pair alone")
    samples = FOREVER in LIMITED[name]
    args = [place / f"{arg}.jsonl" if arg in "AB" else arg for arg in LIMITED[name]]
    if limit == "--time-limit" and samples:  # which is of each pair, not of samples
        args = args[: args.index("--samples")]
    command = [sys.executable, "-m", "exactmatch", name, *map(str, args), limit, "1"]
    started = time.perf_counter()
    done = subprocess.run(
        command, cwd=place, capture_output=True, text=True, timeout=120
    )
    assert done.returncode in (0, 2), done.stderr
    assert "Traceback" not in done.stderr
    assert time.perf_counter() - started < 60
