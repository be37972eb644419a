"""Pictures that commands draw beside their answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command import Cli
from support.files import Files

pytest.importorskip("matplotlib")

GOLD = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"
PRED = GOLD.replace("go-02", "leave-11")


@pytest.fixture(autouse=True)
def _in_folder_with_files(files: Files) -> None:
    files.enter()
    files.one("gold.amr", f"{GOLD}\n\n" * 20)
    files.one("pred.amr", f"{PRED}\n\n{GOLD}\n\n" * 10)
    for name in ("hyp.txt", "ref.txt"):
        files.one(name, "a cat\na dog\n")


def test_scores_of_pairs_are_drawn_for_each_metric(cli: Cli) -> None:
    """Of seven triples each pair matches six or all: the corpus scores 13/14."""
    shown = cli.out("pred.amr", "gold.amr", "--metric", "smatch,wlk", "--plot", "p.svg")
    assert "smatch 0.9" not in shown
    text = Path("p.svg").read_text()
    for told in ("smatch, n = 20", "wlk, n = 20", "dashed: corpus 0.9286", "pairs"):
        assert f"<!-- {told} -->" in text
    cli.out("pred.amr", "gold.amr", "-b", "--percent", "--plot", "q.svg")
    assert "<!-- dashed: corpus 92.86 -->" in Path("q.svg").read_text()


def test_smatchs_own_lines_and_sentences_are_drawn_too(cli: Cli) -> None:
    cli.out("-f", "pred.amr", "gold.amr", "--ms", "--plot", "smatch.svg")
    assert "<!-- smatch, n = 20 -->" in Path("smatch.svg").read_text()
    cli.out("yisi", "hyp.txt", "ref.txt", "--plot", "yisi.svg")
    assert "<!-- yisi0, n = 2 -->" in Path("yisi.svg").read_text()


def test_fine_grained_scores_are_drawn_with_their_intervals(cli: Cli) -> None:
    arguments = ("finegrained", "pred.amr", "gold.amr", "--significant", "3")
    cli.out(*arguments, "--plot", "plain.svg")
    text = Path("plain.svg").read_text()
    for told in ("F1", "Concepts", "Frames", "Negation", "-"):
        assert f"<!-- {told} -->" in text
    cli.out(*arguments, "--confidence", "90", "--macro", "--plot", "drawn.svg")
    text = Path("drawn.svg").read_text()
    assert "<!-- F1, mean over pairs, 90 % intervals -->" in text


def test_what_nothing_is_scored_of_has_no_interval(cli: Cli) -> None:
    shown = cli.out("finegrained", "pred.amr", "gold.amr", "--confidence")
    line = next(i for i, row in enumerate(shown.splitlines()) if "Negation" in row)
    assert shown.splitlines()[line + 1].split() == ["95", "%", "-", "-", "-"]
