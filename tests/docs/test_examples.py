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


@pytest.mark.parametrize("name", ["exactmatch", *modules()])
def test_the_examples_of_a_module_run(name: str) -> None:
    found = doctest.testmod(importlib.import_module(name), report=True)
    PROFILES._registered.clear()  # an example registers one
    assert found.attempted
    assert not found.failed


@pytest.mark.parametrize("name", exactmatch.__all__)
def test_every_public_name_has_an_example(name: str) -> None:
    found = getattr(exactmatch, name)
    if inspect.isroutine(found) or inspect.isclass(found):
        assert ">>>" in (found.__doc__ or ""), f"{name} has no example"
