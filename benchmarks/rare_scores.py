"""Share of false alarms of every paired test, on a score that few pairs have.

    python -m benchmarks.rare_scores [REPETITIONS]

Two systems with the same expected F1 are compared on corpora of 100 pairs, of which
so many hold the thing that is scored: one, and in every fifth of them two.  *Alike*:
both find 75 % and invent 25 % as many as there are.  *Unlike*: one finds 85 % and
invents 48.7 %, the other 65 % and 13.7 %.  A test at the 5 % level should call 5 % of
the corpora different; the last column is left to pairs that have the thing.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

import numpy as np

from exactmatch.scoring.exchange import Matrix, Vector
from exactmatch.scoring.paired_tests import PairedTest, paired_test
from exactmatch.scoring.resampling import FEWEST, Sampling, Test

PAIRS = 100
HAVING = (1, 2, 3, 5, 10, 15, 20, 30, 50, 100)
LEVEL = 0.05
KINDS = {
    "alike": ((0.75, 0.25), (0.75, 0.25)),
    "unlike": ((0.85, 0.487), (0.65, 0.137)),
}
"""Of both systems, the share that they find and what they invent for each."""


def corpus(rng: np.random.Generator, having: int, kind: str) -> list[Matrix]:
    """Matched, predicted and reference counts of both systems, a row a pair."""
    gold = 1 + (rng.random(having) < 0.2)
    ease = rng.uniform(-0.1, 0.1, having)  # of a sentence, for both systems
    sides = []
    for right, invented in KINDS[kind]:
        matched = rng.binomial(gold, right + ease)
        extra = rng.binomial(2 * gold, invented / 2)
        sides.append(np.stack((matched, matched + extra, gold), axis=1).astype(float))
    return sides


def f1(sums: Matrix) -> Matrix:
    """Return the F1 of summed counts, 0 of nothing."""
    total = sums[:, 1:2] + sums[:, 2:3]
    return np.divide(2 * sums[:, :1], total, out=np.zeros_like(total), where=total > 0)


def weights(rows: Matrix) -> Vector:
    """Return the denominator of each output's F1."""
    return rows[:, 1] + rows[:, 2]


def alarms(sides: list[Matrix], seed: int) -> dict[str, bool]:
    """Return the tests that call the systems different."""
    rest = np.zeros((PAIRS - len(sides[0]), 3))
    padded = [np.vstack((side, rest)) for side in sides]

    def tested(rows: list[Matrix], test: Test = "bootstrap", **how: Any) -> PairedTest:
        first, second = rows
        return paired_test(
            first, second, f1, weights, 0, Sampling(500, seed=seed, **how), test
        )

    def excludes_0(test: PairedTest) -> bool:
        ends = test.interval
        return ends is not None and not ends.low <= 0 <= ends.high

    bca, percentile = tested(padded), tested(padded, method="percentile")
    calls = {
        "bootstrap": bca.p_value is not None and bca.p_value <= LEVEL,
        "BCa": excludes_0(bca),
        "percentile": excludes_0(percentile),
        "wins": bca.wins is not None and not LEVEL / 2 < bca.wins < 1 - LEVEL / 2,
    }
    if len(sides[0]) >= FEWEST:
        own = tested(sides)
        calls["own bootstrap"] = own.p_value is not None and own.p_value <= LEVEL
    exchanged = tested(sides, "exchange").p_value
    calls["exchange"] = exchanged is not None and exchanged <= LEVEL
    return calls


def main() -> None:
    """Print the share of false alarms, in percent."""
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    for kind in KINDS:
        for having in HAVING:
            rng = np.random.default_rng(having)
            counts: Counter[str] = Counter()
            for seed in range(repetitions):
                counts.update(alarms(corpus(rng, having, kind), seed))
            shares = (f"{n} {100 * c / repetitions:.1f}" for n, c in counts.items())
            print(f"{kind}, {having} of {PAIRS}: {', '.join(shares)}", flush=True)


if __name__ == "__main__":
    main()
