"""Documents as the units of intervals and tests."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
from support.command import Cli

import exactmatch
from exactmatch.studies import exchange_test, halves_interval

ROLES = ("ARG0", "ARG1", "ARG2", "time", "place", "mod")


def corpus(n: int, seed: int) -> tuple[list[str], list[str], list[str]]:
    """Return references and two systems' graphs, with errors at random."""
    rng = random.Random(seed)
    sides: tuple[list[str], list[str], list[str]] = ([], [], [])
    for k in range(n):
        roles = rng.sample(ROLES, rng.randint(2, 5))
        for side, wrong in zip(sides, (0.0, 0.4, 0.25), strict=True):
            own = [(r, f"{'x' if rng.random() < wrong else 'c'}{r}") for r in roles]
            edges = " ".join(f":{r} (v{i} / {c})" for i, (r, c) in enumerate(own))
            side.append(f"# ::id s.{k}\n(h / head{k} {edges})")
    return sides


def named(graphs: list[str], of: list[int]) -> list[str]:
    return [f"# ::doc d{d}\n{g}" for d, g in zip(of, graphs, strict=True)]


def sums_of(preds: list[str], golds: list[str], of: list[int]) -> list[list[float]]:
    """Return each document's counts, added up here."""
    sums: dict[int, list[float]] = {}
    for pred, gold, document in zip(preds, golds, of, strict=True):
        one = exactmatch.smatch(pred, gold)
        own = sums.setdefault(document, [0, 0, 0])
        for k, count in enumerate((one.matched, one.pred_total, one.gold_total)):
            own[k] += count
    return [*sums.values()]


OF = [k * 7 % 12 for k in range(36)]  # twelve documents, not one after the other


def test_the_interval_is_that_of_the_documents_sums() -> None:
    golds, preds, _ = corpus(36, 1)
    report = exactmatch.evaluate(
        named(preds, OF), named(golds, OF), confidence=0.95, unit="document"
    )
    score = report.scores[0]
    expected = halves_interval(sums_of(preds, golds, OF))
    assert score.interval is not None
    found = score.interval.low, score.interval.high
    assert found == pytest.approx(expected, abs=1e-12)
    assert ",unit:document|" in score.signature
    of_pairs = exactmatch.evaluate(preds, golds, confidence=0.95).scores[0]
    assert of_pairs.interval is not None
    assert (of_pairs.interval.low, of_pairs.interval.high) != found
    assert "unit:" not in of_pairs.signature
    assert of_pairs.score == score.score


def test_the_test_exchanges_whole_documents() -> None:
    golds, first, second = corpus(36, 2)
    systems = {"one": named(first, OF), "two": named(second, OF)}
    found = exactmatch.compare(
        systems, named(golds, OF), unit="document", baseline="one"
    )
    sides = (sums_of(own, golds, OF) for own in (first, second))
    expected = exchange_test(*sides)
    test = found.standings[0].test or found.standings[1].test
    assert test is not None
    assert test.interval is not None
    assert (test.difference, test.p_value) == pytest.approx(expected[:2], abs=1e-12)
    ends = test.interval.low, test.interval.high
    assert ends == pytest.approx(expected.interval, abs=1e-12)
    assert (test.pairs, test.documents, test.differing) == (36, 12, expected.differing)
    assert found.signatures[0].endswith("|unit:document")


@pytest.mark.parametrize("macro", [False, True])
def test_documents_of_one_pair_are_pairs(macro: bool) -> None:
    golds, first, second = corpus(20, 3)
    of = [*range(20)]
    systems = {"one": named(first, of), "two": named(second, of)}
    both = [
        exactmatch.compare(systems, named(golds, of), unit=unit, macro=macro)
        for unit in ("pair", "document")
    ]
    tests = [one.standings[1].test for one in both]
    assert tests[0] is not None
    assert tests[1] is not None
    assert tests[0].p_value == tests[1].p_value
    assert tests[0].interval == tests[1].interval


def test_a_mean_over_pairs_weighs_pairs_in_documents() -> None:
    golds, preds, _ = corpus(30, 4)
    of = [k % 10 for k in range(30)]
    report = exactmatch.evaluate(
        named(preds, of), named(golds, of), confidence=0.95, unit="document"
    )
    interval = report.scores[0].macro_intervals["score"]
    f1 = np.array([pair.score.score for pair in report.pairs])
    # the halves of ten documents are all tried: 2 to the 10th
    ends = []
    for split in range(1, 2**10 - 1):
        inside = np.array([bool(split >> d & 1) for d in of])
        halves = f1[inside].mean(), f1[~inside].mean()
        ends.append((min(halves), max(halves)))
    place = int(0.05 * 1024 + 1e-9)
    lows = sorted([-np.inf, -np.inf, *(low for low, _ in ends)])
    assert interval.low == pytest.approx(lows[place], abs=1e-12)


def test_a_file_of_a_folder_is_a_document(cli: Cli, tmp_path: Path) -> None:
    golds, preds, _ = corpus(24, 5)
    for side, graphs in (("gold", golds), ("pred", preds)):
        folder = tmp_path / side
        folder.mkdir()
        for d in range(8):
            text = "\n\n".join(graphs[3 * d : 3 * d + 3])
            (folder / f"{d}.amr").write_text(text + "\n")
    out = cli(str(tmp_path / "pred"), str(tmp_path / "gold"), "--confidence")
    assert "24 pairs of 8 documents; units: pairs" in out.err
    named_unit = ("--confidence", "--unit", "document", "--format", "json")
    out = cli(str(tmp_path / "pred"), str(tmp_path / "gold"), *named_unit)
    assert "24 pairs of 8 documents; units: documents" in out.err
    record = json.loads(out.out)["metrics"][0]
    expected = halves_interval(sums_of(preds, golds, [k // 3 for k in range(24)]))
    found = record["score_low"], record["score_high"]
    assert found == pytest.approx(expected, abs=1e-12)


def test_a_column_names_the_document(cli: Cli, tmp_path: Path) -> None:
    golds, preds, _ = corpus(16, 6)
    for side, graphs in (("gold", golds), ("pred", preds)):
        rows = (
            json.dumps({"id": k, "doc": f"d{k // 2}", "output": graph})
            for k, graph in enumerate(graphs)
        )
        (tmp_path / f"{side}.jsonl").write_text("\n".join(rows))
    sides = (str(tmp_path / "pred.jsonl"), str(tmp_path / "gold.jsonl"))
    out = cli(*sides, "--confidence", "--unit", "document")
    assert "16 pairs of 8 documents; units: documents" in out.err


def test_ids_name_documents_where_nothing_else_does(cli: Cli, tmp_path: Path) -> None:
    graphs = "\n\n".join(f"# ::id doc{k // 3}.{k}\n(c / c{k})" for k in range(24))
    (tmp_path / "one.amr").write_text(graphs)
    path = str(tmp_path / "one.amr")
    out = cli(path, path, "--confidence", "--unit", "document")
    assert "24 pairs of 8 documents, named by their ids; units: documents" in out.err
    by_pairs = cli(path, path, "--confidence").err
    assert "24 pairs of 8 documents, named by their ids; units: pairs" in by_pairs
    assert "documents" not in cli(path, path).err


def test_pairs_without_document_are_an_error(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "one.amr"
    path.write_text("# ::id a\n(c / c)\n\n# ::id b\n(d / d)\n")
    named_unit = (path, path, "--confidence", "--unit", "document")
    refused = cli.refusal(*named_unit)
    assert "pair 1 (a) names no document; write '# ::doc NAME'" in refused
    path.write_text("# ::id a ::doc x\n(c / c)\n\n# ::id b\n(d / d)\n")
    refused = cli.refusal(*named_unit)
    assert "pair 2 (b) names no document, and others do" in refused


def test_few_documents_have_no_interval(cli: Cli, tmp_path: Path) -> None:
    golds, preds, _ = corpus(20, 8)
    for side, graphs in (("gold", golds), ("pred", preds)):
        of = [k // 5 for k in range(20)]
        (tmp_path / f"{side}.amr").write_text("\n\n".join(named(graphs, of)))
    sides = (str(tmp_path / "pred.amr"), str(tmp_path / "gold.amr"))
    out = cli(*sides, "--confidence", "--unit", "document")
    assert "no interval: only 4 of 4 documents err" in out.err
