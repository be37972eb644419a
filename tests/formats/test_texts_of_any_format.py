"""A text in any format is a graph in memory, as a file of it is on the disk."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import exactmatch
from exactmatch.base.errors import InputError
from exactmatch.formats.blocks import graphs_of_text

UMR = """\
# :: snt1
Index: 1    2
Words: Dogs bark

# sentence level graph:
(s1b / bark-01
    :ARG0 (s1d / dog)
    :aspect habitual)

# alignment:
s1b: 2-2
s1d: 1-1

# document level annotation:
(s1s0 / sentence
    :modal ((author :full-affirmative s1b)))

# :: snt2
Index: 1
Words: Sleep

# sentence level graph:
(s2s / sleep-01)

# alignment:
s2s: 1-1
"""

MRP = (
    '{"id": "7", "framework": "eds", "flavor": 1, "tops": [0], '
    '"nodes": [{"id": 0, "label": "_bark_v_1", "anchors": [{"from": 5, "to": 9}]}, '
    '{"id": 1, "label": "_dog_n_1", "anchors": [{"from": 0, "to": 4}]}], '
    '"edges": [{"source": 0, "target": 1, "label": "ARG1"}]}'
)

NODE_LINK = (
    '{"directed": true, "multigraph": true, "nodes": [{"id": "b", "concept": "bark"}, '
    '{"id": "d", "concept": "dog"}], "links": [{"source": "b", "target": "d", '
    '"role": "ARG0"}]}'
)

TEXTS = {
    "umr": (UMR, "umr", "a.umr"),
    "mrp": (MRP, "mrp", "a.mrp"),
    "sbn": ("dog.n.01\nbark.v.01 Agent -1\n", "drs", "a.sbn"),
    "clauses": ('b1 REF x1\nb1 dog "n.01" x1\n', "drs", "a.clf"),
    "triples": ("b\tinstance\tbark\nb\tARG0\td\nd\tinstance\tdog\n", "clean", "a.tsv"),
    "node-link": (NODE_LINK, "clean", "a.json"),
    "penman": ("# ::id 7\n(b / bark :ARG0 (d / dog))\n", "clean", "a.amr"),
}

every_format = pytest.mark.parametrize(
    ("text", "profile", "name"), TEXTS.values(), ids=TEXTS
)


@every_format
def test_a_text_is_read_as_its_file_is(
    text: str, profile: str, name: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    for counting in (profile, "smatch"):
        (of_file,) = exactmatch.load(tmp_path / name, counting)
        of_text = exactmatch.read(text, counting)
        assert of_text == of_file
        assert of_text.id == of_file.id
        assert of_text.variables


@every_format
def test_a_graph_is_read_again_for_another_profile(
    text: str, profile: str, name: str, tmp_path: Path
) -> None:
    """Whichever profile it was read for at first; also in another process."""
    (tmp_path / name).write_text(text, encoding="utf-8")
    (wanted,) = exactmatch.load(tmp_path / name, profile)
    for given in (exactmatch.load(tmp_path / name)[0], exactmatch.read(text)):
        for graph in (given, pickle.loads(pickle.dumps(given))):
            assert graph.reader == "smatch"
            again = exactmatch.read(graph, profile)
            assert again == wanted
            assert exactmatch.smatch(graph, wanted, profile=profile).score == 1
            assert exactmatch.read(again) == given


def test_documents_are_scored_as_text() -> None:
    """Two concepts of three, an argument; the modal triple and an attribute differ."""
    other = UMR.replace("sleep-01", "doze-01").replace("habitual", "state")
    found = exactmatch.smatch(other, UMR, profile="umr")
    assert (found.matched, found.pred_total, found.gold_total) == (4, 6, 6)
    (pair,) = exactmatch.evaluate([other], [UMR], profile="umr").pairs
    assert pair.score.matched == 4


def test_graphs_are_paired_by_the_ids_of_their_format() -> None:
    other = MRP.replace('"7"', '"8"').replace("dog", "cat")
    report = exactmatch.evaluate([other, MRP], [MRP, other], metric="mrp", by_id=True)
    assert report.score == 1


@pytest.mark.parametrize(
    ("text", "way"),
    [
        (f"{MRP}\n{MRP}\n", "a text holds 2 graphs where one is wanted; give them one"),
        (UMR + UMR, "a text holds 2 graphs where one is wanted; give them one by one"),
        ("(a / b)\n\n(c / d)", "where one is wanted; split it at its blank lines"),
    ],
)
def test_several_graphs_are_refused(text: str, way: str) -> None:
    with pytest.raises(InputError, match=way):
        exactmatch.read(text, "umr")


def test_a_separator_of_lines_in_a_string_ends_no_line_of_json() -> None:
    text = MRP.replace("_dog_n_1", "_dog\u2028n\x851")
    assert len(list(graphs_of_text(f"{text}\n{text}\n"))) == 2
    graph = exactmatch.read(text, profile="mrp")
    assert "_dog\u2028n\x851" in graph.labels


def test_comments_alone_are_no_graph() -> None:
    assert [*graphs_of_text("# ::id 1\n\n# ::id 2\n")] == []
