"""``python -m benchmarks.json_peers``: metric json beside what others score JSON by.

Each peer scores small documents in which one thing is odd, a document with lists in
another order, and lists of items that are timed in turns.  The page is
``docs/papers/json-peers.md``.  A peer that is not installed is a column of dashes::

    pip install autoevals deepdiff jsondiff anls_star
"""

from __future__ import annotations

import argparse
import platform
import random
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from copy import deepcopy
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

Score: TypeAlias = Callable[[Any, Any], float]

PAGE = Path(__file__).parent.parent / "docs" / "papers" / "json-peers.md"
WORDS = (
    *("red", "blue", "green", "cup", "pen", "box"),
    *("lamp", "chair", "table", "phone", "cable", "paper"),
)
LONGEST = 10.0
"""Seconds.  A peer compares each item with each, so that ten times as many items take a
hundred times as long; one that would need more than this is not timed on them."""


class Odd(NamedTuple):
    """Pair in which one thing is odd, and what is right by the definition."""

    about: str
    pred: Any
    gold: Any


ODD = (
    Odd("a permuted list", {"a": ["x", "y", "z"]}, {"a": ["z", "x", "y"]}),
    Odd("one item inserted in front", list("nabcde"), list("abcde")),
    Odd("nothing predicted", {}, {"a": 1, "b": 2}),
    Odd("nulls for values", {"a": None, "b": None}, {"a": 1, "b": 2}),
    Odd("other keys", {"x": 1}, {"y": 1}),
    Odd("1 for true", {"a": 1}, {"a": True}),
    Odd("another invoice", {"no": "INV-2024-0017"}, {"no": "INV-2024-0018"}),
    Odd("another date", {"on": "2024-01-05"}, {"on": "2024-01-06"}),
    Odd("an item three times", [1, 1, 1], [1]),
    Odd("identical items apart", ["ab", "aba"], ["aba", "ba"]),
    Odd("a bare text", "red pens", "red pen"),
    Odd("an object moved", {"x": {"a": 1, "b": 2}, "y": {}}, {"y": {"a": 1, "b": 2}}),
)


def ours() -> Score:
    """Return our metric as a function of a prediction and its reference."""
    import exactmatch

    return lambda pred, gold: float(exactmatch.score(pred, gold, metric="json"))


def _autoevals() -> Score:
    from autoevals import JSONDiff

    judge = JSONDiff()
    return lambda pred, gold: float(judge.eval(output=pred, expected=gold).score)


def _deepdiff() -> Score:
    from deepdiff import DeepDiff

    def score(pred: Any, gold: Any) -> float:
        difference = DeepDiff(gold, pred, ignore_order=True, get_deep_distance=True)
        return 1 - float(difference.get("deep_distance", 0))

    return score


def _jsondiff() -> Score:
    from jsondiff import similarity

    return lambda pred, gold: float(similarity(pred, gold))


def _anls() -> Score:
    from anls_star import anls_score

    return lambda pred, gold: float(anls_score(gold, pred))


PEERS: dict[str, Callable[[], Score]] = {
    "autoevals": _autoevals,
    "deepdiff": _deepdiff,
    "jsondiff": _jsondiff,
    "anls_star": _anls,
}


def items(number: int, share: float) -> tuple[Any, Any]:
    """Return lists of items, permuted, one dropped, a share of the others changed."""
    draw = random.Random(number)
    gold = [
        {
            "sku": f"SKU-{k:05}",
            "name": " ".join(draw.sample(WORDS, 3)),
            "qty": draw.randrange(1, 20),
            "price": draw.randrange(100, 9900) / 100,
            "tags": draw.sample(WORDS, 2),
        }
        for k in range(number)
    ]
    pred = deepcopy(gold)
    for one in pred:
        if draw.random() < share:
            one[draw.choice(("name", "qty", "price"))] = draw.choice(WORDS)
    draw.shuffle(pred)
    return {"items": pred[1:]}, {"items": gold}


def milliseconds(score: Score, pred: Any, gold: Any) -> float:
    """Return the least CPU time of some runs."""
    best = float("inf")
    begin = time.process_time()
    score(pred, gold)
    first = time.process_time() - begin
    for _ in range(1 if first > 1 else 7):
        begin = time.process_time()
        score(pred, gold)
        best = min(best, time.process_time() - begin)
    return 1000 * min(best, first)


def cell(score: Score | None, pred: Any, gold: Any) -> str:
    """Return a score as a cell of a table; what a peer raises is its answer."""
    if score is None:
        return "–"
    try:
        return f"{score(deepcopy(pred), deepcopy(gold)):.3f}"
    except Exception as error:  # a peer may raise anything
        return type(error).__name__


def row(cells: Iterable[str]) -> str:
    """Return a row of a table in Markdown."""
    return f"| {' | '.join(cells)} |"


def table(head: list[str], rows: Iterable[list[str]]) -> list[str]:
    """Return a table in Markdown."""
    return [row(head), row(["---"] * len(head)), *map(row, rows), ""]


def permuted(scores: dict[str, Score | None]) -> Iterable[list[str]]:
    """Yield the least and the largest score over orders of one list."""
    pred, gold = items(6, 1.0)
    draw, documents = random.Random(1), dict[str, list[str]]()
    for _ in range(20):
        draw.shuffle(pred["items"])
        for name, score in scores.items():
            documents.setdefault(name, []).append(cell(score, pred, gold))
    for name, cells in documents.items():
        yield [name, min(cells), max(cells)]


def timed(scores: dict[str, Score | None]) -> Iterable[list[str]]:
    """Yield how long each takes for lists of items."""
    most = dict.fromkeys(scores, 10**9)
    for number, share in ((10, 1.0), (100, 0.1), (100, 1.0), (1000, 0.1), (1000, 1.0)):
        cells = [f"{number:,}", f"{share:.0%}"]
        pred, gold = items(number, share)
        for name, score in scores.items():
            if score is None or number > most[name]:
                cells.append("–")
                continue
            took = milliseconds(score, pred, gold)
            if 100 * took > 1000 * LONGEST:
                most[name] = number
            cells.append(f"{took:,.1f}")
        yield cells


def page() -> str:
    """Return the page."""
    scores: dict[str, Score | None] = {"exactmatch": ours()}
    titles = ["exactmatch"]
    for name, load in PEERS.items():
        scores[name] = None
        titles.append(name)
        with suppress(ImportError, PackageNotFoundError):
            scores[name] = load()
            titles[-1] = f"{name} {version(name)}"
    odd = ([one.about, *(cell(s, *one[1:]) for s in scores.values())] for one in ODD)
    orders = ([titles[[*scores].index(one[0])], *one[1:]] for one in permuted(scores))
    lines = [
        "# JSON documents beside other scorers",
        "",
        "Made by `python -m benchmarks.json_peers`. Scores are similarities, 1 for "
        "equal; of deepdiff 1 − `deep_distance` with `ignore_order=True`, of jsondiff "
        "`similarity`.",
        "",
        *table(["prediction", *titles], odd),
        "Ours is the F1 of [metric `json`](../metrics/json.md). What is ours to lose: "
        "a bare text is graded by letters in order, and an edit distance gives more; "
        "an object that moved to another field earns nothing, where its parts may be "
        "useful; and an identifier that is off by one is wrong as a whole.",
        "",
        "## One list in 20 orders",
        "",
        "Six items, each with one wrong value. The order of a bag should "
        "change nothing.",
        "",
        *table(["", "least", "largest"], orders),
        "## CPU time in milliseconds",
        "",
        "Items of `{sku, name, qty, price, 2 tags}`, permuted, one dropped, a share of "
        "the others changed; the least of 7 runs. autoevals and jsondiff compare by "
        f"place, the others match. Python {platform.python_version()}; one core.",
        "",
        *table(["items", "changed", *titles], timed(scores)),
    ]
    return "\n".join(lines)


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=PAGE)
    parser.parse_args().output.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
