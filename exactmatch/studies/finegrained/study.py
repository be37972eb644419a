"""Score single aspects of graphs: names, negation, re-entrancies, agents, places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Literal, TypeAlias, get_args

from exactmatch.base import values
from exactmatch.base.errors import InputError, unknown
from exactmatch.base.numbers import Bounds, Share, several
from exactmatch.base.options import flag, function, option, optional, redeclared
from exactmatch.graphs.profile import Align
from exactmatch.metrics.base import Metric
from exactmatch.metrics.options import Climbing, Counting, Metrics
from exactmatch.scoring.options import AskedIntervals, Evaluating
from exactmatch.scoring.report import Report, trouble
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.scoring.results import RATIOS, corpus_record, name_of
from exactmatch.scoring.sources import paths_of
from exactmatch.scoring.tables import losses, notes_of, shown_ratios
from exactmatch.studies.answer import Looks
from exactmatch.studies.command import Command
from exactmatch.studies.options import Referring, Selecting, picture
from exactmatch.studies.pairs import finish, formats_of, opened
from exactmatch.studies.score.options import ReferencedPairs
from exactmatch.studies.score.view import Scores
from exactmatch.views.tables import Column, Row, Table, Tables

Style: TypeAlias = Literal["exact", "amrlib", "damonte", "umr", "umatch", "graph"]
_OF_DOCUMENTS = ("umr", "umatch")
"""The styles that are tables of documents."""
_RATIOS = ("precision", "recall", "f1")
_COUNTS = ("matched", "pred_total", "gold_total")


class FinegrainedOptions(
    Referring, Evaluating, Climbing, AskedIntervals, ReferencedPairs
):
    """Which aspects of graphs are scored, and how."""

    TITLE = "scores"

    style: Style = option(
        "exact (default); amrlib, damonte: like these tools, aligned exactly; umr, "
        "umatch: UMR documents; graph: nodes and edges of any graphs",
        default="exact",
        choices=get_args(Style),
        kw_only=False,
    )
    aspects: Literal["realign", "main"] | None = optional(
        "score agents, places, times … instead, each aligned anew (realign), or by "
        "the whole graphs' alignment, with ranges (main)",
        choices=("realign", "main"),
        bare="realign",
    )
    scores: str | Iterable[str] | None = optional(
        "only these scores, by their names in JSON; of documents any :role",
        read=values.words,
        flags=("--scores", "--only"),
        metavar="NAME[,NAME…]",
        is_list=True,
    )
    roles: Iterable[str] = option(
        "for documents, further roles that get a row each, such as ARG1",
        default=(),
        read=values.words,
        flags=(),
    )


class Documents(Metrics, FinegrainedOptions):
    """Options that documents, and labelled graphs, alone have."""

    TITLE = "documents (--style umr)"

    align: Align | None = redeclared(
        Counting,
        "align",
        about="which variables of documents may be aligned: any, those of the same "
        "sentence (default), or those of the same sentence that share a word",
    )
    ignore_unannotated: bool = redeclared(Counting, "ignore_unannotated")


class Shown(Selecting):
    """Options of the view of scores."""

    TITLE = "what is shown"

    per_pair: bool = flag("show every pair")
    macro: bool = flag("average over pairs instead of summing")
    plot: str | None = picture("draw the scores as bars")


_LABELLED = "labelled graphs (--style graph)"

COMMAND = Command(
    """Score single aspects: frames, names, negation, re-entrancies, agents, places.

Where a score needs an alignment, it is the best one, proven.

Example:
  exactmatch finegrained parsed.amr gold.amr
  exactmatch finegrained parsed.amr gold.amr --style amrlib --format csv
  exactmatch finegrained pred.json gold.json --style graph""",
    Documents,
    "exactmatch.studies.finegrained.study:study",
    Shown,
    metrics=("graph",),
    titles=((Metrics, _LABELLED),),
    waiting=(Documents.TITLE, _LABELLED),
    references=True,
    display="exactmatch.studies.finegrained.study:FineGrainedScores",
)


def study(asked: Documents, reporter: Listener = SILENCE) -> Report:
    """Score single aspects of the graphs: names, negation, re-entrancies and so on.

    If a score needs an alignment, it uses a proven best one.

    Returns:
        A report whose metrics are the aspects.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if the numbers of graphs differ, there is no such style, or it has
            no use for an option.

    >>> import exactmatch
    >>> pred, gold = "(b / bark-01 :polarity -)", "(b / bark-01)"
    >>> report = exactmatch.finegrained([pred], [gold])
    >>> report["concepts"].score.score, report["negation"].score.precision
    (1.0, 0.0)
    >>> exactmatch.finegrained([pred], [gold], aspects="main")["focus"].score.f1
    1.0
    """
    metrics = _scores(asked, reporter)
    _note_style(asked, reporter)
    shown = reporter.show is not None
    more: dict[str, Any] = {"intervals": asked.intervals(), "refs": asked.refs}
    more |= {"keep_pairs": not shown, "partial": shown}
    run = opened(asked.preds, asked.golds, asked, metrics, reporter, **more)
    report = finish(run, reporter, "scoring")
    if asked.confidence is not None and not report.partial:
        _note_few(report, reporter)
    return report


finegrained = function("finegrained", Documents, study)


def _note_style(asked: Documents, reporter: Listener) -> None:
    """Say so where documents are scored as AMR's graphs are."""
    if asked.style in _OF_DOCUMENTS:
        return
    paths = [*paths_of(asked.preds), *paths_of(asked.golds)]
    formats = formats_of(asked.format_in, paths)
    for name in sorted({found.name for found in formats if found.profile == "umr"}):
        reporter.note(
            f"graphs in format {name} are counted as AMR's are; --style umr counts "
            "them by their own rules"
        )


def _note_few(report: Report, reporter: Listener) -> None:
    """Say that there are no intervals, where there are too few pairs for any."""
    from exactmatch.scoring.resampling import FEWEST

    pairs = max((score.defined for score in report.scores), default=0)
    if few := sum(score.defined < FEWEST for score in report.scores):
        what = several(pairs, "pair")
        if pairs >= FEWEST:
            what = f"{several(few, 'score')} that few pairs have"
        reporter.note(f"no confidence intervals of {what}; they take {FEWEST} or more")


def _scores(asked: Documents, reporter: Listener) -> list[Metric]:
    """Make the scores that are asked for."""
    _check_style(asked)
    names = list(asked.scores or ())
    roles = [name[1:].lower() for name in names if name.startswith(":")]
    style = asked.style
    solver, most = asked.only_solver(reporter.note), asked.max_terms
    every: list[Metric]
    if style == "umr" or style == "umatch":
        from exactmatch.metrics.umr.scores import umatch_scores, umr_scores

        names = [name for name in names if not name.startswith(":")] + roles
        rows = [*asked.roles, *roles]
        if style == "umatch":
            every = umatch_scores(rows)
        else:
            ignored = asked.ignore_unannotated
            every = umr_scores(solver, most, asked.align, ignored, rows)
    elif style == "graph":
        from exactmatch.metrics.labelled.subscores import kind_scores
        from exactmatch.metrics.making import make_metric

        options: Any = asked.given_options() | {"max_terms": most}
        whole: Any = make_metric("graph", solver=solver, **options)
        every = kind_scores(whole)
    elif asked.aspects:
        from exactmatch.metrics.finegrained.aspects import aspects

        every = aspects(asked.aspects, solver, most)
    else:
        from exactmatch.metrics.finegrained.scores import finegrained

        every = finegrained(style, solver, most)
    if not names:
        return every
    known = {metric.name: metric for metric in every}
    for name in names:
        if name not in known:
            raise InputError(f"--scores: {unknown('score', name, known)}")
    return [known[name] for name in known if name in names]


def _check_style(asked: Documents) -> None:
    style = asked.style
    owners = {"aspects": "exact", "align": "umr", "ignore_unannotated": "umr"}
    given = [(name, owner) for name, owner in owners.items() if getattr(asked, name)]
    given += [(name, "graph") for name in asked.given_options()]
    for name, owner in given:
        if style != owner:
            flag = name.replace("_", "-")
            raise InputError(f"--{flag} is for --style {owner}, not {style!r}")
    if asked.roles and style not in _OF_DOCUMENTS:
        raise InputError(f"roles are for styles 'umr' and 'umatch', not {style!r}")


class FineGrainedScores(Scores):
    """Takes pairs' results as they come; programs read them like other scores."""

    def __init__(self, looks: Looks, **shown: Any) -> None:
        super().__init__(looks, **shown)
        self.needs_solutions = False
        self.titles: Mapping[str, str] = {}  # what people call each; known at the end

    def _tables(self, report: Report, corpora: Sequence[Row]) -> Tables:
        self.titles = {score.metric: score.title for score in report.scores}
        pairs = report.scores[0].pairs if report.scores else 0
        return Tables(
            "Fine-grained scores",
            (self._table(several(pairs, "pair"), corpora),),
            {"metrics": [*self._records(report, corpora)]},
            details=[self._pair_table(corpora)] if self.pairs else [],
            notes=[*self._notes(report)],
            signatures=_signatures(report),
            rows=self._rows(corpora),
            lines=self._lines(report, corpora),
            is_wide=bool(self.pairs),
        )

    def draw(self, path: str, report: Report) -> None:
        """Draw the F1 of every score."""
        from exactmatch.views.score_plots import ScoreBar, score_bars

        bars = []
        about = "F1, mean over pairs" if self.macro else "F1"
        for score in report.scores:
            record, interval = corpus_record(score, self.macro), None
            if record.get("score_low") is not None:
                interval = record["score_low"], record["score_high"]
            ratios = record["f1"], record["f1_upper"]
            bars.append(ScoreBar(score.title, *ratios, interval))
        if any(bar.interval for bar in bars):
            about += f", {100 * (report.scores[0].confidence or 0):g} % intervals"
        score_bars(path, bars, self.looks.number, about)

    def _table(self, title: str, records: Sequence[Row]) -> Table:
        number = Share(self.digits)
        columns = (
            Column("metric", "score", self.titles.__getitem__, beneath="_level"),
            *(Column(key, key.removesuffix("_total"), _count) for key in _COUNTS),
            Column("defined", "pairs", _count),
            *(
                Column(f"_{name}", name, number, exact=name, beneath=f"_{ratio}_ends")
                for name, ratio in zip(_RATIOS, RATIOS, strict=True)
            ),
        )
        rows = [{**record, **_ratios(record)} for record in records]
        if any(record.get("score_low") is not None for record in records):
            rows = [shown_ratios(row) | row for row in rows]
        return Table(title, columns, rows)

    def _pair_table(self, corpora: Sequence[Row]) -> Table:
        """The F1 of every score: the corpus, then a row a pair."""
        pairs = groupby(self.pairs, lambda pair: name_of(pair["index"], pair["id"]))
        rows = [{"pair": "corpus", **_f1(corpora)}]
        rows += [{"pair": name, **_f1(records)} for name, records in pairs]
        number = Share(self.digits)
        _, *names = rows[0]
        columns = [Column(name, self.titles[name], number) for name in names]
        return Table("", (Column("pair", "F1", shrinks=True), *columns), rows)

    def _notes(self, report: Report) -> Iterator[str]:
        """Which scores are open, what was left out, whether the end was reached."""
        if self.macro:
            yield "means over the pairs that have what is scored"
        open_pairs = {
            self.titles[score.metric]: score.pairs - score.proven
            for score in report.scores
            if score.proven is not None and score.proven < score.pairs
        }
        if open_pairs:
            counted = ", ".join(f"{title} {n}" for title, n in open_pairs.items())
            yield (
                "intervals where an alignment is not proven, or where optimal ones "
                f"differ; pairs: {counted}"
            )
        elif any(score.proven is not None for score in report.scores):
            stored = max(report.scores, key=lambda score: score.stored)
            yield f"every alignment proven optimal{stored.when_stored()}"
        lost = losses(report.scores)
        yield from notes_of({(self.titles[n],): found for (n,), found in lost.items()})
        yield from trouble(report)


def _f1(records: Iterable[Row]) -> dict[str, Any]:
    return {record["metric"]: _ratios(record)["_f1"] for record in records}


def _ratios(record: Row) -> dict[str, Bounds]:
    """The ratios, with the most that they can be where they are open."""
    return {
        f"_{name}": Bounds(record[name], record.get(f"{name}_upper"))
        for name in _RATIOS
    }


def _count(number: float | None) -> str:
    return "-" if number is None else f"{number:g}"


def _signatures(report: Report) -> list[str]:
    """The signatures, one for all scores that differ in name and proofs alone."""
    texts = []
    for score in report.scores:
        fields = score.signature.split("|")
        kept = [f for f in fields if not f.startswith(("metric:", "proven:"))]
        texts.append("|".join(kept))
    return list(dict.fromkeys(texts))
