"""Every public name has an example, and the examples of all docstrings run."""

import doctest
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import exactmatch
from exactmatch.graphs.profile import PROFILES


def modules() -> Iterator[Any]:
    """Every module whose source has an example."""
    for found in pkgutil.walk_packages(exactmatch.__path__, "exactmatch."):
        place = importlib.util.find_spec(found.name).origin
        source = Path(place.partition(".cpython")[0]).with_suffix(".py")
        if source.exists() and ">>>" in source.read_text(encoding="utf-8"):
            yield found.name


NEEDED = {
    "exactmatch.adapters.myopic_mces": "rdkit",
    "exactmatch.formats.molecules": "rdkit",
}
"""Packages of extras without which a module's examples are not tried."""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["exactmatch", *modules()])
def test_the_examples_of_a_module_run(name: str) -> None:
    if name in NEEDED:
        pytest.importorskip(NEEDED[name])
    found = doctest.testmod(importlib.import_module(name), report=True)
    PROFILES._registered.clear()  # an example registers one
    assert found.attempted
    assert not found.failed


def public_names() -> Iterator[tuple[str, str]]:
    """The names of the front and of the packages beside it."""
    for place in ("exactmatch", *(f"exactmatch.{p}" for p in exactmatch._PACKAGES)):
        module = importlib.import_module(place)
        for name in getattr(module, "__all__", dir(module)):
            yield place, name


@pytest.mark.parametrize(("place", "name"), [*public_names()])
def test_every_public_name_has_an_example(place: str, name: str) -> None:
    found = getattr(importlib.import_module(place), name)
    if inspect.isroutine(found) or inspect.isclass(found):
        assert ">>>" in (found.__doc__ or ""), f"{place}.{name} has no example"
