"""Executors by the name that ``--executor`` takes.

Each is a ``concurrent.futures.Executor`` (PEP 3148); the packages are extras:

* ``dask://HOST:PORT``: the scheduler of a Dask cluster, however it was deployed;
  ``dask://tls://HOST:PORT`` with the certificates of Dask's configuration;
* ``mpi``: the processes of ``mpiexec -n N python -m mpi4py.futures …``;
* ``ray``: the Ray cluster that RAY_ADDRESS names or that runs on this machine, else a
  private one; ``ray://HOST:PORT``: another machine's, by Ray's client;
* ``processes:N``: as ``-j N``;
* ``MODULE:FACTORY``: what this function or class of yours returns, called without
  arguments, such as ``concurrent.futures:ThreadPoolExecutor``.
"""

import asyncio
import logging
import os
import re
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pkgutil import resolve_name
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

from exactmatch.base.errors import InputError, warn_caller
from exactmatch.base.registry import installed

Note: TypeAlias = Callable[[str], object]
"""Receives a remark about an engine."""

_NOTES: "WeakKeyDictionary[Executor, Note]" = WeakKeyDictionary()
_ANSWERS_IN = 10  # seconds in which a connection is made
_SOON = 5  # seconds in which a scheduler answers later
_PATIENCE = 20  # seconds in which a scheduler answers its first question


def connect_executor(
    spec: str, jobs: int = 1, note: Note = warn_caller
) -> AbstractContextManager[tuple[Executor | None, int]]:
    """Connect to the engine of a name, and leave it at the end as it was.

    It comes with its number of workers: of a factory's executor *jobs*, or what the
    executor says, or 1 if that is not known.  Processes of our own have no executor.
    Remarks on the engine go to *note*.
    """
    kind, _, rest = spec.partition(":")
    if kind == "processes":
        if not (rest.isascii() and rest.isdigit() and int(rest) > 0):
            raise InputError(f"--executor {spec}: say how many, as in processes:4")
        _refuse_jobs(spec, jobs)
        return nullcontext((None, int(rest)))
    if kind == "dask" and rest.startswith("//") and len(rest) > 2:
        _refuse_jobs(spec, jobs)
        place = _PLACE.fullmatch(rest.removeprefix("//"))
        if place is None:
            why = "say at which port, as in dask://HOST:8786"
            raise InputError(f"--executor {spec}: {why}")
        return _noting(_dask(spec, f"{place[1] or 'tcp://'}{place[2]}"), note)
    if spec in ("mpi", "ray") or (kind == "ray" and rest.startswith("//")):
        _refuse_jobs(spec, jobs)
        return _noting(_mpi() if spec == "mpi" else _ray(spec, note), note)
    if re.fullmatch(r"[^\W\d][\w.]*:[^\W\d][\w.]*", spec):
        return _noting(_from_factory(spec, jobs), note)
    raise InputError(
        f"--executor {spec!r} is not an engine; known: dask://HOST:PORT, mpi, ray, "
        "ray://HOST:PORT, processes:N, MODULE:FACTORY"
    )


_PLACE = re.compile(r"(tls://|tcp://)?([^/]+:[0-9]+)")


def _refuse_jobs(spec: str, jobs: int) -> None:
    """Refuse a number of processes beside an engine that has its own workers."""
    if jobs != 1:
        raise InputError(
            f"-j {jobs} is the number of processes of this machine, and --executor "
            f"{spec} has its own workers; leave -j out"
        )


@contextmanager
def _noting(
    opened: AbstractContextManager[tuple[Executor, int]], note: Note
) -> Iterator[tuple[Executor, int]]:
    """Keep the receiver of remarks on an executor."""
    with opened as (executor, workers):
        with suppress(TypeError):  # of a class that keeps no weak references
            _NOTES[executor] = note
        yield executor, workers


def note_of(executor: Executor) -> Note:
    """Return the receiver of remarks on an executor; default: the caller's warnings."""
    try:
        return _NOTES.get(executor, warn_caller)
    except TypeError:
        return warn_caller


def size_of(executor: Executor) -> int | None:
    """Return how many calls an executor works on at once now; ``None`` if unknown.

    Of a cluster these are its threads, which grow and shrink with its workers.
    """
    ask = getattr(executor, "size", None)
    if callable(ask):
        number: int | None = ask()
        return number
    client = _dask_client(executor)
    if client is not None:
        return _dask_size(client)
    for name in ("num_workers", "_max_workers"):  # of MPI; of Python, loky
        count = getattr(executor, name, None)
        if isinstance(count, int) and count > 0:
            return count
    return None


def _dask_client(executor: Executor) -> Any:
    is_of_dask = type(executor).__module__.startswith("distributed")
    return getattr(executor, "_client", None) if is_of_dask else None


def _dask_size(client: Any) -> int | None:
    """Return the number of threads of all workers of a Dask cluster."""
    if client.status != "running":
        return None
    try:
        identity = client.sync(client.scheduler.identity, callback_timeout=_SOON)
        workers = identity["workers"].values()
        return sum(worker["nthreads"] for worker in workers) or None
    except Exception:  # whatever its transport raises; the engine's trouble is told
        return None


def trouble_of(executor: Executor) -> str:
    """Return why the engine behind an executor can do no work; empty if not known."""
    ask = getattr(executor, "trouble", None)
    if callable(ask):
        return str(ask())
    client = _dask_client(executor)
    return "" if client is None else _dask_trouble(client)


@contextmanager
def _from_factory(place: str, jobs: int) -> Iterator[tuple[Executor, int]]:
    """Call a factory, and shut down its executors at the end."""
    with _FromFactory(place) as executor:
        yield executor, jobs if jobs > 1 else executor.size() or 1


class _FromFactory(Executor):
    """Executor that a factory makes, and makes again when its pool is broken."""

    def __init__(self, place: str) -> None:
        self._place = place
        self._pool = self._made()
        self.name = type(self._pool).__name__

    def _made(self) -> Executor:
        place = self._place
        try:
            executor = resolve_name(place)()
        except Exception as error:  # whatever somebody else's code raises
            what = type(error).__name__
            raise InputError(f"--executor {place}: {what}: {error}") from error
        if not isinstance(executor, Executor):
            raise InputError(
                f"--executor {place} makes {executor!r}, which is not an executor of "
                "concurrent.futures"
            )
        return executor

    def submit(
        self, function: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Future[Any]:
        return self._pool.submit(function, *args, **kwargs)

    def renew(self) -> None:
        """Call the factory again if its executor takes no work any more."""
        try:
            self._pool.submit(int)
        except BrokenExecutor:
            self._pool.shutdown(wait=False)
            self._pool = self._made()

    def size(self) -> int | None:
        """Return how many calls the executor works on at once, if it says so."""
        return size_of(self._pool)

    def trouble(self) -> str:
        """Return why the executor can do no work; empty if that is not known."""
        return trouble_of(self._pool)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._pool.shutdown(wait=wait, cancel_futures=cancel_futures)


@contextmanager
def _dask(spec: str, address: str) -> Iterator[tuple[Executor, int]]:
    distributed = installed("distributed", "--executor dask needs", "dask")
    with _quiet("distributed"):
        try:
            asyncio.run(asyncio.wait_for(_greet_dask(distributed, address), _PATIENCE))
            client: Any = distributed.Client(address, timeout=_ANSWERS_IN)
        except (asyncio.TimeoutError, TimeoutError):
            raise InputError(
                f"--executor {spec}: no scheduler of Dask answers at {address} within "
                f"{_PATIENCE} s"
            ) from None
        except Exception as error:  # of sockets, of TLS, of another program's answer
            words = str(error).strip() or type(error).__name__
            raise InputError(f"--executor {spec}: {words}") from None
        try:
            yield client.get_executor(pure=False), _dask_size(client) or 1
        finally:
            with suppress(Exception):  # the scheduler may be gone
                client.close(timeout=_ANSWERS_IN if client.status == "running" else 1)


async def _greet_dask(distributed: Any, address: str) -> None:
    """Ask a scheduler who it is; a client would wait for it without end."""
    arguments = distributed.Security().get_connection_args("client")
    async with distributed.rpc(
        address, timeout=_ANSWERS_IN, connection_args=arguments
    ) as scheduler:
        await scheduler.identity()


def _dask_trouble(client: Any) -> str:
    """Return what a Dask cluster lacks: its scheduler or workers."""
    if client.status != "running":
        return "the connection to the scheduler is lost"
    try:
        identity = client.sync(client.scheduler.identity, callback_timeout=_SOON)
    except Exception as error:  # whatever its transport raises
        return f"the scheduler does not answer ({type(error).__name__})"
    return "" if identity["workers"] else "the scheduler has no worker"


@contextmanager
def _mpi() -> Iterator[tuple[Executor, int]]:
    futures = installed("mpi4py.futures", "--executor mpi needs", "mpi")
    try:
        mpi = installed("mpi4py.MPI", "--executor mpi needs", "mpi")
        size, rank = mpi.COMM_WORLD.Get_size(), mpi.COMM_WORLD.Get_rank()
    except (RuntimeError, OSError) as error:  # mpi4py is there, and no library of MPI
        raise InputError(f"--executor mpi: mpi4py cannot load MPI: {error}") from None
    is_served = getattr(futures._core, "SharedPool", None) is not None
    if size > 1 and not is_served:
        if rank:  # the first process says so for all
            sys.exit(2)
        raise InputError(
            f"--executor mpi: each of {size} processes would do all the work; start "
            f"them with mpiexec -n {size} python -m mpi4py.futures -m exactmatch …"
        )
    with futures.MPIPoolExecutor() as executor:
        yield executor, max(int(executor.num_workers), 1)


@contextmanager
def _ray(spec: str, note: Note) -> Iterator[tuple[Executor, int]]:
    ray = installed("ray", "--executor ray needs", "ray")
    ours = not ray.is_initialized()
    with _quiet("ray"):
        if ours:
            _begin_ray(ray, spec, note)
        try:
            executor = _RayExecutor(ray)
            yield executor, executor.size() or 1
        finally:
            if ours:
                with suppress(Exception):  # the cluster may be gone
                    ray.shutdown()


def _begin_ray(ray: Any, spec: str, note: Note) -> None:
    """Connect to the cluster of a name or of RAY_ADDRESS, or start a private one."""
    options = {"log_to_driver": False, "logging_level": logging.ERROR}
    named = spec if spec != "ray" else os.environ.get("RAY_ADDRESS", "")
    where = f"--executor {spec}" if spec != "ray" else f"RAY_ADDRESS={named}"
    try:
        if named and named != "local":
            ray.init(address=named, **options)
            note(f"Ray: the cluster at {named}")
            return
    except Exception as error:  # of sockets, of versions, of addresses
        words = (str(error).strip() or type(error).__name__).split("\n")[0]
        raise InputError(f"{where}: no cluster of Ray answers: {words}") from None
    try:
        if not named:
            ray.init(address="auto", **options)
            note("Ray: the cluster that runs on this machine")
            return
    except ConnectionError:
        pass  # there is none
    ray.init(address="local", include_dashboard=False, **options)
    note(
        "Ray: no cluster was found, and one of this machine alone was started; name "
        "another by --executor ray://HOST:PORT or RAY_ADDRESS"
    )


@contextmanager
def _quiet(name: str) -> Iterator[None]:
    """Keep the log of an engine from the terminal: its errors come as sentences."""
    names = [n for n in logging.root.manager.loggerDict if n.startswith(f"{name}.")]
    loggers = [*map(logging.getLogger, (name, *names))]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


class _RayExecutor(Executor):
    """Ray's tasks as an executor, which Ray itself does not have."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        # a lambda travels by value: a worker without exactmatch can say so
        self._run = ray.remote(lambda function, args, kwargs: function(*args, **kwargs))

    def submit(
        self, function: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Future[Any]:
        """Have a function called; Ray repeats the call if a node is lost."""
        future: Future[Any] = self._run.remote(function, args, kwargs).future()
        return future

    def size(self) -> int | None:
        """Return how many processors the cluster has; it works on as many calls."""
        try:
            return int(self._ray.cluster_resources().get("CPU", 0)) or None
        except Exception:  # whatever Ray raises; the cluster's trouble is told
            return None

    def trouble(self) -> str:
        """Return what the cluster lacks: its head or its nodes."""
        try:
            nodes = [node for node in self._ray.nodes() if node["Alive"]]
        except Exception as error:  # whatever Ray raises
            return f"the cluster does not answer ({type(error).__name__})"
        return "" if nodes else "the cluster has no node"
