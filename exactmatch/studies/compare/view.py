"""View of a comparison of systems: ranks, tests, agreement, deciding pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from exactmatch.base.numbers import (
    Ends,
    Share,
    decimals,
    interval_fields,
    is_missing,
    p_value,
    percent,
    several,
)
from exactmatch.scoring.exchange import fewest
from exactmatch.scoring.resampling import FEWEST
from exactmatch.scoring.rows import SCORE_NAMES
from exactmatch.scoring.selection import Selection
from exactmatch.studies.compare.results import (
    HEADLINE,
    ComparedPair,
    Comparison,
    Deciding,
    Disagreement,
    MetricComparison,
    Standing,
    Winner,
    columns_of_pair,
    verdicts,
)
from exactmatch.studies.options import selection_of
from exactmatch.views.tables import (
    PAIR,
    Column,
    IntervalRow,
    Intervals,
    Row,
    Table,
    Tables,
    fields_table,
)

_score, _signed = Share(4), Share(4, signed=True)

_MANY = 4  # systems whose names are too many for a title
_BESIDE = 2  # systems beside the baseline in a table, so that it has 80 columns
STARS = (0.05, 0.01, 0.001)  # a p-value gets one for each level that it is below


def tables(
    result: Comparison,
    per_pair: bool = False,
    percent: bool = False,
    digits: int | None = None,
    **chosen: Any,
) -> Tables:
    """Return all tables of a comparison.

    In sentences, scores are in *percent* or have so many *digits*; options of
    :class:`~exactmatch.studies.options.Selecting` choose pairs.
    """
    selection = selection_of(chosen)
    number = _score if digits is None else Share(digits)
    sampling = result.sampling
    standings = [
        (comparison, standing)
        for comparison in result.metrics
        for standing in comparison.standings
    ]
    structure = {name: error._asdict() for name, error in result.errors.items()}
    rows = [_row(*standing, structure) for standing in standings]
    deciding = [
        {
            "metric": comparison.metric,
            "system": standing.system,
            "pair": _name(pair),
            **asdict(pair),
            "difference": pair.difference,
        }
        for comparison, standing in standings
        for pair in standing.deciding
    ]
    disagreements = [
        {
            "first": comparison.first,
            "second": comparison.second,
            "pair": _name(pair),
            **asdict(pair),
        }
        for comparison in result.agreements
        for pair in comparison.examples
    ]
    people = [asdict(accuracy) for accuracy in result.accuracies]
    agreed = [asdict(agreement) for agreement in result.agreements]
    shown_tables = [_ranking(rows, f"{100 * sampling.level:g} %")]
    of_winners = [_winner_row(comparison) for comparison in result.winners]
    missing_columns = {key for key in ("share", "without") if _lacks(deciding, key)}
    own_columns = (c for c in _DECIDING.columns if c.key not in missing_columns)
    decisive = _DECIDING._replace(columns=tuple(own_columns))
    for table, rows_of_table in (
        (_by_metric(result), _metric_rows(result)),
        (_WINNERS, of_winners),
        (_PEOPLE, people),
        (_AGREEMENT, agreed),
        (_DISAGREEMENT, disagreements),
        (_STRUCTURE, [{"system": name, **error} for name, error in structure.items()]),
        (decisive, deciding),
    ):
        if rows_of_table:
            shown_tables.append(table._replace(rows=rows_of_table))
    units = max(comparison.units for comparison in result.metrics)
    documents = {m.metric: m.documents for m in result.metrics if m.documents}
    data = {
        "test": result.test,
        "samples": sampling.drawn(units, coins=result.test == "exchange"),
        "confidence": sampling.level,
        "seed": sampling.seed,
        "pairs": {comparison.metric: comparison.pairs for comparison in result.metrics},
        **({"documents": documents} if documents else {}),
        "remarks": list(result.remarks),
        **({"checked": result.checked} if result.checked else {}),
        "systems": rows,
        "people": people,
        "winners": [
            {k: v for k, v in row.items() if not k.startswith("_")}
            for row in of_winners
        ],
        "agreement": agreed,
        "structure": structure,
        "deciding": deciding,
        "signatures": list(result.signatures),
    }
    shown = Tables(
        "Comparison",
        shown_tables,
        data,
        notes=[*_notes(result, number.in_percent() if percent else number)],
        signatures=result.signatures,
        charts=[*_charts(result, rows)],
        verdicts=verdicts(result),
        subject=" and ".join(standing.system for standing in result.standings)
        if len(result.standings) < _MANY
        else several(len(result.standings), "system"),
    )
    return _with_pairs(shown, result, selection) if per_pair or selection else shown


def _by_metric(result: Comparison) -> Table:
    """Return a table with a row for each metric and a column for each system."""
    columns = [Column("metric", "metric")]
    columns += [Column(f"_{name}", name, shrinks=True) for name in _systems(result)]
    return Table("scores and clusters by metric", tuple(columns), [])


def _metric_rows(result: Comparison) -> list[dict[str, Any]]:
    """Return a row for each of several metrics: scores, with clusters in brackets."""
    if len(result.metrics) < 2:
        return []
    rows = []
    for comparison in result.metrics:
        row = {"metric": comparison.metric}
        for standing in comparison.standings:
            place = standing.rank if standing.cluster is None else standing.cluster
            score = _score(standing.values[HEADLINE])
            row[f"_{standing.system}"] = f"{score} ({place})" if standing.pairs else "-"
        rows.append(row)
    return rows


def _systems(result: Comparison) -> list[str]:
    """Return the systems, in the order of the first metric."""
    return [standing.system for standing in result.standings]


def _lacks(rows: Sequence[Row], key: str) -> bool:
    return all(row[key] is None for row in rows)


def _winner_row(winner: Winner) -> dict[str, Any]:
    interval = winner.test and winner.test.interval
    low, high = (interval.low, interval.high) if interval else (None, None)
    if winner.test is not None and winner.test.difference < 0 and interval:
        low, high = -interval.high, -interval.low
    return {
        "metric": winner.metric,
        "system": winner.best,
        "ranks": _ranks(winner.ranks),
        "second": winner.runner_up,
        "gain": winner.gain,
        "gain_low": low,
        "gain_high": high,
        "_gain_interval": Ends(low, high),
        "p_value": winner.p_value,
        "best_in": winner.best_in,
    }


def _ranks(ranks: tuple[int, int] | None) -> str | None:
    """Return a range of ranks, such as ``1–2``."""
    if ranks is None:
        return None
    return "–".join(map(str, dict.fromkeys(ranks)))


def _or_dash(ranks: str | None) -> str:
    """Return ranks, or a dash if nothing was tested."""
    return ranks or "-"


def _name(pair: Deciding | Disagreement) -> str:
    return f"pair {pair.index + 1}" if pair.id is None else pair.id


def _row(
    comparison: MetricComparison, standing: Standing, structure: Mapping[str, Row]
) -> dict[str, Any]:
    test, is_scored = standing.test, standing.score.is_defined
    row: dict[str, Any] = {
        "metric": comparison.metric,
        "system": standing.system,
        "rank": standing.rank,
        "ranks": _ranks(standing.ranks),
        "cluster": standing.cluster,
    }
    for name, value, interval in zip(
        SCORE_NAMES, standing.values, standing.intervals, strict=True
    ):
        row |= {name: value if is_scored else None} | interval_fields(name, interval)
    row |= {"baseline": comparison.baseline, "difference": test and test.difference}
    row |= interval_fields("difference", test and test.interval)
    row |= {
        "p_value": test and test.p_value,
        "p_holm": standing.corrected,
        "wins": test and test.wins,
        "f1_upper": standing.upper,
        "pairs": standing.pairs,
    }
    error = structure.get(standing.system, {})
    return row | {f"{name}_error": value for name, value in error.items()}


def _ranking(rows: Sequence[Mapping[str, Any]], level: str) -> Table:
    """Return the table of scores, intervals and tests; CSV has hidden columns, too."""
    corrected = any(row["p_holm"] is not None for row in rows)
    ranged = any(row["ranks"] is not None for row in rows)
    resampled = any(row["wins"] is not None for row in rows)
    some_lack_it = len({row["pairs"] for row in rows}) > 1
    columns = (
        Column("metric", "metric"),
        Column("system", "system"),
        Column("rank", "rank" if not ranged else None),
        Column("ranks", "rank" if ranged else None, _or_dash, rank=4),
        Column("pairs", "pairs" if some_lack_it else None),
        Column("precision", "P", _score, is_better=True, rank=3),
        Column("recall", "R", _score, is_better=True, rank=3),
        Column("score", "score", _score, is_better=True, mark="_stars"),
        Column("_interval", level, _score, rank=2),
        Column("difference", "Δ", _signed),
        Column("_difference_interval", f"Δ {level}", _signed, rank=1),
        Column("p_value", "p", p_value),
        Column("p_holm", "p (Holm)" if corrected else None, p_value),
        Column("wins", "better in %" if resampled else None, percent(), rank=5),
    )
    shown = {column.key for column in columns}
    hidden = map(Column, (key for key in rows[0] if key not in shown))
    shown_rows = []
    for row in rows:
        p = row["p_value"] if row["p_holm"] is None else row["p_holm"]
        stars = 0 if is_missing(p) else sum(p < level for level in STARS)
        of_people = {
            "_interval": Ends(row["score_low"], row["score_high"]),
            "_difference_interval": Ends(row["difference_low"], row["difference_high"]),
            "_stars": "*" * stars,
        }
        shown_rows.append({**row, **of_people})
    legend = "; ".join(f"{'*' * k}: p < {p:g}" for k, p in enumerate(STARS, 1))
    return Table("", (*columns, *hidden), shown_rows, group="metric", legend=legend)


_WINNERS = Table(
    "does the winner depend on the metric?",
    (
        Column("metric", "metric"),
        Column("system", "best"),
        Column("ranks", "rank", _or_dash),
        Column("second", "runner-up"),
        Column("gain", "Δ", _signed),
        Column("_gain_interval", "interval", _signed, rank=1),
        Column("p_value", "p (Holm)", p_value),
        Column("best_in", "best in %", percent(), rank=2),
        Column("gain_low"),
        Column("gain_high"),
    ),
)
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
)
_AGREEMENT = Table(
    "agreement of metrics on the systems",
    (
        Column("first", "metric"),
        Column("second", "metric"),
        Column("tau", "Kendall's τ", decimals(2)),
        Column("disagreement", "pairs ranked differently %", percent()),
    ),
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
        Column("share", "part of Δ", Share(5, signed=True)),
        Column("without", "Δ without it", Share(5, signed=True)),
    ),
)


def _charts(
    result: Comparison, rows: Sequence[Mapping[str, Any]]
) -> Iterator[Intervals]:
    """Yield charts of each system's score and difference, with their intervals."""
    ends = f"{100 * result.sampling.level:g} % intervals"
    for comparison in result.metrics:
        against = f"difference from {comparison.baseline}"
        for key, title, shown, mark in (
            ("score", "score", _score, None),
            ("difference", against, _signed, 0.0),
        ):
            low, high = f"{key}_low", f"{key}_high"
            charted = [
                IntervalRow(row["system"], row[low], row[key], row[high])
                for row in rows
                if row["metric"] == comparison.metric and row[low] is not None
            ]
            yield Intervals(
                f"{comparison.metric}: {title}, {ends}", charted, shown, mark
            )


def _notes(result: Comparison, number: Share) -> Iterator[str]:
    """Yield a note on the files and notes on how to read the numbers."""
    if result.checked:
        yield result.checked
    tested = [
        comparison
        for comparison in result.metrics
        if any(s.test for s in comparison.standings)
    ]
    metrics_of_note: dict[str, list[str]] = {}
    for comparison in tested:
        yield f"{comparison.metric}: Δ and p against {comparison.baseline}"
        for line in _method(result, comparison):
            metrics_of_note.setdefault(line, []).append(comparison.metric)
    for line, names in metrics_of_note.items():
        is_of_all = len(names) == len(tested)
        yield line if is_of_all else f"{', '.join(names)}: {line}"
    for comparison in result.metrics:
        for standing in comparison.standings:
            if standing.score.proven is False:
                yield (
                    f"{comparison.metric}: {standing.system} is not proven optimal: "
                    f"its score is at most {number(standing.upper)}"
                )


def _method(result: Comparison, comparison: MetricComparison) -> Iterator[str]:
    """Say how p-values and intervals were computed, or why there are none."""
    tests = [each.test for each in comparison.standings if each.test]
    units = min(test.units for test in tests)
    sampling = result.sampling
    samples = sampling.drawn(comparison.units, coins=result.test == "exchange")
    if result.test == "bootstrap" and units < FEWEST:
        few = f"{several(comparison.units, sampling.unit)}, fewer than {FEWEST}"
        if units < comparison.units:
            few = f"fewer than {FEWEST} {sampling.unit}s have what is scored"
        yield f"no bootstrap p and no intervals: {few}; --test exchange has a p"
    elif result.test == "bootstrap":
        yield (
            f"p: paired bootstrap, two-sided, {several(samples, 'sample')}; kept for "
            "comparison with older tables"
        )
    elif all(test.exact for test in tests):
        yield "p: exchange test, two-sided, exact"
    else:
        yield f"p: exchange test, two-sided, {samples:,} samples"
    least = fewest(sampling.level)
    unit = "outputs" if sampling.unit == "pair" else "documents"
    tests_without_interval = [
        t for t in tests if t.interval is None and t.differing < least
    ]
    if result.test == "exchange" and tests_without_interval:
        yield f"no interval of a difference where fewer than {least} {unit} differ"
    if sampling.method == "halves" and any(
        standing.intervals[-1] is None for standing in comparison.standings
    ):
        yield f"no interval of a score where fewer than {least} {unit} err"
    if comparison.tested > 1:
        n, tests_here = comparison.tested, len(comparison.tests)
        if n > tests_here:
            of_all = f"all {n} tests"
        elif tests_here > len(comparison.standings) - 1:
            of_all = f"all {n} pairs of systems"
        else:
            of_all = f"the {n} tests under a metric"
        yield f"p (Holm): corrected for {of_all}"
    if any(each.ranks is not None for each in comparison.standings):
        yield "rank: the range that the corrected tests allow"
    if len(result.metrics) > 1:
        if comparison.standings[0].cluster is not None:
            yield "in brackets: the cluster; the tests separate different clusters"
        else:
            yield "in brackets: the rank by score"


def _with_pairs(tables: Tables, result: Comparison, selection: Selection) -> Tables:
    """Add the chosen pairs to the tables of a comparison."""
    has_metrics = len(result.metrics) > 1
    pairs_of_index: dict[int, list[ComparedPair]] = {}
    for pair in result.per_pair():
        pairs_of_index.setdefault(pair.index, []).append(pair)
    chosen = [*selection.of_shown.chosen(pairs_of_index.values(), columns_of_pair)]
    details: list[Table] = []
    pairs: list[ComparedPair] = []
    for comparison in result.metrics:
        own_pairs = [
            pair
            for group in chosen
            for pair in group
            if pair.metric == comparison.metric
        ]
        pairs += own_pairs
        title = f"{comparison.metric}, {'chosen pairs' if selection else 'every pair'}"
        details += (
            _details(comparison, own_pairs, title if has_metrics else "")
            if own_pairs
            else ()
        )
    records = [pair.record() for pair in pairs]
    rows = [row for pair in pairs for row in pair.rows()]
    return tables._replace(
        details=details,
        data={**tables.data, "per_pair": records},
        rows=fields_table(ComparedPair.FIELDS, rows),
        lines=records,
    )


def _details(
    comparison: MetricComparison,
    pairs: Sequence[ComparedPair],
    title: str,
) -> Iterator[Table]:
    """Yield tables of the pairs: the baseline beside some of the other systems."""
    rows = []
    for pair in pairs:
        record = pair.record()
        row = {**pair.about(), "_id": pair.id or ""}
        row |= {f"_score_{name}": score for name, score in record["scores"].items()}
        row |= {f"_gain_{name}": gain for name, gain in record["differences"].items()}
        rows.append(row)
    other_systems = [
        s.system for s in comparison.standings if s.system != comparison.baseline
    ]
    for first in range(0, len(other_systems), _BESIDE):
        columns = [*PAIR]
        for name in (comparison.baseline, *other_systems[first : first + _BESIDE]):
            columns.append(Column(f"_score_{name}", name, _score, shrinks=True))
            if name != comparison.baseline:
                columns.append(Column(f"_gain_{name}", "Δ", _signed))
        yield Table(title, tuple(columns), rows)


def draw(path: str, result: Comparison) -> None:
    """Draw the systems under each metric, with their intervals, into a file."""
    from exactmatch.views.score_plots import ForestRow, forest

    level = result.sampling.level
    shown: dict[str, list[ForestRow]] = {}
    for comparison in result.metrics:
        for standing in comparison.standings:
            test, p = standing.test, standing.p_value
            ends = [
                (interval.low, interval.high) if interval else None
                for interval in (standing.intervals[HEADLINE], test and test.interval)
            ]
            score, gain = standing.values[HEADLINE], test.difference if test else None
            is_clear = p is not None and p <= 1 - level
            row = ForestRow(standing.system, score, ends[0], gain, ends[1], is_clear)
            if standing.pairs:
                shown.setdefault(comparison.metric, []).append(row)
    forest(path, shown, level)
