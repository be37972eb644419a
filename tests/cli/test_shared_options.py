"""Options of several commands: which command has which, and why the others do not.

Each table below names every command once for each option, so that a new command or a
new option has to be decided upon.
"""

from __future__ import annotations

import pytest
from support.command import Cli

from exactmatch.cli.commands import COMMANDS
from exactmatch.cli.parsers import make_parser

NO_SCORES = (*("completion", "convert", "draw", "lint", "plugins", "solvers"),)
"""Commands that score nothing."""

HEARD = {
    "--per-pair": {
        *("compare", "correlate", "errors", "explain-profile", "finegrained"),
        *("score", "yisi"),
    },
    "--macro": {
        *("compare", "correlate", "explain-profile", "finegrained", "merge"),
        "report",
        *("score", "thresholds", "yisi"),
    },
    "--confidence": {
        *("agreement", "audit", "compare", "correlate", "finegrained"),
        *("report", "score", "yisi"),
    },
    "--plot": {
        *("agreement", "audit", "cluster", "compare", "correlate", "ensemble"),
        *("errors", "explain-profile", "finegrained", "ground-truth", "matrix"),
        *("score", "thresholds", "yisi"),
    },
    "--significant": set(COMMANDS) - {"completion", "convert", "draw"},
}
"""The commands that take an option; each has its effect there or says why not."""

_MANY = ("cluster", "duplicates", "ensemble", "matrix", "nearest")
_DISTANCES = ("ged", "ground-truth", "solve", *_MANY)
_ANYWAY = "has a row for every pair anyway"

MEANS_NOTHING = {
    "--per-pair": {
        **dict.fromkeys(NO_SCORES, "has no scores of pairs"),
        **dict.fromkeys(("align", "report"), "shows every pair anyway"),
        **dict.fromkeys(_DISTANCES, _ANYWAY),
        "merge": "adds up sums, which say nothing of single pairs",
        "agreement": "lists the units that are least alike, as many as --show says",
        "audit": "lists the pairs that went wrong, as many as --show says",
        "thresholds": "sums up all pairs at every cutoff",
        "verify": "lists the pairs whose proofs are rejected or missing",
    },
    "--macro": {
        **dict.fromkeys(NO_SCORES, "has no scores of pairs"),
        **dict.fromkeys(_DISTANCES, "has no corpus score"),
        **dict.fromkeys(("align", "errors"), "shows no corpus score but beside pairs"),
        "agreement": "is a mean over pairs of annotators",
        "audit": "measures how far published corpus scores, which are sums, are off",
        "verify": "checks proofs of single pairs",
    },
    "--confidence": {
        **dict.fromkeys(NO_SCORES, "has no scores of pairs"),
        **dict.fromkeys(_DISTANCES, "has no corpus score"),
        **dict.fromkeys(("align", "errors"), "shows no corpus score but beside pairs"),
        "explain-profile": "compares counts of the same graphs",
        "merge": "has the intervals that its parts were scored with",
        "thresholds": "shows a score at every cutoff",
        "verify": "checks proofs of single pairs",
    },
    "--plot": {
        "merge": "adds up sums, which say nothing of single pairs",
        **dict.fromkeys(NO_SCORES, "has no numbers to draw"),
        **dict.fromkeys(("align", "report"), "is a page with drawings"),
        "verify": "counts proofs",
        **dict.fromkeys(("duplicates", "nearest"), "is a list"),
        **dict.fromkeys(("ged", "solve"), "is about single pairs"),
    },
    "--significant": {
        **dict.fromkeys(("completion", "convert", "draw"), "has no numbers"),
    },
}
"""Why a command does not take an option."""

_SHARED = pytest.mark.parametrize("option", HEARD)


def offering(option: str) -> set[str]:
    """The commands whose parsers know the option."""
    return {
        name
        for name, module in COMMANDS.items()
        if option in make_parser(module, name, ["--help-all"])._option_string_actions
    }


@_SHARED
def test_every_command_is_decided_upon(option: str) -> None:
    assert HEARD[option] | set(MEANS_NOTHING[option]) == set(COMMANDS)
    assert not HEARD[option] & set(MEANS_NOTHING[option])


@_SHARED
def test_commands_take_what_the_table_says(option: str) -> None:
    assert offering(option) == HEARD[option]


@pytest.mark.parametrize(
    ("option", "command"),
    [(option, command) for option in HEARD for command in MEANS_NOTHING[option]],
)
def test_what_means_nothing_is_refused_in_one_sentence(
    option: str, command: str, cli: Cli
) -> None:
    said = cli.refusal(command, "a", "b", option)
    assert option in said or command == "completion"
    assert said.count("\n") == 1


WITHOUT_EFFECT = [
    *((["sample", "--format", form, "--significant", "2"]) for form in ("json", "csv")),
    ["solvers", "--significant", "2"],
    ["sample", "--pr", "--macro"],
]
"""Options that a command takes and has no use for as it is called."""


@pytest.mark.parametrize("given", WITHOUT_EFFECT, ids=" ".join)
def test_what_has_no_effect_is_a_sentence(given: list[str], cli: Cli) -> None:
    ran = cli(*given)
    assert ran.code == 0
    assert "has no effect" in ran.err
    assert "has no effect" not in cli(*given, "-q").err
