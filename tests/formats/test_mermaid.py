"""Flowcharts are read as Mermaid reads them, in one pass."""

from __future__ import annotations

import io
from typing import Any

import pytest

from exactmatch.base.errors import InputError
from exactmatch.formats.formats import looks_like
from exactmatch.formats.machine.json_graphs import network_in
from exactmatch.formats.machine.mermaid import mermaid_blocks
from exactmatch.formats.machine.network import Network


def charts(text: str) -> list[Network]:
    lines = io.StringIO(text, newline=None)
    return [network_in(block) for block in mermaid_blocks(lines, "x.mmd")]


def the(text: str) -> Network:
    """Return the one chart of a text, which is recognised."""
    assert looks_like(text) == "mermaid"
    (found,) = charts(text)
    return found


def labels(text: str) -> dict[str, str | None]:
    return {name: label for name, (label, _) in the(text).nodes.items()}


def edges(text: str) -> list[tuple[Any, ...]]:
    return [*the(f"graph TD\n{text}").edges]


LANGGRAPH = """%%{init: {
  'flowchart': {'curve': 'linear'}}}%%
graph TD;
\t__start__([<p>__start__</p>]):::first
\tmy\\20node(my node)
\t__end__([<p>__end__</p>]):::last
\t__start__ --> my\\20node;
\tmy\\20node -. &nbsp;go on&nbsp; .-> __end__;
\tclassDef default fill:#f2f0ff,line-height:1.2
\tclassDef first fill-opacity:0
"""


def test_what_langgraph_draws() -> None:
    assert labels(LANGGRAPH) == {
        "__start__": "__start__",
        "my\\20node": "my node",
        "__end__": "__end__",
    }
    assert the(LANGGRAPH).edges[1] == ("my\\20node", "go on", "__end__")
    assert labels("graph TD\na\\20b")["a\\20b"] == "a b"
    assert +the(LANGGRAPH).left_out == {"statements of style": 2}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("A -- yes, go --> B", [("A", "yes, go", "B")]),
        ('A -- "yes; --> go" --> B', [("A", "yes; --> go", "B")]),
        ("A == yes ==> B", [("A", "yes", "B")]),
        ("A -. yes .-> B -. no .- C", [("A", "yes", "B"), ("B", "no", "C")]),
        ("A -->|yes| B ---|no| C", [("A", "yes", "B"), ("B", "no", "C")]),
        ("A e1@--> B\ne1@{ animate: true }", [("A", None, "B")]),
        ("A e1@-- yes --> B", [("A", "yes", "B")]),
        ("A-->B\n-->C -->\nD", [("A", None, "B"), ("B", None, "C"), ("C", None, "D")]),
        ("A <--> B", [("A", None, "B"), ("B", None, "A")]),
        ("A --x B --o C", [("A", None, "B"), ("B", None, "C")]),
        ("A---oB", [("A", None, "B")]),
        ("A -- B\nC -- D", [("A", None, "B"), ("C", None, "D")]),
        ("a-b --> c.d", [("a-b", None, "c.d")]),
        ("account --> classes; account --> B", None),
        ("A --> B %% what it means", [("A", None, "B")]),
        ("A & B --> C & D", None),
    ],
)
def test_links(text: str, wanted: list[tuple[Any, ...]] | None) -> None:
    found = edges(text)
    if wanted is None:
        assert len(found) == text.count("&") ** 2 or len(found) == text.count("-->")
    else:
        assert found == wanted


@pytest.mark.parametrize(
    ("node", "label"),
    [
        ('["a [b] (c); d"]', "a [b] (c); d"),
        ("[over\n two lines]", "over two lines"),
        ('["over\n two lines"]', "over two lines"),
        ("[foo (bar)]", "foo (bar)"),
        ("((a))", "a"),
        ("(((a)))", "a"),
        ("([a])", "a"),
        ("[[a]]", "a"),
        ("[(a)]", "a"),
        ("[/a/]", "a"),
        ("[\\a/]", "a"),
        ("[/a\\]", "a"),
        ("{{a}}", "a"),
        ("{a?}", "a?"),
        (">a]", "a"),
        ("(-a-)", "a"),
        ('@{ shape: rect, label: "a, b" }', "a, b"),
        ("@{ label: a b\n shape: rect }", "a b"),
        ("@{ label: |\n   two\n   lines\n shape: rect\n}", "two lines"),
        ('["#quot;a#quot; #9829; #35;1 &lt;b> &amp; <b>c</b><br/>d #x"]', None),
        ('["`**a**`"]', "**a**"),
    ],
)
def test_texts_of_nodes(node: str, label: str | None) -> None:
    expected = '"a" ♥ #1 <b> & c d #x' if label is None else label
    assert labels(f"graph TD\nA{node}:::x --> B")["A"] == expected


def test_a_style_makes_a_node_but_of_subgraphs_and_links() -> None:
    found = the(
        "graph TD\nstyle bar fill:#999\nsubgraph bar[Bar]\nF\nend\nsubgraph one two\n"
        'G\nend\nsubgraph "q r"\nend\nstyle subGraph0 fill:red\nF e1@--> G\n'
        "style e1 stroke:red\nstyle L_F_G_0 stroke:red\nstyle Q fill:red;style F x:y\n"
        "class new red\nclassDef newer fill:red"
    )
    assert [*found.nodes] == ["F", "G", "Q"]
    assert found.left_out["statements of style"] == 8
    (_, second) = charts("graph TD\nsubgraph s\nend\ngraph TD\nstyle s fill:red")
    assert [*second.nodes] == ["s"]


def test_what_is_left_out_is_counted() -> None:
    found = the(
        "flowchart\naccTitle: a\naccDescr {\n a --> b }\nsubgraph x[y;\n direction LR\n"
        'a ~~~ b\nend\nstyle a fill:red;click a "x\ny"\nclick-up'
    )
    assert [*found.nodes] == ["a", "b", "click-up"]
    assert +found.left_out == {
        "statements of style": 4,
        "groups of nodes": 1,
        "invisible links": 1,
    }


def test_several_charts_and_what_comments_say() -> None:
    text = (
        "---\ntitle: t\n---\n%% ::id 1\ngraph TD\na\r\n%% ::id 2\nflowchart LR;b%%c\n"
    )
    one, two = charts(text + "%% ::snt x")
    assert one.metadata == {"title": "t", "id": "1"}
    assert two.metadata == {"id": "2", "snt": "x"}
    assert [*two.nodes] == ["b%%c"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("graph TD\n\na --> --> b", "x.mmd:3: has '-->"),
        ("graph TD\na -->", "has 'the end' where a node is wanted"),
        ("graph TD\na [", "has '\\[', no link"),
        ("graph TD\na\nb[c\nd", "x.mmd:3: has '\\[c', no link"),
        ("pie\na", "x.mmd:1: is not a flowchart"),
        (
            "graph TD\na -->b\n" + "&".join("a" * 400) + "-->" + "&".join("b" * 400),
            "x.mmd:3: joins groups of nodes by 160,000 edges; at most 100,000",
        ),
    ],
)
def test_what_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        charts(text)


@pytest.mark.parametrize("text", ["graph\n[\n node [ id 1 ]\n]", "graph\n{ a -- b }"])
def test_other_formats_are_not_taken_for_charts(text: str) -> None:
    assert looks_like(text) == ("gml" if "[" in text else "dot")


@pytest.mark.parametrize(
    "unit",
    ["#a;", "a((x)&", "a[[x]-->", "a{{x}-->", "b[#a;", "a-->", "a -- ", "@{", "a@"],
)
def test_attacks_cost_linear_time(unit: str) -> None:
    text = f"graph TD\n{unit * (30_000 // len(unit))}"
    if unit == "#a;":
        assert [*the(text).nodes] == ["#a"]
        return
    with pytest.raises(InputError, match=r"no link|a node is wanted"):
        charts(text)
