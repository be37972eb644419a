"""Signatures for narrow places."""

from __future__ import annotations

from exactmatch.graphs.profile import PROFILES


def shortened(signature: str) -> str:
    """The signature without what the name of its profile says already.

    A profile that was changed by options is not one that its name tells, so its parts
    stay.

    >>> shortened(
    ...     "metric:smatch|profile:smatch|read:smatch|case:smatch|top:constant|"
    ...     "dup:product|solver:auto|proven:2/2|version:0.1.0"
    ... )
    'metric:smatch|profile:smatch|solver:auto|proven:2/2|version:0.1.0'
    """
    parts = signature.split("|")
    names = [part.partition(":")[2] for part in parts if part.startswith("profile:")]
    if len(names) != 1 or names[0] not in PROFILES:
        return signature
    told = {f"{key}:{value}" for key, value in PROFILES[names[0]].signature()[1:]}
    return "|".join(part for part in parts if part not in told)
