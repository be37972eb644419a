"""Candidate of each sentence that agrees best with all."""

from __future__ import annotations

from exactmatch.studies.many import CollectionAnswer


class Consensus(CollectionAnswer):
    """Candidate of each sentence that agrees best with all."""

    VIEW = "exactmatch.studies.ensemble.view:tables"

    FUNCTION = "exactmatch.many.ensemble:choices"
