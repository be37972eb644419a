"""Nearest graphs of each query."""

from __future__ import annotations

from exactmatch.studies.many import CollectionAnswer


class Nearest(CollectionAnswer):
    """Most similar graphs of a bank for each query."""

    VIEW = "exactmatch.studies.nearest.view:tables"

    FUNCTION = "exactmatch.many.search:nearest"
