"""What a command does without: imports cost more than a small corpus does."""

from __future__ import annotations

import subprocess
import sys

import pytest
from support.command import Cli
from support.files import Files

WITHOUT = """
import sys
for name in {names!r}:
    sys.modules[name] = None  # to import it is an error
from exactmatch.__main__ import main
sys.exit(main())
"""

HEAVY = ("numpy", "scipy", "ortools", "networkx", "penman", "pulp", "rich", "sacrebleu")


@pytest.mark.parametrize("more", [(), ("--macro",), ("--format", "json"), ("-b",)])
def test_sentences_are_scored_without_any_package(more: tuple[str, ...]) -> None:
    code = WITHOUT.format(names=HEAVY)
    done = subprocess.run(
        [sys.executable, "-c", code, *more], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "0.78" in done.stdout


def test_text_needs_neither_json_nor_paths_nor_documentation_of_functions() -> None:
    """Of each, a line of a view or of a question is enough, and nobody sees it."""
    code = WITHOUT.format(names=("json", "pathlib", "textwrap", *HEAVY))
    done = subprocess.run(
        [sys.executable, "-c", code, "--no-config"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_how_pairs_are_counted_changes_no_number(cli: Cli, files: Files) -> None:
    """With pairs shown, a solver aligns them; else the kernel counts them."""
    graphs = ["(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))", "(d / dog)"]
    names = files.pair("\n\n".join(graphs), "\n\n".join(graphs[::-1]))
    short = cli.record(*names, "--macro")
    full = cli.record(*names, "--macro", "--per-pair")
    assert len(full.pop("per_pair")) == 2
    assert short == full
