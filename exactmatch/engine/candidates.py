"""The pairs of variables that may be aligned, where not all pairs may be.

Any two variables may be aligned, unless the profile's ``align`` or the graphs say
otherwise:

* ``same-sentence``: variables of sentences that correspond;
* ``token-overlap``: of these, two that are both aligned with words must share one (a
  variable without words may be aligned with any of its sentence);
* a constant of a document (``author``) always corresponds to its namesake alone.

Where each number occurs once on either side, sentences with equal numbers correspond;
between two such pairs, the others correspond in order if both sides have equally many.
Where numbers repeat, sentences correspond in order if both sides have equally many, and
by their words otherwise.  The triples of a sentence without a counterpart count as
missing, or as extra.

Source: docSmatch (Naseem et al. 2022) for the restriction to sentences; juːmæʧ (Zeman
2025) for that to words.
"""

from collections.abc import Callable, Hashable, Sequence
from functools import cache
from itertools import chain
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import InputError
from exactmatch.graphs.document import Document, Sentence
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import Align

Allowed: TypeAlias = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]
"""The first place of each left variable's partners, and the partners, ascending."""


def allowed_pairs(
    left: Graph, right: Graph, align: Align, most: int | None = None
) -> Allowed | None:
    """Return the pairs of variables that may be aligned, or ``None`` for all.

    It is an error if there are more than *most*; they are counted before they are
    listed.
    """
    ours, theirs = left.document or Document(), right.document or Document()
    restricts = align != "free" and bool(ours.sentences or theirs.sentences)
    if not restricts and not ours.constants and not theirs.constants:
        return None
    others = [w for w in range(len(right.variables)) if w not in theirs.constants]
    namesakes = {right.variables[w]: [w] for w in theirs.constants}
    partners: list[Sequence[int]] = [
        namesakes.get(name, ()) if v in ours.constants else others
        for v, name in enumerate(left.variables)
    ]
    free = [v for v in range(len(partners)) if v not in ours.constants]
    if restricts:
        at_home = _of_sentences(ours, theirs, others)
        for v in free:
            partners[v] = at_home(_home(ours, v))
    count = sum(map(len, partners))
    if most is not None and count > most:
        raise InputError(
            f"the graphs have {count:,} pairs of variables that may be aligned, more "
            f"than {most:,}; raise --max-terms to allow them"
        )
    if align == "token-overlap":
        words = [words_of(theirs, w) for w in range(len(right.variables))]
        for v in free:
            if mine := words_of(ours, v):
                partners[v] = [
                    w for w in partners[v] if not words[w] or mine & words[w]
                ]
    begins = np.cumsum([0, *map(len, partners)], dtype=np.int32)
    listed = np.fromiter(chain.from_iterable(partners), np.int32, int(begins[-1]))
    return begins, listed


def _home(document: Document, variable: int) -> tuple[int, ...]:
    """Return the sentences of a variable; a graph without sentences is one sentence."""
    return document.home(variable) if document.sentences else (0,)


def _of_sentences(
    ours: Document, theirs: Document, others: Sequence[int]
) -> Callable[[tuple[int, ...]], list[int]]:
    """Return a function from sentences to the variables of their counterparts."""
    members: dict[int, list[int]] = {}
    for w in others:
        for place in _home(theirs, w):
            members.setdefault(place, []).append(w)
    counterparts = corresponding(ours.sentences, theirs.sentences)

    @cache
    def members_of(home: tuple[int, ...]) -> list[int]:
        places = (counterparts.get(place, -1) for place in home)
        return sorted({w for place in places for w in members.get(place, ())})

    return members_of


def overlapping_pairs(left: Graph, right: Graph) -> list[tuple[int, int]]:
    """Return the pairs of variables of corresponding sentences that share a word.

    Where graphs are anchored in characters, the pairs that share a character.
    """
    ours, theirs = left.document or Document(), right.document or Document()
    holders: dict[tuple[int, int], list[int]] = {}
    for w in range(len(right.variables)):
        for key in _places(theirs, w):
            holders.setdefault(key, []).append(w)
    counterparts = corresponding(ours.sentences, theirs.sentences)
    pairs = {
        (v, w)
        for v in range(len(left.variables))
        for sentence, place in _places(ours, v)
        for w in holders.get((counterparts.get(sentence, -1), place), ())
    }
    return sorted(pairs)


def _places(document: Document, variable: int) -> set[tuple[int, int]]:
    """Return the words, or characters, of a variable, each with its sentence."""
    if document.unit == "token":
        places = words_of(document, variable)
    else:
        spans = document.spans(variable)
        places = {place for start, end in spans for place in range(start, end)}
    home = _home(document, variable)
    return {(sentence, place) for sentence in home for place in places}


def words_of(document: Document, variable: int) -> set[int]:
    """Return the words that a variable is aligned with; none for ``0-0``."""
    return {
        word
        for first, last in document.spans(variable)
        for word in range(first, last + 1)
        if word > 0
    }


def corresponding(
    lefts: Sequence[Sentence], rights: Sequence[Sentence]
) -> dict[int, int]:
    """Return the place of each left sentence's counterpart, where it has one."""
    if not lefts or not rights:  # a graph without sentences is one sentence
        return {0: 0}
    numbers = [[s.number for s in side] for side in (lefts, rights)]
    if all(None not in side and len(set(side)) == len(side) for side in numbers):
        return _in_order(*numbers)
    if len(lefts) == len(rights):
        return {place: place for place in range(len(lefts))}
    return _in_order(*([s.tokens for s in side] for side in (lefts, rights)))


def _in_order(lefts: Sequence[Hashable], rights: Sequence[Hashable]) -> dict[int, int]:
    """Pair sentences with equal numbers, then those between them in order.

    Between two such pairs the others are paired if both sides have equally many.
    """
    from difflib import SequenceMatcher

    counterparts: dict[int, int] = {}
    matcher = SequenceMatcher(None, lefts, rights, autojunk=False)
    for kind, begin, end, other, other_end in matcher.get_opcodes():
        if kind == "equal" or (kind == "replace" and end - begin == other_end - other):
            counterparts |= dict(
                zip(range(begin, end), range(other, other_end), strict=True)
            )
    return counterparts


def misnumbered(lefts: Sequence[Sentence], rights: Sequence[Sentence]) -> str | None:
    """Return a warning if sentences' numbers contradict their words, else ``None``.

    They do if a pairing by words would pair more equal sentences.
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
