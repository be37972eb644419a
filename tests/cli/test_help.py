"""The first screen, the help of every command, and what is said to a misspelling."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from typing import Any

import pytest
from support.command import Cli

from exactmatch.cli.commands import COMMANDS, GROUPS, summary
from exactmatch.cli.help import OPTIONS
from exactmatch.cli.parsers import make_parser, near
from exactmatch.cli.topics import TOPICS
from exactmatch.formats.formats import FORMATS
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics import METRICS, metric_class
from exactmatch.solvers import SOLVERS

SCREEN = 45
"""Lines that a screen has."""


def printed(cli: Cli, *arguments: str) -> str:
    code, out, err = cli(*arguments)
    assert (code, err) == (0, "")
    return out


def failed(cli: Cli, *arguments: str) -> str:
    code, out, err = cli(*arguments)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    return err


def fits(text: str) -> bool:
    lines = text.splitlines()
    return len(lines) <= SCREEN and all(len(line) <= 80 for line in lines)


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["help"]])
def test_the_first_screen_has_every_command_and_the_common_options(
    arguments: list[str], cli: Cli
) -> None:
    out = printed(cli, *arguments)
    for name in COMMANDS:
        assert f" {name} " in out
        assert f" {summary(name)}\n" in out
    assert OPTIONS in out
    for title in GROUPS:
        assert f"\n  {title} " in out
    assert all(len(line) <= 80 for line in out.splitlines())


def test_the_first_screen_has_options_as_the_help_of_score_has_them(cli: Cli) -> None:
    short = printed(cli, "score", "--help").splitlines()
    common = short[short.index("common options:") + 1 :]
    common = common[: common.index("")]
    assert sorted([*common, "  --per-pair                show every pair"]) == sorted(
        OPTIONS.splitlines()
    )


def test_without_arguments_a_terminal_gets_the_first_screen(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, err = cli()
    assert code == 0
    assert out.startswith("        precision")
    assert "the bundled sample is taken" in err
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert printed(cli) == printed(cli, "help")
    assert cli.out("--solver", "bnb").startswith("        precision")


def test_the_sample_has_a_word(cli: Cli) -> None:
    out = cli.out("sample", "--metric", "smatch,wlk", "-q")
    assert out == cli.out("--metric", "smatch,wlk", "-q")
    assert "name no others" in failed(cli, "sample", "pred.amr")
    assert "name no others" in failed(cli, "sample", "-f", "pred.amr", "gold.amr")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_commands_help_fits_a_screen(
    command: str, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    out = printed(cli, command, "--help")
    assert fits(out), out
    assert out == printed(cli, command, "-h")
    if command not in ("yisi", "solvers"):  # a metric and a topic, too
        assert out == printed(cli, "help", command)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_somewhere(command: str, cli: Cli) -> None:
    out = printed(cli, command, "--help-all")
    module = COMMANDS[command]
    parser = make_parser(module, command, ["--help-all"])
    short = printed(cli, command, "--help")
    said = re.search(r"(\d+|one) more options?: exactmatch \S+ --help-all", short)
    hidden = 0
    for action in parser._actions:
        if action.help is argparse.SUPPRESS or action.dest in ("help", "help_all"):
            continue
        for flag in action.option_strings:
            assert re.search(rf"(^|[\s\[]){flag}\b", out), flag
        names = action.option_strings
        hidden += bool(names) and not any(f"  {name} " in short for name in names)
    if said:
        assert hidden > 0


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_is_explained(name: str, cli: Cli) -> None:
    out = printed(cli, "help", name)
    assert f"metric {name}: " in out
    for option, declared in metric_class(name).options_class.DECLARED.items():
        assert (f"--{option.replace('_', '-')}" in out) is (declared.flags != ())


@pytest.mark.parametrize(
    ("kind", "names"),
    [("profile", PROFILES), ("solver", SOLVERS), ("format", FORMATS)],
)
def test_profiles_solvers_and_formats_are_explained(
    kind: str, names: dict[str, Any], cli: Cli
) -> None:
    listed = printed(cli, "help", f"{kind}s")
    for name in names:
        assert f"{kind} {name}: " in printed(cli, "help", name)
        assert re.search(rf"\n  {name}\s", listed)


def test_every_profile_has_a_summary() -> None:
    assert all(profile.summary for profile in PROFILES.values())


@pytest.mark.parametrize(
    "topic", ["metrics", "signature", "proofs", "files", "exit-codes"]
)
def test_topics_are_explained(topic: str, cli: Cli) -> None:
    out = printed(cli, "help", topic)
    assert out.startswith(f"{topic}: ")
    assert len(out.splitlines()) > 4


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["help", "smacth"], "there is no help on 'smacth'; did you mean 'smatch'?"),
        (["a", "b", "--per-pare"], "did you mean '--per-pair'?"),
        (["a", "b", "--per-pare=3"], "did you mean '--per-pair'?"),
        (["compare", "a", "b", "--basline", "1"], "did you mean '--baseline'?"),
        (["a", "b", "--format", "jsn"], "unknown value 'jsn'; did you mean 'json'?"),
        (["a", "b", "--profile", "claen"], "did you mean 'clean'?"),
        (["a", "b", "--metric", "smach"], "did you mean 'smatch'?"),
        (["a", "b", "--solver", "cp-sat"], "did you mean 'cpsat'?"),
        (
            ["a", "b", "--ngram", "2"],
            "it is an option of --metric sembleu or yisi-text",
        ),
        (
            ["a", "b", "--cutof", "2"],
            "did you mean '--cutoff', an option of --metric s2match?",
        ),
        (
            ["finegrained", "--cutof=2"],
            "'--cutoff', an option of other commands with --metric s2",
        ),
        (["ged", "a", "b", "--cutoff", "2"], "of other commands with --metric s2match"),
        (["a", "b", "--foils"], "it is an option of exactmatch correlate"),
        (
            ["--human-rnge", "1"],
            "'--human-range', an option of exactmatch compare or correlate?",
        ),
        (
            ["solvers", "--by-id"],
            "it is an option of exactmatch score, finegrained, yisi or ",
        ),
        (["a", "b", "--confid"], "did you mean '--confidence'?"),
        (["a", "b", "--xyzzy"], "see 'exactmatch --help'"),
        (["comprae"], "did you mean 'compare'?"),
    ],
)
def test_a_misspelling_is_answered_with_what_is_meant(
    arguments: list[str], sentence: str, cli: Cli
) -> None:
    assert sentence in failed(cli, *arguments)


NONSENSE = ("color", "frobnicate", "bogus", "zzz", "lang", "x")


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_nonsense_is_taken_for_nothing(command: str, cli: Cli) -> None:
    for word in NONSENSE:
        said = failed(cli, command, f"--{word}")
        assert "did you mean" not in said
        assert "it belongs" not in said


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_found_by_a_slip(command: str) -> None:
    """With one letter left out, or doubled, and by all but its last letters."""
    parser = make_parser(COMMANDS[command], command, ["--help-all"])
    known = [f"--{name}" for name in parser.long_options()]
    for flag in known:
        if len(flag) < 8:
            continue
        slips = (flag[:4] + flag[5:], flag[:5] + flag[4:], flag[:-1])
        assert {near(slip, known) for slip in slips} <= {flag, *_beginning(flag, known)}


def _beginning(flag: str, known: list[str]) -> list[str]:
    """Options that begin alike, of which either may be meant."""
    return [other for other in known if other[:6] == flag[:6]]


@pytest.mark.parametrize("name", METRICS)
def test_the_defaults_that_help_tells_are_those_of_metrics(name: str) -> None:
    cls = metric_class(name)
    plain = cls().signature()
    for option, declared in cls.options_class.DECLARED.items():
        default = re.search(r"\(default: ([\w.]+)[;)]", declared.about)
        if default is not None:
            assert cls(**{option: default[1]}).signature() == plain
        elif not isinstance(declared.default, bool) and option not in NO_DEFAULT:
            assert "(default" in declared.about or "default)" in declared.about


NO_DEFAULT = (
    *("aliases", "encoder", "frame_classes", "include_ref", "judged", "layer"),
    *("scale", "unmarked_quotes", "vectors", "weights"),
)
"""Options of metrics that are not used where they are not given."""


def test_common_options_tell_their_defaults(cli: Cli) -> None:
    for command in COMMANDS:
        assert "None" not in printed(cli, command, "--help")
    assert "default: auto, with more branch and bound" in printed(cli, "ged", "--help")


WITHOUT_DOCSTRINGS = """
import sys
from exactmatch.cli.main import main
assert main.__doc__ is None
for name in sys.argv[1:]:
    main(["help", name])
"""


@pytest.mark.slow
def test_help_is_whole_without_docstrings(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As ``python -OO`` leaves them out; every command is made with its own."""
    monkeypatch.setenv("COLUMNS", "80")
    names = [*METRICS, *SOLVERS, *TOPICS, *COMMANDS]
    done = subprocess.run(
        [sys.executable, "-OO", "-c", WITHOUT_DOCSTRINGS, *names],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "".join(printed(cli, "help", name) for name in names)
