"""Many graphs compared exactly: matrices, nearest neighbours, consensus, clusters."""

from typing import TYPE_CHECKING

from exactmatch.base.fronts import front

if TYPE_CHECKING:
    from exactmatch.many.bank import Bank as Bank
    from exactmatch.many.clusters import Clusters as Clusters
    from exactmatch.many.clusters import cluster as cluster
    from exactmatch.many.ensemble import Choice as Choice
    from exactmatch.many.matrix import pdist as pdist
    from exactmatch.many.scorer import PreparedGraphs as PreparedGraphs
    from exactmatch.many.search import Duplicate as Duplicate
    from exactmatch.many.search import duplicates as duplicates
    from exactmatch.scoring.sides import PreparedGraph as PreparedGraph

__getattr__, __dir__ = front(
    __name__,
    {
        "exactmatch.many.bank": "Bank",
        "exactmatch.many.ensemble": "Choice",
        "exactmatch.many.clusters": "Clusters cluster",
        "exactmatch.many.search": "Duplicate duplicates",
        "exactmatch.many.scorer": "PreparedGraphs",
        "exactmatch.scoring.sides": "PreparedGraph",
        "exactmatch.many.matrix": "pdist",
    },
)
