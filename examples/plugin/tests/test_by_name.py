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


def test_the_option_of_the_metric_works_everywhere(tmp_path: Path) -> None:
    """``bark`` has four letters, ``dog`` and ``cat`` have three."""
    (tmp_path / "pred.arrows").write_text(PRED)
    (tmp_path / "gold.arrows").write_text(GOLD)
    both = ("pred.arrows", "gold.arrows", "--metric", "overlap")
    assert run(tmp_path, *both, "--least-length", "4", "-q") == "1.0000\n"
    assert "|least-length:4|" in run(tmp_path, *both, "--least-length", "4")
    assert "|least-length:0|" in run(tmp_path, *both)
    pair = ("(b / bark :ARG0 (d / dog))", "(b / bark :ARG0 (d / cat))")
    for least, f1 in ((0, 0.5), (4, 1.0)):
        metric = exactmatch.make_metric("overlap", least_length=least)
        result = exactmatch.evaluate([pair[0]], [pair[1]], metric)
        assert result.scores[0].f1 == f1
        assert f"|least-length:{least}|" in result.scores[0].signature
    for toml in ("least-length = 4\n", "[score]\nleast-length = 4\n"):
        (tmp_path / "exactmatch.toml").write_text(toml)
        assert run(tmp_path, *both, "-q") == "1.0000\n"
    (tmp_path / "exactmatch.toml").unlink()
    assert "--least-length" in run(tmp_path, "help", "overlap")
    assert "--least-length" in run(tmp_path, "completion", "bash")


def test_python_finds_them() -> None:
    score = exactmatch.score(
        "(b / bark)", "(b / bark :ARG0 (d / dog))", metric="overlap"
    )
    assert score.f1 == 2 / 3
    place = "exactmatch_example.overlap:Overlap"
    assert exactmatch.score("(b / bark)", "(b / bark)", metric=place).f1 == 1.0
    result = exactmatch.smatch("(b / bark)", "(b / bark)", solver="greedy")
    assert result.f1 == 1.0
