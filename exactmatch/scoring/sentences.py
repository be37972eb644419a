"""Whether the sentences that text metrics compare say anything about the graphs.

The ``# ::snt`` of a graph is what it was parsed from.  Where both sides have the same
one, a text metric compares the parser's input with itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from exactmatch.formats.blocks import Block, blocks_of_text
from exactmatch.formats.pairs import GivenPair, Pairer
from exactmatch.graphs.graph import Graph
from exactmatch.metrics.base import Metric
from exactmatch.scoring.reporter import Reporter
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.sources import Sources


class SentencesCompared:
    """Notices whether the ``# ::snt`` of both sides are the same on all pairs.

    Attributes:
        same: how many pairs had the same sentence on both sides, so far.
        differ: whether any pair has not; then no more are looked at.
    """

    def __init__(self) -> None:
        self.same = 0
        self.differ = False

    @property
    def all_same(self) -> bool:
        """Whether there were pairs, and all of them had the same sentence."""
        return self.same > 0 and not self.differ

    @property
    def warning(self) -> str:
        """Warning for the case that all are the same."""
        return (
            f"the '# ::snt' of both sides are the same on all {self.same} pairs: they "
            "are what was parsed, and metrics on text say nothing about the graphs"
        )

    def watch(self, pairs: Iterable[GivenPair]) -> Iterator[GivenPair]:
        """Pass pairs on, and look at their sentences."""
        for pair in pairs:
            if not self.differ:
                self._look(pair)
            yield pair

    def _look(self, pair: GivenPair) -> None:
        sentences = {_stated_sentence(side) for side in (pair.pred, *pair.golds)}
        if len(sentences) > 1 or None in sentences:
            self.differ = True
        else:
            self.same += 1


def _stated_sentence(given: Any) -> str | None:
    """The ``# ::snt`` of a graph; ``None`` for what is no graph or has none."""
    if isinstance(given, Graph):
        return given.metadata.get("snt")
    if isinstance(given, str):
        given = next(blocks_of_text(given), None)
    if isinstance(given, Block) and "".join(given.content[:1]).startswith("("):
        return given.metadata().get("snt")
    return None


def with_sentences(
    metrics: Sequence[Metric], given: Sources, settings: Settings, reporter: Reporter
) -> list[Metric]:
    """Leave text metrics out where the graphs do not give them anything to compare.

    Args:
        metrics: metrics of all kinds.
        given: where the pairs come from.
        settings: how they are paired.
        reporter: hears what was left out, and why.
    """
    text = [metric.name for metric in metrics if metric.reads == "text"]
    graphs = [metric for metric in metrics if metric.reads == "graph"]
    if not text or not graphs or given.read_once:
        return list(metrics)
    firsts = [next(iter(side), None) for side in given.sides(as_sentences=False)]
    if any(isinstance(b, Block) and "snt" not in b.metadata() for b in firsts):
        reporter.note(f"graphs without '# ::snt': leaving out {', '.join(text)}")
        return graphs
    compared = SentencesCompared()
    pairer = Pairer(settings.by_id, "skip")
    for _ in compared.watch(given.pairs(pairer, as_sentences=False)):
        if compared.differ:
            return list(metrics)
    if compared.all_same:
        reporter.note(
            "the '# ::snt' of both sides are the same, so they are what was parsed: "
            f"leaving out {', '.join(text)}"
        )
        return graphs
    return list(metrics)
