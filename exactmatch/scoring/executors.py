"""Executors of other packages, by the name that ``--executor`` takes.

Each is a ``concurrent.futures.Executor`` (PEP 3148) of a package that is an extra:

* ``dask://HOST:PORT``: the scheduler of a Dask cluster, however it was deployed;
* ``mpi``: the processes of ``mpiexec -n N python -m mpi4py.futures …``;
* ``ray``: the Ray cluster that ``ray.init(address="auto")`` finds, or this machine;
* ``processes:N``: as ``-j N``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any

from exactmatch.base.errors import InputError, MissingExtraError


@contextmanager
def opened(spec: str) -> Iterator[tuple[Executor | None, int]]:
    """Connect to an engine, and leave it at the end as it was.

    Args:
        spec: its name.

    Yields:
        The executor (``None`` for processes of our own) and its number of workers.

    Raises:
        InputError: if there is no such engine, or it cannot be reached.
        MissingExtraError: if its package is not installed.
    """
    kind, _, rest = spec.partition(":")
    if kind == "processes":
        if not (rest.isascii() and rest.isdigit() and int(rest) > 0):
            raise InputError(f"--executor {spec}: say how many, as in processes:4")
        yield None, int(rest)
    elif kind == "dask" and rest.startswith("//") and len(rest) > 2:
        if not re.fullmatch(r"//.+:[0-9]+", rest):
            raise InputError(
                f"--executor {spec}: say at which port, as in dask://HOST:8786"
            )
        with _dask(rest.removeprefix("//")) as engine:
            yield engine
    elif spec == "mpi":
        with _mpi() as engine:
            yield engine
    elif spec == "ray":
        with _ray() as engine:
            yield engine
    else:
        raise InputError(
            f"--executor {spec!r} is no engine; known: dask://HOST:PORT, mpi, ray, "
            "processes:N"
        )


@contextmanager
def _dask(address: str) -> Iterator[tuple[Executor, int]]:
    try:
        import distributed
    except ImportError:
        raise _missing("dask", "distributed") from None
    connect: Any = distributed.Client
    try:
        client: Any = connect(f"tcp://{address}", timeout=10)
    except OSError as error:
        raise InputError(f"--executor dask://{address}: {error}") from None
    with client:
        workers = len(client.scheduler_info(n_workers=-1)["workers"])
        yield client.get_executor(pure=False), max(workers, 1)


@contextmanager
def _mpi() -> Iterator[tuple[Executor, int]]:
    try:
        from mpi4py.futures import MPIPoolExecutor
    except ImportError:
        raise _missing("mpi", "mpi4py") from None
    with MPIPoolExecutor() as executor:
        yield executor, max(int(executor.num_workers), 1)


@contextmanager
def _ray() -> Iterator[tuple[Executor, int]]:
    try:
        import ray
    except ImportError:
        raise _missing("ray", "ray") from None
    ours = not ray.is_initialized()
    if ours:
        ray.init(log_to_driver=False)
    try:
        workers = int(ray.cluster_resources().get("CPU", 1))
        yield RayExecutor(ray), max(workers, 1)
    finally:
        if ours:
            ray.shutdown()


class RayExecutor(Executor):
    """Ray's tasks as an executor, which Ray itself does not have.

    Args:
        ray: the module, initialised.
    """

    def __init__(self, ray: Any) -> None:
        self._run = ray.remote(_called)

    def submit(
        self, function: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Future[Any]:
        """Have a function called; Ray repeats the call if a node is lost."""
        future: Future[Any] = self._run.remote(function, args, kwargs).future()
        return future


def _called(function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    return function(*args, **kwargs)


def _missing(extra: str, package: str) -> MissingExtraError:
    return MissingExtraError(
        f"--executor {extra} needs {package}: pip install 'exactmatch[{extra}]'"
    )
