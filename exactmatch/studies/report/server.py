"""Server of one page, for this machine alone."""

from __future__ import annotations

import socket
import sys
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from exactmatch.base.errors import InputError

LOOPBACK = "127.0.0.1"
_MOST = 32
"""Requests that are answered at a time, each by a thread."""

_PATIENCE = 10.0
"""Seconds for a request to arrive, and for a part of the answer to be received."""

_AT_ONCE = 2**16
"""Bytes of such a part."""


class Server(ThreadingHTTPServer):
    """Server that answers a bounded number of requests at a time.

    A request has to arrive within some seconds, and further requests are refused, so
    that neither many nor slow clients keep others waiting for long.  The *version* of
    the page counts its replacements.
    """

    request_queue_size = 128

    def __init__(self, port: int, page: bytes) -> None:
        try:
            super().__init__((LOOPBACK, port), _Handler)
        except OSError as error:
            raise InputError(
                f"port {port} cannot be used: {error.strerror}; name another --port"
            ) from None
        self.page, self.version = page, 0
        self.asking: dict[Any, float] = {}
        self._free = threading.BoundedSemaphore(_MOST)

    def renew(self, page: bytes) -> None:
        """Replace the page."""
        self.page = page
        self.version += 1

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
        """Answer, then free the thread for others."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._forget(request)

    def _forget(self, request: Any) -> None:
        self.asking.pop(request, None)
        self._free.release()

    def service_actions(self) -> None:
        """End the connections whose request does not arrive."""
        time_now = time.monotonic()
        for request, began in list(self.asking.items()):
            if time_now - began > _PATIENCE:
                with suppress(OSError):
                    request.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of connections that ended early."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    """Handler of requests that name this machine."""

    server: Server
    server_version = "exactmatch"
    sys_version = ""
    timeout = _PATIENCE  # of one read or write

    def do_GET(self) -> None:
        self.server.asking.pop(self.connection, None)  # it has arrived
        host = self.headers.get("Host", "").rpartition(":")[0]
        path = self.path.partition("?")[0]
        if host not in (LOOPBACK, "localhost"):
            self.send_error(403, "ask this machine by its own name")
        elif path == "/":
            self._send("text/html; charset=utf-8", self.server.page)
        elif path == "/version":
            self._send("text/plain", str(self.server.version).encode())
        else:
            self.send_error(404)

    def _send(self, kind: str, content: bytes) -> None:
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
