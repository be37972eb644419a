"""Several references: each is scored by itself, and one number stands for all."""

import random
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli
from support.files import Files

import exactmatch
from exactmatch.base.errors import InputError
from exactmatch.formats.pairs import UnreadPair
from exactmatch.metrics import METRICS
from exactmatch.scoring.notes import Notes
from exactmatch.scoring.options import Refs
from exactmatch.scoring.pair import PairScorer
from exactmatch.scoring.settings import Settings

WORDS = ("bark-01", "dog", "cat", "sing-01")
PREDS = [
    "(b / bark-01 :ARG0 (d / dog))",
    "(s / sing-01 :ARG0 (b / boy) :ARG1 (t / tune))",
    "(g / go-02 :ARG0 (g2 / girl) :time (n / now))",
]
FIRST = [
    "(b / bark-01 :ARG0 (c / cat))",
    "(s / sing-01 :ARG0 (g / girl) :ARG1 (t / tune) :time (n / now))",
    "(x / leave-11)",
]
SECOND = [
    "(b / bark-01 :ARG1 (d / dog) :ARG0 (c / cat))",
    "(h / hum-01 :ARG0 (b / boy))",
    "(g / go-02 :ARG0 (b / boy) :time (n / now))",
]


def alone(metric: str, pred: str, gold: str) -> Any:
    """One pair, whose score is the corpus's."""
    return exactmatch.evaluate([pred], [gold], metric).scores[0].score


@pytest.mark.parametrize("metric", ["smatch", "s2match", "graph", "rematch", "wlk"])
def test_the_best_reference_counts(metric: str) -> None:
    golds = list(map(list, zip(FIRST, SECOND, strict=True)))
    report = exactmatch.evaluate(PREDS, golds, metric)
    for pair, pred, both in zip(report.pairs, PREDS, golds, strict=True):
        scores = [alone(metric, pred, gold).score for gold in both]
        assert pair.score.score == pytest.approx(max(scores), abs=1e-12)
    assert "|refs:2:max|" in report.scores[0].signature
    assert "refs:" not in exactmatch.evaluate(PREDS, FIRST, metric).scores[0].signature


@pytest.mark.parametrize("metric", ["smatch", "s2match", "mrp"])
@pytest.mark.parametrize("seed", range(3))
def test_sums_are_those_of_the_references_that_count(metric: str, seed: int) -> None:
    """Counts are taken apart by hand: of the best, of all, and of the mean."""
    rng = random.Random(seed)
    texts = [*PREDS, *FIRST, *SECOND]
    preds = rng.choices(texts, k=6)
    golds = [rng.choices(texts, k=rng.randint(1, 3)) for _ in preds]
    parts = [
        [alone(metric, pred, gold) for gold in own]
        for pred, own in zip(preds, golds, strict=True)
    ]

    def counted(rows: Any) -> float:
        matched, pred, gold = (sum(column) for column in zip(*rows, strict=True))
        return float(2 * matched / (pred + gold)) if pred + gold else 0.0

    def counts(score: Any) -> tuple[float, float, float]:
        return score.matched, score.pred_total, score.gold_total

    expected = {
        "max": counted([counts(max(own, key=lambda s: s.score)) for own in parts]),
        "pooled": counted([counts(score) for own in parts for score in own]),
    }
    sizes = [
        own[0].pred_total + sum(s.gold_total for s in own) / len(own) for own in parts
    ]
    means = [sum(s.score for s in own) / len(own) for own in parts]
    weighted = sum(m * size for m, size in zip(means, sizes, strict=True))
    expected["mean"] = weighted / sum(sizes)
    rules: tuple[Refs, ...] = ("max", "mean", "pooled")
    for refs in rules:
        value = expected[refs]
        report = exactmatch.evaluate(preds, golds, metric, refs=refs)
        assert report.f1 == pytest.approx(value, abs=1e-9), refs
        assert f"|refs:{max(map(len, golds))}:{refs}" in report.scores[0].signature
        if refs == "pooled":
            own_sums = [counted([counts(score) for score in own]) for own in parts]
            macro = report.scores[0].macro["f1"]
            assert macro == pytest.approx(sum(own_sums) / len(own_sums), abs=1e-9)
        if refs == "mean":
            assert [p.f1 for p in report.pairs] == pytest.approx(means, abs=1e-9)


def test_an_open_reference_leaves_the_best_open() -> None:
    """The bound is that of the reference that may still turn out to be better."""
    from exactmatch.metrics.base import Pair
    from exactmatch.metrics.smatch import Smatch
    from exactmatch.scoring.references import combined

    metric = Smatch()
    sure = Pair((6.0, 6.0, 8.0, 8.0, 1.0, 1.0))
    open_ = Pair((5.0, 9.0, 8.0, 12.0, 1.0, 0.0))
    low = Pair((2.0, 3.0, 8.0, 8.0, 1.0, 0.0))
    found, place = combined(metric, [low, sure], "max")
    assert (place, found.statistics) == (1, sure.statistics)
    found, place = combined(metric, [open_, sure], "max")
    score = metric.scores(found.statistics)
    assert (place, score.score, score.proven) == (1, 0.75, False)
    assert score.f1_upper == pytest.approx(2 * 9 / 20)
    mean = metric.scores(combined(metric, [open_, sure], "mean")[0].statistics)
    assert mean.score == pytest.approx((0.75 + 0.5) / 2)
    assert mean.f1_upper == pytest.approx((0.75 + 0.9) / 2)
    assert mean.proven is False


def test_every_metric_takes_several_references() -> None:
    """Those that compare with one take the best; others have a way of their own."""
    needs = {"umatch", "counter", "json"}  # other things than AMRs
    for name in METRICS.own:
        if name in needs or name in ("bleu", "sentence-bleu", "chrf", "yisi-text"):
            continue
        report = exactmatch.evaluate(PREDS[:1], [[FIRST[0], PREDS[0]]], name)
        assert report.score == pytest.approx(1.0), name


def test_the_best_references_alignment_is_shown_and_checked(
    cli: Cli, files: Files
) -> None:
    paths = [
        files.graphs("pred.amr", PREDS),
        files.graphs("one.amr", FIRST),
        files.graphs("two.amr", SECOND),
    ]
    named = ("score", paths[0], "--references", *paths[1:])
    assert cli.json(*named) is not None
    out = cli.json("align", *paths)["pairs"]
    aligned = {pair["pred"]: pair["gold"] for pair in out[2]["alignment"]}
    assert aligned == {"g": "g", "g2": "b", "n": "n"}  # of the second
    said = cli(*named, "--certify").err
    assert "3 certificates checked, 0 rejected" in said
    assert "name one of references" in cli.refusal(
        *named, "--certificates", str(files.folder / "c.jsonl")
    )
    assert "metrics that align" in cli.refusal(
        *named, "--metric", "wlk", "--refs", "mean"
    )
    twice = ("--references", paths[1], "--references", paths[2], "--pred", paths[0])
    assert cli.out("score", *twice, "-b") == cli.out(*named, "-b")


def test_a_cache_keeps_each_reference(tmp_path: Path) -> None:
    golds = list(map(list, zip(FIRST, SECOND, strict=True)))
    folder = tmp_path / "cache"
    found = [
        exactmatch.evaluate(
            PREDS, golds, "s2match", refs=refs, cache=folder, keep_pairs=False
        )
        for refs in ("max", "mean", "pooled", "max")
    ]
    fresh = [
        exactmatch.evaluate(PREDS, golds, "s2match", refs=refs)
        for refs in ("max", "mean", "pooled", "max")
    ]
    assert [one.f1 for one in found] == [one.f1 for one in fresh]
    assert "cached:3/3" in found[-1].scores[0].signature


@pytest.mark.slow
def test_processes_and_intervals_are_the_same(cli: Cli, files: Files) -> None:
    paths = [
        files.graphs("pred.amr", PREDS * 10),
        files.graphs("one.amr", FIRST * 10),
        files.graphs("two.amr", SECOND * 10),
    ]
    for refs in ("max", "mean", "pooled"):
        options = ("--refs", refs, "--confidence", "--format", "csv")
        one = cli.out("score", *paths, *options)
        assert one == cli.out("score", *paths, *options, "-j", "2")


def test_aspects_take_the_best_reference_each() -> None:
    golds = list(map(list, zip(FIRST, SECOND, strict=True)))
    single = [exactmatch.finegrained(PREDS, side) for side in (FIRST, SECOND)]
    both = exactmatch.finegrained(PREDS, golds)
    for name in ("concepts", "unlabeled"):
        for k in range(len(PREDS)):
            values = [one[name, k].score.score for one in single]
            assert both[name, k].score.score == pytest.approx(max(values))


def test_other_words_are_refused() -> None:
    with pytest.raises(InputError, match="refs is 'min'"):
        exactmatch.evaluate(PREDS, FIRST, refs="min")  # type: ignore[arg-type]  # wrong
    with pytest.raises(InputError, match="refs is 'min'"):
        Settings(refs="min")


@pytest.mark.parametrize("metric", ["smatch", "rematch"])
def test_the_reference_that_counts_is_the_one_that_is_kept(metric: str) -> None:
    pred = "(b / bark-01 :ARG0 (d / dog))"
    given = UnreadPair(0, None, pred, ("(c / cat)", pred, "(s / sing-01)"))
    scorer = PairScorer([METRICS[metric]()], Settings(keep_graphs=True))
    (result,) = scorer.score(given, Notes())
    assert result.score.score == 1
    assert result.gold.concepts() == ["bark-01", "dog"]
    assert result.texts == (pred, pred)
