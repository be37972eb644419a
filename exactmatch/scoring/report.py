"""The report of an evaluation, and the ways to write it.

It is written as ``exactmatch score`` writes it: with the same fields and tables.  Each
way of writing imports its own modules.
"""

from __future__ import annotations

import operator
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, SupportsIndex, overload

from exactmatch.base.errors import (
    InputError,
    UnknownKeyError,
    no_attribute,
    suggestion,
)
from exactmatch.base.records import dataclass, field
from exactmatch.formats.pairs import Omission
from exactmatch.metrics.score import required
from exactmatch.scoring.results import (
    CORPUS_FIELDS,
    PAIR_FIELDS,
    CorpusScore,
    PairResult,
    Predictions,
    ProofCounts,
    Warned,
    corpus_record,
    pair_record,
)

if TYPE_CHECKING:
    from exactmatch.base.markup import Markup

_DIGITS = 4
_WORST = 5  # pairs in a notebook's table: those with the lowest scores
_NOTICES = 5  # omissions that are listed by default

_SUFFIXES = (".csv", ".html", ".json", ".jsonl", ".parquet", ".tex", ".txt")
_NAMES = {"tex": "latex", "txt": "text"}  # where a suffix is not a name of a format


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """The result of an evaluation.

    ``len(report)`` is the number of pairs, and a loop over the report yields their
    results under the first metric.  ``report[3]`` is the result of the pair with that
    number, and ``report["lpp.12"]`` that of the pair with that id.
    ``report["smatch"]`` is the corpus score of a metric, and ``report["sembleu", 3]``
    the result of a pair under a metric.

    Attributes:
        scores: one corpus score for each metric, in the order asked for.
        pairs: each pair's result, if they were kept.
        omitted: the graphs that were left out or replaced by an empty graph.
        warnings: the warnings while graphs were read, by kind.
        partial: whether it was interrupted before the end.
        proofs: how many results are proven, and their proofs checked.
        predictions: how many predictions are well-formed graphs.
        part: all that was added up, as plain data that ``exactmatch merge`` adds to
            that of other parts, where the evaluation kept it.

    >>> import exactmatch
    >>> report = exactmatch.evaluate(["(b / bark-01)"], ["(b / bark-01)"])
    >>> [corpus.metric for corpus in report.scores], report.is_proven, report.omitted
    (['smatch'], True, ())
    """

    scores: tuple[CorpusScore, ...]
    pairs: tuple[PairResult, ...] = ()
    omitted: tuple[Omission, ...] = ()
    warnings: dict[str, Warned] = field(default_factory=dict)
    partial: bool = False
    proofs: ProofCounts = field(default_factory=ProofCounts)
    predictions: Predictions = field(default_factory=Predictions)
    part: Mapping[str, Any] | None = field(default=None, compare=False)
    _places: dict[tuple[str, int | str], int] = field(
        default_factory=dict, init=False, compare=False
    )  # each result's place among the pairs; empty until one is asked for

    def __repr__(self) -> str:
        parts = [*map(repr, self.scores)]
        skipped = sum(omission.action == "skipped" for omission in self.omitted)
        if skipped:
            parts.append(f"{skipped:,} skipped")
        if empty := len(self.omitted) - skipped:
            what = "an empty graph" if empty == 1 else "empty graphs"
            parts.append(f"{empty:,} counted as {what}")
        if faulty := self.predictions.faulty:
            what = "prediction" if faulty == 1 else "predictions"
            parts.append(f"{faulty:,} {what} not well-formed")
        if self.partial:
            parts.append("partial")
        return "; ".join(parts)

    if not TYPE_CHECKING:  # a type checker would accept every name

        def __getattr__(self, name: str) -> NoReturn:
            raise no_attribute(self, name)

    def __len__(self) -> int:
        return self.scores[0].pairs if self.scores else 0

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[PairResult]:
        self.check_kept()
        return (pair for pair in self.pairs if pair.metric == self._first)

    @property
    def _first(self) -> str:
        return self.scores[0].metric if self.scores else ""

    @overload
    def __getitem__(self, key: int) -> PairResult: ...

    @overload
    def __getitem__(self, key: str) -> Any: ...

    @overload
    def __getitem__(self, key: tuple[str, int | str]) -> PairResult: ...

    def __getitem__(
        self, key: SupportsIndex | str | tuple[str, SupportsIndex | str]
    ) -> CorpusScore | PairResult:
        metric, item = key if isinstance(key, tuple) else (None, key)
        if metric is None:
            for score in self.scores:
                if score.metric == item:
                    return score
            metric = self._first
        if not isinstance(item, str):
            item = operator.index(item)
        place = self._place_of().get((metric, item))
        if place is None:
            raise UnknownKeyError(self._unknown(metric, item))
        return self.pairs[place]

    def _place_of(self) -> dict[tuple[str, int | str], int]:
        """Return the place of each first result, by metric and number or id."""
        self.check_kept()
        if not self._places:
            for place, pair in enumerate(self.pairs):
                self._places.setdefault((pair.metric, pair.index), place)
                if pair.id is not None:
                    self._places.setdefault((pair.metric, pair.id), place)
        return self._places

    def check_kept(self) -> None:
        """Raise an InputError if the evaluation did not keep its pairs."""
        if not self.pairs and any(score.pairs for score in self.scores):
            raise InputError("this report has no pairs; evaluate with keep_pairs=True")

    def _unknown(self, metric: str, item: int | str) -> str:
        names = [score.metric for score in self.scores]
        if metric not in names:
            return f"no metric is called {metric!r} (known: {', '.join(names)})"
        for omission in self.omitted:
            if item in (omission.index, omission.id) and omission.concerns(metric):
                return f"{metric} has no result for {item!r}: {omission}"
        keys = [key for name, key in self._place_of() if name == metric]
        numbers = [key for key in keys if isinstance(key, int)]
        ids = [key for key in keys if isinstance(key, str)]
        if isinstance(item, int):
            known = f"from {min(numbers)} to {max(numbers)}" if numbers else "none"
            return f"no pair has the number {item} (known: {known})"
        hint = suggestion(item, [*names, *ids], 0.6)
        held = f"; {len(ids):,} ids of pairs" if ids else "; no pair has an id"
        return (
            f"{item!r} is neither a metric nor the id of a pair{hint} (metrics: "
            f"{', '.join(names)}{held})"
        )

    def worst(self, count: int, metric: str | None = None) -> tuple[PairResult, ...]:
        """Return the pairs with the lowest scores, the worst first.

        Args:
            count: how many.
            metric: under which metric; default: the first.
        """
        return self._chosen(metric, worst=count)

    def best(self, count: int, metric: str | None = None) -> tuple[PairResult, ...]:
        """Return the pairs with the highest scores, the best first.

        The arguments are those of :meth:`worst`.
        """
        return self._chosen(metric, best=count)

    def where(
        self, condition: str, metric: str | None = None, sort: str | None = None
    ) -> tuple[PairResult, ...]:
        """Return the pairs that fulfil a condition on the columns of :meth:`to_frame`.

        Args:
            condition: such as ``"f1 < 0.5 and gold_total > 20"``.
            metric: under which metric; default: the first.
            sort: the column to order by; ``-`` before it begins with the greatest.

        Raises:
            InputError: if the condition cannot be read, or a column is unknown.

        >>> import exactmatch
        >>> golds = ["(b / bark-01)", "(r / rain-01)"]
        >>> report = exactmatch.evaluate(["(b / bark-01)", "(s / snow-01)"], golds)
        >>> [pair.index for pair in report.where("f1 < 0.8")]
        [1]
        """
        from exactmatch.base.expressions import Condition

        try:
            where = Condition(condition)
        except ValueError as error:
            raise InputError(str(error)) from None
        return self._chosen(metric, where=where, sort=sort)

    def _chosen(self, metric: str | None, **how: Any) -> tuple[PairResult, ...]:
        from exactmatch.scoring.selection import Selection

        self.check_kept()
        metric = metric or self._first
        if metric not in [score.metric for score in self.scores]:
            raise UnknownKeyError(self._unknown(metric, ""))
        own = (pair for pair in self.pairs if pair.metric == metric)
        return tuple(Selection(**how).chosen(own, pair_record))

    def by_metric(self) -> dict[str, dict[int, PairResult]]:
        """Return each metric's results by the pairs' numbers, if they were kept."""
        results: dict[str, dict[int, PairResult]] = {s.metric: {} for s in self.scores}
        for pair in self.pairs:
            results[pair.metric][pair.index] = pair
        return results

    @property
    def precision(self) -> float:
        """Precision of the first metric; an AttributeError if it has none."""
        return self._required("precision")

    @property
    def recall(self) -> float:
        """Recall of the first metric; an AttributeError if it has none."""
        return self._required("recall")

    @property
    def f1(self) -> float:
        """F1 of the first metric; an AttributeError if it has none."""
        return self._required("f1")

    def _required(self, name: str) -> float:
        score = self.scores[0].score
        return required(getattr(score, name), name, score.metric)

    @property
    def score(self) -> float:
        """The headline number of the first metric."""
        return self.scores[0].score.score

    @property
    def is_proven(self) -> bool:
        """True if every pair of every metric that searches is proven optimal."""
        return all(s.proven in (None, s.pairs) for s in self.scores)

    def _repr_html_(self) -> str:
        own = (pair for pair in self.pairs if pair.metric == self._first)
        having = (pair for pair in own if pair.score.is_defined)
        worst = sorted(having, key=lambda pair: pair.score.score)[:_WORST]
        few = f"The {len(worst)} pairs with the lowest scores:"
        is_all = len(worst) == len({pair.index for pair in self.pairs})
        return self._markup(worst, "" if is_all else few)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain data.

        Returns:
            ``metrics``: a corpus score each; ``pairs``: a result each;
            ``predictions``: how many are well-formed, and the faults of the others;
            ``omitted``, ``warnings`` and ``partial``.  Numbers are shares of 1, in full
            precision.
        """
        lost = [{"dropped": s.dropped} if s.dropped else {} for s in self.scores]
        scores = [corpus_record(s) | d for s, d in zip(self.scores, lost, strict=True)]
        pairs = [pair_record(pair) for pair in self.pairs]
        record: dict[str, Any] = {"metrics": scores, "pairs": pairs}
        if self.scores:
            record |= trouble_record(self, self._first)
            record.pop("dropped", None)  # each metric has its own
        return record | {"predictions": self.predictions.record()}

    def to_json(self, indent: int | None = None) -> str:
        """Return the report as JSON, with the fields of :meth:`to_dict`.

        Args:
            indent: spaces for each level; default: everything in one line.
        """
        from io import StringIO

        from exactmatch.views.data import write_json

        stream = StringIO()
        write_json(stream, self.to_dict(), indent)
        return stream.getvalue().rstrip("\n")

    def to_html(self) -> str:
        """Return tables of the corpus scores and of all pairs, for a page of yours."""
        return self._markup(self.pairs)

    def to_latex(self) -> str:
        """Return a LaTeX table of the corpus scores, in percent."""
        return self._written("latex")

    def to_frame(self, backend: str | None = None) -> Any:
        """Return a data frame with a row for every pair under every metric.

        Args:
            backend: ``pandas``, ``polars`` or ``pyarrow``; default: the first of these
                that is installed.

        Raises:
            InputError: if the evaluation did not keep its pairs.
            MissingExtraError: if narwhals or the backend is missing.
        """
        from exactmatch.views.data import frame_of

        self.check_kept()
        rows = [_flat(pair) for pair in self.pairs]
        return frame_of({name: [row[name] for row in rows] for name in _FLAT}, backend)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the report to a file, whole or not at all.

        Args:
            path: the file; its suffix says the format: ``.json``; ``.jsonl``, ``.csv``
                or ``.parquet`` with a row for each pair; ``.tex``, ``.html``, ``.txt``.

        Raises:
            InputError: if the suffix is another, or the file cannot be written.
            MissingExtraError: if ``.parquet`` needs pyarrow and it is missing.
        """
        from pathlib import Path

        from exactmatch.base.files import atomic_output, replacing

        name = os.fspath(path)
        suffix = Path(name).suffix.lower()
        if suffix not in _SUFFIXES:
            raise InputError(
                f"{name}: a report is saved in the format that the file's suffix "
                f"names; it is one of {', '.join(_SUFFIXES)}"
            )
        if suffix == ".parquet":
            from exactmatch.views.data import require

            parquet = require("pyarrow.parquet")
            table = self.to_frame("pyarrow")
            with replacing(Path(name)) as stream:
                parquet.write_table(table, stream)
            return
        with atomic_output(name) as stream:
            stream.write(self._written(_NAMES.get(suffix[1:], suffix[1:])))

    def _written(self, form: str) -> str:
        from io import StringIO

        from exactmatch.scoring.tables import corpus_table, pair_table
        from exactmatch.views.tables import Tables, fields_table, write

        corpora = [corpus_record(score) for score in self.scores]
        scores = (corpus_table(corpora, _DIGITS),)
        signatures = [score.signature for score in self.scores]
        shown = Tables("Scores", scores, {}, signatures=signatures)
        if form != "latex":
            pairs = [pair_record(pair) for pair in self.pairs]
            details = (pair_table(pairs, _DIGITS, len(corpora) > 1),) if pairs else ()
            rows = fields_table(CORPUS_FIELDS, corpora)
            if pairs:
                rows = fields_table(_FLAT, [_flat(pair) for pair in self.pairs])
            shown = shown._replace(
                data=self.to_dict(),
                details=details,
                states=[*states(self)],
                warnings=[*trouble(self)],
                rows=rows,
                lines=pairs or corpora,
            )
        stream = StringIO()
        write(stream, shown, form)
        return stream.getvalue()

    def _markup(self, pairs: Sequence[PairResult], about_pairs: str = "") -> Markup:
        """Return tables of the scores and of some pairs, and what went wrong."""
        from exactmatch.base.markup import element, joined
        from exactmatch.scoring.tables import corpus_table, pair_table
        from exactmatch.views.page import table_of

        corpora = [corpus_record(score) for score in self.scores]
        parts = [table_of(corpus_table(corpora, _DIGITS))]
        parts += [element("p", text) for text in (*states(self), *trouble(self))]
        if pairs:
            if about_pairs:
                parts.append(element("p", about_pairs))
            several = len({pair.metric for pair in pairs}) > 1
            records = [pair_record(pair) for pair in pairs]
            parts.append(table_of(pair_table(records, _DIGITS, several)))
        return joined(parts)


_FLAT = (*PAIR_FIELDS, "faults")  # the columns of pairs in files and frames


def _flat(pair: PairResult) -> dict[str, Any]:
    """Return the record of a pair, with its faults as one text."""
    return {**pair_record(pair), "faults": ", ".join(pair.faults)}


def states(report: Report) -> Iterator[str]:
    """Yield a sentence on the proofs of each score, then on its reader's losses."""
    from exactmatch.scoring.tables import losses, notes_of, proof

    yield from map(proof, report.scores)
    yield from notes_of(losses(report.scores))


def trouble(report: Report) -> Iterator[str]:
    """Yield a sentence on each interruption, omission and warning."""
    from exactmatch.scoring.tables import above_1, faulty

    if report.partial:
        yield "PARTIAL: interrupted before the end"
    for corpus in report.scores:
        if sentence := above_1(corpus):
            yield sentence
    yield from first_omissions(report)
    if report.predictions.faulty or report.predictions.taken_out:
        yield faulty(report.predictions)


def first_omissions(report: Report, *, every: bool = False) -> Iterator[str]:
    """Yield the first five omissions, or *every* one."""
    omitted = report.omitted
    shown = len(omitted) if every else _NOTICES
    yield from map(str, omitted[:shown])
    if len(omitted) > shown:
        counts = Counter(omission.action for omission in omitted)
        listed = ", ".join(f"{n} {action}" for action, n in counts.items())
        yield f"{listed} in all; JSON lists every one"


def trouble_record(report: Report, metric: str) -> dict[str, Any]:
    """Return omissions, warnings and whether the run was interrupted, as data.

    It has what the metric's reader left out of well-formed graphs, if anything, and
    the faults of predictions, if there are any.
    """
    dropped = report[metric].dropped
    record: dict[str, Any] = {
        "partial": report.partial,
        "omitted": [omission.record() for omission in report.omitted],
        "warnings": {kind: w.count for kind, w in report.warnings.items()},
    }
    if dropped:
        record["dropped"] = dropped
    if report.predictions.faulty or report.predictions.taken_out:
        record["predictions"] = report.predictions.record()
    return record
