"""What papers measured, and the data of papers: a plug-in that comes with the package.

``pyproject.toml`` declares its commands as another package would, and nothing imports
it: it is found by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactmatch.base.fronts import front

if TYPE_CHECKING:
    from exactmatch.papers.kgrams.study import Kgrams as Kgrams
    from exactmatch.papers.kgrams.study import list_kgrams as list_kgrams
    from exactmatch.papers.principles.principles import Principles as Principles
    from exactmatch.papers.principles.study import (
        measure_principles as measure_principles,
    )

__getattr__, __dir__ = front(
    __name__,
    {
        "exactmatch.papers.kgrams.study": "Kgrams list_kgrams",
        "exactmatch.papers.principles.principles": "Principles",
        "exactmatch.papers.principles.study": "measure_principles",
    },
)
