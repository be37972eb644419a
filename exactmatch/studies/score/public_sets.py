"""What ``exactmatch data`` shows of public test sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from exactmatch.formats.public_sets import PublicSet
from exactmatch.views.tables import Column, Row, Table, Tables, fields_table


def described(found: PublicSet) -> Iterator[str]:
    """A set in lines: what it is, its licence, each address and checksum."""
    yield f"{found.name}: {found.title}"
    yield f"  licence:  {found.licence}"
    yield f"  home:     {found.home}"
    if found.commit:
        yield f"  commit:   {found.commit}"
    for source in found.sources:
        yield f"  address:  {source.url}"
        checksum = source.sha256 or "unknown: shown when it is fetched"
        yield f"  checksum: {checksum}"


def tables(rows: Sequence[tuple[PublicSet, bool, Path]]) -> Tables:
    """All sets, with the folder of those that are here.

    Args:
        rows: each set, whether it is here, and where it is kept.
    """
    records: list[Row] = []
    for found, here, folder in rows:
        records.append(
            {
                "name": found.name,
                "title": found.title,
                "licence": found.licence,
                "home": found.home,
                "commit": found.commit or None,
                "here": here,
                "folder": str(folder) if here else None,
                "_here": "here"
                if here
                else ""
                if found.sources
                else "not to be fetched",
                "files": [
                    {"name": s.name, "url": s.url, "sha256": s.sha256 or None}
                    for s in found.sources
                ],
            }
        )
    columns = (
        Column("name", "name"),
        Column("title", "what it holds", is_text=True, shrinks=True),
        Column("licence", "licence", is_text=True, formats=("latex", "html")),
        Column("home", "home", is_text=True, formats=("html",)),
        Column("_here", "", is_text=True),
    )
    fields = ("name", "title", "licence", "home", "commit", "here", "folder")
    data: list[dict[str, Any]] = [
        {key: value for key, value in record.items() if not key.startswith("_")}
        for record in records
    ]
    return Tables(
        "Public test sets",
        (Table("", columns, records),),
        {"sets": data},
        notes=("exactmatch data get NAME shows a set's licence and fetches it",),
        rows=fields_table(fields, records),
    )
