"""``--pred`` and ``--gold`` say which file is which, beside the positions."""

from __future__ import annotations

import pytest
from support.command import Cli
from support.files import Files

GRAPH = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))\n\n"


@pytest.fixture(autouse=True)
def _in_folder_with_files(files: Files) -> None:
    files.enter()
    files.one("gold.amr", 3 * GRAPH)
    files.one("pred.amr", 2 * GRAPH + "(w / want-01)\n")
    files.one("other.amr", GRAPH + 2 * "(g / go-02)\n\n")
    files.one("human.txt", "1\n0.5\n0.2\n")


@pytest.mark.parametrize("command", ["score", "align", "errors", "finegrained"])
@pytest.mark.parametrize(
    "named",
    [
        ["--pred", "pred.amr", "--gold", "gold.amr"],
        ["--gold", "gold.amr", "--pred", "pred.amr"],
        ["pred.amr", "--gold", "gold.amr"],
    ],
)
def test_names_stand_for_positions(command: str, named: list[str], cli: Cli) -> None:
    wanted = cli(command, "pred.amr", "gold.amr")
    assert wanted[0] == 0
    assert cli(command, *named) == wanted
    other_way = cli(command, "gold.amr", "pred.amr")
    assert other_way[1] != wanted[1]


@pytest.mark.parametrize(
    "named",
    [
        ["--gold", "gold.amr", "--pred", "pred.amr", "other.amr"],
        ["--pred", "pred.amr", "other.amr", "--gold", "gold.amr"],
        ["--gold=gold.amr", "pred.amr", "other.amr"],
        ["gold.amr", "--pred", "pred.amr", "other.amr"],
        ["other.amr", "--gold", "gold.amr", "--pred", "pred.amr"],
    ],
)
def test_systems_are_compared_by_name(named: list[str], cli: Cli) -> None:
    wanted = cli("compare", "gold.amr", "pred.amr", "other.amr")
    assert wanted[0] == 0
    assert cli("compare", *named) == wanted


def test_people_stand_behind_the_files(cli: Cli) -> None:
    wanted = cli("correlate", "pred.amr", "gold.amr", "human.txt")
    assert wanted[0] == 0
    named = ("human.txt", "--gold", "gold.amr", "--pred", "pred.amr")
    assert cli("correlate", *named) == wanted


def test_several_references_by_name(cli: Cli) -> None:
    files = ("pred.amr", "gold.amr", "other.amr", "--metric", "sembleu", "-b", "-q")
    wanted = cli(*files)
    named = ("--gold", "gold.amr", "other.amr", "--pred", "pred.amr", *files[3:])
    assert cli(*named) == wanted


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["score", "--gold", "gold.amr", "pred.amr"], "given with no predictions"),
        (
            ["score", "a", "b", "--gold", "gold.amr"],
            "given with 2 files of predictions",
        ),
        (["score", "--pred", "pred.amr"], "only one file is named"),
        (["report", "--gold", "gold.amr"], "given with no predictions"),
        (["compare", "--gold", "gold.amr", "pred.amr"], "only one system is named"),
        (["correlate", "--pred", "pred.amr", "human.txt"], "--pred and --gold"),
        (["audit", "--published", "x"], "'x' is not a number"),
        (["audit", "--published", "nan"], "nan is not a score between 0 and 1"),
        (
            ["audit", "--published", "101"],
            "101 is not a score between 0 and 1, or a percentage",
        ),
    ],
)
def test_what_does_not_fit_is_one_sentence(
    arguments: list[str], sentence: str, cli: Cli
) -> None:
    code, out, err = cli(*arguments)
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1


def test_runs_are_runs_and_percent_is_a_share(
    cli: Cli,
) -> None:
    files = ("audit", "pred.amr", "gold.amr", "--restarts", "0")
    shares = cli(*files, "--runs", "2", "--published", "0.843")
    assert shares[0] == 0
    assert cli(*files, "--seeds", "2", "--published", "84.3") == shares
