"""Judgement of systems, read from tables and counted by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from support.examples import examples
from support.files import Files

from exactmatch.base.errors import InputError
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.paired_tests import paired_test
from exactmatch.scoring.resampling import Sampling
from exactmatch.scoring.results import PairResult
from exactmatch.scoring.rows import rows_of
from exactmatch.studies.compare.ranking import human_accuracies
from exactmatch.studies.correlate.assessments import Assessments, assessments_of
from exactmatch.studies.correlate.systems import rank_agreement, system_agreement
from exactmatch.studies.options import Scale

NAN = math.nan
SYSTEMS = ("a", "b", "c")
SEGMENTS = ("s.1", "s.2", None, "s.4")
Write = Callable[..., str]


@pytest.fixture
def write(files: Files) -> Write:
    return lambda *lines, name="human.tsv": files.lines(name, lines)


def read(*paths: str, **options: Any) -> Assessments:
    human = [Path(path) for path in paths]
    return assessments_of(human, Scale(**options), SYSTEMS, SEGMENTS)


ASSESSED = (
    "judge,system,segment,score,remark",
    "J,a,s.1,90,good",
    "K,a,s.1,70,",
    "J,b,s.1,40,",
    "J,c,s.1,55,",
    "J,a,s.4,10,",
    "K,b,s.4,36,",
)


def test_scores_of_outputs_are_means_of_judges_and_then_of_segments(
    write: Write,
) -> None:
    """a: (90 + 70) / 2 and 10; b: 40 and 36; c: 55."""
    found = read(write(*ASSESSED))
    assert found.scores().tolist() == [[45.0, 38.0, 55.0]]
    assert found.answers.shape == (2, 5)
    assert found.outputs is not None
    assert found.outputs[3].tolist()[:2] == [10.0, 36.0]


def test_outputs_a_quarter_of_the_scale_apart_are_pairs(write: Write) -> None:
    """80 against 40 and 55, 36 against 10; 55 against 40 is within 25 points."""
    found = read(write(*ASSESSED))
    assert found.margin == 25
    assert found.better == ((0, 0, 1), (0, 0, 2), (3, 1, 0))
    assert found.undecided == 1
    wider = read(write(*ASSESSED), human_range=(0, 60))
    assert wider.margin == 15
    assert wider.undecided == 0  # 55 against 40 is enough


def test_a_scale_of_0_to_1_is_seen(write: Write) -> None:
    """0.85 - 0.6 is a quarter but for its last bit."""
    lines = ("system\tsegment\tscore", "a\t0\t0.85", "b\t0\t0.6", "c\t0\t0.2")
    found = read(write(*lines))
    assert found.margin == 0.25
    assert found.better == ((0, 0, 1), (0, 0, 2), (0, 1, 2))
    human = [Path(write(*lines, name="own.tsv"))]
    own = assessments_of(human, Scale(), SYSTEMS, SEGMENTS, margin=0.5)
    assert (own.margin, own.better) == (0.5, ((0, 0, 2),))


def test_ids_and_ratings_may_have_other_names(write: Write) -> None:
    usual = read(write(*ASSESSED))
    heading = ASSESSED[0].replace("segment", "id").replace("score", "rating")
    other = read(write(heading, *ASSESSED[1:], name="other.csv"))
    assert other.scores().tolist() == usual.scores().tolist()
    assert other.better == usual.better


def test_each_system_may_have_a_column(write: Write) -> None:
    """A blank or a dash is no judgement; ids may be missing, and rows numbered."""
    cells = {"0": ("0.85", "0.6", "0.2"), "2": ("0.5", "-", "")}
    long = [
        f"{s},{k},{n}"
        for k, row in cells.items()
        for s, n in zip("abc", row, strict=True)
    ]
    long = [line for line in long if line[-1] not in "-,"]
    usual = read(write("system,segment,score", *long))
    wide = [f"{k},{','.join(row)}" for k, row in cells.items()]
    other = read(write("id,A,b,C", *wide, name="wide.csv"))
    assert np.array_equal(other.scores(), usual.scores())
    assert other.better == usual.better
    unnumbered = ["A,b,C", "0.85,0.6,0.2", "-,-,-", "0.5,-,"]
    assert read(write(*unnumbered, name="unnumbered.csv")).better == usual.better


def test_preferences_count_wins_of_majorities(write: Write) -> None:
    """Judges of one comparison may name the systems in either order."""
    head = "segment\tfirst\tsecond\tpreferred\tjudge"
    found = read(
        write(
            head, "s.1\ta\tb\ta\tJ", "s.2\ta\tb\tb\tJ", "s.4\tb\tc\ttie\tJ", name="1"
        ),
        write(head, "s.1\tb\ta\ta\tK", "s.2\tb\ta\ta\tK", "s.4\tc\tb\tc\tK", name="2"),
        write(head, "s.1\ta\tb\tb\tL", "s.4\tb\tc\tC\tL".replace("C", "c"), name="3"),
    )
    assert found.counted
    assert found.better == ((0, 0, 1), (3, 2, 1))
    assert found.undecided == 1
    assert found.scores().tolist() == [[1.0, 0.0, 1.0]]
    assert found.scores(np.array([[2.0, 0, 0, 3.0]])).tolist() == [[2.0, 0.0, 3.0]]


def test_whole_systems_have_scores_and_no_pairs(write: Write) -> None:
    found = read(write("system,score", "b,80", "a,54"))
    scores = found.scores(np.ones((2, 4)))
    assert scores[:, :2].tolist() == [[54.0, 80.0]] * 2
    assert np.isnan(scores[:, 2]).all()
    assert found.better == ()


def test_standardised_judges_weigh_alike(write: Write) -> None:
    """J uses the whole scale and K a corner of it; daRR pairs stay as they were."""
    lines = ["system,segment,score,judge"]
    lines += ["a,s.1,0,J", "b,s.1,100,J", "a,s.2,100,J", "b,s.2,0,J"]
    lines += ["a,s.4,52,K", "b,s.4,48,K"]
    plain, found = (read(write(*lines), standardise=s) for s in (False, True))
    assert plain.scores().tolist()[0][:2] == pytest.approx([152 / 3, 148 / 3])
    assert found.scores().tolist()[0][:2] == pytest.approx([1 / 3, -1 / 3])
    assert found.better == plain.better == ((0, 1, 0), (1, 0, 1))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["system,points", "a,1"], "human.tsv:1: the heading is 'system,points'"),
        (["system,score"], "holds no judgement"),
        (["system,score,Score", "a,1,2"], "human.tsv:1: the heading names score twice"),
        (["system,score", "d,1"], "human.tsv:2: no system is called 'd' (known: a, b"),
        (["system,score", "a,much"], "human.tsv:2: 'much' is not a number"),
        (["system,score", "a,nan"], "human.tsv:2: nan is not a judgement"),
        (
            ["system,score", "a,-"],
            "'-' is not a number; leave out the row where nothing",
        ),
        (["system,score", f"a,{'1' * 200_000}"], "human.tsv:2: field larger than"),
        (["system,score", "a,1", "a,2"], "human.tsv:3: judge"),
        (["system,score", "a"], "human.tsv:2: has 1 column but the heading 2"),
        (["system,segment,score", "a,s.9,1"], "no pair has the id or the number 's.9'"),
        (["system,segment,score", "a,4,1"], "numbers count from 0 to 3"),
        (["system,segment,score", "a,0,-7"], "name their scale with --human-range"),
        (["segment,first,second,preferred", "0,a,a,a"], "compares 'a' with itself"),
        (["segment,first,second,preferred", "0,a,b,c"], "neither of the two"),
    ],
)
def test_bad_tables_are_one_sentence(
    write: Write, lines: list[str], message: str
) -> None:
    with pytest.raises(InputError) as caught:
        read(write(*lines))
    assert message in str(caught.value)


def test_files_must_ask_the_same(write: Write) -> None:
    first = write("system,score", "a,1", name="one")
    second = write("system,segment,score", "a,0,1", name="two")
    third = write("system,score", "b,1", name="three")
    for files in ((first, second), (first, second, third)):
        with pytest.raises(InputError, match="two: has other columns than"):
            read(*files)


# Metrics against it


def test_pairs_of_outputs_are_concordant_or_not() -> None:
    """Right, wrong, tied (discordant), not scored: (1 - 2) / 3."""
    better = ((0, 0, 1), (0, 1, 2), (1, 0, 1), (1, 2, 0))
    scores = np.array([[0.9, 0.5, 0.7], [0.4, 0.4, NAN]])
    found = rank_agreement(better, scores, Sampling())
    assert (found.pairs, found.concordant, found.discordant) == (3, 1, 2)
    assert found.tied == 1
    assert found.tau.value == pytest.approx(-1 / 3)
    assert found.tau.interval is None
    nothing = rank_agreement((), scores, Sampling())
    assert (nothing.pairs, math.isnan(nothing.tau.value)) == (0, True)


@given(order=st.permutations(range(7)))
@settings(max_examples=examples(50), deadline=None)
def test_without_ties_tau_is_kendalls(order: list[int]) -> None:
    """One segment whose outputs people rank completely."""
    better = [(0, a, b) for a in range(7) for b in range(a)]
    found = rank_agreement(better, np.array([order], dtype=float), Sampling())
    assert found.tau.value == pytest.approx(stats.kendalltau(range(7), order).statistic)


def test_taus_interval_is_the_binomial_one() -> None:
    """A pair a segment: τ = 2 s - 1 with s a share of n coins, by the normal law."""
    rng = np.random.default_rng(0)
    n = 1000
    scores = rng.random((n, 2))
    scores[:, 0] += 0.3
    found = rank_agreement([(k, 0, 1) for k in range(n)], scores, Sampling(4000))
    share = found.concordant / n
    reach = 2 * 1.96 * math.sqrt(share * (1 - share) / n)
    assert found.tau.interval is not None
    assert found.tau.interval.low == pytest.approx(found.tau.value - reach, abs=0.01)
    assert found.tau.interval.high == pytest.approx(found.tau.value + reach, abs=0.01)


def test_systems_are_ordered_as_people_order_them() -> None:
    """Of the five pairs that people tell apart four are in order; one is tied."""
    human = np.array([1.0, 2.0, 2.0, 3.0, NAN])
    scores = np.array([0.1, 0.5, 0.4, 0.5, 0.9])
    found = system_agreement(scores, human)
    assert (found.systems, found.pairs, found.right) == (4, 5, 4)
    assert found.accuracy.value == 0.8
    assert found.pearson.value == pytest.approx(
        stats.pearsonr(scores[:4], human[:4]).statistic
    )
    alone = system_agreement(scores[:1], human[:1])
    assert (alone.systems, math.isnan(alone.accuracy.value)) == (1, True)


def results(rng: np.random.Generator, n: int, quality: float) -> list[PairResult]:
    metric = Smatch()
    found = []
    for index in range(n):
        size = float(rng.integers(5, 30))
        matched = float(rng.binomial(int(size), quality))
        counts = (matched, matched, size, size + 1, 1.0, 1.0)
        found.append(PairResult(index, None, metric.scores(counts), counts))
    return found


def test_against_plain_totals_the_bootstrap_accuracy_is_that_of_winning(
    write: Write,
) -> None:
    """People order the systems once for all: the share of corpora the metric agrees."""
    rng = np.random.default_rng(3)
    n = 40
    systems = {
        name: results(rng, n, q) for name, q in (("a", 0.7), ("b", 0.72), ("c", 0.8))
    }
    totals = write("system,score", "a,1", "b,5", "c,3")
    people = assessments_of(Path(totals), Scale(), SYSTEMS, [None] * n)
    found = human_accuracies(Smatch(), systems, people, Sampling())
    rows = {k: rows_of([r.statistics for r in v]) for k, v in systems.items()}
    for pair in found:
        test = paired_test(
            rows[pair.first],
            rows[pair.second],
            Smatch().score_rows,
            Smatch().output_weights,
            2,
            Sampling(),
            "bootstrap",
        )
        better = pair.human_second > pair.human_first
        assert test.wins is not None
        assert pair.accuracy == pytest.approx(test.wins if better else 1 - test.wins)
    assert [(p.first, p.second) for p in found] == [("a", "b"), ("a", "c"), ("b", "c")]


def test_each_resampled_corpus_has_its_own_human_scores(write: Write) -> None:
    """People who prefer what the metric prefers, output by output, always agree."""
    rng = np.random.default_rng(4)
    n = 30
    systems = {name: results(rng, n, 0.7) for name in SYSTEMS[:2]}
    lines = ["system,segment,score"]
    for name, pairs in systems.items():
        lines += [f"{name},{pair.index},{pair.score.score}" for pair in pairs]
    people = assessments_of(Path(write(*lines)), Scale(), SYSTEMS[:2], [None] * n)
    (found,) = human_accuracies(Smatch(), systems, people, Sampling(500), macro=True)
    assert found.accuracy == 1.0
    few = {name: pairs[:19] for name, pairs in systems.items()}
    (found,) = human_accuracies(Smatch(), few, people, Sampling(500), macro=True)
    assert found.accuracy is None
