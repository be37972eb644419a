"""``exactmatch score --confidence`` in every format."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from support.command import Cli, record_in
from support.files import Files

SIGNED = "|interval:halves,10000,seed:0,level:95%|"


@pytest.fixture
def pair(files: Files) -> list[str]:
    """Five pairs whose scores differ, four times."""
    preds = ("(a / b)", "(a / c)", "(a / b :c (d / e))", "(f / g)", "(h / i)")
    golds = ("(a / b)", "(a / b)", "(a / b)", "(f / g :h (i / j))", "(h / i :k 2)")
    return files.pair("\n\n".join(4 * preds), "\n\n".join(4 * golds))


def test_json_has_the_ends_and_the_level(cli: Cli, pair: list[str]) -> None:
    found = cli.record(*pair, "--confidence")
    for name in ("precision", "recall", "score"):
        assert found[f"{name}_low"] < found[name] < found[f"{name}_high"]
    assert found["confidence"] == 0.95
    assert SIGNED in found["signature"]


def test_nothing_changes_unless_it_is_asked_for(cli: Cli, pair: list[str]) -> None:
    found = cli.record(*pair)
    assert "score_low" not in found
    assert "interval" not in found["signature"]
    header = cli.out(*pair, "--format", "csv").splitlines()[0]
    assert header.endswith("proven,signature")


@pytest.mark.parametrize("given", ["90", "0.9", "90%"])
def test_the_level_is_in_percent_or_a_share(
    cli: Cli, pair: list[str], given: str
) -> None:
    out = cli.out(*pair, "--confidence", given, "--samples", "200")
    assert "\n  90 %" in out
    assert "|interval:halves,200,seed:0,level:90%|" in out


def test_text_csv_latex_and_smatchs_lines_show_it(cli: Cli, pair: list[str]) -> None:
    text = cli.out(*pair, "--confidence")
    assert "  95 %  [" in text
    (row,) = csv.DictReader(
        io.StringIO(cli.out(*pair, "--confidence", "--format", "csv"))
    )
    low, high = float(row["score_low"]), float(row["score_high"])
    assert low < float(row["score"]) < high
    assert f"[{low:.4f}, {high:.4f}]" in text
    latex = cli.out(*pair, "--confidence", "--format", "latex")
    assert f"[{100 * low:.2f}, {100 * high:.2f}]" in latex
    lines = cli.out("-f", *pair, "--confidence", "--significant", "3")
    assert f"F-score 95 %: {low:.3f} to {high:.3f}" in lines


def test_means_over_pairs_have_intervals_of_their_own(
    cli: Cli, pair: list[str]
) -> None:
    micro = cli.record(*pair, "--confidence")
    macro = cli.record(*pair, "--confidence", "--macro")
    assert macro["score_low"] < macro["score"] < macro["score_high"]
    assert macro["score_low"] != micro["score_low"]


@pytest.mark.slow
def test_several_processes_give_the_same_interval(cli: Cli, pair: list[str]) -> None:
    arguments = (*pair, "--confidence", "--format", "json")
    assert cli.out(*arguments, "-j", "2") == cli.out(*arguments)


def test_a_score_without_precision_has_one_interval(cli: Cli, pair: list[str]) -> None:
    found = cli.record(*pair, "--confidence", "--metric", "sembleu")
    assert found["precision_low"] is None
    assert found["score_low"] < found["score_high"]


@pytest.mark.parametrize("n", [1, 2, 19])
def test_few_pairs_have_no_interval_and_it_is_said(
    cli: Cli, tmp_path: Path, n: int
) -> None:
    path = tmp_path / "few.amr"
    path.write_text("\n\n".join(["(a / b)"] * n))
    arguments = [str(path), str(path), "--confidence"]
    ran = cli(*arguments, "--format", "json")
    assert ran.code == 0
    found = record_in(ran.out)
    assert found["score_low"] is found["score_high"] is None
    assert found["confidence"] == 0.95
    pairs = "1 output" if n == 1 else f"{n} outputs"
    assert f"smatch: no interval: only 0 of {pairs} err" in ran.err
    bca = cli(*arguments, "--interval", "bca").err
    assert f"no interval of {n} pair{'s' * (n > 1)}; bca takes 20" in bca
    assert cli.out(*arguments).splitlines()[2].split() == ["95", "%", *"---"]


@pytest.mark.parametrize("given", ["gold.amr", "0", "100", "101", "nan", "-5"])
def test_what_is_no_level_is_refused(cli: Cli, pair: list[str], given: str) -> None:
    assert "--confidence" in cli.refusal(*pair, "--confidence", given)


@pytest.mark.slow
def test_fine_grained_scores_have_intervals(cli: Cli, pair: list[str]) -> None:
    given = ["finegrained", *pair, "--only", "concepts", "--confidence", "90"]
    text = cli.out(*given)
    for found in cli.json(*given)["metrics"]:
        low, high = found["score_low"], found["score_high"]
        assert low < found["score"] < high
        assert found["confidence"] == 0.9
        assert f"[{low:.4f}, {high:.4f}]" in text
    assert text.count("\n    90 %  ") == 1
    macro = cli.json(*given, "--macro")["metrics"]
    assert macro[0]["score_low"] != cli.json(*given)["metrics"][0]["score_low"]
    wider = cli.json(*given[:-1], "99")["metrics"][0]
    assert wider["score_low"] < cli.json(*given)["metrics"][0]["score_low"]


@pytest.mark.slow
def test_fine_grained_scores_of_what_is_equal_vary_not(
    cli: Cli, pair: list[str]
) -> None:
    given = ["finegrained", pair[1], pair[1], "--only", "concepts", "--confidence"]
    ran = cli(*given)
    assert "no interval: only 0 of 20 outputs err" in ran.err
    (found,) = cli.json(*given, "--interval", "percentile")["metrics"]
    assert (found["score_low"], found["score_high"]) == (1.0, 1.0)


def test_few_pairs_have_no_fine_grained_intervals(cli: Cli, files: Files) -> None:
    two = files.pair("(b / boy)\n", "(b / boy)\n")
    ran = cli("finegrained", *two, "--confidence")
    assert "no interval: only 0 of 1 output err" in ran.err
    assert "95 %" not in ran.out.partition("signature")[0]
    assert "no interval" not in cli("finegrained", *two).err
