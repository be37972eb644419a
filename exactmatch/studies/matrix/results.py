"""Matrix of scores or distances."""

from __future__ import annotations

from exactmatch.studies.many import CollectionAnswer


class Matrix(CollectionAnswer):
    """Scores or distances of every query with every choice."""

    VIEW = "exactmatch.studies.matrix.view:tables"

    FUNCTION = "exactmatch.many.matrix:matrix"
