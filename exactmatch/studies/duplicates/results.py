"""Every two graphs whose score is high."""

from __future__ import annotations

from exactmatch.studies.many import CollectionAnswer


class Duplicates(CollectionAnswer):
    """Every two graphs whose score is high; true where there are any."""

    VIEW = "exactmatch.studies.duplicates.view:tables"

    FUNCTION = "exactmatch.many.search:alike"
