"""Parts of a graph beside its triples: sentences, tokens, anchors, document triples.

A sentence's AMR is its triples and nothing else.  Other graphs say more: a UMR
document has sentences with tokens, nodes that are aligned with them, and triples about
time, modality and coreference that belong to the document; an MRP graph has several
tops, and nodes that are anchored in its text.  A :class:`Document` holds that, so that
it can be counted, restrict who may be aligned with whom, and be written again.

Variables are numbered as in the graph that the document belongs to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, NamedTuple, TypeAlias

Span: TypeAlias = tuple[int, int]
MAX_ANCHORED = 5_000_000  # characters, or words, that anchors span at most
Unit: TypeAlias = Literal["token", "character"]


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a document."""

    number: int | None = None  # as snt1 has it
    tokens: tuple[str, ...] = ()  # its words
    top: int | None = None  # the variable that its graph begins with
    root: str | None = None  # its node in the document-level annotation, as s1s0
    facts: tuple[tuple[str, str], ...] = ()  # keys and values: sent_id and so on
    tiers: tuple[tuple[str, str], ...] = ()  # names and lines: glosses, morphemes


class DocumentTriple(NamedTuple):
    """One triple of the document-level annotation."""

    level: str  # what it is about: temporal, modal, coref …
    source: int  # a variable, which may stand for a constant
    role: str  # without its colon, as written
    target: int  # likewise a variable
    sentence: int = 0  # the place of the sentence whose annotation states it


class EdgeFact(NamedTuple):
    """Something said of a relation: ``remote`` of an edge in UCCA."""

    source: int
    role: str
    target: int
    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Document:
    """Sentences, document-level triples and facts that a graph has beside its triples.

    Anchors are first and last token, counted from 1 (0 and 0: nowhere), or characters,
    from and to.  A variable that stands for a constant has no concept, and may be
    aligned with its namesake alone.
    """

    sentences: tuple[Sentence, ...] = ()
    homes: tuple[tuple[int, ...], ...] = ()  # the sentences of each variable, ascending
    anchors: tuple[tuple[Span, ...], ...] = ()  # of each variable
    unit: Unit = "token"  # what anchors count
    constants: frozenset[int] = frozenset()  # variables that stand for a constant
    triples: tuple[DocumentTriple, ...] = ()  # the document-level annotation
    tops: tuple[int, ...] = ()  # where a graph may have several
    edge_facts: tuple[EdgeFact, ...] = ()
    # relations that the text states from their targets' side, as ARG0-of, each as
    # source, role and target; equal documents may differ in it
    inverse: frozenset[tuple[int, str, int]] = frozenset()

    def home(self, variable: int) -> tuple[int, ...]:
        """Return the sentences that a variable belongs to."""
        return self.homes[variable] if self.homes else ()

    def spans(self, variable: int) -> tuple[Span, ...]:
        """Return the spans that a variable is anchored in."""
        return self.anchors[variable] if self.anchors else ()

    def fault(self) -> str:
        """Why no graph can have it: anchors that span too much; else nothing."""
        size = sum(max(b - a, 0) for spans in self.anchors for a, b in spans)
        if size <= MAX_ANCHORED:
            return ""
        return (
            f"has anchors that span {size:,} {self.unit}s, more than "
            f"{MAX_ANCHORED:,}; correct them"
        )

    def renumbered(self, place: Mapping[int, int], size: int) -> Document:
        """The document with *size* variables and a new number for each that is kept."""
        return Document.from_data(self.as_data(place), range(size))[0]

    def content(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the content by which two documents are compared, without numbers."""
        data = self.as_data(dict(enumerate(names)))
        data.pop("inverse", None)
        for sentence in data.get("sentences", ()):
            for key in ("facts", "tiers"):
                sentence[key] = {*map(tuple, sentence.get(key, ()))}
        for key in ("constants", "tops", "edge_facts"):
            data[key] = {tuple(part) for part in data.get(key, ())}
        data["triples"] = Counter(map(tuple, data.get("triples", ())))
        return data

    def as_data(self, names: Mapping[int, Any]) -> dict[str, Any]:
        """Return the document as plain data, the variables by the names that they have.

        Empty parts are left out, and so are variables without a name.
        """
        homes, anchors = enumerate(self.homes), enumerate(self.anchors)
        data: dict[str, Any] = {
            "sentences": [_sentence_data(s, names) for s in self.sentences],
            "homes": {names[v]: [*home] for v, home in homes if home and v in names},
            "anchors": {
                names[v]: [*map(list, spans)]
                for v, spans in anchors
                if spans and v in names
            },
            "constants": [names[v] for v in sorted(self.constants) if v in names],
            "triples": _renamed(self.triples, (1, 3), names),
            "tops": [names[v] for v in self.tops if v in names],
            "edge_facts": _renamed(self.edge_facts, (0, 2), names),
            "inverse": _renamed(sorted(self.inverse), (0, 2), names),
        }
        data = {key: value for key, value in data.items() if value}
        if "anchors" in data:
            data["unit"] = self.unit
        return data

    @classmethod
    def from_data(
        cls, data: Mapping[str, Any], names: Sequence[Any]
    ) -> tuple[Document, list[str]]:
        """Make a document of what :meth:`as_data` gave.

        Returns:
            The document, and the keys of *data* that it does not know.

        Raises:
            KeyError, TypeError, ValueError, IndexError: if it is something else.
        """
        number = {name: v for v, name in enumerate(names)}
        homes, anchors = data.get("homes", {}), data.get("anchors", {})
        if unknown := (homes.keys() | anchors.keys()) - number.keys():
            raise KeyError(min(unknown))
        spans = (anchors.get(name, ()) for name in names if anchors)
        document = cls(
            tuple(_sentence_of(s, number) for s in data.get("sentences", ())),
            tuple(tuple(map(int, homes.get(name, ()))) for name in names if homes),
            tuple(tuple((int(a), int(b)) for a, b in pairs) for pairs in spans),
            "character" if data.get("unit") == "character" else "token",
            frozenset(number[name] for name in data.get("constants", ())),
            tuple(
                DocumentTriple(str(level), number[s], str(role), number[t], int(k))
                for level, s, role, t, k in data.get("triples", ())
            ),
            tuple(number[name] for name in data.get("tops", ())),
            tuple(
                EdgeFact(number[s], str(role), number[t], str(key), str(value))
                for s, role, t, key, value in data.get("edge_facts", ())
            ),
            frozenset(
                (number[s], str(role), number[t])
                for s, role, t in data.get("inverse", ())
            ),
        )
        return document, sorted(set(data) - {part.name for part in fields(cls)})


def _renamed(
    rows: Iterable[tuple[Any, ...]], ends: tuple[int, int], names: Mapping[Any, Any]
) -> list[list[Any]]:
    """Rename the variables at the *ends* of rows; drop rows that lose one."""
    return [
        [names[part] if k in ends else part for k, part in enumerate(row)]
        for row in rows
        if all(row[end] in names for end in ends)
    ]


def _sentence_data(sentence: Sentence, names: Mapping[Any, Any]) -> dict[str, Any]:
    data = {
        "number": sentence.number,
        "tokens": list(sentence.tokens),
        "top": names.get(sentence.top),
        "root": sentence.root,
        "facts": [*map(list, sentence.facts)],
        "tiers": [*map(list, sentence.tiers)],
    }
    return {key: value for key, value in data.items() if value not in (None, [])}


def _sentence_of(data: Mapping[str, Any], number: Mapping[Any, int]) -> Sentence:
    top, count = data.get("top"), data.get("number")
    return Sentence(
        None if count is None else int(count),
        tuple(map(str, data.get("tokens", ()))),
        None if top is None else number[top],
        data.get("root"),
        tuple((str(key), str(value)) for key, value in data.get("facts", ())),
        tuple((str(key), str(value)) for key, value in data.get("tiers", ())),
    )
