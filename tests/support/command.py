"""The command line inside a test."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

import exactmatch
from exactmatch.cli.main import main
from exactmatch.metrics import metric_class
from exactmatch.metrics.options import NamedMetrics


class Ran(NamedTuple):
    """Result of a command line: exit code, standard output and error.

    Standard output is without the provenance of answers, in which command lines that
    mean the same differ.
    """

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
        out, err = self._capsys.readouterr()
        return Ran(code, without_provenance(out), err)

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

    def record(self, *arguments: object) -> Any:
        """Return the same, of the one metric that it is about."""
        return record_in(self.out(*arguments, "--format", "json"))

    def outcome(self, *arguments: object) -> tuple[int, Any, str]:
        """Score something, however it ends.

        Returns:
            The exit code, each metric's record as JSON has it, ``None`` if nothing was
            printed, and standard error.
        """
        code, out, err = self(*arguments, "--format", "json")
        return code, json.loads(out)["metrics"] if out else None, err

    def json_lines(self, *arguments: object) -> list[Any]:
        """Run what has to succeed; return what it prints as JSON Lines."""
        out = self.out(*arguments, "--format", "jsonl")
        return [json.loads(line) for line in out.splitlines()]


_PROVENANCE = re.compile(
    r'^(?:% )?provenance: [^\n]*\n|,\n  "provenance": \{.*?^  \}|'
    r'<dl class="origin">.*?</dl>',
    re.MULTILINE | re.DOTALL,
)


def without_provenance(answer: str) -> str:
    """Return an answer in any format, without its command, inputs and time."""
    return _PROVENANCE.sub("", answer)


def record_in(answer: str) -> Any:
    """Return the record of the one metric that an answer in JSON is about."""
    (record,) = json.loads(answer)["metrics"]
    return record


def flags_of(options: Mapping[str, Any]) -> list[str]:
    """Write options of a function as those of its command."""
    flags: list[str] = []
    for name, value in options.items():
        flag = name.replace("_", "-")
        if isinstance(value, bool):
            flags.append(f"--{flag}" if value else f"--no-{flag}")
        else:
            text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
            flags += [f"--{flag}", text]
    return flags


def in_python(options: Mapping[str, Any]) -> dict[str, Any]:
    """Write options of a command as its function takes them, with metrics made."""
    names = options.get("metric", "smatch").split(",")
    declared = {name: metric_class(name).options_class.DECLARED for name in names}
    of_profile = NamedMetrics.COMMAND_ONLY
    own = of_profile.union(*declared.values())
    if not own & {*options}:
        return dict(options)
    shared = {k: v for k, v in options.items() if k in {*of_profile, "profile"}}
    return {
        **{k: v for k, v in options.items() if k not in {*own, "profile", "metric"}},
        "metric": [
            exactmatch.make_metric(
                name, **shared, **{k: options[k] for k in known if k in options}
            )
            for name, known in declared.items()
        ],
    }
