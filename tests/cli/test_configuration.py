"""Defaults from files: where they are found, what counts more, what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.command import Cli
from support.files import Files

from exactmatch.cli.commands import COMMANDS
from exactmatch.cli.parsers import make_parser

GRAPH = "# ::id {}\n(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))\n\n"


@pytest.fixture(autouse=True)
def _in_folder_with_files(files: Files) -> None:
    files.enter("above/here")
    first, second = GRAPH.format("one"), GRAPH.format("two").replace("go-02", "see-01")
    files.one("pred.amr", first + second)
    files.one("gold.amr", second + first)


SCORE = ("pred.amr", "gold.amr")


def test_a_default_is_what_the_command_line_would_give(
    cli: Cli,
) -> None:
    wanted = cli(*SCORE, "--profile", "clean", "--by-id", "--metric", "wlk")
    Path("exactmatch.toml").write_text(
        'profile = "clean"\nby-id = true\nmetric = ["wlk"]\n'
    )
    code, out, err = cli(*SCORE)
    assert (code, out) == (0, wanted[1])
    path = Path("exactmatch.toml").resolve()
    assert err == f"exactmatch: defaults from {path}: profile, by-id, metric\n"
    assert cli(*SCORE, "-q") == (0, "1.0000\n", err), "it is never hidden"


def test_the_command_line_counts_more(cli: Cli) -> None:
    plain = cli(*SCORE)
    Path("exactmatch.toml").write_text('profile = "clean"\nreify = true\n')
    assert "profile:clean+" in cli(*SCORE)[1]
    dereified = cli(*SCORE, "--profile", "smatch", "--dereify")
    assert "profile:smatch+" in dereified[1]
    assert "reification:dereify" in dereified[1]
    assert "defaults" not in dereified[2]
    assert cli(*SCORE, "--no-config") == plain


def test_metrics_of_a_file_bring_their_options(
    cli: Cli,
) -> None:
    Path("exactmatch.toml").write_text('metric = "sembleu"\nngram = 2\n')
    assert "ngram:2" in cli(*SCORE)[1]
    code, out, err = cli(*SCORE, "--metric", "smatch")
    assert (code, "defaults" in err) == (0, False)
    assert "metric:smatch|" in out


def test_a_table_is_for_its_command(cli: Cli) -> None:
    Path("exactmatch.toml").write_text(
        'format = "json"\n[compare]\nformat = "csv"\nshow = 1\n[align]\nshow = "what"\n'
    )
    assert cli(*SCORE)[1].startswith("{")
    compared = cli("compare", "gold.amr", "pred.amr", "gold.amr")
    assert compared[1].startswith("metric,")


@pytest.mark.parametrize("name", ["exactmatch.toml", "pyproject.toml"])
def test_the_nearest_file_counts(name: str, cli: Cli) -> None:
    head = "[tool.exactmatch]\n" if name == "pyproject.toml" else ""
    Path("..", name).write_text(f'{head}profile = "clean"\n')
    Path("pyproject.toml").write_text("[project]\nname = 'other'\n")
    assert "profile:clean" in cli(*SCORE)[1]
    Path("exactmatch.toml").write_text("")
    assert "profile:smatch" in cli(*SCORE)[1]


def test_a_broken_file_of_somebody_else_is_no_concern(
    cli: Cli,
) -> None:
    Path("pyproject.toml").write_text("[project\n")
    assert cli(*SCORE)[0] == 0
    Path("pyproject.toml").write_text("[tool.exactmatch\n")
    code, _, err = cli(*SCORE)
    assert code == 2
    assert "pyproject.toml: cannot be read: " in err


def test_what_is_no_table_is_refused(cli: Cli) -> None:
    Path("pyproject.toml").write_text("[tool]\nexactmatch = 3\n")
    assert "pyproject.toml: tool.exactmatch is not a table" in cli.refusal(*SCORE)


def test_an_option_with_an_optional_value_may_be_true(cli: Cli) -> None:
    Path("exactmatch.toml").write_text("confidence = true\n")
    assert "95 %" in cli.out(*SCORE)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('profil = "clean"', "unknown option 'profil'; did you mean 'profile'?"),
        (
            'profile = "claen"',
            "profile: unknown profile 'claen'; did you mean 'clean'?",
        ),
        ("significant = -1", "significant: '-1' is not a whole number"),
        ('by-id = "yes"', "by-id: takes true or false, not 'yes'"),
        ("profile = true", "profile: takes text, a number or a list of these"),
        ("only = [true]", "only: takes text, a number or a list of these, not"),
        ("[scor]\nshort = true", "unknown command 'scor'; did you mean 'score'?"),
        ('[score]\nbaseline = "x"', "baseline: not an option of that command"),
        ("jobs = ", "cannot be read: "),
        (f"jobs = {'[' * 100_000}", "cannot be read: "),
        ('output = "x"', "output: this option can have no default"),
        ('smatch-python = "x"', "smatch-python: this option can have no default"),
        ('[score]\ncertificates = "x"', "certificates: this option can have no"),
        ('cache = "kept"', "cache: this option can have no default"),
        ('proof = "x.pbp"', "proof: this option can have no default"),
        ('encoder = "x"', "encoder: this option can have no default"),
        ("max-terms = 1", "max-terms: this option can have no default"),
        ("quiet = true", "quiet: this option can have no default"),
        ("[score]\nrequire-optimal = false", "require-optimal: this option can"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_key(
    text: str, sentence: str, cli: Cli
) -> None:
    Path("exactmatch.toml").write_text(text)
    code, out, err = cli(*SCORE)
    assert (code, out) == (2, "")
    assert err.startswith(f"exactmatch: error: {Path('exactmatch.toml').resolve()}: ")
    assert sentence in err
    assert err.count("\n") == 1


def test_an_option_of_other_commands_is_left_to_them(
    cli: Cli,
) -> None:
    Path("exactmatch.toml").write_text('baseline = "2"\n')
    code, _, err = cli(*SCORE)
    assert (code, "defaults" in err) == (0, False)


def test_no_option_has_a_default_that_opens_or_starts_something() -> None:
    """What is called like a file, a model or a program in the help is not settable."""
    opened = {"FILE", "FILE[,FILE]", "FILE.pbp", "FOLDER", "MODEL", "SRC", "SOURCE"}
    opened |= {"ENGINE", "PYTHON", "PRED", "GOLD", "NAME[:option=value,…]", "SECONDS"}
    opened |= {"ID[,ID…]|FILE"}
    settable = set()
    for name, module in COMMANDS.items():
        parser = make_parser(module, name, ["--help-all"])
        for option, action in parser.long_options().items():
            if parser.is_settable(action):
                settable.add(option)
                assert action.metavar not in opened, option
    assert not settable & {"smatch-python", "human", "port", "fix", "lossy", "certify"}


def test_what_measures_can_be_set(cli: Cli) -> None:
    """Every option of a metric that opens nothing, and those of other questions."""
    Path("exactmatch.toml").write_text(
        'metric = "graph"\nnode-similarity = "lcs"\nedge-cutoff = 0.25\n'
        'node-cutoff = 0.75\ncount = "edges"\ntriple = "min"\nrefs = "mean"\n'
        'costs = "irr"\nmoves = "both"\n'
    )
    code, out, err = cli(*SCORE)
    assert code == 0, err
    assert "|count:edges|nodes:lcs≥0.75|edges:normalised≥0.25|triple:min|" in out
    Path("exactmatch.toml").write_text('[ged]\ncosts = "none"\n')
    assert "costs: 'none' is not a cost model" in cli.refusal("ged", *SCORE)


def test_decimals_can_be_set(cli: Cli) -> None:
    Path("exactmatch.toml").write_text("decimals = 2\n")
    found = cli.out(*SCORE, "--no-config"), cli.out(*SCORE)
    assert [bool(re.search(r"0\.\d{4}$", out, re.MULTILINE)) for out in found] == [
        True,
        False,
    ]
    assert re.search(r"0\.\d{2}$", found[1], re.MULTILINE)


def test_a_key_that_another_command_may_have_is_left_to_it(cli: Cli) -> None:
    """YiSi on sentences reads a file of weights by the name that a metric has."""
    Path("exactmatch.toml").write_text('idf = "uniform"\n')
    Path("lines.txt").write_text("a b\n")
    assert "defaults" not in cli("yisi", "lines.txt", "lines.txt").err
    assert "idf:uniform" in cli.out(*SCORE, "--metric", "yisi")
    Path("exactmatch.toml").write_text('[yisi]\nidf = "counts:lines.txt"\n')
    assert "can have no default" in cli.refusal("yisi", "lines.txt", "lines.txt")


@pytest.mark.parametrize(
    "text",
    [
        'metric = "imported_by_a_file:Mine"',
        'metric = ["smatch", "imported_by_a_file:Mine"]',
        'profile = "imported_by_a_file:MINE"',
        'format-in = "imported_by_a_file:MINE"',
    ],
)
def test_no_file_imports_a_module(
    text: str, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file may lie beside somebody's data, and so may the module."""
    Path("imported_by_a_file.py").write_text("raise SystemExit('imported')\n")
    monkeypatch.syspath_prepend(".")
    Path("exactmatch.toml").write_text(text)
    code, out, err = cli(*SCORE)
    assert (code, out) == (2, "")
    assert "names a place in a module, which only the command line may" in err


@pytest.mark.parametrize(
    ("text", "flag"),
    [
        ("no-wiki = true", "--no-wiki"),
        ("wiki = false", "--no-wiki"),
        ("no-wiki = false", "--wiki"),
        ("reify = true", "--reify"),
        ('except-roles = "mod"', "--except"),
    ],
)
def test_what_can_be_switched_off_is(text: str, flag: str, cli: Cli) -> None:
    value = ("mod",) if flag == "--except" else ()
    wanted = cli.out(*SCORE, flag, *value, "--no-config").splitlines()
    Path("exactmatch.toml").write_text(f"{text}\n")
    found = cli.out(*SCORE).splitlines()
    shown = [line for line in found if not line.startswith("provenance")]
    assert shown == [line for line in wanted if not line.startswith("provenance")]


def test_options_of_the_metric_that_a_format_chooses_have_defaults(
    cli: Cli, files: Files
) -> None:
    files.enter()
    files.one("exactmatch.toml", 'count = "edges"\n')
    pred = files.one("pred.mmd", "graph TD\n A[Go] --> B[End]\n")
    gold = files.one("gold.mmd", "graph TD\n A[Go] --> B[Stop]\n")
    assert "|count:edges|" in cli.record(pred, gold)["signature"]
    ran = cli("sample")
    assert ran.code == 0
    assert "count: without effect on smatch" in ran.err
