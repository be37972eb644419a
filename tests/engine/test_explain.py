"""Alignments from Python, under every metric that aligns graphs."""

from typing import Any

import pytest
from support.command import Cli
from support.files import Files

import exactmatch

PRED = "(w / want-01 :ARG0 (g / girl :mod (y / young)) :polarity -)"
GOLD = "(w / wish-01 :ARG0 (b / boy) :ARG1 (s / sleep-01 :ARG0 b))"


@pytest.mark.parametrize("metric", ["smatch", "s2match", "mrp"])
def test_align_finds_what_the_command_line_finds(
    metric: str, files: Files, cli: Cli
) -> None:
    printed, *_ = cli.json_lines("align", *files.pair(PRED, GOLD), "--metric", metric)
    found = exactmatch.align(PRED, GOLD, metric=metric).as_dict()
    assert found["alignment"]
    assert {key: printed[key] for key in found} == found


def test_align_matches_as_many_triples_as_the_score_counts() -> None:
    for metric in ("smatch", "mrp"):
        found = exactmatch.align(PRED, GOLD, metric=metric)
        assert len(found.matched) == exactmatch.score(PRED, GOLD, metric=metric).matched


def test_a_profile_is_the_metrics_own_unless_one_is_given() -> None:
    given = "(w / want-01)", "(w / want-02)"
    assert not exactmatch.align(*given, metric="s2match").matched
    named = exactmatch.make_metric("smatch", profile="smatchpp")
    by_name = exactmatch.align(PRED, GOLD, profile="smatchpp")
    assert exactmatch.align(PRED, GOLD, metric=named) == by_name


@pytest.mark.parametrize(
    ("metric", "said"),
    [("sembleu", "does not align variables"), ("all", "is of one metric, not")],
)
def test_what_aligns_nothing_is_refused(metric: str, said: str) -> None:
    with pytest.raises(exactmatch.InputError, match=said):
        exactmatch.align(PRED, GOLD, metric=metric)
    with pytest.raises(exactmatch.InputError, match=said):
        exactmatch.draw(PRED, GOLD, metric=metric)


def test_options_reach_the_metric() -> None:
    with pytest.raises(exactmatch.InputError, match="has no option 'ngram'"):
        exactmatch.align(PRED, GOLD, options={"ngram": 2})


def test_a_repeated_triple_matches_as_often_as_both_sides_have_it() -> None:
    pred, gold = (f"(a / and {' '.join([':op -'] * n)})" for n in (3, 2))
    kept: dict[Any, int] = {"multiset": 1, "set": 0}
    for duplicates, extra in kept.items():
        made = exactmatch.make_metric("smatch", profile="clean", duplicates=duplicates)
        found = exactmatch.align(pred, gold, metric=made)
        assert sum(triple.role == "op" for triple in found.extra) == extra, duplicates
        assert not [triple for triple in found.missing if triple.role == "op"]


def test_a_notebook_marks_what_is_substituted_as_drawings_do() -> None:
    pred, gold = "(b / bark-01 :ARG1 (d / dog))", "(b / bark-01 :ARG0 (d / dog))"
    shown = exactmatch.align(pred, gold)._repr_html_()
    assert shown.count("≠ ARG") == exactmatch.draw(pred, gold).count("≠ ARG") == 2
    assert "− ARG" not in shown
    assert "+ ARG" not in shown


def test_a_score_in_a_notebook_has_its_drawing() -> None:
    pred, gold = "(b / bark-01 :ARG1 (d / dog))", "(b / bark-01 :ARG0 (d / dog))"
    shown = exactmatch.score(pred, gold, metric="smatch")._repr_html_()
    assert shown.count("≠ ARG") == 2
    without = exactmatch.score(pred, gold, metric="sembleu")._repr_html_()
    assert "<svg" not in without
    found = exactmatch.feedback(exactmatch.score(pred, gold, metric="smatch"))
    html = found._repr_html_()
    assert html.count("<li>") == len(found) > 0
    assert "&lt;svg" not in html
