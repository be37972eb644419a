"""What is in memory is paired: by position, by id, with several references."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import networkx
import pytest
from support.files import Files

import exactmatch
from exactmatch import GraphError, InputError, Settings, evaluate
from exactmatch.errors import PairError
from exactmatch.scoring.sources import id_of, references_of

WANT = "# ::id want\n(w / want-01 :ARG0 (b / boy))"
SLEEP = "# ::id sleep\n(s / sleep-01 :ARG0 (c / cat))"
BROKEN = "# ::id broken\n(a / b / c)"
TRIPLES = [("a", "instance", "b"), ("a", "x", "y")]


# Numbers


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_carries_the_number_of_its_pair(jobs: int) -> None:
    with pytest.raises(PairError) as found:
        evaluate([WANT, SLEEP], [WANT, BROKEN], jobs=jobs)
    assert str(found.value).startswith("pair 2, reference: line 2:8: graph 'broken' ")
    assert (found.value.index, found.value.side) == (1, "reference")
    assert found.value.graph_id == "broken"
    assert isinstance(found.value, GraphError)
    again = pickle.loads(pickle.dumps(found.value))
    assert (str(again), again.index) == (str(found.value), 1)


def test_the_same_broken_object_has_the_number_of_each_pair() -> None:
    report = evaluate([BROKEN] * 3 + [WANT], [WANT] * 4, on_error="skip")
    reasons = [omission.reason for omission in report.omitted]
    assert [reason.partition(",")[0] for reason in reasons] == [
        "pair 1", "pair 2", "pair 3"
    ]  # fmt: skip


@pytest.mark.parametrize("bad", [3, "(a / b)\n\n(c / d)", {}, b"(a / b)"])
def test_whatever_is_no_graph_can_be_left_out(bad: Any) -> None:
    with pytest.raises(InputError, match="pair 2, prediction: "):
        evaluate([WANT, bad], [WANT, WANT])
    report = evaluate([WANT, bad], [WANT, WANT], on_error="skip")
    assert [omission.index for omission in report.omitted] == [1]


def test_raise_is_another_word_for_fail() -> None:
    assert Settings(on_error="raise") == Settings(on_error="fail")
    with pytest.raises(InputError, match="on_error is 'ignore'"):
        evaluate([WANT], [WANT], on_error="ignore")  # type: ignore[arg-type]  # refused


# Several references


def test_a_list_of_graphs_is_several_references_and_a_list_of_triples_one() -> None:
    graph = exactmatch.read(WANT)
    assert references_of(WANT) == (WANT,)
    assert references_of([WANT, SLEEP]) == (WANT, SLEEP)
    assert references_of(TRIPLES) == (TRIPLES,)
    assert references_of([TRIPLES, TRIPLES]) == (TRIPLES, TRIPLES)
    assert references_of([graph, TRIPLES]) == (graph, TRIPLES)
    assert references_of([]) == ([],)


def test_several_references_score_as_files_of_them_do(files: Files) -> None:
    golds = [["the cat sat", "a cat sat down"], ["the dog ran", "dogs ran"]]
    preds = ["the cat sat down", "the dogs ran"]
    sides = (preds, *zip(*golds, strict=True))
    paths = [Path(files.lines(*side)) for side in zip("pgh", sides, strict=True)]
    for metric in ("bleu", "chrf", "yisi-text"):
        ours = evaluate(preds, golds, metric)
        assert ours.scores == evaluate(paths[0], paths[1:], metric).scores


def test_of_several_references_in_memory_the_best_counts() -> None:
    assert evaluate([WANT], [[SLEEP, WANT]]).f1 == 1.0


# Ids


def test_ids_are_found_wherever_they_are() -> None:
    network = networkx.MultiDiGraph(top="w", id="want")
    graph = exactmatch.read(WANT)
    for given in (WANT, graph, exactmatch.formats.to_penman(graph), network):
        assert id_of(given) == "want"
    assert id_of("(a / b)") is id_of(TRIPLES) is id_of(3) is None


def test_pairs_by_id_follow_the_references() -> None:
    report = evaluate([SLEEP, WANT], [exactmatch.read(WANT), SLEEP], by_id=True)
    assert [(pair.index, pair.id, pair.score.f1) for pair in report] == [
        (0, "want", 1.0),
        (1, "sleep", 1.0),
    ]


def test_mappings_are_paired_by_their_keys() -> None:
    preds: dict[Any, str] = {2: SLEEP, "one": WANT}
    report = evaluate(preds, {"one": WANT, "2": SLEEP})
    assert [pair.id for pair in report] == ["one", "2"]
    assert report.f1 == 1
    with pytest.raises(InputError, match="both sides as mappings"):
        evaluate({"one": WANT}, [WANT])


@pytest.mark.parametrize(
    ("preds", "golds", "said"),
    [
        ([WANT], [WANT, SLEEP], "reference 'sleep' has no prediction of that id"),
        ([WANT, SLEEP], [WANT], "prediction 'sleep' has no reference of that id"),
        ([WANT, WANT], [WANT], "prediction 1 repeats the id 'want'"),
        (["(a / b)", WANT], [WANT], "prediction 0 has no '# ::id'"),
    ],
)
def test_what_has_no_partner_is_an_error_or_left_out(
    preds: list[str], golds: list[str], said: str
) -> None:
    with pytest.raises(InputError) as found:
        evaluate(preds, golds, by_id=True)
    assert said in str(found.value)
    report = evaluate(preds, golds, by_id=True, on_error="skip")
    assert [pair.id for pair in report] == ["want"]
    assert said in report.omitted[0].reason


def test_different_numbers_are_told_with_the_way_out() -> None:
    said = "2 predictions but 0 references; one side holds no graph"
    for by_id in (False, True):
        for on_error in ("raise", "skip", "empty"):
            with pytest.raises(InputError, match=said):
                evaluate([SLEEP, WANT], [], by_id=by_id, on_error=on_error)
    said = "2 predictions but 1 reference; pair them with by_id=True"
    with pytest.raises(InputError, match=said):
        evaluate([WANT, SLEEP], [WANT])


def test_scores_are_numbers_where_numbers_are_meant() -> None:
    score = exactmatch.smatch("(b / bark-01)", "(x / bark-01 :ARG0 (d / dog))")
    assert float(score) == score.f1
    assert f"{score:.3f}" == "0.667"
    assert f"{score}" == repr(score)
    assert score > 0.5
    assert not score >= 1
    assert score < exactmatch.smatch("(a / b)", "(a / b)")
    assert 0.5 <= score <= 0.7
    assert tuple(score) == (score.precision, score.recall, score.f1)
    assert score.to_dict()["bound"] == 2
    with pytest.raises(TypeError):
        _ = score < "much"


def test_a_metric_without_f1_has_no_such_number() -> None:
    texts = ["(b / bark-01 :ARG0 (d / dog))"]
    report = evaluate(texts, texts, ["smatch", "sembleu"])
    assert report.f1 == report.pairs[0].f1 == report["smatch"].f1 == 1.0
    bleu = evaluate(texts, texts, "sembleu")
    for holder in (bleu, bleu.pairs[0], bleu["sembleu"]):
        assert not hasattr(holder, "f1")
        with pytest.raises(AttributeError, match=r"sembleu has no f1; .* is \.score"):
            _ = holder.f1
