"""Tables and a picture of the distances of a set, by sizes and times."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np

from exactmatch.base.numbers import Share, decimals, several
from exactmatch.studies.ground_truth.results import GroundTruth
from exactmatch.views.tables import Column, Table, Tables

TIMES = (0.1, 1.0, 10.0, 60.0)
"""Seconds within which pairs are counted."""

SIZES = (10, 20, 30, 50, 100)
"""The largest numbers of nodes of the classes of pairs."""


def tables(truth: GroundTruth, digits: int | None = None) -> Tables:
    """Return a row for each class of sizes, and one for all pairs."""
    values, classes = _classes(truth)
    rows = [{"nodes": n, **_row(values, chosen)} for n, chosen in classes.items()]
    share = Share(4 if digits is None else digits)
    manifest, options = truth.manifest, truth.manifest["asked"]
    limit = options["time_limit"]
    times = [t for t in TIMES if limit is None or t <= limit]
    columns = (
        Column("nodes", "nodes"),
        Column("pairs", "pairs"),
        Column("proven", "proven", share),
        *(Column(f"within_{t:g}", f"in {t:g} s", share) for t in times),
        Column("mean", "mean distance", decimals(3)),
        Column("gap", "largest interval", lambda gap: f"{gap:g}"),
    )
    n_done, proven = manifest["done"], manifest["proven"]
    notes = (
        f"{several(len(manifest['names']), 'graph')}, {several(n_done, 'pair')}, "
        f"{proven} proven; {truth.folder} holds them",
    )
    signature = (
        f"metric:ged|labels:{options['labels']}|costs:{options['costs']}|"
        f"proven:{proven}/{n_done}|version:{options['version']}"
    )
    data: dict[str, Any] = {
        "folder": str(truth.folder),
        "classes": rows,
        "pairs": n_done,
        "proven": proven,
        "signatures": [signature],
    }
    table = Table("", columns, rows)
    return Tables("Ground truth", (table,), data, notes=notes, signatures=(signature,))


def _classes(truth: GroundTruth) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the numbers of all pairs, and a mask of them for each class of sizes."""
    upper = np.triu(np.ones(truth.distances.shape, dtype=bool), 1)
    i, k = np.nonzero(upper & ~np.isnan(truth.tables_of["bounds"]))
    values = {name: table[i, k] for name, table in truth.tables_of.items()}
    sizes = np.array(truth.manifest["sizes"])
    largest = np.maximum(sizes[i], sizes[k])
    classes = {}
    for smallest, largest_size in pairwise((-1, *SIZES, math.inf)):
        name = (
            f"over {smallest}"
            if math.isinf(largest_size)
            else f"{smallest + 1} to {largest_size}"
        )
        classes[name] = (largest > smallest) & (largest <= largest_size)
    classes = {name: chosen for name, chosen in classes.items() if chosen.any()}
    if len(classes) != 1:
        classes["all"] = np.ones(len(i), dtype=bool)
    return values, classes


def draw(path: str, truth: GroundTruth) -> None:
    """Draw the share of pairs that is proven over time, by sizes, into a file."""
    from exactmatch.views.study_plots import shares_in_time

    values, classes = _classes(truth)
    seconds = np.where(np.isnan(values["distances"]), np.inf, values["seconds"])
    series = {f"{name} nodes": seconds[chosen] for name, chosen in classes.items()}
    shares_in_time(path, series, "share of pairs proven")


def _row(values: dict[str, Any], chosen: Any) -> dict[str, Any]:
    distances, seconds = values["distances"][chosen], values["seconds"][chosen]
    proven = ~np.isnan(distances)
    gaps = (values["paths"] - values["bounds"])[chosen]
    return {
        "pairs": int(chosen.sum()),
        "proven": float(proven.mean()),
        **{f"within_{t:g}": float((proven & (seconds <= t)).mean()) for t in TIMES},
        "mean": float(distances[proven].mean()) if proven.any() else None,
        "gap": float(gaps.max(initial=0)),
    }
