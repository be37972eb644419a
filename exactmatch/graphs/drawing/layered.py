"""Where boxes and links go in a layered diagram, read from left to right.

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

Sources: Sugiyama, Tagawa and Toda (1981), "Methods for visual understanding of
hierarchical system structures"; Barth, Jünger and Mutzel (2002), "Simple and efficient
bilayer cross counting"; Ayer et al. (1955) for the regression.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple, TypeAlias


class Box(NamedTuple):
    """What is to be placed.

    Attributes:
        width, height: its size.
        anchor: how far below its upper edge links meet it.
        depth: its preferred distance from the left; the end of a link with the smaller
            depth is placed on the left.
    """

    width: int
    height: int
    anchor: int
    depth: int


class Link(NamedTuple):
    """What joins two different boxes.

    Attributes:
        source, target: numbers of boxes.
        width: the width of the label.
    """

    source: int
    target: int
    width: int


class Route(NamedTuple):
    """The way of one link.

    Attributes:
        left, right: the boxes at its ends; the target may be either.
        heights: where it is in each layer that it passes, labels' layers and
            boxes' layers by turns; the label stands at the last of them.
    """

    left: int
    right: int
    heights: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Placement:
    """Where everything is.

    Attributes:
        layers: the layer of each box, from 0.
        tops: the height of each box's anchor.
        starts, ends: the left and right end of each layer of boxes.
        routes: the way of each link.
        width, height: the size of the whole.
    """

    layers: tuple[int, ...]
    tops: tuple[int, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    routes: tuple[Route, ...]
    width: int
    height: int


BEND = 22
"""Room for a link to bend before its label."""

TIP = 17
"""Room for a link to bend and end behind its label."""

_GAP = 9
_LABEL = 6
_PASSAGE = 4
_SWEEPS = 12
_SETTLED = 0.25
_STIFF = 8.0
_LOOSE = 1e-3


@dataclass(slots=True, eq=False)
class _Slot:
    """A place in a layer: a box, a label, or where a link passes.

    Attributes:
        above, below: how far it reaches from its height.
        stiff: whether it is more than a box, so that links through it stay straight.
        before, after: neighbours in the layers to the left and right, with weights.
        place: its place in its layer.
        height: where it is.
    """

    above: float
    below: float
    stiff: bool
    before: list[tuple[_Slot, float]] = field(default_factory=list)
    after: list[tuple[_Slot, float]] = field(default_factory=list)
    place: int = 0
    height: float = 0.0


_Wish: TypeAlias = tuple[_Slot, float, float, list[tuple[_Slot, float]]]
"""A slot, how far below the start of its layer it is at least, and the sum of its
neighbours' weights, with them."""


def placed(boxes: Sequence[Box], links: Sequence[Link]) -> Placement:
    """Place boxes and links.

    Args:
        boxes: the boxes, in the order in which they should be read.
        links: between different boxes.

    Returns:
        The place of every box and link, in their orders.
    """
    ends = _turned(boxes, links)
    layers = _layers(boxes, ends)
    slots, paths = _slots(boxes, layers, ends)
    rows = _walked(slots, paths, layers, ends)
    _uncross(rows)
    _settle(rows)
    return _placement(boxes, links, layers, slots, paths, ends)


def _turned(boxes: Sequence[Box], links: Sequence[Link]) -> list[tuple[int, int]]:
    """Each link's left and right box: the smaller depth is left.

    Among equal depths the source is left, unless that would close a circle.
    """
    after: dict[int, list[int]] = {}
    ends = []
    for source, target, _ in links:
        left, right = source, target
        if boxes[left].depth > boxes[right].depth:
            left, right = right, left
        elif boxes[left].depth == boxes[right].depth:
            if _leads(after, right, left):
                left, right = right, left
            after.setdefault(left, []).append(right)
        ends.append((left, right))
    return ends


def _leads(after: dict[int, list[int]], start: int, goal: int) -> bool:
    """Whether a way leads from one box to another."""
    seen = {start}
    waiting = [start]
    while waiting:
        box = waiting.pop()
        if box == goal:
            return True
        for found in after.get(box, ()):
            if found not in seen:
                seen.add(found)
                waiting.append(found)
    return False


def _layers(boxes: Sequence[Box], ends: Sequence[tuple[int, int]]) -> list[int]:
    """The layer of each box: one more than that of any box to its left."""
    following: list[list[int]] = [[] for _ in boxes]
    missing = [0] * len(boxes)
    for left, right in ends:
        following[left].append(right)
        missing[right] += 1
    layers = [0] * len(boxes)
    ready = [box for box, count in enumerate(missing) if not count]
    while ready:
        left = ready.pop()
        for right in following[left]:
            layers[right] = max(layers[right], layers[left] + 1)
            missing[right] -= 1
            if not missing[right]:
                ready.append(right)
    return layers


def _slots(
    boxes: Sequence[Box], layers: Sequence[int], ends: Sequence[tuple[int, int]]
) -> tuple[list[_Slot], list[list[_Slot]]]:
    """A slot for each box, and those that each link takes on its way."""
    slots = [_Slot(b.anchor, b.height - b.anchor + _GAP, False) for b in boxes]
    paths = []
    for left, right in ends:
        steps = 2 * (layers[right] - layers[left]) - 1
        path = [_Slot(_PASSAGE, _PASSAGE, True) for _ in range(steps - 1)]
        path.append(_Slot(_LABEL, _LABEL, True))
        chain = [slots[left], *path, slots[right]]
        for k, (one, other) in enumerate(pairwise(chain)):
            weight = 1.0 if k == 0 else _STIFF if other.stiff else _STIFF / 2
            one.after.append((other, weight))
            other.before.append((one, weight))
        paths.append(path)
    return slots, paths


def _walked(
    slots: Sequence[_Slot],
    paths: Sequence[Sequence[_Slot]],
    layers: Sequence[int],
    ends: Sequence[tuple[int, int]],
) -> list[list[_Slot]]:
    """The slots of each layer in the order of a walk from the left.

    A box is reached by the first link that leads to it in the boxes' own order, and
    so the links of a tree do not cross.
    """
    leaving: list[list[int]] = [[] for _ in slots]
    entered = [False] * len(slots)
    for k, (left, right) in enumerate(ends):
        leaving[left].append(k)
        entered[right] = True
    rows: list[list[_Slot]] = [[] for _ in range(2 * max(layers, default=-1) + 1)]
    seen = [False] * len(slots)
    for root in sorted(range(len(slots)), key=lambda box: entered[box]):
        box = root
        waiting: list[int] = []
        while True:
            if not seen[box]:
                seen[box] = True
                rows[2 * layers[box]].append(slots[box])
                waiting += sorted(leaving[box], key=lambda k: ends[k][1])[::-1]
            if not waiting:
                break
            k = waiting.pop()
            left, box = ends[k]
            for step, slot in enumerate(paths[k], 2 * layers[left] + 1):
                rows[step].append(slot)
    for row in rows:
        _number(row)
    return rows


def _number(row: Sequence[_Slot]) -> None:
    for place, slot in enumerate(row):
        slot.place = place


def _uncross(rows: Sequence[list[_Slot]]) -> None:
    """Order the slots of each layer with fewer crossings, if that can be."""
    fewest = _crossings(rows)
    best = [list(row) for row in rows]
    for sweep in range(_SWEEPS):
        if not fewest:
            break
        forth = sweep % 2 == 0
        for row in rows[1:] if forth else rows[-2::-1]:
            row.sort(key=_mean_place_before if forth else _mean_place_after)
            _number(row)
        found = _crossings(rows)
        if found < fewest:
            fewest = found
            best = [list(row) for row in rows]
    for row, order in zip(rows, best, strict=True):
        row[:] = order
        _number(row)
    crossings = fewest
    for k in range(1, len(rows), 2):  # labels stand beside the boxes that they lead to
        row, touched = rows[k], rows[k - 1 : k + 1]
        before, order = list(row), sorted(row, key=_mean_place_after)
        if order == before:
            continue
        crossed = _crossings(touched)
        row[:] = order
        _number(row)
        more = _crossings(touched) - crossed
        if crossings + more > fewest:
            row[:] = before
            _number(row)
        else:
            crossings += more


def _mean_place_before(slot: _Slot) -> float:
    return _mean_place(slot, slot.before)


def _mean_place_after(slot: _Slot) -> float:
    return _mean_place(slot, slot.after)


def _mean_place(slot: _Slot, near: Sequence[tuple[_Slot, float]]) -> float:
    if not near:
        return slot.place
    return sum(other.place for other, _ in near) / len(near)


def _crossings(rows: Sequence[Sequence[_Slot]]) -> int:
    """How often links cross between neighbouring layers."""
    count = 0
    for row in rows:
        met: list[int] = []
        for slot in row:
            places = sorted(other.place for other, _ in slot.after)
            for place in places:
                count += len(met) - bisect_right(met, place)
            for place in places:
                insort(met, place)
    return count


def _settle(rows: Sequence[Sequence[_Slot]]) -> None:
    """Give each slot its height, bends as small as the order allows."""
    for row in rows:
        height = 0.0
        for slot in row:
            slot.height = height + slot.above
            height = slot.height + slot.below
    for row in rows[::-1]:
        _regress(_wishes(row, after=True))
    wishes = [_wishes(row) for row in rows]  # the first and last need no second turn
    for _ in range(_SWEEPS):
        turns = [*wishes[1:], *wishes[-2::-1]]
        if max(map(_regress, turns), default=0.0) < _SETTLED:
            break


def _wishes(row: Sequence[_Slot], *, after: bool = False) -> list[_Wish]:
    """What the slots of a layer are drawn to.

    Args:
        row: the layer.
        after: look at the neighbours to the right alone.
    """
    found = []
    offset = reach = 0.0
    for slot in row:
        offset += reach + slot.above
        reach = slot.below
        near = slot.after if after else slot.after + slot.before
        found.append((slot, offset, sum((w for _, w in near), 0.0), near))
    return found


def _regress(row: Sequence[_Wish]) -> float:
    """Move the slots of a layer as near to their neighbours as their order allows.

    The distances that the slots must keep are taken off first; what is left must not
    decrease from slot to slot: pooling neighbours that do gives the least squares.

    Returns:
        How far a slot moved at most.
    """
    pools: list[tuple[float, float, int]] = []
    for slot, offset, weights, near in row:
        total = weights
        if total:
            wish = 0.0
            for other, weight in near:
                wish += other.height * weight
            mean = wish / total - offset
        else:
            total, mean = _LOOSE, slot.height - offset
        count = 1
        while pools and pools[-1][0] > mean:
            before, more, others = pools.pop()
            mean = (before * more + mean * total) / (more + total)
            total += more
            count += others
        pools.append((mean, total, count))
    moved = 0.0
    at = 0
    for mean, _, count in pools:
        for slot, offset, _, _ in row[at : at + count]:
            height = mean + offset
            change = abs(slot.height - height)
            if change > moved:
                moved = change
            slot.height = height
        at += count
    return moved


def _placement(
    boxes: Sequence[Box],
    links: Sequence[Link],
    layers: Sequence[int],
    slots: Sequence[_Slot],
    paths: Sequence[Sequence[_Slot]],
    ends: Sequence[tuple[int, int]],
) -> Placement:
    """Whole numbers from 0, layers as wide as what stands in them."""
    every = [*slots, *(slot for path in paths for slot in path)]
    top = min((slot.height - slot.above for slot in every), default=0.0)
    n_layers = max(layers, default=-1) + 1
    widths = [0] * n_layers
    labels = [0] * n_layers
    for box, layer in zip(boxes, layers, strict=True):
        widths[layer] = max(widths[layer], box.width)
    for link, (_, right) in zip(links, ends, strict=True):
        labels[layers[right]] = max(labels[layers[right]], link.width)
    starts: list[int] = []
    stops: list[int] = []
    for width, label in zip(widths, labels, strict=True):
        starts.append(stops[-1] + BEND + label + TIP if stops else 0)
        stops.append(starts[-1] + width)
    heights = [round(slot.height - top) for slot in slots]
    lowest = [h - b.anchor + b.height for h, b in zip(heights, boxes, strict=True)]
    return Placement(
        tuple(layers),
        tuple(heights),
        tuple(starts),
        tuple(stops),
        tuple(
            Route(left, right, tuple(round(slot.height - top) for slot in path))
            for (left, right), path in zip(ends, paths, strict=True)
        ),
        stops[-1] if stops else 0,
        max(
            lowest + [round(s.height - top + s.below) for path in paths for s in path],
            default=0,
        ),
    )
