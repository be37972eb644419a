"""Analyses as notebooks show them: one line of text, or tables of HTML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from exactmatch.base.markup import Markup, element, joined
from exactmatch.base.numbers import (
    Ends,
    Real,
    Share,
    fixed,
    p_value,
    percent,
    scientific,
    several,
)
from exactmatch.views.tables import Column, Table

if TYPE_CHECKING:
    from exactmatch.stats.resampling import Interval
    from exactmatch.studies.agreement.agreement import Agreement
    from exactmatch.studies.audit.audit import Audit
    from exactmatch.studies.compare.compare import Comparison, Standing
    from exactmatch.studies.correlate.correlate import (
        Estimate,
        Preference,
        RankAgreement,
        SystemAgreement,
    )
    from exactmatch.studies.correlate.correlation import Correlation

_DIGITS = 4


def comparison_line(found: Comparison) -> str:
    """The systems in their order, each with what it differs by."""
    shown = []
    for standing in found.standings:
        told = f"{standing.system} {fixed(standing.values[-1], _DIGITS)}"
        if standing.test is not None:
            told += f" (Δ {fixed(standing.test.difference, _DIGITS, signed=True)}"
            p = standing.test.p_value
            told += ")" if p is None else f", p {p_value(p)})"
        shown.append(told)
    pairs = _counted(found.pairs, "pair")
    return f"{found.metric}: {', '.join(shown)}; {pairs}"


def comparison_html(found: Comparison) -> Markup:
    """The systems with intervals and tests, as a table."""
    number, signed = Share(_DIGITS), Share(_DIGITS, signed=True)
    corrected = any(s.corrected is not None for s in found.standings)
    columns = (
        Column("system", "system"),
        Column("rank", "rank"),
        Column("precision", "P", number),
        Column("recall", "R", number),
        Column("score", found.metric, number, beneath="score_ends"),
        Column("difference", "Δ", signed, beneath="difference_ends"),
        Column("p", "p", p_value),
        *((Column("corrected", "p (Holm)", p_value),) if corrected else ()),
    )
    rows = [_standing(standing) for standing in found.standings]
    about = f"{_counted(found.pairs, 'pair')}; Δ and p against {found.baseline}"
    return _page([Table("", columns, rows)], [about])


def _standing(standing: Standing) -> dict[str, Any]:
    precision, recall, score = standing.values
    row: dict[str, Any] = {
        "system": standing.system,
        "rank": standing.rank,
        "precision": precision,
        "recall": recall,
        "score": score,
        "score_ends": _ends(standing.intervals[-1]),
    }
    if standing.test is not None:
        row |= {
            "difference": standing.test.difference,
            "difference_ends": _ends(standing.test.interval),
            "p": standing.test.p_value,
            "corrected": standing.corrected,
        }
    return row


def audit_line(found: Audit) -> str:
    """The optimum, and how far the reference number of restarts fell below."""
    from exactmatch.studies.audit.hillclimbs import place

    error = found.errors[place(found.plan)]
    low, high = (fixed(v, _DIGITS) for v in (error.corpus_min, error.corpus_max))
    return (
        f"optimum {fixed(found.optimum, _DIGITS)}, {_proof(found)}; hillclimb with "
        f"{several(error.restarts, 'restart')}: {fixed(100 * error.below, 2)} % of "
        f"pairs below it, corpus {low} to {high}"
    )


def audit_html(found: Audit) -> Markup:
    """What each number of restarts does to scores, as a table."""
    corpus = Real(5)
    columns = (
        Column("restarts", "restarts"),
        Column("below", "below %", percent(2)),
        Column("ever_below", "ever below %", percent(2)),
        Column("mean_error", "mean F1 error", scientific),
        Column("worst_error", "worst", Real(_DIGITS)),
        Column("corpus_min", "corpus min", corpus),
        Column("corpus_mean", "mean", corpus),
        Column("corpus_max", "max", corpus),
        Column("graph_determinacy", "ε graph", scientific),
        Column("corpus_determinacy", "ε corpus", scientific),
    )
    keys = [column.key for column in columns]
    rows = [{key: getattr(error, key) for key in keys} for error in found.errors]
    about = f"optimum F1 {fixed(found.optimum, 6)}; {_proof(found)}"
    runs = several(found.plan.runs, "run")
    return _page([Table("", columns, rows)], [f"{about}; hillclimb, {runs} each"])


def _proof(found: Audit) -> str:
    pairs = _counted(len(found.values), "pair")
    open_pairs = f"{found.unproven:,} not proven" if found.unproven else "all proven"
    return f"{pairs}, {open_pairs}"


def correlation_line(found: Correlation) -> str:
    """Each metric's correlations with people."""
    shown = [
        f"{one.metric} r {fixed(one.pearson.value, _DIGITS)}, "
        f"ρ {fixed(one.spearman.value, _DIGITS)}, "
        f"τ {fixed(one.kendall.value, _DIGITS)}"
        for one in found.metrics
    ]
    return f"{'; '.join(shown)}; {_counted(_most(found), 'pair')}"


def correlation_html(found: Correlation) -> Markup:
    """Correlations and errors with their intervals, as a table."""
    titles = {
        "pearson": "Pearson's r",
        "spearman": "Spearman's ρ",
        "kendall": "Kendall's τ",
        "rmse": "RMSE",
        "quantile_rmse": "RMSE (quantiles)",
    }
    measured = [m for m in titles if any(m in one.measures for one in found.metrics)]
    rows = []
    for one in found.metrics:
        row: dict[str, Any] = {"metric": one.metric, "pairs": one.pairs}
        for name, estimate in one.measures.items():
            row |= _estimated(name, estimate)
        rows.append(row)
    columns = [Column("metric", "metric"), Column("pairs", "pairs")]
    columns += [_estimates(name, titles[name]) for name in measured]
    return _page([Table("", tuple(columns), rows)], _tested(found.tests))


def _most(found: Correlation) -> int:
    return max((one.pairs for one in found.metrics), default=0)


def preferences_line(found: Mapping[str, Preference], foils: bool) -> str:
    """How often each metric prefers what it should."""
    shown = [
        f"{metric} {fixed(100 * one.accuracy.value, 1)} % ({one.right:,} right, "
        f"{one.tied:,} tied, {one.decided - one.right - one.tied:,} wrong)"
        for metric, one in found.items()
    ]
    what = "originals preferred to foils" if foils else "preferences"
    return f"{what}: {'; '.join(shown)}"


def preferences_html(
    found: Mapping[str, Preference], foils: bool, tests: Sequence[Any]
) -> Markup:
    """Right and wrong preferences, as a table."""
    rows = [
        {
            "metric": metric,
            "decided": one.decided,
            "right": one.right,
            "tied": one.tied,
            "wrong": one.decided - one.right - one.tied,
            "undecided": one.undecided,
            **_estimated("accuracy", one.accuracy),
        }
        for metric, one in found.items()
    ]
    columns = [
        Column("metric", "metric"),
        Column("decided", "originals" if foils else "decided"),
        *(Column(key, key) for key in ("right", "tied", "wrong")),
        *(() if foils else (Column("undecided", "undecided"),)),
        _estimates("accuracy", "accuracy"),
    ]
    return _page([Table("", tuple(columns), rows)], _tested(tests))


def systems_line(
    systems: Mapping[str, SystemAgreement], segments: Mapping[str, RankAgreement]
) -> str:
    """How far each metric agrees with people about systems, and about outputs."""
    shown = []
    for metric, one in systems.items():
        told = f"{metric} r {fixed(one.pearson.value, _DIGITS)}, {one.right} of "
        told += f"{several(one.pairs, 'pair')} in the same order"
        if metric in segments:
            told += f", τ {fixed(segments[metric].tau.value, _DIGITS)}"
        shown.append(told)
    count = max((one.systems for one in systems.values()), default=0)
    return f"{'; '.join(shown)}; {several(count, 'system')}"


def systems_html(
    names: Sequence[str],
    people: Sequence[float],
    scores: Mapping[str, Sequence[float]],
    systems: Mapping[str, SystemAgreement],
    segments: Mapping[str, RankAgreement],
    tests: Sequence[Any],
) -> Markup:
    """Metrics against people, and the systems with both their scores."""
    rows = []
    for metric, one in systems.items():
        row: dict[str, Any] = {"metric": metric, "systems": one.systems}
        row |= _estimated("pearson", one.pearson)
        row |= {"accuracy": one.accuracy, "pairs": one.pairs}
        if metric in segments:
            row |= _estimated("tau", segments[metric].tau)
        rows.append(row)
    columns = (
        Column("metric", "metric"),
        Column("systems", "systems"),
        _estimates("pearson", "Pearson's r"),
        Column("accuracy", "same order %", percent()),
        Column("pairs", "of pairs"),
        *((_estimates("tau", "Kendall's τ (WMT)"),) if segments else ()),
    )
    standings = [
        {"system": name, "human": people[k], **{m: scores[m][k] for m in scores}}
        for k, name in enumerate(names)
    ]
    ranking = (
        Column("system", "system"),
        Column("human", "people", Real(2)),
        *(Column(name, name, Share(_DIGITS)) for name in scores),
    )
    tables = [Table("", columns, rows), Table("", ranking, standings)]
    return _page(tables, _tested(tests))


def agreement_line(found: Agreement) -> str:
    """The mean score and α."""
    units = _counted(found.chance.units, "shared unit")
    people = several(len(found.annotators), "annotator")
    proven = "all proven" if found.proven else "not all proven"
    mean, alpha = (fixed(v, _DIGITS) for v in (found.mean, found.chance.alpha))
    return f"mean F1 {mean}, α {alpha}; {people}, {units}, {proven}"


def agreement_html(found: Agreement) -> Markup:
    """Every two annotators, and the kinds of triples, as tables."""
    number = Share(_DIGITS)
    drawn = found.intervals.pairs if found.intervals else [None] * len(found.pairs)
    pairs = [
        {
            "first": pair.first,
            "second": pair.second,
            "units": pair.units,
            "f1": pair.score and pair.score.score,
            "f1_ends": _ends(interval),
        }
        for pair, interval in zip(found.pairs, drawn, strict=True)
    ]
    kinds = [
        {"kind": k.name, "matched": k.matched, "stated": k.stated, "f1": k.f1}
        for k in found.kinds
    ]
    columns = (
        Column("first", "annotator"),
        Column("second", "annotator", is_text=True),
        Column("units", "units"),
        Column("f1", "F1", number, beneath="f1_ends"),
    )
    by_kind = (
        Column("kind", "kind"),
        Column("matched", "agreed"),
        Column("stated", "stated"),
        Column("f1", "F1", number),
    )
    tables = [Table("", columns, pairs), Table("", by_kind, kinds)]
    return _page(tables, [agreement_line(found)])


def _tested(tests: Sequence[Any]) -> Iterator[str]:
    """The metrics that were tested against each other, a sentence each."""
    for test in tests:
        p = test.p_value if test.corrected is None else test.corrected
        corrected = "" if test.corrected is None else " (Holm)"
        yield f"{test.first} against {test.second}: p {p_value(p)}{corrected}"


def _estimates(name: str, title: str) -> Column:
    return Column(name, title, Real(_DIGITS), beneath=f"{name}_ends")


def _estimated(name: str, estimate: Estimate) -> dict[str, Any]:
    return {name: estimate.value, f"{name}_ends": _ends(estimate.interval)}


def _ends(interval: Interval | None) -> Ends | str:
    return "" if interval is None else Ends(interval.low, interval.high)


def _counted(number: int, what: str) -> str:
    return several(number, what).replace(str(number), f"{number:,}", 1)


def _page(tables: Sequence[Table], sentences: Iterator[str] | Sequence[str]) -> Markup:
    from exactmatch.views.page import table_of

    shown = [table_of(table) for table in tables]
    return joined([*shown, *(element("p", sentence) for sentence in sentences)])
