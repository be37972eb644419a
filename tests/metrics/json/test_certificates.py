"""Matchings of documents with references have certificates that are checked."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

from support.command import Cli
from support.json_documents import IDS, REFS, groups

from exactmatch import Limits, make_metric
from exactmatch.solvers.checker import check_certificate

GOLD = '{"p": [{"id": 1, "n": "a"}, {"id": 2, "n": "b"}], "to": 2}'
PRED = '{"p": [{"id": 7, "n": "b"}, {"id": 8, "n": "a"}], "to": 7}'


def compared(pred: Any, gold: Any, **options: Any) -> Any:
    metric = make_metric("json", ids=IDS, refs=REFS, **options)
    items = [metric.prepare(metric.read([side]).item) for side in (pred, gold)]
    return metric.compare(*items, limits=Limits(record_proof=True)).documents


def test_every_certificate_holds_and_others_are_refused() -> None:
    draw, checked = random.Random(3), 0
    for _ in range(60):
        documents = compared(*groups(draw))
        if documents.problem is None:
            assert documents.refusal() is None
            continue
        checked += 1
        assert documents.refusal() == ""
        solution = documents.solution
        assert solution.value == solution.bound
        check_certificate(
            documents.problem, solution.alignment, solution.value, solution.certificate
        )
        if solution.value > 0:
            less = replace(
                solution,
                bound=solution.bound - 1,
                certificate=replace(solution.certificate, bound=solution.bound - 1),
            )
            assert documents._replace(solution=less).refusal()
        bare = replace(solution, certificate=None)
        assert "no certificate" in documents._replace(solution=bare).refusal()
    assert checked > 30


def test_a_cutoff_that_needs_highs_has_no_certificate() -> None:
    draw, without = random.Random(7), 0
    for _ in range(60):
        documents = compared(*groups(draw), item_cutoff=0.75)
        if documents.problem is not None and documents.solution is None:
            without += 1
            assert "under the cutoff" in documents.refusal()
    assert without


def test_the_command_checks_them(cli: Cli, tmp_path: Path) -> None:
    one, other = tmp_path / "p.json", tmp_path / "g.json"
    one.write_text(PRED)
    other.write_text(GOLD)
    named = ("--id-paths", "p[].id", "--ref-paths", "to=p[].id", "--certify")
    outcome = cli(str(one), str(other), "--metric", "json", *named)
    assert outcome.code == 0
    assert "1 certificate checked, 0 rejected" in outcome.err
