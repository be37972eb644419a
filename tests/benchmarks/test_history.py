"""The history of figures is drawn as it stands, and rivals' answers are read."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import pytest

pytest.importorskip("benchmarks.history", reason="the benchmarks are in the repository")

from benchmarks import history, rivals
from benchmarks.speed.measuring import Run


def test_the_picture_shows_the_lines_that_are_there() -> None:
    lines = history.lines()
    assert lines == sorted(lines, key=lambda line: str(line["date"]))
    assert all({*line["cpu_seconds"]} <= {*history.FIGURES} for line in lines)
    assert history.PICTURE.read_text("utf-8") == f"{history.drawing(lines)}\n"


def test_the_least_time_counts_and_what_was_found_is_read() -> None:
    outputs = ("*** GEDs ***\n3\n4\n*** GEDs ***\n",) * 2
    runs = [
        Run(9.0, cpu, 1.0, out) for cpu, out in zip((2.0, 1.0), outputs, strict=True)
    ]
    assert rivals.paired(2)(runs) == rivals.Timing(1.0, 2, "7")
    printed = (
        "  [Result] ElapsedTime         : 2.5\n  [Result] GED                 : 5\n"
    )
    assert rivals.clocked([Run(1, 1, 1, printed)]) == rivals.Timing(0.0025, 1, "5")
    table = "smatch     0.7950  0.7811  0.7880\n"
    score = rivals.whole(40, r"smatch\s+[\d.]+\s+[\d.]+\s+([\d.]+)")
    assert score([Run(1, 0.5, 1, table)]) == rivals.Timing(0.5, 40, "0.7880")


def test_what_is_not_at_hand_is_a_line_that_says_so(tmp_path: Path) -> None:
    graphs = tmp_path / "data" / "ged" / "neural" / "aids.jsonl"
    graphs.parent.mkdir(parents=True)
    graphs.write_text('{"n": 1, "labels": ["C"], "edges": []}\n' * 2, "utf-8")
    args = argparse.Namespace(
        our_python="no-python",
        peer_python="no-python",
        mtool_python="no-python",
        programs=None,
        data=tmp_path,
    )
    lines = [
        line for job in rivals.jobs(args, tmp_path) for line in rivals.table(job, {})
    ]
    assert [rivals._short(x) for x in (0.05234, 2.0, 59123.0)] == [
        "0.0523",
        "2",
        "59,100",
    ]
    absent = [line.split(" |")[0] for line in lines if "not run" in line]
    assert {"| BBB f8e2236", "| FORI", "| mtool 4cee3a2"} <= {*absent}


def test_drawn_pairs_are_written_and_nothing_else_changes(tmp_path: Path) -> None:
    """Programs in ``workers/`` change ``sys.path``; processes inherit it."""
    path = [*sys.path]
    pairs = rivals._drawn_pairs(tmp_path)
    assert sys.path == path
    for first, second in pairs:
        sizes = {int(one.read_text("utf-8").split()[0]) for one in (first, second)}
        assert len(sizes) == 1
        assert 20 <= sizes.pop() <= 40
