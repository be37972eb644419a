"""Every two graphs whose score is high."""

from __future__ import annotations

from exactmatch.studies.many import OfMany


class Duplicates(OfMany):
    """Every two graphs whose score is high; true where there are any."""

    VIEW = "exactmatch.studies.duplicates.view:tables"

    FINDS = "exactmatch.many.search:alike"
