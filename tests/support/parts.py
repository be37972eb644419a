"""A part of a corpus, as the command writes it."""

from __future__ import annotations

import functools
from pathlib import Path

from exactmatch.cli.main import main


@functools.cache
def part(pred: str, gold: str) -> str:
    """Return what is written of two files in the current folder, once and for all."""
    arguments = [pred, gold, "--format", "jsonl", "-q", "-o", "written.part"]
    assert main(arguments) == 0
    written = Path("written.part")
    text = written.read_text(encoding="utf-8")
    written.unlink()
    return text
