"""The file's own text, and which triple each line of it states."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.graph_strategies import graphs, linearised, parts

from exactmatch.formats.blocks import blocks_of_text
from exactmatch.formats.readings import read_block
from exactmatch.graphs.drawing.source_text import text_lines, words_of_triples
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES


def read(text: str, profile: Any = "clean") -> Graph:
    return read_block(next(iter(blocks_of_text(text))), PROFILES[profile])[0]


def stated(graph: Any, text: str) -> dict[Any, str]:
    """Each triple with the words of the line that states it."""
    triples = list(graph.triples())
    found = {}
    for line in text_lines(graph, text):
        if line.triple is not None:
            found[triples[line.triple]] = f":{line.role} {line.name or line.constant}"
        for instance in line.instances:
            found[triples[instance]] = f"{line.name} / {line.concept}"
    return found


def again(lines: Any) -> str:
    """The lines as PENMAN text."""
    found = []
    for line in lines:
        head = f":{line.role} " if line.role else ""
        inner = line.name or line.constant
        inner += f" / {line.concept}" if line.concept else ""
        found.append(head + "(" * line.defines + inner + ")" * line.closed)
    return " ".join(found)


TEXT = """\
(p / prince :ARG1-of (k / know-02~e.3 :polarity - :ARG0 p)
   :mod (l / little) :name (n / name :op1 "Ann Lee"~e.4 :op2 "(x)") :quant 2)"""


def test_smatch_turns_mod_round_and_the_line_still_finds_its_triple() -> None:
    found = stated(read(TEXT, "smatch"), TEXT)
    assert found["l", "domain", "p"] == ":mod l"
    assert found["k", "ARG1", "p"] == ":ARG1-of k"
    assert found["k", "ARG0", "p"] == ":ARG0 p"
    assert found["n", "op2", "(x)_"] == ':op2 "(x)"'
    assert found["n", "op1", "Ann"] == ':op1 "Ann Lee"~e.4'


@pytest.mark.parametrize("profile", [name for name in PROFILES if name != "sembleu"])
def test_every_triple_of_every_reading_stands_on_one_line(profile: str) -> None:
    text = TEXT.replace("~e.3", "").replace("~e.4", "")
    graph = read(text, profile)
    lines = text_lines(graph, text)
    assert again(lines).split() == text.split()
    found = [
        k for line in lines for k in (line.triple, *line.instances) if k is not None
    ]
    assert sorted(found) == list(range(len(list(graph.triples()))))


def test_where_a_reader_makes_variables_of_constants_the_graph_is_laid_out() -> None:
    graph = read("(c / chapter :quant 1)", "sembleu")
    assert [line.name for line in text_lines(graph, "(c / chapter :quant 1)")] == [
        "c",
        graph.variables[1],
    ]


def test_what_a_reader_drops_states_nothing() -> None:
    """Smatch 1.0.4 loses ``:mod`` with a constant."""
    graph = read("(c / chapter :mod 1 :quant 1)", "smatch")
    lines = text_lines(graph, "(c / chapter :mod 1 :quant 1)")
    assert [(line.role, line.triple is None) for line in lines[1:]] == [
        ("mod", True),
        ("quant", False),
    ]


@given(plain=parts(connected=True, repeat=False), seed=st.integers(0, 9))
def test_texts_are_kept_word_by_word(plain: Any, seed: int) -> None:
    """Whatever way a graph is written, each triple is on one line, as written."""
    text = linearised(plain, seed)
    graph = read(text)
    lines = text_lines(graph, text)
    assert again(lines).split() == text.split()
    found = [
        k for line in lines for k in (line.triple, *line.instances) if k is not None
    ]
    assert sorted(found) == list(range(len(list(graph.triples()))))
    for line in lines:
        if line.variable is not None:
            assert graph.variables[line.variable] == line.name


@given(graph=graphs())
def test_without_text_the_graph_is_laid_out(graph: Any) -> None:
    for text in (None, "no graph", "(other / text)"):
        lines = text_lines(graph, text)
        found = [line.triple for line in lines if line.triple is not None]
        found += [k for line in lines for k in line.instances]
        assert len(found) == len(set(found)) == len(list(graph.triples()))


@given(
    st.text(alphabet='ab/(): "\\~\n'),
    st.text(alphabet='()ab/: "', max_size=8),
)
def test_no_text_is_too_broken(left: Any, right: Any) -> None:
    """Brackets may miss or be too many; no line is lost and nothing is raised."""
    graph = Graph.from_triples([("a", "instance", "b"), ("a", "a", "b")])
    text_lines(graph, f"{left}(a / b :a b){right}")


def test_words_are_deinverted_and_mod_keeps_its_direction() -> None:
    graph = read(TEXT, "smatch")
    triples = list(graph.triples())
    words: dict[Any, Any] = dict(
        zip(triples, words_of_triples(graph, text_lines(graph, TEXT)), strict=True)
    )
    assert words["l", "domain", "p"] == ("mod", "", True)
    assert words["k", "ARG1", "p"] == ("ARG1", "", False)
    assert words["k", "instance", "know-02~e.3"] == ("", "know-02~e.3", False)
    assert words["k", "polarity", "-"] == ("polarity", "-", False)


def test_without_lines_the_graph_speaks_for_itself() -> None:
    graph = Graph.from_triples(
        [("a", "instance", "b"), ("a", "r", "a"), ("a", "q", "1")]
    )
    assert words_of_triples(graph) == [
        ("", "b", False),
        ("q", "1", False),
        ("r", "", False),
    ]


def test_deep_texts_need_no_recursion() -> None:
    n = 5000
    text = "".join(f"(v{k} / x :r " for k in range(n)) + "1" + ")" * n
    triples = [(f"v{k}", "instance", "x") for k in range(n)]
    triples += [(f"v{k}", "r", f"v{k + 1}") for k in range(n - 1)]
    graph = Graph.from_triples([*triples, (f"v{n - 1}", "r", "1")])
    random.Random(1).shuffle(triples)
    assert text_lines(graph, text)[-1].closed == n
