"""The profiles of SMATCH++ on the command line, and from Python."""

from pathlib import Path
from typing import Any

import pytest
from support.command import Cli
from support.files import Files

import exactmatch
from exactmatch.graphs.profile import PROFILES

REIFIED = "(h / hen :ARG1-of (o / own-01 :ARG0 (w / woman)) :mod (r / red))"
PLAIN = "(k / hen :poss (m / woman) :domain-of (d / red))"
NAMES = ("smatchpp", "smatchpp-generic", "smatchpp-none")


@pytest.fixture
def pair(files: Files) -> list[str]:
    """A pair that is one graph to SMATCH++'s standardisation for AMR, and one more."""
    return files.pair(
        f'# ::id 1\n{REIFIED}\n\n# ::id 2\n(b / x :op1 "b")\n',
        f'# ::id 1\n{PLAIN}\n\n# ::id 2\n(c / x :op1 "B")\n',
    )


def counts(found: Any) -> tuple[Any, Any, Any]:
    return (found["matched"], found["pred_total"], found["gold_total"])


# smatchpp 1.8.0 with its ILP, as in tests/conformance/test_smatchpp_values.py.
@pytest.mark.parametrize(
    ("profile", "wanted"),
    [
        ("smatchpp", (8, 9, 9)),
        ("smatchpp-generic", (6, 11, 9)),
        ("smatchpp-none", (6, 11, 9)),
    ],
)
def test_scores(
    cli: Cli, pair: list[str], profile: str, wanted: tuple[int, ...]
) -> None:
    found = cli.record(*pair, "--profile", profile)
    assert counts(found) == wanted
    assert f"|profile:{profile}|" in found["signature"]


def test_options_compose(cli: Cli, pair: list[str]) -> None:
    found = cli.record(*pair, "--profile", "smatchpp", "--top", "none")
    assert counts(found) == (6, 7, 7)
    assert "|profile:smatchpp+|" in found["signature"]


@pytest.mark.parametrize("profile", NAMES)
def test_proofs_are_written_and_verified(
    cli: Cli, pair: list[str], tmp_path: Path, profile: str
) -> None:
    path = str(tmp_path / "proofs.jsonl")
    cli.out(*pair, "--profile", profile, "--certify", "--certificates", path)
    found = cli.json("verify", path, *pair)
    assert found["verified"] == found["optimal"] == 2


def test_the_alignment_is_that_of_the_standardised_graphs(
    cli: Cli, pair: list[str]
) -> None:
    found = cli.json("align", *pair, "--profile", "smatchpp")["pairs"][0]
    pairs = [(pair["pred"], pair["gold"]) for pair in found["alignment"]]
    assert pairs == [("h", "k"), ("w", "m"), ("r", "d")]
    assert ["k", "poss", "m"] in found["matched_triples"]
    assert found["missing_triples"] == found["extra_triples"] == []


@pytest.mark.parametrize(
    "profile",
    [PROFILES["smatchpp"], PROFILES["clean"].with_options(reification="dereify")],
)
def test_the_alignment_from_python_names_the_variables_that_are_left(
    profile: Any,
) -> None:
    score = exactmatch.smatch(REIFIED, PLAIN, profile=profile)
    assert score.f1 == 1.0
    assert score.alignment == (("h", "k"), ("w", "m"), ("r", "d"))


@pytest.mark.parametrize("profile", NAMES)
def test_leniency_warns_and_strictness_refuses(
    cli: Cli, pair: list[str], tmp_path: Path, profile: str
) -> None:
    bad = tmp_path / "bad.amr"
    bad.write_text("# ::id 1\n(h / hen\n\n# ::id 2\n(b / x)\n")
    arguments = [str(bad), pair[1], "--profile", profile]
    ran = cli(*arguments)
    assert ran.code == 0
    assert "bad.amr:2: graph '1' lacks a closing parenthesis" in ran.err
    assert "bad.amr:2: graph '1' lacks a closing parenthesis" in cli.refusal(
        *arguments, "--strict"
    )


@pytest.mark.parametrize("profile", NAMES)
@pytest.mark.parametrize("text", ["", "no graph"])
def test_a_missing_graph_is_an_error_or_empty(
    cli: Cli, tmp_path: Path, profile: str, text: str
) -> None:
    """SMATCH++ reads an empty graph there; two empty ones score 1."""
    path = tmp_path / "same.amr"
    path.write_text(f"# ::id 1\n(a / x)\n\n# ::id 2\n{text}\n")
    arguments = [str(path), str(path), "--profile", profile]
    assert "graph '2'" in cli.refusal(*arguments)
    records = cli.json_lines(*arguments, "--on-error", "empty", "--per-pair")
    assert [record["f1"] for record in records] == [1.0, 1.0]


def test_explain_profile_lists_them(cli: Cli, pair: list[str]) -> None:
    rows = {row["profile"]: row for row in cli.json("explain-profile", *pair)["rows"]}
    assert list(rows)[-3:] == ["clean", "smatchpp-generic", "smatchpp"]
    assert rows["smatchpp"]["f1"] == pytest.approx(8 / 9)
    assert rows["smatchpp-generic"]["f1"] == pytest.approx(12 / 20)
