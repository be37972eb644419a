"""The table by field and the corrections of documents sum to the score."""

from __future__ import annotations

import random
from typing import Any

import pytest

import exactmatch
from exactmatch import InputError, make_metric, score
from exactmatch.metrics.json.fields import Fields

WORDS = ["red pen", "red pens", "cup", "INV-17", "12.50", "", "Rome"]


def value(draw: random.Random, depth: int = 3) -> Any:
    kind = draw.random()
    if depth == 0 or kind < 0.25:
        return draw.choice([*WORDS, 1, 2.5, True, None, [], {}])
    if kind < 0.55:
        return [value(draw, depth - 1) for _ in range(draw.randrange(4))]
    return {key: value(draw, depth - 1) for key in draw.sample("abcd", 2)}


OPTIONS: list[dict[str, Any]] = [
    {},
    {"nulls": "value"},
    {"order": "all"},
    {"order": "none", "strings": "exact"},
    {"maps": ["**.a", "b"], "weights": {"**.c": 2.5}},
    {"item_cutoff": 0.5},
    {"tolerance": 0.6, "coerce": True},
]


@pytest.mark.filterwarnings("ignore:.*matches nothing")
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_fields_sum_to_the_score(options: dict[str, Any]) -> None:
    draw = random.Random(11)
    metric = make_metric("json", **options)
    for _ in range(60):
        pred, gold = {"r": value(draw)}, {"r": value(draw)}
        found = score(pred, gold, metric=metric)
        fields = found.fields()
        for name in ("matched", "pred_total", "gold_total"):
            total = float(sum(getattr(one, name) for one in fields))
            assert total == pytest.approx(getattr(found, name)), (pred, gold)
        feedback = exactmatch.feedback(found)
        assert not [e for e in feedback if e.price < -1e-9 and not options]
        assert bool(len(feedback)) == (found.f1 != 1)


def people(draw: random.Random) -> dict[str, Any]:
    names = draw.sample(range(10), 3)
    items = [{"id": n, "name": draw.choice(WORDS)} for n in names]
    teams = [
        {"lead": draw.choice([*names, 99]), "of": [{"who": n} for n in names[:2]]}
        for _ in range(2)
    ]
    return {"people": items, "teams": teams, "boss": draw.choice(names)}


def test_fields_of_references_sum_to_the_score() -> None:
    draw = random.Random(12)
    refs = dict.fromkeys(("teams[].lead", "teams[].of[].who", "boss"), "p")
    metric = make_metric("json", ids={"people[].id": "p"}, refs=refs)
    for _ in range(40):
        found = score(people(draw), people(draw), metric=metric)
        assert found.proven
        fields = found.fields()
        assert "people[].id" not in [one.field for one in fields]
        for name in ("matched", "pred_total", "gold_total"):
            total = float(sum(getattr(one, name) for one in fields))
            assert total == pytest.approx(getattr(found, name))


GOLD = {
    "invoice": "A-1",
    "date": "2024-01-05",
    "items": [
        {"name": "red pen", "qty": 2, "price": 40},
        {"name": "blue cup", "qty": 1, "price": 3},
        {"name": "lamp", "qty": 1, "price": 9},
    ],
    "x": {"street": "Elm 1", "city": "Rome"},
}
PRED = {
    "invoice": "A-1",
    "date": "2024-01-06",
    "items": [
        {"name": "lamp", "qty": 1, "price": "9"},
        {"name": "red pens", "qty": 2, "price": 41},
    ],
    "note": "thanks",
    "y": {"street": "Elm 1", "city": "Rome"},
}


def test_corrections_are_sentences_with_paths() -> None:
    lines = str(exactmatch.feedback(score(PRED, GOLD, metric="json"))).split("\n")
    assert lines[1:] == [
        'items[1] of the reference is missing: {"name": "blue cup", "qty": 1, '
        '"price": 3} (+0.18)',
        "y: moved; belongs to x (+0.17)",
        'date: "2024-01-06" should be "2024-01-05" (+0.08)',
        'items[0].price: "9" should be 9: a number, not a text (items[2].price of the '
        "reference) (+0.08)",
        "items[1].price: 41 should be 40 (items[0].price of the reference) (+0.08)",
        'items[1].name: "red pens" should be "red pen" (items[0].name of the '
        "reference) (0.75, +0.02)",
        'note: "thanks" is too much (+0.02)',
    ]


def test_the_table_of_a_corpus_has_the_references_order() -> None:
    report: Any = exactmatch.finegrained([PRED, {}], [GOLD, {}], style="json")
    rows = [
        (f.field, f.gold, f.pred, f.equal, f.similar, f.wrong) for f in report.fields
    ]
    assert rows[:5] == [
        ("invoice", 1, 1, 1, 0, 0),
        ("date", 1, 1, 0, 0, 1),
        ("items[].name", 3, 2, 1, 1, 0),
        ("items[].qty", 3, 2, 2, 0, 0),
        ("items[].price", 3, 2, 0, 0, 2),
    ]
    assert [f.field for f in report.fields][-3:] == ["note", "y.street", "y.city"]
    assert [one.to_dict() for one in report.items] == [
        {
            "field": "items[]",
            "pred": 2,
            "gold": 3,
            "matched": 2,
            "missing": 1,
            "extra": 0,
        }
    ]
    assert (report.right, len(report)) == (1, 2)


def test_other_scores_have_no_fields() -> None:
    found = exactmatch.smatch("(b / bark-01)", "(b / bark-01)")
    with pytest.raises(InputError, match="this smatch score has no fields"):
        found.fields()


def test_items_of_lists_without_a_partner_are_counted() -> None:
    gold = {"a": [{"b": 1}, {"b": 2, "c": [{"d": 1}, 3]}], "e": [[{"f": 1}, 2]]}
    score = exactmatch.score({}, gold, metric="json")
    assert score.compared is not None
    fields = Fields()
    fields.add(score.compared.problem)
    counts = {one.field: (one.pred, one.gold, one.matched) for one in fields.items()}
    assert counts == {"a[]": (0, 2, 0), "a[].c[]": (0, 1, 0), "e[]": (0, 1, 0)}
