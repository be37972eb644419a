"""Measurements of papers on graph metrics, and the public test sets of the field.

A plug-in of exactmatch, which finds the commands by their entry points.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactmatch.base.fronts import front

if TYPE_CHECKING:
    from exactmatch_papers.kgrams.study import Kgrams as Kgrams
    from exactmatch_papers.kgrams.study import list_kgrams as list_kgrams
    from exactmatch_papers.principles.principles import Principles as Principles
    from exactmatch_papers.principles.study import (
        measure_principles as measure_principles,
    )

__getattr__, __dir__ = front(
    __name__,
    {
        "exactmatch_papers.kgrams.study": "Kgrams list_kgrams",
        "exactmatch_papers.principles.principles": "Principles",
        "exactmatch_papers.principles.study": "measure_principles",
    },
)
