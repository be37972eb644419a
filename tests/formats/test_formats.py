"""Every format: recognised, read, written, read again; broken input is one sentence."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.samples import SAMPLES, SBN_LINES

from exactmatch.base.errors import InputError
from exactmatch.formats.blocks import Block, count_blocks, graphs_of_text, read_blocks
from exactmatch.formats.conversion import lost_in
from exactmatch.formats.formats import FORMATS, PENMAN, get_format, looks_like
from exactmatch.formats.readings import read_block
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES, Profile

every_format = pytest.mark.parametrize("name", SAMPLES)


def blocks(name: str, text: str) -> list[Block]:
    return list(FORMATS[name].blocks(text.splitlines(keepends=True), "file"))


def graphs(name: str, text: str) -> list[Graph]:
    return [FORMATS[name].read(block).graph for block in blocks(name, text)]


@every_format
def test_a_file_is_known_by_its_content(name: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text(SAMPLES[name])
    found = list(read_blocks(path))
    assert {block.format or PENMAN for block in found} == {name}
    assert count_blocks(path) == len(found) == (1 if name == "umr" else 2)
    assert looks_like(SAMPLES[name]) == name


@every_format
def test_what_is_written_is_read_again(name: str) -> None:
    for graph in graphs(name, SAMPLES[name]):
        text = FORMATS[name].write(graph)
        assert lost_in(text, graph, FORMATS[name]) == []
        (again,) = graphs(name, text)
        assert again == graph
        assert dict(again.metadata) == dict(graph.metadata)


@every_format
def test_node_link_json_loses_nothing_of_any_format(name: str) -> None:
    for graph in graphs(name, SAMPLES[name]):
        text = FORMATS["node-link"].write(graph)
        (again,) = graphs("node-link", text)
        assert again == graph


@every_format
def test_every_profile_reads_every_format_or_says_why(name: str) -> None:
    """Whatever a graph comes from, it is read as its text would be."""
    for profile in PROFILES.values():
        for block in blocks(name, SAMPLES[name]):
            found = reading_of(block, profile)
            assert isinstance(found, str) or found.reader == profile.reader


def reading_of(block: Block, profile: Profile) -> Graph | str:
    """The graph, or the one sentence that says why there is none."""
    try:
        reading = read_block(block, profile)
    except InputError as error:
        return in_one_sentence(error)
    assert not any("\n" in reason for reason in reading.lenient)
    return reading.graph


def in_one_sentence(error: InputError) -> str:
    text = str(error)
    assert "\n" not in text
    assert len(text) < 2000
    return text


def test_a_parsers_sbn_is_a_structure_a_line() -> None:
    assert looks_like(SBN_LINES) == "sbn"
    assert [len(g.variables) for g in graphs("sbn", SBN_LINES)] == [4, 5]


def test_an_unknown_format_is_named_and_corrected() -> None:
    with pytest.raises(InputError, match="'umrr'; did you mean 'umr'"):
        get_format("umrr")


SIGNS = '()[]{}":/#%\t\n ~é0-,'


def mutated(text: str, rng: random.Random) -> str:
    """A text with a few characters or passages lost, doubled or exchanged."""
    for _ in range(rng.randrange(1, 5)):
        a, b = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        b = min(b, a + rng.choice((1, 1, 1, 10, 80)))
        piece = text[a:b]
        other = rng.choice(("", piece * 2, piece[::-1], rng.choice(SIGNS)))
        text = text[:a] + other + text[b:]
    return text


def survives(name: str, texts: Iterator[str]) -> tuple[int, int]:
    """Read broken texts under several profiles; how many could be read, and not."""
    read = refused = 0
    for text in texts:
        try:
            for block in blocks(name, text):
                for profile in ("smatch", "umr", "mrp", "drs"):
                    reading_of(block, PROFILES[profile])
                FORMATS[name].read(block)
            read += 1
        except InputError as error:
            in_one_sentence(error)
            refused += 1
    return read, refused


@pytest.mark.slow
@every_format
def test_broken_input_is_one_sentence(name: str) -> None:
    rng = random.Random(name)
    texts = (mutated(SAMPLES[name], rng) for _ in range(300))
    read, refused = survives(name, texts)
    assert read > 20
    assert refused > 20


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("sbn", "x" * 10_000),
        ("clauses", "b1 " + "x " * 10_000),
        ("penman", "(a / b c" + "d" * 10_000 + ")x"),
        ("mrp", json.dumps({"id": "i" * 10_000, "nodes": [{"id": []}]})),
    ],
)
def test_words_of_any_length_make_no_long_message(name: str, text: str) -> None:
    with pytest.raises(InputError) as refused:
        graphs(name, text)
    assert 40 < len(str(refused.value)) < 500


LITTLE = ("", "\n\n", "(", "{", "[]", "{}", "null", "0", "\t\t", "%", "#")


@pytest.mark.parametrize("text", LITTLE)
@every_format
def test_next_to_nothing_is_nothing_or_one_sentence(name: str, text: str) -> None:
    survives(name, iter([text]))


def test_deep_nesting_ends_in_a_sentence() -> None:
    for name, text in (
        ("mrp", '{"nodes": ' + "[" * 100_000),
        ("node-link", "[" * 100_000),
        ("umr", "# :: snt1\n# sentence level graph:\n" + "(a / x :r " * 50_000),
        ("penman", "(" * 100_000),
    ):
        assert survives(name, iter([text])) == (0, 1)


PLAIN = {"nodes": [{"id": "a", "concept": "x"}], "links": []}
FEW_KEYS = {"framework": "dm", "id": "1", "nodes": [{"id": 0}], "edges": []}
LONG = "long " * 2**15


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("node-link", {"graph": {"snt": LONG}, **PLAIN}),
        ("node-link", {**PLAIN, "graph": {"snt": LONG}}),
        ("node-link", {"nodes": [{"id": "a", "framework": LONG, "tops": 1}], **PLAIN}),
        ("node-link", {"more": LONG, **PLAIN}),
        ("mrp", {"input": LONG, **FEW_KEYS}),
        ("mrp", {**FEW_KEYS, "nodes": [{"id": 0, "label": LONG, "links": 1}]}),
    ],
)
def test_json_is_known_by_all_its_keys_in_any_order(
    name: str, data: dict[str, object], packed: bool, tmp_path: Path
) -> None:
    path = tmp_path / "file"
    for keys in (list(data), list(data)[::-1]):
        for indent in (None, 1) if name == "node-link" else (None,):
            text = json.dumps({key: data[key] for key in keys}, indent=indent)
            content = text.encode()
            path.write_bytes(gzip.compress(content) if packed else content)
            (block,) = read_blocks(path)
            assert block.format == name
            assert count_blocks(path) == 1
            if name == "node-link":
                text = f"[{text}]"
                path.write_text(text)
                assert [found.format for found in read_blocks(path)] == [name]
            assert [found.format for found in graphs_of_text(text)] == [name]


def test_json_that_could_be_both_is_neither(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"nodes": [{"id": 1, "concept": "x"}], "edges": []}')
    assert [block.format for block in read_blocks(path)] == ["json"]
    path.write_text('{"first": 1, "second": 2}')
    with pytest.raises(InputError, match=r"looks like JSON without nodes, .* --field"):
        list(read_blocks(path))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<svg></svg>", "an SVG drawing"),
        (">>graph6<<Dhc", "graph6 or LEDA"),
        ("LEDA.GRAPH\nvoid\n", "graph6 or LEDA"),
        ("a\tb\t3\nb\tc\t-4e5\n", "an edge list with weights"),
        ("# x\na\tb\t{'weight': 3}", "an edge list with weights"),
    ],
)
def test_networks_of_other_kinds_are_named(
    text: str, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "a"
    path.write_text(text)
    with pytest.raises(InputError, match=f"looks like {words}; no format"):
        list(read_blocks(path))


def test_a_file_of_no_known_format_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text("<?xml version='1.0'?><a/>")
    with pytest.raises(InputError, match="looks like XML of an unknown kind; no for"):
        list(read_blocks(path))


@pytest.mark.parametrize(
    "text", ["stateDiagram-v2\n[*] --> A\n", "sequenceDiagram\n  A->>B: hi (x)\n"]
)
def test_other_diagrams_of_mermaid_are_named(text: str, tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text(text)
    with pytest.raises(InputError, match="looks like a Mermaid diagram that is not a"):
        list(read_blocks(path))


@pytest.mark.parametrize("before", ["  \n", "\t\n\n", "# a comment\n \n"])
def test_lines_of_blanks_and_comments_say_nothing_of_the_format(before: str) -> None:
    assert looks_like(f"{before}b1 REF x1") == "clauses"
    assert looks_like(f"{before}(b / boy)") == looks_like(before) == "penman"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('{"http://e.org/a": {"@id": "http://e.org/b"}}', "rdf"),
        ('[{"http://e.org/a": [{"@value": 1}], "@type": ["http://e.org/C"]}]', "rdf"),
        ('{"@included": [{"http://e.org/a": 1}]}', "rdf"),
        ('{"http://e.org/a": {"title": "@id"}}', "JSON"),
        ('{"http://e.org/a": {"@id": "b"}, "title": "c"}', "JSON"),
        ('{"title": {"@value": 1}}', "JSON"),
    ],
)
def test_json_ld_without_a_context_is_recognised(text: str, name: str) -> None:
    """All keys are IRIs or keywords, and there is a keyword."""
    assert looks_like(text) == name
