"""Documents of JSON whose identifiers a JSON Schema names."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli
from support.files import Files

import exactmatch
from exactmatch.base.errors import InputError
from exactmatch.formats.formats import get_format
from exactmatch.formats.machine.json_graphs import network_in
from exactmatch.formats.machine.network import Network

PERSON = {
    "primaryKey": "id",
    "properties": {"friends": {"type": "array", "ref": "people"}},
}
SCHEMA = {
    "properties": {
        "people": {"items": {"$ref": "#/$defs/person"}},
        "lead": {"type": "string", "ref": "people"},
    },
    "$defs": {"person": {"allOf": [PERSON]}},
}
TEAM = {
    "title": "team",
    "lead": "p2",
    "people": [
        {"id": "p1", "name": "Ann", "age": 3, "friends": ["p2", "p1"]},
        {"id": "p2", "name": "Bob", "tags": ["x", "y"], "home": {"type": "house"}},
    ],
}


def network(folder: Path, document: Any, schema: Any = SCHEMA) -> Network:
    place = folder / "schema.json"
    place.write_text(json.dumps(schema))
    form = get_format(f"document:{place}")
    (block,) = form.blocks([json.dumps(document)], None)
    return network_in(block)


def stated(found: Network) -> set[tuple[str | None, ...]]:
    """What a graph says, in labels."""
    label = {name: own for name, (own, _) in found.nodes.items()}
    edges = {(label[s], role, label[t]) for s, role, t in found.edges}
    return edges | {(label[n], *f) for n, (_, fs) in found.nodes.items() for f in fs}


def test_objects_are_nodes_and_fields_edges_and_attributes(tmp_path: Path) -> None:
    assert stated(network(tmp_path, TEAM)) == {
        ("team", "people", "Ann"),
        ("team", "people", "Bob"),
        ("team", "lead", "Bob"),
        ("Ann", "age", "3"),
        ("Ann", "friends", "Bob"),
        ("Ann", "friends", "Ann"),
        ("Bob", "tags", "x"),
        ("Bob", "tags", "y"),
        ("Bob", "home", "house"),
    }
    plain = stated(network(tmp_path, TEAM, {}))
    assert {("Ann", "id", "p1"), ("team", "lead", "p2")} < plain
    assert ("Ann", "friends", "p2") in plain


@pytest.mark.parametrize("seed", range(20))
def test_identifiers_and_order_do_not_count(seed: int, tmp_path: Path) -> None:
    """A document with other identifiers, in another order, is the same graph."""
    rng = random.Random(seed)
    people: list[dict[str, Any]] = [
        {"id": f"p{n}", "name": rng.choice("abc"), "friends": rng.sample(range(4), 2)}
        for n in range(4)
    ]
    for one in people:
        one["friends"] = [f"p{n}" for n in one["friends"]]
    new = dict(zip([f"p{n}" for n in range(4)], rng.sample("wxyz", 4), strict=True))
    other = copy.deepcopy(people)
    for one in other:
        one["id"] = new[one["id"]]
        one["friends"] = [new[name] for name in one["friends"]]
        rng.shuffle(one["friends"])
    rng.shuffle(other)
    wrong = copy.deepcopy(other)
    for one in wrong:
        one["friends"] = one["friends"][:1]
    graphs = [
        network(tmp_path, {"people": found}).as_networkx()
        for found in (people, other, wrong)
    ]
    assert exactmatch.score(graphs[0], graphs[1], metric="graph").f1 == 1
    assert exactmatch.score(graphs[0], graphs[2], metric="graph").f1 < 1


def test_files_of_documents(files: Files, cli: Cli) -> None:
    other = json.loads(json.dumps(TEAM).replace("p1", "7").replace("p2", "8"))
    pred = files.one("pred.jsonl", f"{json.dumps(TEAM)}\n" * 2)
    gold = files.one("gold.json", json.dumps([other, other]))
    schema = files.one("schema.json", json.dumps(SCHEMA))
    given = [pred, gold, "--metric", "graph", "--format-in", f"document:{schema}"]
    assert cli.json(*given)["metrics"][0]["f1"] == 1
    report = exactmatch.evaluate(
        Path(pred), Path(gold), metric="graph", format_in=f"document:{schema}"
    )
    assert report["graph"].score.f1 == 1
    assert cli.json(*given[:-1], "document")["metrics"][0]["f1"] < 1
    proofs = files.one("proofs.jsonl", "")
    cli.out(*given, "--certificates", proofs)
    told = cli.refusal("verify", proofs, pred, gold)
    assert "a file that only the command line may name; give it here" in told
    assert cli("verify", proofs, pred, gold, *given[-2:]).code == 0


def test_answers_hold_documents(files: Files, cli: Cli) -> None:
    other = json.loads(json.dumps(TEAM).replace("p1", "7").replace("p2", "8"))
    broken = json.dumps(TEAM)[:-1] + ",}"
    answers = (
        json.dumps(TEAM),
        f"Here it is:\n```json\n{json.dumps(TEAM)}\n```",
        f"Here it is: {broken} Well?",
        "I do not know.",
    )
    rows = [{"prediction": one, "gold": json.dumps(other)} for one in answers]
    path = files.lines("answers.jsonl", map(json.dumps, rows))
    schema = files.one("my schema.json", json.dumps(SCHEMA))
    given = [path, path, "--field", "prediction,gold", "--metric", "graph"]
    ran = cli(*given, "--format-in", f"document:{schema}", "--per-pair")
    share = "50.0 % of 4 predictions are well-formed graphs (1 of them in fences or"
    assert share in ran.out
    found = cli.json(*given, "--format-in", f"document:{schema}", "--per-pair")
    assert [pair["f1"] for pair in found["metrics"][0]["per_pair"]] == [1, 1, 1, 0]
    told = cli.refusal(*given, "--format-in", "document:none.json")
    assert "none.json: cannot be read" in told


@pytest.mark.parametrize(
    ("document", "schema", "reason"),
    [
        (TEAM | {"lead": "p9"}, SCHEMA, "'p9' in the field 'lead', which is the ident"),
        ({"people": [{"id": 1}, {"id": 1}]}, SCHEMA, "two objects with the identifier"),
        (["x"], SCHEMA, 'is "x", which is not an object'),
        (TEAM, [], "is not a JSON Schema, which is a JSON object"),
        (TEAM, {"$ref": "#/$defs/none"}, "refers to '#/$defs/none', which is not in"),
        (TEAM, {"$ref": "http://x.y/z"}, "refers to 'http://x.y/z', which is not in"),
    ],
)
def test_what_makes_no_sense_is_said(
    tmp_path: Path, document: Any, schema: Any, reason: str
) -> None:
    with pytest.raises(InputError) as refused:
        network(tmp_path, document, schema)
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_schema_may_refer_to_itself(tmp_path: Path) -> None:
    schema = {"primaryKey": "k", "properties": {"next": {"$ref": "#"}}, "$ref": "#"}
    found = network(
        tmp_path, {"k": 1, "name": "a", "next": {"k": 2, "name": "b"}}, schema
    )
    assert stated(found) == {("a", "next", "b")}
    assert found.metadata["id"] == "1"


@pytest.mark.parametrize(
    ("name", "reason"),
    [("none.json", ": cannot be"), ("bad.json", ":1:2: is not JSON")],
)
def test_a_schema_that_cannot_be_read(
    files: Files, cli: Cli, name: str, reason: str
) -> None:
    files.enter()
    files.one("bad.json", "{")
    path = files.one("a.json", "{}")
    told = cli.refusal(path, path, "--format-in", f"document:{name}")
    assert f"{name}{reason}" in told
