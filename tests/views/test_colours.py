"""Colour in text: where it says something, and where it is wanted."""

from __future__ import annotations

import re
import sys

import pytest
from support.command import Cli
from support.files import Files

from exactmatch.base.numbers import Share, p_value
from exactmatch.views.tables import Column, Table
from exactmatch.views.text import table_lines

RED, GREEN, BOLD, END = "\x1b[31m", "\x1b[32m", "\x1b[1m", "\x1b[0m"
PLAIN = re.compile(r"\x1b\[\d*m")

COLUMNS = (
    Column("name", "name"),
    Column("score", "score", Share(2), is_better=True),
    Column("change", "Δ", Share(2, signed=True)),
    Column("p", "p", p_value),
)


def test_gains_losses_significance_and_the_best_are_coloured() -> None:
    rows = [
        {"name": "a", "score": 0.5, "change": None, "p": None},
        {"name": "b", "score": 0.7, "change": 0.2, "p": 0.01},
        {"name": "c", "score": 0.4, "change": -0.1, "p": 0.2},
        {"name": "d", "score": 0.5, "change": 0.001, "p": 0.05, "_stars": "*"},
        {"name": "e", "score": 0.4, "change": -0.1, "p": 0.2, "_stars": ""},
    ]
    table = Table("", COLUMNS, rows)
    _, a, b, c, d, e = table_lines(table, is_coloured=True)
    assert "\x1b" not in a + e
    assert f"{BOLD} 0.70{END}  {GREEN}+0.20{END}  {BOLD}0.0100{END}" in b
    assert f" 0.40  {RED}-0.10{END}  0.2000" in c
    assert f"  +0.00  {BOLD}0.0500{END}" in d
    plain = list(table_lines(table))
    assert [
        PLAIN.sub("", line) for line in table_lines(table, is_coloured=True)
    ] == plain


@pytest.mark.parametrize(
    ("terminal", "environment", "is_coloured"),
    [
        (False, {}, False),
        (True, {}, True),
        (True, {"TERM": "dumb"}, False),
        (True, {"NO_COLOR": "1"}, False),
        (False, {"FORCE_COLOR": "1"}, True),
        (True, {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
    ],
)
def test_colour_is_for_terminals_unless_the_environment_says_otherwise(
    cli: Cli,
    files: Files,
    monkeypatch: pytest.MonkeyPatch,
    terminal: bool,
    environment: dict[str, str],
    is_coloured: bool,
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"TERM": "xterm", **environment}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    files.enter()
    gold = "(b / bark-01 :ARG0 (d / dog))"
    files({"gold.amr": gold, "a.amr": gold, "b.amr": "(b / bark-01)"})
    shown = ("compare", "gold.amr", "a.amr", "b.amr", "--per-pair")
    assert ("\x1b" in cli.out(*shown)) == is_coloured
    assert "\x1b" not in cli.out(*shown, "--format", "csv")
    cli.out(*shown, "-o", "written")
    with open("written", encoding="utf-8") as written:
        assert "\x1b" not in written.read()


def test_differences_are_coloured_on_a_terminal(
    cli: Cli, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    files.enter()
    files({"a.amr": "(b / bark-01 :ARG0 (d / \x1b[2Jdog))", "b.amr": "(b / bark-01)"})
    text = cli.out("align", "a.amr", "b.amr")
    assert "\x1b[33m  extra    (d :instance \\x1b[2Jdog)\x1b[0m\n" in text
    assert "\x1b[2J" not in text
    assert "\\x1b[3" not in text
    text = cli.out("errors", "a.amr", "b.amr", "--per-pair")
    assert "\x1b[33m  delete     (b :ARG0 d)" in text
    assert "\\x1b[3" not in text
