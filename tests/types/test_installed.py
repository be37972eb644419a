"""A user's script is checked strictly against the package as pip installs it.

The wheel of a plain installation and that of ``pip install -e .`` are built from a copy
of the repository, kernels left out, and unpacked into a virtual environment that has
nothing else.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from support import type_checking

ROOT = Path(__file__).parents[2]
SCRIPT = Path(__file__).with_name("user_script.py")
BUILD = """\
import sys
sys.modules["Cython"] = None  # kernels take minutes and have no types of their own
from setuptools import build_meta
getattr(build_meta, sys.argv[1])(sys.argv[2])
"""
WRONG = """\
import exactmatch
exactmatch.smatch(3, "(b / boy)")
exactmatch.Limits(seconds="2")
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (ROOT / "setup.py").exists(), reason="no repository beside the tests"
    ),
]


@pytest.fixture(scope="module", params=["build_wheel", "build_editable"])
def python(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The interpreter of an environment in which the package is installed."""
    pytest.importorskip("setuptools", minversion="77")
    folder = tmp_path_factory.mktemp("installed")
    copy = folder / "repository"
    copy.mkdir()
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    source = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    for name in ("exactmatch", "solvers"):
        shutil.copytree(ROOT / name, copy / name, symlinks=True, ignore=source)
    subprocess.run(
        [sys.executable, "-c", BUILD, request.param, str(folder)],
        cwd=copy,
        capture_output=True,
        check=True,
    )
    (wheel,) = folder.glob("*.whl")
    home = folder / "venv"
    venv.create(home, symlinks=os.name != "nt")
    found = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    place = subprocess.run(
        [found, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
        check=True,
    )
    with zipfile.ZipFile(wheel) as unpacked:
        unpacked.extractall(place.stdout.strip())
    return found


def mypy(python: Path, script: Path) -> list[str]:
    """The errors that mypy finds."""
    pytest.importorskip("mypy")
    found = {k: v for k, v in os.environ.items() if k not in ("MYPYPATH", "PYTHONPATH")}
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent"]
    command += ["--ignore-missing-imports", "--python-executable", str(python)]
    done = subprocess.run(
        [*command, script.name],
        cwd=script.parent,
        env=found,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return [line for line in done.stdout.splitlines() if ": error:" in line]


def pyright(python: Path, script: Path) -> list[str]:
    """The errors that pyright finds."""
    return type_checking.pyright(script, python)


Check: TypeAlias = Callable[[Path, Path], list[str]]


@pytest.mark.parametrize("check", [mypy, pyright])
def test_a_right_script_passes(check: Check, python: Path, tmp_path: Path) -> None:
    script = Path(shutil.copy(SCRIPT, tmp_path / "script.py"))
    assert check(python, script) == []


@pytest.mark.parametrize("check", [mypy, pyright])
def test_a_wrong_script_does_not(check: Check, python: Path, tmp_path: Path) -> None:
    """So the package and its solvers are seen, and are not taken for anything."""
    script = tmp_path / "script.py"
    script.write_text(WRONG)
    assert [error.split(":")[1] for error in check(python, script)] == ["2", "3"]
