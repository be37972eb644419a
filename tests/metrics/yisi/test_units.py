"""Units with embeddings of their own: files, frames over them, the command."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.command import Cli
from support.files import Files

from exactmatch.base.errors import InputError
from exactmatch.metrics.yisi.document import (
    Document,
    EmbeddedUnit,
    Side,
    Units,
    read_embeddings,
    read_units,
    words_of,
)
from exactmatch.metrics.yisi.document import occurrence_similarity as similarities
from exactmatch.metrics.yisi.frames import Filler, Frame, Sentence


def occurrence_similarity(hyp: str, other: str) -> float:
    return float(similarities([hyp], [other])[0, 0])


TEXTS = ["walked home", "ok"]
UNITS = "walk ##ed home\nok\n"
NUMBERED = "0 0 3 0\n1 0 0 4\n2 1 -1 0\n\n0 0 1 1\n\n"
NAMED = "walk 3 0\n##ed 0 4\nhome -1 0\n\nok 1 1\n"


@pytest.fixture(autouse=True)
def _in_folder_with_files(files: Files) -> None:
    """The files of one side, in an empty folder."""
    files.enter()
    files.one("text", "walked home\nok\n")
    files.one("units", UNITS)
    files.one("numbered", NUMBERED)
    files.one("named", NAMED)


def test_both_forms_of_file_say_the_same() -> None:
    numbered = read_embeddings("numbered", TEXTS, read_units("units", TEXTS))
    named = read_embeddings("named", TEXTS)
    assert numbered == named
    assert [units.units for units in named] == [("walk", "##ed", "home"), ("ok",)]
    assert [units.words for units in named] == [(0, 0, 1), (0,)]


def test_similarity_is_the_cosine_of_occurrences_and_never_negative() -> None:
    walk, ed, home = read_embeddings("named", TEXTS)[0].units
    (ok,) = read_embeddings("named", TEXTS)[1].units
    assert occurrence_similarity(walk, walk) == 1.0
    assert occurrence_similarity(walk, ed) == 0.0
    assert occurrence_similarity(walk, home) == 0.0  # the cosine is -1
    assert occurrence_similarity(walk, ok) == pytest.approx(0.5**0.5)


def test_one_unit_has_another_embedding_at_every_place() -> None:
    first, second = EmbeddedUnit.of("bank", [1, 0]), EmbeddedUnit.of("bank", [0, 1])
    assert first == second
    assert occurrence_similarity(first, second) == 0.0


def test_embedding_of_zeros_is_like_nothing() -> None:
    zero = EmbeddedUnit.of("x", [0.0, 0.0])
    assert occurrence_similarity(zero, zero) == 0.0


def test_word_without_embedding_is_named() -> None:
    with pytest.raises(InputError, match="'plain' has no embedding"):
        occurrence_similarity("plain", EmbeddedUnit.of("x", [1.0]))


@pytest.mark.parametrize(
    ("units", "text", "words"),
    [
        (("a", "b"), "x y", (0, 1)),  # as many as words: one by one
        (("un", "##do", "it"), "undo it", (0, 0, 1)),
        (("##", "a"), "##a", None),
        ((), "", ()),
        (("a",), "", None),
        ((), "a", None),
        (("a", "b", "c"), "ab x", None),
        (("ab", "c"), "abc d e", None),
    ],
)
def test_words_of_units(
    units: tuple[str, ...], text: str, words: tuple[int, ...] | None
) -> None:
    assert words_of(units, text) == words


def test_frames_cover_the_units_of_their_words() -> None:
    predicate = Filler("did", ("walked",), (0,))
    goal = Filler("where", ("home",), (1,))
    sentence = Sentence(("walked", "home"), (Frame(predicate, (goal,)),))
    units = Units(("walk", "##ed", "home"), (0, 0, 1))
    frame = units.instead_of_words(sentence).frames[0]
    assert frame.predicate.units == ("walk", "##ed")
    assert frame.predicate.places == (0, 1)
    assert frame.fillers[0].units == ("home",)
    assert frame.fillers[0].places == (2,)
    with pytest.raises(InputError, match="do not spell their sentence"):
        Units(("x",), None).instead_of_words(sentence)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("named", "a 1 0\n", "named: holds the embeddings of 1 sentence, not of 2"),
        ("named", "a 1 x\n\nb 1 2\n", "named:1: could not convert"),
        ("named", "a 1 0\n\nb 1\n", "named:3: has 1 number, not 2"),
        ("named", "a\n\nb\n", "named:1: has 0 numbers, not any"),
        ("named", "a 1 inf\n\nb 1 2\n", "named:1: has a number that is not finite"),
        ("named", NUMBERED, "name the file of units, too"),
        ("units", "a\n", "units: holds the units of 1 sentence, not of 2"),
        ("numbered", "0 0 1\n\n0 0 1\n", "sentence 1: holds 1 embedding for 3 units"),
        (
            "numbered",
            "0 0 1\n2 0 1\n1 1 1\n\n0 0 1\n",
            "numbered:2: begins with '2 0'; the numbers of unit 1",
        ),
    ],
)
def test_malformed_files_are_named(name: str, content: str, message: str) -> None:
    Path(name).write_text(content)

    def read() -> list[Units]:
        units = None if name == "named" else read_units("units", TEXTS)
        return read_embeddings("named" if units is None else "numbered", TEXTS, units)

    with pytest.raises(InputError) as caught:
        read()
    assert message in str(caught.value)


def test_no_sentence_has_units_and_that_is_no_error() -> None:
    Path("named").write_text("")
    assert read_embeddings("named", []) == []
    assert read_embeddings("named", [""]) == [Units((), ())]


def test_weights_are_learned_from_units() -> None:
    document = Document(Side("text"), Side("text", None, "named"))
    words = [[block.words for block in document.sentences(side)] for side in (0, 1)]
    assert words[0] == [("walked", "home"), ("ok",)]
    assert words[1] == [("walk", "##ed", "home"), ("ok",)]


def test_command_compares_units_by_their_embeddings(
    cli: Cli,
) -> None:
    other = "walk 3 4\n##ed 0 4\nhome -1 0\n\nok 1 1\n"
    Path("other").write_text(other)
    options = "--variant yisi1 --ngram 1 --idf uniform --per-pair"
    named = "--embeddings-hyp named --embeddings-ref other"
    report = cli.record("yisi", "text", "text", *options.split(), *named.split())
    # walk finds walk (3/5) or ##ed (0), ##ed finds ##ed (1), home finds home (1)
    # and walk of the other side finds ##ed (4/5)
    first = report["per_pair"][0]
    assert first["precision"] == pytest.approx((0.6 + 1 + 1) / 3)
    assert first["recall"] == pytest.approx((0.8 + 1 + 1) / 3)
    assert report["per_pair"][1]["score"] == pytest.approx(1)
    signature = report["signature"]
    assert "sim:contextual|embeddings:named@" in signature


def test_command_compares_units_by_their_letters(
    cli: Cli,
) -> None:
    Path("other").write_text("walk ##s home\nok\n")
    command = "yisi text text --units-hyp units --units-ref other"
    found = cli.record(*f"{command} --ngram 1 --per-pair --idf uniform".split())
    first = found["per_pair"][0]
    assert first["precision"] == pytest.approx((1 + 4 / 7 + 1) / 3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--variant yisi1 --embeddings-hyp named", "give --embeddings-hyp and"),
        ("--variant yisi1 --embeddings-input named", "does not use --embeddings-input"),
        ("--embeddings-hyp named --embeddings-ref named", "yisi0 does not compare"),
        (
            "--variant yisi1 --embeddings-hyp named --embeddings-ref named "
            "--similarity lcs",
            "--similarity is not used with contextual embeddings",
        ),
        ("--layer 3", "--layer is of an encoder"),
        (
            "--encoder m --units-hyp u --units-ref u",
            "--encoder computes the embeddings",
        ),
    ],
)
def test_options_that_contradict_each_other(
    arguments: str, message: str, cli: Cli
) -> None:
    assert message in cli.refusal("yisi", "text", "text", *arguments.split())


def test_vectors_are_scaled_once() -> None:
    assert np.allclose(EmbeddedUnit.of("x", [3.0, 4.0]).vector, [0.6, 0.8])
