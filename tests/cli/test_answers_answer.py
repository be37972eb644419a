"""Answers begin with what was wanted, and say what to do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.command import Cli
from support.files import Files

import exactmatch

GRAPHS = [
    "(b / bark-01 :ARG0 (d / dog) :ARG1 (c / cat) :ARG3 (m / man) :mod (r / red))"
]
OTHERS = ["(b / bark-01 :ARG0 (d / dog) :ARG1 (x / x) :ARG3 (y / y) :mod (z / z))"]


@pytest.fixture
def pair(files: Files) -> list[str]:
    return files.pair("\n\n".join(GRAPHS), "\n\n".join(OTHERS), ".amr")


@pytest.mark.parametrize(
    ("several", "listed"),
    [
        ("ARG*", "ARG0,ARG1,ARG3"),
        ("ARG0-ARG2", "ARG0,ARG1"),
        (":ARG1-:ARG9,mod", "ARG1,ARG3,mod"),
        ("arg*,concept", "ARG0,ARG1,ARG3,concept"),
    ],
)
@pytest.mark.parametrize("option", ["--roles", "--except-roles"])
def test_several_roles_have_one_name(
    option: str, several: str, listed: str, cli: Cli, pair: list[str]
) -> None:
    found, wanted = (cli.record(*pair, option, one) for one in (several, listed))
    for name in ("matched", "pred_total", "gold_total", "f1"):
        assert found[name] == wanted[name]


def test_a_pattern_that_no_role_fits_is_told_of(cli: Cli, pair: list[str]) -> None:
    err = cli(*pair, "--roles", "AGR*").err
    assert "no graph has the role 'agr*' of --roles\n" in err


def test_an_ensemble_writes_its_answer_and_its_graphs(
    cli: Cli, pair: list[str], tmp_path: Path
) -> None:
    answer, graphs = tmp_path / "answer.json", tmp_path / "best.amr"
    cli("ensemble", *pair, "--format", "json", "-o", answer, "--graphs", graphs)
    assert len(json.loads(answer.read_text())["sentences"]) == 1
    assert graphs.read_text().startswith("(b / bark-01")


def test_an_audit_answers_first(cli: Cli, pair: list[str]) -> None:
    out = cli.out("audit", *pair, "--published", "0.1", "--runs", "2")
    assert out.startswith("published 0.1 is implausible: ")
    assert out.count("implausible") == 1
    found = cli.json("audit", *pair, "--published", "0.1", "--runs", "2")
    assert found["verdicts"][0].startswith("published 0.1 is implausible")


def test_pairs_without_a_proof_are_named(cli: Cli, pair: list[str]) -> None:
    sample = [str(Path(exactmatch.__file__).parent / "sample" / "gold.amr")] * 2
    sample[0] = sample[0].replace("gold", "pred")
    asked = (*sample, "--solver", "hillclimb", "--require-optimal")
    ran = cli(*asked)
    assert ran.code == 1
    assert "not proven optimal: pair 5 (sample.5) (smatch), pair " in ran.err
    assert " more\n" in ran.err
    assert "not proven optimal" not in cli(*pair, "--require-optimal").err


def test_a_cutoff_that_does_not_matter_names_the_option(
    cli: Cli, pair: list[str]
) -> None:
    for moves, way in (("both", "--node-similarity"), ("edges", "--edge-similarity")):
        out = cli.out("thresholds", *pair, "--moves", moves, "--metric", "graph")
        assert f"no cutoff matters; add {way} lcs to give partial credit" in out


def test_what_is_not_understood_is_shown_with_one_option(
    cli: Cli, files: Files
) -> None:
    for text, way in (("hello there", "--extract repair"), ("a b\nb c", "edge-list")):
        path = files.one("t.txt", f"{text}\n")
        said = cli.refusal(path, path, "--metric", "graph")
        assert "begins with " in said
        assert way in said
        assert "mermaid" not in said
