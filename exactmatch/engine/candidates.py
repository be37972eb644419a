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
    left: Graph, right: Graph, align: Align, limit: int | None = None
) -> Allowed | None:
    """Return the pairs of variables that may be aligned, or ``None`` for all.

    It is an error if there are more than *limit*; they are counted before they are
    listed.
    """
    left_document, right_document = (
        left.document or Document(),
        right.document or Document(),
    )
    restricts = align != "free" and bool(
        left_document.sentences or right_document.sentences
    )
    if not restricts and not left_document.constants and not right_document.constants:
        return None
    free_rights = [
        w for w in range(len(right.variables)) if w not in right_document.constants
    ]
    namesakes = {right.variables[w]: [w] for w in right_document.constants}
    partners: list[Sequence[int]] = [
        namesakes.get(name, ()) if v in left_document.constants else free_rights
        for v, name in enumerate(left.variables)
    ]
    free_lefts = [v for v in range(len(partners)) if v not in left_document.constants]
    if restricts:
        counterpart_variables = _of_sentences(
            left_document, right_document, free_rights
        )
        for v in free_lefts:
            partners[v] = counterpart_variables(_home(left_document, v))
    count = sum(map(len, partners))
    if limit is not None and count > limit:
        raise InputError(
            f"the graphs have {count:,} pairs of variables that may be aligned, more "
            f"than {limit:,}; raise --max-terms to allow them"
        )
    if align == "token-overlap":
        words = [words_of(right_document, w) for w in range(len(right.variables))]
        for v in free_lefts:
            if own_words := words_of(left_document, v):
                partners[v] = [
                    w for w in partners[v] if not words[w] or own_words & words[w]
                ]
    begins = np.cumsum([0, *map(len, partners)], dtype=np.int32)
    listed = np.fromiter(chain.from_iterable(partners), np.int32, int(begins[-1]))
    return begins, listed


def _home(document: Document, variable: int) -> tuple[int, ...]:
    """Return the sentences of a variable; a graph without sentences is one sentence."""
    return document.home(variable) if document.sentences else (0,)


def _of_sentences(
    left_document: Document, right_document: Document, rights: Sequence[int]
) -> Callable[[tuple[int, ...]], list[int]]:
    """Return a function from sentences to the variables of their counterparts."""
    members: dict[int, list[int]] = {}
    for w in rights:
        for sentence in _home(right_document, w):
            members.setdefault(sentence, []).append(w)
    counterparts = corresponding(left_document.sentences, right_document.sentences)

    @cache
    def members_of(home: tuple[int, ...]) -> list[int]:
        places = (counterparts.get(sentence, -1) for sentence in home)
        return sorted({w for sentence in places for w in members.get(sentence, ())})

    return members_of


def overlapping_pairs(left: Graph, right: Graph) -> list[tuple[int, int]]:
    """Return the pairs of variables of corresponding sentences that share a word.

    Where graphs are anchored in characters, the pairs that share a character.
    """
    left_document, right_document = (
        left.document or Document(),
        right.document or Document(),
    )
    holders: dict[tuple[int, int], list[int]] = {}
    for w in range(len(right.variables)):
        for key in _places(right_document, w):
            holders.setdefault(key, []).append(w)
    counterparts = corresponding(left_document.sentences, right_document.sentences)
    pairs = {
        (v, w)
        for v in range(len(left.variables))
        for sentence, place in _places(left_document, v)
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
    for kind, begin, end, other_begin, other_end in matcher.get_opcodes():
        if kind == "equal" or (
            kind == "replace" and end - begin == other_end - other_begin
        ):
            counterparts |= dict(
                zip(range(begin, end), range(other_begin, other_end), strict=True)
            )
    return counterparts


def misnumbered(lefts: Sequence[Sentence], rights: Sequence[Sentence]) -> str | None:
    """Return a warning if sentences' numbers contradict their words, else ``None``.

    They do if a pairing by words would pair more equal sentences.
    """
    counterparts = corresponding(lefts, rights)
    pairs = [
        (lefts[i].tokens, rights[j].tokens)
        for i, j in counterparts.items()
        if i < len(lefts) and j < len(rights)
    ]
    n_equal = sum(a == b for a, b in pairs)
    if n_equal == len(pairs):
        return None
    from difflib import SequenceMatcher

    words = [[s.tokens for s in side if s.tokens] for side in (lefts, rights)]
    matcher = SequenceMatcher(None, words[0], words[1], autojunk=False)
    n_equal_by_words = sum(block.size for block in matcher.get_matching_blocks())
    if n_equal_by_words <= sum(a == b for a, b in pairs if a):
        return None
    return (
        f"{n_equal} of {len(pairs)} sentences have the same words on both sides as "
        f"they are paired by their numbers, and {n_equal_by_words} would if they were "
        "paired by words; number both sides alike"
    )
