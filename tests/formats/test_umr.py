"""UMR files: what they say, and what people write beside the format."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from support.samples import UMR

from exactmatch.base.errors import GraphError
from exactmatch.formats import umr
from exactmatch.formats.blocks import Block
from exactmatch.formats.formats import FORMATS, looks_like
from exactmatch.formats.remarks import Reading
from exactmatch.graphs.document import Document, DocumentTriple, Sentence
from exactmatch.graphs.graph import Graph


def blocks(text: str, name: str = "umr") -> list[Block]:
    return list(FORMATS[name].blocks(text.splitlines(keepends=True), "file.umr"))


def read(text: str, name: str = "umr") -> Reading:
    (block,) = blocks(text, name)
    return FORMATS[name].read(block)


def document_of(graph: Graph) -> Document:
    assert graph.document is not None
    return graph.document


def sentence(
    number: int = 1,
    graph: str = "(s1a / x)",
    alignment: str = "",
    annotation: str = "(s1s0 / sentence)",
) -> str:
    return (
        f"# :: snt{number}\nIndex: 1\nWords: a\n\n# sentence level graph:\n{graph}\n\n"
        f"# alignment:\n{alignment}\n\n# document level annotation:\n{annotation}\n\n\n"
    )


def test_a_document_is_its_sentences_triples_and_annotations() -> None:
    graph, lenient, dropped = read(UMR)
    assert (lenient, dropped) == ((), ())
    assert [" ".join(triple) for triple in graph.triples()] == [
        "s1r instance run-02",
        "s1p instance person",
        "s1n instance name",
        "s2f instance #fall-01",
        "s2p instance person",
        "s2t instance thing",
        's1n op1 "Mary"',
        "s1r time 0:00",
        "s1r aspect performance",
        "s2f quant 1/2",
        "s1r ARG0 s1p",
        "s1p name s1n",
        "s2f ARG1 s2p",
        "s2t ARG0 s2p",
        "s2f cause s1r",
    ]
    document = document_of(graph)
    names = graph.variables
    assert graph.top is None
    assert [names[v] for v in sorted(document.constants)] == [
        "document-creation-time",
        "root",
        "author",
    ]
    assert [
        (t.level, names[t.source], t.role, names[t.target], t.sentence)
        for t in document.triples
    ] == [
        ("temporal", "document-creation-time", "before", "s1r", 0),
        ("modal", "root", "modal", "author", 0),
        ("modal", "author", "full-affirmative", "s1r", 0),
        ("temporal", "s1r", "after", "s2f", 1),
        ("coref", "s1p", "same-entity", "s2p", 1),
    ]


def test_sentences_have_numbers_words_tiers_and_homes() -> None:
    graph = read(UMR).graph
    document = document_of(graph)
    first, second = document.sentences
    assert first == Sentence(
        1,
        ("Mary", "ran", "away", "."),
        0,
        "s1s0",
        (("sent_id", "s-1"),),
        (("Morphemes", "Mary run.PAST away ."),),
    )
    assert (second.number, dict(second.facts)["sent_id"]) == (2, "s-2")
    homes = {name: document.home(v) for v, name in enumerate(graph.variables)}
    assert homes["s1p"] == (0,)
    assert homes["s2t"] == (1,)
    assert homes["author"] == ()


def test_alignments_are_spans_of_words() -> None:
    graph = read(UMR).graph
    document = document_of(graph)
    spans = {name: document.spans(v) for v, name in enumerate(graph.variables)}
    assert spans["s1r"] == ((2, 3),)
    assert spans["s1p"] == ((0, 0),)
    assert spans["s2p"] == ((1, 1), (2, 2))
    assert spans["s2t"] == ()


@pytest.mark.parametrize(
    ("line", "spans"),
    [
        ("s1a: 6-6,8-8", ((6, 6), (8, 8))),
        ("s1a: 6-6, 8-8", ((6, 6), (8, 8))),
        ("s1a:6-6", ((6, 6),)),
        ("s1a: -1--1", ((-1, -1),)),
        ("  s1a:\t6 - 7  # a remark", ((6, 7),)),
        ("s1a: 1-1\ns1a: 2-2\ns1a: 1-1", ((1, 1), (2, 2))),
    ],
)
def test_alignments_as_people_write_them(
    line: str, spans: tuple[tuple[int, int], ...]
) -> None:
    graph, lenient, _ = read(sentence(alignment=line))
    assert document_of(graph).spans(0) == spans
    assert lenient == ()


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        (sentence(alignment="s1a 6"), "has 's1a 6' on line 9, which is left out"),
        (sentence(alignment="s1z: 1-1"), "has 's1z: …' on line 9, which is left out"),
        (sentence(graph="(s1a / x)\nso"), "is followed by a word"),
        (sentence(graph="(s1a / x :r)"), "has a role without a value"),
        ("what\n" + sentence(), "has 'what' on line 1, which is left out"),
        (
            sentence(annotation="(s1s0 / sentence :coref ((s1a :r s1a) or)"),
            "has 'or)' on line 12",
        ),
        (
            sentence(annotation="(s1s0 / sentence :coref ((s1a :r s1a"),
            "lacks closing parentheses in the document-level annotation",
        ),
        (
            sentence(annotation="(s1s0 / sentence :coref ((s1a :r s1a))))"),
            "has surplus closing parentheses",
        ),
    ],
)
def test_what_is_not_understood_is_remarked(text: str, remark: str) -> None:
    lenient = read(text).lenient
    assert any(reason.startswith(remark) for reason in lenient), lenient


def test_comments_are_no_triples_and_need_no_remark() -> None:
    text = sentence(
        graph="# why\n(s1a / x\n# so\n)",
        alignment="# none",
        annotation="# (s1a :r s1a)\n(s1s0 / sentence :coref (\n"
        "#(s1a :r s1a)\n(s1a :q s1a)  # a :) remark (s1a :r s1a)\n"
        "))# (we :subset-of he) # (x / y",
    )
    graph, lenient, _ = read(text)
    assert [t.role for t in document_of(graph).triples] == ["q"]
    assert lenient == ()


@pytest.mark.parametrize(
    "text",
    [
        "# :: snt1\n",
        "# :: snt1\nWords: a\n\n# sentence level graph:\n\n# alignment:\n",
        "####\n# :: snt1\tA word\nIndex: 1\nWords: a\n",
        "# sentence level graph:\n(s1a / x)\n",
    ],
)
def test_blocks_may_be_missing(text: str) -> None:
    graph, lenient, _ = read(text)
    assert len(document_of(graph).sentences) == 1
    assert lenient == ()


def test_a_sentence_begins_with_its_id_if_it_has_no_number() -> None:
    parts = [
        f"# sent_id = {k}\nWords: a\n\n# sentence level graph:\n(s{k}a / x)\n"
        for k in (1, 2)
    ]
    document = document_of(read("\n".join(parts)).graph)
    assert [dict(s.facts)["sent_id"] for s in document.sentences] == ["1", "2"]


def test_snt1_begins_another_document() -> None:
    text = sentence(1) + sentence(2, "(s2a / x)") + sentence(1, "(s1b / y)")
    found = blocks(text)
    sizes = [len(document_of(FORMATS["umr"].read(b).graph).sentences) for b in found]
    assert sizes == [2, 1]
    assert found[1].line == text[: text.rindex("# :: snt1")].count("\n") + 1
    typo = sentence(1) + sentence(1155, "(s2a / x)") + sentence(3, "(s3a / x)")
    assert len(blocks(typo)) == 1


def test_a_file_may_be_one_document_all_the_same() -> None:
    """Then variables of the second part are told apart."""
    twice = sentence(1, "(s1a / x :r s1a)", "s1a: 1-1") + sentence(
        1, "(s1a / y :r s1a)", "s1a: 2-2", "(s1s0 / sentence :coref ((s1a :r author)))"
    )
    graph = read(twice, "umr-file").graph
    assert graph.variables == ("s1a", "2:s1a", "author")
    document = document_of(graph)
    assert [document.spans(v) for v in (0, 1)] == [((1, 1),), ((2, 2),)]
    assert document.triples == (DocumentTriple("coref", 1, "r", 2, 1),)
    assert graph.relations == ((0, 1, 0), (1, 1, 1))


def test_a_name_that_two_sentences_define_means_the_nearest_node() -> None:
    """That of its own sentence, else the last one before, else the first behind."""
    annotations = [
        f"(s{n}s0 / sentence :coref ((author :r{n} s3a)))" for n in range(1, 6)
    ]
    graphs = ["(s1a / x)", "(s3a / y :r s3a)", "(s3b / x)", "(s3a / z)", "(s5a / x)"]
    text = "".join(
        sentence(n, graph, "s3a: 1-1", annotation)
        for n, (graph, annotation) in enumerate(
            zip(graphs, annotations, strict=True), 1
        )
    )
    graph, lenient, _ = read(text)
    document = document_of(graph)
    names = graph.variables
    assert names == ("s1a", "s3a", "s3b", "s3a_2", "s5a", "author")
    means = {t.role: names[t.target] for t in document.triples}
    assert means == {
        "r1": "s3a",
        "r2": "s3a",
        "r3": "s3a",
        "r4": "s3a_2",
        "r5": "s3a_2",
    }
    assert [v for v in range(6) if document.spans(v)] == [1, 3]
    (line,) = [k for k, x in enumerate(text.splitlines(), 1) if x == "(s3a / z)"]
    (remark,) = [r for r in lenient if "defines" in r]
    assert f"defines variable 's3a' in snt4 (line {line}), as snt2 does" in remark
    written = "\n\n" + umr.write_umr(graph)
    again, remarks, _ = read(written)
    assert not remarks
    assert again.revised(metadata={}) == graph.revised(metadata={})


def test_names_of_two_sentences_in_a_second_document() -> None:
    twice = sentence(1) + sentence(1, "(s1a / y)") + sentence(2, "(s1a / z)")
    graph = read(twice, "umr-file").graph
    assert graph.variables == ("s1a", "2:s1a", "2:s1a_2")


def test_sentence_graphs_one_by_one_are_penman() -> None:
    found = blocks(UMR, "umr-sentences")
    assert [block.format for block in found] == [None, None]
    assert [block.id for block in found] == ["s-1", "s-2"]
    assert found[0].metadata()["snt"] == "Mary ran away ."
    assert found[1].content[0] == "(s2f / #fall-01"
    assert found[1].origin().line == UMR[: UMR.index("(s2f / #")].count("\n") + 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (sentence(graph="(s1a / x"), r"^file\.umr:6:9: graph 'snt1' lacks 1 closing"),
        (
            sentence(graph="(s1a / x\n:r (s1a / y))"),
            r"^file\.umr:7:5: .*twice, first on",
        ),
        (sentence(graph='(s1a / x :r "y)'), r"^file\.umr:6:13: .* inside a string"),
        ("#\n", r"^file\.umr:1: .*has no sentence; is this a UMR file\?"),
    ],
)
def test_an_error_names_file_line_and_sentence(text: str, words: str) -> None:
    with pytest.raises(GraphError, match=words):
        read(text)


def test_windows_line_ends_and_tabs_are_read() -> None:
    text = UMR.replace("\n", "\r\n").replace("    ", "\t")
    (block,) = FORMATS["umr"].blocks(text.splitlines(keepends=True), None)
    assert FORMATS["umr"].read(block).graph == read(UMR).graph
    assert looks_like(text) == "umr"


def test_an_alignment_with_a_billion_words_is_refused() -> None:
    text = UMR.replace("s1r: 2-3", "s1r: 2-999999999")
    (block,) = FORMATS["umr"].blocks(text.splitlines(keepends=True), "f")
    with pytest.raises(GraphError, match="aligns 's1r' with more than 10,000 words"):
        FORMATS["umr"].read(block)


def test_a_long_document_is_read_sentence_by_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing is looked up anew in all sentences for each of them."""
    calls = []
    root_of = umr._root_of

    def counted(lines: Sequence[tuple[int, str]]) -> str | None:
        calls.append(len(lines))
        return root_of(lines)

    monkeypatch.setattr(umr, "_root_of", counted)
    text = "".join(
        sentence(n, f"(s{n}a / x)", annotation=f"(s{n}s0 / sentence)")
        for n in range(1, 31)
    )
    document = document_of(read(text).graph)
    assert [s.root for s in document.sentences] == [f"s{n}s0" for n in range(1, 31)]
    assert len(calls) == 30
