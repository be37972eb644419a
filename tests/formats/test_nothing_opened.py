"""A text opens nothing, whatever it says; a file lists plain names beside it."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from support.command import Cli
from support.opening import CANARY, contexts, hostile_texts, opened

import exactmatch
from exactmatch import InputError
from exactmatch.base.errors import ExactmatchError
from exactmatch.formats import listed
from exactmatch.formats.blocks import graphs_of_text, read_blocks
from exactmatch.formats.network_texts import Reader
from exactmatch.formats.networks import READERS, read_graphs

GXL = (
    '<gxl><graph id="{0}" edgemode="directed"><node id="a"><attr name="label"><string>'
    'cat</string></attr></node><node id="b"/><edge from="a" to="b"/></graph></gxl>'
)
NAMES = (f"{CANARY}.gxl", f"file://{{}}/{CANARY}.gxl", f"http://127.0.0.1:9/{CANARY}")


def _read_all(reader: Reader, text: str) -> None:
    for _ in reader(text, "a text", None):
        pass


def collection(*names: str) -> str:
    entries = "".join(f'<print file="{name}" class="x"/>' for name in names)
    return f'<?xml version="1.0"?><GraphCollection>{entries}</GraphCollection>'


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / f"{CANARY}.gxl").write_text(GXL.format("g"), "utf-8")
    return tmp_path


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", hostile_texts(""))
def test_a_text_opens_nothing(kind: str, name: str, here: Path) -> None:
    text = hostile_texts(name.format(here))[kind]
    scorer = exactmatch.Scorer("graph")
    ways: list[Callable[[], object]] = [
        lambda: [block.content for block in graphs_of_text(text)],
        lambda: scorer.prepare([text]),
        lambda: exactmatch.evaluate([text], [text], metric="graph"),
        *(partial(_read_all, reader, text) for reader in READERS.values()),
    ]
    with opened() as found:
        for way in ways:
            with suppress(ExactmatchError):
                way()
    assert found == []


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("extract", ["off", "repair"])
def test_an_answer_opens_nothing(extract: str, name: str, here: Path, cli: Cli) -> None:
    (here / "gold.gxl").write_text(GXL.format("g"), "utf-8")
    for text in hostile_texts(name.format(here)).values():
        row = json.dumps({"id": "1", "prediction": text})
        (here / "answers.jsonl").write_text(row, "utf-8")
        with opened() as found:
            ran = cli("answers.jsonl", "gold.gxl", "--extract", extract, "-m", "graph")
        assert found == []
        assert ran.code in (0, 2)
        assert "1.0000" not in ran.out


def test_an_answer_that_names_the_reference_scores_nothing(
    here: Path, cli: Cli
) -> None:
    answer = {"id": "1", "prediction": collection(f"{CANARY}.gxl")}
    (here / "cheat.jsonl").write_text(json.dumps(answer), "utf-8")
    metric = cli.record("cheat.jsonl", f"{CANARY}.gxl", "--metric", "graph")
    assert metric["f1"] == 0


@pytest.mark.parametrize("place", contexts(""))
def test_a_context_elsewhere_is_refused(place: str, here: Path, cli: Cli) -> None:
    rdf = pytest.importorskip("exactmatch.formats.machine.rdf")
    pytest.importorskip("rdflib")
    (here / f"{CANARY}.json").write_text('{"@context": {"p": "http://x/F"}}', "utf-8")
    for name in (f"{CANARY}.json", f"http://127.0.0.1:9/{CANARY}.json"):
        text = json.dumps(contexts(name)[place])
        (here / "a.jsonld").write_text(text, "utf-8")
        said = cli.refusal("convert", "a.jsonld", "--to", "triples")
        assert "names a '@context' elsewhere" in said
        assert CANARY in said
        assert rdf.BASE not in said


def test_the_loader_itself_refuses(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the search for names beforehand, all that is loaded is refused."""
    pytest.importorskip("rdflib")
    from exactmatch.formats.machine import rdf

    monkeypatch.setattr(rdf, "_check_contexts", lambda *_: None)
    (here / f"{CANARY}.json").write_text('{"@context": {"p": "http://x/F"}}', "utf-8")
    for name in (f"{CANARY}.json", f"http://127.0.0.1:9/{CANARY}.json"):
        for data in contexts(name).values():
            with opened() as found, pytest.raises(InputError, match="elsewhere"):
                [*rdf.rdf_blocks([json.dumps([data])], None)]
            assert found == []


@pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")
@pytest.mark.filterwarnings("ignore:ConjunctiveGraph:DeprecationWarning")
def test_rdflib_loads_contexts_for_others_as_ever(here: Path) -> None:
    rdflib = pytest.importorskip("rdflib")
    [*read_blocks_of_turtle()]
    path = here / "context.json"
    path.write_text('{"@context": {"p": "http://x/own"}}', "utf-8")
    data = json.dumps({"@context": path.as_uri(), "@id": "http://a/s", "p": "b"})
    graph = rdflib.Graph().parse(data=data, format="json-ld")
    assert [str(p) for _, p, _ in graph] == ["http://x/own"]


def read_blocks_of_turtle() -> list[tuple[str, ...]]:
    text = "<a> <http://x/p> [ <http://x/q> <> ] ."
    return [block.content for block in graphs_of_text(f"@prefix : <x> .\n{text}")]


def test_nothing_of_the_folder_is_in_a_name(here: Path) -> None:
    pytest.importorskip("rdflib")
    data = {"@id": "a", "http://x/p": {"@id": ""}}
    blocks = [block.content for block in graphs_of_text(json.dumps(data))]
    for content in (*blocks, *read_blocks_of_turtle()):
        assert "http://exactmatch.invalid/a" in content[0]
        assert here.name not in content[0]
        assert "file:" not in content[0]


def test_blank_nodes_have_the_same_names_in_each_run() -> None:
    pytest.importorskip("rdflib")
    turtle = "<a> <p> [ <q> _:x ], [ <q> ( 1 2 [] ) ] .\n_:x <r> _:y .\n"
    data = {"@id": "a", "http://x/p": [{"http://x/q": "b"}, {"@id": "_:k"}] * 2}
    for text in (f"@prefix : <x> .\n{turtle}", json.dumps(data)):
        first, *others = (
            [block.content for block in graphs_of_text(text)] for _ in range(5)
        )
        assert others == [first] * 4
        assert "_:b1" in first[0][0]


# ---------------------------------------------------------------------- collections


def test_a_collection_is_read_by_every_command(here: Path, cli: Cli) -> None:
    (here / "a.gxl").write_text(GXL.format("x"), "utf-8")
    (here / "b.gxl.gz").write_bytes(gzip.compress(GXL.format("y").encode()))
    (here / "all.cxl").write_text(collection("b.gxl.gz", "a.gxl", "a.gxl"), "utf-8")
    assert [one.name for one in read_graphs("all.cxl")] == ["y", "x", "x"]
    assert [block.id for block in read_blocks("all.cxl")] == ["y", "x", "x"]
    assert cli.record("all.cxl", "all.cxl")["pairs"] == 3
    packed = gzip.compress((here / "all.cxl").read_bytes())
    (here / "all.cxl.gz").write_bytes(packed)
    assert len(read_graphs("all.cxl.gz")) == 3


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../a.gxl", "'../a.gxl', which is not a plain name"),
        ("sub/a.gxl", "'sub/a.gxl', which is not a plain name"),
        (r"sub\a.gxl", "which is not a plain name"),
        ("..", "'..', which is not a plain name"),
        (".", "'.', which is not a plain name"),
        ("{0}/a.gxl", "which is not a plain name"),
        ("file://{0}/a.gxl", "which is not a plain name"),
        ("c:a.gxl", "which is not a plain name"),
        ("a.gxl&#9;", "no such file"),
        ("gone.gxl", "lists gone.gxl, and there is no such file beside it"),
        ("link.gxl", "'link.gxl', which is a link, a folder or a device"),
        ("sub", "'sub', which is a link, a folder or a device"),
        ("pipe", "'pipe', which is a link, a folder or a device"),
        ("all.cxl", "lists files, which only a file can do that you name yourself"),
        ("inner.cxl", "lists files, which only a file can do that you name yourself"),
    ],
)
def test_a_collection_lists_plain_names_of_files_beside_it(
    name: str, why: str, here: Path, cli: Cli
) -> None:
    (here / "sub").mkdir()
    for place in ("a.gxl", "sub/a.gxl"):
        (here / place).write_text(GXL.format("x"), "utf-8")
    (here / "link.gxl").symlink_to("a.gxl")
    os.mkfifo(here / "pipe")
    (here / "inner.cxl").write_text(collection("a.gxl"), "utf-8")
    (here / "all.cxl").write_text(collection("a.gxl", name.format(here)), "utf-8")
    for command in (("ged",), ()):
        assert why in cli.refusal(*command, "all.cxl", "a.gxl")


def test_how_much_a_collection_lists_is_bounded(
    here: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "a.gxl").write_text(GXL.format("x"), "utf-8")
    monkeypatch.setattr(listed, "MAX_LISTED", 3)
    (here / "all.cxl").write_text(collection(*["a.gxl"] * 4), "utf-8")
    said = cli.refusal("ged", "all.cxl", "a.gxl")
    assert "lists 4 files; a collection lists at most 3" in said
    monkeypatch.undo()
    monkeypatch.chdir(here)
    (here / "all.cxl").write_text(collection(*["a.gxl"] * 50), "utf-8")
    refused = cli.refusal("all.cxl", "all.cxl", "--max-bytes", "5000")
    assert "lists the same files again and again, more than 5,000 bytes" in refused
    (here / "a.gxl.gz").write_bytes(gzip.compress(b" " * 4000 + GXL.encode()))
    (here / "all.cxl").write_text(collection("a.gxl.gz", "a.gxl.gz"), "utf-8")
    assert "again and again" in cli.refusal("all.cxl", "a.gxl", "--max-bytes", "5000")


def test_standard_input_lists_nothing() -> None:
    text = collection(f"{CANARY}.gxl")
    with pytest.raises(InputError, match="lists files, which only a file can do"):
        [*READERS["graphml"](text, "standard input", None)]


# ------------------------------------------------------------------------ characters


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("gxl", '<gxl>\n<graph id="g\udc99"/></gxl>'),
        ("graphml", "<graphml>\n<graph id='\udcff'/></graphml>"),
        ("gexf", "<gexf>\n<graph id='\udcff'/></gexf>"),
        ("webnlg", "<benchmark>\n<entries>\udcff</entries></benchmark>"),
        ("cxl", "<GraphCollection>\n<print file='\udcff'/></GraphCollection>"),
        ("gml", 'graph [\nnode [ id 0 label "\udcff" ] ]'),
        ("dot", 'digraph {\n"\udcff" }'),
        ("pajek", '*Vertices 1\n1 "\udcff"\n*Arcs\n'),
        ("rdf", '@prefix : <http://x/> .\n:a :p "\udcff" .\n'),
        ("json", '{"nodes":\n["\udcff"]}'),
        ("node-link", '{"directed": true, "links": [],\n"nodes": [{"id": "\udcff"}]}'),
        ("mermaid", "flowchart TD\n a --> \udcff\n"),
        ("gspan", "t # 0\nv 0 \udcff\n"),
        ("worfbench", "Node:\n1: \udcff\nEdge: (START,1)\n"),
        ("sbn", '% a\ndog.n.01 Name "\udcff"\n'),
        ("clauses", 'b1 REF x1\nb1 dog "n.0\udcff" x1\n'),
        ("penman", "# ::id 1\n(a / b\udcff)\n"),
    ],
)
def test_bytes_that_are_not_utf_8_are_named(
    name: str, text: str, here: Path, cli: Cli
) -> None:
    if name == "rdf":
        pytest.importorskip("rdflib")
    path = here / f"a.{name}"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    gold = here / "gold.gxl"
    gold.write_text(GXL.format("g"), "utf-8")
    smatch = ("--metric", "smatch")
    commands = [(path, gold, *smatch), ("report", path, gold, *smatch)]
    commands.append(("convert", path, "--to", "json"))
    if name not in ("penman", "clauses", "sbn", "rdf"):
        commands.append(("ged", path, gold))
    for command in commands:
        said = cli.refusal(*command)
        assert f"a.{name}:2: byte 0x" in said
        assert "is not UTF-8" in said
    assert "is not UTF-8" in "".join(cli("lint", path)[1:])


def test_what_a_declaration_says_of_an_encoding_does_not_count(here: Path) -> None:
    declared = '<?xml version="1.0" encoding="{}"?>'
    graph = (
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><key id="k" for="node" '
        'attr.name="label" attr.type="string"/><graph edgedefault="directed"><node '
        'id="n"><data key="k">é</data></node></graph></graphml>'
    )
    for encoding in ("ISO-8859-1", "UTF-16", "utf-8", "nothing"):
        (here / "a.graphml").write_text(declared.format(encoding) + graph, "utf-8")
        (one,) = read_graphs("a.graphml")
        assert one.graph.nodes["n"]["label"] == "é"


def test_half_a_character_is_counted_and_written(here: Path, cli: Cli) -> None:
    row = r'{"id": "1\ud83d", "prediction": "(a / b\ud83d)"}'
    (here / "p.jsonl").write_text(row, "utf-8")
    (here / "g.amr").write_text("(a / b)\n", "utf-8")
    cli.out("convert", "p.jsonl", "--to", "penman", "-o", "p.amr")
    assert (here / "p.amr").read_text("utf-8") == "# ::id 1\ufffd\n(a / b\ufffd)\n"
    assert cli.record("p.jsonl", "g.amr")["f1"] == 0.5
    xml = '<gxl><graph id="a"><node id="\ud83d"/></graph></gxl>'
    with pytest.raises(InputError, match="is half a character"):
        [*graphs_of_text(xml)]
