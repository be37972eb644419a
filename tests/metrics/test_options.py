"""Options of a metric given from Python: a value of the wrong type is a sentence."""

from __future__ import annotations

from typing import Any

import pytest

from exactmatch import InputError, make_metric
from exactmatch.errors import MissingExtraError
from exactmatch.metrics import METRICS, metric_class

STRANGERS: list[Any] = [0, -1, 1e300, 3.5, float("nan"), float("inf"), "", "x", b""]
STRANGERS += [True, False]


@pytest.mark.parametrize("name", METRICS)
def test_a_value_is_taken_or_refused_in_a_sentence(name: str) -> None:
    found = []
    for option in metric_class(name).options:
        for value in STRANGERS:
            try:
                make_metric(name, **{option.name: value})
            except (InputError, MissingExtraError) as error:
                found.append(str(error))
    assert all(said and "\n" not in said for said in found), found


@pytest.mark.parametrize(
    ("name", "option", "value", "rule"),
    [
        ("sembleu", "ngram", 2.5, "ngram is 2.5; it must be a whole number"),
        ("sembleu", "ngram", "2", "ngram is '2'; it must be a whole number"),
        ("sembleu", "ngram", True, "ngram is True; it must be a whole number"),
        ("s2match", "cutoff", "0.5", "cutoff is '0.5'; it must be a number"),
        ("yisi", "joint", "no", "joint is 'no'; it must be True or False"),
        ("wlk", "iterations", 1.0, "iterations is 1.0; it must be a whole number"),
        ("wwlk", "edge_weight", 1e300, "--edge-weight is 1e[+]300; it must be -1000"),
        ("graph", "node_similarity", 3, "^node_similarity is 3; it must be text"),
        ("s2match", "vectors", 0, "vectors is 0; it must be text"),
        ("yisi", "role_types", "x", "--role-types is 'x'; it is 'yisi8', "),
        ("graph", "count", "x", "--count is 'x'; it is 'nodes-and-edges', 'edges' or"),
    ],
)
def test_what_is_refused(name: str, option: str, value: Any, rule: str) -> None:
    with pytest.raises(InputError, match=rule):
        make_metric(name, **{option: value})
