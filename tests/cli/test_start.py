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
    """Scoring files imports neither resampling nor what reads graphs in memory."""
    found = _imported("sample", "--no-config")
    assert "exactmatch.metrics.smatch" in found
    assert not found & {
        "exactmatch.reading.anything",
        "exactmatch.reading.retold",
        "exactmatch.scoring.resampling",
        "difflib",
    }


def test_what_does_not_search_needs_no_solver() -> None:
    """SemBleu counts; NumPy comes with the solver."""
    found = _imported("sample", "--no-config", "--metric", "sembleu")
    assert "exactmatch.metrics.sembleu" in found
    assert not found & {"numpy", "exactmatch.solvers.auto"}
