"""The pairs of variables that may be aligned, where not all may be.

Any two variables may be aligned, unless the profile's ``align`` or the graphs say
otherwise:

* ``same-sentence``: variables of sentences that correspond;
* ``token-overlap``: of these, two that are both aligned with words must share one (a
  variable without words may be aligned with any of its sentence);
* a constant of a document (``author``) always corresponds to its namesake alone.

Sentences correspond by their numbers, where each number occurs once on either side:
those with equal numbers correspond, and those that stand between two such pairs, one by
one, if both sides have equally many there.  Where numbers repeat, equally many
sentences correspond one by one, and otherwise by their words.  What a sentence without
a counterpart states counts as missing, or as extra.

Source: docSmatch (Naseem et al. 2022) for the restriction to sentences; juːmæʧ (Zeman
2025) for that to words.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import InputError
from exactmatch.graphs.document import Document, Sentence
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import Align

Allowed: TypeAlias = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]
"""Where each left variable's partners begin, and the partners, ascending for each."""


def allowed_pairs(
    left: Graph, right: Graph, align: Align, most: int | None = None
) -> Allowed | None:
    """The pairs of variables that may be aligned, or ``None`` for all.

    Args:
        left, right: prediction and reference.
        align: the restriction.
        most: how many pairs may be listed.

    Raises:
        InputError: if there are more than *most*.
    """
    documents = (left.document or Document(), right.document or Document())
    restricts = align != "free" and any(d.sentences for d in documents)
    if not restricts and not any(d.constants for d in documents):
        return None
    partners = _Partners(left, right)
    if restricts:
        partners.keep_sentences()
    partners.check(most)
    if align == "token-overlap":
        partners.keep_overlaps()
    return partners.arrays()


class _Partners:
    def __init__(self, left: Graph, right: Graph) -> None:
        self.left, self.right = left, right
        self.documents = left.document or Document(), right.document or Document()
        constants = self.documents[1].constants
        others = [v for v in range(len(right.variables)) if v not in constants]
        namesakes = {right.variables[v]: [v] for v in constants}
        self.found: list[Sequence[int]] = [
            namesakes.get(name, ()) if v in self.documents[0].constants else others
            for v, name in enumerate(left.variables)
        ]

    def keep_sentences(self) -> None:
        lefts, rights = self.documents
        members: dict[int, list[int]] = {}
        for v in range(len(self.right.variables)):
            for place in rights.home(v) if rights.sentences else (0,):
                members.setdefault(place, []).append(v)
        counterparts = corresponding(lefts.sentences, rights.sentences)
        at_home: dict[tuple[int, ...], list[int]] = {}
        for v in range(len(self.left.variables)):
            if v in lefts.constants:
                continue
            home = lefts.home(v) if lefts.sentences else (0,)
            if home not in at_home:
                of_sentence: set[int] = set()
                for place in home:
                    other = counterparts.get(place)
                    of_sentence.update(members.get(-1 if other is None else other, ()))
                at_home[home] = sorted(of_sentence - rights.constants)
            self.found[v] = at_home[home]

    def keep_overlaps(self) -> None:
        """Keep the pairs that share a word, and those of which one has no words."""
        words = [
            [words_of(document, v) for v in range(len(graph.variables))]
            for document, graph in zip(
                self.documents, (self.left, self.right), strict=True
            )
        ]
        for v, mine in enumerate(words[0]):
            if mine and v not in self.documents[0].constants:
                self.found[v] = [
                    w for w in self.found[v] if not words[1][w] or mine & words[1][w]
                ]

    def check(self, most: int | None) -> None:
        """Refuse more pairs than may be listed, before they are.

        Raises:
            InputError: if there are more than *most*.
        """
        count = sum(map(len, self.found))
        if most is not None and count > most:
            raise InputError(
                f"the graphs have {count:,} pairs of variables that may be aligned, "
                f"more than {most:,}; raise --max-terms to allow them"
            )

    def arrays(self) -> Allowed:
        lengths = np.array([len(found) for found in self.found], dtype=np.int64)
        begins = np.concatenate(([0], np.cumsum(lengths)))
        partners = np.fromiter(
            (w for found in self.found for w in found), np.int32, int(begins[-1])
        )
        return begins.astype(np.int32), partners


def overlapping_pairs(left: Graph, right: Graph) -> list[tuple[int, int]]:
    """The pairs of variables of corresponding sentences that share a word.

    Of graphs that are anchored in characters, those that share one of these.
    """
    documents = (left.document or Document(), right.document or Document())
    holders: dict[tuple[int, int], list[int]] = {}
    for w in range(len(right.variables)):
        for key in _places(documents[1], w):
            holders.setdefault(key, []).append(w)
    counterparts = corresponding(documents[0].sentences, documents[1].sentences)
    found = {
        (v, w)
        for v in range(len(left.variables))
        for sentence, place in _places(documents[0], v)
        for w in holders.get((counterparts.get(sentence, -1), place), ())
    }
    return sorted(found)


def _places(document: Document, variable: int) -> set[tuple[int, int]]:
    """The words, or characters, of a variable, each with its sentence."""
    if document.unit == "token":
        places = words_of(document, variable)
    else:
        spans = document.spans(variable)
        places = {place for start, end in spans for place in range(start, end)}
    sentences = document.home(variable) if document.sentences else (0,)
    return {(sentence, place) for sentence in sentences for place in places}


def words_of(document: Document, variable: int) -> set[int]:
    """The words that a variable is aligned with; none for ``0-0``."""
    return {
        word
        for first, last in document.spans(variable)
        for word in range(first, last + 1)
        if word > 0
    }


def corresponding(
    lefts: Sequence[Sentence], rights: Sequence[Sentence]
) -> dict[int, int]:
    """The place of each left sentence's counterpart, where it has one."""
    if not lefts or not rights:  # a graph without sentences is one sentence
        return {0: 0}
    numbers = [[s.number for s in side] for side in (lefts, rights)]
    if all(None not in side and len(set(side)) == len(side) for side in numbers):
        return _in_order(*numbers)
    if len(lefts) == len(rights):
        return {place: place for place in range(len(lefts))}
    return _in_order(*([s.tokens for s in side] for side in (lefts, rights)))


def _in_order(lefts: Sequence[Hashable], rights: Sequence[Hashable]) -> dict[int, int]:
    """Pair equal numbers, and one by one what stands between, if it is as many."""
    found: dict[int, int] = {}
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, lefts, rights, autojunk=False)
    for kind, begin, end, other, other_end in matcher.get_opcodes():
        if kind == "equal" or (kind == "replace" and end - begin == other_end - other):
            found |= dict(zip(range(begin, end), range(other, other_end), strict=True))
    return found


def misnumbered(lefts: Sequence[Sentence], rights: Sequence[Sentence]) -> str | None:
    """Warning about sentences whose numbers do not fit their text, or ``None``.

    They do where fewer of the sentences that correspond have the same words than could.
    """
    places = corresponding(lefts, rights)
    pairs = [
        (lefts[i].tokens, rights[j].tokens)
        for i, j in places.items()
        if i < len(lefts) and j < len(rights)
    ]
    same = sum(a == b for a, b in pairs)
    if same == len(pairs):
        return None
    from difflib import SequenceMatcher

    words = [[s.tokens for s in side if s.tokens] for side in (lefts, rights)]
    matcher = SequenceMatcher(None, words[0], words[1], autojunk=False)
    could = sum(block.size for block in matcher.get_matching_blocks())
    if could <= sum(a == b for a, b in pairs if a):
        return None
    return (
        f"{same} of {len(pairs)} sentences have the same words on both sides as they "
        f"are paired by their numbers, and {could} would if they were paired by words; "
        "number both sides alike"
    )
