"""The progress bar says what is done, and nothing else."""

import io
from typing import NoReturn

import pytest

from exactmatch.views.progress import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_what_is_done_is_neither_markup_nor_a_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A system may be called anything."""
    monkeypatch.setattr("exactmatch.views.progress._PATIENCE", 0.0)
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with progress("scoring [/] [red]x\x1b]0;owned\x07", 2, False) as advance:
        advance()
        advance()
    drawn = terminal.getvalue()
    assert "scoring [/] [red]x" in drawn
    assert "\x1b]0;" not in drawn


def test_nothing_is_drawn_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("scoring", 1, False) as advance:
        advance()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("quiet", [True, False])
def test_an_error_passes_through(quiet: bool) -> NoReturn:
    with pytest.raises(KeyError), progress("scoring", None, quiet):
        raise KeyError
