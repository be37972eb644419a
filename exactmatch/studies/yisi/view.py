"""The view of scores of sentences: that of scores of graphs, without averages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from exactmatch.studies.answer import Looks
from exactmatch.studies.score import view
from exactmatch.studies.score.view import Scores


@contextmanager
def display(looks: Looks, macro: bool = False, **shown: Any) -> Iterator[Scores]:
    """Show scores as they come."""
    if macro:
        looks.note(
            "--macro has no effect on yisi, whose score of a document is the mean of "
            "its sentences' scores anyway"
        )
    with view.display(looks, **shown) as scores:
        yield scores
