"""What reading left out is said by every command that prints a score."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.command import Cli
from support.files import Files

from exactmatch.cli.commands import COMMANDS

LOSSY = """\
(p / person :name (n / name :op1 "New York" :op2 "X") :mod 5)

(p / person :name (n / name :op1 "Old York") :ARG0-of (g / go-02))
"""
CUT = "quoted values cut at their first space"
MOD = "constants of :mod and of inverted roles left out"

MORE = {
    "audit": ["--restarts", "0", "--seeds", "2"],
    "correlate": ["--foils"],
    "finegrained": ["--style", "amrlib"],
}

SYSTEMS = {
    "compare": ["gold", "first", "second", "--no-structure"],
    "ensemble": ["first", "second"],
}

WITHOUT_SCORES = {
    "completion": "reads nothing",
    "convert": "warns of each graph that loses something",
    "draw": "warns of it, and the drawing shows what is not counted",
    "ged": "reads graphs of any kind, whole",
    "ground-truth": "reads graphs of any kind, whole",
    "merge": "says it where its parts do",
    "lint": "says what a profile would leave out, graph by graph",
    "solve": "reads stated problems",
    "plugins": "reads nothing",
    "solvers": "reads nothing",
    "thresholds": "varies what score says it of",
    "verify": "checks what score has said",
    "yisi": "reads sentences",
}
"""The commands that say nothing of it, and why."""

CUTS, MODS = 4, 2
"""How many values are cut, and constants left out, in two files."""


@pytest.fixture(autouse=True)
def _in_folder_with_files(files: Files) -> None:
    files.enter()
    for name in ("gold", "first", "second"):
        files.one(name, LOSSY.replace("York", f"{name} York"))
    for name in ("gold-whole", "first-whole", "second-whole"):
        whole = LOSSY.replace(" York", "").replace(" :mod 5", "")
        files.one(name, whole.replace("Old", name))


def arguments(command: str, ending: str = "") -> list[str]:
    files = SYSTEMS.get(command, ["first", "gold"])
    named = [f if f.startswith("-") else f + ending for f in files]
    return [command, *named, *MORE.get(command, [])]


def found_in(data: Any) -> list[Any]:
    """Everything that stands under ``dropped`` anywhere."""
    if isinstance(data, list):
        return [found for part in data for found in found_in(part)]
    if not isinstance(data, dict):
        return []
    here = [data["dropped"]] if "dropped" in data else []
    return here + found_in(list(data.values()))


def totals(found: list[Any]) -> tuple[int, int]:
    """How often values were cut and constants left out, in all that was found."""
    cut = mod = 0
    for part in found:
        inner = [v for v in part.values() if isinstance(v, dict)]
        more = totals(inner) if inner else (0, 0)
        cut += part.get(CUT, 0) + more[0]
        mod += part.get(MOD, 0) + more[1]
    return cut, mod


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - set(WITHOUT_SCORES)))
@pytest.mark.filterwarnings("ignore")
def test_what_reading_left_out_is_said(command: str, cli: Cli) -> None:
    page = ["-o", "page.html"] if command == "report" else []
    out = cli.out(*arguments(command), *page)
    text = Path("page.html").read_text() if page else out
    assert CUT in text
    assert MOD in text
    if command not in ("explain-profile", "report"):
        assert f"as read: {CUTS} {CUT}, {MODS} {MOD}" in text
        found = found_in(cli.json(*arguments(command)))
        assert found
        if command == "align":  # a count a pair
            assert totals(found) == (CUTS, MODS)
        elif command == "finegrained":  # a count a score
            assert all(totals([one]) == (CUTS, MODS) for one in found)
        else:
            systems = 2 if command == "compare" else 1
            assert totals(found) == (systems * CUTS, systems * MODS)


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - set(WITHOUT_SCORES)))
@pytest.mark.filterwarnings("ignore")
def test_nothing_is_said_where_nothing_was_left_out(command: str, cli: Cli) -> None:
    assert "as read" not in cli.out(*arguments(command, "-whole"))
    if command not in ("explain-profile", "report"):
        assert not found_in(cli.json(*arguments(command, "-whole")))
