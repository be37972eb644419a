"""Build the playground: a folder that any web server can serve, with all it needs.

    python -m docs.play -o play
    python -m http.server -d play

Pyodide comes from npm, as ``npm pack`` fetches it, or from ``--pyodide``, a folder or
archive of it that is there already; its checksum is that of the version named here.
exactmatch comes as a wheel of this tree, without compiled kernels, and penman, which
some profiles read with, as it is installed here.  The answers to the examples are
computed here and written into the page, so that it shows one before Python is loaded.
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
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import penman

from docs.play import play

PYODIDE = "314.0.7"
CHECKSUM = (
    "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyM"
    "cWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
)
"""Its checksum at npm: sha512, in base 64."""

RUNS = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
RUNS += ("pyodide-lock.json",)
OURS = ("play.css", "play.js", "worker.js", "offline.js", "play.py")
ASSETS = {
    "exactmatch.views.assets": ("shared.js", "drawing.css"),
    "exactmatch.studies.report": ("certificate.js",),
}
"""Files of the report that the page has, too."""

NAMED = 8
"""Examples with a name, whose answers come with the page."""

SETUPTOOLS = 77
"""The oldest version that builds exactmatch, as ``pyproject.toml`` says."""

HERE = Path(__file__).parent
TREE = HERE.parents[1]

PURE = (  # without Cython, setup.py compiles nothing and the wheel is of any platform
    "import sys; sys.modules['Cython'] = None; sys.argv[0] = 'setup.py';"
    "import runpy; runpy.run_path('setup.py', run_name='__main__')"
)


def build(
    folder: Path, pyodide: Path | None = None, links: dict[str, str] | None = None
) -> None:
    """Write the page, exactmatch and Pyodide into a folder.

    Args:
        folder: where to write; files of the same names are replaced.
        pyodide: a folder or npm archive of Pyodide; default: from npm.
        links: addresses in the head of the page, by their texts.
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
    for package, names in ASSETS.items():
        for name in names:
            text = files(package).joinpath(name).read_text("utf-8")
            (folder / name).write_text(text, "utf-8")
    offered = examples()
    data = {"metrics": play.METRICS, "examples": offered}
    (folder / "examples.json").write_text(json.dumps(data), "utf-8")
    (folder / "index.html").write_text(page(offered[0], links or {}), "utf-8")
    (folder / "files.json").write_text(json.dumps(listing(folder, wheel.name)), "utf-8")


def examples() -> list[dict[str, Any]]:
    """Return the examples, the named ones with their answers."""
    offered = [example._asdict() for example in play.examples()]
    for example in offered[:NAMED]:
        values = (example[key] for key in ("pred", "gold", "metric", "profile"))
        example["answer"] = json.loads(play.compare(*values))
    return offered


def page(first: dict[str, Any], links: dict[str, str]) -> str:
    """Return the page with its links, the first example and its answer."""
    html = (HERE / "index.html").read_text("utf-8")
    answer = first["answer"]
    for name, content in (
        ("example", escape(first["name"])),
        ("pred", escape(first["pred"])),
        ("gold", escape(first["gold"])),
        ("answer", answer["html"]),
        ("links", " ".join(f'<a href="{escape(links[k])}">{k}</a>' for k in links)),
    ):
        html = html.replace(f"<!--{name}-->", content)
    return html


def listing(folder: Path, wheel: str) -> dict[str, Any]:
    """Return the files of the page with their sizes, and a checksum of them all."""
    digest = hashlib.sha256()
    sizes = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != "files.json":
            digest.update(path.read_bytes())
            sizes[path.relative_to(folder).as_posix()] = path.stat().st_size
    return {"wheel": wheel, "sizes": sizes, "version": digest.hexdigest()[:16]}


def pure_wheel(work: Path) -> Path:
    """Build a wheel of this tree that runs on any platform, its kernels as Python."""
    import setuptools

    version = setuptools.__version__
    if int(version.partition(".")[0]) < SETUPTOOLS:
        raise SystemExit(
            f"a wheel needs setuptools {SETUPTOOLS} or newer, and {version} is "
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
    """Fetch Pyodide from npm, and check its checksum."""
    subprocess.run(
        ["npm", "pack", "--silent", f"pyodide@{PYODIDE}"],
        cwd=work,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    archive = work / f"pyodide-{PYODIDE}.tgz"
    checksum = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    if checksum != CHECKSUM:
        raise SystemExit(f"pyodide {PYODIDE} from npm has another checksum: {checksum}")
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
    parser.add_argument(
        "--documentation", default="../", help="its address (default: the folder above)"
    )
    parser.add_argument("--repository", help="its address; no link without")
    options = parser.parse_args()
    links = {"Documentation": options.documentation, "Repository": options.repository}
    build(options.output, options.pyodide, {k: v for k, v in links.items() if v})
    print(f"{options.output}: python -m http.server -d {options.output}")


if __name__ == "__main__":
    main()
