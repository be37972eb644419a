"""Public test sets by name: what there is, and how one is fetched."""

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
    """Which sets are listed or fetched."""

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
        "fetch without being asked; address and licence are shown all the same",
        flags=("-y", "--yes"),
    )

    @property
    def refused_flags(self) -> dict[str, str]:
        """Return the flags that have no use here, each with its message."""
        why = "-o is for the list; what is fetched is kept in the cache folder"
        return {"-o": why} if self.action == "get" else {}


@dataclass(frozen=True, eq=False, repr=False)
class PublicSets(Answer):
    """Public test sets, of which some may be here."""

    VIEW = "exactmatch_papers.data:tables"

    sets: tuple[PublicSet, ...]


def study(asked: DataOptions, reporter: Listener = SILENCE) -> PublicSets | None:
    """List public test sets, or fetch some.

    Raises:
        InputError: if there is no such set, it cannot be fetched, or nobody agreed.
    """
    chosen = [public_set(name) for name in asked.names]
    if asked.action == "list":
        return PublicSets(tuple(chosen or SETS.values()))
    if not chosen:
        raise InputError("name the test sets to get; 'exactmatch data list' lists them")
    for found in chosen:
        _get(found, asked.yes, reporter)
    return None


def _get(found: PublicSet, yes: bool, reporter: Listener) -> None:
    """Show what a set is, ask, and fetch it."""
    for line in _described(found):
        print(line, file=sys.stderr)
    if not found.sources:
        raise InputError(
            f"{found.name} cannot be fetched from here; get it at {found.home}"
        )
    if is_here(found):
        reporter.note(f"{found.name} is here already: {folder_of(found)}")
        return
    if not (yes or _agreed()):
        raise InputError(f"{found.name} was not fetched; --yes fetches without asking")
    place = fetch(found, reporter.note)
    reporter.note(f"kept in {place}; now @{found.name} is a file")


def _agreed() -> bool:
    """Ask for consent; without a terminal the answer is no."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    print("fetch it? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _described(found: PublicSet) -> Iterator[str]:
    """A set in lines: what it is, its licence, each address and checksum."""
    yield f"{found.name}: {found.title}"
    about = [("licence", found.licence), ("home", found.home)]
    if found.commit:
        about.append(("commit", found.commit))
    for source in found.sources:
        checksum = source.sha256 or "unknown: shown when it is fetched"
        about += [("address", source.url), ("checksum", checksum)]
    yield from (f"  {what + ':':<10}{value}" for what, value in about)


def tables(answer: PublicSets, digits: int | None = None) -> Tables:
    """All sets, with the folder of those that are here."""
    del digits
    data, rows = [], []
    for found in answer.sets:
        here = is_here(found)
        files = [
            {"name": s.name, "url": s.url, "sha256": s.sha256 or None}
            for s in found.sources
        ]
        record = found._asdict() | {"commit": found.commit or None, "here": here}
        record["folder"] = str(folder_of(found)) if here else None
        del record["sources"]
        state = "here" if here else "" if found.sources else "not to be fetched"
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
