"""The page that ``exactmatch score --format html`` writes.

It says what the report in text says: the corpus scores, what was left out or warned
about, how the pairs' scores are distributed, every pair if that is asked for, and the
signatures.  It is made of the plain data that JSON holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from exactmatch.scoring.results import Report
from exactmatch.writing.numbers import count, fixed
from exactmatch.writing.page import (
    Cell,
    Markup,
    cell,
    document,
    element,
    joined,
    signatures,
    table,
)

Record = Mapping[str, Any]

_BINS = 20
_WIDTH, _HEIGHT = 400, 130
_CEILING, _FLOOR = 18, _HEIGHT - 18


def score_page(
    report: Report,
    corpora: Sequence[Record],
    pairs: Sequence[Record],
    scores: Mapping[str, Sequence[float]],
    digits: int,
) -> str:
    """The page of an evaluation.

    Args:
        report: what was found out.
        corpora: the corpus scores as plain data.
        pairs: the pairs' results as plain data; empty where they are not shown.
        scores: each metric's scores of the single pairs.
        digits: decimals of rounded numbers.
    """
    heads = [f"{r['metric']} {fixed(r['score'], digits)}" for r in corpora]
    charts = [histogram(r, scores.get(r["metric"], ()), digits) for r in corpora]
    return document(
        f"exactmatch: {', '.join(heads)}",
        element("h1", "Scores"),
        lead(report),
        corpus_table(corpora, digits),
        trouble(report),
        element("div", *charts, class_="charts") if any(charts) else "",
        _pair_table(pairs, digits, len(corpora) > 1) if pairs else "",
        signatures(record["signature"] for record in corpora),
    )


def lead(report: Report) -> Markup:
    """How many pairs there are and whether all is proven, in one sentence."""
    pairs = max((score.pairs for score in report.scores), default=0)
    text = f"{pairs} pair{'' if pairs == 1 else 's'}"
    if any(score.proven is not None for score in report.scores):
        text += (
            ", every alignment proven optimal"
            if report.is_proven
            else ", not all proven optimal: the true score lies in the interval"
        )
    return element("p", text, class_="lead")


def corpus_table(corpora: Sequence[Record], digits: int) -> Markup:
    """The corpus scores, with the intervals that they lie in."""
    head = ["", "precision", "recall", "score", "matched", "predicted", "reference"]
    rows = []
    for record in corpora:
        row = [Cell(record["metric"])]
        row += [_ratio(record, k, digits) for k in ("precision", "recall", "score")]
        row += [_counted(record[k]) for k in ("matched", "pred_total", "gold_total")]
        proven, pairs = record["proven"], record["pairs"]
        row.append(Cell("-" if proven is None else f"{proven} of {pairs}"))
        rows.append(row)
    return table([*head, "proven"], rows)


def _ratio(record: Record, name: str, digits: int) -> Cell:
    """A number, or the interval it lies in where something is unproven."""
    low = record[name]
    high = record["f1_upper" if name == "score" else f"{name}_upper"]
    shown = fixed(low, digits)
    if low is not None and high is not None and record["proven"] != record["pairs"]:
        shown += f"..{fixed(high, digits)}"
    level = record.get("confidence")
    ends = (record.get(f"{name}_low"), record.get(f"{name}_high"))
    if level is None or None in ends:
        return cell(low, shown)
    between = ", ".join(fixed(end, digits) for end in ends)
    beneath = element("small", f"{100 * level:g} % [{between}]")
    return Cell(joined((shown, beneath)), repr(low))


def histogram(record: Record, scores: Sequence[float], digits: int) -> Markup:
    """How one metric's scores of single pairs are distributed, as a drawing."""
    if len(scores) < 2:
        return Markup()
    counts = [0] * _BINS
    for score in scores:
        counts[min(max(int(score * _BINS), 0), _BINS - 1)] += 1
    told = f"{len(scores)} pairs by score, at most {max(counts)} in a bar"
    drawing = element(
        "svg",
        *_bars(counts),
        *_axis(),
        *_here(record["score"], fixed(record["score"], digits)),
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        width=str(_WIDTH),
        height=str(_HEIGHT),
        role="img",
        aria_label=told,
    )
    caption = f"{record['metric']}: {told}; dashed: the corpus"
    return element("figure", element("figcaption", caption), drawing)


def _bars(counts: Sequence[int]) -> Iterable[Markup]:
    """A bar for each count, which says so under the pointer."""
    step = _WIDTH / _BINS
    most = max(counts)
    for k, pairs in enumerate(counts):
        height = (_FLOOR - _CEILING) * pairs / most
        end = f"to {(k + 1) / _BINS:.2f}" if k + 1 < _BINS else "and more"
        yield element(
            "rect",
            element("title", f"{k / _BINS:.2f} {end}: {pairs}"),
            x=f"{k * step + 1:g}",
            y=f"{_FLOOR - height:.1f}",
            width=f"{step - 2:g}",
            height=f"{height:.1f}",
            class_="bar",
        )


def _axis() -> Iterable[Markup]:
    """The line that the bars stand on, and three numbers under it."""
    yield _line("axis", "0", str(_FLOOR), str(_WIDTH), str(_FLOOR))
    for share in (0, 0.5, 1):
        yield _label(f"{share:g}", share, _HEIGHT - 3)


def _here(score: float, shown: str) -> Iterable[Markup]:
    """Where the corpus stands."""
    x = f"{_WIDTH * min(score, 1):.1f}"
    yield _line("here", x, str(_CEILING - 6), x, str(_FLOOR))
    yield _label(shown, min(score, 1), _CEILING - 9)


def _label(text: str, share: float, y: int) -> Markup:
    """A text at a share of the width, kept on the drawing at its ends."""
    side = "start" if share < 0.05 else "end" if share > 0.95 else "middle"
    return element("text", text, x=f"{_WIDTH * share:.1f}", y=str(y), text_anchor=side)


def _line(name: str, x1: str, y1: str, x2: str, y2: str) -> Markup:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=name)


def _pair_table(pairs: Sequence[Record], digits: int, several: bool) -> Markup:
    """Every pair; a click on a heading sorts them."""
    head = ["", "id", *(["metric"] if several else []), "matched", "bound"]
    any_open = any(r["proven"] is False for r in pairs)
    head += ["predicted", "reference", "P", "R", "score"]
    head += [*(["upper"] if any_open else []), "solver", "ms"]
    rows = []
    for r in pairs:
        row = [Cell(str(r["index"])), Cell(r["id"] or "")]
        row += [Cell(r["metric"])] if several else []
        row += [
            _counted(r[k]) for k in ("matched", "bound", "pred_total", "gold_total")
        ]
        row += [
            cell(r[k], fixed(r[k], digits)) for k in ("precision", "recall", "score")
        ]
        upper, seconds = r["f1_upper"], r["seconds"]
        if any_open:
            is_open = r["proven"] is False
            row.append(cell(upper, fixed(upper, digits)) if is_open else Cell(""))
        row.append(Cell(" ".join(filter(None, (r["solver"], r["proof"])))))
        row.append(Cell("" if seconds is None else f"{1000 * seconds:.1f}"))
        rows.append(row)
    return joined((element("h2", "Pairs"), table(head, rows, sortable=True)))


def trouble(report: Report) -> Markup:
    """What was left out, warned about or cut short; nothing if all went well."""
    lines = ["PARTIAL: interrupted before the end"] if report.partial else []
    lines += [
        f"{found.metric} is above 1, because repeated triples count once for every "
        "equal pair; --duplicates multiset counts them once"
        for found in report.scores
        if max(found.score.precision or 0.0, found.score.recall or 0.0) > 1
    ]
    lines += [
        f"{found.count} warning{'s' if found.count > 1 else ''} of the kind {kind!r}"
        for kind, found in report.warnings.items()
    ]
    lines += map(str, report.omitted)
    if not lines:
        return Markup()
    shown = (element("p", line, class_="warn") for line in lines)
    return joined((element("h2", "What to know"), *shown))


def _counted(number: float | None) -> Cell:
    return cell(number, count(number))
