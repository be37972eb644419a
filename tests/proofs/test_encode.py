"""The stand-alone program that states problems, against the package, byte for byte."""

from __future__ import annotations

import importlib.util
import io
import os
import re
import subprocess
import sys
import warnings
from pathlib import Path
from types import ModuleType

import pytest

import exactmatch
from exactmatch.metrics.aligning import aligning
from exactmatch.scoring.reading import read_item
from exactmatch.solvers.pseudo_boolean import write_problem

PROGRAM = Path(__file__).parents[2] / "proofs" / "encode.py"
SAMPLE = Path(exactmatch.__file__).with_name("sample")
DATA = os.environ.get("EXACTMATCH_DATA")


@pytest.fixture(scope="module")
def encode() -> ModuleType:
    spec = importlib.util.spec_from_file_location("encode", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def by_package(profile: str, pair: tuple[list[str], list[str]]) -> str:
    metric = aligning(exactmatch.make_metric("smatch", profile=profile))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        items = [read_item(metric, "\n".join(lines)) for lines in pair]
    written = io.StringIO()
    write_problem(written, metric.build_problem(*map(metric.prepare, items)).problem)
    return written.getvalue()


def pairs(
    encode: ModuleType, pred: Path, gold: Path
) -> list[tuple[list[str], list[str]]]:
    return list(zip(encode.blocks(pred), encode.blocks(gold), strict=True))


def test_it_stands_alone() -> None:
    """It imports nothing of ours, and a reviewer can read it in one sitting."""
    text = PROGRAM.read_text("utf-8")
    assert not re.search("^ *(import|from) +exactmatch", text, re.MULTILINE)
    assert len(text.splitlines()) <= 300
    paths = [str(SAMPLE / f"{side}.amr") for side in ("pred", "gold")]
    alone = [sys.executable, "-I", "-S", str(PROGRAM)]
    done = subprocess.run([*alone, "smatch", *paths, "2"], capture_output=True)
    assert done.returncode == 0, done.stderr
    lines = [Path(path).read_text("utf-8") for path in paths]
    two = [text.split("\n\n")[1].splitlines() for text in lines]
    assert done.stdout.decode() == by_package("smatch", (two[0], two[1]))
    usage = subprocess.run([*alone, "else"], capture_output=True, text=True)
    assert usage.returncode == 1
    assert "smatch|clean PREDICTIONS" in usage.stderr


@pytest.mark.parametrize("profile", ["smatch", "clean"])
def test_it_states_the_same(encode: ModuleType, profile: str) -> None:
    for pair in pairs(encode, SAMPLE / "pred.amr", SAMPLE / "gold.amr"):
        assert encode.encoded(profile, *pair) == by_package(profile, pair)


CASES = (
    ("(a / x :ARG0 a)", "(a / x :ARG0 a :ARG1 (b / y :ARG1 b))"),
    ("(a / x :ARG0 a)", "(a / y :ARG0 (b / x))"),
    ('(a / x :op1 "New York" :op2 "a")', '(a / x :op1 "New Jersey" :op2 A)'),
    ("(a / x :quant 1 :quant 1)", "(a / x :quant 1 :quant 1 :quant 1)"),
    ("(a / x :mod (b / y))", "(b / y :domain (a / x))"),
    ("(a / x :consist-of (b / y) :ARG0-of (c / z))", "(b / y :ARG0 (c / x))"),
    ("(a / x :ARG0 b :ARG1 (b / y))", "(a / X_ :arg0 (b / Y))"),
    ("(a / x :ARG0-of 1 :mod 2)", "(a / x :domain 2)"),
    ("(a / x)", "(b / y)"),
)


@pytest.mark.parametrize("pair", CASES)
@pytest.mark.parametrize("profile", ["smatch", "clean"])
def test_it_has_the_same_manners(
    encode: ModuleType, profile: str, pair: tuple[str, str]
) -> None:
    lines = ([pair[0]], [pair[1]])
    assert encode.encoded(profile, *lines) == by_package(profile, lines)


@pytest.mark.skipif(not DATA, reason="EXACTMATCH_DATA is not set")
@pytest.mark.parametrize("profile", ["smatch", "clean"])
@pytest.mark.parametrize("name", ["para/main", "sts/main", "para/reify"])
def test_it_states_the_same_of_real_pairs(
    encode: ModuleType, profile: str, name: str
) -> None:
    folder = Path(str(DATA)) / "data" / "bamboo" / name
    both = pairs(encode, folder / "src.dev.amr", folder / "tgt.dev.amr")
    for pair in both[:250]:
        assert encode.encoded(profile, *pair) == by_package(profile, pair)
