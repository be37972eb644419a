"""Checks that every metric, solver and format must pass, for those who write one.

Each raises :class:`AssertionError`, with the promise that is broken, and returns
nothing where all is well::

    from exactmatch.testing import check_metric, check_solver

    def test_my_metric():
        check_metric(MyMetric())

``metric_checks``, ``solver_checks`` and ``format_checks`` list the single checks by
name, for tests that report each by itself.  Our own parts pass the same ones.

``assert_json`` is for tests of programs that write JSON documents.
"""

from exactmatch.testing.documents import assert_json
from exactmatch.testing.formats import check_format, format_checks
from exactmatch.testing.metrics import check_metric, metric_checks
from exactmatch.testing.solvers import check_solver, solver_checks

__all__ = [
    "assert_json",
    "check_format",
    "check_metric",
    "check_solver",
    "format_checks",
    "metric_checks",
    "solver_checks",
]
