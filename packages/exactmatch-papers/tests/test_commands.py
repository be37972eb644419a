"""The commands as those of exactmatch are: files, options, formats, pages, messages."""

from __future__ import annotations

import csv
import doctest
import inspect
import io
import json
import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module, resources
from pathlib import Path
from typing import Any

import pytest
from support.blocks import FLAGS, blocks, commands
from support.command import Cli, flags_of, in_python, without_provenance
from support.files import Files

import exactmatch_papers
from exactmatch.base.options import REQUIRED
from exactmatch.cli.commands import COMMANDS
from exactmatch.cli.parsers import make_parser

PACKAGE = Path(__file__).parents[1]
SAMPLE = resources.files("exactmatch") / "sample"
PRED, GOLD = (str(SAMPLE / f"{side}.amr") for side in ("pred", "gold"))
LITTLE = ("--graphs", "1", "--runs", "2", "--metric", "smatch,sembleu")
CALLS = {
    "principles": [PRED, GOLD, *LITTLE],
    "kgrams": [GOLD],
    "data": ["list"],
}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "principles": exactmatch_papers.measure_principles,
    "kgrams": exactmatch_papers.list_kgrams,
}
DOG = "(d / dog)"
BROKEN = "(b / bark :ARG0 (d / dog)"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_python_takes_what_the_command_takes(name: str) -> None:
    row = COMMANDS[name].row
    function = FUNCTIONS[name]
    names = set(row.options.DECLARED) - row.options.COMMAND_ONLY
    assert set(inspect.signature(function).parameters) == names
    for keyword in inspect.signature(function).parameters:
        line = rf"^ +\**{keyword}: "
        assert re.search(line, function.__doc__ or "", re.MULTILINE), keyword
    parser = make_parser(COMMANDS[name], name, ["--help-all"])
    actions = {action.dest: action for action in parser._actions}
    for option, declared in row.options.DECLARED.items():
        if option in actions and declared.about and declared.flags != ():
            default = None if declared.default is REQUIRED else declared.default
            assert actions[option].default == default or option == "metric"


@pytest.mark.parametrize("name", CALLS)
def test_studies_and_views_are_where_the_row_says(name: str) -> None:
    row = COMMANDS[name].row
    for place in filter(None, (row.study, row.picture)):
        module, _, function = place.partition(":")
        assert callable(getattr(import_module(module), function))


@pytest.mark.parametrize("form", ["text", "json", "csv", "latex", "html"])
@pytest.mark.parametrize("name", CALLS)
def test_every_format_says_the_same(name: str, form: str, cli: Cli) -> None:
    out = cli.out(name, *CALLS[name], "--format", form, "-q")
    if form == "json":
        assert isinstance(json.loads(out), dict)
    elif form == "csv":
        rows = list(csv.reader(io.StringIO(out)))
        assert len({len(row) for row in rows}) == 1
        assert len(rows) > 1
    elif form == "html":
        assert out.startswith("<!DOCTYPE html>")
        assert out.endswith("</html>\n")
    else:
        assert out.strip()


@pytest.mark.parametrize("name", CALLS)
def test_help_and_misspelt_options_are_answered(name: str, cli: Cli) -> None:
    assert f"exactmatch {name}" in cli.out(name, "--help")
    assert f"exactmatch {name}" in cli.out("help", name)
    assert "--no-such-option" in cli.refusal(name, *CALLS[name], "--no-such-option")


PRINCIPLES: list[dict[str, Any]] = [
    {"graphs": 2, "runs": 2, "metric": "smatch,sembleu", "ngram": 2},
    {"graphs": 3, "runs": 3, "seed": 4, "metric": "s2match", "cutoff": 0.7},
    {"graphs": 2, "runs": 2, "metric": "smatch", "hillclimb": False, "certify": True},
    {"graphs": 2, "runs": 2, "metric": "smatch", "restarts": [0, 2], "top": "none"},
    {"graphs": 3, "runs": 2, "metric": "chrf", "jobs": 2},
]


@pytest.mark.slow
@pytest.mark.parametrize("options", PRINCIPLES)
def test_principles_are_the_same(options: dict[str, Any], cli: Cli) -> None:
    """Of files in the command, and of graphs or sentences in memory."""
    preds, golds = (
        Path(side).read_text(encoding="utf-8").strip().split("\n\n")
        for side in (PRED, GOLD)
    )
    if options["metric"] == "chrf":
        texts = (re.findall("::snt (.*)", "\n".join(side)) for side in (preds, golds))
        preds, golds = texts
    shown = cli.json("principles", *flags_of(options), "--quiet")
    principles = exactmatch_papers.measure_principles(
        preds, golds, **in_python(options)
    ).to_dict()
    assert principles["outcomes"] == shown["outcomes"]
    assert principles["signatures"] == shown["signatures"]
    assert principles["counterexamples"] == shown["counterexamples"]


KGRAMS: list[dict[str, Any]] = [
    {},
    {"ngram": 2, "sembleu": "paper", "profile": "clean"},
    {"table": "nodes", "weights": [0.5, 0.5]},
    {"table": "growth", "ngram": 4, "keep_repeated": True, "on_error": "skip"},
]


@pytest.mark.parametrize("options", KGRAMS)
def test_kgrams_are_the_same(options: dict[str, Any], cli: Cli) -> None:
    table = {"nodes": ["--nodes"], "growth": ["--growth"]}
    others = {name: value for name, value in options.items() if name != "table"}
    flags = [*table.get(options.get("table", ""), []), *flags_of(others)]
    shown = cli.json("kgrams", GOLD, *flags, "--quiet")
    listed = exactmatch_papers.list_kgrams(Path(GOLD), **options).to_dict()
    assert listed.items() <= shown.items()


def test_unreadable_graphs_are_left_out_or_empty(cli: Cli, files: Files) -> None:
    files.enter()
    files.graphs("pred.amr", ["a / and)", DOG])
    files.graphs("gold.amr", [DOG, DOG])
    command = ("principles", "pred.amr", "gold.amr", "--metric", "smatch")
    arguments = (*command, "--no-hillclimb", "--graphs", "1", "--runs", "2")
    cli.refusal(*arguments)
    scores = {}
    for action in ("skip", "empty"):
        ran = cli(*arguments, "--on-error", action, "--format", "json")
        assert ran.code == 0
        assert action in ran.err
        scores[action] = json.loads(ran.out)["outcomes"][0]["scores"]
    assert scores["empty"] == scores["skip"] + 3  # forward, backward, once more


@pytest.mark.parametrize("solver", ["auto", "hillclimb"])
def test_restarts_are_those_of_whatever_climbs(solver: str, cli: Cli) -> None:
    pair = ("principles", PRED, GOLD, "--graphs", "1", "--metric", "smatch")
    ran = cli(*pair, "--solver", solver, "-r", "2", "-q")
    assert "solver:hillclimb:restarts=2|" in ran.out
    assert ran.err == ""


def test_principles_stand_beside_each_number_of_restarts(cli: Cli) -> None:
    pair = ("principles", PRED, GOLD, "--graphs", "1", "--runs", 2)
    shown = cli.out(*pair, "--metric", "smatch", "-r", "0,2").splitlines()[1]
    for title in ("Smatch climbed, r=0", "Smatch climbed, r=2"):
        assert title in shown


def test_the_seed_is_in_the_signature(cli: Cli) -> None:
    assert "|seed:7\n" in cli.out("principles", PRED, GOLD, *LITTLE, "--seed", "7")


def test_counter_examples_have_the_decimals_of_the_option(cli: Cli) -> None:
    arguments = ("principles", "--metric", "sembleu", "--graphs", "2", "--runs", "2")
    ran = cli(*arguments, "--significant", "2")
    assert "SemBleu gives different graphs 1.00:" in ran.out
    assert "has no effect" not in ran.err
    ran = cli(*arguments, "--significant", "2", "--show", "0")
    assert "--significant has no effect here" in ran.err
    for elsewhere in (["data", "list"], ["kgrams", GOLD]):
        assert "has no effect" in cli(*elsewhere, "--significant", "2").err


def test_counter_examples_are_drawn(cli: Cli) -> None:
    command = ["principles", "-q", "--graphs", "3", "--runs", "2", "--show", "2"]
    command += ["--metric", "smatch,sembleu", "--no-hillclimb"]
    examples = cli.json(*command)["counterexamples"]
    page = cli.out(*command, "--format", "html")
    assert examples
    assert page.count("<details") == len(examples)
    assert page.count("<svg") == 2 * len(examples)
    for example in examples:
        assert f"{example['score']:.4f}</b>" in page


def test_a_warning_names_what_a_lenient_reader_takes(cli: Cli, files: Files) -> None:
    files.enter()
    files.graphs("broken.amr", [DOG, BROKEN])
    err = cli("kgrams", "broken.amr").err
    assert "broken.amr:5: graph '1' lacks a closing parenthesis" in err
    assert "; read as sembleu does" in err
    assert "warning" not in cli("kgrams", "broken.amr", "-q").err
    files.graphs("broken.amr", [BROKEN] * 7)
    err = cli("kgrams", "broken.amr", "-v").err
    assert err.count("lacks a closing parenthesis") == 7


def test_what_cannot_be_read_is_named_with_its_file(cli: Cli, files: Files) -> None:
    files.enter()
    files({"a.tsv": "a\tb\tc\n", "none.amr": "# ::of nothing\n", "a.amr": DOG})
    assert "a.tsv" in cli.refusal("kgrams", "a.tsv")
    assert "none.amr: holds no graph" in cli.refusal("kgrams", "a.amr", "none.amr")
    for command in ("kgrams", "principles"):
        assert "no.amr: no such file" in cli.refusal(command, "no.amr", "no.amr")


def test_terminals_only_print_what_hostile_graphs_say(cli: Cli, files: Files) -> None:
    files.enter()
    files.one("a.amr", "# ::id \x1b]0;owned\x07\n(a / b\x1b[31m :mod (c / d))\n")
    for command in (["kgrams", "a.amr"], ["principles", "a.amr", "a.amr", *LITTLE]):
        ran = cli(*command)
        assert not {"\x1b", "\x07"} & {*ran.out, *ran.err}


def test_a_picture_of_the_growth_is_drawn(cli: Cli, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "growth.svg"
    cli.out("kgrams", GOLD, "--growth", "--plot", picture)
    text = picture.read_text(encoding="utf-8")
    assert text.count("k = ") == 3
    assert "add it" in cli("kgrams", GOLD, "--plot", picture).err


PAGES = ("README.md", "principles.md")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bash") is None, reason="the blocks are for bash")
@pytest.mark.parametrize("page", PAGES)
def test_pages_show_what_is_printed(page: str, tmp_path: Path) -> None:
    for path in (PRED, GOLD):
        shutil.copy(path, tmp_path)
    program = tmp_path / "exactmatch"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m exactmatch "$@"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    path = os.pathsep.join([str(tmp_path), os.environ["PATH"]])
    environment = os.environ | {"PATH": path, "COLUMNS": "120", "LC_ALL": "C.UTF-8"}
    shown = [
        both for block in blocks(PACKAGE / page, "console") for both in commands(block)
    ]
    assert shown
    for command, expected in shown:
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stdout
        printed = without_provenance(done.stdout)
        if expected.strip():
            assert doctest.OutputChecker().check_output(expected, printed, FLAGS), (
                printed
            )


@pytest.mark.parametrize("page", PAGES)
def test_the_options_that_pages_show_exist(page: str) -> None:
    for line in "\n".join(blocks(PACKAGE / page, "sh")).splitlines():
        program, command, *words = [*line.split(), "", ""]
        if program == "exactmatch" and command in CALLS:
            words = [word for word in words if word]
            make_parser(COMMANDS[command], command, words).parse_args(words)
