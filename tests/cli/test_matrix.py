"""The command that scores every graph with every graph."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.command import Cli
from support.files import Files

import exactmatch
from exactmatch.cli.main import main

LEFT = ["(b / bark-01 :ARG0 (d / dog))", "(d / dog)"]
RIGHT = ["(b / bark-01)", "(c / cat)", "(b / bark-01 :ARG0 (c / cat))"]


@pytest.fixture(autouse=True)
def _in_folder_with_files(files: Files) -> None:
    files.enter()
    files.one("left", "\n\n".join(LEFT))
    files.one("right", "\n\n".join(RIGHT))
    for name in ("left", "right"):
        assert main(["nearest", name, "--save", f"{name}.bank"]) == 0


@pytest.mark.parametrize("rows", ["left", "left.bank"])
@pytest.mark.parametrize("columns", ["right", "right.bank"])
def test_graphs_and_banks_give_the_same_matrix(
    rows: str, columns: str, cli: Cli
) -> None:
    expected = exactmatch.cdist(LEFT, RIGHT)
    found = cli.json("matrix", rows, columns)
    assert found["scores"] == expected.tolist()
    assert (found["queries"], found["choices"]) == (["1", "2"], ["1", "2", "3"])
    assert main(["matrix", rows, columns, "-o", "m.npy", "-j", "2"]) == 0
    assert np.array_equal(np.load("m.npy"), expected)


def test_one_file_is_compared_with_itself(cli: Cli) -> None:
    out = cli.out("matrix", "right", "--at-least", "0.5", "--format", "csv")
    percent = cli.out("matrix", "right", "--at-least", "50%", "--format", "csv")
    assert percent == out
    whole = exactmatch.cdist(RIGHT, RIGHT, at_least=0.5)
    _, *lines = out.splitlines()
    assert [list(map(float, line.split(",")[1:])) for line in lines] == whole.tolist()


def test_an_array_may_have_single_precision() -> None:
    assert main(["matrix", "right", "-o", "m.npy", "--dtype", "f4"]) == 0
    assert np.load("m.npy").dtype == np.float32


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["left", "-o", "m.npy", "--format", "csv"], "has no --format"),
        (["left", "--dtype", "f4"], "--dtype is the type of a NumPy array"),
        (["left.bank", "--solver", "hillclimb"], "the solver 'auto' or 'bnb'"),
        (["left.bank", "--only", "concept"], "a bank has its metric and profile"),
        (["left.bank", "--reify"], "a bank has its metric and profile"),
        (["clean.bank", "--profile", "smatch"], "a bank has its metric and profile"),
        (["many.bank", "--max-terms", "1"], "more than is allowed"),
        (["left.bank", "right", "--profile", "clean"], "a bank has its metric"),
        (["left", "-o", "old.npy"], "is not an unfinished matrix"),
        (["left", "-o", "nowhere/m.npy"], "nowhere/m.npy: "),
        (["empty"], "holds no graph"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    arguments: list[str], said: str, cli: Cli
) -> None:
    np.save("old.npy", np.zeros(3))
    Path("many").write_text("(a / b :ARG0 (c / d) :ARG0 (e / f))")
    assert main(["nearest", "left", "--save", "clean.bank", "--profile", "clean"]) == 0
    assert main(["nearest", "many", "--save", "many.bank"]) == 0
    Path("empty").write_text("")
    code, out, err = cli("matrix", *arguments)
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1
    assert said in err


@pytest.mark.parametrize("command", ["duplicates", "cluster"])
def test_a_bank_takes_the_place_of_its_graphs(command: str, cli: Cli) -> None:
    level = ("--at-least", "0.4")
    expected = cli.json(command, "right", *level)
    found = cli.json(command, "right.bank", *level)
    for key in ("pairs", "clusters", "graphs", "signatures"):
        assert found.get(key) == expected.get(key)
    assert "is a bank" in cli.refusal(command, "right.bank", "left")


def test_what_a_bank_is_asked_for_may_be_what_it_has(cli: Cli) -> None:
    main(["nearest", "right", "--save", "clean.bank", "--profile", "clean"])
    whole = cli.json("nearest", "left", "clean.bank", "--profile", "clean")
    assert (
        cli.json("nearest", "left", "clean.bank")["neighbours"] == (whole["neighbours"])
    )
    (signature,) = cli.json("matrix", "right.bank", "--solver", "bnb")["signatures"]
    assert "solver:bnb" in signature


def test_what_is_about_queries_needs_some(cli: Cli) -> None:
    for option in (("-k", "3"), ("--at-least", "0.5"), ("-o", "out")):
        said = cli.refusal("nearest", "right", "--save", "x.bank", *option)
        assert f"{option[0]} is for a search" in said
    assert not Path("x.bank").exists()


def test_a_bank_is_looked_for_in_a_bank(cli: Cli) -> None:
    banked = cli.out("nearest", "left.bank", "right.bank", "-k", "1")
    assert cli.out("nearest", "left", "right", "-k", "1") == banked
    assert "are not; make a bank of these" in cli.refusal(
        "nearest", "left.bank", "right"
    )


def test_a_bank_holds_no_documents(cli: Cli, files: Files) -> None:
    """Documents say which nodes may be aligned, which the bounds of a bank ignore."""
    text = "(s1d / dog)\n\n(s2d / dog)\n"
    document = "\n".join(
        f"# ::id {k}\n# ::snt{k} a dog\n# sentence level graph:\n(s{k}d / dog)\n"
        f"\n# alignment:\n\n# document level annotation:\n(s{k}s0 / sentence)\n\n"
        for k in (1, 2)
    )
    files.one("text", text)
    files.one("document.umr", document)
    cli.out("nearest", "text", "--save", "umr.bank", "--profile", "umr")
    for refused in (
        ("nearest", "document.umr", "--save", "other.bank", "--profile", "umr"),
        ("nearest", "document.umr", "umr.bank"),
        ("matrix", "document.umr", "umr.bank"),
    ):
        said = cli.refusal(*refused)
        assert "graph 1 is a document" in said
        assert "no bank holds or finds it" in said
    assert not Path("other.bank").exists()
    assert cli.json("nearest", "document.umr", "text", "--profile", "umr")


def test_an_interruption_after_the_last_block_is_no_obstacle(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the command does beside the matrix, it does before that is finished."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    command = ("matrix", "left", "right", "-o", "m.npy")
    with monkeypatch.context() as patch:
        patch.setattr("exactmatch.many.reading.Reader.finish", interrupted)
        assert cli(*command).code == 130
    with monkeypatch.context() as patch:
        patch.setattr("exactmatch.many.targets.MatrixFile.close", interrupted)
        assert cli(*command).code == 130
    assert cli(*command).code == 0
    assert np.array_equal(np.load("m.npy"), exactmatch.cdist(LEFT, RIGHT))
