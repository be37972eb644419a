"""Numbers and their intervals as a drawing: in their places, and none for nothing."""

from typing import Any
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from exactmatch.views.charts import intervals
from exactmatch.views.tables import IntervalRow, Intervals

numbers = st.floats(-1, 1, allow_nan=False).map(lambda number: round(number, 6))


def shown(number: Any) -> str:
    return f"{number:.6f}"


def drawn(rows: Any, mark: Any = None) -> Any:
    return ElementTree.fromstring(intervals(Intervals("scores", rows, shown, mark)))


@given(
    st.lists(st.tuples(numbers, numbers, numbers).map(sorted), min_size=1, max_size=5)
)
def test_places_are_in_the_order_of_the_numbers(ends: Any) -> None:
    """Dots and ends stand on one scale, inside the drawing."""
    root = drawn([IntervalRow(str(k), *each) for k, each in enumerate(ends)])
    dots = [float(dot.get("cx")) for dot in root.iter("circle")]
    lines = [line for line in root.iter("line") if line.get("class") == "span"]
    places: list[Any] = []
    for (low, value, high), dot, line in zip(ends, dots, lines, strict=True):
        stretch = float(line.get("x1")), float(line.get("x2"))
        assert 0 <= stretch[0] <= dot <= stretch[1] <= 400
        places += zip((low, value, high), (stretch[0], dot, stretch[1]), strict=True)
    places.sort()
    assert [place for _, place in places] == sorted(place for _, place in places)
    texts = [text.text for text in root.iter("text")]
    for low, value, high in ends:
        assert f"{shown(value)} [{shown(low)}, {shown(high)}]" in texts


def test_a_mark_is_in_sight() -> None:
    root = drawn([IntervalRow("a", 0.2, 0.3, 0.4)], mark=0.0)
    (line,) = (each for each in root.iter("line") if each.get("class") == "here")
    (span,) = (each for each in root.iter("line") if each.get("class") == "span")
    assert 0 < float(line.get("x1")) < float(span.get("x1"))


def test_without_intervals_there_is_no_drawing() -> None:
    assert intervals(Intervals("scores", [], shown)) == ""
    nothing = IntervalRow("a", float("nan"), 0.5, float("nan"))
    assert intervals(Intervals("scores", [nothing], shown)) == ""


def test_hostile_names_stay_text() -> None:
    root = drawn([IntervalRow("<script>&", 0.1, 0.2, 0.3)])
    assert "<script>&" in [text.text for text in root.iter("text")]


def test_the_axis_has_round_numbers_where_the_scale_puts_them() -> None:
    root = drawn([IntervalRow("a", 0.2, 0.3, 0.4), IntervalRow("b", 0.5, 0.6, 0.9)])
    axis = [line for line in root.iter("line") if line.get("class") == "axis"]
    ticks = [t for t in root.iter("text") if t.get("text-anchor") == "middle"]
    numbers = [float(tick.text) for tick in ticks]
    assert numbers == [0.2, 0.4, 0.6, 0.8]
    assert [line.get("x1") for line in axis] == [tick.get("x") for tick in ticks]
    dots = [float(dot.get("cx")) for dot in root.iter("circle")]
    places = [float(tick.get("x")) for tick in ticks]
    assert places[0] < dots[0] < places[1]
    assert dots[1] == places[2]
    *_, height = (int(part) for part in root.find("svg").get("viewBox").split())
    assert height == int(root.find("svg").get("height"))
    assert all(float(text.get("y")) <= height for text in root.iter("text"))
