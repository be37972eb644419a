"""Banks that were tampered with, with right checksums: refused, or answered rightly.

Each is opened and searched in a process of its own, so that a crash is seen.  What it
answers has to be what its graphs say, which are taken out of the file and scored here
by trying every alignment.  ``make fuzz N=100000`` makes a campaign of it.
"""

import json
import os
import random
import signal
import zlib
from collections import Counter
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.mutations import mutated_json

import exactmatch
from exactmatch.base.errors import ExactmatchError
from exactmatch.many import Bank

CASES = int(os.environ.get("EXACTMATCH_FUZZ", "2000")) // 10
FIRST = int(os.environ.get("EXACTMATCH_FUZZ_FIRST", "0"))

LONGEST = 20
"""Seconds for one bank."""

GRAPHS = [
    "(w / want :ARG0 (b / boy) :ARG1 (g / go :ARG0 b))",
    "(w / want :ARG0 (g / girl :quant 2) :polarity -)",
    "(s / see :ARG0 (b / boy) :ARG1 (d / dog :mod (b2 / big)))",
    "(d / dog :quant 2)",
    "(g / go :ARG0 (g2 / girl) :ARG4 (h / home))",
    "(d / dog :quant 2 :quant 2 :mod (b / big) :mod b)",
]
QUERIES = [
    "(w / want :ARG0 (g / girl) :ARG1 (g2 / go :ARG0 g))",
    "(d / dog :mod (b / big) :quant 2)",
    "(x / unknown)",
]
STRANGE = (-(2**31), -1, 0, 1, 2, 3, 7, 100, 2**15, 2**30, 2**31 - 1)


def parts_of(whole: bytes) -> tuple[list[Any], list[Any]]:
    """The table of a bank's file, and its arrays."""
    _, table, _ = whole.split(b"\n", 2)
    start = whole.index(b"\n", len(b"exactmatch bank 1\n")) + 1
    places = json.loads(table)["arrays"]
    return places, [
        np.frombuffer(whole, dtype, length, start + at).copy()
        for at, length, dtype, _ in places
    ]


def written(arrays: list[Any], places: Any = None) -> bytes:
    """A bank's file with these arrays, and right checksums."""
    table, content = [], b""
    for array in arrays:
        data = array.tobytes()
        table.append([len(content), len(array), array.dtype.str, zlib.crc32(data)])
        content += data + bytes(-len(data) % 64)
    head = json.dumps({"version": "0", "arrays": places or table}).encode()
    return b"exactmatch bank 1\n" + head + b"\n" + content


def tampered(rng: random.Random, whole: bytes) -> bytes:
    """The file with some of its numbers, words or places changed."""
    places, arrays = parts_of(whole)
    kind = rng.randrange(10)
    if kind == 0:
        return written(arrays, mutated_json(rng, places))
    if kind == 1:
        words = mutated_json(rng, json.loads(arrays[0].tobytes()))
        text = json.dumps(words).encode("utf-8", "surrogatepass")
        arrays[0] = np.frombuffer(text, np.uint8)
        return written(arrays)
    for _ in range(rng.choice((1, 1, 2, 3))):
        k = rng.choice((1, 1, 1, 2, 3, 4, 5, 6))
        array = arrays[k]
        at = rng.randrange(len(array))
        change = rng.randrange(5)
        if change == 0:
            array[at] = rng.choice(STRANGE)
        elif change == 1:
            other = rng.randrange(len(array))
            array[at], array[other] = array[other], array[at]
        elif change == 2:
            arrays[k] = np.delete(array, at)
        elif change == 3:
            arrays[k] = np.insert(array, at, rng.choice(STRANGE))
        else:
            array[at] += rng.choice((-2, -1, 1, 2))
    return written(arrays)


def triples_of(whole: bytes) -> list[tuple[int, Counter[Any]]]:
    """The graphs of a file: their numbers of variables, and how often each triple."""
    _, (text, cells, begins, *_) = parts_of(whole)
    words = json.loads(text.tobytes())
    found = []
    for start, end in pairwise(begins):
        graph = cells[start:end].tolist()
        triples: Counter[Any] = Counter()
        head = 4
        for count, width, names in (
            (graph[2], 2, words["unary"]),
            (graph[3], 3, words["roles"]),
        ):
            for x in range(count):
                name = names[graph[head + x]]
                name = name if isinstance(name, str) else tuple(name)
                begin, finish = graph[head + 3 * count + x : head + 3 * count + x + 2]
                for at in range(begin, finish, width):
                    *ends, times = graph[at : at + width]
                    key = (name, *ends)
                    triples[key] += times
            head += 4 * count + 1
        found.append((graph[0], triples))
    return found


def f1(left: Any, right: Any) -> float:
    """The F1 of two graphs, by trying every alignment."""
    (n, one), (m, other) = left, right
    best = 0
    for image in permutations([*range(m), *[-1] * n], n):
        renamed: Counter[Any] = Counter()
        for (name, *ends), times in one.items():
            key = (name, *(image[v] for v in ends))
            renamed[key] += times
        best = max(best, sum((renamed & other).values()))
    return 2 * best / (one.total() + other.total())


def answer(path: Path) -> Any:
    """What a search of a bank finds, or why there is nothing."""
    try:
        return exactmatch.search(QUERIES, Bank.open(path), 3)
    except ExactmatchError as error:
        return str(error) or "an error without a message"


def answer_elsewhere(path: Path) -> Any:
    """The same from a process of its own; a number if that ends otherwise."""
    out, into = os.pipe()
    child = os.fork()
    if not child:
        code = 99
        try:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(LONGEST)
            os.write(into, json.dumps(answer(path)).encode())
            code = 0
        finally:
            os._exit(code)
    os.close(into)
    with open(out, "rb") as stream:
        told = stream.read()
    _, status = os.waitpid(child, 0)
    return json.loads(told) if status == 0 else status


def is_right(found: Any, whole: bytes, queries: Any) -> bool:
    """Whether a search found the best scores of the graphs that a file holds."""
    try:
        graphs = triples_of(whole)
    except (IndexError, ValueError, TypeError):
        return False  # there are none in it
    for query, best in zip(queries, found, strict=True):
        scores = [f1(query, graph) for graph in graphs]
        wanted = sorted(range(len(graphs)), key=lambda g: (-scores[g], g))[:3]
        if [g for g, _ in best] != wanted:
            return False
        if any(abs(score - scores[g]) > 1e-9 for g, score in best):
            return False
    return True


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="crashes are seen from outside")
def test_a_tampered_bank_is_refused_or_answers_for_its_graphs(tmp_path: Path) -> None:
    path = tmp_path / "bank"
    Bank.build(GRAPHS, profile="clean").save(path)
    whole = path.read_bytes()
    right = json.loads(json.dumps(answer(path)))
    asked = tmp_path / "queries"
    Bank.build(QUERIES, profile="clean").save(asked)
    queries = triples_of(asked.read_bytes())
    assert is_right(right, whole, queries)
    ends: Counter[str] = Counter()
    failures = []
    for seed in range(FIRST, FIRST + CASES):
        broken = tampered(random.Random(seed), whole)
        path.write_bytes(broken)
        found = answer_elsewhere(path)
        if isinstance(found, str):
            ends["refused"] += 1
            if "\n" in found:
                failures.append(f"{seed}: {found}")
        elif found == right:
            ends["same"] += 1
        elif isinstance(found, list) and is_right(found, broken, queries):
            ends["as it says"] += 1
        else:
            failures.append(f"{seed}: {found}")
    assert not failures, "\n".join(failures[:20])
    assert ends["refused"] > CASES / 2, ends


def with_a_repeated_carrier(rng: random.Random, whole: bytes) -> bytes | None:
    """The file with one carrier of a key in the place of another, if a key has two."""
    _, arrays = parts_of(whole)
    cells, begins = arrays[1], arrays[2]
    places = []
    for start in begins[:-1]:
        head = start + 4
        for count, width in ((cells[start + 2], 2), (cells[start + 3], 3)):
            ends = cells[head + 3 * count : head + 4 * count + 1] + start
            for at, end in pairwise(ends):
                rows = [slice(k, k + width - 1) for k in range(at, end, width)]
                places += [(one, two) for one in rows for two in rows if one != two]
            head += 4 * count + 1
    if not places:
        return None
    one, two = rng.choice(places)
    cells[one] = cells[two]
    return written(arrays)


def test_a_key_whose_carrier_is_listed_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bank"
    for seed in range(FIRST, FIRST + max(CASES // 10, 20)):
        rng = random.Random(seed)
        concepts = [rng.choice("ab") for _ in range(rng.randint(3, 6))]
        graph = " ".join(
            f":{rng.choice('rs')} (x{k} / {c})" for k, c in enumerate(concepts)
        )
        Bank.build([f"(y / a {graph})", "(z / b)"], profile="clean").save(path)
        whole = path.read_bytes()
        broken = with_a_repeated_carrier(rng, whole)
        if broken is not None:
            path.write_bytes(broken)
            with pytest.raises(ExactmatchError, match="not those of a graph"):
                Bank.open(path)
            path.write_bytes(whole)
            assert len(Bank.open(path)) == 2
