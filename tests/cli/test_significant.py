"""``--significant`` is heard in sentences and drawings as in tables."""

from __future__ import annotations

import re

import pytest
from support.command import Cli
from support.files import Files

GOLD = [
    "(b / bark-01 :ARG0 (d / dog :mod (b2 / big)))",
    "(r / rain-01 :time (d / dog))",
]
GOOD = [GOLD[0].replace("dog", "cat"), GOLD[1].replace("dog", "day")]
CHAINS = [
    f":{op} ({p} / part-of :mod ({g} / group-of :mod ({t} / thing :quant {n})))"
    for op, p, g, t, n in (("op1", *"pgt", 15), ("op2", *"qhu", 20))
]
CHAINED = "(a / and {} {})".format(*CHAINS)
TURNED = "(a / and {} {})".format(*CHAINS[::-1])
"""The same graph: the climb begins with the wrong chain and is stuck there."""

COMMANDS = {
    "agreement": ["good", "gold", "--confidence"],
    "align": ["good", "gold", "--worst", "1"],
    "audit": [
        "chained",
        "turned",
        "--restarts",
        "0",
        "--runs",
        "9",
        "--published",
        "0.7",
    ],
    "compare": ["gold", "good", "poor", "--no-structure", "--test", "exchange"],
    "ensemble": ["good", "poor", "gold", "--oracle", "gold"],
    "finegrained": ["good", "gold", "--confidence"],
    "ged": ["one.tsv", "two.tsv", "--triples"],
    "score": ["good", "gold", "--confidence", "--per-pair"],
}
"""What a command is called with to say as much as it can."""

PRECISE = re.compile(r"(?<![\d.])[01]\.\d{4,}(?!\d)")
"""A score or a coefficient with its usual four decimals or more."""


@pytest.fixture(autouse=True)
def _in_folder_with_files(files: Files) -> None:
    files.enter()
    about = "# ::snt a dog barks"
    for name, graphs in {
        "gold": GOLD,
        "good": GOOD,
        "poor": ["(r / rain-01)", GOLD[1]],
        "chained": [CHAINED],
        "turned": [TURNED],
    }.items():
        files.graphs(name, [f"{about}\n{graph}" for graph in graphs * 12])
    files.one("one.tsv", "_:a\tto\t_:b\n\n_:a\tto\t_:b\n")
    files.one("two.tsv", "_:a\tto\t_:b\n_:b\tto\t_:c\n\n_:a\tat\t_:b\n")


def scores_in(text: str) -> list[str]:
    """The numbers with four decimals or more, without signature and p-values."""
    shown = re.sub(r"signature:.*", "", text)
    return PRECISE.findall(shown)


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_no_score_has_more_decimals(command: str, cli: Cli) -> None:
    arguments = (command, *COMMANDS[command], "-q")
    plain, rounded = cli.out(*arguments), cli.out(*arguments, "--significant", "2")
    assert scores_in(plain)
    p_values = 2 if command == "compare" else 0  # in the table and the verdict
    assert len(scores_in(rounded)) == p_values, scores_in(rounded)


def test_an_audits_sentences_have_them(cli: Cli) -> None:
    shown = cli.out("audit", *COMMANDS["audit"], "--significant", "3")
    assert re.search(r"optimum: F1 1\.\d{3};", shown)
    assert re.search(r"missed the corpus F1 by at most 0\.\d{3}, with", shown)
    assert re.search(r"F1 0\.\d{3} instead of 1\.\d{3},", shown)
    assert re.search(r": 0\.\d{3} (above|below) the optimum 1\.\d{3} \(", shown)
    plain = cli.out("audit", *COMMANDS["audit"])
    assert re.search(r"optimum: F1 1\.\d{6};", plain)


def test_what_is_not_proven_has_them(cli: Cli) -> None:
    arguments = (
        "compare",
        "turned",
        "chained",
        "turned",
        "--names",
        "a,b",
        "--solver",
        "hungarian",
    )
    shown = cli.out(*arguments, "--significant", "2")
    assert re.search(
        r"is not proven optimal: its score is at most [01]\.\d\d$", shown, re.M
    )


def test_a_distances_mean_has_them(cli: Cli) -> None:
    shown = cli.out("ged", *COMMANDS["ged"], "--significant", "1")
    assert re.search(r"mean distance \d\.\d, mean similarity 0\.\d$", shown, re.M)


def test_drawn_intervals_have_them(cli: Cli) -> None:
    arguments = ("compare", "gold", "good", "poor", "--format", "html")
    drawn = re.compile(r">(0\.\d+) \[0\.\d+, 0\.\d+\]</text>")
    assert {len(n) for n in drawn.findall(cli.out(*arguments))} == {6}
    rounded = cli.out(*arguments, "--significant", "2")
    assert {len(n) for n in drawn.findall(rounded)} == {4}
