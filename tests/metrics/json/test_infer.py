"""Identifiers are inferred from what refers to them; options that miss are remarks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.command import Cli

import exactmatch
from exactmatch import InputError, make_metric, score
from exactmatch.metrics.json.infer import inferred
from exactmatch.metrics.json.patterns import Rules

PEOPLE = [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bob"}]
NODES = [{"id": "n1", "label": "a"}, {"id": "n2", "label": "b"}]

DOCUMENTS: list[tuple[Any, dict[str, str]]] = [
    ({"people": PEOPLE, "lead": 1}, {"lead": "people[].id"}),
    ({"people": PEOPLE, "ranks": [1, 2]}, {}),
    ({"people": PEOPLE}, {}),
    ({"nodes": NODES, "path": ["n1", "n2"]}, {"path[]": "nodes[].id"}),
    ({"nodes": NODES, "path": ["n1", "n7"]}, {}),
    ({"words": [{"key": "red"}, {"key": "blue"}], "from": "red"}, {}),
    ({"a": [{"id": 1}, {"id": 1}], "from": 1}, {}),
    (
        {"nodes": NODES, "edges": [{"source": "n1", "target": "n2"}]},
        {"edges[].source": "nodes[].id", "edges[].target": "nodes[].id"},
    ),
    ({}, {}),
    ([], {}),
    ("id", {}),
]


@pytest.mark.parametrize(("document", "refs"), DOCUMENTS, ids=str)
def test_inferred(document: Any, refs: dict[str, str]) -> None:
    found = inferred([document], Rules())
    assert dict(found.refs) == refs
    assert set(found.ids) == set(refs.values())


def renamed() -> tuple[Any, Any]:
    gold = {"people": PEOPLE, "lead": 1}
    others = [{"id": 7, "name": "Bob"}, {"id": 9, "name": "Ann"}]
    return {"people": others, "lead": 9}, gold


def test_auto_compares_what_identifiers_name() -> None:
    pred, gold = renamed()
    assert score(pred, gold, metric="json").f1 == pytest.approx(0.4)
    found = score(pred, gold, metric="json", ids="auto")
    assert (found.f1, found.proven) == (1, True)
    metric = make_metric("json", ids="auto")
    report = exactmatch.evaluate([pred, pred], [gold, gold], metric=metric)
    assert (
        "identifies objects that lead refer to" in report.warnings["roles"].examples[0]
    )
    assert found.remarks == report.warnings["roles"].examples
    corpus = report["json"]
    assert corpus.score.f1 == 1
    assert "ids:auto(people[].id),lead→people[].id" in corpus.signature


def test_auto_learns_from_all_references() -> None:
    pred, gold = renamed()
    golds = [gold, {"people": PEOPLE, "lead": 77}]
    metric = make_metric("json", ids="auto")
    report = exactmatch.evaluate([pred, pred], golds, metric=metric)
    assert "no field identifies objects" in report.warnings["roles"].examples[0]
    assert "ids:auto()" in report["json"].signature  # half of the leads name nobody


def test_a_scorer_infers_too() -> None:
    pred, gold = renamed()
    scorer = exactmatch.Scorer(make_metric("json", ids="auto"))
    assert scorer.score(pred, gold).f1 == 1


def test_auto_leaves_references_out() -> None:
    with pytest.raises(InputError, match="leave out refs"):
        make_metric("json", ids="auto", refs={"a": "b"})


@pytest.mark.parametrize(
    "options",
    [
        {"weights": {"totl": 3}},
        {"ignore": "totl"},
        {"ids": {"totl": "x"}},
        {"maps": "totl"},
        {"ordered": "totl"},
        {"unordered": "totl"},
        {"tuples": "totl"},
    ],
    ids=str,
)
def test_a_path_that_matches_nothing_is_remarked(options: dict[str, Any]) -> None:
    name = next(iter(options))
    pair = {"total": 1}, {"total": 1, "b": [1]}
    (remark,) = score(*pair, metric="json", **options).remarks
    assert remark.startswith(f"{name}: totl matches nothing")
    assert "'total'" in remark
    metric = make_metric("json", **options)
    pred, gold = pair
    report = exactmatch.evaluate([pred], [gold], metric=metric)
    assert report.warnings["roles"].examples == (remark,)


def test_paths_that_match_somewhere_are_not_remarked() -> None:
    options: dict[str, Any] = {"weights": {"**.b": 2}, "ignore": "c", "ordered": "a"}
    assert not score({"a": [{"b": 1}]}, {"c": 1}, metric="json", **options).remarks


def test_fields_that_look_like_identifiers_are_named(cli: Cli, tmp_path: Path) -> None:
    pred, gold = tmp_path / "p.json", tmp_path / "g.json"
    pred.write_text('{"people": [{"id": 7, "n": "b"}, {"id": 9}], "lead_id": 9}')
    gold.write_text('{"people": [{"id": 1, "n": "b"}, {"id": 2}], "lead_id": 2}')
    files = (str(pred), str(gold), "--metric", "json")
    said = "people[].id looks like an identifier; --id-paths auto compares"
    assert said in cli(*files).out
    assert said not in cli(*files, "--id-paths", "auto").out
    assert said not in cli(*files, "--id-paths", "people[].id").out
