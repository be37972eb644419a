"""A graph laid out as text is the same graph."""

from typing import Any

import pytest
from hypothesis import given
from support.graph_strategies import graphs

from exactmatch.formats.blocks import blocks_of_text
from exactmatch.formats.readings import read_block
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.penman_text import layout, roots
from exactmatch.graphs.profile import PROFILES


def read(text: str) -> Graph:
    return read_block(next(iter(blocks_of_text(text))), PROFILES["clean"])[0]


def written(graph: Any) -> str:
    """The lines as PENMAN text."""
    lines = []
    for line in layout(graph):
        text = "    " * line.depth + (f":{line.role} " if line.role else "")
        if line.variable is None:
            text += line.constant
        else:
            text += "(" * line.defines + graph.variables[line.variable]
            for k in line.instances:
                text += f" / {graph.labels[graph.instances[k][1]]}"
        lines.append(text + ")" * line.closed)
    return "\n".join(lines)


TEXTS = [
    "(a / x)",
    """\
(w / want-01
    :ARG0 (b / boy)
    :ARG1 (g / go-02
        :ARG0 b))""",
    """\
(s / sell-01
    :ARG0 (p / person
        :quant 2
        :ARG0-of (h / have-rel-role-91
            :ARG2 (b / brother)))
    :ARG1 (t / boat
        :poss (q / person
            :ARG0-of (i / have-rel-role-91
                :ARG1 p
                :ARG2 (f / father)))))""",
    """\
(a / and
    :op1 (x / see-01
        :ARG0 (i / i)
        :ARG1 i)
    :op2 (y / hear-01
        :ARG0 i
        :ARG1-of (c / cause-01
            :ARG0 x)))""",
]


@pytest.mark.parametrize("text", TEXTS)
def test_the_tree_that_was_read_is_found_again(text: str) -> None:
    assert written(read(text)) == text


@given(graph=graphs())
def test_every_triple_stands_on_one_line(graph: Any) -> None:
    lines = layout(graph)
    stated = [k for line in lines for k in line.instances]
    stated += [line.triple for line in lines if line.triple is not None]
    assert sorted(stated) == list(range(len(list(graph.triples()))))
    defined = [line.variable for line in lines if line.defines]
    assert sorted(defined) == list(range(len(graph.variables)))
    assert sum(line.closed for line in lines) == len(defined)
    assert all(line.closed >= 0 for line in lines)


def test_what_hangs_from_nothing_begins_a_tree_of_its_own() -> None:
    graph = Graph.from_triples([("a", "instance", "x"), ("b", "instance", "y")])
    assert written(graph) == "(a / x)\n(b / y)"


def test_the_top_comes_first_and_what_is_late_finds_its_place() -> None:
    """``b`` is related to nothing that stands before it but to ``c``, which does."""
    triples = [
        ("a", "instance", "x"),
        ("b", "instance", "y"),
        ("c", "instance", "z"),
        ("c", "r", "b"),
        ("c", "q", "a"),
    ]
    graph = Graph.from_triples(triples, top="a")
    assert written(graph) == "(a / x\n    :q-of (c / z\n        :r (b / y)))"


def test_a_graph_of_no_variables_has_no_lines() -> None:
    assert layout(Graph((), (), (), (), ())) == []


def test_deep_graphs_need_no_recursion() -> None:
    n = 5000
    triples = [(f"v{k}", "r", f"v{k + 1}") for k in range(n)]
    graph = Graph.from_triples([*triples, (f"v{n}", "instance", "x")])
    assert layout(graph)[-1].closed == n + 1


@given(graph=graphs())
def test_the_roots_are_where_trees_begin(graph: Any) -> None:
    assert roots(graph) == [line.variable for line in layout(graph) if line.depth == 0]
