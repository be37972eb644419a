"""DOT is read as Graphviz reads it, in one pass."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from exactmatch.base.errors import InputError
from exactmatch.formats.dot import dot
from exactmatch.formats.formats import looks_like
from exactmatch.formats.network_texts import NamedGraph
from exactmatch.formats.networks import read_graphs
from exactmatch.formats.readings import load


def the(text: str) -> NamedGraph:
    """Return the one graph of a text, which is recognised."""
    assert looks_like(text) == "dot"
    (found,) = dot(text, "x.dot", None)
    return found


def edges(text: str) -> list[tuple[Any, ...]]:
    return list(the(text).graph.edges(data="label"))


def test_names_attributes_and_direction(tmp_path: Path) -> None:
    text = 'digraph g { "a b" -> c [label="x:y"]; c -> "p:q"; c [color=red, n] }'
    (tmp_path / "a.dot").write_text(text)
    (found,) = read_graphs(str(tmp_path / "a.dot"))
    assert found.name == "g"
    assert found.graph.is_directed()
    assert dict(found.graph.nodes(data=True)) == {
        "c": {"color": "red", "n": None},
        "a b": {},
        "p:q": {},
    }
    assert edges(text) == [("a b", "c", "x:y"), ("c", "p:q", None)]
    one, two = dot("graph {a -- b -- a}; strict graph {a -- b -- a}", "x", "stem")
    assert [len(found.graph.edges) for found in (one, two)] == [2, 1]
    assert not one.graph.is_directed()


def test_styles_for_all_are_left_out_and_labels_taken() -> None:
    found = the(
        "digraph\n{\n node [shape=box, label=x]; edge [color=gray, label=r];\n "
        "rankdir=LR\n a [label=open]; a -> b; { node [label=y]; c } d; "
        r'node [label="\N"] e; f [label="\N"] }'
    )
    labels = dict(found.graph.nodes(data="label"))
    assert labels == {"a": "open", "b": "x", "c": "y", "d": "x", "e": None, "f": None}
    assert list(found.graph.edges(data="label")) == [("a", "b", "r")]
    assert dict(found.left_out) == {
        "attributes for all nodes or edges": 2,
        "attributes of the graph or its groups": 1,
        "groups of nodes": 1,
    }


def test_groups_are_dissolved_and_joined() -> None:
    text = (
        "graph { subgraph cluster_0 { a -- b; label=x } -- c; subgraph cluster_0 -- d }"
    )
    assert [edge[:2] for edge in edges(text)] == [
        *(("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"))
    ]
    assert edges("digraph { {a b} -> {c d} -> e }") == [
        *(("a", "c", None), ("a", "d", None), ("b", "c", None), ("b", "d", None)),
        *(("c", "e", None), ("d", "e", None)),
    ]


def test_ports_comments_numbers_and_joined_texts() -> None:
    found = the(
        '# a\n/* "{ */ digraph "my" + " graph" { // ->\n a:p:n -> "b:c":q; '
        "-.5 -> 7. ;\n"
        '# b -> c\n h [label=<a <b>c</b> "d>] q [label="x \\" \\\\" + "y\\\nz"]; }'
    )
    assert found.name == "my graph"
    assert list(found.graph.edges()) == [("a", "b:c"), ("-.5", "7.")]
    assert found.graph.nodes["h"] == {"label": '<a <b>c</b> "d>'}
    assert found.graph.nodes["q"] == {"label": 'x " \\\\yz'}
    assert found.left_out["ports"] == 2


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("graph { a -> b }", "x:1: is not DOT: '->' is not an edge of a graph"),
        ("digraph { a -- b }", "'--' is not an edge of a digraph"),
        ("graph { a -- b } x", "'x' stands where 'graph' is wanted"),
        ("graph { a -- b }\ngraph {", "x:2: is not DOT: a '{' is not closed"),
        ("graph { a -- ", "a '{' is not closed"),
        ("graph { a -- }", "an edge has no second end"),
        ('graph { "a }', "a quote is not closed"),
        ("graph { <a }", "a '<' is not closed"),
        ("graph { /* a }", "a comment is not closed"),
        ("graph { a = [b] }", "'\\[' stands where a name is wanted"),
        ("graph { a ! b }", "'!' is not a sign of it"),
        ("graph { " + "{" * 200, "nest more than 100 deep"),
        (
            f"digraph {{ {{{' '.join(f'a{k}' for k in range(400))}}} -> "
            f"{{{' '.join(f'b{k}' for k in range(400))}}} }}",
            "x: joins groups of nodes by 160,000 edges; at most 100,000 are read",
        ),
    ],
)
def test_what_is_not_dot_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        list(dot(text, "x", None))


def test_edges_of_a_group_that_is_named_again_are_counted() -> None:
    nodes = " ".join(f"a{k}" for k in range(2000))
    text = f"digraph {{ subgraph c {{{nodes}}} {'subgraph c -> x;' * 2000} }}"
    with pytest.raises(InputError, match="at most 100,000"):
        list(dot(text, "x", None))


def test_what_is_left_out_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.dot").write_text("digraph { subgraph x { a:p -> b } }")
    (graph,) = load(tmp_path / "a.dot")
    assert len(graph.variables) == 2


def test_a_name_of_html_is_not_the_same_in_quotes() -> None:
    found = the(
        'digraph { <a>; "<a>" -> a; "<a>" [label="\\N", x=y]; <a> -> "<a>\'"; '
        'subgraph <a> { b } subgraph "<a>" { c; d } subgraph <a> -> a }'
    )
    labels = dict(found.graph.nodes(data="label"))
    assert labels == {
        **dict.fromkeys(["<a>", "a", "b", "c", "d"]),
        "<a>'": "<a>",
        "<a>''": "<a>'",
    }
    assert {*found.graph.edges()} == {("<a>'", "a"), ("<a>", "<a>''"), ("b", "a")}


@pytest.mark.parametrize("charset", ["latin1", '"ISO-8859-1"', "Latin-1", '"l1"'])
def test_a_file_in_latin_1_says_so(charset: str, tmp_path: Path) -> None:
    path = tmp_path / "a.dot"
    text = f"graph {{ graph [charset={charset}] // {'x' * 2**17}\n a [label=h\xf4te] }}"
    path.write_bytes(text.encode("latin-1"))
    notes: list[str] = []
    for _ in range(2):
        (found,) = read_graphs(str(path), note=notes.append)
        assert dict(found.graph.nodes(data="label")) == {"a": "h\xf4te"}
        (graph,) = load(path)
        assert "h\xf4te" in graph.labels
        path.write_text(text, "utf-8")  # converted since
    assert len(notes) == 2


@pytest.mark.parametrize("charset", ["", "charset=latin2", "charset=iso-8859-15"])
def test_a_file_in_another_encoding_is_refused(charset: str, tmp_path: Path) -> None:
    path = tmp_path / "a.dot"
    path.write_bytes(f"graph {{ {charset}\n h\xf4te }}".encode("latin-1"))
    for read in (read_graphs, lambda name: load(Path(name))):
        with pytest.raises(InputError, match=r"a\.dot:2: byte 0xf4 is not UTF-8"):
            read(str(path))
