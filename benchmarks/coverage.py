"""Rates of false alarms of the exchange test, and of intervals with the true score.

Corpora are drawn at random from populations whose truth is known:

* ``even``: sentences of 20 to 40 triples, in which most outputs err;
* ``heavy``: sizes that differ by factors (lognormal, σ = 1.5);
* ``rare``: an aspect of one or two triples that a fifth of the sentences have;
* ``saturated``: 3 % of the outputs err;
* ``sample``: the counts of the bundled sample's 40 pairs, drawn with replacement.

*Size*: two systems whose outputs are exchanged by coins, so that the hypothesis of the
test holds; the share of corpora in which p ≤ 0.05.  *Coverage*: the share of corpora
whose 95 % interval of a score holds the population's score; where fewer than 6 outputs
err there is no interval, and the corpus does not count.  *Coverage of a difference*:
the same of the interval of the exchange test where one system is better.  *Documents*:
20 documents of 10 sentences that share their difficulty, with sentences and with
documents as units.

It exits with 1 if a size is above 6 %, or intervals of corpora of 20 pairs or more in
which 20 outputs err hold the score in less than 91 %.  Cells in which 20 outputs err in
less than half of the corpora say nothing of that: such corpora are the hardest ones,
chosen by what is measured.  With 2,000 corpora, a size of 5 % is seen as more than 6 %
once in fifty cells; more ``--runs`` tell.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import exactmatch
from benchmarks.many_corpora import Fractions, Outcomes, exchange_tests, halves_hold

Rows = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Draw = Any
"""A function of a generator and a number of pairs: two systems' counts of these."""

MOST_ALARMS, LEAST_COVERED = 0.06, 0.91
ENOUGH = 20  # pairs, and outputs that err, for coverage to be promised
WHOLE = 100_000  # pairs that stand for the population


def outputs(rng: np.random.Generator, golds: Rows, rate: Rows) -> Rows:
    """Return counts of outputs that get each triple wrong at a rate of their pair."""
    matched = rng.binomial(golds.astype(np.int64), 1 - rate)
    invented = rng.binomial(golds.astype(np.int64), rate)
    return np.stack((matched, matched + invented, golds), axis=1).astype(np.float64)


def rates(rng: np.random.Generator, n: int, worse: float = 0.0) -> Rows:
    """Return how hard each pair is, with most of them easy."""
    rates: Rows = np.clip(rng.beta(1.2, 5.0, n) + worse, 0, 1)
    return rates


def even(rng: np.random.Generator, n: int, worse: float) -> tuple[Rows, Rows]:
    """Draw sentences of like size, in which most outputs err."""
    golds = rng.integers(20, 41, n).astype(np.float64)
    hard = rates(rng, n)
    return outputs(rng, golds, hard), outputs(rng, golds, np.clip(hard + worse, 0, 1))


def heavy(rng: np.random.Generator, n: int, worse: float) -> tuple[Rows, Rows]:
    """Draw sentences whose sizes differ by factors."""
    golds = np.ceil(10 * rng.lognormal(0, 1.5, n))
    hard = rates(rng, n)
    return outputs(rng, golds, hard), outputs(rng, golds, np.clip(hard + worse, 0, 1))


def rare(rng: np.random.Generator, n: int, worse: float) -> tuple[Rows, Rows]:
    """Draw counts of an aspect that a fifth of the sentences have."""
    golds = rng.integers(1, 3, n).astype(np.float64)
    golds *= rng.random(n) < 0.2
    hard = np.full(n, 0.3)
    return outputs(rng, golds, hard), outputs(rng, golds, hard + worse)


def saturated(rng: np.random.Generator, n: int, worse: float) -> tuple[Rows, Rows]:
    """Draw sentences of which hardly any output errs."""
    golds = rng.integers(20, 41, n).astype(np.float64)
    shares = 0.03, 0.03 + worse
    sides = [np.where(rng.random(n) < share, 0.2, 0.0) for share in shares]
    return outputs(rng, golds, sides[0]), outputs(rng, golds, sides[1])


def of_sample() -> Draw:
    """Return a draw from the counts of the bundled sample."""
    folder = files("exactmatch") / "sample"
    preds, golds = (
        (folder / f"{side}.amr").read_text("utf-8").strip().split("\n\n")
        for side in ("pred", "gold")
    )
    pairs = exactmatch.evaluate(preds, golds)
    counts = np.array(
        [(p.score.matched, p.score.pred_total, p.score.gold_total) for p in pairs]
    )

    def draw(rng: np.random.Generator, n: int, worse: float) -> tuple[Rows, Rows]:
        own = counts[rng.integers(len(counts), size=n)].astype(np.float64)
        other = own.copy()
        lost = np.minimum(rng.poisson(1.0 + 20 * worse, n), other[:, 0])
        won = np.minimum(rng.poisson(1.0, n), other[:, 1:].min(axis=1) - other[:, 0])
        other[:, 0] += won - np.minimum(lost, other[:, 0] + won)
        return own, other

    return draw


def populations() -> dict[str, Draw]:
    """Return every population by its name."""
    known: dict[str, Draw] = {f.__name__: f for f in (even, heavy, rare, saturated)}
    return known | {"sample": of_sample()}


def f1_of(rows: Rows, macro: bool) -> float:
    """Return F1 of the sums, or the mean of the pairs that have what is scored."""
    if not macro:
        matched, pred, gold = rows.sum(axis=0)
        return 2 * float(matched) / float(pred + gold)
    below = rows[:, 1] + rows[:, 2]
    own = 2 * rows[below > 0, 0] / below[below > 0]
    return float(own.mean())


def exchangeable(rng: np.random.Generator, draw: Draw, n: int) -> tuple[Rows, Rows]:
    """Return two systems whose outputs were exchanged by coins."""
    own, other = draw(rng, n, 0.0)
    coins = rng.random(n)[:, None] < 0.5
    return np.where(coins, own, other), np.where(coins, other, own)


class Cell(NamedTuple):
    """Number of corpora that have a property, and of all corpora."""

    hits: int
    runs: int

    @property
    def share(self) -> float:
        """Share of corpora; NaN of none."""
        return self.hits / self.runs if self.runs else math.nan

    @classmethod
    def of(cls, hits: Bools) -> Cell:
        """Count corpora."""
        return cls(int(hits.sum()), len(hits))

    def __str__(self) -> str:
        return f"{100 * self.share:.1f}" if self.runs else "-"


class Simulation:
    """Draws corpora and counts alarms and covered scores."""

    def __init__(self, runs: int, samples: int, seed: int) -> None:
        self.runs, self.samples, self.seed = runs, samples, seed

    def _corpora(self, n: int, draw: Callable[..., tuple[Rows, ...]]) -> list[Rows]:
        """Draw all corpora at once, shape (corpora, pairs, 3) for each system."""
        drawn = draw(np.random.default_rng((self.seed, n)), self.runs * n)
        return [rows.reshape(self.runs, n, 3) for rows in drawn]

    def _truth(self, draw: Draw, worse: float, macro: bool = False) -> list[float]:
        """Return both systems' scores of the whole population."""
        whole = draw(np.random.default_rng(self.seed), WHOLE, worse)
        return [f1_of(rows, macro) for rows in whole]

    def _tested(self, sides: Sequence[Rows], truth: float, macro: bool) -> Outcomes:
        base, system = (Fractions.of(rows, macro) for rows in sides)
        return exchange_tests(base, system, truth, self.samples, self.seed)

    def size(self, draw: Draw, n: int, macro: bool) -> Cell:
        """Count false alarms of the exchange test."""
        both = self._corpora(n, lambda rng, of: exchangeable(rng, draw, of))
        test = self._tested(both, 0.0, macro)
        return Cell.of(test.p <= 0.05)

    def coverage(self, draw: Draw, n: int, macro: bool) -> tuple[Cell, Cell]:
        """Count intervals that hold the score: all, and where enough outputs err."""
        truth = self._truth(draw, 0.0, macro)[0]
        rows = self._corpora(n, lambda rng, of: draw(rng, of, 0.0))[0]
        errs = (2 * rows[..., 0] < rows[..., 1] + rows[..., 2]).sum(axis=1)
        fractions = Fractions.of(rows[errs >= 6], macro)
        held = halves_hold(fractions, truth, self.samples, self.seed)
        return Cell.of(held), Cell.of(held[errs[errs >= 6] >= ENOUGH])

    def difference(self, draw: Draw, n: int, worse: float = 0.05) -> Cell:
        """Count intervals that hold a difference that is not 0."""
        base, system = self._truth(draw, worse)
        both = self._corpora(n, lambda rng, of: draw(rng, of, worse))
        test = self._tested(both, system - base, macro=False)
        return Cell.of(test.is_held[test.differing >= 6])

    def documents(self, count: int = 20, length: int = 10) -> tuple[Cell, Cell]:
        """Count intervals over sentences, and over documents, that hold the score."""

        def draw(rng: np.random.Generator, of: int) -> tuple[Rows]:
            hard = np.repeat(rng.beta(1.2, 5.0, of // length), length)
            own = np.clip(hard + rng.normal(0, 0.05, of), 0, 1)
            golds = rng.integers(20, 41, of).astype(np.float64)
            return (outputs(rng, golds, own),)

        truth = f1_of(draw(np.random.default_rng(self.seed), WHOLE)[0], False)
        (rows,) = self._corpora(count * length, draw)
        sums = rows.reshape(self.runs, count, length, 3).sum(axis=2)
        of_sentences, of_documents = (
            halves_hold(Fractions.of(own, False), truth, self.samples, self.seed)
            for own in (rows, sums)
        )
        return Cell.of(of_sentences), Cell.of(of_documents)


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return a table in Markdown."""
    lines = [["", *columns], ["---"] * (len(columns) + 1), *rows]
    text = "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)
    return f"{title}\n\n{text}\n"


def make_parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks coverage",
        description="How often the exchange test raises false alarms and intervals "
        "hold the true score, in percent of simulated corpora.",
    )
    add: Callable[..., Any] = parser.add_argument
    add("--runs", type=int, default=2000, help="corpora of a cell (default: 2000)")
    add("--sizes", default="10,20,50,200", help="pairs of a corpus, with commas")
    add("--samples", type=int, default=1000, help="exchanges, halves (default: 1000)")
    add("--seed", type=int, default=0)
    add("--populations", metavar="NAMES", help="only these, with commas between them")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Simulate and print; return 1 where a promise is broken."""
    parser = make_parser()
    args = parser.parse_args(argv)
    sizes = [int(size) for size in args.sizes.split(",")]
    known = populations()
    names = args.populations.split(",") if args.populations else [*known]
    for name in names:
        if name not in known:
            parser.error(f"unknown population {name!r} (known: {', '.join(known)})")
    simulation = Simulation(args.runs, args.samples, args.seed)
    columns = [f"n = {size}" for size in sizes]
    broken: list[str] = []
    sized: list[list[Any]] = []
    covered: list[list[Any]] = []
    differences: list[list[Any]] = []
    for name in names:
        draw = known[name]
        for macro in (False, True):
            title = f"{name}, {'macro' if macro else 'micro'}"
            alarms, held = [], []
            for n in sizes:
                cell = simulation.size(draw, n, macro)
                alarms.append(cell)
                if cell.share > MOST_ALARMS:
                    broken.append(f"{title}, n = {n}: {cell} % false alarms")
                every, enough = simulation.coverage(draw, n, macro)
                is_usual = 2 * enough.runs >= args.runs
                held.append(f"{every} · {enough if is_usual else '-'}")
                if n >= ENOUGH and is_usual and enough.share < LEAST_COVERED:
                    broken.append(f"{title}, n = {n}: {enough} % of scores held")
            sized.append([title, *alarms])
            covered.append([title, *held])
        differences.append([name, *(simulation.difference(draw, n) for n in sizes)])
        print(f"{name}: done", file=sys.stderr, flush=True)
    print(table("False alarms of the exchange test at 5 %, in percent", columns, sized))
    print(
        table(
            "Scores inside the 95 % interval from halves, in percent: all with an "
            f"interval · of those in which {ENOUGH} outputs err, if half of all are",
            columns,
            covered,
        )
    )
    print(
        table(
            "Differences inside the 95 % interval of the exchange test, in percent",
            columns,
            differences,
        )
    )
    sentences, documents = simulation.documents()
    print(
        "20 documents of 10 sentences: the interval over sentences holds the score in "
        f"{sentences} %, over documents in {documents} %\n"
    )
    print(f"{args.runs} corpora a cell, {args.samples} samples, seed {args.seed}")
    for line in broken:
        print(f"broken promise: {line}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
