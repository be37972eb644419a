"""The front of a package: names that are imported when they are first used."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # importing typing takes a while
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


def front(
    package: str, names: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Make ``__getattr__`` and ``__dir__`` of a package from the names of modules."""
    sys.modules[package].__class__ = _Front
    homes = {name: home for home, own in names.items() for name in own.split()}

    def resolve(name: str) -> Any:
        import importlib

        home = homes.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(home), name)
        setattr(sys.modules[package], name, value)
        return value

    _FUNCTIONS[package] = frozenset(homes)
    return resolve, lambda: sorted(homes)


_FUNCTIONS: dict[str, frozenset[str]] = {}
"""The names of each front."""


class _Front(type(sys)):  # type: ignore[misc]  # the class of modules
    """A package whose names win over modules in it that have the same name."""

    def __setattr__(self, name: str, value: object) -> None:
        is_module = isinstance(value, type(sys))
        if not (is_module and name in _FUNCTIONS.get(self.__name__, ())):
            super().__setattr__(name, value)
