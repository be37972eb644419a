"""Layered diagrams: nothing overlaps, links lead onwards, trees do not cross."""

import sys
from itertools import combinations, pairwise
from typing import Any
from unittest import mock

from hypothesis import given
from hypothesis import strategies as st
from support.work import calls_of

from exactmatch.base import compiled as kernels
from exactmatch.graphs.drawing import layered
from exactmatch.graphs.drawing.layered import BEND, TIP, Box, Link, placed


@st.composite
def diagrams(draw: st.DrawFn, *, tree: Any = False) -> Any:
    """Boxes and links; of a tree the deeper box hangs from one before it."""
    n = draw(st.integers(0, 8))
    sizes = st.tuples(st.integers(10, 90), st.sampled_from([24, 43, 58]))
    boxes: list[Any] = []
    links: list[Any] = []
    for k in range(n):
        width, height = draw(sizes)
        depth = 0 if tree else draw(st.integers(0, 4))
        if tree and k:
            parent = draw(st.integers(0, k - 1))
            depth = boxes[parent].depth + 1
            links.append(Link(parent, k, draw(st.integers(5, 60))))
        boxes.append(Box(width, height, 12, depth))
    if n > 1 and not tree:
        ends = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))
        for source, target in draw(st.lists(ends, max_size=12)):
            if source != target:
                links.append(Link(source, target, draw(st.integers(5, 60))))
    return boxes, links


def crossings(found: Any) -> int:
    """Pairs of links that change sides between two layers, by their heights alone."""
    steps: dict[Any, Any] = {}
    for route in found.routes:
        heights = (found.tops[route.left], *route.heights, found.tops[route.right])
        for k, step in enumerate(pairwise(heights), 2 * found.layers[route.left]):
            steps.setdefault(k, []).append(step)
    return sum(
        (a[0] - b[0]) * (a[1] - b[1]) < 0
        for found_there in steps.values()
        for a, b in combinations(found_there, 2)
    )


@given(diagram=diagrams())
def test_boxes_keep_apart_and_inside(diagram: Any) -> None:
    boxes, links = diagram
    found = placed(boxes, links)
    for a, b in combinations(range(len(boxes)), 2):
        if found.layers[a] == found.layers[b]:
            upper, lower = sorted((a, b), key=lambda k: found.tops[k])
            end = found.tops[upper] - boxes[upper].anchor + boxes[upper].height
            assert end <= found.tops[lower] - boxes[lower].anchor
    for box, layer, height in zip(boxes, found.layers, found.tops, strict=True):
        assert found.starts[layer] >= 0
        assert found.starts[layer] + box.width <= found.ends[layer] <= found.width
        assert height - box.anchor >= 0
        assert height - box.anchor + box.height <= found.height


@given(diagram=diagrams())
def test_links_lead_to_a_later_layer_and_have_room_for_their_labels(
    diagram: Any,
) -> None:
    boxes, links = diagram
    found = placed(boxes, links)
    labels: dict[Any, Any] = {}
    for link, route in zip(links, found.routes, strict=True):
        assert {route.left, route.right} == {link.source, link.target}
        left, right = found.layers[route.left], found.layers[route.right]
        assert left < right
        assert len(route.heights) == 2 * (right - left) - 1
        assert boxes[route.left].depth <= boxes[route.right].depth
        room = found.starts[right] - found.ends[right - 1]
        assert room >= BEND + link.width + TIP
        labels.setdefault(right, []).append(route.heights[-1])
    for heights in labels.values():
        assert all(b - a >= 11 for a, b in pairwise(sorted(heights)))


@given(diagram=diagrams())
def test_links_pass_between_boxes(diagram: Any) -> None:
    boxes, links = diagram
    found = placed(boxes, links)
    for route in found.routes:
        first = found.layers[route.left]
        for layer, height in enumerate(route.heights[1::2], first + 1):
            for k, box in enumerate(boxes):
                if found.layers[k] == layer:
                    top = found.tops[k] - box.anchor
                    assert not top < height < top + box.height


@given(diagram=diagrams(tree=True))
def test_trees_have_no_crossings_and_the_depths_asked_for(diagram: Any) -> None:
    boxes, links = diagram
    found = placed(boxes, links)
    assert found.layers == tuple(box.depth for box in boxes)
    assert crossings(found) == 0


def test_crossings_that_need_not_be_are_avoided() -> None:
    """Two parents whose children are listed the other way round."""
    boxes = [Box(20, 24, 12, depth) for depth in (0, 0, 1, 1)]
    links = [Link(0, 3, 10), Link(1, 2, 10), Link(0, 3, 10)]
    assert crossings(placed(boxes, links)) == 0


def test_a_chain_is_straight_and_a_parent_stands_amid_its_children() -> None:
    boxes = [Box(20, 24, 12, k) for k in range(3)]
    links = [Link(0, 1, 30), Link(1, 2, 30)]
    found = placed(boxes, links)
    assert len({*found.tops, *(h for r in found.routes for h in r.heights)}) == 1
    boxes = [Box(20, 24, 12, 0), *[Box(20, 24, 12, 1)] * 3]
    found = placed(boxes, [Link(0, k, 30) for k in (1, 2, 3)])
    assert found.tops[0] == found.tops[2]
    assert sum(found.tops[1:]) == 3 * found.tops[0]


@given(diagram=diagrams(), data=st.data())
def test_frames_hold_their_own_boxes_and_no_others(diagram: Any, data: Any) -> None:
    boxes, links = diagram
    heads = data.draw(st.lists(st.sampled_from(range(len(boxes))))) if boxes else []
    bands = {head: head for head in heads}
    for k in range(len(boxes)):
        if heads and k not in bands and data.draw(st.booleans()):
            bands[k] = data.draw(st.sampled_from(heads))
    boxes = [
        box._replace(band=bands.get(k, layered.NO_BAND)) for k, box in enumerate(boxes)
    ]
    ties = [(head, k) for k, head in bands.items() if k != head]
    found = placed(boxes, links, ties)
    assert len(found.routes) == len(links)
    assert {frame.box for frame in found.frames} == {head for head, _ in ties}
    edges = {
        k: (found.starts[layer], found.tops[k] - boxes[k].anchor)
        for k, layer in enumerate(found.layers)
    }
    for frame in found.frames:
        for k, (x, y) in edges.items():
            across = frame.x <= x and x + boxes[k].width <= frame.x + frame.width
            down = frame.y <= y and y + boxes[k].height <= frame.y + frame.height
            apart = y + boxes[k].height <= frame.y or frame.y + frame.height <= y
            assert (across and down) if boxes[k].band == frame.box else apart
        assert frame.y >= 0
        assert frame.y + frame.height <= found.height
    for head, k in ties:
        assert found.layers[head] != found.layers[k]


def test_bands_change_places_where_links_cross_less() -> None:
    """The third band is linked with the first alone, the second with nothing."""
    boxes = [Box(20, 24, 12, depth, band) for band in (0, 2, 4) for depth in (0, 1)]
    links = [Link(0, 5, 10), Link(4, 1, 10), Link(2, 3, 10), Link(2, 3, 10)]
    found = placed(boxes, links, [(0, 1), (2, 3), (4, 5)])
    assert crossings(found) == 1


def test_circles_are_opened() -> None:
    boxes = [Box(20, 24, 12, 1)] * 3
    links = [Link(0, 1, 5), Link(1, 2, 5), Link(2, 0, 5)]
    found = placed(boxes, links)
    assert sorted(found.layers) == [0, 1, 2]


def test_nothing_takes_no_room() -> None:
    found = placed([], [])
    assert (found.width, found.height, found.routes) == (0, 0, ())


def test_long_chains_need_no_recursion() -> None:
    n = sys.getrecursionlimit() + 1
    boxes = [Box(20, 24, 12, k) for k in range(n)]
    found = placed(boxes, [Link(k, k + 1, 5) for k in range(n - 1)])
    assert found.layers == tuple(range(n))


def test_a_chain_of_twice_the_length_is_twice_the_work() -> None:
    def work(n: int) -> int:
        boxes = [Box(20, 24, 12, k) for k in range(n)]
        links = [Link(k, k + 1, 5) for k in range(n - 1)]
        return calls_of(lambda: placed(boxes, links))

    few, more, most = work(100), work(200), work(400)
    assert most - more <= 2 * (more - few) + 20


@given(diagram=diagrams())
def test_the_kernel_places_as_its_source_does(diagram: Any) -> None:
    name = "exactmatch.graphs.drawing._rows"
    loaded, interpreted = kernels.load(name), kernels.load_interpreted(name)
    with mock.patch.object(layered, "_rows", loaded):
        found = placed(*diagram)
    with mock.patch.object(layered, "_rows", interpreted):
        assert placed(*diagram) == found
