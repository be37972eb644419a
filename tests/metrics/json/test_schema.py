"""A JSON Schema says how the fields of documents are compared."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from exactmatch import InputError, make_metric, score


def field(rule: Any) -> dict[str, Any]:
    return {"properties": {"a": rule}}


CASES: list[tuple[Any, Any, Any, float]] = [
    ({}, {"a": "red pens"}, {"a": "red pen"}, 0.75),
    (field({"enum": ["red pen"]}), {"a": "red pens"}, {"a": "red pen"}, 0),
    (field({"const": "A"}), {"a": "a"}, {"a": "A"}, 0),
    (field({"compare": "exact"}), {"a": "Red"}, {"a": "red"}, 0),
    (field({"compare": "normalised"}), {"a": "Red"}, {"a": "red"}, 1),
    (field({"compare": "graded"}), {"a": "red pens"}, {"a": "red pen"}, 0.75),
    (
        field({"format": "date-time"}),
        {"a": "2024-01-05T10:00:00+02:00"},
        {"a": "2024-01-05T08:00:00Z"},
        1,
    ),
    (field({"weight": 3}), {"a": 1, "b": 1}, {"a": 1, "b": 2}, 0.75),
    (field({"valueWeight": 3}), {"a": 1, "b": 1}, {"a": 1, "b": 2}, 0.75),
    (field({"x-aws-stickler-weight": 0}), {"a": 1, "b": 1}, {"a": 2, "b": 1}, 1),
    (field({"ordered": True}), {"a": [1, 2]}, {"a": [2, 1]}, 0.5),
    (field({"order": "fixed"}), {"a": [1, 2]}, {"a": [2, 1]}, 0.5),
    (field({"prefixItems": [{}, {}]}), {"a": [1, 2]}, {"a": [2, 1]}, 0),
    (
        field({"prefixItems": [{"weight": 3}, {}]}),
        {"a": [1, 2]},
        {"a": [1, 3]},
        0.75,
    ),
    (
        field({"items": {"uniqueItems": True}}),
        {"a": [[1, 2]]},
        {"a": [[2, 1]]},
        1,
    ),
    (field({"map": True}), {"a": {"red pens": 1}}, {"a": {"red pen": 1}}, 0.875),
    (
        field({"additionalProperties": {"type": "number"}}),
        {"a": {"red pens": 1}},
        {"a": {"red pen": 1}},
        0.875,
    ),
    (
        field({"$ref": "#/$defs/x"}) | {"$defs": {"x": {"weight": 3}}},
        {"a": 1, "b": 1},
        {"a": 1, "b": 2},
        0.75,
    ),
    (
        field({"anyOf": [{"type": "null"}, {"enum": ["red pen"]}]}),
        {"a": "red pens"},
        {"a": "red pen"},
        0,
    ),
    (
        {
            "$defs": {
                "n": {"properties": {"v": {"weight": 3}, "n": {"$ref": "#/$defs/n"}}}
            },
            "$ref": "#/$defs/n",
        },
        {"n": {"n": {"v": 1}}, "b": 1},
        {"n": {"n": {"v": 1}}, "b": 2},
        0.75,
    ),
]


@pytest.mark.parametrize(("schema", "pred", "gold", "f1"), CASES)
def test_words(schema: Any, pred: Any, gold: Any, f1: float) -> None:
    assert score(pred, gold, metric="json", schema=schema).f1 == pytest.approx(f1)


PEOPLE = {
    "properties": {
        "people": {"items": {"primaryKey": "id"}},
        "lead": {"ref": "people"},
        "team": {"ref": "people", "items": {}},
    }
}


def test_identifiers_and_references() -> None:
    gold = {"people": [{"id": 1, "n": "Ann"}, {"id": 2, "n": "Bob"}], "lead": 1}
    pred = {"people": [{"id": 8, "n": "Bob"}, {"id": 9, "n": "Ann"}], "lead": 9}
    found = score(pred, gold, metric="json", schema=PEOPLE)
    assert (found.f1, found.proven) == (1, True)
    lists = gold | {"team": [1, 2]}, pred | {"team": [8, 9]}
    assert score(*lists, metric="json", schema=PEOPLE).f1 == 1


def test_files_texts_and_options_over_schemas(tmp_path: Path) -> None:
    schema = field({"weight": 3})
    path = tmp_path / "s.json"
    path.write_text(json.dumps(schema))
    pair = {"a": 1, "b": 1}, {"a": 1, "b": 2}
    given: Any
    for given in (path, str(path), json.dumps(schema), schema):
        assert score(*pair, metric="json", schema=given).f1 == 0.75
    weights = {"a": 1}
    assert score(*pair, metric="json", schema=schema, weights=weights).f1 == 0.5
    one, other = (make_metric("json", schema=s) for s in (schema, {}))
    assert one.signature() != other.signature()


def test_classes_of_pydantic() -> None:
    pydantic = pytest.importorskip("pydantic")
    model = pydantic.create_model("M", tags=(dict[str, int], ...))
    pair = {"tags": {"red pens": 1}}, {"tags": {"red pen": 1}}
    assert score(*pair, metric="json", schema=model).f1 == 0.875
    assert score(model(tags={"a": 1}), {"tags": {"a": 1}}, metric="json").f1 == 1


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        (
            field({"$ref": "other.json#/a"}),
            "refers to 'other.json#/a', which is not in",
        ),
        (field({"$ref": "#/nowhere"}), "'#/nowhere', which is not in it"),
        (field({"$ref": "https://a.b/c"}), "which is not in it"),
        (field({"weight": -1}), "weight of a in the schema is -1"),
        (field({"weight": "x"}), "which is not a number"),
        (field({"compare": "magic"}), "compares a by 'magic'; known are exact"),
        (field({"ref": "people"}), "a refers to 'people', where no primaryKey"),
        ("{", "the schema is not JSON"),
        (3, "the schema is 3; give a file"),
        ("nowhere.json", "nowhere.json: cannot be read"),
    ],
    ids=str,
)
def test_refused(schema: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make_metric("json", schema=schema)


def test_words_that_are_not_followed_are_remarked() -> None:
    schema = field({"not": {}, "if": {}})
    (remark,) = score({"a": 1}, {"a": 1}, metric="json", schema=schema).remarks
    assert remark == "words of the schema are not followed: not, if"


@pytest.mark.parametrize(
    ("pred", "tolerance", "f1"),
    [
        (105, 0.1, 1),
        (111, "0.1", 1),
        (112, 0.1, 0),
        (True, 0.1, 0),
        ("105", 0.1, 0),
        (100.0, 0, 1),
        (101, 0, 0),
    ],
)
def test_a_field_has_its_tolerance(pred: Any, tolerance: Any, f1: float) -> None:
    schema = field({"tolerance": tolerance})
    for one, other in (
        ({"a": pred}, {"a": 100}),
        ({"a": [pred, 7]}, {"a": [7, 100]}),
    ):
        items = {"a": {"items": {"tolerance": tolerance}}}
        own = schema if one["a"] is pred else {"properties": items}
        found = score(one, other, metric="json", schema=own, tolerance=0.5)
        assert found.f1 == (f1 if one["a"] is pred else (1 + f1) / 2)
    many = [{"a": pred, "n": f"N{k}"} for k in range(20)]
    golds = [{"a": 100, "n": f"N{k}"} for k in range(20)][::-1]
    found = score(many, golds, metric="json", schema={"items": schema})
    assert found.f1 == (1 + f1) / 2


def test_texts_are_coerced_where_the_schema_says_number() -> None:
    schema = {
        "properties": {
            "n": {"anyOf": [{"type": "string"}, {"type": ["integer", "null"]}]},
            "t": {"type": "string"},
        }
    }
    pair = {"n": "7", "t": "1e1", "o": "true"}, {"n": 7, "t": "10", "o": True}
    options: dict[str, Any] = {"metric": "json", "schema": schema}
    assert score(*pair, **options).matched == 0
    assert score(*pair, coerce=True, **options).matched == 2
    assert score(*pair, coerce=True, metric="json").matched == 3


def test_keys_of_maps_refer() -> None:
    schema = {
        "properties": {
            "nodes": {"items": {"primaryKey": "name"}},
            "flow": {
                "propertyNames": {"ref": "nodes"},
                "additionalProperties": {"items": {"ref": "nodes"}},
            },
        }
    }

    def graph(names: str, *flow: str) -> dict[str, Any]:
        nodes = [{"name": name, "kind": k} for k, name in enumerate(names)]
        return {"nodes": nodes, "flow": {edge[0]: list(edge[1:]) for edge in flow}}

    gold = graph("abc", "ab", "bc")
    same = score(graph("xyz", "yz", "xy"), gold, metric="json", schema=schema)
    assert (same.f1, same.proven, same.pred_total) == (1, True, 7)
    turned = score(graph("xyz", "zy", "xy"), gold, metric="json", schema=schema)
    assert (turned.matched, turned.proven) == (5, True)
    assert any(one.field == "flow{} key" for one in turned.fields())
    wrong = field({"propertyNames": {"ref": "nods"}})
    with pytest.raises(InputError, match=r"a\{\} refers to 'nods', where no primary"):
        make_metric("json", schema=wrong)
