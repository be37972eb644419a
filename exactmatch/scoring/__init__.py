"""Many pairs scored, summed and resampled, in one process or many."""

from typing import TYPE_CHECKING

from exactmatch.base.fronts import front

if TYPE_CHECKING:
    from exactmatch.scoring.results import CorpusScore as CorpusScore
    from exactmatch.scoring.results import PairResult as PairResult

__getattr__, __dir__ = front(
    __name__, {"exactmatch.scoring.results": "CorpusScore PairResult"}
)
