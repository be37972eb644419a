"""How an answer is written: the number alone, in percent, with a short signature."""

from __future__ import annotations

import re

import pytest
from support.command import Cli, record_in
from support.files import Files

from exactmatch.cli.answer import shortened
from exactmatch.graphs.profile import PROFILES


def called(cli: Cli, *arguments: str) -> tuple[str, str]:
    code, out, err = cli("sample", *arguments)
    assert code == 0
    notes = [line for line in err.splitlines() if "bundled" not in line]
    return out, "\n".join(notes)


def test_the_number_alone(cli: Cli) -> None:
    """0.7880 is the sample's Smatch, as ``score`` shows it."""
    assert called(cli, "-b")[0] == "0.7880\n"
    assert called(cli, "--score-only", "--percent")[0] == "78.80\n"
    found = record_in(called(cli, "--format", "json")[0])
    total = found["pred_total"] + found["gold_total"]
    precise = f"{2 * found['matched'] / total:.6f}\n"
    assert called(cli, "-b", "--significant", "6")[0] == precise
    both = called(cli, "-b", "--metric", "smatch,rematch")[0].splitlines()
    assert both[0] == "0.7880"
    assert len(both) == 2
    macro = called(cli, "-b", "--macro")[0]
    assert macro != "0.7880\n"


@pytest.mark.slow
def test_quiet_is_the_numbers_alone(cli: Cli, files: Files) -> None:
    """As -b, but silent; not where a table is asked for, or another format."""
    assert cli("sample", "-q") == (0, "0.7880\n", "")
    assert cli("sample", "-q", "--percent") == (0, "78.80\n", "")
    for option in (["--solver", "hungarian"], ["--metric", "smatch,rematch"]):
        assert cli.out("sample", "-q", *option) == cli.out("sample", "-b", *option)
    for option in (["--per-pair"], ["--worst", "1"]):
        assert cli.out("sample", "-b", *option) == "0.7880\n"
        assert "signature: " in cli.out("sample", "-q", *option)
    for flag in ("-q", "-b"):
        assert "signature: " in cli.out("sample", flag, "--confidence")
    assert "metrics" in cli.json("sample", "-q")
    assert "metrics" in cli.json("sample", "-b")
    files.enter()
    files.one("one.tsv", "_:a\tto\t_:b\n")
    files.one("two.tsv", "_:a\tto\t_:b\n_:b\tto\t_:c\n")
    assert cli("ged", "one.tsv", "two.tsv", "-q") == (0, "2\n", "")  # a node, an edge
    files.one("p.dd", "p 1 1 1 0\na 0 0 0 -1\n")
    assert cli("solve", "p.dd", "-q") == (0, "-1.000000\n", "")


def test_the_number_alone_is_an_interval_where_it_is_not_proven(
    cli: Cli,
) -> None:
    out, err = called(cli, "-b", "--solver", "hungarian")
    assert ".." in out
    assert "are not proven optimal" in err


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (["--pr", "--percent"], "--percent has no effect on smatch's own lines"),
        (["--ms", "--macro"], "--macro has no effect on smatch's own lines"),
        (["--percent", "--format", "csv"], "--percent has no effect on csv"),
        (["--short", "--format", "jsonl"], "--short has no effect on jsonl"),
        (["--significant", "2", "--format", "json"], "--significant has no effect on"),
    ],
)
def test_an_option_without_effect_is_a_sentence(
    arguments: list[str], option: str, cli: Cli
) -> None:
    assert option in called(cli, *arguments)[1]
    assert option not in called(cli, *arguments, "-q")[1]


def test_percent_and_short_where_there_is_neither(
    cli: Cli,
) -> None:
    ran = cli("solvers", "--percent", "--short", "--significant", "2")
    assert ran.code == 0
    err = ran.err
    assert "--percent has no effect here" in err
    assert "--short has no effect here" in err
    assert "--significant has no effect here" in err


def test_percent_is_a_hundred_times_the_share(
    cli: Cli,
) -> None:
    shares = called(cli, "--confidence", "--per-pair")[0].split()
    percent = called(cli, "--confidence", "--per-pair", "--percent")[0].split()
    assert "0.7880" in shares
    assert "78.80" in percent
    assert len(shares) == len(percent)
    assert called(cli, "--percent", "--format", "html")[0].count("78.80") > 0
    plain = called(cli, "--format", "json")[0]
    assert called(cli, "--percent", "--format", "json")[0] == plain


TEXT = """\
# ::id one
(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))

# ::id two
(a / and :op1 (t / team :mod (c / big)) :op2 (u / team :mod (d / kitten)))
"""

WITH_SCORES = {
    "agreement": [],
    "align": [],
    "audit": ["--runs", "2"],
    "cluster": [],
    "compare": ["other.amr"],
    "correlate": ["human.txt"],
    "duplicates": ["--at-least", "0.8"],
    "ensemble": [],
    "explain-profile": [],
    "finegrained": [],
    "ged": [],
    "matrix": [],
    "nearest": [],
    "score": [],
}
"""Commands that show scores, and what two files of graphs are followed by."""


@pytest.mark.parametrize("command", WITH_SCORES)
def test_scores_have_the_decimals_that_are_asked_for(
    command: str, cli: Cli, files: Files
) -> None:
    files.enter()
    files.one("one.amr", TEXT)
    files.one("two.amr", TEXT.replace("go", "leave").replace("kitten", "cat"))
    files.one("other.amr", TEXT.replace("boy", "girl"))
    files.one("human.txt", "0.3\n0.7\n")
    files.one("one.tsv", "_:a\tto\t_:b\n")
    files.one("two.tsv", "_:a\tto\t_:b\n_:b\tto\t_:c\n")
    form = "tsv" if command == "ged" else "amr"
    given = [command, f"one.{form}", f"two.{form}", *WITH_SCORES[command]]
    seven = re.compile(r"\b\d\.\d{7}\b")
    assert not seven.search(cli.out(*given))
    assert seven.search(cli.out(*given, "--significant", "7"))
    percent = cli.out(*given, "--significant", "9", "--percent")
    if command not in ("audit", "correlate"):
        assert re.search(r"\b\d\d\.\d{7}\b", percent)


@pytest.mark.parametrize("name", PROFILES)
def test_a_short_signature_tells_profiles_apart(name: str) -> None:
    items = PROFILES[name].signature()
    full = "|".join(f"{key}:{value}" for key, value in items)
    assert shortened(f"metric:x|{full}|solver:auto") == (
        f"metric:x|profile:{name}|solver:auto"
    )


def test_a_short_signature_keeps_what_was_changed(
    cli: Cli,
) -> None:
    out = called(cli, "--short")[0]
    assert "signature: metric:smatch|profile:smatch|solver:auto|proven:40/40|" in out
    changed = called(cli, "--short", "--no-sense")[0]
    assert "profile:smatch+|read:smatch|" in changed
    assert "|sense:no|" in changed


def test_more_decimals_than_a_number_has_are_refused(cli: Cli) -> None:
    assert len(called(cli, "-b", "--significant", "17")[0]) == len("0.\n") + 17
    for number in ("18", "9" * 20):
        err = cli.refusal("sample", "--significant", number)
        assert f"'{number}' is more decimals than numbers have here" in err
