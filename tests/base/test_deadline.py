"""Limits of reading: shared by the readings of a pair, and kept by a signal."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from exactmatch import make_metric
from exactmatch.base import deadline, json_texts
from exactmatch.base.deadline import (
    OutOfTimeError,
    check,
    each_in_time,
    is_limited,
    look_by_signal,
    reading,
    reading_limits,
    reading_within,
)
from exactmatch.formats import blocks
from exactmatch.formats.blocks import count_blocks
from exactmatch.formats.machine import mermaid
from exactmatch.scoring.pair import PairScorer
from exactmatch.scoring.settings import Settings


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        fake = SimpleNamespace(perf_counter=lambda: self.now, time=lambda: self.now)
        monkeypatch.setattr(deadline, "time", fake)

    def work(self, seconds: float) -> None:
        """Let time pass, and look at the clock."""
        self.now += seconds
        check()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def test_the_readings_of_a_pair_share_its_time(clock: Clock) -> None:
    """Files are counted, cut and read, both sides: ten seconds and a little more."""
    with reading_within(reading_limits(each=10.0)):
        for _ in each_in_time([1], "counted"):
            pass
        for name in ("one", "other"):
            with reading(name):
                clock.work(5.0)
        with pytest.raises(OutOfTimeError, match=r"^last: "), reading("last"):
            clock.work(0.5 + 10.0)


def test_a_reading_within_another_counts_once(clock: Clock) -> None:
    with reading_within(reading_limits(each=10.0)):
        with reading("outer"), reading("inner"):
            clock.work(6.0)
        with reading("next"):
            clock.work(4.0)


def test_many_pairs_have_as_many_limits(clock: Clock) -> None:
    with reading_within(reading_limits(each=10.0)):
        for _ in range(50):
            for name in ("one", "other"):
                with reading(name):
                    clock.work(5.0)

    def graphs() -> Iterator[int]:
        for number in range(70):
            clock.work(9.0)
            yield number

    with reading_within(reading_limits(each=10.0)):
        assert len([*each_in_time(graphs(), "many")]) == 70


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="there is no alarm")
def test_a_signal_stops_what_never_looks_at_the_clock() -> None:
    before = signal.getsignal(signal.SIGALRM)
    try:
        look_by_signal()
        limits = reading_limits(each=0.0)
        with reading_within(limits):
            with pytest.raises(OutOfTimeError, match=r"^long: "), reading("long"):
                for _ in range(10**12):
                    pass
            assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_no_signal_is_taken_from_a_program_that_has_its_own() -> None:
    with reading_within(reading_limits(each=3600.0)), reading("file"):
        if hasattr(signal, "SIGALRM"):
            assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@pytest.mark.parametrize("find", [count_blocks, blocks.read_blocks])
def test_formats_are_recognised_within_the_limit(
    find: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long text of JSON is stopped before anything is cut into blocks."""
    path = tmp_path / "long.json"
    nodes = [{"id": f"a{k}"} for k in range(2000)]
    path.write_text(json.dumps({"nodes": nodes, "edges": []}), "utf-8")
    monkeypatch.setattr(json_texts, "_LONG", 2**8)
    monkeypatch.setattr(json_texts, "_PIECE", 2**6)
    monkeypatch.setattr(blocks, "get_format", lambda _: pytest.fail("it was cut"))
    seconds = iter(range(10**9))
    fake = SimpleNamespace(perf_counter=lambda: float(next(seconds)), time=time.time)
    monkeypatch.setattr(deadline, "time", fake)
    limits = reading_limits(each=40.0)
    with reading_within(limits), pytest.raises(OutOfTimeError, match=r"long\.json"):
        [*found] if not isinstance(found := find(path), int) else found


def test_graphs_are_counted_within_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What reads all lines before its first graph does so under the limit, too."""
    path = tmp_path / "flow.mmd"
    path.write_text("graph TD\na --> b\n", "utf-8")
    read = mermaid._without_comments
    limited: list[bool] = []

    def noted(lines: Any) -> Any:
        limited.append(is_limited())
        return read(lines)

    monkeypatch.setattr(mermaid, "_without_comments", noted)
    with reading_within(reading_limits(each=3600.0)):
        assert count_blocks(path) == 1
    assert count_blocks(path) == 1
    assert limited == [True, True, False, False]  # recognised, then cut


def test_a_solver_has_the_time_that_reading_left() -> None:
    scorer = PairScorer([make_metric("smatch")], Settings(time_limit=10.0))
    now = time.perf_counter()
    rest = scorer._limits_since(now - 4.0).seconds
    assert rest is not None
    assert 0.0 < rest <= 6.0
    assert scorer._limits_since(now + 3600.0) is scorer.limits
