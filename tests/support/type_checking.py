"""How a type checker finds the package, from wherever it was installed."""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path

import exactmatch

PACKAGE = Path(exactmatch.__file__).parents[1]
"""The folder that holds the package."""


def environment() -> dict[str, str]:
    """Variables for mypy: it finds installed packages itself, and may not be told."""
    installed = {Path(sysconfig.get_path(kind)) for kind in ("purelib", "platlib")}
    if PACKAGE in installed:
        return dict(os.environ)
    return os.environ | {"MYPYPATH": str(PACKAGE)}
