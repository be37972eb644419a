"""Compile the kernels where a C compiler is at hand; install without them elsewhere.

Each kernel is a valid Python module (Cython's pure-Python mode), so it runs
interpreted too.  Its C types are annotations, or in a ``.pxd`` file beside it; one
with a ``.pxd`` file can be imported by another kernel as C.  What is compiled is a
copy with the checksums of all sources that it was made from at the end:
``exactmatch.base.compiled`` compares it with the sources that lie beside the
compiled files, so a stale build cannot hide an edited source.

A release (``CIBUILDWHEEL=1``, as cibuildwheel sets it) fails where a kernel does not
compile, so that no wheel is slow.
"""

from __future__ import annotations

import os
import re
import zlib
from pathlib import Path

from setuptools import Extension, setup

KERNELS = {
    "exactmatch.solvers.kernel.objective": "solvers/kernel/objective.py",
    "exactmatch.solvers.kernel.assignment": "solvers/kernel/assignment.py",
    "exactmatch.solvers.kernel.dense": "solvers/kernel/dense.py",
    "exactmatch.solvers.kernel.layout": "solvers/kernel/layout.py",
    "exactmatch.solvers.kernel.lagrangian": "solvers/kernel/lagrangian.py",
    "exactmatch.solvers.kernel.climb": "solvers/kernel/climb.py",
    "exactmatch.solvers.kernel.steps": "solvers/kernel/steps.py",
    "exactmatch.solvers.kernel.closure": "solvers/kernel/closure.py",
    "exactmatch.solvers.kernel.proof_log": "solvers/kernel/proof_log.py",
    "exactmatch.solvers.kernel.volume": "solvers/kernel/volume.py",
    "exactmatch.solvers.kernel.symmetry": "solvers/kernel/symmetry.py",
    "exactmatch.solvers.kernel.search": "solvers/kernel/search.py",
    "exactmatch.solvers.kernel.solve": "solvers/kernel/solve.py",
    "exactmatch.formats.dialects._smatch": "exactmatch/formats/dialects/_smatch.py",
    "exactmatch.formats.dialects._plain": "exactmatch/formats/dialects/_plain.py",
    "exactmatch.metrics.similarity._strings": (
        "exactmatch/metrics/similarity/_strings.py"
    ),
    "exactmatch.metrics.json._parts": "exactmatch/metrics/json/_parts.py",
    "exactmatch.metrics.json._tables": "exactmatch/metrics/json/_tables.py",
    "exactmatch.graphs.drawing._rows": "exactmatch/graphs/drawing/_rows.py",
    "exactmatch.engine._coding": "exactmatch/engine/_coding.py",
    "exactmatch.engine._bound": "exactmatch/engine/_bound.py",
    "exactmatch.engine._shared": "exactmatch/engine/_shared.py",
    "exactmatch.engine._statement": "exactmatch/engine/_statement.py",
    "exactmatch.engine._matched": "exactmatch/engine/_matched.py",
    "exactmatch.metrics.yisi._matching": "exactmatch/metrics/yisi/_matching.py",
    "exactmatch.edit._packed_graphs": "exactmatch/edit/_packed_graphs.py",
    "exactmatch.edit._uniform": "exactmatch/edit/_uniform.py",
    "exactmatch.edit._growing": "exactmatch/edit/_growing.py",
    "exactmatch.edit._partition": "exactmatch/edit/_partition.py",
    "exactmatch.engine._packing": "exactmatch/engine/_packing.py",
    "exactmatch.engine._pairs": "exactmatch/engine/_pairs.py",
}

IS_RELEASE = os.environ.get("CIBUILDWHEEL") == "1"
"""Whether what is built is for others, who may have no compiler."""

COMPILE = [] if os.name == "nt" else ["-g0"]
"""Symbols for a debugger would be five sixths of a kernel, and Python asks for them."""

COPIES = Path("build", "kernels")
"""Where the stamped copies are compiled, and find each other."""

SHARED = "exactmatch.base._cyutility"
"""Cython's code for arrays, compiled once: it would be most of nearly every kernel."""


def sources(module: str) -> list[Path]:
    """The files that a kernel is written in."""
    source = Path(KERNELS[module])
    return [file for file in (source, source.with_suffix(".pxd")) if file.exists()]


def needs(module: str) -> set[str]:
    """The kernel itself and those that it imports: all that it is compiled from."""
    found: set[str] = set()
    open_ones = [module]
    while open_ones:
        name = open_ones.pop()
        if name not in found:
            found.add(name)
            text = "".join(file.read_text("utf-8") for file in sources(name))
            named = re.findall(r"\bexactmatch(?:\.\w+)+", text)
            open_ones += KERNELS.keys() & set(named)
    return found


def digest(module: str) -> str:
    """The checksum of a kernel's source."""
    code = b"".join(file.read_bytes() for file in sources(module))
    return f"{len(code)}:{zlib.crc32(code):08x}"


def kernel(module: str, builder: str) -> Extension:
    """Describe the extension of one kernel, compiled from a stamped copy.

    A copy that says the same as before is left alone, and so is what was compiled from
    it: a build compiles what changed since the last one in this folder.

    Args:
        module: the kernel's name.
        builder: what compiles it; another one compiles it again.
    """
    copy = COPIES.joinpath(*module.split(".")).with_suffix(".py")
    copy.parent.mkdir(parents=True, exist_ok=True)
    digests = {part: digest(part) for part in sorted(needs(module))}
    for file in sources(module):
        content = file.read_bytes()
        if file.suffix == ".py":
            content += f"\nSOURCE_DIGESTS = {digests!r}\n# {builder}\n".encode()
        target = copy.with_suffix(file.suffix)
        if not target.exists() or target.read_bytes() != content:
            target.write_bytes(content)
    return Extension(module, [str(copy)], extra_compile_args=COMPILE)


def extensions() -> list[Extension]:
    """All kernels that exist, translated to C; none where Cython is missing.

    Raises:
        SystemExit: if it is missing and a release is built.
    """
    try:
        from Cython import __version__ as cython
        from Cython.Build import cythonize
    except ImportError:
        if IS_RELEASE:
            raise SystemExit("a release needs Cython: pip install Cython") from None
        return []
    builder = f"setup.py {zlib.crc32(Path(__file__).read_bytes()):08x}, Cython {cython}"
    there = [name for name, source in KERNELS.items() if Path(source).exists()]
    found = [kernel(name, builder) for name in there]
    shared = COPIES.joinpath(*SHARED.split(".")).with_suffix(".c")
    shared.parent.mkdir(parents=True, exist_ok=True)
    found.append(Extension(SHARED, [str(shared)], extra_compile_args=COMPILE))
    compiled: list[Extension] = cythonize(
        found,
        nthreads=os.cpu_count() or 1,
        language_level=3,
        include_path=[str(COPIES)],
        shared_utility_qualified_name=SHARED,
        # No kernel keeps anything between two calls, so none needs the lock.  Variables
        # of loops have the type of their range.
        compiler_directives={"freethreading_compatible": True, "infer_types": True},
    )
    for extension in compiled:
        extension.optional = not IS_RELEASE  # cythonize forgets it
    return compiled


if __name__ == "__main__":  # not again in each process that translates
    setup(ext_modules=extensions(), options={"build_ext": {"parallel": True}})
