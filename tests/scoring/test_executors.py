"""Engines by their names; what they compute is tested where their packages are."""

from __future__ import annotations

import asyncio
import multiprocessing
import sys
from concurrent.futures import (
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from types import SimpleNamespace
from typing import Any

import pytest
from support.for_processes import Deadly

from exactmatch import evaluate
from exactmatch.base.errors import InputError, MissingExtraError
from exactmatch.scoring import executors
from exactmatch.scoring.executors import connect_executor
from exactmatch.scoring.workers import Workers


def test_processes_are_our_own() -> None:
    with connect_executor("processes:3") as (executor, workers):
        assert (executor, workers) == (None, 3)


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("processes", "--executor processes: say how many, as in processes:4"),
        ("processes:0", "--executor processes:0: say how many"),
        ("processes:two", "--executor processes:two: say how many"),
        (
            "dask",
            "--executor 'dask' is not an engine; known: dask://HOST:PORT, mpi, ray",
        ),
        ("dask://", "--executor 'dask://' is not an engine"),
        ("dask://localhost", "say at which port, as in dask://HOST:8786"),
        ("dask://localhost:x", "say at which port"),
        ("spark", "--executor 'spark' is not an engine"),
    ],
)
def test_what_is_no_engine_is_refused(spec: str, sentence: str) -> None:
    with pytest.raises(InputError) as refusal, connect_executor(spec):
        pass
    assert sentence in str(refusal.value)


@pytest.mark.parametrize(
    ("spec", "package", "extra"),
    [
        ("dask://localhost:1", "distributed", "dask"),
        ("mpi", "mpi4py.futures", "mpi"),
        ("ray", "ray", "ray"),
    ],
)
def test_a_missing_package_is_named_with_its_extra(
    spec: str, package: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    sentence = rf"--executor {extra} needs \w+: pip install 'exactmatch\[{extra}\]'"
    with pytest.raises(MissingExtraError, match=sentence), connect_executor(spec):
        pass


def made() -> ThreadPoolExecutor:
    """Return what ``--executor`` is to find."""
    MADE.append(ThreadPoolExecutor(2))
    return MADE[-1]


MADE: list[ThreadPoolExecutor] = []


def test_what_a_factory_makes_is_shut_down_at_the_end() -> None:
    with connect_executor(f"{__name__}:made") as (executor, workers):
        assert executor is not None
        assert workers == 2
        assert executor.submit(str, 5).result() == "5"
    with pytest.raises(RuntimeError, match="shutdown"):
        MADE[-1].submit(str, 5)


def in_processes() -> ProcessPoolExecutor:
    """Return a pool that breaks when one of its processes dies."""
    POOLS.append(ProcessPoolExecutor(2, multiprocessing.get_context("spawn")))
    return POOLS[-1]


POOLS: list[ProcessPoolExecutor] = []


@pytest.mark.slow
def test_a_factory_is_called_again_when_its_pool_breaks() -> None:
    """An item that ends its processes is named, and all others have their answers."""
    POOLS.clear()
    golds: list[Any] = ["(a / b)", "(c / d)", Deadly(), "(e / f)"] * 2
    with connect_executor(f"{__name__}:in_processes") as (executor, workers):
        assert executor is not None
        assert workers == 2
        report = evaluate(golds, golds, executor=executor, on_error="skip")
        assert executor.submit(str, 5).result() == "5"
    assert [pair.index for pair in report.pairs] == [0, 1, 3, 4, 5, 7]
    assert [one.index for one in report.omitted] == [2, 6]
    assert "ended the process that scored it" in report.omitted[0].reason
    assert len(POOLS) > 2
    with pytest.raises(RuntimeError, match="shutdown"):
        POOLS[-1].submit(str, 5)


class Growing(ThreadPoolExecutor):
    """Says that it has as many threads as it is told to."""

    number = 1

    def size(self) -> int:
        return self.number


def test_the_size_of_an_executor_is_asked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Growing(1) as executor:
        workers = Workers(executor, 1)
        assert workers.ahead == 3
        executor.number = 5
        assert workers.ahead == 3  # not at every task
        monkeypatch.setattr("exactmatch.scoring.workers._ASK_EVERY", 0)
        assert workers.ahead == 15
        executor.number = 2
        assert workers.ahead == 6
        assert Workers(executor, 4).ahead == 12  # the caller says more


def test_executors_say_how_many_calls_they_work_on() -> None:
    identity = {"workers": {"a": {"nthreads": 4}, "b": {"nthreads": 2}}}
    client = SimpleNamespace(
        sync=lambda *_, **__: identity,
        scheduler=SimpleNamespace(identity=None),
        status="running",
    )
    module = {"__module__": "distributed.cfexecutor", "_client": client}
    of_dask = type("ClientExecutor", (ThreadPoolExecutor,), module)
    with ThreadPoolExecutor(3) as threads, of_dask(1) as cluster, _MpiPool(1) as mpi:
        sizes = [executors.size_of(one) for one in (threads, cluster, mpi)]
        client.status = "connecting"  # it would wait for an answer
        assert executors.size_of(cluster) is None
    assert sizes == [3, 6, 2]
    assert executors.size_of(Executor()) is None


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ("no.such_module:made", "ModuleNotFoundError: No module named 'no'"),
        ("collections:made", "AttributeError: module 'collections' has no attribute"),
        ("collections:Counter", r"makes Counter\(\), which is not an executor"),
        ("collections:namedtuple", "TypeError: .*missing"),
    ],
)
def test_a_factory_that_makes_none_is_a_sentence(place: str, sentence: str) -> None:
    error = f"^--executor {place}:? {sentence}"
    with pytest.raises(InputError, match=error), connect_executor(place):
        pass


def dask(rpc: Any) -> Any:
    """Return a stand-in for the package whose schedulers are asked by *rpc*."""
    security = SimpleNamespace(get_connection_args=lambda _: {})
    return SimpleNamespace(rpc=rpc, Security=lambda: security)


def test_a_scheduler_that_does_not_answer_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It takes the connection, and never says a word."""

    class Silent:
        def __init__(self, *_: Any, **__: Any) -> None:
            pass

        async def __aenter__(self) -> Silent:
            return self

        async def __aexit__(self, *_: object) -> None:
            pass

        async def identity(self) -> None:
            await asyncio.sleep(60)

    monkeypatch.setattr(executors, "_PATIENCE", 0.05)
    monkeypatch.setitem(sys.modules, "distributed", dask(Silent))
    sentence = "no scheduler of Dask answers at tcp://there:1 within"
    with pytest.raises(InputError, match=sentence), connect_executor("dask://there:1"):
        pass


def test_a_scheduler_that_is_not_there_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(address: str, timeout: float, **_: Any) -> None:
        raise OSError(f"nobody answers at {address} in {timeout} s")

    monkeypatch.setitem(sys.modules, "distributed", dask(refuse))
    sentence = "--executor dask://there:1: nobody answers at tcp://there:1 in 10 s"
    with pytest.raises(InputError, match=sentence), connect_executor("dask://there:1"):
        pass


class Ray:
    """A stand-in for the package: it works at once, and keeps what is called."""

    def __init__(self, initialised: bool, running: bool = True) -> None:
        self.initialised, self.running = initialised, running
        self.calls: list[str] = []
        self.address = ""

    def is_initialized(self) -> bool:
        return self.initialised

    def init(self, address: str, **_: Any) -> None:
        if address == "auto" and not self.running:
            raise ConnectionError("could not find any running Ray instance")
        if address == "foo":
            raise ValueError(f"malformed address: {address}")
        self.calls.append("init")
        self.address = address

    def shutdown(self) -> None:
        self.calls.append("shutdown")

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 4.0}

    def remote(self, function: Any) -> Any:
        def run(*arguments: Any) -> Any:
            future: Future[Any] = Future()
            future.set_result(function(*arguments))
            return SimpleNamespace(future=lambda: future)

        return SimpleNamespace(remote=run)


@pytest.mark.parametrize("initialised", [True, False])
def test_a_cluster_is_left_as_it_was(
    initialised: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who had started Ray goes on with it; else it ends with us, also by an error."""
    ray = Ray(initialised)
    monkeypatch.setitem(sys.modules, "ray", ray)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    notes: list[str] = []
    with connect_executor("ray", 1, notes.append) as (executor, workers):
        assert executor is not None
        assert workers == 4
        assert executor.submit(int, "12", base=5).result() == 7
    with pytest.raises(KeyError), connect_executor("ray", 1, notes.append):
        raise KeyError
    assert ray.calls == ([] if initialised else 2 * ["init", "shutdown"])
    remark = "Ray: the cluster that runs on this machine"
    assert notes == ([] if initialised else 2 * [remark])


@pytest.mark.parametrize(
    ("spec", "named", "running", "address", "remark"),
    [
        ("ray", "", True, "auto", "the cluster that runs on this machine"),
        ("ray", "", False, "local", "no cluster was found, and one of this machine"),
        ("ray", "10.0.0.1:6379", False, "10.0.0.1:6379", "the cluster at 10.0.0.1"),
        ("ray://there:1", "", False, "ray://there:1", "the cluster at ray://there:1"),
    ],
)
def test_it_is_said_which_cluster_of_ray_is_used(
    spec: str,
    named: str,
    running: bool,
    address: str,
    remark: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ray = Ray(False, running)
    monkeypatch.setitem(sys.modules, "ray", ray)
    monkeypatch.setenv("RAY_ADDRESS", named)
    notes: list[str] = []
    with connect_executor(spec, 1, notes.append):
        assert ray.address == address
    assert remark in notes[0]


def test_an_address_that_is_none_of_ray_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "ray", Ray(False))
    monkeypatch.setenv("RAY_ADDRESS", "foo")
    sentence = "RAY_ADDRESS=foo: no cluster of Ray answers: malformed address: foo"
    with pytest.raises(InputError, match=sentence), connect_executor("ray"):
        pass


@pytest.mark.parametrize("spec", ["processes:2", "dask://there:1", "mpi", "ray"])
def test_a_number_of_processes_beside_an_engine_is_refused(spec: str) -> None:
    with (
        pytest.raises(InputError, match=f"--executor {spec} has its own workers"),
        connect_executor(spec, 4),
    ):
        pass


def test_a_number_of_processes_is_that_of_a_factorys_workers() -> None:
    with connect_executor(f"{__name__}:made", 3) as (_, workers):
        assert workers == 3


class Mpi:
    """A stand-in for mpi4py and its futures, in one of some processes."""

    def __init__(self, size: int, rank: int = 0, served: bool = False) -> None:
        counts = {"Get_size": lambda: size, "Get_rank": lambda: rank}
        self.MPI = SimpleNamespace(COMM_WORLD=SimpleNamespace(**counts))
        pool = object() if served else None
        self.futures = SimpleNamespace(
            _core=SimpleNamespace(SharedPool=pool), MPIPoolExecutor=_MpiPool
        )

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "mpi4py.MPI", self.MPI)
        monkeypatch.setitem(sys.modules, "mpi4py.futures", self.futures)


class _MpiPool(ThreadPoolExecutor):
    num_workers = 2


def test_processes_of_mpi_that_would_each_do_all_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Mpi(3).install(monkeypatch)
    sentence = "mpiexec -n 3 python -m mpi4py.futures -m exactmatch"
    with pytest.raises(InputError, match=sentence), connect_executor("mpi"):
        pass
    Mpi(3, rank=1).install(monkeypatch)
    with pytest.raises(SystemExit), connect_executor("mpi"):
        pass
    for mpi in (Mpi(3, served=True), Mpi(1)):
        mpi.install(monkeypatch)
        with connect_executor("mpi") as (_, workers):
            assert workers == 2


def test_mpi4py_without_a_library_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Mpi(1).install(monkeypatch)

    def refuse() -> int:
        raise RuntimeError("cannot load MPI library")

    world = SimpleNamespace(Get_size=refuse, Get_rank=refuse)
    monkeypatch.setitem(sys.modules, "mpi4py.MPI", SimpleNamespace(COMM_WORLD=world))
    sentence = "mpi4py cannot load MPI: cannot load MPI library"
    with pytest.raises(InputError, match=sentence), connect_executor("mpi"):
        pass


def test_dask_takes_an_address_with_tls(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(address: str, timeout: float, **_: Any) -> None:
        raise TypeError(f"no certificate for {address} in {timeout} s")

    monkeypatch.setitem(sys.modules, "distributed", dask(refuse))
    spec = "dask://tls://there:1"
    sentence = f"--executor {spec}: no certificate for tls://there:1"
    with pytest.raises(InputError, match=sentence), connect_executor(spec):
        pass


def test_calls_that_are_lost_are_not_a_sign_of_life() -> None:
    """A dead engine loses all calls at once, and would seem well at that moment."""
    with ThreadPoolExecutor(1) as executor:
        workers = Workers(executor, 1)
        lost: Future[bytes] = Future()
        lost.set_exception(OSError("gone"))
        cancelled: Future[bytes] = Future()
        cancelled.cancel()
        cancelled.set_running_or_notify_cancel()
        answered: Future[bytes] = Future()
        answered.set_result(b"")
        workers._ailing_since = 5.0
        assert workers.wait([lost, cancelled]) == {lost, cancelled}
        assert workers._ailing_since == 5.0
        assert answered in workers.wait([answered, lost])
        assert workers._ailing_since is None
