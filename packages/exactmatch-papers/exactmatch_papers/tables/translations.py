"""Symmetry violation of BLEU, the ancestor of SemBleu: table 2."""

from __future__ import annotations

import importlib
import statistics
from collections.abc import Callable
from pathlib import Path

from exactmatch.formats.blocks import read_lines
from exactmatch.metrics.base import sentence_of
from exactmatch_papers.tables.commands import Commands
from exactmatch_papers.tables.corpora import PARTS, TASKS, bamboo, wmt18
from exactmatch_papers.tables.spec import Cell, Finding, Setting, Table

BLEU = "sentence-bleu"

COLUMNS = 5
"""Violation ratio, mean violation, and what a pair's numbers of tokens are."""

WORST, AVERAGE = (81.3, 0.2), (72.7, 0.2)
"""Opitz et al. (2020), table 2: violation ratio in percent, mean in points."""


def table_2(setting: Setting) -> Finding:
    """Measure how often, and by how much, BLEU(A, B) is not BLEU(B, A)."""
    commands = Commands(setting)
    reference, systems = wmt18(setting.data)
    rows, notes = [], []
    if reference.exists() and systems:
        measured = sorted(
            (_violation(commands, system, reference) for system in systems),
            key=lambda violation: violation[1],
        )
        worst, average = measured[-1], measured[(len(measured) - 1) // 2]
    else:
        worst = average = ()
        names = [reference, reference.parent.parent / "system-outputs"]
        lacking = " and ".join(str(n.relative_to(setting.data)) for n in names)
        notes.append(f"Not measured: $DATA lacks {lacking}, of WMT 2018.")
    for name, scores, published in (
        ("newstest2018, worst case (LMU uns.)", worst, WORST),
        ("newstest2018, average case (LMU NMT)", average, AVERAGE),
    ):
        rows.append((name, _cells(scores, published)))
    for task in TASKS:
        for part in PARTS:
            files = bamboo(setting.data, task, "main", part)
            if all(path.exists() for path in files):
                name = f"{task.upper()} {part}, source ↔ target"
                rows.append((name, _cells(_violation(commands, *files))))
    table = Table(
        "BLEU of sentences, smoothed as SemBleu",
        (
            "sentences",
            "ratio, %",
            "mean, points",
            "of unequal length, %",
            "tokens",
            "difference",
        ),
        tuple(rows),
    )
    notes.append(
        "The n-grams that two sentences share are the same in both orders, so only "
        "their numbers of tokens make a difference: precisions are divided by them, "
        "and the brevity penalty compares them. The violation ratio is therefore just "
        "below the share of pairs of unequal length, and the mean grows with the "
        "difference in length. The paper's lower mean would come from translations "
        "that are nearly as long as their references; it does not give their lengths."
    )
    return Finding((table,), tuple(commands.shown), tuple(notes))


def _cells(
    scores: tuple[float, ...], published: tuple[float, ...] = ()
) -> tuple[Cell, ...]:
    beside = (*published, *(None,) * (COLUMNS - len(published)))
    forms = (".1f", ".1f" if published else ".2f", ".1f", ".1f", ".1f")
    return tuple(map(Cell, scores or (None,) * COLUMNS, beside, forms))


def _violation(commands: Commands, first: Path, second: Path) -> tuple[float, ...]:
    """Violation ratio and mean violation in percent, and what lengths are.

    These are the pairs of unequal length in percent, the mean number of tokens of a
    sentence, and the mean difference of a pair's two.
    """
    answer = commands.json(
        *("principles", first, second, "--metric", BLEU),
        *("--graphs", 1, "--runs", 2, "--seed", commands.setting.seed),
    )
    (outcome,) = [o for o in answer["outcomes"] if o["principle"] == "III"]
    ours, theirs = _lengths(first), _lengths(second)
    gaps = [abs(a - b) for a, b in zip(ours, theirs, strict=True)]
    return (
        100 * outcome["violation_ratio"],
        100 * outcome["mean_violation"],
        100 * statistics.fmean(map(bool, gaps)),
        statistics.fmean([*ours, *theirs]),
        statistics.fmean(gaps),
    )


def _lengths(path: Path) -> list[int]:
    """Count the tokens of each sentence as BLEU does."""
    tokenize: Callable[[str], str] = importlib.import_module(
        "sacrebleu.tokenizers.tokenizer_13a"
    ).Tokenizer13a()
    sentences = map(sentence_of, read_lines(str(path)))
    return [len(tokenize(sentence).split()) for sentence in sentences]
