"""Paths by which a type checker finds the package, wherever it is installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

import exactmatch

PACKAGE = Path(exactmatch.__file__).parents[1]
"""The folder that holds the package."""


def environment() -> dict[str, str]:
    """Variables for mypy: it finds installed packages itself, and may not be told."""
    installed = {Path(sysconfig.get_path(kind)) for kind in ("purelib", "platlib")}
    if PACKAGE in installed:
        return dict(os.environ)
    return os.environ | {"MYPYPATH": str(PACKAGE)}


class Mypy:
    """Checks scripts strictly; what it learns of packages it keeps for the next one.

    Args:
        known: the folder where it keeps that.
    """

    def __init__(self, known: Path) -> None:
        pytest.importorskip("mypy")
        self._command = [
            *(sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent"),
            *("--ignore-missing-imports", "--cache-dir", str(known)),
        ]

    def __call__(self, script: Path) -> subprocess.CompletedProcess[str]:
        """Check a script in its own folder."""
        return subprocess.run(
            [*self._command, str(script)],
            cwd=script.parent,
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )


def pyright(
    script: Path, python: str | Path = sys.executable, **more: Any
) -> list[str]:
    """Return the errors that pyright finds in a script, in its strict mode.

    Args:
        script: the script; its folder becomes pyright's project.
        python: the interpreter in whose environment packages are looked for.
        **more: pyright's settings.
    """
    if shutil.which("pyright") is None:
        pytest.skip("needs pyright")
    settings = json.dumps({"typeCheckingMode": "strict", **more})
    (script.parent / "pyrightconfig.json").write_text(settings)
    done = subprocess.run(
        ["pyright", "--outputjson", "--pythonpath", str(python), script.name],
        cwd=script.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    return [
        f"{script.name}:{x['range']['start']['line'] + 1}: error: {x['message']}"
        for x in json.loads(done.stdout)["generalDiagnostics"]
        if x["severity"] == "error"
    ]
