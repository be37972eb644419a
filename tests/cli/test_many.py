"""The commands that compare many graphs with many."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli
from support.files import Files

DOG = "(b / bark-01 :ARG0 (d / dog))"
BIG = "(b / bark-01 :ARG0 (d / dog :mod (b2 / big)))"
CAT = "(m / meow-01 :ARG0 (c / cat))"


@pytest.fixture
def folder(files: Files, tmp_path: Path) -> Path:
    files.enter()
    for name, graphs in {
        "bank.amr": (DOG, CAT, BIG, DOG),
        "queries.amr": (BIG, CAT),
        "a.amr": (DOG, CAT),
        "b.amr": (CAT, CAT),
        "c.amr": (BIG, DOG),
        "gold.amr": (BIG, CAT),
    }.items():
        blocks = [f"# ::id {name}.{k}\n{graph}\n" for k, graph in enumerate(graphs)]
        files.one(name, "\n".join(blocks))
    return tmp_path


def printed(cli: Cli, *arguments: Any) -> str:
    return cli.out(*list(arguments))


@pytest.mark.usefixtures("folder")
def test_nearest(cli: Cli) -> None:
    out = printed(cli, "nearest", "queries.amr", "bank.amr", "-k2", "--format=json")
    found = json.loads(out)["neighbours"]
    places = [(row["query"], row["rank"], row["index"]) for row in found]
    expected = [("queries.amr.0", 1, 2), ("queries.amr.0", 2, 0)]
    assert places[:2] == expected
    assert found[0]["score"] == 1.0
    assert printed(cli, "nearest", "bank.amr", "--save", "bank") == ""
    again = printed(cli, "nearest", "queries.amr", "bank", "-k2", "--format=json")
    assert json.loads(again)["neighbours"] == found
    high = printed(cli, "nearest", "queries.amr", "bank", "--at-least", "1")
    assert [line.split()[2] for line in high.splitlines()[1:3]] == ["3", "2"]


@pytest.mark.parametrize("metric", ["smatch", "sembleu"])
def test_a_graph_without_id_has_its_number_in_the_file(
    metric: str, cli: Cli, files: Files
) -> None:
    """One that is left out counts, too, whether graphs are read once or twice."""
    files.enter()
    files.one("graphs.amr", f"(b / bark-01\n\n{DOG}\n\n{DOG}\n")
    how = ("--metric", metric, "--on-error", "skip", "--format", "csv")
    (row,) = csv.DictReader(cli.out("duplicates", "graphs.amr", *how).splitlines())
    assert (row["first_id"], row["second_id"]) == ("2", "3")


@pytest.mark.usefixtures("folder")
def test_duplicates(cli: Cli) -> None:
    out = printed(cli, "duplicates", "bank.amr", "--format", "csv")
    (row,) = csv.DictReader(out.splitlines())
    assert (row["first"], row["second"], row["score"]) == ("1", "4", "1.0")
    assert "0 pairs among 2" in printed(cli, "duplicates", "queries.amr")


def test_ensemble(folder: Any, cli: Cli) -> None:
    files = ("a.amr", "b.amr", "c.amr")
    out = printed(
        cli, "ensemble", *files, "--graphs", "best.amr", "--oracle", "gold.amr"
    )
    assert "by an oracle" in out
    best = (folder / "best.amr").read_text()
    assert best == f"# ::id a.amr.0\n{DOG}\n\n# ::id a.amr.1\n{CAT}\n\n"
    weighted = printed(
        cli, "ensemble", *files, "--system-weights", "0,0,1", "--format", "json"
    )
    sentences = json.loads(weighted)["sentences"]
    assert [row["chosen"] for row in sentences] == ["c.amr", "c.amr"]


def test_ensemble_of_nbest_lists(folder: Any, cli: Cli) -> None:
    same = "\n".join(f"# ::id {k}\n{g}\n" for k, g in ((1, CAT), (1, BIG), (1, DOG)))
    (folder / "nbest.amr").write_text(f"{same}\n# ::id 2\n{CAT}\n")
    out = printed(cli, "ensemble", "nbest.amr", "--format", "json")
    assert [row["index"] for row in json.loads(out)["sentences"]] == [2, 0]
    ranks = "\n".join(f"# ::nbest {k}\n{DOG}\n" for k in (0, 1, 0, 1, 2))
    (folder / "nbest.amr").write_text(ranks)
    out = printed(cli, "ensemble", "nbest.amr", "--format", "json")
    assert len(json.loads(out)["sentences"]) == 2


def test_graphs_with_different_ids_are_warned_of(folder: Any, cli: Cli) -> None:
    for name, ids in (("x", "12"), ("y", "13"), ("gold", "42")):
        text = "\n".join(f"# ::id {k}\n{CAT}\n" for k in ids)
        (folder / f"{name}.amr").write_text(text)
    code, _, err = cli("ensemble", "x.amr", "y.amr")
    assert code == 0
    assert err == "exactmatch: warning: x.amr:5: ids differ at position 2: '2', '3'\n"
    _, _, err = cli("ensemble", "x.amr", "x.amr", "--oracle", "gold.amr")
    assert err == (
        "exactmatch: warning: x.amr:2: ids differ at position 1: '1', '1', '4'\n"
    )


@pytest.mark.usefixtures("folder")
def test_a_file_that_is_named_twice_is_two_systems(cli: Cli) -> None:
    out = printed(cli, "ensemble", "a.amr", "b.amr", "a.amr", "-q")
    assert "a.amr (1): chosen 2 of 2 times" in out
    assert "a.amr (3): chosen 0 of 2 times" in out


def test_sentences_that_are_chosen_have_a_line_each(folder: Any, cli: Cli) -> None:
    (folder / "one.txt").write_text("the dog barks\n\nit rains\n")
    (folder / "two.txt").write_text("the dog sleeps\n\nit rains\n")
    files = ("one.txt", "two.txt", "one.txt", "--metric", "chrf")
    printed(cli, "ensemble", *files, "--graphs", "best.txt")
    assert (folder / "best.txt").read_text() == "the dog barks\n\nit rains\n"


def test_an_id_that_comes_back_is_refused(folder: Any, cli: Cli) -> None:
    text = "\n".join(f"# ::id {k}\n{CAT}\n" for k in (1, 1, 2, 1))
    (folder / "nbest.amr").write_text(text)
    said = cli.refusal("ensemble", "nbest.amr")
    assert "nbest.amr:11" in said
    assert "'1' of an earlier list" in said


def test_cluster(folder: Any, cli: Cli) -> None:
    pytest.importorskip("matplotlib")
    out = printed(
        cli, "cluster", "bank.amr", "--format", "csv", "--plot", "clusters.svg"
    )
    rows = list(csv.DictReader(out.splitlines()))
    assert [row["cluster"] for row in rows] == ["1", "2", "1", "1"]
    assert [row["medoid"] for row in rows] == ["1", "1", "0", "0"]
    assert "<svg" in (folder / "clusters.svg").read_text()


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nearest", "bank.amr"], "name a bank after the queries"),
        (["nearest", "queries.amr", "none.amr"], "none.amr"),
        (["nearest", "queries.amr", "bank.amr", "--metric", "all"], "name one"),
        (["nearest", "bank.amr", "bank.amr", "--executor", "dusk"], "is not an engine"),
        (["duplicates", "bank.amr", "--at-least", "0"], "above 0"),
        (["ensemble", "a.amr", "bank.amr"], "different numbers of graphs"),
        (["ensemble", "a.amr"], "n-best"),
        (
            ["ensemble", "a.amr", "b.amr", "--system-weights", "1"],
            "2 candidates but 1 weight",
        ),
        (["ensemble", "a.amr", "b.amr", "--system-weights", "1,x"], "not numbers"),
        (["ensemble", "a.amr", "b.amr", "--system-weights", "0,0"], "zero or more"),
        (["ensemble", "a.amr", "b.amr", "--system-weights", "2,-1"], "zero or more"),
        (["ensemble", "a.amr", "b.amr", "--system-weights", "2,nan"], "zero or more"),
        (["cluster", "bank.amr", "--plot", "x.gif"], "ends in .png"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    arguments: list[str], message: str, cli: Cli
) -> None:
    refusal = cli.refusal(*arguments)
    assert message in refusal
    assert refusal.count("\n") == 1


BROKEN = "(b / bark-01 :ARG0 (d / dog)"
READING_MANY = {
    "matrix": ["broken.amr"],
    "matrix to a file": ["broken.amr", "-o", "out.npy"],
    "nearest": ["gold.amr", "broken.amr"],
    "nearest in": ["broken.amr", "gold.amr"],
    "nearest saved": ["broken.amr", "--save", "bank"],
    "duplicates": ["broken.amr"],
    "cluster": ["broken.amr"],
    "ensemble": ["a.amr", "broken.amr"],
    "agreement": ["a.amr", "broken.amr"],
}


@pytest.mark.parametrize("name", READING_MANY)
@pytest.mark.usefixtures("folder")
def test_what_only_a_lenient_reader_takes_is_said(
    name: str, cli: Cli, files: Files
) -> None:
    files.graphs("broken.amr", [DOG, BROKEN])
    command = name.split()[0]
    code, _, err = cli(command, *READING_MANY[name])
    assert code == 0
    assert err.count("broken.amr:5: graph '1' lacks a closing parenthesis") == 1
    assert "exactmatch: warning: broken.amr:5: graph '1' lacks" in err
    assert "; read as smatch does" in err
    assert "warning" not in cli(command, *READING_MANY[name], "-q").err


@pytest.mark.usefixtures("folder")
def test_many_remarks_are_summed_up(cli: Cli, files: Files) -> None:
    files.graphs("broken.amr", [BROKEN] * 7)
    err = cli("duplicates", "broken.amr").err
    assert err.count("lacks a closing parenthesis") == 5
    assert "7 warnings of this kind (lenient) in all; 'exactmatch lint' shows" in err


@pytest.mark.usefixtures("folder")
def test_annotations_whose_ids_differ_at_a_position_are_named(cli: Cli) -> None:
    err = cli("agreement", "a.amr", "b.amr").err
    assert "warning: a.amr:2: ids differ at position 1: 'a.amr.0', 'b.amr.0'" in err


@pytest.mark.usefixtures("folder")
def test_a_file_without_graphs_is_named_among_others(cli: Cli, files: Files) -> None:
    files.one("none.amr", "# ::of nothing\n")
    for command in ("duplicates", "cluster"):
        assert "error: none.amr: holds no graph" in cli.refusal(
            command, "a.amr", "none.amr"
        )


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "arguments",
    [
        ["--metric", "sembleu", "a.tsv", "a.tsv"],
        ["draw", "no.amr"],
    ],
    ids=" ".join,
)
@pytest.mark.usefixtures("folder")
def test_a_graph_that_cannot_be_read_is_named_with_its_file(
    arguments: list[str], cli: Cli, files: Files
) -> None:
    files({"a.tsv": "a\tb\tc\n", "no.amr": "no\n"})
    place = re.escape(arguments[-1])
    said = cli.refusal(*arguments)
    assert re.search(rf"error: {place}:1:(\d:)? the graph (has|does not begin) ", said)


@pytest.mark.parametrize(
    ("command", "sides", "key"),
    [
        ("matrix", 1, "queries"),
        ("nearest", 2, "neighbours"),
        ("duplicates", 1, None),
        ("cluster", 1, "graphs"),
        ("ensemble", 2, "sentences"),
    ],
)
def test_a_format_and_a_framework_are_asked_for(
    command: str, sides: int, key: str | None, folder: Any, cli: Cli
) -> None:
    (folder / "two.tsv").write_text("b\t:instance\tbark-01\n\nd\t:instance\tdog\n")
    cli.json(command, *["two.tsv"] * sides, "--format-in", "triples")
    cli.refusal(command, *["two.tsv"] * sides, "--format-in", "penman")
    graph = {"id": "1", "tops": [0], "nodes": [{"id": 0, "label": "bark"}]}
    mrp = [{**graph, "framework": name} for name in ("eds", "dm")]
    (folder / "two.mrp").write_text("".join(f"{json.dumps(one)}\n" for one in mrp))
    found = cli.json(command, *["two.mrp"] * sides, "--framework", "eds")
    assert key is None or len(found[key]) == 1
    refused = cli.refusal(command, *["two.mrp"] * sides, "--framework", "psd")
    assert "has no graph of framework 'psd'" in refused
