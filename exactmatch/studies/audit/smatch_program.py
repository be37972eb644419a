"""An installed smatch, run in a process of its own: its code, not ours.

smatch seeds its random numbers from the clock whenever it starts a pair.  So that a
run can be repeated, it is given a seed and its own seeding is switched off; nothing
else of it is changed.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any

from exactmatch.base.errors import InputError, MissingExtraError

_WORKER = """
import json, random, sys
try:
    import smatch
    from importlib.metadata import version
except ImportError:
    sys.exit(3)
answers = sys.stdout
sys.stdout = sys.stderr
print(json.dumps(version("smatch")), file=answers, flush=True)
seed, random.seed = random.seed, lambda *_: None
for line in sys.stdin:
    task = json.loads(line)
    smatch.iteration_num = task["restarts"] + 1
    seed(task["seed"])
    smatch.match_triple_dict.clear()
    counts = smatch.get_amr_match(task["pred"], task["gold"])
    smatch.match_triple_dict.clear()
    print(json.dumps(counts), file=answers, flush=True)
"""


@dataclass(frozen=True, slots=True)
class Task:
    """One call of ``smatch.get_amr_match``.

    Attributes:
        pred, gold: the graphs, in one line each.
        restarts: smatch's ``-r``.
        seed: seed of the random numbers.
    """

    pred: str
    gold: str
    restarts: int
    seed: int


class SmatchProgram:
    """The smatch that a Python interpreter can import.

    Use it as a context: the process ends with it.

    Attributes:
        version: smatch's version.

    Raises:
        MissingExtraError: if that interpreter has no smatch.
        InputError: if there is no such interpreter.
    """

    def __init__(self, python: str | None = None) -> None:
        interpreter = python or sys.executable
        try:
            self._process = subprocess.Popen(
                [interpreter, "-c", _WORKER],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
            )
        except OSError as error:
            raise InputError(
                f"{interpreter}: cannot be run: {error.strerror}"
            ) from None
        greeting = self._stream(self._process.stdout).readline()
        if not greeting:
            self.close()
            raise MissingExtraError(
                f"comparison with smatch needs it installed for {interpreter}: "
                "pip install smatch==1.0.4"
            )
        self.version: str = json.loads(greeting)

    def __enter__(self) -> SmatchProgram:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process, whatever it is at."""
        self._process.terminate()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()
        self._process.wait()

    def matched(self, tasks: Sequence[Task]) -> Iterator[tuple[int, int, int]]:
        """Matched triples and the triples of both sides, task by task.

        Raises:
            InputError: if smatch ends on a pair that it cannot read.
        """
        for task in tasks:
            yield self._answer(task)

    def _answer(self, task: Task) -> tuple[int, int, int]:
        fields: dict[str, Any] = {
            "pred": task.pred,
            "gold": task.gold,
            "restarts": task.restarts,
            "seed": task.seed,
        }
        stream = self._stream(self._process.stdin)
        try:
            stream.write(json.dumps(fields) + "\n")
            stream.flush()
            line = self._stream(self._process.stdout).readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise InputError(
                f"smatch {self.version} fails on the pair {task.pred[:60]!r} and "
                f"{task.gold[:60]!r}; leave it out"
            )
        matched, pred, gold = json.loads(line)
        return matched, pred, gold

    def _stream(self, stream: IO[str] | None) -> IO[str]:
        assert stream is not None
        return stream
