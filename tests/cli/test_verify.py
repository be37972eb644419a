"""Certificates on the command line: written, checked, and refused if tampered with."""

import json

import pytest

from exactmatch.cli.main import main

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
def files(tmp_path):
    pred, gold = tmp_path / "pred.amr", tmp_path / "gold.amr"
    pred.write_text(PRED)
    gold.write_text(GOLD)
    return [str(pred), str(gold)]


@pytest.fixture
def proofs(files, tmp_path, capsys):
    path = tmp_path / "proofs.jsonl"
    assert main([*files, "--certify", "--certificates", str(path)]) == 0
    assert "2 certificates checked, 0 rejected" in capsys.readouterr().err
    return path


def verify(capsys, proofs, files):
    code = main(["verify", str(proofs), *files, "--format", "json"])
    return code, json.loads(capsys.readouterr().out)


def test_what_is_written_is_verified(capsys, files, proofs):
    assert verify(capsys, proofs, files) == (
        0,
        {"verified": 2, "optimal": 2, "rejected": [], "missing": []},
    )


def test_other_graphs_are_not_proved(capsys, files, proofs):
    text = GOLD.replace("leave-11", "go-02")
    with open(files[1], "w") as gold:
        gold.write(text)
    code, found = verify(capsys, proofs, files)
    assert code == 1
    assert found["rejected"][0]["index"] == 1


def test_exchanged_files_are_recognised(capsys, tmp_path):
    texts = ("(a / x :p (b / y :q (c / z)))", "(r / z :s (t / x :p (u / y)))")
    files = [tmp_path / name for name in ("pred.amr", "gold.amr")]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text)
    proofs, files = str(tmp_path / "proofs.jsonl"), list(map(str, files))
    assert main([*files, "--certificates", proofs]) == 0
    assert main(["verify", proofs, *files]) == 0
    capsys.readouterr()
    assert main(["verify", proofs, *reversed(files)]) == 2
    told = capsys.readouterr().err
    assert f"the other way round; name {files[0]} before {files[1]}" in told


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
def test_no_option_need_be_given_again(capsys, files, tmp_path, asked):
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("go 1 0 0\nleave 0.9 0.1 0\nteam 0 1 0\ncountry 0 0.8 0.3\n")
    asked = [str(vectors) if part == "VECTORS" else part for part in asked]
    if "--by-id" in asked:
        blocks = PRED.split("\n\n")
        with open(files[0], "w") as pred:
            pred.write("\n\n".join([*reversed(blocks), "# ::id three\n(a / b"]))
        with open(files[1], "a") as gold:
            gold.write("\n\n# ::id three\n(a / b)\n")
    path = tmp_path / "proofs.jsonl"
    assert main([*files, *asked, "--certificates", str(path)]) == 0
    capsys.readouterr()
    code, found = verify(capsys, path, files)
    assert (code, found["verified"], found["missing"]) == (0, 2, [])


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        (lambda h: h["profile"].update(reader="bogus"), "profile says reader 'bogus'"),
        (lambda h: h["profile"].update(sense=1), "profile says sense 1"),
        (lambda h: h["profile"].update(new=1), "profile has an unknown part 'new'"),
        (lambda h: h["profile"].pop("reader"), "names no profile"),
        (lambda h: h.update(profile="smatch"), "has no profile"),
        (
            lambda h: h.update(metric=["smatch"]),
            "metric ['smatch'] has no certificates",
        ),
        (lambda h: h.update(version=2), "has version 2"),
        (lambda h: h.update(counting="other"), "is about 'other', not 'profile:smatch"),
        (lambda h: h.update(options={"max_terms": 0}), "options says max_terms 0"),
        (lambda h: h.update(pairing={"by_id": "yes"}), "pairing says by_id 'yes'"),
    ],
)
def test_a_first_line_that_makes_no_sense_is_refused(
    capsys, files, proofs, change, wanted
):
    header, *lines = proofs.read_text().splitlines()
    record = json.loads(header)
    change(record)
    proofs.write_text("\n".join([json.dumps(record), *lines]))
    assert main(["verify", str(proofs), *files]) == 2
    told = capsys.readouterr().err
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
def test_a_tampered_line_is_rejected(capsys, files, proofs, change):
    header, first, second = proofs.read_text().splitlines()
    record = json.loads(second)
    change(record)
    proofs.write_text("\n".join([header, first, json.dumps(record)]))
    code, found = verify(capsys, proofs, files)
    assert code == 1
    assert found["verified"] == 1
    assert len(found["rejected"]) == 1


def test_more_than_two_files_are_refused(capsys, files, proofs):
    assert main(["verify", str(proofs), *files, files[1]]) == 2
    assert "about two files of graphs, not 3" in capsys.readouterr().err


def test_a_missing_line_is_missed(capsys, files, proofs):
    proofs.write_text("\n".join(proofs.read_text().splitlines()[:2]))
    code, found = verify(capsys, proofs, files)
    assert (code, found["missing"]) == (1, [1])


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", ":1: is no file of certificates"),
        ("{}", ":1: is no file of certificates"),
        ("{", ":1: is not JSON"),
    ],
)
def test_other_files_are_refused(capsys, files, tmp_path, text, wanted):
    path = tmp_path / "other.jsonl"
    path.write_text(text)
    assert main(["verify", str(path), *files]) == 2
    assert wanted in capsys.readouterr().err


def test_a_solver_without_certificates_says_so(capsys, files):
    assert main([*files, "--certify", "--solver", "highs"]) == 2
    assert "solver 'highs' gives no certificates" in capsys.readouterr().err


def test_proofs_of_s2match_are_verified(capsys, files, tmp_path):
    path = tmp_path / "soft.jsonl"
    assert main([*files, "--metric", "s2match", "--certificates", str(path)]) == 0
    capsys.readouterr()
    code, found = verify(capsys, path, files)
    assert (code, found["verified"]) == (0, 2)
