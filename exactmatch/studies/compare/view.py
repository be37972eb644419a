"""What is shown of systems compared: ranks, tests, agreement, deciding pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from typing import Any

from exactmatch.base.numbers import (
    Ends,
    Share,
    decimals,
    is_missing,
    p_value,
    percent,
    several,
)
from exactmatch.scoring.losses import Losses, with_losses
from exactmatch.stats.resampling import FEWEST, SCORE_NAMES, Bootstrap, Test
from exactmatch.studies.compare.compare import HumanAccuracy
from exactmatch.studies.compare.metric_agreement import Agreement
from exactmatch.studies.compare.results import Comparison, Standing
from exactmatch.studies.compare.shape import SHAPE_NAMES, Shape
from exactmatch.views.tables import Column, IntervalRow, Intervals, Table, Tables

_score, _signed = Share(4), Share(4, signed=True)


def _row(
    comparison: Comparison, standing: Standing, errors: Mapping[str, Shape]
) -> dict[str, Any]:
    row: dict[str, Any] = {
        "metric": comparison.metric,
        "system": standing.system,
        "rank": standing.rank,
    }
    scored = standing.score.is_defined
    for name, value, interval in zip(
        SCORE_NAMES, standing.values, standing.intervals, strict=True
    ):
        row[name] = value if scored else None
        row[f"{name}_low"] = interval.low if interval else None
        row[f"{name}_high"] = interval.high if interval else None
    test = standing.test
    row["baseline"] = comparison.baseline
    row["difference"] = test.difference if test else None
    row["difference_low"] = test.interval.low if test and test.interval else None
    row["difference_high"] = test.interval.high if test and test.interval else None
    row["p_value"] = test.p_value if test else None
    row["p_holm"] = standing.corrected
    row["wins"] = test.wins if test else None
    row["f1_upper"] = standing.upper
    row["pairs"] = standing.pairs
    if standing.system in errors:
        row |= {
            f"{name}_error": value
            for name, value in zip(
                SHAPE_NAMES, astuple(errors[standing.system]), strict=True
            )
        }
    return row


@dataclass(frozen=True, slots=True)
class Compared:
    """All that a comparison of systems found out.

    Attributes:
        comparisons: one for each metric.
        agreements: how far every two metrics agree.
        accuracies: how reliably each metric orders systems as people do.
        errors: each system's error in the shape of its graphs, where measured.
        remarks: what looks wrong about the files.
        test: where p-values come from.
        bootstrap: samples, level and seed of intervals and tests.
        lost: what the metrics' readers left out of each system's graphs.
    """

    comparisons: Sequence[Comparison]
    agreements: Sequence[Agreement]
    accuracies: Sequence[HumanAccuracy]
    errors: Mapping[str, Shape]
    remarks: Sequence[str]
    test: Test
    bootstrap: Bootstrap
    lost: Losses


def tables(
    found: Compared, signatures: Sequence[str], number: Share = _score
) -> Tables:
    """Everything that a comparison found out, for people and for programs.

    Args:
        found: what was found out.
        signatures: the metrics'.
        number: writes scores in sentences.
    """
    bootstrap, comparisons = found.bootstrap, found.comparisons
    rows = [_row(c, s, found.errors) for c in comparisons for s in c.standings]
    deciding = _deciding(comparisons)
    people = [asdict(accuracy) for accuracy in found.accuracies]
    agreed = [asdict(agreement) for agreement in found.agreements]
    shapes = [{"system": name, **asdict(e)} for name, e in found.errors.items()]
    made = [_ranking(rows, f"{100 * bootstrap.level:g} %")]
    for table, shown in (
        (_PEOPLE, people),
        (_AGREEMENT, agreed),
        (_DISAGREEMENT, _disagreements(found.agreements)),
        (_STRUCTURE, shapes),
        (_DECIDING, deciding),
    ):
        if shown:
            made.append(table._replace(rows=shown))
    data = {
        "test": found.test,
        "samples": bootstrap.samples,
        "confidence": bootstrap.level,
        "seed": bootstrap.seed,
        "pairs": {c.metric: c.pairs for c in comparisons},
        "remarks": list(found.remarks),
        "systems": rows,
        "people": people,
        "agreement": agreed,
        "structure": {name: asdict(error) for name, error in found.errors.items()},
        "deciding": deciding,
        "signatures": list(signatures),
    }
    notes = _notes(found, number)
    compared = Tables(
        "Comparison",
        made,
        data,
        notes=notes,
        signatures=signatures,
        charts=[c for each in comparisons for c in _charts(each, bootstrap.level)],
    )
    return with_losses(compared, found.lost)


def _charts(comparison: Comparison, level: float) -> Iterator[Intervals]:
    """Each system's score, and its difference from the first, with their intervals."""
    metric, ends = comparison.metric, f"{100 * level:g} % intervals"
    standings = comparison.standings
    scores = [
        IntervalRow(
            each.system,
            each.intervals[-1].low,
            each.values[-1],
            each.intervals[-1].high,
        )
        for each in standings
        if each.intervals[-1]
    ]
    yield Intervals(f"{metric}: score, {ends}", scores, _score)
    differences = [
        IntervalRow(
            each.system,
            each.test.interval.low,
            each.test.difference,
            each.test.interval.high,
        )
        for each in standings
        if each.test and each.test.interval
    ]
    against = f"difference from {comparison.baseline}"
    yield Intervals(f"{metric}: {against}, {ends}", differences, _signed, 0.0)


def _ranking(rows: Sequence[Mapping[str, Any]], level: str) -> Table:
    """Scores, intervals and tests; what people are not shown is in CSV."""
    corrected = any(row["p_holm"] is not None for row in rows)
    some_lack_it = len({row["pairs"] for row in rows}) > 1
    columns = (
        Column("metric", "metric"),
        Column("system", "system"),
        Column("rank", "rank"),
        Column("pairs", "pairs" if some_lack_it else None),
        Column("precision", "P", _score, is_better=True),
        Column("recall", "R", _score, is_better=True),
        Column("score", "score", _score, is_better=True, mark="_stars"),
        Column("_interval", level, _score),
        Column("difference", "Δ", _signed),
        Column("_difference_interval", f"Δ {level}", _signed),
        Column("p_value", "p", p_value),
        Column("p_holm", "p (Holm)" if corrected else None, p_value),
        Column("wins", "better in %", percent()),
    )
    shown = {column.key for column in columns}
    hidden = map(Column, (key for key in rows[0] if key not in shown))
    shown_rows = [{**row, **_shown(row)} for row in rows]
    return Table("", (*columns, *hidden), shown_rows, group="metric", legend=_LEGEND)


def _disagreements(agreements: Sequence[Agreement]) -> list[dict[str, Any]]:
    """The outputs that every two metrics order differently."""
    return [
        {
            "first": agreement.first,
            "second": agreement.second,
            "pair": found.id if found.id is not None else f"pair {found.index}",
            **asdict(found),
        }
        for agreement in agreements
        for found in agreement.examples
    ]


def _deciding(comparisons: Sequence[Comparison]) -> list[dict[str, Any]]:
    """The pairs that each difference rests on."""
    return [
        {
            "metric": comparison.metric,
            "system": standing.system,
            "pair": pair.id if pair.id is not None else f"pair {pair.index}",
            **asdict(pair),
            "difference": pair.difference,
        }
        for comparison in comparisons
        for standing in comparison.standings
        for pair in standing.deciding
    ]


def _notes(found: Compared, number: Share) -> tuple[str, ...]:
    """What the numbers are, and what they are not."""
    comparisons = found.comparisons
    tested = [c for c in comparisons if any(s.test for s in c.standings)]
    notes = [f"{c.metric}: Δ and p against {c.baseline}" for c in tested]
    about: dict[str, list[str]] = {}
    for comparison in tested:
        for line in _method(found, comparison):
            about.setdefault(line, []).append(comparison.metric)
    for line, names in about.items():
        is_of_all = len(names) == len(tested)
        notes.append(line if is_of_all else f"{', '.join(names)}: {line}")
    for comparison in comparisons:
        for standing in comparison.standings:
            if standing.score.proven is False:
                notes.append(
                    f"{comparison.metric}: {standing.system} is not proven optimal: "
                    f"its score is at most {number(standing.upper)}"
                )
    return tuple(notes)


def _method(found: Compared, comparison: Comparison) -> Iterator[str]:
    """Where p-values and intervals come from, or why there are none."""
    tests = [each.test for each in comparison.standings if each.test]
    pairs = min(test.pairs for test in tests)
    few = f"{several(comparison.pairs, 'pair')}, fewer than {FEWEST}"
    if pairs < comparison.pairs:
        few = f"fewer than {FEWEST} pairs have what is scored"
    if found.test == "bootstrap" and pairs < FEWEST:
        yield (
            f"no bootstrap p and no intervals: {few}; --test randomisation has a p for "
            "any number"
        )
    else:
        how = f"two-sided, {several(found.bootstrap.samples, 'sample')}"
        if all(test.exact for test in tests):
            how = "exact, two-sided: all exchanges"
        yield f"p: paired {found.test}, {how}"
        if pairs < FEWEST:
            yield f"no intervals: {few}"
    if any(each.corrected is not None for each in comparison.standings):
        n, own = comparison.tests, len(comparison.standings) - 1
        of_all = f"all {n} tests" if n > own else f"the {n} tests under a metric"
        yield f"p (Holm): corrected for {of_all}"


def _shown(row: Mapping[str, Any]) -> dict[str, Any]:
    p = row["p_value"] if row["p_holm"] is None else row["p_holm"]
    return {
        "_interval": Ends(row["score_low"], row["score_high"]),
        "_difference_interval": Ends(row["difference_low"], row["difference_high"]),
        "_stars": "" if is_missing(p) else "*" * sum(p < level for level in STARS),
    }


STARS = (0.05, 0.01, 0.001)
"""A p-value gets a star for each of these levels that it is below."""

_LEGEND = "; ".join(f"{'*' * k}: p < {level:g}" for k, level in enumerate(STARS, 1))


_PEOPLE = Table(
    "bootstrap accuracy: resampled corpora that metric and people order alike",
    (
        Column("metric", "metric"),
        Column("first", "first"),
        Column("second", "second"),
        Column("human_first", "people: first", decimals(2)),
        Column("human_second", "second", decimals(2)),
        Column("accuracy", "accuracy %", percent()),
    ),
    (),
)
_AGREEMENT = Table(
    "agreement of metrics on the systems",
    (
        Column("first", "metric"),
        Column("second", "metric"),
        Column("tau", "Kendall's τ", decimals(2)),
        Column("disagreement", "pairs ranked differently %", percent()),
        Column("p_value", "p (t-test)", p_value),
    ),
    (),
)
_DISAGREEMENT = Table(
    "outputs that metrics order differently",
    (
        Column("pair", "pair"),
        Column("first", "metric", is_text=True),
        Column("first_prefers", "prefers", is_text=True),
        Column("first_gain", "by", _score),
        Column("second", "metric", is_text=True),
        Column("second_prefers", "prefers", is_text=True),
        Column("second_gain", "by", _score),
    ),
    (),
)
_STRUCTURE = Table(
    "structural error (mean absolute difference from the reference)",
    (
        Column("system", "system"),
        Column("degree", "node degree", decimals(4)),
        Column("density", "density", decimals(5)),
        Column("nodes", "|V|", decimals(2)),
        Column("edges", "|E|", decimals(2)),
    ),
    (),
)
_DECIDING = Table(
    "pairs that decide it",
    (
        Column("metric", "metric"),
        Column("system", "system"),
        Column("pair", "pair"),
        Column("baseline_score", "baseline", _score),
        Column("system_score", "system's", _score),
        Column("difference", "Δ", _signed),
        Column("influence", "of the corpus Δ", Share(5, signed=True)),
    ),
    (),
)
