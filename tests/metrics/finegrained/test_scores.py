"""Fine-grained scores and aspects on graphs small enough to count by hand."""

import itertools
import pickle
from typing import Any

import pytest

from exactmatch.base.errors import InputError
from exactmatch.formats.readings import as_graph
from exactmatch.metrics.base import add
from exactmatch.metrics.finegrained.aspects import ASPECTS, aspects
from exactmatch.metrics.finegrained.scores import SCORES, STYLES, finegrained
from exactmatch.metrics.score import Score

WANT = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"
NO_REENTRANCY = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02))"


def counts(metric: Any, pred: Any, gold: Any) -> tuple[Any, Any, Any]:
    graphs = [as_graph(text, metric.profile) for text in (pred, gold)]
    score = metric.scores(metric.measure(*graphs).statistics)
    return score.matched, score.pred_total, score.gold_total


def scored(pred: Any, gold: Any, style: Any = "exact") -> dict[Any, Any]:
    return {m.name: counts(m, pred, gold) for m in finegrained(style)}


def aspect(name: Any, reading: Any, pred: Any, gold: Any) -> Score:
    metric: Any
    (metric,) = (m for m in aspects(reading) if m.name == name)
    graphs = [as_graph(text, metric.profile) for text in (pred, gold)]
    return metric.scores(metric.measure(*graphs).statistics)


@pytest.mark.parametrize("style", STYLES)
def test_a_graph_matches_itself(style: Any) -> None:
    text = (
        "(s / say-01 :polarity - :ARG0 (p / person :wiki - "
        ':name (n / name :op1 "Zoë")) :ARG1 (g / go-02 :ARG0 p))'
    )
    for name, (matched, pred, gold) in scored(text, text, style).items():
        assert 0 < matched == pred == gold, name


@pytest.mark.parametrize("style", STYLES)
def test_empty_against_empty_adds_nothing(style: Any) -> None:
    found = scored("(b / boy)", "(b / boy)", style)
    for name in ("named-entities", "negation", "wikification", "reentrancies", "srl"):
        assert found[name] == (0, 0, 0)


def test_unlabeled_keeps_directions_but_damontes_does_not() -> None:
    there, back = "(a / x :ARG0-of (b / y))", "(a / x :ARG1 (b / y))"
    assert scored(there, back)["unlabeled"] == (3, 4, 4)
    assert scored(there, back, "amrlib")["unlabeled"] == (3, 4, 4)
    assert scored(there, back, "damonte")["unlabeled"] == (4, 4, 4)


def test_the_published_unlabeled_looks_into_quotes() -> None:
    """``"10:30"`` and ``"10:45"`` both become ``"10:label"``."""
    early, late = '(a / x :time "10:30")', '(a / x :time "10:45")'
    assert scored(early, late)["unlabeled"] == (2, 3, 3)
    assert scored(early, late, "amrlib")["unlabeled"] == (3, 3, 3)
    assert scored(early, late, "damonte")["unlabeled"] == (3, 3, 3)


def test_no_wsd_ignores_senses() -> None:
    found = scored("(g / go-01)", "(g / go-02)")
    assert found["smatch"] == (1, 2, 2)
    assert found["no-wsd"] == (2, 2, 2)
    assert found["frames"] == (0, 1, 1)
    assert found["non-sense-frames"] == (1, 1, 1)


def test_amrlib_counts_sets_and_the_others_multisets() -> None:
    pred = "(a / and :op1 (b / man) :op2 (c / man) :op3 (d / woman))"
    gold = "(a / and :op1 (b / man) :op2 (c / woman) :op3 (d / woman))"
    assert scored(pred, gold)["concepts"] == (3, 4, 4)
    assert scored(pred, gold, "damonte")["concepts"] == (3, 4, 4)
    assert scored(pred, gold, "amrlib")["concepts"] == (3, 3, 3)


def test_a_named_entity_is_its_name_too() -> None:
    """The published tools compare the types alone."""
    pred, gold = (
        f'(p / person :name (n / name :op1 "{name}"))' for name in ("Ann", "Bob")
    )
    assert scored(pred, gold)["named-entities"] == (0, 1, 1)
    assert scored(pred, gold, "amrlib")["named-entities"] == (1, 1, 1)
    assert scored(pred, pred)["named-entities"] == (1, 1, 1)


def test_negation_is_told_by_the_negated_concept() -> None:
    found = scored("(g / go-02 :polarity -)", "(s / see-01 :polarity -)")
    assert found["negation"] == (0, 1, 1)
    found = scored("(g / go-02 :polarity (a / amr-unknown))", "(g / go-02 :polarity -)")
    assert found["negation"] == (0, 0, 1)


def test_ignore_vars_compares_triples_of_concepts() -> None:
    found = scored(WANT, NO_REENTRANCY)
    assert found["ignore-vars"] == (2, 3, 2)
    assert scored(WANT, NO_REENTRANCY, "amrlib")["ignore-vars"] == (3, 4, 3)


def test_reentrancies_are_all_relations_into_a_shared_variable() -> None:
    """Two relations and three concepts; the published tools add their own."""
    assert scored(WANT, NO_REENTRANCY)["reentrancies"] == (0, 5, 0)
    assert scored(WANT, WANT)["reentrancies"] == (5, 5, 5)
    assert scored(WANT, WANT, "damonte")["reentrancies"] == (6, 6, 6)
    assert scored(WANT, WANT, "amrlib")["reentrancies"] == (7, 7, 7)


def test_a_root_named_like_its_concept_is_its_own_parent() -> None:
    """``(i / i)``: the published tools take the root's mark for a relation."""
    text = "(i / i :ARG0-of (g / go-02))"
    assert scored(text, text)["reentrancies"] == (0, 0, 0)
    assert scored(text, text, "amrlib")["reentrancies"][1] > 0


def test_srl_has_core_roles_only() -> None:
    text = "(g / go-02 :ARG0 (b / boy) :time (n / now))"
    assert scored(text, text)["srl"] == (3, 3, 3)


def test_an_inverted_role_that_the_early_reader_left_alone_is_turned() -> None:
    """It inverts ``:ARG0-of g`` before another role only in SRL."""
    text = "(a / and :op1 (g / go-02) :op2 (b / boy :ARG0-of g :mod (t / tall)))"
    plain = "(a / and :op1 (g / go-02 :ARG0 b) :op2 (b / boy :mod (t / tall)))"
    for style in ("amrlib", "damonte"):
        matched, pred, gold = scored(text, plain, style)["srl"]
        assert pred == gold
        assert matched >= gold - 1


@pytest.mark.parametrize("style", STYLES)
def test_statistics_can_be_summed(style: Any) -> None:
    metric: Any
    for metric in finegrained(style):
        total = metric.identity()
        for pred, gold in ((WANT, NO_REENTRANCY), (WANT, WANT)):
            graphs = [as_graph(text, metric.profile) for text in (pred, gold)]
            total = add(total, metric.measure(*graphs).statistics)
        one, two = (counts(metric, WANT, gold) for gold in (NO_REENTRANCY, WANT))
        score = metric.scores(total)
        summed = (score.matched, score.pred_total, score.gold_total)
        assert summed == tuple(a + b for a, b in zip(one, two, strict=True))


def test_every_style_shows_its_scores_in_the_same_order() -> None:
    for style in STYLES:
        names = [metric.name for metric in finegrained(style)]
        assert names == [name for name in SCORES if name in names]
    assert [metric.name for metric in finegrained()] == list(SCORES)


def test_an_unknown_style_is_refused() -> None:
    with pytest.raises(InputError, match=r"unknown style 'exakt' \(known: exact,"):
        finegrained("exakt")  # type: ignore[arg-type]  # what it refuses
    with pytest.raises(InputError, match="'realign' or 'main', not 'both'"):
        aspects("both")  # type: ignore[arg-type]  # what it refuses


def test_scores_can_be_sent_to_another_process() -> None:
    metrics = (*finegrained("exact", "highs"), *aspects("main", "highs"))
    copies = pickle.loads(pickle.dumps(metrics))
    for metric, again in zip(metrics, copies, strict=True):
        assert (again.name, again.signature()) == (metric.name, metric.signature())
        assert counts(again, WANT, WANT) == counts(metric, WANT, WANT)


def test_the_roles_of_aspects_are_roles_of_amr() -> None:
    from penman.models import amr

    for found in ASPECTS.values():
        for role in found.roles:
            assert amr.model.has_role(f":{role}"), (found.name, role)


def test_aspects_are_counted_with_their_concepts() -> None:
    pred = "(g / go-02 :ARG0 (b / boy) :time (d / date-entity :year 2012))"
    gold = "(g / go-02 :ARG0 (b / girl) :time (d / date-entity :year 2013))"
    agent = aspect("agent", "realign", pred, gold)
    assert (agent.matched, agent.pred_total, agent.gold_total) == (2, 3, 3)
    time = aspect("time", "realign", pred, gold)
    assert (time.matched, time.pred_total) == (3, 4)
    assert aspect(
        "place" if "place" in ASPECTS else "location", "main", pred, gold
    ) == (aspect("location", "main", pred, gold))


def test_reified_roles_count_as_the_roles() -> None:
    pred = "(m / man :location (c / city))"
    gold = "(m / man :ARG1-of (l / be-located-at-91 :ARG2 (c / city)))"
    for reading in ("realign", "main"):
        found = aspect("location", reading, pred, gold)
        assert (found.matched, found.pred_total, found.gold_total) == (3, 3, 3)


def test_questions_and_focus() -> None:
    pred = "(g / go-02 :ARG0 (a / amr-unknown))"
    gold = "(s / see-01 :ARG0 (a / amr-unknown))"
    question = aspect("question", "realign", pred, gold)
    assert (question.matched, question.pred_total) == (2, 3)
    focus = aspect("focus", "realign", pred, gold)
    assert (focus.matched, focus.pred_total) == (1, 2)
    lone = aspect("question", "realign", "(a / amr-unknown)", "(a / amr-unknown)")
    assert (lone.matched, lone.pred_total) == (1, 1)


def test_what_is_read_off_never_exceeds_what_can_be_realigned() -> None:
    texts = (
        WANT,
        NO_REENTRANCY,
        "(g / go-02 :polarity - :ARG0 (b / boy :mod (t / tall)) :time (n / now))",
        '(c / city :name (n / name :op1 "Oslo") :location-of (g / go-02))',
    )
    realigned = {metric.name: metric for metric in aspects("realign")}
    metric: Any
    for pred, gold in itertools.permutations(texts, 2):
        for metric in aspects("main"):
            graphs = [as_graph(text, metric.profile) for text in (pred, gold)]
            read = metric.scores(metric.measure(*graphs).statistics)
            best = realigned[metric.name].scores(
                realigned[metric.name].measure(*graphs).statistics
            )
            assert read.matched <= read.bound <= best.matched, metric.name
            assert (read.pred_total, read.gold_total) == (
                best.pred_total,
                best.gold_total,
            )


def test_an_aspect_that_optimal_alignments_disagree_about_is_a_range() -> None:
    """One of two boys is matched: either the negated agent or the place's."""
    pred = "(a / and :op1 (b / boy :polarity -) :op2 (c / boy :location (h / here)))"
    gold = "(x / boy)"
    for name in ("polarity", "location"):
        found = aspect(name, "main", pred, gold)
        assert (found.matched, found.bound) == (0, 0)
    pred = "(a / and :op1 (b / boy :polarity -) :op2 (c / boy :wiki -))"
    gold = "(x / boy :polarity - :wiki -)"
    for name in ("polarity", "wiki"):
        found = aspect(name, "main", pred, gold)
        assert (found.matched, found.bound, found.proven) == (0, 2, False)
        assert aspect(name, "realign", pred, gold).matched == 2
    assert aspect("all-concepts", "main", pred, gold).proven
