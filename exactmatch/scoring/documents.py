"""The documents that pairs belong to, so that these are exchanged or split as wholes.

Sentences of one document resemble each other in what a system gets right.  An interval
or a test that treats them as independent is too sure of itself; one over documents is
not.  The statistics of a document are the sum of those of its pairs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from exactmatch.base.errors import InputError
from exactmatch.base.numbers import several
from exactmatch.base.records import NamedTuple
from exactmatch.formats.block import DOCUMENT_KEYS, Block
from exactmatch.formats.blocks import graphs_of_text
from exactmatch.scoring.results import name_of

if TYPE_CHECKING:
    from exactmatch.scoring.rows import Codes

_WHOLE = ("umr", "umr-file")  # formats whose graphs are documents
_OF_IDS = re.compile(r"(.+)[.]\d+")


class Naming(NamedTuple):
    """Rule that names the document of a graph.

    Attributes:
        id: its id, which may begin with the document's.
        document: the document's name above the graph, or in a column.
        file: the file that it was read from.
        is_whole: whether it is a whole document itself.
    """

    id: str | None
    document: str | None
    file: str | None
    is_whole: bool


class Documents:
    """The documents of the pairs of a run, by the references.

    A document is named by ``# ::doc`` (also ``::document``, ``::docid``, ``::doc_id``,
    or a column of that name).  Where none is, each file of a folder is one; where there
    is only one file, what stands before the last dot and number of the ids.  A graph of
    a whole document is a document of its own.
    """

    def __init__(self) -> None:
        self._named: dict[int, Naming] = {}

    def add(self, index: int, graph: Any) -> None:
        """Note the document of a pair, from its reference or its :class:`Naming`."""
        is_known = isinstance(graph, Naming)
        self._named[index] = graph if is_known else naming_of(graph)

    def merge(self, other: Documents, first: int) -> None:
        """Add the pairs of another part, whose numbers begin at *first*."""
        self._named |= {first + k: one for k, one in other._named.items()}

    def record(self) -> list[list[Any]]:
        """Return what names each pair's document; a single file names none."""
        files = {naming.file for naming in self._named.values()}
        is_one = len(files) == 1
        return [
            [
                k,
                naming.id,
                naming.document,
                None if is_one else naming.file,
                naming.is_whole,
            ]
            for k, naming in self._named.items()
        ]

    @classmethod
    def of(cls, record: Iterable[Sequence[Any]]) -> Documents:
        """Return the documents of a record."""
        made = cls()
        made._named = {k: Naming(*more) for k, *more in record}
        return made

    def names(self) -> dict[int, str]:
        """Return the document of each pair; nothing where no file names one."""
        entries = self._named.items()
        if any(naming.document is not None for naming in self._named.values()):
            return {
                k: naming.document
                for k, naming in entries
                if naming.document is not None
            }
        if self._named and all(naming.is_whole for naming in self._named.values()):
            return {k: f"pair {k + 1}" for k, _ in entries}
        files = {naming.file for naming in self._named.values()} - {None}
        if len(files) > 1:
            return {k: naming.file for k, naming in entries if naming.file is not None}
        return {}

    def by_ids(self) -> dict[int, str]:
        """Return the document that each id names, if all do and there are several."""
        matches = {k: _OF_IDS.fullmatch(n.id or "") for k, n in self._named.items()}
        names = {k: match[1] for k, match in matches.items() if match is not None}
        is_whole = len(names) == len(matches) and len({*names.values()}) > 1
        return names if is_whole else {}

    def required(self) -> dict[int, str]:
        """Return the document of each pair, from its id where nothing else names it.

        Raises:
            InputError: if a pair's document is not named.
        """
        names = self.names()
        for k, one in self._named.items():
            if names and k not in names:
                raise InputError(
                    f"{name_of(k, one.id)} names no document, and others do; write "
                    "'# ::doc NAME' above it, or leave out --unit document"
                )
        if names:
            return names
        for k, one in self._named.items():
            begun = _OF_IDS.fullmatch(one.id or "")
            if begun is None:
                raise InputError(
                    f"--unit document: {name_of(k, one.id)} names no document; write "
                    "'# ::doc NAME' above each graph, keep a file for each document in "
                    "a folder, or give ids such as NAME.1"
                )
            names[k] = begun[1]
        return names

    def codes(self, indices: Iterable[int]) -> Codes:
        """Return the numbers of the documents of pairs, from 0.

        A pair that was not read is alone.
        """
        import numpy as np

        names = self.required()
        numbers: dict[str | int, int] = {}
        codes = [numbers.setdefault(names.get(k, k), len(numbers)) for k in indices]
        return np.array(codes, dtype=np.intp)

    def remark(self, pairs: int, unit: str, indices: Iterable[int]) -> str:
        """Return a sentence on documents and units; empty where there are none."""
        names = self.required() if unit == "document" else self.names() or self.by_ids()
        own = [names[k] for k in indices if k in names]
        if not own or len(set(own)) == pairs:
            return ""
        of = f"{several(pairs, 'pair')} of {several(len(set(own)), 'document')}"
        if not self.names():
            of += ", named by their ids"
        if unit == "document":
            return f"{of}; units: documents"
        return (
            f"{of}; units: pairs, as if documents did not matter; --unit document "
            "splits and exchanges whole documents"
        )


def naming_of(graph: Any) -> Naming:
    """Return the rule that names the document of a graph or its text."""
    if isinstance(graph, str):
        graph = next(graphs_of_text(graph), None)
    if isinstance(graph, Block):
        known: Mapping[str, Any] = graph.metadata()
        is_whole, path = graph.format in _WHOLE, graph.path
        return Naming(graph.id, _document_name(known), path, is_whole)
    known = {}
    for name in ("metadata", "graph"):  # ours and penman's graphs; networkx's
        mapping = getattr(graph, name, None)
        if isinstance(mapping, Mapping):
            known = mapping
            break
    own, origin = known.get("id"), getattr(graph, "origin", None)
    path = getattr(origin, "path", None)
    is_whole = getattr(graph, "document", None) is not None
    return Naming(
        None if own is None else str(own), _document_name(known), path, is_whole
    )


def _document_name(known: Mapping[str, Any]) -> str | None:
    values = (known.get(key) for key in DOCUMENT_KEYS)
    name = next((value for value in values if value is not None), None)
    return None if name is None else str(name)
