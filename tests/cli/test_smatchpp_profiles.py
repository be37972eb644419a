"""The profiles of SMATCH++ on the command line, and from Python."""

import json

import pytest

import exactmatch
from exactmatch.cli.main import main
from exactmatch.graphs.profile import PROFILES

REIFIED = "(h / hen :ARG1-of (o / own-01 :ARG0 (w / woman)) :mod (r / red))"
PLAIN = "(k / hen :poss (m / woman) :domain-of (d / red))"
NAMES = ("smatchpp", "smatchpp-generic", "smatchpp-none")


@pytest.fixture
def files(tmp_path):
    """A pair that is one graph to SMATCH++'s standardisation for AMR, and one more."""
    pred, gold = tmp_path / "pred.amr", tmp_path / "gold.amr"
    pred.write_text(f'# ::id 1\n{REIFIED}\n\n# ::id 2\n(b / x :op1 "b")\n')
    gold.write_text(f'# ::id 1\n{PLAIN}\n\n# ::id 2\n(c / x :op1 "B")\n')
    return [str(pred), str(gold)]


def scored(capsys, *arguments):
    assert main([*arguments, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def counts(found):
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
def test_scores(capsys, files, profile, wanted):
    found = scored(capsys, *files, "--profile", profile)
    assert counts(found) == wanted
    assert f"|profile:{profile}|" in found["signature"]


def test_options_compose(capsys, files):
    found = scored(capsys, *files, "--profile", "smatchpp", "--top", "none")
    assert counts(found) == (6, 7, 7)
    assert "|profile:smatchpp+|" in found["signature"]


@pytest.mark.parametrize("profile", NAMES)
def test_proofs_are_written_and_verified(capsys, files, tmp_path, profile):
    path = str(tmp_path / "proofs.jsonl")
    assert (
        main([*files, "--profile", profile, "--certify", "--certificates", path]) == 0
    )
    capsys.readouterr()
    found = scored(capsys, "verify", path, *files)
    assert found["verified"] == found["optimal"] == 2


def test_the_alignment_is_that_of_the_standardised_graphs(capsys, files):
    assert main(["align", *files, "--profile", "smatchpp", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)[0]
    pairs = [(pair["pred"], pair["gold"]) for pair in found["alignment"]]
    assert pairs == [("h", "k"), ("w", "m"), ("r", "d")]
    assert ["k", "poss", "m"] in found["matched_triples"]
    assert found["missing_triples"] == found["extra_triples"] == []


@pytest.mark.parametrize(
    "profile",
    [PROFILES["smatchpp"], PROFILES["clean"].with_options(reification="dereify")],
)
def test_the_alignment_from_python_names_the_variables_that_are_left(profile):
    score = exactmatch.smatch(REIFIED, PLAIN, profile=profile)
    assert score.f1 == 1.0
    assert score.alignment == (("h", "k"), ("w", "m"), ("r", "d"))


@pytest.mark.parametrize("profile", NAMES)
def test_leniency_warns_and_strictness_refuses(capsys, files, tmp_path, profile):
    bad = tmp_path / "bad.amr"
    bad.write_text("# ::id 1\n(h / hen\n\n# ::id 2\n(b / x)\n")
    arguments = [str(bad), files[1], "--profile", profile]
    assert main(arguments) == 0
    assert "bad.amr:2: graph '1' lacks a closing parenthesis" in capsys.readouterr().err
    assert main([*arguments, "--strict"]) == 2
    assert "bad.amr:2: graph '1' lacks a closing parenthesis" in capsys.readouterr().err


@pytest.mark.parametrize("profile", NAMES)
@pytest.mark.parametrize("text", ["", "no graph"])
def test_a_missing_graph_is_an_error_or_empty(capsys, tmp_path, profile, text):
    """SMATCH++ reads an empty graph there; two empty ones score 1."""
    path = tmp_path / "same.amr"
    path.write_text(f"# ::id 1\n(a / x)\n\n# ::id 2\n{text}\n")
    arguments = [str(path), str(path), "--profile", profile]
    assert main(arguments) == 2
    assert "graph '2'" in capsys.readouterr().err
    code = main([*arguments, "--on-error", "empty", "--per-pair", "--format", "jsonl"])
    lines = capsys.readouterr().out.splitlines()
    assert code == 0
    assert [json.loads(line)["f1"] for line in lines] == [1.0, 1.0]


def test_explain_profile_lists_them(capsys, files):
    assert main(["explain-profile", *files, "--format", "json"]) == 0
    rows = {row["profile"]: row for row in json.loads(capsys.readouterr().out)["rows"]}
    assert list(rows)[-3:] == ["clean", "smatchpp-generic", "smatchpp"]
    assert rows["smatchpp"]["f1"] == pytest.approx(8 / 9)
    assert rows["smatchpp-generic"]["f1"] == pytest.approx(12 / 20)
