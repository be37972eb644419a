"""Several processes give what one gives; a worker that dies is never silent."""

import errno
import hashlib
import json
import multiprocessing
import pickle
import random
import signal
import subprocess
import sys
import tempfile
import threading
import zlib
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from support.command import Cli
from support.files import Files
from support.for_processes import (
    Deadly,
    doubled,
    killed_once,
    killed_while_answering,
    longer_than,
    one_over,
    read_slowly,
    refused,
)

import exactmatch
from exactmatch.base.errors import InputError
from exactmatch.formats.blocks import blocks_of_text
from exactmatch.formats.pairs import Pairer, UnreadPair
from exactmatch.many.blocks import in_order
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring import workers
from exactmatch.scoring.kept_functions import keep_function, kept_function
from exactmatch.scoring.pair import PairScorer
from exactmatch.scoring.parallel import map_in_order, results_in_order
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.workers import Processes, WorkerError, Workers
from exactmatch.studies.score.evaluate import evaluate


def corpus(files: Files, n: int) -> str:
    graphs = [f"(a / x :quant {k} :ARG0 (b / y{k % 3}))" for k in range(n)]
    return files.graphs("graphs.amr", graphs, "g{}")


def records(cli: Cli, *arguments: Any) -> list[Any]:
    rows = [
        json.loads(line)
        for line in cli.out(*arguments, "--per-pair", "--format", "jsonl").splitlines()
    ]
    for record in rows:
        del record["seconds"]
    return rows


def test_two_processes_give_the_same_results_in_order(cli: Cli, files: Files) -> None:
    path = corpus(files, 70)
    assert records(cli, path, path, "-j", "2") == records(cli, path, path)


def test_errors_and_warnings_come_back_from_workers(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "bad.amr"
    path.write_text("(a / b\n :c (d / e)\n\n(a / b))\n")
    assert "bad.amr:4:8: the graph has a ')' without" in cli.refusal(
        str(path), str(path), "-j", "2"
    )
    arguments = [str(path), str(path), "-j", "2", "--on-error", "skip"]
    answered = cli.record(*arguments)
    assert answered["warnings"] == {"lenient": 2}
    assert len(answered["omitted"]) == 1


@pytest.mark.slow
def test_a_pair_that_kills_its_worker_is_named() -> None:
    """The pairs before it are scored, and there is no hang."""
    blocks = list(blocks_of_text("(a / b)\n\n(c / d)\n\n(e / f)"))
    pairs = list(Pairer().pairs(blocks, (blocks,)))
    pairs[1] = UnreadPair(1, "bad one", Deadly(), (blocks[1],))
    scorer = PairScorer([Smatch(solver="brute")], Settings())
    with pytest.raises(WorkerError, match=r"pair 2 \(bad one\) ended") as caught:
        list(results_in_order(scorer, pairs, 2))
    assert "memory" not in str(caught.value)
    scorer = PairScorer([Smatch(solver="brute")], Settings(on_error="skip"))
    answers = list(results_in_order(scorer, pairs, 2))
    assert [r.index for _, results, _ in answers for r in results] == [0, 2]
    assert sum(count for count, _, _ in answers) == 3
    (omission,) = [o for _, _, notes in answers for o in notes.omitted]
    assert (omission.index, omission.id, omission.action) == (1, "bad one", "skipped")
    assert multiprocessing.active_children() == []


@pytest.mark.slow
def test_a_process_that_is_killed_by_chance_is_replaced(tmp_path: Path) -> None:
    """The killed one's items are tried again, and no other is lost."""
    items = [str(tmp_path / f"{n}") for n in range(12)]
    assert list(map_in_order(killed_once, items, 2)) == items
    assert multiprocessing.active_children() == []


@pytest.mark.slow
def test_a_process_that_is_killed_while_it_answers_keeps_nobody_waiting(
    tmp_path: Path,
) -> None:
    """Half an answer is in the pipe then, and much is to be written to the others."""
    items = [(str(tmp_path / f"{n // 4}"), "x" * 300_000) for n in range(8)]
    answers = list(map_in_order(killed_while_answering, items, 2))
    assert [len(answer) for answer in answers] == [1_000_000] * 8
    assert multiprocessing.active_children() == []


def in_processes() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(2, multiprocessing.get_context("spawn"))


@pytest.mark.parametrize("make", [lambda: ThreadPoolExecutor(2), in_processes])
def test_any_executor_will_do(make: Any) -> None:
    preds = [f"(a / x :quant {k} :ARG0 (b / y))" for k in range(40)]
    golds = [f"(a / x :quant {k % 7} :ARG0 (b / z))" for k in range(40)]
    expected = evaluate(preds, golds, ["smatch", "sembleu"])
    with make() as executor:
        report = evaluate(preds, golds, ["smatch", "sembleu"], executor=executor)
        assert list(map_in_order(doubled, [1, 2], 1, executor)) == [2, 4]
        with pytest.raises(ZeroDivisionError):
            list(map_in_order(one_over, [0], 1, executor))
    assert [s.score for s in report.scores] == [s.score for s in expected.scores]
    assert [(p.index, p.score) for p in report.pairs] == [
        (p.index, p.score) for p in expected.pairs
    ]


def test_an_executor_of_the_callers_that_breaks_is_an_error() -> None:
    with in_processes() as executor, pytest.raises(WorkerError, match="is broken"):
        list(map_in_order(doubled, [1, Deadly(), 3], 1, executor))


def test_what_processes_of_ours_were_given_is_not_taken_back() -> None:
    """They are killed, and what was cancelled ends a thread of loky in a traceback."""
    future: Future[bytes] = Future()
    Processes(2).end([future])
    assert not future.cancelled()
    with ThreadPoolExecutor(1) as executor:
        Workers(executor, 2).end([future])
    assert future.cancelled()


@pytest.mark.parametrize("again", [False, True])
def test_a_process_that_cannot_be_started_is_an_error(
    again: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Loky falls over its own feet where no file is left for a pipe."""

    def refuse(executor: Any) -> None:
        del executor
        try:
            raise OSError(errno.EMFILE, "Too many open files")
        except OSError:
            if again:
                raise UnboundLocalError("child_r") from None
            raise

    monkeypatch.setattr("loky.ProcessPoolExecutor._adjust_process_count", refuse)
    sentence = "a process cannot be started: Too many open files; use one process"
    with pytest.raises(WorkerError, match=sentence):
        list(map_in_order(doubled, [1, 2], 2))


def lost_call() -> Future[Any]:
    lost: Future[Any] = Future()
    lost.set_exception(OSError("the network is down"))
    return lost


class Losing(Executor):
    """Loses everything, and says why."""

    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Any:
        del function, arguments, named
        return lost_call()


class LosingWork(ThreadPoolExecutor):
    """Loses the work itself, but answers calls of no work."""

    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Any:
        if arguments[1].get("name") == "work_elsewhere":
            return lost_call()
        return super().submit(function, *arguments, **named)


class Dying(ThreadPoolExecutor):
    """Does the first call of all, and loses all others."""

    calls = 0

    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Any:
        self.calls += 1
        if self.calls > 1:
            return lost_call()
        return super().submit(function, *arguments, **named)


class Silent(Executor):
    """Takes every call, and answers none."""

    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Any:
        del function, arguments, named
        return Future()


class Ailing(ThreadPoolExecutor):
    """Answers the first call, and then says what it lacks."""

    calls = 0

    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Any:
        self.calls += 1
        if self.calls > 1:
            return Future()
        return super().submit(function, *arguments, **named)

    def trouble(self) -> str:
        return "the scheduler has no worker"


class Elsewhere(ThreadPoolExecutor):
    """Works in an environment in which names stand for other modules."""

    def __init__(self, monkeypatch: Any, **modules: Any) -> None:
        super().__init__(1)
        self._monkeypatch, self._modules = monkeypatch, modules

    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Any:
        def work() -> Any:
            with self._monkeypatch.context() as patch:
                for name, module in self._modules.items():
                    patch.setitem(sys.modules, name, module)
                return function(*arguments, **named)

        return super().submit(work)


def scored_by(executor: Any, **options: Any) -> Any:
    return evaluate(["(a / b)"] * 3, ["(a / b)"] * 3, executor=executor, **options)


def compared_by(executor: Any) -> Any:
    return exactmatch.cdist(["(a / b)"], ["(a / b)"], executor=executor)


@pytest.mark.parametrize("use", [scored_by, compared_by])
def test_an_executor_that_takes_no_work_is_an_error(use: Any) -> None:
    closed = ThreadPoolExecutor(1)
    closed.shutdown()
    with pytest.raises(
        WorkerError, match=r"\(ThreadPoolExecutor\) takes no work: .*shut"
    ):
        use(closed)


@pytest.mark.parametrize("use", [scored_by, compared_by])
@pytest.mark.parametrize("value", [3, "processes:2", ThreadPoolExecutor])
def test_what_is_no_executor_is_an_error(use: Any, value: Any) -> None:
    with pytest.raises(WorkerError, match="which is not an executor; make one"):
        use(value)


def test_what_an_executor_says_of_lost_work_is_told() -> None:
    """Not that a pair ended the process that scored it, which nobody knows."""
    reason = "tried: OSError: the network is down"
    with pytest.raises(WorkerError, match=f"pair 1 was lost by the executor.*{reason}"):
        scored_by(LosingWork(1))
    with pytest.raises(WorkerError, match=f"work was lost whenever it was {reason}"):
        compared_by(LosingWork(1))
    with pytest.raises(InputError, match=reason):
        scored_by(LosingWork(1), on_error="skip")


@pytest.mark.parametrize("use", [scored_by, compared_by])
@pytest.mark.parametrize("executor", [Losing(), Dying(1)])
def test_a_dead_executor_is_no_fault_of_the_graphs(use: Any, executor: Any) -> None:
    """Also where graphs that cannot be read are left out."""
    reason = r"\((Losing|Dying)\) does no work: OSError: the network is down"
    with pytest.raises(WorkerError, match=reason):
        use(executor)
    if use is scored_by:
        with pytest.raises(WorkerError, match=reason):
            scored_by(executor, on_error="skip")


def test_an_executor_that_does_not_answer_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workers, "ANSWER_WITHIN", 0.1)
    monkeypatch.setattr(workers, "_ASK_EVERY", 0.01)
    monkeypatch.setattr(workers, "_AILING", 0.05)
    reason = "has not answered for 0 seconds: has it workers"
    with pytest.raises(WorkerError, match=rf"\(Silent\) {reason}"):
        compared_by(Silent())
    with pytest.raises(WorkerError, match=r"\(Ailing\) is dead: the scheduler has no"):
        compared_by(Ailing(1))


@pytest.mark.parametrize(
    ("module", "reason"),
    [
        (None, "has no exactmatch .*install exactmatch .* on every worker"),
        (SimpleNamespace(__version__="0.0.1"), "has exactmatch 0.0.1, and this is"),
    ],
)
def test_a_worker_of_another_version_is_refused(
    module: Any, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(WorkerError, match=f"worker .* {reason}"):
        compared_by(Elsewhere(monkeypatch, exactmatch=module))


def test_a_worker_that_lacks_a_module_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who wrote the module has its file, and no package to install."""
    name = "support.for_processes"
    executor = Elsewhere(monkeypatch, **{name: None})
    reason = f"has no module '{name}', which the work needs: install it there, or send"
    with pytest.raises(WorkerError, match=reason):
        list(map_in_order(doubled, [1, 2], 1, executor))


def test_a_hard_item_keeps_no_worker_waiting() -> None:
    """All others are done meanwhile, also with more of them than are under way."""
    others_done = threading.Event()
    done: list[int] = []

    def work(number: int) -> int:
        if number == 0:
            assert others_done.wait(30)
        else:
            done.append(number)
            if len(done) == 300:
                others_done.set()
        return number

    with ThreadPoolExecutor(2) as executor:
        answers = list(map_in_order(Unsent(work), range(301), 2, executor))
    assert answers == [*range(301)]
    done[:] = range(200)
    others_done.clear()
    assert list(in_order(work, range(101), 2)) == [*range(101)]


class Unsent:
    """A function that is packed as a name, and stays what it is."""

    known: ClassVar[dict[int, Any]] = {}

    def __init__(self, function: Any) -> None:
        self.known[id(function)] = function
        self.place = id(function)

    def __call__(self, item: Any) -> Any:
        return self.known[self.place](item)


def test_an_error_of_the_source_comes_after_the_answers_before_it() -> None:
    def source() -> Iterator[int]:
        yield from (1, 2, 3)
        raise InputError("the fourth is bad")

    answers = map_in_order(doubled, source(), 2)
    assert [next(answers) for _ in range(3)] == [2, 4, 6]
    with pytest.raises(InputError, match="the fourth is bad"):
        next(answers)


class Counting(ThreadPoolExecutor):
    """Counts the bytes that it is given."""

    sent = 0

    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Any:
        parts = arguments[1].get("call", ())
        self.sent += sum(len(part) for part in parts if isinstance(part, bytes))
        return super().submit(function, *arguments, **named)


def test_a_large_function_travels_once() -> None:
    function = partial(longer_than, text="y" * 1_000_000)
    with Counting(1) as executor:
        answers = list(
            map_in_order(function, ["x" * n for n in range(200)], 1, executor)
        )
        assert answers == [False] * 200
        assert executor.sent < 5_000_000


class CountingProcesses(ProcessPoolExecutor):
    """Counts the bytes that its processes are given."""

    sent = 0

    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Any:
        self.sent += len(pickle.dumps((function, arguments, named)))
        return super().submit(function, *arguments, **named)


def test_a_large_function_travels_once_to_each_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other processes find it in a folder of this user alone, and check it."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    text = random.Random(3).randbytes(500_000).hex()
    function = partial(longer_than, text=text)
    for _ in range(2):
        with CountingProcesses(4, multiprocessing.get_context("spawn")) as executor:
            answers = list(map_in_order(function, ["x"] * 100, 4, executor))
            assert answers == [False] * 100
            whole = len(zlib.compress(pickle.dumps(function), 1))
            assert executor.sent < 2 * whole
        (folder,) = tmp_path.iterdir()
        assert folder.stat().st_mode & 0o077 == 0
        (kept,) = folder.iterdir()
        kept.write_bytes(b"damaged")  # which is noticed by its sum, and replaced


def test_a_folder_that_others_can_write_to_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    content = b"x"
    key = hashlib.sha256(content).hexdigest()
    keep_function(key, content)
    assert kept_function(key, 0) == content
    (folder,) = tmp_path.iterdir()
    folder.chmod(0o777)
    assert kept_function(key, 0) is None
    keep_function("0", content)
    assert [path.name for path in folder.iterdir()] == [key]


def test_a_pair_sends_less_than_its_text(files: Files) -> None:
    path = Path(corpus(files, 500))
    with CountingProcesses(1, multiprocessing.get_context("spawn")) as executor:
        report = evaluate(path, path, executor=executor)
    assert len(report) == 500
    assert executor.sent < 1.2 * 2 * path.stat().st_size


def taken_from(numbers: list[int]) -> Iterator[int]:
    """Count on, keeping what was taken."""
    for number in range(1000):
        numbers.append(number)
        yield number


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_function_is_applied_in_order(jobs: int) -> None:
    assert list(map_in_order(doubled, range(20), jobs)) == list(range(0, 40, 2))
    assert list(map_in_order(doubled, [], jobs)) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_a_function_raises_is_raised_here(jobs: int) -> None:
    answers = map_in_order(one_over, [1, 2, 0, 4], jobs)
    assert [next(answers), next(answers)] == [1, 0.5]
    with pytest.raises(ZeroDivisionError) as caught:
        next(answers)
    if jobs > 1:
        assert "in one_over" in str(caught.value.__cause__)
    assert multiprocessing.active_children() == []


def test_an_error_that_cannot_be_sent_keeps_its_words() -> None:
    with pytest.raises(WorkerError, match="UnpackableError: 7: no"):
        list(map_in_order(refused, [7], 2))


def test_what_cannot_be_sent_is_an_error() -> None:
    with pytest.raises(WorkerError, match="an item cannot be sent"):
        list(map_in_order(doubled, [threading.Lock()], 2))
    assert multiprocessing.active_children() == []


def test_a_process_that_dies_is_an_error() -> None:
    with pytest.raises(WorkerError, match="ended before its work"):
        list(map_in_order(doubled, [1, Deadly(), 3], 2))
    assert multiprocessing.active_children() == []


@pytest.mark.slow
def test_whoever_stops_early_leaves_no_process_and_takes_little() -> None:
    """Items may be larger than what a pipe holds."""
    numbers: list[Any] = []
    answers = map_in_order(
        doubled, (["x" * 100_000] * n for n in taken_from(numbers)), 2
    )
    assert next(answers) == []
    answers.close()
    assert multiprocessing.active_children() == []
    assert len(numbers) < 100  # as many as are under way, and a few that were done


_TRACKER_KILLED = """
import os, signal
from exactmatch.scoring import parallel
from exactmatch.scoring.parallel import map_in_order
from loky.backend.resource_tracker import _resource_tracker

parallel._LONGEST = -1
for turn in range(2):
    answers = map_in_order(abs, [-1] * 50, 2)
    assert next(answers) == 1
    tracker = _resource_tracker._pid
    os.kill(tracker, signal.SIGKILL)
    os.waitid(os.P_PID, tracker, os.WEXITED | os.WNOWAIT)  # it is dead now
    assert list(answers) == [1] * 49
print("done")
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="kills by a signal")
def test_nothing_is_said_of_a_tracker_that_was_killed() -> None:
    """The process of loky that cleans up; the next processes have another."""
    command = [sys.executable, "-c", _TRACKER_KILLED]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("done\n", "")


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="there is no alarm")
def test_a_limit_of_reading_holds_in_other_processes() -> None:
    late = "slow: the time limit is over before it is read; give more time, or none"
    assert list(map_in_order(read_slowly, [0.0, 20.0], 2)) == ["read", late]
