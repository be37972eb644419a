"""The server of reports is bounded: in its threads, and in its patience."""

from __future__ import annotations

import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest

from exactmatch.studies.report import server as serving

PAGE = b"x" * 3_000_000
"""More than the buffers of a connection hold."""


@pytest.fixture
def server() -> Iterator[serving.Server]:
    """A server of a page, in a thread."""
    with serving.Server(0, PAGE) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def half_sent(server: serving.Server) -> socket.socket:
    asking = socket.create_connection(("127.0.0.1", server.server_port))
    asking.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1")
    return asking


def page(server: serving.Server) -> bytes:
    """The page, as soon as there is a free thread."""
    while True:
        try:
            url = f"http://127.0.0.1:{server.server_port}/"
            with urllib.request.urlopen(url) as answer:
                content: bytes = answer.read()
                return content
        except (urllib.error.URLError, ConnectionError):
            continue


def test_half_sent_requests_hold_a_bounded_number_of_threads(
    server: serving.Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those beyond are turned away; the others are dropped, and the page is there."""
    before = threading.active_count()
    asking = [half_sent(server) for _ in range(100)]
    most = max(threading.active_count() for _ in range(1000))
    turned_away = 0
    for each in asking[serving._MOST :]:
        try:
            turned_away += each.recv(1) == b""
        except ConnectionError:
            turned_away += 1
    assert turned_away == 100 - serving._MOST
    assert max(most, threading.active_count()) <= before + serving._MOST
    monkeypatch.setattr(serving, "_PATIENCE", 0.1)
    assert page(server) == PAGE
    assert [each.recv(1) for each in asking[: serving._MOST]] == [b""] * serving._MOST
    for each in asking:
        each.close()


def test_a_request_that_comes_in_drops_has_to_end(
    server: serving.Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A byte now and then is not a reason to wait longer."""
    monkeypatch.setattr(serving, "_PATIENCE", 0.1)
    with half_sent(server) as asking:
        asking.settimeout(0.02)
        while True:
            try:
                asking.sendall(b"x")
                if asking.recv(1) == b"":
                    break
            except TimeoutError:
                continue
            except ConnectionError:
                break


def test_whoever_leaves_early_causes_no_traceback(
    server: serving.Server, capsys: pytest.CaptureFixture[str]
) -> None:
    before = threading.active_count()
    with half_sent(server) as asking:
        asking.sendall(b"\r\n\r\n")
        asking.recv(10)
    while threading.active_count() > before:
        pass
    assert page(server) == PAGE
    assert capsys.readouterr().err == ""
