r"""Results for programs: JSON, JSON Lines, CSV and data frames, in full precision.

JSON escapes the characters that control a terminal, so that it can be shown safely and
read back without loss.  CSV has no escapes, and spreadsheets run texts that look like
formulas, so there control characters are written visibly (``\x1b``), and a text that
begins with ``=``, ``+``, ``-`` or ``@`` and is not a number gets an apostrophe in
front.

Sources: OWASP, "CSV Injection" (https://owasp.org/www-community/attacks/CSV_Injection);
narwhals (https://narwhals-dev.github.io/narwhals), which makes frames of pandas, polars
and pyarrow alike.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, TextIO

from exactmatch.base.errors import InputError
from exactmatch.base.registry import installed
from exactmatch.base.visible import CONTROLS, visible
from exactmatch.views.tables import Tables

_FORMULA = re.compile("[=+\\-@＝＋－＠]")
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_QUOTED = re.compile('[",#\r\n]')
_CONTROL = re.compile(f"[{CONTROLS}]")


def write_json(stream: TextIO, value: Any, indent: int | None = None) -> None:
    """Write plain data as JSON and end the line; without *indent*, on one line.

    Numbers that JSON lacks (NaN, infinity) become ``null``, and -0.0 becomes 0.0.
    """
    text = json.dumps(_plain(value), ensure_ascii=False, indent=indent, allow_nan=False)
    if not text.isprintable():
        text = _CONTROL.sub(_json_escape, text)
    stream.write(f"{text}\n")


def _json_escape(match: re.Match[str]) -> str:
    """Escape a control character that the encoder left, except its own line feeds."""
    character = match.group()
    return character if character == "\n" else f"\\u{ord(character):04x}"


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return value + 0.0 if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def csv_cell(value: Any) -> Any:
    """Return a value as a cell that no spreadsheet takes for a formula.

    >>> csv_cell("=1+1"), csv_cell("-1"), csv_cell(-0.5)
    ("'=1+1", '-1', -0.5)
    """
    if isinstance(value, float):
        return "" if math.isnan(value) else value + 0.0
    if not isinstance(value, str):
        return value
    text = visible(value)
    is_formula = _FORMULA.match(text) and not _NUMBER.fullmatch(text)
    return f"'{text}" if is_formula else text


def write_json_document(stream: TextIO, tables: Tables) -> None:
    """Write the data as one JSON document."""
    data = tables.data
    if tables.provenance is not None:
        data = {**data, "provenance": tables.provenance.record()}
    write_json(stream, data, indent=2)


def write_json_lines(stream: TextIO, tables: Tables) -> None:
    """Write an object a line: the rows of the flat table, or the lines given."""
    if tables.lines is not None:
        for line in tables.lines:
            write_json(stream, line)
        return
    fields = tables.flat.fields
    for row in tables.flat.rows:
        write_json(stream, {field: row.get(field) for field in fields})


def write_csv(stream: TextIO, tables: Tables) -> None:
    """Write the flat table under a header line, and nothing else.

    ``None``, NaN and missing values become empty cells.  A cell with ``#`` is quoted,
    so that programs that read comments do not take it for one.
    """
    fields = tables.flat.fields
    stream.write(_csv_line(fields))
    for row in tables.flat.rows:
        stream.write(_csv_line([row.get(field) for field in fields]))


def _csv_line(values: Sequence[Any]) -> str:
    """Return a row of cells that no spreadsheet takes for formulas."""
    return csv_line(["" if value is None else str(csv_cell(value)) for value in values])


def csv_line(cells: Iterable[str]) -> str:
    r"""Return a row with the quotes that RFC 4180 needs, and around ``#``.

    The writer of Python's ``csv`` quotes differently from version to version.

    >>> csv_line(["a", "b, c"])
    'a,"b, c"\n'
    """
    quoted = (
        '"{}"'.format(cell.replace('"', '""')) if _QUOTED.search(cell) else cell
        for cell in cells
    )
    line = ",".join(quoted)
    return f"{line}\n" if line else '""\n'


require = partial(installed, needed_by="data frames need")

BACKENDS = ("pandas", "polars", "pyarrow")  # the first choice first

_TEXTS = (
    *("id", "metric", "solver", "proof", "problem", "faults"),
    *("system", "baseline", "first", "second", "kind", "detail"),
)
TYPES = {
    "index": "Int64",
    **dict.fromkeys(_TEXTS, "String"),
    **dict.fromkeys(("proven", "certified"), "Boolean"),
}
"""The types of columns, by narwhals' names; others hold texts or real numbers."""


def frame_of(columns: dict[str, list[Any]], backend: str | None = None) -> Any:
    """Return a data frame of columns, whose types follow from their names.

    The backend is one of :data:`BACKENDS`; default: the first that is installed.
    """
    from importlib.util import find_spec

    narwhals = require("narwhals")
    if backend is None:
        backend = next((name for name in BACKENDS if find_spec(name)), BACKENDS[0])
    if backend not in BACKENDS:
        advice = f"choose one of {', '.join(BACKENDS)}"
        raise InputError(f"there is no data frame of {backend!r}; {advice}")
    require(backend)
    frame = narwhals.from_dict(columns, backend=backend)
    typed = {}
    for name, values in columns.items():
        is_text = any(isinstance(value, str) for value in values)
        typed[name] = TYPES.get(name, "String" if is_text else "Float64")
    if backend == "pandas":  # its Boolean turns missing values into False
        typed = {name: kind for name, kind in typed.items() if kind != "Boolean"}
    frame = frame.with_columns(
        narwhals.col(name).cast(getattr(narwhals, kind)) for name, kind in typed.items()
    )
    native = frame.to_native()
    if backend == "pandas":
        native = native.astype(dict.fromkeys(set(columns) - set(typed), "boolean"))
    return native
