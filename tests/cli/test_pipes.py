"""Pipes, as a shell's ``<(…)`` makes them: read once, whole, or refused."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.resources import files as resources
from pathlib import Path

import pytest
from support.command import Cli
from support.files import Files

pytestmark = pytest.mark.skipif(
    not Path("/dev/fd").exists(), reason="needs names of open files"
)

Piped = Callable[[str], str]

SAMPLE = resources("exactmatch") / "sample"


@pytest.fixture
def piped() -> Iterator[Piped]:
    """Names pipes that hold what they are given, as a shell names them."""
    ends: list[int] = []

    def pipe(text: str) -> str:
        end, start = os.pipe()
        ends.append(end)
        with open(start, "wb") as writer:
            writer.write(text.encode())
        return f"/dev/fd/{end}"

    yield pipe
    for end in ends:
        with suppress(OSError):
            os.close(end)


@pytest.fixture(autouse=True)
def texts(files: Files) -> dict[str, str]:
    """The sample, as files and as texts."""
    files.enter()
    found = {name: (SAMPLE / f"{name}.amr").read_text() for name in ("pred", "gold")}
    for name, text in found.items():
        files.one(f"{name}.amr", text)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ["score", "pred", "gold"],
        ["align", "pred", "gold"],
        ["matrix", "pred"],
        ["matrix", "pred", "gold"],
        ["nearest", "pred", "gold"],
        ["ensemble", "pred", "gold"],
        ["cluster", "pred"],
        ["duplicates", "pred", "--at-least", "0.5"],
    ],
)
def test_a_pipe_is_read_whole(
    command: list[str], cli: Cli, piped: Piped, texts: dict[str, str]
) -> None:
    """No graph is lost, as at its beginning where a bank might begin."""
    name, *sides = command
    named = [f"{word}.amr" if word in texts else word for word in sides]
    given = [piped(texts[word]) if word in texts else word for word in sides]
    expected = cli.out(name, *named, "--format", "csv")
    found = cli.out(name, *given, "--format", "csv")
    for pipe, path in zip(given, named, strict=True):
        found = found.replace(pipe, path)
    assert found == expected


@pytest.mark.parametrize(
    "command",
    [
        ["errors", "pred", "gold"],
        ["report", "pred", "gold"],
        ["compare", "gold", "pred", "pred"],
    ],
)
def test_a_command_that_reads_files_again_refuses_a_pipe(
    command: list[str], cli: Cli, piped: Piped, texts: dict[str, str]
) -> None:
    name, *sides = command
    for place in range(len(sides)):
        given = [f"{side}.amr" for side in sides]
        given[place] = piped(texts[sides[place]])
        said = cli.refusal(name, *given)
        assert f"{given[place]}: can be read only once" in said


@pytest.mark.parametrize("same", [True, False])
@pytest.mark.parametrize(
    "command", ["score", "align", "nearest", "matrix", "agreement"]
)
def test_one_pipe_is_no_two_files(
    command: str, same: bool, cli: Cli, piped: Piped, texts: dict[str, str]
) -> None:
    """Whatever it is called the second time."""
    path = piped(texts["pred"])
    with open(path, "rb") as again:
        other = path if same else f"/dev/fd/{again.fileno()}"
        said = cli.refusal(command, path, other)
    assert f"{other}: can be read only once, and is wanted again" in said


def test_standard_input_under_two_names_is_one() -> None:
    words = [sys.executable, "-m", "exactmatch", "-", "/dev/stdin"]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        out, said = process.communicate(b"(a / b)\n")
    assert (process.returncode, out) == (2, b"")
    assert b"/dev/stdin: can be read only once" in said


@pytest.mark.parametrize("options", [[], ["--by-id"], ["--on-error", "skip"]])
def test_two_empty_pipes_are_no_evaluation(
    options: list[str], cli: Cli, piped: Piped
) -> None:
    path = piped("")
    said = cli.refusal(path, piped(""), *options)
    assert f"error: {path}: holds no graph" in said
    assert "holds no graph" in cli.refusal(os.devnull, os.devnull, *options)


@pytest.mark.parametrize("options", [[], ["--by-id"]])
def test_of_an_empty_pipe_nobody_is_told_to_pair_by_id(
    options: list[str], cli: Cli, piped: Piped
) -> None:
    for sides in ((piped(""), "gold.amr"), ("gold.amr", piped(""))):
        said = cli.refusal(*sides, *options)
        assert "40 " in said
        assert said.endswith("; one side holds no graph\n")
