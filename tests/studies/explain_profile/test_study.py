"""Profiles compared from Python: the numbers of the command, in rows and by pairs."""

from __future__ import annotations

from typing import Any

import pytest
from support.command import Cli
from support.files import Files

from exactmatch.base.errors import UnknownKeyError
from exactmatch.studies import explain_profile

GOLDS = ["(b / bark-01 :ARG0 (d / dog~e.1))", "(a / x :op1 (b", "(a / b :ARG0)"]
PREDS = ["(b / bark-02 :ARG0 (d / dog))", "(a / x :op1 (b", "(a / b :ARG0)"]


@pytest.mark.parametrize("options", [{}, {"macro": True}, {"common": True}])
def test_python_and_the_command_say_the_same(
    options: dict[str, Any], cli: Cli, files: Files
) -> None:
    pair = files.pair("\n\n".join(PREDS), "\n\n".join(GOLDS))
    flags = [f"--{name}" for name in options]
    flags += ["--per-pair", "--on-error", "skip"]
    shown = cli.json("explain-profile", *pair, *flags)
    found = explain_profile(PREDS, GOLDS, on_error="skip", **options)
    assert list(found.rows) == shown["rows"]
    assert (
        found.remarks
        == shown["remarks"]
        == {
            "cannot be read": 2,
            "has '~' alignment tags, which count as part of its labels": 1,
            "lacks a closing parenthesis": 2,
        }
    )
    assert found.tables(per_pair=True).data["per_pair"] == shown["per_pair"]


def test_a_change_is_a_profiles_score_less_the_first_ones() -> None:
    """Without senses both barks are the same: 3 of 4 triples match, and then all."""
    found = explain_profile(
        ["(b / bark-02 :ARG0 (d / dog))"], ["(b / bark-01 :ARG0 (d / dog))"]
    )
    assert (found["smatch"]["f1"], found["--no-sense"]["f1"]) == (0.75, 1.0)
    assert found["--no-sense"]["change"] == 0.25
    assert found["--top concept"]["change"] == -0.25
    assert found.pairs[0, None]["--no-sense"] == 1.0
    assert repr(found) == "smatch 0.7500; --top concept moves it most: -0.2500"
    with pytest.raises(UnknownKeyError, match="--no-senses"):
        found["--no-senses"]
