"""Kernels: compiled where they can be, never stale, never the checkout in CI."""

from __future__ import annotations

import ast
import importlib
import os
import runpy
import shutil
import sys
import zlib
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import pytest
from support.files import Files

import exactmatch
from exactmatch.base import _cython
from exactmatch.base import compiled as kernels

ROOT = Path(__file__).parents[2]
SOURCE = "ORIGIN = 'source'\n"
TYPES = "cdef object ORIGIN\n"


def digest(text: str) -> str:
    """What the build stamps a kernel of this text with."""
    return f"{len(text)}:{zlib.crc32(text.encode()):08x}"


def kernel_names() -> list[str]:
    """The kernels that the build compiles."""
    for node in ast.parse((ROOT / "setup.py").read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "KERNELS":
            return list(ast.literal_eval(node.value))
    raise AssertionError("setup.py names no KERNELS")


every_kernel = pytest.mark.parametrize("name", kernel_names())


def looks_compiled(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, stamp: dict[str, str]
) -> ModuleType:
    """A module that looks compiled, with its sources beside it."""
    module = ModuleType(name)
    module.__file__ = str(folder / f"{name}.cpython-311.so")
    module.__spec__ = ModuleSpec(name, None, origin=module.__file__)
    vars(module)["ORIGIN"] = "compiled"
    vars(module)["SOURCE_DIGESTS"] = stamp
    (folder / f"{name}.py").write_text(SOURCE)
    (folder / f"{name}.pxd").write_text(TYPES)
    monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, f"{name}__interpreted", raising=False)
    return module


@pytest.fixture(autouse=True)
def _forgetful() -> Iterator[None]:
    """Kernels are compared anew for every test."""
    kernels.load.cache_clear()
    kernels._digest.cache_clear()
    yield
    kernels.load.cache_clear()
    kernels._digest.cache_clear()


@pytest.fixture
def imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A kernel that another one imports."""
    stamp = {"toy_part": digest(SOURCE + TYPES)}
    return looks_compiled(tmp_path, monkeypatch, "toy_part", stamp)


@pytest.fixture
def compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, imported: ModuleType
) -> ModuleType:
    """A kernel that imports it."""
    stamp = {"toy_kernel": digest(SOURCE + TYPES), **imported.SOURCE_DIGESTS}
    return looks_compiled(tmp_path, monkeypatch, "toy_kernel", stamp)


def test_a_fresh_kernel_is_used(compiled: ModuleType) -> None:
    assert kernels.load("toy_kernel") is compiled
    assert kernels.is_compiled(compiled)


def is_stale() -> bool:
    """Whether the source runs instead, and a warning says so."""
    with pytest.warns(kernels.StaleKernelWarning, match=r"toy_kernel\.py was edited"):
        module = kernels.load("toy_kernel")
    return module.ORIGIN == "source" and not kernels.is_compiled(module)


@pytest.mark.parametrize("name", ["toy_kernel", "toy_part"])
@pytest.mark.parametrize("suffix", [".py", ".pxd"])
def test_a_kernel_is_stale_when_a_source_of_it_was_edited(
    compiled: ModuleType, name: str, suffix: str
) -> None:
    """Its own, or one of a kernel whose memory layouts it was compiled with."""
    file = Path(str(compiled.__file__)).with_name(name + suffix)
    file.write_text(file.read_text() + "# edited\n")
    assert is_stale()


@pytest.mark.usefixtures("compiled")
def test_a_kernel_is_stale_when_what_it_imports_is_compiled_from_another_source(
    imported: ModuleType,
) -> None:
    vars(imported)["SOURCE_DIGESTS"] = {"toy_part": "another"}
    assert is_stale()


@pytest.mark.parametrize("name", ["toy_kernel", "toy_part"])
@pytest.mark.usefixtures("compiled")
def test_a_kernel_without_a_stamp_is_stale(name: str) -> None:
    del sys.modules[name].SOURCE_DIGESTS
    assert is_stale()


@pytest.mark.usefixtures("compiled")
def test_a_kernel_that_does_not_fit_what_it_imports_is_stale(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So Python says where a class is smaller than a kernel was compiled for."""

    def misfit(name: str) -> ModuleType:
        raise ValueError(f"{name}.Toy size changed")

    monkeypatch.setattr(importlib, "import_module", misfit)
    assert is_stale()


def test_a_kernel_is_compared_once_in_a_process(
    compiled: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each solver that is made asks for its kernel."""
    assert kernels.load("toy_kernel") is compiled
    monkeypatch.setattr(kernels, "_digest", None)
    assert kernels.load("toy_kernel") is compiled


def test_an_interpreted_kernel_that_fails_is_no_stale_one(
    files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files.one("toy_failure.py", "raise ValueError('of its own')")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ValueError, match="of its own"):
        kernels.load("toy_failure")


def test_a_kernel_without_a_source_is_used(compiled: ModuleType) -> None:
    """As in a distribution that ships none."""
    for name in ("toy_kernel.py", "toy_kernel.pxd", "toy_part.py", "toy_part.pxd"):
        Path(str(compiled.__file__)).with_name(name).unlink()
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
        sys.modules["cython"] = None
        module = kernels.load_interpreted(name)
        assert module.cython is _cython or kernels.load(name) is module
    finally:
        sys.modules.pop("cython")
        if cython is not None:
            sys.modules["cython"] = cython
        if saved is not None:
            sys.modules[f"{name}__interpreted"] = saved


def test_a_compiled_kernel_names_all_that_it_imports() -> None:
    """A kernel that it did not name could change without being noticed."""
    name = "exactmatch.solvers.kernel.solve"
    module = importlib.import_module(name)
    if not kernels.is_compiled(module):
        pytest.skip("interpreted, a kernel is made of no compiled part")
    parts = (
        "assignment",
        "lagrangian",
        "climb",
        "closure",
        "proof_log",
        "symmetry",
        "layout",
        "search",
        "solve",
        "volume",
    )
    assert set(module.SOURCE_DIGESTS) == {
        f"exactmatch.solvers.kernel.{p}" for p in parts
    }


@pytest.mark.parametrize("release", [False, True])
def test_only_a_release_fails_without_kernels(
    release: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wheel that others install must not be slow; a person's own build may be."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("CIBUILDWHEEL", "1" if release else "0")
    monkeypatch.setitem(sys.modules, "Cython.Build", None)
    built = []
    monkeypatch.setattr(
        "setuptools.setup", lambda ext_modules, **_: built.append(ext_modules)
    )
    if release:
        with pytest.raises(SystemExit, match="a release needs Cython"):
            runpy.run_path("setup.py", run_name="__main__")
    else:
        runpy.run_path("setup.py", run_name="__main__")
        assert built == [[]]


def test_a_kernel_is_compiled_again_where_something_changed(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What Cython and the compiler go by is the time of the copy that they read."""
    monkeypatch.setitem(sys.modules, "Cython.Build", None)
    monkeypatch.setattr("setuptools.setup", lambda **_: None)
    kernel = runpy.run_path(str(ROOT / "setup.py"))["kernel"]
    name, source = "exactmatch.engine._packing", "exactmatch/engine/_packing.py"
    files.enter()

    def is_written(builder: str) -> bool:
        copy = Path("build", "kernels", source)
        if copy.exists():
            os.utime(copy, (0, 0))
        assert kernel(name, builder).sources == [str(copy)]
        return copy.stat().st_mtime > 0

    files.one(source, "ONE = 1\n")
    assert is_written("Cython 3.1")
    assert not is_written("Cython 3.1")
    assert is_written("Cython 3.2")
    files.one(source, "ONE = 2\n")
    assert is_written("Cython 3.2")
    files.one(source.replace("_packing", "_shared"), "TWO = 2\n")
    files.one(source, "from exactmatch.engine._shared import TWO\n")
    assert is_written("Cython 3.2")
    assert not is_written("Cython 3.2")
    files.one(source.replace("_packing", "_shared"), "TWO = 3\n")
    assert is_written("Cython 3.2")


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
