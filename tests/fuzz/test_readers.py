"""Graphs broken at random: every reader reads them or says in one sentence why not."""

import os
import random

import pytest
from support.mutations import mutated_text

from exactmatch.base.errors import ExactmatchError
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics.smatch import Smatch
from exactmatch.solvers.solution import Limits

CASES = int(os.environ.get("EXACTMATCH_FUZZ", "2000"))

GRAPHS = (
    "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))",
    '(s / see-01 :ARG0 (p / person :name (n / name :op1 "New York" :op2 "X"))\n'
    "   :ARG1 (d / dog~e.3 :quant 2 :location-of (h / house)) :polarity -)",
    "(m / multi-sentence :snt1 (a / and :op1 (x / cat)) :snt2 (z / run-02 :ARG0 x\n"
    "   :time (d / date-entity :year 2020 :mod d)))",
)

WORDS: tuple[str, ...] = (
    *("(", ")", "/", ":", '"', " ", "\n", "\t", "~e.1", "-of", "#", "\x1b", "é"),
    *("\ufeff", "\x00", ":ARG0 ", ":mod ", " b", "0", "\\", "{", "}", " / "),
)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_broken_graph_is_read_or_refused() -> None:
    metrics = [Smatch(profile) for profile in PROFILES.values()]
    scored = 0
    for seed in range(CASES):
        rng = random.Random(seed)
        metric = rng.choice(metrics)
        try:
            pair = [
                metric.prepare(metric.read(mutated_text(rng, text, WORDS)).item)
                for text in rng.choices(GRAPHS, k=2)
            ]
        except ExactmatchError as error:
            told = str(error)
        else:
            solution = metric.compare(*pair, limits=Limits(record_proof=True)).solution
            assert solution.is_optimal, seed
            scored += 1
            told = ""
        assert "\n" not in told, seed
    assert CASES / 20 < scored < CASES
