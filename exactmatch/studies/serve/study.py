"""Serve the report of files, and renew it whenever one of them changes."""

from __future__ import annotations

import io
import os
import threading
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, NoReturn

from exactmatch.base import values
from exactmatch.base.errors import ExactmatchError
from exactmatch.base.options import option
from exactmatch.formats.files import expand
from exactmatch.metrics import ALIGNING
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.scoring.sources import paths_of
from exactmatch.studies.command import Command
from exactmatch.studies.report.options import ReportOptions

if TYPE_CHECKING:
    from exactmatch.studies.serve.server import Server


class ServeOptions(ReportOptions):
    """How the report is made, and where it is served."""

    TITLE = "serving"

    port: int = option(
        "port on this machine (default: 8765; 0: any that is free)",
        default=8765,
        read=values.port,
    )


COMMAND = Command(
    """Show the report of files and renew it whenever one of them changes.

Only this machine can see it.  Ctrl-C ends it.

Example:
  exactmatch serve parsed.amr gold.amr""",
    ServeOptions,
    "exactmatch.studies.serve.study:study",
    metrics=ALIGNING,
    output="shown",
)

_LOOK_EVERY = 0.5


def study(asked: ServeOptions, reporter: Listener = SILENCE) -> NoReturn:
    """Serve the report of files until Ctrl-C, and print its address.

    Raises:
        InputError: if a graph cannot be read, or the port cannot be used.
        KeyboardInterrupt: at Ctrl-C.
    """
    from exactmatch.studies.serve.server import LOOPBACK, Server

    sides = [*asked.systems().values(), asked.golds]
    paths = [path for side in sides for path in paths_of(side)]
    seen = _state(paths)  # before they are read, so that no change is overlooked
    with Server(asked.port, _written(asked, reporter)) as server:
        print(f"http://{LOOPBACK}:{server.server_port}/", flush=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            while True:
                time.sleep(_LOOK_EVERY)
                now = _state(paths)
                if now != seen:
                    seen = now
                    _renew(asked, reporter, server)
        finally:
            server.shutdown()


def _written(asked: ServeOptions, reporter: Listener) -> bytes:
    from exactmatch.studies.report.study import report_page

    stream = io.StringIO()
    report_page(asked, reporter).write(stream, live=True)
    return stream.getvalue().encode("utf-8", "replace")


def _renew(asked: ServeOptions, reporter: Listener, server: Server) -> None:
    """Write the page anew; while a file is broken the last one stays."""
    try:
        server.renew(_written(asked, reporter))
    except ExactmatchError as error:
        reporter.note(f"not renewed: {error}")
    else:
        reporter.note(f"renewed at {time.strftime('%H:%M:%S')}")


def _state(paths: Iterable[str]) -> list[tuple[str, float, int] | None]:
    """Return each file, the time of its last change, and its length.

    ``None`` stands for what cannot be read.
    """
    found: list[tuple[str, float, int] | None] = []
    for path in paths:
        try:
            for file in expand(path):
                status = os.stat(file)
                found.append((file, status.st_mtime, status.st_size))
        except (OSError, ExactmatchError):
            found.append(None)
    return found
