"""Break things on purpose: JSON values and text, changed at random but repeatably."""

import copy
import random
from collections.abc import Iterator, Sequence
from typing import Any

STRANGE: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 2, 7, 2**31, 2**63 - 1, 2**63, 2**64, 10**40, -(2**63),
    0.5, 1e300, float("inf"), float("nan"), "", "0", "smatch", "\x1b[2J", [], [0], {},
    {"nodes": []}, [[]], [None], [2**70],
)  # fmt: skip


def places(value: Any, path: Any = ()) -> Iterator[Any]:
    """Yield the ways to all values inside a JSON value, itself included."""
    yield path
    inside: Any = value.items() if isinstance(value, dict) else ()
    inside = enumerate(value) if isinstance(value, list) else inside
    for key, part in inside:
        yield from places(part, (*path, key))


def mutated_json(rng: random.Random, value: Any) -> Any:
    """Return a copy of a JSON value with one to three of its parts changed."""
    changed = copy.deepcopy(value)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        ways = [path for path in places(changed) if path]
        if not ways:
            break
        # long lists of numbers are most of a proof: half of all changes are elsewhere
        short = [path for path in ways if type(path[-1]) is str]
        *way, key = rng.choice(short if short and rng.random() < 0.5 else ways)
        owner = changed
        for step in way:
            owner = owner[step]
        _change(rng, owner, key)
    return changed


def _change(rng: random.Random, owner: Any, key: Any) -> None:
    kind = rng.randrange(6)
    part = owner[key]
    if kind == 0:
        del owner[key]
    elif kind == 1 and isinstance(owner, list):
        owner.insert(key, copy.deepcopy(rng.choice(owner)))
    elif kind == 2 and isinstance(owner, list):
        other = rng.randrange(len(owner))
        owner[key], owner[other] = owner[other], owner[key]
    elif type(part) is int and kind != 3:
        owner[key] = part + rng.choice((-1, 1, -1, 1, 2, -part, part, 1 << 16))
    else:
        owner[key] = copy.deepcopy(rng.choice(STRANGE))


def mutated_text(rng: random.Random, text: str, words: Sequence[str]) -> str:
    """Return a text with some characters changed, left out, doubled or added."""
    letters = list(text)
    for _ in range(rng.choice((0, 1, 1, 2, 4, 8))):
        if not letters:
            break
        at = rng.randrange(len(letters))
        kind = rng.randrange(6)
        if kind == 0:
            del letters[at : at + rng.choice((1, 1, 1, 5, 40))]
        elif kind == 1:
            letters.insert(at, rng.choice(words))
        elif kind == 2:
            letters[at] = rng.choice(words)
        elif kind == 3:
            end = min(len(letters), at + rng.choice((1, 3, 10, 40)))
            letters[at:at] = letters[at:end] * rng.choice((1, 1, 2, 30))
        elif kind == 4:
            other = rng.randrange(len(letters))
            letters[at], letters[other] = letters[other], letters[at]
        else:
            letters = letters[:at] if rng.random() < 0.2 else letters
    return "".join(letters)
