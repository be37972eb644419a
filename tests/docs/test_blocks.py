"""Every console and Python block of the documentation runs and shows what it says.

A page's ``console`` blocks run in their order in one folder that holds the bundled
sample as ``pred.amr`` and ``gold.amr``; what a command prints must be what stands
below it, where ``...`` stands for anything; the line of an answer's provenance, which
is the same everywhere, need not be shown.  A ``text`` block is part of what the command
before it prints.  Blocks about ``lp/`` run where ``EXACTMATCH_DATA`` names its folder.
Its ``python`` blocks are doctests of one session.

Only shown are Python that needs a cluster (``py``), sessions of other programs
(``shell-session``, ``pycon``), and formulas and graphs (``none``).  The commands of
``sh`` blocks need files that are not here; that their options exist is tested.
"""

import doctest
import itertools
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from support.blocks import FLAGS, commands
from support.blocks import blocks as blocks_of
from support.command import without_provenance

from exactmatch.cli.commands import COMMANDS
from exactmatch.cli.parsers import make_parser

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(
    page.relative_to(DOCS).as_posix()
    for page in DOCS.rglob("*.md")
    if "papers" not in page.parts and "generated" not in page.parts
)
MIGRATION = "how-to/coming-from-another-tool.md"
SMATCH_OPTIONS = (
    *("-f", "-r", "--significant", "-v", "--vv", "--ms", "--pr"),
    *("--justinstance", "--justattribute", "--justrelation"),
)
DATA = os.environ.get("EXACTMATCH_DATA")
PRINCE = Path(DATA, "data", "lp") if DATA else None
"""The Little Prince, whose first commands are in the pages."""
NEEDED = {
    "edit-distance/cost-models.md": "rdkit",
    "how-to/coming-from-myopic-mces.md": "rdkit",
    "how-to/molecules.md": "rdkit",
}
"""Packages of extras without which a page is not tried."""


def blocks(page: str, language: str) -> list[str]:
    return blocks_of(DOCS / page, language)


def shown_output(page: str) -> list[tuple[str, str]]:
    """The ``console`` and ``text`` blocks of a page, each with its language."""
    text = (DOCS / page).read_text(encoding="utf-8")
    pattern = r"^ *```(console|text)\n(.*?)^ *```$"
    return re.findall(pattern, text, re.DOTALL | re.MULTILINE)


def commands_in_table(page: Any) -> list[Any]:
    """The commands that stand in a page's tables."""
    text = (DOCS / page).read_text(encoding="utf-8")
    rows = re.findall(r"^\|.*\|$", text, re.MULTILINE)
    return re.findall(r"`(exactmatch [^`]*)`", "\n".join(rows))


def parse(line: Any) -> None:
    """Parse a command line as the program does, without running it."""
    words = shlex.split(line, comments=True)
    plain = list(itertools.takewhile(lambda word: word not in "|>;&&", words))[1:]
    name = plain.pop(0) if plain and plain[0] in COMMANDS else "score"
    module = COMMANDS[name]
    make_parser(module, f"exactmatch {name}", plain).parse_args(plain)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The sample's two files, and ``exactmatch`` on the path."""
    sample = resources.files("exactmatch.sample")
    for name in ("pred.amr", "gold.amr"):
        with resources.as_file(sample / name) as file:
            shutil.copy(file, tmp_path / name)
    if PRINCE:
        (tmp_path / "lp").symlink_to(PRINCE)
    programs = tmp_path / ".programs"
    programs.mkdir()
    program = programs / "exactmatch"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m exactmatch "$@"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return tmp_path


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bash") is None, reason="the blocks are for bash")
@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "console")])
def test_console_blocks_print_what_they_show(page: str, folder: Any) -> None:
    if page in NEEDED:
        pytest.importorskip(NEEDED[page])
    path = os.pathsep.join([str(folder / ".programs"), os.environ["PATH"]])
    environment = os.environ | {"PATH": path, "COLUMNS": "120", "LC_ALL": "C.UTF-8"}
    printed = ""
    for language, block in shown_output(page):
        if "lp/" in block and not PRINCE:
            continue
        if language == "text":
            part = doctest.OutputChecker().check_output(
                f"...{block}...", printed, FLAGS
            )
            assert part, f"{page}: {block}"
            continue
        for command, shown in commands(block):
            done = subprocess.run(
                ["bash", "-c", command],
                cwd=folder,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                check=False,
            )
            assert done.returncode == 0, f"{page}: {command}\n{done.stdout}"
            if shown.strip():
                is_whole = "provenance: " in shown
                out = done.stdout if is_whole else without_provenance(done.stdout)
                same = doctest.OutputChecker().check_output(shown, out, FLAGS)
                assert same, f"{page}: {command}\n{done.stdout}"
            printed = done.stdout


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, " *text")])
def test_text_follows_a_command(page: str) -> None:
    languages = [language for language, _ in shown_output(page)]
    assert languages[0] == "console", f"{page}: no command prints its first text block"


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")])
def test_python_blocks_are_doctests(
    page: str, folder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    if page in NEEDED:
        pytest.importorskip(NEEDED[page])
    monkeypatch.chdir(folder)
    source = "\n".join(blocks(page, "python"))
    assert ">>> " in source, f"{page}: a python block is a session, with >>>"
    test = doctest.DocTestParser().get_doctest(source, {}, page, page, 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    report: list[Any] = []
    runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "sh")])
def test_the_options_of_commands_that_are_only_shown_exist(page: str) -> None:
    for line in "\n".join(blocks(page, "sh")).replace("\\\n", " ").splitlines():
        if line.startswith("exactmatch") and "…" not in line:
            parse(line)


@pytest.mark.parametrize("command", commands_in_table(MIGRATION))
def test_what_takes_another_tools_place_exists(command: str) -> None:
    parse(command)


def test_every_option_of_smatch_has_a_row() -> None:
    listed = (DOCS / MIGRATION).read_text(encoding="utf-8")
    for option in SMATCH_OPTIONS:
        assert re.search(rf"^\| `{option}[ `]", listed, re.MULTILINE), option


CONTENTS = ("index.md", "trust.md", "how-to/json-in-harnesses.md")
"""Pages with tables of contents."""


def test_every_page_is_in_the_contents() -> None:
    """Sphinx says so too, but not everybody has it."""
    indices = [(DOCS / name).read_text("utf-8") for name in CONTENTS]
    listed = set(re.findall(r"^([\w/*-]+)$", "\n".join(indices), re.MULTILINE))
    for page in PAGES:
        name = page.removesuffix(".md")
        folder = f"{Path(name).parent}/*"
        inside = folder.removeprefix("how-to/")  # as how-to/json-in-harnesses says it
        assert {name, folder, inside} & listed or name == "index", page
