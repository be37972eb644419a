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
            hint = "" if name[:1] == "_" else _hint(name, homes)
            raise AttributeError(f"module {package!r} has no attribute {name!r}{hint}")
        value = getattr(importlib.import_module(home), name)
        setattr(sys.modules[package], name, value)
        return value

    _FUNCTIONS[package] = frozenset(homes)
    return resolve, lambda: sorted(homes)


def _hint(name: str, names: Mapping[str, str]) -> str:
    """Return the end of a message: names with the same words, or a similar one."""
    from exactmatch.base.errors import suggestion

    words = name.lower().split("_")
    having = [one for one in names if all(word in one for word in words)]
    if having:
        return f"; did you mean {' or '.join(map(repr, having[:3]))}?"
    return suggestion(name, names, 0.7) or f"; 'exactmatch help {name}' searches for it"


_FUNCTIONS: dict[str, frozenset[str]] = {}
"""The names of each front."""


class _Front(type(sys)):  # type: ignore[misc]  # the class of modules
    """A package whose names win over modules in it that have the same name."""

    def __setattr__(self, name: str, value: object) -> None:
        is_module = isinstance(value, type(sys))
        if not (is_module and name in _FUNCTIONS.get(self.__name__, ())):
            super().__setattr__(name, value)
