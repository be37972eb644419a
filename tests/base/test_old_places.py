"""Modules that have moved are found under their old names, with a warning."""

from __future__ import annotations

import importlib
import sys

import pytest

import exactmatch
from exactmatch.base.fronts import PLACES, new_place


@pytest.mark.parametrize(
    "old",
    [*PLACES, "exactmatch.compat.smatch", "exactmatch.integrations.trl"],
)
def test_an_old_name_is_the_same_module(
    old: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, old, raising=False)
    new = new_place(old)
    assert new is not None
    with pytest.warns(DeprecationWarning, match=f"{old} is {new} now"):
        found = importlib.import_module(old)
    assert found is importlib.import_module(new)
    assert found.__spec__ is not None
    assert found.__spec__.name == new


def test_errors_are_the_same_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "exactmatch.errors", raising=False)
    errors = importlib.import_module("exactmatch.errors")
    assert errors.InputError is exactmatch.InputError


@pytest.mark.filterwarnings("ignore:exactmatch.compat is:DeprecationWarning")
def test_what_was_never_there_is_not_found() -> None:
    for name in ("exactmatch.nowhere", "exactmatch.compat.nowhere"):
        with pytest.raises(ModuleNotFoundError, match="nowhere"):
            importlib.import_module(name)
