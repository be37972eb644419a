"""The ground truth of a set as a table: what is proven, by size and time."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np

from exactmatch.base.numbers import Share, decimals, several
from exactmatch.studies.ground_truth.study import GroundTruth
from exactmatch.views.tables import Column, Table, Tables

TIMES = (0.1, 1.0, 10.0, 60.0)
"""Seconds within which pairs are counted."""

SIZES = (10, 20, 30, 50, 100)
"""The largest numbers of nodes of the classes of pairs."""


def tables(truth: GroundTruth, digits: int | None = None) -> Tables:
    """Return a row for each class of sizes, and one for all pairs."""
    upper = np.triu(np.ones(truth.distances.shape, dtype=bool), 1)
    i, k = np.nonzero(upper & ~np.isnan(truth.tables_of["bounds"]))
    values = {name: table[i, k] for name, table in truth.tables_of.items()}
    sizes = np.array(truth.manifest["sizes"])
    largest = np.maximum(sizes[i], sizes[k])
    classes = []
    for least, most in pairwise((-1, *SIZES, math.inf)):
        wanted = (largest > least) & (largest <= most)
        name = f"over {least}" if math.isinf(most) else f"{least + 1} to {most}"
        if wanted.any():
            classes.append((name, wanted))
    if len(classes) != 1:
        classes.append(("all", np.ones(len(i), dtype=bool)))
    share = Share(4 if digits is None else digits)
    rows = [{"nodes": name, **_row(values, wanted)} for name, wanted in classes]
    manifest, asked = truth.manifest, truth.manifest["asked"]
    limit = asked["time_limit"]
    times = [t for t in TIMES if limit is None or t <= limit]
    columns = (
        Column("nodes", "nodes"),
        Column("pairs", "pairs"),
        Column("proven", "proven", share),
        *(Column(f"within_{t:g}", f"in {t:g} s", share) for t in times),
        Column("mean", "mean distance", decimals(3)),
        Column("gap", "largest interval", lambda gap: f"{gap:g}"),
    )
    done, proven = manifest["done"], manifest["proven"]
    notes = (
        f"{several(len(manifest['names']), 'graph')}, {several(done, 'pair')}, "
        f"{proven} proven; {truth.folder} holds them",
    )
    signature = (
        f"metric:ged|labels:{asked['labels']}|costs:{asked['costs']}|"
        f"proven:{proven}/{done}|version:{asked['version']}"
    )
    data: dict[str, Any] = {
        "folder": str(truth.folder),
        "classes": rows,
        "pairs": done,
        "proven": proven,
        "signatures": [signature],
    }
    table = Table("", columns, rows)
    return Tables("Ground truth", (table,), data, notes=notes, signatures=(signature,))


def _row(values: dict[str, Any], wanted: Any) -> dict[str, Any]:
    distances, seconds = values["distances"][wanted], values["seconds"][wanted]
    proven = ~np.isnan(distances)
    gaps = (values["paths"] - values["bounds"])[wanted]
    return {
        "pairs": int(wanted.sum()),
        "proven": float(proven.mean()),
        **{f"within_{t:g}": float((proven & (seconds <= t)).mean()) for t in TIMES},
        "mean": float(distances[proven].mean()) if proven.any() else None,
        "gap": float(gaps.max(initial=0)),
    }
