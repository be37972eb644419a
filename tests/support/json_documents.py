"""Small JSON documents at random, and their comparison by the oracle."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from support.json_oracle import Oracle, name_of

from exactmatch.metrics.base import Metric

WORDS = ("", "ab", "aba", "ba", "abba", "cab", "b")
CODES = ("INV-1", "INV-2", "1.50", "1.5", "A  b", "no 1.0!", "no 1.05!", "true")


def scalar(draw: random.Random) -> Any:
    return draw.choice([*WORDS, *CODES, 0, 1, -1, -2, 1.5, 1.05, True, False, None])


def value(draw: random.Random, depth: int) -> Any:
    kind = draw.random()
    if depth == 0 or kind < 0.4:
        return scalar(draw)
    if kind < 0.7:
        size = draw.randrange(4 if depth < 3 else 3)
        return [value(draw, depth - 1) for _ in range(size)]
    keys = draw.sample("abc", draw.randrange(4))
    return {key: value(draw, depth - 1) for key in keys}


def near(draw: random.Random, one: Any) -> Any:
    """Return a copy with some leaves changed, and lists in another order."""
    if isinstance(one, dict):
        return {k: near(draw, v) for k, v in one.items() if draw.random() < 0.9}
    if isinstance(one, list):
        others = [near(draw, item) for item in one if draw.random() < 0.9]
        draw.shuffle(others)
        return others
    return scalar(draw) if draw.random() < 0.3 else one


def people(draw: random.Random) -> Any:
    names = draw.sample(range(9), draw.randrange(4))
    known = [*names, 99]
    return {
        "p": [
            {
                "id": name,
                "n": draw.choice(WORDS[1:4]),
                **({"to": draw.choice(known)} if draw.random() < 0.6 else {}),
                **(
                    {"of": draw.sample(known, draw.randrange(min(3, len(known))))}
                    if draw.random() < 0.4
                    else {}
                ),
            }
            for name in names
        ],
        "rel": [
            [draw.choice(known), draw.choice(known)] for _ in range(draw.randrange(3))
        ],
        "lead": draw.choice(known),
    }


def sizes(metric: Metric, pred: Any, gold: Any) -> tuple[float, ...]:
    read = [metric.read(one).item for one in ([pred], [gold])]
    sums = metric.measure(*read).statistics
    assert sums[0] == sums[1], "proven"
    return sums[0], *sums[2:4]


def check(metric: Metric, oracle: Oracle, pred: Any, gold: Any) -> None:
    expected = oracle.compare([pred], [gold])
    counts = sizes(metric, pred, gold)
    assert [Fraction(x).limit_denominator(10**6) for x in counts] == list(expected), (
        pred,
        gold,
    )


OPTIONS: list[dict[str, Any]] = [
    {},
    {"nulls": "value"},
    {"order": "none"},
    {"order": "all"},
    {"order": "all", "nulls": "value"},
    {"weights": {"[].a": 3, "[].b": 0}},
    {"maps": ["[].a", "[]"]},
    {"coerce": True},
    {"tolerance": 0.3},
    {"tolerance": 0.3, "coerce": True, "order": "none"},
    {"strings": "exact"},
    {"strings": "normalised", "nulls": "value"},
    {"item_cutoff": 0.5},
    {"item_cutoff": 0.4, "nulls": "value", "order": "all"},
    {"item_cutoff": 0.3, "maps": ["[].a", "[]"], "weights": {"[].b": 3}},
    {"ordered": ["[]"], "unordered": ["[][]"], "tuples": ["[].a"]},
]


ORDERS = {"ordered": "ordered", "unordered": "bag", "tuples": "row"}


def oracle_of(options: dict[str, Any]) -> Oracle:
    """Return the oracle of some options of the metric."""
    return Oracle(
        nulls=options.get("nulls") == "value",
        order=options.get("order", "rows"),
        weights=options.get("weights", {}),
        maps=tuple(options.get("maps", ())),
        tolerance=Fraction(str(options.get("tolerance", 0))),
        coerce=options.get("coerce", False),
        strings=options.get("strings", "graded"),
        cutoff=Fraction(str(options.get("item_cutoff", 0))),
        lists={
            path: kind
            for name, kind in ORDERS.items()
            for path in options.get(name, ())
        },
    )


IDS = {"[].p[].id": "p"}
REFS = dict.fromkeys(("[].p[].to", "[].p[].of[]", "[].rel[][]", "[].lead"), "p")


def trees(draw: random.Random) -> tuple[Any, Any]:
    """Return a prediction and its reference."""
    gold = value(draw, 3)
    return near(draw, gold) if draw.random() < 0.7 else value(draw, 3), gold


def groups(draw: random.Random) -> tuple[Any, Any]:
    """Return a prediction and its reference, with identifiers and references."""
    while True:
        gold = people(draw)
        pred = near(draw, gold) if draw.random() < 0.6 else people(draw)
        if isinstance(pred, dict):
            names = [name_of(one.get("id")) for one in pred.get("p", [])]
            if len(set(names)) == len(names):  # of two, the first has the name
                return pred, gold
