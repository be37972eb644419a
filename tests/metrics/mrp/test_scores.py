"""MRP, EDM, SDP and UCCA scores, counted by hand and by trying every mapping."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.command import Cli

from exactmatch.base.errors import GraphError
from exactmatch.formats.blocks import read_blocks
from exactmatch.formats.formats import FORMATS
from exactmatch.formats.readings import read_block
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics.base import Metric
from exactmatch.metrics.mrp import anchored
from exactmatch.metrics.mrp.anchored import Edm, Sdp, Ucca
from exactmatch.metrics.mrp.mces import Mrp
from exactmatch.metrics.score import Score

DOGS = {
    "id": "1",
    "framework": "eds",
    "input": "Dogs bark.",
    "tops": [1],
    "nodes": [
        {
            "id": 0,
            "label": "_dog_n_1",
            "properties": ["num"],
            "values": ["pl"],
            "anchors": [{"from": 0, "to": 4}],
        },
        {"id": 1, "label": "_bark_v_1", "anchors": [{"from": 5, "to": 10}]},
        {"id": 2, "label": "udef_q", "anchors": [{"from": 0, "to": 4}]},
    ],
    "edges": [
        {"source": 1, "target": 0, "label": "ARG1"},
        {"source": 2, "target": 0, "label": "BV"},
    ],
}


def graph_of(stated: Any) -> Graph:
    (block,) = FORMATS["mrp"].blocks([json.dumps(stated)], None)
    return read_block(block, PROFILES["mrp"]).graph


def score(metric: Metric, pred: Any, gold: Any) -> Score:
    pair = metric.measure(graph_of(pred), graph_of(gold))
    return metric.scores(pair.statistics)


def counts(found: Score) -> dict[str, tuple[float, ...]]:
    """Correct, system and gold, of the kinds that occur."""
    return {
        kind: tuple(part) for kind, part in found.parts.items() if any(tuple(part)[1:])
    }


def changed(**changes: Any) -> Any:
    return json.loads(json.dumps(DOGS)) | changes


def without_quantifier() -> Any:
    """The verb ends with its full stop no more, and has another sense."""
    other = json.loads(json.dumps(DOGS))
    del other["nodes"][2], other["edges"][1]
    other["nodes"][1] |= {"label": "_bark_v_2", "anchors": [{"from": 5, "to": 9}]}
    return other


def test_pieces_are_counted_by_kind() -> None:
    found = score(Mrp(), without_quantifier(), DOGS)
    assert counts(found) == {
        "tops": (1, 1, 1),
        "labels": (1, 2, 3),
        "properties": (1, 1, 1),
        "anchors": (2, 2, 3),
        "edges": (1, 1, 2),
        "all": (6, 7, 10),
    }
    assert (found.precision, found.recall) == (6 / 7, 6 / 10)
    assert found.proven


def test_dependencies_are_known_by_their_characters() -> None:
    found = score(Edm(), without_quantifier(), DOGS)
    assert counts(found) == {
        "names": (1, 2, 3),
        "arguments": (1, 1, 2),
        "tops": (1, 1, 1),
        "properties": (1, 1, 1),
        "all": (4, 5, 7),
    }


def test_bilexical_dependencies_count_their_tops() -> None:
    found = score(Sdp(), without_quantifier(), DOGS)
    assert counts(found) == {
        "labeled": (2, 2, 3),
        "unlabeled": (2, 2, 3),
        "graphs": (0, 1, 1),
    }
    assert counts(score(Sdp(), DOGS, DOGS))["graphs"] == (1, 1, 1)


def units(*edges: tuple[int, int, str, bool]) -> Any:
    anchors = {2: (0, 4), 3: (5, 9), 4: (9, 10)}
    nodes = [
        {"id": k}
        | (
            {"anchors": [dict(zip(("from", "to"), anchors[k], strict=True))]}
            if k in anchors
            else {}
        )
        for k in range(5)
    ]
    return {
        "framework": "ucca",
        "input": "Dogs bark.",
        "nodes": nodes,
        "edges": [
            {"source": s, "target": t, "label": label}
            | ({"attributes": ["remote"], "values": [True]} if remote else {})
            for s, t, label, remote in edges
        ],
    }


def test_units_are_known_by_the_words_below_them() -> None:
    """The full stop is not a word, and a remote edge leads to none."""
    gold = units(
        (0, 1, "H", False),
        (1, 2, "A", False),
        (1, 3, "P", False),
        (0, 2, "A", True),
        (0, 4, "U", False),
    )
    pred = units(
        (0, 1, "H", False), (1, 2, "A", False), (1, 3, "S", False), (0, 2, "A", True)
    )
    found = counts(score(Ucca(), pred, gold))
    assert found["labeled primary"] == (2, 3, 4)
    assert found["unlabeled primary"] == (3, 3, 4)
    assert found["labeled remote"] == (1, 1, 1)


def test_large_yields_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(anchored, "MAX_YIELDS", 10)
    with pytest.raises(GraphError, match="5 nodes over so much text"):
        Ucca().prepare(graph_of(units()))


def test_labels_decide_among_equal_mappings() -> None:
    """Either ``a`` by its label or ``b`` by its anchor; one piece in both cases."""
    pred = {
        "input": "x y",
        "nodes": [{"id": 0, "label": "a", "anchors": [{"from": 2, "to": 3}]}],
    }
    gold = {
        "input": "x y",
        "nodes": [
            {"id": 0, "label": "b", "anchors": [{"from": 2, "to": 3}]},
            {"id": 1, "label": "a", "anchors": [{"from": 0, "to": 1}]},
        ],
    }
    found = counts(score(Mrp(), pred, gold))
    assert found["labels"] == (1, 1, 2)
    assert found["anchors"] == (0, 1, 2)


def test_nothing_against_nothing_and_something() -> None:
    for metric in (Mrp(), Edm(), Sdp(), Ucca()):
        empty = metric.measure(metric.empty, metric.empty)
        assert metric.scores(empty.statistics).score == 0
        found = metric.measure(metric.empty, graph_of(DOGS))
        assert metric.scores(found.statistics).score == 0


@st.composite
def mrp_graphs(draw: st.DrawFn) -> Any:
    ids = range(draw(st.integers(1, 3)))
    node = st.fixed_dictionaries(
        {},
        optional={
            "label": st.sampled_from("ab"),
            "anchors": st.sampled_from(
                [[{"from": 0, "to": 1}], [{"from": 2, "to": 3}]]
            ),
        },
    )
    edge = st.fixed_dictionaries(
        {
            "source": st.sampled_from(ids),
            "target": st.sampled_from(ids),
            "label": st.sampled_from("rs"),
        }
    )
    return {
        "input": "x y",
        "tops": draw(st.lists(st.sampled_from(ids), max_size=1)),
        "nodes": [{"id": k} | draw(node) for k in ids],
        "edges": draw(st.lists(edge, max_size=4)),
    }


def facts(graph: Any, names: Any) -> set[Any]:
    """The pieces of a graph whose nodes are called otherwise."""
    found: set[Any] = {("top", names[top]) for top in graph["tops"]}
    for node in graph["nodes"]:
        name = names[node["id"]]
        found |= {("label", name, node["label"])} if "label" in node else set()
        found |= (
            {("anchors", name, str(node["anchors"]))} if "anchors" in node else set()
        )
    return found | {
        ("edge", names[e["source"]], names[e["target"]], e["label"])
        for e in graph["edges"]
    }


@pytest.mark.slow
@settings(deadline=None)
@given(pred=mrp_graphs(), gold=mrp_graphs())
def test_no_mapping_makes_more_pieces_equal(pred: Any, gold: Any) -> None:
    wanted = facts(gold, range(3))
    size = len(pred["nodes"])
    fresh = [("none", k) for k in range(size)]
    best = 0
    for chosen in itertools.product((*range(len(gold["nodes"])), None), repeat=size):
        used = [j for j in chosen if j is not None]
        if len(set(used)) == len(used):
            names = [fresh[k] if j is None else j for k, j in enumerate(chosen)]
            best = max(best, len(facts(pred, names) & wanted))
    found = score(Mrp(), pred, gold)
    assert found.proven
    assert found.matched == best
    kinds = [part for kind, part in found.parts.items() if kind != "all"]
    assert tuple(map(sum, zip(*kinds, strict=True))) == tuple(found.parts["all"])


def test_the_command_gives_each_graphs_pieces(tmp_path: Path, cli: Cli) -> None:
    """By id; each kind has a row in the table."""
    pred, gold = tmp_path / "pred.mrp", tmp_path / "gold.mrp"
    second = without_quantifier() | {"id": "2"}
    pred.write_text(
        "".join(f"{json.dumps(g)}\n" for g in (without_quantifier(), second))
    )
    gold.write_text("".join(f"{json.dumps(g)}\n" for g in (second, DOGS)))
    command = [str(pred), str(gold), "--metric", "mrp", "--by-id"]
    other, first = map(
        json.loads, cli.out(*command, "--per-pair", "--format", "jsonl").splitlines()
    )
    assert first["id"] == "1"
    assert first["pieces"]["labels"] == {"g": 3, "s": 2, "c": 1}
    assert first["pieces"]["all"] == {"g": 10, "s": 7, "c": 6}
    assert (first["matched"], first["bound"], first["proven"]) == (6, 6, True)
    assert other["pieces"]["all"] == {"g": 7, "s": 7, "c": 7}
    table = cli.out(*command).splitlines()
    assert table[3].split() == ["labels", "0.7500", "0.6000", "0.6667"]


def test_graphs_of_one_framework_are_read(tmp_path: Path) -> None:
    path = tmp_path / "both.mrp"
    path.write_text(
        "".join(f"{json.dumps(g)}\n" for g in (units() | {"id": "1"}, DOGS))
    )
    found = [block.known for block in read_blocks(path, "mrp:eds")]
    assert [known["framework"] for known in found if known] == ["eds"]
    assert len(list(read_blocks(path))) == 2
