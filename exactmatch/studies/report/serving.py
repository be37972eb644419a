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

PageMaker: TypeAlias = "Callable[[ReportOptions, Listener], ReportPage]"
"""Function that makes a page from options."""


def serve(make: PageMaker, options: ReportOptions, reporter: Listener) -> NoReturn:
    """Serve the report of files until Ctrl-C, and print its address.

    Raises:
        InputError: if a graph cannot be read, or the port cannot be used.
        KeyboardInterrupt: at Ctrl-C.
    """
    from exactmatch.studies.report.server import LOOPBACK, Server

    sides = [*options.systems().values(), options.golds]
    paths = [path for side in sides for path in paths_of(side)]
    seen = _state(paths)  # before they are read, so that no change is overlooked
    page = _Made(make(options, reporter), time.strftime("%H:%M:%S"))
    with Server(options.port, page.written()) as server:
        print(f"http://{LOOPBACK}:{server.server_port}/", flush=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            while True:
                time.sleep(_LOOK_EVERY)
                state_of_files = _state(paths)
                if state_of_files != seen:
                    seen = state_of_files
                    page = _renewed(make, page, paths, options, reporter)
                    server.renew(page.written())
        finally:
            server.shutdown()


class _Made(NamedTuple):
    """Last page that could be made, and why and since when no newer one can be."""

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
    make: PageMaker,
    made: _Made,
    paths: Sequence[str],
    options: ReportOptions,
    reporter: Listener,
) -> _Made:
    """Make the page anew; keep the last one, with a notice, if a file cannot be read.

    Any error can occur, for files change while they are read.
    """
    time_now = time.strftime("%H:%M:%S")
    try:
        for path in paths:
            if is_read_once(path):  # opening a pipe would wait for its writer
                raise InputError(f"{path}: is no longer a file or a folder")
        new_options = options.replace(until=None)  # its total time begins now
        with reading_within(ReadingLimits()), limits_of(new_options):
            page = make(new_options, reporter)
    except Exception as error:  # whatever a file becomes, the server goes on
        reason = str(error)
        if not isinstance(error, ExactmatchError):
            reason = f"{type(error).__name__}: {error}"
        reporter.note(f"not renewed: {reason}")
        since = made.failing_since or time_now
        return made._replace(failing_since=since, reason=reason)
    reporter.note(f"renewed at {time_now}")
    return _Made(page, time_now)


def _state(paths: Iterable[str]) -> list[tuple[object, ...] | None]:
    """Return the times, length, place and rights of each file, which tell a change.

    ``None`` stands for a file that cannot be read.
    """
    states: list[tuple[object, ...] | None] = []
    for path in paths:
        try:
            for file in (path, *expand(path)):
                facts = os.stat(file)
                times = facts.st_mtime_ns, facts.st_ctime_ns
                place = facts.st_dev, facts.st_ino, facts.st_mode
                states.append((file, *times, facts.st_size, *place))
        except (OSError, ValueError, ExactmatchError):
            states.append(None)
    return states
