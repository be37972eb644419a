"""Devices that can be read for ever are refused before they are read."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.command import Cli
from support.files import Files

import exactmatch

GRAPH = "(b / bark-01 :ARG0 (d / dog))\n"

pytestmark = pytest.mark.skipif(
    not os.path.exists("/dev/zero"), reason="this system has no such device"
)

READING = [
    ["/dev/zero", "one.amr"],
    ["one.amr", "/dev/zero"],
    ["link", "one.amr"],
    ["lint", "/dev/urandom"],
    ["convert", "/dev/zero", "--to", "triples"],
    ["matrix", "/dev/zero"],
    ["ged", "/dev/zero", "one.amr"],
    ["solve", "/dev/zero"],
    ["verify", "/dev/zero", "one.amr", "one.amr"],
    ["yisi", "/dev/zero", "one.amr"],
    ["compare", "one.amr", "one.amr", "two.amr", "--human", "/dev/zero"],
    ["one.amr", "two.amr", "--metric", "s2match", "--vectors", "/dev/zero"],
    ["one.amr", "two.amr", "--metric", "rematch", "--frame-classes", "/dev/zero"],
]


@pytest.fixture(autouse=True)
def _in_folder_with_files(files: Files) -> None:
    files.enter()
    files({"one.amr": GRAPH, "two.amr": GRAPH})
    Path("link").symlink_to("/dev/zero")


@pytest.mark.parametrize("arguments", READING, ids=" ".join)
def test_a_device_without_an_end_is_refused(cli: Cli, arguments: list[str]) -> None:
    (path,) = {"/dev/zero", "/dev/urandom", "link"} & {*arguments}
    said = cli.refusal(*arguments)
    assert f"{path}: is a device that has no end; name a file or a pipe" in said


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["-", "one.amr"], ["ged", "-", "one.amr"]])
def test_standard_input_without_an_end_is_refused(arguments: list[str]) -> None:
    with open("/dev/zero", "rb") as endless:
        ran = subprocess.run(
            [sys.executable, "-m", "exactmatch", *arguments],
            stdin=endless,
            capture_output=True,
            text=True,
        )
    assert ran.returncode == 2
    assert "standard input: is a device that has no end" in ran.stderr


def test_the_empty_device_is_an_empty_file(cli: Cli) -> None:
    assert "no end" not in cli.refusal("/dev/null", "one.amr")
    assert cli.out("one.amr", "two.amr", "-b") == "1.0000\n"


def test_in_python_too() -> None:
    with pytest.raises(exactmatch.InputError, match="/dev/zero: is a device"):
        list(exactmatch.load(Path("/dev/zero")))


def test_standard_input_is_linted_once(cli: Cli) -> None:
    said = cli.refusal("lint", "-", "-")
    assert said == "exactmatch: error: standard input can be only one of the files\n"
