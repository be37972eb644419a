"""Kernels: compiled where they can be, never stale, never the checkout in CI."""

from __future__ import annotations

import ast
import importlib
import os
import shutil
import sys
import zlib
from pathlib import Path
from types import ModuleType

import pytest

import exactmatch
from exactmatch.solvers import _cython, kernels

ROOT = Path(__file__).parents[1]
SOURCE = "ORIGIN = 'source'\n"
DIGEST = f"{len(SOURCE)}:{zlib.crc32(SOURCE.encode()):08x}"


def kernel_names() -> list[str]:
    """The kernels that the build compiles."""
    for node in ast.parse((ROOT / "setup.py").read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "KERNELS":
            return list(ast.literal_eval(node.value))
    raise AssertionError("setup.py names no KERNELS")


every_kernel = pytest.mark.parametrize("name", kernel_names())


@pytest.fixture
def compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module that looks compiled, with its source beside it."""
    module = ModuleType("toy_kernel")
    module.__file__ = str(tmp_path / "toy_kernel.cpython-311.so")
    module.ORIGIN = "compiled"  # type: ignore[attr-defined]
    module.SOURCE_DIGEST = DIGEST  # type: ignore[attr-defined]
    (tmp_path / "toy_kernel.py").write_text(SOURCE)
    monkeypatch.setitem(sys.modules, "toy_kernel", module)
    monkeypatch.delitem(sys.modules, "toy_kernel__interpreted", raising=False)
    return module


def test_a_fresh_kernel_is_used(compiled: ModuleType) -> None:
    assert kernels.load("toy_kernel") is compiled
    assert kernels.is_compiled(compiled)


def test_a_stale_kernel_is_passed_over_with_a_warning(compiled: ModuleType) -> None:
    compiled.SOURCE_DIGEST = "of another source"  # type: ignore[attr-defined]
    with pytest.warns(kernels.StaleKernelWarning, match=r"toy_kernel\.py was edited"):
        module = kernels.load("toy_kernel")
    assert module.ORIGIN == "source"
    assert not kernels.is_compiled(module)


def test_a_kernel_without_a_stamp_is_stale(compiled: ModuleType) -> None:
    del compiled.SOURCE_DIGEST
    with pytest.warns(kernels.StaleKernelWarning):
        assert kernels.load("toy_kernel").ORIGIN == "source"


def test_a_kernel_without_a_source_is_used(compiled: ModuleType) -> None:
    """As in a distribution that ships none."""
    Path(str(compiled.__file__)).with_name("toy_kernel.py").unlink()
    assert kernels.load("toy_kernel") is compiled


def test_the_interpreted_twin_is_made_once(compiled: ModuleType) -> None:
    twin = kernels.load_interpreted("toy_kernel")
    assert twin.ORIGIN == "source"
    assert kernels.load_interpreted("toy_kernel") is twin
    assert sys.modules["toy_kernel"] is compiled


def test_without_a_source_there_is_no_twin(compiled: ModuleType) -> None:
    Path(str(compiled.__file__)).with_name("toy_kernel.py").unlink()
    with pytest.raises((ImportError, FileNotFoundError)):
        kernels.load_interpreted("toy_kernel")


@every_kernel
def test_every_kernel_runs_interpreted_without_cython(name: str) -> None:
    """Where Cython is missing the names it lends are our own."""
    saved = sys.modules.pop(f"{name}__interpreted", None)
    cython = sys.modules.get("cython")
    try:
        sys.modules["cython"] = None  # type: ignore[assignment]
        module = kernels.load_interpreted(name)
        assert module.cython is _cython or kernels.load(name) is module
    finally:
        sys.modules.pop("cython")
        if cython is not None:
            sys.modules["cython"] = cython
        if saved is not None:
            sys.modules[f"{name}__interpreted"] = saved


in_ci = pytest.mark.skipif(
    os.environ.get("EXACTMATCH_CI") != "1", reason="EXACTMATCH_CI is not 1"
)


@in_ci
def test_what_is_tested_is_what_was_installed() -> None:
    """A checkout on the path would hide a broken distribution."""
    assert Path(exactmatch.__file__).resolve().parent != ROOT / "exactmatch"


@in_ci
@every_kernel
def test_kernels_are_compiled_where_there_is_a_compiler(name: str) -> None:
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    assert kernels.is_compiled(importlib.import_module(name))
    assert kernels.is_compiled(kernels.load(name))
