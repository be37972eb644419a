"""View of an audit: tables, data and a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from exactmatch.base.numbers import (
    Real,
    decimals,
    ends_of,
    fixed,
    from_one,
    percent,
    scientific,
    several,
)
from exactmatch.engine.explain import AlignedPair
from exactmatch.scoring.resampling import Sampling, signed_as
from exactmatch.scoring.results import name_of
from exactmatch.scoring.tables import notes_of
from exactmatch.studies.audit.results import Against, Audit, Failure, MetricAudit
from exactmatch.studies.audit.summary import published_interval, verdicts
from exactmatch.studies.score.figures import Example, compared, examples
from exactmatch.views.tables import Column, Table, Tables

_FAILURE = ("index", "id", "optimum", "climbed", "f1", "climbed_f1", "seed")
_CHANGING = {
    "graph_determinacy": "ε graph",
    "corpus_determinacy": "ε corpus",
    "mean_violation": "msv",
}
"""Errors that Opitz et al. (2020), table 5, compare between two metrics."""

_SEARCH = (
    Column("below", "below %", percent(2)),
    Column("ever_below", "ever below %", percent(2), rank=1),
    Column("mean_error", "mean F1 error", scientific, rank=2),
    Column("worst_error", "worst", Real(4), rank=3),
    Column("lost", "triples lost", decimals(1), rank=4),
    Column("corpus_min", "corpus min", Real(5)),
    Column("corpus_mean", "mean", Real(5)),
    Column("corpus_max", "max", Real(5)),
)
_ERRORS = "determinacy error ε, symmetry violation ratio and mean (0 at the optimum)"
_DETERMINACY = (
    Column("graph_determinacy", "ε graph", scientific),
    Column("corpus_determinacy", "ε corpus", scientific),
)
_SYMMETRY = (
    Column("violation_ratio", "svr %", percent(2)),
    Column("mean_violation", "msv", scientific),
    Column("corpus_violation", "corpus violation", scientific),
)


def tables(result: Audit, show: int = 5, digits: int | None = None) -> Tables:
    """Return all tables of an audit, with *show* failures of each metric.

    Scores in sentences have 4 *digits* by default, small differences 6.
    """
    short, long = (4, 6) if digits is None else (digits, digits)
    audits, sampling = result.metrics, result.sampling
    compares_metrics = len(audits) > 1
    rows = [_rows(audited, audits[0]) for audited in audits]
    all_rows = [row for part in rows for row in part]
    titles = {audited.name: audited.title for audited in audits}
    searched = (
        Column("metric", "metric" if compares_metrics else None, titles.__getitem__),
        Column("program", "search"),
        Column("restarts", "restarts"),
    )
    columns = *searched, *_SEARCH
    column_keys = {column.key for column in columns}
    hidden = dict.fromkeys(
        key for row in all_rows for key in row if key not in column_keys
    )
    symmetry = () if audits[0].mirrored is None else _SYMMETRY
    shown = [
        Table(_title(audits, short), (*columns, *map(Column, hidden)), all_rows),
        Table(_ERRORS, (*searched, *_DETERMINACY, *symmetry), all_rows),
    ]
    for audited, changed in zip(audits[1:], rows[1:], strict=True):
        shown += _change_table(audited, audits[0], changed)
    notes: list[str] = []
    undrawn: list[str] = []
    for audited in audits:
        if audited.other is not None:
            shown.append(_against_table(audited, audited.other, sampling))
        subject = f"{audited.title}: " if compares_metrics else ""
        published = result.published if audited is audits[0] else None
        notes += [f"{subject}{line}" for line in _notes(audited, published, long)]
        if audited.dropped:
            notes += notes_of({(audited.name,): audited.dropped})
        notes.append(f"{subject}{_failed(audited, show)}")
        undrawn += [f"{subject}{line}" for line in _failures(audited, show, short)]
    signatures = [_signature(audited, sampling) for audited in audits]
    sentences = verdicts(result) if len(result.values) else ()
    return Tables(
        "Audit",
        shown,
        {"metrics": [*map(_data, audits, rows, signatures)]},
        notes=notes,
        undrawn=undrawn,
        signatures=signatures,
        parts=examples("Pairs below the optimum", _drawn(audits, show, short)),
        leads=sentences[-1:] if result.published is not None else (),
        verdicts=sentences[:-1] if result.published is not None else sentences,
        is_wide=show > 0 and any(audited.failures for audited in audits),
    )


def _rows(audited: MetricAudit, baseline: MetricAudit) -> list[dict[str, Any]]:
    """Return a row for each program and number of restarts."""
    rows = [
        {"metric": audited.name, "program": name, **asdict(error)}
        for name, errors in audited.programs
        for error in errors
    ]
    if audited is not baseline:  # other programs come after the climber
        for row, rival_errors in zip(rows, baseline.errors, strict=False):
            for name in _CHANGING:
                our_error, their_error = row[name], getattr(rival_errors, name)
                is_known = our_error is not None and their_error
                row[f"_{name}"] = their_error
                row[f"{name}_change"] = (
                    our_error / their_error - 1 if is_known else None
                )
    return rows


def _signature(audited: MetricAudit, sampling: Sampling) -> str:
    plan = audited.plan
    counts = ",".join(map(str, plan.restarts))
    signed = f"{audited.signature}|restarts:{counts}|runs:{plan.runs}|seed:{plan.seed}"
    if audited.other is not None:
        drawn = sampling.test_signature("exchange", audited.other.tests[0].units)
        signed += f"|against:{audited.other.name}|{signed_as(drawn)}"
    return signed


def _title(audits: Sequence[MetricAudit], digits: int) -> str:
    pairs, runs, named = len(audits[0].values), audits[0].plan.runs, len(audits) > 1
    optima = [
        f"{audited.title} " * named + fixed(audited.optimum, digits)
        for audited in audits
    ]
    return (
        f"search error: {several(pairs, 'pair')}, {several(runs, 'run')} each, "
        f"optimum F1 {', '.join(optima)}"
    )


def _change_table(
    audited: MetricAudit, baseline: MetricAudit, rows: Sequence[dict[str, Any]]
) -> Iterator[Table]:
    """Yield a table of two metrics' errors side by side, if they have any in common."""
    columns = [Column("restarts", "restarts")]
    for name, title in _CHANGING.items():
        if rows[0][name] is not None:
            columns += [
                Column(f"_{name}", f"{title} {baseline.title}", scientific),
                Column(name, audited.title, scientific),
                Column(f"{name}_change", "change %", percent()),
            ]
    if len(columns) > 1:
        title = f"{audited.title} compared with {baseline.title}, climbed"
        yield Table(title, tuple(columns), rows[: len(audited.errors)])


def _against_table(audited: MetricAudit, rival: Against, sampling: Sampling) -> Table:
    tests = zip(audited.plan.restarts, rival.tests, strict=True)
    rows = [
        {"restarts": k, **asdict(test), **ends_of(test.interval)._asdict()}
        for k, test in tests
    ]
    return Table(
        f"hillclimb minus {rival.name}: mean matched triples of a pair",
        (
            Column("restarts", "restarts"),
            Column("difference", "difference", Real(5)),
            Column("low", f"{100 * sampling.level:g} % from", Real(5)),
            Column("high", "to", Real(5)),
            Column("p_value", "p (exchange test)", decimals(4)),
        ),
        rows,
    )


def _notes(
    audited: MetricAudit, published: str | float | None, digits: int
) -> Iterator[str]:
    """Yield sentences about the optimum, corpus scores and a published score."""
    proven = "every one proven optimal"
    if audited.unproven:
        proven = (
            f"{audited.unproven} not proven optimal: errors are at least those shown"
        )
    pairs = several(len(audited.values), "pair")
    yield f"optimum: F1 {fixed(audited.optimum, digits)}; {pairs}, {proven}"
    if audited.unclimbed:
        pairs_in_words = several(audited.unclimbed, "pair")
        yield f"{pairs_in_words} not climbed in time and left out of all numbers here"
    widest = max(audited.errors, key=lambda error: error.corpus_error)
    yield (
        f"hill-climbing missed the corpus F1 by at most "
        f"{fixed(widest.corpus_error, digits)}, with "
        f"{several(widest.restarts, 'restart')}"
    )
    if audited.plan.runs < 2:
        yield "a single run has no determinacy error ε; use --runs 2 or more"
    if published is None:
        return
    interval = published_interval(str(published), audited.optimum)
    if interval.high < 0:
        yield (
            f"published {published}: at least {fixed(-interval.high, digits)} above "
            f"the optimum {fixed(audited.optimum, digits)}; other graphs, or other "
            "triples, were counted"
        )
    else:
        error = audited.optimum - float(published)
        rounding = (interval.high - interval.low) / 2
        yield (
            f"published {published}: {fixed(abs(error), digits)} "
            f"{'above' if error < 0 else 'below'} the optimum "
            f"{fixed(audited.optimum, digits)} (rounding allows "
            f"{fixed(rounding, digits)})"
        )


def _failed(audited: MetricAudit, shown: int) -> str:
    """Say how many pairs were below their optimum."""
    plan, total = audited.plan, len(audited.failures)
    restarts = several(plan.shown, "restart")
    return (
        f"with {restarts}, {total} of {len(audited.values)} pairs "
        f"were below the optimum in at least one of {several(plan.runs, 'run')}"
        + (", worst first:" if total and shown else "")
    )


def _failures(audited: MetricAudit, shown: int, digits: int) -> Iterator[str]:
    """Yield each failure with the options that repeat it."""
    for failure in audited.failures[:shown]:
        name = name_of(failure.index, failure.id)
        yield f"  {name}: {_instead(failure, digits)} ({_again(audited, failure)})"
        yield from (f"    {line}" for line in _different(failure))


def _instead(failure: Failure, digits: int) -> str:
    """Compare the score of a run with the optimum."""
    return (
        f"F1 {fixed(failure.climbed_f1, digits)} instead of "
        f"{fixed(failure.f1, digits)}, "
        f"{_number(failure.climbed)} matched instead of {_number(failure.optimum)}"
    )


def _again(audited: MetricAudit, failure: Failure) -> str:
    """Return the options that repeat a failure."""
    metric = "" if audited.name == "smatch" else f"--metric {audited.name} "
    restarts = audited.plan.shown
    return f"{metric}--solver hillclimb:restarts={restarts},seed={failure.seed}"


def _drawn(audits: Sequence[MetricAudit], shown: int, digits: int) -> Iterator[Example]:
    """Yield the failures with both alignments drawn."""
    for audited in audits:
        subject = f"{audited.title}: " if len(audits) > 1 else ""
        for failure in audited.failures[:shown]:
            alignments = {
                "Prediction, optimum": failure.alignment,
                "Prediction, climbed": failure.climbed_alignment,
            }
            yield Example(
                f"{audited.name}-{failure.index}",
                from_one(failure.index),
                f"{subject}{failure.id or name_of(failure.index, None)}",
                fixed(failure.climbed_f1 - failure.f1, digits, signed=True),
                (_instead(failure, digits), _again(audited, failure)),
                compared(failure.problem, alignments, "Reference"),
            )


def _number(matched: float) -> str:
    return f"{matched:.0f}" if matched == round(matched) else fixed(matched, 4)


def _different(failure: Failure) -> Iterator[str]:
    """Yield the variables that the two alignments pair differently."""
    climbed = {pair.pred: pair for pair in failure.climbed_aligned if pair.pred}
    for pair in failure.aligned:
        if pair.pred is None:
            continue
        climbed_alignment = climbed[pair.pred]
        if climbed_alignment.gold != pair.gold:
            left, right = pair.nodes
            yield f"{left}  ↔  {right}  (climbed: {climbed_alignment.nodes[1]})"


def _data(
    audited: MetricAudit, rows: Sequence[dict[str, Any]], signature: str
) -> dict[str, Any]:
    """Return one metric's audit as plain data."""
    plan, rival = audited.plan, audited.other
    data: dict[str, Any] = {
        "metric": audited.name,
        "pairs": len(audited.values),
        "unproven": audited.unproven,
        "unclimbed": audited.unclimbed,
        "optimum": audited.optimum,
        "runs": plan.runs,
        "seed": plan.seed,
        "errors": [
            {k: v for k, v in row.items() if k != "metric" and k[0] != "_"}
            for row in rows
        ],
        "failures": [
            {
                **{name: getattr(failure, name) for name in _FAILURE},
                "error": failure.error,
                "alignment": _mapping(failure.aligned),
                "climbed_alignment": _mapping(failure.climbed_aligned),
            }
            for failure in audited.failures
        ],
    }
    if rival is not None:
        data["against"] = rival.name
        data["differences"] = [
            {"restarts": restarts, **asdict(test)}
            for restarts, test in zip(plan.restarts, rival.tests, strict=True)
        ]
    if audited.dropped:
        data["dropped"] = dict(audited.dropped)
    return {**data, "signatures": [signature]}


def _mapping(aligned: Sequence[AlignedPair]) -> list[list[str | None]]:
    return [[pair.pred, pair.gold] for pair in aligned if pair.pred is not None]


def draw(path: str, result: Audit) -> None:
    """Draw the search error of each metric into a file."""
    from exactmatch.views import pictures

    panels = []
    for audited in result.metrics:
        programs = {
            name: [
                (e.restarts, e.corpus_min, e.corpus_mean, e.corpus_max, e.below)
                for e in errors
            ]
            for name, errors in audited.programs
        }
        title = audited.title if len(result.metrics) > 1 else ""
        panels.append(pictures.Panel(title, audited.optimum, programs))
    pictures.search_errors(path, panels)
