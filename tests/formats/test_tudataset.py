"""TUDatasets whose tables are not as they should be: read rightly, or refused."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from support.mutations import mutated_text

from exactmatch import InputError
from exactmatch.formats.networks import read_graphs

EDGES = "1, 2\n2, 1\n3, 4\n4, 3\n"


def write(folder: Path, **tables: str) -> str:
    for what, text in tables.items():
        (folder / f"S_{what}.txt").write_text(text, "utf-8")
    return str(folder)


@pytest.mark.parametrize("first", [0, 1])
def test_graphs_are_counted_from_0_or_1(first: int, tmp_path: Path) -> None:
    owners = "".join(f"{first + k}\n" for k in (0, 0, 1, 1))
    found = read_graphs(write(tmp_path, A=EDGES, graph_indicator=owners))
    assert [one.name for one in found] == [str(first), str(first + 1)]
    assert [sorted(one.graph) for one in found] == [[1, 2], [3, 4]]
    assert [one.graph.number_of_edges() for one in found] == [1, 1]


def test_a_graph_without_nodes_is_known_by_its_label(tmp_path: Path) -> None:
    tables = {"graph_indicator": "1\n1\n3\n3\n", "graph_labels": "1\n-1\n1\n"}
    found = read_graphs(write(tmp_path, A=EDGES, **tables))
    assert [len(one.graph) for one in found] == [2, 0, 2]
    assert [one.graph.graph["class"] for one in found] == [1, -1, 1]


OWNERS = "1\n1\n2\n2\n"
WRONG = [
    ({"graph_indicator": "1\n1\n1000000000\n2\n"}, r"indicator\.txt:3: is of graph 1"),
    ({"graph_indicator": "1\n1\n3\n3\n"}, r":3: is of graph 3.*has 2 graphs; number"),
    ({"graph_indicator": "-1\n1\n2\n2\n"}, r":1: is of graph -1"),
    ({"graph_indicator": "1\n1\n2\n2\n", "graph_labels": "1\n"}, "labels of 1 graph"),
    ({"graph_indicator": "1,1\n1,1\n2,2\n2,2\n"}, ":1: is '1, 1'; a line"),
    ({"graph_indicator": "1\n1.5\n2\n2\n"}, ":2: is '1.5'; a line"),
    ({"graph_indicator": "1\n\n\nnan\n2\n2\n"}, ":4: has 'nan', which is not a number"),
    ({"graph_indicator": "1\ninf\n2\n2\n"}, ":2: has 'inf'"),
    ({"graph_indicator": "1\n1e999\n2\n2\n"}, ":2: has '1e999'"),
    ({"graph_indicator": ""}, "A.txt:1: has an edge of 1 and 2; one is not a node"),
    ({"A": "1\n2\n"}, ":1: is '1'; a line of this table is an edge"),
    ({"A": "1, 2, 3\n"}, ":1: is '1, 2, 3'"),
    ({"A": "1, 2\n1\n"}, ":2: has 1 number, where the first line has 2"),
    ({"A": "1, 2.5\n"}, ":1: is '1, 2.5'"),
    ({"A": "1,\n"}, ":1: has '', which is not a number"),
    ({"A": "1, 2\n0, 1\n"}, ":2: has an edge of 0 and 1; one is not a node"),
    ({"A": "1, 2\n2, 3\n"}, ":2: has an edge of 2 and 3; of two graphs"),
    ({"node_labels": "1\n2\nnan\n2\n"}, r"node_labels\.txt:3: has 'nan'"),
    ({"node_labels": "1\n2\n3, 4\n2\n"}, ":3: has 2 numbers, where"),
    ({"node_attributes": "1\n2\n-inf\n2\n"}, r"node_attributes\.txt:3: has '-inf'"),
    ({"node_labels": f"1\n2\n{'7' * 5000}\n2\n"}, ":3: .* more than 18 digits"),
    ({"node_labels": "1\n2\n1_0\n2\n"}, ":3: has '1_0'"),
    ({"edge_labels": "1\n"}, "has 1 line for 4 edges"),
    ({"graph_labels": "1\n1, 2\n"}, ":2: has 2 numbers"),
]


@pytest.mark.parametrize(("tables", "why"), WRONG)
def test_a_wrong_table_is_refused_by_its_line(
    tables: dict[str, str], why: str, tmp_path: Path
) -> None:
    path = write(tmp_path, **({"A": EDGES, "graph_indicator": OWNERS} | tables))
    with pytest.raises(InputError, match=why):
        read_graphs(path)


def test_labels_that_differ_in_the_last_digit_differ(tmp_path: Path) -> None:
    labels = "9007199254740992\n9007199254740993\n1\n1.0\n"
    tables = {"graph_indicator": OWNERS, "node_labels": labels}
    first, second = read_graphs(write(tmp_path, A=EDGES, **tables))
    assert len({label for _, label in first.graph.nodes(data="label")}) == 2
    assert len({label for _, label in second.graph.nodes(data="label")}) == 1


@pytest.mark.slow
def test_tables_broken_at_random_are_read_or_refused(tmp_path: Path) -> None:
    whole = {
        "A": EDGES,
        "graph_indicator": OWNERS,
        "node_labels": "1\n2\n1\n2\n",
        "node_attributes": "1.5, 2\n2, 1e3\n0, -1\n.5, 2\n",
        "graph_labels": "1\n-1\n",
    }
    words = ("0", "-1", "2.5", "nan", "1e400", ",", "\n", "9" * 20, "_", "x", "")
    ends = [0, 0]
    for seed in range(300):
        rng = random.Random(seed)
        broken = rng.choice([*whole])
        text = mutated_text(rng, whole[broken], words)
        text = text.encode("utf-8", "replace").decode()
        path = write(tmp_path, **(whole | {broken: text}))
        try:
            found = read_graphs(path)
        except InputError:
            ends[0] += 1
            continue
        ends[1] += 1
        assert len(found) <= 6, seed
    assert min(ends) > 10, ends
