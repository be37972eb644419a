"""Public test sets by name: the list, and the command that fetches them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from exactmatch.base import values
from exactmatch.base.errors import InputError
from exactmatch.base.options import Options, flag, option
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.studies.answer import Answer
from exactmatch.studies.command import Command
from exactmatch.views.tables import Column, Table, Tables, fields_table
from exactmatch_papers.public_sets import (
    SETS,
    PublicSet,
    fetch,
    folder_of,
    is_here,
    public_set,
)


class DataOptions(Options, purpose="runs"):
    """Options of the list of sets, and of fetching some."""

    TITLE = "fetching"

    action: Literal["list", "get"] = option(
        "list the sets, or get some",
        choices=("list", "get"),
        operand="list|get",
        kw_only=False,
    )
    names: Sequence[str] = option(
        "test sets",
        default=(),
        read=values.words,
        operand="NAME",
        is_list=True,
        kw_only=False,
    )
    yes: bool = flag(
        "fetch without asking; address and licence are shown all the same",
        flags=("-y", "--yes"),
    )

    @property
    def refused_flags(self) -> dict[str, str]:
        """Return the flags that have no use here, each with its message."""
        why = "-o is for the list; what is fetched is kept in the cache folder"
        return {"-o": why} if self.action == "get" else {}


@dataclass(frozen=True, eq=False, repr=False)
class PublicSets(Answer):
    """Public test sets, fetched or not."""

    VIEW = "exactmatch_papers.data:tables"

    sets: tuple[PublicSet, ...]


def study(options: DataOptions, reporter: Listener = SILENCE) -> PublicSets | None:
    """List public test sets, or fetch some.

    Raises:
        InputError: if there is no such set, it cannot be fetched, or the user declined.
    """
    chosen = [public_set(name) for name in options.names]
    if options.action == "list":
        return PublicSets(tuple(chosen or SETS.values()))
    if not chosen:
        raise InputError("name the test sets to get; 'exactmatch data list' lists them")
    for chosen_set in chosen:
        _fetch_one(chosen_set, options.yes, reporter)
    return None


def _fetch_one(chosen: PublicSet, yes: bool, reporter: Listener) -> None:
    """Describe a set, ask for consent, and fetch it."""
    for line in _description(chosen):
        print(line, file=sys.stderr)
    if not chosen.sources:
        raise InputError(
            f"{chosen.name} cannot be fetched from here; get it at {chosen.home}"
        )
    if is_here(chosen):
        reporter.note(f"{chosen.name} is here already: {folder_of(chosen)}")
        return
    if not (yes or _consents()):
        raise InputError(f"{chosen.name} was not fetched; --yes fetches without asking")
    place = fetch(chosen, reporter.note)
    reporter.note(f"kept in {place}; now @{chosen.name} is a file")


def _consents() -> bool:
    """Ask for consent; without a terminal the answer is no."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    print("fetch it? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _description(chosen: PublicSet) -> Iterator[str]:
    """Yield lines that describe a set: title, licence, each address and checksum."""
    yield f"{chosen.name}: {chosen.title}"
    about = [("licence", chosen.licence), ("home", chosen.home)]
    if chosen.commit:
        about.append(("commit", chosen.commit))
    for source in chosen.sources:
        checksum = source.sha256 or "unknown: shown when it is fetched"
        about += [("address", source.url), ("checksum", checksum)]
    yield from (f"  {what + ':':<10}{value}" for what, value in about)


def tables(answer: PublicSets, digits: int | None = None) -> Tables:
    """Return a table of all sets, with the folder of those that were fetched."""
    del digits
    data, rows = [], []
    for chosen in answer.sets:
        here = is_here(chosen)
        files = [
            {"name": s.name, "url": s.url, "sha256": s.sha256 or None}
            for s in chosen.sources
        ]
        record = chosen._asdict() | {"commit": chosen.commit or None, "here": here}
        record["folder"] = str(folder_of(chosen)) if here else None
        del record["sources"]
        state = "here" if here else "" if chosen.sources else "not to be fetched"
        rows.append({**record, "_here": state})
        data.append({**record, "files": files})
    columns = (
        Column("name", "name"),
        Column("title", "what it holds", is_text=True, shrinks=True),
        Column("licence", "licence", is_text=True, formats=("latex", "html")),
        Column("home", "home", is_text=True, formats=("html",)),
        Column("_here", "", is_text=True),
    )
    return Tables(
        "Public test sets",
        (Table("", columns, rows),),
        {"sets": data},
        notes=("exactmatch data get NAME shows a set's licence and fetches it",),
        rows=fields_table(record, rows),
    )


COMMAND = Command(
    """List public test sets, or fetch them; then @NAME is a file for every command.

Address, version, checksum and licence are shown before anything is fetched.
What is fetched is kept in the cache folder. A set whose licence forbids that is
only pointed to.

Example:
  exactmatch data list
  exactmatch data get lp-1.6 lp-3.0
  exactmatch @lp-1.6 @lp-3.0 --by-id""",
    DataOptions,
    "exactmatch_papers.data:study",
    is_verbose=False,
)
