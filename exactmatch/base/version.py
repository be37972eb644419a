"""The version, in the one place that the build, the signature and the CLI read."""

__version__ = "0.1.0"

INTERPRETED = (
    "the kernels are not compiled and run interpreted, many times slower: install a C "
    "compiler (apt-get install gcc python3-dev), then in the folder of the source pip "
    "install --force-reinstall --no-deps ."
)


def missing_kernels() -> str:
    """Return :data:`INTERPRETED`, or nothing where the kernels are compiled."""
    return "" if has_kernels() else INTERPRETED


def has_kernels() -> bool:
    """Return whether the kernels are compiled; nothing is imported to know it.

    One stands for all: only a build without a compiler leaves them out.
    """
    import os

    folder = os.path.join(os.path.dirname(os.path.dirname(__file__)), "engine")
    files = (name.split(".") for name in os.listdir(folder))
    suffixes = {name[-1] for name in files if name[0] == "_coding"}
    return not suffixes <= {"py", "pxd", "pyc"}


def version_line() -> str:
    """Return what ``--version`` prints: the version, compiled or interpreted."""
    return (
        f"exactmatch {__version__} ({'compiled' if has_kernels() else 'interpreted'})"
    )
