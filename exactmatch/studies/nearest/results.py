"""The nearest graphs of each query."""

from __future__ import annotations

from exactmatch.studies.many import CollectionAnswer


class Nearest(CollectionAnswer):
    """The most similar graphs of a bank for each query."""

    VIEW = "exactmatch.studies.nearest.view:tables"

    FUNCTION = "exactmatch.many.search:nearest"
