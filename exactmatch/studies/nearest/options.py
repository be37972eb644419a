"""Options of a search that may save its bank, and the command."""

from __future__ import annotations

from collections.abc import Mapping

from exactmatch.base.options import option
from exactmatch.many.options import SearchOptions, Side
from exactmatch.scoring.options import Formats
from exactmatch.studies.command import Command


class NearestOptions(SearchOptions):
    """The options of ``search``, and a file for the bank."""

    TITLE = SearchOptions.TITLE

    queries: Side | None = option(default=None)  # type: ignore[assignment]  # to save
    k: int | None = option(
        "how many graphs for each query (default: 10; under at_least: all)",
        default=None,
        read=SearchOptions.DECLARED["k"].read,
        flags=("-k",),
        metavar="N",
        kw_only=False,
    )
    save: str | None = option(
        "write the bank, prepared for further searches", default=None, metavar="FILE"
    )

    @property
    def idle(self) -> Mapping[str, str]:
        """Options that have no effect, with the reason."""
        asked = {"-k": self.k, "--at-least": self.at_least, "-o": True}
        why = "is for a search; name a file of queries, too"
        idle = {flag: f"{flag} {why}" for flag, value in asked.items() if value}
        return idle if self.queries is None else {}


COMMAND = Command(
    """Find the most similar graphs of a bank, provably.

Bounds tell which graphs cannot be among the best; only the others are solved.
Equal scores stand in the order of the bank.

Example:
  exactmatch nearest bank.amr queries.amr -k 10
  exactmatch nearest bank.amr --save bank.smatch
  exactmatch nearest bank.smatch queries.amr --at-least 0.8""",
    NearestOptions,
    "exactmatch.studies.nearest.view:study",
    titles=((Formats, "reading"),),
    is_verbose=False,
)
