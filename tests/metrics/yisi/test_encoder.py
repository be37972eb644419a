"""Contextual embeddings by a tiny model that is made here."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli
from support.tiny_model import LAYERS, LONGEST, PIECES, hidden

from exactmatch.base.errors import InputError, MissingExtraError
from exactmatch.metrics.similarity.encoder import HiddenLayer
from exactmatch.metrics.yisi.document import encoded, occurrence_similarity


@pytest.mark.parametrize("layer", range(LAYERS + 1))
def test_units_are_pieces_with_the_output_of_the_layer(model: str, layer: int) -> None:
    # sentences of other lengths beside it, so that padding must not matter
    texts = ["walked", "the bank walked the bank", ""]
    short, long, empty = encoded(HiddenLayer(model, layer), texts)
    assert short.units == ("walk", "##ed")
    assert long.units == ("the", "bank", "walk", "##ed", "the", "bank")
    assert long.words == (0, 1, 2, 2, 3, 4)
    assert (empty.units, empty.words) == ((), ())
    begin, end = PIECES.index("[CLS]"), PIECES.index("[SEP]")
    for units in (short, long):
        ids = [PIECES.index(unit) for unit in units.units]
        states = hidden(model, [begin, *ids, end], layer)[1:-1]
        embedded: Any = units.units
        for unit, state in zip(embedded, states, strict=True):
            expected = state / (state @ state) ** 0.5
            assert unit.vector == pytest.approx(expected, abs=1e-5)


def test_the_same_word_differs_by_its_context(model: str) -> None:
    first, *_, last = encoded(HiddenLayer(model, 1), ["bank walked the bank"])[0].units
    assert first == last == "bank"
    assert occurrence_similarity([first], [last])[0, 0] < 1 - 1e-6
    assert occurrence_similarity([first], [first])[0, 0] == pytest.approx(1)


def test_layer_is_three_quarters_up_unless_it_is_said(model: str) -> None:
    assert HiddenLayer(model).layer == 3
    assert HiddenLayer(model, 0).layer == 0
    with pytest.raises(InputError, match=r"--layer is 5; encoder .* layers 0 to 4"):
        HiddenLayer(model, 5)


def test_encoder_pickles(model: str) -> None:
    encoder = pickle.loads(pickle.dumps(HiddenLayer(model, 2)))
    assert (encoder.model, encoder.layer) == (model, 2)


def test_sentence_that_is_too_long_is_named(model: str) -> None:
    with pytest.raises(InputError, match="sentence 2 has 13 pieces, more than the 12"):
        encoded(HiddenLayer(model), ["the", "the " * (LONGEST - 1)])


def test_folder_without_a_model(model: str, tmp_path: Path) -> None:
    del model
    with pytest.raises(InputError, match="cannot load encoder"):
        HiddenLayer(str(tmp_path))


def test_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'exactmatch\[encoder\]'"):
        HiddenLayer("any")


@pytest.mark.parametrize("variant", ["yisi1", "yisi2"])
def test_command_encodes_both_sides(
    variant: str,
    model: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    cli: Cli,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("one").write_text("the bank walked\nthe\n")
    Path("two").write_text("bank walked the\nthe\n")
    sides = ["one", "two"] if variant == "yisi1" else ["one", "--input", "two"]
    command = ["yisi", *sides, "--variant", variant, "--encoder", model, "--layer", "2"]
    report = cli.record(*command, "--ngram", "1", "--per-pair")
    different, same = report["per_pair"]
    assert 0 < different["score"] < 0.999
    assert same["score"] == pytest.approx(1)
    assert f"sim:contextual|encoder:{model}|layer:2" in report["signature"]
