"""Shows exactmatch as other programs expect it."""

from __future__ import annotations

from exactmatch.base.errors import suggestion
from exactmatch.base.fronts import hint_for, missing

TYPE_CHECKING = False  # importing typing takes a while
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any


def place_of(name: str) -> str:
    """Say which adapter is called so, or has what is called so; empty if none.

    >>> place_of("DSPy"), place_of("compute_score")
    ("did you mean 'exactmatch.adapters.dspy'?", 'it is in exactmatch.adapters.verl')
    >>> place_of("trl_reward")
    "did you mean 'exactmatch.adapters.trl.smatch_reward'?"
    """
    defined = dict(_defined())
    if name.lower() in defined:
        return f"did you mean '{__name__}.{name.lower()}'?"
    if modules_with_name := [
        module for module, names in defined.items() if name in names
    ]:
        return "it is in " + ", ".join(
            f"{__name__}.{module}" for module in modules_with_name
        )
    words = {*name.lower().split("_")}
    for module, names in defined.items():
        for own in names:
            if words <= {*own.lower().split("_"), module}:
                return f"did you mean '{__name__}.{module}.{own}'?"
    return ""


def hinted(module: str) -> Callable[[str], Any]:
    """Make the ``__getattr__`` of an adapter, which suggests what it has."""

    def resolve(name: str) -> Any:
        raise missing(module, name, lambda: _hint(module, name))

    return resolve


def _hint(module: str, name: str) -> str:
    defined = dict(_defined())
    known = defined.get(module.rpartition(".")[2], [*defined])
    is_front = module == __name__
    hint = hint_for(name, known, place_of if is_front else None)
    if "exactmatch help" not in hint:
        return hint
    return suggestion(name, known) or f"; it has {', '.join(known)}"


def _defined() -> Iterator[tuple[str, list[str]]]:
    """Yield the name of each adapter and the public names that it defines.

    The files are parsed, not imported, because each needs packages of its own.
    """
    import ast
    from pathlib import Path

    for file in sorted(Path(__file__).parent.glob("[!_]*.py")):
        if file.stem in _OF_NETWORKX:
            continue
        names: list[str] = []
        for one in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(one, ast.FunctionDef | ast.ClassDef):
                names.append(one.name)
            elif isinstance(one, ast.Assign):
                names += [t.id for t in one.targets if isinstance(t, ast.Name)]
        yield file.stem, [name for name in names if not _is_inner(name)]


_OF_NETWORKX = ("networkx_backend", "networkx_info")
"""Modules that networkx alone imports."""


def _is_inner(name: str) -> bool:
    """Return whether a name is not for users: private, of options, or of a maker."""
    return name.startswith("_") or name.endswith(("Options", "_of")) or name.isupper()


__getattr__ = hinted(__name__)
