"""A served page outlives whatever becomes of its files, and says so."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from exactmatch.scoring.reporter import SILENCE
from exactmatch.studies.report.options import ReportOptions
from exactmatch.studies.report.serving import _Made, _renewed, _state
from exactmatch.studies.report.study import report_page


def _gone(path: Path) -> None:
    path.unlink()


def _a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _a_circle(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


def _a_device(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


def _holding(content: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(content)


BECOMES: dict[str, tuple[Callable[[Path], object], str]] = {
    "gone": (_gone, "no such file"),
    "a pipe": (_a_pipe, "no longer a file or a folder"),
    "an empty folder": (_a_folder, "holds no file"),
    "a circle of links": (_a_circle, "pred.amr"),
    "a device": (_a_device, "pred.amr"),
    "empty": (_holding(b""), "holds no graph"),
    "a broken graph": (_holding(b"(a / b"), "pred.amr:1"),
    "not UTF-8": (_holding(b"(a / \xff)"), "byte 0xff is not UTF-8"),
    "XML that is not UTF-8": (_holding(b"<gxl>\xff</gxl>"), "byte 0xff is not UTF-8"),
    "a collection of itself": (
        _holding(b'<GraphCollection><g file="pred.amr"/></GraphCollection>'),
        "lists files",
    ),
    "a zip archive": (_holding(b"PK\x03\x04"), "zip archive"),
    "half a gzip file": (_holding(b"\x1f\x8b\x08\x00"), "not a whole gzip file"),
    "brackets": (_holding(b"(a / b :c " * 100_000), "pred.amr"),
    "JSON brackets": (_holding(b"[" * 100_000), "pred.amr"),
}


@pytest.mark.parametrize("what", BECOMES)
def test_a_file_that_cannot_be_read_is_named_in_the_page(
    what: str, tmp_path: Path
) -> None:
    becomes, why = BECOMES[what]
    pred, gold = tmp_path / "pred.amr", tmp_path / "gold.amr"
    for path in (pred, gold):
        path.write_text("(a / bark)\n", "utf-8")
    asked = ReportOptions(preds=pred, golds=gold, metric="smatch")
    paths = [str(pred), str(gold)]
    made = _Made(report_page(asked, SILENCE), "10:00:00")
    assert b'role="alert"' not in made.written()
    before = _state(paths)
    becomes(pred)
    assert _state(paths) != before
    broken = _renewed(report_page, made, paths, asked, SILENCE)
    page = broken.written().decode()
    notice = page.partition('role="alert">')[2].partition("<")[0]
    assert notice.startswith(f"Not renewed since {broken.failing_since}: ")
    assert why in notice
    assert notice.endswith("What is shown is of 10:00:00.")
    since = broken._replace(failing_since="11:11:11")
    again = _renewed(report_page, since, paths, asked, SILENCE)
    assert again.failing_since == "11:11:11", "since when it began"
    if pred.is_dir() and not pred.is_symlink():
        pred.rmdir()
    pred.unlink(missing_ok=True)
    pred.write_text("(a / bark)\n", "utf-8")
    whole = _renewed(report_page, again, paths, asked, SILENCE)
    assert b'role="alert"' not in whole.written()


def test_what_raises_anything_ends_no_server(tmp_path: Path) -> None:
    pred = tmp_path / "pred.amr"
    pred.write_text("(a / bark)\n", "utf-8")
    asked = ReportOptions(preds=pred, golds=pred)
    made = _Made(report_page(asked, SILENCE), "10:00:00")

    def broken(*_: object) -> Any:
        raise RecursionError("too <deep>")

    page = _renewed(broken, made, [str(pred)], asked, SILENCE).written().decode()
    assert "RecursionError: too &lt;deep&gt;" in page
