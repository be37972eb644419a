"""An installed smatch, run in a process of its own: its code, not ours.

smatch seeds its random numbers from the clock whenever it starts a pair.  So that a
run can be repeated, it is given a seed and its own seeding is switched off; nothing
else of it is changed.
"""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress

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


class SmatchProgram:
    """The smatch that a Python interpreter can import.

    The process ends when it is closed.

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
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        self._tasks, self._answers = stdin, stdout
        greeting = self._answers.readline()
        if not greeting:
            self.close()
            raise MissingExtraError(
                f"comparison with smatch needs it installed for {interpreter}: "
                "pip install smatch==1.0.4"
            )
        self.version: str = json.loads(greeting)

    def close(self) -> None:
        """End the process, whatever it is at."""
        self._process.terminate()
        for stream in (self._tasks, self._answers):
            with suppress(BrokenPipeError):
                stream.close()
        self._process.wait()

    def matched(self, pred: str, gold: str, restarts: int, seed: int) -> int:
        """How many triples of two graphs match, by ``smatch.get_amr_match``.

        Args:
            pred, gold: the graphs, in one line each.
            restarts: smatch's ``-r``.
            seed: seed of the random numbers.

        Raises:
            InputError: if smatch ends on a pair that it cannot read.
        """
        task = {"pred": pred, "gold": gold, "restarts": restarts, "seed": seed}
        line = ""
        with suppress(BrokenPipeError):
            self._tasks.write(json.dumps(task) + "\n")
            self._tasks.flush()
            line = self._answers.readline()
        if not line:
            raise InputError(
                f"smatch {self.version} fails on the pair {pred[:60]!r} and "
                f"{gold[:60]!r}; leave it out"
            )
        matched: int = json.loads(line)[0]
        return matched
