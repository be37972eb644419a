"""Predicate frames of sentences, from CoNLL-2009 files.

mate-tools and mateplus write this format: a line a token, a blank line after each
sentence, in columns ``ID FORM LEMMA PLEMMA POS PPOS FEAT PFEAT HEAD PHEAD DEPREL
PDEPREL FILLPRED PRED APRED…``; the k-th APRED column holds the role labels of the
k-th predicate.  A label stands on the head word of its filler, and is spread to
the words below it that have no label of their own, the predicate excepted; each
run of words of one label is a filler, as in NRC's program.

The labels are merged into eight role types (Lo 2019, §2.1), by the table NRC's
program comes with.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from exactmatch.base.errors import InputError
from exactmatch.base.numbers import several
from exactmatch.metrics.yisi.frames import PREDICATE, Filler, Frame

ROLE_TYPES = ("did", "who", "what", "whom", "when", "where", "why", "how")
"""YiSi's eight role types, in the order of its files; ``did`` is the predicate."""

NO_LABEL = "_"
_ID, _FORM, _HEAD, _PRED, _FIRST_APRED = 0, 1, 8, 13, 14

_LABEL = re.compile(r"(?:[CR]-)*(?:ARG|A)(?P<number>[0-9AML]?)(?:-(?P<suffix>.+))?")
_NUMBERED = {"0": "who", "1": "what", "2": "whom", "3": "where", "4": "where"}
_MODIFIER = {
    **dict.fromkeys(("TMP", "TM"), "when"),
    "BNF": "whom",
    **dict.fromkeys(("DIR", "LOC", "TO", "FROM", "INTO"), "where"),
    **dict.fromkeys(("CAU", "PNC", "PRP"), "why"),
}
"""Modifiers by type; any other is ``how``."""

_ON_NUMBERED = ("TMP", "DIR", "LOC", "CAU", "PNC", "MNR", "EXT", "ADV")
"""Suffixes that outweigh the number, as in ``ARG2-TMP``."""

_THEMATIC = {
    **dict.fromkeys(("AGT", "SRC"), "who"),
    **dict.fromkeys(("TEM", "PAT"), "what"),
    **dict.fromkeys(("EXP", "ATR", "BEN", "INS"), "whom"),
    "FIN": "when",
    **dict.fromkeys(("EFI", "DES", "ORI", "EIN"), "where"),
}
"""AnCora's thematic roles (Spanish, Catalan), as in ``arg1-pat``."""


def role_type(label: str) -> str:
    """The role type of a PropBank-style role label.

    Continued (``C-``) and referring (``R-``) roles are as the role itself; a label
    that NRC's table does not know is ``how``, the type of the rest.
    """
    name = label.upper()
    while name[:2] in ("C-", "R-"):
        name = name[2:]
    if name in ("V", "VB", "TARGET"):
        return PREDICATE
    if name in _MODIFIER and name not in ("TM", "TO", "FROM", "INTO"):
        return _MODIFIER[name]
    if name.startswith("REL-"):
        return _MODIFIER.get(name[4:], "how")
    if name == "AM-TM":
        return "how"
    found = _LABEL.fullmatch(name)
    if found is None:
        return "how"
    number, suffix = found["number"], found["suffix"] or ""
    if suffix in _THEMATIC:
        return _THEMATIC[suffix]
    if number in _NUMBERED and suffix not in _ON_NUMBERED:
        return _NUMBERED[number]
    return _MODIFIER.get(suffix, "how")


@dataclass(frozen=True, slots=True)
class Sentence:
    """The words of a sentence, and its frames where they are known."""

    tokens: tuple[str, ...]
    frames: tuple[Frame, ...] = ()

    @classmethod
    def of(cls, text: str) -> Sentence:
        """The words of a line: what stands between its spaces."""
        return cls(tokens_of(text))

    def with_tokens(self, tokens: tuple[str, ...]) -> Sentence:
        """Return the frames over other words in the same places."""

        def with_units(part: Filler) -> Filler:
            return replace(part, units=tuple(tokens[place] for place in part.places))

        return Sentence(tokens, tuple(f.change(with_units) for f in self.frames))

    def in_text(self, text: str) -> Sentence:
        """The frames over the words of the line they were found in.

        Where the labeller has split the line into more words, its words stand.
        """
        tokens = tokens_of(text)
        return self if len(self.tokens) > len(tokens) else self.with_tokens(tokens)


def tokens_of(text: str) -> tuple[str, ...]:
    """Split a line at its spaces; nothing else is tokenised."""
    return tuple(token for token in text.split(" ") if token)


@dataclass(frozen=True, slots=True)
class _ConllToken:
    form: str
    head: int
    is_predicate: bool
    labels: tuple[str, ...]


def read_conll09(lines: Iterable[str], path: str) -> list[Sentence]:
    """Read sentences with their frames.

    Every blank line ends a sentence; two in a row hold an empty one between them.

    Raises:
        InputError: if a line is malformed; the message names file and line.
    """
    sentences: list[Sentence] = []
    rows: list[_ConllToken] = []
    first = 1
    for number, line in enumerate(lines, 1):
        if line.strip():
            if not rows:
                first = number
            rows.append(_row(line, len(rows) + 1, f"{path}:{number}"))
        else:
            sentences.append(_sentence(rows, path, first))
            rows = []
    if rows:
        sentences.append(_sentence(rows, path, first))
    return sentences


def _row(line: str, position: int, place: str) -> _ConllToken:
    fields = line.split("\t") if "\t" in line else line.split()
    if len(fields) < _FIRST_APRED:
        raise InputError(
            f"{place}: holds {several(len(fields), 'column')}; "
            f"a CoNLL-2009 line has at least {_FIRST_APRED}, separated by tabs"
        )
    for name, column in (("ID", _ID), ("HEAD", _HEAD)):
        if not fields[column].isdecimal():
            raise InputError(
                f"{place}: {name} is {fields[column]!r}; it must be a number"
            )
    if int(fields[_ID]) != position:
        raise InputError(
            f"{place}: ID is {fields[_ID]}; the sentence's word {position} is due, "
            "sentences end with a blank line"
        )
    labels = tuple(field.strip() or NO_LABEL for field in fields[_FIRST_APRED:])
    predicate = fields[_PRED].strip() != NO_LABEL
    return _ConllToken(fields[_FORM], int(fields[_HEAD]) - 1, predicate, labels)


def _sentence(rows: Sequence[_ConllToken], path: str, first: int) -> Sentence:
    children: list[list[int]] = [[] for _ in rows]
    predicates = [i for i, row in enumerate(rows) if row.is_predicate]
    for i, row in enumerate(rows):
        place = f"{path}:{first + i}"
        if row.head >= len(rows):
            raise InputError(
                f"{place}: HEAD is {row.head + 1}; the sentence has "
                f"{several(len(rows), 'word')}"
            )
        if any(label != NO_LABEL for label in row.labels[len(predicates) :]):
            raise InputError(
                f"{place}: has a label in role column {len(row.labels)}; "
                f"the sentence has {several(len(predicates), 'predicate')}"
            )
        if row.head >= 0:
            children[row.head].append(i)
    frames = []
    for column, predicate in enumerate(predicates):
        labels = [
            row.labels[column] if column < len(row.labels) else NO_LABEL for row in rows
        ]
        labels[predicate] = NO_LABEL
        _spread(labels, children, predicate)
        fillers = tuple(
            Filler(role_type(label), (), tuple(range(start, end)))
            for label, start, end in _runs(labels)
        )
        frames.append(Frame(Filler(PREDICATE, (), (predicate,)), fillers))
    tokens = tuple(row.form for row in rows)
    return Sentence(tokens, tuple(frames)).with_tokens(tokens)


def _spread(labels: list[str], children: list[list[int]], predicate: int) -> None:
    """Give every unlabelled word the label of the nearest labelled one above it."""
    waiting = [i for i, label in enumerate(labels) if label != NO_LABEL]
    while waiting:
        word = waiting.pop()
        for child in children[word]:
            if labels[child] == NO_LABEL and child != predicate:
                labels[child] = labels[word]
                waiting.append(child)


def _runs(labels: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Each run of one label, with its first word and the one after its last."""
    start = 0
    for label, run in groupby(labels):
        end = start + len(list(run))
        if label != NO_LABEL:
            yield label, start, end
        start = end
