"""Drawings: partners in one place, every triple drawn once, nothing but text in it."""

from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from support.graph_strategies import aligned_graphs

from exactmatch.formats.blocks import blocks_of_text
from exactmatch.formats.readings import read_block
from exactmatch.graphs.drawing.drawing import (
    ITSELF,
    TOP,
    DrawnSide,
    draw,
    heading_lines,
)
from exactmatch.graphs.drawing.source_text import text_lines
from exactmatch.graphs.drawing.svg import svg
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES

PRED = "(w / want-01 :ARG0 (b / boy :mod (l / little)) :ARG1 (g / go-02 :ARG0 b))"
GOLD = "(w / want-01 :ARG0 (b / boy) :ARG1 (l / leave-11 :ARG1 b :polarity -))"


def read(text: str, profile: Any = "smatch") -> Graph:
    return read_block(next(iter(blocks_of_text(text))), PROFILES[profile])[0]


def words(drawing: Any, picture: Any = 0) -> list[Any]:
    """The text in a picture, an element each."""
    root = ElementTree.fromstring(svg(drawing, picture, styled=False))
    return ["".join(text.itertext()) for text in root.iter("text")]


@given(pair=aligned_graphs())
def test_partners_share_a_place_and_nobody_else_does(pair: Any) -> None:
    second, first, partners = pair
    one, other = draw(DrawnSide(first), DrawnSide(second, partners)).pictures
    places = [node.place for node in one.nodes]
    for node, partner in zip(other.nodes, partners, strict=True):
        if partner == -1:
            assert node.place not in places
        else:
            assert node.place == places[partner]
    for picture in (one, other):
        taken = [node.place for node in picture.nodes]
        assert len(set(taken)) == len(taken)


@given(pair=aligned_graphs())
def test_every_triple_is_drawn_once(pair: Any) -> None:
    second, first, partners = pair
    for picture in draw(DrawnSide(first), DrawnSide(second, partners)).pictures:
        found = [k for node in picture.nodes for k in node.concepts]
        found += [row.triple for node in picture.nodes for row in node.rows]
        found += [edge.triple for edge in picture.edges]
        assert sorted(found) == list(range(len(list(picture.side.graph.triples()))))
        routes = [edge.route for edge in picture.edges]
        assert len(set(routes)) == len(routes)
        for node in picture.nodes:
            lines = [row.line for row in node.rows]
            assert len(set(lines)) == len(lines)


@given(pair=aligned_graphs())
def test_routes_join_the_boxes_of_their_relations(pair: Any) -> None:
    second, first, partners = pair
    drawing = draw(DrawnSide(first), DrawnSide(second, partners))
    for picture in drawing.pictures:
        graph = picture.side.graph
        begin = len(graph.instances) + len(graph.attributes)
        for edge in picture.edges:
            source, _, target = graph.relations[edge.triple - begin]
            route = drawing.placement.routes[edge.route]
            ends = picture.nodes[source].place, picture.nodes[target].place
            assert ends == (route.left, route.right)[:: 1 if edge.onwards else -1]


BOXES = """(b0 / box :member (s0 / person.n.01 :EQU "speaker")
    :NEGATION (b1 / box :member (s1 / run.v.02 :Agent s0) :member (s2 / time.n.08)))"""
OTHER = """(b0 / box :member (s0 / person.n.01 :EQU "speaker")
    :member (s2 / time.n.08)
    :NEGATION (b1 / box :member (s1 / run.v.02 :Agent s0)))"""


def test_members_of_boxes_are_in_frames_and_no_arrows_lead_there() -> None:
    (picture,) = draw(DrawnSide(read(BOXES, "drs"))).pictures
    said = [picture.side.words[edge.triple].role for edge in picture.edges]
    assert sorted(said) == ["Agent", "NEGATION"]
    assert all(row.role != "member" for node in picture.nodes for row in node.rows)
    drawn = svg(draw(DrawnSide(read(BOXES, "drs"))), styled=False)
    assert drawn.count('class="frame"') == 2


def test_members_that_differ_are_said_in_the_boxes() -> None:
    gold, pred = read(BOXES, "drs"), read(OTHER, "drs")
    partners = [gold.variables.index(name) for name in pred.variables]

    def member(graph: Graph, box: str, name: str) -> int:
        ends = graph.variables.index(box), graph.variables.index(name)
        place = [(s, t) for s, _, t in graph.relations].index(ends)
        return len(graph.instances) + len(graph.attributes) + place

    marks: dict[int, Any] = {member(gold, "b1", "s2"): "missing"}
    others: dict[int, Any] = {member(pred, "b0", "s2"): "extra"}
    drawing = draw(
        DrawnSide(gold, marks=marks), DrawnSide(pred, tuple(partners), others)
    )
    assert "− member time.n.08" in words(drawing)
    assert "+ member time.n.08" in words(drawing, 1)
    drawn = [
        {picture.side.words[edge.triple].role for edge in picture.edges}
        for picture in drawing.pictures
    ]
    assert drawn == [{"Agent", "NEGATION"}] * 2


def test_a_role_or_concept_of_that_name_alone_is_no_frame() -> None:
    for text in ("(b / box :member-of (c / club))", "(t / team :member (p / person))"):
        drawing = draw(DrawnSide(read(text)))
        assert len(drawing.pictures[0].edges) == 1
        assert drawing.placement.frames == ()


def test_equal_relations_share_a_route_and_equal_constants_a_line() -> None:
    gold = read("(a / x :r (b / y) :s b :p 1 :q 2)")
    pred = read("(a / x :s (b / y) :r b :q 3 :p 1)")
    one, other = draw(DrawnSide(gold), DrawnSide(pred, (0, 1))).pictures
    names = [
        {picture.side.words[e.triple].role: e.route for e in picture.edges}
        for picture in (one, other)
    ]
    assert names[0] == names[1]
    lines = [
        {row.role: row.line for row in picture.nodes[0].rows}
        for picture in (one, other)
    ]
    assert lines[0] == lines[1]


def test_a_drawing_uses_the_words_of_the_file() -> None:
    graph = read(PRED)
    assert "domain" in words(draw(DrawnSide(graph)))
    found = words(draw(DrawnSide(graph, lines=text_lines(graph, PRED))))
    assert "mod" in found
    assert "domain" not in found


def test_arrows_lead_from_source_to_target() -> None:
    """Whichever of the two is drawn further left."""
    for text, onwards in (
        ("(a / x :r (b / y))", True),
        ("(b / y :r-of (a / x))", False),
    ):
        (edge,) = draw(DrawnSide(read(text))).pictures[0].edges
        assert edge.onwards is onwards


def test_marks_have_signs_beside_their_colours() -> None:
    gold, pred = read(GOLD), read(PRED)
    marks: dict[int, Any] = {2: "missing", 3: "missing", TOP: "missing"}
    drawing = draw(
        DrawnSide(gold, marks=marks),
        DrawnSide(pred, (0, 1, -1, 2), {2: "extra", 3: "changed"}),
    )
    assert {"− leave-11", "− polarity -"} <= set(words(drawing))
    assert {"+ little", "≠ go-02"} <= set(words(drawing, 1))
    assert 'class="top missing"' in svg(drawing)


def test_partners_that_are_not_certain_are_dotted_and_told() -> None:
    certain = DrawnSide(read(PRED), (0, 1, -1, 2))
    unsure = DrawnSide(read(PRED), (0, 1, -1, 2), uncertain={1})
    assert "uncertain" not in svg(draw(DrawnSide(read(GOLD)), certain), 1, styled=False)
    root = ElementTree.fromstring(
        svg(draw(DrawnSide(read(GOLD)), unsure), 1, styled=False)
    )
    (found,) = (g for g in root.iter("g") if "uncertain" in g.get("class").split())
    assert found.find("title").text.endswith(": not in every optimal alignment")


def test_places_that_a_picture_lacks_are_outlined() -> None:
    drawing = draw(DrawnSide(read(GOLD)), DrawnSide(read(PRED), (0, 1, -1, 2)))
    assert svg(drawing).count('class="ghost"') == 1
    assert svg(drawing, 1).count('class="ghost"') == 0


def test_loops_are_said_not_drawn() -> None:
    (picture,) = draw(DrawnSide(read("(a / x :r a)"))).pictures
    assert picture.edges == ()
    assert words(draw(DrawnSide(read("(a / x :r a)")))) == ["x", f"r {ITSELF}"]


def test_variables_without_concept_have_their_name() -> None:
    graph = Graph.from_triples([("a", "r", "b"), ("b", "r", "a")])
    assert words(draw(DrawnSide(graph)))[-2:] == ["a", "b"]


def test_hostile_labels_stay_text() -> None:
    evil = '"<script>alert(1)</script>&\x01'
    graph = Graph.from_triples([("a", "instance", evil), ("a", evil, evil)])
    root = ElementTree.fromstring(svg(draw(DrawnSide(graph))))
    assert {element.tag.rpartition("}")[2] for element in root.iter()} <= {
        "svg", "style", "g", "title", "rect", "path", "text", "tspan"
    }  # fmt: skip
    assert any("<script>" in "".join(text.itertext()) for text in root.iter())


@pytest.mark.parametrize("n", [0, 1])
def test_small_graphs_are_drawn(n: int) -> None:
    graph = Graph.from_triples([("a", "instance", "x")][:n])
    root = ElementTree.fromstring(svg(draw(DrawnSide(graph))))
    assert root.get("role") == "img"
    told = "graph of 1 variable, rooted in x" if n else "graph of 0 variables"
    assert root.get("aria-label") == told


def test_long_labels_are_cut_and_kept_whole_in_the_tooltip() -> None:
    graph = Graph.from_triples([("a", "instance", "x" * 99), ("a", "r", "y" * 99)])
    drawing = draw(DrawnSide(graph))
    assert words(drawing) == [f"{'x' * 31}…", f"r {'y' * 31}…"]
    assert "x" * 99 in svg(drawing)
    assert drawing.boxes[0].width < 300


def test_notebooks_show_graphs_drawn() -> None:
    graph = read(PRED)
    assert graph._repr_html_() == svg(draw(DrawnSide(graph)))


def test_boxes_are_wide_enough_for_their_signs() -> None:
    graph = read("(a / concept)")
    plain = draw(DrawnSide(graph)).boxes[0].width
    assert draw(DrawnSide(graph, marks={0: "extra"})).boxes[0].width > plain


def test_long_concepts_of_several_words_have_up_to_three_lines() -> None:
    assert heading_lines("open-01") == ["open-01"]
    long = "check the stock of every item in the order and reserve it for the customer"
    lines = heading_lines(long)
    assert len(lines) == 3
    assert " ".join(lines).removesuffix("…") == long[: len(" ".join(lines)) - 1]
    graph = Graph.from_triples([("a", "instance", long), ("a", "quant", "2")])
    one = draw(DrawnSide(Graph.from_triples([("a", "instance", "x")])))
    drawing = draw(DrawnSide(graph))
    assert words(drawing) == [*lines, "quant 2"]
    assert drawing.boxes[0].height > one.boxes[0].height + 2 * 14


def test_a_role_that_stands_for_no_label_is_not_written() -> None:
    triples = [("a", "instance", "x"), ("b", "instance", "y"), ("a", "edge", "b")]
    assert words(draw(DrawnSide(Graph.from_triples(triples)))) == ["", "x", "y"]
    marked = draw(DrawnSide(Graph.from_triples(triples), marks={2: "extra"}))
    assert "+ " in words(marked)
    named = [*triples, ("b", "next", "a"), ("b", "then", "a")]
    assert "edge" in words(draw(DrawnSide(Graph.from_triples(named))))


def test_an_empty_graph_says_so() -> None:
    assert words(draw(DrawnSide(Graph.from_triples([])))) == ["empty graph"]


FLOW = [
    *(("a", "instance", "start"), ("b", "instance", "check the stock of every item")),
    *(("c", "instance", "ask"), ("d", "instance", "end"), ("a", "edge", "b")),
    *(("a", "edge", "c"), ("b", "in stock", "d"), ("c", "edge", "d")),
    ("a", "edge", "d"),
]


def test_workflows_are_read_from_above() -> None:
    drawing = draw(DrawnSide(Graph.from_triples(FLOW)))
    corners = {}
    for node in drawing.pictures[0].nodes:
        (x, y), box = drawing.at(node.place), drawing.boxes[node.place]
        corners[node.place] = (x, y - box.anchor, x + box.width, y - box.anchor + 24)
    width, height = drawing.size()
    for left, upper, right, lower in corners.values():
        assert 0 <= left < right <= width
        assert 0 <= upper < lower <= height
    for route in drawing.placement.routes:
        above, below = corners[route.left], corners[route.right]
        assert above[3] < below[1]
        (x0, y0), *_, (x1, y1) = drawing.points(route)
        assert (y0, y1) == (above[3], below[1])
        assert abs(2 * x0 - above[0] - above[2]) <= 1
        assert abs(2 * x1 - below[0] - below[2]) <= 1
    beside = [corners[k] for k in corners if drawing.placement.layers[k] == 1]
    first, second = sorted(beside)
    assert first[2] < second[0]
    assert [word for word in words(drawing) if word in ("in stock", "edge")] == [
        "in stock"
    ]
    assert 'text-anchor="middle"' in svg(drawing)


def test_graphs_with_roles_are_read_from_the_left() -> None:
    drawing = draw(DrawnSide(read(GOLD)), DrawnSide(read(PRED), (0, 1, -1, 2)))
    assert not drawing.is_workflow
    assert drawing.size()[0] > drawing.size()[1]
