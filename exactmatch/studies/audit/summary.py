"""Search error of a hill-climber: its answers compared with the proven optimum.

Each pair is climbed in several runs (:mod:`exactmatch.studies.audit.study`).  With
F(v) the F1 score of *v* matched triples, M the optimum and v_s the value of run *s*:

* a pair is *below* the optimum in run *s* if v_s < M; its error is F(M) - F(v_s);
* *determinacy error* ε: the standard deviation of the score over runs, of each
  pair and averaged (graph level), or of the corpus score (corpus level); Opitz,
  Parcalabescu and Frank (2020), section 3 and tables 3 and 5 (here with n - 1);
* *symmetry violation ratio* and *mean symmetry violation*: how often, and by how
  much on average, F(A, B) differs from F(B, A); their equations 4 and 5, where a
  difference counts if it exceeds 0.0001, as in their table 1;
* minimum, mean and maximum of the corpus score over runs: Song and Gildea (2019),
  figure 2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from exactmatch.base.numbers import fixed, several
from exactmatch.engine.explain import aligned_pairs
from exactmatch.metrics.base import Metric
from exactmatch.metrics.score import f_score
from exactmatch.scoring.exchange import Matrix
from exactmatch.scoring.paired_tests import paired_test
from exactmatch.scoring.resampling import Interval, Sampling
from exactmatch.scoring.results import CorpusScore, PairResult
from exactmatch.scoring.rows import Codes, mean_scorer, pair_weights, summed
from exactmatch.studies.audit.results import (
    Against,
    Audit,
    Climbed,
    Failure,
    MetricAudit,
    Plan,
    Runs,
    SearchError,
    Totals,
)

ASYMMETRIC = 1e-4  # scores further apart violate symmetry (Opitz et al., table 1)


def search_errors(
    totals: Totals, restarts: Sequence[int], values: Runs, mirrored: Runs | None
) -> list[SearchError]:
    """Summarise the runs of all pairs for each number of restarts."""
    optimum, best = totals.f1(totals.optimum), float(totals.corpus_f1(totals.optimum))
    errors = []
    for k, count in enumerate(restarts):
        matched = values[:, :, k]
        below = matched < totals.optimum[:, None] - 1e-9
        f1 = totals.f1(matched)
        error = optimum[:, None] - f1
        corpus = totals.corpus_f1(matched)
        ratio = mean = corpus_error = None
        if mirrored is not None:
            exchanged = mirrored[:, :, k]
            difference = np.abs(f1 - totals.f1(exchanged))
            ratio = float((difference > ASYMMETRIC).mean())
            mean = float(difference.mean())
            corpus_error = float(np.abs(corpus - totals.corpus_f1(exchanged)).mean())
        errors.append(
            SearchError(
                count,
                float(below.mean()),
                float(below.any(axis=1).mean()),
                float(error.mean()),
                float(error.max(initial=0.0)),
                float((totals.optimum[:, None] - matched).sum(axis=0).mean()),
                float(corpus.min()),
                float(corpus.mean()),
                float(corpus.max()),
                best - float(corpus.min()),
                _deviation(f1),
                _deviation(corpus[None, :]),
                ratio,
                mean,
                corpus_error,
            )
        )
    return errors


def _deviation(scores: Matrix) -> float | None:
    """Return the standard deviation over runs (n - 1), averaged over pairs.

    It is ``None`` for a single run and where there are no pairs.
    """
    if scores.shape[1] < 2 or not len(scores):
        return None
    deviation = scores.std(axis=1, ddof=1)
    deviation[np.ptp(scores, axis=1) == 0] = 0.0
    return float(deviation.mean())


def audit(
    pairs: Sequence[tuple[PairResult, Climbed]],
    plan: Plan,
    metric: Metric,
    corpus: CorpusScore,
    unclimbed: int,
) -> MetricAudit:
    """Compare the climbs of a corpus with the proven optima of its pairs."""
    results = [result for result, _ in pairs]
    scale = results[0].required_problem.problem.scale
    solutions = [result.solved.value for result in results]
    climbed = np.stack([pair.values for _, pair in pairs], axis=1) / scale
    values, mirrored = climbed[0], climbed[1] if plan.symmetry else None
    totals = Totals(
        np.maximum(np.array(solutions) / scale, values.max(axis=(1, 2), initial=0.0)),
        np.array([r.score.pred_total for r in results], dtype=np.float64),
        np.array([r.score.gold_total for r in results], dtype=np.float64),
    )
    lowest = values[:, :, plan.place].min(axis=1)
    below = np.flatnonzero(lowest < totals.optimum - 1e-9).tolist()
    failures = [_failure(pairs[k], totals, k, float(lowest[k])) for k in below]
    failures.sort(key=lambda failure: (-failure.error, failure.index))
    return MetricAudit(
        metric.name,
        metric.title,
        plan,
        totals,
        values,
        mirrored,
        tuple(search_errors(totals, plan.restarts, values, mirrored)),
        tuple(failures),
        sum(not result.score.proven for result in results),
        unclimbed,
        corpus.signature,
        corpus.dropped,
    )


def _failure(
    pair: tuple[PairResult, Climbed], totals: Totals, k: int, lowest: float
) -> Failure:
    result, climbed = pair
    optimum, alignment = float(totals.optimum[k]), result.solved.alignment
    pred_and_gold = float(totals.pred[k]), float(totals.gold[k])
    return Failure(
        result.index,
        result.id,
        optimum,
        lowest,
        f_score(optimum, *pred_and_gold)[2],
        f_score(lowest, *pred_and_gold)[2],
        climbed.worst_seed,
        aligned_pairs(result.pred, result.gold, alignment),
        aligned_pairs(result.pred, result.gold, climbed.worst),
        result.required_problem,
        alignment,
        climbed.worst,
    )


def against(
    audited: MetricAudit,
    name: str,
    values: Runs,
    mirrored: Runs | None,
    sampling: Sampling,
    advance: Callable[[], None],
    codes: Codes | None = None,
) -> Against:
    """Compare another program's runs with the optimum and with ours.

    *codes* has the number of each pair's document, if documents are the units.
    """
    tests = []
    for k in range(len(audited.plan.restarts)):
        our_sums, their_sums = (
            np.stack((runs[:, :, k].mean(axis=1), np.ones(len(runs))), axis=1)
            for runs in (audited.values, values)
        )
        their_sums, our_sums = (summed(side, codes) for side in (their_sums, our_sums))
        test = paired_test(their_sums, our_sums, mean_scorer, pair_weights, 0, sampling)
        if codes is not None:
            test = replace(test, pairs=len(codes), documents=len(our_sums))
        tests.append(test)
        advance()
    errors = search_errors(audited.totals, audited.plan.restarts, values, mirrored)
    return Against(name, values, mirrored, tuple(errors), tuple(tests))


def published_interval(published: str, optimum: float) -> Interval:
    """Return how far a published score, such as ``0.843``, may be below the optimum.

    The score was rounded by at most half a unit of its last digit.
    """
    half = 0.5 * 10.0 ** -len(published.partition(".")[2])
    error = optimum - float(published)
    return Interval(error - half, error + half, 1.0)


_OTHERS = "other graphs, options or triples were counted"


def plausibility(audited: MetricAudit, published: str) -> str:
    """Say whether hill-climbing explains a published corpus score.

    A score is plausible if it is not above the optimum and, for some number of
    restarts, at most three standard deviations below the mean of the runs.  Half a unit
    of its last digit is allowed on either side for rounding.
    """
    plan = audited.plan
    missing = published_interval(published, audited.optimum)
    highest = audited.optimum - missing.low
    corpus = audited.totals.corpus_f1(audited.values)[:, plan.place]
    below = int((corpus <= highest + 1e-12).sum())
    limit = "it"
    if below > int((corpus <= float(published) + 1e-12).sum()):
        limit = "it, or round to it"
    reached = (
        f"{below} of {several(plan.runs, 'run')} with "
        f"{several(plan.shown, 'restart')} were at or below {limit}"
    )
    floor = least = min(error.corpus_min for error in audited.errors)
    for error in audited.errors:
        floor = min(floor, error.corpus_mean - 3 * (error.corpus_determinacy or 0.0))
    why = ""
    if missing.high < 0:
        why = f"no alignment scores above {fixed(audited.optimum, 4)}, so {_OTHERS}"
    elif highest < floor:
        far = f" (three standard deviations below the mean: {fixed(floor, 4)})"
        why = f"even the worst run scored {fixed(least, 4)}{far * (floor < least)}"
        why += f", so {_OTHERS}"
    verdict = f"implausible: {why}; " if why else "plausible: "
    return f"published {published} is {verdict}{reached}"


def verdicts(result: Audit) -> tuple[str, ...]:
    """Say what each metric's search loses, and judge a published score."""
    lines = []
    for audited in result.metrics:
        plan = audited.plan
        lost = 100 * (audited.optimum - audited.errors[plan.place].corpus_mean)
        missed = 100 * len(audited.failures) / len(audited.values)
        subject = f"{audited.title}: " if len(result.metrics) > 1 else ""
        subject += f"hill-climbing with {several(plan.shown, 'restart')}"
        if not missed:
            lines.append(f"{subject} found every optimum in every run")
            continue
        lines.append(
            f"{subject} loses {fixed(lost, 2)} points of the corpus F1 on average, and "
            f"misses the optimum of {fixed(missed, 1)} % of pairs at least once in "
            f"{several(plan.runs, 'run')}"
        )
    if result.published is not None:
        lines.append(plausibility(result.metrics[0], str(result.published)))
    return tuple(lines)
