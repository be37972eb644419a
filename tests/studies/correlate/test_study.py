"""Preferences, foils and systems in memory: what the command finds in files."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli
from support.files import Files

import exactmatch
from exactmatch.views.data import write_json

SAMPLE = Path(exactmatch.__file__).with_name("sample")
PRED, GOLD = (str(SAMPLE / name) for name in ("pred.amr", "gold.amr"))
METRICS = ["smatch", "sembleu", "wlk"]
NAMES = ("--metric", ",".join(METRICS), "-q")


@pytest.fixture(scope="module")
def graphs() -> list[Any]:
    return [list(exactmatch.formats.iter_graphs(Path(path))) for path in (PRED, GOLD)]


@pytest.fixture(scope="module")
def systems(graphs: Any) -> dict[str, list[str]]:
    """Four systems: the sample's parser, and what is left of it without more."""
    preds = ["\n".join(graph.origin.text) for graph in graphs[0]]
    golds = ["\n".join(graph.origin.text) for graph in graphs[1]]
    pairs = zip(preds, golds, strict=True)
    return {
        "parser": preds,
        "half": [g if k % 2 else p for k, (p, g) in enumerate(pairs)],
        "bare": ["(t / thing)"] * len(preds),
        "copy": golds,
    }


CHOICES: dict[str, list[float | None]] = {
    "anna": [1, 0, None, 0.5] * 5,
    "ben": [1, 1, 0, None] * 5,
}


@pytest.mark.parametrize("names", [["anna"], ["anna", "ben"]])
def test_preferences(names: list[str], graphs: Any, files: Files, cli: Cli) -> None:
    human = {name: CHOICES[name] for name in names}
    paths = [
        files.lines(
            name, (f"{'-' if c is None else c}\nsee above" for c in human[name])
        )
        for name in names
    ]
    wanted = cli.json("correlate", PRED, GOLD, *paths, *NAMES, "--confidence", "90")
    preds, golds = graphs
    given: Any = human if len(names) > 1 else human["anna"]
    found = exactmatch.studies.correlate_preferences(
        preds, golds, given, METRICS, confidence=0.9
    )
    check_preferences(found, wanted)
    assert not found.foils


def test_foils(graphs: Any, cli: Cli) -> None:
    wanted = cli.json("correlate", PRED, GOLD, "--foils", *NAMES)
    preds, golds = graphs
    found = exactmatch.studies.correlate_foils(preds, golds, METRICS)
    check_preferences(found, wanted)
    assert found.foils
    with pytest.raises(exactmatch.InputError, match="each foil is followed by its"):
        exactmatch.studies.correlate_foils(preds[:3], golds[:3])


def check_preferences(
    found: exactmatch.studies.PreferenceCorrelation, wanted: Any
) -> None:
    assert list(found.preferences) == METRICS
    for row in wanted["metrics"]:
        one = found[row["metric"]]
        for name in ("decided", "right", "tied", "undecided"):
            assert getattr(one, name) == row[name]
        assert one.accuracy.value == row["accuracy"]
        assert one.accuracy.interval is not None
        assert one.accuracy.interval.low == row["accuracy_low"]
    p_values = [test.p_value for test in found.tests]
    assert p_values == [test["p_value"] for test in wanted["mcnemar"]]
    assert (found.judges is None) == (wanted["judges"] is None)
    if found.judges is not None:
        assert found.judges.alpha == wanted["judges"]["alpha"]


SCORED = [
    {"judge": judge, "system": system, "segment": segment, "score": score}
    for judge, bonus in (("anna", 0), ("ben", 5))
    for segment in range(25)
    for system, score in (
        ("parser", 50 + segment + bonus),
        ("half", 70 - segment),
        ("bare", 10),
        ("copy", 90 + bonus),
    )
]
PREFERRED = [
    {"segment": k, "first": "parser", "second": "half", "preferred": choice}
    for k, choice in enumerate(["half", "parser", "tie"] * 8)
] + [{"segment": 0, "first": "bare", "second": "copy", "preferred": "copy"}]
TOTALS = [
    {"system": name, "score": score}
    for name, score in (("parser", 3), ("half", 4), ("bare", 1), ("copy", 5.5))
]


@pytest.mark.slow
@pytest.mark.parametrize("macro", [False, True])
@pytest.mark.parametrize(
    "rows", [SCORED, PREFERRED, TOTALS], ids=["scores", "preferences", "totals"]
)
def test_systems(
    rows: list[dict[str, Any]], macro: bool, systems: Any, files: Files, cli: Cli
) -> None:
    paths = [
        files.one(f"{name}.amr", "\n\n".join(texts) + "\n")
        for name, texts in systems.items()
    ]
    cells = [list(rows[0]), *(list(map(str, row.values())) for row in rows)]
    judgement = files.lines("human.tsv", map("\t".join, cells))
    options = ["--names", ",".join(systems), "--human", judgement, "--seed", "4"]
    options += ["--standardise"] * (rows is SCORED) + ["--macro"] * macro
    wanted = cli.json("correlate", GOLD, *paths, *options, *NAMES)
    given: Any = rows
    if rows is TOTALS and macro:
        given = {row["system"]: row["score"] for row in rows}
    found = exactmatch.studies.correlate_systems(
        systems,
        systems["copy"],
        given,
        METRICS,
        standardise=rows is SCORED,
        macro=macro,
        seed=4,
    )
    assert [row["human"] for row in wanted["systems"]] == list(found.people)
    for metric in METRICS:
        of_metric = [row[metric] for row in wanted["systems"]]
        assert of_metric == list(found.scores[metric])
        for name, score in zip(systems, found.scores[metric], strict=True):
            (alone,) = exactmatch.evaluate(
                systems[name], systems["copy"], metric
            ).scores
            own = alone.macro["score"] if macro else alone.score.score
            assert score == pytest.approx(own)
    for row in wanted["metrics"]:
        one = found[row["metric"]]
        assert one.pearson.value == row["pearson"]
        assert (one.right, one.pairs) == (row["system_right"], row["system_pairs"])
        if rows is TOTALS:
            assert not found.segments
            continue
        segment = found.segments[row["metric"]]
        assert (segment.concordant, segment.tied) == (row["concordant"], row["tied"])
        ends = segment.tau.interval
        assert (ends.low if ends else None) == row["tau_low"]
    assert [t.p_value for t in found.tests] == [
        test["p_value"] for test in wanted["williams"]
    ]
    assert ("average:macro" in json.dumps(wanted["signatures"])) == macro


def test_what_people_leave_undecided_is_counted() -> None:
    golds = ["(b / bark-01)", "(r / rain-01)"]
    systems = {"one": golds, "two": golds}
    both = {"first": "one", "second": "two"}
    rows = [{"segment": k, **both, "preferred": "tie"} for k in range(2)]
    for number, told in (
        (1, "1 comparison without a winner is left out"),
        (2, "2 comparisons without a winner are left out"),
    ):
        found = exactmatch.studies.correlate_systems(systems, golds, rows[:number])
        assert any(note.startswith(told) for note in found.tables().notes)


@pytest.mark.slow
def test_files_of_judgement_in_python(graphs: Any, files: Files, cli: Cli) -> None:
    """All that the command says, of scores and of preferences; each asked for alone."""
    scores = files.lines("scores.txt", [k % 5 / 5 for k in range(38)])
    lines = ["1", "see above", "0", "see above", "-", "see above"] * 6
    wishes = files.lines("wishes.txt", lines)
    sides = Path(PRED), Path(GOLD)
    for path, asked, other in (
        (scores, exactmatch.correlate, exactmatch.studies.correlate_preferences),
        (wishes, exactmatch.studies.correlate_preferences, exactmatch.correlate),
    ):
        wanted = cli.json("correlate", PRED, GOLD, path, "--per-pair", *NAMES)
        found = asked(*sides, Path(path), METRICS)
        stream = StringIO()
        write_json(stream, found.tables(per_pair=True).data)
        assert json.loads(stream.getvalue()) == wanted
        assert wanted["per_pair"][3]["id"] == graphs[1][3].id
        with pytest.raises(exactmatch.InputError, match=r"txt: holds .*, not "):
            other(*sides, Path(path))


def test_nonsense_is_refused(graphs: Any, systems: Any) -> None:
    preds, golds = graphs
    few = [1.0] * 3
    for human, said in (
        (few, "3 preferences but 40 pairs of graphs"),
        ([2.0] * 20, "the preference is 2; it must be 1, 0 or 0.5"),
        ([10**400] * 20, "is not a judgement; give a number"),
        ({"a": few, "b": few[:2]}, "different numbers of answers (3, 2)"),
        ([], "there is no judgement of any pair"),
    ):
        with pytest.raises(exactmatch.InputError) as caught:
            exactmatch.studies.correlate_preferences(preds, golds, human)
        assert said in str(caught.value)
    for rows, said in (
        ([{"system": "x", "score": 1}], "judgement:1: no system is called 'x'"),
        ([{"system": "half"}], "judgement 1 has the columns system; it needs"),
        ([], "there is no judgement of any system"),
    ):
        with pytest.raises(exactmatch.InputError) as caught:
            exactmatch.studies.correlate_systems(systems, golds, rows)
        assert said in str(caught.value)
    with pytest.raises(exactmatch.InputError, match="only 1 system; give two"):
        exactmatch.studies.correlate_systems({"a": golds}, golds, {"a": 1})


@pytest.mark.slow
def test_they_are_shown_in_a_line_and_as_tables(graphs: Any, systems: Any) -> None:
    preds, golds = graphs
    foils = exactmatch.studies.correlate_foils(preds, golds, METRICS)
    held = exactmatch.studies.correlate_systems(systems, golds, SCORED, METRICS)
    for found in (foils, held):
        assert "\n" not in repr(found)
        assert repr(found).count("smatch ") == 1
        page = found._repr_html_()
        for metric in METRICS:
            assert page.count(f">{metric}<") >= 1
        assert "McNemar&#x27;s test" in page or "Williams&#x27; test" in page
    assert "τ " in repr(held)
    assert "<script" not in held._repr_html_()
