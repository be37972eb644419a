"""Places of boxes and links in a layered diagram, read from left to right.

A diagram that is read from above is one with both sides of everything exchanged, which
``drawing.py`` does.

Every link points from one layer of boxes to a later one, and has a label.  Between
two layers of boxes lies a layer of labels; a link takes a *slot* in each layer that it
passes, so that neither it nor its label runs through a box::

    boxes   labels  boxes   labels   boxes
    want ─┬─ ARG0 ──────────────────▶ boy
          └─ ARG1 ▶ go ──── ARG0 ───▶ boy

Three steps, none of which is random:

1. *Layers*: the longest path from the left; a link that would lead backwards is
   turned round.
2. *Order* in each layer: first that of a walk along the links, which has no crossings
   if they form a tree.  If there are crossings, orders by the mean place of neighbours
   are tried (the barycentre heuristic), and the one with fewest crossings is kept.
3. *Heights*: the least sum of squared bends under the order found, one layer after the
   other; in one layer that is an isotonic regression, which has an exact solution.

Boxes may stand in *bands*, one above the other, each with a frame around its boxes: no
box of another band stands within, in whatever layer.  Orders keep bands together, and
each has its own heights.

Sources: Sugiyama, Tagawa and Toda (1981), "Methods for visual understanding of
hierarchical system structures"; Barth, Jünger and Mutzel (2002), "Simple and efficient
bilayer cross counting"; Ayer et al. (1955) for the regression.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter
from itertools import accumulate
from operator import itemgetter, sub
from typing import Any, NamedTuple

from exactmatch.base import compiled as kernels
from exactmatch.base.deadline import check, in_time
from exactmatch.graphs.drawing.bands import Banded
from exactmatch.graphs.graph import reached

_rows: Any = kernels.load("exactmatch.graphs.drawing._rows")


NO_BAND = -1


class Box(NamedTuple):
    """A box to be placed."""

    width: int
    height: int
    anchor: int  # how far below its upper edge links meet it
    depth: int  # of two boxes that are linked, the one with the smaller is left
    band: int = NO_BAND  # the box whose frame is around it; its own may be


class Link(NamedTuple):
    """A line between two different boxes, and the size of its label."""

    source: int
    target: int
    width: int
    reach: int = 6  # of the label, above and below the line


class Route(NamedTuple):
    """The way of one link, whose target may be either of its ends.

    It has a height in each layer that it passes, labels' layers and boxes' layers by
    turns; the label stands at the last of them.
    """

    left: int
    right: int
    heights: tuple[int, ...]


class Frame(NamedTuple):
    """The frame of a band: its upper left corner and its size."""

    box: int
    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Placement:
    """Positions of boxes, links and frames."""

    layers: tuple[int, ...]  # of each box, from 0
    tops: tuple[int, ...]  # the height of each box's anchor
    starts: tuple[int, ...]  # the left end of each layer of boxes
    ends: tuple[int, ...]  # its right end
    routes: tuple[Route, ...]
    width: int
    height: int
    frames: tuple[Frame, ...] = ()


BEND = 22  # room for a link to bend before its label
TIP = 17  # room for a link to bend and end behind its label
FRAME = 8  # between a frame and its contents
_OVER = 12  # of the numbers above boxes
_GAP = 9
_PASSAGE = 4
_STIFF = 8.0
_SECONDS_A_SLOT = 1.5e-5


class _Slots(NamedTuple):
    """The places in all layers: the boxes, labels, and where links pass."""

    boxes: Sequence[Box]
    links: Sequence[Link]
    ends: list[tuple[int, int]]  # each link's left and right box
    layers: list[int]  # of each box
    above: list[float]  # how far each slot reaches from its height
    below: list[float]
    steps: list[tuple[int, int, float]]  # between two of them, and how much it pulls
    paths: list[range]  # the slots that each link takes on its way
    bands: list[int]  # of each slot

    def near(self, end: int) -> tuple[array[int], array[float], array[int]]:
        """Return the neighbours of each slot, after (0) or before it (1)."""
        steps = sorted(self.steps, key=itemgetter(end))
        sizes = Counter(s[end] for s in steps)
        starts = accumulate((sizes[k] for k in range(len(self.above))), initial=0)
        neighbours: array[int] = array("i", (s[0] if end else s[1] for s in steps))
        return neighbours, array("d", (s[2] for s in steps)), array("i", starts)


def placed(
    boxes: Sequence[Box],
    links: Sequence[Link],
    ties: Sequence[tuple[int, int]] = (),
) -> Placement:
    """Place boxes, which come in the order in which they should be read, and links.

    *Ties* are links that are not drawn: of two boxes the second stands to the right.

    Raises:
        OutOfTimeError: if there is a limit of time (``base/deadline.py``), and it is
            over or will be before all have their places.
    """
    if any(box.band != NO_BAND for box in boxes):
        tried = [_banded(_slots(boxes, links, ties, end)) for end in (0, 1)]
        slots, banded = min(
            tried, key=lambda slots_and_bands: slots_and_bands[1].crossings()
        )
        return _placement(slots, _in_bands(slots, banded))
    slots = _slots(boxes, links, ties)
    walked = _walked(slots)
    order = array("i", (slot for row in walked for slot in row))
    begins = array("i", accumulate(map(len, walked), initial=0))
    rows = _rows.Rows(order, begins, slots.near(1), slots.near(0))
    rows.uncross()
    heights = rows.settle(slots.above, slots.below)
    return _placement(slots, heights)


def unplaced(links: Sequence[Link]) -> Placement:
    """Return what stands for places that there was no time to find."""
    routes = tuple(Route(link.source, link.target, ()) for link in links)
    return Placement((), (), (), (), routes, 0, 0)


def _banded(slots: _Slots) -> tuple[_Slots, Banded]:
    """Return the rows of slots in bands, with few crossings."""
    steps = (step[:2] for step in slots.steps)
    banded = Banded(_walked(slots), steps, slots.bands)
    banded.uncross()
    return slots, banded


def _in_bands(slots: _Slots, banded: Banded) -> list[float]:
    """Return the height of each slot: bands lie beneath each other, bends are few."""
    heights = [0.0] * len(slots.bands)
    level = 0.0
    for band in banded.order():
        rows = [[k for k in row if slots.bands[k] == band] for row in banded.rows]
        band_slots = [slot for row in rows for slot in row]
        numbers = {slot: number for number, slot in enumerate(band_slots)}
        steps = [
            (numbers[left], numbers[right], pull)
            for left, right, pull in slots.steps
            if left in numbers and right in numbers
        ]
        above = [slots.above[slot] for slot in band_slots]
        below = [slots.below[slot] for slot in band_slots]
        part = slots._replace(steps=steps, above=above, below=below)
        begins = array("i", accumulate(map(len, rows), initial=0))
        order = array("i", range(len(band_slots)))
        settled = _rows.Rows(order, begins, part.near(1), part.near(0)).settle(
            above, below
        )
        level += FRAME + _OVER - min(map(sub, settled, above))
        for slot, height in zip(band_slots, settled, strict=True):
            heights[slot] = height + level
        level = max(heights[slot] + slots.below[slot] for slot in band_slots) + FRAME
    return heights


def _turned(
    boxes: Sequence[Box], links: Iterable[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return each link's left and right box: the smaller depth is left.

    Among equal depths the source is left, unless that would close a circle.
    """
    after: dict[int, list[int]] = {box: [] for box in range(len(boxes))}
    ends = []
    for source, target in in_time(links):
        below = boxes[source].depth - boxes[target].depth
        is_turned = below > 0 or (
            below == 0 and source in reached(target, after.__getitem__)
        )
        left, right = (target, source) if is_turned else (source, target)
        if below == 0:
            after[left].append(right)
        ends.append((left, right))
    return ends


def _layers(boxes: Sequence[Box], ends: Sequence[tuple[int, int]]) -> list[int]:
    """Return the layer of each box: one more than any box to its left has."""
    before: dict[int, list[int]] = {box: [] for box in range(len(boxes))}
    for left, right in ends:
        before[right].append(left)
    layers = [0] * len(boxes)
    for box in TopologicalSorter(before).static_order():
        layers[box] = max((layers[left] + 1 for left in before[box]), default=0)
    return layers


def _slots(
    boxes: Sequence[Box],
    links: Sequence[Link],
    ties: Sequence[tuple[int, int]] = (),
    end: int = 0,
) -> _Slots:
    """Return a slot for each box, and those that each link takes on its way.

    A link between two bands runs in that of its left *end* (0) or its right (1).
    """
    ends = _turned(boxes, [*((link.source, link.target) for link in links), *ties])
    layers = _layers(boxes, ends)
    passed = sum(2 * (layers[right] - layers[left]) for left, right in ends)
    check(_SECONDS_A_SLOT * (len(boxes) + passed))
    framed = sorted({box.band for box in boxes})
    ranks = {band: rank for rank, band in enumerate(framed)}
    bands = [ranks[box.band] for box in boxes]
    above: list[float] = [b.anchor for b in boxes]
    below: list[float] = [b.height - b.anchor + _GAP for b in boxes]
    slots = _Slots(boxes, links, ends, layers, above, below, [], [], bands)
    for link, (left, right) in zip(links, ends, strict=False):
        steps = 2 * (layers[right] - layers[left]) - 1
        path = range(len(above), len(above) + steps)
        above += [_PASSAGE] * (steps - 1) + [link.reach]
        below += [_PASSAGE] * (steps - 1) + [link.reach]
        weights = [1.0, *[_STIFF] * (steps - 1), _STIFF / 2]
        slots.steps.extend(zip((left, *path), (*path, right), weights, strict=True))
        slots.paths.append(path)
        bands += [bands[(left, right)[end]]] * steps
    return slots


def _walked(slots: _Slots) -> list[list[int]]:
    """Return the slots of each layer in the order of a walk from the left.

    A box is reached by the first link that leads to it in the boxes' own order, and
    so the links of a tree do not cross.
    """
    layers, ends = slots.layers, slots.ends
    leaving: list[list[int]] = [[] for _ in layers]
    entered = [False] * len(layers)
    for k, (left, right) in enumerate(ends):
        leaving[left].append(k)
        entered[right] = True
    rows: list[list[int]] = [[] for _ in range(2 * max(layers, default=-1) + 1)]
    seen = [False] * len(layers)
    for root in sorted(range(len(layers)), key=lambda box: entered[box]):
        open_boxes = [(root, -1)]  # a box, and the link that leads there
        while open_boxes:
            box, k = open_boxes.pop()
            if -1 < k < len(slots.paths):
                for step, slot in enumerate(slots.paths[k], 2 * layers[ends[k][0]] + 1):
                    rows[step].append(slot)
            if not seen[box]:
                seen[box] = True
                rows[2 * layers[box]].append(box)
                further = sorted(leaving[box], key=lambda k: ends[k][1])
                open_boxes += [(ends[k][1], k) for k in reversed(further)]
    return rows


def _placement(slots: _Slots, heights: Sequence[float]) -> Placement:
    """Whole numbers from 0, layers as wide as what stands in them."""
    boxes, links, ends, layers, *_ = slots
    is_framed = any(box.band != NO_BAND for box in boxes)
    top = 0.0 if is_framed else min(map(sub, heights, slots.above), default=0.0)
    n_layers = max(layers, default=-1) + 1
    widths = [0] * n_layers
    labels = [0] * n_layers
    for box, layer in zip(boxes, layers, strict=True):
        widths[layer] = max(widths[layer], box.width)
    for link, (_, right) in zip(links, ends, strict=False):
        labels[layers[right]] = max(labels[layers[right]], link.width)
    starts: list[int] = []
    stops: list[int] = []
    for width, label in zip(widths, labels, strict=True):
        starts.append(stops[-1] + BEND + label + TIP if stops else 0)
        stops.append(starts[-1] + width)
    tops = [round(height - top) for height in heights]
    lowest = [h - b.anchor + b.height for h, b in zip(tops, boxes, strict=False)]
    passed = (k for path in slots.paths for k in path)
    lowest += [round(heights[k] - top + slots.below[k]) for k in passed]
    routes = [
        Route(left, right, tuple(tops[k] for k in path))
        for (left, right), path in zip(ends, slots.paths, strict=False)
    ]
    where = tuple(layers), tuple(tops[: len(boxes)]), tuple(starts), tuple(stops)
    width, height = stops[-1] if stops else 0, max(lowest, default=0)
    frames = _frames(boxes, layers, tops, starts) if is_framed else ()
    height += FRAME * bool(frames)
    return Placement(*where, tuple(routes), width, height, frames)


def _frames(
    boxes: Sequence[Box],
    layers: Sequence[int],
    tops: Sequence[int],
    starts: Sequence[int],
) -> tuple[Frame, ...]:
    """Return the frames of bands, around their boxes."""
    within: dict[int, list[int]] = {}
    for k, box in enumerate(boxes):
        if box.band != NO_BAND:
            within.setdefault(box.band, []).append(k)
    frames = []
    for band, frame_slots in within.items():
        left = min(starts[layers[k]] for k in frame_slots) - FRAME
        right = max(starts[layers[k]] + boxes[k].width for k in frame_slots) + FRAME
        upper = min(tops[k] - boxes[k].anchor for k in frame_slots) - FRAME - _OVER // 2
        lower = (
            max(tops[k] - boxes[k].anchor + boxes[k].height for k in frame_slots)
            + FRAME
        )
        if len(frame_slots) > 1:
            frames.append(Frame(band, left, upper, right - left, lower - upper))
    return tuple(frames)
