"""Results as Parquet files: rows in batches, with texts beside them.

The columns of pairs have the types of data frames, whatever the values, so that a
folder of such files is one table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TextIO

from exactmatch.base.errors import InputError
from exactmatch.base.json_texts import dumps
from exactmatch.base.registry import installed
from exactmatch.views.data import TYPES
from exactmatch.views.tables import Row, Tables


class ParquetRows:
    """Rows of a Parquet file, which are written batch by batch.

    Args:
        stream: a stream of text over the file.
        fields: the names of the columns.
        types: their types, by narwhals' names; default: those of data frames.

    Raises:
        InputError: if the stream is not that of a file.
        MissingExtraError: if pyarrow is missing.
    """

    def __init__(
        self, stream: TextIO, fields: Sequence[str], types: Mapping[str, str] = TYPES
    ) -> None:
        arrow: Any = installed("pyarrow", "--format parquet needs", "tables")
        parquet: Any = installed("pyarrow.parquet", "--format parquet needs", "tables")
        file = getattr(stream, "buffer", None)
        if file is None:
            raise InputError(
                "Parquet is written to a file, in any order of its parts; name it with "
                "-o FILE.parquet"
            )
        kinds = {
            "Int64": arrow.int64(),
            "String": arrow.string(),
            "Boolean": arrow.bool_(),
            "Float64": arrow.float64(),
        }
        self._schema = arrow.schema(
            [(name, kinds[types.get(name, "Float64")]) for name in fields]
        )
        self._table = arrow.Table
        self._writer = parquet.ParquetWriter(file, self._schema)

    def write(self, rows: Sequence[Row]) -> None:
        """Write rows together; lists in columns of text become JSON."""
        columns = {
            field.name: [_value(row.get(field.name), field.type) for row in rows]
            for field in self._schema
        }
        self._writer.write_table(self._table.from_pydict(columns, self._schema))

    def close(self, metadata: Mapping[str, str] | None = None) -> None:
        """Finish the file, with texts by their names in its metadata."""
        if metadata:
            self._writer.add_key_value_metadata(dict(metadata))
        self._writer.close()


def _value(value: Any, kind: Any) -> Any:
    is_text = value is None or isinstance(value, str)
    return dumps(value) if str(kind) == "string" and not is_text else value


def write_parquet(stream: TextIO, tables: Tables) -> None:
    """Write the rows that CSV has, and what the tables say beside them."""
    flat = tables.flat
    types = {name: _type([row.get(name) for row in flat.rows]) for name in flat.fields}
    file = ParquetRows(stream, flat.fields, types)
    file.write(flat.rows)
    file.close(tables.metadata)


def _type(values: Sequence[Any]) -> str:
    """Return the type of a column of these values."""
    known = {type(value) for value in values if value is not None}
    if known <= {bool}:
        return "Boolean" if known else "String"
    if known <= {int}:
        return "Int64"
    return "Float64" if known <= {int, float} else "String"
