"""A metric for mbrs: what its decoders call, held against exactmatch's own functions.

mbrs itself needs PyTorch and the packages of all its metrics; where it is installed
its decoder chooses what ``ensemble`` chooses.
"""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactmatch
from exactmatch import InputError
from exactmatch.adapters.mbrs import GraphMetric

PARSES = [
    "(w / want-01 :ARG0 (g / girl))",
    "(w / want-01 :ARG0 (b / boy) :polarity -)",
    "(w / want-01 :ARG0 (b / boy))",
]
METRIC = GraphMetric(GraphMetric.Config())


def test_a_score_is_that_of_the_metric() -> None:
    assert METRIC.score(*PARSES[:2]) == exactmatch.smatch(*PARSES[:2]).f1
    graded = GraphMetric(GraphMetric.Config("s2match"))
    pred, gold = PARSES[:2]
    expected = exactmatch.score(pred, gold, metric="s2match").score
    assert graded.score(*PARSES[:2]) == expected
    clean = GraphMetric(GraphMetric.Config(profile="clean"))
    repeated = "(b / bark :ARG0 (d / dog) :ARG0 d)"
    assert clean.score(repeated, repeated) == 1.0
    assert METRIC.score(repeated, repeated) > 1.0


def test_what_a_model_broke_is_repaired_and_the_rest_is_empty() -> None:
    whole = "(b / bark-01 :ARG0 (d / dog))"
    assert METRIC.score(whole[:-2], whole) == 1.0
    assert METRIC.score(f"Here it is: {whole}", whole) == 1.0
    assert METRIC.score("no graph", whole) == METRIC.score("", whole) == 0.0


@given(st.text(alphabet='(ab/ :x"\\)\n#\x00é', max_size=40))
def test_any_text_has_a_score(text: str) -> None:
    assert math.isfinite(METRIC.score(text, PARSES[0]))


def test_a_corpus_score_is_the_mean() -> None:
    found = METRIC.corpus_score(PARSES[:2], [PARSES[1:], PARSES[:2]])
    scores = [METRIC.score(PARSES[0], PARSES[1]), METRIC.score(PARSES[1], PARSES[2])]
    assert found == pytest.approx((sum(scores) + 2.0) / 4)
    assert METRIC.corpus_score([], []) == 0.0
    with pytest.raises(
        InputError, match=r"hypotheses \(3\) and references \(2\) differ"
    ):
        METRIC.corpus_score(PARSES, [PARSES, PARSES[:2]])


def test_metrics_on_sentences_are_refused() -> None:
    with pytest.raises(InputError, match="'chrf' compares sentences"):
        GraphMetric(GraphMetric.Config("chrf"))
    with pytest.raises(InputError, match="unknown metric 'smach'"):
        GraphMetric(GraphMetric.Config("smach"))


def test_tensors_are_what_the_matrix_says() -> None:
    torch = pytest.importorskip("torch")
    matrix = exactmatch.cdist(PARSES, PARSES)
    found = METRIC.pairwise_scores(PARSES, PARSES[:2])
    assert found.dtype == torch.float32
    assert torch.equal(found, torch.tensor(matrix[:, :2].tolist()))
    assert torch.equal(
        METRIC.scores(PARSES, PARSES[::-1]),
        torch.tensor(matrix[[0, 1, 2], [2, 1, 0]].tolist()),
    )
    expected = METRIC.expected_scores(PARSES, PARSES)
    assert torch.allclose(expected, torch.tensor(matrix.mean(axis=1).tolist()))
    shares = torch.tensor([0.5, 0.25, 0.25])
    weighed = METRIC.expected_scores(PARSES, PARSES, reference_lprobs=shares.log())
    (choice,) = exactmatch.ensemble([PARSES], system_weights=shares.tolist())
    assert weighed.tolist() == pytest.approx(choice.expected)
    with pytest.raises(InputError, match="3 references, but logarithms of shape"):
        METRIC.expected_scores(PARSES, PARSES, reference_lprobs=shares[:2])
    assert METRIC.device.type == "cpu"
    for left, right in ((0, 3), (3, 0), (0, 0)):
        found = METRIC.pairwise_scores(PARSES[:left], PARSES[:right])
        assert tuple(found.shape) == (left, right)
    with pytest.raises(
        InputError, match=r"hypotheses \(3\) and references \(2\) differ"
    ):
        METRIC.scores(PARSES, PARSES[:2])


def test_the_decoder_of_mbrs_chooses_what_ensemble_chooses() -> None:
    decoders = pytest.importorskip("mbrs.decoders")
    decoder = decoders.DecoderMBR(decoders.DecoderMBR.Config(), METRIC)
    (choice,) = exactmatch.ensemble([PARSES])
    output = decoder.decode(PARSES, PARSES, nbest=1)
    assert output.sentence == [PARSES[choice.index]]
    assert output.score == pytest.approx([choice.score])
