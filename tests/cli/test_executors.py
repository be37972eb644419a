"""Every command that shares out work does so to the engine that is named."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from support.command import Cli
from support.files import Files

from exactmatch.base.options import Options
from exactmatch.cli.commands import COMMANDS as ALL
from exactmatch.scoring import executors

GOLD = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"
PRED = GOLD.replace("go-02", "leave-11")

COMMANDS = {
    "score": ["pred.amr", "gold.amr"],
    "finegrained": ["pred.amr", "gold.amr"],
    "explain-profile": ["pred.amr", "gold.amr"],
    "align": ["pred.amr", "gold.amr"],
    "errors": ["pred.amr", "gold.amr"],
    "compare": ["gold.amr", "pred.amr", "other.amr", "--samples", "20"],
    "audit": ["pred.amr", "gold.amr", "--runs", "2"],
    "agreement": ["pred.amr", "gold.amr"],
    "yisi": ["hyp.txt", "ref.txt"],
    "matrix": ["pred.amr", "gold.amr"],
    "nearest": ["pred.amr", "gold.amr"],
    "duplicates": ["pred.amr"],
    "cluster": ["pred.amr"],
    "ensemble": ["pred.amr", "gold.amr"],
    "ged": ["left.jsonl", "right.jsonl"],
    "verify": ["proofs.jsonl"],
    "thresholds": ["pred.amr", "gold.amr", "--metric", "s2match"],
    "correlate": ["pred.amr", "gold.amr", "human.txt"],
}
FOLDERS = {"report", "ground-truth"}
"""Those that write pages and folders, which their own tests compare."""


class Engine:
    """What ``dask://there:1`` opens.

    Attributes:
        tasks: how many tasks it was given.
        is_open: whether it is connected; ``None`` if it never was.
    """

    def __init__(self) -> None:
        self.tasks = 0
        self.is_open: bool | None = None

    @contextmanager
    def opened(self, spec: str, *_: Any) -> Iterator[tuple[Executor, int]]:
        assert spec == "dask://there:1"
        assert not self.is_open  # once in a run
        self.is_open = True
        with _Counting(self) as pool:
            try:
                yield pool, 2
            finally:
                self.is_open = False


class _Counting(ThreadPoolExecutor):
    def __init__(self, engine: Engine) -> None:
        super().__init__(2)
        self._engine = engine

    def submit(self, *task: Any, **more: Any) -> Any:
        self._engine.tasks += 1
        return super().submit(*task, **more)


@pytest.fixture
def engine(files: Files, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Engine:
    files.enter()
    files.one("gold.amr", f"{GOLD}\n\n" * 4)
    files.one("pred.amr", f"{PRED}\n\n{GOLD}\n\n" * 2)
    files.one("other.amr", f"{PRED}\n\n" * 4)
    for name, n in (("left.jsonl", 2), ("right.jsonl", 4)):
        edges = [[k, k + 1] for k in range(n - 1)]
        files.one(name, f"{json.dumps({'n': n, 'edges': edges})}\n" * 4)
    for name in ("hyp.txt", "ref.txt"):
        files.one(name, "a cat\na dog\n")
    files.one("human.txt", "1\n2\n4\n3\n")
    cli.out("pred.amr", "gold.amr", "--certificates", "proofs.jsonl")
    stand_in = Engine()
    monkeypatch.setattr(executors, "connect_executor", stand_in.opened)
    return stand_in


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_it_works_for_every_command(command: str, engine: Engine, cli: Cli) -> None:
    arguments = [command, *COMMANDS[command], "--format", "csv", "-q"]
    expected = cli.out(*arguments).splitlines()
    by_executor = cli.out(*arguments, "--executor", "dask://there:1").splitlines()
    kept = [
        [r for r in rows if "provenance" not in r] for rows in (by_executor, expected)
    ]
    if command == "ged":  # its last column is the time
        kept = [[row.rpartition(",")[0] for row in rows] for rows in kept]
    assert kept[0] == kept[1]
    assert engine.tasks > 0
    assert engine.is_open is False


def test_no_command_with_an_executor_is_forgotten() -> None:
    having = {
        name
        for name in ALL
        if "executor"
        in getattr(getattr(ALL[name], "row", None), "options", Options).DECLARED
    }
    assert having == {*COMMANDS} | FOLDERS


def test_any_executor_is_named_by_its_place(files: Files, cli: Cli) -> None:
    files.enter()
    files.one("gold.amr", f"{GOLD}\n\n" * 4)
    files.one("pred.amr", f"{PRED}\n\n{GOLD}\n\n" * 2)
    arguments = ("pred.amr", "gold.amr", "--per-pair", "--format", "csv", "-q")

    def scores(*more: str) -> list[list[str]]:
        rows = [line.split(",") for line in cli.out(*arguments, *more).splitlines()]
        times = rows[0].index("seconds")
        return [row[:times] + row[times + 1 :] for row in rows]

    place = "concurrent.futures:ThreadPoolExecutor"
    assert scores("--executor", place) == scores()
    assert len(scores()) == 5


def test_it_is_left_after_an_error_too(engine: Engine, cli: Cli) -> None:
    cli.refusal("pred.amr", "nowhere.amr", "--executor", "dask://there:1")
    assert engine.is_open is not True


def test_a_cache_is_kept_here_beside_an_engine(engine: Engine, cli: Cli) -> None:
    """What is stored is not sent, and what is sent is stored, in the same order."""
    options = ["--per-pair", "--metric", "smatch,s2match", "--format", "csv", "-q"]
    alone = _without_seconds(cli.out("pred.amr", "gold.amr", *options))
    cli.out("other.amr", "gold.amr", *options, "--cache", "kept")  # every second one
    cached = [*options, "--cache", "kept", "--executor", "dask://there:1"]
    engine.tasks = 0
    assert _without_seconds(cli.out("pred.amr", "gold.amr", *cached)) == alone
    sent = engine.tasks
    assert sent > 0
    assert _without_seconds(cli.out("pred.amr", "gold.amr", *cached)) == alone
    assert engine.tasks == sent


def _without_seconds(text: str) -> list[list[str]]:
    rows = [line.split(",") for line in text.splitlines()]
    times = rows[0].index("seconds")
    return [row[:times] + row[times + 1 :] for row in rows]
