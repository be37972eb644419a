"""List the solvers, and which of them are installed."""

from __future__ import annotations

from exactmatch.base.options import Options
from exactmatch.base.version import missing_kernels
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.solvers import SOLVERS, solver_class
from exactmatch.studies.solvers.results import KnownSolvers


def study(asked: Options, reporter: Listener = SILENCE) -> KnownSolvers:
    """Look which solvers there are, and which of them are installed."""
    del asked
    if text := missing_kernels():
        reporter.note(text)
    found = []
    for name in SOLVERS:
        cls = solver_class(name)
        installed = cls.is_available()
        found.append(
            {
                "name": name,
                "exact": cls.exact,
                "installed": installed,
                "version": cls.version(),
                "install": None if installed else cls.installation(),
                "summary": cls.summary,
            }
        )
    return KnownSolvers(tuple(found))
