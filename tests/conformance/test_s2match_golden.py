"""S²match against the values of the official implementation.

Reads ``golden/s2match.dev.jsonl`` and ``golden/s2match.vectors.txt`` under the
folder ``EXACTMATCH_DATA``.
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from support.dialects import s2match_graph

from exactmatch.base.errors import GraphError
from exactmatch.graphs.graph import Graph
from exactmatch.metrics.base import add
from exactmatch.metrics.s2match import S2Match
from exactmatch.metrics.similarity.concepts import ConceptSimilarity
from exactmatch.metrics.similarity.encoder import concept_similarity

FOLDER = os.environ.get("EXACTMATCH_DATA")
TOLERANCE = 1e-9

pytestmark = pytest.mark.skipif(not FOLDER, reason="EXACTMATCH_DATA is not set")


def records(kind: str) -> list[Any]:
    if not FOLDER:
        return []
    lines = (Path(FOLDER) / "golden/s2match.dev.jsonl").read_text("utf-8").splitlines()
    found = [json.loads(line) for line in lines[1:]]
    return [record for record in found if record["kind"] == kind]


def parametrised(*kinds: str) -> pytest.MarkDecorator:
    found = [record for kind in kinds for record in records(kind)]
    return pytest.mark.parametrize("record", found, ids=lambda r: r["id"])


def options_of(key: str) -> dict[str, Any]:
    """The options behind a key such as ``cosine,cutoff=0.5,diffsense=1.0``."""
    kind, cutoff, diffsense = key.split(",")
    return {
        "kind": kind,
        "cutoff": float(cutoff.removeprefix("cutoff=")),
        "diffsense": float(diffsense.removeprefix("diffsense=")),
    }


@cache
def similarity_of(key: str) -> ConceptSimilarity:
    assert FOLDER
    vectors = Path(FOLDER) / "golden/s2match.vectors.txt"
    return concept_similarity(vectors=vectors, **options_of(key))


@parametrised("similarity")
def test_similarities(record: Any) -> None:
    for a, b, values in record["pairs"]:
        for key, value in values.items():
            assert similarity_of(key)(a, b) == pytest.approx(value, abs=TOLERANCE)
            assert similarity_of(key)(b, a) == pytest.approx(value, abs=TOLERANCE)


@cache
def metric_of(key: str, unmarked_quotes: bool) -> S2Match:
    return S2Match(similarity=similarity_of(key), unmarked_quotes=unmarked_quotes)


@cache
def graph_of(text: str, mark_quotes: bool) -> Graph:
    return s2match_graph(text, mark_quotes=mark_quotes)


def triples_of(graph: Graph, prefix: str) -> dict[str, list[list[str]]]:
    """The triples as the records have them: TOP is the root's concept."""
    labels = graph.labels
    names = [f"{prefix}{v}" for v in range(len(graph.variables))]
    top = ["TOP", names[0], labels[graph.instances[0][1]]]
    return {
        "instance": [["instance", names[v], labels[c]] for v, c in graph.instances],
        "attribute": sorted(
            [top, *([labels[r], names[v], labels[k]] for v, r, k in graph.attributes)]
        ),
        "relation": [[labels[r], names[s], names[t]] for s, r, t in graph.relations],
    }


@parametrised("micro", "pair")
def test_readings(record: Any) -> None:
    marked = not record.get("do_not_mark_quotes")
    if record["outcome"] == "error":
        with pytest.raises(GraphError):
            [s2match_graph(record[k], mark_quotes=marked) for k in ("amr1", "amr2")]
        return
    for side, prefix in (("1", "a"), ("2", "b")):
        found = triples_of(graph_of(record["amr" + side], marked), prefix)
        wanted = record["triples" + side]
        assert found == {**wanted, "attribute": sorted(wanted["attribute"])}


@parametrised("micro", "pair")
def test_optima(record: Any) -> None:
    if record["outcome"] == "error":
        with pytest.raises(GraphError):
            [graph_of(record["amr" + side], True) for side in "12"]
        return
    unmarked = bool(record.get("do_not_mark_quotes"))
    graphs = [graph_of(record["amr" + side], not unmarked) for side in "12"]
    for key, wanted in record["results"].items():
        metric = metric_of(key, unmarked)
        measured = metric.measure(*graphs)
        score = metric.scores(measured.statistics)
        assert score.proven
        assert (score.pred_total, score.gold_total) == (
            record["total1"],
            record["total2"],
        )
        # The optimum of the rounded problem is at most this far from the true one.
        slack = len(graphs[0].variables) / metric.scale
        assert score.matched == pytest.approx(wanted["optimum"], abs=slack + TOLERANCE)
        assert score.matched <= wanted["optimum"] + TOLERANCE
        assert score.matched >= wanted["hillclimb"]["best"] - slack - TOLERANCE
        assert score.f1 == pytest.approx(wanted["f"], abs=slack + TOLERANCE)


@parametrised("corpus")
def test_corpora(record: Any) -> None:
    pairs = {pair["id"]: pair for pair in [*records("pair"), *records("micro")]}
    for key, wanted in record["results"].items():
        metric = metric_of(key, False)
        total = metric.identity()
        for member in record["members"]:
            graphs = [graph_of(pairs[member]["amr" + side], True) for side in "12"]
            total = add(total, metric.measure(*graphs).statistics)
        score = metric.scores(total)
        assert (score.pred_total, score.gold_total) == (
            record["total1"],
            record["total2"],
        )
        slack = len(record["members"]) * 50 / metric.scale
        assert score.matched == pytest.approx(wanted["optimum"], abs=slack)
        assert score.precision == pytest.approx(wanted["precision"], abs=1e-6)
        assert score.recall == pytest.approx(wanted["recall"], abs=1e-6)
        assert score.f1 == pytest.approx(wanted["f"], abs=1e-6)
