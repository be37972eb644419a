"""S²Match on real graphs with real vectors: the paper's claims, and proofs.

Reads the graphs and vectors under ``data`` in the folder ``EXACTMATCH_DATA``.
"""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

import pytest
from support.dialects import s2match_graph

from exactmatch.formats.blocks import read_blocks
from exactmatch.formats.dialects.s2match import read_s2match
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics.s2match import S2Match
from exactmatch.metrics.smatch import Smatch

FOLDER = os.environ.get("EXACTMATCH_DATA")
DATA = Path(FOLDER or "", "data")
VECTORS = DATA / "vectors/concepts.100d.txt.gz"
PAIRS_OF_EACH = 40

pytestmark = pytest.mark.skipif(not FOLDER, reason="EXACTMATCH_DATA is not set")


def test_figure_7() -> None:
    """Opitz et al. (2020): "metric(A, B) > metric(A, C)"."""
    metric = S2Match(vectors=VECTORS)
    cat, kitten, giraffe = (
        s2match_graph(text)
        for text in (
            "(s / sprint-01 :ARG0 (c / cat))",
            "(r / run-02 :ARG0 (k / kitten))",
            "(s / sleep-01 :ARG0 (g / giraffe))",
        )
    )

    def score(a: Graph, b: Graph) -> float:
        return metric.scores(metric.measure(a, b).statistics).score

    assert score(cat, kitten) > score(cat, giraffe)


@pytest.mark.parametrize(
    ("pred", "gold"),
    [
        ("lp/parsed.amr", "lp/gold.amr"),
        ("bamboo/para/main/src.test.amr", "bamboo/para/main/tgt.test.amr"),
        ("bamboo/para/main/src.dev.amr", "bamboo/para/main/tgt.dev.amr"),
        ("bamboo/sts/main/src.test.amr", "bamboo/sts/main/tgt.test.amr"),
        ("bamboo/sts/main/src.dev.amr", "bamboo/sts/main/tgt.dev.amr"),
    ],
)
def test_every_pair_is_proven_and_no_worse_than_smatch(
    pred: str, gold: str, full: bool
) -> None:
    hard, soft = Smatch(PROFILES["s2match"]), S2Match(vectors=VECTORS)
    most = None if full else PAIRS_OF_EACH
    blocks = [list(islice(read_blocks(DATA / name), most)) for name in (pred, gold)]
    soft.preload("\n".join(block.content) for side in blocks for block in side)
    for pair in zip(*blocks, strict=True):
        graphs = [read_s2match(block)[0] for block in pair]
        smatch, s2match = hard.measure(*graphs), soft.measure(*graphs)
        assert smatch.solution is not None
        assert s2match.solution is not None
        assert s2match.solution.is_optimal
        assert s2match.solution.value >= smatch.solution.value * soft.scale
        score = soft.scores(s2match.statistics)
        assert score.matched == pytest.approx(
            s2match.solution.value / soft.scale, abs=len(graphs[0].variables) / 1e6
        )
