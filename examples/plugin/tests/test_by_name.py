"""Everything is found by its name, in commands and in Python."""

import subprocess
import sys
from pathlib import Path

import exactmatch

PRED = "# ::id 1\nb/bark -ARG0-> d/dog\n"
GOLD = "# ::id 1\nb/bark -ARG0-> d/cat\n"


def run(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "exactmatch", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_the_command_line_finds_all_four(tmp_path: Path) -> None:
    (tmp_path / "pred.arrows").write_text(PRED)
    (tmp_path / "gold.arrows").write_text(GOLD)
    both = ("pred.arrows", "gold.arrows")
    assert "0.5000" in run(tmp_path, *both, "--metric", "overlap", "-q")
    assert "0.6667" not in run(tmp_path, *both, "--metric", "overlap", "-q")
    assert "solver:greedy" in run(tmp_path, *both, "--solver", "greedy")
    assert run(tmp_path, "sizes", "pred.arrows") == "1\t2\t3\n"
    assert "(b / bark" in run(tmp_path, "convert", "pred.arrows", "--to", "penman")
    listed = run(tmp_path, "plugins", "--format", "csv")
    for name in ("overlap", "greedy", "arrows", "sizes"):
        assert f",{name},exactmatch-example 0.1.0," in listed


def test_python_finds_them() -> None:
    score = exactmatch.score("overlap", "(b / bark)", "(b / bark :ARG0 (d / dog))")
    assert score.f1 == 2 / 3
    place = "exactmatch_example.overlap:Overlap"
    assert exactmatch.score(place, "(b / bark)", "(b / bark)").f1 == 1.0
    found = exactmatch.smatch("(b / bark)", "(b / bark)", solver="greedy")
    assert found.f1 == 1.0
