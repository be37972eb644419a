"""Graphs in clusters."""

from __future__ import annotations

from exactmatch.studies.many import OfMany


class Clustering(OfMany):
    """Graphs in clusters."""

    VIEW = "exactmatch.studies.cluster.view:tables"

    FINDS = "exactmatch.many.clusters:clusters"
