"""Pairs of graphs whose score is high."""

from __future__ import annotations

from exactmatch.studies.many import CollectionAnswer


class Duplicates(CollectionAnswer):
    """Pairs of graphs whose score is high; true if there are any."""

    VIEW = "exactmatch.studies.duplicates.view:tables"

    FUNCTION = "exactmatch.many.search:alike"
