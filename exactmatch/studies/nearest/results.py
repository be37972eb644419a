"""The nearest graphs of each query."""

from __future__ import annotations

from exactmatch.studies.many import OfMany


class Nearest(OfMany):
    """The most similar graphs of a bank for each query."""

    VIEW = "exactmatch.studies.nearest.view:tables"

    FINDS = "exactmatch.many.search:nearest"
