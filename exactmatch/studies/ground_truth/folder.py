"""Folder of a ground truth, whose files are checked before they are trusted.

The manifest lists each block of pairs that is done, with a CRC-32 of its values in each
matrix and of its proofs.  A later call keeps the blocks that are as they were written,
computes all other pairs again, and names the damaged files.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import InputError
from exactmatch.base.files import as_input_error, atomic_output, locked_folder
from exactmatch.base.json_files import read_object
from exactmatch.base.numbers import several
from exactmatch.edit.matrix import Intervals
from exactmatch.many.mapped_files import check_plain, made, reopened

Floats = npt.NDArray[np.float64]
Pairs = npt.NDArray[np.intc]
MANIFEST, PROOFS = "manifest.json", "proofs"
TABLES = ("distances", "bounds", "paths", "seconds")
"""Matrices of the folder: NaN where a distance is open, or a pair was not sampled."""

_KIND = "exactmatch ground truth 1"
_DTYPE = np.dtype(np.float64)
_TOLERANCE = 1e-9
_LARGEST = 2**28  # bytes of a manifest


class Block(NamedTuple):
    """Run of pairs that are done, with the checksums of their values and proofs."""

    begin: int
    end: int
    sums: list[int]


@dataclass
class TruthFolder:
    """Ground truth while one writer computes it.

    Attributes:
        place: the folder.
        fixed: the manifest's options, and the graphs' names and sizes.
        pairs: all pairs to compute, in order.
        has_proofs: whether each pair has a proof.
        tables: the matrices by name.
        blocks: the blocks that are done, in order.
        proven: the number of proven pairs among them.
        damage: a sentence for each thing that was not as it was written.
    """

    place: Path
    fixed: dict[str, Any]
    pairs: Pairs
    has_proofs: bool
    tables: dict[str, Floats] = field(default_factory=dict)
    blocks: list[Block] = field(default_factory=list)
    proven: int = 0
    damage: list[str] = field(default_factory=list)

    @property
    def manifest(self) -> dict[str, Any]:
        """Options of the run, its progress, and the names and sizes of the graphs."""
        n_done = sum(end - begin for begin, end, _ in self.blocks)
        counts = {"pairs": len(self.pairs), "done": n_done, "proven": self.proven}
        blocks = [[begin, end, *sums] for begin, end, sums in self.blocks]
        return {"kind": _KIND, **self.fixed, **counts, "blocks": blocks}

    def missing(self) -> Iterator[tuple[int, int]]:
        """Yield the runs of pairs that are not done."""
        at = 0
        for begin, end, _ in self.blocks:
            if at < begin:
                yield at, begin
            at = end
        if at < len(self.pairs):
            yield at, len(self.pairs)

    def put(self, begin: int, end: int, intervals: Intervals) -> None:
        """Write the bounds of a run of pairs, on both sides of the diagonals."""
        proven = np.abs(intervals.upper - intervals.lower) < _TOLERANCE
        distances = np.where(proven, intervals.upper, np.nan)
        values = distances, intervals.lower, intervals.upper, intervals.seconds
        i, k = self.pairs[begin:end].T
        for name, values_of_table in zip(TABLES, values, strict=True):
            self.tables[name][i, k] = self.tables[name][k, i] = values_of_table
        self.blocks.append(Block(begin, end, self._sums(begin, end)))
        self.blocks.sort()
        self.proven += int(proven.sum())
        with as_input_error(self.place):
            self.save()

    def save(self) -> None:
        """Write matrices and manifest, so that a later call goes on from here."""
        for table in self.tables.values():
            getattr(table, "flush", lambda: None)()
        with atomic_output(str(self.place / MANIFEST), short=True) as stream:
            json.dump(self.manifest, stream)
            stream.write("\n")

    def begin(self) -> None:
        """Make the matrices and the manifest; remove them after an error.

        Raises:
            OSError: if they cannot be written.
        """
        paths = [self._path(name) for name in TABLES]
        size = len(self.fixed["names"])
        try:
            for name, path in zip(TABLES, paths, strict=True):
                self.tables[name] = _empty(path, size)
            self.save()
        except BaseException:
            for path in (*paths, self.place / MANIFEST):
                with suppress(OSError):
                    path.unlink()
            raise

    def reopen(self, manifest: dict[str, Any]) -> None:
        """Take over what an earlier call wrote, as far as it can be trusted.

        Raises:
            InputError: if it is of other graphs or options.
            OSError: if a file cannot be read or written.
        """
        self._check_options(manifest["asked"])
        size = len(self.fixed["names"])
        for name in TABLES:
            path = self._path(name)
            table = reopened(path, (size, size), _DTYPE)
            if table is None:
                self.damage.append(f"{path}: is missing or damaged, and written anew")
                table = _empty(path, size)
            self.tables[name] = table
        for block in self._listed(manifest.get("blocks")):
            if where := self._damaged(block):
                pairs = several(block.end - block.begin, "pair")
                self.damage.append(
                    f"{where}: is damaged where it is about {pairs} from number "
                    f"{block.begin + 1} on, which are computed again"
                )
            else:
                self.blocks.append(block)
                i, k = self.pairs[block.begin : block.end].T
                self.proven += int((~np.isnan(self.tables["distances"][i, k])).sum())
        known = self.manifest
        del known["blocks"]
        if self.damage:
            del known["done"], known["proven"]
        for name, value in known.items():
            if name != "asked" and not _same(manifest.get(name), value):
                self.damage.append(
                    f"{self.place / MANIFEST}: {name!r} is damaged, and written anew"
                )
        self._clear()
        self.save()

    def _check_options(self, options: dict[str, Any]) -> None:
        """Refuse a folder of other graphs or options."""
        for key, value in self.fixed["asked"].items():
            if not _same(options.get(key), value):
                difference = f"under another {key.replace('_', '-')}"
                reason = "of other graphs" if key == "graphs" else difference
                raise InputError(
                    f"{self.place}: holds the ground truth {reason}; name another "
                    "folder, or remove this one"
                )

    def _listed(self, rows: Any) -> Iterator[Block]:
        """Yield the blocks that a manifest lists, which must not overlap."""
        path, at = self.place / MANIFEST, 0
        if not isinstance(rows, list):
            self.damage.append(
                f"{path}: has no list of blocks, so all pairs are computed again"
            )
            return
        for row in rows:
            is_row = isinstance(row, list) and {type(part) for part in row} == {int}
            if is_row and len(row) == 2 + self._number_of_sums:
                begin, end, *sums = row
                if at <= begin < end <= len(self.pairs):
                    yield Block(begin, end, sums)
                    at = end
                    continue
            self.damage.append(
                f"{path}: lists a block that cannot be, {json.dumps(row)[:60]}, whose "
                "pairs are computed again"
            )

    def _damaged(self, block: Block) -> Path | None:
        """Return the file in which a block is damaged, if any."""
        sums = self._sums(block.begin, block.end)
        names = (*TABLES, PROOFS)[: len(sums)]
        for name, listed, computed in zip(names, block.sums, sums, strict=True):
            if listed != computed:
                return self._path(name)
        i, k = self.pairs[block.begin : block.end].T
        distances, lower, upper, seconds = (self.tables[name][i, k] for name in TABLES)
        with np.errstate(invalid="ignore"):
            if not np.all((lower >= -_TOLERANCE) & (lower <= upper + _TOLERANCE)):
                return self._path("bounds")
            proven = np.abs(upper - lower) < _TOLERANCE
            expected = np.where(proven, upper, np.nan)
            if not np.array_equal(distances, expected, equal_nan=True):
                return self._path("distances")
            if not np.all((seconds >= 0) & np.isfinite(seconds)):
                return self._path("seconds")
        for name in TABLES:
            upper_half, lower_half = self.tables[name][i, k], self.tables[name][k, i]
            if not np.array_equal(upper_half, lower_half, equal_nan=True):
                return self._path(name)
        return None

    def _clear(self) -> None:
        """Set all values to NaN that are not of pairs that are done."""
        is_open = ~np.eye(len(self.fixed["names"]), dtype=bool)
        for begin, end, _ in self.blocks:
            i, k = self.pairs[begin:end].T
            is_open[i, k] = is_open[k, i] = False
        for table in self.tables.values():
            table[is_open & ~np.isnan(table)] = np.nan
            np.fill_diagonal(table, 0)

    @property
    def _number_of_sums(self) -> int:
        return len(TABLES) + self.has_proofs

    def _sums(self, begin: int, end: int) -> list[int]:
        """Return the checksums of the values and proofs of a run of pairs."""
        i, k = self.pairs[begin:end].T
        sums = [zlib.crc32(self.tables[name][i, k].tobytes()) for name in TABLES]
        if self.has_proofs:
            crc = 0
            for first, second in self.pairs[begin:end].tolist():
                for path in proof_files(self.place, first, second):
                    crc = zlib.crc32(_content(path), zlib.crc32(b"file", crc))
            sums.append(crc)
        return sums

    def _path(self, name: str) -> Path:
        return self.place / (name if name == PROOFS else f"{name}.npy")


def proof_files(place: Path, first: int, second: int) -> tuple[Path, Path]:
    """Return the files of a pair's problem and proof; graphs are counted from 0."""
    stem = place / PROOFS / f"{first + 1}-{second + 1}"
    return stem.with_suffix(".opb"), stem.with_suffix(".pbp")


@contextmanager
def opened(
    place: Path, fixed: dict[str, Any], pairs: Pairs, has_proofs: bool
) -> Iterator[TruthFolder]:
    """Open or make the folder of a ground truth, and lock it for one writer.

    Raises:
        InputError: if it holds something else, cannot be written, or another process
            or thread writes to it.
    """
    fixed = json.loads(json.dumps(fixed))
    folder = TruthFolder(place, fixed, pairs, has_proofs)
    is_new = not place.exists()
    if not is_new and not place.is_dir():
        raise InputError(f"{place}: is there, and holds no ground truth")
    with as_input_error(place):
        place.mkdir(parents=True, exist_ok=True)
    with locked_folder(place):
        with as_input_error(place):
            manifest = _manifest(place)
            if manifest is not None:
                folder.reopen(manifest)
            elif any(place.iterdir()):
                raise InputError(f"{place}: is there, and holds no ground truth")
            else:
                try:
                    folder.begin()
                except BaseException:
                    if is_new:
                        with suppress(OSError):
                            place.rmdir()
                    raise
        yield folder


def _manifest(place: Path) -> dict[str, Any] | None:
    """Read a folder's manifest; ``None`` where there is none."""
    path = place / MANIFEST
    check_plain(path)
    if not path.exists():
        return None
    label = "the manifest of a ground truth"
    try:
        manifest = read_object(str(path), label, {"kind": str, "asked": dict}, _LARGEST)
        if manifest["kind"] != _KIND:
            raise InputError(f"{path}: is not {label} of this version")
    except InputError as error:
        raise InputError(
            f"{error}; so the folder holds no whole ground truth: name another folder, "
            "or remove this one"
        ) from None
    return manifest


def _same(first: Any, second: Any) -> bool:
    """Compare values of JSON, in which 1 is neither 1.0 nor true."""
    return type(first) is type(second) and json.dumps(first) == json.dumps(second)


def _empty(path: Path, size: int) -> Floats:
    """Make the file of a matrix of distances, all of them open but the diagonal."""
    with suppress(FileNotFoundError):
        path.unlink()
    table: Floats = made(path, (size, size), _DTYPE)
    table[:] = np.nan
    np.fill_diagonal(table, 0)
    return table


def _content(path: Path) -> bytes:
    """Return what a file holds; nothing where it cannot be read."""
    with suppress(OSError):
        if os.path.isfile(path):
            return path.read_bytes()
    return b""
