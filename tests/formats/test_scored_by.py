"""Which metric scores graphs where nobody names one: the format says so."""

from __future__ import annotations

import io
import json
import os
import threading
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from support.command import Cli
from support.files import Files
from support.samples import MRP, SBN, UMR

import exactmatch
from exactmatch.base.errors import InputError
from exactmatch.formats.formats import FORMATS
from exactmatch.formats.recognised import look_like_boxes, scored_by_all, seen_of
from exactmatch.formats.scored_by import AMR, DOCUMENTS, NODES_AND_EDGES, TRIPLES, WAYS
from exactmatch.metrics import METRICS
from exactmatch.scoring.sources import File

PENMAN = "(b / bark-01 :ARG0 (d / dog))\n"
MERMAID = "flowchart TD\n  a[open door] -->|then| b[walk in]\n"
NODES = {
    "nodes": [{"id": "x", "label": "open door"}, {"id": "y", "label": "walk in"}],
    "edges": [{"source": "x", "target": "y", "label": "then"}],
}
ROW = ["Newton", "born_in", "Woolsthorpe"]
NODE_LINK = {"directed": True, "nodes": [{"id": 0, "label": "x"}], "links": []}

SMATCH = "metric:smatch|profile:smatch|"
EDGES = "metric:graph|profile:clean|count:edges|"
GRAPH = "metric:graph|profile:clean|count:nodes-and-edges|"

TEXTS = {
    "penman": (PENMAN, SMATCH),
    "comments first": ("# ::id 1\n\n(b / bark-01)\n", SMATCH),
    "umr": (UMR, "metric:smatch|profile:umr|"),
    "sbn": (SBN, "metric:smatch|profile:drs|"),
    "clauses": ('b1 REF x1\nb1 dog "n.01" x1\n', "metric:counter|"),
    "mrp": (MRP, "metric:mrp|"),
    "mermaid": (MERMAID, GRAPH),
    "json": (json.dumps(NODES), GRAPH),
    "json in lines": (json.dumps(NODES, indent=2), GRAPH),
    "a list of json": (json.dumps([NODES]), GRAPH),
    "elements": ('{"elements": {"nodes": [{"data": {"id": "a"}}]}}', GRAPH),
    "triples in json": (json.dumps([ROW]), EDGES),
    "triples under a key": (json.dumps({"triples": [ROW]}), EDGES),
    "objects": ('[{"subject": "a", "relation": "r", "object": "b"}]', EDGES),
    "entities": (json.dumps({"entities": ["a"], "relations": [ROW]}), EDGES),
    "dot": ("digraph { a -> b }", GRAPH),
    "graphml": (
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
        '<graph edgedefault="directed"><node id="a"/></graph></graphml>',
        GRAPH,
    ),
    "gml": ('graph [ node [ id 0 label "a" ] ]', GRAPH),
    "gspan": ("t # 0\nv 0 2\nv 1 3\ne 0 1 1\n", GRAPH),
    "pajek": ('*Vertices 1\n1 "a"\n*Arcs\n', GRAPH),
    "worfbench": ("Node:\n1: a\n2: b\nEdge: (START,1) (1,2) (2,END)\n", GRAPH),
    "node-link": (json.dumps(NODE_LINK), GRAPH),
    "node-link of AMR": (json.dumps(NODE_LINK).replace("label", "concept"), SMATCH),
    "tsv": ("\t".join(ROW) + "\n", EDGES),
    "tsv of AMR": ("d\tinstance\tdog\n", SMATCH),
    "table": ("subject\trelation\tobject\n" + "\t".join(ROW) + "\n", EDGES),
    "relations": ("born_in(Newton, Woolsthorpe)\n", EDGES),
    "answers": (json.dumps({"id": 1, "response": "a -> r -> b"}), EDGES),
    "answers of nodes": (json.dumps({"response": json.dumps(NODES)}), GRAPH),
    "answers in penman": (json.dumps({"response": PENMAN}), SMATCH),
    "a refusal among answers": (
        '{"id": 1, "response": "no"}\n{"id": 2, "response": "a -> r -> b"}\n',
        EDGES,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", TEXTS)
def test_a_file_is_scored_by_its_metric(name: str, cli: Cli, files: Files) -> None:
    text, signature = TEXTS[name]
    path = files.one("graphs.txt", text)
    ran = cli(path, path)
    (line,) = [one for one in ran.out.splitlines() if one.startswith("signature")]
    assert line.startswith(f"signature: {signature}")
    first = ran.out.splitlines()[0]
    assert (": metric " in first) == (signature != SMATCH)
    by_smatch = cli(path, path, "--metric", "smatch").out
    assert SMATCH in by_smatch
    assert ": metric " not in by_smatch.splitlines()[0]


@pytest.mark.parametrize("name", TEXTS)
def test_python_chooses_as_the_command_line_does(name: str, tmp_path: Path) -> None:
    text, signature = TEXTS[name]
    path = tmp_path / "graphs.txt"
    path.write_text(text, encoding="utf-8")
    report = exactmatch.evaluate(File(str(path)), File(str(path)))
    assert report.scores[0].signature.startswith(signature)
    graphs = exactmatch.load(path)
    loaded = exactmatch.evaluate(iter(graphs), iter(graphs)).scores[0]
    assert loaded.signature.startswith(signature)
    assert loaded.score.f1 == report.scores[0].score.f1
    if "answers" not in name and len(graphs) == 1:
        again = exactmatch.evaluate([text], [text])
        assert again.scores[0].signature.startswith(signature)


def _network(**of_nodes: Any) -> nx.DiGraph:
    graph = nx.DiGraph(top="a")
    graph.add_node("a", **of_nodes)
    return graph


@pytest.mark.parametrize(
    ("graph", "signature"),
    [
        (_network(label="x"), GRAPH),
        (_network(concept="x"), SMATCH),
        (NODES, GRAPH),
        ([tuple(ROW)], EDGES),
        ([("d", "instance", "dog")], SMATCH),
        ([("d", ":instance", "dog")], SMATCH),
    ],
)
def test_objects_in_memory(graph: Any, signature: str) -> None:
    report = exactmatch.evaluate([graph], [graph])
    assert report.scores[0].signature.startswith(signature)


def test_two_lists_that_share_nothing_score_nothing(cli: Cli, files: Files) -> None:
    ours = "Newton\tborn_in\tWoolsthorpe\nNewton\tdied_in\tLondon\n"
    theirs = "Einstein\tborn_in\tUlm\nEinstein\tdied_in\tPrinceton\n"
    pair = files.pair(ours, theirs, ".tsv")
    assert cli.record(*pair)["f1"] == 0
    pred, gold = (exactmatch.load(Path(one)) for one in pair)
    assert exactmatch.evaluate(pred, gold).scores[0].score.f1 == 0


def test_formats_of_one_metric_are_mixed(cli: Cli, files: Files) -> None:
    pair = files.one("a.txt", MERMAID), files.one("b.txt", json.dumps(NODES))
    out = cli.out(*pair)
    assert out.startswith(
        "Mermaid flowcharts and JSON graphs: metric graph, which matches"
    )
    assert cli.record(*pair)["f1"] == 1
    triples = files.one("c.txt", '[["open door", "then", "walk in"]]')
    assert "count:edges" in cli.out(pair[0], triples)
    assert cli.record(pair[0], triples)["f1"] == 1


def test_formats_of_two_metrics_name_both_ways_out(cli: Cli, files: Files) -> None:
    chart, amr = files.one("a.txt", MERMAID), files.one("b.txt", PENMAN)
    for pair in ((chart, amr), (amr, chart)):
        for command in ("score", "errors", "nearest", "align"):
            said = cli.refusal(command, *pair)
            assert "--metric graph" in said
            assert "--metric smatch" in said
        assert "metric:graph" in cli.out(*pair, "--metric", "graph")
    drs = files.one("c.txt", SBN)
    assert "--metric smatch --profile umr" in cli.refusal(drs, files.one("d", UMR))
    with pytest.raises(InputError, match="--metric smatch"):
        exactmatch.evaluate([MERMAID], [PENMAN])


def test_the_first_line_stands_where_there_is_room_for_it(
    cli: Cli, files: Files
) -> None:
    path = files.one("a.txt", MERMAID)
    line = "Mermaid flowcharts: metric graph, which matches"
    for command in ("score", "align", "errors", "compare", "matrix", "nearest"):
        paths = [path] * (3 if command == "compare" else 2)
        assert cli.out(command, *paths).startswith(line)
    assert cli.out(path, path, "-b") == "1.0000\n"
    assert cli.out("-f", path, path) == "F-score: 1.00\n"
    assert cli.out(path, path, "--format", "csv").startswith("metric,")
    assert json.loads(cli.out(path, path, "--format", "json"))["metrics"]


def test_all_is_what_fits_the_format(cli: Cli, files: Files) -> None:
    def names(text: str) -> list[str]:
        path = files.one("a.txt", text)
        found = json.loads(cli.out(path, path, "--metric", "all", "--format", "json"))
        return [one["metric"] for one in found["metrics"]]

    assert names(MERMAID) == ["graph"]
    assert names(MRP)[0] == "mrp"
    assert "smatch" not in names(MRP)
    of_amr = names(PENMAN)
    assert of_amr[0] == "smatch"
    assert {"sembleu", "wlk"} <= {*of_amr}
    assert not {"graph", "counter", "mrp"} & {*of_amr}


def test_options_of_the_metric_need_no_name_of_it(cli: Cli, files: Files) -> None:
    path = files.one("a.txt", json.dumps(NODES))
    assert "|nodes:lcs" in cli.out(path, path, "--node-similarity", "lcs")
    triples = files.one("b.txt", json.dumps([ROW]))
    assert "|count:nodes|" in cli.out(triples, triples, "--count", "nodes")
    amr = files.one("c.txt", PENMAN)
    assert "belongs to graph" in cli.refusal(amr, amr, "--count", "nodes")


def test_a_profile_that_is_not_the_metrics_means_smatch(cli: Cli, files: Files) -> None:
    path = files.one("a.txt", TEXTS["clauses"][0])
    assert "metric:smatch|profile:smatch" in cli.out(path, path, "--profile", "smatch")
    assert "metric:counter" in cli.out(path, path, "--profile", "drs-lenient")


def test_standard_input_is_seen_too(
    cli: Cli, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = files.one("a.txt", MERMAID)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(MERMAID.encode())))
    assert cli.out("-", path).startswith(
        "Mermaid flowcharts: metric graph, which matches"
    )


def test_every_way_to_score_is_a_metric() -> None:
    assert {way.metric for way in WAYS} <= {*METRICS.own}
    declared = {FORMATS[name].scored_by for name in FORMATS.own}
    assert {way for way in WAYS if way in declared} == {*WAYS} - {DOCUMENTS}


INVOICE = {"total": 40, "items": [{"name": "pen", "price": 1}]}
ANSWER = {"total": 40, "items": [{"name": "pen", "price": "1"}]}


@pytest.mark.parametrize("name", ["one.json", "many.jsonl", "answers.jsonl"])
def test_other_json_is_scored_as_documents(name: str, cli: Cli, files: Files) -> None:
    text = json.dumps(ANSWER)
    if name == "answers.jsonl":
        text = json.dumps({"id": 1, "response": f"Here:\n```json\n{text}\n```"})
    number = 1 if name == "one.json" else 3
    pred = files.lines(name, [text] * number)
    gold = files.lines(f"gold.{name}", [json.dumps(INVOICE)] * number)
    out = cli.out(pred, gold)
    assert out.startswith("JSON documents: metric json, which matches")
    assert "json     0.6667  0.6667  0.6667" in out
    right = "0 of 1 document" if number == 1 else "0 of 3 documents"
    assert f"{right} entirely right; mean of fields 0.6667" in out
    assert "most is lost in items[].price: F1 0.0000" in out
    assert "weights:total=3" in cli.out(pred, gold, "--weights", "total=3")
    report = exactmatch.evaluate(Path(pred), Path(gold))
    assert report["json"].score.f1 == pytest.approx(2 / 3)


def test_documents_in_memory_are_scored_as_documents() -> None:
    report = exactmatch.evaluate([ANSWER, INVOICE], [INVOICE, INVOICE])
    assert report["json"].score.f1 == pytest.approx(5 / 6)
    texts = [[json.dumps(one)] for one in (ANSWER, INVOICE)]
    assert exactmatch.evaluate(*texts)["json"].score.f1 == pytest.approx(2 / 3)


def test_what_is_in_doubt_decides_nothing() -> None:
    doubts: list[Any] = ["", "no graph at all", [], None, "[]", "{}"]
    for doubt in doubts:
        assert seen_of([doubt]) == []
        assert scored_by_all(seen_of([doubt, PENMAN])) == AMR
        assert scored_by_all(seen_of([doubt, MERMAID])) == NODES_AND_EDGES
    assert scored_by_all(seen_of([MERMAID, json.dumps([ROW])])) == TRIPLES


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
@pytest.mark.parametrize("piped", [(True, True), (True, False), (False, True)])
def test_the_format_of_a_pipe_chooses_too(
    piped: tuple[bool, bool], tmp_path: Path, cli: Cli
) -> None:
    texts = ["graph TD\n A[Go] -->|yes| B[End]\n", "graph TD\n A[Go] --> B[Stop]\n"]
    files = [str(tmp_path / name) for name in ("pred.mmd", "gold.mmd")]
    for path, text in zip(files, texts, strict=True):
        Path(path).write_text(text)
    expected = cli.record(*files)
    assert expected["metric"] == "graph"
    paths, writers = [], []
    for path, text, is_piped in zip(files, texts, piped, strict=True):
        paths.append(f"{path}.pipe" if is_piped else path)
        if is_piped:
            os.mkfifo(paths[-1])
            write = Path(paths[-1]).write_text
            writers.append(threading.Thread(target=write, args=(text,), daemon=True))
            writers[-1].start()
    found = cli.record(*paths)
    for writer in writers:
        writer.join(10)
    assert found == expected


def test_files_of_two_families_are_named(cli: Cli, tmp_path: Path) -> None:
    pred, gold = tmp_path / "pred.json", tmp_path / "gold.amr"
    pred.write_text('{"nodes": ["a"], "edges": []}', "utf-8")
    gold.write_text("(a / b)", "utf-8")
    told = cli.refusal(pred, gold)
    assert f"({pred}) are scored by metric graph" in told
    assert f"({gold}) by metric smatch" in told


def test_a_broken_file_is_named_before_its_family(cli: Cli, tmp_path: Path) -> None:
    """Half a file of JSON looks like one of another family; its fault is said."""
    pred, gold = tmp_path / "pred.json", tmp_path / "gold.amr"
    pred.write_text('{"nodes": ["a"], "edges": [[0', "utf-8")
    gold.write_text("(a / b)", "utf-8")
    told = cli.refusal(pred, gold)
    assert f"{pred}:1" in told
    assert "scored by" not in told


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_boxes_are_seen_behind_comments_with_any_line_ends(
    tmp_path: Path, end: str
) -> None:
    path = tmp_path / "boxes.amr"
    text = "# ::id 1\n\n(b / box\n   :member (c / cat))\n"
    path.write_bytes(text.replace("\n", end).encode())
    assert look_like_boxes(path)
