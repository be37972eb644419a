"""NumPy, networkx and penman are enough to score, to prove and to report."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "exactmatch" / "sample"
PROJECT = ROOT / "pyproject.toml"
ENOUGH = {"networkx", "numpy", "penman", "tomli"}

RUN = """
import contextlib, io, json, sys
absent, commands = json.loads(sys.argv[1])
for name in absent:
    sys.modules[name] = None
from exactmatch.cli.main import main
ended = []
for command in commands:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(command)
    ended.append((code, out.getvalue(), err.getvalue()))
print(json.dumps(ended))
"""

WORKS = {
    "-q": "0.7880\n",
    "--require-optimal --certify -q": "0.7880\n",
    "--solver bnb --require-optimal -q": "0.7880\n",
    "-j 2 -q": "0.7880\n",
    "one.tsv other.tsv --metric graph --node-similarity lcs -q": "0.9524\n",
    "ged one.tsv other.tsv -q": "1\n",
    "report PRED GOLD -o page.html": "",
}

MISSES = {
    "--solver cpsat": "solver 'cpsat' needs ortools: pip install ortools",
    "--solver highs": "solver 'highs' needs scipy: pip install scipy",
    "--metric bleu": "metric 'bleu' needs sacrebleu: pip install sacrebleu",
    "completion bash": "the package shtab is not installed: pip install shtab",
}


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """How commands end where all other packages are missing: code, output, messages."""
    folder = tmp_path_factory.mktemp("slim")
    folder.joinpath("one.tsv").write_text("a\tb\tcats\n")
    folder.joinpath("other.tsv").write_text("a\tb\tcat\n")
    listed = tomllib.loads(PROJECT.read_text("utf-8"))["project"]["dependencies"]
    names = [one.partition(">")[0].partition("=")[0] for one in listed]
    absent = sorted({*names} - ENOUGH)
    assert len(absent) > 8
    places = {"PRED": str(SAMPLE / "pred.amr"), "GOLD": str(SAMPLE / "gold.amr")}
    commands = [
        [places.get(word, word) for word in line.split()] for line in (*WORKS, *MISSES)
    ]
    ran = subprocess.run(
        [sys.executable, "-c", RUN, json.dumps([absent, commands])],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(zip((*WORKS, *MISSES), json.loads(ran.stdout), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("command", WORKS)
def test_three_packages_are_enough(command: str, ended: dict[str, Any]) -> None:
    code, out, err = ended[command]
    assert (code, out) == (0, WORKS[command]), err


@pytest.mark.parametrize("command", MISSES)
def test_a_missing_package_is_named_when_needed(
    command: str, ended: dict[str, Any]
) -> None:
    assert ended[command] == [2, "", f"exactmatch: error: {MISSES[command]}\n"]
