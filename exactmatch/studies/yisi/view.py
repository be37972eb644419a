"""The view of scores of sentences: that of scores of graphs, without averages."""

from __future__ import annotations

from typing import Any

from exactmatch.studies.answer import Looks
from exactmatch.studies.score.view import Scores


class SentenceScores(Scores):
    """Takes pairs of sentences as they come."""

    def __init__(self, looks: Looks, macro: bool = False, **shown: Any) -> None:
        if macro:
            looks.note(
                "--macro has no effect on yisi, whose score of a document is the mean "
                "of its sentences' scores anyway"
            )
        super().__init__(looks, **shown)
