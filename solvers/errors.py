"""What can go wrong while a problem is stated or solved."""

from __future__ import annotations


class ProblemError(ValueError):
    """An alignment problem that makes no sense, such as a repeated candidate."""


class SolverError(RuntimeError):
    """A solver that is unknown, missing, misused, or that broke its promise."""


class MissingSolverError(SolverError):
    """A solver whose package is not installed; the message names the command."""
