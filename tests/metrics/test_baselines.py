"""BLEU and chrF: what sacreBLEU's own public functions give, as fractions."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from support.command import Cli
from support.examples import examples

from exactmatch.base.errors import MissingExtraError
from exactmatch.metrics.base import Metric, add
from exactmatch.metrics.baselines import Bleu, ChrF, SentenceBleu

WORDS = st.sampled_from(["the", "cat", "sat", "on", "a", "mat", ".", "Ä"])
SENTENCES = st.lists(WORDS, min_size=0, max_size=9).map(" ".join)
PAIRS = st.lists(st.tuples(SENTENCES, SENTENCES), min_size=1, max_size=4)
laws = settings(deadline=None, max_examples=examples(50))


def corpus_score(metric: Metric, pairs: list[tuple[str, ...]]) -> float:
    total = metric.identity()
    for pred, *golds in pairs:
        total = add(total, metric.measure(pred, *golds).statistics)
    return metric.scores(total).score


@laws
@given(PAIRS)
def test_corpus_bleu(pairs: list[tuple[str, ...]]) -> None:
    preds, golds = zip(*pairs, strict=True)
    expected = sacrebleu.corpus_bleu(list(preds), [list(golds)]).score / 100
    assert corpus_score(Bleu(), pairs) == pytest.approx(expected)


@laws
@given(PAIRS)
def test_sentence_bleu_is_a_mean(pairs: list[tuple[str, ...]]) -> None:
    scores = [sacrebleu.sentence_bleu(pred, [gold]).score / 100 for pred, gold in pairs]
    found = corpus_score(SentenceBleu(), pairs)
    assert found == pytest.approx(sum(scores) / len(scores))


@laws
@given(PAIRS)
def test_corpus_chrf(pairs: list[tuple[str, ...]]) -> None:
    preds, golds = zip(*pairs, strict=True)
    expected = sacrebleu.corpus_chrf(list(preds), [list(golds)]).score / 100
    assert corpus_score(ChrF(), pairs) == pytest.approx(expected)


@laws
@given(st.lists(st.tuples(SENTENCES, SENTENCES, SENTENCES), min_size=1, max_size=3))
def test_two_references(triples: list[tuple[str, ...]]) -> None:
    preds, one, two = (list(side) for side in zip(*triples, strict=True))
    bleu = sacrebleu.corpus_bleu(preds, [one, two]).score / 100
    chrf = sacrebleu.corpus_chrf(preds, [one, two]).score / 100
    assert corpus_score(Bleu(), triples) == pytest.approx(bleu)
    assert corpus_score(ChrF(), triples) == pytest.approx(chrf)


@pytest.mark.parametrize("cls", [Bleu, SentenceBleu, ChrF])
def test_identity_and_nothing(cls: type[Metric]) -> None:
    metric = cls()
    text = "the cat sat on the mat ."
    assert metric.scores(metric.measure(text, text).statistics).score == pytest.approx(
        1
    )
    assert metric.scores(metric.identity()).score == 0
    assert metric.scores(metric.measure("", text).statistics).score == 0


def test_identity_of_short_sentences_is_a_matter_of_the_metric() -> None:
    """BLEU needs four words; the BLEU of sentences only counts n-grams that exist."""
    assert corpus_score(Bleu(), [("a cat", "a cat")]) == 0
    assert corpus_score(SentenceBleu(), [("a cat", "a cat")]) == pytest.approx(1)


@pytest.mark.parametrize("cls", [Bleu, SentenceBleu, ChrF])
def test_a_used_metric_can_be_sent_to_another_process(cls: type[Metric]) -> None:
    metric = cls()
    measured = metric.measure("a cat sat .", "the cat sat .")
    sent = pickle.loads(pickle.dumps(metric))
    assert sent.measure("a cat sat .", "the cat sat .") == measured


def test_signatures_hold_sacrebleus_own() -> None:
    for metric, key, value in (
        (Bleu(), "tok", "13a"),
        (SentenceBleu(), "eff", "yes"),
        (ChrF(), "nc", "6"),
    ):
        before = metric.signature()
        metric.measure("a", "b")
        assert metric.signature() == before
        signature = dict(before)
        assert signature[key] == value
        assert signature["sacrebleu"] == sacrebleu.__version__
        assert signature["nrefs"] == "1"
    several = Bleu()
    several.expect_references(2)
    assert dict(several.signature())["nrefs"] == "2"


def test_without_sacrebleu_the_error_names_the_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    with pytest.raises(MissingExtraError, match="pip install sacrebleu"):
        Bleu().measure("a", "b")


@pytest.mark.slow
@pytest.mark.parametrize("golds", [1, 2, 3])
def test_the_number_of_references_is_known_in_every_process(
    golds: int, cli: Cli, tmp_path: Path
) -> None:
    """The signature is that of one process, and sacreBLEU's own."""
    paths = []
    for name in ["hyp", *(f"ref{k}" for k in range(golds))]:
        path = tmp_path / name
        path.write_text("".join(f"the {name} {k} sat here\n" for k in range(20)))
        paths.append(str(path))
    metrics = ("--metric", "bleu,sentence-bleu,chrf")
    outputs = []
    for jobs in ("1", "2"):
        outputs.append(cli.out(*paths, *metrics, "-j", jobs))
    assert outputs[0] == outputs[1]
    assert outputs[0].count(f"|nrefs:{golds}|") == 3
