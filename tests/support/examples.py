"""Numbers of examples of laws."""

import os

_ALL = os.environ.get("EXACTMATCH_EXAMPLES", "all" if os.environ.get("CI") else "some")


def examples(number: int) -> int:
    """Return the number of a law's examples: all if ``CI`` is set, else a fifth.

    Where ``CI`` is set every run draws the same; elsewhere each draws its own, so that
    many runs see more than one.  ``EXACTMATCH_EXAMPLES``, which is ``all`` or
    ``some``, decides otherwise.
    """
    return number if _ALL == "all" else min(number, max(number // 5, 20))
