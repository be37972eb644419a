"""exactmatch's own commands, run for their JSON and noted as a user would type them."""

from __future__ import annotations

import contextlib
import io
import json
import shlex
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from exactmatch.cli.main import main
from exactmatch_papers.tables.spec import Setting

_ONE_PROCESS = ("kgrams",)
"""The commands that take no ``--jobs``."""

_INTERRUPTED = 130
"""The exit code after Ctrl-C."""


class CommandError(Exception):
    """Failure of a command, with its message."""


class Commands:
    """Runs exactmatch and keeps what was run.

    Args:
        setting: data, interpreter and scratch folder.
    """

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.shown: list[str] = []

    def json(self, *arguments: object) -> Any:
        """Run ``exactmatch ARGUMENTS --format json`` and read what it writes.

        Raises:
            CommandError: if it does not end well.
        """
        return json.loads(self._output((*arguments, "--format", "json"), arguments))

    def metric(self, *arguments: object) -> dict[str, Any]:
        """Run a command that reports on one metric, and return its record of it."""
        (record,) = self.json(*arguments)["metrics"]
        of_metric: dict[str, Any] = record
        return of_metric

    def pairs(self, *arguments: object) -> list[dict[str, Any]]:
        """Run ``exactmatch ARGUMENTS --per-pair --format jsonl``: a record a line.

        Raises:
            CommandError: if it does not end well.
        """
        every = (*arguments, "--per-pair", "--format", "jsonl")
        return [json.loads(line) for line in self._output(every, every).splitlines()]

    def scores(self, *arguments: object) -> dict[int, float]:
        """Return the score of each pair that can be read, by its number from 0.

        Raises:
            CommandError: if it does not end well.
        """
        records = self.pairs(*arguments, "--on-error", "skip")
        return {record["index"]: record["score"] for record in records}

    def _output(self, arguments: Iterable[object], shown: Iterable[object]) -> str:
        words = [str(word) for word in arguments]
        self._note([str(word) for word in shown])
        setting = self.setting
        setting.say(f"  {self.shown[-1]}")
        output = setting.work / "answer"
        words += ["--quiet", "--output", str(output)]
        if words[0] not in _ONE_PROCESS:
            words += ["--jobs", str(setting.jobs)]
        code, message = _run(setting.our_python, words)
        if code == _INTERRUPTED:
            raise KeyboardInterrupt
        if code != 0:
            message = message.strip() or f"ended with {code}"
            raise CommandError(f"{self.shown[-1]}: {message}")
        return output.read_text(encoding="utf-8")

    def _note(self, words: list[str]) -> None:
        """Keep the command, with the folders of this run left out."""
        folders = (
            (self.setting.data, "$DATA/"),
            (self.setting.work, ""),
            (self.setting.pictures, ""),
        )
        shown = []
        for word in words:
            for folder, short in folders:
                word = word.replace(f"{folder}/", short)
            if word == self.setting.smatch_python:
                word = Path(word).name
            shown.append(word if "$DATA" in word else shlex.quote(word))
        self.shown.append(" ".join(["exactmatch", *shown]))


def _run(python: str | None, words: list[str]) -> tuple[int, str]:
    """Run exactmatch, in this process or another; give exit code and standard error."""
    if python is not None:
        command = [python, "-m", "exactmatch", *words]
        run = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
        return run.returncode, run.stderr
    with contextlib.redirect_stderr(io.StringIO()) as messages:
        try:
            code = main(words)
        except SystemExit as stopped:  # argparse's way to end
            code = int(stopped.code or 0)
    return code, messages.getvalue()
