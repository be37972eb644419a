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
    from importlib.machinery import PathFinder
    from pathlib import Path

    folder = Path(__file__).parents[1] / "similarity"
    spec = PathFinder.find_spec("_strings", [str(folder)])
    is_source = spec is not None and str(spec.origin).endswith(".py")
    return INTERPRETED if is_source else ""
