"""Graphs of one format in another, from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli
from support.files import Files
from support.samples import SAMPLES

from exactmatch.cli.main import main
from exactmatch.formats.formats import FORMATS
from exactmatch.graphs.graph import Graph


def graphs(name: str, text: str) -> list[Graph]:
    found = FORMATS[name].blocks(text.splitlines(keepends=True), "file")
    return [FORMATS[name].read(block).graph for block in found]


def test_convert_writes_what_another_reads(tmp_path: Path, cli: Cli) -> None:
    source, target, back = (tmp_path / n for n in ("a.amr", "b.json", "c.amr"))
    source.write_text(SAMPLES["penman"])
    assert main(["convert", str(source), "-o", str(target)]) == 0
    assert main(["convert", str(target), "--to", "penman", "-o", str(back)]) == 0
    assert graphs("penman", back.read_text()) == graphs("penman", SAMPLES["penman"])
    assert "w\tARG0\tb" in cli.out("convert", str(back), "--to", "triples")


def test_convert_says_what_would_be_lost(tmp_path: Path, cli: Cli) -> None:
    source, target = tmp_path / "a.mrp", tmp_path / "b.tsv"
    source.write_text(SAMPLES["mrp"])
    err = cli.refusal("convert", source, "-o", target)
    assert not target.exists()
    assert "a.mrp:1: graph '1' cannot be written as triples without loss of" in err
    assert "anchors" in err
    ran = cli("convert", str(source), "-o", str(target), "--lossy")
    assert ran.code == 0
    assert "loses" in ran.err
    assert "_run_v_away" in target.read_text()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "name a format by --to"),
        (("-o", "x.doc"), "no format has the ending '.doc'"),
        (("--to", "sbn"), "which is in no box, which SBN cannot say"),
        (("--to", "umr"), "has no sentences"),
        (("--to", "clauses"), "which clauses cannot state"),
    ],
)
def test_convert_says_what_cannot_be_said(
    tmp_path: Path,
    cli: Cli,
    arguments: tuple[str, ...],
    words: str,
) -> None:
    source = tmp_path / "a.amr"
    source.write_text("(w / want-01 :ARG0 (b / boy))")
    assert words in cli.refusal("convert", str(source), *arguments)


TAGGED = """\
# ::id 1
(a / b~e.2
    :q x~e.4
    :name (n / name
        :op1 "New"~e.2
        :op2 "York"~e.3,4)
    :ARG0~e.4 (c / city~1))
"""


def test_alignment_tags_are_kept(files: Files, cli: Cli) -> None:
    path = files.one("a.amr", TAGGED)
    assert cli.out("convert", path, "--to", "penman") == TAGGED
    as_json = files.one("a.json", cli.out("convert", path, "--to", "node-link"))
    assert cli.out("convert", as_json, "--to", "penman") == TAGGED
    for profile in ("smatch", "clean"):
        assert cli.record(path, as_json, "--profile", profile)["f1"] == 1


OBJECTS: list[tuple[str, dict[str, Any], int]] = [
    ("mrp", {"id": "1", "time": "2026", "nodes": [{"id": 0, "label": "3"}]}, 0),
    ("mrp", {"id": 1, "nodes": [{"id": 0, "label": "3"}]}, 1),
    ("mrp", {"id": "1", "nodes": [{"id": 0, "label": 3}]}, 1),
    (
        "mrp",
        {"nodes": [{"id": 0, "properties": ["a", "b"], "values": [True, "true"]}]},
        1,
    ),
    ("node-link", {"nodes": [{"id": "1", "concept": "x", "quant": "3"}]}, 0),
    ("node-link", {"nodes": [{"id": 1, "concept": "x"}]}, 1),
    ("node-link", {"nodes": [{"id": "1", "concept": "x", "quant": 3}]}, 1),
]


@pytest.mark.parametrize(("name", "data", "lost"), OBJECTS)
def test_numbers_stay_numbers_or_their_loss_is_said(
    files: Files, cli: Cli, name: str, data: dict[str, Any], lost: int
) -> None:
    rest: dict[str, Any] = {"links": [], "directed": True}
    if name == "mrp":
        rest = {"flavor": 1, "framework": "eds", "version": 1.1}
    path = files.one("a", json.dumps({**rest, **data}))
    arguments = ("convert", path, "--to", name)
    if lost:
        value = "without loss of 1 value as written, such as "
        assert value in cli.refusal(*arguments)
        ran = cli(*arguments, "--lossy")
        assert ran.code == 0
        assert "loses 1 value as written" in ran.err
    else:
        written = json.loads(cli.out(*arguments))
        if name == "mrp":
            assert written == {**rest, **data}
        assert [node["id"] for node in written["nodes"]] == [
            node["id"] for node in data["nodes"]
        ]


def test_penman_without_concepts_is_said_to_be_refused(files: Files, cli: Cli) -> None:
    path = files.one("a.clf", 'b1 REF x1\nb1 male "n.02" x1\n')
    ran = cli("convert", path, "--to", "penman")
    assert ran.code == 0
    assert "'b1' and perhaps other variables without a concept" in ran.err
    written = files.one("a.amr", ran.out)
    assert "error" in cli.refusal(written, written)
    as_json = files.one("a.json", cli.out("convert", path, "--to", "node-link"))
    assert cli.record(path, as_json, "--profile", "drs")["f1"] == 1
    assert cli.out("convert", written, "--to", "clauses") == Path(path).read_text()
    assert cli("convert", path, "--to", "node-link").err == ""
