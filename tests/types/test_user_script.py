"""A user's script passes strict type checkers, and runs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.type_checking import PACKAGE, Mypy, pyright

SCRIPT = Path(__file__).with_name("user_script.py")


@pytest.mark.slow
def test_the_script_runs() -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT)],
        env=os.environ | {"PYTHONPATH": str(PACKAGE)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].endswith("[1.0] []")


@pytest.mark.slow
def test_mypy_passes_it(mypy: Mypy, tmp_path: Path) -> None:
    done = mypy(Path(shutil.copy(SCRIPT, tmp_path)))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_mypy_refuses_what_is_no_graph(mypy: Mypy, tmp_path: Path) -> None:
    wrong = (
        'smatch(3, "(b / boy)")',
        'align("(b / boy)", None)',
        'read([("b", "instance")])',
        'evaluate([1], ["(b / boy)"])',
        "cdist([0.5], [])",
        'Scorer().score(3, "(b / boy)")',
        "Scorer().add(None, None)",
        "Scorer().update([1], [2])",
        "Scorer().prepare([1])",
        'correlate(["(b / boy)"], ["(b / boy)"], ["much"])',
    )
    lines = ["import exactmatch", *(f"exactmatch.{call}" for call in wrong)]
    script = tmp_path / "wrong.py"
    script.write_text("\n".join(lines) + "\n")
    found = mypy(script).stdout
    for number, call in enumerate(wrong, 2):
        assert f"wrong.py:{number}: error" in found, f"{call}: {found}"


@pytest.mark.slow
def test_pyright_passes_it(tmp_path: Path) -> None:
    script = Path(shutil.copy(SCRIPT, tmp_path))
    assert pyright(script, extraPaths=[str(PACKAGE)]) == []
