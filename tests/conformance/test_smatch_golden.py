"""Smatch against smatch 1.0.4's triples and the optima of three other solvers.

Reads ``golden/smatch.dev.jsonl``, ``golden/optima`` and the graphs under ``data`` of
the folder ``EXACTMATCH_DATA``.
"""

from __future__ import annotations

import csv
import hashlib
import json
import os
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from exactmatch.adapters import amr, smatch
from exactmatch.base.errors import GraphError
from exactmatch.cli.main import main as cli
from exactmatch.engine import problem as build
from exactmatch.engine.align import align
from exactmatch.engine.problem import encode, matches
from exactmatch.formats.blocks import blocks_of_text, read_blocks
from exactmatch.formats.dialects.smatch import read_smatch
from exactmatch.formats.readings import as_graph
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics.base import add
from exactmatch.metrics.score import f_score
from exactmatch.metrics.smatch import Smatch
from exactmatch.solvers import SOLVERS, get_solver
from exactmatch.solvers.auto import Auto
from exactmatch.solvers.base import Solver
from exactmatch.solvers.solution import Solution

FOLDER = os.environ.get("EXACTMATCH_DATA")
PROFILE = PROFILES["smatch"]
FASTEST = "auto"
NAMES = [name for name in SOLVERS if name != "pulp"]  # that one wants a name
SAMPLE, SEED = 300, 1871
MAX_BRUTE = 6  # variables a side that enumeration is asked to try

pytestmark = pytest.mark.skipif(not FOLDER, reason="EXACTMATCH_DATA is not set")

CORPORA = {
    "para-test": "bamboo/para/main/{src,tgt}.test.amr",
    "sts-test": "bamboo/sts/main/{src,tgt}.test.amr",
    "para-dev": "bamboo/para/main/{src,tgt}.dev.amr",
    "sts-dev": "bamboo/sts/main/{src,tgt}.dev.amr",
    "lp": "lp/{parsed,gold}.amr",
}
"""The files to solve, predictions and references."""


# The records, one by one


@cache
def all_records() -> list[Any]:
    if not FOLDER:
        return []
    lines = (Path(FOLDER) / "golden/smatch.dev.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines[1:]]


def records(*kinds: str) -> list[Any]:
    return [record for record in all_records() if record["kind"] in kinds]


def each(*kinds: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("record", records(*kinds), ids=lambda r: r["id"])


def lists(triples: Any) -> list[list[list[str]]]:
    return [[list(triple) for triple in kind] for kind in triples]


def smatch_lists(text: str, prefix: str) -> list[list[list[str]]]:
    parsed = amr.AMR.parse_AMR_line(text)
    parsed.rename_node(prefix)
    return lists(parsed.get_triples())


KINDS = ("instance", "attribute", "relation")


@each("micro", "pair", "sample")
def test_records(record: Any, tmp_path: Path) -> None:
    one, two = record["amr1"], record["amr2"]
    if record["outcome"] == "error":
        check_error(record, tmp_path)
        return
    sides = [smatch_lists(one, "a"), smatch_lists(two, "b")]
    for side, wanted in zip(sides, ("triples1", "triples2"), strict=True):
        assert side == [record[wanted][kind] for kind in KINDS]
    counts = (record["optimum"], record["total1"], record["total2"])
    assert smatch.get_amr_match(one, two) == counts
    wanted_scores = (record["precision"], record["recall"], record["f"])
    assert smatch.compute_f(*counts) == pytest.approx(wanted_scores, abs=1e-12)
    for kind, wanted_counts in record["just"].items():
        just = [kind == other for other in KINDS]
        assert list(smatch.get_amr_match(one, two, 1, *just)) == wanted_counts
    mapping, matched = smatch.get_best_match(*triple_lists(record), "a", "b")
    assert matched == record["optimum"]
    coded = [encode(as_graph(text, PROFILE), PROFILE) for text in (one, two)]
    for alignment in (record["witness"], mapping):
        assert matches(coded[0], coded[1], PROFILE, tuple(alignment)) == matched


def triple_lists(record: Any) -> tuple[Any, Any, Any, Any, Any, Any]:
    one, two = record["triples1"], record["triples2"]
    i, a, r = KINDS
    return one[i], one[a], one[r], two[i], two[a], two[r]


def check_error(record: Any, folder: Path) -> None:
    """What smatch cannot read is an error in Python and on the command line."""
    for side in ("1", "2"):
        if record.get("error" + side) is None:
            amr.AMR.parse_AMR_line(record["amr" + side])
        else:
            with pytest.raises(GraphError):
                as_graph(record["amr" + side], PROFILE)
        (folder / side).write_text(record["amr" + side] + "\n", "utf-8")
    with pytest.raises(GraphError):
        smatch.get_amr_match(record["amr1"], record["amr2"])
    assert cli([str(folder / "1"), str(folder / "2"), "--quiet"]) == 2


@pytest.mark.parametrize("name", NAMES)
def test_every_solver_meets_the_records(name: str) -> None:
    solver = get_solver(name)
    wrong = []
    for record in records("micro", "pair", "sample"):
        if record["outcome"] == "error":
            continue
        graphs = [as_graph(record[side], PROFILE) for side in ("amr1", "amr2")]
        left, right = (encode(graph, PROFILE) for graph in graphs)
        pairing = build.GraphProblem(left, right, PROFILE)
        if name == "brute" and not is_small(pairing):
            continue
        solution = solver.solve(pairing.problem)
        if problem := complaint(pairing, solution, record["optimum"], solver):
            wrong.append((record["id"], problem))
    assert not wrong


@each("file")
def test_files(record: Any) -> None:
    lines = iter(record["text"].splitlines(keepends=True))
    found = list(iter(lambda: amr.AMR.get_amr_line(lines), ""))
    assert found == record["lines"]
    blocks = [block for block in blocks_of_text(record["text"]) if block.content]
    assert ["".join(block.content) for block in blocks] == record["lines"]
    for block, line, wanted in zip(blocks, found, record["triples"], strict=True):
        assert smatch_lists(line, "a") == [wanted[kind] for kind in KINDS]
        graph = read_smatch(block).graph
        assert graph == as_graph(line, PROFILE)


@each("corpus")
def test_corpora(record: Any) -> None:
    members = {r["id"]: r for r in records("micro", "pair", "sample")}
    metric = Smatch(solver=FASTEST)
    total, scores = metric.identity(), []
    for name in record["members"]:
        graphs = [as_graph(members[name][side], PROFILE) for side in ("amr1", "amr2")]
        one = metric.measure(*graphs).statistics
        total = add(total, one)
        scores.append(metric.scores(one).score)
    score = metric.scores(total)
    assert score.proven
    assert (score.matched, score.pred_total, score.gold_total) == (
        record["optimum"],
        record["total1"],
        record["total2"],
    )
    assert score.precision == pytest.approx(record["precision"], abs=1e-12)
    assert score.recall == pytest.approx(record["recall"], abs=1e-12)
    assert score.f1 == pytest.approx(record["f"], abs=1e-12)
    mean = sum(scores) / len(scores)
    assert mean == pytest.approx(record["mean_of_pair_f"], abs=1e-12)


# Whole files


@cache
def file_with(digest: str) -> Path | None:
    """The file under ``data`` whose SHA-256 is given."""
    return digests().get(digest)


@cache
def digests() -> dict[str, Path]:
    assert FOLDER
    paths = (Path(FOLDER) / "data").rglob("*.amr")
    return {hashlib.sha256(path.read_bytes()).hexdigest(): path for path in paths}


@cache
def pairings(file1: Path, file2: Path) -> tuple[build.GraphProblem, ...]:
    sides = [
        [encode(read_smatch(block)[0], PROFILE) for block in read_blocks(path)]
        for path in (file1, file2)
    ]
    return tuple(
        build.GraphProblem(left, right, PROFILE)
        for left, right in zip(*sides, strict=True)
    )


@cache
def optima(file1: Path, file2: Path) -> tuple[int, ...]:
    """The values that the fastest exact solver proves."""
    solver = get_solver(FASTEST)
    solutions = [solver.solve(p.problem) for p in pairings(file1, file2)]
    assert all(solution.is_optimal for solution in solutions)
    return tuple(solution.value for solution in solutions)


def files_of(record: Any) -> tuple[Path, Path]:
    paths = [file_with(record[f"file{side}_sha256"]) for side in (1, 2)]
    if paths[0] is None or paths[1] is None:
        pytest.skip(f"{record['file1']} or {record['file2']} is not under data")
    return paths[0], paths[1]


@each("file-total")
def test_file_totals(record: Any) -> None:
    files = files_of(record)
    pairs, values = pairings(*files), optima(*files)
    counts = (
        sum(values),
        sum(pair.left.total for pair in pairs),
        sum(pair.right.total for pair in pairs),
    )
    assert len(pairs) == record["pairs"]
    assert counts == (record["optimum"], record["total1"], record["total2"])
    wanted = (record["precision"], record["recall"], record["f"])
    assert f_score(*counts) == pytest.approx(wanted, abs=1e-12)


@each("file-pairs")
def test_file_pairs(record: Any) -> None:
    files = files_of(record)
    part = slice(record["first"], record["first"] + len(record["optimum"]))
    pairs = pairings(*files)[part]
    assert list(optima(*files)[part]) == record["optimum"]
    assert [pair.left.total for pair in pairs] == record["total1"]
    assert [pair.right.total for pair in pairs] == record["total2"]


def test_what_was_not_run_is_said(note: Callable[[str], None]) -> None:
    found = all_records()
    missing = [
        record
        for record in records("file-total", "file-pairs")
        if None
        in (file_with(record["file1_sha256"]), file_with(record["file2_sha256"]))
    ]
    files = sorted({record["file1"] for record in missing})
    note(
        f"smatch: {len(found) - len(missing)} of {len(found)} records run; "
        f"{len(missing)} not, for want of files under data: {', '.join(files)}"
    )
    assert len(missing) < len(found)


# Every pair of the corpora


def corpus_files(name: str) -> tuple[Path, Path]:
    assert FOLDER
    before, _, rest = CORPORA[name].partition("{")
    sides, _, after = rest.partition("}")
    one, two = (Path(FOLDER) / "data" / (before + s + after) for s in sides.split(","))
    return one, two


def stored_optima(name: str) -> list[dict[str, str]] | None:
    """The rows of the published optima, where the corpus has them."""
    assert FOLDER
    path = Path(FOLDER) / "golden/optima" / f"{name.replace('-', '_main_')}.csv"
    if not path.exists():
        return None
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("name", CORPORA)
def test_every_pair_is_proved(name: str) -> None:
    files = corpus_files(name)
    pairs, values = pairings(*files), optima(*files)
    rows = stored_optima(name)
    for k, row in enumerate(rows or ()):
        counts = (int(row["match"]), int(row["triples_a"]), int(row["triples_b"]))
        assert (values[k], pairs[k].left.total, pairs[k].right.total) == counts
        sizes = (pairs[k].problem.n_left, pairs[k].problem.n_right)
        assert sizes == (int(row["vars_a"]), int(row["vars_b"]))
        assert f_score(*counts)[2] == pytest.approx(float(row["f1"]), abs=5e-7)
    assert rows is None or len(rows) == len(pairs)


class Unasked(Auto):
    """Answers as the kernel does, and must not be asked."""

    @property
    def kernel_nodes(self) -> int:
        return 100

    def _solve(self, *_: Any) -> Any:
        raise AssertionError


@pytest.mark.parametrize("name", CORPORA)
def test_the_kernel_counts_what_solvers_prove(name: str) -> None:
    """Either way round; nothing is left to a solver."""
    files = corpus_files(name)
    for pair, optimum in zip(pairings(*files), optima(*files), strict=True):
        turned = build.GraphProblem(pair.right, pair.left, PROFILE)
        for stated in (pair, turned):
            assert align(stated, Unasked(), want="count").matched == optimum


@pytest.mark.parametrize("name", CORPORA)
def test_swapping_the_files_swaps_precision_and_recall(name: str) -> None:
    """The same values from problems stated the other way round."""
    file1, file2 = corpus_files(name)
    assert optima(file2, file1) == optima(file1, file2)
    for one, other in zip(pairings(file1, file2), pairings(file2, file1), strict=True):
        assert one.left.total == other.right.total
        assert one.right.total == other.left.total


@pytest.mark.parametrize("name", CORPORA)
def test_every_cheap_bound_is_one(name: str) -> None:
    files = corpus_files(name)
    for pair, optimum in zip(pairings(*files), optima(*files), strict=True):
        assert optimum <= pair.problem.row_bound() <= pair.problem.total_weight()


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("sts-test", (1993, 3661, 3627)), ("para-test", (9209, 13616, 13681))],
)
def test_first_four_hundred(name: str, wanted: tuple[int, int, int]) -> None:
    """Totals that CP-SAT and HiGHS agreed on, on models of their own."""
    files = corpus_files(name)
    pairs = pairings(*files)[:400]
    left = sum(pair.left.total for pair in pairs)
    right = sum(pair.right.total for pair in pairs)
    assert (sum(optima(*files)[:400]), left, right) == wanted


@dataclass(frozen=True)
class Known:
    """A pair and its proven optimum."""

    corpus: str
    index: int
    pairing: build.GraphProblem
    optimum: int


@cache
def everything() -> list[Known]:
    return [
        Known(name, k, pairing, optimum)
        for name in CORPORA
        for k, (pairing, optimum) in enumerate(
            zip(pairings(*corpus_files(name)), optima(*corpus_files(name)), strict=True)
        )
    ]


def is_small(pairing: build.GraphProblem) -> bool:
    problem = pairing.problem
    return max(problem.n_left, problem.n_right) <= MAX_BRUTE


def complaint(
    pairing: build.GraphProblem, solution: Solution, optimum: int, solver: Solver
) -> str | None:
    """What is wrong with a solution, if anything."""
    pairing.check_count(solution.alignment, solution.value)
    if not solution.value <= optimum <= solution.bound:
        return f"{optimum} is not in {solution.value}..{solution.bound}"
    if solver.exact and not solution.is_optimal:
        return f"{solution.value}..{solution.bound} is not proved"
    return None


@pytest.mark.parametrize("name", NAMES)
def test_solvers_agree(name: str, full: bool, note: Callable[[str], None]) -> None:
    """Exact ones prove the optimum of every pair; heuristics enclose it."""
    solver = get_solver(name)
    pairs = everything() if full else random.Random(SEED).sample(everything(), SAMPLE)
    if name == "brute":
        pairs = [pair for pair in pairs if is_small(pair.pairing)]
    solver.solve(pairs[0].pairing.problem)  # imports what it needs
    wrong, seconds, short = [], [], 0
    for pair in pairs:
        started = time.perf_counter()
        solution = solver.solve(pair.pairing.problem)
        if pair.corpus.startswith("para"):
            seconds.append(time.perf_counter() - started)
        short += solution.value < pair.optimum
        if problem := complaint(pair.pairing, solution, pair.optimum, solver):
            wrong.append((pair.corpus, pair.index, problem))
    text = f"{name}: {len(pairs)} pairs"
    if not solver.exact:
        text += f", {short} below the optimum"
    if seconds:
        mean, most = 1000 * sum(seconds) / len(seconds), 1000 * max(seconds)
        text += f"; {len(seconds)} of PARA: mean {mean:.2f} ms, max {most:.1f} ms"
    note(text)
    assert not wrong
