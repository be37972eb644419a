"""Warnings about a corpus as a whole, which a part of it cannot give.

A role that no graph of a part has may stand in another part, and the sentences of half
of a part's pairs may be few in the corpus.  So what such warnings depend on is counted,
added up over parts, and judged at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from exactmatch.formats.pairs import SentencesSeen
from exactmatch.metrics.base import Metric, names_missed
from exactmatch.scoring.sentences import SentencesCompared


class CorpusRemarks:
    """Counts and names that warnings about a corpus depend on.

    Attributes:
        names: the names in its graphs, for metrics that choose some.
        compared: whether the sentences of both sides are the same on all pairs.
        seen: how many pairs have different sentences.
        of_inputs: warnings about files and vectors, by kind; merged parts keep those
            that every part has.
    """

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.compared = SentencesCompared()
        self.seen = SentencesSeen()
        self.of_inputs: dict[str, list[str]] = {}

    def merge(self, other: CorpusRemarks, first: int) -> None:
        """Add those of another part, whose pairs are numbered from *first*."""
        self.names |= other.names
        self.compared.merge(other.compared)
        self.seen.merge(other.seen, first)
        self.of_inputs = {
            kind: texts
            for kind, texts in self.of_inputs.items()
            if kind in other.of_inputs
        }

    def of_pairs(self, metrics: Iterable[Metric]) -> Iterator[tuple[str, str]]:
        """Yield the warnings that all pairs together give, with their kinds."""
        if self.compared.all_same:
            yield "sentences", self.compared.warning
        for remark in names_missed(metrics, self.names):
            yield "roles", remark

    def all(self, metrics: Iterable[Metric]) -> Iterator[tuple[str, str]]:
        """Yield all warnings about the corpus, with their kinds."""
        for kind, texts in self.of_inputs.items():
            for text in texts:
                yield kind, text
        if remark := self.seen.remark():
            yield "sentences", remark
        yield from self.of_pairs(metrics)

    def record(self) -> dict[str, Any]:
        """Return them as plain data."""
        return {
            "names": sorted(self.names),
            "compared": self.compared.record(),
            "seen": self.seen.record(),
            "inputs": self.of_inputs,
        }

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> CorpusRemarks:
        """Return those whose :meth:`record` this is."""
        made = cls()
        made.names = {*map(str, record["names"])}
        same, differ = record["compared"]
        made.compared = SentencesCompared(int(same), bool(differ))
        made.seen = SentencesSeen(*map(int, record["seen"]))
        made.of_inputs = {
            kind: [*map(str, texts)] for kind, texts in record["inputs"].items()
        }
        return made
