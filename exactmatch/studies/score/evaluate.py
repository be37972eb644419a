"""Scores of a corpus from Python, with documentation that the command does not need."""

from exactmatch.base.options import function
from exactmatch.studies.score.options import ScoreOptions
from exactmatch.studies.score.study import study

evaluate = function("evaluate", ScoreOptions, study)
