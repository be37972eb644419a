"""Errors of stating and solving a problem."""

from __future__ import annotations

from collections.abc import Iterable


class ProblemError(ValueError):
    """An alignment problem that makes no sense, such as a repeated candidate.

    >>> import exactmatch
    >>> issubclass(exactmatch.errors.ProblemError, ValueError)
    True
    """


class SolverError(RuntimeError):
    """A solver that is unknown, missing, misused, or that broke its promise.

    >>> import exactmatch
    >>> try:
    ...     exactmatch.smatch("(b / bark-01)", "(b / bark-01)", solver="cp-sat")
    ... except exactmatch.errors.SolverError as error:
    ...     print(str(error).partition(" (")[0])
    unknown solver 'cp-sat'; did you mean 'cpsat'?
    """


class MissingSolverError(SolverError):
    """A solver whose package is not installed; the message names the command."""


def sendable(error: Exception, otherwise: type[Exception]) -> Exception:
    """An error that another process can be sent.

    Args:
        error: what was raised.
        otherwise: the class of the error that says the same where this one cannot be
            packed and unpacked again.

    >>> sendable(ValueError("no"), SolverError)
    ValueError('no')
    """
    import pickle

    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # whatever its class does when it is packed and unpacked
        return otherwise(f"{type(error).__name__}: {error}")
    return error


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """Say that a name is unknown, which one was probably meant, and which there are.

    >>> unknown("solver", "cp-sat", ["auto", "cpsat"])
    "unknown solver 'cp-sat'; did you mean 'cpsat'? (known: auto, cpsat)"
    """
    names = list(known)
    return (
        f"unknown {what} {name!r}{suggestion(name, names)} (known: {', '.join(names)})"
    )


def suggestion(name: str, known: Iterable[str], likeness: float = 0.5) -> str:
    """The end of a message about a name: which one was probably meant, if any.

    Args:
        name: what was given.
        known: what there is.
        likeness: the least similarity of a suggestion, between 0 and 1.
    """
    import difflib

    near = difflib.get_close_matches(name, list(known), 1, likeness)
    return f"; did you mean {near[0]!r}?" if near else ""
