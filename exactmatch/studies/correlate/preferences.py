"""Comparison of metrics with people's preferences, and their test on foils."""

from __future__ import annotations

import numpy as np

from exactmatch.base.errors import InputError
from exactmatch.base.numbers import several
from exactmatch.scoring.documents import Documents
from exactmatch.scoring.report import Report
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.scoring.rows import Codes, counted
from exactmatch.scoring.sources import paths_of
from exactmatch.scoring.tables import losses
from exactmatch.studies.correlate import measures
from exactmatch.studies.correlate.human import (
    Judgement,
    judgement_of,
    judges_agreement,
    majority,
)
from exactmatch.studies.correlate.options import (
    Correlating,
    FoilOptions,
    PreferenceOptions,
)
from exactmatch.studies.correlate.results import PreferenceCorrelation
from exactmatch.studies.correlate.scored_pairs import (
    covered,
    document_codes,
    number_of_pairs,
    report_of,
)
from exactmatch.studies.pairs import ids_of


def preferences_study(
    options: PreferenceOptions, reporter: Listener = SILENCE
) -> PreferenceCorrelation:
    """Measure how often metrics prefer what people prefer.

    Pairs 0 and 1 are two candidates, each with its reference, and people prefer one of
    them; pairs 2 and 3 are the next two, and so on.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if there is not one preference for every two pairs, or an option is
            wrong.

    >>> import exactmatch
    >>> golds = ["(b / bark-01)", "(b / bark-01)"]
    >>> preds = ["(b / bark-01)", "(m / meow-01)"]
    >>> result = exactmatch.studies.correlate_preferences(preds, golds, [1])
    >>> result["smatch"].accuracy.value
    1.0
    """
    judgement = judgement_of(options.human, prefers=True)
    report, documents = report_of(options, reporter)
    judgement = judgement.of_pairs(ids_of(report))
    return _preferred(options, report, documents, judgement, reporter)


def foils_study(
    options: FoilOptions, reporter: Listener = SILENCE
) -> PreferenceCorrelation:
    """Measure how often metrics score an original strictly higher than its foil.

    Pair 0 is a foil with its reference and pair 1 the original with its own; pairs 2
    and 3 are the next two, and so on.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if the number of pairs is odd, or an option is wrong.

    >>> import exactmatch
    >>> golds = ["(b / bark-01 :ARG0 (d / dog))"] * 2
    >>> preds = ["(b / bark-01 :ARG1 (d / dog))", golds[0]]
    >>> exactmatch.studies.correlate_foils(preds, golds)
    originals preferred to foils: smatch 100.0 % (1 right, 0 tied, 0 wrong)
    """
    report, documents = report_of(options, reporter)
    pairs = number_of_pairs(report)
    paths = paths_of(options.preds)
    if pairs % 2 and not paths:
        raise InputError(
            f"{several(pairs, 'pair')} of graphs; each foil is followed by its original"
        )
    second = Judgement(np.zeros((1, pairs // 2)), True, paths[0] if paths else None)
    return _preferred(options, report, documents, second, reporter, foils=True)


def _preferred(
    options: Correlating,
    report: Report,
    documents: Documents,
    judgement: Judgement,
    reporter: Listener,
    foils: bool = False,
) -> PreferenceCorrelation:
    scores = covered(report, judgement)
    human, sampling = majority(judgement.answers), options.sampling()
    codes = document_codes(documents, sampling, range(2 * len(human)), reporter)
    default = options.DECLARED["confidence"].default
    settings = "" if sampling.level == default else f"|confidence:{sampling.level:g}"
    if codes is not None:
        codes = _of_decisions(codes)
        settings = f"|{':'.join(sampling.signature(counted(codes, len(codes))))}"
    preferences, right = {}, {}
    for metric, metric_scores in scores.items():
        sides = metric_scores[0::2], metric_scores[1::2]
        preferences[metric] = measures.preference(*sides, human, sampling, codes)
        right[metric] = measures.choices(*sides, human)
    if not any(p.decided + p.undecided for p in preferences.values()):
        raise InputError("no two pairs can be compared; nothing is judged")
    return PreferenceCorrelation(
        judges_agreement(judgement.answers, numbers=False),
        sampling,
        losses(report.scores),
        tuple(f"{score.signature}{settings}" for score in report.scores),
        preferences,
        tuple(measures.mcnemar_tests(right, sampling, codes)),
        foils,
        human,
        scores,
        ids_of(report),
    )


def _of_decisions(codes: Codes) -> Codes:
    """Return the document of every two pairs between which people chose."""
    differs = np.flatnonzero(codes[0::2] != codes[1::2])
    if len(differs):
        first = 2 * int(differs[0]) + 1
        raise InputError(
            f"--unit document: pairs {first} and {first + 1} are of different "
            "documents, and people chose between them; leave it out"
        )
    return codes[0::2]
