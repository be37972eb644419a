"""Certificates on the command line: written, checked, and refused if tampered with."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli
from support.files import Files
from support.opening import opened

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
        ["--profile", "clean", "--duplicates", "set", "--top", "none", "--no-sense"],
        ["--by-id", "--on-error", "skip"],
    ],
)
def test_no_option_need_be_given_again(
    cli: Cli, pair: list[str], tmp_path: Path, asked: list[str]
) -> None:
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


def test_what_is_loaded_is_named_on_the_command_line(
    cli: Cli, pair: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of proofs comes from others: what its first line names is not opened."""
    vectors, path = tmp_path / "vectors.txt", tmp_path / "proofs.jsonl"
    vectors.write_text("go 1 0 0\nleave 0.9 0.1 0\nteam 0 1 0\ncountry 0 0.8 0.3\n")
    asked = ("--metric", "s2match", "--vectors", str(vectors))
    cli.out(*pair, *asked, "--certificates", path)
    told = cli.refusal("verify", path, *pair)
    assert f"proofs.jsonl:1: asks for --vectors '{vectors}', which only the" in told
    assert cli("verify", path, *pair, *asked).code == 0

    def loaded(*_: Any, **__: Any) -> None:
        raise AssertionError("a model is loaded")

    monkeypatch.setattr("exactmatch.metrics.s2match.ContextualSimilarity", loaded)
    for options, flag in (
        ({"encoder": "https://nowhere/model"}, "--encoder 'https://nowhere/model'"),
        ({"encoder": "/etc", "layer": 1}, "--encoder '/etc'"),
        ({"max_terms": 2**40}, "--max-terms 1099511627776"),
    ):
        header, *lines = path.read_text().splitlines()
        record = {**json.loads(header), "options": options}
        changed = tmp_path / "changed.jsonl"
        changed.write_text("\n".join([json.dumps(record), *lines]))
        told = cli.refusal("verify", changed, *pair)
        assert f"changed.jsonl:1: asks for {flag}, which only the command line" in told


def test_certificates_find_their_files(
    cli: Cli, pair: list[str], proofs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert verify(cli, proofs, []) == verify(cli, proofs, pair)
    assert "the sample" not in cli("verify", proofs).err
    monkeypatch.chdir(proofs.parent)
    assert cli("verify", "proofs.jsonl").code == 0
    Path(pair[1]).rename(proofs.parent / "elsewhere.amr")
    told = cli.refusal("verify", proofs)
    assert f"is about another {pair[1]!r}: its SHA-256 began with " in told
    assert "name predictions and references behind it" in told
    Path(pair[1]).write_text(GOLD.replace("leave", "live"))
    assert "is about another" in cli.refusal("verify", proofs), "another of that name"
    Path(pair[1]).write_text(GOLD + "\n")
    ran = cli("verify", proofs, *pair)
    assert ran.code == 0
    assert f"{pair[1]}: is not the file {pair[1]!r} that" in ran.err


def test_no_other_file_is_opened_than_one_of_that_name_nearby(
    cli: Cli, proofs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed: list[str] = []

    def noted(path: str) -> str:
        hashed.append(path)
        return ""

    monkeypatch.setattr("exactmatch.scoring.proofs.sha256_of", noted)
    folder = proofs.parent / "folder"
    folder.mkdir()
    header, *lines = proofs.read_text().splitlines()
    for name in ("//x/passwd", "../passwd", "a/../../passwd", "passwd", "\0", ""):
        file = {"path": name, "sha256": "0" * 64}
        record = {**json.loads(header), "files": [file, file]}
        path = folder / "proofs.jsonl"
        path.write_text("\n".join([json.dumps(record), *lines]))
        cli.refusal("verify", path)
    assert all(Path(one).parent in (folder, Path(), Path("a")) for one in hashed)
    assert {Path(one).name for one in hashed} == {"passwd"}


def test_a_full_name_leads_no_further_than_the_current_folder(
    cli: Cli, pair: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What lies elsewhere is not even opened, also behind a link."""
    for name in ("far", "off"):
        (tmp_path / name).mkdir()
    paths = [Path(path) for path in pair]
    full = [str(path.rename(tmp_path / "far" / path.name)) for path in paths]
    monkeypatch.chdir(tmp_path / "off")
    cli.out(*full, "--proofs", "proofs")
    cli.out(*full, "--certificates", "proofs.jsonl")
    for written in ("proofs", "proofs.jsonl"):
        with opened("far") as seen:
            told = cli.refusal("verify", written)
        assert seen == []
        assert "if it is elsewhere, name predictions and references" in told
        assert cli("verify", written, *full).code == 0
    for one in full:
        Path(Path(one).name).symlink_to(one)
    with opened("far") as seen:
        cli.refusal("verify", "proofs.jsonl")
    assert seen == []
    monkeypatch.chdir(tmp_path)
    for written in ("off/proofs", "off/proofs.jsonl"):
        assert cli("verify", written).code == 0, "below the current folder"
    (tmp_path / "far" / "gold.amr").write_text("(c / changed)\n")
    assert "no such file beside it or in the current" in cli.refusal(
        "verify", "off/proofs.jsonl"
    )


def test_certificates_of_the_sample_and_older_ones(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "sample.jsonl"
    cli.out("--certificates", path)
    assert cli("verify", path).code == 0
    header, *lines = path.read_text().splitlines()
    record = json.loads(header)
    del record["files"]
    path.write_text("\n".join([json.dumps(record), *lines]))
    told = cli.refusal("verify", path)
    assert "does not say which files of graphs it is about; name" in told


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        (lambda h: h.update(files="a"), "has no list of files"),
        (lambda h: h.update(files=[{"path": 1}]), "files has path 1, which it cannot"),
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
        ("", ":1: is not a file of certificates"),
        ("{}", ":1: is not a file of certificates"),
        ("{", ":1:2: is not JSON: expecting property name"),
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


def test_proofs_of_the_graph_metric_are_verified(files: Files, cli: Cli) -> None:
    files.enter()
    pred, gold = (f"(a / ask-01 :ARG0 (b / {who}))" for who in ("boys", "boy"))
    paths = files.pair(pred, gold)
    options = ["--metric", "graph", "--node-similarity", "lcs", "--count", "edges"]
    assert cli(*paths, *options, "--certificates", "proofs.jsonl", "-q").code == 0
    assert "1 verified, 1 of them optimal" in cli.out("verify", "proofs.jsonl", *paths)
    err = cli.refusal("verify", "proofs.jsonl", *paths, "--diffsense", "0.5")
    assert "certificates of graph, which has no option --diffsense" in err
