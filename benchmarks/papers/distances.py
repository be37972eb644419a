"""How much of the sets of edit distances is proven, and after how many seconds."""

from __future__ import annotations

import json
import math
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

import exactmatch
from benchmarks.papers.spec import Cell, Finding, Setting, Table
from exactmatch.formats.networks import read_graphs
from exactmatch.scoring.sources import File
from exactmatch.studies import ground_truth

_SETS: dict[str, int | None] = {"aids": None, "linux": None, "imdb": 1000}
"""The sets of the neural literature, and how many of their pairs are measured."""

_PER_CLASS = 5
_TIMES = (0.1, 1.0, 10.0)


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
        commands.append("exactmatch ged A.gxl B.gxl --costs chem2 --time-limit 10")
        tables.append(_of_fori(golden, folder, setting))
        notes.append(
            f"Of each class of FORI's the first {_PER_CLASS} of 30 pairs are measured; "
            "Gurobi has proven them all. Seconds are of the clock, on a machine with "
            "two cores that others shared. Means are of the pairs that are proven "
            "here, and no distance differs."
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
        File(str(path)),
        out=setting.work / path.stem,
        time_limit=_TIMES[-1],
        sample=sample,
        jobs=setting.jobs,
    )
    spent = time.process_time() - started
    i, k = np.nonzero(np.triu(~np.isnan(truth.tables_of["bounds"]), 1))
    distances, seconds = truth.distances[i, k], truth.tables_of["seconds"][i, k]
    shares = _shares(np.where(np.isnan(distances), math.inf, seconds))
    return path.stem, (
        Cell(len(truth.manifest["names"]), form="d"),
        Cell(len(i), form=",d"),
        *shares,
        Cell(float(np.nanmean(distances)), form=".2f"),
        Cell(spent, form=".0f"),
    )


def _shares(seconds: Any) -> list[Cell]:
    """Return the share that is proven by each time, in percent."""
    return [Cell(100 * float((seconds <= t).mean()), form=".1f") for t in _TIMES]


def _of_fori(golden: Path, folder: Path, setting: Setting) -> Table:
    """Hold distances of molecules against those that Gurobi has proven.

    Raises:
        AssertionError: if a proven distance differs.
    """
    classes = defaultdict(list)
    for line in golden.read_text("utf-8").splitlines():
        row = json.loads(line)
        classes[row["set"]].append(row)
    rows = []
    for name, pairs in classes.items():
        setting.say(f"  {name}")
        seconds, ours, theirs = [], [], []
        for row in pairs[:_PER_CLASS]:
            graphs = (read_graphs(str(folder / f"{row[k]}.gxl"))[0].graph for k in "ab")
            started = time.perf_counter()
            found = exactmatch.ged(*graphs, costs="chem2", time_limit=_TIMES[-1])
            spent = time.perf_counter() - started
            seconds.append(spent if found.proven else math.inf)
            if found.proven:
                assert abs(found.distance - row["distance"]) < 1e-6, row
                ours.append(found.distance)
                theirs.append(row["distance"])
        means = [sum(side) / len(side) if side else None for side in (ours, theirs)]
        mean = Cell(means[0], means[1], form=".3f")
        cells = (Cell(len(seconds), form="d"), *_shares(np.array(seconds)), mean)
        rows.append((name, cells))
    header = ("class", "pairs", *map(_within, _TIMES), "mean (Gurobi's)")
    return Table("molecules of FORI, costs chem2", header, tuple(rows))
