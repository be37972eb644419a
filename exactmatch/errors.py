"""Every error and warning that this package raises."""

from __future__ import annotations

from exactmatch.base.errors import (
    CertificationError,
    ExactmatchError,
    ExactmatchWarning,
    GraphError,
    IgnoredAttributesWarning,
    InputError,
    ItemError,
    MissingExtraError,
    PairError,
    ProblemError,
    SolverError,
)

__all__ = [
    "CertificationError",
    "ExactmatchError",
    "ExactmatchWarning",
    "GraphError",
    "IgnoredAttributesWarning",
    "InputError",
    "ItemError",
    "MissingExtraError",
    "PairError",
    "ProblemError",
    "SolverError",
]
