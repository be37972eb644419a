"""The command that scores every graph with every graph."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import exactmatch
from exactmatch.cli.main import main

LEFT = ["(b / bark-01 :ARG0 (d / dog))", "(d / dog)"]
RIGHT = ["(b / bark-01)", "(c / cat)", "(b / bark-01 :ARG0 (c / cat))"]


@pytest.fixture(autouse=True)
def _in_folder_with_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("left").write_text("\n\n".join(LEFT))
    Path("right").write_text("\n\n".join(RIGHT))
    for name in ("left", "right"):
        assert main(["nearest", name, "--save", f"{name}.bank"]) == 0


@pytest.mark.parametrize("rows", ["left", "left.bank"])
@pytest.mark.parametrize("columns", ["right", "right.bank"])
def test_graphs_and_banks_give_the_same_matrix(
    rows: str, columns: str, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = exactmatch.cdist(LEFT, RIGHT)
    assert main(["matrix", rows, columns, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["scores"] == expected.tolist()
    assert (found["queries"], found["choices"]) == (["1", "2"], ["1", "2", "3"])
    assert main(["matrix", rows, columns, "-o", "m.npy", "-j", "2"]) == 0
    assert np.array_equal(np.load("m.npy"), expected)


def test_one_file_is_compared_with_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["matrix", "right", "--at-least", "0.5", "--format", "csv"]) == 0
    whole = exactmatch.cdist(RIGHT, RIGHT, score_cutoff=0.5)
    _, *lines = capsys.readouterr().out.splitlines()
    assert [list(map(float, line.split(",")[1:])) for line in lines] == whole.tolist()


def test_an_array_may_have_single_precision() -> None:
    assert main(["matrix", "right", "-o", "m.npy", "--dtype", "f4"]) == 0
    assert np.load("m.npy").dtype == np.float32


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["left", "-o", "m.npy", "--format", "csv"], "has no --format"),
        (["left.bank", "right", "--profile", "clean"], "a bank has its metric"),
        (["left", "-o", "old.npy"], "is no unfinished matrix"),
        (["left", "-o", "nowhere/m.npy"], "nowhere/m.npy: "),
        (["empty"], "holds no graph"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    np.save("old.npy", np.zeros(3))
    Path("empty").write_text("")
    assert main(["matrix", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert said in err


def test_a_bank_is_looked_for_in_a_bank(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nearest", "right.bank", "left.bank", "-k", "1"]) == 0
    banked = capsys.readouterr().out
    assert main(["nearest", "right", "left", "-k", "1"]) == 0
    assert capsys.readouterr().out == banked
    assert main(["nearest", "right", "left.bank"]) == 2
    assert "a bank is looked for in a bank" in capsys.readouterr().err
