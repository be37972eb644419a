"""Scores in a loop: prepared once, fed from several threads, the same numbers."""

from __future__ import annotations

import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import exactmatch
from exactmatch import GraphError, InputError, Scorer, evaluate, load, make_metric
from exactmatch.errors import PairError
from exactmatch.many.scorer import PreparedGraphs

SAMPLE = Path(str(files("exactmatch") / "sample"))
GOLDS = load(SAMPLE / "gold.amr")
PREDS = load(SAMPLE / "pred.amr")
BROKEN = "(a / b / c)"
METRICS = ("smatch", "s2match", "sembleu", "rematch", "yisi")
"""The last one learns from references, which must be prepared first."""


def in_threads(number: int, scorer: Scorer, preds: Any, golds: Any) -> None:
    """Update from several threads, each with a part of the pairs."""
    ends = [len(preds) * k // number for k in range(number + 1)]
    start = threading.Barrier(number)

    def part(k: int) -> None:
        start.wait()
        scorer.update(preds[ends[k] : ends[k + 1]], golds[ends[k] : ends[k + 1]])

    with ThreadPoolExecutor(number) as pool:
        list(pool.map(part, range(number)))


# The same numbers


@pytest.mark.parametrize("metric", METRICS[:-1])
def test_a_loop_scores_what_evaluate_scores(metric: str) -> None:
    scorer = Scorer(metric)
    scorer.update(PREDS, GOLDS)
    assert scorer.compute().scores == evaluate(PREDS, GOLDS, metric).scores


@pytest.mark.slow
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("both", [True, False])
def test_prepared_graphs_score_what_texts_score(metric: str, both: bool) -> None:
    scorer = Scorer(metric)
    golds = scorer.prepare(GOLDS)
    scorer.update(scorer.prepare(PREDS) if both else PREDS, golds)
    expected = evaluate(PREDS, GOLDS, metric)
    assert scorer.compute().scores == expected.scores
    for pred, gold, pair in zip(PREDS, golds, expected, strict=True):
        assert scorer.score(pred, gold).score == pair.score.score


@pytest.mark.slow
@pytest.mark.parametrize("metric", METRICS)
def test_threads_score_what_one_thread_scores(metric: str) -> None:
    one, two = Scorer(metric), Scorer(metric)
    one.update(PREDS * 5, one.prepare(GOLDS * 5))
    golds, preds = two.prepare(GOLDS * 5), two.prepare(PREDS * 5)
    in_threads(4, two, preds, golds)
    ours, theirs = one.compute().scores[0], two.compute().scores[0]
    assert (
        (theirs.pairs, theirs.proven) == (ours.pairs, ours.proven) == (200, ours.proven)
    )
    assert theirs.score.score == pytest.approx(ours.score.score, abs=1e-12)
    if metric == "smatch":
        assert theirs.score == ours.score


def test_threads_add_single_pairs_too() -> None:
    scorer = Scorer(on_error="skip", keep_pairs=True)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(scorer.add, [*PREDS, BROKEN], [*GOLDS, GOLDS[0]]))
    report = scorer.compute()
    assert report.scores[0].score == evaluate(PREDS, GOLDS).scores[0].score
    assert [pair.index for pair in report] == sorted(pair.index for pair in report)
    assert len(report.omitted) == 1


def test_threads_may_prepare_while_others_score() -> None:
    scorer = Scorer()
    golds = scorer.prepare(GOLDS)
    with ThreadPoolExecutor(4) as pool:
        sides = list(pool.map(lambda _: scorer.prepare(PREDS), range(4)))
        list(pool.map(lambda side: scorer.update(side, golds), sides))
    once = evaluate(PREDS, GOLDS).scores[0].score
    assert scorer.compute().scores[0].score.matched == 4 * (once.matched or 0)


@pytest.mark.parametrize("options", [{}, {"time_limit": 60.0}, {"solver": "highs"}])
def test_threads_score_single_pairs_side_by_side(options: Any) -> None:
    """Each counts in memory of its own; with another solver or a limit that solves."""
    scorer = Scorer(**options)
    golds = scorer.prepare(GOLDS)
    pairs = [*zip(PREDS, golds, strict=True)][:8]
    found_before = evaluate(PREDS[:8], GOLDS[:8], **options).pairs
    expected = [pair.score for pair in found_before]

    def score(_: int) -> list[Any]:
        return [scorer.score(*pair) for pair in pairs]

    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(score, range(8)):
            assert found == expected
    copied = pickle.loads(pickle.dumps(scorer))
    assert copied.score(PREDS[0], golds[0]) == expected[0]


def test_graphs_prepared_first_match_keys_of_later_ones() -> None:
    scorer = Scorer()
    preds = scorer.prepare(["(z / zebra :ARG7 (y / yak))"])
    golds = scorer.prepare(["(a / zebra :ARG7 (b / yak))"])
    scorer.update(preds, golds)
    assert scorer.compute().f1 == 1


@pytest.mark.parametrize("profile", ["smatch", "clean", "smatchpp"])
def test_the_kernel_counts_under_every_profile(profile: str) -> None:
    scorer = Scorer(profile=profile)
    scorer.update(scorer.prepare(PREDS), scorer.prepare(GOLDS))
    assert scorer.compute().scores == evaluate(PREDS, GOLDS, profile=profile).scores


def test_what_reading_lost_is_counted_in_the_kernel_too() -> None:
    text = '(c / city :name (n / name :op1 "New York") :wiki "New York")'
    scorer = Scorer()
    preds, golds = scorer.prepare([text] * 2), scorer.prepare([text] * 2)
    assert preds[0].dropped
    scorer.update(preds, golds)
    assert scorer.compute().scores == evaluate([text] * 2, [text] * 2).scores


def test_empty_graphs_and_no_graphs() -> None:
    scorer = Scorer(profile="clean", on_error="empty")
    assert scorer.compute().scores[0].pairs == 0
    scorer.update([], [])
    scorer.update(scorer.prepare([]), scorer.prepare([]))
    assert scorer.compute().scores[0].pairs == 0
    empty = exactmatch.Graph((), (), (), (), ())
    scorer.update(scorer.prepare([empty]), scorer.prepare(GOLDS[:1]))
    report = scorer.compute()
    assert (report.score, report.scores[0].pairs) == (0, 1)


def test_intervals_are_those_of_evaluate() -> None:
    scorer = Scorer(confidence=0.9, samples=100)
    scorer.update(scorer.prepare(PREDS), scorer.prepare(GOLDS))
    expected = evaluate(PREDS, GOLDS, confidence=0.9, samples=100)
    assert scorer.compute().scores == expected.scores


def test_a_time_limit_is_kept_to_the_solver() -> None:
    scorer = Scorer(time_limit=5)
    scorer.update(scorer.prepare(PREDS), scorer.prepare(GOLDS))
    assert "|limit:5s|" in scorer.compute().scores[0].signature
    assert scorer.compute().is_proven


# Protocol


def test_score_is_not_added_and_reset_forgets() -> None:
    scorer = Scorer()
    golds = scorer.prepare(GOLDS)
    assert scorer.score(GOLDS[0], golds[0]).score == 1
    assert scorer.compute().scores[0].pairs == 0
    scorer.update(PREDS, golds)
    assert repr(scorer) == "<Scorer of smatch: 40 pairs so far>"
    scorer.reset()
    assert scorer.compute().scores[0].pairs == 0
    scorer.update(PREDS[:1], golds[:1])
    assert scorer.compute().scores[0].pairs == 1


def test_parts_of_what_is_prepared_are_prepared() -> None:
    golds = Scorer().prepare(GOLDS)
    assert repr(golds) == "<40 prepared graphs>"
    assert isinstance(golds[3:7], PreparedGraphs)
    assert len(golds[3:7]) == 4
    assert golds[3:7].packed is not None
    assert golds[7:3].packed is not None
    assert len(golds[7:3]) == 0
    assert golds[::2].packed is None
    assert golds[3].id == GOLDS[3].id


def test_every_other_one_scores_too() -> None:
    scorer = Scorer()
    scorer.update(scorer.prepare(PREDS)[::2], scorer.prepare(GOLDS)[::2])
    assert scorer.compute().scores == evaluate(PREDS[::2], GOLDS[::2]).scores


def test_everything_pickles() -> None:
    scorer = Scorer(keep_pairs=True)
    golds = scorer.prepare(GOLDS)
    scorer.update(PREDS, golds)
    again, same = pickle.loads(pickle.dumps((scorer, golds)))
    assert again.compute().scores == scorer.compute().scores
    again.update(again.prepare(PREDS), same)
    assert again.compute().scores[0].pairs == 80


def test_several_references_are_a_list() -> None:
    scorer = Scorer("bleu")
    golds = scorer.prepare(["a cat sat on the mat", "the cat sat on a mat"])
    scorer.add("the cat sat on the mat", [golds[0], golds[1]])
    assert scorer.compute().score > 0.5
    best = Scorer()
    best.add(GOLDS[0], [GOLDS[1], GOLDS[0]])
    assert best.compute().score == 1


def test_a_metric_learns_from_what_it_prepares_first() -> None:
    hypotheses, references = ["a cat sat"], ["the cat sat down", "a dog"]
    scorer = Scorer("yisi-text")
    golds = scorer.prepare(references)
    metric = make_metric("yisi-text")
    metric.fit(map(metric.prepare, references))
    expected = metric.scores(metric.measure(hypotheses[0], references[0]).statistics)
    assert scorer.score(hypotheses[0], golds[0]) == expected


# Several scorers


def cross(graphs: Any, way: str) -> Any:
    """Send prepared graphs to another scorer, as they are or by way of a process."""
    return graphs if way == "shared" else pickle.loads(pickle.dumps(graphs))


@pytest.mark.parametrize("metric", METRICS[:-1])
@pytest.mark.parametrize("way", ["shared", "pickled"])
def test_graphs_that_another_scorer_prepared_score_as_texts_do(
    metric: str, way: str
) -> None:
    """Each scorer has numbered other concepts and roles first."""
    one, other, third = Scorer(metric), Scorer(metric), Scorer(metric)
    third.prepare(["(z / zebra :ARG7 (y / yak :mod (a / agile)))"])
    golds = cross(one.prepare(GOLDS), way)
    preds = cross(other.prepare(PREDS[::-1])[:], way)
    expected = evaluate(PREDS[::-1], GOLDS, metric).scores
    for scorer in (one, other, third):
        scorer.update(preds, golds)
        assert scorer.compute().scores == expected
        scorer.reset()
        scorer.update(preds, [*golds])
        assert scorer.compute().scores == expected
    third.reset()
    third.update(third.prepare(["(z / zebra)"]), one.prepare(["(x / zebra)"]))
    assert third.compute().score == 1


def test_workers_may_prepare_each_its_part() -> None:
    """Another process starts with what the first knew and learns more by itself."""
    scorer = Scorer()
    golds = scorer.prepare(GOLDS)
    worker = pickle.loads(pickle.dumps(scorer))
    preds, more = worker.prepare(PREDS), scorer.prepare(["(y / yak :ARG9 (z / zoo))"])
    for one in (scorer, worker):
        one.update(preds, golds)
        one.update(more, worker.prepare(["(a / yak :ARG9 (b / zoo))"]))
        assert one.compute().scores[0].pairs == 41
        assert one.score(more[0], "(a / yak :ARG9 (b / zoo))").score == 1
    assert scorer.compute().scores == worker.compute().scores


OTHERS = [
    *("s2match", "sembleu", "rematch", "graph", "wlk", "mrp"),
    {"profile": "clean"},
    {"sense": False},
    {"metric": "s2match", "profile": "smatch"},
]


@pytest.mark.parametrize("asked", OTHERS, ids=str)
@pytest.mark.parametrize("way", ["shared", "pickled"])
def test_graphs_prepared_for_something_else_are_refused(asked: Any, way: str) -> None:
    one, other = (
        Scorer(),
        Scorer(**(asked if isinstance(asked, dict) else {"metric": asked})),
    )
    texts = PREDS[:3]
    ours, theirs = one.prepare(texts), cross(other.prepare(texts), way)
    for call in (
        lambda: one.update(ours, theirs),
        lambda: one.update(theirs, ours),
        lambda: one.update(theirs, theirs),
        lambda: one.update(texts, theirs),
        lambda: one.update([*theirs], texts),
        lambda: one.add(texts[0], theirs[0]),
        lambda: one.add(texts[0], [ours[0], theirs[0]]),
        lambda: one.score(theirs[0], texts[0]),
    ):
        with pytest.raises(InputError, match="a graph was prepared for "):
            call()
    assert one.compute().scores[0].pairs == 0


def test_graphs_prepared_for_another_solver_score() -> None:
    """Who solves does not change what is prepared."""
    one, other = Scorer(), Scorer(solver="highs", time_limit=60.0)
    one.update(one.prepare(PREDS[:4]), other.prepare(GOLDS[:4]))
    assert one.compute().scores == evaluate(PREDS[:4], GOLDS[:4]).scores


def test_a_scorer_that_learned_other_references_refuses() -> None:
    one, other, same = Scorer("yisi-text"), Scorer("yisi-text"), Scorer("yisi-text")
    golds = one.prepare(["the cat sat down", "a dog"])
    with pytest.raises(InputError, match="fitted to references"):
        other.score("a cat sat", golds[0])  # has learned nothing
    other.prepare(["a bird"])
    with pytest.raises(InputError, match="fitted to references"):
        other.update(["a cat sat"] * 2, golds)
    same.prepare(["the cat sat down", "a dog"])
    expected = one.score("a cat sat", golds[0])
    assert same.score("a cat sat", golds[0]) == expected
    assert pickle.loads(pickle.dumps(one)).score("a cat sat", golds[0]) == expected


# Trouble


def test_an_unreadable_graph_carries_its_number() -> None:
    scorer = Scorer()
    scorer.update(PREDS[:2], GOLDS[:2])
    with pytest.raises(PairError, match="pair 3, prediction: line 1:8: ") as it:
        scorer.update([BROKEN], GOLDS[:1])
    assert (it.value.index, it.value.side) == (2, "prediction")
    assert isinstance(it.value, GraphError)
    with pytest.raises(PairError, match="pair 2, prepared graph"):
        scorer.prepare([GOLDS[0], BROKEN])
    with pytest.raises(GraphError):
        scorer.score(BROKEN, GOLDS[0])


@pytest.mark.parametrize("on_error", ["skip", "empty"])
def test_trouble_is_counted_as_evaluate_counts_it(on_error: Any) -> None:
    preds: list[Any]
    golds: list[Any]
    preds, golds = [*PREDS[:3], BROKEN, None], [*GOLDS[:2], BROKEN, *GOLDS[3:5]]
    scorer = Scorer(on_error=on_error)
    scorer.update(preds, scorer.prepare(golds))
    ours, theirs = scorer.compute(), evaluate(preds, golds, on_error=on_error)
    assert ours.scores == theirs.scores
    assert ours.predictions == theirs.predictions
    assert (
        [o.index for o in ours.omitted]
        == [o.index for o in theirs.omitted]
        == [2, 3, 4]
    )


def test_numbers_that_differ_are_refused() -> None:
    with pytest.raises(InputError, match="1 prediction but 2 references"):
        Scorer().update(GOLDS[:1], GOLDS[:2])


@pytest.mark.parametrize("metric", ["all", "smach"])
def test_a_scorer_is_of_one_known_metric(metric: str) -> None:
    with pytest.raises(InputError):
        Scorer(metric)


def test_what_only_leniency_reads_is_remarked_upon_once_for_each_text() -> None:
    """The report holds it; where there is none, the caller is warned."""
    scorer, open_graph = Scorer(), "(a / b :c (d / e)"
    golds = scorer.prepare([open_graph])
    scorer.update([open_graph], golds)
    scorer.add(golds[0], golds[0])
    assert scorer.compute().warnings["lenient"].count == 2
    assert scorer.compute().predictions.faulty == 2
    with pytest.warns(exactmatch.errors.ExactmatchWarning, match="lacks a closing"):
        assert scorer.score(open_graph, golds[0]).f1 == 1
