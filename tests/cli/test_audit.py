"""``exactmatch audit``: search error where it is known to be, and where it is not."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.command import Cli
from support.files import Files

import exactmatch
from exactmatch.metrics.smatch import Smatch
from exactmatch.solvers.hillclimb import HillClimb, peaks
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.solution import Limits
from exactmatch.studies.audit.results import Plan, Totals
from exactmatch.studies.audit.study import climb_pair, run_seed
from exactmatch.studies.audit.summary import published_interval, search_errors

HARD = (
    "(a / and"
    " :op1 (p / part-of :mod (g / group-of :mod (t / thing :quant 15)))"
    " :op2 (q / part-of :mod (h / group-of :mod (u / thing :quant 20))))",
    "(a / and"
    " :op2 (q / part-of :mod (h / group-of :mod (u / thing :quant 20)))"
    " :op1 (p / part-of :mod (g / group-of :mod (t / thing :quant 15))))",
)
"""The same graph twice: the climb begins with the wrong chain and is stuck there.

To exchange two parts gains the :op1 and the :op2 and loses two :mod.
"""

EASY = ("(b / bark-01 :ARG0 (d / dog))", "(b / bark-01 :ARG0 (c / cat))")


@pytest.fixture
def pair(files: Files) -> list[str]:
    texts = zip(HARD, EASY, strict=True)
    return files.pair(*(f"# ::id hard\n{h}\n\n# ::id easy\n{e}\n" for h, e in texts))


def hard_problem() -> Any:
    from exactmatch.formats.readings import as_graph

    metric = Smatch()
    graphs = [as_graph(text, metric.profile) for text in HARD]
    return metric.build_problem(*map(metric.prepare, graphs)).problem


@pytest.mark.parametrize("restarts", [0, 1, 4, 7])
def test_runs_are_those_of_the_solver(restarts: int) -> None:
    """One climb with the most restarts serves all smaller numbers of them."""
    problem, plan = hard_problem(), Plan((0, 1, 4, 7), 6, seed=3, symmetry=False)
    found = climb_pair((problem, 5, 0.0), plan)
    for number in range(plan.runs):
        limits = Limits(seed=run_seed(plan, 5, number))
        answer = HillClimb(restarts).solve(problem, limits)
        assert answer.value == found.values[0, number, plan.restarts.index(restarts)]


@pytest.mark.parametrize("symmetry", [False, True])
def test_climbs_end_with_their_time(symmetry: bool) -> None:
    problem, plan = hard_problem(), Plan((0, 4), 3, symmetry=symmetry)
    with pytest.MonkeyPatch.context() as patch:
        patch.delattr(type(problem), "transposed")  # which takes long, too
        assert climb_pair((problem, 0, 0.0), plan, Limits(seconds=1e-9)) is None
    after_its_proof, long = (problem, 0, 600.0), Plan((0, 4), 2000, symmetry=symmetry)
    assert climb_pair(after_its_proof, long, Limits(seconds=600)) is None
    limited = climb_pair((problem, 0, 0.0), plan, Limits(seconds=600))
    free = climb_pair((problem, 0, 0.0), plan)
    assert np.array_equal(limited.values, free.values)
    assert (limited.worst, limited.worst_seed) == (free.worst, free.worst_seed)


def test_the_smart_start_takes_candidates_as_smatch_meets_them() -> None:
    """In the order of a Python set: of 3 and 8, 8 is the first."""
    unary = {(0, 3): 1, (0, 8): 1}
    problem = AlignmentProblem.from_weights(1, 9, unary, {}, start=[(0, 3), (0, 8)])
    ((value, alignment),) = peaks(problem, 0, 0)
    assert (value, alignment) == (1, (next(iter({3, 8})),))


def test_the_worst_answer_can_be_found_again() -> None:
    problem, plan = hard_problem(), Plan((1, 4), 8)
    found = climb_pair((problem, 0, 0.0), plan)
    again = HillClimb(4, seed=found.worst_seed).solve(problem)
    assert again.alignment == found.worst
    assert again.value == found.values[0, :, 1].min()


def test_errors_are_counted_by_hand() -> None:
    """Two pairs of 4 + 4 triples, optima 4 and 2; three runs, of which two fail."""
    totals = Totals(np.array([4.0, 2.0]), np.array([4.0, 4.0]), np.array([4.0, 4.0]))
    values = np.array([[4.0, 3.0, 2.0], [2.0, 2.0, 2.0]])[:, :, None]
    turned = np.array([[4.0, 4.0, 4.0], [2.0, 2.0, 2.0]])[:, :, None]
    (found,) = search_errors(totals, (4,), values, turned)
    assert found.below == pytest.approx(2 / 6)
    assert found.ever_below == 0.5
    assert found.mean_error == pytest.approx((0 + 0.25 + 0.5) / 6)
    assert found.worst_error == 0.5
    assert found.lost == pytest.approx((0 + 1 + 2) / 3)
    assert (found.corpus_min, found.corpus_max) == (4 / 8, 6 / 8)
    assert found.corpus_mean == pytest.approx((6 + 5 + 4) / 24)
    assert found.corpus_error == pytest.approx(2 / 8)
    deviation = np.std([1.0, 0.75, 0.5], ddof=1)
    assert found.graph_determinacy == pytest.approx(deviation / 2)
    assert found.corpus_determinacy == pytest.approx(np.std([6, 5, 4], ddof=1) / 8)
    assert found.violation_ratio == pytest.approx(2 / 6)
    assert found.mean_violation == pytest.approx((0.25 + 0.5) / 6)
    assert found.corpus_violation == pytest.approx((0 + 1 / 8 + 2 / 8) / 3)


def test_a_climber_that_never_fails_has_no_error() -> None:
    totals = Totals(np.array([4.0]), np.array([4.0]), np.array([5.0]))
    values = np.full((1, 5, 1), 4.0)
    (found,) = search_errors(totals, (4,), values, values)
    assert found.graph_determinacy == found.corpus_determinacy == 0
    assert found.violation_ratio == found.mean_violation == 0
    assert found.below == found.worst_error == found.lost == 0


def test_one_run_has_no_determinacy_error(cli: Cli, pair: list[str]) -> None:
    """There is nothing to vary from: a dash, not a zero."""
    arguments = (*pair, "--seeds", "1", "--restarts", "1,4")
    for row in cli.record("audit", *arguments)["errors"]:
        assert row["graph_determinacy"] is row["corpus_determinacy"] is None
        assert row["mean_violation"] is not None
    _, out, _ = cli("audit", *arguments)
    table = out.partition("determinacy error")[2].splitlines()
    assert table[2].split()[2:4] == ["-", "-"]
    assert "a single run has no determinacy error ε" in out
    several = (*arguments, "--metric", "smatch,s2match", "--no-symmetry")
    assert "compared with" not in cli("audit", *several)[1]


def test_a_published_score_is_rounded() -> None:
    found = published_interval("0.84", 0.8475)
    assert (found.low, found.high) == pytest.approx((0.0025, 0.0125))


def test_more_restarts_err_less_and_failures_name_both_alignments(
    cli: Cli, pair: list[str]
) -> None:
    found = cli.record("audit", *pair, "--restarts", "0,1,10", "--seeds", "30")
    assert found["pairs"] == 2
    assert found["unproven"] == 0
    means = [row["corpus_mean"] for row in found["errors"]]
    assert means == sorted(means)
    assert all(row["corpus_max"] <= found["optimum"] for row in found["errors"])
    (failure,) = found["failures"]
    assert failure["id"] == "hard"
    assert (failure["optimum"], failure["f1"]) == (16, 1.0)
    assert failure["climbed"] < 16
    assert len(failure["alignment"]) == len(failure["climbed_alignment"]) == 7
    assert failure["alignment"] != failure["climbed_alignment"]


@pytest.mark.slow
def test_seeds_decide_and_several_processes_do_not(cli: Cli, pair: list[str]) -> None:
    arguments = (*pair, "--restarts", "1", "--seeds", "6")
    one = cli.record("audit", *arguments)
    assert cli.record("audit", *arguments, "-j", "2") == one
    other = cli.record("audit", *arguments, "--seed", "1")
    assert other["errors"] != one["errors"]


def test_graded_concepts_are_audited_too(cli: Cli, pair: list[str]) -> None:
    found = cli.record(
        "audit", *pair, "--metric", "s2match", "--restarts", "1", "--seeds", "4"
    )
    assert found["optimum"] > 0
    assert found["errors"][0]["corpus_max"] <= found["optimum"] + 1e-9


def without(found: Any, *keys: str) -> Any:
    return {key: value for key, value in found.items() if key not in keys}


@pytest.mark.slow
def test_two_metrics_are_two_audits_in_one(cli: Cli) -> None:
    """Each is what its own run says, and the second is held against the first."""
    arguments = ("--restarts", "1,4", "--seeds", "4")  # of the bundled sample
    both = cli.json("audit", *arguments, "--metric", "smatch,s2match")["metrics"]
    assert [found["metric"] for found in both] == ["smatch", "s2match"]
    for found in both:
        alone = cli.record("audit", *arguments, "--metric", found["metric"])
        errors = [
            {k: v for k, v in row.items() if not k.endswith("_change")}
            for row in found["errors"]
        ]
        assert errors == alone["errors"]
        assert without(found, "errors") == without(alone, "errors")
    assert any(found["failures"] for found in both)
    first, second = (found["errors"] for found in both)
    for name in ("graph_determinacy", "corpus_determinacy", "mean_violation"):
        for theirs, ours in zip(first, second, strict=True):
            change = ours[f"{name}_change"]
            if theirs[name] == 0:
                assert change is None
            else:
                assert ours[name] == pytest.approx(theirs[name] * (1 + change))
    assert any(row["graph_determinacy_change"] for row in second)


def test_two_metrics_stand_side_by_side(cli: Cli, pair: list[str]) -> None:
    arguments = (*pair, "--restarts", "1,4", "--seeds", "9")
    arguments = (*arguments, "--metric", "smatch,s2match", "--published", "0.9")
    code, out, _ = cli("audit", *arguments)
    assert code == 0
    head = out.split("S²Match compared with Smatch, climbed\n")[1].splitlines()[0]
    columns = ["restarts"]
    for title in ("ε graph", "ε corpus", "msv"):
        columns += [*f"{title} Smatch".split(), "S²Match", "change", "%"]
    assert head.split() == columns
    assert "Smatch: with 4 restarts, 1 of 2 pairs" in out
    assert "S²Match: with 4 restarts, 1 of 2 pairs" in out
    assert "(--metric s2match --solver hillclimb:restarts=4,seed=" in out
    assert out.count("published 0.9: ") == 1
    assert out.count("signature: metric:") == 2
    _, out, _ = cli("audit", *arguments, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(row["metric"], row["restarts"]) for row in rows] == [
        (metric, count) for metric in ("smatch", "s2match") for count in ("1", "4")
    ]
    assert rows[0]["graph_determinacy_change"] == ""
    assert float(rows[2]["graph_determinacy_change"]) > -1
    _, out, _ = cli("audit", *arguments, "--format", "latex", "--no-symmetry")
    assert r"S$^2$Match & hillclimb & 1" in out
    assert "msv" not in out


def test_a_failure_of_s2match_fails_again_as_told(cli: Cli, pair: list[str]) -> None:
    """The options that the audit prints give the climbed score."""
    arguments = (
        *pair,
        "--restarts",
        "0",
        "--seeds",
        "9",
        "--metric",
        "smatch,s2match",
    )
    _, out, _ = cli("audit", *arguments)
    told = re.findall(r"F1 ([0-9.]+) instead of .*\((.*--solver \S+)\)", out)
    assert [options.split()[0] for _, options in told] == ["--solver", "--metric"]
    for score, options in told:
        records = map(
            json.loads,
            cli.out(
                *pair, *options.split(), "--per-pair", "--format", "jsonl"
            ).splitlines(),
        )
        assert score in [f"{record['f1']:.4f}" for record in records]


def test_text_shows_tables_failures_and_the_published_score(
    cli: Cli, pair: list[str]
) -> None:
    code, out, _ = cli(
        "audit", *pair, "--restarts", "0,4", "--seeds", "20", "--published", "0.9"
    )
    assert code == 0
    for wanted in (
        "ever below %",
        "ε graph",
        "svr %",
        "2 pairs, every one proven optimal",
        "published 0.9: ",
        " below the optimum ",
        "--solver hillclimb:restarts=4,seed=",
        "(climbed: ",
        "|restarts:0,4|runs:20|seed:0",
    ):
        assert wanted in out


def test_an_impossible_published_score_is_called_so(cli: Cli, pair: list[str]) -> None:
    arguments = (*pair, "--restarts", "0", "--seeds", "1", "--published", "0.999")
    _, out, _ = cli("audit", *arguments)
    assert re.search(r"published 0\.999: at least \S+ above the optimum", out)


def test_one_way_only_has_no_symmetry(cli: Cli, pair: list[str]) -> None:
    arguments = (*pair, "--restarts", "1", "--seeds", "2", "--no-symmetry")
    _, out, _ = cli("audit", *arguments)
    assert "svr" not in out
    _, out, _ = cli("audit", *arguments, "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(out))
    assert row["violation_ratio"] == ""
    assert row["restarts"] == "1"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_pictures_are_drawn(
    cli: Cli,
    pair: list[str],
    tmp_path: Path,
    kind: str,
) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / f"error.{kind}"
    arguments = (*pair, "--restarts", "0,1", "--seeds", "2", "--no-symmetry")
    code, _, err = cli("audit", *arguments, "--plot", str(path))
    assert code == 0, err
    start = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[kind]
    assert path.read_bytes().startswith(start)
    assert [p.name for p in tmp_path.iterdir() if p.name.endswith(".part")] == []


@pytest.mark.slow
def test_the_picture_has_a_row_for_each_metric(
    cli: Cli, pair: list[str], tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "error.svg"
    arguments = (*pair, "--restarts", "0,1", "--seeds", "2", "--plot", str(path))
    cli("audit", *arguments)
    heights = [float(_height(path))]
    cli("audit", *arguments, "--metric", "smatch,s2match")
    heights.append(float(_height(path)))
    assert heights[1] > 1.8 * heights[0]


def _height(path: Path) -> str:
    found = re.search(r'<svg [^>]*height="([0-9.]+)pt"', path.read_text())
    assert found
    return found[1]


def test_without_matplotlib_the_extra_is_named(
    cli: Cli,
    pair: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, out, err = cli("audit", *pair, "--plot", "x.png")
    assert (code, out) == (2, "")
    assert "pip install 'exactmatch[plot]'" in err


def test_without_smatch_its_package_is_named(
    cli: Cli, pair: list[str], tmp_path: Path
) -> None:
    """An interpreter without site-packages has no smatch."""
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} -I -S "$@"\n')
    python.chmod(0o755)
    code, _, err = cli(
        "audit", *pair, "--against", "smatch", "--smatch-python", str(python)
    )
    assert code == 2
    assert "pip install smatch==1.0.4" in err
    assert err.count("\n") == 1


FAKE = """
import random
iteration_num = 5
match_triple_dict = {}
def get_amr_match(pred, gold):
    random.seed()
    assert pred.startswith("(") and iteration_num in (1, 2)
    return (4, 6, 6) if "bark" in pred else (10 + 3 * random.randrange(3), 16, 16)
"""


@pytest.mark.slow
def test_another_program_is_held_against_the_optimum(
    cli: Cli, pair: list[str], tmp_path: Path
) -> None:
    """A stand-in for smatch whose answers are known."""
    folder = tmp_path / "fake"
    (folder / "smatch-9.9.dist-info").mkdir(parents=True)
    (folder / "smatch-9.9.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: smatch\nVersion: 9.9\n"
    )
    (folder / "smatch.py").write_text(FAKE)
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{folder}" exec {sys.executable} "$@"\n')
    python.chmod(0o755)
    arguments = (*pair, "--restarts", "0,1", "--seeds", "9", "--against", "smatch")
    found = cli.record("audit", *arguments, "--smatch-python", str(python))
    assert found["against"] == "smatch 9.9"
    theirs = [row for row in found["errors"] if row["program"] == "smatch 9.9"]
    assert [row["restarts"] for row in theirs] == [0, 1]
    assert all(0 < row["lost"] < 6 for row in theirs)
    assert len(found["differences"]) == 2
    assert cli.record("audit", *arguments, "--smatch-python", str(python)) == found
    assert "|test:exchange|samples:10000|seed:0|" in found["signatures"][0]
    in_memory = exactmatch.audit(
        *([HARD[k], EASY[k]] for k in (0, 1)),
        restarts=[0, 1],
        runs=9,
        against="smatch",
        smatch_python=str(python),
    )
    assert in_memory["smatch"].programs[1][1][0].lost == theirs[0]["lost"]
    several = (*arguments, "--metric", "s2match,smatch")
    both = cli.json("audit", *several, "--smatch-python", str(python))["metrics"]
    assert [("against" in found) for found in both] == [False, True]
    assert both[1]["differences"] == found["differences"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--solver", "hillclimb"], "proves nothing, and an audit needs the optimum"),
        (["--metric", "sembleu"], "does not align variables; use smatch"),
        (["--against", "smatch", "--profile", "clean"], "which has one way to count"),
        (["--plot", "picture.gif"], "ends in .png, .svg or .pdf"),
    ],
)
def test_misuse_is_one_sentence(
    cli: Cli,
    pair: list[str],
    arguments: list[str],
    message: str,
) -> None:
    code, out, err = cli("audit", *pair, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("given", ["x", "1,-2", ""])
def test_restarts_are_numbers(cli: Cli, pair: list[str], given: str) -> None:
    assert "--restarts" in cli.refusal("audit", *pair, "--restarts", given)


def test_a_seed_below_0_is_refused() -> None:
    with pytest.raises(exactmatch.InputError, match="the seed is -1"):
        exactmatch.audit(["(b / bark-01)"], ["(b / bark-01)"], seed=-1)
