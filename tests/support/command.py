"""The command line inside a test."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest

from exactmatch.cli.main import main


class Ran(NamedTuple):
    """What a command line came to: its exit code, standard output and error."""

    code: int
    out: str
    err: str


class Cli:
    """Runs command lines in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: object) -> Ran:
        """Run a command line; what was printed before it is dropped."""
        self._capsys.readouterr()
        try:
            code = main(list(map(str, arguments)))
        except SystemExit as stopped:  # argparse's way to end
            code = int(stopped.code or 0)
        return Ran(code, *self._capsys.readouterr())

    def out(self, *arguments: object) -> str:
        """Run what has to succeed; return what it prints."""
        ran = self(*arguments)
        assert ran.code == 0, ran.err
        return ran.out

    def refusal(self, *arguments: object) -> str:
        """Run what has to end with exit code 2; return what it says about it."""
        ran = self(*arguments)
        assert ran.code == 2, ran.err
        return ran.err

    def json(self, *arguments: object) -> Any:
        """Run what has to succeed; return what it prints as JSON."""
        return json.loads(self.out(*arguments, "--format", "json"))

    def outcome(self, *arguments: object) -> tuple[int, Any, str]:
        """Run something for its JSON, however it ends.

        Returns:
            The exit code, what it printed as JSON, ``None`` if nothing, and standard
            error.
        """
        code, out, err = self(*arguments, "--format", "json")
        return code, json.loads(out) if out else None, err

    def json_lines(self, *arguments: object) -> list[Any]:
        """Run what has to succeed; return what it prints as JSON Lines."""
        out = self.out(*arguments, "--format", "jsonl")
        return [json.loads(line) for line in out.splitlines()]
