"""What a search finds is what a sorted row of all scores begins with."""

from __future__ import annotations

import math
import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.graph_strategies import parts

import exactmatch
from exactmatch import InputError
from exactmatch.base import compiled as kernels
from exactmatch.graphs.graph import Graph
from exactmatch.many import Bank, search
from exactmatch.many.packed import Best, Floats, score_bounds
from exactmatch.metrics.rematch import Rematch

pytestmark = pytest.mark.filterwarnings("ignore:.* as read")

SLOW = [HealthCheck.too_slow]  # drawing graphs takes long on a busy machine
EMPTY = Graph((), (), (), (), ())
CONCEPTS = ("boy", "girl", "want-01", "go-02", "dog", "cat", "big")
many = st.lists(parts(repeat=True).map(lambda drawn: drawn.graph()), max_size=8)


def some_graphs(number: Any, seed: int = 0) -> list[Graph]:
    """Random graphs, many of them alike."""
    rng = random.Random(seed)
    found = []
    for _ in range(number):
        n = rng.randint(1, 6)
        triples = [(f"v{i}", "instance", rng.choice(CONCEPTS)) for i in range(n)]
        triples += [
            (f"v{rng.randrange(n)}", rng.choice(("ARG0", "ARG1")), f"v{i}")
            for i in range(1, n)
        ]
        found.append(Graph.from_triples(triples, top="v0"))
    return found


def sorted_row(row: Any, k: int, at_least: Any) -> list[tuple[int, Any]]:
    """The oracle: sort everything."""
    found = sorted((-score, j) for j, score in enumerate(row) if score >= at_least)
    return [(j, -score) for score, j in found][:k]


@pytest.mark.slow
@settings(max_examples=examples(60), deadline=None, suppress_health_check=SLOW)
@given(
    bank=many,
    queries=many,
    k=st.integers(1, 9),
    at_least=st.sampled_from([0.0, 0.3, 0.5, 1.0]),
    profile=st.sampled_from(["smatch", "clean", "smatchpp"]),
)
def test_it_is_the_sorted_row(
    bank: Any, queries: Any, k: int, at_least: Any, profile: Any
) -> None:
    bank, queries = [*bank, EMPTY], [*queries, EMPTY]
    rows = exactmatch.cdist(queries, bank, profile=profile)
    found = exactmatch.search(queries, bank, k, at_least=at_least, profile=profile)
    assert found == [sorted_row(row, k, at_least) for row in rows]


@pytest.mark.slow
@pytest.mark.parametrize("k", [1, 10, 100, 1000])
@pytest.mark.parametrize("at_least", [0.0, 0.6])
def test_a_large_bank_with_many_ties(k: int, at_least: float) -> None:
    bank, queries = some_graphs(400), some_graphs(12, 1)
    rows = exactmatch.cdist(queries, bank)
    expected = [sorted_row(row, k, at_least) for row in rows]
    assert exactmatch.search(queries, bank, k, at_least=at_least) == expected


@pytest.mark.slow
def test_most_of_a_bank_is_never_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bounds of most graphs are below the last score that counts."""
    seen: list[Floats] = []

    def noted(*given: Any) -> Floats:
        seen.append(score_bounds(*given))
        return seen[-1]

    monkeypatch.setattr(search, "score_bounds", noted)
    bank = some_graphs(2000)
    ((best, score), *_, (_, last)) = exactmatch.search([bank[7]], bank, 3)[0]
    assert (best <= 7, score) == (True, 1.0)
    (bounds,) = seen
    assert (bounds >= last).sum() < len(bank) / 2


@pytest.mark.parametrize("size", [50, 500])
def test_what_is_bounded_lower_is_never_scored(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bound that is too low hides the graph, so nobody has looked at it."""
    bank = some_graphs(size)
    kept = [j for j in range(size) if j % 3]
    rows = exactmatch.cdist(bank[:5], bank)
    rows[:, ::3] = -1.0

    def too_low(*given: Any) -> Floats:
        bounds = score_bounds(*given)
        bounds[::3] = 0.01
        return bounds

    monkeypatch.setattr(search, "score_bounds", too_low)
    found = exactmatch.search(bank[:5], bank, 10)
    assert found == [sorted_row(row, 10, 0.0) for row in rows]
    assert {j for one in found for j, _ in one} <= set(kept)


@settings(max_examples=examples(100), deadline=None)
@given(
    scores=st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0])), wanted=st.integers(1, 9)
)
@pytest.mark.parametrize("load", [kernels.load, kernels.load_interpreted])
def test_the_best_so_far_are_the_best(
    load: Any, scores: list[float], wanted: int
) -> None:
    """Whatever order they come in; of equal ones those of the lower numbers."""
    kernel = load("exactmatch.engine._pairs")
    nothing = np.zeros(1, dtype=np.int32), np.zeros(1, dtype=np.int64)
    matcher = kernel.Matcher(*nothing, *nothing, True, 0.0, 0)
    best = Best(wanted, 0.0)
    numbers = list(range(len(scores)))
    random.Random(len(scores)).shuffle(numbers)
    for number in numbers:
        best.count = matcher.keep(
            best.scores, best.numbers, best.count, scores[number], number
        )
    assert best.ranked() == sorted_row(scores, wanted, 0.0)
    if len(scores) >= wanted:
        assert best.reached == best.ranked()[-1][1]


def test_workers_find_the_same() -> None:
    bank, queries = some_graphs(100), some_graphs(30, 1)
    alone = exactmatch.search(queries, bank, 5)
    assert exactmatch.search(queries, bank, 5, jobs=2) == alone
    with ThreadPoolExecutor(2) as executor:
        found = exactmatch.search(queries, bank, 5, executor=executor, jobs=2)
    assert found == alone
    pairs = exactmatch.many.duplicates(bank, 0.8)
    assert exactmatch.many.duplicates(bank, 0.8, jobs=2) == pairs


def test_other_metrics_are_searched_plainly() -> None:
    bank, queries = some_graphs(20), some_graphs(3, 1)
    rows = exactmatch.cdist(queries, bank, "sembleu")
    found = exactmatch.search(queries, bank, 4, metric="sembleu")
    assert found == [sorted_row(row, 4, -1) for row in rows]


@pytest.mark.slow
@settings(max_examples=examples(40), deadline=None, suppress_health_check=SLOW)
@given(graphs=many, at_least=st.sampled_from([0.1, 0.5, 0.8, 1.0]))
def test_duplicates_are_the_high_scores(graphs: Any, at_least: Any) -> None:
    matrix = exactmatch.cdist(graphs, graphs)
    expected = [
        (i, j, matrix[i, j])
        for i in range(len(graphs))
        for j in range(i + 1, len(graphs))
        if matrix[i, j] >= at_least
    ]
    assert exactmatch.many.duplicates(graphs, at_least) == expected


def test_an_undefined_score_is_no_duplicate() -> None:
    class Undefined(Rematch):
        def scores(self, statistics: Any) -> Any:
            return replace(super().scores(statistics), score=math.nan)

    assert exactmatch.many.duplicates(["(a / b)"] * 2, 0.5, metric=Undefined()) == []


def test_the_earlier_graph_of_a_duplicate_is_the_prediction() -> None:
    graphs = some_graphs(8)
    matrix = exactmatch.cdist(graphs, graphs, "sembleu")
    assert not np.array_equal(matrix, matrix.T)
    expected = [
        (i, j, matrix[i, j])
        for i in range(8)
        for j in range(i + 1, 8)
        if matrix[i, j] >= 0.1
    ]
    assert exactmatch.many.duplicates(graphs, 0.1, metric="sembleu") == expected


def test_a_bank_in_a_file_is_the_same_bank(tmp_path: Path) -> None:
    graphs, queries = some_graphs(60), some_graphs(5, 1)
    path = tmp_path / "bank"
    for profile in ("smatch", "clean", "umr"):
        bank = Bank.build(graphs, profile=profile)
        bank.save(path)
        opened = Bank.open(path)
        assert len(opened) == 60
        ours: Any = opened.metric
        theirs: Any = bank.metric
        assert ours.profile == theirs.profile
        assert exactmatch.search(queries, opened) == exactmatch.search(queries, bank)
        assert exactmatch.many.duplicates(opened, 0.9) == exactmatch.many.duplicates(
            bank, 0.9
        )
    assert Bank.is_bank(path)
    assert not Bank.is_bank(tmp_path)


def test_an_empty_bank(tmp_path: Path) -> None:
    bank = Bank.build([])
    assert exactmatch.search(["(a / b)"], bank) == [[]]
    assert exactmatch.search([], bank) == []
    bank.save(tmp_path / "bank")
    assert exactmatch.search(["(a / b)"], Bank.open(tmp_path / "bank")) == [[]]


def test_a_damaged_bank_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bank"
    Bank.build(some_graphs(30)).save(path)
    whole = path.read_bytes()
    for place in range(20, len(whole), len(whole) // 40):
        damaged = bytearray(whole)
        damaged[place] ^= 0x55
        path.write_bytes(damaged)
        opened = None
        with suppress(InputError):
            opened = Bank.open(path)
        if opened is not None:  # a byte between two arrays says nothing
            assert np.array_equal(
                opened.graphs.cells, Bank.build(some_graphs(30)).graphs.cells
            )
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="damaged"):
        Bank.open(path)
    path.write_text("(a / b)")
    with pytest.raises(InputError, match="is not a bank"):
        Bank.open(path)
    with pytest.raises(InputError, match="is not a file"):
        Bank.open(tmp_path)
    with pytest.raises(InputError, match="no such file"):
        Bank.open(tmp_path / "nowhere")


@pytest.mark.slow
def test_a_bank_whose_table_of_arrays_is_damaged_is_refused(tmp_path: Path) -> None:
    """A type in it says how the bytes of an array are read, which no checksum tells."""
    path = tmp_path / "bank"
    bank = Bank.build(some_graphs(5))
    expected = exactmatch.search(some_graphs(5), bank, 3)
    bank.save(path)
    head, table, rest = path.read_bytes().split(b"\n", 2)
    for place in range(table.index(b"arrays"), len(table.rstrip())):
        for bit in range(8):
            damaged = bytearray(table)
            damaged[place] ^= 1 << bit
            path.write_bytes(b"\n".join([head, bytes(damaged), rest]))
            found = None
            with suppress(InputError):
                found = Bank.open(path)
            if found is not None:  # another place of the same bytes
                assert exactmatch.search(some_graphs(5), found, 3) == expected


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 0}, "k: 0 is not a whole number"),
        ({"k": True}, "k: True is not a whole number"),
        ({"at_least": float("inf")}, "at_least: inf is not a score between 0 and 1"),
    ],
)
def test_nonsense_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        exactmatch.search(["(a / b)"], ["(a / b)"], **options)
    with pytest.raises(InputError, match="above 0"):
        exactmatch.many.duplicates(["(a / b)"], 0)
    with pytest.raises(InputError, match="under smatch"):
        Bank.build([], "sembleu")
    with pytest.raises(InputError, match="has its metric"):
        exactmatch.search([], Bank.build([]), profile="clean")


@pytest.mark.slow
@settings(max_examples=examples(25), deadline=None, suppress_health_check=SLOW)
@given(queries=many, bank=many, profile=st.sampled_from(["smatch", "clean"]))
def test_banks_take_the_place_of_graphs(queries: Any, bank: Any, profile: Any) -> None:
    """Two banks number their keys differently, which changes no score."""
    left, right = (Bank.build(graphs, profile=profile) for graphs in (queries, bank))
    expected = exactmatch.cdist(queries, bank, profile=profile)
    for rows, columns in ((left, right), (left, bank), (queries, right)):
        assert np.array_equal(exactmatch.cdist(rows, columns), expected)
    square = exactmatch.cdist(bank, bank, profile=profile)
    assert np.array_equal(exactmatch.cdist(right, right), square)
    condensed = exactmatch.many.pdist(bank, profile=profile)
    assert np.array_equal(exactmatch.many.pdist(right), condensed)
    if bank:
        found = exactmatch.search(queries, bank, 3, profile=profile)
        assert exactmatch.search(left, right, 3) == found
        assert exactmatch.search(right, right, 3) == exactmatch.search(bank, right, 3)


def test_banks_have_one_metric_and_a_matrix_of_them_is_completed(
    tmp_path: Path,
) -> None:
    graphs = some_graphs(20)
    bank, other = Bank.build(graphs), Bank.build(graphs, profile="clean")
    with pytest.raises(InputError, match="different profiles"):
        exactmatch.cdist(bank, other)
    with pytest.raises(InputError, match="has its metric"):
        exactmatch.cdist(bank, graphs, "s2match")
    with pytest.raises(InputError, match="the queries are a bank"):
        exactmatch.search(bank, graphs)
    path = tmp_path / "m.npy"
    found = exactmatch.cdist(bank, bank, out=path, jobs=2)
    assert np.array_equal(found, exactmatch.cdist(graphs, graphs))


def test_a_search_finds_ten_or_all_that_are_alike() -> None:
    bank = ["(b / bark-01)"] * 12 + ["(c / cat)"]
    for limits, count in (
        ({}, 10),
        ({"k": None}, 10),
        ({"k": 11}, 11),
        ({"at_least": 0.9}, 12),
        ({"at_least": 0.9, "k": 3}, 3),
    ):
        asked: dict[str, Any] = limits
        assert len(exactmatch.search(bank[:1], bank, **asked)[0]) == count
    graphs = [nx.path_graph(2)] * 12
    for limits, count in (({}, 10), ({"at_most": 0}, 12)):
        asked = {"metric": "ged", "labels": "none", **limits}
        assert len(exactmatch.search(graphs[:1], graphs, **asked)[0]) == count
