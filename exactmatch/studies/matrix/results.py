"""A matrix of scores or distances."""

from __future__ import annotations

from exactmatch.studies.many import OfMany


class Matrix(OfMany):
    """The scores or distances of every query with every choice."""

    VIEW = "exactmatch.studies.matrix.view:tables"

    FINDS = "exactmatch.many.matrix:matrix"
