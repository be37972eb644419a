"""Every module of the package can be imported, and none warns."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

import exactmatch
import exactmatch.solvers

NAMES = [
    module.name
    for package in (exactmatch, exactmatch.solvers)
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
]


def test_there_are_modules() -> None:
    assert len(NAMES) > 250
    assert "exactmatch.edit.matrix" in NAMES


@pytest.mark.parametrize("name", sorted({*NAMES}))
def test_a_module_can_be_imported(name: str) -> None:
    if not name.endswith("__main__"):
        importlib.import_module(name)
