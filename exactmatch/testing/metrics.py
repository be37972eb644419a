"""The promises of every metric: two steps, no memory of pairs, safe to share."""

import copy
import math
import pickle
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from exactmatch.metrics import metric_class
from exactmatch.metrics.base import Metric, add

TEXTS = (
    "# ::snt The boy wants the girl to believe him .\n"
    "(w / want-01 :ARG0 (b / boy) :ARG1 (c / believe-01 :ARG0 (g / girl) :ARG1 b))",
    "# ::snt A boy does not go to New York .\n"
    '(g / go-02 :polarity - :ARG0 (b / boy) :ARG4 (c / city :wiki "NY" :name '
    '(n / name :op1 "New" :op2 "York")))',
    "# ::snt Girls and boys want to play .\n"
    "(w / want-01 :ARG0 (a / and :op1 (g / girl) :op2 (b / boy)) :ARG1 (p / play-01 "
    ":ARG0 a))",
    "# ::snt Dogs bark .\n(b / bark-01 :ARG0 (d / dog))",
)
"""Graphs with sentences, which most metrics can compare."""

MetricCheck = Callable[[Metric, Sequence[Any]], None]


def check_metric(
    metric: Metric | type[Metric] | str, items: Sequence[Any] | None = None
) -> None:
    """Check that a metric keeps the contract of :class:`exactmatch.Metric`.

    Args:
        metric: a metric, a class that is made without arguments, or a name.
        items: what it compares, at least two; default: four small AMR graphs with
            sentences, as the metric reads them.

    Raises:
        AssertionError: if it does not; the message says which promise is broken.

    Example:
        >>> from exactmatch.testing import check_metric
        >>> check_metric("rematch")
    """
    if isinstance(metric, str):
        metric = metric_class(metric)
    made = metric() if isinstance(metric, type) else metric
    for check in metric_checks().values():
        check(made, items_of(made) if items is None else items)


def metric_checks() -> dict[str, MetricCheck]:
    """Return the single checks by name; each takes a metric and what it compares."""
    return {
        "has a name and a signature": _described,
        "compares what it prepared as it measures": _two_steps,
        "can be pickled and copied": _sendable,
        "can be shared by threads": _shared,
        "exchanges what is prepared alike": _exchanged,
        "keeps its name when a copy has another": _renamed,
        "scores sums as it scores pairs": _sums,
        "scores finite numbers": _finite,
    }


def items_of(metric: Metric, texts: Sequence[Any] = TEXTS) -> list[Any]:
    """Read texts as a metric does."""
    return [metric.read(text).item for text in texts]


def _compared(metric: Metric, prepared: Sequence[Any]) -> list[Any]:
    return [metric.compare(a, b).statistics for a in prepared for b in prepared]


def _prepared(metric: Metric, items: Sequence[Any]) -> list[Any]:
    return [metric.prepare(item) for item in items]


def _described(metric: Metric, items: Sequence[Any]) -> None:
    del items
    for attribute in ("name", "title", "summary"):
        assert getattr(metric, attribute, ""), f"a metric must have a {attribute}"
    assert metric.reads in ("graph", "text"), "reads must be 'graph' or 'text'"
    keys = [key for key, _ in metric.signature()]
    assert len({"metric", *keys}) == len(keys) + 1, (
        "the signature has a key twice, or the key 'metric', which is added to it"
    )
    for key, value in metric.signature():
        assert isinstance(key, str), f"the signature's key {key!r} must be text"
        assert isinstance(value, str), f"{key} in the signature must be text"
        assert not set(f"{key}{value}") & set("|\n"), (
            f"{key}:{value} in the signature has a sign that separates its parts"
        )


def _two_steps(metric: Metric, items: Sequence[Any]) -> None:
    measured = [metric.measure(a, b).statistics for a in items for b in items]
    assert _compared(metric, _prepared(metric, items)) == measured, (
        "compare(prepare(a), prepare(b)) must count as measure(a, b) does"
    )


def _sendable(metric: Metric, items: Sequence[Any]) -> None:
    prepared = _prepared(metric, items)
    wanted = _compared(metric, prepared)
    sent = pickle.loads(pickle.dumps(metric))
    assert sent.signature() == metric.signature(), "pickling changes the signature"
    # backwards: the other process knows nothing of what came before here
    backwards = [pickle.loads(pickle.dumps(item)) for item in reversed(prepared)]
    assert _compared(sent, backwards[::-1]) == wanted, "pickling changes the counts"
    assert _compared(copy.deepcopy(metric), copy.deepcopy(prepared)) == wanted, (
        "a copy counts otherwise"
    )


def _shared(metric: Metric, items: Sequence[Any]) -> None:
    fresh = pickle.loads(pickle.dumps(metric))
    wanted = _compared(metric, _prepared(metric, items))

    def work(_: int) -> list[Any]:
        return _compared(fresh, _prepared(fresh, items))

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(work, range(8)))
    assert found == [wanted] * 8, "threads that share the metric count otherwise"


def _exchanged(metric: Metric, items: Sequence[Any]) -> None:
    other = copy.deepcopy(metric)
    if other.preparation == metric.preparation:
        wanted = _compared(metric, _prepared(metric, items))
        assert _compared(metric, _prepared(other, items)) == wanted, (
            "metrics of equal preparation must be able to compare each other's items"
        )


def _renamed(metric: Metric, items: Sequence[Any]) -> None:
    del items
    other = metric.named("variant", "a variant")
    assert (other.name, other.title) == ("variant", "a variant")
    assert metric.name != "variant", "named() must leave the metric as it was"
    assert other.scores(other.identity()).metric == "variant", (
        "scores() must name the metric by self.name"
    )


def _sums(metric: Metric, items: Sequence[Any]) -> None:
    import numpy as np

    found = [metric.measure(a, b).statistics for a in items[:2] for b in items]
    rows = metric.score_rows(np.array(found))
    for row, statistics in zip(rows.tolist(), found, strict=True):
        score = metric.scores(statistics)
        ratios = (score.precision, score.recall, score.score)
        wanted = ratios if score.is_defined else (None,) * 3
        for number, value in zip(row, wanted, strict=True):
            same = math.isnan(number) if value is None else number == value
            assert same, "score_rows() must give what scores() gives"
    assert add(metric.identity(), found[0]) == found[0], (
        "identity() must be the statistics of no pairs"
    )


def _finite(metric: Metric, items: Sequence[Any]) -> None:
    for a in items:
        for b in items:
            found = metric.measure(a, b)
            assert all(map(math.isfinite, found.statistics)), "statistics are numbers"
            assert math.isfinite(metric.scores(found.statistics).score), (
                "the score of a pair is a number"
            )
