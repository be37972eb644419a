"""The graph metric without NumPy has the scores of the one with it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactmatch import make_metric
from exactmatch.base.errors import InputError
from exactmatch.metrics.labelled.plain_labels import PlainLabelledMatch

LABELS = st.sampled_from(["ask", "Ask", "in stock", "in_stock", "-", "=", "!", None])
ENDS = "source", "label", "target"
VALUES = st.lists(st.sampled_from(["1", "x", "X", "?"]), max_size=3)


@st.composite
def networks(draw: st.DrawFn) -> dict[str, Any]:
    n = draw(st.integers(0, 5))
    nodes = [{"id": k, "label": draw(LABELS), "colour": draw(VALUES)} for k in range(n)]
    place = st.integers(0, max(n - 1, 0))
    edges = st.lists(st.tuples(place, LABELS, place), max_size=8 if n else 0)
    return {
        "nodes": nodes,
        "edges": [dict(zip(ENDS, e, strict=True)) for e in draw(edges)],
    }


def _compared(metric: Any, pred: Any, gold: Any) -> Any:
    sides = (metric.prepare(metric.read(each).item) for each in (pred, gold))
    return metric.compare(*sides)


@pytest.mark.filterwarnings("ignore:.*stated twice")
@given(
    pred=networks(),
    gold=networks(),
    count=st.sampled_from(["nodes-and-edges", "edges", "nodes"]),
)
def test_scores_and_signature_are_those_with_numpy(
    pred: Any, gold: Any, count: str
) -> None:
    plain, whole = PlainLabelledMatch(count=count), make_metric("graph", count=count)
    answer, expected = (_compared(metric, pred, gold) for metric in (plain, whole))
    assert answer.statistics == expected.statistics
    assert plain.scores(answer.statistics) == whole.scores(expected.statistics)
    assert plain.signature() == whole.signature()


@pytest.mark.parametrize(
    ("pred", "gold"),
    [
        ("(a / ask :ARG0 (b / boy))", '(a / ask :ARG0 (b / "boy" :mod 1))'),
        ("flowchart TD\n a[x] --> b[y]", "flowchart TD\n a[X] --> b[z]\n a --> a"),
        ("a\tknows\tb\n", "a\tKnows\tb\nb\tknows\tc\n"),
        ('{"nodes": ["a", "b"], "edges": [[0, 1]]}', '{"nodes": ["a"], "edges": []}'),
    ],
)
def test_files_are_scored_as_with_numpy(pred: str, gold: str) -> None:
    answer, expected = (
        _compared(metric, pred, gold)
        for metric in (PlainLabelledMatch(), make_metric("graph"))
    )
    assert answer.statistics == expected.statistics


def test_edges_without_direction_are_refused() -> None:
    graph = {"nodes": ["a", "b"], "edges": [[0, 1]], "directed": False}
    with pytest.raises(InputError, match="have no direction, which needs NumPy"):
        PlainLabelledMatch().prepare(PlainLabelledMatch().read(graph).item)
