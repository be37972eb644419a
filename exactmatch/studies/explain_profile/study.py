"""Score under each profile, and see what its difference from the first one does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import Any, TypeAlias

from exactmatch.base.errors import GraphError, InputError
from exactmatch.base.numbers import Bounds, Share, fixed, several
from exactmatch.base.options import flag, function
from exactmatch.formats.blocks import Block
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics.base import Metric, Statistics, add
from exactmatch.metrics.options import Climbing
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.options import Evaluating
from exactmatch.scoring.report import Report
from exactmatch.scoring.reporter import SILENCE, Listener, Reporter
from exactmatch.scoring.results import UPPER
from exactmatch.scoring.run import Run
from exactmatch.scoring.selection import Selection
from exactmatch.scoring.sources import is_missing
from exactmatch.studies.answer import Answer, of_metric
from exactmatch.studies.command import Command
from exactmatch.studies.options import Pairs, Selecting, selection_of
from exactmatch.studies.pairs import sources_of
from exactmatch.views.progress import Steps
from exactmatch.views.tables import PAIR, Column, Row, Table, Tables, fields_table


class ExplainProfileOptions(Evaluating, Climbing, Pairs):
    """How pairs are scored under each profile."""

    TITLE = "what is shown"

    macro: bool = flag("average over pairs instead of summing")


class Shown(Selecting):
    """Options of the view of scores."""

    TITLE = "what is shown"

    per_pair: bool = flag("show the change of every pair")


COMMAND = Command(
    """Say how much each difference between profiles moves the Smatch score.

The first row is the smatch profile; each further row changes one thing, and
the last three are other profiles: clean, and what SMATCH++ counts, generic and
for AMR.  A profile that cannot read the files says so in its row; a change is
over the pairs that both profiles read.  Below stands what smatch's reader lost.

Example:
  exactmatch explain-profile parsed.amr gold.amr
  exactmatch explain-profile parsed.amr gold.amr --per-pair
  exactmatch explain-profile parsed.amr gold.amr --where 'difference < -0.1'""",
    ExplainProfileOptions,
    "exactmatch.studies.explain_profile.study:study",
    Shown,
    references=True,
    is_verbose=False,
)

Pair: TypeAlias = tuple[int, str | None]
"""A pair by its place among all references, and its id."""

SHARES = ("precision", "recall", "f1")
RATIOS = (*SHARES, *UPPER)
"""A profile's score in the rows, and the most that it can be."""


@dataclass(frozen=True, eq=False, repr=False)
class ProfileScores(Answer):
    """Smatch under each profile.

    ``found["--no-wiki"]`` is the row of that profile.

    Attributes:
        rows: a row for each profile: ``precision``, ``recall`` and ``f1``, the most
            that each can be (``f1_upper``), the ``change`` of F1 from the first row
            over ``pairs_compared``, ``pairs``, totals, and the ``error`` of a profile
            that cannot read the graphs.
        pairs: each pair's F1 by profile, of those that can read it.
        remarks: in how many graphs the reader of smatch lost or tolerated what.
        macro: whether the scores are means over pairs.

    >>> import exactmatch.studies
    >>> preds, golds = ["(b / bark-01 :mod (l / loud))"], ["(b / bark-02)"]
    >>> found = exactmatch.studies.compare_profiles(preds, golds)
    >>> found
    smatch 0.3333; --top concept moves it most: -0.3333
    >>> found["--top none"]["f1"]
    0.0
    """

    rows: Sequence[Row]
    pairs: Mapping[Pair, Mapping[str, float]]
    remarks: Mapping[str, int]
    macro: bool

    def __getitem__(self, profile: str) -> Row:
        return of_metric({row["profile"]: row for row in self.rows}, profile)

    def __repr__(self) -> str:
        first, *others = self.rows
        most = max(others, key=lambda row: abs(row["change"] or 0.0))
        change = fixed(most["change"], 4, signed=True)
        shown = f"{first['profile']} {fixed(first['f1'], 4)}"
        return f"{shown}; {most['profile']} moves it most: {change}"


VARIATIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("--duplicates multiset", {"duplicates": "multiset"}),
    ("--duplicates set", {"duplicates": "set"}),
    ("--top concept", {"top": "concept"}),
    ("--top none", {"top": "none"}),
    ("--no-wiki", {"wiki": False}),
    ("--no-sense", {"sense": False}),
    ("--strip-alignments", {"strip_alignments": True}),
    ("--reify", {"reification": "reify"}),
    ("--dereify", {"reification": "dereify"}),
)
"""One option at a time, and what it changes in a profile."""

OTHERS = ("clean", "smatchpp-generic", "smatchpp")
"""Profiles that differ from smatch in more than one thing."""


def study(asked: ExplainProfileOptions, reporter: Listener = SILENCE) -> ProfileScores:
    """Say how much each difference between profiles moves the Smatch score.

    Raises:
        GraphError: if no profile can read a graph.
        InputError: if graphs cannot be paired, or an option is wrong.

    >>> import exactmatch.studies
    >>> preds, golds = ["(b / bark-01)"], ["(b / bark-02)"]
    >>> found = exactmatch.studies.compare_profiles(preds, golds)
    >>> found["smatch"]["f1"], found["--no-sense"]["f1"]
    (0.5, 1.0)
    """
    given = sources_of(asked.preds, asked.golds, asked)
    if given.read_once:
        raise InputError(
            "explain-profile reads the files once for each profile; name a file "
            "instead of standard input"
        )
    base = PROFILES["smatch"]
    profiles = [("smatch", base)]
    profiles += [(flag, base.with_options(**change)) for flag, change in VARIATIONS]
    profiles += [(name, PROFILES[name]) for name in OTHERS]
    solver = asked.only_solver(reporter.note)
    metrics = [
        Smatch(profile, solver, asked.max_terms).named(name)
        for name, profile in profiles
    ]
    fails = asked.on_error in ("raise", "fail")
    settings = asked.settings(
        on_error="skip" if fails else asked.on_error,  # one profile fails, and not all
        keep_solutions=False,
    )
    report = Run(given, metrics, settings, _Unwarned(reporter)).finish()
    reporter.scored(replace(report, omitted=()))  # rows name their own errors
    errors = {metric.name: _error(report, metric.name, fails) for metric in metrics}
    fault = errors["smatch"]
    if fault and all(errors.values()):
        raise InputError(fault)
    kept = _kept(report, errors, asked.common)
    base_of = {} if fault else kept["smatch"]
    rows = []
    pairs: dict[Pair, dict[str, float]] = {}
    for metric in metrics:
        own, error = kept[metric.name], errors[metric.name]
        rows.append(_row(metric, error, own, base_of, asked.macro))
        for pair, statistics in own.items():
            f1 = metric.scores(statistics).score
            pairs.setdefault(pair, {})[metric.name] = f1
    lost = (_losses(metrics[0], one) for side in given.sides(False) for one in side)
    remarks = Counter(remark for remarks in lost for remark in remarks)
    return ProfileScores(rows, pairs, dict(remarks), asked.macro)


compare_profiles = function("compare_profiles", ExplainProfileOptions, study)


class _Unwarned(Reporter):
    """Passes on all but warnings, which would come once for each profile."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter

    def progress(self, what: str, total: int | None) -> AbstractContextManager[Steps]:
        return self._reporter.progress(what, total)

    def note(self, text: str) -> None:
        self._reporter.note(text)


def _error(report: Report, name: str, fails: bool) -> str | None:
    """Why a profile cannot read the graphs, which is part of the answer."""
    reasons = [o.reason for o in report.omitted if o.concerns(name)]
    if reasons and fails:
        return reasons[0]
    if not report[name].pairs:
        return "; ".join(["no pair could be scored", *reasons[:1]])
    return None


def _kept(
    report: Report, errors: Mapping[str, str | None], common: bool
) -> dict[str, dict[Pair, Statistics]]:
    """The counts of each profile, of the pairs that it can read, or that all can."""
    kept = {
        name: {(result.index, result.id): result.statistics for result in of.values()}
        for name, of in report.by_metric().items()
    }
    if common:
        readable = [set(kept[name]) for name, error in errors.items() if not error]
        shared = set[Pair].intersection(*readable)
        for name, found in kept.items():
            kept[name] = {pair: found[pair] for pair in found if pair in shared}
    return kept


def _row(
    metric: Metric,
    error: str | None,
    own: Mapping[Pair, Statistics],
    base: Mapping[Pair, Statistics],
    macro: bool,
) -> dict[str, Any]:
    """A profile's scores, and the change over the pairs that both profiles have."""
    row: dict[str, Any] = {"profile": metric.name, "error": error}
    row |= {"f1": None, "change": None}
    if error or not own:
        return row | {"pairs": 0, "pairs_compared": 0}
    score = metric.scores(reduce(add, own.values()))
    row |= {"pred_total": score.pred_total, "gold_total": score.gold_total}
    row |= _ratios(metric, own.values(), macro) | {"pairs": len(own)}
    shared = [pair for pair in own if pair in base]
    row["pairs_compared"] = len(shared)
    if shared:
        ours = _ratios(metric, [own[pair] for pair in shared], macro)
        theirs = _ratios(metric, [base[pair] for pair in shared], macro)
        row["change"] = ours["f1"] - theirs["f1"]
    return row


def _ratios(
    metric: Metric, pairs: Iterable[Statistics], macro: bool
) -> dict[str, float]:
    """Precision, recall, F1 and the most that each can be, of sums or on average."""
    sums = list(pairs) if macro else [reduce(add, pairs)]
    scores = [metric.scores(found) for found in sums]
    rows = [
        (s.precision, s.recall, s.f1, *(s.upper() or (s.precision, s.recall, s.f1)))
        for s in scores
    ]
    means = (sum(column) / len(rows) for column in zip(*rows, strict=True))
    return dict(zip(RATIOS, means, strict=True))


def _losses(metric: Metric, given: Any) -> tuple[str, ...]:
    """The things in a graph that the metric's reader lost or tolerated."""
    if is_missing(given) or (isinstance(given, Block) and not given.content):
        return ("has no graph",)
    try:
        read = metric.read(given)
    except GraphError:
        return ("cannot be read",)
    return (
        *(f"has {what}" for what, _ in read.dropped),
        *(error.reason for error in read.lenient),
    )


_FIELDS = (
    *("profile", *RATIOS, "change", "pred_total", "gold_total"),
    *("pairs", "pairs_compared", "error"),
)


def tables(found: ProfileScores, per_pair: bool = False, **chosen: Any) -> Tables:
    """Scores under each profile, and what a reader lost.

    Pairs are shown if all or some are *chosen*, by the options of
    :class:`~exactmatch.studies.options.Selecting`.
    """
    rows = found.rows
    number = Share(4)
    differ = any(row["pairs_compared"] < row["pairs"] for row in rows if row["pairs"])
    fails = any(row["error"] for row in rows)
    columns = (
        Column("profile", "profile"),
        Column("_precision", "precision", number, exact="precision"),
        Column("_recall", "recall", number, exact="recall"),
        Column("_f1", "F1", number, exact="f1"),
        Column("change", "change", Share(4, signed=True)),
        Column("pairs", "pairs"),
        Column("pairs_compared", "pairs of change" if differ else None),
        Column("error", "error" if fails else None, is_text=True),
    )
    notes = [
        f"  {several(times, 'graph')}: {reason}"
        for reason, times in sorted(found.remarks.items(), key=lambda item: -item[1])
    ]
    shown = [
        {**row, **{f"_{n}": Bounds(row.get(n), row.get(f"{n}_upper")) for n in SHARES}}
        for row in rows
    ]
    made = Tables(
        "Profiles",
        (Table("", columns, shown),),
        {"rows": rows, "macro": found.macro, "remarks": found.remarks},
        states=["scores are means over pairs"] if found.macro else (),
        notes=["what smatch's reader met:", *notes] if notes else (),
        rows=fields_table(_FIELDS, rows),
    )
    selection = selection_of(chosen)
    return _with_pairs(made, found, selection) if per_pair or selection else made


def _with_pairs(made: Tables, found: ProfileScores, selection: Selection) -> Tables:
    """The same with the F1 under each profile of the pairs that are asked for.

    Text has room for the profiles that move a pair most; pages and LaTeX show all.
    """
    first, *others = profiles = [row["profile"] for row in found.rows]
    choose = partial(_conditions, profiles)
    pairs = selection.chosen(sorted(found.pairs.items()), choose)
    number = Share(4)
    text = ("text",)
    columns = (
        *PAIR,
        Column("_at_0", first, number),
        Column("_lowest", "lowest", number, formats=text),
        Column("_lowest_under", "under", is_text=True, formats=text),
        Column("_highest", "highest", number, formats=text),
        Column("_highest_under", "under", is_text=True, formats=text),
        *(
            Column(f"_at_{k}", name, number, formats=("latex", "html"))
            for k, name in enumerate(others, 1)
        ),
    )
    rows, objects, flat = [], [], []
    for (index, name), by in pairs:
        about = {"index": index, "id": name}
        scores = {profile: by.get(profile) for profile in profiles}
        rows.append({"index": index, "_id": name or "", **_pair_row(scores)})
        objects.append({**about, "f1": scores})
        base = scores[first]
        for profile, f1 in scores.items():
            change = None if f1 is None or base is None else f1 - base
            flat.append({**about, "profile": profile, "f1": f1, "change": change})
    return made._replace(
        details=(Table("", columns, rows),),
        data={**made.data, "per_pair": objects},
        rows=fields_table(("index", "id", "profile", "f1", "change"), flat),
        lines=objects,
        is_wide=True,
    )


def _conditions(
    profiles: Sequence[str], one: tuple[Pair, Mapping[str, float]]
) -> dict[str, Any]:
    """A pair's columns: the first profile's F1, the largest change, every profile's."""
    (index, name), by = one
    base = by.get(profiles[0])
    changes = [] if base is None else [f1 - base for f1 in by.values()]
    return {
        "index": index,
        "id": name,
        "score": base,
        "f1": base,
        "difference": max(changes, key=abs, default=None),
        **{profile.lstrip("-"): by.get(profile) for profile in profiles},
    }


def _pair_row(scores: Mapping[str, float | None]) -> dict[str, Any]:
    """A pair's F1 under each profile, and the profiles that move it most."""
    row: dict[str, Any] = {f"_at_{k}": f1 for k, f1 in enumerate(scores.values())}
    base = row["_at_0"]
    if base is None:
        return row
    known = {name: f1 for name, f1 in scores.items() if f1 is not None}
    for end, choose in (("_lowest", min), ("_highest", max)):
        name = choose(known, key=known.__getitem__)
        if known[name] != base:
            row |= {end: known[name], f"{end}_under": name}
    return row
