"""Reading is linear: texts that cost a reader's square are read all the same.

Each of these texts is so long that time in its square would be minutes or hours; no
test has a limit of time.  ``python -m benchmarks.reading_time`` measures.
"""

from __future__ import annotations

import io
import json
import random
import re
from typing import Any

import pytest

import exactmatch
from exactmatch.base.errors import GraphError, InputError
from exactmatch.formats import faults
from exactmatch.formats.block import Metadata
from exactmatch.formats.blocks import blocks_of_text, graphs_of_text
from exactmatch.formats.formats import get_format
from exactmatch.formats.machine.answer_texts import Place, between_fences, graph_in
from exactmatch.formats.machine.mending import values_in
from exactmatch.formats.network_texts import json_values
from exactmatch.formats.remarks import count_tags, without_tags
from exactmatch.graphs.graph import TAG

_LONG = 60_000


def _of(unit: str) -> str:
    return unit * (_LONG // len(unit))


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        f"x{_of(chr(10))}x",
        f"x{_of(chr(10) + ' ')}x",
        f"{_of('~')}`",
        f"{_of('~~~ ')}`",
        f"{_of('``` `')}x",
        f"[{_of('/*,')}",
        _of("[/*]"),
        f"(a {_of('/')})",
        f"(a / b {_of('/:5')})",
    ],
    ids=lambda text: repr(text[:12]),
)
def test_answers_are_searched_in_linear_time(text: str) -> None:
    assert graph_in(text, "repair").line == 1


def test_metadata_are_read_word_by_word() -> None:
    blanks = " " * _LONG
    text = f"# ::id a{blanks}b ::snt c{blanks}:: d\n(x / y)"
    (block,) = blocks_of_text(text)
    assert block.id == f"a{blanks}b"
    assert block.metadata() == {"id": f"a{blanks}b", "snt": f"c{blanks}:: d"}


def test_metadata_are_those_of_the_pattern_that_looks_ahead() -> None:
    lazy = re.compile(r"::(\S+)[ \t]*(.*?)(?=\s+::\S|\s*$)")
    rng = random.Random(1)
    pieces = ["::", ":", "a", " ", "  ", "\t", "\x0b", "::id", "b", "\xa0"]
    for _ in range(3000):
        line = "# ::" + "".join(rng.choices(pieces, k=rng.randrange(12)))
        assert Metadata((line,)) == dict(lazy.findall(line.strip())), line


def test_fences_are_those_of_the_pattern_that_looks_ahead() -> None:
    fence = re.compile(r"(?:```|~~~)[^\n`]*$", re.MULTILINE)
    rng = random.Random(1)
    pieces = ["`", "``", "```", "~", "~~~", "a", "\n", " ", "\r"]
    for _ in range(3000):
        text = "".join(rng.choices(pieces, k=rng.randrange(12)))
        assert between_fences(text) == fence.split(text), text


@pytest.mark.parametrize("unit", [r"\boxed{a} ", r"\boxed{b c} ", "\n```\na\n```\n"])
def test_parts_of_one_text_are_looked_at_once(
    unit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    taken = Place.taken

    def noted(self: Place, text: str, *rest: Any) -> Any:
        looked.append(text)
        return taken(self, text, *rest)

    monkeypatch.setattr(Place, "taken", noted)
    read = graph_in(unit * 1000, "repair")
    assert len(looked) < 10
    assert faults.NO_GRAPH in read.faults
    graph = r"\boxed{r(a, b)}"
    behind = graph_in(unit * 1000 + graph, "repair")
    assert behind.content == graph_in(graph, "repair").content


def test_comments_in_json_end_where_they_are_closed() -> None:
    def values(text: str) -> list[object]:
        return [value for value, *_ in values_in(text)]

    assert values("[1, /* 2, */ 3,, ]") == [[1, 3]]
    assert values("[1,, /* a] [/* 2 */ 4,,]") == [[1, 4]]
    assert values("[1,, /* a]") == [[1, "/* a"]]
    assert values("[1,, /*/ 2]") == [[1, "/*/ 2"]]


def test_slashes_are_as_many_as_there_are() -> None:
    assert faults.repaired("(a //// b)") == "( a / b )"
    assert faults.faults_of(f"(a {'/' * 5000} b)") == ("no role",)  # as penman says


def test_tags_are_those_outside_quotes() -> None:
    pattern = re.compile(rf'("[^"\\]*(?:\\.[^"\\]*)*")|{TAG}')
    rng = random.Random(2)
    pieces = ['"', "\\", "~e.1", "a", "\n", " "]
    for _ in range(3000):
        text = "~2" + "".join(rng.choices(pieces, k=rng.randrange(12)))
        assert without_tags(text) == pattern.sub(lambda m: m[1] or "", text), text
        tags = sum(match[1] is None for match in pattern.finditer(text))
        assert count_tags(text) == tags, text
    assert without_tags(_of('\\"') + "~e.1") == _of('\\"')


@pytest.mark.parametrize("profile", ["smatch", "clean", "umr", "smatchpp", "s2match"])
def test_quotes_that_are_never_closed(profile: str) -> None:
    text = f"(a / b :x {_of(chr(92) + chr(34) + ' ')})"
    try:
        graph = exactmatch.read(text, profile=profile)
    except GraphError:
        return
    assert graph.variables == ("a",)


def test_levels_of_umr_that_never_open() -> None:
    text = (
        "# :: snt1\nWords: a  b\n\n# sentence level graph:\n(s1a / b)\n\n# alignment:\n"
        f"s1a: {_of('1-1,')}1-1\n\n# document level annotation:\n"
        f"(s1s0 / sentence {_of('1:')} :temporal ((s1a :before s1a)))\n"
    )
    (block,) = graphs_of_text(text)
    graph = get_format("umr").read(block).graph
    assert graph.document is not None
    assert [(t.level, t.role) for t in graph.document.triples] == [
        ("temporal", "before")
    ]
    assert graph.document.spans(0) == ((1, 1),)


def test_lines_of_sbn_that_are_wrong_at_the_end() -> None:
    (block,) = get_format("sbn").blocks(io.StringIO(_of("a.n.01\n") + "X"), None)
    with pytest.raises(GraphError, match="has 'X' without a target"):
        get_format("sbn").read(block)


def test_values_of_json_know_their_lines() -> None:
    text = '{"a": [\n1]}\n\n2 3\n"x"'
    values = [({"a": [1]}, 1), (2, 4), (3, 4), ("x", 5)]
    assert [(value, line) for line, value in json_values(text, None)] == values
    assert len([*json_values(_of('""\n'), None)]) == _LONG // 3


def test_names_that_are_one_on_a_line_have_short_names() -> None:
    """Each way to break twelve words is a name of its own, and they are one line."""
    names = ["ab"]
    for word in range(10, 21):
        names = [f"{name}{blank}{word}" for name in names for blank in " \n"]
    text = json.dumps({"nodes": names, "edges": []})
    (block,) = graphs_of_text(text)
    found = get_format("json").read(block).graph.variables
    assert len({*found}) == len(names) == 2**11
    assert max(map(len, found)) <= len(names[0]) + len("_2048")


def test_ids_that_come_again_get_names_that_are_free() -> None:
    """An answer's ids are mended; no node takes the name of another one."""
    ids = ["a", *(f"a_{k}" for k in range(1, 40)), *["a"] * 40, "a_45"]
    nodes = ", ".join(f'{{"id": "{one}", "label": "x"}}' for one in ids)
    block = graph_in(f'{{"nodes": [{nodes}], "edges": [] ', "repair")
    found = get_format("json").read(block).graph
    assert len({*found.variables}) == len(ids)


def test_prefixes_of_rdf_are_read_in_linear_time() -> None:
    """The package tries all names again for a prefix, and compares all namespaces."""
    pytest.importorskip("rdflib")
    again = "".join(f"@prefix p: <http://a/{k}/> .\n" for k in range(20_000))
    (block,) = get_format("rdf").blocks([again, "p:a p:b p:c ."], None)
    found = get_format("json").read(block).graph
    assert found.variables == ("<http://a/19999/a>", "<http://a/19999/c>")
    others = ",".join(f'"p{k}": "http://a/{k}/"' for k in range(20_000))
    for context in (f"{{{others}}}", f'[{{"t": {{"@context": {{{others}}}}}}}]'):
        with pytest.raises(InputError, match="more than 1,000 prefixes"):
            [*get_format("rdf").blocks([f'{{"@context": {context}}}'], None)]


def test_named_graphs_of_rdf_are_read_in_linear_time() -> None:
    pytest.importorskip("rdflib")
    quads = "".join(f"<x:a> <x:b> <x:c> <x:g{k}> .\n" for k in range(10_000))
    blocks = [*get_format("rdf").blocks([quads], None)]
    assert [block.id for block in blocks[:2]] == ["x:g0", "x:g1"]
    assert len(blocks) == 10_000
