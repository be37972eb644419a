"""Checks of a metric: two steps, no memory of pairs, safe to share."""

import copy
import math
import pickle
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from exactmatch.base.errors import ExactmatchError
from exactmatch.base.options import Declared
from exactmatch.metrics import clash, metric_class
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

DOCUMENTS = (
    '{"name": "Ann Lee", "age": 31, "likes": ["tea", "red wine"], "address": null}',
    '{"name": "Anne Lee", "likes": ["red wine"], "address": {"zip": "01234"}}',
    '{"items": [{"n": "pen", "q": 1}, {"n": "cup", "q": 2.50}], "paid": true}',
    '{"items": [{"n": "cups", "q": 2.5}, {"n": "pen", "q": "1"}], "paid": false}',
)
"""Documents, for metrics that compare such."""

MetricCheck = Callable[[Metric, Sequence[Any]], None]


def check_metric(
    metric: Metric | type[Metric] | str, items: Sequence[Any] | None = None
) -> None:
    """Check that a metric keeps the contract of :class:`exactmatch.Metric`.

    Args:
        metric: a metric, a class that is made without arguments, or a name.
        items: what it compares, at least two; default: four small AMR graphs with
            sentences, or JSON documents, as the metric reads them.

    Raises:
        AssertionError: if it does not; the message names the broken promise.

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
        "documents its options, and shares their meaning with other metrics": _declared,
        "names in its signature what changes its numbers": _signed,
        "compares what it prepared as it measures": _two_steps,
        "can be pickled and copied": _sendable,
        "can be shared by threads": _shared,
        "exchanges what is prepared alike": _exchanged,
        "keeps its name when a copy has another": _renamed,
        "scores sums as it scores pairs": _sums,
        "scores finite numbers": _finite,
    }


def items_of(metric: Metric, texts: Sequence[Any] | None = None) -> list[Any]:
    """Read texts as a metric does; default: graphs with sentences, or documents."""
    if texts is None:
        texts = DOCUMENTS if metric.reads == "document" else TEXTS
    return [metric.read(text).item for text in texts]


def _compared(metric: Metric, prepared: Sequence[Any]) -> list[Any]:
    return [metric.compare(a, b).statistics for a in prepared for b in prepared]


def _prepared(metric: Metric, items: Sequence[Any]) -> list[Any]:
    return [metric.prepare(item) for item in items]


def _described(metric: Metric, items: Sequence[Any]) -> None:
    del items
    for attribute in ("name", "title", "summary"):
        assert getattr(metric, attribute, ""), f"a metric must have a {attribute}"
    known_inputs = ("graph", "text", "document")
    assert metric.reads in known_inputs, "reads must be 'graph', 'text' or 'document'"
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


def _declared(metric: Metric, items: Sequence[Any]) -> None:
    del items
    for name, declared in metric.options_class.DECLARED.items():
        assert declared.about, f"the option {name} has no description"
    conflict = clash(metric.name, type(metric))
    assert conflict is None, conflict


def _signed(metric: Metric, items: Sequence[Any]) -> None:
    made: Any = type(metric)
    metric_profile = getattr(metric, "profile", None)
    profile = {} if metric_profile is None else {"profile": metric_profile}
    try:
        plain = made(**profile)
    except (TypeError, ExactmatchError):  # a metric that needs more to be made
        return
    expected = _numbers(plain, items)
    for name, declared in metric.options_class.DECLARED.items():
        if declared.purpose not in ("measures", "pairs"):
            continue
        for value in _values(declared):
            try:
                changed = made(**profile, **{name: value})
            except ExactmatchError:  # it does not go with the other options' defaults
                continue
            if _numbers(changed, items) != expected:
                assert changed.signature() != plain.signature(), (
                    f"{name} changes the score, and the signature does not name it"
                )


def _values(declared: Declared) -> list[Any]:
    """Return values that an option may have."""
    if isinstance(declared.default, bool):
        return [not declared.default]
    if declared.choices:
        return list(declared.choices)
    values: list[Any] = []
    for text in ("0", "1", "2", "4", "7", "0.25", "0.75", "0.9", "0.1", "lcs", "exact"):
        try:
            values.append(declared.read(text) if declared.read else text)
        except ValueError:
            continue
    return values


def _numbers(metric: Metric, items: Sequence[Any]) -> list[Any]:
    scores = [metric.scores(row) for row in _compared(metric, _prepared(metric, items))]
    return [(score.precision, score.recall, score.score) for score in scores]


def _two_steps(metric: Metric, items: Sequence[Any]) -> None:
    measured = [metric.measure(a, b).statistics for a in items for b in items]
    assert _compared(metric, _prepared(metric, items)) == measured, (
        "compare(prepare(a), prepare(b)) must count as measure(a, b) does"
    )


def _sendable(metric: Metric, items: Sequence[Any]) -> None:
    prepared = _prepared(metric, items)
    expected = _compared(metric, prepared)
    sent = pickle.loads(pickle.dumps(metric))
    assert sent.signature() == metric.signature(), "pickling changes the signature"
    # backwards, because another process has not seen the items in this order
    backwards = [pickle.loads(pickle.dumps(item)) for item in reversed(prepared)]
    assert _compared(sent, backwards[::-1]) == expected, "pickling changes the counts"
    assert _compared(copy.deepcopy(metric), copy.deepcopy(prepared)) == expected, (
        "a copy counts otherwise"
    )


def _shared(metric: Metric, items: Sequence[Any]) -> None:
    fresh = pickle.loads(pickle.dumps(metric))
    expected = _compared(metric, _prepared(metric, items))

    def work(_: int) -> list[Any]:
        return _compared(fresh, _prepared(fresh, items))

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(work, range(8)))
    assert results == [expected] * 8, "threads that share the metric count otherwise"


def _exchanged(metric: Metric, items: Sequence[Any]) -> None:
    duplicate = copy.deepcopy(metric)
    if duplicate.preparation_key == metric.preparation_key:
        expected = _compared(metric, _prepared(metric, items))
        assert _compared(metric, _prepared(duplicate, items)) == expected, (
            "metrics of equal preparation must be able to compare each other's items"
        )


def _renamed(metric: Metric, items: Sequence[Any]) -> None:
    del items
    variant = metric.named("variant", "a variant")
    assert (variant.name, variant.title) == ("variant", "a variant")
    assert metric.name != "variant", "named() must leave the metric as it was"
    assert variant.scores(variant.identity()).metric == "variant", (
        "scores() must name the metric by self.name"
    )


def _sums(metric: Metric, items: Sequence[Any]) -> None:
    import numpy as np

    counted = [metric.measure(a, b).statistics for a in items[:2] for b in items]
    rows = metric.score_rows(np.array(counted))
    for row, statistics in zip(rows.tolist(), counted, strict=True):
        score = metric.scores(statistics)
        ratios = (score.precision, score.recall, score.score)
        expected = ratios if score.is_defined else (None,) * 3
        for number, value in zip(row, expected, strict=True):
            same = math.isnan(number) if value is None else number == value
            assert same, "score_rows() must give what scores() gives"
    assert add(metric.identity(), counted[0]) == counted[0], (
        "identity() must be the statistics of no pairs"
    )


def _finite(metric: Metric, items: Sequence[Any]) -> None:
    for a in items:
        for b in items:
            pair = metric.measure(a, b)
            assert all(map(math.isfinite, pair.statistics)), "statistics are numbers"
            assert math.isfinite(metric.scores(pair.statistics).score), (
                "the score of a pair is a number"
            )
