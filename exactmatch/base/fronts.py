"""The front of a package: names that are imported when they are first used."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # importing typing takes a while
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any


def front(
    package: str,
    names: Mapping[str, str],
    elsewhere: Callable[[str], str] | None = None,
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Make ``__getattr__`` and ``__dir__`` of a package from the names of modules.

    For a name that it does not have, *elsewhere* may return a clause that says where
    there is one.
    """
    sys.modules[package].__class__ = _Front
    homes = {
        name: home
        for home, names_of_home in names.items()
        for name in names_of_home.split()
    }

    def resolve(name: str) -> Any:
        import importlib

        home = homes.get(name)
        if home is None:
            raise missing(package, name, lambda: hint_for(name, homes, elsewhere))
        value = getattr(importlib.import_module(home), name)
        setattr(sys.modules[package], name, value)
        return value

    _FUNCTIONS[package] = frozenset(homes)
    return resolve, lambda: sorted(homes)


def hint_for(
    name: str,
    names: Iterable[str],
    elsewhere: Callable[[str], str] | None = None,
) -> str:
    """Return the end of a message: names with the same words, or a similar one."""
    from exactmatch.base.errors import suggestion

    words = name.lower().split("_")
    names_with_words = [
        known for known in names if all(word in known.lower() for word in words)
    ]
    place = "" if elsewhere is None else elsewhere(name)
    if place and (not names_with_words or name.lower() in place):
        return f"; {place}"
    if names_with_words:
        return f"; did you mean {' or '.join(map(repr, names_with_words[:3]))}?"
    return suggestion(name, names, 0.7) or f"; 'exactmatch help {name}' searches for it"


def missing(module: str, name: str, hint: Callable[[], str]) -> Exception:
    """Return the error of a name that a module does not have.

    Of an :exc:`AttributeError`, ``from … import`` drops the message, so that it gets an
    :exc:`ImportError`.  The import system itself, which looks whether a name is a
    submodule, gets no hint.
    """
    frame = sys._getframe()
    while frame.f_back and _is_ours(frame.f_globals.get("__name__", "")):
        frame = frame.f_back
    is_probe = frame.f_globals.get("__name__", "").startswith("importlib.")
    end = "" if is_probe or name[:1] == "_" else hint()
    code, place = frame.f_code.co_code, frame.f_lasti
    from opcode import opname

    if 0 <= place < len(code) and opname[code[place]] == "IMPORT_FROM":
        return ImportError(f"cannot import name {name!r} from {module!r}{end}")
    return AttributeError(f"module {module!r} has no attribute {name!r}{end}")


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] == __name__.partition(".")[0]


_FUNCTIONS: dict[str, frozenset[str]] = {}
"""The names of each front."""


class _Front(type(sys)):  # type: ignore[misc]  # the class of modules
    """A package whose names win over modules in it that have the same name."""

    def __setattr__(self, name: str, value: object) -> None:
        is_module = isinstance(value, type(sys))
        if not (is_module and name in _FUNCTIONS.get(self.__name__, ())):
            super().__setattr__(name, value)
