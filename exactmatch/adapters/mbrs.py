"""Metric for mbrs: minimum Bayes risk over graphs, with exact scores.

mbrs decodes by a *metric*: an object that scores hypotheses against references and
gives tensors of PyTorch.  :class:`GraphMetric` is one for graphs written as text.  It
keeps to the methods that mbrs's decoders call, and is made from a configuration, as
mbrs makes its own::

    from exactmatch.adapters.mbrs import GraphMetric
    from mbrs.decoders import DecoderMBR

    metric = GraphMetric(GraphMetric.Config(metric="smatch"))
    decoder = DecoderMBR(DecoderMBR.Config(), metric)
    best = decoder.decode(parses, parses, nbest=1)

Source: mbrs 0.1.8, ``mbrs.metrics.base`` (https://github.com/naist-nlp/mbrs).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from exactmatch.adapters import hinted
from exactmatch.base.errors import InputError
from exactmatch.base.numbers import several
from exactmatch.formats.faults import faults_of, repaired
from exactmatch.many.matrix import cdist
from exactmatch.metrics.making import make_metric

if TYPE_CHECKING:
    import torch


class GraphMetric:
    """Exact scores of graphs, as a metric of mbrs.

    A hypothesis that is not one well-formed graph is repaired where possible (brackets
    closed, the text around it dropped); a text without a graph counts as an empty one.
    So every sample of a model can be decoded.

    Attributes:
        cfg: its configuration.

    Raises:
        InputError: if there is no such metric, or it compares sentences.

    Example:
        >>> from exactmatch.adapters.mbrs import GraphMetric
        >>> metric = GraphMetric(GraphMetric.Config())
        >>> metric.score("(b / bark-01)", "(x / bark-01)")
        1.0
    """

    HIGHER_IS_BETTER = True

    @dataclass
    class Config:
        """Configuration of a :class:`GraphMetric`.

        Attributes:
            metric: the metric's name.
            profile: which triples count; default: the metric's own.
            workers: threads (for Smatch) or processes that score.
        """

        metric: str = "smatch"
        profile: str | None = None
        workers: int = 1

    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg
        self._metric = make_metric(cfg.metric, profile=cfg.profile)
        if self._metric.reads != "graph":
            raise InputError(
                f"metric {cfg.metric!r} compares sentences, for which mbrs has its "
                "own; name one that compares graphs"
            )

    @property
    def device(self) -> torch.device:
        """Device of the tensors: always the CPU."""
        import torch

        return torch.device("cpu")

    def score(
        self, hypothesis: str, reference: str, source: str | None = None
    ) -> float:
        """Return the score of one hypothesis."""
        del source
        return float(self._matrix([hypothesis], [reference])[0, 0])

    def scores(
        self,
        hypotheses: Sequence[str],
        references: Sequence[str],
        sources: Sequence[str] | None = None,
    ) -> torch.Tensor:
        """Return the score of each hypothesis with its reference, shape ``(N,)``.

        Raises:
            InputError: if the numbers differ.
        """
        import torch

        del sources
        return torch.tensor(self._scores(hypotheses, references))

    def pairwise_scores(
        self,
        hypotheses: Sequence[str],
        references: Sequence[str],
        source: str | None = None,
    ) -> torch.Tensor:
        """Return the score of each hypothesis with each reference, shape ``(H, R)``."""
        import torch

        del source
        matrix = self._matrix(hypotheses, references)
        return torch.tensor(matrix.tolist()).reshape(matrix.shape)

    def expected_scores(
        self,
        hypotheses: Sequence[str],
        references: Sequence[str],
        source: str | None = None,
        reference_lprobs: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """The expected score of each hypothesis, shape ``(H,)``.

        Args:
            hypotheses, references: graphs.
            source: ignored.
            reference_lprobs: logarithms of the references' probabilities, which need
                not add up to 1; default: all are equally likely.

        Raises:
            InputError: if there is not a logarithm for each reference.
        """
        import torch

        scores = self.pairwise_scores(hypotheses, references, source)
        if reference_lprobs is None:
            return scores.mean(dim=-1)
        if tuple(reference_lprobs.shape) != (len(references),):
            raise InputError(
                f"{several(len(references), 'reference')}, but logarithms of shape "
                f"{tuple(reference_lprobs.shape)}; give one for each reference"
            )
        shares = reference_lprobs.to(torch.float32).softmax(dim=-1)
        return (scores * shares).sum(dim=-1)

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references_lists: Sequence[Sequence[str]],
        sources: Sequence[str] | None = None,
    ) -> float:
        """The mean score of all hypotheses with all their references.

        Args:
            hypotheses: one for each sentence.
            references_lists: lists of references, each with one for every sentence.
            sources: ignored, because a metric on graphs does not use them.

        Raises:
            InputError: if a list has not one reference for each hypothesis.
        """
        del sources
        scores = [
            s
            for references in references_lists
            for s in self._scores(hypotheses, references)
        ]
        return math.fsum(scores) / len(scores) if scores else 0.0

    def _scores(
        self, hypotheses: Sequence[str], references: Sequence[str]
    ) -> list[float]:
        if len(hypotheses) != len(references):
            raise InputError(
                f"the numbers of hypotheses ({len(hypotheses)}) and references "
                f"({len(references)}) differ"
            )
        return [self.score(*pair) for pair in zip(hypotheses, references, strict=True)]

    def _matrix(self, hypotheses: Sequence[str], references: Sequence[str]) -> Any:
        rows, columns = [*map(self._graph, hypotheses)], [*map(self._graph, references)]
        return cdist(rows, columns, self._metric, jobs=self.cfg.workers)

    def _graph(self, text: str) -> Any:
        """Return the graph in a text, repaired if necessary; empty if there is none."""
        repaired_text = repaired(text) if faults_of(text) else text
        if repaired_text is not None:
            with suppress(InputError):
                return self._metric.read(repaired_text).item
        return self._metric.empty


__getattr__ = hinted(__name__)
