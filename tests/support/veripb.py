"""VeriPB, the proof checker of another group, where it is at hand.

It is taken from the path, or built once from the source that ``EXACTMATCH_DATA`` has
beside it (``tools/veripb-0.3a0.tar.gz``) and kept in the user's cache folder.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from exactmatch.base.files import cache_root

TARBALL = "tools/veripb-0.3a0.tar.gz"


def veripb() -> str:
    """Return the program, or skip the test, which says why."""
    if path := shutil.which("veripb"):
        return path
    data = os.environ.get("EXACTMATCH_DATA")
    if not data or not (Path(data) / TARBALL).exists():
        pytest.skip("there is no veripb on the path, and no source of it")
    if shutil.which("g++") is None:
        pytest.skip("there is no veripb on the path, and no g++ to build it")
    place = cache_root() / "veripb-0.3a0"
    program = place / "bin" / "veripb"
    if not program.exists():
        built = _build(place, Path(data) / TARBALL)
        if built:
            pytest.skip(f"veripb cannot be built here: {built}")
    return str(program)


def _build(place: Path, tarball: Path) -> str:
    """Build it in an environment of its own; return what went wrong."""
    source = place.with_name("veripb-source")
    shutil.rmtree(source, ignore_errors=True)
    shutil.rmtree(place, ignore_errors=True)
    source.mkdir(parents=True)
    shutil.unpack_archive(tarball, source, filter="data")
    (unpacked,) = source.iterdir()
    pip = [str(place / "bin" / "pip"), "--quiet", "install"]
    needed = ("cython", "pybind11", "setuptools<81", "wheel")
    for command in (
        [sys.executable, "-m", "venv", str(place)],
        [*pip, *needed],
        [*pip, "--no-build-isolation", str(unpacked)],
    ):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            messages = done.stderr.strip().splitlines()
            return messages[-1] if messages else f"{command[0]} failed"
    return ""


def accepts(program: str, opb: Path, pbp: Path) -> bool:
    """Return whether the checker accepts a proof."""
    done = subprocess.run([program, str(opb), str(pbp)], capture_output=True, text=True)
    return done.returncode == 0 and "Verification succeeded." in done.stdout
