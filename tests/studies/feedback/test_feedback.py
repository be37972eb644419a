"""Feedback against the score of graphs that are edited as it says."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

import exactmatch
from exactmatch.base.errors import InputError
from exactmatch.studies.feedback.edit import Edit
from exactmatch.studies.feedback.results import Feedback

GRADED: dict[str, Any] = {"node_similarity": "lcs", "edge_similarity": "lcs"}
WORDS = st.text("abc", min_size=1, max_size=4)


@st.composite
def graphs(draw: st.DrawFn) -> dict[str, Any]:
    """A graph whose nodes have an attribute, and parallel edges of other labels."""
    size = draw(st.integers(1, 4))
    nodes = [{"id": f"n{k}", "label": draw(WORDS)} for k in range(size)]
    for node in nodes:
        if draw(st.booleans()):
            node["colour"] = draw(WORDS)
    ends = st.sampled_from([node["id"] for node in nodes])
    edges = draw(st.lists(st.tuples(ends, WORDS, ends), max_size=5, unique=True))
    return {"nodes": nodes, "edges": [list(edge) for edge in edges]}


def edited(graph: dict[str, Any], edit: Any) -> dict[str, Any] | None:
    """Return the graph with one edit made; ``None`` if it takes another edit first."""
    nodes, edges = [dict(node) for node in graph["nodes"]], list(graph["edges"])
    by_name = {node["id"]: node for node in nodes}
    ends = [end for end in edit.where if end is not None]
    if edit.what == "node" and edit.does == "add":
        nodes.append({"id": "new", "label": edit.reference})
    elif any(end not in by_name for end in ends):
        return None
    elif edit.what == "node" and edit.does == "change":
        by_name[ends[0]]["label"] = edit.reference
    elif edit.what == "node":
        if any(ends[0] in (edge[0], edge[2]) for edge in edges):
            return None
        if "colour" in by_name[ends[0]]:
            return None
        nodes.remove(by_name[ends[0]])
    elif edit.what == "attribute":
        by_name[ends[0]].pop("colour", None)
        if edit.does != "remove":
            by_name[ends[0]]["colour"] = edit.reference
    else:
        if edit.does != "add":
            edges.remove([ends[0], edit.says, ends[1]])
        if edit.does != "remove":
            edges.append([ends[0], edit.reference, ends[1]])
    return {"nodes": nodes, "edges": edges}


def edits_of(found: Feedback) -> list[Edit]:
    """Return the edits, all of which are of a graph."""
    edits = []
    for edit in found:
        assert isinstance(edit, Edit)
        edits.append(edit)
    return edits


@pytest.mark.slow
@given(graphs(), graphs(), st.sampled_from(["nodes-and-edges", "edges", "nodes"]))
@settings(max_examples=examples(200), deadline=None)
def test_each_edit_is_worth_its_price(
    pred: dict[str, Any], gold: dict[str, Any], count: str
) -> None:
    score = exactmatch.score(pred, gold, metric="graph", count=count, **GRADED)
    found = exactmatch.feedback(score)
    prices = [edit.price for edit in found]
    assert prices == sorted(prices, reverse=True)
    for edit in found:
        other = edited(pred, edit)
        if other is None:
            continue
        after = exactmatch.score(other, gold, metric="graph", count=count, **GRADED)
        assert after.score >= score.score + edit.price - 1e-6
    if score.score == 1 and count == "nodes-and-edges":
        assert not len(found)


@given(graphs(), graphs())
@settings(max_examples=examples(100), deadline=None)
def test_edits_are_as_many_as_the_mapping_needs(
    pred: dict[str, Any], gold: dict[str, Any]
) -> None:
    """What is added less what is removed is what the reference has more."""
    found = exactmatch.feedback(exactmatch.score(pred, gold, metric="graph", **GRADED))
    done: Counter[Any] = Counter((edit.what, edit.does) for edit in edits_of(found))
    colours = [sum("colour" in node for node in g["nodes"]) for g in (pred, gold)]
    for what, sizes in (
        ("node", [len(g["nodes"]) for g in (pred, gold)]),
        ("edge", [len(g["edges"]) for g in (pred, gold)]),
        ("attribute", colours),
    ):
        assert done[what, "add"] - done[what, "remove"] == sizes[1] - sizes[0]


def test_words_and_data_say_the_same() -> None:
    pred = {"nodes": ["start", "open drawer"], "edges": [[1, "before", 0]]}
    gold = {"nodes": ["start", "open the drawer"], "edges": [[0, "before", 1]]}
    found = exactmatch.feedback(
        exactmatch.score(pred, gold, metric="graph", node_similarity="lcs")
    )
    lines = [
        "add edge 0 → 1 'before' (+0.21)",
        "node 1 says 'open drawer', reference 'open the drawer' (0.54, +0.15)",
        "remove edge 1 → 0 'before' (+0.10)",
    ]
    assert str(found).splitlines()[1:] == lines
    assert found.words(1).splitlines()[1:] == [lines[0], "… and 2 more"]
    data = json.loads(json.dumps(found.to_dict()))
    assert [edit["words"] for edit in data["edits"]] == lines
    assert data["edits"][1]["similarity"] == pytest.approx(7 / 13)
    perfect = exactmatch.feedback(exactmatch.score(gold, gold, metric="graph"))
    assert str(perfect).splitlines()[1:] == ["nothing to change"]


def test_triples_have_edits_of_entities_and_labels() -> None:
    gold = [("Alan Bean", "birthPlace", "Texas"), ("Alan Bean", "mission", "Apollo 12")]
    pred = [("Alan Beans", "birthplace", "Texas"), ("Alan Beans", "flight", "Apollo")]
    options: dict[str, Any] = {"count": "edges", **GRADED}
    found = exactmatch.feedback(exactmatch.score(pred, gold, metric="graph", **options))
    edits: dict[Any, Any] = {(edit.what, edit.says): edit for edit in edits_of(found)}
    name = edits["node", "Alan Beans"]
    renamed = [("Alan Bean", *triple[1:]) for triple in pred]
    after = exactmatch.score(renamed, gold, metric="graph", **options).f1
    assert after == pytest.approx(found.score.score + name.price)
    assert ("edge", "flight") in edits


def test_other_metrics_that_align_have_feedback_too() -> None:
    pair = "(w / want-01 :ARG0 (b / boy))", "(w / want-01 :ARG0 (g / girl) :polarity -)"
    found = exactmatch.feedback(exactmatch.score(*pair, metric="smatch"))
    edits: dict[str, Any] = {edit.what: edit for edit in edits_of(found)}
    for what, changed in (
        ("node", "(w / want-01 :ARG0 (b / girl))"),
        ("attribute", "(w / want-01 :ARG0 (b / boy) :polarity -)"),
    ):
        rise = exactmatch.smatch(changed, pair[1]).f1 - found.score.score
        assert edits[what].price == pytest.approx(rise)
    with pytest.raises(InputError, match="has no alignment kept"):
        exactmatch.feedback(exactmatch.score(*pair, metric="sembleu"))


def test_scores_travel_without_the_metric_behind_them() -> None:
    one: dict[str, Any] = {"nodes": ["a"]}
    score = exactmatch.score(
        one, one, metric="graph", node_similarity=lambda a, b: a == b
    )
    again = pickle.loads(pickle.dumps(score))
    assert again == score
    assert len(exactmatch.feedback(score)) == 0
    with pytest.raises(InputError, match="has no alignment kept"):
        exactmatch.feedback(again)
