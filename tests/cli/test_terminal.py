"""What a terminal gets: every command, on a pseudo-terminal, with hostile files."""

from __future__ import annotations

import math
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator

import pytest
from support.command import Cli
from support.files import Files
from support.parts import part
from support.terminals import open_terminal

from exactmatch.base.visible import visible_lines
from exactmatch.cli.commands import COMMANDS
from exactmatch.cli.main import main
from exactmatch.formats.formats import FORMATS
from exactmatch.views import progress

tty = pytest.importorskip("tty", reason="no pseudo-terminals here")

HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b31m\x7f\x08\u202e"

GRAPHS = f"""\
# ::id {HOSTILE}
# ::snt {HOSTILE} sits
(s / sit-01{HOSTILE} :ARG1 (c / cat :quant "{HOSTILE}") :ARG0{HOSTILE} (d / dog))

# ::id two{HOSTILE}
# ::snt {HOSTILE} sat
(s / sit-01 :ARG1 (c / cat{HOSTILE}) :polarity -)
"""

MORE = {
    "compare": ["gold", "pred", "gold", "--names", f"a{HOSTILE},b"],
    "correlate": ["pred", "gold", "--foils"],
    "audit": ["pred", "gold", "--restarts", "0", "--seeds", "2"],
    "finegrained": ["pred", "gold", "--per-pair"],
    "score": ["pred", "gold", "--per-pair", "-v"],
    "verify": ["proofs", "pred", "gold"],
    "draw": ["pred", "gold", "--number", "0"],
    "solve": [f"a{HOSTILE}.dd"],
    "ged": ["pred.tsv", "gold.tsv"],
    "ground-truth": ["set.tsv", "-o", "truth"],
    "lint": ["broken"],
    "merge": ["part"],
    "report": ["pred", "gold", "-o", "page.html"],
    "plugins": [],
    "solvers": [],
    "yisi": ["pred.txt", "gold.txt", "--per-pair"],
}
"""What a command is called with; otherwise with two files of graphs."""


@pytest.fixture(autouse=True)
def _in_folder_with_files(files: Files) -> None:
    files.enter()
    for name in ("pred", "gold"):
        files.one(name, GRAPHS.replace("sat", name))
        files.one(f"{name}.txt", f"{HOSTILE} {name}\n")
        files.one(f"{name}.tsv", f"{name}\tlikes\tcat{HOSTILE}\n")
    files.one("set.tsv", f"a\tlikes\tcat{HOSTILE}\n\nb\tlikes\tdog{HOSTILE}\n")
    files.one("broken", GRAPHS.replace("))", ")"))
    files.one(MORE["solve"][0], "p 1 1 1 0\na 0 0 0 -1\n")
    files.one("part", part("pred", "gold"))
    main(["pred", "gold", "--certificates", "proofs", "-q", "-o", "scores"])


@pytest.fixture
def on_a_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[[list[str]], tuple[int, str]]:
    """Run the command line with a terminal at both its outputs; what that got."""

    def run(arguments: list[str]) -> tuple[int, str]:
        ours, theirs = open_terminal()
        tty.setraw(theirs)  # the line discipline adds no carriage returns
        got: list[bytes] = []
        reader = threading.Thread(target=got.extend, args=[_read(ours)])
        reader.start()
        with (
            open(theirs, "w", encoding="utf-8", newline="") as stream,
            monkeypatch.context() as patch,
        ):
            assert stream.isatty()
            patch.setattr(progress, "_PATIENCE", math.inf)  # a bar moves the cursor
            patch.setattr(sys, "stdout", stream)
            patch.setattr(sys, "stderr", stream)
            code = main(arguments)
        reader.join()
        os.close(ours)
        return code, b"".join(got).decode()

    return run


def _read(terminal: int) -> Iterator[bytes]:
    while True:
        try:
            some = os.read(terminal, 1 << 16)
        except OSError:  # Linux says so of a terminal that nobody writes to any more
            return
        if not some:
            return
        yield some


def is_harmless(text: str) -> bool:
    """Whether it has no code but styles of numbers and of what is about the answer."""
    dimmed = re.compile("^\x1b\\[2m((?:signature|provenance): .*)\x1b\\[22m$", re.M)
    styled = re.compile("\x1b\\[(?:1|31|32)m( *[\\d.+<-]+)\x1b\\[0m")
    plain = styled.sub(r"\1", dimmed.sub(r"\1", text))
    return plain == visible_lines(plain)


@pytest.mark.slow
@pytest.mark.parametrize("command", sorted({*COMMANDS} - {"completion"}))
@pytest.mark.filterwarnings("ignore")
def test_no_command_gives_a_terminal_what_it_would_obey(
    command: str, on_a_terminal: Callable[[list[str]], tuple[int, str]]
) -> None:
    more = ["--to", "penman"] if command == "convert" else []
    arguments = [command, *MORE.get(command, ["pred", "gold"]), *more]
    code, got = on_a_terminal(arguments)
    assert code == (command == "lint"), got  # which finds something
    assert got
    assert is_harmless(got)


@pytest.mark.parametrize("to", FORMATS)
def test_converted_graphs_are_shown_on_a_terminal_and_written_as_they_are(
    to: str,
    on_a_terminal: Callable[[list[str]], tuple[int, str]],
    cli: Cli,
) -> None:
    arguments = ["convert", "pred", "--to", to, "--lossy", "-q"]
    code, got = on_a_terminal(arguments)
    assert is_harmless(got)
    again, piped, _ = cli(*arguments)
    assert again == code
    assert cli(*arguments, "-o", "written").code == code
    if code == 0:
        with open("written", encoding="utf-8", newline="") as file:
            assert file.read() == piped
        assert got == visible_lines(piped)
    if to == "penman":
        assert "\x1b[2J" in piped
        assert r"\x1b[2J" in got


def test_numbers_are_coloured_and_what_files_say_is_not(
    on_a_terminal: Callable[[list[str]], tuple[int, str]],
    files: Files,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.delenv("NO_COLOR", raising=False)
    files.one("other", "(s / sit-01)\n\n(s / sit-01)\n")
    code, got = on_a_terminal(["compare", "gold", "pred", "other", "--per-pair"])
    assert code == 0
    assert "\x1b[31m-" in got
    assert is_harmless(got)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in on_a_terminal(["compare", "gold", "pred", "other"])[1]
