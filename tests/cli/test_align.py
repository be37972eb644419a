"""``exactmatch align`` and ``exactmatch solvers``."""

import json

import pytest

from exactmatch.cli.main import main
from exactmatch.solvers import SOLVERS

PRED = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"
GOLD = '(w0 / want-01 :ARG0 (k / boy :name "Bo") :ARG1 (l / leave-11 :ARG0 k))'


@pytest.fixture
def files(tmp_path):
    """One pair of which two concepts, three roles and TOP match."""
    pred, gold = tmp_path / "pred.amr", tmp_path / "gold.amr"
    pred.write_text(f"# ::id x\n{PRED}\n")
    gold.write_text(f"# ::id x\n{GOLD}\n")
    return [str(pred), str(gold)]


def test_alignment_and_triples_as_written(capsys, files):
    """Roles and constants keep their case; each side speaks its own variables."""
    assert main(["align", *files, "--format", "jsonl"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(p["pred"], p["gold"]) for p in found["alignment"]] == [
        ("w", "w0"),
        ("b", "k"),
        ("g", "l"),
    ]
    assert found["alignment"][2]["gold_concept"] == "leave-11"
    assert ["w0", "ARG0", "k"] in found["matched_triples"]
    assert found["missing_triples"] == [
        ["l", "instance", "leave-11"],
        ["k", "name", "Bo_"],
    ]
    assert found["extra_triples"] == [["g", "instance", "go-02"]]
    assert len(found["matched_triples"]) == found["matched"] == 6


def test_alignment_for_people(capsys, files):
    main(["align", *files])
    out = capsys.readouterr().out
    assert "pair 0 (x): Smatch 0.8000, matched 6 (optimal) of 7" in out
    assert "  g / go-02    ↔  l / leave-11\n" in out
    assert "  extra    (g :instance go-02)\n" in out
    assert "  missing  (k :name Bo_)\n" in out


def test_pairs_that_other_optima_lack_are_not_certain(capsys, tmp_path):
    """Either cat will do for the one; the conjunction is in every optimum."""
    pred, gold = tmp_path / "pred.amr", tmp_path / "gold.amr"
    pred.write_text("(a / and :op1 (b / cat))\n")
    gold.write_text("(x / and :op1 (y / cat) :op1 (z / cat))\n")
    assert main(["align", str(pred), str(gold)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "  a / and  ↔  x / and"
    assert lines[2].endswith("/ cat  (not certain)")
    assert main(["align", str(pred), str(gold), "--format", "json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert [pair["certain"] for pair in found["alignment"]] == [True, False, False]


def test_a_heuristics_alignment_is_shown_as_it_is(capsys, files):
    """Nothing of it is certain, unless its bound proves it."""
    assert main(["align", *files, "--solver", "hungarian", "--format", "json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    certain = {pair["certain"] for pair in found["alignment"]}
    assert certain == ({True} if found["proven"] else {False})


def test_json_holds_every_pair(capsys, files):
    main(["align", *files, "--format", "json", "--profile", "clean"])
    (found,) = json.loads(capsys.readouterr().out)
    assert ["k", "name", '"Bo"'] in found["missing_triples"]


def test_solvers_are_listed_with_versions(capsys):
    assert main(["solvers", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in rows] == list(SOLVERS)
    by_name = {row["name"]: row for row in rows}
    assert by_name["cpsat"]["installed"]
    assert by_name["cpsat"]["version"]
    assert by_name["cpsat"]["exact"]
    assert not by_name["hillclimb"]["exact"]
    assert by_name["bnb"]["version"] in ("compiled", "interpreted")
    main(["solvers"])
    assert "cpsat" in capsys.readouterr().out


def ids_shown(out):
    return [line.split()[2] for line in out.splitlines() if line.startswith("pair ")]


@pytest.fixture
def corpus(tmp_path):
    """Four pairs: equal, one concept off, everything off, equal."""
    golds = ["(a / x :ARG0 (b / y))"] * 4
    preds = [golds[0], "(a / x :ARG0 (b / z))", "(q / r)", golds[0]]
    paths = []
    for name, graphs in (("pred.amr", preds), ("gold.amr", golds)):
        text = "\n\n".join(f"# ::id p{k}\n{graph}" for k, graph in enumerate(graphs))
        (tmp_path / name).write_text(f"{text}\n")
        paths.append(str(tmp_path / name))
    return paths


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        ([], ["(p0):", "(p1):", "(p2):", "(p3):"]),
        (["--id", "p2"], ["(p2):"]),
        (["--id", "p2", "--id", "p0"], ["(p0):", "(p2):"]),
        (["--worst", "2"], ["(p2):", "(p1):"]),
        (["--worst", "9"], ["(p2):", "(p1):", "(p0):", "(p3):"]),
        (["--below", "0.9"], ["(p1):", "(p2):"]),
        (["--below", "90"], ["(p1):", "(p2):"]),
        (["--below", "0"], []),
        (["--below", "0.9", "--worst", "1"], ["(p2):"]),
        (["--differences"], ["(p1):", "(p2):"]),
    ],
)
def test_pairs_are_chosen_by_id_and_score(capsys, corpus, options, shown):
    assert main(["align", *corpus, *options]) == 0
    out = capsys.readouterr().out
    assert ids_shown(out) == shown
    assert (f"{len(shown)} of 4 pairs shown" in out) == (len(shown) < 4)
    assert main(["align", *corpus, *options, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [f"({record['id']}):" for record in found] == shown


def test_only_differences_are_shown(capsys, corpus):
    main(["align", *corpus, "--differences", "--id", "p1"])
    out = capsys.readouterr().out
    assert "b / z  ↔  b / y" in out
    assert "a / x" not in out
    assert "matched  (" not in out
    main(["align", *corpus, "--differences", "--format", "html"])
    out = capsys.readouterr().out
    assert out.count("<details") == 2
    assert out.count("(<b") == 7  # the graphs of both pairs, whole


def test_an_id_that_no_pair_has_is_named(capsys, corpus):
    assert main(["align", *corpus, "--id", "q2"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "no pair has the id 'q2'; did you mean 'p2'?" in err
