"""Proven shares of the sets of edit distances, by seconds."""

from __future__ import annotations

import json
import math
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import exactmatch
from exactmatch import ground_truth
from exactmatch.formats.networks import read_graphs
from exactmatch_papers.tables.spec import Cell, Finding, Setting, Table

_SETS: dict[str, int | None] = {"aids": None, "linux": None, "imdb": 1000}
"""The sets of the neural literature, and how many of their pairs are measured."""

_TIMES = (0.1, 1.0, 10.0)
_FORI_TIMES = (1.0, 10.0, 60.0, 90.0)
"""Seconds; pairs of FORI's larger molecules take up to a minute."""


def proven_table(setting: Setting) -> Finding:
    """Proven shares of the sets that the folder has, and of FORI's classes."""
    folder = setting.data / "ged"
    commands: list[str] = []
    tables, notes = [], []
    rows = []
    for name, sample in _SETS.items():
        path = folder / "neural" / f"{name}.jsonl"
        if not path.exists():
            notes.append(f"Not measured: $DATA lacks ged/neural/{name}.jsonl.")
            continue
        words = f"exactmatch ground-truth $DATA/ged/neural/{name}.jsonl -o {name}"
        commands.append(
            f"{words} --time-limit 10" + (f" --sample {sample}" if sample else "")
        )
        setting.say(f"  {commands[-1]}")
        rows.append(_of_set(path, setting, sample))
    if rows:
        header = ("set", "graphs", "pairs", *map(_within, _TIMES), "mean", "CPU s")
        tables.append(Table("sets whose edits cost 1", header, tuple(rows)))
    golden = setting.data.parent / "golden" / "ged_fori.dev.jsonl"
    if golden.exists():
        commands.append("exactmatch ged A.gxl B.gxl --costs chem2 --time-limit 90")
        tables.append(fori_table(_of_fori(golden, folder, setting)))
        notes.append(
            "Of each of FORI's classes 30 pairs are measured; Gurobi has proven them "
            "all. Seconds are of the clock, on a machine with two cores that other "
            "programs shared. Means are of the pairs that are proven here, and no "
            "distance differs. The last column counts the pairs whose proof comes from "
            "the integer program; bounds and branching prove the others, which "
            "therefore have certificates."
        )
    else:
        notes.append("Not measured: $DATA/../golden lacks ged_fori.dev.jsonl.")
    return Finding(tuple(tables), tuple(commands), tuple(notes))


def _within(seconds: float) -> str:
    return f"in {seconds:g} s, %"


def _of_set(
    path: Path, setting: Setting, sample: int | None
) -> tuple[str, tuple[Cell, ...]]:
    """Measure one set; seconds of pairs are of the clock."""
    started = time.process_time()
    truth = ground_truth(
        path,
        out=setting.work / path.stem,
        time_limit=_TIMES[-1],
        sample=sample,
        jobs=setting.jobs,
    )
    spent = time.process_time() - started
    i, k = np.nonzero(np.triu(~np.isnan(truth.tables_of["bounds"]), 1))
    distances, seconds = truth.distances[i, k], truth.tables_of["seconds"][i, k]
    shares = _shares(np.where(np.isnan(distances), math.inf, seconds), _TIMES)
    return path.stem, (
        Cell(len(truth.manifest["names"]), form="d"),
        Cell(len(i), form=",d"),
        *shares,
        Cell(float(np.nanmean(distances)), form=".2f"),
        Cell(spent, form=".0f"),
    )


def _shares(seconds: Any, times: Iterable[float]) -> list[Cell]:
    """Return the share that is proven by each time, in percent."""
    return [Cell(100 * float((seconds <= t).mean()), form=".1f") for t in times]


def _of_fori(golden: Path, folder: Path, setting: Setting) -> Iterator[dict[str, Any]]:
    """Yield each pair of molecules with our distance beside Gurobi's."""
    for line in golden.read_text("utf-8").splitlines():
        row = json.loads(line)
        setting.say(f"  {row['set']} {row['a']} {row['b']}")
        graphs = (read_graphs(str(folder / f"{row[k]}.gxl"))[0].graph for k in "ab")
        started = time.perf_counter()
        result = exactmatch.ged(*graphs, costs="chem2", time_limit=_FORI_TIMES[-1])
        yield row | {
            "found": result.distance,
            "proven": result.proven,
            "proof": result.solution.proof,
            "wall": time.perf_counter() - started,
        }


def fori_table(pairs: Iterable[Mapping[str, Any]]) -> Table:
    """Return a row for each class, and one for all pairs.

    Raises:
        AssertionError: if a proven distance differs from Gurobi's.
    """
    classes: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for pair in pairs:
        if pair["proven"]:
            assert abs(pair["found"] - pair["distance"]) < 1e-5, pair
        classes[pair["set"]].append(pair)
    everything = [pair for members in classes.values() for pair in members]
    rows = [(name, _fori_row(classes[name])) for name in sorted(classes, key=_by_size)]
    rows.append(("all classes", _fori_row(everything)))
    times = map(_within, _FORI_TIMES)
    titles = ("class", "pairs", *times, "median s", "longest s", "mean (Gurobi's)")
    header = (*titles, "by the integer program")
    return Table("molecules of FORI, costs chem2", header, tuple(rows))


def _by_size(name: str) -> tuple[str, int]:
    kind, low, _ = name.split("_")
    return kind, int(low)


def _fori_row(pairs: Sequence[Mapping[str, Any]]) -> tuple[Cell, ...]:
    seconds = np.array([pair["wall"] for pair in pairs])
    proven = [pair for pair in pairs if pair["proven"]]
    shares = _shares(
        np.where([pair["proven"] for pair in pairs], seconds, math.inf), _FORI_TIMES
    )
    ours, theirs = (
        sum(pair[key] for pair in proven) / len(proven) if proven else None
        for key in ("found", "distance")
    )
    return (
        Cell(len(pairs), form="d"),
        *shares,
        Cell(float(np.median(seconds)), form=".2f"),
        Cell(float(seconds.max()), form=".2f"),
        Cell(ours, theirs, form=".3f"),
        Cell(sum(pair["proof"] == "milp" for pair in pairs), form="d"),
    )
