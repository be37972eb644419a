"""``exactmatch correlate --per-pair``: what people and metrics say of every pair."""

from __future__ import annotations

import csv
import io

import pytest
from support.command import Cli
from support.files import Files

GOLD = ["(b / bark-01 :ARG0 (d / dog))"] * 4
PRED = [GOLD[0], "(b / bark-01 :ARG0 (c / cat))", "(c / cat)", GOLD[0]]
SCORES = [1.0, 0.75, 1 / 3, 1.0]
"""By hand: twice the matched triples, tops among them, over those of both."""


@pytest.fixture
def pair(files: Files) -> list[str]:
    files.enter()
    files.lines("people.txt", ["0.9", "-", "0.25", "1"])
    files.lines("choices.txt", ["1", "see above", "0.5", "see above"])
    long = "an-id-that-takes-a-good-deal-of-room-and-more-{}"
    return [files.graphs("p.amr", PRED, long), files.graphs("g.amr", GOLD, long)]


def test_scores_stand_beside_those_of_people(cli: Cli, pair: list[str]) -> None:
    arguments = ("correlate", *pair, "people.txt", "--per-pair")
    found = cli.json_lines(*arguments, "--metric", "smatch,wlk")
    assert [one["people"] for one in found] == [0.9, None, 0.25, 1]
    assert [one["scores"]["smatch"] for one in found] == pytest.approx(SCORES)
    assert found[3]["id"].endswith("more-3")
    assert cli.json(*arguments, "--metric", "smatch,wlk")["per_pair"] == found
    rows = list(csv.DictReader(io.StringIO(cli.out(*arguments, "--format", "csv"))))
    assert [row["people"] for row in rows][:4] == ["0.9", "", "0.25", "1.0"]
    assert [float(row["smatch"]) for row in rows[:4]] == pytest.approx(SCORES)


def test_preferences_and_foils_say_which_is_wanted(cli: Cli, pair: list[str]) -> None:
    found = cli.json_lines("correlate", *pair, "choices.txt", "--per-pair")
    assert [one["people"] for one in found] == [1, 0, 0.5, 0.5]
    found = cli.json_lines("correlate", *pair, "--foils", "--per-pair")
    assert [one["original"] for one in found] == [0, 1, 0, 1]
    assert [one["scores"]["smatch"] for one in found] == pytest.approx(SCORES)


def test_the_table_fits_a_terminal(
    cli: Cli, pair: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    metrics = ("--metric", "smatch,s2match,sembleu,rematch,sentence-bleu,wlk", "-q")
    arguments = ("correlate", *pair, "people.txt", *metrics, "--on-error", "skip")
    plain = cli.out(*arguments)
    shown = cli.out(*arguments, "--per-pair")
    assert shown.endswith(plain)
    lines = shown.removesuffix(plain).splitlines()
    assert max(map(len, lines)) <= 80
    assert sum("smatch" in line for line in lines) == 1
    assert lines[1].split()[2:4] == ["0.90", "1.0000"]
    assert lines[2].split()[2:4] == ["-", "0.7500"]


def test_it_has_no_effect_on_systems(cli: Cli, pair: list[str], files: Files) -> None:
    human = files.lines("human.csv", ["system,score", "p.amr,1", "g.amr,2"])
    options = ("--per-pair", "--worst", "2", "--where", "people < 1", "--sort", "id")
    ran = cli("correlate", pair[1], pair[0], pair[1], "--human", human, *options)
    assert ran.code == 0
    for option in ("--per-pair", "--worst", "--where", "--sort"):
        assert f"{option} has no effect with --human" in ran.err


def test_pairs_are_chosen_by_columns(cli: Cli, pair: list[str]) -> None:
    """Metrics are held against people on all pairs, whichever are shown."""
    arguments = ("correlate", *pair, "people.txt", "--metric", "smatch,wlk")

    def chosen(*options: str) -> list[int]:
        return [one["index"] for one in cli.json_lines(*arguments, *options)]

    assert chosen("--worst", "2") == [2, 1]
    assert chosen("--where", "people < 1 and score > people") == [0, 2]
    wlk = [one["scores"]["wlk"] for one in cli.json_lines(*arguments, "--per-pair")]
    apart = [k for k, own in enumerate(wlk) if SCORES[k] - own > 0.35]
    assert chosen("--where", "smatch - wlk > 0.35") == apart
    assert len(apart) == 1
    assert chosen("--sort=-people", "--below", "0.9") == [2, 1]
    every = cli.json(*arguments)
    some = cli.json(*arguments, "--worst", "1")
    assert [one["index"] for one in some.pop("per_pair")] == [2]
    assert some == every
    refusal = cli.refusal(*arguments, "--ids", "nobody")
    assert "no pair has the id 'nobody'" in refusal
    foils = cli.json_lines("correlate", *pair, "--foils", "--where", "original == 1")
    assert [one["index"] for one in foils] == [1, 3]
