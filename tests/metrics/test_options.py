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
    for option in metric_class(name).options_class.DECLARED:
        for value in STRANGERS:
            try:
                make_metric(name, **{option: value})
            except (InputError, MissingExtraError) as error:
                found.append(str(error))
    assert all(said and "\n" not in said for said in found), found


@pytest.mark.parametrize(
    ("name", "option", "value", "rule"),
    [
        ("sembleu", "ngram", 2.5, "ngram: 2.5 is not a whole number"),
        ("sembleu", "ngram", "2.0", "ngram: '2.0' is not a whole number"),
        ("sembleu", "ngram", 5, "ngram: 5 is not between 1 and 4"),
        ("sembleu", "ngram", True, "ngram: True is not a whole number"),
        ("s2match", "cutoff", "half", "cutoff: 'half' is not a number"),
        ("yisi", "joint", "no", "joint: 'no' is not True or False"),
        ("wlk", "iterations", 1.0, "iterations: 1.0 is not a whole number"),
        (
            "wwlk",
            "edge_weight",
            1e300,
            "edge_weight: 1e[+]300 is not between -1000 and",
        ),
        ("graph", "node_similarity", 3, "^node_similarity: 3 is not text"),
        ("s2match", "vectors", 0, "vectors: 0 is not text"),
        ("yisi", "role_types", "x", "role_types is 'x'; it is one of 'yisi8', "),
        ("graph", "count", "x", "count is 'x'; it is one of 'nodes-and-edges'"),
    ],
)
def test_what_is_refused(name: str, option: str, value: Any, rule: str) -> None:
    with pytest.raises(InputError, match=rule):
        make_metric(name, **{option: value})
