"""Where graphs are told apart by their places, what has no order is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import exactmatch
from exactmatch import InputError

GRAPH = "(b / bark-01 :ARG0 (d / dog))"
LIST = [GRAPH]

TAKERS: dict[str, Callable[[Any], Any]] = {
    "evaluate": lambda given: exactmatch.evaluate(given, LIST),
    "evaluate's references": lambda given: exactmatch.evaluate(LIST, given),
    "finegrained": lambda given: exactmatch.finegrained(given, LIST),
    "compare": lambda given: exactmatch.compare({"a": LIST, "b": given}, LIST),
    "correlate": lambda given: exactmatch.correlate(given, LIST, [1.0]),
    "audit": lambda given: exactmatch.audit(given, LIST),
    "cdist": lambda given: exactmatch.cdist(given, LIST),
    "cdist's choices": lambda given: exactmatch.cdist(LIST, given),
    "pdist": exactmatch.many.pdist,
    "search": lambda given: exactmatch.search(LIST, given),
    "search's queries": lambda given: exactmatch.search(given, LIST),
    "duplicates": exactmatch.many.duplicates,
    "cluster": exactmatch.many.cluster,
    "ensemble": exactmatch.ensemble,
    "ensemble's sentence": lambda given: exactmatch.ensemble([given]),
    "Bank": exactmatch.many.Bank.build,
    "Scorer.prepare": lambda given: exactmatch.Scorer().prepare(given),
    "Scorer.update": lambda given: exactmatch.Scorer().update(given, LIST),
}


@pytest.mark.parametrize("name", TAKERS)
@pytest.mark.parametrize("given", [{GRAPH}, frozenset(LIST)], ids=["set", "frozenset"])
def test_a_set_is_no_list_of_graphs(name: str, given: Any) -> None:
    with pytest.raises(InputError, match=f"a {type(given).__name__} is given where"):
        TAKERS[name](given)


@pytest.mark.parametrize("name", ["cdist", "pdist", "search", "duplicates", "cluster"])
def test_the_keys_of_a_mapping_are_no_graphs(name: str) -> None:
    with pytest.raises(InputError, match="a dict is given where a list of graphs"):
        TAKERS[name]({GRAPH: GRAPH})


@pytest.mark.parametrize("name", TAKERS)
def test_lists_arrays_and_generators_are(name: str) -> None:
    for given in (LIST, tuple(LIST), iter(LIST)):
        sentence = [LIST] if name == "ensemble" else given
        TAKERS[name](sentence)
    if name not in ("ensemble", "compare"):
        TAKERS[name](np.array(LIST))


@pytest.mark.parametrize("seed", [None, 0.5, "one", True, float("nan")])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    """Python's own generator takes anything, and with ``None`` is never the same."""
    with pytest.raises(InputError, match=r"seed: .* is not a whole number"):
        exactmatch.score(GRAPH, GRAPH, metric="smatch", solver="hillclimb", seed=seed)
    with pytest.raises(InputError, match=r"seed: .* is not a whole number"):
        exactmatch.evaluate(LIST, LIST, solver="hillclimb", seed=seed)


def test_whole_numbers_may_be_numpys() -> None:
    one: Any = np.int64(1)
    found = exactmatch.evaluate(
        LIST * 20, LIST * 20, seed=3 * one, confidence=0.95, samples=50 * one
    )
    assert found.f1 == 1.0
    assert exactmatch.many.cluster(LIST * 2, k=one).labels == (0, 0)
    assert exactmatch.search(LIST, LIST * 2, one, jobs=one) == [[(0, 1.0)]]


@pytest.mark.parametrize("name", TAKERS)
@pytest.mark.parametrize("missing", [None, float("nan")])
def test_a_value_that_is_missing_is_told(name: str, missing: Any) -> None:
    given = [[missing]] if name == "ensemble" else [missing]
    with pytest.raises(InputError, match=r"value is (missing|nan|None)"):
        TAKERS[name](given)


@pytest.mark.parametrize("name", TAKERS)
def test_columns_of_data_frames_are_lists(name: str) -> None:
    for package, column in (("pandas", "Series"), ("pyarrow", "array")):
        made = getattr(pytest.importorskip(package), column)(LIST)
        TAKERS[name]([made] if name == "ensemble" else made)


@pytest.mark.parametrize("name", ["ensemble's sentence", "Bank"])
def test_a_bank_is_no_list_of_graphs(name: str) -> None:
    with pytest.raises(InputError, match="Bank is not a list of graphs"):
        TAKERS[name](exactmatch.many.Bank.build(LIST))


@pytest.mark.parametrize("samples", [10.5, "many", float("nan")])
def test_samples_are_a_whole_number(samples: Any) -> None:
    with pytest.raises(InputError, match=r"samples: .* is not a whole number"):
        exactmatch.evaluate(LIST, LIST, confidence=0.95, samples=samples)


@pytest.mark.parametrize("number", [0, 1.5, "two", float("nan")])
def test_a_number_of_clusters_is_a_whole_number(number: Any) -> None:
    with pytest.raises(InputError, match=r"k: .* is not a whole number of at least 1"):
        exactmatch.many.cluster(LIST * 3, k=number)
