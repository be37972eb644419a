"""Fine-grained scores of graphs that are in memory, as Python programs ask for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias, get_args

from exactmatch.base.errors import InputError
from exactmatch.formats.anything import GraphLike
from exactmatch.graphs.profile import Align
from exactmatch.metrics.base import Metric
from exactmatch.metrics.finegrained import scores
from exactmatch.metrics.finegrained.aspects import Way
from exactmatch.metrics.finegrained.aspects import aspects as aspect_scores
from exactmatch.metrics.umr.scores import umatch_scores, umr_scores
from exactmatch.scoring.report import Report
from exactmatch.scoring.run import evaluate_items
from exactmatch.scoring.settings import Settings
from exactmatch.solvers.base import Solver

DocumentStyle: TypeAlias = Literal["umr", "umatch"]
"""The styles of fine-grained scores that are tables of documents."""


def finegrained(
    preds: Iterable[GraphLike],
    golds: Iterable[GraphLike],
    style: scores.Style | DocumentStyle = "exact",
    *,
    solver: Solver | str = "auto",
    jobs: int = 1,
    align: Align | None = None,
    ignore_unannotated: bool = False,
    roles: Iterable[str] = (),
    aspects: Way | None = None,
) -> Report:
    """Score single aspects of the graphs: names, negation, re-entrancies and so on.

    Args:
        preds: predicted graphs.
        golds: their references, in the same order.
        style: ``exact``, or ``amrlib`` or ``damonte`` for what those tools would score
            with the best alignments; ``umr`` and ``umatch`` for the tables of UMR
            documents, under one proven alignment or under juːmæʧ's mapping.
        solver: who aligns the variables; every exact one gives the same scores.
        jobs: how many processes score pairs.
        align: of style ``umr``, which variables may be aligned; default: those of the
            same sentence.
        ignore_unannotated: of style ``umr``, whether roles that the references never
            have are not charged to a prediction.
        roles: of both, further roles that have a row each, such as ``ARG1``.
        aspects: score agents, places, times and so on instead, of style ``exact``:
            ``realign`` aligns each anew, ``main`` reads it off the alignment of the
            whole graphs and gives the range over all optimal ones.

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
    known = (*get_args(scores.Style), *get_args(DocumentStyle))
    if style not in known:
        raise InputError(f"unknown style {style!r} (known: {', '.join(known)})")
    if style != "umr" and (align is not None or ignore_unannotated):
        raise InputError(
            f"align and ignore_unannotated are for style 'umr', not {style!r}"
        )
    if style != "exact" and aspects is not None:
        raise InputError(f"aspects are for style 'exact', not {style!r}")
    named = tuple(roles)
    metrics: Sequence[Metric]
    if style == "umr":
        metrics = umr_scores(solver, None, align, ignore_unannotated, named)
    elif style == "umatch":
        metrics = umatch_scores(named)
    elif named:
        raise InputError(f"roles are for styles 'umr' and 'umatch', not {style!r}")
    elif aspects is not None:
        metrics = aspect_scores(aspects, solver)
    else:
        metrics = scores.finegrained(style, solver)
    return evaluate_items(preds, golds, metrics, Settings(jobs=jobs))
