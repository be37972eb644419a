"""Files that YiSi on text reads beside sentences: frames and weights of role types.

mate-tools and mateplus write frames as *CoNLL-2009*: a line a token, a blank line after
each sentence, in columns ``ID FORM LEMMA PLEMMA POS PPOS FEAT PFEAT HEAD PHEAD DEPREL
PDEPREL FILLPRED PRED APRED…``; the k-th APRED column holds the role labels of the
k-th predicate, each on the head word of its filler.  They are treated as in NRC's
program.  Frames may also come from *AMR graphs* with ``~e.N`` tags; *N* counts
the words of ``# ::tok`` from 0, or those of the sentence itself.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from exactmatch.base.errors import InputError
from exactmatch.base.numbers import several
from exactmatch.formats.blocks import Block, blocks_of_lines
from exactmatch.formats.files import read_text
from exactmatch.metrics.yisi.frames import (
    PREDICATE,
    Filler,
    Frame,
    Sentence,
    tokens_of,
)

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


def text_lines(path: str) -> list[str]:
    """Return the lines of a UTF-8 file, also gzipped, or of standard input (``-``)."""
    lines = read_text(path).split("\n")
    if not lines[-1]:
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def read_parses(path: str, texts: Sequence[str]) -> list[Sentence]:
    """Read the frames of all sentences, which are in *texts*, in order."""
    lines = text_lines(path)
    first = next((line.strip() for line in lines if line.strip()), "")
    if first.startswith(("(", "# ::")):
        blocks = [block for block in blocks_of_lines(lines, path) if block.content]
        padded = [*texts, *[""] * (len(blocks) - len(texts))]
        parses = list(map(_frames_of_graph, blocks, padded))
    else:
        parses = read_conll09(lines, path)
        if any(parse.tokens for parse in parses[len(texts) :]):
            parses = [parse for parse in parses if parse.tokens]
        else:  # blank lines too many at the end
            del parses[len(texts) :]
        missing = texts[len(parses) :]
        if not any(text.strip() for text in missing):
            parses += [Sentence(())] * len(missing)
        for k, text in enumerate(texts[: len(parses)]):
            tokens = tokens_of(text)
            if len(parses[k].tokens) <= len(tokens):  # else the labeller split words
                parses[k] = parses[k].with_tokens(tokens)
    if len(parses) != len(texts):
        raise InputError(
            f"{path}: holds the frames of {several(len(parses), 'sentence')}, not of "
            f"{len(texts)}; give one parse for each sentence, in order"
        )
    return parses


def _frames_of_graph(block: Block, text: str) -> Sentence:
    """Return the frames of a graph over its ``# ::tok``, or over the words of the text.

    A predicate or filler is the words that its nodes are aligned to, if there are any.
    """
    from exactmatch.formats.alignments import tagged_words
    from exactmatch.formats.dialects.clean import read_clean
    from exactmatch.metrics.yisi.graph import meaning_of

    tokens = tokens_of(block.metadata().get("tok", text))
    graph = read_clean(block).graph
    aligned = tagged_words(block.lines)
    words = [aligned.get((name, ":instance"), ()) for name in graph.variables]
    for source, role, value in graph.attributes:
        label = f":{graph.labels[role]} {graph.labels[value]}"
        words.append(aligned.get((graph.variables[source], label), ()))
    last = max((place for places in words for place in places), default=0)
    if last >= len(tokens) and any(words):
        raise block.origin().error(
            f"is aligned to word {last}, but its sentence has "
            f"{several(len(tokens), 'word')}, counted from 0"
        )

    def at_words(part: Filler) -> Filler:
        places = {place for node in part.places for place in words[node]}
        return Filler(part.role, (), tuple(sorted(places)))

    all_frames = [frame.change(at_words) for frame in meaning_of(graph, str).frames]
    frames = tuple(
        Frame(frame.predicate, tuple(f for f in frame.fillers if f.places))
        for frame in all_frames
        if frame.predicate.places
    )
    return Sentence(tokens, frames).with_tokens(tokens)


class _ConllToken(NamedTuple):
    form: str
    head: int
    is_predicate: bool
    labels: tuple[str, ...]


def read_conll09(lines: Iterable[str], path: str) -> list[Sentence]:
    """Read sentences with their frames; a blank line ends each sentence."""
    *ended, last = at_blank_lines(lines, path)
    return list(map(_labelled, (*ended, last) if last else ended))


def at_blank_lines(lines: Iterable[str], path: str) -> list[list[tuple[str, str]]]:
    """Split lines at blank ones; each line follows its place in the file."""
    parts: list[list[tuple[str, str]]] = [[]]
    for number, line in enumerate(lines, 1):
        if line.strip():
            parts[-1].append((f"{path}:{number}", line))
        else:
            parts.append([])
    return parts


def _row(position: int, place: str, line: str) -> _ConllToken:
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


def _labelled(lines: Sequence[tuple[str, str]]) -> Sentence:
    """Return a sentence with its frames, from its lines with their places."""
    rows = [_row(number, *line) for number, line in enumerate(lines, 1)]
    children: list[list[int]] = [[] for _ in rows]
    predicates = [i for i, row in enumerate(rows) if row.is_predicate]
    for i, (row, (place, _)) in enumerate(zip(rows, lines, strict=True)):
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
            Filler(role_type(label), (), tuple(run))
            for label, run in groupby(range(len(rows)), labels.__getitem__)
            if label != NO_LABEL
        )
        frames.append(Frame(Filler(PREDICATE, (), (predicate,)), fillers))
    tokens = tuple(row.form for row in rows)
    return Sentence(tokens, tuple(frames)).with_tokens(tokens)


def _spread(labels: list[str], children: list[list[int]], predicate: int) -> None:
    """Label each unlabelled word, except the predicate, by the nearest label above."""
    labelled = [i for i, label in enumerate(labels) if label != NO_LABEL]
    while labelled:
        word = labelled.pop()
        for child in children[word]:
            if labels[child] == NO_LABEL and child != predicate:
                labels[child] = labels[word]
                labelled.append(child)


def role_type(label: str) -> str:
    """Return the role type of a PropBank-style role label.

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
    match = _LABEL.fullmatch(name)
    if match is None:
        return "how"
    number, suffix = match["number"], match["suffix"] or ""
    if suffix in _THEMATIC:
        return _THEMATIC[suffix]
    if number in _NUMBERED and suffix not in _ON_NUMBERED:
        return _NUMBERED[number]
    return _MODIFIER.get(suffix, "how")


def read_role_weights(path: str) -> dict[str, float]:
    """Read eight numbers, the weights of the role types from ``did`` to ``how``."""
    fields = " ".join(text_lines(path)).split()
    try:
        weights = [float(field) for field in fields]
    except ValueError as error:
        raise InputError(f"{path}: {error}; write {len(ROLE_TYPES)} numbers") from None
    if len(weights) != len(ROLE_TYPES):
        raise InputError(
            f"{path}: holds {several(len(weights), 'number')}; write "
            f"{len(ROLE_TYPES)}, one for each of {', '.join(ROLE_TYPES)}"
        )
    if not all(math.isfinite(weight) and weight >= 0 for weight in weights):
        raise InputError(f"{path}: weights of role types must be 0 or more")
    return dict(zip(ROLE_TYPES, weights, strict=True))
