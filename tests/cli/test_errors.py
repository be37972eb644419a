"""``exactmatch errors``: the same numbers in every format, and edits that apply."""

import csv
import io
import json
from typing import Any

import pytest
from support.command import Cli
from support.files import Files

GOLD = """# ::id one
(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b :polarity -))

# ::id two
(d / dog :mod (b / big) :quant 2)
"""
PRED = """# ::id one
(w / want-01 :ARG2 (b / boy) :ARG1 (g / go-01 :ARG0 b))

# ::id two
(d / dog :mod (b / big) :quant 2)
"""


@pytest.fixture(autouse=True)
def _in_folder_with_files(files: Files) -> None:
    files.enter()
    files.one("pred.amr", PRED)
    files.one("gold.amr", GOLD)


def printed(cli: Cli, *arguments: Any) -> str:
    return cli.out("errors", "pred.amr", "gold.amr", *arguments, "-q")


def test_text_shows_counts_and_what_they_cost(cli: Cli) -> None:
    lines = [line.split() for line in printed(cli).splitlines()]
    assert ["role", "confusion", "1", "40.0", "1"] in lines
    assert ["ARG0→ARG2", "1", "40.0", "1"] in lines
    assert ["go-02→go-01", "1", "40.0", "1"] in lines
    assert ["missing", "polarity", "1", "20.0", "1"] in lines
    assert "2 pairs, 5 differing triples; " in printed(cli)
    assert "signature: metric:smatch|" in printed(cli)


def test_json_and_csv_hold_the_same(cli: Cli) -> None:
    record = json.loads(printed(cli, "--format", "json"))
    (system,) = record["systems"]
    rows = list(csv.DictReader(io.StringIO(printed(cli, "--format", "csv"))))
    assert len(rows) == len(system["errors"])
    for row, each in zip(rows, system["errors"], strict=True):
        assert row["kind"] == each["kind"]
        assert row["detail"] == each["detail"]
        for name in ("count", "least", "greatest", "triples"):
            assert int(row[name]) == each[name]
        assert float(row["share"]) == each["share"]
        assert int(row["pairs"]) == len(each["pairs"])
    kinds = [each for each in system["errors"] if not each["detail"]]
    assert sum(each["share"] for each in kinds) == pytest.approx(1)


def test_each_pair_has_its_edits(cli: Cli) -> None:
    record = json.loads(printed(cli, "--format", "json"))
    first, second = record["systems"][0]["per_pair"]
    assert second["edits"] == []
    assert (first["id"], first["optima"], first["all_optima"]) == ("one", 1, True)
    edits = {(e["edit"], e["pred"], e["gold"]) for e in first["edits"]}
    assert edits == {
        ("substitute", "(g :instance go-01)", "(g :instance go-02)"),
        ("substitute", "(w :ARG2 b)", "(w :ARG0 b)"),
        ("insert", None, "(g :polarity -)"),
    }
    text = printed(cli, "--per-pair")
    assert (
        "pair 1 (one)\n  substitute (g :instance go-01) → (g :instance go-02)" in text
    )
    assert "pair 1" not in printed(cli)


def test_systems_stand_side_by_side(cli: Cli) -> None:
    files = ("errors", "gold.amr", "--systems", "pred.amr", "gold.amr", "-q")
    arguments = [*files, "--names", "first,second"]
    text = cli.out(*arguments)
    head = text.splitlines()[1].split()
    assert head[:3] == ["error", "count", "first"]
    record = cli.json(*arguments)
    assert [system["system"] for system in record["systems"]] == ["first", "second"]
    assert record["systems"][1]["errors"] == []
    assert "count second" in cli.out(*arguments, "--format", "latex")


def test_kinds_alone_can_be_shown(cli: Cli) -> None:
    assert "ARG0→ARG2" in printed(cli)
    assert "ARG0→ARG2" not in printed(cli, "--show", "0")


def test_equal_files_have_no_errors(cli: Cli) -> None:
    assert (
        len(
            cli.out(
                "errors", "gold.amr", "gold.amr", "-q", "--format", "csv"
            ).splitlines()
        )
        == 1
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["pred.amr"], "only one file is named"),
        (["-", "gold.amr"], "every file is read more than once"),
        (
            ["pred.amr", "gold.amr", "--names", "a,b"],
            "name them all: exactmatch errors GOLD --systems A B",
        ),
        (["pred.amr", "gold.amr", "--metric", "smatch,s2match"], "under one metric"),
        (["pred.amr", "none.amr"], "no such file"),
    ],
)
def test_bad_usage_is_met_with_one_sentence(
    cli: Cli, arguments: list[str], message: str
) -> None:
    assert message in cli.refusal("errors", *arguments)


def test_differences_have_colours_at_a_terminal(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = ("pred.amr", "gold.amr", "-q")
    plain = cli.out("align", *files), cli.out("errors", *files, "--per-pair")
    assert not any("\x1b" in text for text in plain)
    monkeypatch.setenv("FORCE_COLOR", "1")
    aligned = cli.out("align", *files)
    assert "\x1b[34m  missing  (g :polarity -)\x1b[0m" in aligned
    assert "\x1b[33m  extra " in aligned
    listed = cli.out("errors", *files, "--per-pair")
    assert "\x1b[35m  substitute (g :instance go-01)" in listed
    assert "\x1b" not in cli.out("align", *files, "--format", "json")


DOCUMENTS = [
    ({"total": 40, "items": [{"name": "red pens"}]}, {"total": 40}),
    ({"total": 3}, {"total": 3}),
    ({"total": 3, "b": 1}, {"total": 2}),
]


@pytest.fixture
def documents(files: Files) -> list[str]:
    for k, name in enumerate(("pred.jsonl", "gold.jsonl")):
        files.one(name, "\n".join(json.dumps(pair[k]) for pair in DOCUMENTS))
    return ["pred.jsonl", "gold.jsonl"]


def test_documents_have_a_table_by_field_and_the_pairs_of_each(
    cli: Cli, documents: list[str]
) -> None:
    lines = [line.split() for line in cli.out("errors", *documents, "-q").splitlines()]
    assert ["total", "2", "0", "1", "0", "0", "0.6667", "50.0", "1"] in lines
    assert ["items[].name", "0", "0", "0", "0", "1", "0.0000", "25.0", "1"] in lines
    assert ["total", "pair", "3", "total:", "3", "should", "be", "2"] in lines
    assert [
        "items[].name",
        "pair",
        "1",
        "items[0].name",
        "is",
        "too",
        "much:",
        '"red',
        'pens"',
    ] in lines


def test_documents_in_json_and_csv(cli: Cli, documents: list[str]) -> None:
    run = ("errors", *documents, "--metric", "json", "-q")
    record = json.loads(cli.out(*run, "--format", "json"))
    (system,) = record["systems"]
    assert (system["pairs"], system["right"]) == (3, 1)
    fields = {one["field"]: one for one in system["fields"]}
    assert sum(one["share"] for one in fields.values()) == pytest.approx(1)
    assert fields["total"]["errors"] == [
        {
            "index": 2,
            "id": None,
            "how": "wrong",
            "pred_path": "total",
            "gold_path": "total",
            "pred": "3",
            "gold": "2",
        }
    ]
    rows = list(csv.DictReader(io.StringIO(cli.out(*run, "--format", "csv"))))
    assert {row["field"] for row in rows} == {"total", "items[].name", "b"}


def test_the_worst_documents_alone(cli: Cli, documents: list[str]) -> None:
    run = ("errors", *documents, "--worst", "1", "--format", "json", "-q")
    (system,) = json.loads(cli.out(*run))["systems"]
    assert system["pairs"] == 1
    assert {one["field"] for one in system["fields"]} == {"total", "b"}
