"""Find the nearest graphs of a bank, or save the bank."""

from __future__ import annotations

from exactmatch.base.errors import InputError
from exactmatch.base.options import function
from exactmatch.scoring.reporter import CALLER, SILENCE, Reporter
from exactmatch.studies.nearest.options import NearestOptions
from exactmatch.studies.nearest.results import Nearest


def study(options: NearestOptions, reporter: Reporter = SILENCE) -> Nearest | None:
    """Find the most similar graphs of a bank, if any are looked for, and save it."""
    if options.bank is not None:
        return Nearest.of(options, reporter)
    if options.save is None:
        raise InputError("name a bank after the queries, or a file to --save one in")
    Nearest.of(options.replace(bank=options.queries, queries=None), reporter)
    return None


def _from_python(options: NearestOptions) -> Nearest | None:
    """Find the most similar graphs of a bank, provably.

    :func:`exactmatch.search` returns the lists alone.

    Returns:
        The neighbours of each query; ``None`` if a bank alone is saved.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if an option makes no sense.

    >>> from exactmatch import studies
    >>> studies.nearest(["(b / bark-01)"], ["(c / cat)", "(x / bark-01)"], k=1).result
    [[(1, 1.0)]]
    """
    return study(options, CALLER)


nearest = function("nearest", NearestOptions, _from_python)
