"""The candidate of each sentence that agrees best with all."""

from __future__ import annotations

from exactmatch.studies.many import OfMany


class Consensus(OfMany):
    """The candidate of each sentence that agrees best with all."""

    VIEW = "exactmatch.studies.ensemble.view:tables"

    FINDS = "exactmatch.many.ensemble:choices"
