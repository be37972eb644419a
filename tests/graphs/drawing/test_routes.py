"""Routes of relations are shared between graphs in linear time."""

from __future__ import annotations

import random
from typing import Any

import pytest

from exactmatch.graphs.drawing.drawing import _taken


def one_by_one(
    parts_of: dict[int, Any], known_parts: list[Any], sharings: tuple[int, ...]
) -> dict[int, int]:
    """Look at every free place for each part."""
    free = [*range(len(known_parts))]
    taken: dict[int, int] = {}
    for sharing in sharings:
        for number, parts in parts_of.items():
            like = [k for k in free if known_parts[k][:sharing] == parts[:sharing]]
            if number not in taken and like:
                taken[number] = like[0]
                free.remove(like[0])
    for number, parts in parts_of.items():
        if number not in taken:
            taken[number] = len(known_parts)
            known_parts.append(parts)
    return taken


@pytest.mark.parametrize("seed", range(30))
def test_places_are_those_of_a_search_one_by_one(seed: int) -> None:
    rng = random.Random(seed)
    known: list[Any] = []
    for _ in range(3):
        parts_of = {
            number: tuple(rng.choice("abc") for _ in range(3))
            for number in rng.sample(range(40), rng.randrange(25))
        }
        other_list = [*known]
        assert _taken(parts_of, known, (3, 2, 1)) == one_by_one(
            parts_of, other_list, (3, 2, 1)
        )
        assert known == other_list


def test_many_places_are_no_square() -> None:
    """A search one by one would look at 10,000,000,000 places."""
    known = [(k, "a") for k in range(100_000)]
    parts_of: dict[int, Any] = {k: (-k, "b") for k in range(1, 100_001)}
    assert _taken(parts_of, [*known], (2, 1))[1] == 100_000
