"""explain-profile: a row for each choice, also where a reader refuses the files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli
from support.files import Files


@pytest.fixture
def pair(files: Files) -> list[str]:
    return files.pair("", "")


def rows(cli: Cli, *arguments: str) -> dict[str, Any]:
    answer = cli.json("explain-profile", *arguments, "-q")
    return {row["profile"]: row for row in answer["rows"]} | answer


@pytest.mark.parametrize("action", ["fail", "skip", "empty"])
def test_what_one_profile_refuses_is_a_row_that_says_so(
    cli: Cli, pair: list[str], action: str
) -> None:
    """Smatch cannot read a role without a value; SMATCH++ can, by leniency."""
    for path in pair:
        Path(path).write_text("(a / b :ARG0)\n")
    found = rows(cli, *pair, "--on-error", action)
    assert found["smatchpp"]["f1"] == 1
    assert found["smatchpp"]["change"] is None or action == "empty"
    assert found["remarks"] == {"cannot be read": 2}
    if action == "fail":
        assert "has role ':ARG0' without a value" in found["smatch"]["error"]
    if action == "skip":
        assert "no pair could be scored; " in found["clean"]["error"]
    assert "nan" not in cli("explain-profile", *pair, "--on-error", action, "-q").out


def test_what_no_profile_reads_is_an_error(cli: Cli, pair: list[str]) -> None:
    for path in pair:
        Path(path).write_text("(a / b :ARG0 (a / c)))\n(\n")
    assert "defines variable 'a' twice" in cli.refusal("explain-profile", *pair)


def test_all_commands_agree_about_comments_without_a_graph(
    cli: Cli, pair: list[str]
) -> None:
    """A graph is missing, for every profile."""
    Path(pair[0]).write_text("# ::id 0\n\n# ::id 1\n(a / b)\n")
    Path(pair[1]).write_text("# ::id 0\n(a / b)\n\n# ::id 1\n(a / b)\n")
    found = rows(cli, *pair, "--on-error", "skip")
    for profile in ("clean", "smatchpp", "smatch"):
        ran = cli(*pair, "--profile", profile, "--on-error", "skip")
        assert ran.code == 0
        assert found[profile]["pred_total"] == 2
        assert "graph '0' has comments but no graph" in cli.refusal(
            *pair, "--profile", profile
        )


def test_standard_input_is_refused(cli: Cli) -> None:
    assert "once for each profile" in cli.refusal("explain-profile", "-", "gold.amr")


def test_losses_are_counted_by_graph(cli: Cli, pair: list[str]) -> None:
    for path in pair:
        Path(path).write_text('(a / x :op1 "a b" :op2 "c d")\n\n((a / x)\n')
    remarks = rows(cli, *pair)["remarks"]
    assert remarks["has quoted values cut at their first space"] == 2
    assert sum("none belongs" in remark for remark in remarks) == 1


GOLD = ["(b / bark-01 :ARG0 (d / dog))", "(r / rain-01)"]
PRED = ["(b / bark-02 :ARG0 (d / dog))", "(r / rain-01)"]


@pytest.fixture
def senses(files: Files) -> list[str]:
    """Two pairs, of which one differs by the sense of a frame alone."""
    return [
        files.graphs("pred.amr", PRED, "p{}"),
        files.graphs("gold.amr", GOLD, "p{}"),
    ]


def test_means_over_pairs(cli: Cli, senses: list[str]) -> None:
    """Of the four triples of the first pair three match, of the second's two both."""
    summed, mean = rows(cli, *senses), rows(cli, *senses, "--macro")
    assert (summed["macro"], mean["macro"]) == (False, True)
    assert summed["smatch"]["f1"] == pytest.approx(5 / 6)
    assert mean["smatch"]["f1"] == pytest.approx((3 / 4 + 1) / 2)
    assert mean["--no-sense"]["change"] == pytest.approx(1 / 8)
    told = "scores are means over pairs"
    assert told in cli.out("explain-profile", *senses, "--macro")
    assert told not in cli.out("explain-profile", *senses)


def test_every_pair_under_every_profile(cli: Cli, senses: list[str]) -> None:
    arguments = ("explain-profile", *senses, "--per-pair")
    first, second = cli.json_lines(*arguments)
    assert (first["index"], first["id"]) == (0, "p0")
    for profile in ("smatch", "clean", "smatchpp"):
        options = ("--profile", profile, "--per-pair")
        alone = [pair["score"] for pair in cli.json_lines(*senses, *options)]
        assert [first["f1"][profile], second["f1"][profile]] == alone
    assert (first["f1"]["smatch"], first["f1"]["--no-sense"]) == (0.75, 1.0)
    assert cli.json(*arguments)["per_pair"] == [first, second]
    text = cli.out(*arguments, "--format", "csv").splitlines()
    assert len(text) == 1 + 2 * len(first["f1"])
    assert "0,p0,'--no-sense,1.0,0.25" in text


def test_pairs_are_chosen_by_what_moves_them(cli: Cli, senses: list[str]) -> None:
    """The first alone has a sense that differs; the scores are of what is chosen."""
    arguments = ("explain-profile", *senses)
    first, second = cli.json_lines(*arguments, "--per-pair")
    assert cli.json_lines(*arguments, "--ids", "p1") == [second]
    assert cli.json_lines(*arguments, "--where", "no_sense > f1") == [first]
    assert cli.json_lines(*arguments, "--where", "abs(difference) == 0") == [second]
    assert cli.json_lines(*arguments, "--best", "2") == [second, first]
    some = cli.json(*arguments, "--worst", "1")
    assert some.pop("per_pair") == [first]
    assert some == cli.json(*arguments)
    chosen = cli.json(*arguments, "--ids", "p1")["rows"]
    assert {row["pairs"] for row in chosen} == {1}
    assert [row["f1"] for row in chosen] == [
        second["f1"][row["profile"]] for row in chosen
    ]
    assert all("chosen:1/2@" in row["signature"] for row in chosen)
    assert "none of 2 pairs" in cli.refusal(*arguments, "--where", "f1 > 2")
    assert "'nope' is not a column" in cli.refusal(*arguments, "--where", "nope > 1")


def test_the_profiles_that_move_a_pair_most_are_named(
    cli: Cli, senses: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By their concepts the tops differ, too, and two of four triples match."""
    monkeypatch.setenv("COLUMNS", "80")
    shown = cli.out("explain-profile", *senses, "--per-pair").splitlines()
    assert shown[1].split() == [
        *("1", "p0", "0.7500", "0.5000", "--top", "concept"),
        *("1.0000", "--no-sense"),
    ]
    assert shown[2].split() == ["2", "p1", "1.0000"]
    tables = [line for line in shown if not line.startswith("signature: ")]
    assert max(map(len, tables)) <= 80
    page = cli.out("explain-profile", *senses, "--per-pair", "--format", "html")
    assert re.search(r"<th[^>]*>[^<]*smatchpp-generic", page)


def test_a_pair_that_a_profile_cannot_read_has_no_score_there(
    cli: Cli, pair: list[str]
) -> None:
    for path in pair:
        Path(path).write_text("(a / b :ARG0)\n")
    (only,) = cli.json_lines("explain-profile", *pair, "--per-pair")
    assert (only["f1"]["smatch"], only["f1"]["smatchpp"]) == (None, 1)
    (line, *_) = cli.out("explain-profile", *pair, "--per-pair").splitlines()[1:]
    assert line.split() == ["1", "-"]


FIVE = """\
(a / b :ARG0 (c / d))

(w / want-01~e.1 :ARG0 (b / boy))

# ::id bare
(m / x)

(q / y :polarity -)

(a / b :ARG0)
"""


def changed(text: str) -> str:
    return text.replace(":ARG0 (c", ":ARG1 (c").replace("want-01", "want-02")


def test_changes_are_over_the_pairs_that_both_profiles_read(
    cli: Cli, pair: list[str]
) -> None:
    """Smatch reads four of the five pairs, SMATCH++ all; the fifth is alike."""
    Path(pair[0]).write_text(changed(FIVE))
    Path(pair[1]).write_text(FIVE)
    found = rows(cli, *pair, "--on-error", "skip")
    assert (found["smatch"]["pairs"], found["smatchpp"]["pairs"]) == (4, 5)
    assert found["smatchpp-generic"]["pairs_compared"] == 4
    assert found["smatchpp-generic"]["f1"] > found["smatch"]["f1"]
    assert found["smatchpp-generic"]["change"] == 0
    common = rows(cli, *pair, "--on-error", "skip", "--common")
    for name, row in ((r["profile"], r) for r in common["rows"]):
        assert row["pairs"] == row["pairs_compared"] == 4
        assert row["f1"] - common["smatch"]["f1"] == pytest.approx(row["change"])
        assert row["change"] == pytest.approx(found[name]["change"])
    text = cli.out("explain-profile", *pair, "--on-error", "skip")
    assert "pairs of change" in text
    assert "pairs of change" not in cli.out(
        "explain-profile", *pair, "--on-error", "skip", "--common"
    )


def test_comments_without_a_graph_do_not_shift_pairs(cli: Cli, pair: list[str]) -> None:
    """Smatch passes over them, and other readers miss a graph there."""
    for path, text in zip(pair, (changed(FIVE), FIVE), strict=True):
        Path(path).write_text("# ::id 0\n\n" + text.replace("\n\n(a / b :ARG0)", ""))
    found = rows(cli, *pair, "--on-error", "skip", "--per-pair")
    assert found["clean"]["pairs"] == found["clean"]["pairs_compared"] == 4
    assert [sorted(one["f1"]) for one in found["per_pair"]] == [
        sorted(row["profile"] for row in found["rows"])
    ] * 4
    assert all(None not in one["f1"].values() for one in found["per_pair"])


def test_senses_are_left_out_of_tagged_concepts(cli: Cli, pair: list[str]) -> None:
    Path(pair[0]).write_text("(w / want-01~e.1)\n")
    Path(pair[1]).write_text("(w / want-02~e.1)\n")
    assert rows(cli, *pair)["--no-sense"]["f1"] == 1
    assert "alignment tags" in cli(*pair, "--no-sense").err
