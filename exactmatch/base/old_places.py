"""Modules that have moved, found under their old names with a warning.

``import exactmatch.compat.smatch`` goes on to work, as the module of its new place.
Old names go two minor versions after the move.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # importing typing takes a while
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any

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

    _own: ModuleSpec | None = None

    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        """Describe the module at its new place."""
        if new_place(fullname) is None:
            return None
        from importlib.machinery import ModuleSpec

        loader: Any = OldPlaces()  # it has no base class, which would be slow to import
        return ModuleSpec(fullname, loader, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Import the module at its new place, with a warning."""
        import importlib
        import warnings

        new = new_place(spec.name) or spec.name
        found = importlib.import_module(new)
        warnings.warn(f"{spec.name} is {new} now", DeprecationWarning, stacklevel=2)
        self._own = found.__spec__
        return found

    def exec_module(self, module: ModuleType) -> None:
        """Leave the module as it is: it was executed at its new place."""
        module.__spec__ = self._own


def install() -> None:
    """Have old names found, once."""
    if not any(isinstance(finder, OldPlaces) for finder in sys.meta_path):
        sys.meta_path.insert(0, OldPlaces())
