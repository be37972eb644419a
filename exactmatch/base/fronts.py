"""The front of a package: names that are imported when they are first used."""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing takes a while
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


def front(
    package: str, names: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Make the ``__getattr__`` and the ``__dir__`` of a package.

    Args:
        package: its name.
        names: the public names of each module, with spaces between them.
    """
    homes = {name: home for home, own in names.items() for name in own.split()}

    def found(name: str) -> Any:
        import importlib
        import sys

        home = homes.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(home), name)
        setattr(sys.modules[package], name, value)
        return value

    return found, lambda: sorted(homes)
