"""Exchange test, halves and meta-evaluation, against values computed elsewhere."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from exactmatch.scoring.exchange import Matrix
from exactmatch.studies import exchange_test, halves_interval
from exactmatch.studies.correlate import grouped, rivals, soft
from exactmatch.studies.correlate.measures import williams

DATA = os.environ.get("EXACTMATCH_DATA")
FILES = sorted(Path(DATA, "golden").glob("exchange*.jsonl")) if DATA else []
CASES = [
    json.loads(line)
    for file in FILES
    for line in file.read_text("utf-8").splitlines()
    if '"case"' in line
]

needs_data = pytest.mark.skipif(not CASES, reason="EXACTMATCH_DATA has no such values")


def near(value: float | None) -> Any:
    return None if value is None else pytest.approx(value, abs=1e-9)


@needs_data
@pytest.mark.parametrize("macro", [False, True], ids=["micro", "macro"])
@pytest.mark.parametrize("case", CASES, ids=[case["case"] for case in CASES])
def test_difference_p_value_and_intervals(case: dict[str, Any], macro: bool) -> None:
    golden = case["macro" if macro else "micro"]
    test = exchange_test(case["base"], case["system"], macro=macro)
    assert test.difference == near(golden["difference"])
    assert test.p == near(golden["p"])
    assert test.differing == golden["differing"]
    assert test.exact == golden.get("exact", test.exact)
    assert [*test.interval] == [near(end) for end in golden["interval"]]
    for side in ("system", "base"):
        if f"halves_{side}" in golden:
            ends = halves_interval(case[side], macro=macro)
            assert [*ends] == [near(end) for end in golden[f"halves_{side}"]]


# Meta-evaluation: values of mt-metrics-eval

META = sorted(Path(DATA, "golden").glob("mt_meta*.jsonl")) if DATA else []
LINES = [json.loads(line) for f in META for line in f.read_text("utf-8").splitlines()]
KINDS = {"pearsonr": "pearson", "spearmanr": "spearman", "b": "tau_b", "c": "tau_c"}
KINDS |= {"23": "tau_23", "acc23": "acc_eq"}
GROUPS = {"none": "none", "item": "item", "sys": "system"}
SAMPLED = 0.06  # p-values of 300 or 1,000 samples, and of ours: 4 sd


def scores(values: list[float | None], systems: int) -> Matrix:
    known = [np.nan if value is None else value for value in values]
    return np.array(known, dtype=np.float64).reshape(systems, -1)


SETS = {
    line["set"]: {
        name: scores(line[name], line["num_sys"])
        for name in ("gold", "metric1", "metric2")
    }
    for line in LINES
    if "set" in line
}


def averaged(function: str, args: Any, people: Matrix, metric: Matrix) -> Any:
    found = grouped.correlation(
        KINDS[args.get("variant", function.partition(":")[2])],  # type: ignore[arg-type]  # of the table
        people,
        metric,
        GROUPS[args["average_by"]],  # type: ignore[arg-type]  # of the table
        epsilon=args.get("epsilon", 0.0),
        weighted=not args["macro"],
        undefined_as_zero=args["nan_to_zero"],
    )
    return [float(np.nan_to_num(found.value)), found.weight]


def ordered(_function: str, args: Any, people: Matrix, metric: Matrix) -> Any:
    by = GROUPS[args["average_by"]]
    found = grouped.ordered_pairs(people, metric, args["thresh"], by)  # type: ignore[arg-type]  # of the table
    return [found.tau if found.pairs else 0, 0, found.pairs]


def calibrated(function: str, args: Any, people: Matrix, metric: Matrix) -> Any:
    value, epsilon, candidates, at_zero = grouped.calibrated(
        people,
        metric,
        GROUPS[args["average_by"]],  # type: ignore[arg-type]  # of the table
        kind=KINDS[args["variant"]],  # type: ignore[arg-type]  # of the table
        merged=1e-9 if "merged" in function else 0.0,
    )
    found = {"value": value, "epsilon": epsilon, "thresholds": candidates}
    return found if "merged" in function else found | {"at0": at_zero}


def differences(_function: str, _args: Any, people: Matrix, metric: Matrix) -> Any:
    """Theirs have every output with itself, too, in the p-value."""
    r, _ = grouped.difference_correlation(people, metric)
    n = int(((~np.isnan(people)).sum(axis=0) ** 2).sum())
    t = abs(r) * np.sqrt((n - 2) / (1 - r * r))
    return [r, 2 * stats.t.sf(t, n - 2), 1]


def agreed(_function: str, _args: Any, people: Matrix, metric: Matrix) -> Any:
    means = np.nanmean(people, axis=1), np.nanmean(metric, axis=1)
    agree, pairs = grouped.same_order(*means)
    return {"agree": agree, "pairs": pairs, "accuracy": agree / pairs}


OF_ONE: dict[str, Callable[[str, Any, Matrix, Matrix], Any]] = {
    "average": averaged,
    "KendallLike": ordered,
    "KendallWithTiesOpt": calibrated,
    "Pearson pdp": differences,
    "pairwise accuracy": agreed,
}


def of_one(line: Any) -> Callable[[str, Any, Matrix, Matrix], Any] | None:
    names = (name for name in OF_ONE if line.get("function", "").startswith(name))
    return OF_ONE.get(next(names, ""))


@needs_data
@pytest.mark.parametrize("name", SETS)
def test_what_is_computed_of_one_metric(name: str) -> None:
    own = SETS[name]
    tried = 0
    for line in LINES:
        compute = of_one(line)
        if compute is None or line["case"] != name:
            continue
        args, people = line["args"], own["gold"]
        found = compute(line["function"], args, people, own[args["metric"]])
        assert found == pytest.approx(line["value"], abs=1e-9), line
        tried += 1
    assert tried >= 100


@needs_data
def test_every_function_is_tried() -> None:
    known = (*OF_ONE, "soft pairwise", "PermutationSigDiff", "Pairwise", "Williams")
    for line in LINES:
        assert "set" in line or line["function"].startswith((*known, "AssignRanks"))


def upper(rows: Any) -> list[float]:
    return [value for row in rows for value in row if value is not None]


@needs_data
@pytest.mark.parametrize("name", SETS)
def test_soft_pairwise_accuracy(name: str) -> None:
    for line in LINES:
        is_soft = line.get("function", "").startswith("soft pairwise")
        if not is_soft or line["case"] != name:
            continue
        error = (1e-9, 1e-9) if "exact" in line["function"] else (0.03, SAMPLED)
        sides = SETS[name]["gold"], SETS[name][line["args"]["metric"]]
        people, metric = map(soft.means_of, sides)
        value = line["value"]
        assert soft.soft_accuracy(people, metric) == near_by(value["value"], error[0])
        for side, of in ((people, "p_human"), (metric, "p_metric")):
            p = soft.surely_better(side).tolist()
            assert p == near_by(upper(value[of]), error[1])


def near_by(value: Any, error: float) -> Any:
    return pytest.approx(value, abs=error)


@needs_data
@pytest.mark.parametrize("name", SETS)
def test_two_metrics(name: str) -> None:
    people, first, second = (SETS[name][k] for k in ("gold", "metric1", "metric2"))
    for line in LINES:
        if line.get("case") != name or not line.get("function"):
            continue
        function, args, value = line["function"], line["args"], line["value"]
        if function.startswith("PermutationSigDiff"):
            kind = KINDS[args.get("variant", function.partition(":")[2])]
            by = GROUPS[args["average_by"]]
            both = people, first, second
            test = rivals.compare_correlations(kind, *both, by, 2000)  # type: ignore[arg-type]  # of the table
        elif function.startswith("Pairwise"):
            by = GROUPS[args["average_by"]]
            epsilons = [
                grouped.calibrated(people, each, by, merged=0.0).epsilon  # type: ignore[arg-type]  # of the table
                for each in (first, second)
            ]
            test = rivals.compare_pair_accuracies(
                people,
                first,
                second,
                (epsilons[0], epsilons[1]),
                by,  # type: ignore[arg-type]  # of the table
                10_000,
            )
        elif function.startswith("WilliamsSigDiff"):
            check_williams(people, first, second, value)
            continue
        else:
            continue
        assert test.difference == near_by(value["delta"], 1e-9), line
        assert test.p_second == near_by(value["p"], SAMPLED), line


def check_williams(people: Matrix, first: Matrix, second: Matrix, value: Any) -> None:
    known = ~np.isnan(people)
    sides = people[known], first[known], second[known]
    r = np.asarray(np.corrcoef(np.stack(sides)), dtype=np.float64).reshape(3, 3)
    assert [r[0, 1], r[0, 2]] == near_by(value[1:], 1e-9)
    _, p = williams(r[0, 2], r[0, 1], r[1, 2], int(known.sum()))
    assert p / 2 == near_by(value[0], 1e-9)  # "the better one is better"


@needs_data
def test_ranks() -> None:
    lines = [line for line in LINES if line.get("function") == "AssignRanks"]
    assert lines
    for line in lines:
        matrix = np.array(line["args"]["sig_matrix"], dtype=np.float64)
        assert rivals.cluster_ranks(matrix, line["args"]["pval"]) == line["value"]
