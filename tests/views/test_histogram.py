"""Histograms: the bars are as high as their counts, and stand on the axis."""

from xml.etree import ElementTree

from exactmatch.views.charts import histogram
from exactmatch.views.tables import Histogram


def test_bars_are_in_proportion_to_their_counts() -> None:
    values = [0.02, 0.03, 0.04, 0.04, 0.52, 0.99, 1.0, -0.5]
    root = ElementTree.fromstring(histogram(Histogram("smatch", values, 0.5, "0.50")))
    bars = [bar for bar in root.iter("rect") if bar.get("class") == "bar"]
    counts = [int(str(bar[0].text).rpartition(": ")[2]) for bar in bars]
    assert len(bars) == 20
    assert (counts[0], counts[10], counts[19], sum(counts)) == (5, 1, 2, 8)
    heights = [float(str(bar.get("height"))) for bar in bars]
    highest = max(heights)
    assert highest > 50
    for bar, count, height in zip(bars, counts, heights, strict=True):
        assert abs(height - highest * count / 5) < 0.1
        assert abs(float(str(bar.get("y"))) + height - (130 - 18)) < 0.1
