"""DRSs in PENMAN are told of, and scored as before."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from support.command import Cli
from support.files import Files

DRS = """# ::id 1
(b0 / box
    :member (s0 / dog.n.01)
    :NEGATION (b1 / box :member (s1 / bark.v.01 :Agent s0)))
"""
NOTED = "look like DRSs, and are counted as AMR's are; --profile drs counts them"


@pytest.mark.parametrize("command", ["score", "align", "errors", "compare"])
def test_drss_in_penman_are_told_of(command: str, cli: Cli, files: Files) -> None:
    pred, gold = files.pair(DRS.replace("dog", "cat"), DRS)
    paths = (gold, pred, gold) if command == "compare" else (pred, gold)
    assert cli(command, *paths).err.count(NOTED) == 1
    assert NOTED not in cli(command, *paths, "--profile", "drs").err
    assert NOTED not in cli(command, *paths, "--profile", "smatch").err
    assert NOTED not in cli(command, *paths, "--metric", "wlk", "-q").err


def test_either_side_is_looked_at(cli: Cli, files: Files, tmp_path: Path) -> None:
    pred, gold = files.pair("(b0 / box)", DRS)
    assert NOTED in cli(pred, gold).err
    packed = tmp_path / "gold.amr.gz"
    packed.write_bytes(gzip.compress(DRS.encode()))
    assert NOTED in cli(pred, str(packed)).err
    assert "profile:smatch|" in cli.record(pred, gold)["signature"]


@pytest.mark.parametrize(
    "text",
    [
        "(b / box :ARG1-of (o / open-01))",
        "(b / boxer :member (d / dog))",
        "(h / have-03 :ARG1 (b / box :member (d / dog)))",
        "(b / box-01 :member (d / dog))",
        "(b / box :members (d / dog))",
    ],
)
def test_a_box_alone_is_no_drs(text: str, cli: Cli, files: Files) -> None:
    assert NOTED not in cli(*files.pair(text, text)).err
