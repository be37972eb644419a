"""Compute the edit distances of a set, block by block; show the proven ones."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from exactmatch.base.errors import InputError, check_seed
from exactmatch.base.files import replacing
from exactmatch.base.options import function
from exactmatch.base.paths import path_of, refuse_name
from exactmatch.base.version import __version__
from exactmatch.edit.cost_models import COST_MODELS
from exactmatch.edit.distance import measure_distance
from exactmatch.edit.matrix import Intervals, ManyOptions, intervals_of
from exactmatch.edit.options import GedOptions
from exactmatch.edit.packed import has_parallel_edges, listed
from exactmatch.formats.network_texts import NamedGraph, is_foreign, network_of
from exactmatch.formats.networks import read_graphs
from exactmatch.formats.sets import graph_of
from exactmatch.scoring.parallel import map_in_order
from exactmatch.scoring.reporter import CALLER, Listener
from exactmatch.scoring.results import ProofCounts
from exactmatch.studies.ground_truth.folder import (
    PROOFS,
    TABLES,
    Pairs,
    TruthFolder,
    opened,
    proof_files,
)
from exactmatch.studies.ground_truth.options import GroundTruthOptions
from exactmatch.studies.ground_truth.results import GroundTruth


def fingerprint(graphs: Sequence[Any]) -> str:
    """Return a checksum of a list of graphs."""
    digest = hashlib.sha256()
    for graph in graphs:
        nodes, edges = graph.nodes(data=True), graph.edges(data=True)
        content = [graph.is_directed(), list(nodes), list(edges)]
        digest.update(json.dumps(content, sort_keys=True, default=repr).encode())
    return digest.hexdigest()


_FIRST, _SECONDS = 64, 5.0
"""Pairs of the first block, and the seconds that each block should take."""


def study(options: GroundTruthOptions, reporter: Listener = CALLER) -> GroundTruth:
    """Compute the edit distances of all graphs of a set, or of a sample of pairs.

    Each block of pairs is written when it is done, and the same call goes on where an
    interrupted one has stopped.  The folder is checked first: damaged pairs are
    computed again, and a warning names the file.

    Returns:
        The distances with bounds, in files of the folder.

    Raises:
        InputError: if a graph cannot be read, an option is wrong, or the folder holds
            something else, or another process or thread writes to it.

    >>> import tempfile
    >>> import networkx
    >>> graphs = [networkx.path_graph(n) for n in (2, 3, 5)]
    >>> folder = tempfile.mkdtemp()
    >>> ground_truth(graphs, out=folder).distances.tolist()
    [[0.0, 2.0, 6.0], [2.0, 0.0, 4.0], [6.0, 4.0, 0.0]]
    """
    named_graphs = _graphs(options, reporter)
    graphs = [named_graph.graph for named_graph in named_graphs]
    if len(graphs) < 2:
        raise InputError(
            f"there {'is one graph' if graphs else 'are no graphs'}; "
            "distances are of two or more"
        )
    names = [
        named_graph.name or str(number)
        for number, named_graph in enumerate(named_graphs, 1)
    ]
    question = {
        "graphs": fingerprint(graphs),
        "labels": options.labels,
        "costs": options.costs or "uniform",
        "sample": options.sample,
        "seed": options.seed if options.sample else None,
        "time_limit": options.time_limit,
        "proofs": options.proofs,
        "version": __version__,
    }
    find = _finder(options, graphs)
    sizes = [len(graph) for graph in graphs]
    pairs = np.stack(np.triu_indices(len(graphs), 1), axis=1).astype(np.intc)
    if options.sample is not None and options.sample < len(pairs):
        check_seed(options.seed)
        rng = np.random.default_rng(options.seed)
        pairs = pairs[rng.choice(len(pairs), options.sample, replace=False)]
    fixed = {"asked": question, "names": names, "sizes": sizes}
    place = Path(options.out)
    with opened(place, fixed, pairs, options.proofs) as folder:
        for sentence in folder.damage:
            reporter.warn("damage", sentence)
        n_open = sum(end - begin for begin, end in folder.missing())
        if 0 < n_open < len(pairs):
            n_done = len(pairs) - n_open
            reporter.note(
                f"{n_done:,} of {len(pairs):,} pairs are there; others follow"
            )
        with reporter.progress("comparing", n_open) as advance:
            for begin, end, intervals in _in_blocks(folder, find):
                folder.put(begin, end, intervals)
                for _ in range(begin, end):
                    advance()
        _write_table(folder)
    truth = GroundTruth(place, folder.manifest, folder.tables)
    reporter.proved(ProofCounts(len(pairs) - truth.manifest["proven"]))
    return truth


ground_truth = function("ground_truth", GroundTruthOptions, study)


def _graphs(options: GroundTruthOptions, reporter: Listener) -> list[NamedGraph]:
    if (path := path_of(options.graphs)) is not None:
        return read_graphs(path, options.format_in, reporter.note, options.field)
    if isinstance(options.graphs, str):
        refuse_name(options.graphs, is_unreadable=True)
    graphs = []
    for number, graph in enumerate(listed(options.graphs, options.format_in), 1):
        if isinstance(graph, dict):
            graph = graph_of(graph, f"graph {number}")
        elif is_foreign(graph):
            graph = network_of(graph)
        elif not hasattr(graph, "is_multigraph"):
            raise InputError(
                f"graph {number} is of {type(graph).__name__}; give networkx graphs"
            )
        graphs.append(NamedGraph(None, graph))
    return graphs


def _in_blocks(
    folder: TruthFolder, find: Callable[[Pairs], Intervals]
) -> Iterator[tuple[int, int, Intervals]]:
    """Yield the missing pairs in blocks that take some seconds each."""
    size = _FIRST
    for begin, last in [*folder.missing()]:
        while begin < last:
            started = time.perf_counter()
            end = min(begin + size, last)
            yield begin, end, find(folder.pairs[begin:end])
            begin = end
            seconds = time.perf_counter() - started
            if seconds < _SECONDS / 2:
                size *= 2
            elif seconds > 2 * _SECONDS:
                size = max(1, size // 2)


def _finder(
    options: GroundTruthOptions, graphs: list[Any]
) -> Callable[[Pairs], Intervals]:
    """Return a function that computes the distances of pairs, compiled if possible."""
    is_uniform = not COST_MODELS[options.costs or "uniform"]
    is_simple = not any(map(has_parallel_edges, graphs))
    if (is_simple or not is_uniform) and not options.proofs:
        labels: Any = options.labels if is_uniform else None
        return intervals_of(options.as_options(ManyOptions, labels=labels), graphs)
    pair_options = options.as_options(GedOptions, g1=None, g2=None)
    folder = Path(options.out).absolute() if options.proofs else None
    solve = partial(_solved, pair_options, folder)

    def find(pairs: Pairs) -> Intervals:
        if folder is not None:
            (folder / PROOFS).mkdir(exist_ok=True)
        tasks = ((i, graphs[i], k, graphs[k]) for i, k in pairs.tolist())
        workers = options.jobs, options.executor
        with closing(map_in_order(solve, tasks, *workers)) as answers:
            rows = np.array([*answers], dtype=np.float64).reshape(-1, 3)
        for i, k in pairs.tolist() if folder is not None else ():
            if not proof_files(Path(options.out), i, k)[1].exists():
                raise InputError(
                    f"{options.out}: a worker wrote its proof elsewhere; with "
                    "--proofs and --executor, name a folder that all workers share"
                )
        return Intervals(*rows.T)

    return find


def _solved(
    options: GedOptions, folder: Path | None, task: tuple[int, Any, int, Any]
) -> tuple[float, float, float]:
    """Write a pair's proof; return both bounds of its distance, and the seconds."""
    i, first, k, second = task
    started = time.perf_counter()
    proof = None if folder is None else str(proof_files(folder, i, k)[1])
    try:
        distance = measure_distance(options.replace(g1=first, g2=second, proof=proof))
    except InputError as error:
        raise InputError(f"graphs {i + 1} and {k + 1}: {error}") from None
    lower = distance.distance if distance.proven else distance.bound
    return lower, distance.distance, time.perf_counter() - started


def _write_table(folder: TruthFolder) -> None:
    """Write the pairs as a table of Parquet, where pyarrow is there."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        return
    i, k = folder.pairs.T
    distances, bounds, paths, seconds = (folder.tables[name][i, k] for name in TABLES)
    columns = {
        "first": i,
        "second": k,
        "distance": pyarrow.array(
            distances, from_pandas=True
        ),  # a null where it is NaN
        "bound": bounds,
        "path": paths,
        "proven": ~np.isnan(distances),
        "seconds": seconds,
    }
    with replacing(folder.place / "pairs.parquet") as file:
        parquet.write_table(pyarrow.table(columns), file)
