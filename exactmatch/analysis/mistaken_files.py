"""Files that were probably named by mistake.

Such a mistake does not show in the scores: references among the systems merely score
very high, and with a system in place of the references all scores are a little too low.
"""

from __future__ import annotations

import filecmp
import os
import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path

from exactmatch.reading.formats import PENMAN
from exactmatch.reading.pairs import sources

_REFERENCE_NAMES = frozenset(
    ("gold", "ref", "refs", "reference", "references", "tgt", "target", "truth")
)
_PEOPLE = frozenset(("annotator", "preferred", "save-date"))
"""Metadata that AMR releases give a graph and parsers do not."""


def remarks(gold: str, systems: Mapping[str, str]) -> list[str]:
    """What looks wrong about the files, a sentence each.

    Args:
        gold: the file of references.
        systems: each system's file, by its name.
    """
    return [*_equal(gold, systems), *_exchanged(gold, systems)]


def _equal(gold: str, systems: Mapping[str, str]) -> Iterator[str]:
    for name, path in systems.items():
        if _same(path, gold):
            yield f"{name} is the same file as the references"
    for first, second in combinations(systems, 2):
        if _same(systems[first], systems[second]):
            yield f"{first} and {second} are the same file"


def _same(first: str, second: str) -> bool:
    """Whether two paths lead to one file, or to files of equal content."""
    if not (os.path.exists(first) and os.path.exists(second)):
        return False
    if os.path.samefile(first, second):
        return True
    both_files = os.path.isfile(first) and os.path.isfile(second)
    return both_files and filecmp.cmp(first, second, shallow=False)


def _exchanged(gold: str, systems: Mapping[str, str]) -> Iterator[str]:
    """Systems that look more like references than the references do."""
    named, annotated = _is_named_reference(gold), _is_annotated(gold)
    for name, path in systems.items():
        if _same(path, gold):
            continue
        if not named and _is_named_reference(path):
            why = f"is named like references and {Path(gold).name} is not"
        elif not annotated and _is_annotated(path):
            why = f"has annotators' metadata and {Path(gold).name} has none"
        else:
            continue
        yield f"{name} {why}; the references come first: compare GOLD SYSTEM SYSTEM"


def _is_named_reference(path: str) -> bool:
    words = re.split(r"[^a-z]+", Path(path).name.lower())
    return not _REFERENCE_NAMES.isdisjoint(words)


def _is_annotated(path: str) -> bool:
    """Whether the first graph says who made it, or when it was saved."""
    if not os.path.isfile(path):
        return False
    (blocks,) = sources([path], format_in=PENMAN)
    first = next(iter(blocks), None)
    return first is not None and not _PEOPLE.isdisjoint(first.metadata())
