"""Compute the edit distances of a set, block by block; show what is proven."""

from __future__ import annotations

import hashlib
import json
import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import InputError, check_seed
from exactmatch.base.files import atomic_output
from exactmatch.base.numbers import Share, decimals, several
from exactmatch.base.options import function
from exactmatch.base.version import __version__
from exactmatch.edit.cost_models import COST_MODELS
from exactmatch.edit.distance import measured
from exactmatch.edit.matrix import Intervals, Uniform, intervals_of
from exactmatch.edit.options import GedOptions
from exactmatch.edit.packed import has_parallel_edges, listed
from exactmatch.formats.network_texts import NamedGraph, is_pyg, network_of
from exactmatch.formats.networks import read_graphs
from exactmatch.formats.sets import graph_of
from exactmatch.scoring.parallel import map_in_order
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.scoring.results import ProofCounts
from exactmatch.scoring.sources import File
from exactmatch.studies.answer import Answer
from exactmatch.studies.ground_truth.options import GroundTruthOptions
from exactmatch.views.tables import Column, Table, Tables

Floats = npt.NDArray[np.float64]
Pairs = npt.NDArray[np.intc]
MANIFEST = "manifest.json"
_KIND = "exactmatch ground truth 1"
TABLES = ("distances", "bounds", "paths", "seconds")
"""The matrices: NaN where a distance is open, or a pair was not asked for."""


@dataclass(frozen=True, eq=False, repr=False)
class GroundTruth(Answer):
    """The distances of a set of graphs.

    Attributes:
        folder: where they are kept.
        manifest: what was asked, how far it is, and the graphs' names and sizes.
        tables_of: the matrices by their names, in the files of the folder.

    >>> import tempfile
    >>> import networkx
    >>> from exactmatch import ground_truth
    >>> graphs = [networkx.path_graph(n) for n in (2, 4)]
    >>> found = ground_truth(graphs, out=tempfile.mkdtemp())
    >>> float(found.distances[0, 1]), found.manifest["proven"]
    (4.0, 1)
    """

    VIEW = "exactmatch.studies.ground_truth.study:tables"

    folder: Path
    manifest: dict[str, Any]
    tables_of: dict[str, Floats]

    @property
    def distances(self) -> Floats:
        """The matrix of distances, NaN where one is not proven."""
        return self.tables_of["distances"]

    @classmethod
    def begun(
        cls, folder: Path, asked: dict[str, Any], names: Sequence[str], sizes: list[int]
    ) -> GroundTruth:
        """Open a folder, or make it; it is an error if it holds something else."""
        path = folder / MANIFEST
        if path.exists():
            found = cls.of(folder)
            for key, value in asked.items():
                if found.manifest["asked"].get(key) != value:
                    other = f"under another {key.replace('_', '-')}"
                    what = "of other graphs" if key == "graphs" else other
                    raise InputError(
                        f"{folder}: holds the ground truth {what}; name another "
                        "folder, or remove this one"
                    )
            return found
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise InputError(f"{folder}: is there, and holds no ground truth")
        opened, shape = np.lib.format.open_memmap, (len(names), len(names))
        try:
            folder.mkdir(parents=True, exist_ok=True)
            matrices: dict[str, Floats] = {
                name: opened(folder / f"{name}.npy", "w+", np.float64, shape)
                for name in TABLES
            }
        except OSError as error:
            raise InputError(f"{folder}: cannot be written: {error}") from None
        for table in matrices.values():
            table[:] = np.nan
            np.fill_diagonal(table, 0)
        counts = {"pairs": 0, "done": 0, "proven": 0}
        of = {"names": list(names), "sizes": sizes}
        made = cls(folder, {"kind": _KIND, "asked": asked, **counts, **of}, matrices)
        made.save()
        return made

    @classmethod
    def of(cls, folder: Path) -> GroundTruth:
        """Open a folder that holds a whole ground truth."""
        try:
            manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
            matrices = {n: np.load(folder / f"{n}.npy", mmap_mode="r+") for n in TABLES}
            shapes, size = {m.shape for m in matrices.values()}, len(manifest["names"])
            if manifest["kind"] != _KIND or shapes != {(size, size)}:
                raise ValueError
        except (OSError, ValueError, KeyError, TypeError):
            raise InputError(
                f"{folder}: holds no whole ground truth; name another folder"
            ) from None
        return cls(folder, manifest, matrices)

    def put(self, pairs: Pairs, found: Intervals) -> None:
        """Take the bounds of some pairs, on both sides of the matrices' diagonals."""
        proven = np.abs(found.upper - found.lower) < 1e-9
        distances = np.where(proven, found.upper, np.nan)
        values = distances, found.lower, found.upper, found.seconds
        i, k = pairs.T
        for name, own in zip(TABLES, values, strict=True):
            self.tables_of[name][i, k] = self.tables_of[name][k, i] = own
        self.manifest["done"] += len(pairs)
        self.manifest["proven"] += int(proven.sum())

    def save(self) -> None:
        """Write what has been taken, so that a later call goes on from here."""
        for table in self.tables_of.values():
            getattr(table, "flush", lambda: None)()
        with atomic_output(str(self.folder / MANIFEST), short=True) as stream:
            json.dump(self.manifest, stream, indent=1)
            stream.write("\n")


def fingerprint(graphs: Sequence[Any]) -> str:
    """Return what is equal for equal lists of graphs."""
    digest = hashlib.sha256()
    for graph in graphs:
        nodes, edges = graph.nodes(data=True), graph.edges(data=True)
        stated = [graph.is_directed(), list(nodes), list(edges)]
        digest.update(json.dumps(stated, sort_keys=True, default=repr).encode())
    return digest.hexdigest()


_FIRST, _SECONDS = 64, 5.0
"""Pairs of the first block, and how long each block is to take."""


def study(asked: GroundTruthOptions, reporter: Listener = SILENCE) -> GroundTruth:
    """Compute the edit distances of all graphs of a set, or of a sample of pairs.

    Each block of pairs is written when it is done, and the same call goes on where an
    interrupted one has stopped.

    Returns:
        The distances with bounds, in files of the folder.

    Raises:
        InputError: if a graph cannot be read, an option is wrong, or the folder holds
            something else.

    >>> import tempfile
    >>> import networkx
    >>> graphs = [networkx.path_graph(n) for n in (2, 3, 5)]
    >>> folder = tempfile.mkdtemp()
    >>> ground_truth(graphs, out=folder).distances.tolist()
    [[0.0, 2.0, 6.0], [2.0, 0.0, 4.0], [6.0, 4.0, 0.0]]
    """
    found = _graphs(asked)
    graphs = [one.graph for one in found]
    if len(graphs) < 2:
        raise InputError(
            f"there {'is one graph' if graphs else 'are no graphs'}; "
            "distances are of two or more"
        )
    names = [one.name or str(number) for number, one in enumerate(found, 1)]
    stated = {
        "graphs": fingerprint(graphs),
        "labels": asked.labels,
        "costs": asked.costs or "uniform",
        "sample": asked.sample,
        "seed": asked.seed if asked.sample else None,
        "time_limit": asked.time_limit,
        "proofs": asked.proofs,
        "version": __version__,
    }
    find = _finder(asked, graphs)
    sizes = [len(graph) for graph in graphs]
    truth = GroundTruth.begun(Path(asked.out), stated, names, sizes)
    pairs = np.stack(np.triu_indices(len(graphs), 1), axis=1).astype(np.intc)
    if asked.sample is not None and asked.sample < len(pairs):
        check_seed(asked.seed)
        rng = np.random.default_rng(asked.seed)
        pairs = pairs[rng.choice(len(pairs), asked.sample, replace=False)]
    truth.manifest["pairs"] = len(pairs)
    done = truth.manifest["done"]
    if 0 < done < len(pairs):
        reporter.note(f"{done:,} of {len(pairs):,} pairs are there; the others follow")
    with reporter.progress("comparing", len(pairs) - done) as advance:
        for block, intervals in _in_blocks(pairs[done:], find):
            truth.put(block, intervals)
            truth.save()
            for _ in block:
                advance()
    _write_table(truth, pairs)
    reporter.proved(ProofCounts(len(pairs) - truth.manifest["proven"]))
    return truth


ground_truth = function("ground_truth", GroundTruthOptions, study)


def _graphs(asked: GroundTruthOptions) -> list[NamedGraph]:
    given = asked.graphs
    path = given.path if isinstance(given, File) else given
    if isinstance(path, str | os.PathLike):
        return read_graphs(os.fspath(path), asked.format_in)
    found = []
    for number, graph in enumerate(listed(path), 1):
        if isinstance(graph, dict):
            graph = graph_of(graph, f"graph {number}")
        elif is_pyg(graph):
            graph = network_of(graph)
        elif not hasattr(graph, "is_multigraph"):
            raise InputError(
                f"graph {number} is of {type(graph).__name__}; give networkx graphs"
            )
        found.append(NamedGraph(None, graph))
    return found


def _in_blocks(
    pairs: Pairs, find: Callable[[Pairs], Intervals]
) -> Iterator[tuple[Pairs, Intervals]]:
    """Yield the pairs in blocks that take some seconds each."""
    size = _FIRST
    while len(pairs):
        started = time.perf_counter()
        block, pairs = pairs[:size], pairs[size:]
        yield block, find(block)
        spent = time.perf_counter() - started
        if spent < _SECONDS / 2:
            size *= 2
        elif spent > 2 * _SECONDS:
            size = max(1, size // 2)


def _finder(
    asked: GroundTruthOptions, graphs: list[Any]
) -> Callable[[Pairs], Intervals]:
    """Return what finds the distances of pairs, in the compiled search if it can."""
    is_uniform = not COST_MODELS[asked.costs or "uniform"]
    is_simple = not any(map(has_parallel_edges, graphs))
    if is_uniform and is_simple and not asked.proofs:
        labels: Any = asked.labels
        return intervals_of(asked.as_options(Uniform, labels=labels), graphs)
    options = asked.as_options(GedOptions, g1=None, g2=None)
    folder = Path(asked.out) / "proofs" if asked.proofs else None
    solve = partial(_solved, options, folder)

    def find(pairs: Pairs) -> Intervals:
        if folder is not None:
            folder.mkdir(exist_ok=True)
        tasks = ((i, graphs[i], k, graphs[k]) for i, k in pairs.tolist())
        with closing(map_in_order(solve, tasks, asked.jobs)) as answers:
            rows = np.array([*answers], dtype=np.float64).reshape(-1, 3)
        return Intervals(*rows.T)

    return find


def _solved(
    asked: GedOptions, folder: Path | None, task: tuple[int, Any, int, Any]
) -> tuple[float, float, float]:
    """Return both bounds of a pair's distance, and seconds; write the proof."""
    i, one, k, other = task
    started = time.perf_counter()
    proof = None if folder is None else str(folder / f"{i + 1}-{k + 1}.pbp")
    try:
        found = measured(asked.but(g1=one, g2=other, proof=proof))
    except InputError as error:
        raise InputError(f"graphs {i + 1} and {k + 1}: {error}") from None
    lower = found.distance if found.proven else found.bound
    return lower, found.distance, time.perf_counter() - started


def _write_table(truth: GroundTruth, pairs: Pairs) -> None:
    """Write the pairs as a table of Parquet, where pyarrow is there."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        return
    i, k = pairs.T
    found, bounds, paths, seconds = (truth.tables_of[name][i, k] for name in TABLES)
    columns = {
        "first": i,
        "second": k,
        "distance": pyarrow.array(found, from_pandas=True),  # a null where it is NaN
        "bound": bounds,
        "path": paths,
        "proven": ~np.isnan(found),
        "seconds": seconds,
    }
    parquet.write_table(pyarrow.table(columns), truth.folder / "pairs.parquet")


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
    classes = {}
    for least, most in pairwise((-1, *SIZES, math.inf)):
        name = f"over {least}" if math.isinf(most) else f"{least + 1} to {most}"
        classes[name] = (largest > least) & (largest <= most)
    classes = {name: wanted for name, wanted in classes.items() if wanted.any()}
    if len(classes) != 1:
        classes["all"] = np.ones(len(i), dtype=bool)
    rows = [{"nodes": n, **_row(values, wanted)} for n, wanted in classes.items()]
    share = Share(4 if digits is None else digits)
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
