"""Put similar graphs together."""

from __future__ import annotations

from exactmatch.studies.cluster.results import Clustering

study = Clustering.of
