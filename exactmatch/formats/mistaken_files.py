"""Files that were probably named by mistake.

Such a mistake does not show in the scores: references among the systems merely score
very high, and with a system in place of the references all scores are a little too low.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import combinations
from stat import S_ISREG

from exactmatch.base.errors import InputError
from exactmatch.base.inputs import inputs_noted, name_of
from exactmatch.formats.formats import PENMAN
from exactmatch.formats.pairs import sources

_REFERENCES = re.compile("gold|refs?|references?|test|tgt|target|truth")
_PREDICTIONS = re.compile("hyps?|outputs?|parsed|preds?|predict(ed|ions?)|systems?")
"""Words in the names of files; a file that has words of both holds predictions."""

_PEOPLE = frozenset(("annotator", "preferred", "save-date"))
"""Metadata that AMR releases give a graph and parsers do not."""


def remarks(golds: Sequence[str], systems: Mapping[str, str]) -> list[str]:
    """Say in a sentence each what looks wrong about the files."""
    return [*_equal(golds, systems), *_exchanged(golds, systems)]


def _equal(golds: Sequence[str], systems: Mapping[str, str]) -> Iterator[str]:
    for name, path in systems.items():
        is_trial = len(systems) == 1 and path in golds  # of a file against itself
        if not is_trial and any(_same(path, gold) for gold in golds):
            yield f"{name} is the same file as the references"
    for first, second in combinations(systems, 2):
        if _same(systems[first], systems[second]):
            yield f"{first} and {second} are the same file"


def _same(first: str, second: str) -> bool:
    """Return whether two paths lead to one file, or to files of equal content."""
    if not (os.path.exists(first) and os.path.exists(second)):
        return False
    if os.path.samefile(first, second):
        return True
    both = os.stat(first), os.stat(second)
    if both[0].st_size != both[1].st_size or not all(S_ISREG(s.st_mode) for s in both):
        return False
    import filecmp

    return filecmp.cmp(first, second, shallow=False)


def _exchanged(golds: Sequence[str], systems: Mapping[str, str]) -> Iterator[str]:
    """Systems that look more like references than the references do."""
    for path in systems.values():
        for gold in golds:
            why = None if _same(path, gold) else _sign(path, gold)
            if why:
                yield (
                    f"{name_of(path)} is taken for predictions and {name_of(gold)} for "
                    f"references, but {why}; if they are exchanged, name them the "
                    "other way round"
                )


def _sign(path: str, gold: str) -> str | None:
    """Why predictions and references look exchanged, if they do."""
    system, taken = _named(path), _named(gold)
    name, other = name_of(path), name_of(gold)
    if system == "references" != taken:
        return f"{name} is named like references and {other} is not"
    if taken == "predictions" != system:
        return f"{other} is named like predictions and {name} is not"
    if _is_annotated(path) and not _is_annotated(gold):
        return f"{name} has annotators' metadata and {other} has none"
    return None


def _named(path: str) -> str | None:
    """Return whether a file's name speaks of predictions, references, or neither."""
    words = re.split(r"[^a-z]+", name_of(path).lower())
    if any(map(_PREDICTIONS.fullmatch, words)):
        return "predictions"
    return "references" if any(map(_REFERENCES.fullmatch, words)) else None


def _is_annotated(path: str) -> bool:
    """Return whether the first graph says who made it, or when it was saved."""
    if not os.path.isfile(path):
        return False
    with inputs_noted(), suppress(InputError):  # whoever scores the file says it
        (blocks,) = sources([path], format_in=PENMAN)
        first = next(iter(blocks), None)
        return first is not None and not _PEOPLE.isdisjoint(first.metadata())
    return False
