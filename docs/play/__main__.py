"""Build the playground: a folder that any web server can serve, with all it needs.

    python -m docs.play -o play
    python -m http.server -d play

Pyodide comes from npm, as ``npm pack`` fetches it, or from ``--pyodide``, a folder or
archive of it that is there already; its checksum is that of the version named here.
exactmatch comes as a wheel of this tree, without compiled kernels, and penman, which
some profiles read with, as it is installed here.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import penman

PYODIDE = "314.0.7"
CHECKSUM = (
    "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyM"
    "cWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
)
"""What npm says of it: sha512, in base 64."""

RUNS = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
RUNS += ("pyodide-lock.json",)
OURS = ("index.html", "play.css", "play.js", "worker.js", "play.py")

SETUPTOOLS = 77
"""The oldest version that builds exactmatch, as ``pyproject.toml`` says."""

HERE = Path(__file__).parent
TREE = HERE.parents[1]

PURE = (  # without Cython, setup.py compiles nothing and the wheel is of any platform
    "import sys; sys.modules['Cython'] = None; sys.argv[0] = 'setup.py';"
    "import runpy; runpy.run_path('setup.py', run_name='__main__')"
)


def build(folder: Path, pyodide: Path | None = None) -> None:
    """Write the page, exactmatch and Pyodide into a folder.

    Args:
        folder: where to; what it holds under the same names is replaced.
        pyodide: a folder or npm archive of Pyodide; default: from npm.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in OURS:
        shutil.copy(HERE / name, folder / name)
    with tempfile.TemporaryDirectory() as work:
        wheel = pure_wheel(Path(work))
        for old in folder.glob("exactmatch-*.whl"):
            old.unlink()
        shutil.copy(wheel, folder / wheel.name)
        reader = Path(penman.__file__).parent
        with ZipFile(folder / "penman.zip", "w", ZIP_DEFLATED) as packed:
            for file in sorted(reader.rglob("*.py")):
                packed.write(file, file.relative_to(reader.parent))
        source = pyodide or fetched(Path(work))
        if source.is_file():
            source = unpacked(source, Path(work))
        (folder / "pyodide").mkdir(exist_ok=True)
        for name in RUNS:
            shutil.copy(source / name, folder / "pyodide" / name)
    (folder / "files.json").write_text(json.dumps({"wheel": wheel.name}), "utf-8")


def pure_wheel(work: Path) -> Path:
    """Build a wheel of this tree that runs on any platform, its kernels as Python."""
    import setuptools

    found = setuptools.__version__
    if int(found.partition(".")[0]) < SETUPTOOLS:
        raise SystemExit(
            f"a wheel needs setuptools {SETUPTOOLS} or newer, and {found} is "
            f"installed: pip install -U 'setuptools>={SETUPTOOLS}'"
        )
    steps = ("-q", "build", "--build-base", str(work / "build"), "bdist_wheel")
    steps += ("--bdist-dir", str(work / "bdist"), "--dist-dir", str(work))
    built = subprocess.run(
        [sys.executable, "-c", PURE, *steps],
        cwd=TREE,
        stderr=subprocess.PIPE,
        text=True,
    )
    if built.returncode:
        raise SystemExit(f"the wheel cannot be built: {built.stderr.strip()}")
    (wheel,) = work.glob("exactmatch-*-none-any.whl")
    return wheel


def fetched(work: Path) -> Path:
    """Fetch Pyodide from npm, and check that it is what it was."""
    subprocess.run(
        ["npm", "pack", "--silent", f"pyodide@{PYODIDE}"],
        cwd=work,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    archive = work / f"pyodide-{PYODIDE}.tgz"
    found = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    if found != CHECKSUM:
        raise SystemExit(f"pyodide {PYODIDE} from npm has another checksum: {found}")
    return archive


def unpacked(archive: Path, work: Path) -> Path:
    """Unpack the files that a page needs."""
    with tarfile.open(archive) as packed:
        for name in RUNS:
            member = packed.extractfile(f"package/{name}")
            assert member is not None
            (work / name).write_bytes(member.read())
    return work


def main() -> None:
    """Read the arguments and build."""
    parser = argparse.ArgumentParser(prog="python -m docs.play", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("-o", "--output", type=Path, default=Path("site", "play"))
    parser.add_argument("--pyodide", type=Path, help="a folder or npm archive of it")
    asked = parser.parse_args()
    build(asked.output, asked.pyodide)
    print(f"{asked.output}: python -m http.server -d {asked.output}")


if __name__ == "__main__":
    main()
