"""Load a kernel: compiled where it was built from these very sources, else interpreted.

A kernel is written in a ``.py`` file and maybe a ``.pxd`` file of C types beside
it, and may import other kernels as C.  The build stamps each compiled kernel with
the checksums of all that went into it.  Where one of those files has been edited
since, or a kernel among them was compiled from something else, the compiled file is
passed over and the sources run instead, with a warning that says so.  Each kernel is
compared once in a process, and each source read once, however many kernels it is in.

The stamp is inside the compiled file, not in a file beside it for the whole build: a
kernel that does not compile leaves the one of an earlier build behind, and only what
travels in the compiled file is sure to be about that file.
"""

import importlib
import importlib.util
import os
import sys
import warnings
import zlib
from contextlib import suppress
from functools import cache
from types import ModuleType
from typing import Any

_SOURCE_SUFFIX = ".py"
_TYPES_SUFFIX = ".pxd"
_MISFITS = (AttributeError, ImportError, TypeError, ValueError)
"""Errors of importing a kernel whose memory layouts differ from another kernel's."""


class StaleKernelWarning(UserWarning):
    """A compiled kernel is older than its sources and was passed over."""


@cache
def load(name: str) -> ModuleType:
    """Import the kernel module *name*, never from a stale compiled file."""
    try:
        module = importlib.import_module(name)
    except _MISFITS as error:
        if _file_of(name).endswith(_SOURCE_SUFFIX) or _lacks_package(error):
            raise
    else:
        if not is_compiled(module) or _is_fresh(module):
            return module
    warnings.warn(
        f"{os.path.basename(_source_of(name))} was edited after it was compiled, or a "
        "kernel that it imports was, and runs interpreted; run pip install again to "
        "compile it",
        StaleKernelWarning,
        stacklevel=2,
    )
    return load_interpreted(name)


def _lacks_package(error: BaseException) -> bool:
    """Return whether a package of others is missing, which its source needs, too."""
    name = error.name if isinstance(error, ModuleNotFoundError) else None
    return name is not None and not name.startswith("exactmatch")


def load_interpreted(name: str) -> ModuleType:
    """Import the kernel's source as Python, whether or not it is compiled.

    The module is a second one beside a compiled one; tests hold the two equal.
    """
    source = _source_of(name)
    if _file_of(name) == source:
        return importlib.import_module(name)
    alias = f"{name}__interpreted"
    if alias in sys.modules:
        return sys.modules[alias]
    spec = importlib.util.spec_from_file_location(alias, source)
    if spec is None or spec.loader is None:
        raise ImportError(f"the source of {name} is not installed")
    module = importlib.util.module_from_spec(spec)
    sys.modules[alias] = module
    spec.loader.exec_module(module)
    return module


def is_compiled(module: Any) -> bool:
    """Return whether a kernel module runs as machine code."""
    return not str(module.__file__).endswith(_SOURCE_SUFFIX)


def _is_fresh(module: ModuleType) -> bool:
    """Return whether a compiled kernel, and all that went into it, is as it was."""
    parts = [importlib.import_module(name) for name in _stamp(module)]
    present_digests = {
        part.__name__: _digest(_source_of(part.__name__)) for part in parts
    }
    stamps = [_stamp(part) for part in (module, *parts)]
    return all(stamps) and all(
        present_digests.get(name) in (None, digest)
        for stamp in stamps
        for name, digest in stamp.items()
    )


def _stamp(module: ModuleType) -> dict[str, str]:
    """Return the checksums of a compiled kernel and of those that went into it."""
    stamp: dict[str, str] = getattr(module, "SOURCE_DIGESTS", {})
    return stamp


@cache
def _digest(source: str) -> str | None:
    """Return the checksum of a source and its types; ``None`` if not installed."""
    try:
        with open(source, "rb") as file:
            code = file.read()
    except FileNotFoundError:
        return None
    with (
        suppress(FileNotFoundError),
        open(source.removesuffix(_SOURCE_SUFFIX) + _TYPES_SUFFIX, "rb") as file,
    ):
        code += file.read()
    return f"{len(code)}:{zlib.crc32(code):08x}"


def _file_of(name: str) -> str:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise ImportError(f"there is no kernel {name}")
    return spec.origin


def _source_of(name: str) -> str:
    folder = os.path.dirname(_file_of(name))
    return os.path.join(folder, name.rpartition(".")[2] + _SOURCE_SUFFIX)
