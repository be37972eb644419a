"""The front of a package: names that are imported when they are first used.

Modules that have moved are found under their old names, with a warning: ``import
exactmatch.compat.smatch`` goes on to work, as the module of its new place.  Old names
go two minor versions after the move.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # importing typing takes a while
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any


def front(
    package: str, names: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Make ``__getattr__`` and ``__dir__`` of a package from the names of modules."""
    homes = {name: home for home, own in names.items() for name in own.split()}

    def found(name: str) -> Any:
        import importlib

        home = homes.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(home), name)
        setattr(sys.modules[package], name, value)
        return value

    return found, lambda: sorted(homes)


PLACES = {
    "exactmatch.compat": "exactmatch.adapters",
    "exactmatch.formats.public_sets": "exactmatch.papers.public_sets",
    "exactmatch.integrations": "exactmatch.adapters",
    "exactmatch.solvers.errors": "exactmatch.base.errors",
    "exactmatch.stats": "exactmatch.scoring",
    "exactmatch.studies.kgrams": "exactmatch.papers.kgrams",
    "exactmatch.studies.principles": "exactmatch.papers.principles",
    "exactmatch.version": "exactmatch.base.version",
}
"""New places by old ones; what lies in an old package lies in the new one."""


def new_place(name: str) -> str | None:
    """Return where a module is now, if it has moved.

    >>> new_place("exactmatch.compat.smatch")
    'exactmatch.adapters.smatch'
    """
    if not name.startswith("exactmatch."):
        return None
    for old, new in PLACES.items():
        if name == old or name.startswith(f"{old}."):
            return new + name.removeprefix(old)
    return None


class OldPlaces:
    """Finds a moved module by its old name.

    It is asked first: the usual finder would load a module of the new package once
    more, under the old name.
    """

    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        """Describe the module at its new place."""
        if new_place(fullname) is None:
            return None
        from importlib.machinery import ModuleSpec

        loader: Any = self  # it has no base class, which would be slow to import
        return ModuleSpec(fullname, loader, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Import the module at its new place, with a warning."""
        import importlib
        import warnings

        new = new_place(spec.name) or spec.name
        found = importlib.import_module(new)
        warnings.warn(f"{spec.name} is {new} now", DeprecationWarning, stacklevel=2)
        spec.loader_state = found.__spec__
        return found

    def exec_module(self, module: ModuleType) -> None:
        """Leave the module as it is: it was executed at its new place."""
        passing: Any = module.__spec__
        module.__spec__ = passing.loader_state


def find_old_places() -> None:
    """Have modules found by their old names, too."""
    if not any(isinstance(finder, OldPlaces) for finder in sys.meta_path):
        sys.meta_path.insert(0, OldPlaces())
