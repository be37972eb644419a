"""Parts that stand for one node, on graphs that the rule was not chosen on.

Two hundred explanation graphs (ExplaGraphs) against copies of themselves, in which an
entity is split in two, two are merged, one is missing, a foreign one is added, or all
have changed their places; with no and with a fifth of all words replaced by the nearest
vector's word.  ``--kg-gen`` reads graphs that kg-gen made of texts instead, eight
triples each: files of its repository, ``app/examples/*.json``.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from benchmarks import machine_parts
from benchmarks.machine import Workflows, neighbours, table

Triple: TypeAlias = tuple[str, str, str]
Change: TypeAlias = Callable[[random.Random, list[Triple]], "list[Triple] | None"]

GRAPHS, SHARES, SEED = 200, (0.0, 0.2), 11
TRIPLES = 8
_TRIPLE = re.compile(r"\(([^()]*)\)")


def read(path: Path) -> list[list[Triple]]:
    """Read the first graphs with three triples or more."""
    rows = []
    for line in path.read_text("utf-8").splitlines():
        parts = (one.split(";") for one in _TRIPLE.findall(line.split("\t")[3]))
        triples = [(a.strip(), r.strip(), b.strip()) for a, r, b in parts]
        if len(triples) >= 3:
            rows.append(triples)
    return rows[:GRAPHS]


def read_kg_gen(paths: Sequence[Path]) -> list[list[Triple]]:
    """Read graphs of eight triples that hang together, from outputs of kg-gen."""
    graphs = []
    for path in sorted(paths):
        left = sorted(map(tuple, json.loads(path.read_text("utf-8"))["relations"]))
        while left:
            graph = [left.pop(0)]
            while len(graph) < TRIPLES:
                known = {name for a, _, b in graph for name in (a, b)}
                near = next((t for t in left if known & {t[0], t[2]}), None)
                if near is None:
                    break
                left.remove(near)
                graph.append(near)
            if len(graph) == TRIPLES:
                graphs.append(graph)
    return random.Random(SEED).sample(graphs, min(GRAPHS, len(graphs)))


def names(triples: Sequence[Triple]) -> list[str]:
    """Return the entities of triples, in order."""
    return list(dict.fromkeys(x for a, _, b in triples for x in (a, b)))


def split(draw: random.Random, triples: list[Triple]) -> list[Triple] | None:
    """Write an entity of several words as two, joined by an edge without label."""
    long = [name for name in names(triples) if len(name.split()) > 1]
    if not long:
        return None
    name = draw.choice(long)
    words = name.split()
    first, last = (
        " ".join(some) for some in (words[: len(words) // 2], words[len(words) // 2 :])
    )
    copy = [
        (last if a == name else a, r, first if b == name else b) for a, r, b in triples
    ]
    return [*copy, (first, "", last)]


def merged(draw: random.Random, triples: list[Triple]) -> list[Triple] | None:
    """Write two neighbours as one."""
    both = draw.choice([(a, b) for a, _, b in triples if a != b])
    name = " ".join(both)
    copy = [
        (name if a in both else a, r, name if b in both else b) for a, r, b in triples
    ]
    return [(a, r, b) for a, r, b in copy if a != b] or None


def missing(draw: random.Random, triples: list[Triple]) -> list[Triple] | None:
    """Leave an entity out."""
    name = draw.choice(names(triples))
    return [(a, r, b) for a, r, b in triples if name not in (a, b)] or None


def shuffled(draw: random.Random, triples: list[Triple]) -> list[Triple] | None:
    """Let all entities change their places."""
    known = names(triples)
    places = dict(zip(known, draw.sample(known, len(known)), strict=True))
    copy = [(places[a], r, places[b]) for a, r, b in triples]
    return None if copy == triples else copy


def graph(triples: Sequence[Triple], other: Callable[[str], str]) -> dict[str, Any]:
    """Return triples as a graph, with other labels."""
    known = names(triples)
    place = {name: k for k, name in enumerate(known)}
    edges = [
        [place[a], r, place[b]] if r else [place[a], place[b]]
        for a, r, b in dict.fromkeys(triples)
    ]
    return {"nodes": [other(name) for name in known], "edges": edges}


def rows(
    graphs: list[list[Triple]], near: Callable[[str], str]
) -> list[tuple[object, ...]]:
    """Score copies one to one and with parts."""
    draw = random.Random(SEED)

    def foreign(draw: random.Random, triples: list[Triple]) -> list[Triple] | None:
        name = draw.choice(names(draw.choice(graphs)))
        at = draw.choice(names(triples))
        return None if name == at else [*triples, (at, "related to", name)]

    changes: dict[str, Change] = {
        "an entity split": split,
        "two entities merged": merged,
        "an entity missing": missing,
        "a foreign entity": foreign,
        "entities in other places": shuffled,
    }
    table_rows: list[tuple[object, ...]] = []
    for share in SHARES:

        def other(label: str, share: float = share) -> str:
            words = label.split()
            return " ".join(near(w) if draw.random() < share else w for w in words)

        for name, change in changes.items():
            pairs = []
            for triples in graphs:
                copy = change(draw, triples)
                if copy is not None:
                    pairs.append((graph(copy, other), graph(triples, str)))
            row = machine_parts.measured(pairs).row()
            table_rows.append((name, f"{share:.0%}", *row[:4]))
    return table_rows


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Parts on unseen graphs.")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--kg-gen", type=Path, nargs="+", metavar="FILE")
    args = parser.parse_args()
    data = args.data
    graphs = (
        read_kg_gen(args.kg_gen)
        if args.kg_gen
        else read(data / "kg" / "explagraphs.dev.tsv")
    )
    words = {w for own in graphs for name in names(own) for w in name.split()}
    near = neighbours(Workflows(data).cosine, words)
    heads = ("what was done", "words replaced", *machine_parts.COLUMNS[:4])
    table(heads, rows(graphs, near))


if __name__ == "__main__":
    main()
