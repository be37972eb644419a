"""How many triples of two coded graphs match at best, where nobody asks which.

The pairs of a corpus whose sums alone are shown need neither an alignment problem nor
a solver's answer as objects of Python: the kernel states a pair, solves it, and counts
what matches, in memory that the next pair uses again.  What is large, or not proved at
once, it leaves to the solvers, which can be interrupted and watched.
"""

from __future__ import annotations

from typing import Any

from exactmatch.base import compiled as kernels
from exactmatch.base.errors import CertificationError
from exactmatch.engine.coding import CodedGraph
from exactmatch.graphs.profile import Profile

_kernel: Any = kernels.load("exactmatch.engine._matched")

LARGE = 20_000
"""A pair with more pair terms, or pairs of variables, is left to the solvers."""


class MatchCounter:
    """Counts the matching triples of pairs; one thread uses it at a time.

    Args:
        profile: how repeated triples count.
        max_terms: a pair with more pair terms, or pairs of variables, is not counted.
    """

    def __init__(self, profile: Profile, max_terms: int | None = None) -> None:
        most = LARGE if max_terms is None else min(LARGE, max_terms)
        self._pairs = _kernel.counter(profile.duplicates == "product", most)

    def matched(self, left: CodedGraph, right: CodedGraph) -> int | None:
        """Count how many triples match under the best alignment, which is proved.

        Args:
            left, right: prediction and reference, coded under the profile.

        Returns:
            Their number; ``None`` where a solver has to find it.

        Raises:
            CertificationError: if the alignment does not match as many triples as the
                search says.
        """
        if left.graph.document is not None or right.graph.document is not None:
            return None
        status, matched = self._pairs.count(left, right)
        end = _kernel.ENDS[status]
        if end == "miscounted":
            raise CertificationError(
                "an alignment matches another number of triples than the search says; "
                "please report the two graphs"
            )
        return matched if end == "solved" else None
