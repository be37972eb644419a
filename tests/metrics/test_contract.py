"""What every metric promises: two steps, no memory of pairs, safe to send and share."""

from __future__ import annotations

from typing import Any

import pytest

from exactmatch import GraphError, evaluate, make_metric
from exactmatch.formats.formats import FORMATS
from exactmatch.metrics import METRICS
from exactmatch.metrics.base import Metric
from exactmatch.metrics.finegrained.aspects import aspects
from exactmatch.metrics.finegrained.scores import STYLES, finegrained
from exactmatch.testing import metric_checks
from exactmatch.testing.metrics import TEXTS, items_of

CLAUSES = [
    'b1 REF x1\nb1 boy "n.01" x1\nb2 Agent e1 x1\nb2 want "v.01" e1\n',
    'b1 NOT b2\nb2 Theme e1 x1\nb2 want "v.01" e1\nb1 girl "n.01" x1\n',
    'b1 EQU x1 x2\nb1 boy "n.01" x2\nb1 Role x1 x2\n',
    'b9 dog "n.01" x1\n',
]
"""Discourse structures, for the metric that compares nothing else."""


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
        return items_of(metric)
    form = FORMATS["clauses"]
    blocks = (form.blocks(text.splitlines(keepends=True), None) for text in CLAUSES)
    return [metric.read(form.read(block).graph).item for (block,) in blocks]


@metrics
@pytest.mark.parametrize("check", metric_checks())
def test_a_metric_keeps_its_contract(metric: Metric, check: str) -> None:
    metric_checks()[check](metric, given(metric))


def test_an_evaluation_fits_a_copy_and_leaves_the_metric_as_it_was() -> None:
    """So the same metric scores two corpora, each by its own references."""
    metric = make_metric("yisi")
    alone = evaluate(TEXTS[:1], TEXTS[1:2], make_metric("yisi")).score
    evaluate(list(TEXTS), list(TEXTS[::-1]), metric)
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
