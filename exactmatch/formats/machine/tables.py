"""Columns of Parquet files, and of datasets as Hugging Face saves them.

Such files are untrusted, and a few hundred bytes of one may stand for terabytes.  So
only the columns that are named are read, in batches, and their sizes are counted
before anything is unpacked: in Parquet by the headers of pages
(:mod:`exactmatch.formats.machine.parquet_pages`), in Arrow by those of messages
(:mod:`exactmatch.formats.machine.arrow_messages`), and once
more in batches, which are validated before a value is looked at, before any of them
becomes a value of Python.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from exactmatch.base.errors import InputError
from exactmatch.base.inputs import max_bytes
from exactmatch.formats.files import dataset_files, is_dataset
from exactmatch.formats.machine.arrow_messages import check_messages
from exactmatch.formats.machine.parquet_pages import (
    VALUE,
    check_pages,
    size_of_item,
    size_of_rows,
    too_large,
)

Batches: TypeAlias = Callable[[], Iterator[tuple[int, Any]]]
"""Reads batches, each with the size of its file, as often as it is called."""

_WIDEST = 2**10  # items of a list of fixed size, which nulls have, too


_OF_VALUES = (ValueError, OverflowError)  # dates, for example, that Python lacks


class ColumnNames(NamedTuple):
    """The columns that somebody wants to read of a table."""

    names: Sequence[str]  # the first that is there holds the values
    also: Sequence[str] = ()  # those that are read where they are there

    def of(self, columns: Sequence[str]) -> list[str]:
        """Return the names, of columns or of fields in them, that a table has."""
        value = next((column for column in self.names if _has(columns, column)), None)
        also = (name for name in self.also if _has(columns, name))
        return [] if value is None else [*dict.fromkeys((value, *also))]


def _has(columns: Sequence[str], name: str) -> bool:
    return name in columns or name.partition(".")[0] in columns


class Table(NamedTuple):
    """The names of a table's columns, and its rows with the chosen columns."""

    columns: tuple[str, ...]
    rows: Iterator[dict[str, Any]]


def read_table(path: str, chosen: ColumnNames) -> Table:
    """Read a Parquet file, or the folder of a dataset.

    The rows have no column where none of the names is there.

    Raises:
        InputError: if there is no such file, it is damaged, a column is of a type that
            is not read, or the columns unpack to more than ``--max-bytes``.
    """
    try:
        import pyarrow as pa
    except ImportError:
        raise InputError(
            f"{path}: needs pyarrow: pip install 'exactmatch[tables]'"
        ) from None
    with _refused(path, pa):
        if not os.path.exists(path):
            raise InputError(f"{path}: no such file")
        read = _dataset if is_dataset(path) else _parquet
        columns, batches = read(path, chosen, pa)
        _check(path, batches())
    return Table(columns, _rows(path, batches(), pa))


@contextmanager
def _refused(path: str, pa: Any) -> Iterator[None]:
    """Say in a sentence what pyarrow and Python say about a damaged table."""
    try:
        yield
    except InputError:
        raise
    except (pa.ArrowException, OSError, LookupError, *_OF_VALUES) as error:
        reason = " ".join(str(error).split())[:300]
        raise InputError(f"{path}: cannot be read as a table: {reason}") from None


def _check(path: str, batches: Iterator[tuple[int, Any]]) -> None:
    """Validate batches, and refuse those that unpack to more than ``--max-bytes``."""
    remaining_bytes = max_bytes()
    for file_size, batch in batches:
        batch.validate(full=True)
        remaining_bytes -= size_of_rows(batch.num_rows, file_size)
        for column in batch.columns:
            remaining_bytes -= _size(column, file_size, remaining_bytes)
        if remaining_bytes < 0:
            raise too_large(path)


def _rows(
    path: str, batches: Iterator[tuple[int, Any]], pa: Any
) -> Iterator[dict[str, Any]]:
    """Yield the rows of batches that have been checked."""
    with _refused(path, pa):
        for _, batch in batches:
            names = batch.schema.names
            columns = [column.to_pylist() for column in batch.columns]
            for values in zip(*columns, strict=True):
                yield dict(zip(names, values, strict=True))


# ------------------------------------------------------------------------ Parquet


def _parquet(path: str, chosen: ColumnNames, _: Any) -> tuple[tuple[str, ...], Batches]:
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        metadata, schema = file.metadata, file.schema_arrow
        names = _named(path, schema, chosen)
        leaves = [
            place
            for place in range(len(metadata.schema))
            if _is_of(metadata.schema.column(place).path, names)
        ]
        if names and not leaves:  # a field that its column does not have
            names = []
        rows, dictionaries = check_pages(path, metadata, leaves)
    if not names:
        return tuple(schema.names), lambda: iter(())

    def batches() -> Iterator[tuple[int, Any]]:
        with pq.ParquetFile(path, read_dictionary=dictionaries) as file:
            for batch in file.iter_batches(rows, columns=names, use_threads=False):
                yield os.path.getsize(path), batch

    return tuple(schema.names), batches


def _is_of(path: str, names: Iterable[str]) -> bool:
    """Return whether a leaf of a Parquet file belongs to a column or its field."""
    return any(path == name or path.startswith(f"{name}.") for name in names)


def _named(path: str, schema: Any, chosen: ColumnNames) -> list[str]:
    """Return the columns that are read, of types that are."""
    names = chosen.of(schema.names)
    for name in names:
        column = name if name in schema.names else name.partition(".")[0]
        if len(schema.get_all_field_indices(column)) > 1:
            raise InputError(f"{path}: has two columns {column!r}; rename one of them")
        _check_type(schema.field(column).type, f"{path}: column {column!r}")
    return names


# ------------------------------------------------------------------------- Arrow


def _dataset(
    path: str, chosen: ColumnNames, pa: Any
) -> tuple[tuple[str, ...], Batches]:
    _, *files = dataset_files(path)
    columns: dict[str, None] = {}
    opened: list[tuple[str, list[str], Any]] = []
    for file in files:
        with pa.memory_map(file) as source:
            schema = pa.ipc.open_stream(source).schema
            columns |= dict.fromkeys(schema.names)
            names = _named(file, schema, chosen)
            if names:
                check_messages(file, pa)
        if opened and names != opened[0][1]:
            raise InputError(f"{file}: has other columns than {opened[0][0]}")
        opened.append((file, names, schema))
    if not any(names for _, names, _ in opened):
        return tuple(columns), lambda: iter(())

    def batches() -> Iterator[tuple[int, Any]]:
        for file, names, schema in opened:
            tops = [n if n in schema.names else n.partition(".")[0] for n in names]
            places = [schema.get_field_index(top) for top in tops]
            options = pa.ipc.IpcReadOptions(included_fields=sorted({*places}))
            with pa.memory_map(file) as source:
                for batch in pa.ipc.open_stream(source, options=options):
                    yield os.path.getsize(file), batch

    return tuple(columns), batches


# -------------------------------------------------------------- types and sizes


def _check_type(kind: Any, noun: str) -> None:
    """Refuse types that are not read, wherever they stand in a column's type."""
    import pyarrow as pa

    types = pa.types
    if isinstance(kind, pa.BaseExtensionType):
        kind = kind.storage_type
    if types.is_fixed_size_list(kind) and kind.list_size > _WIDEST:
        raise InputError(f"{noun} has lists of {kind.list_size:,} items")
    if types.is_dictionary(kind) and types.is_nested(kind.value_type):
        raise InputError(f"{noun} is of type {kind}, which is not read")
    is_read = (
        types.is_null(kind)
        or types.is_primitive(kind)
        or types.is_decimal(kind)
        or _is_text(kind)
        or types.is_dictionary(kind)
        or types.is_struct(kind)
        or _is_list(kind)
    )
    if not is_read:
        raise InputError(f"{noun} is of type {kind}, which is not read; write text")
    for part in _parts(kind):
        _check_type(part, noun)


def _is_list(kind: Any) -> bool:
    import pyarrow as pa

    types = pa.types
    return bool(
        types.is_list(kind)
        or types.is_large_list(kind)
        or types.is_fixed_size_list(kind)
    )


_TEXTS = ("string", "binary", "large_string", "large_binary")
_VIEWS = ("string_view", "binary_view")


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    return str(kind) in (*_TEXTS, *_VIEWS) or bool(pa.types.is_fixed_size_binary(kind))


def _parts(kind: Any) -> list[Any]:
    """Return the types within a type."""
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return [kind.value_type]
    return [kind.field(place).type for place in range(kind.num_fields)]


def _size(array: Any, file_size: int, limit: int, each: int = VALUE) -> int:
    """Return how many bytes an array takes, if each value stands for itself.

    Each value counts for so many bytes beside its text.  Where there are more than
    *limit*, they may not all be counted.
    """
    import pyarrow as pa

    if isinstance(array, pa.ExtensionArray):
        array = array.storage
    kind, size = array.type, len(array) * each
    if size > limit:
        return size
    if pa.types.is_dictionary(kind):
        if _is_text(kind.value_type):
            indices = _values(array.indices, _integer(array.indices.type))
            size += int(_lengths(array.dictionary)[indices[_is_valid(array)]].sum())
    elif _is_text(kind):
        size += int(_lengths(array)[_is_valid(array)].sum())
    elif pa.types.is_struct(kind):
        fields = map(array.field, range(kind.num_fields))
        size += sum(_size(field, file_size, limit, each) for field in fields)
    elif _is_list(kind):
        items = array.flatten()
        each = size_of_item(len(items), file_size)
        size += _size(items, file_size, limit, each)
    return size


def _lengths(array: Any) -> NDArray[np.int64]:
    """Return the lengths of texts, in bytes; those of nulls may be anything.

    They are read off the buffers: ``pyarrow.compute`` takes longer to be imported than
    most files to be read.
    """
    kind, count = array.type, len(array)
    if str(kind) in _VIEWS:  # 16 bytes each, of which the length comes first
        return _values(array, np.dtype("4i4"), 1)[:, 0].astype(np.int64)
    if not str(kind).startswith(_TEXTS):
        return np.full(count, kind.byte_width, np.int64)
    large = str(kind).startswith("large_")
    ends = _values(array, np.dtype(np.int64 if large else np.int32), 1, count + 1)
    return np.diff(ends).astype(np.int64)


def _integer(kind: Any) -> np.dtype[Any]:
    sign = "u" if str(kind).startswith("u") else "i"
    return np.dtype(f"{sign}{kind.bit_width // 8}")


def _values(
    array: Any, dtype: np.dtype[Any], place: int = 1, count: int | None = None
) -> NDArray[Any]:
    """Return the part of an array's buffer that holds its items, nulls included."""
    count = len(array) if count is None else count
    buffer = array.buffers()[place]
    if buffer is None or not count or not len(array):
        return np.zeros((count, *dtype.shape), dtype.base)
    return np.frombuffer(buffer, dtype, count, array.offset * dtype.itemsize)


def _is_valid(array: Any) -> NDArray[np.bool_]:
    """Return which items of an array are not null."""
    array = getattr(array, "indices", array)
    bits = array.buffers()[0]
    if bits is None or not array.null_count:
        return np.ones(len(array), np.bool_)
    begin, end = array.offset, array.offset + len(array)
    valid = np.unpackbits(np.frombuffer(bits, np.uint8), count=end, bitorder="little")
    return valid[begin:].astype(np.bool_)
