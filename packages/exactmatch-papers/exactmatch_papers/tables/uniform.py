"""All public UMR: every file is read whole and scored against copies of itself.

The files are those of UMR 3.0 (repository umr4nlp/umr-data) and of Charles University
(repository ufal/UMR), as clones ``umr-data`` and ``ufal-umr`` of the data folder.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from exactmatch.base.errors import GraphError
from exactmatch.formats.blocks import read_blocks
from exactmatch.formats.formats import FORMATS
from exactmatch.graphs.document import Document
from exactmatch.graphs.graph import Graph
from exactmatch.metrics.smatch import Smatch
from exactmatch_papers.tables.corpora import public_umr
from exactmatch_papers.tables.spec import Cell, Finding, Setting, Table

_Row = TypeVar("_Row")

CHECKS = ("with itself", "renamed and shuffled", "through JSON")
"""The copies that a file is scored against."""

_LARGEST = 5  # files whose time and memory are measured
_CHUNK = 16  # files that a process takes at once


@dataclass(frozen=True, slots=True)
class FileResult:
    """How the documents of one file are read and scored.

    Attributes:
        equal: for each of :data:`CHECKS`, whether every document scores 1, proven.
        refusals: the line and the reason of each document that cannot be read.
        variables, triples: how many there are in the file.
    """

    equal: tuple[bool, ...]
    refusals: tuple[tuple[int | None, str], ...]
    variables: int
    triples: int


def check_file(path: Path) -> FileResult:
    """Read a UMR file and score each of its documents against three copies."""
    metric = Smatch("umr")
    equal = [True] * len(CHECKS)
    refusals: list[tuple[int | None, str]] = []
    variables = triples = 0
    for block in read_blocks(path, "umr"):
        try:
            graph = metric.read(block).item
        except GraphError as error:
            refusals.append((error.line, error.reason))
            continue
        variables += len(graph.variables)
        triples += sum(1 for _ in graph.triples()) + len(_document(graph).triples)
        makers: tuple[Callable[[], Graph], ...] = (
            partial(_itself, graph),
            partial(shuffled, graph, random.Random(path.name)),
            partial(through_json, graph),
        )
        for k, make in enumerate(makers):
            equal[k] &= _is_one(metric, make, graph)
    if not variables and not refusals:
        refusals.append((None, "the file is empty"))
    return FileResult(tuple(equal), tuple(refusals), variables, triples)


def _itself(graph: Graph) -> Graph:
    return graph


def _document(graph: Graph) -> Document:
    return graph.document or Document()


def _is_one(metric: Smatch, make: Callable[[], Graph], graph: Graph) -> bool:
    """Return whether a copy scores 1, proven; one that cannot be made does not."""
    try:
        copy = metric.read(make()).item
    except GraphError:
        return False
    score = metric.scores(metric.measure(copy, graph).statistics)
    return score.f1 == 1 and score.proven is True


def shuffled(graph: Graph, rng: random.Random) -> Graph:
    """Rename and shuffle the variables and triples; write a UMR file and read it."""
    places = [*range(len(graph.variables))]
    rng.shuffle(places)
    moved = graph.renumbered(dict(enumerate(places)))
    document = _document(moved)
    names = [
        name if v in document.constants else f"{_prefix(document, v)}n{v}"
        for v, name in enumerate(moved.variables)
    ]
    triples = tuple(_mixed(document.triples, rng))
    copy = moved.revised(
        variables=tuple(names),
        instances=tuple(_mixed(moved.instances, rng)),
        attributes=tuple(_mixed(moved.attributes, rng)),
        relations=tuple(_mixed(moved.relations, rng)),
        document=replace(document, triples=triples),
    )
    return _read_again("umr-file", FORMATS["umr"].write(copy))


def _prefix(document: Document, variable: int) -> str:
    """Return ``s3`` for a variable of the sentence snt3."""
    (home,) = document.home(variable)
    return f"s{document.sentences[home].number or home + 1}"


def _mixed(rows: Iterable[_Row], rng: random.Random) -> list[_Row]:
    mixed = [*rows]
    rng.shuffle(mixed)
    return mixed


def through_json(graph: Graph) -> Graph:
    """Write a graph as node-link JSON and read it again."""
    return _read_again("node-link", FORMATS["node-link"].write(graph))


def _read_again(name: str, text: str) -> Graph:
    (block,) = FORMATS[name].blocks(text.splitlines(keepends=True), None)
    return FORMATS[name].read(block).graph


def public_table(setting: Setting) -> Finding:
    """Score all public UMR files; list refusals, and the largest files' cost."""
    collections = public_umr(setting.data)
    missing = [name for name, paths in collections.items() if not paths]
    paths = [path for files in collections.values() for path in files]
    results = dict(zip(paths, _checked(paths, setting), strict=True))
    tables = [_scores(collections, results), _refusals(setting.data, results)]
    read = [path for path in paths if results[path].variables]
    measured = sorted(read, key=lambda path: -results[path].variables)[:_LARGEST]
    tables.append(_largest(measured, results))
    notes = [
        "A file counts as equal if every document in it scores 1 and this is proven, "
        "with profile umr. The renamed and shuffled copy has other names of variables "
        "and another order of nodes and triples, and is written as a UMR file and read "
        "again. A refused file is not scored; `--format-in umr-sentences --on-error "
        "skip` leaves out only the sentences that cannot be read.",
    ]
    if missing:
        notes.append(f"The folder lacks {', '.join(missing)}.")
    commands = (
        "exactmatch FILE FILE --profile umr",
        "exactmatch FILE COPY --profile umr",
        "exactmatch convert FILE --to node-link -o FILE.json",
    )
    return Finding(tuple(tables), commands, tuple(notes))


def _checked(paths: Sequence[Path], setting: Setting) -> Iterator[FileResult]:
    """Check files, in their order; say how far it is."""
    if setting.jobs == 1:
        yield from map(check_file, paths)
        return
    with ProcessPoolExecutor(setting.jobs) as pool:
        yield from pool.map(check_file, paths, chunksize=_CHUNK)


def _scores(
    collections: dict[str, list[Path]], results: dict[Path, FileResult]
) -> Table:
    rows = []
    for name, paths in collections.items():
        if not paths:
            continue
        read = [results[path] for path in paths if not results[path].refusals]
        counts = [sum(result.equal[k] for result in read) for k in range(len(CHECKS))]
        cells = (len(paths), *counts, len(paths) - len(read))
        rows.append((name, tuple(Cell(number, form=",d") for number in cells)))
    header = ("collection", "files", *(f"1 {check}" for check in CHECKS), "refused")
    return Table("Scores of files against copies", header, tuple(rows))


def _refusals(data: Path, results: dict[Path, FileResult]) -> Table:
    rows = [
        (
            path.relative_to(data).as_posix(),
            (Cell(None if line is None else str(line)), Cell(reason)),
        )
        for path, result in results.items()
        for line, reason in result.refusals
    ]
    return Table("Refused files", ("file", "line", "why"), tuple(rows))


def _largest(paths: Sequence[Path], results: dict[Path, FileResult]) -> Table:
    rows = []
    for path in paths:
        seconds, megabytes = _cost(path)
        result = results[path]
        cells = (
            Cell(result.variables, form=",d"),
            Cell(result.triples, form=",d"),
            Cell(seconds, form=".1f"),
            Cell(megabytes, form=".0f"),
        )
        rows.append((path.name, cells))
    header = ("file", "variables", "triples", "CPU seconds", "memory, MB")
    title = "Largest files, scored with themselves: the whole program"
    return Table(title, header, tuple(rows))


def _cost(path: Path) -> tuple[float | None, float | None]:
    """Measure the CPU seconds and the memory of scoring a file with itself."""
    if not hasattr(os, "wait4"):
        return None, None
    words = [sys.executable, "-m", "exactmatch", str(path), str(path)]
    words += ["--profile", "umr", "--quiet", "--output", os.devnull]
    process = os.posix_spawn(words[0], words, os.environ)
    _, code, usage = os.wait4(process, 0)
    if code:
        return None, None
    unit = 1 if sys.platform == "darwin" else 1024
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit / 1e6
