"""Options that take a list add up, however often they are given."""

from __future__ import annotations

from argparse import Action

import pytest
from support.command import Cli

from exactmatch.cli.commands import COMMANDS
from exactmatch.cli.parsers import Parser, make_parser

SAMPLES = {
    "--at": ("0.3", "0.5,0.7"),
    "--metric": ("sembleu", "wlk,smatch"),
    "--restarts": ("4", "1,2"),
    "--weights": ("0.5", "0.25,0.25"),
    "--system-weights": ("2", "1,1"),
}
"""Two lists of an option; of others any words."""

ONE_VALUE = {*("--human-range", "--node-costs", "--edge-costs", "--roots", "--solver")}
"""Options with commas in a value that is not a list: ends, nodes, costs, settings."""


def parser_of(command: str) -> Parser:
    """A command's parser, which asks for no files."""
    parser = make_parser(COMMANDS[command], command, ["--help-all"])
    for action in parser._actions:
        action.required = False
    return parser


def is_list(action: Action) -> bool:
    """Whether the option's help shows that it takes several values."""
    shown = str(action.metavar)
    return bool(
        action.option_strings
        and action.option_strings[-1] not in ONE_VALUE
        and ("," in shown or action.nargs == "+")
        and action.nargs != 2
    )


def with_lists() -> list[tuple[str, str]]:
    """Every command with every option of it that takes a list."""
    found = [
        (command, action.option_strings[-1])
        for command in COMMANDS
        for action in parser_of(command)._actions
        if is_list(action)
    ]
    assert {"--only", "--except", "--names", "--pred", *SAMPLES} <= {
        f for _, f in found
    }
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("command", "flag"), with_lists())
def test_a_list_given_in_parts_is_the_whole_list(command: str, flag: str) -> None:
    first, second = SAMPLES.get(flag, ("one", "two,three"))
    parser = parser_of(command)
    action = parser._option_string_actions[flag]
    whole = [first, second] if action.nargs == "+" else [f"{first},{second}"]
    once, _ = parser.parse_known_args([flag, *whole])
    parts, _ = parser.parse_known_args([flag, first, f"{flag}={second}"])
    assert getattr(parts, action.dest) == getattr(once, action.dest)
    again, _ = parser.parse_known_args([flag, second])
    wanted = action.type(second) if callable(action.type) else second
    only = [second] if action.nargs == "+" else wanted
    assert getattr(again, action.dest) == only


def test_roles_and_metrics_add_up(cli: Cli) -> None:
    for one, two in (
        (["--only", "ARG0,time"], ["--only", "ARG0", "--only", ":time"]),
        (["--except", "ARG0,time"], ["--except", "ARG0", "--except", "time"]),
        (["--metric", "smatch,wlk"], ["--metric", "smatch", "--metric", "wlk"]),
    ):
        arguments = ("sample", "--format", "csv", "-q")
        whole, parts = (cli.out(*arguments, *more) for more in (one, two))
        assert whole.splitlines()[:-1] == parts.splitlines()[:-1]  # but provenance


def test_the_options_of_every_metric_are_known(cli: Cli) -> None:
    assert "ngram:2" in cli.out(
        "sample", "--metric", "sembleu", "--metric", "wlk", "--ngram", "2"
    )


def test_the_same_metric_twice_is_refused(cli: Cli) -> None:
    said = cli.refusal("sample", "--metric", "smatch", "--metric", "smatch")
    assert "--metric smatch,smatch names a metric twice" in said


@pytest.mark.parametrize(
    ("command", "flag"), [("score", "--pred"), ("compare", "--gold")]
)
def test_one_file_cannot_be_two(command: str, flag: str, cli: Cli) -> None:
    said = cli.refusal(command, flag, "a", flag, "b")
    assert f"argument {flag}: is given twice; name one file" in said
