"""Whoever silences a checker says why."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SILENCED = re.compile(r"#\s*(?:type: ignore|noqa)(?P<codes>[^#\n]*)(?P<rest>.*)")


@pytest.mark.parametrize("folder", ["benchmarks", "exactmatch", "solvers", "tests"])
def test_what_is_silenced_has_a_reason(folder: str) -> None:
    bare = []
    for path in (ROOT / folder).rglob("*.py"):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            found = SILENCED.search(line)
            if found and path != Path(__file__):
                said = re.sub(r"^\[[^]]*\]|^:\s*\w+", "", found["codes"].strip())
                if not re.search(r"\w", said + found["rest"]):
                    bare.append(f"{path.relative_to(ROOT)}:{number}")
    assert not bare
