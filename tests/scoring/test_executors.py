"""Engines by their names; what they compute is tested where their packages are."""

from __future__ import annotations

import sys
from concurrent.futures import Future, ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest

from exactmatch.base.errors import InputError, MissingExtraError
from exactmatch.scoring.executors import connect_executor


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
        assert executor is MADE[-1]
        assert workers == 1  # which stands for unknown
        assert executor.submit(str, 5).result() == "5"
    with pytest.raises(RuntimeError, match="shutdown"):
        executor.submit(str, 5)


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
    told = f"^--executor {place}:? {sentence}"
    with pytest.raises(InputError, match=told), connect_executor(place):
        pass


def test_a_scheduler_that_is_not_there_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(address: str, timeout: float) -> None:
        raise OSError(f"nobody answers at {address} in {timeout} s")

    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=refuse))
    sentence = "--executor dask://there:1: nobody answers at tcp://there:1 in 10 s"
    with pytest.raises(InputError, match=sentence), connect_executor("dask://there:1"):
        pass


class Ray:
    """A stand-in for the package: it works at once, and says what it is asked."""

    def __init__(self, initialised: bool) -> None:
        self.initialised = initialised
        self.asked: list[str] = []

    def is_initialized(self) -> bool:
        return self.initialised

    def init(self, **_: Any) -> None:
        self.asked.append("init")

    def shutdown(self) -> None:
        self.asked.append("shutdown")

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
    with connect_executor("ray") as (executor, workers):
        assert executor is not None
        assert workers == 4
        assert executor.submit(int, "12", base=5).result() == 7
    with pytest.raises(KeyError), connect_executor("ray"):
        raise KeyError
    assert ray.asked == ([] if initialised else 2 * ["init", "shutdown"])
