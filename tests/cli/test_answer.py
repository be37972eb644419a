"""How an answer is written: the number alone, in percent, with a short signature."""

from __future__ import annotations

import json

import pytest

from exactmatch.cli.main import main
from exactmatch.graphs.profile import PROFILES
from exactmatch.report.signatures import shortened


def called(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[str, str]:
    assert main(["sample", *arguments]) == 0
    out, err = capsys.readouterr()
    notes = [line for line in err.splitlines() if "bundled" not in line]
    return out, "\n".join(notes)


def test_the_number_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """0.7880 is the sample's Smatch, as ``score`` shows it."""
    assert called(capsys, "-b")[0] == "0.7880\n"
    assert called(capsys, "--score-only", "--percent")[0] == "78.80\n"
    found = json.loads(called(capsys, "--format", "json")[0])
    total = found["pred_total"] + found["gold_total"]
    precise = f"{2 * found['matched'] / total:.6f}\n"
    assert called(capsys, "-b", "--significant", "6")[0] == precise
    both = called(capsys, "-b", "--metric", "smatch,rematch")[0].splitlines()
    assert both[0] == "0.7880"
    assert len(both) == 2
    macro = called(capsys, "-b", "--macro")[0]
    assert macro != "0.7880\n"


def test_the_number_alone_is_an_interval_where_it_is_not_proven(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out, err = called(capsys, "-b", "--solver", "hungarian")
    assert ".." in out
    assert "are not proven optimal" in err


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (["-b", "--per-pair"], "--per-pair has no effect on -b"),
        (["-b", "--format", "json"], "--format json has no effect on -b"),
        (["-b", "--short"], "--short has no effect on -b"),
        (["-b", "--confidence"], "--confidence has no effect on -b"),
        (["--pr", "--percent"], "--percent has no effect on smatch's own lines"),
        (["--ms", "--macro"], "--macro has no effect on smatch's own lines"),
        (["--percent", "--format", "csv"], "--percent has no effect on csv"),
        (["--short", "--format", "jsonl"], "--short has no effect on jsonl"),
    ],
)
def test_an_option_without_effect_is_a_sentence(
    arguments: list[str], option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert option in called(capsys, *arguments)[1]
    assert option not in called(capsys, *arguments, "-q")[1]


def test_percent_and_short_where_there_is_neither(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["solvers", "--percent", "--short"]) == 0
    err = capsys.readouterr().err
    assert "--percent has no effect here" in err
    assert "--short has no effect here" in err


def test_percent_is_a_hundred_times_the_share(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shares = called(capsys, "--confidence", "--per-pair")[0].split()
    percent = called(capsys, "--confidence", "--per-pair", "--percent")[0].split()
    assert "0.7880" in shares
    assert "78.80" in percent
    assert len(shares) == len(percent)
    assert called(capsys, "--percent", "--format", "html")[0].count("78.80") > 0
    plain = called(capsys, "--format", "json")[0]
    assert called(capsys, "--percent", "--format", "json")[0] == plain


@pytest.mark.parametrize("name", PROFILES)
def test_a_short_signature_tells_profiles_apart(name: str) -> None:
    items = PROFILES[name].signature()
    full = "|".join(f"{key}:{value}" for key, value in items)
    assert shortened(f"metric:x|{full}|solver:auto") == (
        f"metric:x|profile:{name}|solver:auto"
    )


def test_a_short_signature_keeps_what_was_changed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = called(capsys, "--short")[0]
    assert "signature: metric:smatch|profile:smatch|solver:auto|proven:40/40|" in out
    changed = called(capsys, "--short", "--no-sense")[0]
    assert "profile:smatch+|read:smatch|" in changed
    assert "|sense:no|" in changed
