"""The front of the package: few names, all others in the rooms that they belong to."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import pytest

import exactmatch
from exactmatch.metrics import METRICS, metric_class

MOVED: dict[str, str] = exactmatch._MOVED


def test_the_front_has_few_names() -> None:
    assert len(exactmatch.__all__) <= 40
    for name in exactmatch.__all__:
        assert getattr(exactmatch, name) is not None


@pytest.mark.parametrize("name", MOVED)
def test_a_moved_name_is_found_with_a_warning(name: str) -> None:
    package, _, other = MOVED[name].partition(":")
    place, new = importlib.import_module(package), other or name
    assert new in dir(place)
    with pytest.warns(DeprecationWarning, match=f"is {package}.{new} now"):
        assert getattr(exactmatch, name) is getattr(place, new)


def test_what_is_nowhere_is_said_so() -> None:
    with pytest.raises(AttributeError, match="'exactmatch' has no attribute 'nowhere'"):
        _ = exactmatch.nowhere
    with pytest.raises(AttributeError, match=r"'exactmatch.many' has no .* 'nowhere'"):
        _ = exactmatch.many.nowhere


def test_names_are_registered_for_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(METRICS, "_registered", {})
    mine: Any = type("Mine", (metric_class("smatch"),), {"name": "mine"})
    exactmatch.register("metric", "mine", mine)
    assert exactmatch.score("mine", "(a / b)", "(a / b)").score == 1
    assert "mine" in METRICS
    with pytest.raises(exactmatch.InputError, match="a metric called 'mine' already"):
        exactmatch.register("metric", "mine", mine)
    with pytest.raises(exactmatch.InputError, match="must be a subclass"):
        exactmatch.register("metric", "other", 3)
    with pytest.raises(exactmatch.InputError, match="'thing' is no kind of thing"):
        exactmatch.register("thing", "other", 3)


def test_import_costs_nothing() -> None:
    loaded = {name for name in sys.modules if name.startswith("exactmatch")}
    assert "exactmatch.base.fronts" in loaded
