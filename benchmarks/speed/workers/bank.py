"""Search a bank of a file's graphs or of perturbed copies, or choose among copies.

usage: bank.py FILE COPIES
       bank.py FILE SENTENCES CANDIDATES

With 0 copies the bank is the file's distinct graphs.  What is found is held against
the sorted rows of ``cdist``.  With candidates, each sentence has so many copies of one
graph, as alike as parses of one sentence are, and the best is chosen.
"""

from __future__ import annotations

import json
import random
import re
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

_QUERIES = 100
_SCORED = 5
_CONCEPT = re.compile(r"(?<=/ )[^\s()]+")


def measured(what: str, queries: int, graphs: int, work: Callable[[], Any]) -> Any:
    """Do some work, write what it cost, and return what came of it."""
    cpu = time.process_time()
    result = work()
    cpu = time.process_time() - cpu
    line = {"what": what, "queries": queries, "graphs": graphs, "cpu": cpu}
    print(json.dumps(line), flush=True)
    return result


def concepts_of(texts: list[str]) -> list[str]:
    """Return the concepts of graphs, as often as they occur."""
    return [concept for text in texts for concept in _CONCEPT.findall(text)]


def copies_of(
    texts: list[str], number: int, concepts: list[str], seed: int = 0
) -> Iterator[str]:
    """Graphs in which about one concept of five is another one."""
    chance = random.Random(seed)

    def other(match: re.Match[str]) -> str:
        return chance.choice(concepts) if chance.random() < 0.2 else match[0]

    for _ in range(number):
        yield _CONCEPT.sub(other, chance.choice(texts))


def main() -> None:
    """Search, or choose."""
    from exactmatch.formats.blocks import read_blocks

    texts = list(dict.fromkeys("\n".join(b.content) for b in read_blocks(sys.argv[1])))
    random.Random(0).shuffle(texts)
    if len(sys.argv) > 3:
        choose(texts, *map(int, sys.argv[2:]))
    else:
        search(texts, int(sys.argv[2]))


def search(texts: list[str], copies: int) -> None:
    """Build a bank, search it, and score the first queries with every graph."""
    import exactmatch

    concepts = concepts_of(texts)
    bank = exactmatch.many.Bank.build(
        copies_of(texts, copies, concepts) if copies else texts
    )
    queries = texts[:_QUERIES]
    n = len(bank)
    nearest = measured(
        "search, k=10", len(queries), n, lambda: exactmatch.search(queries, bank)
    )
    few = queries[:_SCORED]
    rows = measured("cdist", len(few), n, lambda: exactmatch.cdist(few, bank))
    for row, neighbours in zip(rows, nearest, strict=False):
        order = sorted((-score, j) for j, score in enumerate(row.tolist()))
        assert neighbours == [(j, -score) for score, j in order[:10]]


def choose(texts: list[str], sentences: int, candidates: int) -> None:
    """Choose among the candidates of every sentence."""
    import exactmatch

    concepts = concepts_of(texts)
    candidates_of = [
        list(copies_of([text], candidates, concepts, seed))
        for seed, text in enumerate(texts[:sentences])
    ]
    cpu = time.process_time()
    chosen = exactmatch.ensemble(candidates_of, prune=True)
    cpu = time.process_time() - cpu
    assert len(chosen) == len(candidates_of)
    pairs = len(candidates_of) * candidates * (candidates - 1)
    print(json.dumps({"cpu": cpu, "pairs": pairs}), flush=True)


if __name__ == "__main__":
    main()
