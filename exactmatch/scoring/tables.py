"""An evaluation as tables and sentences, wherever it is shown.

Corpus scores with the intervals that they lie in, every pair, what is proven, and what
readers left out of well-formed texts.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, TypeAlias

from exactmatch.base.errors import callers_are_warned
from exactmatch.base.numbers import Bounds, Ends, Share, count, decimals, fixed, several
from exactmatch.formats.faults import FENCE
from exactmatch.formats.remarks import left_out
from exactmatch.metrics.score import f_score
from exactmatch.scoring.results import RATIOS, CorpusScore, PairResult, Predictions
from exactmatch.views.tables import PAIR, Column, Row, Table, Tables

_ROOMY = ("text", "html")


def corpus_table(corpora: Sequence[Row], digits: int, macro: bool = False) -> Table:
    """Return a table of the corpus scores; means over pairs have no rows of kinds."""
    rows: list[Row] = []
    for record in corpora:
        rows.append({**record, **shown_ratios(record)})
        if not macro:
            rows += _parts(record)
    ratios = (
        Column(f"_{name}", name, Share(digits), exact=name, beneath=f"_{name}_ends")
        for name in RATIOS
    )
    columns = (
        Column("metric", "", beneath="_level"),
        *ratios,
        Column("matched", "matched", count, formats=("html",)),
        Column("pred_total", "predicted", count, formats=("html",)),
        Column("gold_total", "reference", count, formats=("html",)),
        Column("_proven", "proven", formats=("html",)),
    )
    return Table("", columns, rows)


def _parts(record: Row) -> Iterator[Row]:
    for kind, counts in record.get("pieces", {}).items():
        if kind != "all" and counts["g"] + counts["s"]:
            ratios = f_score(counts["c"], counts["s"], counts["g"])
            named = dict(zip(RATIOS, ratios, strict=True))
            totals = {"pred_total": counts["s"], "gold_total": counts["g"]}
            bounds = {f"_{name}": Bounds(value) for name, value in named.items()}
            row = {"metric": f"  {kind}", "matched": counts["c"], **totals}
            yield {**row, **named, **bounds}


def shown_ratios(record: Row) -> dict[str, Any]:
    """Return the ratios, as intervals where a pair is unproven, and their ends."""
    proven, pairs = record["proven"], record["pairs"]
    proven_of = "-" if proven is None else f"{proven} of {pairs}"
    shown: dict[str, Any] = {"_proven": proven_of}
    for name in RATIOS:
        low = record[name]
        high = record["f1_upper" if name == "score" else f"{name}_upper"]
        is_open = None not in (low, high) and proven != pairs
        shown[f"_{name}"] = Bounds(low, high if is_open else None)
        if record.get("confidence") is not None:
            ends = Ends(record[f"{name}_low"], record[f"{name}_high"])
            shown[f"_{name}_ends"] = ends
            shown["_level"] = f"  {100 * record['confidence']:g} %"
    return shown


def pair_table(pairs: Sequence[Row], digits: int, several: bool) -> Table:
    """Return a table of every pair under every metric."""
    any_open = any(pair["proven"] is False for pair in pairs)
    rows = [
        {
            **pair,
            "_id": pair["id"] or "",
            "_upper": pair["f1_upper"] if pair["proven"] is False else "",
            "_solver": " ".join(filter(None, (pair["solver"], pair["proof"]))),
            "_ms": "" if pair["seconds"] is None else 1000 * pair["seconds"],
        }
        for pair in pairs
    ]
    number = Share(digits)
    titles = {"matched": "matched", "bound": "bound"}
    titles |= {"pred_total": "pred", "gold_total": "gold"}
    columns = (
        *PAIR,
        *((Column("metric", "metric", is_text=True),) if several else ()),
        *(Column(k, t, count, formats=_ROOMY, waits=True) for k, t in titles.items()),
        Column("precision", "P", number),
        Column("recall", "R", number),
        Column("score", "score", number),
        *((Column("_upper", "upper", number, formats=_ROOMY),) if any_open else ()),
        Column("_solver", "solver", is_text=True, formats=_ROOMY, waits=True),
        Column("_ms", "ms", decimals(1), formats=_ROOMY, waits=True),
    )
    return Table("", columns, rows)


def proof(score: CorpusScore) -> str:
    """Return a sentence with the numbers of pairs and of proven pairs of a score."""
    counted = f"{score.metric}: {several(score.pairs, 'pair')}"
    if score.chosen_of is not None:
        counted += f" of {score.chosen_of:,}"
    stored, proven = score.when_stored(), score.proven
    if proven is None:
        return counted + stored
    if proven == score.pairs:
        return f"{counted}, every one proven optimal{stored}"
    return (
        f"{counted}, {proven} proven optimal{stored}; {score.pairs - proven} not, "
        "so the true score lies in the interval"
    )


def faulty(predictions: Predictions) -> str:
    """Return a sentence with the numbers of well-formed predictions and of faults."""
    kinds = ", ".join(f"{kind} {times}" for kind, times in predictions.faults.items())
    share = fixed(predictions.well_formed or 0.0, 1, percent=True)
    one = f"prediction is a well-formed {predictions.noun}"
    what = (
        one
        if predictions.count == 1
        else f"predictions are well-formed {predictions.noun}s"
    )
    kinds = kinds.replace("graph", predictions.noun)
    if predictions.taken_out:
        what += f" ({predictions.taken_out} of them in fences or among other text"
        if predictions.of_several:
            what += f"; {several(predictions.of_several, 'answer')} held several "
            what += f"{predictions.noun}s, of which one counts"
        what += ")"
    if predictions.repaired or predictions.unreadable:
        what += (
            f", {predictions.repaired} repaired, {predictions.unreadable} unreadable"
        )
    sentence = f"{share} % of {predictions.count} {what}"
    if kinds:
        sentence += f"; faults of the others: {kinds}"
    if FENCE in predictions.faults and not predictions.is_extracted:
        option = "extract='all'" if callers_are_warned() else "--extract all"
        sentence += f"; to take graphs out of fences: {option}"
    return sentence


def above_1(corpus: CorpusScore) -> str:
    """Return a sentence that explains a score above 1; empty for any other."""
    if max(corpus.score.precision or 0.0, corpus.score.recall or 0.0) <= 1:
        return ""
    return (
        f"{corpus.metric} is above 1, because repeated triples count once for every "
        "equal pair; --duplicates multiset counts them once"
    )


Losses: TypeAlias = Mapping[tuple[str, ...], Mapping[str, int]]
"""How often each thing was left out, by the names of what it concerns: a metric, or a
system and a metric."""


def losses(scores: Iterable[CorpusScore]) -> Losses:
    """Return the losses of each metric's reader, if it left out anything."""
    return {(score.metric,): score.dropped for score in scores if score.dropped}


def losses_of_systems(
    results: Mapping[str, Mapping[str, Iterable[PairResult]]],
) -> Losses:
    """Find the losses of each system in its results, by metric and system."""
    return {
        (name, metric): counts
        for metric, systems in results.items()
        for name, pairs in systems.items()
        if (counts := losses_of_pairs(pairs))
    }


def losses_of_pairs(pairs: Iterable[PairResult]) -> dict[str, int]:
    """Count the losses of a metric's reader over some pairs, by kind."""
    counts: Counter[str] = Counter()
    for what, times in chain.from_iterable(pair.dropped for pair in pairs):
        counts[what] += times
    return dict(counts)


def notes_of(losses: Losses) -> list[str]:
    """Return a sentence for each kind of loss; metrics with equal ones share it."""
    names: dict[str, list[str]] = {}
    for name, counts in losses.items():
        sentence = ", ".join(left_out(what, times) for what, times in counts.items())
        names.setdefault(sentence, []).append(" ".join(name))
    return [f"{', '.join(named)}: as read: {s}" for s, named in names.items()]


def with_losses(tables: Tables, losses: Losses) -> Tables:
    """Return tables with the losses: in a note, and under ``dropped`` as data."""
    if not losses:
        return tables
    dropped: dict[str, Any] = {}
    for (*outer, last), counts in losses.items():
        place = dropped
        for name in outer:
            place = place.setdefault(name, {})
        place[last] = dict(counts)
    return tables._replace(
        notes=[*tables.notes, *notes_of(losses)],
        data={**tables.data, "dropped": dropped},
    )
