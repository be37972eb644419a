"""``exactmatch principles``: what a good metric should do, measured."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeAlias

from exactmatch.base import values
from exactmatch.base.errors import GraphError, InputError
from exactmatch.base.files import atomic_output
from exactmatch.cli import options, settings
from exactmatch.cli.answer import shown_score, write_answer
from exactmatch.cli.terminal import Terminal, described, note_omissions
from exactmatch.graphs.graph import Graph
from exactmatch.metrics.base import Metric, sentence_of
from exactmatch.scoring.results import ProofCounts
from exactmatch.views.progress import progress
from exactmatch.views.tables import FORMATS

if TYPE_CHECKING:
    from exactmatch.formats.pairs import GivenPair
    from exactmatch.scoring.losses import Losses
    from exactmatch.studies.principles.judging import Answer, PairProbe, Plain, Probe
    from exactmatch.studies.principles.principles import Findings
    from exactmatch.studies.principles.probes import VariedProbe
    from exactmatch.studies.principles.sentence_probes import SentenceProbe

Kind: TypeAlias = Literal["graph", "text"]
"""What a metric reads."""

_GRAPH_METRICS = ("smatch", "s2match", "sembleu", "yisi")
_TEXT_METRICS = ("yisi-text", "bleu", "sentence-bleu", "chrf")


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options; those of the metrics that *arguments* name."""
    options.add_input(parser)
    group = parser.add_argument_group("principles")
    group.add_argument(
        "--graphs",
        type=values.positive_int,
        default=50,
        metavar="N",
        help="references to vary, and graphs to generate (default: 50 of each); of "
        "sentences, references alone",
    )
    group.add_argument(
        "--runs",
        type=values.positive_int,
        default=5,
        metavar="N",
        help="how often each pair is scored for determinacy (default: 5)",
    )
    group.add_argument(
        "--no-hillclimb",
        action="store_true",
        help="leave out hill-climbed Smatch, which stands beside the exact one",
    )
    group.add_argument(
        "--show",
        type=values.natural_int,
        default=1,
        metavar="N",
        help="counter-examples to show for each metric (default: 1)",
    )
    default = ",".join(_GRAPH_METRICS)
    known = (*_GRAPH_METRICS, *_TEXT_METRICS)
    options.add_measuring(parser, arguments, known, default, several=True)
    options.add_output(parser, FORMATS)


def run(args: argparse.Namespace) -> int:
    """Measure the seven principles of Opitz et al. (2020) for each metric.

    Example:
      exactmatch principles parsed.amr gold.amr
      exactmatch principles parsed.amr gold.amr --metric smatch --format latex
      exactmatch principles hyp.txt ref.txt --metric sentence-bleu,chrf
    """
    from exactmatch.scoring.losses import with_losses
    from exactmatch.studies.principles.view import tables

    if args.runs < 2:
        raise InputError("--runs is 1; determinacy needs two or more")
    paths, is_sample = settings.sources_from(args)
    if len(paths) > 2 or "-" in paths:
        raise InputError(
            "the principles are measured on one file of predictions and one of "
            "references, which are read more than once; name two files"
        )
    if is_sample:
        settings.note(args, "no files named: measuring on the bundled sample")
    subjects = _subjects(args)
    settings.note_profile(args, paths, [s.metric for s in subjects if s.counts])
    with atomic_output(args.output) as stream:
        terminal = Terminal(args)
        findings, proofs, lost = _examined(args, subjects, paths, terminal)
        signatures = [
            "|".join(
                f"{key}:{value}" for key, value in _signature(args, subject.metric)
            )
            for subject in subjects
        ]
        found = with_losses(
            tables(findings, args.show, signatures, shown_score(args).digits), lost
        )
        write_answer(args, stream, found)
    return terminal.finish(proofs)


@dataclass(frozen=True, slots=True)
class _Subject:
    """A metric to measure.

    Attributes:
        name: what it is called.
        metric: the metric.
        counts: whether its pairs are to be proven; not those of the climbed Smatch
            that stands beside the exact one.
    """

    name: str
    metric: Metric
    counts: bool = True


def _subjects(args: argparse.Namespace) -> list[_Subject]:
    """The metrics to measure, and the climbed Smatch."""
    from exactmatch.metrics.aligning import aligning
    from exactmatch.metrics.smatch import Smatch
    from exactmatch.solvers.hillclimb import HillClimb

    found: list[_Subject] = []
    measuring, notes = settings.measuring_from(args), settings.Notes(args)
    solvers = measuring.solvers(notes.note, climbs=not args.no_hillclimb)
    for metric in measuring.climbing(notes.note, solvers, _GRAPH_METRICS):
        if args.certify:
            metric.check_recording()
        found.append(_Subject(metric.title, metric))
        if not metric.packable or args.no_hillclimb:
            continue
        for restarts in args.restarts or (4,) if solvers[0].exact else ():
            profile = aligning(metric).profile
            climbed = Smatch(profile, HillClimb(restarts), args.max_terms)
            name = f"{metric.title} climbed, r={restarts}"
            found.append(_Subject(name, climbed, counts=False))
    return found


def _examined(
    args: argparse.Namespace,
    subjects: Sequence[_Subject],
    paths: Sequence[str],
    terminal: Terminal,
) -> tuple[list[Findings], ProofCounts, Losses]:
    """Score all probes under all metrics, in one process or several.

    Returns:
        What they answered, what their proofs came to, and what their readers left
        out.
    """
    from exactmatch.scoring.parallel import map_in_order
    from exactmatch.studies.principles.judging import PairScores, Setting, answer
    from exactmatch.studies.principles.principles import Findings
    from exactmatch.studies.principles.probes import FixedProbe
    from exactmatch.studies.principles.sentence_probes import SynonymProbe

    metrics, pairs, plain, lost = _read(args, subjects, paths, terminal)
    given = {kind: _varied(args, kind, pairs) for kind, pairs in plain.items()}
    fixed: dict[str, Probe] = {"graph": FixedProbe(), "text": SynonymProbe()}
    tasks: list[tuple[int, Probe]] = []
    for number, (metric, own) in enumerate(zip(metrics, pairs, strict=True)):
        probes: list[Probe] = [*own, *given[metric.reads], fixed[metric.reads]]
        tasks += [(number, probe) for probe in probes]
    limits = settings.settings_from(args).limits
    setting = Setting(args.runs, args.seed, limits, args.certify)
    put = partial(answer, metrics=metrics, setting=setting)
    answers: list[list[Answer]] = [[] for _ in metrics]
    proofs = ProofCounts()
    executor, jobs = settings.workers_from(args)
    found_of = map_in_order(put, tasks, jobs, executor)
    with progress("measuring", len(tasks), args.quiet) as advance, closing(found_of):
        for (number, _), found in zip(tasks, found_of, strict=True):
            answers[number].append(found)
            advance()
            if subjects[number].counts:
                proofs += ProofCounts(found.unproven, found.checked, found.rejected)
            if args.verbose and isinstance(found.scores, PairScores):
                settings.note(args, described(found.scores.forward))
    findings = [
        Findings.of(
            subject.name, plain[metric.reads], given[metric.reads], own, metric.reads
        )
        for subject, metric, own in zip(subjects, metrics, answers, strict=True)
    ]
    return findings, proofs, lost


def _varied(
    args: argparse.Namespace, kind: Kind, pairs: Sequence[Plain | None]
) -> Sequence[VariedProbe | SentenceProbe]:
    """The graphs or sentences that every metric of that kind is probed with."""
    from exactmatch.studies.principles.sentence_probes import varied_sentences

    golds = [pair.gold for pair in pairs if pair is not None]
    if kind == "graph":
        return _varied_graphs(args, [gold for gold in golds if isinstance(gold, Graph)])
    sentences = [gold for gold in golds if isinstance(gold, str)]
    return list(varied_sentences(sentences, args.graphs, args.seed))


def _varied_graphs(
    args: argparse.Namespace, graphs: Sequence[Graph]
) -> list[VariedProbe]:
    from exactmatch.studies.principles.probes import varied

    total = min(len(graphs), args.graphs) + args.graphs
    found = []
    with progress("varying graphs", total, args.quiet) as advance:
        for probe in varied(graphs, args.graphs, args.seed):
            found.append(probe)
            advance()
    return found


def _read(
    args: argparse.Namespace,
    subjects: Sequence[_Subject],
    paths: Sequence[str],
    terminal: Terminal,
) -> tuple[list[Metric], list[list[PairProbe]], dict[Kind, list[Plain | None]], Losses]:
    """The pairs as each metric reads them, and as they are told apart.

    A pair that one metric cannot read is left out of all.  What the ``clean`` profile
    cannot read is not told apart, without a word.

    Returns:
        The metrics, which have learned from the references; for each of them its
        pairs; all pairs as they are told apart, by what the metrics read; and what was
        left out in reading.
    """
    from exactmatch.scoring.run import open_files
    from exactmatch.scoring.sentences import SentencesCompared
    from exactmatch.studies.principles.judging import PairProbe

    own = [subject.metric for subject in subjects if subject.counts]
    chosen = settings.settings_from(args, common=True, proofs="leave")
    opened = open_files(paths, own, chosen, terminal)
    found: list[list[PairProbe]] = [[] for _ in own]
    plain: dict[Kind, list[Plain | None]] = {metric.reads: [] for metric in own}
    number = 0
    compared = SentencesCompared()
    lost: dict[tuple[str, ...], Counter[str]] = {(m.name,): Counter() for m in own}
    with progress("reading", opened.total, args.quiet) as advance:
        for pair in compared.watch(opened.pairs()):
            advance()
            reads = [read for read in opened.read(pair) if read is not None]
            if not reads:
                continue
            for metric, probes, read in zip(own, found, reads, strict=True):
                probes.append(PairProbe(number, pair.index, pair.id, *read.items))
                for what, times in read.dropped:
                    lost[metric.name,][what] += times
            for kind, pairs in plain.items():
                pairs.append(_plain(pair, kind))
            number += 1
    note_omissions(args, opened.report())
    if "text" in plain and compared.all_same:
        terminal.warn("sentences", compared.warning)
    if not number:
        raise InputError("no pair can be read; there is nothing to measure")
    learned = {
        metric.name: (metric, probes)
        for metric, probes in zip(opened.metrics, found, strict=True)
    }
    told = {name: counts for name, counts in lost.items() if counts}
    every = [learned[subject.metric.name] for subject in subjects]
    metrics = [
        metric if subject.counts else subject.metric
        for subject, (metric, _) in zip(subjects, every, strict=True)
    ]
    return metrics, [probes for _, probes in every], plain, told


def _plain(pair: GivenPair, kind: Kind) -> Plain | None:
    from exactmatch.formats.readings import read_block
    from exactmatch.graphs.profile import get_profile
    from exactmatch.studies.principles.judging import Plain
    from exactmatch.studies.principles.probes import are_equal
    from exactmatch.studies.principles.sentence_probes import same_words

    if pair.pred is None or pair.golds[0] is None:
        return None
    if kind == "text":
        try:
            pred, gold = map(sentence_of, (pair.pred, pair.golds[0]))
        except GraphError:
            return None
        return Plain(pred, gold, same_words(pred, gold))
    clean = get_profile("clean")
    try:
        graphs = [read_block(block, clean)[0] for block in (pair.pred, pair.golds[0])]
    except GraphError:
        return None
    return Plain(graphs[0], graphs[1], are_equal(graphs[0], graphs[1]))


def _signature(args: argparse.Namespace, metric: Metric) -> list[tuple[str, str]]:
    """All that determines what is measured of a metric."""
    items = [("metric", metric.name), *metric.signature()]
    if metric.aligns and args.time_limit is not None:
        items.append(("limit", f"{args.time_limit:g}s"))
    items += [("graphs", str(args.graphs)), ("runs", str(args.runs))]
    return [*items, ("seed", str(args.seed))]
