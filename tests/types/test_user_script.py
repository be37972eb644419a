"""A user's script passes strict type checkers, and runs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import exactmatch

SCRIPT = Path(__file__).with_name("user_script.py")
PACKAGE = Path(exactmatch.__file__).parents[1]


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


def test_mypy_passes_it(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    script = shutil.copy(SCRIPT, tmp_path)
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent"]
    done = subprocess.run(
        [*command, "--ignore-missing-imports", script],
        cwd=tmp_path,
        env=os.environ | {"MYPYPATH": str(PACKAGE)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_pyright_passes_it(tmp_path: Path) -> None:
    if shutil.which("pyright") is None:
        pytest.skip("needs pyright")
    shutil.copy(SCRIPT, tmp_path)
    settings = {"typeCheckingMode": "strict", "extraPaths": [str(PACKAGE)]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    done = subprocess.run(
        ["pyright", "--outputjson", "--pythonpath", sys.executable, "user_script.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    found = json.loads(done.stdout)
    wrong = [
        x["message"] for x in found["generalDiagnostics"] if x["severity"] == "error"
    ]
    assert not wrong, wrong
