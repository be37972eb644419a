"""``python -m benchmarks.json_peers``: metric json beside what others score JSON by.

Each peer scores small documents in which one thing is odd, a document with lists in
another order, and lists of items that are timed in turns.  The page is
``docs/papers/json-peers.md``.  A peer that is not installed is a column of dashes::

    pip install autoevals deepdiff jsondiff anls_star stickler-eval openevals
    pip install bfcl_eval  # for the table of tool calls; it brings a hundred packages
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import subprocess
import sys
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


_ITEMS = {"a": 1, "b": 1, "c": 3}, {"a": 1, "b": 1, "c": 2}
_PAIR = [{"a": 1, "b": 1, "c": 2}, {"a": 1, "b": 2, "c": 3}]

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
    Odd(
        "a wrong item",
        {"l": [{"n": "pen", "q": 1}, {"n": "zzzzzz", "q": 2}]},
        {"l": [{"n": "pen", "q": 1}, {"n": "cup", "q": 2}]},
    ),
    Odd("a wrong field", {"a": "abc", "b": "yyy"}, {"a": "abc", "b": "def"}),
    Odd("one of two items like both", [*_ITEMS], _PAIR),
    Odd("the same, the other one first", [*_ITEMS[::-1]], _PAIR),
    Odd("nulls of other keys", {"a": None}, {"b": None}),
    Odd("rows of numbers", [[1, 2], [3, 4]], [[1, 3], [2, 4]]),
    Odd("a bare text", "red pens", "red pen"),
    Odd("an object moved", {"x": {"a": 1, "b": 2}, "y": {}}, {"y": {"a": 1, "b": 2}}),
)


def ours() -> Score:
    """Return our metric as a function of a prediction and its reference."""
    import exactmatch

    def score(pred: Any, gold: Any) -> float:
        if isinstance(pred, str):
            pred, gold = json.dumps(pred), json.dumps(gold)
        return float(exactmatch.score(pred, gold, metric="json"))

    return score


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


def _stickler() -> Score:
    from stickler import evaluate

    def score(pred: Any, gold: Any) -> float:
        model = _model({"d": gold}, {"d": pred})
        sides = (model.model_validate({"d": value}) for value in (gold, pred))
        return float(evaluate(*sides).f1)

    return score


def _model(*values: Any) -> Any:
    """Return a class of pydantic for some objects, whose fields may be absent."""
    from pydantic import create_model

    fields: dict[str, Any] = {}
    for key in dict.fromkeys(key for value in values for key in value):
        inner = [value[key] for value in values if value.get(key) is not None]
        fields[key] = (_kind(inner) | None, None)
    return create_model("Document", **fields)


def _kind(values: list[Any]) -> Any:
    """Return the type of some values: a class for objects, a list of a type."""
    if values and all(isinstance(value, dict) for value in values):
        return _model(*values)
    if values and all(isinstance(value, list) for value in values):
        item_type = _kind([item for value in values for item in value])
        return list[item_type]  # type: ignore[valid-type]  # found at run time
    kinds = {type(value) for value in values}
    return kinds.pop() if len(kinds) == 1 else Any


def _openevals() -> Score:
    from openevals.json import create_json_match_evaluator

    judge = create_json_match_evaluator(aggregator="average", list_aggregator="average")

    def score(pred: Any, gold: Any) -> float:
        results = judge(outputs=pred, reference_outputs=gold)
        scores = [one["score"] for one in _listed(results)]
        return sum(map(float, scores)) / len(scores)

    return score


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


PEERS: dict[str, Callable[[], Score]] = {
    "autoevals": _autoevals,
    "deepdiff": _deepdiff,
    "jsondiff": _jsondiff,
    "anls_star": _anls,
    "stickler-eval": _stickler,
    "openevals": _openevals,
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


def event() -> tuple[Any, Any]:
    """Return two events of a code host, of 180 leaves each, which differ a little."""
    draw = random.Random(5)

    def user(name: str) -> dict[str, Any]:
        kinds = ("avatar", "followers", "following", "gists", "starred", "repos")
        links = {f"{kind}_url": f"https://host.test/{name}/{kind}" for kind in kinds}
        return {"login": name, "id": draw.randrange(10**6), **links, "admin": False}

    def repository(name: str) -> dict[str, Any]:
        links = {
            f"{word}_{kind}_url": f"https://host.test/{name}/{word}{{/{kind}}}"
            for word in WORDS[:8]
            for kind in WORDS[:8]
        }
        counts = {f"{word}_count": draw.randrange(99) for word in WORDS}
        return {"name": name, "owner": user("ann"), **links, **counts}

    def commit(number: int) -> dict[str, Any]:
        return {
            "id": f"{draw.randrange(16**10):010x}",
            "message": " ".join(draw.sample(WORDS, 4)),
            "author": user(f"ann{number}"),
            "added": [f"{draw.choice(WORDS)}/{k}.py" for k in range(3)],
        }

    gold: dict[str, Any] = {
        "ref": "refs/heads/main",
        "repository": repository("tree"),
        "sender": user("bob"),
        "commits": [commit(k) for k in range(6)],
    }
    pred = deepcopy(gold)
    pred["commits"].reverse()
    pred["commits"][2]["message"] = "another one"
    return pred, gold


def references() -> tuple[Any, Any, dict[str, Any]]:
    """Return documents of 80 people and 160 relations, renumbered and permuted."""
    draw = random.Random(7)
    names = ("Ann", "Bob", "Cid", "Dora", "Eve")
    people: list[dict[str, Any]] = [
        {"id": k, "name": draw.choice(names)} for k in range(80)
    ]
    relations: list[dict[str, Any]] = [
        {
            "from": draw.randrange(80),
            "to": draw.randrange(80),
            "kind": draw.choice("ab"),
        }
        for _ in range(160)
    ]
    gold = {"people": people, "relations": relations}
    new = draw.sample(range(100, 180), 80)
    pred = {
        "people": [{**one, "id": new[one["id"]]} for one in people],
        "relations": [
            {**one, "from": new[one["from"]], "to": new[one["to"]]} for one in relations
        ],
    }
    for one in draw.sample(pred["relations"], 32):
        one["to"] = draw.choice(new)
    for one in draw.sample(pred["people"], 16):
        one["name"] = draw.choice(names)
    for part in pred.values():
        draw.shuffle(part)
    options = {
        "ids": {"people[].id": "person"},
        "refs": {"relations[].from": "person", "relations[].to": "person"},
    }
    return pred, gold, options


_MANY = """
import resource, sys, time
from pathlib import Path
from benchmarks.json_peers import items, ours
score, (pred, gold) = ours(), items(10_000, 0.1)
score({}, {})
begin = time.process_time()
score(pred, gold)
took = time.process_time() - begin
most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
megabytes = most / (2**20 if sys.platform == "darwin" else 2**10)
status = Path("/proc/self/status")
if status.exists():  # ru_maxrss is at least that of the parent
    (line,) = (x for x in status.read_text().splitlines() if x.startswith("VmHWM"))
    megabytes = int(line.split()[1]) / 2**10
print(took, megabytes)
"""


def alone() -> list[list[str]]:
    """Return rows for documents that are timed by us alone, in a process of its own."""
    import exactmatch

    command = [sys.executable, "-c", _MANY]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    seconds, megabytes = map(float, output.split())
    pred, gold, options = references()
    result = exactmatch.score(pred, gold, metric="json", **options)
    took = milliseconds(
        lambda a, b: float(exactmatch.score(a, b, metric="json", **options)),
        *(pred, gold),
    )
    proven = "proven" if result.proven else "not proven"
    return [
        ["10,000 items, 10% changed", f"{1000 * seconds:,.0f}", f"{megabytes:,.0f} MB"],
        ["80 people and 160 relations", f"{took:,.0f}", proven],
    ]


def tool_calls() -> list[list[str]]:
    """Return the table of calls whose arguments have several right values."""
    gold = [{"book": {"city": ["Rome", "Paris"]}}, {"book": {"city": ["Rome"]}}]
    rows = []
    for order in (("Rome", "Paris"), ("Paris", "Rome"), ("Paris", "Paris")):
        pred = [{"book": {"city": city}} for city in order]
        rows.append([f"{order[0]}, {order[1]}", _ours_of_calls(pred, gold)])
        with suppress(ImportError):
            rows[-1].append(_bfcl(pred, gold))
    return [[*one, "–"][:3] for one in rows]


def _ours_of_calls(pred: Any, gold: Any) -> str:
    from exactmatch.adapters.tool_calls import tool_calls as make

    return f"{make()(pred, gold):.3f}"


def _bfcl(pred: Any, gold: Any) -> str:
    from bfcl_eval.constants.enums import Language
    from bfcl_eval.eval_checker.ast_eval.ast_checker import (
        parallel_function_checker_no_order,
    )

    described = {
        "name": "book",
        "parameters": {
            "type": "dict",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
        },
    }
    answer = parallel_function_checker_no_order(
        [described], pred, gold, Language.PYTHON, "none"
    )
    return "right" if answer["valid"] else "wrong"


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
    pred, gold = event()
    yield [
        "an event of 180 leaves",
        "–",
        *(
            "–" if score is None else f"{_briefly(score, pred, gold):,.2f}"
            for score in scores.values()
        ),
    ]


def _briefly(score: Score, pred: Any, gold: Any) -> float:
    """Return the CPU time of a short run in milliseconds: a clock may tick slowly."""
    once = milliseconds(score, pred, gold)
    if once > 20:
        return once
    return (
        milliseconds(lambda a, b: sum(score(a, b) for _ in range(20)), pred, gold) / 20
    )


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
        "`similarity`, of stickler the F1 under a class that is made from both "
        "documents, of openevals the average of `json_match` over fields and items. An "
        "error of a peer is shown by its name.",
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
        "## Tool calls with several right values",
        "",
        "Two calls of `book`, one for Rome or Paris and one for Rome. Both orders of "
        "the same calls are right; BFCL's check takes the first that fits.",
        "",
        *table(["calls", "exactmatch", _titled("bfcl_eval")], tool_calls()),
        "## CPU time in milliseconds",
        "",
        "Items of `{sku, name, qty, price, 2 tags}`, permuted, one dropped, a share of "
        "the others changed; the least of 7 runs. autoevals and jsondiff compare by "
        f"place, the others match. Python {platform.python_version()}; one core.",
        "",
        *table(["items", "changed", *titles], timed(scores)),
        "Ours alone; the memory is that of the whole process with Python. The names of "
        "80 people are five, a fifth of all is changed, and identifiers are others.",
        "",
        *table(["documents", "CPU ms", ""], alone()),
    ]
    return "\n".join(lines)


def _titled(name: str) -> str:
    with suppress(PackageNotFoundError):
        return f"{name} {version(name)}"
    return name


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=PAGE)
    parser.parse_args().output.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
