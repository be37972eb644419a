"""Answers of models, whatever they are, against the score of their graphs."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import exactmatch
from exactmatch.adapters.answers import Answers
from exactmatch.adapters.lm_eval import functions
from exactmatch.adapters.smatchpp import Smatchpp
from exactmatch.adapters.verl import compute_score
from exactmatch.base.errors import InputError

GOLD = [["Alan Bean", "birth place", "Wheeler"], ["Alan Bean", "mission", "Apollo 12"]]
PRED = [["Alan Bean", "birth place", "Wheeler"], ["Bean", "flew on", "Apollo 12"]]
AMR = "(w / want-01 :ARG0 (b / boy))"


def test_answers_have_the_score_of_their_graphs() -> None:
    answers = Answers("graph", options={"node_similarity": "lcs"})
    wanted = exactmatch.score(PRED, GOLD, metric="graph", node_similarity="lcs")
    text = json.dumps(PRED)
    for answer in (
        PRED,
        text,
        f"Here you are:\n```json\n{text}\n```\nBye",
        [{"role": "assistant", "content": text}],
    ):
        judged = answers.judge(answer, GOLD)
        assert judged.score == wanted.f1
        assert judged.well_formed
    lines = judged.feedback.splitlines()
    assert lines[1:] == [str(edit) for edit in exactmatch.feedback(wanted)]


def test_answers_without_a_graph_have_the_lowest_score() -> None:
    answers = Answers("graph", worst=-1.0)
    for answer in ("I cannot.", "[[1, 2]]", "", '{"edges": 3}'):
        judged = answers.judge(answer, GOLD)
        assert (judged.score, judged.metric_score) == (-1.0, None)
        assert "no graph that can be read" in judged.feedback
        assert answers.score_of(judged.statistics).score == 0.0
    with pytest.raises(InputError):
        answers.judge(PRED, [["a", "b"]])
    with pytest.raises(InputError, match="broken is 2"):
        Answers("graph", broken=2)


def test_broken_graphs_are_repaired_and_worth_a_part() -> None:
    answers = Answers("smatch", broken=0.25, most=1)
    judged = answers.judge(AMR[:-1], AMR)
    assert (judged.score, judged.well_formed) == (0.25, False)
    assert judged.feedback.startswith("the answer is not a well-formed graph")
    other = answers.judge("(w / want-01 :ARG1 (g / girl))", AMR)
    assert "… and" in other.feedback
    assert Answers("smatch", extract=lambda text: text[3:]).judge("x: " + AMR, AMR)
    with pytest.raises(InputError, match="the reference is not a well-formed graph"):
        answers.judge(AMR, "(b / boy")
    thought = f"<think>(x / y)</think> So: {AMR}"
    assert answers.judge(thought, AMR).score == 1


def test_verl_takes_a_number_for_every_solution() -> None:
    wanted = exactmatch.score(PRED, GOLD, metric="graph", count="edges").f1
    found = compute_score(
        data_source="kg",
        solution_str=json.dumps(PRED),
        ground_truth=json.dumps(GOLD),
        extra_info={"index": 1},
        metric="graph",
        count="edges",
    )
    assert found == {"score": wanted, "f1": wanted, "well_formed": 1.0}
    assert compute_score("amr", "…", AMR)["score"] == 0.0


def test_the_aggregation_is_the_corpus_score() -> None:
    own: dict[str, Any] = {"count": "edges", "node_similarity": "lcs"}
    found = functions("graph", **own)
    items = [
        found.pair(references=[json.dumps(GOLD)], predictions=[json.dumps(PRED)]),
        found.pair([json.dumps(GOLD), json.dumps(GOLD[:1])]),
    ]
    metric = exactmatch.make_metric("graph", **own)
    report = exactmatch.evaluate([PRED, GOLD[:1]], [GOLD, GOLD], metric)
    assert found.f1(items) == pytest.approx(report["graph"].f1)
    assert found.f1([]) == 0.0


PAIRS = [
    (AMR, "(w / want-01 :ARG0 (g / girl) :polarity -)"),
    ("(c / car :mod (r / red))", "(c / car :mod (b / blue) :mod (r / red))"),
    ("(a / and :op1 (b / boy) :op2 b)", "(a / and :op1 (b / boy))"),
]


def test_smatchpp_has_the_results_of_our_profiles() -> None:
    measure = Smatchpp(alignmentsolver="bnb")
    for one, other in PAIRS:
        ours = exactmatch.smatch(one, other, profile="smatchpp-none")
        shown = measure.score_pair(one, other)["main"]
        wanted = {"F1": ours.f1, "Precision": ours.precision, "Recall": ours.recall}
        assert shown == {k: round(100 * v, 2) for k, v in wanted.items()}
    result, status = measure.score_corpus(*map(list, zip(*PAIRS, strict=True)))
    assert len(status) == len(PAIRS)
    assert result["main"]["F1"]["ci"] == (None, None)
    for text in ("F1", "Precision"):
        assert Smatchpp(graph_standardizer="smatchpp").score_pair(AMR, AMR)["main"][
            text
        ] == pytest.approx(100)
    with pytest.raises(InputError, match="graph_reader cannot be replaced"):
        Smatchpp(graph_reader=object())
    with pytest.raises(InputError, match="not one of smatchpp's standardisers"):
        Smatchpp(graph_standardizer=object())
    with pytest.raises(InputError, match="1 graphs but 0 references"):
        measure.score_corpus([AMR], [])


@pytest.mark.slow
def test_smatchpp_itself_says_the_same() -> None:
    theirs: Any = pytest.importorskip("smatchpp")
    solvers: Any = pytest.importorskip("smatchpp.solvers")
    printers: Any = pytest.importorskip("smatchpp.eval_statistics")
    sides = list(map(list, zip(*PAIRS, strict=True)))
    for kind in ("micro", "macro", None):
        printer = printers.ResultPrinter(kind, False, output_format="json")
        own = theirs.Smatchpp(alignmentsolver=solvers.ILP(), printer=printer)
        ours = Smatchpp(alignmentsolver=solvers.ILP(), printer=printer)
        assert own.score_corpus(*sides)[0] == ours.score_corpus(*sides)[0]
    own = theirs.Smatchpp(alignmentsolver=solvers.ILP())
    for one, other in PAIRS:
        match, status, _ = own.process_pair(one, other)
        found, ours_status, _ = Smatchpp().process_pair(one, other)
        np.testing.assert_array_equal(match["main"], found["main"])
        assert status[0] == ours_status[0]


def test_a_notebook_shows_the_reward_and_what_to_change() -> None:
    options: dict[str, Any] = {"count": "edges"}
    judged = Answers("graph", **options).judge('[["a", "<b>", "c"]]', GOLD)
    html = judged._repr_html_()
    assert f"reward {judged.score:.4f}" in html
    assert html.count("<li>") == len(judged.feedback.splitlines())
    assert "&lt;b&gt;" in html
