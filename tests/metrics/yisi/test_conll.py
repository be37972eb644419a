"""Frames read from CoNLL-2009 files and from aligned graphs."""

from __future__ import annotations

from pathlib import Path

import pytest

from exactmatch.base.errors import InputError
from exactmatch.metrics.yisi.files import (
    ROLE_TYPES,
    read_conll09,
    read_parses,
    role_type,
)
from exactmatch.metrics.yisi.frames import Filler


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("V", "did"),
        ("C-V", "did"),
        ("A0", "who"),
        ("R-ARG1", "what"),
        ("ARG2-FOR", "whom"),
        ("BNF", "whom"),
        ("AM-TMP", "when"),
        ("C-R-AM-TMP", "when"),
        ("ARG4-TMP", "when"),
        ("A3", "where"),
        ("ARG5-DIR", "where"),
        ("LOC", "where"),
        ("ARGM-PRP", "why"),
        ("ARG2-CAU", "why"),
        ("A5", "how"),
        ("AM-NEG", "how"),
        ("arg1-pat", "what"),
        ("argM-fin", "when"),
        ("argL-null", "how"),
        ("unheard-of", "how"),
    ],
)
def test_role_types(label: str, kind: str) -> None:
    """As in ``yisi_srl.labelconfig``, which comes with NRC's program."""
    assert role_type(label) == kind
    assert kind in ROLE_TYPES


def conll(*rows: str) -> list[str]:
    """CoNLL-2009 from ``form head pred label…``; the other columns do not matter."""
    lines = []
    for i, row in enumerate(rows, 1):
        if not row:
            lines.append("")
            continue
        form, head, pred, *labels = row.split()
        fields = [str(i), form, *"_" * 6, head, head, "_", "_", "_", pred, *labels]
        lines.append("\t".join(fields))
    return lines


def test_labels_are_spread_to_unlabelled_dependents() -> None:
    """Each run of one label is a filler; the predicate stops the spreading."""
    lines = conll(
        "the 2 _ _",
        "man 4 _ A0",
        "old 2 _ _",
        "sees 0 see.01 _",
        "a 6 _ _",
        "dog 4 _ A1",
        "here 2 _ _",
    )
    (sentence,) = read_conll09(lines, "f")
    (frame,) = sentence.frames
    assert frame.predicate == Filler("did", ("sees",), (3,))
    assert [(f.role, f.units) for f in frame.fillers] == [
        ("who", ("the", "man", "old")),
        ("what", ("a", "dog")),
        ("who", ("here",)),
    ]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["1\ta\tb"], "f:1: holds 3 columns"),
        (conll("a x _"), "f:1: HEAD is 'x'"),
        (conll("a 2 _"), "f:1: HEAD is 2; the sentence has 1 word"),
        (conll("a 0 _ A0"), "f:1: has a label in role column 1"),
        (conll("a 0 _", "", "b 0 _"), "f:3: ID is 3; the sentence's word 1 is due"),
    ],
)
def test_malformed_frames_are_named(lines: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_conll09(lines, "f")


def test_a_cycle_of_heads_ends() -> None:
    (sentence,) = read_conll09(conll("a 2 _ _", "b 1 _ A0", "c 0 c.01 _"), "f")
    assert [f.units for f in sentence.frames[0].fillers] == [("a", "b")]


def test_parses_of_empty_sentences_and_blank_lines_too_many(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text("\n".join([*conll("a 0 _"), "", "", *conll("b 0 _"), "", "", ""]))
    assert [p.tokens for p in read_parses(str(path), ["a", "", "b"])] == [
        ("a",),
        (),
        ("b",),
    ]
    assert [p.tokens for p in read_parses(str(path), ["a", "b"])] == [("a",), ("b",)]
    with pytest.raises(InputError, match="the frames of 2 sentences, not of 1"):
        read_parses(str(path), ["a"])


ALIGNED = """\
# ::tok the boy wants not to go
(w / want-01~e.2 :ARG0 (b / boy~e.1) :ARG1 (g / go-02~e.5 :ARG0 b :polarity -~e.3))
"""


def test_frames_from_aligned_graphs(tmp_path: Path) -> None:
    path = tmp_path / "f.amr"
    path.write_text(ALIGNED)
    (sentence,) = read_parses(str(path), ["the boy wants not to go"])
    assert sentence.tokens == ("the", "boy", "wants", "not", "to", "go")
    assert [
        (f.predicate.units, [(x.role, x.units) for x in f.fillers])
        for f in sentence.frames
    ] == [
        (("wants",), [("who", ("boy",)), ("what", ("boy", "not", "go"))]),
        (("go",), [("who", ("boy",)), ("how", ("not",))]),
    ]
    path.write_text(ALIGNED.replace("~e.5", "~e.6"))
    with pytest.raises(InputError, match="aligned to word 6, but its sentence has 6"):
        read_parses(str(path), ["the boy wants not to go"])
