"""An evaluation for notebooks, papers, spreadsheets and other programs.

What is written is what ``exactmatch score`` writes: the same fields under the same
names, the same tables.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from exactmatch.base.errors import InputError
from exactmatch.base.files import atomic_output, replacing
from exactmatch.base.markup import Markup, element, joined
from exactmatch.scoring.records import (
    CORPUS_FIELDS,
    PAIR_FIELDS,
    corpus_record,
    pair_record,
    predictions_record,
    trouble_record,
)
from exactmatch.scoring.results import Findings, PairResult
from exactmatch.scoring.tables import corpus_table, pair_table, states, trouble
from exactmatch.views.tables import Tables, fields_table
from exactmatch.views.writing import write

_DIGITS = 4
_WORST = 5
"""So many pairs stand in a notebook's table, those with the lowest scores."""
_NOTICES = 5
"""So many sentences about trouble stand in a notebook."""


def plain(report: Findings) -> dict[str, Any]:
    """A report as plain data.

    Returns:
        ``metrics``, a corpus score each; ``pairs``, a result each; and what was left
        out, warned of or cut short.
    """
    names = [score.metric for score in report.scores]
    told = [trouble_record(report, name) for name in names]
    scores = []
    for score, trouble_of in zip(report.scores, told, strict=True):
        lost = trouble_of.pop("dropped", None)
        scores.append(corpus_record(score) | ({"dropped": lost} if lost else {}))
    return {
        "metrics": scores,
        "pairs": [pair_record(pair) for pair in report.pairs],
        **(told[0] if told else {}),
        "predictions": predictions_record(report),
    }


def tables_of(report: Findings) -> Tables:
    """A report as tables, with every pair where the pairs were kept."""
    corpora = [corpus_record(score) for score in report.scores]
    pairs = [pair_record(pair) for pair in report.pairs]
    several = len(corpora) > 1
    return Tables(
        "Scores",
        (corpus_table(corpora, _DIGITS),),
        plain(report),
        details=(pair_table(pairs, _DIGITS, several),) if pairs else (),
        states=[*states(report)],
        warnings=[*trouble(report)],
        signatures=[score.signature for score in report.scores],
        rows=fields_table((*PAIR_FIELDS, "faults"), [*map(_flat, pairs)])
        if pairs
        else fields_table(CORPUS_FIELDS, corpora),
        lines=pairs or corpora,
    )


def _flat(pair: dict[str, Any]) -> dict[str, Any]:
    """A pair's record for a format that holds no lists."""
    return {**pair, "faults": ", ".join(pair.get("faults", ()))}


def latex(report: Findings) -> str:
    """The corpus scores as a LaTeX table, in percent."""
    corpora = [corpus_record(score) for score in report.scores]
    signatures = [score.signature for score in report.scores]
    short = Tables(
        "Scores", (corpus_table(corpora, _DIGITS),), {}, signatures=signatures
    )
    stream = io.StringIO()
    write(stream, short, "latex")
    return stream.getvalue()


def fragment(report: Findings) -> Markup:
    """Corpus scores and every pair as tables of HTML, to be put into a page."""
    return joined(
        _parts(report, report.pairs, len(report.omitted) + len(report.scores))
    )


def notebook(report: Findings) -> Markup:
    """Corpus scores and the pairs with the lowest scores, as tables of HTML."""
    first = report.scores[0].metric if report.scores else ""
    worst = sorted(
        (p for p in report.pairs if p.metric == first and p.score.is_defined),
        key=lambda pair: pair.score.score,
    )
    return joined(_parts(report, worst[:_WORST], _NOTICES))


def _parts(
    report: Findings, pairs: Sequence[PairResult], most_notices: int | None = None
) -> Iterator[Markup]:
    """The tables, with all sentences about trouble or so many of them."""
    from exactmatch.views.page import table_of

    corpora = [corpus_record(score) for score in report.scores]
    yield table_of(corpus_table(corpora, _DIGITS))
    for state in states(report):
        yield element("p", state)
    notices = [*trouble(report)]
    shown = notices[:most_notices]
    for notice in shown:
        yield element("p", notice)
    if len(notices) > len(shown):
        yield element("p", f"… and {len(notices) - len(shown):,} more")
    if pairs:
        few = len(pairs) < len({pair.index for pair in report.pairs})
        if few:
            yield element("p", f"The {len(pairs)} pairs with the lowest scores:")
        several = len({pair.metric for pair in pairs}) > 1
        yield table_of(
            pair_table([pair_record(pair) for pair in pairs], _DIGITS, several)
        )


def save(report: Findings, path: str) -> None:
    """Write a report to a file, in the format that its suffix names.

    Raises:
        InputError: if the suffix is unknown, or the file cannot be written.
        MissingExtraError: if the format needs a package that is not installed.
    """
    suffix = Path(path).suffix.lower()
    writer = _WRITERS.get(suffix)
    if writer is None:
        raise InputError(
            f"{path}: a report is saved in the format that the file's suffix names; "
            f"it is one of {', '.join(_WRITERS)}"
        )
    writer(report, path)


def _save_tables(form: str, report: Findings, path: str) -> None:
    with atomic_output(path) as stream:
        if form == "latex":
            stream.write(latex(report))
        else:
            write(stream, tables_of(report), form)


def _save_parquet(report: Findings, path: str) -> None:
    from exactmatch.scoring.frames import frame, needed

    parquet = needed("pyarrow.parquet")
    table = frame(report, "pyarrow")
    with replacing(Path(path)) as stream:
        parquet.write_table(table, stream)


_WRITERS: dict[str, Callable[[Findings, str], None]] = {
    ".csv": partial(_save_tables, "csv"),
    ".html": partial(_save_tables, "html"),
    ".json": partial(_save_tables, "json"),
    ".jsonl": partial(_save_tables, "jsonl"),
    ".parquet": _save_parquet,
    ".tex": partial(_save_tables, "latex"),
    ".txt": partial(_save_tables, "text"),
}
