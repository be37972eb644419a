"""The candidates for each sentence: in memory, a file of each system, n-best lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from exactmatch.base.errors import InputError
from exactmatch.base.numbers import several
from exactmatch.formats.blocks import Block
from exactmatch.formats.pairs import different_ids
from exactmatch.many.comparison import Comparison
from exactmatch.many.options import EnsembleOptions
from exactmatch.scoring.sources import as_list, paths_of


class CandidateLists(NamedTuple):
    """Candidates and references.

    Attributes:
        sentences: those of each sentence.
        golds: the reference of each sentence, if there are any.
    """

    sentences: list[list[Any]]
    golds: list[Any] | None

    def ids_that_differ(self) -> Iterator[str]:
        """Warn of graphs of files that stand at one position with different ids."""
        for place, sentence in enumerate(self.sentences):
            group = [*sentence, *([] if self.golds is None else [self.golds[place]])]
            of_files = all(isinstance(one, Block) for one in group)
            if of_files and len({block.id for block in group} - {None}) > 1:
                yield different_ids(place + 1, group)


def opened(asked: EnsembleOptions, comparison: Comparison) -> CandidateLists:
    """Open the candidates and the references.

    Raises:
        InputError: if files hold different numbers of graphs, or no n-best lists; or
            there is not one reference for each sentence.
    """
    comparison.open()
    if asked.on_error == "skip":
        raise InputError(
            "every sentence keeps its candidates; --on-error empty counts one that "
            "cannot be read as an empty graph"
        )
    paths = paths_of(asked.candidates)
    names: Sequence[str] = ()
    if paths:
        names, sentences = _of_files(paths, [comparison.blocks(path) for path in paths])
    else:
        sentences = [as_list(sentence) for sentence in as_list(asked.candidates)]
    golds = None if asked.golds is None else comparison.list(asked.golds)
    if golds is not None and len(golds) != len(sentences):
        place = "".join(f"{path}: " for path in paths_of(asked.golds))
        raise InputError(
            f"{place}{several(len(sentences), 'sentence')} but "
            f"{several(len(golds), 'reference')}; give one for each"
        )
    comparison.sides, comparison.systems = [sentences], names
    return CandidateLists(sentences, golds)


def _of_files(
    paths: Sequence[str], files: Sequence[list[Block]]
) -> tuple[list[str], list[list[Any]]]:
    if len(files) == 1:
        sentences = _lists(paths[0], files[0])
        most = max(map(len, sentences))
        return [f"rank {k + 1}" for k in range(most)], sentences
    counts = list(map(len, files))
    if len(set(counts)) > 1:
        listed = ", ".join(f"{p}: {n}" for p, n in zip(paths, counts, strict=True))
        raise InputError(
            f"the files hold different numbers of graphs ({listed}); every system has "
            "one graph for each sentence"
        )
    often = Counter(paths)
    names = [
        path if often[path] == 1 else f"{path} ({place})"
        for place, path in enumerate(paths, 1)
    ]
    return names, [list(row) for row in zip(*files, strict=True)]


def _lists(path: str, blocks: Iterable[Block]) -> list[list[Any]]:
    sentences: list[list[Any]] = []
    known: set[str] = set()
    last: tuple[str | None, int] = (None, 0)
    for block in blocks:
        rank = _rank(block)
        same = block.id is not None and block.id == last[0]
        grows = rank is not None and 0 < last[1] < rank
        if sentences and (same or (block.id is None and grows)):
            sentences[-1].append(block)
        else:
            if block.id in known:
                raise block.origin().error(
                    f"has the id {block.id!r} of an earlier list; the graphs of one "
                    "n-best list must follow one another"
                )
            sentences.append([block])
        if block.id is not None:
            known.add(block.id)
        last = (block.id, rank or 0)
    if all(len(sentence) == 1 for sentence in sentences):
        raise InputError(
            f"{path}: no two graphs follow one another with the same '# ::id', nor "
            "with growing '# ::nbest'; name a file of each system, or a file of n-best "
            "lists"
        )
    return sentences


def _rank(block: Block) -> int | None:
    """The ``# ::nbest`` of a graph, from 1; whatever starts at 0 is moved."""
    text = block.metadata().get("nbest", "")
    return int(text) + 1 if text.isascii() and text.isdigit() else None
