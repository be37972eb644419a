"""A bank: many graphs prepared for similarity search, in memory or in a file.

A bank keeps packed graphs and an inverted index: for each concept, attribute and role
the graphs that have it.  The index alone gives, for all graphs of the bank at once, an
upper bound on the number of triples that each can share with a query.

A bank's file is mapped into memory: opening one of 100,000 graphs takes as long as
checking it.  It begins with the line ``exactmatch bank`` and its version, then a line
of JSON with the place, length, type and CRC-32 of every array.

Somebody else may have written it, with right checksums.  So every number of a graph is
checked before a kernel uses it, and the index must be that of these graphs.  Only that
they are the graphs of the corpus cannot be checked.
"""

from __future__ import annotations

import json
import mmap
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from exactmatch.base import compiled as kernels
from exactmatch.base.errors import InputError
from exactmatch.base.files import replacing
from exactmatch.base.inputs import note_input
from exactmatch.base.json_files import value_in
from exactmatch.base.numbers import several
from exactmatch.base.options import documented, takes
from exactmatch.base.version import __version__
from exactmatch.many.options import BankOptions, Reads
from exactmatch.many.packed import Keys, PackedGraphs, index_of, pack, recode
from exactmatch.many.reading import Reader
from exactmatch.metrics.aligning import AligningMetric, aligning
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.proofs import profile_of

_packing: Any = kernels.load("exactmatch.engine._packing")

MAGIC = b"exactmatch bank 1\n"  # the first line; the number is that of the format
_ALIGN = 64
_TYPES = ("|u1", "<i4", "<i8", "<i8", "<i4", "<i4", "<i4")  # of the arrays
_HEAD = {"version": str, "arrays": list[tuple[int, int, str, int]]}
_WORDS = {
    "unary": list[str | list[str]],
    "roles": list[str],
    "ids": list[str],
    "profile": dict[str, Any],
}
"""Shapes of the line of JSON, and of the first array."""
_VERIFIED = 2  # arrays that checksums verify: the words and the graphs
_LEAST = 6  # numbers in a packed graph without keys


class Bank:
    """Graphs prepared for similarity search under Smatch.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if the metric is not Smatch, of graphs or of their parts, solved by
            ``auto`` or ``bnb``; or a graph is a document that restricts what may be
            aligned.

    Attributes:
        metric: the metric, with its profile.
        graphs: the packed graphs.
        keys: the numbers of concepts, attributes and roles.
        ids: the ``# ::id`` of each graph; empty where it has none.
        index: the inverted index, see :func:`~exactmatch.many.packed.index_of`.

    >>> import exactmatch
    >>> bank = exactmatch.many.Bank(["(b / bark-01)", "(s / sleep-01)", "(d / dog)"])
    >>> exactmatch.search(["(x / sleep-01)"], bank, 1)
    [[(1, 1.0)]]
    """

    __slots__ = ("graphs", "ids", "index", "keys", "metric")

    metric: AligningMetric[Any]
    graphs: PackedGraphs
    keys: Keys
    ids: Sequence[str]
    index: tuple[npt.NDArray[Any], ...]

    @takes(BankOptions)
    def __init__(self, options: BankOptions) -> None:
        reader = Reader(options)
        reader.take(options.one_metric("a bank"))
        self._fill(*_packed(reader, reader.list(options.graphs)))
        reader.finish()
        reader.say_losses()

    def _fill(self, *fields: Any) -> Bank:
        self.metric, self.graphs, self.keys, self.ids, self.index = fields
        return self

    def __len__(self) -> int:
        return len(self.graphs)

    def __repr__(self) -> str:
        return f"<bank of {several(len(self), 'graph')} under {self.metric.name}>"

    @classmethod
    @takes(BankOptions)
    def build(cls, options: BankOptions) -> Bank:
        """Make a bank; the same as calling the class."""
        return cls(**vars(options))

    @classmethod
    def read(cls, reader: Reader, graphs: Iterable[Any]) -> Bank:
        """Make a bank of graphs that a reader reads."""
        return cls.__new__(cls)._fill(*_packed(reader, graphs))

    def under(self, options: Reads, place: str = "") -> Bank:
        """Return the bank with the solver of the options; messages name the *place*.

        The options may change neither metric nor profile.
        """
        bank_metric = self.metric
        named = bank_metric.profile if options.profile is None else options.profile
        is_own = options.metric in (None, "smatch") and not options.explicit_options()
        profile = options.replace(profile=named).chosen_profile("")
        if not is_own or profile != bank_metric.profile:
            raise InputError(
                f"{place}a bank has its metric and profile; build another bank to "
                "change them"
            )
        if not options.names_solver and options.max_terms is None:
            return self
        solver = options.one_solver() if options.names_solver else bank_metric.solver
        metric = Smatch(bank_metric.profile, solver, options.max_terms)
        if metric.preparation_key != bank_metric.preparation_key or not metric.packs:
            raise InputError(
                f"{place}a bank is searched with the solver 'auto' or 'bnb'; name "
                "graphs in its place for another one"
            )
        same = (self.graphs, self.keys, self.ids, self.index)
        return Bank.__new__(Bank)._fill(metric, *same)

    def packed(self, others: Bank | Iterable[Any]) -> PackedGraphs:
        """Return another bank, or graphs that the metric has read, with these keys.

        It is an error if the other bank has another metric or a graph is not packable.
        """
        if not isinstance(others, Bank):
            return pack(self.metric, others, self.keys, learn=False)
        if others is self:
            return self.graphs
        own_metric, other_metric = self.metric, others.metric
        same = own_metric.preparation_key == other_metric.preparation_key
        if not same or own_metric.signature() != other_metric.signature():
            raise InputError(
                "the two banks have different profiles or solvers; build one of them "
                "again"
            )
        return recode(others.graphs, others.keys, self.keys)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the bank to a file; it gets its name only when it is complete."""
        if self.metric.preparation_key != Smatch(self.metric.profile).preparation_key:
            raise InputError(
                f"a bank of {self.metric.name} cannot be saved; only one of smatch can"
            )
        words = {
            "unary": list(self.keys.unary),
            "roles": list(self.keys.roles),
            "ids": list(self.ids),
            "profile": asdict(self.metric.profile),
        }
        text = json.dumps(words, ensure_ascii=False).encode()
        cells, begins = self.graphs.cells, self.graphs.begins
        arrays: list[npt.NDArray[Any]] = [np.frombuffer(text, dtype=np.uint8)]
        arrays += [cells, begins, *self.index]
        places, at = [], 0
        for array in arrays:
            crc = zlib.crc32(np.ascontiguousarray(array).data)
            places.append([at, len(array), array.dtype.str, crc])
            at += -(-array.nbytes // _ALIGN) * _ALIGN
        head = MAGIC + json.dumps({"version": __version__, "arrays": places}).encode()
        head += b" " * (-(len(head) + 1) % _ALIGN) + b"\n"
        with replacing(Path(path)) as file:
            file.write(head)
            for array in arrays:
                file.write(np.ascontiguousarray(array).data)
                file.write(b"\0" * (-array.nbytes % _ALIGN))

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Bank:
        """Map a bank's file into memory.

        Raises:
            InputError: if there is no such file, or it is not a bank, has another
                format, or is damaged.
        """
        name = os.fspath(path)
        if not os.path.isfile(name):
            reason = "is not a file" if os.path.exists(name) else "no such file"
            raise InputError(f"{name}: {reason}")
        note_input(name)
        with open(name, "rb") as file:
            if file.readline() != MAGIC:
                hint = "build it again from its graphs"
                raise InputError(f"{name}: is not a bank of this version; {hint}")
            head = file.readline()
            start = file.tell()
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        try:
            arrays = _arrays(mapped, start, value_in(head, _HEAD)["arrays"])
            words = value_in(arrays[0].tobytes(), _WORDS)
            unary = [k if type(k) is str else tuple(k) for k in words["unary"]]
            roles, ids = words["roles"], tuple(words["ids"])
            metric = Smatch(profile_of(words["profile"], name))
            keys = Keys(
                {key: number for number, key in enumerate(unary)},
                {role: number for number, role in enumerate(roles)},
            )
            if (len(keys.unary), len(keys.roles)) != (len(unary), len(roles)):
                raise ValueError("a key has two numbers")
            graphs, index = PackedGraphs(arrays[1], arrays[2]), tuple(arrays[3:])
            if len(ids) != len(graphs):
                raise ValueError("it does not have an id for each graph")
            _check(graphs, index, keys)
        except ValueError as error:
            raise InputError(
                f"{name}: the bank is damaged ({error}); build it again from its graphs"
            ) from None
        return cls.__new__(cls)._fill(metric, graphs, keys, ids, index)

    @staticmethod
    def is_bank(path: str | os.PathLike[str]) -> bool:
        """Return whether a file begins as a bank does.

        A file that cannot be opened does not, nor a pipe, which can be read only once.
        """
        try:
            if not os.path.isfile(path):
                return False
            with open(path, "rb") as file:
                return file.read(len(MAGIC)).startswith(MAGIC.split(b" 1")[0])
        except OSError:
            return False

    def names(self) -> list[str]:
        """Return the id of each graph, or its number from 1."""
        return [graph_id or str(k + 1) for k, graph_id in enumerate(self.ids)]


Bank.__doc__ = documented(Bank.__doc__ or "", BankOptions)


def _packed(reader: Reader, graphs: Iterable[Any]) -> tuple[Any, ...]:
    metric_of_reader = reader.metric
    if not metric_of_reader.packs:
        raise InputError(
            "a bank is searched under smatch, with the solver 'auto' or 'bnb'; give "
            "search a list of graphs for any other metric"
        )
    keys, metric = Keys(), aligning(metric_of_reader)
    ids: list[str] = []

    def noted() -> Iterator[Any]:
        for item in reader.read(graphs):
            ids.append(item.id or "")
            yield item

    packed = pack(metric, noted(), keys, learn=True)
    return metric, packed, keys, tuple(ids), index_of(packed, keys)


def _arrays(
    mapped: mmap.mmap, start: int, places: Sequence[Sequence[Any]]
) -> list[npt.NDArray[Any]]:
    """Return the arrays of a file; check the checksums of the first ones."""
    arrays: list[npt.NDArray[Any]] = []
    if tuple(dtype for _, _, dtype, _ in places) != _TYPES:
        raise ValueError("it has other arrays than a bank")
    for at, length, dtype, crc in places:
        if min(at, length) < 0:
            raise ValueError("an array has no place")
        if max(at, length) > len(mapped):
            raise ValueError("an array is not all there")
        array = np.frombuffer(mapped, np.dtype(dtype), length, start + at)
        if len(arrays) < _VERIFIED and zlib.crc32(array.data) != crc:
            raise ValueError("a checksum is wrong")
        arrays.append(array)
    return arrays


def _check(
    graphs: PackedGraphs, index: tuple[npt.NDArray[Any], ...], keys: Keys
) -> None:
    """Refuse numbers that are not those of packed graphs and of their index."""
    n_unary, n = len(keys.unary), len(keys.unary) + len(keys.roles)
    begins, (starts, *postings) = graphs.begins, index
    last = len(graphs.cells) if len(begins) > 1 else 0
    if not _grows(begins, last) or np.any(np.diff(begins) < _LEAST):
        raise ValueError("its graphs do not stand one behind the other")
    sizes = {len(column) for column in postings}
    if len(starts) != n + 1 or len(sizes) != 1 or not _grows(starts, *sizes):
        raise ValueError("its index is not that of its graphs")
    salts = (int.from_bytes(os.urandom(8), "little") | 1 for _ in range(2))
    fault = _packing.first_fault(graphs.cells, begins, *index, n_unary, *salts)
    if fault == len(graphs):
        raise ValueError("its index is not that of its graphs")
    if fault >= 0:
        raise ValueError(f"the numbers of graph {fault + 1} are not those of a graph")


def _grows(places: npt.NDArray[np.int64], last: int) -> bool:
    """Return whether places begin with 0, never fall and end with *last*."""
    ends = bool(len(places)) and places[0] == 0 and places[-1] == last
    return ends and bool(np.all(places[1:] >= places[:-1]))
