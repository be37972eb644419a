"""Audit a hill-climber: prove the optima, climb every pair, compare.

Each pair is climbed in several *runs* (seeds).  A run's answer with *r* restarts is the
best of its first *r* + 1 peaks, so one climb with the most restarts serves all smaller
numbers.  Every run of every pair has its own random numbers, also with the two graphs
exchanged.  An installed smatch runs in a separate process.  It would seed its random
numbers from the clock for each pair; we set a seed instead, so that a run can be
repeated.  Nothing else of it is changed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from contextlib import closing, nullcontext, suppress
from dataclasses import replace
from functools import partial
from operator import itemgetter
from subprocess import DEVNULL, PIPE, Popen
from typing import Any

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import InputError, MissingExtraError, check_seed
from exactmatch.base.options import function
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.documents import Documents
from exactmatch.scoring.parallel import map_in_order
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.scoring.results import PairResult
from exactmatch.scoring.settings import settings_of
from exactmatch.solvers.hillclimb import peaks
from exactmatch.solvers.problem import Alignment, AlignmentProblem
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Limits
from exactmatch.studies.audit import summary
from exactmatch.studies.audit.options import AUDITED, AuditOptions
from exactmatch.studies.audit.results import Against, Audit, Climbed, MetricAudit, Plan
from exactmatch.studies.pairs import scored_of_documents


def study(options: AuditOptions, reporter: Listener = SILENCE) -> Audit:
    """Measure how often and by how much a hill-climber misses the proven optimum.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if a metric aligns nothing, its solver proves nothing, or an
            option is wrong.

    >>> import exactmatch
    >>> pred, gold = "(b / bark-01 :ARG0 (d / dog))", "(b / bark-01)"
    >>> result = exactmatch.audit([pred], [gold], restarts=[4])
    >>> result.optimum
    0.6666666666666666
    >>> [(error.restarts, error.below) for error in result.errors]
    [(4, 0.0)]
    """
    check_seed(options.seed)
    metrics = _metrics(options, reporter)
    plan = Plan(tuple(options.restarts), options.runs, options.seed, options.symmetry)
    smatch = SmatchProgram(options.smatch_python) if options.against else None
    with nullcontext() if smatch is None else closing(smatch):
        kept: Any = {"keep_graphs": True, "keep_problems": True}
        kept["notes_documents"] = smatch is not None
        sides = options.preds, options.golds
        report, documents = scored_of_documents(
            *sides, options, metrics, reporter, "proving", **kept
        )
        audits = []
        for metric, corpus in zip(metrics, report.scores, strict=True):
            results = list(report.by_metric()[metric.name].values())
            if not results:
                raise InputError("no pair is left; there is nothing to audit")
            pairs = _climbed(options, metric, results, plan, reporter)
            if not pairs:
                raise InputError(
                    "no pair was climbed in time; allow more by --time-limit or "
                    "--total-time, or ask for fewer --runs or --restarts"
                )
            n_left_out = len(results) - len(pairs)
            audited = summary.audit(pairs, plan, metric, corpus, n_left_out)
            if smatch is not None and metric.name == Smatch.name:
                results = [result for result, _ in pairs]
                rival = _against(options, smatch, results, audited, reporter, documents)
                audited = replace(audited, other=rival)
            audits.append(audited)
    return Audit(tuple(audits), options.published, options.sampling())


audit = function("audit", AuditOptions, study)


def _metrics(options: AuditOptions, reporter: Listener) -> list[AligningMetric[Any]]:
    metrics = options.aligning(options.one_solver(), AUDITED)
    for metric in metrics:
        if not metric.solver.exact:
            raise InputError(
                f"solver {metric.solver.name!r} proves nothing, and an audit needs the "
                "optimum; name an exact solver"
            )
    if options.against is None and options.smatch_python is not None:
        reporter.note("--smatch-python has no effect without --against")
    if options.against is None and options.unit == "document":
        reporter.note("--unit document has no effect without --against")
    counting = Smatch().counting_signature()
    if options.against and counting not in [
        metric.counting_signature() for metric in metrics if metric.name == Smatch.name
    ]:
        raise InputError(
            "--against smatch runs smatch itself, which has one way to count; leave "
            "out --metric, --profile and other options that change what counts"
        )
    return metrics


def _climbed(
    options: AuditOptions,
    metric: AligningMetric[Any],
    results: Sequence[PairResult],
    plan: Plan,
    reporter: Listener,
) -> list[tuple[PairResult, Climbed]]:
    """Climb every pair, in one process or several; return those done in time."""
    settings, label = settings_of(options), f"climbing {metric.title}"
    tasks = (
        (
            r.required_problem.problem,
            r.index,
            0.0 if r.solution is None else r.solution.seconds,
        )
        for r in results
    )
    climb = partial(climb_pair, plan=plan, limits=settings.limits)
    answers = map_in_order(climb, tasks, settings.jobs, settings.executor)
    climbed_pairs = []
    with reporter.progress(label, len(results)) as advance, closing(answers):
        for result, climbed in zip(results, answers, strict=True):
            if climbed is not None:
                climbed_pairs.append((result, climbed))
            advance()
    return climbed_pairs


def run_seed(plan: Plan, index: int, run: int, mirrored: bool = False) -> int:
    """Return the seed of one run of one pair, independent of all others."""
    words = np.random.SeedSequence([plan.seed, index, run, int(mirrored)])
    return int(words.generate_state(1)[0])


def climb_pair(
    task: tuple[AlignmentProblem, int, float],
    plan: Plan,
    limits: Limits | None = None,
) -> Climbed | None:
    """Climb a numbered problem in every run, and mirrored if the plan says so.

    Args:
        task: the problem, its number, and the seconds that its proof took, which count
            against its limit.

    Returns:
        ``None`` if the time runs out: a climb that is cut short says nothing about
        complete ones.
    """
    problem, index, spent = task
    limits = limits or Limits()
    if limits.seconds is not None and spent >= limits.seconds:
        return None
    clock = Progress(problem, limits.after(spent) if spent else limits)
    n_sides = 2 if plan.symmetry else 1
    values = np.zeros((n_sides, plan.runs, len(plan.restarts)), dtype=np.int64)
    ends = []
    for side in range(n_sides):
        if clock.is_out_of_time(problem):
            return None
        oriented = problem.transposed() if side else problem
        for run in range(plan.runs):
            if clock.is_out_of_time(problem):
                return None
            seed = run_seed(plan, index, run, bool(side))
            values[side, run], alignment = _answers(oriented, plan, seed, clock)
            if clock.is_out_of_time():
                return None
            if side == 0:
                ends.append((int(values[side, run, plan.place]), alignment, seed))
    _, worst, seed = min(ends, key=itemgetter(0))
    return Climbed(values, problem.appraise(worst)[1], seed)


def _answers(
    problem: AlignmentProblem, plan: Plan, seed: int, clock: Progress
) -> tuple[npt.NDArray[np.int64], Alignment]:
    """Return the values for each number of restarts, and the best alignment so far."""
    progress, max_restarts = None, plan.restarts[-1]
    if clock.deadline is not None:
        progress = Progress(problem, clock.limits)
        progress.deadline = clock.deadline
    tops = list(peaks(problem, max_restarts, seed, progress))
    tops += tops[-1:] * (max_restarts + 1 - len(tops))  # if time ran out
    best = np.maximum.accumulate([0, *(value for value, _ in tops)])[1:]
    shown_optima = tops[: plan.shown + 1]
    alignment = max(shown_optima, key=lambda peak: peak[0])[1]
    return best[list(plan.restarts)], alignment


_WORKER = """
import json, random, sys
try:
    import smatch
    from importlib.metadata import version
except ImportError:
    sys.exit(3)
answers = sys.stdout
sys.stdout = sys.stderr
print(json.dumps(version("smatch")), file=answers, flush=True)
seed, random.seed = random.seed, lambda *_: None
for line in sys.stdin:
    task = json.loads(line)
    smatch.iteration_num = task["restarts"] + 1
    seed(task["seed"])
    smatch.match_triple_dict.clear()
    counts = smatch.get_amr_match(task["pred"], task["gold"])
    smatch.match_triple_dict.clear()
    print(json.dumps(counts), file=answers, flush=True)
"""


class SmatchProgram:
    """Running smatch of a Python interpreter, until it is closed."""

    def __init__(self, python: str | None = None) -> None:
        interpreter = python or sys.executable
        command = [interpreter, "-c", _WORKER]
        try:
            self._process = Popen(
                command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, encoding="utf-8"
            )
        except OSError as error:
            raise InputError(
                f"{interpreter}: cannot be run: {error.strerror}"
            ) from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._tasks, self._answers = self._process.stdin, self._process.stdout
        greeting = self._answers.readline()
        if not greeting:
            self.close()
            raise MissingExtraError(
                f"comparison with smatch needs it installed for {interpreter}: "
                "pip install smatch==1.0.4"
            )
        self.version: str = json.loads(greeting)

    def close(self) -> None:
        """Terminate the process."""
        self._process.terminate()
        self._process.communicate()

    def matched(self, pred: str, gold: str, restarts: int, seed: int) -> int:
        """Return how many triples of two graphs match; each graph is one line."""
        task = {"pred": pred, "gold": gold, "restarts": restarts, "seed": seed}
        line = ""
        with suppress(BrokenPipeError):
            self._tasks.write(json.dumps(task) + "\n")
            self._tasks.flush()
            line = self._answers.readline()
        if not line:
            raise InputError(
                f"smatch {self.version} fails on the pair {pred[:60]!r} and "
                f"{gold[:60]!r}; leave it out"
            )
        matched: int = json.loads(line)[0]
        return matched


def _against(
    options: AuditOptions,
    program: SmatchProgram,
    results: Sequence[PairResult],
    audited: MetricAudit,
    reporter: Listener,
    documents: Documents,
) -> Against:
    """Run the installed smatch on the same pairs and test it against our climber."""
    plan = audited.plan
    sides = (False, True) if plan.symmetry else (False,)
    runs = np.zeros((len(sides), len(results), plan.runs, len(plan.restarts)))
    with reporter.progress("running smatch", len(results)) as advance:
        for row, result in enumerate(results):
            texts = _texts(result)
            for is_mirrored in sides:
                pred, gold = texts[::-1] if is_mirrored else texts
                for run in range(plan.runs):
                    seed = run_seed(plan, result.index, run, is_mirrored)
                    runs[int(is_mirrored), row, run] = [
                        program.matched(pred, gold, count, seed)
                        for count in plan.restarts
                    ]
            advance()
    values, mirrored = runs[0], runs[1] if plan.symmetry else None
    name, sampling = f"smatch {program.version}", options.sampling()
    indices = [result.index for result in results]
    if remark := documents.remark(len(indices), sampling.unit, indices):
        reporter.note(remark)
    codes = None if sampling.unit == "pair" else documents.codes(indices)
    with reporter.progress("testing", len(plan.restarts)) as advance:
        return summary.against(
            audited, name, values, mirrored, sampling, advance, codes
        )


def _texts(result: PairResult) -> list[str]:
    """Return the graphs as smatch reads them: lines joined, no comments."""
    if None in result.texts and result.problem is None:
        raise InputError(
            "--against smatch runs smatch on texts; give graphs as PENMAN text or files"
        )
    joined = []
    for text in result.texts:
        lines = [line.strip() for line in (text or "").splitlines()]
        joined.append("".join(line for line in lines if not line.startswith("#")))
    return joined
