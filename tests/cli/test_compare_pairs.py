"""``exactmatch compare --per-pair``: what every pair adds to a comparison."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli
from support.files import Files

import exactmatch
from exactmatch.base.errors import InputError

GOLD = ["(b / bark-01 :ARG0 (d / dog))", "(r / rain-01)"]
SYSTEMS = {
    "good.amr": GOLD,
    "a-system-whose-name-is-long.amr": ["(b / bark-01 :ARG0 (c / cat))", GOLD[1]],
    "another-system-whose-name-is-long.amr": ["(b / bark-01)", "(s / snow-01)"],
    "fourth.amr": ["(c / cat)", GOLD[1]],
    "fifth.amr": ["(c / cat)", "(c / cat)"],
}
"""The systems, from best to worst."""

FIRST = (1.0, 2 * 3 / 8, 2 * 2 / 6, 2 * 1 / 6, 2 * 1 / 6)
SECOND = (1.0, 1.0, 2 * 1 / 4, 1.0, 2 * 1 / 4)
"""Scores by hand: twice the matched triples, tops among them, over those of both."""


@pytest.fixture
def names(files: Files) -> list[str]:
    """The references, and the systems from best to worst."""
    files.enter()
    files.graphs("gold.amr", GOLD, "an-id-that-takes-a-good-deal-of-room-{}")
    for name, graphs in SYSTEMS.items():
        files.graphs(name, graphs, "an-id-that-takes-a-good-deal-of-room-{}")
    return ["gold.amr", *SYSTEMS]


def stem(name: str) -> str:
    return name.removesuffix(".amr")


def test_an_object_a_pair_has_every_systems_score(cli: Cli, names: list[str]) -> None:
    first, second = cli.json_lines("compare", *names, "--per-pair")
    assert (first["index"], first["metric"]) == (0, "smatch")
    assert second["id"] == "an-id-that-takes-a-good-deal-of-room-1"
    assert first["baseline"] == "good"
    for found, wanted in ((first, FIRST), (second, SECOND)):
        scores = dict(zip(map(stem, SYSTEMS), wanted, strict=True))
        assert found["scores"] == pytest.approx(scores)
        assert found["differences"] == {
            name: score - found["scores"]["good"]
            for name, score in found["scores"].items()
            if name != "good"
        }


def test_the_scores_are_those_of_score(cli: Cli, names: list[str]) -> None:
    metrics = ("--metric", "smatch,sembleu")
    pairs = cli.json("compare", *names, "--per-pair", *metrics)["per_pair"]
    for name in SYSTEMS:
        alone = cli.json_lines(name, "gold.amr", "--per-pair", *metrics)
        wanted = {(one["metric"], one["index"]): one["score"] for one in alone}
        found = {
            (one["metric"], one["index"]): one["scores"][stem(name)] for one in pairs
        }
        assert found == wanted


def test_csv_has_a_row_for_each_pair_and_system(cli: Cli, names: list[str]) -> None:
    baseline = ("--baseline", "fourth")
    text = cli.out("compare", *names, "--per-pair", *baseline, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 2 * len(SYSTEMS)
    for row in rows:
        assert row["baseline"] == "fourth"
        assert (row["difference"] == "") == (row["system"] == "fourth")
    (good,) = (r for r in rows if r["system"] == "good" and r["index"] == "1")
    assert (good["score"], good["difference"]) == ("1.0", "0.0")


def test_the_table_fits_a_terminal(
    cli: Cli, names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    plain = cli.out("compare", *names)
    shown = cli.out("compare", *names, "--per-pair")
    roles, _, table = plain.partition("\n")
    assert shown.startswith(f"{roles}\n")
    assert shown.endswith(table)
    lines = shown.removeprefix(f"{roles}\n").removesuffix(table).splitlines()
    assert max(map(len, lines)) <= 80
    heads = [line for line in lines if "good " in line]
    assert len(heads) == 2  # four systems beside the baseline, two in a table
    for name in ("a-system-", "another-", "fourth", "fifth"):
        assert sum(name in head for head in heads) == 1
    assert lines[1].split()[-4:] == ["0.7500", "-0.2500", "0.6667", "-0.3333"]


def test_names_that_are_given_are_not_cut(cli: Cli, names: list[str]) -> None:
    shown = cli.out("compare", *names[:3], "--names", "run-a,run-b", "--per-pair")
    roles, head, *_ = shown.splitlines()
    assert roles == "reference: gold.amr; systems: run-a, run-b"
    assert head.split()[:5] == ["pair", "id", "run-a", "run-b", "Δ"]
    shown = cli.out("compare", *names[:3], "--per-pair")
    assert shown.splitlines()[1].split()[2] == "good"
    found = cli.json("compare", *names[:3])["systems"]
    assert [row["system"] for row in found] == [stem(name) for name in names[1:3]]


def test_several_metrics_have_a_table_each(cli: Cli, names: list[str]) -> None:
    metrics = ("--metric", "smatch,wlk", "--per-pair")
    shown = cli.out("compare", *names[:3], *metrics)
    assert shown.index("smatch, every pair") < shown.index("wlk, every pair")
    page = cli.out("compare", *names[:3], *metrics, "--format", "html")
    assert "every pair" in page
    assert "every pair" not in cli.out("compare", *names[:3], "--per-pair")


def test_pairs_are_chosen_by_id_score_and_difference(
    cli: Cli, names: list[str]
) -> None:
    def shown(*options: str) -> list[int]:
        found = cli.json("compare", *names[:4], *options)["per_pair"]
        return [pair["index"] for pair in found]

    # the lowest scores of the pairs are 2/3 and 1/2, the greatest losses 1/3 and 1/2
    assert shown("--worst", "1") == shown("--below", "0.6") == [1]
    assert shown("--where", "f1 < 0.6") == [1]
    assert shown("--best", "1") == shown("--where", "difference > -0.4") == [0]
    assert shown("--sort", "difference") == [1, 0]
    assert shown("--sort", "another_system_whose_name_is_long") == [1, 0]
    gap = "good - another_system_whose_name_is_long > 0.4"
    assert shown("--where", gap) == [1]
    assert shown("--ids", "an-id-that-takes-a-good-deal-of-room-0") == [0]
    several = cli.json("compare", *names[:4], "--metric", "smatch,wlk", "--worst", "1")
    assert [(p["metric"], p["index"]) for p in several["per_pair"]] == [
        ("smatch", 1),
        ("wlk", 1),
    ]
    refusal = cli.refusal("compare", *names, "--where", "score > 2")
    assert "none of 2 pairs fulfils the condition" in refusal
    with pytest.raises(InputError, match="no pair has the id 'nobody'"):
        exactmatch.compare(
            {"one": Path(names[1]), "other": Path(names[2])},
            Path(names[0]),
            ids="nobody",
        )


def test_chosen_pairs_alone_are_ranked_and_tested() -> None:
    """A choice gives what a corpus of these pairs gives, and the signature says so."""
    golds = [f"(a / w{k} :ARG0 (b / v) :ARG1 (c / u))" for k in range(20)]
    one = [
        f"(a / w{k} :ARG0 (b / v) :ARG1 (c / {'u' * (1 + k % 3)}))" for k in range(20)
    ]
    other = [f"(a / w{k} :ARG{k % 2} (b / v))" for k in range(20)]
    some = [0, 2, 5, 6, 7, 9, 11, 12, 14]
    alone = exactmatch.compare(
        {"one": [one[k] for k in some], "other": [other[k] for k in some]},
        [golds[k] for k in some],
    )
    systems = {"one": one, "other": other}
    ids = ",".join(str(k + 1) for k in some)
    choices: list[dict[str, Any]] = [
        {"ids": ids},
        {"where": f"index in {tuple(some)}"},
    ]
    for how in choices:
        found = exactmatch.compare(systems, golds, **how)
        assert found["smatch"].pairs == len(some)
        for mine, wanted in zip(found.standings, alone.standings, strict=True):
            assert (mine.system, mine.values) == (wanted.system, wanted.values)
            assert mine.p_value == wanted.p_value
            assert mine.intervals == wanted.intervals
        assert found.errors == alone.errors
        assert "proven:9/9|chosen:9/20@" in found.signatures[0]
    every = exactmatch.compare(systems, golds)
    assert every.standings[1].p_value != alone.standings[1].p_value
    assert "chosen" not in every.signatures[0]
