"""``exactmatch solve``, and proofs in files."""

from pathlib import Path

import pytest
from support.command import Cli
from support.cutting_planes import check
from support.files import Files

from exactmatch.cli.main import main

PROBLEM = """p 2 2 4 2
a 0 0 0 -1
a 1 0 1 -2
a 2 1 0 -2
a 3 1 1 -1
e 0 3 -3
e 1 2 0.5
"""
"""The diagonal is worth 5, the other way 3.5."""


@pytest.fixture
def file(files: Files) -> str:
    return files.one("small.dd", PROBLEM)


def test_the_least_cost_and_its_matching(cli: Cli, file: str) -> None:
    (found,) = cli.json("solve", file)["problems"]
    assert (found["cost"], found["bound"], found["proven"]) == (-5, -5, True)
    assert found["alignment"] == [0, 1]
    assert (found["matches"], found["pairs"]) == (4, 2)


def test_many_problems_are_a_table(cli: Cli, file: str) -> None:
    assert (
        cli.out("solve", file, file, "--require-optimal").count(
            "-5.000000  -5.000000     yes"
        )
        == 2
    )


def test_the_proof_is_accepted_elsewhere(tmp_path: Path, file: str) -> None:
    """Costs are counted in halves."""
    proof = tmp_path / "small.pbp"
    assert main(["solve", file, "--proof", str(proof), "-o", str(tmp_path / "o")]) == 0
    assert check((tmp_path / "small.opb").read_text(), proof.read_text()) == -10


def test_a_distance_has_a_proof_too(cli: Cli, files: Files, tmp_path: Path) -> None:
    for name, text in (("a", "x\tr\ty\n"), ("b", "x\tr\tz\n")):
        files.one(name, text)
    proof = tmp_path / "d.pbp"
    paths = [str(tmp_path / name) for name in "ab"]
    assert "proven" in cli.out("ged", *paths, "--proof", str(proof))
    # Deleting and inserting everything costs 6, and the distance is 1.
    assert check((tmp_path / "d.opb").read_text(), proof.read_text()) == -5


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--proof", "x.txt"], "the file of a proof is named like NAME.pbp"),
        (["--proof", "x.pbp", "--solver", "cpsat"], "'cpsat' records no certificates"),
        (["--solver", "nobody"], "unknown solver"),
    ],
)
def test_what_is_wrong_is_said(
    cli: Cli,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    file: str,
    arguments: list[str],
    complaint: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert complaint in cli.refusal("solve", file, *arguments)
    assert not (tmp_path / "x.pbp").exists()


def test_one_proof_is_of_one_problem(cli: Cli, file: str) -> None:
    assert "--proof is of one problem, and there are 2" in cli.refusal(
        "solve", file, file, "--proof", "x.pbp"
    )


def test_a_file_that_is_none_is_named(cli: Cli, files: Files, tmp_path: Path) -> None:
    files.one("bad.dd", "a 0")
    assert "bad.dd:1: the line" in cli.refusal("solve", str(tmp_path / "bad.dd"))
