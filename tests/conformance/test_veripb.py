"""Proofs of every kind before a checker that shares nothing with us: VeriPB.

It takes proofs of real pairs, and none whose claim was raised.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from support.veripb import accepts, veripb

import exactmatch
from exactmatch.formats.networks import read_graphs
from exactmatch.solvers.proof_files import write_proof_files
from exactmatch.studies import verify

DATA = os.environ.get("EXACTMATCH_DATA")
pytestmark = [
    pytest.mark.slow,  # the checker takes minutes to build
    pytest.mark.skipif(not DATA, reason="EXACTMATCH_DATA is not set"),
]


@pytest.fixture(scope="module")
def program() -> str:
    return veripb()


def data(name: str) -> Path:
    return Path(str(DATA)) / "data" / name


def first_graphs(path: Path, n: int, out: Path) -> Path:
    out.write_text("\n\n".join(path.read_text("utf-8").split("\n\n")[:n]) + "\n")
    return out


def sides(name: str, n: int, out: Path) -> tuple[Path, Path]:
    folder = data(f"bamboo/{name}/main")
    paths = [folder / f"{side}.test.amr" for side in ("src", "tgt")]
    pred, gold = (first_graphs(p, n, out / p.name) for p in paths)
    return pred, gold


CORPORA: dict[str, tuple[Callable[[Path], tuple[Path, Path]], dict[str, Any]]] = {
    "PARA": (lambda out: sides("para", 60, out), {}),
    "PARA clean": (lambda out: sides("para", 20, out), {"profile": "clean"}),
    "STS under S²Match": (lambda out: sides("sts", 60, out), {"metric": "s2match"}),
    "DRS": (
        lambda _: (
            data("drs/multibox5.t5_gold.penman"),
            data("drs/multibox5.gold.penman"),
        ),
        {"profile": "drs"},
    ),
    "UMR documents": (
        lambda _: (
            data("umr/czech/ln94210_111-conv.umr"),
            data("umr/czech/ln94210_111-ML-all.umr"),
        ),
        {"profile": "umr"},
    ),
}


@pytest.mark.parametrize("name", CORPORA)
def test_a_corpus_is_accepted(name: str, program: str, tmp_path: Path) -> None:
    files, options = CORPORA[name]
    pred, gold = map(str, files(tmp_path))
    folder = str(tmp_path / "proofs")
    report = exactmatch.evaluate(
        Path(pred), Path(gold), proofs=folder, proof_version="1.2", **options
    )
    found = verify(folder, Path(pred), Path(gold), checker=program, jobs=2)
    assert (found.rejected, found.faults, found.missing) == ([], [], [])
    assert found.accepted == found.verified == len(report.pairs)
    assert found.f1 == report.scores[0].score.f1


def _differs(name: str, cost: float) -> Any:
    return lambda one, other: cost * (one.get(name) != other.get(name))


def test_edit_distances_are_accepted(program: str, tmp_path: Path) -> None:
    text = (Path(str(DATA)) / "golden/ged_fori.dev.jsonl").read_text()
    rows = [json.loads(line) for line in text.splitlines()]
    rows = [row for row in rows if row["set"] in ("AIDS_21_30", "Muta_21_30")]
    proof = tmp_path / "ged.pbp"
    for row in rows[::4]:
        one, other = (
            read_graphs(str(data(f"ged/{row[side]}.gxl")))[0].graph for side in "ab"
        )
        found = exactmatch.ged(
            one,
            other,
            node_subst_cost=_differs("chem", 5.5),
            node_del_cost=lambda _: 2.75,
            node_ins_cost=lambda _: 2.75,
            edge_subst_cost=_differs("valence", 0.825),
            edge_del_cost=lambda _: 0.825,
            edge_ins_cost=lambda _: 0.825,
            proof=str(proof),
            proof_version="1.2",
        )
        assert found.distance == pytest.approx(row["distance"])
        assert accepts(program, tmp_path / "ged.opb", proof)


def test_proofs_with_nodes_that_are_alike_are_accepted(
    program: str, tmp_path: Path
) -> None:
    text = data("ged/neural/imdb.jsonl").read_text()
    rows = [json.loads(line) for line in text.splitlines()]
    graphs = {row["id"]: nx.Graph(row["edges"]) for row in rows}
    opb, proof = tmp_path / "ged.opb", tmp_path / "ged.pbp"
    pairs = [(1428, 1315), (813, 718), (674, 906), (754, 688), (351, 1480), (12, 1005)]
    with_witness = 0
    for a, b in pairs:
        found = exactmatch.ged(
            graphs[a], graphs[b], proof=str(proof), proof_version="1.2"
        )
        assert found.distance == exactmatch.ged(graphs[a], graphs[b]).distance
        with_witness += " -> " in proof.read_text()
        assert accepts(program, opb, proof)
    assert with_witness > 1


def tampered(proof: str) -> Iterator[str]:
    """Yield proofs that claim one more: of the value, of the bound, of both."""
    value = re.compile(r"^(e .*>= )(\d+) ;$", re.MULTILINE)
    bound = re.compile(r"^(i .*>= )(-?\d+) ;$", re.MULTILINE)
    yield value.sub(lambda m: f"{m[1]}{int(m[2]) + 1} ;", proof)
    if bound.search(proof):
        yield bound.sub(lambda m: f"{m[1]}{int(m[2]) + 1} ;", proof)


def test_no_raised_claim_is_accepted(program: str, tmp_path: Path) -> None:
    pred, gold = sides("para", 12, tmp_path)
    report = exactmatch.evaluate(
        pred,
        gold,
        proofs=str(tmp_path / "p"),
        proof_version="1.2",
    )
    opb, pbp = tmp_path / "pair.opb", tmp_path / "pair.pbp"
    for pair in report.pairs:
        problem, best = pair.required_problem.problem, pair.solved
        worse = replace(best, alignment=(-1,) * problem.n_left, value=0)
        for solution in (best, worse):
            write_proof_files(str(pbp), problem, solution, "1.2")
            proof = pbp.read_text()
            assert accepts(program, opb, pbp)
            wrong = [*tampered(proof)]
            assert len(wrong) == 1 + (solution is worse)
            for text in wrong:
                assert text != proof
                pbp.write_text(text)
                assert not accepts(program, opb, pbp)
