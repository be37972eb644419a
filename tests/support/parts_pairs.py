"""Random pairs of small graphs in which nodes may be parts, and options for them."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any, NamedTuple

from support.parts_oracle import Oracle

WORDS = ("a", "b", "a b", "b a", "c", "a b c", "d a b c e", "b c", "a a")
PRICES = ("0", "1/10", "1/4", "1", "100")


class RandomPair(NamedTuple):
    """Two graphs, an oracle with the rules, and the metric's options for the same."""

    pred: Any
    gold: Any
    oracle: Oracle
    options: dict[str, Any]


def random_pair(seed: int, most: int = 4) -> RandomPair:
    """Draw a pair; many have groups of parts, some of which are worth using."""
    draw = random.Random(seed)
    directed, rich = draw.random() < 0.7, draw.random() < 0.5
    pred, gold = (_graph(draw, draw.randint(0, most), directed, rich) for _ in range(2))
    oracle = Oracle(
        parts=draw.choice((2, 2, 2, 3)),
        price=Fraction(draw.choice(PRICES)),
        cutoff=Fraction(draw.choice(("4/5", "4/5", "1/2"))),
        edge_share=Fraction(draw.choice(("1/2", "1/2", "3/4", "0", "1"))),
        unlike=draw.random() < 0.7,
    )
    return RandomPair(pred, gold, oracle, options_of(oracle))


def options_of(oracle: Oracle) -> dict[str, Any]:
    """Return the metric's options for an oracle's rules."""
    return {
        "parts": oracle.parts,
        "price": float(oracle.price),
        "part_cutoff": float(oracle.cutoff),
        "edge_share": float(oracle.edge_share),
        "unlike": "allowed" if oracle.unlike else "forbidden",
    }


def _graph(draw: random.Random, size: int, directed: bool, rich: bool) -> Any:
    words = WORDS if draw.random() < 0.7 else ("a", "a", "a", "b")
    nodes = []
    for _ in range(size):
        node = {"label": draw.choice(words) if draw.random() < 0.97 else None}
        for name, share in (("k", 0.4), ("k2", 0.2)):
            if rich and draw.random() < share:
                node[name] = draw.choice(("x", "y"))
        nodes.append(node)
    edges: dict[tuple[Any, ...], None] = {}
    for _ in range(draw.randint(0, size + 2) if size else 0):
        i, k = draw.randrange(size), draw.randrange(size)
        if i == k and not (rich and draw.random() < 0.4):
            continue
        if not directed:
            i, k = min(i, k), max(i, k)
        label = draw.choice((None, None, "r", "q"))
        edges[(i, k) if label is None else (i, label, k)] = None
    return {"nodes": nodes, "edges": list(map(list, edges)), "directed": directed}
