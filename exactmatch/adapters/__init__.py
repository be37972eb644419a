"""Shows exactmatch as other programs expect it."""

from __future__ import annotations

from exactmatch.base.errors import suggestion
from exactmatch.base.fronts import hint_for, missing
from exactmatch.base.records import NamedTuple

TYPE_CHECKING = False  # importing typing takes a while
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any


def place_of(name: str) -> str:
    """Say which adapter is called so, or has what is called so; empty if none.

    >>> place_of("DSPy"), place_of("lm_eval")
    ('use exactmatch.adapters.dspy.graph_metric()', 'use exactmatch.adapters.lm_eval')
    >>> place_of("trl_rewards")
    "use exactmatch.adapters.trl.smatch_reward(gold='COLUMN')"
    """
    adapters = {adapter.name: adapter for adapter in _adapters()}
    if adapter := adapters.get(name.lower()):
        return adapter.use()
    if having := [a for a in adapters.values() if name in a.defined]:
        places = ", ".join(f"{__name__}.{adapter.name}" for adapter in having)
        return f"it is in {places}" if len(having) > 1 else having[0].use(name)
    words = {word.removesuffix("s") for word in name.lower().split("_")}
    for adapter in adapters.values():
        for own in adapter.defined:
            if words <= {*own.lower().split("_"), adapter.name}:
                return adapter.use(own)
    return ""


class _Adapter(NamedTuple):
    """An adapter: its module, the names that it defines, and how it is called first."""

    name: str
    defined: list[str]
    call: str = ""

    def use(self, name: str = "") -> str:
        """Return what to write for a name of the adapter, or for its first call."""
        place = f"{__name__}.{self.name}"
        if not name or self.call.startswith(f"{name}("):
            name = self.call
        return f"use {place}.{name}" if name else f"use {place}"


def hinted(module: str, call: str = "") -> Callable[[str], Any]:
    """Make the ``__getattr__`` of an adapter, which suggests what it has.

    Args:
        module: the name of the adapter's module.
        call: how its main function is called, for hints.
    """

    def resolve(name: str) -> Any:
        raise missing(module, name, lambda: _hint(module, name, call))

    return resolve


def _hint(module: str, name: str, call: str) -> str:
    if call:
        return f"; use {module}.{call}"
    defined = {adapter.name: adapter.defined for adapter in _adapters()}
    known = defined.get(module.rpartition(".")[2], [*defined])
    is_front = module == __name__
    hint = hint_for(name, known, place_of if is_front else None)
    if "exactmatch help" not in hint:
        return hint
    return suggestion(name, known) or f"; it has {', '.join(known)}"


def __getattr__(name: str) -> Any:
    import importlib
    import os

    if os.path.isfile(os.path.join(os.path.dirname(__file__), f"{name}.py")):
        return importlib.import_module(f"{__name__}.{name}")
    raise missing(__name__, name, lambda: _hint(__name__, name, ""))


def _adapters() -> Iterator[_Adapter]:
    """Yield each adapter, with the public names that it defines.

    The files are parsed, not imported, because each needs packages of its own.
    """
    import ast
    from pathlib import Path

    for file in sorted(Path(__file__).parent.glob("[!_]*.py")):
        if file.stem in _OF_NETWORKX:
            continue
        names: list[str] = []
        call = ""
        for one in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(one, ast.FunctionDef | ast.ClassDef):
                names.append(one.name)
            elif isinstance(one, ast.Assign):
                targets = [t.id for t in one.targets if isinstance(t, ast.Name)]
                names += targets
                if "__getattr__" in targets and isinstance(one.value, ast.Call):
                    texts = [ast.literal_eval(text) for text in one.value.args[1:]]
                    call = "".join(texts)
        yield _Adapter(file.stem, [n for n in names if not _is_inner(n)], call)


_OF_NETWORKX = ("networkx_backend", "networkx_info")
"""Modules that networkx alone imports."""


def _is_inner(name: str) -> bool:
    """Return whether a name is not for users: private, of options, or of a maker."""
    return name.startswith("_") or name.endswith(("Options", "_of")) or name.isupper()
