"""Find every two graphs whose score is high."""

from __future__ import annotations

from exactmatch.studies.duplicates.results import Duplicates

study = Duplicates.of
