"""Broken texts: what is wrong with them by kind, and what can be saved."""

from __future__ import annotations

import random
from importlib.resources import files

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.command import Cli
from support.files import Files

import exactmatch
from exactmatch import evaluate
from exactmatch.formats.blocks import blocks_of_text
from exactmatch.formats.faults import KINDS, faults_of, repaired

FINE = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b) :polarity -)"


@pytest.mark.parametrize(
    ("text", "faults", "saved"),
    [
        (FINE, "", FINE),
        ('(a / b :op1 "x ( y" :op2 2)', "", None),
        ("# ::id 1\n(a/b)", "", None),
        ('(a /"b" :x (c/"d"))', "", None),
        ("", "empty", ""),
        ("# ::id 1", "empty", ""),
        ("There is no graph.", "no graph", ""),
        ("(a / b", "unclosed bracket", "(a / b)"),
        ("(a / b :x (c / d)", "unclosed bracket", "(a / b :x (c / d))"),
        ("(a / b))", "bracket too many", "(a / b)"),
        ("(a / b) (c / d :x (e", "several graphs", "(a / b)"),
        ("```\n(a / b)\n```", "markdown fence", "(a / b)"),
        ("Sure:\n```\n(a / b)\n```", "markdown fence|text around the graph", "(a / b)"),
        ('(a / b :x "c', "unclosed quote|unclosed bracket", '(a / b :x "c")'),
        ("(a / b :x (a / c))", "duplicate variable", "(a / b :x (a_1 / c))"),
        ("(a / b :x (c))", "no concept", "(a / b :x (c / _))"),
        ("(a / b :x (c :y d))", "no concept", "(a / b :x (c / _ :y d))"),
        ("( / b)", "no variable", "(v0 / b)"),
        ("(a / b (c / d))", "no role", "(a / b :_ (c / d))"),
        ("(a / b c)", "no role", "(a / b)"),
        ("(a:/b)", "no role", "(a / b)"),
        ("(a: / b:)", "no role", "(a / b)"),
        ("(a / b :x)", "role without value", "(a / b)"),
        ("(a / b :x :y c)", "role without value", "(a / b :y c)"),
        ("()", "no variable|no concept", ""),
        ("(((", "no variable|no concept|no role|unclosed bracket", ""),
    ],
)
def test_each_kind_is_told_and_repaired(text: str, faults: str, saved: str) -> None:
    assert set(faults_of(text)) == set(filter(None, faults.split("|")))
    if saved == "":
        assert repaired(text) is None
    elif saved is not None:
        ours = repaired(text)
        assert ours is not None
        assert exactmatch.read(ours) == exactmatch.read(saved)


def test_well_formed_graphs_have_no_fault() -> None:
    for name in ("gold.amr", "pred.amr"):
        text = files("exactmatch.sample").joinpath(name).read_text("utf-8")
        for block in blocks_of_text(text):
            assert faults_of("\n".join(block.lines)) == ()


@example("(\\:/\\")
@example('(a / b :x "c\\')
@example('(a / b :x "c\\\\')
@given(st.text(alphabet='(ab/ :x"\\)\n#', max_size=60))
def test_what_is_repaired_has_no_fault_and_can_be_read(text: str) -> None:
    assert set(faults_of(text)) <= set(KINDS)
    saved = repaired(text)
    if saved is not None:
        assert faults_of(saved) == ()


@given(st.integers(0, len(FINE) - 1), st.randoms())
def test_a_graph_that_lost_a_character_is_saved_if_it_is_broken(
    place: int, chance: random.Random
) -> None:
    broken = FINE[:place] + FINE[place + 1 + chance.randrange(2) :]
    saved = repaired(broken)
    assert saved is not None
    assert faults_of(saved) == ()
    assert exactmatch.smatch(saved, FINE).f1 > 0


# Beside every score


def test_broken_predictions_are_counted_beside_the_score() -> None:
    preds = [FINE, "(a / b", "(a / b / c)", None, "no graph", "(a / b) (c / d)"]
    report = evaluate(preds, [FINE] * 6, ["smatch", "sembleu"], on_error="empty")
    found = report.predictions
    assert (found.count, found.faulty) == (6, 5)
    assert found.well_formed == pytest.approx(1 / 6)
    assert found.faults == {
        "unclosed bracket": 1,
        "no role": 1,
        "missing": 1,
        "no graph": 1,
        "several graphs": 1,
    }
    assert report[1].faults == ("unclosed bracket",)
    assert "5 predictions not well-formed" in repr(report)
    assert "16.7 % of 6 predictions are well-formed" in report.to_html()
    assert report.to_dict()["predictions"]["faults"] == found.faults
    assert report.to_dict()["pairs"][2]["faults"] == ["unclosed bracket"]
    skipped = evaluate(preds, [FINE] * 6, on_error="skip")
    assert skipped.predictions == found


def test_predictions_alone_are_looked_at() -> None:
    report = evaluate([FINE, FINE], [FINE, "(a / b"], on_error="skip")
    assert report.predictions.faulty == 0
    assert report.predictions.well_formed == 1
    assert evaluate(["no graph"], ["no graph"], "bleu").predictions.faulty == 0


@pytest.mark.slow
def test_the_same_text_counts_each_time() -> None:
    lenient = "(a / b :c (d / e)"
    report = evaluate([lenient] * 3, [FINE] * 3, on_error="empty", jobs=1)
    both = evaluate([lenient] * 3, [FINE] * 3, on_error="empty", jobs=2)
    assert report.predictions == both.predictions
    assert report.predictions.faults == {"unclosed bracket": 3}


def test_frames_name_the_faults() -> None:
    pytest.importorskip("narwhals")
    pytest.importorskip("polars")
    report = evaluate([FINE, "(a / b"], [FINE, FINE], on_error="empty")
    assert report.to_frame("polars")["faults"].to_list() == ["", "unclosed bracket"]


def test_alignment_tags_are_no_fault_and_the_way_out_is_named(
    files: Files, cli: Cli
) -> None:
    tagged = "(w / want-01~e.1 :ARG0~e.0 (b / boy~e.0) :ARG1 b~e.2)"
    path = files.one("a.amr", tagged)
    ran = cli(path, path, "--extract", "repair")
    assert "well-formed" not in ran.out
    assert "--strip-alignments removes them" in ran.err
    broken = files.one("b.amr", f"{tagged[:-1]}")
    assert "0.0 % of 1 prediction" in cli(broken, path, "--extract", "repair").out


PARTS = (
    *("(", "(a", "(b", " / ", "x", "x/", "/x", "y/z", ")", ":r", ":r/s", ":r:s", " "),
    *("10:30", "24/7", "http://a.b/c", '"', "a:x", "~e.1", "\n", "é", "#c", "a:", "1"),
)


def test_words_that_readers_would_part_are_quoted() -> None:
    assert faults_of("(a / x/)") == ("word without quotes",)
    assert repaired("(a / x/ :q 24/7)") == '( a / x :q "24/7" )'
    assert repaired("(a / b :r/s 10:30)") == '( a / b :r_s "10:30" )'


@pytest.mark.filterwarnings("ignore")
def test_what_is_repaired_is_read() -> None:
    """Of random texts without backslashes, whatever a repair leaves, smatch reads."""
    rng, done = random.Random(5), 0
    for _ in range(1000):
        parts = rng.choices(PARTS, k=rng.randrange(1, 9))
        text = "(a / " + "".join(part + rng.choice(("", " ")) for part in parts) + ")"
        mended = repaired(text) if faults_of(text) else text
        if mended is not None:
            exactmatch.read(mended, "smatch")
            done += 1
    assert done > 400
