"""What is shown of metrics compared with people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from exactmatch.base.numbers import (
    Ends,
    Real,
    Share,
    between,
    decimals,
    p_value,
    percent,
)
from exactmatch.stats.resampling import FEWEST, Bootstrap, Interval
from exactmatch.studies.correlate.assessments import Assessments
from exactmatch.studies.correlate.correlate import (
    Estimate,
    Preference,
    RankAgreement,
    SystemAgreement,
)
from exactmatch.studies.correlate.correlation import Correlation
from exactmatch.studies.correlate.judges import JudgesAgreement
from exactmatch.studies.correlate.rival_metrics import AccuracyTest, WilliamsTest
from exactmatch.views.tables import Column, Table, Tables

MEASURES = {
    "rmse": "RMSE",
    "quantile_rmse": "RMSE (quantiles)",
    "pearson": "Pearson's r",
    "spearman": "Spearman's ρ",
    "kendall": "Kendall's τ",
}
"""What is measured where people gave scores, by its name in CSV and JSON."""


def pair_tables(
    found: Correlation, bootstrap: Bootstrap, signatures: Sequence[str]
) -> Tables:
    """Metrics compared with people's scores of pairs.

    Args:
        found: what was measured.
        bootstrap: how the errors' intervals were made.
        signatures: the metrics'.
    """
    level = f"{100 * bootstrap.level:g} %"
    rows = []
    for one in found.metrics:
        row: dict[str, Any] = {"metric": one.metric, "pairs": one.pairs}
        for name in MEASURES:
            row |= _estimated(name, one.measures.get(name), level)
        rows.append(row)
    columns = [Column("metric", "metric"), Column("pairs", "pairs")]
    for name, title in MEASURES.items():
        columns += _interval_columns(name, title, level)
    few = any(one.pairs < FEWEST for one in found.metrics)
    note = (
        "intervals: correlations by Fisher's z, RMSE by "
        f"{bootstrap.samples} bootstrap samples (percentile), seed {bootstrap.seed}"
        + (f"; none of RMSE below {FEWEST} pairs" if few else "")
    )
    drawn = ":".join(bootstrap.signature())
    tests, judges = found.tests, found.judges
    tables = (Table("", tuple(columns), rows), *_williams(tests), *_judges(judges))
    data = {
        "pairs": max(one.pairs for one in found.metrics),
        "confidence": bootstrap.level,
        "metrics": [_plain(row) for row in rows],
        "williams": [asdict(test) for test in tests],
        "judges": asdict(judges) if judges else None,
    }
    return _answer(
        tables,
        data,
        (note, *_williams_note(tests)),
        [f"{signature}|{drawn}" for signature in signatures],
    )


def preference_tables(
    found: Mapping[str, Preference],
    tests: Sequence[AccuracyTest],
    judges: JudgesAgreement | None,
    foils: bool,
    bootstrap: Bootstrap,
    signatures: Sequence[str],
) -> Tables:
    """Metrics compared with people's preferences, or tested on foils.

    Args:
        found: each metric's right and wrong preferences.
        tests: the metrics against each other.
        judges: how far judges agree, where there are several.
        foils: whether an original had to be told from a foil.
        bootstrap: its level is that of the intervals.
        signatures: the metrics'.
    """
    rows = []
    for metric, preference in found.items():
        interval = preference.accuracy.interval
        rows.append(
            {
                "metric": metric,
                "decided": preference.decided,
                "right": preference.right,
                "tied": preference.tied,
                "wrong": preference.decided - preference.right - preference.tied,
                "undecided": preference.undecided,
                "accuracy": preference.accuracy.value,
                "accuracy_low": interval.low if interval else None,
                "accuracy_high": interval.high if interval else None,
            }
        )
    level = f"{100 * bootstrap.level:g} %"
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
            Column("accuracy_low", f"{level} from", percent()),
            Column("accuracy_high", "to", percent()),
        ),
        rows,
    )
    notes = ["accuracy: right of decided, ties not right; Wilson's interval"]
    if tests:
        notes.append("p: McNemar's exact test of the two metrics' right decisions")
    data = {
        "foils": foils,
        "confidence": bootstrap.level,
        "metrics": rows,
        "mcnemar": [asdict(test) for test in tests],
        "judges": asdict(judges) if judges else None,
    }
    found_out = (table, *_mcnemar(tests), *_judges(judges))
    return _answer(found_out, data, notes, signatures)


def system_tables(
    people: Assessments,
    scores: Mapping[str, Sequence[float]],
    systems: Mapping[str, SystemAgreement],
    segments: Mapping[str, RankAgreement],
    tests: Sequence[WilliamsTest],
    judges: JudgesAgreement | None,
    bootstrap: Bootstrap,
    signatures: Sequence[str],
) -> Tables:
    """Metrics compared with people's judgement of systems, and of their outputs.

    Args:
        people: what people said.
        scores: each metric's scores of the systems.
        systems: each metric against people's scores of systems.
        segments: each metric against people's order of outputs, where they judged
            any.
        tests: the metrics against each other, over systems.
        judges: how far judges agree, where there are several.
        bootstrap: how τ's intervals were made.
        signatures: the metrics'.
    """
    level = f"{100 * bootstrap.level:g} %"
    human = people.scores()[0].tolist()
    standings = [
        {"system": name, "human": human[k], **{m: scores[m][k] for m in scores}}
        for k, name in enumerate(people.systems)
    ]
    rows = []
    for metric, found in systems.items():
        row: dict[str, Any] = {"metric": metric, "systems": found.systems}
        row |= _estimated("pearson", found.pearson, level)
        row |= {
            "system_accuracy": found.accuracy,
            "system_pairs": found.pairs,
            "system_right": found.right,
        }
        ranks = segments.get(metric)
        if ranks is not None:
            row |= {
                "pairs": ranks.pairs,
                "concordant": ranks.concordant,
                "discordant": ranks.discordant,
                "tied": ranks.tied,
            }
            row |= _estimated("tau", ranks.tau, level)
        rows.append(row)
    table = Table(
        "metrics against people",
        (
            Column("metric", "metric"),
            Column("systems", "systems"),
            *_interval_columns("pearson", "Pearson's r", level),
            Column("system_accuracy", "same order %", percent()),
            Column("system_pairs", "of pairs"),
            Column("system_right"),
            *(_segment_columns(level) if segments else ()),
        ),
        rows,
    )
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
        "confidence": bootstrap.level,
        "margin": people.margin,
        "undecided": people.undecided,
        "systems": standings,
        "metrics": [_plain(row) for row in rows],
        "williams": [asdict(test) for test in tests],
        "judges": asdict(judges) if judges else None,
    }
    drawn = ":".join(bootstrap.signature())
    return _answer(
        (table, ranking, *_williams(tests), *_judges(judges)),
        data,
        (*_people_notes(people), *_williams_note(tests)),
        [f"{signature}|{drawn}" for signature in signatures],
    )


def _answer(
    tables: Sequence[Table],
    data: Mapping[str, Any],
    notes: Sequence[str],
    signatures: Sequence[str],
) -> Tables:
    return Tables(
        "Correlation",
        tables,
        {**data, "signatures": list(signatures)},
        notes=notes,
        signatures=signatures,
    )


def _segment_columns(level: str) -> tuple[Column, ...]:
    return (
        Column("pairs", "outputs: pairs"),
        Column("concordant", "concordant"),
        Column("discordant", "discordant"),
        Column("tied", "tied"),
        *_interval_columns("tau", "Kendall's τ (WMT)", level),
    )


def _people_notes(people: Assessments) -> list[str]:
    """Where people's scores and pairs come from."""
    if people.outputs is None:
        return ["people: scores of whole systems"]
    if people.counted:
        what = "times that a system's output was preferred"
        close = f"{people.undecided} comparisons without a winner are left out"
    else:
        what = "mean score of a system's outputs"
        close = (
            f"pairs of outputs are more than {people.margin:g} apart (daRR); "
            f"{people.undecided} closer ones are left out"
        )
    return [f"people: {what}", f"{close}; a metric's tie is discordant"]


def _estimated(name: str, estimate: Estimate | None, level: str) -> dict[str, Any]:
    """A number with its interval, for programs and for people."""
    interval = estimate.interval if estimate else None
    ends = _ends(interval)
    shown = between(*ends, 3)
    return {
        name: estimate.value if estimate else None,
        f"{name}_low": interval.low if interval else None,
        f"{name}_high": interval.high if interval else None,
        f"_{name}": Ends(*ends),
        f"_{name}_ends": f"{level} {shown}" if interval else "",
        f"_{name}_value": estimate.value if estimate else None,
    }


def _interval_columns(name: str, title: str, level: str) -> tuple[Column, ...]:
    """A number and its interval: beneath it on pages, else beside it."""
    beside = ("text", "latex")
    return (
        Column(name, title, Real(4), formats=beside),
        Column(f"_{name}", level, Real(3), formats=beside),
        Column(
            f"_{name}_value",
            title,
            Real(4),
            exact=name,
            beneath=f"_{name}_ends",
            formats=("html",),
        ),
        Column(f"{name}_low"),
        Column(f"{name}_high"),
    )


def _ends(interval: Interval | None) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else (interval.low, interval.high)


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row without what is for people alone."""
    return {key: value for key, value in row.items() if not key.startswith("_")}


def _williams(tests: Sequence[WilliamsTest]) -> tuple[Table, ...]:
    if not tests:
        return ()
    several = any(test.corrected is not None for test in tests)
    table = Table(
        "which metric correlates better (Williams' test)",
        (
            Column("first", "metric"),
            Column("second", "metric"),
            Column("n", "n"),
            Column("r_first", "r first", Real(4)),
            Column("r_second", "r second", Real(4)),
            Column("r_between", "r of both", Real(4)),
            Column("t", "t", decimals(2)),
            Column("p_value", "p", p_value),
            Column("corrected", "p (Holm)" if several else None, p_value),
        ),
        [asdict(test) for test in tests],
    )
    return (table,)


def _williams_note(tests: Sequence[WilliamsTest]) -> tuple[str, ...]:
    if not tests:
        return ()
    return ("p: Williams' test, two-sided; WMT's one-sided p is half of it",)


def _mcnemar(tests: Sequence[AccuracyTest]) -> tuple[Table, ...]:
    if not tests:
        return ()
    several = any(test.corrected is not None for test in tests)
    table = Table(
        "which metric is right more often (McNemar's test)",
        (
            Column("first", "metric"),
            Column("second", "metric"),
            Column("decided", "decided"),
            Column("only_first", "only first right"),
            Column("only_second", "only second right"),
            Column("p_value", "p", p_value),
            Column("corrected", "p (Holm)" if several else None, p_value),
        ),
        [asdict(test) for test in tests],
    )
    return (table,)


def _judges(found: JudgesAgreement | None) -> tuple[Table, ...]:
    if found is None:
        return ()
    scored = found.correlation == found.correlation
    table = Table(
        "agreement of judges",
        (
            Column("judges", "judges"),
            Column("items", "judged by two or more"),
            Column("unanimous", "unanimous %", percent()),
            Column("pairwise", "two agree %", percent()),
            Column("kappa", None if scored else "Fleiss' κ", Real(3)),
            Column("alpha", "Krippendorff's α", Real(3)),
            Column("correlation", "mean r of two" if scored else None, Real(3)),
        ),
        [asdict(found)],
    )
    return (table,)
