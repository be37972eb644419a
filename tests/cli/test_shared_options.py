"""Options of several commands: which command has which, and why the others do not.

Each table below names every command once for each option, so that a new command or a
new option has to be decided upon.
"""

from __future__ import annotations

import pytest
from support.command import Cli

from exactmatch.cli.commands import COMMANDS
from exactmatch.cli.parsers import make_parser

NO_SCORES = (
    *("completion", "convert", "data", "draw", "kgrams", "lint", "plugins"),
    "solvers",
)
"""Commands that score nothing."""

HEARD = {
    "--per-pair": {
        *("compare", "correlate", "errors", "explain-profile", "finegrained"),
        *("score", "yisi"),
    },
    "--macro": {
        *("compare", "correlate", "explain-profile", "finegrained", "report"),
        *("score", "serve", "thresholds", "yisi"),
    },
    "--confidence": {
        *("agreement", "audit", "compare", "correlate", "finegrained"),
        *("report", "score", "serve", "yisi"),
    },
    "--plot": {
        *("audit", "cluster", "compare", "correlate", "finegrained"),
        *("kgrams", "score", "thresholds", "yisi"),
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
        **dict.fromkeys(("align", "report", "serve"), "shows every pair anyway"),
        **dict.fromkeys(_DISTANCES, _ANYWAY),
        "agreement": "lists the units that are least alike, as many as --show says",
        "audit": "lists the pairs that went wrong, as many as --show says",
        "principles": "varies graphs of its own",
        "thresholds": "sums up all pairs at every cutoff",
        "verify": "lists the pairs whose proofs are rejected or missing",
    },
    "--macro": {
        **dict.fromkeys(NO_SCORES, "has no scores of pairs"),
        **dict.fromkeys(_DISTANCES, "has no corpus score"),
        **dict.fromkeys(("align", "errors"), "shows no corpus score but beside pairs"),
        "agreement": "is a mean over pairs of annotators",
        "audit": "measures how far published corpus scores, which are sums, are off",
        "principles": "tests scores of single pairs",
        "verify": "checks proofs of single pairs",
    },
    "--confidence": {
        **dict.fromkeys(NO_SCORES, "has no scores of pairs"),
        **dict.fromkeys(_DISTANCES, "has no corpus score"),
        **dict.fromkeys(("align", "errors"), "shows no corpus score but beside pairs"),
        "explain-profile": "compares counts of the same graphs",
        "principles": "counts violations of laws",
        "thresholds": "shows a score at every cutoff",
        "verify": "checks proofs of single pairs",
    },
    "--plot": {
        **dict.fromkeys(sorted({*NO_SCORES} - {"kgrams"}), "has no numbers to draw"),
        **dict.fromkeys(("align", "report", "serve"), "is a page with drawings"),
        "explain-profile": "is a table",
        "errors": "is a table; report draws errors",
        "agreement": "is a table of annotators",
        "principles": "is a table; its page draws the examples",
        "verify": "counts proofs",
        **dict.fromkeys(("duplicates", "ensemble", "matrix", "nearest"), "is a list"),
        **dict.fromkeys(("ged", "ground-truth", "solve"), "is about single pairs"),
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
    assert option in said or command in ("completion", "data")
    assert said.count("\n") == 1


WITHOUT_EFFECT = [
    *((["sample", "--format", form, "--significant", "2"]) for form in ("json", "csv")),
    ["solvers", "--significant", "2"],
    ["data", "list", "--significant", "2"],
    ["sample", "--pr", "--macro"],
]
"""Options that a command takes and has no use for as it is called."""


@pytest.mark.parametrize("given", WITHOUT_EFFECT, ids=" ".join)
def test_what_has_no_effect_is_a_sentence(given: list[str], cli: Cli) -> None:
    ran = cli(*given)
    assert ran.code == 0
    assert "has no effect" in ran.err
    assert "has no effect" not in cli(*given, "-q").err
