"""``exactmatch serve``: the report of files that are still being written."""

from __future__ import annotations

import argparse
import io
import os
import socket
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

from exactmatch.base import values
from exactmatch.base.errors import ExactmatchError, InputError
from exactmatch.cli import report, settings
from exactmatch.formats.files import expand

_LOOPBACK = "127.0.0.1"
_LOOK_EVERY = 0.5
_MOST = 32
"""Requests that are answered at a time, each by a thread."""

_PATIENCE = 10.0
"""Seconds in which a request has to arrive, and a part of the answer to be taken."""

_AT_ONCE = 2**16
"""Bytes of such a part."""


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options; those of the metrics that *arguments* name."""
    report.add_measured(parser, arguments)
    group = parser.add_argument_group("serving")
    group.add_argument(
        "--port",
        type=values.natural_int,
        default=8765,
        metavar="N",
        help="port on this machine (default: 8765; 0: any that is free)",
    )
    group.add_argument("-q", "--quiet", action="store_true", help="say nothing")
    group.add_argument(
        "-v", "--verbose", action="store_true", help="say how each pair was solved"
    )


def run(args: argparse.Namespace) -> int:
    """Show the report of files and renew it whenever one of them changes.

    Only this machine can see it.  Ctrl-C ends it.

    Example:
      exactmatch serve parsed.amr gold.amr
    """
    paths = report.checked_files(args)
    seen = _state(paths)  # before they are read, so that no change is overlooked
    page = LivePage(_written(args))
    with _server(args.port, page) as server:
        print(f"http://{_LOOPBACK}:{server.server_port}/", flush=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            _watch(args, paths, page, seen)
        finally:
            server.shutdown()
    return 0


def _written(args: argparse.Namespace) -> bytes:
    stream = io.StringIO()
    report.write(args, stream, live=True)
    return stream.getvalue().encode("utf-8", "replace")


def _watch(
    args: argparse.Namespace,
    paths: Sequence[str],
    page: LivePage,
    seen: list[FileState | None],
) -> None:
    """Renew the page whenever a file changes, until Ctrl-C."""
    while True:
        time.sleep(_LOOK_EVERY)
        now = _state(paths)
        if now != seen:
            seen = now
            _renew(args, page)


def _renew(args: argparse.Namespace, page: LivePage) -> None:
    """Write the page anew; while a file is broken the last one stays."""
    try:
        page.renew(_written(args))
    except ExactmatchError as error:
        settings.note(args, f"not renewed: {error}")
    else:
        settings.note(args, f"renewed at {time.strftime('%H:%M:%S')}")


FileState: TypeAlias = tuple[str, float, int]
"""A file, when it was changed last, and how long it is."""


def _state(paths: Iterable[str]) -> list[FileState | None]:
    """When each file was changed last, and how long it is."""
    found: list[FileState | None] = []
    for path in paths:
        try:
            for file in expand(path):
                status = os.stat(file)
                found.append((file, status.st_mtime, status.st_size))
        except (OSError, ExactmatchError):
            found.append(None)
    return found


@dataclass(slots=True)
class LivePage:
    """A page that can be replaced while it is served.

    Attributes:
        content: the page.
        version: how often it was replaced.
    """

    content: bytes
    version: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def renew(self, content: bytes) -> None:
        """Replace the page."""
        with self._lock:
            self.content = content
            self.version += 1

    def answer(self, path: str) -> tuple[str, bytes] | None:
        """The type and content of what stands at a path, or ``None``."""
        with self._lock:
            if path == "/":
                return "text/html; charset=utf-8", self.content
            if path == "/version":
                return "text/plain", str(self.version).encode()
        return None


class _Server(ThreadingHTTPServer):
    """A server that answers a bounded number of requests at a time.

    A request has to arrive within some seconds, and whoever asks beyond the number is
    turned away, so that neither many nor slow ones keep others waiting for long.
    """

    request_queue_size = 128

    def __init__(self, port: int, handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__((_LOOPBACK, port), handler)
        self.asking: dict[Any, float] = {}
        self._free = threading.BoundedSemaphore(_MOST)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread, if one is free."""
        if not self._free.acquire(blocking=False):
            self.shutdown_request(request)
            return
        self.asking[request] = time.monotonic()
        try:
            super().process_request(request, client_address)
        except BaseException:  # no thread could be started
            self._forget(request)
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer, and let others ask."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._forget(request)

    def _forget(self, request: Any) -> None:
        self.asking.pop(request, None)
        self._free.release()

    def service_actions(self) -> None:
        """End the connections whose request does not arrive."""
        now = time.monotonic()
        for request, began in list(self.asking.items()):
            if now - began > _PATIENCE:
                with suppress(OSError):
                    request.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of connections that ended early."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


def _server(port: int, page: LivePage) -> _Server:
    """A server that this machine alone can reach, by its own names."""

    class Handler(BaseHTTPRequestHandler):
        server: _Server
        server_version = "exactmatch"
        sys_version = ""
        timeout = _PATIENCE  # of one read or write

        def do_GET(self) -> None:
            self.server.asking.pop(self.connection, None)  # it has arrived
            host = self.headers.get("Host", "").rpartition(":")[0]
            found = page.answer(self.path.partition("?")[0])
            if host not in (_LOOPBACK, "localhost"):
                self.send_error(403, "ask this machine by its own name")
            elif found is None:
                self.send_error(404)
            else:
                kind, content = found
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                self.send_header("Cache-Control", "no-store")
                self.send_header("X-Content-Type-Options", "nosniff")
                self.send_header("Referrer-Policy", "no-referrer")
                self.send_header("X-Frame-Options", "DENY")
                self.end_headers()
                for begin in range(0, len(content), _AT_ONCE):
                    self.wfile.write(content[begin : begin + _AT_ONCE])

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  its name there
            del format, args

    try:
        return _Server(port, Handler)
    except OSError as error:
        raise InputError(
            f"port {port} cannot be used: {error.strerror}; name another --port"
        ) from None
