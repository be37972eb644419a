"""Alignment of two graphs: the problem is built and solved, and matches are counted."""

from typing import TYPE_CHECKING

from exactmatch.base.fronts import front

if TYPE_CHECKING:
    from exactmatch.engine.explain import AlignedPair as AlignedPair
    from exactmatch.engine.explain import Explanation as Explanation

__getattr__, __dir__ = front(
    __name__, {"exactmatch.engine.explain": "AlignedPair Explanation"}
)
