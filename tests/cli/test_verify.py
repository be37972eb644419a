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
    code, found = verify(capsys, proofs, list(reversed(files)))
    assert code in (0, 1)
    with open(files[1], "a") as gold:
        gold.write("\n")
    text = GOLD.replace("leave-11", "go-02")
    with open(files[1], "w") as gold:
        gold.write(text)
    code, found = verify(capsys, proofs, files)
    assert code == 1
    assert found["rejected"][0]["index"] == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda record: record.update(value=record["value"] + 1),
        lambda record: record.update(bound=record["bound"] - 1),
        lambda record: record.update(alignment=[-1] * len(record["alignment"])),
        lambda record: record.update(certificate=None),
        lambda record: record["certificate"].update(nodes=[]),
        lambda record: record.update(index=7),
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
