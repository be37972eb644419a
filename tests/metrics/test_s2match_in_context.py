"""S²Match with the embeddings of the words that nodes are aligned to.

Vectors are given by a stand-in for the model, so that scores can be computed by hand,
or by a tiny model of ``transformers``, whose hidden layers are read here directly.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pytest
from support.command import Cli
from support.files import Files
from support.tiny_model import LAYERS, PIECES, hidden

import exactmatch
from exactmatch.base.errors import InputError
from exactmatch.metrics.s2match import S2Match
from exactmatch.metrics.similarity import encoder
from exactmatch.metrics.similarity.encoder import ContextualSimilarity, WordPieces
from exactmatch.solvers.solution import Limits

LONGEST = 9


class Directions:
    """A stand-in for a model: every word is two pieces, with angles of their own.

    The first piece of a word has the angle (in degrees) that the table gives the word
    in its sentence, and the second one the same angle; alone, a word has the angle of
    the sentence of itself.
    """

    size = 2
    angles: ClassVar[dict[tuple[str, str], float]] = {
        ("the bank lends", "bank"): 0,
        ("the bank lends", "lends"): 90,
        ("a shore erodes", "shore"): 60,
        ("a shore erodes", "erodes"): 90,
        ("a lender lends", "lender"): 30,
        ("a lender lends", "lends"): 90,
        ("bank", "bank"): 10,
        ("shore", "shore"): 20,
        ("lender", "lender"): 40,
        ("lend", "lend"): 90,
        ("erode", "erode"): 180,
    }

    def __init__(self, model: str, layer: int) -> None:
        self.model, self.layer = model, layer

    def signature(self) -> list[tuple[str, str]]:
        return [("encoder", self.model), ("layer", str(self.layer))]

    def fault(self, words: Sequence[str]) -> str | None:
        return f"has {len(words)} pieces" if len(words) > LONGEST else None

    def pieces(self, sentences: Sequence[Sequence[str]]) -> list[WordPieces]:
        found = []
        for words in sentences:
            sentence = " ".join(words)
            turns = [np.radians(self.angles.get((sentence, w), 270)) for w in words]
            rows = [(np.cos(turn), np.sin(turn)) for turn in turns for _ in "12"]
            numbers = tuple(k for k in range(len(words)) for _ in "12")
            matrix = np.array(rows).reshape(-1, 2)
            found.append(WordPieces(tuple("x" * len(rows)), numbers, matrix))
        return found


@pytest.fixture
def by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder, "HiddenLayer", Directions)


BANK = "# ::tok the bank lends\n(l / lend-01~e.2 :ARG0 (b / bank~e.1))"
SHORE = "# ::tok a shore erodes\n(e / erode-01~e.2 :ARG0 (s / shore~e.1))"
LENDER = "# ::tok a lender lends\n(l / lend-01~e.2 :ARG0 (p / lender~e.1))"


def matched(metric: S2Match, left: str, right: str) -> float:
    read = [metric.read(text).item for text in (left, right)]
    return metric.measure(*read).statistics[0]


def without_tags(text: str) -> str:
    return text.replace("~e.1", "").replace("~e.2", "")


def cosine(degrees: float) -> float:
    return float(np.cos(np.radians(degrees)))


@pytest.mark.usefixtures("by_hand")
def test_matches_by_hand() -> None:
    """Edge, equal concepts, mark of the root, and the cosine of two aligned words."""
    metric = S2Match(encoder="any", layer=3)
    assert matched(metric, BANK, LENDER) == pytest.approx(1 + 2 + cosine(30))
    # lend-01 and erode-01 point the same way; senses halve that, in the mark too
    both = S2Match(encoder="any", layer=3, cutoff=0.4)
    expected = 1 + 0.5 + 0.5 + cosine(60)
    assert matched(both, BANK, SHORE) == pytest.approx(expected)


@pytest.mark.usefixtures("by_hand")
def test_a_node_without_alignment_is_read_alone() -> None:
    metric = S2Match(encoder="any", layer=3)
    alone = LENDER.replace("lender~e.1", "lender")
    assert matched(metric, BANK, alone) == pytest.approx(1 + 2 + cosine(40))
    none = without_tags(BANK)
    assert matched(metric, none, alone) == pytest.approx(1 + 2 + cosine(30))
    assert metric.similarity("bank", "lender") == pytest.approx(cosine(30))
    (refused,) = metric.read(none).lenient
    assert "has no alignment with its sentence" in str(refused)
    assert metric.read(alone).lenient == ()


@pytest.mark.usefixtures("by_hand")
def test_pieces_of_several_words_are_averaged() -> None:
    """Words at 0 and 90 degrees have the mean direction 45, of length 0.71 alone."""
    metric = S2Match(encoder="any", layer=3)
    both = BANK.replace("bank~e.1", "bank~e.1,2")
    assert matched(metric, both, LENDER) == pytest.approx(1 + 2 + cosine(15))
    near = S2Match(encoder="any", layer=3, similarity="euclidean", cutoff=0)
    mean = np.array([0.5, 0.5])
    distance = np.hypot(*(mean - (cosine(30), cosine(60))))
    expected = 1 + 2 + np.exp(-distance)
    assert matched(near, both, LENDER) == pytest.approx(expected)


@pytest.mark.usefixtures("by_hand")
def test_a_node_with_two_concepts_has_one_vector() -> None:
    metric = S2Match(encoder="any", layer=3)
    prepared = [metric.prepare(metric.read(text).item) for text in (BANK, LENDER)]
    alike = metric.graded(*prepared)
    both = (("lend-01",), ("bank", "institution"))
    prepared[0] = replace(prepared[0], concepts=both, several=True)
    assert metric.graded(*prepared) == pytest.approx(alike)


@pytest.mark.usefixtures("by_hand")
def test_signature_and_keys_tell_the_two_readings_apart() -> None:
    metric = S2Match(encoder="any", layer=3)
    signature = dict(metric.signature())
    assert signature["encoder"] == "any"
    assert signature["layer"] == "3"
    assert signature["context"] == "sentence"
    assert signature["unaligned"] == "alone"
    assert signature["tags"] == "stripped"
    assert metric.reading_key != S2Match().reading_key
    assert metric.preparation_key != S2Match().preparation_key
    given = metric.keywords()
    assert (given["encoder"], given["layer"]) == ("any", 3)
    assert S2Match(**given).signature() == metric.signature()
    assert pickle.loads(pickle.dumps(metric)).signature() == metric.signature()


def test_a_layer_needs_an_encoder() -> None:
    with pytest.raises(InputError, match="--layer is of an encoder"):
        S2Match(layer=3)


@pytest.mark.usefixtures("by_hand")
def test_a_sentence_that_is_too_long_is_named() -> None:
    text = f"# ::id long\n# ::tok {'the ' * 10}\n(b / bank~e.1)"
    with pytest.raises(InputError, match="graph 'long' has a sentence that has 10"):
        S2Match(encoder="any", layer=3).read(text)


@pytest.mark.usefixtures("by_hand")
def test_two_solvers_agree_and_the_bound_is_the_value() -> None:
    texts = [BANK, SHORE, LENDER, without_tags(BANK), "(x / empty)"]
    for left in texts:
        for right in texts:
            found = {}
            for solver in ("bnb", "highs", "brute"):
                metric = S2Match(encoder="any", layer=3, solver=solver)
                items = [metric.read(text).item for text in (left, right)]
                pair = metric.measure(*items, limits=Limits(record_proof=True))
                assert pair.solution.value == pair.solution.bound
                assert pair.problem.problem.scale == metric.scale
                if solver == "bnb":
                    assert not pair.solution.refusal(pair.problem.problem)
                found[solver] = pair.solution.value
            assert len(set(found.values())) == 1


@pytest.mark.usefixtures("by_hand")
def test_a_graph_scores_1_against_itself_whatever_it_is_given_as() -> None:
    score = exactmatch.score
    options: dict[str, Any] = {"metric": "s2match", "encoder": "any", "layer": 3}
    assert score(BANK, BANK, **options).f1 == 1
    of_read = score(exactmatch.read(BANK), LENDER, **options)
    assert of_read.f1 == score(BANK, LENDER, **options).f1 < 1


@pytest.mark.parametrize("layer", range(LAYERS + 1))
def test_vectors_are_those_of_the_hidden_layer(model: str, layer: int) -> None:
    similarity = ContextualSimilarity(model, layer)
    words = ("the", "bank", "walked")
    found = similarity.vectors(["bank", "walk-01", "the"], words, [[1], [1, 2], []])
    begin, end = PIECES.index("[CLS]"), PIECES.index("[SEP]")
    inside = [PIECES.index(p) for p in ("the", "bank", "walk", "##ed")]
    states = hidden(model, [begin, *inside, end], layer)[1:-1]
    alone = hidden(model, [begin, PIECES.index("the"), end], layer)[1]
    for row, expected in zip(
        found, (states[1], states[1:].mean(axis=0), alone), strict=True
    ):
        assert row == pytest.approx(expected / (expected @ expected) ** 0.5, abs=1e-5)


def test_command_says_what_it_compared(model: str, cli: Cli, files: Files) -> None:
    pred = "# ::tok the bank walked\n(w / walk-01~e.2 :ARG0 (b / bank~e.1))\n"
    gold = "# ::tok bank walked the\n(w / walk-01~e.1 :ARG0 (t / the~e.2))\n"
    files({"pred.amr": pred, "gold.amr": gold})
    files.enter()
    command = ["pred.amr", "gold.amr", "--metric", "s2match", "--encoder", model]
    code, out, err = cli("score", *command, "--layer", "2")
    assert code == 0, err
    assert f"encoder:{model}|layer:2|context:sentence|unaligned:alone" in out
    code, out, _ = cli("score", *command)
    assert "context:" not in out
    files({"pred.amr": pred.replace("~e.2", "").replace("~e.1", "")})
    code, _, err = cli("score", *command, "--layer", "2")
    assert code == 0
    assert "has no alignment with its sentence" in err
    code, _, err = cli("score", *command, "--layer", "2", "--strict")
    assert code == 2
