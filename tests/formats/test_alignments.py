"""Alignments of nodes with words: tags, ISI's addresses, JAMR's."""

from __future__ import annotations

import pytest

from exactmatch.base.errors import GraphError
from exactmatch.formats.alignments import (
    places_of,
    sentence_of,
    with_anchors,
    words_of_nodes,
)
from exactmatch.formats.readings import as_graph
from exactmatch.graphs.graph import Origin
from exactmatch.graphs.profile import get_profile

ORIGIN = Origin("gold.amr", 7, "one")
TAGGED = """\
# ::tok the boy wants to go to New York
(w / want-01~e.2
   :ARG0~e.1 (b / boy~e.1)
   :ARG1 (g / go-02~e.4
            :ARG0 b~e.1
            :ARG4 (c / city :name (n / name~e.6,7 :op1 "New"~e.6 :op2 "York"~e.7))))
"""
PLAIN = """\
# ::tok the boy wants to go to New York
# ::alignments {}
(w / want-01
   :ARG0 (b / boy)
   :ARG1 (g / go-02
            :ARG0 b
            :ARG4 (c / city :name (n / name :op1 "New" :op2 "York"))))
"""
FOUND = {"w": (2,), "b": (1,), "g": (4,), "n": (6, 7)}


def found_in(text: str) -> dict[str, tuple[int, ...]]:
    return words_of_nodes(text.splitlines(), ORIGIN)[1]


def test_tags_of_concepts_count_and_those_of_roles_and_mentions_do_not() -> None:
    assert found_in(TAGGED) == FOUND


@pytest.mark.parametrize(
    "stated",
    [
        "2-1 1-1.1 1-1.1.r 4-1.2 6-1.2.2.1 7-1.2.2.1 1-1.2.1 6-1.2.2.1.1",
        "2-3|0 1-2|0.0 4-5|0.1 6-8|0.1.0.0+0.1.0.0.1 ::annotator Aligner v.02",
    ],
    ids=["isi", "jamr"],
)
def test_addresses_name_the_nodes_that_tags_would_stand_at(stated: str) -> None:
    """In ISI's form "b" is the first branch of "g"; in JAMR's "c" is."""
    assert found_in(PLAIN.format(stated)) == FOUND


def test_tags_count_where_both_are() -> None:
    text = TAGGED.replace("(w /", "(w /", 1).replace("York\n", "York\n", 1)
    first, _, rest = text.partition("\n")
    assert found_in(f"{first}\n# ::alignments 0-1\n{rest}") == FOUND


@pytest.mark.parametrize(
    ("stated", "message"),
    [
        ("2-1.5", "has an alignment of node 1.5, which it does not have"),
        ("2-3|0.9", "has an alignment of node 0.9, which it does not have"),
        ("want-1", "has the alignment 'want-1'; write word-node, as 3-1.2"),
        ("8-1", "is aligned to word 8, but its sentence has 8 words, counted from 0"),
    ],
)
def test_a_wrong_alignment_is_named(stated: str, message: str) -> None:
    with pytest.raises(GraphError) as caught:
        found_in(PLAIN.format(stated))
    assert str(caught.value).startswith("gold.amr:7: graph 'one' ")
    assert message in str(caught.value)


def test_words_are_those_of_the_sentence_where_there_are_no_tokens() -> None:
    text = "# ::snt He spoke .\n(s / speak-01~e.1 :ARG0 (h / he~e.0))"
    graph = with_anchors(as_graph(text, get_profile("clean")), text.splitlines())
    assert sentence_of(graph) == ("He", "spoke", ".")
    assert graph.variables == ("s", "h")
    assert places_of(graph) == [[1], [0]]


def test_a_graph_without_text_or_alignments_has_no_places() -> None:
    triples = [("a", "instance", "b"), ("a", "ARG0", "c"), ("c", "instance", "d")]
    graph = with_anchors(as_graph(triples, get_profile("clean")), ())
    assert (sentence_of(graph), places_of(graph)) == ((), [[], []])
    text = "(a / b)"
    graph = with_anchors(as_graph(text, get_profile("clean")), [text])
    assert (sentence_of(graph), places_of(graph)) == ((), [[]])
