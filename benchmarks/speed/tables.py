"""Outcomes as text: a table, the measures, the notes."""

from __future__ import annotations

from benchmarks.speed.spec import Figure, Measure, Outcome


def rendered(name: str, what: str, outcome: Outcome) -> str:
    """Everything a benchmark found, for people."""
    lines = [f"{name}: {what}", *outcome.notes, *_table(outcome)]
    lines += [f"{row.name}: {row.note}" for row in outcome.rows if row.note]
    lines += [_held(measure) for measure in outcome.measures]
    return "\n".join(lines) + "\n"


def _table(outcome: Outcome) -> list[str]:
    rows = [row for row in outcome.rows if row.figures]
    if not rows:
        return []
    columns = list(dict.fromkeys(key for row in rows for key in row.figures))
    cells = [["", *columns]]
    cells += [[r.name, *(_cell(r.figures.get(key)) for key in columns)] for r in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = []
    for first, *rest in cells:
        padded = [first.ljust(widths[0])]
        padded += [cell.rjust(w) for cell, w in zip(rest, widths[1:], strict=True)]
        lines.append("  ".join(padded).rstrip())
    return lines


def _cell(figure: Figure) -> str:
    """Return a figure in three or four significant digits."""
    if figure is None:
        return "-"
    if not isinstance(figure, float):
        return str(figure)
    if abs(figure) >= 100:
        return f"{figure:,.0f}"
    return f"{figure:.4f}" if abs(figure) < 1 else f"{figure:.2f}"


def _held(measure: Measure) -> str:
    if measure.figure is None:
        return f"  not measured: {measure.text}"
    word = {True: "reached", False: "MISSED"}[bool(measure.is_met)]
    return (
        f"  {word}: {measure.text}: {_cell(float(measure.figure))}{measure.unit} "
        f"({measure.sense} {measure.target:g}{measure.unit})"
    )
