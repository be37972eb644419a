"""What every metric promises: two steps, no memory of pairs, safe to send and share."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from exactmatch import GraphError, evaluate, make_metric
from exactmatch.formats.formats import FORMATS
from exactmatch.metrics import METRICS
from exactmatch.metrics.base import Metric
from exactmatch.metrics.finegrained.aspects import aspects
from exactmatch.metrics.finegrained.scores import STYLES, finegrained

TEXTS = [
    "# ::snt The boy wants the girl to believe him .\n"
    "(w / want-01 :ARG0 (b / boy) :ARG1 (c / believe-01 :ARG0 (g / girl) :ARG1 b))",
    "# ::snt A boy does not go to New York .\n"
    '(g / go-02 :polarity - :ARG0 (b / boy) :ARG4 (c / city :wiki "NY" :name '
    '(n / name :op1 "New" :op2 "York")))',
    "# ::snt Girls and boys want to play .\n"
    "(w / want-01 :ARG0 (a / and :op1 (g / girl) :op2 (b / boy)) :ARG1 (p / play-01 "
    ":ARG0 a))",
    "# ::snt Dogs bark .\n(b / bark-01 :ARG0 (d / dog))",
]
CLAUSES = [
    'b1 REF x1\nb1 boy "n.01" x1\nb2 Agent e1 x1\nb2 want "v.01" e1\n',
    'b1 NOT b2\nb2 Theme e1 x1\nb2 want "v.01" e1\nb1 girl "n.01" x1\n',
    'b1 EQU x1 x2\nb1 boy "n.01" x2\nb1 Role x1 x2\n',
    'b9 dog "n.01" x1\n',
]
"""Discourse structures, for the metric that compares nothing else."""
PAIRS = [(a, b) for a in range(len(TEXTS)) for b in range(len(TEXTS))]


def every_metric() -> list[Any]:
    found: list[Any] = [pytest.param(make_metric(name), id=name) for name in METRICS]
    for style in STYLES:
        found += [pytest.param(m, id=f"{style}-{m.name}") for m in finegrained(style)]
    for way in ("realign", "main"):
        some = [m for m in aspects(way) if m.name in ("agent", "question", "names")]
        found += [pytest.param(m, id=f"{way}-{m.name}") for m in some]
    return found


metrics = pytest.mark.parametrize("metric", every_metric())


def given(metric: Metric) -> list[Any]:
    if metric.name != "counter":
        return [metric.read(text).item for text in TEXTS]
    form = FORMATS["clauses"]
    blocks = (form.blocks(text.splitlines(keepends=True), None) for text in CLAUSES)
    return [metric.read(form.read(block).graph).item for (block,) in blocks]


def prepared(metric: Metric) -> list[Any]:
    return [metric.prepare(item) for item in given(metric)]


def compared(metric: Metric, items: list[Any]) -> list[Any]:
    return [metric.compare(items[a], items[b]).statistics for a, b in PAIRS]


@metrics
def test_comparing_prepared_items_is_measuring_items(metric: Metric) -> None:
    items = given(metric)
    measured = [metric.measure(items[a], items[b]).statistics for a, b in PAIRS]
    assert compared(metric, prepared(metric)) == measured


@metrics
def test_metrics_and_what_they_prepare_can_be_sent(metric: Metric) -> None:
    """The other process knows nothing of what came before here."""
    items = prepared(metric)
    wanted = compared(metric, items)
    sent = pickle.loads(pickle.dumps(metric))
    assert sent.signature() == metric.signature()
    backwards = [pickle.loads(pickle.dumps(item)) for item in reversed(items)]
    assert compared(sent, backwards[::-1]) == wanted
    assert compared(copy.deepcopy(metric), copy.deepcopy(items)) == wanted


@metrics
def test_threads_may_share_a_metric(metric: Metric) -> None:
    fresh = pickle.loads(pickle.dumps(metric))
    wanted = compared(metric, prepared(metric))
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: compared(fresh, prepared(fresh)), range(8)))
    assert found == [wanted] * 8


@metrics
def test_what_is_prepared_alike_may_be_exchanged(metric: Metric) -> None:
    """A metric of equal ``preparation`` can compare what another prepared."""
    other = copy.deepcopy(metric)
    if other.preparation == metric.preparation:
        wanted = compared(metric, prepared(metric))
        assert compared(metric, prepared(other)) == wanted


@metrics
def test_a_copy_may_have_another_name(metric: Metric) -> None:
    other = metric.named("variant", "a variant")
    assert (other.name, other.title) == ("variant", "a variant")
    assert metric.name != "variant"
    assert other.scores(other.identity()).metric == "variant"


@metrics
def test_many_sums_are_scored_as_one_is(metric: Metric) -> None:
    import numpy as np

    items = given(metric)
    rows = [metric.measure(items[a], items[b]) for a, b in PAIRS[:5]]
    sums = np.array([row.statistics for row in rows])
    for found, row in zip(metric.score_rows(sums).tolist(), rows, strict=True):
        score = metric.scores(row.statistics)
        ratios = (score.precision, score.recall, score.score)
        wanted = ratios if score.is_defined else (None,) * 3
        for number, value in zip(found, wanted, strict=True):
            assert number != number if value is None else number == value


def test_an_evaluation_fits_a_copy_and_leaves_the_metric_as_it_was() -> None:
    """So the same metric scores two corpora, each by its own references."""
    metric = make_metric("yisi")
    alone = evaluate(TEXTS[:1], TEXTS[1:2], make_metric("yisi")).score
    evaluate(TEXTS, TEXTS[::-1], metric)
    assert not metric.fitted
    assert evaluate(TEXTS[:1], TEXTS[1:2], metric).score == alone


def test_a_fitted_metric_keeps_what_it_has_learned() -> None:
    metric = make_metric("yisi")
    corpus = [metric.prepare(metric.read(text).item) for text in TEXTS]
    fitted = metric.copy().fit(corpus)
    by_corpus = fitted.compare(corpus[0], corpus[2]).statistics
    assert by_corpus != metric.compare(corpus[0], corpus[2]).statistics
    report = evaluate(TEXTS[:1], TEXTS[2:3], fitted)
    assert report.pairs[0].statistics == by_corpus


def test_what_cannot_be_read_is_an_error_of_the_metrics_own_reading() -> None:
    with pytest.raises(GraphError):
        make_metric("smatch").read("(a / b")
    with pytest.raises(GraphError, match="has no '# ::snt', which metrics on text"):
        make_metric("bleu").read("(a / b)")
