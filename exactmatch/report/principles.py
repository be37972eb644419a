"""What measuring the principles shows: a verdict for each, and counter-examples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from exactmatch.analysis.edits import text_of
from exactmatch.analysis.principles import (
    NAMES,
    RULES,
    CounterExample,
    Findings,
    Outcome,
    as_record,
    counterexamples,
    outcomes,
)
from exactmatch.analysis.probes import DEGREES
from exactmatch.graphs.profile import get_profile
from exactmatch.metrics.smatch import Smatch
from exactmatch.report.figures import Example, compared, examples
from exactmatch.writing.numbers import decimals, fixed
from exactmatch.writing.tables import Column, Table, Tables, fields_table


def tables(
    findings: Sequence[Findings], shown: int, signatures: Sequence[str]
) -> Tables:
    """Everything that was measured of some metrics.

    Args:
        findings: one for each metric.
        shown: how many counter-examples to show of each.
        signatures: what determines what was measured.
    """
    judged = [outcome for found in findings for outcome in outcomes(found)]
    found = [e for each in findings for e in counterexamples(each, shown)]
    records = [as_record(outcome) for outcome in judged]
    rules = [f"{NAMES[p].partition(' ')[0]} {rule}" for p, rule in RULES.items()]
    data = {
        "outcomes": records,
        "rules": RULES,
        "counterexamples": [_example(example) for example in found],
        "signatures": list(signatures),
    }
    return Tables(
        "Principles",
        (_verdicts(judged), _impact(judged)),
        data,
        notes=rules,
        undrawn=_shown(found),
        signatures=signatures,
        parts=examples("Counter-examples", _drawn(found)),
        is_wide=bool(found),
        rows=fields_table(dict.fromkeys(k for r in records for k in r), records),
    )


def _verdicts(judged: Sequence[Outcome]) -> Table:
    """A row for each principle, a column for each metric."""
    metrics = dict.fromkeys(outcome.metric for outcome in judged)
    by_place = {(o.principle, o.metric): f"{o.tick} {o.shown}" for o in judged}
    rows = [
        {"principle": title, **{m: by_place[principle, m] for m in metrics}}
        for principle, title in NAMES.items()
    ]
    columns = (
        Column("principle", "principle"),
        *(Column(metric, metric) for metric in metrics),
    )
    return Table("the principles of Opitz et al. (2020), measured", columns, rows)


def _impact(outcomes: Sequence[Outcome]) -> Table:
    """Losses by wrong concepts in trees, in units of one wrong leaf's."""
    rows: list[dict[str, Any]] = []
    for outcome in outcomes:
        if outcome.principle != "V":
            continue
        numbers = outcome.numbers
        for degree in DEGREES:
            leaf = numbers[f"leaf_{degree}"] or float("nan")
            rows.append(
                {
                    "metric": outcome.metric,
                    "degree": str(degree),
                    **{
                        place: numbers[f"{place}_{degree}"] / leaf
                        for place in ("root", "branching", "leaves")
                    },
                }
            )
        rows.append(
            {
                "metric": outcome.metric,
                "degree": "data",
                **{
                    place: numbers[f"{place}_data"]
                    / (numbers["leaf_data"] or float("nan"))
                    for place in ("root", "branching")
                },
                "leaves": float("nan"),
            }
        )
    return Table(
        "loss by wrong concepts, in units of one wrong leaf (trees of degree d; "
        "varied graphs)",
        (
            Column("metric", "metric"),
            Column("degree", "d"),
            Column("root", "root", decimals(2)),
            Column("leaves", "d leaves", decimals(2)),
            Column("branching", "branching node", decimals(2)),
        ),
        rows,
    )


def _example(example: CounterExample) -> dict[str, Any]:
    return {
        "metric": example.metric,
        "score": example.score,
        "equal": example.equal,
        "first": text_of(example.first),
        "second": text_of(example.second),
    }


def _drawn(found: Sequence[CounterExample]) -> Iterator[Example]:
    """The counter-examples with their graphs, aligned as Smatch would."""
    smatch = Smatch(get_profile("clean"))
    for number, example in enumerate(found, 1):
        graphs = (smatch.prepare(example.second), smatch.prepare(example.first))
        pair = smatch.compare(*graphs)
        yield Example(
            f"example-{number}",
            str(number),
            f"{example.metric}: {_what(example)}",
            fixed(example.score, 4),
            (),
            compared(pair.stated, {"Second": pair.solution.alignment}, "First"),
        )


def _what(example: CounterExample) -> str:
    return "the same graph" if example.equal else "different graphs"


def _shown(found: Sequence[CounterExample]) -> list[str]:
    """The counter-examples, as lines."""
    lines = []
    for example in found:
        record = _example(example)
        what = _what(example)
        lines += ["", f"{example.metric} gives {what} {fixed(example.score, 4)}:"]
        for side in ("first", "second"):
            lines += [f"    {line}" for line in record[side].splitlines()]
    return lines
