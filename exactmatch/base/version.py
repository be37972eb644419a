"""The version, in the one place that the build, the signature and the CLI read."""

__version__ = "0.1.0"

INTERPRETED = (
    "the kernels are not compiled and run interpreted, many times slower: install a "
    "wheel, or a C compiler and then exactmatch once more (pip install "
    "--force-reinstall --no-cache-dir exactmatch)"
)


def missing_kernels() -> str:
    """:data:`INTERPRETED`, or nothing where kernels are compiled; nothing is imported.

    One stands for all: only a build without a compiler leaves them out.
    """
    import os

    folder = os.path.join(os.path.dirname(os.path.dirname(__file__)), "engine")
    files = (name.split(".") for name in os.listdir(folder))
    there = {name[-1] for name in files if name[0] == "_coding"}
    return INTERPRETED if there <= {"py", "pxd", "pyc"} else ""
