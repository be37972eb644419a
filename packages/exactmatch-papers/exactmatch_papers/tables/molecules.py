"""Distances of molecules (MCES): published values, bounds among them, exact ones."""

from __future__ import annotations

import csv
import importlib.util
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import networkx
import numpy as np
import numpy.typing as npt

import exactmatch
from exactmatch.adapters.myopic_mces import MCES
from exactmatch_papers.tables.spec import Cell, Finding, Setting, Table

TIME_LIMIT = 60.0
"""Seconds for each pair."""

THRESHOLDS = (10, 15)

EXACT = 1
"""The mode of a value of myopic-mces that is a distance."""

Values: TypeAlias = npt.NDArray[np.float64]


class Column(NamedTuple):
    """Values of all pairs under one setting.

    Attributes:
        values: distances and bounds.
        is_exact: which of them are distances.
        seconds: the time of all; ``None`` if they are published.
    """

    values: Values
    is_exact: npt.NDArray[np.bool_]
    seconds: float | None


def mces_table(setting: Setting) -> Finding:
    """Compare published distances of 500 pairs with bounds and with exact ones."""
    folder = setting.data / "mces"
    pairs, published = (
        folder / name for name in ("smiles_subset.csv", "bio_dists_main_mces.csv")
    )
    tables, notes, commands = [], [], []
    if importlib.util.find_spec("rdkit") is None:
        notes.append("Not measured: RDKit is not installed, which reads SMILES.")
    elif pairs.exists() and published.exists():
        names, smiles = _read(pairs)
        values = dict(csv.reader(published.read_text("utf-8").splitlines()))
        known = np.array([float(values[name]) for name in names])
        tables.append(_thresholds(setting, smiles, known))
        program = "python -m exactmatch.adapters.myopic_mces"
        file = "$DATA/mces/smiles_subset.csv"
        thresholds = (*THRESHOLDS, -1)
        commands = [f"{program} {file} out.csv --threshold {t}" for t in thresholds]
        notes.append(
            "A value above the threshold is a lower bound on the distance; of the "
            f"exact ones, those not proven in {TIME_LIMIT:g} s count as bounds, "
            "and their pairs in no other row. Two pairs of molecules are in another "
            "order where their values and their distances disagree about which is "
            "nearer, or whether both are as near. Lower by: how far the bounds are "
            "below the distance. Seconds are of the clock, on a machine with two cores "
            "that other programs shared."
        )
    else:
        notes.append(
            f"Not measured: $DATA lacks mces/{pairs.name} or {published.name}."
        )
    golden = setting.data.parent / "golden" / "mces.dev.jsonl"
    if golden.exists():
        tables.append(isomer_table(_isomers(golden, setting)))
        notes.append(
            "Isomers are molecules and three random swaps of their bonds. CBC is that "
            "of myopic-mces 1.3.2 at threshold 15; ours has no threshold. An asterisk "
            "marks a value of CBC that is not proven."
        )
    else:
        notes.append("Not measured: $DATA/../golden lacks mces.dev.jsonl.")
    return Finding(tuple(tables), tuple(commands), tuple(notes))


def _read(path: Path) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the names of pairs, and their SMILES."""
    rows = list(csv.reader(path.read_text("utf-8").splitlines()))
    return [name for name, *_ in rows], [(first, second) for _, first, second in rows]


def _thresholds(
    setting: Setting, smiles: Sequence[tuple[str, str]], published: Values
) -> Table:
    exact = _exact(setting, smiles)
    columns = {
        "published, threshold 10": Column(published, published < THRESHOLDS[0], None)
    }
    for threshold in THRESHOLDS:
        columns[f"threshold {threshold}"] = _at(setting, smiles, threshold)
    columns["exact"] = exact
    titles = ("values", "pairs", "bounds", "mean", "lower by, mean", "lower by, most")
    header = (*titles, "in another order, %", "s")
    rows = tuple((name, _row(column, exact)) for name, column in columns.items())
    return Table("500 pairs of molecules of myopic-mces", header, rows)


def _at(
    setting: Setting, smiles: Sequence[tuple[str, str]], threshold: float
) -> Column:
    """Compute the values at a threshold as myopic-mces does."""
    setting.say(f"  threshold {threshold:g}")
    started = time.perf_counter()
    answers = [MCES(*pair, threshold=threshold) for pair in smiles]
    values = np.array([float(value) for _, value, _, _ in answers])
    modes = np.array([mode for *_, mode in answers])
    return Column(values, modes == EXACT, time.perf_counter() - started)


def _exact(setting: Setting, smiles: Sequence[tuple[str, str]]) -> Column:
    values, proven, started = [], [], time.perf_counter()
    for number, pair in enumerate(smiles, 1):
        if number % 50 == 0:
            setting.say(f"  exact, {number} of {len(smiles)} pairs")
        result = exactmatch.ged(
            *pair, costs="mces", format_in="smiles", time_limit=TIME_LIMIT
        )
        values.append(result.distance)
        proven.append(result.proven)
    spent = time.perf_counter() - started
    return Column(np.array(values), np.array(proven), spent)


def _row(column: Column, exact: Column) -> tuple[Cell, ...]:
    known = exact.is_exact
    values, distances = column.values[known], exact.values[known]
    lower = (distances - values)[~column.is_exact[known]]
    return (
        Cell(len(column.values), form="d"),
        Cell(int((~column.is_exact).sum()), form="d"),
        Cell(float(column.values.mean()), form=".2f"),
        Cell(float(lower.mean()) if len(lower) else None, form=".2f"),
        Cell(float(lower.max()) if len(lower) else None, form=".1f"),
        Cell(100 * share_in_another_order(values, distances), form=".1f"),
        Cell(column.seconds, form=".0f"),
    )


def share_in_another_order(values: Values, distances: Values) -> float:
    """Return the share of two items that values and distances order differently.

    >>> share_in_another_order(np.array([1.0, 2.0, 2.0]), np.array([1.0, 3.0, 2.0]))
    0.3333333333333333
    """
    first, second = np.triu_indices(len(values), 1)
    by_value, by_distance = (
        np.sign(numbers[first] - numbers[second]) for numbers in (values, distances)
    )
    return float((by_value != by_distance).mean()) if len(first) else 0.0


def _isomers(golden: Path, setting: Setting) -> Iterator[dict[str, Any]]:
    """Yield each pair of isomers that CBC solved, with our distance and seconds."""
    for line in golden.read_text("utf-8").splitlines():
        row = json.loads(line)
        if row.get("cbc") is None:
            continue
        setting.say(f"  isomers {row['k']}")
        started = time.process_time()
        result = exactmatch.ged(*map(_molecule, row["graphs"]), costs="mces")
        yield row | {
            "ours": result.distance,
            "proven": result.proven,
            "seconds": time.process_time() - started,
        }


def _molecule(graph: Mapping[str, Any]) -> Any:
    network = networkx.Graph()
    for number, element in enumerate(graph["atoms"]):
        network.add_node(number, element=element)
    network.add_weighted_edges_from(graph["bonds"])
    return network


def isomer_table(pairs: Iterator[Mapping[str, Any]]) -> Table:
    """Return our distances of isomers beside CBC's, and the CPU seconds of both.

    Raises:
        AssertionError: if two proven distances differ.
    """
    rows, ours, theirs = [], 0.0, 0.0
    for pair in pairs:
        cbc, is_exact = pair["cbc"], pair["cbc"]["mode"] == EXACT
        assert not (is_exact and pair["proven"]) or cbc["dist"] == pair["ours"], pair
        rows.append(
            (
                f"pair {pair['k'] + 1}",
                (
                    Cell(pair["ours"], form="g"),
                    Cell(f"{cbc['dist']:g}{'' if is_exact else '*'}"),
                    Cell(pair["seconds"], form=".3f"),
                    Cell(cbc["cpu"], form=".2f"),
                ),
            )
        )
        ours, theirs = ours + pair["seconds"], theirs + cbc["cpu"]
    total = (Cell(None), Cell(None), Cell(ours, form=".3f"), Cell(theirs, form=".2f"))
    header = ("isomers", "distance", "CBC's", "CPU s", "CBC's CPU s")
    return Table("isomers, beside CBC", header, (*rows, ("all", total)))
