"""Executors by the name that ``--executor`` takes.

Each is a ``concurrent.futures.Executor`` (PEP 3148); the packages are extras:

* ``dask://HOST:PORT``: the scheduler of a Dask cluster, however it was deployed;
* ``mpi``: the processes of ``mpiexec -n N python -m mpi4py.futures …``;
* ``ray``: the Ray cluster that ``ray.init(address="auto")`` finds, or this machine;
* ``processes:N``: as ``-j N``;
* ``MODULE:FACTORY``: what this function or class of yours returns, called without
  arguments, such as ``concurrent.futures:ThreadPoolExecutor``.
"""

import re
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pkgutil import resolve_name
from typing import Any

from exactmatch.base.errors import InputError
from exactmatch.base.registry import installed


def connect_executor(spec: str) -> AbstractContextManager[tuple[Executor | None, int]]:
    """Connect to the engine of a name, and leave it at the end as it was.

    It comes with its number of workers, 1 if that is not known; processes of our own
    have no executor.
    """
    kind, _, rest = spec.partition(":")
    if kind == "processes":
        if not (rest.isascii() and rest.isdigit() and int(rest) > 0):
            raise InputError(f"--executor {spec}: say how many, as in processes:4")
        return nullcontext((None, int(rest)))
    if kind == "dask" and rest.startswith("//") and len(rest) > 2:
        if not re.fullmatch(r"//.+:[0-9]+", rest):
            why = "say at which port, as in dask://HOST:8786"
            raise InputError(f"--executor {spec}: {why}")
        return _dask(rest.removeprefix("//"))
    if spec in ("mpi", "ray"):
        return _mpi() if spec == "mpi" else _ray()
    if re.fullmatch(r"[^\W\d][\w.]*:[^\W\d][\w.]*", spec):
        return _from_factory(spec)
    raise InputError(
        f"--executor {spec!r} is not an engine; known: dask://HOST:PORT, mpi, ray, "
        "processes:N, MODULE:FACTORY"
    )


@contextmanager
def _from_factory(place: str) -> Iterator[tuple[Executor, int]]:
    """Call a factory, and shut down what it made when all is done."""
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
    with executor:
        yield executor, 1


@contextmanager
def _dask(address: str) -> Iterator[tuple[Executor, int]]:
    distributed = installed("distributed", "--executor dask needs", "dask")
    try:
        client: Any = distributed.Client(f"tcp://{address}", timeout=10)
    except OSError as error:
        raise InputError(f"--executor dask://{address}: {error}") from None
    with client:
        workers = len(client.scheduler_info(n_workers=-1)["workers"])
        yield client.get_executor(pure=False), max(workers, 1)


@contextmanager
def _mpi() -> Iterator[tuple[Executor, int]]:
    futures = installed("mpi4py.futures", "--executor mpi needs", "mpi")
    with futures.MPIPoolExecutor() as executor:
        yield executor, max(int(executor.num_workers), 1)


@contextmanager
def _ray() -> Iterator[tuple[Executor, int]]:
    ray = installed("ray", "--executor ray needs", "ray")
    ours = not ray.is_initialized()
    if ours:
        ray.init(log_to_driver=False)
    try:
        workers = int(ray.cluster_resources().get("CPU", 1))
        yield _RayExecutor(ray), max(workers, 1)
    finally:
        if ours:
            ray.shutdown()


class _RayExecutor(Executor):
    """Ray's tasks as an executor, which Ray itself does not have."""

    def __init__(self, ray: Any) -> None:
        self._run = ray.remote(_call)

    def submit(
        self, function: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Future[Any]:
        """Have a function called; Ray repeats the call if a node is lost."""
        future: Future[Any] = self._run.remote(function, args, kwargs).future()
        return future


def _call(function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    return function(*args, **kwargs)
