"""How numbers between 0 and 1 are distributed, as a drawing for a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from exactmatch.base.markup import Markup, element
from exactmatch.base.numbers import several
from exactmatch.views.tables import Histogram

_BINS = 20
_WIDTH, _HEIGHT = 400, 130
_CEILING, _FLOOR = 18, _HEIGHT - 18


def histogram(given: Histogram) -> Markup:
    """Draw a histogram as SVG; empty if there are fewer than two numbers.

    Numbers below 0 count in the first bar, numbers above 1 in the last.
    """
    if len(given.values) < 2:
        return Markup()
    counts = [0] * _BINS
    for value in given.values:
        counts[min(max(int(value * _BINS), 0), _BINS - 1)] += 1
    told = (
        f"{several(len(given.values), 'pair')} by score, at most {max(counts)} in a bar"
    )
    drawing = element(
        "svg",
        *_bars(counts),
        *_axis(),
        *(() if given.mark is None else _mark(given.mark, given.mark_text)),
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        width=str(_WIDTH),
        height=str(_HEIGHT),
        role="img",
        aria_label=told,
    )
    caption = f"{given.title}: {told}; dashed: the corpus"
    return element("figure", element("figcaption", caption), drawing)


def _bars(counts: Sequence[int]) -> Iterable[Markup]:
    """A bar for each count, which says so under the pointer."""
    step = _WIDTH / _BINS
    most = max(counts)
    for k, pairs in enumerate(counts):
        height = (_FLOOR - _CEILING) * pairs / most
        end = f"to {(k + 1) / _BINS:.2f}" if k + 1 < _BINS else "and more"
        yield element(
            "rect",
            element("title", f"{k / _BINS:.2f} {end}: {pairs}"),
            x=f"{k * step + 1:g}",
            y=f"{_FLOOR - height:.1f}",
            width=f"{step - 2:g}",
            height=f"{height:.1f}",
            class_="bar",
        )


def _axis() -> Iterable[Markup]:
    """The line that the bars stand on, and three numbers under it."""
    yield _line("axis", "0", str(_FLOOR), str(_WIDTH), str(_FLOOR))
    for share in (0, 0.5, 1):
        yield _label(f"{share:g}", share, _HEIGHT - 3)


def _mark(value: float, shown: str) -> Iterable[Markup]:
    """A dashed line with a number above it."""
    share = min(max(value, 0), 1)
    x = f"{_WIDTH * share:.1f}"
    yield _line("here", x, str(_CEILING - 6), x, str(_FLOOR))
    yield _label(shown, share, _CEILING - 9)


def _label(text: str, share: float, y: int) -> Markup:
    """A text at a share of the width, kept on the drawing at its ends."""
    side = "start" if share < 0.05 else "end" if share > 0.95 else "middle"
    return element("text", text, x=f"{_WIDTH * share:.1f}", y=str(y), text_anchor=side)


def _line(name: str, x1: str, y1: str, x2: str, y2: str) -> Markup:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=name)
