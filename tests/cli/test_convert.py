"""Graphs of one format in another, from the command line."""

from __future__ import annotations

import json
import re
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


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["clean", "umr", "mrp"])
@pytest.mark.parametrize(
    "text",
    [
        "(a / x :ARG1 (b / y :ARG0 g) :location~e.4 (g / z))",
        "(a / x :location-of~e.4 (g / z :ARG0~e.5 a))",
        "(a / x~e.1 :ARG0~e.2 (b / y~e.3 :part-of~e.4,5 a~e.6) :ARG1 b~e.7)",
        "(a / x :consist-of~e.4 (g / z))",
    ],
)
@pytest.mark.parametrize("to", ["triples", "node-link", "penman"])
def test_roles_and_mentions_with_tags_stay_what_they_are(
    files: Files, cli: Cli, text: str, to: str, profile: str
) -> None:
    path = files.one("a.amr", text)
    written = files.one(f"b.{to}", cli.out("convert", path, "--to", to))
    assert cli.record(written, path, "--profile", profile)["f1"] == 1
    plain = files.one("c.amr", re.sub(r"~e[.\d,]+", "", text))
    options = "--profile", profile, "--strip-alignments"
    assert cli.record(written, plain, *options)["f1"] == 1


def test_a_tag_stands_behind_an_inverted_role(files: Files, cli: Cli) -> None:
    path = files.one("a.tsv", "a\tinstance\tx\ng\tinstance\tz\ng\tARG0~e.4\ta\n")
    assert ":ARG0-of~e.4 (g / z)" in cli.out("convert", path, "--to", "penman")


def test_a_mention_with_a_tag_becomes_an_edge_and_the_tag_is_a_loss(
    files: Files, cli: Cli
) -> None:
    path = files.one("a.amr", "(s / see-01 :ARG0 (d / dog) :ARG1 d~e.3)")
    ran = cli("convert", path, "--to", "mrp", "--lossy")
    (graph,) = map(json.loads, ran.out.splitlines())
    assert [edge["label"] for edge in graph["edges"]] == ["ARG0", "ARG1"]
    assert "loses 1 alignment tag left out" in ran.err


@pytest.mark.parametrize("to", ["gml", "table", "relations", "webnlg", "graphml"])
def test_an_amr_is_written_where_a_format_can_say_its_nodes_and_edges(
    files: Files, cli: Cli, to: str
) -> None:
    path = files.one("a.amr", "# ::id 7\n(s / see-01 :ARG0 (d / dog) :time (t / now))")
    told = cli.refusal("convert", path, "--to", to)
    assert "without loss of names of variables" in told or to == "graphml"
    written = files.one(f"b.{to}", cli.out("convert", path, "--to", to, "--lossy"))
    assert cli.record(written, path, "--metric", "graph")["f1"] == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("(a / x :r (b / x))", "has the label of 'a', 'x'"),
        ("(a / x :polarity - :r (b / y))", "has the attribute 'polarity'"),
        ("(a / x)", "is in no triple"),
    ],
)
def test_what_triples_of_labels_cannot_say_is_named(
    files: Files, cli: Cli, text: str, why: str
) -> None:
    told = cli.refusal("convert", files.one("a.amr", text), "--to", "table", "--lossy")
    assert why in told
    assert "--to triples" in told


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
    assert (
        cli.record(path, as_json, "--metric", "smatch", "--profile", "drs")["f1"] == 1
    )
    assert cli.out("convert", written, "--to", "clauses") == Path(path).read_text()
    assert cli("convert", path, "--to", "node-link").err == ""
