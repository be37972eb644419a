"""``exactmatch align`` and ``exactmatch solvers``."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli
from support.files import Files

from exactmatch.solvers import SOLVERS

PRED = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"
GOLD = '(w0 / want-01 :ARG0 (k / boy :name "Bo") :ARG1 (l / leave-11 :ARG0 k))'


@pytest.fixture
def pair(files: Files) -> list[str]:
    """One pair of which two concepts, three roles and TOP match."""
    return files.pair(f"# ::id x\n{PRED}\n", f"# ::id x\n{GOLD}\n")


def test_alignment_and_triples_as_written(cli: Cli, pair: list[str]) -> None:
    """Roles and constants keep their case; each side speaks its own variables."""
    found = json.loads(cli.out("align", *pair, "--format", "jsonl"))
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


def test_alignment_for_people(cli: Cli, pair: list[str]) -> None:
    out = cli("align", *pair).out
    assert "pair 1 (x): Smatch 0.8000, matched 6 (optimal) of 7" in out
    assert "  g / go-02    ↔  l / leave-11\n" in out
    assert "  extra    (g :instance go-02)\n" in out
    assert "  missing  (k :name Bo_)\n" in out


def test_pairs_that_other_optima_lack_are_not_certain(cli: Cli, tmp_path: Path) -> None:
    """Either cat will do for the one; the conjunction is in every optimum."""
    pred, gold = tmp_path / "pred.amr", tmp_path / "gold.amr"
    pred.write_text("(a / and :op1 (b / cat))\n")
    gold.write_text("(x / and :op1 (y / cat) :op1 (z / cat))\n")
    lines = cli.out("align", str(pred), str(gold)).splitlines()
    assert lines[1] == "  a / and  ↔  x / and"
    assert lines[2].endswith("/ cat  (not certain)")
    (found,) = cli.json("align", str(pred), str(gold))["pairs"]
    assert [pair["certain"] for pair in found["alignment"]] == [True, False, False]


def test_a_heuristics_alignment_is_shown_as_it_is(cli: Cli, pair: list[str]) -> None:
    """Nothing of it is certain, unless its bound proves it."""
    (found,) = cli.json("align", *pair, "--solver", "hungarian")["pairs"]
    certain = {pair["certain"] for pair in found["alignment"]}
    assert certain == ({True} if found["proven"] else {False})


def test_json_holds_every_pair(cli: Cli, pair: list[str]) -> None:
    (found,) = cli.json("align", *pair, "--profile", "clean")["pairs"]
    assert ["k", "name", '"Bo"'] in found["missing_triples"]


def test_solvers_are_listed_with_versions(cli: Cli) -> None:
    rows = cli.json("solvers")["solvers"]
    assert [row["name"] for row in rows] == list(SOLVERS)
    by_name = {row["name"]: row for row in rows}
    assert by_name["cpsat"]["installed"]
    assert by_name["cpsat"]["version"]
    assert by_name["cpsat"]["exact"]
    assert not by_name["hillclimb"]["exact"]
    assert by_name["bnb"]["version"] in ("compiled", "interpreted")
    assert "cpsat" in cli("solvers").out


def ids_shown(out: Any) -> list[Any]:
    return [line.split()[2] for line in out.splitlines() if line.startswith("pair ")]


@pytest.fixture
def corpus(files: Files) -> list[str]:
    """Four pairs: equal, one concept off, everything off, equal."""
    golds = ["(a / x :ARG0 (b / y))"] * 4
    preds = [golds[0], "(a / x :ARG0 (b / z))", "(q / r)", golds[0]]
    return [
        files.graphs(name, graphs, "p{}")
        for name, graphs in (("pred.amr", preds), ("gold.amr", golds))
    ]


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
def test_pairs_are_chosen_by_id_and_score(
    cli: Cli, corpus: list[str], options: list[str], shown: list[str]
) -> None:
    out = cli.out("align", *corpus, *options)
    assert ids_shown(out) == shown
    assert (f"{len(shown)} of 4 pairs shown" in out) == (len(shown) < 4)
    found = cli.json("align", *corpus, *options)["pairs"]
    assert [f"({record['id']}):" for record in found] == shown


def test_only_differences_are_shown(cli: Cli, corpus: list[str]) -> None:
    out = cli("align", *corpus, "--differences", "--id", "p1").out
    assert "b / z  ↔  b / y" in out
    assert "a / x" not in out
    assert "matched  (" not in out
    out = cli("align", *corpus, "--differences", "--format", "html").out
    assert out.count("<details") == 2
    assert out.count("(<b") == 7  # the graphs of both pairs, whole


def test_an_id_that_no_pair_has_is_named(cli: Cli, corpus: list[str]) -> None:
    code, out, err = cli("align", *corpus, "--id", "q2")
    assert code == 2
    assert out == ""
    assert "no pair has the id 'q2'; did you mean 'p2'?" in err
