"""Numbers that answers show, each held against a count that is made here."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from support.command import Cli
from support.files import Files

from exactmatch.studies.ground_truth.view import _row
from exactmatch.studies.pairs import SAMPLE
from exactmatch.views.charts import histogram
from exactmatch.views.tables import Histogram

PRED, GOLD = SAMPLE


def test_clusters_name_every_graph_once_from_one(cli: Cli) -> None:
    found = cli.json("cluster", GOLD, "-k", 3)
    rows = found["graphs"]
    assert [row["graph"] for row in rows] == [*range(1, 41)]
    medoids = [row["cluster"] for row in rows if row["medoid"]]
    assert sorted(medoids) == [row["cluster"] for row in found["clusters"]] == [1, 2, 3]
    for row in found["clusters"]:
        assert row["graphs"] == sum(one["cluster"] == row["cluster"] for one in rows)


def test_clusters_that_cannot_be_told_apart_are_fewer_and_it_is_said(
    cli: Cli, files: Files
) -> None:
    texts = [f"(n{k} / noun{k})" for k in range(4)]
    found = cli.out("cluster", files.one("four.amr", "\n\n".join(texts)), "-k", 2)
    assert "4 graphs in 1 cluster, not 2: those that are equally near" in found
    assert "40 graphs in 3 clusters\n" in cli.out("cluster", GOLD, "-k", 3)


def test_the_pairs_of_a_metric_are_its_own(cli: Cli) -> None:
    found = cli.json(PRED, GOLD, "--metric", "smatch,sembleu", "--per-pair")
    for record in found["metrics"]:
        pairs = record["per_pair"]
        assert [pair["metric"] for pair in pairs] == [record["metric"]] * 40


def test_lines_count_the_pairs_of_an_interrupted_run_once(cli: Cli) -> None:
    lines = cli.out(PRED, GOLD, "--per-pair", "--format", "jsonl").splitlines()
    assert len([json.loads(line) for line in lines]) == 40


def test_proven_within_counts_what_took_no_longer() -> None:
    values = {
        "distances": np.array([1.0, 2.0, np.nan, 4.0]),
        "seconds": np.array([0.01, 0.1, 0.01, 5.0]),
        "paths": np.array([1.0, 2.0, 9.0, 4.0]),
        "bounds": np.array([1.0, 2.0, 6.0, 4.0]),
    }
    row = _row(values, np.array([True, True, True, True]))
    assert (row["pairs"], row["proven"], row["gap"]) == (4, 0.75, 3.0)
    assert row["mean"] == 7 / 3
    assert (row["within_0.1"], row["within_1"], row["within_10"]) == (0.5, 0.5, 0.75)


def test_bars_say_where_they_end() -> None:
    drawn = histogram(Histogram("F1", [0.0, 0.02, 0.97, 1.0, 1.2], None, ""))
    said = re.findall(r"<title>(.*?)</title>", drawn)
    assert len(said) == 20
    assert said[:2] == ["0.00 to 0.05: 2", "0.05 to 0.10: 0"]
    assert said[-2:] == ["0.90 to 0.95: 0", "0.95 and more: 3"]


def test_intervals_are_called_by_their_level(cli: Cli) -> None:
    page = cli.out(
        "compare", PRED, GOLD, "--gold", GOLD, "--format", "html", "--confidence", 90
    )
    assert "90 % intervals" in page


def test_a_proof_of_no_pair_is_refused(cli: Cli, tmp_path: Path) -> None:
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text("")
    both = (tmp_path / "a.json", tmp_path / "b.json")
    assert cli("ged", *both, "--proof", tmp_path / "proof").code == 2


@pytest.mark.slow
def test_the_loss_of_hill_climbing_is_that_of_its_runs(cli: Cli) -> None:
    asked = ("audit", PRED, GOLD, "--runs", 3, "--restarts", "1,4")
    (found,) = cli.json(*asked)["metrics"]
    climbs = found["errors"][1]
    lost = 100 * (found["optimum"] - climbs["corpus_mean"])
    missed = 100 * climbs["ever_below"]
    assert lost > 0 < missed
    assert (
        f"with 4 restarts loses {lost:.2f} points of the corpus F1 on average, and "
        f"misses the optimum of {missed:.1f} % of pairs"
    ) in cli.out(*asked)
