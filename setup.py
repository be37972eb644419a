"""Compile the kernels where a C compiler is at hand; install without them elsewhere.

Each kernel is a valid Python module (Cython's pure-Python mode), so it runs
interpreted too.  What is compiled is a copy with the source's checksum at the
end: ``exactmatch.solvers.kernels`` compares it with the source that lies beside the
compiled file, so a stale build cannot hide an edited source.
"""

from __future__ import annotations

import zlib
from pathlib import Path

from setuptools import Extension, setup

KERNELS = {
    "exactmatch.solvers._appraisal": "solvers/_appraisal.py",
    "exactmatch.solvers._bnb": "solvers/_bnb.py",
    "exactmatch.reading._smatch": "exactmatch/reading/_smatch.py",
    "exactmatch._coding": "exactmatch/_coding.py",
    "exactmatch._pairing": "exactmatch/_pairing.py",
}


def kernel(module: str, source: str) -> Extension:
    """Describe the extension of one kernel, compiled from a stamped copy."""
    code = Path(source).read_bytes()
    stamped = Path("build", "kernels", *module.split(".")).with_suffix(".py")
    stamped.parent.mkdir(parents=True, exist_ok=True)
    digest = f"{len(code)}:{zlib.crc32(code):08x}"
    stamped.write_bytes(code + f'\nSOURCE_DIGEST = "{digest}"\n'.encode())
    return Extension(module, [str(stamped)])


def extensions() -> list[Extension]:
    """All kernels that exist, translated to C; none where Cython is missing."""
    try:
        from Cython.Build import cythonize
    except ImportError:
        return []
    found = [kernel(m, s) for m, s in KERNELS.items() if Path(s).exists()]
    compiled: list[Extension] = cythonize(found, language_level=3)
    for extension in compiled:
        extension.optional = True  # cythonize forgets it
    return compiled


setup(ext_modules=extensions())
