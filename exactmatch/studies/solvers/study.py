"""List the solvers, and which of them are installed."""

from __future__ import annotations

from exactmatch.base.options import Options
from exactmatch.base.version import missing_kernels
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.solvers import SOLVERS, solver_class
from exactmatch.studies.solvers.results import KnownSolvers


def study(options: Options, reporter: Listener = SILENCE) -> KnownSolvers:
    """List the solvers, and say which of them are installed."""
    del options
    if text := missing_kernels():
        reporter.note(text)
    solvers = []
    for name in SOLVERS:
        cls = solver_class(name)
        installed = cls.is_available()
        solvers.append(
            {
                "name": name,
                "exact": cls.exact,
                "installed": installed,
                "version": cls.version(),
                "install": None if installed else cls.installation(),
                "summary": cls.summary,
            }
        )
    return KnownSolvers(tuple(solvers))
