"""Scoring a corpus from Python."""

from __future__ import annotations

from exactmatch.base.options import function
from exactmatch.studies.score.options import ScoreOptions
from exactmatch.studies.score.study import study

evaluate = function("evaluate", ScoreOptions, study)
