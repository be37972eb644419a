"""Proofs of real pairs: certificates, and the interpreted kernels beside the compiled.

Reads the graphs under ``data`` of the folder ``EXACTMATCH_DATA``.
"""

import os
import random
from pathlib import Path
from typing import Any

import pytest

from exactmatch.base import compiled as kernels
from exactmatch.engine import problem as build
from exactmatch.formats.blocks import read_blocks
from exactmatch.formats.dialects import _smatch as reading_kernel
from exactmatch.formats.dialects.smatch import read_smatch
from exactmatch.metrics.smatch import Smatch
from exactmatch.solvers.auto import Auto
from exactmatch.solvers.bnb import BranchAndBound
from exactmatch.solvers.solution import check_solution

FOLDER = os.environ.get("EXACTMATCH_DATA")
SAMPLE, SEED = 300, 1871

pytestmark = pytest.mark.skipif(not FOLDER, reason="EXACTMATCH_DATA is not set")

CORPORA = (
    "bamboo/para/main/{}.test.amr",
    "bamboo/sts/main/{}.test.amr",
    "bamboo/para/main/{}.dev.amr",
    "bamboo/sts/main/{}.dev.amr",
)


def pair() -> list[Any]:
    assert FOLDER
    data = Path(FOLDER) / "data"
    pairs = [(data / c.format("src"), data / c.format("tgt")) for c in CORPORA]
    return [*pairs, (data / "lp/parsed.amr", data / "lp/gold.amr")]


@pytest.fixture(scope="module")
def block_pairs(full: bool) -> list[Any]:
    """Pairs of blocks: a fixed sample, or all of them."""
    found: list[Any] = []
    for pred, gold in pair():
        found += zip(read_blocks(pred), read_blocks(gold), strict=True)
    return found if full else random.Random(SEED).sample(found, SAMPLE)


@pytest.fixture(scope="module")
def pairings(block_pairs: Any) -> list[Any]:
    metric = Smatch(solver="brute")
    graphs = [(read_smatch(p)[0], read_smatch(g)[0]) for p, g in block_pairs]
    return [metric.build_problem(*map(metric.prepare, pair)) for pair in graphs]


@pytest.mark.parametrize("solver", [Auto(1), BranchAndBound(1)])
def test_every_certificate_is_accepted(solver: Any, pairings: Any, note: Any) -> None:
    for pairing in pairings:
        solution = solver.solve(pairing.problem)
        assert solution.is_optimal
        check_solution(pairing.problem, solution)
    note(f"{solver.name}: {len(pairings)} certificates accepted")


def test_the_interpreted_search_proves_the_same(pairings: Any, note: Any) -> None:
    """Value, bound, alignment and what the bound rests on."""
    compiled, interpreted = BranchAndBound(), BranchAndBound()
    interpreted._load = kernels.load_interpreted
    for pairing in pairings:
        one, other = (s.solve(pairing.problem) for s in (compiled, interpreted))
        assert (one.value, one.bound, one.alignment, one.proof) == (
            other.value,
            other.bound,
            other.alignment,
            other.proof,
        )
    note(f"bnb: {len(pairings)} pairs proved alike, compiled and interpreted")


def test_the_interpreted_kernels_read_and_pair_the_same(
    block_pairs: Any, pairings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reader, the coding and the pairing, from text to problem."""
    reader = kernels.load_interpreted(reading_kernel.__name__)
    monkeypatch.setattr("exactmatch.formats.dialects.smatch._kernel", reader)
    for name in ("_coding", "_statement"):
        slow = kernels.load_interpreted(f"exactmatch.engine.{name}")
        monkeypatch.setattr(build, name, slow)
    metric = Smatch(solver="brute")
    for (pred, gold), pairing in zip(block_pairs, pairings, strict=True):
        again = metric.build_problem(
            *(metric.prepare(read_smatch(block)[0]) for block in (pred, gold))
        )
        for field in ("left", "right", "unary", "first", "second", "weight", "start"):
            one, other = (getattr(p.problem, field) for p in (pairing, again))
            assert one.tolist() == other.tolist()
        assert (again.left.total, again.right.total) == (
            pairing.left.total,
            pairing.right.total,
        )
