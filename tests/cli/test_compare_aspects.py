"""Single aspects compared between systems."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.command import Cli, Ran
from support.files import Files

from exactmatch.metrics.finegrained.scores import finegrained
from exactmatch.metrics.score import Score
from exactmatch.scoring.paired_tests import PairedTest
from exactmatch.solvers import get_solver
from exactmatch.studies.compare.ranking import corrected_together
from exactmatch.studies.compare.results import MetricComparison, Standing

GRAPH = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b :polarity -))\n\n"


@pytest.fixture(autouse=True)
def _in_folder_with_files(files: Files) -> None:
    files.enter()
    files.one("gold.amr", 12 * GRAPH)
    files.one("good.amr", 11 * GRAPH + GRAPH.replace("boy", "girl"))
    files.one("bad.amr", 12 * GRAPH.replace(" :polarity -", ""))


def called(cli: Cli, *arguments: str) -> Ran:
    files = ("gold.amr", "good.amr", "bad.amr", "--samples", "100")
    return cli("compare", *files, *arguments)


@pytest.mark.slow
def test_every_score_is_compared_and_negation_decides(
    cli: Cli,
) -> None:
    code, out, err = called(cli, "--finegrained", "--format", "json")
    assert (code, err) == (0, "")
    found = json.dumps(json.loads(out))
    names = {metric.name for metric in finegrained("exact", get_solver("auto"))}
    for name in names:
        assert f'"{name}"' in found
    table = called(cli, "--finegrained")[1]
    rows = [line.split() for line in table.splitlines() if "negation" in line]
    best, worst, *_ = (row for row in rows if row[1] in ("good", "bad"))
    assert (best[1], worst[1]) == ("good", "bad")


def test_a_style_without_aspects_is_refused(
    cli: Cli,
) -> None:
    code, out, err = called(cli, "--finegrained", "amrlib", "--aspects")
    assert (code, out) == (2, "")
    assert "--aspects is for --finegrained exact, not 'amrlib'" in err
    assert called(cli, "--aspects", "main")[0] == 0


@pytest.mark.slow
def test_a_metric_has_no_effect_on_single_aspects(
    cli: Cli,
) -> None:
    err = called(cli, "--finegrained", "--metric", "wlk")[2]
    assert "--metric and --profile have no effect on single aspects" in err


def comparison(metric: str, *p_values: float) -> MetricComparison:
    def standing(name: str, p: float | None) -> Standing:
        test = None if p is None else PairedTest(-0.1, None, p, 0.0)
        return Standing(
            name, 1, Score("x", 0.5), (0.5,) * 3, (None,) * 3, test, None, ()
        )

    names = [f"system {k}" for k in range(len(p_values))]
    tested = [standing(n, p) for n, p in zip(names, p_values, strict=True)]
    tests = {("base", one.system): one.test for one in tested if one.test is not None}
    standings = (standing("base", None), *tested)
    return MetricComparison(metric, "base", 10, standings, tests=tests)


def test_all_tests_are_corrected_at_once() -> None:
    """Holm (1979) by hand: 0.01 × 3, 0.03 × 2, and never less than the one before."""
    given = [comparison("a", 0.01), comparison("b", 0.04), comparison("c", 0.03)]
    found = corrected_together(given)
    corrected = [c.standings[1].corrected for c in found]
    assert corrected == pytest.approx([0.03, 0.06, 0.06])
    assert all(c.standings[0].corrected is None for c in found)


def test_the_forest_is_drawn(cli: Cli) -> None:
    pytest.importorskip("matplotlib")
    assert called(cli, "--metric", "smatch,wlk", "--plot", "forest.svg")[0] == 0
    text = Path("forest.svg").read_text()
    for shown in ("good", "bad", "smatch, 95 %", "wlk, 95 %"):
        assert f"<!-- {shown} -->" in text


@pytest.mark.slow
def test_what_nobody_has_is_not_scored(cli: Cli) -> None:
    """No graph has a wiki: that is a dash, and neither a score nor a difference."""
    code, out, _ = called(cli, "--finegrained", "--format", "json")
    assert code == 0
    rows = [r for r in json.loads(out)["systems"] if r["metric"] == "wikification"]
    assert len(rows) == 2
    for row in rows:
        for name in ("score", "score_low", "difference", "p_value", "p_holm", "wins"):
            assert row[name] is None
    shown = called(cli, "--finegrained")[1]
    lines = [line for line in shown.splitlines() if line.startswith("wikification ")]
    assert [line.split()[3:7] for line in lines] == [["0", "-", "-", "-"]] * 2
