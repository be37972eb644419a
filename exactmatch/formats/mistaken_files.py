"""Files that were probably named by mistake.

Such a mistake does not show in the scores: references among the systems merely score
very high, and with a system in place of the references all scores are a little too low.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import combinations
from stat import S_ISREG

from exactmatch.base.errors import InputError, warn_caller
from exactmatch.base.inputs import command_line, inputs_noted, name_of
from exactmatch.formats.formats import PENMAN
from exactmatch.formats.pairs import sources

_REFERENCES = re.compile("gold|refs?|references?|test|tgt|target|truth")
_PREDICTIONS = re.compile(
    "hyps?|outputs?|parsed|parsers?[a-z]?|preds?|predict(ed|ions?)|systems?"
)
"""Words in the names of files; a file that has words of both holds predictions."""

_SOURCES, _TARGETS = {"src", "source"}, {"tgt", "target"}
"""Words that name the sides of a set of pairs, neither of which is a reference."""

_NAMING = ("--gold", "--references", "--pred", "--systems", "-f")
"""Flags that name files."""

_PEOPLE = frozenset(("annotator", "preferred", "save-date"))
"""Metadata that AMR releases give a graph and parsers do not."""


def remarks(golds: Sequence[str], systems: Mapping[str, str]) -> list[str]:
    """Say in a sentence each what looks wrong about the files.

    Callers in Python are warned of files that look exchanged; two that are equal show
    in the scores.
    """
    exchanged = [*_exchanged(golds, systems)]
    for remark in exchanged:
        warn_caller(remark)
    return [*_equal(golds, systems), *exchanged]


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
    file_stats = os.stat(first), os.stat(second)
    if file_stats[0].st_size != file_stats[1].st_size or not all(
        S_ISREG(s.st_mode) for s in file_stats
    ):
        return False
    import filecmp

    return filecmp.cmp(first, second, shallow=False)


def _exchanged(golds: Sequence[str], systems: Mapping[str, str]) -> Iterator[str]:
    """Systems that look more like references than the references do."""
    if not golds:  # references that are not files
        return
    roles = _roles([*golds, *systems.values()])
    named = [gold for gold in golds if roles[gold] == "references"]
    others = [gold for gold in golds if gold not in named]
    for path in systems.values():
        if len(golds) > 1 and roles[path] == "references" and not named:
            yield (
                f"{name_of(path)} is taken for predictions and {_listed(golds)} for "
                f"their references, but {name_of(path)} is named like references and "
                f"they are not{_to_compare(path, golds)}"
            )
            continue
        is_odd = named != [*golds[:1]] or "predictions" in map(roles.get, golds)
        if len(named) == 1 and is_odd and roles[path] != "references":
            (gold,) = named
            yield (
                f"the references are {_listed(golds)}, but only {name_of(gold)} is "
                f"named like references{_to_compare(gold, [path, *others])}"
            )
            continue
        for gold in golds:
            why = None if _same(path, gold) else _sign(path, gold, roles)
            if why:
                yield (
                    f"{name_of(path)} is taken for predictions and {name_of(gold)} for "
                    f"references, but {why}; if they are exchanged"
                    f"{_other_way_round(path, gold)}"
                )


def _listed(paths: Sequence[str]) -> str:
    """Return the names of files as a sentence has them."""
    *first, last = map(name_of, paths)
    return f"{', '.join(first)} and {last}" if first else last


def _to_compare(gold: str, systems: Sequence[str]) -> str:
    """Return the end of a message: the command that compares systems."""
    words = shlex.split(command_line())
    flags = {word.partition("=")[0] for word in words}
    if not {gold, *systems} <= {*words} or flags & {*_NAMING}:
        return "; 'exactmatch compare GOLD A B' compares systems"
    program, *words = words
    more = [word for word in words if word not in (gold, *systems, "score")]
    line = shlex.join([program, "compare", gold, *systems, *more])
    return f"; to compare {_listed(systems)} with {name_of(gold)}: {line}"


def _other_way_round(path: str, gold: str) -> str:
    """Return the command with both files in each other's place, if there is one."""
    words = shlex.split(command_line())
    if words.count(path) != 1 or words.count(gold) != 1:
        return ", name them the other way round"
    wrong, place = words.index(path), words.index(gold)
    first, last = sorted((wrong, place))
    if any(word.startswith("-") for word in words[first:last]):
        words[wrong], words[place] = gold, path
    else:  # the other files keep their order
        del words[wrong]
        words.insert(place, path)
    return f": {shlex.join(words)}"


def _sign(path: str, gold: str, roles: Mapping[str, str | None]) -> str | None:
    """Why predictions and references look exchanged, if they do."""
    pred_role, gold_role = roles[path], roles[gold]
    pred_name, gold_name = name_of(path), name_of(gold)
    if pred_role == "references" != gold_role:
        return f"{pred_name} is named like references and {gold_name} is not"
    if gold_role == "predictions" != pred_role:
        return f"{gold_name} is named like predictions and {pred_name} is not"
    if _is_annotated(path) and not _is_annotated(gold):
        return f"{pred_name} has annotators' metadata and {gold_name} has none"
    return None


def _roles(paths: Sequence[str]) -> dict[str, str | None]:
    """Return what files' names speak of: predictions, references, or neither.

    A word that all names have in common does not count.  Folders tell files of one name
    apart.
    """
    names = {path: name_of(path) for path in paths}
    if len({*names.values()}) == 1:
        names = {path: path for path in paths}
    words = {path: {*re.split(r"[^a-z]+", n.lower())} for path, n in names.items()}
    shared = set.intersection(*words.values()) if len(words) > 1 else set()
    if _SOURCES & set().union(*words.values()):  # two sides of a set of pairs
        shared = shared | _TARGETS
    return {path: _role(own - shared) for path, own in words.items()}


def _role(words: Iterable[str]) -> str | None:
    words = [*words]
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
