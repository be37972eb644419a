"""Certificates on the command line: written, checked, and refused if tampered with."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli
from support.files import Files

PRED = """\
# ::id one
(t / and :op1 (a / team :mod (b / country)) :op2 (c / team :mod (d / country)))

# ::id two
(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))
"""
GOLD = """\
# ::id one
(t / and :op1 (a / team :mod (b / country)) :op2 (c / team :poss (d / country)))

# ::id two
(w / want-01 :ARG0 (b / boy) :ARG1 (l / leave-11 :ARG0 b))
"""


@pytest.fixture
def pair(files: Files) -> list[str]:
    return files.pair(PRED, GOLD)


@pytest.fixture
def proofs(pair: list[str], tmp_path: Path, cli: Cli) -> Path:
    path = tmp_path / "proofs.jsonl"
    ran = cli(*pair, "--certify", "--certificates", str(path))
    assert ran.code == 0
    assert "2 certificates checked, 0 rejected" in ran.err
    return path


def verify(cli: Cli, proofs: object, pair: list[str]) -> tuple[int, Any]:
    code, out, _ = cli("verify", proofs, *pair, "--format", "json")
    return code, json.loads(out)


def test_what_is_written_is_verified(cli: Cli, pair: list[str], proofs: Any) -> None:
    assert verify(cli, proofs, pair) == (
        0,
        {"verified": 2, "optimal": 2, "rejected": [], "missing": []},
    )


def test_other_graphs_are_not_proved(cli: Cli, pair: list[str], proofs: Any) -> None:
    text = GOLD.replace("leave-11", "go-02")
    with open(pair[1], "w") as gold:
        gold.write(text)
    code, found = verify(cli, proofs, pair)
    assert code == 1
    assert found["rejected"][0]["index"] == 1


def test_exchanged_files_are_recognised(cli: Cli, files: Files, tmp_path: Path) -> None:
    texts = ("(a / x :p (b / y :q (c / z)))", "(r / z :s (t / x :p (u / y)))")
    proofs, pair = str(tmp_path / "proofs.jsonl"), files.pair(*texts)
    cli.out(*pair, "--certificates", proofs)
    cli.out("verify", proofs, *pair)
    told = cli.refusal("verify", proofs, *reversed(pair))
    assert f"the other way round; name {pair[0]} before {pair[1]}" in told


@pytest.mark.parametrize(
    "asked",
    [
        ["--metric", "s2match", "--cutoff", "0.2", "--diffsense", "0.9"],
        ["--metric", "s2match", "--unmarked-quotes", "--max-terms", "5000"],
        ["--metric", "s2match", "--vectors", "VECTORS", "--similarity", "euclidean"],
        ["--profile", "clean", "--duplicates", "set", "--top", "none", "--no-sense"],
        ["--by-id", "--on-error", "skip"],
    ],
)
def test_no_option_need_be_given_again(
    cli: Cli, pair: list[str], tmp_path: Path, asked: list[str]
) -> None:
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("go 1 0 0\nleave 0.9 0.1 0\nteam 0 1 0\ncountry 0 0.8 0.3\n")
    asked = [str(vectors) if part == "VECTORS" else part for part in asked]
    if "--by-id" in asked:
        blocks = PRED.split("\n\n")
        with open(pair[0], "w") as pred:
            pred.write("\n\n".join([*reversed(blocks), "# ::id three\n(a / b"]))
        with open(pair[1], "a") as gold:
            gold.write("\n\n# ::id three\n(a / b)\n")
    path = tmp_path / "proofs.jsonl"
    cli.out(*pair, *asked, "--certificates", str(path))
    code, found = verify(cli, path, pair)
    assert (code, found["verified"], found["missing"]) == (0, 2, [])


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        (lambda h: h["profile"].update(reader="bogus"), "profile has reader 'bogus'"),
        (lambda h: h["profile"].update(sense=1), "profile has sense 1"),
        (lambda h: h["profile"].update(new=1), "profile has an unknown part 'new'"),
        (lambda h: h["profile"].pop("reader"), "names no profile"),
        (lambda h: h.update(profile="smatch"), "has no profile"),
        (
            lambda h: h.update(metric=["smatch"]),
            "metric ['smatch'] has no certificates",
        ),
        (lambda h: h.update(version=2), "has version 2"),
        (lambda h: h.update(counting="other"), "is about 'other', not 'profile:smatch"),
        (lambda h: h.update(options={"max_terms": 0}), "options has max_terms 0"),
        (lambda h: h.update(pairing={"by_id": "yes"}), "pairing has by_id 'yes'"),
    ],
)
def test_a_first_line_that_makes_no_sense_is_refused(
    cli: Cli, pair: list[str], proofs: Any, change: Any, wanted: str
) -> None:
    header, *lines = proofs.read_text().splitlines()
    record = json.loads(header)
    change(record)
    proofs.write_text("\n".join([json.dumps(record), *lines]))
    told = cli.refusal("verify", str(proofs), *pair)
    assert wanted in told
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda record: record.update(value=record["value"] + 1),
        lambda record: record.update(bound=record["bound"] - 1),
        lambda record: record.update(alignment=[-1] * len(record["alignment"])),
        lambda record: record.update(certificate=None),
        lambda record: record["certificate"].update(nodes=[]),
        lambda record: record.update(index=7),
        lambda record: record.update(index=[0]),
        lambda record: record.update(index=1.0),
        lambda record: record.update(value=float("inf")),
        lambda record: record.update(bound=2**70),
        lambda record: record["certificate"].update(bound=2**70),
        lambda record: record.update(alignment=[str(j) for j in record["alignment"]]),
        lambda record: record["certificate"]["nodes"][0]["rounds"][0].update(
            unit=2**64
        ),
        lambda record: record.pop("alignment"),
    ],
)
def test_a_tampered_line_is_rejected(
    cli: Cli, pair: list[str], proofs: Any, change: Any
) -> None:
    header, first, second = proofs.read_text().splitlines()
    record = json.loads(second)
    change(record)
    proofs.write_text("\n".join([header, first, json.dumps(record)]))
    code, found = verify(cli, proofs, pair)
    assert code == 1
    assert found["verified"] == 1
    assert len(found["rejected"]) == 1


def test_more_than_two_files_are_refused(
    cli: Cli, pair: list[str], proofs: Any
) -> None:
    assert "about two files of graphs, not 3" in cli.refusal(
        "verify", str(proofs), *pair, pair[1]
    )


def test_a_missing_line_is_missed(cli: Cli, pair: list[str], proofs: Any) -> None:
    proofs.write_text("\n".join(proofs.read_text().splitlines()[:2]))
    code, found = verify(cli, proofs, pair)
    assert (code, found["missing"]) == (1, [1])


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", ":1: is no file of certificates"),
        ("{}", ":1: is no file of certificates"),
        ("{", ":1: is not JSON: expecting property name"),
        ("root:x:0:0", "name a file that --certificates wrote"),
        ("\x8b", "is not UTF-8 text; name a file that --certificates wrote"),
    ],
)
def test_other_files_are_refused(
    cli: Cli, pair: list[str], tmp_path: Path, text: str, wanted: str
) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text(text, encoding="latin-1")
    assert wanted in cli.refusal("verify", str(path), *pair)


def test_a_solver_without_certificates_says_so(cli: Cli, pair: list[str]) -> None:
    assert "solver 'highs' gives no certificates" in cli.refusal(
        *pair, "--certify", "--solver", "highs"
    )


def test_proofs_of_s2match_are_verified(
    cli: Cli, pair: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "soft.jsonl"
    cli.out(*pair, "--metric", "s2match", "--certificates", str(path))
    code, found = verify(cli, path, pair)
    assert (code, found["verified"]) == (0, 2)


def test_certificates_of_another_metric_can_be_refused(
    cli: Cli, pair: list[str], proofs: Path
) -> None:
    assert cli("verify", proofs, *pair, "--metric", "smatch").code == 0
    refusal = cli.refusal("verify", proofs, *pair, "--metric", "s2match")
    assert "holds certificates of smatch, not s2match" in refusal


@pytest.mark.parametrize("action", ["skip", "empty"])
def test_what_was_left_out_is_left_out_of_the_check(
    action: str, cli: Cli, files: Files, tmp_path: Path
) -> None:
    """The certificates say which option scoring had."""
    pair = files.pair(PRED.replace("(t / and", "t / and"), GOLD)
    path = tmp_path / "proofs.jsonl"
    cli(*pair, "--certificates", path, "--on-error", action)
    code, found = verify(cli, path, pair)
    assert code == 0
    assert found["verified"] == {"skip": 1, "empty": 2}[action]
    assert found["rejected"] == found["missing"] == []


def test_verifying_heeds_the_limit_and_strictness(
    cli: Cli, files: Files, pair: list[str], proofs: Path
) -> None:
    refusal = cli.refusal("verify", proofs, *pair, "--max-terms", "2")
    assert "raise --max-terms" in refusal
    lenient = files.pair(PRED.replace("(d / country)))", "(d / country))"), GOLD)
    cli(*lenient, "--certificates", proofs)
    assert cli("verify", proofs, *lenient).code == 0
    assert cli("verify", proofs, *lenient, "--strict").code == 2
