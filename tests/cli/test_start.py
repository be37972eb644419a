"""What the command line imports before it is needed."""

from __future__ import annotations

import subprocess
import sys

_SCRIPT = """
import sys
before = set(sys.modules)
from exactmatch.cli.main import main
main(sys.argv[1:])
print(*sorted(set(sys.modules) - before))
"""


def _imported(*arguments: str) -> set[str]:
    """The modules that a run imports in a process of its own."""
    command = [sys.executable, "-c", _SCRIPT, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_the_version_is_said_without_a_parser_of_options() -> None:
    """Nothing is imported that takes a command line apart."""
    assert not _imported("--version") & {"argparse", "numpy", "exactmatch.cli.parsers"}


def test_scores_without_intervals_need_no_resampling() -> None:
    """Nor what reads graphs in memory, or documents, nor a package's log."""
    found = _imported("sample", "--no-config")
    assert "exactmatch.metrics.smatch" in found
    assert not found & {
        "exactmatch.graphs.document",
        "exactmatch.reading.anything",
        "exactmatch.reading.retold",
        "exactmatch.scoring.resampling",
        "exactmatch.solvers.components",
        "difflib",
        "logging",
        "shutil",
    }


def test_a_score_of_text_imports_no_more_than_it_takes() -> None:
    """Neither files' checksums nor reports, nor what reads other forms of graphs."""
    script = """
import sys, exactmatch
exactmatch.smatch("(b / bark-01)", "(b / bark-01)")
print(*sys.modules)
"""
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = set(done.stdout.split())
    assert "exactmatch.metrics.smatch" in found
    assert not found & {
        "exactmatch.alignment.preferred",
        "exactmatch.graphs.document",
        "exactmatch.reading.retold",
        "exactmatch.scoring.run",
        "hashlib",
        "html",
        "logging",
    }


def test_what_does_not_search_needs_no_solver() -> None:
    """SemBleu counts; NumPy comes with the solver."""
    found = _imported("sample", "--no-config", "--metric", "sembleu")
    assert "exactmatch.metrics.sembleu" in found
    assert not found & {"numpy", "exactmatch.solvers.auto"}
