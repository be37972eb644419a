"""``-r`` with several numbers: the same metric climbed with each."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command import Cli
from support.files import Files

CLIMB = ("--solver", "hillclimb")
SEVERAL = (*CLIMB, "-r", "4,0,1,4")
TEAMS = "(a / and :op1 (t / team :mod (c / big)) :op2 (u / team :mod (d / big)))"


@pytest.fixture
def pair(files: Files) -> list[str]:
    """Graphs whose two teams a climber may take for each other."""
    files.enter()
    gold = TEAMS.replace(":mod (d", ":poss (d").replace("op1", "op3")
    return files.pair(f"{TEAMS}\n\n" * 20, f"{gold}\n\n" * 20)


def test_each_number_has_the_score_that_it_has_alone(cli: Cli, pair: list[str]) -> None:
    found = cli.json(*pair, *SEVERAL, "--metric", "smatch,wlk")["metrics"]
    names = ["smatch r=0", "smatch r=1", "smatch r=4", "wlk"]
    assert [one["metric"] for one in found] == names
    for one, restarts in zip(found, (0, 1, 4), strict=False):
        alone = cli.record(*pair, *CLIMB, "-r", restarts)
        assert one["matched"] == alone["matched"]
        assert f"solver:hillclimb:restarts={restarts}|" in one["signature"]
        assert alone["metric"] == "smatch"


@pytest.mark.slow
def test_systems_are_compared_with_each_number(cli: Cli, pair: list[str]) -> None:
    pred, gold = pair
    found = cli.json("compare", gold, pred, gold, "--names", "a,b", *SEVERAL)
    names = [row["metric"] for row in found["systems"]]
    assert names == [name for r in (0, 1, 4) for name in [f"smatch r={r}"] * 2]
    people = Path("people.txt")
    people.write_text("0.5\n" * 10 + "0.6\n" * 10)
    found = cli.json("correlate", *pair, people, *SEVERAL)["metrics"]
    assert [one["metric"] for one in found] == names[::2]


@pytest.mark.parametrize(
    "command", ["align", "errors", "explain-profile", "finegrained", "report"]
)
def test_elsewhere_one_number_is_taken(command: str, cli: Cli, pair: list[str]) -> None:
    said = cli.refusal(command, *pair, *SEVERAL)
    assert "-r 0,1,4 is several numbers of restarts; give one here (score" in said
    assert cli(command, *pair, *CLIMB, "-r", "1").code == 0


def test_a_solver_that_does_not_climb_has_no_use_for_them(
    cli: Cli, pair: list[str]
) -> None:
    ran = cli(*pair, "-r", "4,1")
    assert ran.code == 0
    assert "-r 1,4 has no effect on solver 'auto'" in ran.err
    assert ran.out == cli.out(*pair)


@pytest.mark.parametrize("given", ["1,", "x", "-1", "1.5", ""])
def test_numbers_are_whole(given: str, cli: Cli, pair: list[str]) -> None:
    assert "is not a whole number of at least 0" in cli.refusal(*pair, f"-r={given}")


def test_a_file_of_defaults_chooses_no_solver(cli: Cli, pair: list[str]) -> None:
    Path("exactmatch.toml").write_text('solver = "hillclimb"\nrestarts = [1, 4]\n')
    assert "solver: this option can have no default" in cli.refusal(*pair)
