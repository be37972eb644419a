"""Drawings of graphs as PNG and PDF, by matplotlib, from their SVG.

It knows what our drawings are made of (rectangles, paths of lines and bends, texts) and
their style sheet ``drawing.css``, in light.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import fsum
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

from exactmatch.base.errors import InputError
from exactmatch.base.files import check_writable
from exactmatch.base.registry import installed
from exactmatch.views.pictures import save

KINDS = (".png", ".pdf")

_PIXELS = 96  # to an inch
_POINTS = 0.75  # of a pixel
_FONTS = ("Helvetica Neue", "Helvetica", "Arial", "Liberation Sans", "Nimbus Sans")
_WIDE = 0.88  # size of another font, whose letters are wider than those of Helvetica

_INK, _QUIET, _LINE, _PAPER, _PLAIN = (
    "#1b1f24",
    "#66707c",
    "#9aa3ae",
    "#ffffff",
    "#f1f3f5",
)
_SIGNS = {"extra": "#b34100", "missing": "#0a5ea8", "changed": "#9c2f7c"}
_TINTS = (
    *("#dcebf9", "#e3f0d9", "#fbeacb", "#e9e1f7"),
    *("#d5f0ee", "#fbdfe4", "#e8e9c8", "#e4e6ea"),
)
_SIZES = {"concept": 12, "caption": 12}
_COMMAND = re.compile(r"([MLHVCZlhvz])([^A-Za-z]*)")


def check_picture(path: str) -> None:
    """Refuse a file that cannot be drawn into, before any work is done.

    Raises:
        InputError: if it cannot be written.
        MissingExtraError: if matplotlib is not installed.
    """
    if not path.lower().endswith(KINDS):
        raise InputError(f"{path}: a drawing's name ends in .svg, .png or .pdf")
    installed("matplotlib", f"a drawing in {Path(path).suffix} needs", "plot")
    check_writable(path)


def write_picture(path: str, svg: str) -> None:
    """Write a drawing in SVG as PNG or PDF, by the ending of the file."""
    import matplotlib
    from matplotlib.figure import Figure

    root = ElementTree.fromstring(svg)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    with matplotlib.rc_context({"text.parse_math": False, "pdf.fonttype": 42}):
        figure = Figure(figsize=(width / _PIXELS, height / _PIXELS), facecolor=_PAPER)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set(xlim=(0, width), ylim=(height, 0))
        axes.set_axis_off()
        _Pen(axes).draw(root, _Place(0, 0, frozenset()))
        save(path, figure)


class _Place(NamedTuple):
    """Origin of an element, and the classes of the elements around it."""

    x: float
    y: float
    classes: frozenset[str]


class _Pen:
    """Draws elements of SVG on axes in pixels."""

    def __init__(self, axes: Any) -> None:
        from matplotlib.font_manager import get_font_names

        self.axes = axes
        installed = set(get_font_names())
        font = next((name for name in _FONTS if name in installed), None)
        self.family, self.factor = font or "DejaVu Sans", 1.0 if font else _WIDE
        self.layer = 1  # later elements hide earlier ones

    def draw(self, element: Any, place: _Place) -> None:
        """Draw an element and all that is in it."""
        kind = element.tag.rpartition("}")[2]
        classes = place.classes | frozenset(element.get("class", "").split())
        place = place._replace(classes=classes)
        self.layer += 1
        if kind == "svg":
            left, top, *_ = map(float, element.attrib["viewBox"].split())
            down = float(element.get("y", 0))
            place = place._replace(x=place.x - left, y=place.y + down - top)
        elif kind == "rect":
            self._rect(element, place)
        elif kind == "path":
            self._path(element, place)
        elif kind == "text":
            self._text(element, place)
        if kind in ("svg", "g"):
            for child in element:
                self.draw(child, place)

    def _rect(self, element: Any, place: _Place) -> None:
        from matplotlib.patches import FancyBboxPatch

        x, y, width, height, radius = (
            float(element.get(name, 0)) for name in ("x", "y", "width", "height", "rx")
        )
        classes = place.classes
        sign = next((_SIGNS[k] for k in ("extra", "missing") if k in classes), None)
        look: dict[str, Any] = {"facecolor": _tint(classes), "edgecolor": "none"}
        if classes & {"ghost", "frame"}:
            look = {"facecolor": "none", "edgecolor": _LINE, "linewidth": _POINTS}
            look |= {"linestyle": (0, (1, 4))} if "ghost" in classes else {}
        elif sign is not None:
            look = {"facecolor": _PAPER, "edgecolor": sign, "linewidth": 1}
            look |= {"linestyle": (0, (4, 3))}
        elif "uncertain" in classes:
            look |= {"edgecolor": _QUIET, "linewidth": 1.2, "linestyle": ":"}
        shape = f"round,pad=0,rounding_size={radius}"
        corner = (place.x + x, place.y + y)
        patch = FancyBboxPatch(corner, width, height, boxstyle=shape, **look)
        patch.set_zorder(self.layer)
        self.axes.add_patch(patch)

    def _path(self, element: Any, place: _Place) -> None:
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path as Outline

        codes, points = zip(*_steps(element.attrib["d"]), strict=True)
        moved = [(place.x + x, place.y + y) for x, y in points]
        classes = place.classes
        sign = next((_SIGNS[k] for k in _SIGNS if k in classes), None)
        is_filled = bool(classes & {"tip", "top"})
        colour = sign or (_INK if "top" in classes else _LINE)
        look: dict[str, Any] = {"facecolor": colour, "edgecolor": "none"}
        if not is_filled:
            look = {"facecolor": "none", "edgecolor": colour, "linewidth": 0.9}
            look |= {"linestyle": (0, (5, 3))} if "missing" in classes else {}
        patch = PathPatch(Outline(moved, codes), **look)
        patch.set_zorder(self.layer)
        self.axes.add_patch(patch)

    def _text(self, element: Any, place: _Place) -> None:
        """Write a text, run by run, from its beginning or up to its end."""
        from matplotlib.font_manager import FontProperties
        from matplotlib.patheffects import withStroke
        from matplotlib.textpath import text_to_path

        classes = place.classes
        size = next((_SIZES[k] for k in _SIZES if k in classes), 11)
        font = FontProperties(
            family=self.family,
            size=size * _POINTS * self.factor,
            weight="bold" if "concept" in classes else "normal",
            style="italic" if "uncounted" in classes else "normal",
        )
        runs = [(text, _ink(classes | names)) for text, names in _runs(element) if text]
        widths = [
            text_to_path.get_text_width_height_descent(text, font, ismath=False)[0]
            / _POINTS
            for text, _ in runs
        ]
        x, y = (float(element.attrib[name]) for name in ("x", "y"))
        share = {"end": 1, "middle": 0.5}.get(element.get("text-anchor"), 0)
        left = place.x + x - fsum(widths) * share
        halo = [withStroke(linewidth=3, foreground=_PAPER)] if "edge" in classes else []
        for (text, colour), width in zip(runs, widths, strict=True):
            self.axes.text(
                left,
                place.y + y,
                text,
                color=colour,
                fontproperties=font,
                verticalalignment="baseline",
                zorder=self.layer,
                path_effects=halo,
            )
            left += width


def _runs(element: Any) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the parts of a text, each with its classes."""
    yield element.text or "", frozenset()
    for part in element:
        yield part.text or "", frozenset(part.get("class", "").split())
        yield part.tail or "", frozenset()


def _ink(classes: frozenset[str]) -> str:
    """Return the colour of a text."""
    sign = next((_SIGNS[name] for name in _SIGNS if name in classes), None)
    is_quiet = classes & {"caption", "role", "number"}
    return sign or (_QUIET if is_quiet else _INK)


def _tint(classes: frozenset[str]) -> str:
    """Return the colour of a box."""
    numbers = [int(k[1:]) for k in classes if re.fullmatch(r"h\d", k)]
    return _TINTS[numbers[0]] if numbers else _PLAIN


def _steps(path: str) -> Iterator[tuple[int, tuple[float, float]]]:
    """Yield the points of a path, with the codes that matplotlib has for them."""
    move, line, close, bend = 1, 2, 79, 4
    x = y = 0.0
    for command, text in _COMMAND.findall(path):
        values = [float(word) for word in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", text)]
        if command in "Zz":
            yield close, (x, y)
            continue
        if command in "HVhv":
            for value in values:
                x = {"H": value, "h": x + value}.get(command, x)
                y = {"V": value, "v": y + value}.get(command, y)
                yield line, (x, y)
            continue
        pairs = list(zip(values[::2], values[1::2], strict=True))
        for number, (a, b) in enumerate(pairs):
            if command == "l":
                a, b = x + a, y + b
            if command != "C" or number % 3 == 2:
                x, y = a, b
            code = {"M": move, "C": bend}.get(command, line)
            yield (line if command == "M" and number else code), (a, b)
