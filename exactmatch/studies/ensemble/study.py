"""Choose the candidate of each sentence that agrees best with all."""

from __future__ import annotations

from exactmatch.many.options import EnsembleOptions
from exactmatch.scoring.reporter import SILENCE, Reporter
from exactmatch.studies.ensemble.results import Consensus


def study(options: EnsembleOptions, reporter: Reporter = SILENCE) -> Consensus:
    """Choose for each sentence the candidate with the highest expected score."""
    return Consensus.of(options, reporter)
