"""The distances of a set in a folder: a matrix, bounds, and what was asked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import InputError
from exactmatch.base.files import atomic_output
from exactmatch.studies.answer import Answer

Floats = npt.NDArray[np.float64]
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

    >>> import exactmatch.studies
    >>> truth = exactmatch.studies.ground_truth("set.jsonl", "truth")  # doctest: +SKIP
    >>> truth.distances.shape  # doctest: +SKIP
    (700, 700)
    """

    VIEW = "exactmatch.studies.ground_truth.view:tables"

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
        """Open a folder, or make it.

        Raises:
            InputError: if it holds something else, or it cannot be written.
        """
        path = folder / MANIFEST
        if path.exists():
            found = cls.of(folder)
            for key, value in asked.items():
                if found.manifest["asked"].get(key) != value:
                    what = "of other graphs"
                    if key != "graphs":
                        what = f"under another {key.replace('_', '-')}"
                    raise InputError(
                        f"{folder}: holds the ground truth {what}; name another "
                        "folder, or remove this one"
                    )
            return found
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise InputError(f"{folder}: is there, and holds no ground truth")
        size = len(names)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tables: dict[str, Floats] = {
                name: np.lib.format.open_memmap(
                    folder / f"{name}.npy", "w+", np.float64, (size, size)
                )
                for name in TABLES
            }
        except OSError as error:
            raise InputError(f"{folder}: cannot be written: {error}") from None
        for table in tables.values():
            table[:] = np.nan
            np.fill_diagonal(table, 0)
        manifest = {
            "kind": _KIND,
            "asked": asked,
            "pairs": 0,
            "done": 0,
            "proven": 0,
            "names": list(names),
            "sizes": sizes,
        }
        made = cls(folder, manifest, tables)
        made.save()
        return made

    @classmethod
    def of(cls, folder: Path) -> GroundTruth:
        """Open a folder.

        Raises:
            InputError: if it holds no ground truth.
        """
        try:
            manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
            if manifest["kind"] != _KIND:
                raise ValueError
            tables = {n: np.load(folder / f"{n}.npy", mmap_mode="r+") for n in TABLES}
            size = len(manifest["names"])
            if any(table.shape != (size, size) for table in tables.values()):
                raise ValueError
        except (OSError, ValueError, KeyError, TypeError):
            raise InputError(
                f"{folder}: holds no whole ground truth; name another folder"
            ) from None
        return cls(folder, manifest, tables)

    def put(self, pairs: npt.NDArray[np.intc], lower: Floats, upper: Floats) -> None:
        """Take the bounds of some pairs."""
        proven = np.abs(upper - lower) < 1e-9
        values = {
            "distances": np.where(proven, upper, np.nan),
            "bounds": lower,
            "paths": upper,
        }
        for name, found in values.items():
            self.place(name, pairs, found)
        self.manifest["done"] += len(pairs)
        self.manifest["proven"] += int(proven.sum())

    def place(self, name: str, pairs: npt.NDArray[np.intc], found: Floats) -> None:
        """Write values of pairs into a matrix, on both sides of its diagonal."""
        i, k = pairs.T
        self.tables_of[name][i, k] = self.tables_of[name][k, i] = found

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
