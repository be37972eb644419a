"""Analyses of graphs in memory find what the commands find in files."""

import json
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli

import exactmatch

SAMPLE = Path(exactmatch.__file__).with_name("sample")
PRED, GOLD = (str(SAMPLE / name) for name in ("pred.amr", "gold.amr"))


@pytest.fixture(scope="module")
def graphs() -> list[Any]:
    return [list(exactmatch.iter_graphs(path)) for path in (PRED, GOLD)]


def printed(cli: Cli, *arguments: Any) -> Any:
    return json.loads(cli.out(*arguments, "--format", "json", "--quiet"))


def test_compare(graphs: Any, cli: Cli) -> None:
    preds, golds = graphs
    options = ("--names", "parser,copy", "--baseline", "parser", "--seed", "3")
    rows = printed(cli, "compare", GOLD, PRED, GOLD, *options)["systems"]
    systems = {"parser": preds, "copy": golds}
    found = exactmatch.compare(systems, iter(golds), baseline="parser", seed=3)
    assert [s.system for s in found.standings] == [row["system"] for row in rows]
    for standing, row in zip(found.standings, rows, strict=True):
        assert standing.score.score == row["score"]
        assert standing.intervals[2].low == row["score_low"]
        p_value = standing.test.p_value if standing.test else None
        assert p_value == row["p_value"]
    with pytest.raises(FrozenInstanceError):
        found.pairs = 0  # type: ignore[misc]  # what is refused


def test_audit(graphs: Any, cli: Cli) -> None:
    options = ("--restarts", "0,4", "--runs", "2", "--seed", "5")
    wanted = printed(cli, "audit", PRED, GOLD, *options)
    found = exactmatch.audit(*graphs, restarts=[4, 0], runs=2, seed=5)
    assert found.optimum == wanted["optimum"]
    for error, row in zip(found.errors, wanted["errors"], strict=True):
        assert error.mean_error == row["mean_error"]
        assert error.mean_violation == row["mean_violation"]
    assert [f.id for f in found.failures] == [f["id"] for f in wanted["failures"]]
    with pytest.raises(FrozenInstanceError):
        found.unproven = 0  # type: ignore[misc]  # what is refused


@pytest.mark.parametrize("style", ["exact", "amrlib", "damonte"])
def test_finegrained(style: Any, graphs: Any, cli: Cli) -> None:
    rows = printed(cli, "finegrained", PRED, GOLD, "--style", style)
    report = exactmatch.finegrained(graphs[0], graphs[1], style)
    assert [s.metric for s in report.scores] == [row["metric"] for row in rows]
    for row in rows:
        assert report[row["metric"]].score.score == row["score"]


def test_what_cannot_be_compared_is_refused() -> None:
    golds = ["(b / boy)"]
    for systems in ({}, {"one": golds}):
        with pytest.raises(exactmatch.InputError, match="give two or more"):
            exactmatch.compare(systems, golds)
    both = {"a": golds, "b": golds}
    with pytest.raises(exactmatch.InputError, match=r"'c' \(known: a, b\)"):
        exactmatch.compare(both, golds, baseline="c")
    with pytest.raises(exactmatch.InputError, match="test is 'z'"):
        exactmatch.compare(both, golds, test="z")  # type: ignore[arg-type]  # refused
    with pytest.raises(exactmatch.InputError):
        exactmatch.compare({"a": golds, "b": golds * 2}, golds)
    with pytest.raises(exactmatch.InputError, match="nothing can be compared"):
        exactmatch.compare({"a": [], "b": []}, [])


def test_what_cannot_be_audited_is_refused() -> None:
    one = ["(b / boy)"]
    with pytest.raises(exactmatch.InputError, match="proves nothing"):
        exactmatch.audit(one, one, solver="hillclimb")
    with pytest.raises(exactmatch.InputError, match="searches for no alignment"):
        exactmatch.audit(one, one, "sembleu")
    with pytest.raises(exactmatch.InputError, match="nothing to audit"):
        exactmatch.audit([], [])
    wrong: dict[str, Any]
    for wrong in ({"restarts": []}, {"restarts": [-1]}, {"runs": 0}):
        with pytest.raises(exactmatch.InputError, match="restarts from 0"):
            exactmatch.audit(one, one, **wrong)
