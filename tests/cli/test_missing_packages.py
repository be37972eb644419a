"""Without the packages that it needs, the program names what to install."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


def run_bare(*arguments: Any) -> subprocess.CompletedProcess[str]:
    """Run the command line where only the standard library is installed."""
    return subprocess.run(
        [sys.executable, "-S", "-m", "exactmatch", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ["--solver", "cpsat"],
        ["--metric", "s2match"],
        ["--metric", "chrf", *["exactmatch/sample/pred.amr"] * 2],
        ["align"],
        ["audit"],
        ["compare", *["exactmatch/sample/gold.amr"] * 3],
        ["explain-profile"],
        ["finegrained"],
    ],
)
def test_a_missing_package_is_named_in_one_sentence(arguments: list[str]) -> None:
    done = run_bare(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("exactmatch: error: ")
    assert "pip install " in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.skipif(sys.version_info < (3, 11), reason="exactmatch.toml needs tomli")
def test_sentences_need_no_package() -> None:
    """What reads another profile does, and is missed once the work has begun."""
    assert run_bare("--quiet").returncode == 0
    done = run_bare("--quiet", "--profile", "clean")
    said = "exactmatch: error: the package penman is not installed: pip install penman"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"{said}\n")


UNLOADABLE = """
import sys
class Finder:
    def find_spec(self, name, *_):
        if name == "numpy":
            raise ImportError("IMPORTANT:\\n\\nadvice\\n\\nlibblas.so: cannot map\\n")
sys.meta_path.insert(0, Finder())
from exactmatch.__main__ import main
sys.exit(main())
"""


def test_a_package_that_cannot_be_loaded_is_one_sentence() -> None:
    """As NumPy without memory for its libraries, of which it says a page."""
    done = subprocess.run(
        [sys.executable, "-c", UNLOADABLE, "-q", "--certify"],
        capture_output=True,
        text=True,
        check=False,
    )
    said = "exactmatch: error: a package cannot be loaded: libblas.so: cannot map\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


def test_the_version_needs_no_package() -> None:
    assert run_bare("--version").returncode == 0
