"""View of a comparison of metrics with people."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from exactmatch.base.numbers import (
    Real,
    Share,
    decimals,
    ends_of,
    interval_fields,
    p_value,
    percent,
    several,
)
from exactmatch.studies.correlate.assessments import Assessments
from exactmatch.studies.correlate.measures import Estimate, complete
from exactmatch.studies.correlate.results import (
    Correlation,
    OneCorrelation,
    PreferenceCorrelation,
    SystemCorrelation,
    verdicts,
)
from exactmatch.studies.options import selection_of
from exactmatch.views.tables import PAIR, Column, Table, Tables, fields_table

_BESIDE = 4  # metrics side by side in a table, so that it has 80 columns
_MEASURES = {
    "rmse": "RMSE",
    "quantile_rmse": "RMSE (quantiles)",
    "pearson": "Pearson's r",
    "spearman": "Spearman's ρ",
    "kendall": "Kendall's τ",
}
"""Titles of the measures for people's scores, by their names in CSV and JSON."""


def pair_tables(answer: Correlation, per_pair: bool = False, **chosen: Any) -> Tables:
    """Return the tables of metrics and people's scores of pairs.

    Pairs are shown if all are, or if options of
    :class:`~exactmatch.studies.options.Selecting` choose some.
    """
    sampling = answer.sampling
    level = f"{100 * sampling.level:g} %"
    rows = []
    for correlation in answer.metrics:
        row: dict[str, Any] = {"metric": correlation.metric, "pairs": correlation.pairs}
        for name in _MEASURES:
            row |= _estimated(name, getattr(correlation, name), level)
        rows.append(row)
    columns = [Column("metric", "metric"), Column("pairs", "pairs")]
    for name, title in _MEASURES.items():
        columns += _interval_columns(name, title, level)
    drawn, unit = sampling.drawn(answer.pairs), f"{sampling.unit}s"
    note = f"intervals: random halves of the {unit} ({drawn:,}), seed {sampling.seed}"
    data = {"pairs": answer.pairs, "confidence": sampling.level}
    shown = _answer(answer, [Table("", tuple(columns), rows)], data, [note])
    return _with_pairs(shown, answer, answer.people, per_pair, chosen)


def preference_tables(
    answer: PreferenceCorrelation, per_pair: bool = False, **chosen: Any
) -> Tables:
    """Return the tables of metrics and people's preferences, or foils."""
    counted = ("decided", "right", "tied", "wrong", "undecided")
    rows = [
        {
            "metric": metric,
            **{name: getattr(preference, name) for name in counted},
            "accuracy": preference.accuracy.value,
            **interval_fields("accuracy", preference.accuracy.interval),
        }
        for metric, preference in answer.preferences.items()
    ]
    foils, level = answer.foils, answer.sampling.level
    table = Table(
        "originals preferred to foils" if foils else "preference of two graphs",
        (
            Column("metric", "metric"),
            Column("decided", "originals" if foils else "decided"),
            Column("right", "right"),
            Column("tied", "tied"),
            Column("wrong", "wrong"),
            Column("undecided", None if foils else "undecided"),
            Column("accuracy", "accuracy %", percent()),
            Column("accuracy_low", f"{100 * level:g} % from", percent()),
            Column("accuracy_high", "to", percent()),
        ),
        rows,
    )
    note = "accuracy: right of decided, ties not right; "
    note += (
        "Wilson's interval"
        if answer.sampling.unit == "pair"
        else "interval from random halves of the documents"
    )
    shown = _answer(answer, [table], {"foils": foils, "confidence": level}, [note])
    wishes = [wish for choice in answer.choices for wish in (choice, 1 - choice)]
    judged_by = "original" if foils else "people"
    return _with_pairs(shown, answer, wishes, per_pair, chosen, judged_by)


def system_tables(answer: SystemCorrelation, **_: Any) -> Tables:
    """Return the tables of metrics and people's judgement of systems and outputs."""
    level, people = f"{100 * answer.sampling.level:g} %", answer.judgement
    scores = answer.scores
    standings = [
        {"system": name, "human": human, **{m: scores[m][k] for m in scores}}
        for k, (name, human) in enumerate(zip(answer.names, answer.people, strict=True))
    ]
    rows = [_system_row(answer, metric, level) for metric in answer.systems]
    of_systems, of_outputs = _system_columns(answer, level)
    tables = [Table("systems: metrics against people", of_systems, rows)]
    if answer.segments:
        tables.append(Table("outputs: metrics against people", of_outputs, rows))
    ranking = Table(
        "systems",
        (
            Column("system", "system"),
            Column("human", "people", decimals(2)),
            *(Column(name, name, Share(4)) for name in scores),
        ),
        standings,
    )
    data = {
        "confidence": answer.sampling.level,
        "margin": people.margin,
        "undecided": people.undecided,
        "systems": standings,
    }
    if answer.rivals:
        tables.append(_rivals(answer))
        data["rivals"] = [asdict(test) for test in answer.rivals]
    shown = _answer(answer, [*tables, ranking], data, _system_notes(answer))
    fields = dict.fromkeys(name for table in tables[:2] for name in table.fields)
    return shown._replace(rows=fields_table(tuple(fields), rows))


def _system_row(answer: SystemCorrelation, metric: str, level: str) -> dict[str, Any]:
    """Return the row of one metric."""
    agreement = answer.systems[metric]
    row = {
        "metric": metric,
        "systems": agreement.systems,
        **_estimated("soft", agreement.soft, level),
        **_estimated("pearson", agreement.pearson, level),
        "system_accuracy": agreement.accuracy.value,
        **interval_fields("system_accuracy", agreement.accuracy.interval),
        "system_pairs": agreement.pairs,
        "system_right": agreement.right,
    }
    if metric in answer.segments:
        ranks = answer.segments[metric]
        counted = ("pairs", "concordant", "discordant", "tied")
        row |= {name: getattr(ranks, name) for name in counted}
        row |= _estimated("tau", ranks.tau, level)
    if metric in answer.outputs:
        outputs = answer.outputs[metric]
        row |= {"groups": outputs.groups, "epsilon": outputs.epsilon}
        for name, estimate in (
            ("acc_eq", outputs.accuracy),
            ("output_pearson", outputs.pearson),
            ("output_spearman", outputs.spearman),
            ("output_kendall", outputs.kendall),
        ):
            row |= _estimated(name, estimate, level)
    if metric in answer.ranks:
        ranked = answer.ranks[metric]
        row |= {"soft_rank": ranked.soft, "acc_eq_rank": ranked.accuracy}
    return row


def _system_columns(
    answer: SystemCorrelation, level: str
) -> tuple[tuple[Column, ...], tuple[Column, ...]]:
    """Return the columns of the table of systems and of the table of outputs."""
    has_soft = any(
        not math.isnan(agreement.soft.value) for agreement in answer.systems.values()
    )
    soft = (
        *_interval_columns("soft", "soft accuracy", level),
        *((Column("soft_rank", "rank (WMT)"),) if answer.ranks else ()),
    )
    of_systems = (
        Column("metric", "metric"),
        Column("systems", "systems"),
        *(soft if has_soft else ()),
        *_interval_columns("pearson", "Pearson's r", level),
        Column("system_accuracy", "same order %", percent()),
        Column("system_accuracy_low"),
        Column("system_accuracy_high"),
        Column("system_pairs", "of pairs"),
        Column("system_right"),
    )
    accuracy = (
        Column("groups", "groups", rank=2),
        *_interval_columns("acc_eq", "acc_eq", level),
        Column("epsilon", "ε", Real(4)),
        *((Column("acc_eq_rank", "rank (WMT)"),) if answer.ranks else ()),
        *_interval_columns("output_pearson", "mean r", level),
        *_interval_columns("output_spearman", "mean ρ", level),
        *_interval_columns("output_kendall", "mean τ-b", level),
    )
    of_outputs = (
        Column("metric", "metric"),
        Column("pairs", "pairs"),
        Column("concordant", "concordant"),
        Column("discordant", "discordant"),
        Column("tied", "tied", rank=1),
        *_interval_columns("tau", "Kendall's τ (WMT)", level),
        *(accuracy if answer.outputs else ()),
    )
    return of_systems, of_outputs


def _rivals(answer: SystemCorrelation) -> Table:
    """Return the table of permutation tests of every two metrics."""
    is_one = len(answer.rivals) == 1
    return Table(
        "which metric agrees better (permutation tests)",
        (
            Column("first", "metric"),
            Column("second", "metric"),
            Column("soft", "Δ soft accuracy", Real(4, signed=True)),
            Column("soft_p", "p", p_value),
            Column("soft_corrected", None if is_one else "p (Holm)", p_value),
            Column("accuracy", "Δ acc_eq", Real(4, signed=True)),
            Column("accuracy_p", "p", p_value),
            Column("accuracy_corrected", None if is_one else "p (Holm)", p_value),
        ),
        [asdict(test) for test in answer.rivals],
    )


def _system_notes(answer: SystemCorrelation) -> list[str]:
    """Explain how the numbers were computed, and what they mean."""
    people, sampling = answer.judgement, answer.sampling
    notes = _people_notes(people)
    unit = "segments" if sampling.unit == "pair" else "documents"
    unit = "systems" if people.outputs is None else unit
    notes.append(f"intervals: random halves of the {unit}, seed {sampling.seed}")
    if answer.outputs:
        within = {"item": "one segment", "system": "one system"}
        group = within.get(answer.group_by, "all outputs")
        notes.append(
            f"acc_eq and means: outputs within {group}; ε is fitted on these data"
        )
    if answer.ranks:
        notes.append(
            "rank (WMT): clusters of one-sided, uncorrected tests at 5 %; neighbours "
            "with different ranks need not differ significantly"
        )
    return notes


def _answer(
    answer: OneCorrelation,
    tables: Sequence[Table],
    data: Mapping[str, Any],
    notes: Sequence[str],
) -> Tables:
    """Return an answer's tables with the tests of metrics and the judges' agreement.

    The first table has a row for each metric.
    """
    is_choice = isinstance(answer, PreferenceCorrelation)
    name, title, compared, note = _MCNEMAR if is_choice else _WILLIAMS
    tests = [asdict(test) for test in answer.tests]
    if tests:
        is_one = tests[0]["corrected"] is None
        columns = [
            Column("first", "metric"),
            Column("second", "metric"),
            *compared,
            Column("p_value", "p", p_value),
            Column("corrected", None if is_one else "p (Holm)", p_value),
        ]
        tables = [*tables, Table(title, tuple(columns), tests)]
        notes = [*notes, note]
    judges = asdict(answer.judges) if answer.judges else None
    if judges:
        is_scored = not math.isnan(judges["correlation"])
        columns = [
            Column("judges", "judges"),
            Column("items", "judged by two or more"),
            Column("unanimous", "unanimous %", percent()),
            Column("pairwise", "two agree %", percent()),
            Column("kappa", None if is_scored else "Fleiss' κ", Real(3)),
            Column("alpha", "Krippendorff's α", Real(3)),
            Column("correlation", "mean r of two" if is_scored else None, Real(3)),
        ]
        tables = [*tables, Table("agreement of judges", tuple(columns), [judges])]
    metrics = [  # without fields that are only displayed
        {key: value for key, value in row.items() if not key.startswith("_")}
        for row in tables[0].rows
    ]
    signatures = list(answer.signatures)
    judged = {name: tests, "judges": judges, "signatures": signatures}
    remarks = filter(None, [answer.remark_on_unjudged])
    return Tables(
        "Correlation",
        tables,
        {**data, "metrics": metrics, **judged, "unjudged": answer.unjudged},
        notes=[*notes, *remarks],
        signatures=answer.signatures,
        verdicts=verdicts(answer),
    )


def _with_pairs(
    tables: Tables,
    answer: Correlation | PreferenceCorrelation,
    people: Iterable[float],
    per_pair: bool,
    chosen: Mapping[str, Any],
    judged_by: str = "people",
) -> Tables:
    """Add the chosen pairs to the tables.

    The column *judged_by* has people's judgement of each pair.
    """
    selection = selection_of(chosen)
    if not (per_pair or selection):
        return tables
    pairs: list[dict[str, Any]] = [
        {
            "index": index,
            "id": answer.ids.get(index),
            judged_by: _known(preference),
            "scores": {
                name: _known(metric_scores[index])
                for name, metric_scores in answer.scores.items()
            },
        }
        for index, preference in enumerate(people)
    ]
    objects = [*selection.chosen(pairs, _columns)]
    rows = [{**pair, "_id": pair["id"] or "", **pair["scores"]} for pair in objects]
    names = list(answer.scores)
    pair_columns = *PAIR, Column(judged_by, judged_by, Real(2))
    scores = [Column(name, name, Share(4), shrinks=True) for name in names]
    return tables._replace(
        details=[
            Table("", (*pair_columns, *scores[first : first + _BESIDE]), rows)
            for first in range(0, len(names), _BESIDE)
        ],
        data={**tables.data, "per_pair": objects},
        rows=fields_table(("index", "id", judged_by, *names), rows),
        lines=objects,
    )


def _columns(pair: Mapping[str, Any]) -> dict[str, Any]:
    """Return a pair's columns: each metric's score, and the first one as ``score``."""
    scores = pair["scores"]
    return {**pair, "score": next(iter(scores.values())), **scores}


def _known(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _people_notes(people: Assessments) -> list[str]:
    """Explain where people's scores and pairs come from."""
    if people.outputs is None:
        return ["people: scores of whole systems"]
    if people.counted:
        quantity = "times that a system's output was preferred"
        close = f"{several(people.undecided, 'comparison')} without a winner"
    else:
        quantity = "mean score of a system's outputs"
        close = (
            "only pairs of outputs whose scores by people differ by "
            f"{people.margin:g} or more count (daRR); "
            f"{several(people.undecided, 'closer pair')}"
        )
    are_left_out = "is left out" if people.undecided == 1 else "are left out"
    return [
        f"people: {quantity}",
        f"{close} {are_left_out}",
        "where a metric scores both outputs of a pair alike, it disagrees with people",
    ]


def _estimated(name: str, estimate: Estimate | None, level: str) -> dict[str, Any]:
    """Return the fields of a number and its interval."""
    value = estimate.value if estimate else None
    interval = estimate.interval if estimate else None
    ends = ends_of(interval)
    return {
        name: value,
        **interval_fields(name, interval),
        f"_{name}": ends,
        f"_{name}_ends": f"{level} {Real(3)(ends)}" if interval else "",
        f"_{name}_value": value,
    }


def _interval_columns(name: str, title: str, level: str) -> tuple[Column, ...]:
    """Return the columns of a number and its interval, beneath it on pages."""
    in_column, page, ends = ("text", "latex"), ("html",), f"_{name}_ends"
    four = Real(4)
    return (
        Column(name, title, four, formats=in_column),
        Column(f"_{name}", level, Real(3), formats=in_column, rank=2),
        Column(f"_{name}_value", title, four, exact=name, beneath=ends, formats=page),
        Column(f"{name}_low"),
        Column(f"{name}_high"),
    )


_WILLIAMS = (
    "williams",
    "which metric correlates better (Williams' test)",
    (
        Column("n", "n"),
        Column("r_first", "r first", Real(4)),
        Column("r_second", "r second", Real(4)),
        Column("r_between", "r of both", Real(4)),
        Column("t", "t", decimals(2)),
    ),
    "p: Williams' test, two-sided; WMT's one-sided p is half of it",
)
_MCNEMAR = (
    "mcnemar",
    "which metric is right more often (McNemar's test)",
    (
        Column("decided", "decided"),
        Column("only_first", "only first right"),
        Column("only_second", "only second right"),
    ),
    "p: McNemar's exact test of the two metrics' right decisions",
)


def draw(path: str, answer: OneCorrelation) -> None:
    """Draw metrics against people into a file."""
    from exactmatch.views import pictures

    if isinstance(answer, PreferenceCorrelation):
        shown = {}
        names = ("foils", "originals") if answer.foils else ("first", "second")
        for metric, metric_scores in answer.scores.items():
            sides = complete(metric_scores[0::2], metric_scores[1::2], answer.choices)
            for name, side in zip(names, sides, strict=False):
                shown[f"{metric}, {name}"] = side
        pictures.score_densities(path, shown)
        return
    human = np.array(answer.people)
    if isinstance(answer, SystemCorrelation):
        clouds = [
            pictures.Cloud(metric, human, np.array(metric_scores), answer.names)
            for metric, metric_scores in answer.scores.items()
        ]
        pictures.human_scatter(path, clouds)
        return
    clouds = []
    for metric, scores in answer.scores.items():
        people, metric_scores = complete(human, scores)
        clouds.append(pictures.Cloud(metric, people, metric_scores))
    all_scores = {"people": human, **answer.scores}
    densities = {
        name: complete(metric_scores)[0] for name, metric_scores in all_scores.items()
    }
    pictures.human_scatter(path, clouds, densities if answer.is_comparable else None)
