"""Every command in a ``sh`` block of README and docs runs on files of its page's kind.

A page's commands run in their order in one folder, which holds small files of the names
that the page uses (:mod:`support.files_of_pages`).  ``NOT_RUN`` says why a command does
not run here.  What stands in the other blocks is tested below and in ``test_blocks``.
"""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli
from support.files_of_pages import write_files

import exactmatch
from exactmatch.adapters import verl

ROOT = Path(__file__).parents[2]
PAGES = {
    page.relative_to(
        ROOT / "docs" if page.parts[-2] != ROOT.name else ROOT
    ).as_posix(): page
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    if "generated" not in page.parts
}
NOT_RUN = {
    r"pip install": "installs from the network, or into the environment of the tests",
    r"^papers/|python -m benchmarks": "measures for minutes or hours, on other data",
    r"--encoder": "loads a model from the network",
    r"--against smatch": "runs another program, smatch",
    r"--with veripb": "runs another program, VeriPB",
    r"--serve|http\.server": "serves until it is stopped",
    r"correlate .*--human": "takes half a minute; test_study runs it",
    r"docs\.play": "builds a page with a wheel of Pyodide",
}
"""Why commands are not run here, by a part of the page's name and the command."""

NEEDS = {
    r"\.ttl": "rdflib",
    r"\.smi\b|mces": "rdkit",
    r"hdf5": "h5py",
    r"parquet": "pyarrow",
    r"--plot": "matplotlib",
    r"\b(sentence-)?bleu|chrf": "sacrebleu",
}
"""The packages that commands need, each of an extra."""

ENDS_WITH_1 = r"exactmatch lint|--fail-under|--require-optimal"
"""Commands that say by their exit code what they found."""

BEFORE = {
    "how-to/deposit-a-proof.md": ["exactmatch pred.amr gold.amr --proofs proofs -q"]
}
"""Commands of a page that its other blocks have, with output."""

LANGUAGES = {"console", "text", "python", "sh", "py", "toml", "yaml", "json"}
SHOWN = {"none": "formulas and drawings", "shell-session": "sessions of other programs"}
SHOWN["pycon"] = SHOWN["shell-session"]
"""Languages of blocks that are run or read by a test, and that are only shown."""


def blocks(page: str, language: str) -> list[str]:
    """Return the blocks of a language, without the indent of the item they are in."""
    text = PAGES[page].read_text(encoding="utf-8")
    return re.findall(
        rf"^ *```{language}\n(.*?)^ *```$", text, re.DOTALL | re.MULTILINE
    )


def commands(page: str) -> list[str]:
    """Return the commands of a page's ``sh`` blocks."""
    lines = "".join(blocks(page, "sh")).replace("\\\n", " ").splitlines()
    return [line.strip() for line in lines if line.strip() and line.lstrip()[0] != "#"]


def reasons(page: str, command: str) -> list[str]:
    """Return the patterns of ``NOT_RUN`` that a command has."""
    return [part for part in NOT_RUN if re.search(part, f"{page}: {command}")]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to run in, with ``exactmatch`` on the path."""
    programs = tmp_path / ".programs"
    programs.mkdir()
    for name, module in (("exactmatch", "-m exactmatch"), ("python", "")):
        program = programs / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {module} "$@"\n')
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bash") is None, reason="the blocks are for bash")
@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)])
def test_commands_of_a_page_run(page: str, folder: Path, cli: Cli) -> None:
    write_files(folder, page)
    for command in BEFORE.get(page, ()):
        assert _run(command, cli)[0] == 0
    if page == "formats.md":
        (schema,) = blocks(page, "json")
        Path("schema.json").write_text(schema, encoding="utf-8")
    failures = []
    for command in commands(page):
        if not reasons(page, command) and _can_run(command):
            code, said = _run(command, cli)
            if code != 0 and not (code == 1 and re.search(ENDS_WITH_1, command)):
                failures.append(f"{page}: {command}\n{said}")
    assert not failures, "\n".join(failures)


_ROW = re.compile(r"^\|[^|]*\| `(exactmatch [^`]+)` \|", re.MULTILINE)
OF_ROWS = {
    r"mrp|edm|MRP": ("parsed.mrp", "gold.mrp"),
    r"umr|umatch|ancast": ("parsed.umr", "gold.umr"),
    r"json": ("pred.json", "gold.json"),
    r"triples": ("pred.tsv", "gold.tsv"),
    "": ("pred.amr", "gold.amr"),
}
"""The files of a row in a table of another tool, by a part of its command."""


def _rows(page: str) -> list[str]:
    """Return the commands in the second column of a page's tables."""
    return _ROW.findall(PAGES[page].read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.parametrize("command", _rows("how-to/coming-from-another-tool.md"))
def test_a_row_of_another_tool_runs(command: str, folder: Path, cli: Cli) -> None:
    if not _can_run(command):
        pytest.skip("a package is missing")
    write_files(folder, "how-to/coming-from-another-tool.md")
    pred, gold = next(v for part, v in OF_ROWS.items() if re.search(part, command))
    names = {"PRED": pred, "GOLD": gold, "ANN": pred, "BOB": gold}
    names |= {"FILE": "en.vec", "12": "2"}
    line = " ".join(names.get(word, word) for word in command.split())
    code, output = _run(line, cli)
    assert code == 0, output


def _can_run(command: str) -> bool:
    needed = (name for part, name in NEEDS.items() if re.search(part, command))
    return all(importlib.util.find_spec(name) for name in needed)


def _run(command: str, cli: Cli) -> tuple[int, str]:
    """Run a command here where it is ours alone, else by bash."""
    words = shlex.split(command, comments=True)
    if words[0] == "exactmatch" and not {*"|<>&~"} & {*command.partition(" #")[0]}:
        ran = cli(*words[1:])
        return ran.code, ran.out + ran.err
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        env={**os.environ, "HOME": os.getcwd()},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("part", NOT_RUN)
def test_a_command_that_is_not_run_has_a_reason(part: str) -> None:
    said = [f"{p}: {c}" for p in PAGES for c in commands(p) if part in reasons(p, c)]
    assert said, "no command has this reason any more"
    pytest.skip(f"{NOT_RUN[part]}: {len(said)} commands, as {said[0]}")


def test_every_block_has_a_language_that_is_tested_or_only_shown() -> None:
    for page, path in PAGES.items():
        fences = re.findall(r"^ *```([^\n]+)$", path.read_text("utf-8"), re.MULTILINE)
        assert {*fences} <= LANGUAGES | {*SHOWN}, page


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "py")])
def test_python_that_is_only_shown_names_what_exists(page: str) -> None:
    for node in ast.walk(ast.parse("\n".join(blocks(page, "py")))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
            "exactm"
        ):
            module: Any = importlib.import_module(node.module or "")
            for alias in node.names:
                assert hasattr(module, alias.name), (
                    f"{page}: {node.module} {alias.name}"
                )


def test_the_file_of_defaults_is_read(folder: Path, cli: Cli) -> None:
    write_files(folder, "reference/cli.md")
    (text,) = blocks("reference/cli.md", "toml")
    Path("exactmatch.toml").write_text(text, encoding="utf-8")
    records = cli.json("parsed.amr", "gold.amr")["metrics"]
    assert [record["metric"] for record in records] == ["smatch", "sembleu"]
    signature = cli.json("compare", "gold.amr", "bart.amr", "t5.amr")
    assert "exchange" in str(signature)


def test_the_entry_points_are_those_of_the_example() -> None:
    (text,) = blocks("how-to/plug-ins.md", "toml")
    example = (ROOT / "examples" / "plugin" / "pyproject.toml").read_text("utf-8")
    for line in text.splitlines():
        assert line in example


def test_the_hook_and_the_reward_are_there() -> None:
    (hook,) = blocks("how-to/lint-and-convert.md", "yaml")
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    (name,) = re.findall(r"- id: (\S+)", hook)
    assert f"\n- id: {name}\n" in hooks
    (reward,) = blocks("how-to/trainers.md", "yaml")
    assert f"path: pkg://{verl.__name__}\n" in reward
    assert "name: compute_score\n" in reward
    triples = '[["Alan Bean", "in", "Texas"]]'
    judged = verl.compute_score("kg", triples, triples, metric="graph", count="edges")
    assert judged["score"] == 1.0


def test_two_graphs_of_ucca_have_their_anchors_in_common() -> None:
    (text,) = blocks("metrics/mrp.md", "json")
    one, other = text.splitlines()
    (pair,) = exactmatch.evaluate([one], [other], metric="mrp").to_dict()["pairs"]
    assert pair["pieces"]["anchors"] == {"g": 1, "s": 1, "c": 1}
