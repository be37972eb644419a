"""Options of a search."""

from __future__ import annotations

from collections.abc import Mapping

from exactmatch.base.options import option
from exactmatch.many.options import SearchOptions, Side
from exactmatch.studies.many import command


class NearestOptions(SearchOptions, purpose="opens"):
    """Options of ``search``; a bank alone, without queries, can be saved."""

    bank: Side | None = option(  # type: ignore[assignment]  # a bank alone is saved
        default=None, kw_only=False
    )

    @property
    def refused_flags(self) -> Mapping[str, str]:
        """Return the flags that have no use here, each with its message."""
        if self.bank is not None:
            return {}
        values = {"-k": self.k, "--at-least": self.at_least, "-o": True}
        values |= {"--at-most": self.at_most is not None}
        why = "is for a search; name queries and a bank"
        return {flag: f"{flag} {why}" for flag, value in values.items() if value}


COMMAND = command(
    "nearest",
    """Find the most similar graphs of a bank, provably.

Bounds tell which graphs cannot be among the best; only the others are solved.
Equal scores stand in the order of the bank. With --metric ged, graphs are of
any kind and near by their edit distance.

Example:
  exactmatch nearest queries.amr bank.amr -k 10
  exactmatch nearest bank.amr --save bank.smatch
  exactmatch nearest queries.amr bank.smatch --at-least 0.8
  exactmatch nearest queries/ molecules/ --metric ged --at-most 3""",
    NearestOptions,
)
