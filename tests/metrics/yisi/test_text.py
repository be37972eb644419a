"""YiSi of sentences, and of documents of them."""

from __future__ import annotations

import gzip
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.command import Cli
from support.files import Files
from support.vectors import watched_loads

from exactmatch.metrics.yisi.document import Document, Side
from exactmatch.metrics.yisi.files import ROLE_TYPES
from exactmatch.metrics.yisi.frames import Filler, Frame, Sentence
from exactmatch.metrics.yisi.text import YiSiText, f_score

WORDS = st.sampled_from(["the", "cat", "cats", "sat", "Sat", "a", "dog"])
PHRASES = st.lists(WORDS, max_size=5)
no_deadline = settings(deadline=None)
"""SciPy takes its time when it is first imported."""


class Scores(NamedTuple):
    score: float
    precision: float
    recall: float


def scorer(
    beta: float = 0.0, role_weights: Any = "lexical", **options: Any
) -> Callable[..., Scores]:
    metric = YiSiText(idf="uniform", **options)
    metric.beta, metric.role_weights = beta, role_weights
    return lambda *sentences: Scores(*metric.compare(*sentences).statistics[:3])


@no_deadline
@given(PHRASES.filter(bool), st.floats(0, 1))
def test_an_identical_sentence_scores_one_without_frames(
    words: list[str], alpha: float
) -> None:
    sentence = Sentence(tuple(words))
    assert scorer(alpha=alpha)(sentence, sentence).score == pytest.approx(1)


def test_an_identical_sentence_scores_less_under_beta_if_it_has_no_frame() -> None:
    """The official program's structural part is then 0; the paper's is undefined."""
    sentence = Sentence(("a", "very", "small", "dog"))
    official = scorer(beta=0.1)(sentence, sentence)
    assert official.score == pytest.approx(0.9)
    assert scorer(beta=0.1, yisi="paper")(sentence, sentence).score == 1


@no_deadline
@given(PHRASES, PHRASES, st.integers(1, 3))
def test_exchanging_the_sides_exchanges_precision_and_recall(
    one: list[str], two: list[str], n: int
) -> None:
    """With one weight for both sides; the score is the same if α is 0.5."""
    a, b = Sentence(tuple(one)), Sentence(tuple(two))
    there, back = (scorer(ngram=n, alpha=0.5)(*pair) for pair in ((a, b), (b, a)))
    assert there.precision == pytest.approx(back.recall)
    assert there.score == pytest.approx(back.score)
    assert 0 <= there.score <= 1


@no_deadline
@given(PHRASES, PHRASES, PHRASES)
def test_of_two_references_each_component_takes_the_better(
    hyp: list[str], one: list[str], two: list[str]
) -> None:
    sentences = [Sentence(tuple(words)) for words in (hyp, one, two)]
    both = scorer()(*sentences)
    single = [scorer()(sentences[0], other) for other in sentences[1:]]
    assert both.precision == max(score.precision for score in single)
    assert both.recall == max(score.recall for score in single)


def labelled(*fillers: tuple[str, int, int], predicate: int = 0) -> Sentence:
    tokens = ("sees", "him", "her", "it")
    parts = tuple(Filler(r, (), tuple(range(a, b))) for r, a, b in fillers)
    frame = Frame(Filler("did", (), (predicate,)), parts)
    return Sentence(tokens, (frame,)).with_tokens(tokens)


def test_official_recall_overlooks_role_types_and_the_paper_does_not() -> None:
    """NRC's program compares role types for precision only."""
    hyp, ref = labelled(("who", 1, 2)), labelled(("what", 1, 2))
    weights = dict.fromkeys(ROLE_TYPES, 1.0)
    for edition, recall in (("official", 1.0), ("paper", 0.5)):
        yisi = scorer(beta=1.0, role_weights=weights, yisi=edition)
        found = yisi(hyp, ref)
        assert found.precision == 0.5
        assert found.recall == recall


def test_f_score_is_harmonic_at_one_half_and_leans_to_recall_above() -> None:
    assert f_score(0.5, 1.0, 0.5) == pytest.approx(2 / 3)
    assert f_score(0.5, 1.0, 1.0) == 1.0
    assert f_score(0.0, 1.0, 0.5) == 0.0


def test_the_metric_gives_what_the_command_gives(
    files: Files, tmp_path: Path, cli: Cli
) -> None:
    hyps, refs = ["the cat sat", "dogs"], ["a cat sits", "a dog"]
    files.one("h", "\n".join(hyps) + "\n")
    files.one("r", "\n".join(refs) + "\n")
    record = cli.record("yisi", tmp_path / "h", tmp_path / "r")
    metric = YiSiText()
    metric.fit(map(metric.prepare, refs))
    measured = [metric.measure(h, r) for h, r in zip(hyps, refs, strict=True)]
    total = tuple(
        sum(column) for column in zip(*(m.statistics for m in measured), strict=True)
    )
    assert metric.scores(total).score == pytest.approx(record["score"])
    assert metric.scores(total).recall == pytest.approx(record["recall"])
    assert metric.scores(metric.identity()).score == 0
    sent = pickle.loads(pickle.dumps(metric))
    assert sent.measure(hyps[0], refs[0]) == measured[0]


def test_only_preloaded_vectors_are_read_until_another_is_asked_for(
    files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    files.one("v", "cat 1 0\ndog 3 4\nfox 0 1\n")
    metric = YiSiText(vectors="v", idf="uniform")
    metric.preload(["Cat dog"])
    assert metric.vectors
    assert metric.measure("CAT", "dog").statistics[1] == pytest.approx(0.6)
    assert metric.measure("fox", "dog").statistics[1] == pytest.approx(0.8)
    assert dict(metric.signature())["vectors"].startswith("v@")


def test_the_words_of_sentences_are_preloaded_and_those_of_graphs_are_not(
    files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last word of a line is announced like any other."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    files.one("v", "cat 1 0\ndog 3 4\nfox 0 1\n")
    wanted = watched_loads(monkeypatch)
    for text in "# ::id 1\n# ::snt a dog\n(d / cat)", "a dog\nsat":
        metric = YiSiText(vectors="v", idf="uniform")
        metric.preload([text])
        assert metric.measure("a dog", "a dog").statistics[0] == 1.0
    first, second = wanted
    assert first == {"a", "dog", "<unk>"}
    assert second == {"a", "dog", "sat", "<unk>"}


def sentences_of(path: Path) -> list[tuple[str, ...]]:
    side = Side(str(path))
    return [block.words for block in Document(side, side).sentences(0)]


def test_sentences_of_graph_files_and_packed_files(
    files: Files, tmp_path: Path
) -> None:
    files.one(
        "g.amr", "# ::lead in\n\n# ::snt A dog .\n(d / dog)\n\n# ::snt\n(c / cat)\n"
    )
    assert sentences_of(tmp_path / "g.amr") == [("A", "dog", "."), ()]
    files.one("t.gz", gzip.compress("ä\r\n\nb".encode()))
    assert sentences_of(tmp_path / "t.gz") == [("ä",), (), ("b",)]
