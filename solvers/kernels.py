"""Load a kernel: compiled where it was built from this very source, else interpreted.

The build stamps each compiled kernel with the checksum of its source.  Where the
``.py`` file beside it has been edited since, the compiled file is passed over
and the edited source runs instead, with a warning that says so.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import warnings
import zlib
from types import ModuleType
from typing import Any

_SOURCE_SUFFIX = ".py"


class StaleKernelWarning(UserWarning):
    """A compiled kernel is older than its source and was passed over."""


def load(name: str) -> ModuleType:
    """Import the kernel module *name*, never from a stale compiled file."""
    module = importlib.import_module(name)
    if not is_compiled(module):
        return module
    source = _source_of(module)
    try:
        with open(source, "rb") as file:
            code = file.read()
    except FileNotFoundError:
        return module
    digest = f"{len(code)}:{zlib.crc32(code):08x}"
    if digest == getattr(module, "SOURCE_DIGEST", None):
        return module
    name_of_file = os.path.basename(source)
    warnings.warn(
        f"{name_of_file} was edited after it was compiled and runs interpreted; "
        "run pip install again to compile it",
        StaleKernelWarning,
        stacklevel=2,
    )
    return load_interpreted(name)


def load_interpreted(name: str) -> ModuleType:
    """Import the kernel's source as Python, whether or not it is compiled.

    The module is a second one beside a compiled one; tests hold the two equal.
    """
    compiled = importlib.import_module(name)
    if not is_compiled(compiled):
        return compiled
    alias = f"{name}__interpreted"
    if alias in sys.modules:
        return sys.modules[alias]
    spec = importlib.util.spec_from_file_location(alias, _source_of(compiled))
    if spec is None or spec.loader is None:
        raise ImportError(f"the source of {name} is not installed")
    module = importlib.util.module_from_spec(spec)
    sys.modules[alias] = module
    spec.loader.exec_module(module)
    return module


def is_compiled(module: Any) -> bool:
    """Whether a kernel module runs as machine code."""
    return not str(module.__file__).endswith(_SOURCE_SUFFIX)


def _source_of(module: ModuleType) -> str:
    folder = os.path.dirname(str(module.__file__))
    return os.path.join(folder, module.__name__.rpartition(".")[2] + _SOURCE_SUFFIX)
