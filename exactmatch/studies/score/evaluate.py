"""The scores of a corpus from Python, with the documentation that commands need not."""

from exactmatch.base.options import function
from exactmatch.studies.score.options import ScoreOptions
from exactmatch.studies.score.study import study

evaluate = function("evaluate", ScoreOptions, study)
