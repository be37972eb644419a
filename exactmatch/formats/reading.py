"""Options of reading files that may hold answers of models."""

from __future__ import annotations

from typing import Literal, TypeAlias

from exactmatch.base.errors import InputError
from exactmatch.base.records import NamedTuple

Extract: TypeAlias = Literal["off", "fences", "repair", "all"]

REPAIRED = "repaired"
UNREADABLE = "unreadable"
"""The word before the faults of an answer: it was repaired, or cannot be read."""

TAKEN_OUT = "taken out"
"""Name of the count of answers with a well-formed graph in fences or among text."""

OF_SEVERAL = "one of several"
"""Name of the count of those that held several graphs, of which one was taken."""


class Answers(NamedTuple):
    """Options for reading files of answers.

    Attributes:
        format_in: the format of the graphs; default: what each looks like.
        extract: what is done to take the graph out of an answer; default: ``repair``
            for rows of answers, ``all`` for Markdown with fences, ``off`` for files of
            graphs.
        field: the column of the answers in files that have columns; of two, with a
            comma between, the second is that of references.
        id_field: the column of ids; default: ``custom_id`` or ``id``.
        documents: whether files hold JSON documents that are compared as they are.
        is_gold: of such, whether they are references.
    """

    format_in: str | None = None
    extract: Extract | None = None
    field: str | None = None
    id_field: str | None = None
    documents: bool = False
    is_gold: bool = False


_ID = "id="
"""How ``--field`` names the column of ids."""

HowRead: TypeAlias = str | Answers | None
"""A format's name, or how answers are read; ``None``: what each file looks like."""


def how_read(
    format_in: str | None, extract: Extract | None, field: str | None
) -> HowRead:
    """Return the options for reading files of answers, or the format alone."""
    if extract is None and field is None:
        return format_in
    names = [name.strip() for name in (field or "").split(",")]
    ids = [name.removeprefix(_ID) for name in names if name.startswith(_ID)]
    if len(ids) > 1 or "" in ids:
        raise InputError(f"--field {field}: name one column of ids, as in id=KEY")
    columns = ",".join(name for name in names if not name.startswith(_ID))
    return Answers(format_in, extract, columns or None, ids[0] if ids else None)


def of_documents(how: HowRead) -> Answers:
    """Return the options for reading JSON documents that are compared as they are."""
    answers = how if isinstance(how, Answers) else Answers(how)
    return answers._replace(documents=True)


def of_file(how: HowRead, place: int) -> HowRead:
    """Return the options for predictions (0) or references (1 and more)."""
    if isinstance(how, Answers) and how.documents:
        how = how._replace(is_gold=place > 0)
    if not isinstance(how, Answers) or how.field is None or "," not in how.field:
        return how
    names = how.field.split(",")
    return how._replace(field=names[min(place, len(names) - 1)].strip() or None)
