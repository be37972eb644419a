"""Serve the report of files, and renew it whenever one of them changes."""

from __future__ import annotations

import io
import os
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, NoReturn, TypeAlias

from exactmatch.base.deadline import ReadingLimits, reading_within
from exactmatch.base.errors import ExactmatchError, InputError
from exactmatch.base.options import limits_of
from exactmatch.formats.files import expand, is_read_once
from exactmatch.scoring.reporter import Listener
from exactmatch.scoring.sources import paths_of
from exactmatch.studies.report.options import ReportOptions

if TYPE_CHECKING:
    from exactmatch.studies.report.view import ReportPage

_LOOK_EVERY = 0.5

Making: TypeAlias = "Callable[[ReportOptions, Listener], ReportPage]"
"""Makes the page of some options."""


def serve(make: Making, asked: ReportOptions, reporter: Listener) -> NoReturn:
    """Serve the report of files until Ctrl-C, and print its address.

    Raises:
        InputError: if a graph cannot be read, or the port cannot be used.
        KeyboardInterrupt: at Ctrl-C.
    """
    from exactmatch.studies.report.server import LOOPBACK, Server

    sides = [*asked.systems().values(), asked.golds]
    paths = [path for side in sides for path in paths_of(side)]
    seen = _state(paths)  # before they are read, so that no change is overlooked
    made = _Made(make(asked, reporter), time.strftime("%H:%M:%S"))
    with Server(asked.port, made.written()) as server:
        print(f"http://{LOOPBACK}:{server.server_port}/", flush=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            while True:
                time.sleep(_LOOK_EVERY)
                now = _state(paths)
                if now != seen:
                    seen = now
                    made = _renewed(make, made, paths, asked, reporter)
                    server.renew(made.written())
        finally:
            server.shutdown()


class _Made(NamedTuple):
    """The last page that could be made, when, and since when none can be, and why."""

    page: ReportPage
    at: str
    failing_since: str = ""
    reason: str = ""

    def written(self) -> bytes:
        """Return the page as bytes, with a notice where it is not up to date."""
        notice = ""
        if self.reason:
            notice = (
                f"Not renewed since {self.failing_since}: {self.reason}. What is shown "
                f"is of {self.at}."
            )
        stream = io.StringIO()
        self.page.write(stream, live=True, notice=notice)
        return stream.getvalue().encode("utf-8", "replace")


def _renewed(
    make: Making,
    made: _Made,
    paths: Sequence[str],
    asked: ReportOptions,
    reporter: Listener,
) -> _Made:
    """Make the page anew; while a file cannot be read, the last one stays and says so.

    What may go wrong is anything: files change while they are read.
    """
    now = time.strftime("%H:%M:%S")
    try:
        for path in paths:
            if is_read_once(path):  # to open a pipe is to wait for its writer
                raise InputError(f"{path}: is no longer a file or a folder")
        anew = asked.replace(until=None)  # its total time begins now
        with reading_within(ReadingLimits()), limits_of(anew):
            page = make(anew, reporter)
    except Exception as error:  # whatever a file becomes, the server goes on
        reason = str(error)
        if not isinstance(error, ExactmatchError):
            reason = f"{type(error).__name__}: {error}"
        reporter.note(f"not renewed: {reason}")
        since = made.failing_since or now
        return made._replace(failing_since=since, reason=reason)
    reporter.note(f"renewed at {now}")
    return _Made(page, now)


def _state(paths: Iterable[str]) -> list[tuple[object, ...] | None]:
    """Return each file with what changes when it does: times, length, place, rights.

    ``None`` stands for what cannot be read.
    """
    found: list[tuple[object, ...] | None] = []
    for path in paths:
        try:
            for file in (path, *expand(path)):
                facts = os.stat(file)
                times = facts.st_mtime_ns, facts.st_ctime_ns
                place = facts.st_dev, facts.st_ino, facts.st_mode
                found.append((file, *times, facts.st_size, *place))
        except (OSError, ValueError, ExactmatchError):
            found.append(None)
    return found
