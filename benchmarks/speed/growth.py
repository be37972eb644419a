"""Growth of cost with the size of graphs: ours and the peers' on one axis.

Small sizes are single sentences, the others documents.  Each program scores a few
pairs of every size, from text to score and without start-up; one that does not
finish a single pair of a size within the limit is not tried on larger ones.
"""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.speed import texts
from benchmarks.speed.documents import document, mean_variables, sentences
from benchmarks.speed.programs import missing_peer
from benchmarks.speed.scripts import run_ours, run_peer
from benchmarks.speed.spec import Figure, Outcome, Row, Setting, middle

SIZES = (5, 10, 20, 40, 80, 120, 180, 250, 350, 500)
_SMOKE_SIZES = (5, 12)
_LONGEST_SENTENCE = 20
_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class _Scorer:
    """Program that scores pairs one by one.

    Attributes:
        name: what its rows are called.
        script: the script in ``workers/``.
        peer: the distribution it comes from; ``None`` for ours.
        arguments: after the two files.
    """

    name: str
    script: str
    peer: str | None = None
    arguments: tuple[str, ...] = ()


_SCORERS = (
    _Scorer("exactmatch auto", "score_pairs.py"),
    _Scorer("smatch -r 4", "smatch_pairs.py", "smatch", ("4",)),
    _Scorer("smatchpp ilp", "smatchpp_pairs.py", "smatchpp"),
)


def run(setting: Setting) -> Outcome:
    """Score pairs of growing size."""
    corpora = _corpora(setting)
    rows = []
    for scorer in _SCORERS:
        if scorer.peer is not None and scorer.peer not in setting.peers:
            continue
        missing = scorer.peer and missing_peer(setting.peer_python, scorer.peer)
        if missing:
            rows.append(Row(scorer.name, note=missing))
            continue
        for corpus, variables in corpora:
            row = _row(setting, scorer, corpus, variables)
            rows.append(row)
            setting.say(f"  {scorer.name}, {corpus.name}: {row.note or row.figures}")
            if not row.figures.get("pairs"):
                break
    return Outcome(tuple(rows))


def _corpora(setting: Setting) -> list[tuple[texts.Corpus, float]]:
    """Return a corpus of each size, and the mean number of variables in it."""
    points = []
    long_texts = texts.long_texts(setting)
    for size in _SMOKE_SIZES if setting.smoke else SIZES:
        number = 2 if setting.smoke else max(3, min(20, 400 // size))
        if size <= _LONGEST_SENTENCE:
            pairs = sentences(size, number, long_texts)
        else:
            pairs = [document(size, seed, long_texts) for seed in range(number)]
        mean = sum(map(mean_variables, pairs)) / len(pairs)
        points.append((texts.written(setting, f"size-{size}", pairs), mean))
    return points


def _row(
    setting: Setting, scorer: _Scorer, corpus: texts.Corpus, variables: float
) -> Row:
    limit = _SECONDS if setting.time_limit is None else setting.time_limit
    arguments = (corpus.pred, corpus.gold, *scorer.arguments)
    execute = run_ours if scorer.peer is None else run_peer
    finished, lines = execute(setting, scorer.script, arguments, limit)
    seconds = [line["seconds"] for line in lines]
    figures: dict[str, Figure] = {
        "variables": round(variables, 1),
        "pairs": len(seconds),
        "median s": middle(seconds),
        "worst s": max(seconds, default=None),
        "peak MB": finished.peak,
    }
    return Row(scorer.name, figures, finished.trouble)
