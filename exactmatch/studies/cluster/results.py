"""Graphs in clusters."""

from __future__ import annotations

from exactmatch.studies.many import CollectionAnswer


class Clustering(CollectionAnswer):
    """Graphs in clusters."""

    VIEW = "exactmatch.studies.cluster.view:tables"

    FUNCTION = "exactmatch.many.clusters:clusters"
