"""What edit distances show is what was found."""

from __future__ import annotations

import math
from typing import Any

import networkx as nx
import pytest

from exactmatch.base.errors import InputError
from exactmatch.edit.triples import TripleOverlap
from exactmatch.studies import EditDistances, ged


def labelled(*triples: str) -> Any:
    graph = nx.MultiDiGraph()
    for triple in triples:
        head, relation, tail = triple.split()
        for name in (head, tail):
            graph.add_node(name, **({} if name[0] == "_" else {"label": name}))
        graph.add_edge(head, tail, label=relation)
    return graph


FIRST = [labelled("cat has tail"), labelled("cat is pet", "_1 sees cat")]
SECOND = [labelled("cat has paw"), labelled("cat is pet", "_2 sees cat", "a is pet")]


@pytest.fixture(scope="module")
def found() -> EditDistances:
    return ged(FIRST, SECOND, node_costs=(0.5, 1, 2), triples=True)


@pytest.fixture(scope="module")
def open_one() -> EditDistances:
    """A distance between 7 and 104, by a solver that proves little."""
    hard = [[nx.gnm_random_graph(40, 60, seed=seed)] for seed in (1, 2)]
    return ged(hard[0], hard[1], solver="hungarian")


def test_a_row_is_a_pair(found: EditDistances) -> None:
    """Programs count from 0 by index, and people from 1 by pair."""
    (table,) = found.tables().tables
    for number, (row, pair) in enumerate(zip(table.rows, found.pairs, strict=True)):
        assert (row["index"], row["_pair"]) == (number, number + 1)
        assert row["distance"] == pair.result.distance == [0.5, 3][number]
        assert row["bound"] == pair.result.bound == row["distance"]
        assert row["similarity"] == pair.result.similarity
        assert row["aligned"] == pair.result.triples["aligned"].f1 == [0, 4 / 5][number]
        assert row["exact"] == [0, 2 / 5][number]
        assert 0 < row["similar"] < 1
    shown = {column.title: column.key for column in table.columns if column.title}
    assert shown["pair"] == "_pair"
    assert (shown["distance"], shown["at least"]) == ("distance", "bound")
    assert (shown["triple F1"], shown["F1, blanks aligned"]) == ("exact", "aligned")
    assert "_pair" not in table.fields
    assert table.fields[0] == "index"


def test_the_bound_is_not_the_distance(open_one: EditDistances) -> None:
    (pair,) = open_one.pairs
    table, _ = open_one.tables().tables
    data = open_one.to_dict()
    for row in (table.rows[0], data["pairs"][0]):
        assert row["bound"] == pair.result.bound < row["distance"]
        assert row["proven"] is False
    bound, proven = (
        column.cell(table.rows[0])
        for column in table.columns
        if column.title in ("at least", "proven")
    )
    assert float(bound) == pair.result.bound
    assert proven == "no"
    assert data["summary"]["proven"] == 0
    assert "1 pair, 0 of them proven" in str(open_one)
    assert repr(open_one) == f"1 pair, 0 of them proven; {open_one.compared}"


def test_edits_are_those_of_the_path(found: EditDistances) -> None:
    _, first, second = found.tables(paths=True).tables
    assert (first.title, second.title) == ("edits of pair 1", "edits of pair 2")
    assert [dict(row) for row in first.rows] == [
        {"edit": "substitute node", "from": "tail", "to": "paw", "cost": 0.5}
    ]
    assert {(row["edit"], row["from"], row["to"]) for row in second.rows} == {
        ("insert node", "-", "a"),
        ("insert edge", "-", "(a, pet, 0)"),
    }
    assert sum(row["cost"] for row in second.rows) == 3


def test_sentences_have_means_and_shares(found: EditDistances) -> None:
    mean = sum(pair.result.similarity for pair in found.pairs) / 2
    shown = found.tables(digits=3)
    notes = shown.notes
    assert shown.leads[0].startswith("2 pairs, every one proven; nodes compared by")
    assert notes[0] == f"mean distance 1.750, mean similarity {mean:.3f}"
    assert (
        notes[3] == "F1, blanks aligned: precision 0.667, recall 0.500, F1 0.571"
    )  # 2 of 3 and of 4
    in_percent = found.tables(percent=True).notes
    assert "precision 66.67, recall 50.00, F1 57.14" in in_percent[3]
    summary = found.to_dict()["summary"]
    assert summary["mean_distance"] == found.mean("distance") == 1.75
    assert summary["mean_similarity"] == mean
    assert (summary["pairs"], summary["proven"]) == (2, 2)
    assert summary["triples"]["aligned"]["sizes"] == [3, 4]


def test_a_frame_has_the_rows() -> None:
    frame = ged(FIRST, SECOND).to_frame()
    assert list(frame["index"]) == [0, 1]
    assert list(frame["distance"]) == [1, 2]


@pytest.mark.parametrize(
    ("sides", "complaint"),
    [
        ((FIRST, SECOND[:1]), "the first side holds 2 graphs but the second 1 graph"),
        ((3, SECOND), "one int is not a list of graphs"),
        ((["x"], SECOND[:1]), "pair 1: str is not a networkx graph"),
        (([nx.Graph()], SECOND[:1]), "pair 1: the graph of the second is directed"),
    ],
)
def test_what_is_no_pair_is_refused(sides: Any, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        ged(sides[0], sides[1])


def test_costs_that_are_rounded_are_said_to_be() -> None:
    found = ged(FIRST, SECOND, node_costs=(math.pi / 3, 1, 1))
    rounding = max(pair.result.rounding for pair in found.pairs)
    assert rounding > 0
    assert [pair["rounding"] for pair in found.to_dict()["pairs"]] == [
        pair.result.rounding for pair in found.pairs
    ]
    assert f"may be off by {2 * rounding:.2g}" in found.tables().notes[1]


def test_what_no_path_keeps_to_is_said() -> None:
    found = ged(FIRST, SECOND, upper_bound=1)
    assert [pair.result.distance for pair in found.pairs] == [1, math.inf]
    assert "1 pair without an edit path within the upper bound" in found.tables().notes
    assert "|upper-bound:1|" in found.signature


def test_triples_as_data() -> None:
    assert TripleOverlap(1, 2, (2, 5)).to_dict() == {
        "precision": 0.5,
        "recall": 0.2,
        "f1": 2 / 7,
        "matched": 1,
        "bound": 2,
        "proven": False,
        "sizes": [2, 5],
    }
