"""Draw the pictures of ``explained.md``: ``python docs/understand/explained.py``.

Two workflows are drawn as triples, aligned in two ways, and with the bound that proves
the better one.  What is said of them is computed here, and
``tests/docs/test_drawings.py`` holds it against the program.  Writes
``explained-*.svg`` beside this file; they have colours for light and for dark pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import permutations
from math import cos, pi, sin
from pathlib import Path

from exactmatch.base.markup import Markup, element

REFERENCE = ("wait", "knock", "wait", "enter"), ((0, 1), (1, 2), (2, 3))
PREDICTION = ("knock", "wait", "enter", "leave"), ((0, 1), (1, 2), (2, 3))
FIRST_GUESS = {0: 1, 1: 0, 2: 3}
HALF = Fraction(1, 2)

_WIDTH, _STEP, _BOX = 680, 160, 92
_STYLE = """
svg{--ink:#1b1f24;--quiet:#5d6672;--line:#9aa3ae;--paper:#fff;--node:#f1f3f5;
--good:#0a5ea8;--bad:#b34100}
@media(prefers-color-scheme:dark){svg{--ink:#e3e6ea;--quiet:#9aa3ae;--line:#6b747f;
--paper:#14171b;--node:#22272e;--good:#78bbf5;--bad:#ff9a55}}
text{fill:var(--ink);
font:14px "Helvetica Neue",Helvetica,Arial,"Liberation Sans",sans-serif}
.title{font-size:15px;font-weight:600}
.quiet{fill:var(--quiet);font-size:13px}
.good{fill:var(--good);font-weight:600}
.bad{fill:var(--bad);font-weight:600}
.paper{fill:var(--paper)}
.node{fill:var(--node);stroke:var(--node);stroke-width:2px}
.node.good{stroke:var(--good);fill:var(--node)}
.node.bad{stroke:var(--bad);fill:var(--node);stroke-dasharray:4 3}
line{stroke:var(--line);stroke-width:1.6px}
line.good{stroke:var(--good);stroke-width:2.4px}
line.bad{stroke:var(--bad);stroke-dasharray:4 3}
line.pair{stroke:var(--quiet);stroke-dasharray:1 4;stroke-linecap:round}
path{fill:var(--line)}
path.good{fill:var(--good)}
path.bad{fill:var(--bad)}
"""


def matched(alignment: Mapping[int, int]) -> tuple[list[int], list[tuple[int, int]]]:
    """Return the steps and the arrows of the prediction that an alignment matches."""
    (labels, arrows), (others, golds) = PREDICTION, REFERENCE
    steps = [i for i, j in alignment.items() if labels[i] == others[j]]
    kept = [
        (i, k)
        for i, k in arrows
        if i in alignment and k in alignment and (alignment[i], alignment[k]) in golds
    ]
    return steps, kept


def best() -> dict[int, int]:
    """Return the best alignment of all, by trying each."""
    places = range(len(REFERENCE[0]))
    every = (dict(enumerate(way)) for way in permutations(places))
    found = max(every, key=lambda way: sum(map(len, matched(way))))
    steps, arrows = matched(found)
    used = {*steps, *(i for arrow in arrows for i in arrow)}
    return {i: j for i, j in found.items() if i in used}


def worth(i: int, j: int) -> Fraction:
    """Return the most that a pair of steps can earn: its label and half of arrows."""
    (labels, arrows), (others, golds) = PREDICTION, REFERENCE
    total = Fraction(int(labels[i] == others[j]))
    for end in (0, 1):
        mine = sum(arrow[end] == i for arrow in arrows)
        theirs = sum(arrow[end] == j for arrow in golds)
        total += HALF * min(mine, theirs)
    return total


def bound() -> tuple[Fraction, dict[int, int]]:
    """Return the greatest sum of worths of any one-to-one choice, and such a choice.

    Of several the one is taken that has most in common with the best alignment.
    """
    places = range(len(REFERENCE[0]))
    every = (dict(enumerate(way)) for way in permutations(places))
    wanted = best().items()

    def rank(way: dict[int, int]) -> tuple[Fraction, int]:
        return _sum(way), len(way.items() & wanted)

    choice = max(every, key=rank)
    return _sum(choice), choice


def _sum(way: Mapping[int, int]) -> Fraction:
    return sum((worth(*pair) for pair in way.items()), Fraction())


def pictures() -> Iterator[tuple[str, Markup]]:
    """Yield the name and the drawing of each picture."""
    alignment = best()
    yield "explained-triples.svg", _triples()
    yield "explained-alignment.svg", _alignments(alignment)
    yield "explained-bound.svg", _bound(alignment)
    yield "explained-edits.svg", _edits()


def _triples() -> Markup:
    parts = []
    for y, name, (labels, arrows) in (
        (64, "Reference", REFERENCE),
        (174, "Prediction", PREDICTION),
    ):
        count = f"{len(labels)} steps + {len(arrows)} arrows"
        total = len(labels) + len(arrows)
        parts.append(
            _text(24, y - 30, f"{name}: {count} = {total} statements", "title")
        )
        parts += _chain(y, labels, arrows)
    return _svg(228, "Two workflows as statements", *parts)


def _alignments(alignment: Mapping[int, int]) -> Markup:
    parts: list[Markup] = []
    y = 64
    for title, way in (("One way", FIRST_GUESS), ("The best way", alignment)):
        steps, arrows = matched(way)
        count = f"{len(steps)} steps + {len(arrows)} arrows"
        total = len(steps) + len(arrows)
        said = f"{title}: {count} = {total} statements match"
        parts.append(_text(24, y - 30, said, "title"))
        parts += _both(y, way)
        y += 210
    return _svg(y - 44, "Two alignments of the same workflows", *parts)


def _bound(alignment: Mapping[int, int]) -> Markup:
    most, choice = bound()
    value = sum(map(len, matched(alignment)))
    summands = [worth(*pair) for pair in choice.items()]
    said = " + ".join(map(written, summands))
    title = f"No alignment can match more than {said} = {written(most)}"
    parts = [_text(24, 34, title, "title"), *_both(84, alignment)]
    for i, summand in enumerate(summands):
        parts.append(_text(_x(i), 60, written(summand), "good", "middle"))
    end = f"We have one that matches {value}. " + (
        "So it is the best: proven." if value == most else "The gap is open."
    )
    parts.append(_text(24, 236, end, "quiet"))
    return _svg(254, "The bound", *parts)


def _edits() -> Markup:
    """Return a ring beside a wheel, with what has to be added to it."""
    ring = [(cos(turn * pi / 3), sin(turn * pi / 3)) for turn in range(6)]
    parts = [_text(24, 34, "6 edges and 1 node are added: distance 7", "title")]
    for x, kind in ((180, ""), (500, "good")):
        places = [(round(x + 74 * dx), round(140 + 74 * dy)) for dx, dy in ring]
        for one, other in zip(places, places[1:] + places[:1], strict=True):
            parts.append(_line(*one, *other, ""))
        if kind:
            parts += [_line(x, 140, *place, kind) for place in places]
            parts.append(_dot(x, 140, kind))
        parts += [_dot(*place, "") for place in places]
    return _svg(240, "A ring of six nodes becomes a wheel", *parts)


def _dot(x: int, y: int, kind: str) -> Markup:
    return element(
        "circle", cx=str(x), cy=str(y), r="11", class_=f"node {kind}".strip()
    )


def _both(y: int, way: Mapping[int, int]) -> Iterator[Markup]:
    """Yield the prediction above the reference, and who is whose partner."""
    steps, arrows = matched(way)
    golds = {(way[i], way[k]) for i, k in arrows}
    for i, j in way.items():
        yield _line(_x(i), y + 18, _x(j), y + 82, "pair")
    partners = [way[i] for i in steps]
    yield from _chain(y, *PREDICTION, good=steps, arrows_good=arrows, rest="bad")
    yield from _chain(y + 100, *REFERENCE, good=partners, arrows_good=golds, rest="bad")


def _chain(
    y: int,
    labels: tuple[str, ...],
    arrows: tuple[tuple[int, int], ...],
    good: list[int] | None = None,
    arrows_good: object = (),
    rest: str = "",
) -> Iterator[Markup]:
    """Steps from left to right, with their arrows."""
    assert isinstance(arrows_good, list | set | tuple)
    for i, k in arrows:
        kind = "good" if (i, k) in arrows_good else rest
        x, end = _x(i) + _BOX // 2, _x(k) - _BOX // 2
        yield _line(x + 3, y, end - 10, y, kind)
        tip = f"M{end - 3} {y}l-9 -4.5v9z"
        yield element("path", d=tip, class_=kind or None)
    for i, label in enumerate(labels):
        kind = "" if good is None else "good" if i in good else rest
        yield element(
            "rect",
            x=str(_x(i) - _BOX // 2),
            y=str(y - 17),
            width=str(_BOX),
            height="34",
            rx="6",
            class_=f"node {kind}".strip(),
        )
        yield _text(_x(i), y + 5, label, "", "middle")


def _x(i: int) -> int:
    return 24 + _BOX // 2 + _STEP * i


def _line(x1: int, y1: int, x2: int, y2: int, kind: str) -> Markup:
    ends = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
    places = {name: str(place) for name, place in ends.items()}
    return element("line", class_=kind or None, **places)


def _text(x: int, y: int, text: str, kind: str, anchor: str = "start") -> Markup:
    return element(
        "text", text, x=str(x), y=str(y), class_=kind or None, text_anchor=anchor
    )


def _svg(height: int, title: str, *parts: Markup) -> Markup:
    return element(
        "svg",
        element("title", title),
        element("style", Markup(_STYLE)),
        element("rect", width="100%", height="100%", rx="8", class_="paper"),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_WIDTH} {height}",
        width=str(_WIDTH),
        height=str(height),
    )


def written(number: Fraction) -> str:
    """Return a number of halves, as people write it."""
    whole, rest = divmod(number, 1)
    return f"{whole or ''}½" if rest else str(whole)


if __name__ == "__main__":
    for name, picture in pictures():
        Path(__file__).with_name(name).write_text(f"{picture}\n", "utf-8")
        print(name)
