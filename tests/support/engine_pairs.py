"""Pairs of graphs for tests of engines."""

from __future__ import annotations

import random

WORDS = ("boy", "girl", "dog", "city", "book", "want-01", "see-01", "give-01")
ROLES = ("ARG0", "ARG1", "mod", "location", "time")


def graphs(seed: int, count: int) -> tuple[list[str], list[str]]:
    """Return predictions and references, a few of whose words and roles differ."""
    draw = random.Random(seed)
    preds, golds = [], []
    for _ in range(count):
        gold = f"(v0 / {draw.choice(WORDS)}"
        size = draw.randint(1, 7)
        for number in range(1, size):
            gold += f" :{draw.choice(ROLES)} (v{number} / {draw.choice(WORDS)}"
        gold += ")" * size
        golds.append(gold)
        preds.append(gold.replace(draw.choice(WORDS), "man", 1))
    return preds, golds
