"""Completion in the shells themselves, where they are installed."""

from __future__ import annotations

import argparse
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli

from exactmatch.cli.commands import COMMANDS
from exactmatch.cli.main import main

pytest.importorskip("shtab")

BASH = """
source completion
COMP_WORDS=({words} "{last}")
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_shtab_exactmatch 2> /dev/null
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.fixture(autouse=True)
def _in_folder_with_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pred.amr").touch()


CASES = [
    ("exactmatch", "compa", {"compare"}),
    ("exactmatch", "comp", {"compare", "completion"}),
    ("exactmatch", "--per", {"--per-pair", "--percent"}),
    ("exactmatch compare", "--bas", {"--baseline"}),
    ("exactmatch compare --test", "e", {"exchange"}),
    ("exactmatch compare", "pr", {"pred.amr"}),
    ("exactmatch --format", "js", {"json", "jsonl"}),
    ("exactmatch --metric", "wl", {"wlk"}),
    ("exactmatch align --solver", "cp", {"cpsat"}),
    ("exactmatch help", "smatchpp-n", {"smatchpp-none"}),
    ("exactmatch convert --to", "node", {"node-link"}),
    ("exactmatch --format-in", "umr-f", {"umr-file"}),
    ("exactmatch ged --format-in", "adj", {"adjacency-list"}),
]


def test_sub_parsers_take_what_argparse_hands_them(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From Python 3.14 on a sub-parser gets the ``color`` of its parser."""
    usual = argparse._SubParsersAction.add_parser

    def add_parser(self: Any, name: str, **known: Any) -> Any:
        return usual(self, name, **{"color": False, **known})

    monkeypatch.setattr(argparse._SubParsersAction, "add_parser", add_parser)
    assert "_shtab_exactmatch" in cli.out("completion", "bash")


def called(*command: str) -> set[str]:
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return {line.partition("\t")[0] for line in done.stdout.split("\n") if line}


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize(("words", "last", "wanted"), CASES)
def test_bash(words: str, last: str, wanted: set[str]) -> None:
    assert main(["completion", "bash", "-o", "completion"]) == 0
    assert called("bash", "-c", BASH.format(words=words, last=last)) == wanted


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
@pytest.mark.parametrize(("words", "last", "wanted"), CASES)
def test_fish(words: str, last: str, wanted: set[str]) -> None:
    assert main(["completion", "fish", "-o", "completion"]) == 0
    code = f"source completion; complete -C '{words} {last}'"
    assert called("fish", "--no-config", "-c", code) == wanted


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_zsh_can_read_its_script() -> None:
    assert main(["completion", "zsh", "-o", "_exactmatch"]) == 0
    called("zsh", "-n", "_exactmatch")
    text = Path("_exactmatch").read_text()
    assert text.startswith("#compdef exactmatch\n")
    for name in COMMANDS:
        assert f'"{name}:' in text or f"{name}) " in text


def test_another_shell_is_refused(cli: Cli) -> None:
    assert "did you mean 'fish'?" in cli.refusal("completion", "fsh")
