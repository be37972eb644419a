"""On-disk cache of pair results, so that no pair is scored twice.

The key of a result is a checksum of all that determines it: the texts of the graphs,
the metric with its profile, options and what it learned from the references, and the
version of the program.  Results of a metric that searches are kept only where they are
proven, so that neither a time limit nor Ctrl-C leaves anything behind that a longer
search would improve.

The folder holds one SQLite database in WAL mode: several processes read and write it
at the same time.  When the database is full, its oldest quarter goes.

The folder may have come with somebody's data, or others may write in it.  So keys
and results are checksummed with a secret that lies in the user's own folder: a damaged
or forged result is an error and never a number, and the results of other users are not
used.
"""

import hmac
import json
import os
import secrets
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from exactmatch.base.errors import InputError
from exactmatch.base.files import config_root
from exactmatch.base.json_files import ShapeError, value_in
from exactmatch.base.version import __version__
from exactmatch.metrics.base import Metric, Pair
from exactmatch.scoring.reading import Digest
from exactmatch.solvers.solution import Proof, Solution

MOST_BYTES = 2**30  # room for about four million pairs of sentences
FILE = "pairs.sqlite"
SECRET = "cache.key"  # the file of the secret, in the user's folder
_FORMAT = 2
_WAIT = 60.0  # seconds to wait for other processes that write
_TRY_EVERY = 0.02  # seconds; SQLite itself would wait without hearing Ctrl-C
_BATCH = 512  # results that are written at once

_MAKE = "CREATE TABLE IF NOT EXISTS pairs (key BLOB PRIMARY KEY, found BLOB)"
_LIST = "SELECT type, tbl_name FROM sqlite_master ORDER BY 1"
_EXPECTED_TABLES = [("index", "pairs"), ("table", "pairs")]
_FORGET = (
    "DELETE FROM pairs WHERE rowid IN (SELECT rowid FROM pairs ORDER BY rowid"
    " LIMIT (SELECT count(*) / 4 + 1 FROM pairs))"
)
_STORED_SHAPE = tuple[list[float], tuple[list[int], int, str, Proof] | None]
"""Shape of a result: its statistics; alignment, value, solver and proof, if any."""
_CHECKSUM_SIZE = 16
_SECRET_SIZE = 32

Result = TypeVar("Result")


class PairCache:
    """On-disk cache of pair results, limited in size; creates its folder.

    Its database is opened at the first use, once in each process.
    """

    def __init__(self, folder: str | os.PathLike[str], most: int = MOST_BYTES) -> None:
        self.folder = os.fspath(folder)
        self.most = most
        self.path = os.path.join(self.folder, FILE)
        self._secret = user_secret()
        self._unwritten: dict[bytes, bytes] = {}
        self._open: tuple[int, sqlite3.Connection] | None = None
        self._wait = _WAIT

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel to another process, which opens the database for itself."""
        return PairCache, (self.folder, self.most)

    def checksum(self, *contents: bytes) -> bytes:
        """Return one checksum of several contents, which only this user can make.

        A pair's key is that of what :func:`metric_key` returns, and of both sides.
        """
        digest = Digest(self._secret)
        for content in contents:
            digest.add(content)
        return digest.checksum()

    def get(self, key: bytes) -> Pair | None:
        """Return the stored result of a pair, without its alignment problem."""
        kept = self._unwritten.get(key)
        if kept is None:
            query = "SELECT found FROM pairs WHERE key = ?"
            row = self._try(lambda database: database.execute(query, (key,)).fetchone())
            if row is None:
                return None
            kept = row[0] if isinstance(row[0], bytes) else b""
        content = kept[_CHECKSUM_SIZE:]
        if not hmac.compare_digest(self.checksum(key, content), kept[:_CHECKSUM_SIZE]):
            raise self._error("a checksum is wrong")
        pair = _pair(content)
        if pair is None:
            raise self._error("a stored result is malformed")
        return pair

    def put(self, key: bytes, pair: Pair) -> None:
        """Keep the result of a pair, if it is final; see :meth:`flush`."""
        solution = pair.solution
        if solution is not None and not solution.is_optimal:
            return
        solved = None
        if solution is not None:
            alignment = [int(right) for right in solution.alignment]
            solved = [alignment, solution.value, solution.solver, solution.proof]
        content = json.dumps([pair.statistics, solved]).encode()
        self._unwritten[key] = self.checksum(key, content) + content
        if len(self._unwritten) >= _BATCH:
            self.flush()

    def flush(self) -> None:
        """Write the results that were put, or raise an InputError."""
        if self._unwritten:
            rows = list(self._unwritten.items())
            self._try(lambda database: self._write(database, rows))
            self._unwritten.clear()

    def close(self, *, hurry: bool = False) -> None:
        """Write the results and close the database; in a *hurry*, do not wait."""
        if hurry:
            self._wait = 0.0
        forgiven = (InputError,) if hurry else ()
        try:
            with suppress(*forgiven):
                self.flush()
        finally:
            if self._open is not None and self._open[0] == os.getpid():
                self._open[1].close()
            self._open = None

    def _write(
        self, database: sqlite3.Connection, rows: Iterable[tuple[bytes, bytes]]
    ) -> None:
        with database:
            database.execute("BEGIN IMMEDIATE")
            database.executemany("INSERT OR REPLACE INTO pairs VALUES (?, ?)", rows)
            while _size(database) > self.most:
                if not database.execute(_FORGET).rowcount:
                    break

    def _try(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """Run *work* on the database, and wait while another process has it."""
        deadline = time.monotonic() + self._wait
        while True:
            try:
                if self._open is None or self._open[0] != os.getpid():
                    self._open = os.getpid(), self._connect()
                return work(self._open[1])
            except (sqlite3.Error, OSError, UnicodeError) as error:
                reason = getattr(error, "strerror", None) or str(error)
                if "locked" not in reason or time.monotonic() > deadline:
                    raise self._error(reason) from None
            time.sleep(_TRY_EVERY)

    def _connect(self) -> sqlite3.Connection:
        os.makedirs(self.folder, exist_ok=True)
        database = sqlite3.connect(
            self.path, timeout=0, isolation_level=None, check_same_thread=False
        )
        try:
            # in this mode others read while one writes
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = NORMAL")
            (version,) = database.execute("PRAGMA user_version").fetchone()
            if version not in (0, _FORMAT):
                raise sqlite3.DatabaseError("it belongs to another version")
            with database:
                database.execute("BEGIN IMMEDIATE")
                database.execute(_MAKE)
                database.execute(f"PRAGMA user_version = {_FORMAT}")
            if database.execute(_LIST).fetchall() != _EXPECTED_TABLES:
                raise sqlite3.DatabaseError("it holds other tables than results")
        except BaseException:
            database.close()
            raise
        return database

    def _error(self, reason: str) -> InputError:
        return InputError(
            f"{self.path}: the cache cannot be used ({reason}); remove it, or name "
            "another folder"
        )


def metric_key(metric: Metric, seed: int, learned: bytes) -> bytes:
    """Return all that determines a metric's results beside the pair itself.

    Args:
        metric: the metric.
        seed: seed of its random draws, if it draws.
        learned: checksum of the references that it learned from.
    """
    kind = type(metric)
    key_parts = (
        __version__,
        f"{kind.__module__}.{kind.__qualname__}",
        metric.name,
        metric.signature(),
        getattr(metric, "profile", None),
        getattr(metric, "max_terms", None),
        seed if metric.draws else None,
    )
    return repr(key_parts).encode() + learned


def _pair(content: bytes) -> Pair | None:
    """Return a pair from its stored bytes, or ``None`` if they are damaged.

    Only proven results are stored, so a solution's value is its bound.
    """
    try:
        statistics, solution = value_in(content, _STORED_SHAPE)
    except ShapeError:
        return None
    if solution is None:
        return Pair(tuple(statistics), stored=True)
    alignment, value, solver, proof = solution
    solved = Solution(tuple(alignment), value, value, solver, proof, 0.0)
    return Pair(tuple(statistics), solved, stored=True)


def user_secret() -> bytes:
    """Return the secret of this user, which is made at its first use."""
    try:
        path = config_root() / SECRET
    except RuntimeError:
        raise InputError(
            "a cache needs a secret file, and no folder for it was found; set "
            "XDG_CONFIG_HOME, or leave --cache out"
        ) from None
    try:
        if not path.exists():
            _make_secret(path)
        status = path.stat()
        content = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"{path}: the secret file of caches cannot be read or written "
            f"({error.strerror}); set "
            "XDG_CONFIG_HOME to a folder of your own, or leave --cache out"
        ) from None
    is_private = os.name == "nt" or (
        status.st_uid == os.geteuid() and not status.st_mode & 0o077
    )
    if len(content) != _SECRET_SIZE or not is_private:
        raise InputError(
            f"{path}: is not a valid secret that only you can read; remove it, and "
            "a new one is made"
        )
    return content


def _make_secret(path: Path) -> None:
    """Write a new secret, whole and for the user alone; another process's stays."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    file, name = tempfile.mkstemp(dir=path.parent)  # which nobody else may read
    try:
        with os.fdopen(file, "wb") as stream:
            stream.write(secrets.token_bytes(_SECRET_SIZE))
        with suppress(FileExistsError):
            os.link(name, path)
    finally:
        os.unlink(name)


def _size(database: sqlite3.Connection) -> int:
    pages, free, size = (
        database.execute(f"PRAGMA {what}").fetchone()[0]
        for what in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)
