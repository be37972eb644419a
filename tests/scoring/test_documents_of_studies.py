"""Documents as units where metrics are held against people, added up and audited."""

from __future__ import annotations

import json
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scoring.test_documents import OF, corpus, named, sums_of
from support.command import Cli

import exactmatch
from exactmatch import Scorer
from exactmatch.scoring.resampling import Sampling
from exactmatch.studies import halves_interval
from exactmatch.studies.correlate.measures import mcnemar_tests, preference
from exactmatch.studies.correlate.rivals import (
    compare_pair_accuracies,
    compare_soft_accuracies,
)


def ends_of_all_splits(values: Any, of: list[int]) -> tuple[float, float]:
    """Return the interval of a function of items, from every split of documents."""
    documents = max(of) + 1
    lows, highs = [], []
    for coins in product((False, True), repeat=documents):
        side = np.array([coins[d] for d in of])
        both = [values(side), values(~side)]
        if any(map(np.isnan, both)):
            both = [-np.inf, np.inf]
        lows.append(min(both))
        highs.append(max(both))
    place = int(0.05 * 2**documents + 1e-9)
    return sorted(lows)[place], sorted(highs)[-1 - place]


def judged(n: int, seed: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).integers(0, 101, n) / 100


def test_correlations_split_documents() -> None:
    golds, preds, _ = corpus(36, 11)
    human = judged(36, 1)
    of = [k * 5 % 8 for k in range(36)]
    found = exactmatch.correlate(
        preds, named(golds, of), human.tolist(), unit="document"
    )
    own = np.array(
        [exactmatch.smatch(*p).score for p in zip(preds, golds, strict=True)]
    )

    def pearson(side: Any) -> float:
        if side.sum() < 3:
            return np.nan
        return float(np.corrcoef(own[side], human[side])[0, 1])

    def squares(side: Any) -> float:
        return float(((own - human)[side] ** 2).mean()) if side.any() else np.nan

    estimate = found["smatch"].pearson
    assert estimate.interval is not None
    ends = estimate.interval.low, estimate.interval.high
    assert ends == pytest.approx(ends_of_all_splits(pearson, of), abs=1e-9)
    error = found["smatch"].rmse
    assert error is not None
    assert error.interval is not None
    wanted = np.sqrt(ends_of_all_splits(squares, of))
    assert (error.interval.low, error.interval.high) == pytest.approx(wanted, abs=1e-9)
    assert found.signatures[0].endswith("level:95%,unit:document")
    plain = exactmatch.correlate(preds, named(golds, of), human.tolist())
    assert plain["smatch"].pearson.value == estimate.value
    assert plain["smatch"].pearson.interval != estimate.interval


def test_documents_of_one_pair_are_pairs() -> None:
    golds, preds, _ = corpus(11, 12)
    human = judged(11, 2).tolist()
    both = [
        exactmatch.correlate(preds, named(golds, [*range(11)]), human, unit=unit)
        for unit in ("pair", "document")
    ]
    assert both[0].metrics == both[1].metrics


def test_preferences_split_documents() -> None:
    rng = np.random.default_rng(3)
    first, second = rng.random((2, 24))
    human = (rng.random(24) < 0.6).astype(float)
    codes = np.array([k % 7 for k in range(24)])
    found = preference(first, second, human, Sampling(), codes)
    right = (first > second) == (human == 1)

    def share(side: Any) -> float:
        return float(right[side].mean()) if side.any() else np.nan

    assert found.accuracy.interval is not None
    ends = found.accuracy.interval.low, found.accuracy.interval.high
    assert ends == pytest.approx(ends_of_all_splits(share, codes.tolist()), abs=1e-12)
    other = right ^ (rng.random(24) < 0.4)
    series = {"one": right.astype(float), "two": other.astype(float)}
    (test,) = mcnemar_tests(series, Sampling(), codes)
    gains = np.bincount(codes, series["two"] - series["one"])
    drawn = [np.dot(signs, gains) for signs in product((1, -1), repeat=7)]
    expected = np.mean(np.abs(drawn) >= abs(gains.sum()) - 1e-9)
    assert test.p_value == pytest.approx(expected)
    # documents of one decision: McNemar's test
    (alone,) = mcnemar_tests(series, Sampling(), np.arange(24))
    (plain,) = mcnemar_tests(series)
    assert plain.only_first + plain.only_second <= 15
    assert alone.p_value == pytest.approx(plain.p_value)


def test_two_documents_of_one_decision_are_an_error(cli: Cli, tmp_path: Path) -> None:
    golds, preds, _ = corpus(4, 4)
    for side, graphs in (("gold", golds), ("pred", preds)):
        text = "\n\n".join(named(graphs, [0, 0, 1, 2]))
        (tmp_path / f"{side}.amr").write_text(text)
    sides = [str(tmp_path / f"{side}.amr") for side in ("pred", "gold")]
    refused = cli.refusal("correlate", *sides, "--foils", "--unit", "document")
    assert "pairs 3 and 4 are of different documents" in refused


def _outputs(n: int, of: list[int]) -> tuple[Any, list[str], list[dict[str, Any]]]:
    golds, first, second = corpus(n, 13)
    systems = {"one": first, "two": second, "three": first[1:] + first[:1]}
    rng = np.random.default_rng(4)
    rows = [
        {"system": name, "segment": f"s.{k}", "score": int(rng.integers(0, 101))}
        for name in systems
        for k in range(n)
    ]
    return systems, named(golds, of), rows


def test_outputs_of_a_document_are_split_and_exchanged_together() -> None:
    of = [k % 12 for k in range(36)]
    systems, golds, rows = _outputs(36, of)
    metrics = ["smatch", "sembleu"]
    by_unit = {
        unit: exactmatch.studies.correlate_systems(
            systems, golds, rows, metric=metrics, unit=unit, macro=True
        )
        for unit in ("pair", "document")
    }
    found, plain = by_unit["document"], by_unit["pair"]
    # the soft accuracy by every exchange of the twelve documents
    human = np.array([r["score"] for r in rows], float).reshape(3, 36)
    scores = np.array(
        [
            [exactmatch.smatch(p, g).score for p, g in zip(own, golds, strict=True)]
            for own in systems.values()
        ]
    )
    shares = []
    for side in (human, scores):
        own = []
        for i, k in combinations(range(3), 2):
            gaps = np.bincount(of, side[i] - side[k])
            signs = product((1, -1), repeat=12)
            own.append(np.mean([np.dot(s, gaps) >= gaps.sum() - 1e-9 for s in signs]))
        shares.append(np.array(own))
    wanted = 1 - np.abs(shares[0] - shares[1]).mean()
    assert found.systems["smatch"].soft.value == pytest.approx(wanted, abs=1e-12)
    assert plain.systems["smatch"].soft.value != pytest.approx(wanted, abs=1e-6)
    assert found.systems["smatch"].accuracy.value == (
        plain.systems["smatch"].accuracy.value
    )
    taus = [one.segments["smatch"].tau for one in (found, plain)]
    assert taus[0].value == taus[1].value
    assert taus[0].interval != taus[1].interval
    assert all(",unit:document" in signature for signature in found.signatures)
    assert found.rivals[0].soft_p != plain.rivals[0].soft_p


def test_outputs_of_documents_of_one_segment_are_those_of_segments() -> None:
    systems, golds, rows = _outputs(8, [*range(8)])
    both = [
        exactmatch.studies.correlate_systems(systems, golds, rows, unit=unit)
        for unit in ("pair", "document")
    ]
    for name in ("systems", "segments", "outputs"):
        assert getattr(both[0], name) == getattr(both[1], name)


def test_tests_of_two_metrics_exchange_documents() -> None:
    rng = np.random.default_rng(6)
    people, one, two = rng.integers(0, 4, (3, 2, 18)).astype(float)
    codes = np.arange(18) % 6
    found = compare_pair_accuracies(
        people, one, two, (0.0, 0.0), "item", 20_000, 0, codes
    )
    gains = []
    for x, y, z in zip(people.T, one.T, two.T, strict=True):
        signs = [np.sign(v[0] - v[1]) for v in (x, y, z)]
        gains.append(float(signs[2] == signs[0]) - float(signs[1] == signs[0]))
    sums = np.bincount(codes, gains) / 18
    drawn = [np.dot(s, sums) for s in product((1, -1), repeat=6)]
    assert found.difference == pytest.approx(sums.sum())
    expected = np.mean(np.abs(drawn) >= abs(sums.sum()) - 1e-12)
    assert found.p == pytest.approx(expected, abs=0.02)
    soft = compare_soft_accuracies(people, one, one, 50, codes=codes)
    assert (soft.difference, soft.p) == (0.0, 1.0)


def test_a_scorer_has_the_intervals_of_an_evaluation() -> None:
    golds, preds, _ = corpus(36, 7)
    golds = named(golds, OF)
    whole = exactmatch.evaluate(preds, golds, confidence=0.95, unit="document")
    expected = whole.scores[0].interval
    assert expected is not None
    ends = halves_interval(sums_of(preds, golds, OF))
    assert (expected.low, expected.high) == pytest.approx(ends, abs=1e-12)
    how: Any = {"confidence": 0.95, "unit": "document"}
    texts, ready, first, second = (Scorer("smatch", **how) for _ in range(4))
    texts.update(preds, golds)
    ready.update(ready.prepare(preds), ready.prepare(golds))
    first.update(first.prepare(preds[:20]), first.prepare(golds[:20]))
    for pred, gold in zip(preds[20:], golds[20:], strict=True):
        second.add(pred, gold)
    for scorer in (texts, ready, first.merge(second)):
        score = scorer.compute().scores[0]
        assert score.interval == expected
        assert score.signature == whole.scores[0].signature
    texts.reset()
    texts.update(preds[:12], golds[:12])
    assert len(texts.compute().scores) == 1


def test_an_audit_exchanges_documents(cli: Cli, tmp_path: Path) -> None:
    golds, preds, _ = corpus(24, 8)
    of = [k % 8 for k in range(24)]
    for side, graphs in (("gold", golds), ("pred", preds)):
        (tmp_path / f"{side}.amr").write_text("\n\n".join(named(graphs, of)))
    sides = [str(tmp_path / f"{side}.amr") for side in ("pred", "gold")]
    run = ("audit", *sides, "--runs", "2", "--restarts", "1", "--unit", "document")
    assert "--unit document has no effect without --against" in cli(*run).err
    pytest.importorskip("smatch")
    ran = cli(*run, "--against", "smatch", "--format", "json")
    assert "24 pairs of 8 documents; units: documents" in ran.err
    assert "|unit:document" in json.loads(ran.out)["metrics"][0]["signatures"][0]
