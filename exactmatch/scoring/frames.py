"""Results as a data frame of whatever package the user has.

Source: narwhals (https://narwhals-dev.github.io/narwhals), which makes frames of
pandas, polars and pyarrow alike.
"""

from functools import partial
from importlib.util import find_spec
from typing import Any

from exactmatch.base.errors import InputError
from exactmatch.base.registry import optional

BACKENDS = ("pandas", "polars", "pyarrow")  # the first choice first

_TEXTS = (
    *("id", "metric", "solver", "proof", "problem", "faults"),
    *("system", "baseline", "first", "second", "kind", "detail"),
)
_TYPES = {
    "index": "Int64",
    **dict.fromkeys(_TEXTS, "String"),
    **dict.fromkeys(("proven", "certified"), "Boolean"),
}
"""The types of columns, by narwhals' names; others hold texts or real numbers."""


def frame_of(columns: dict[str, list[Any]], backend: str | None = None) -> Any:
    """A data frame of columns, which have the types that their names stand for.

    The backend is one of :data:`BACKENDS`; default: the first that is installed.
    """
    narwhals = require("narwhals")
    if backend is None:
        backend = next((name for name in BACKENDS if find_spec(name)), BACKENDS[0])
    if backend not in BACKENDS:
        known = f"choose one of {', '.join(BACKENDS)}"
        raise InputError(f"there is no data frame of {backend!r}; {known}")
    require(backend)
    made = narwhals.from_dict(columns, backend=backend)
    typed = {}
    for name, values in columns.items():
        is_text = any(isinstance(value, str) for value in values)
        typed[name] = _TYPES.get(name, "String" if is_text else "Float64")
    if backend == "pandas":  # whose own Boolean makes False of what is missing
        typed = {name: kind for name, kind in typed.items() if kind != "Boolean"}
    made = made.with_columns(
        narwhals.col(name).cast(getattr(narwhals, kind)) for name, kind in typed.items()
    )
    native = made.to_native()
    if backend == "pandas":
        native = native.astype(dict.fromkeys(set(columns) - set(typed), "boolean"))
    return native


require = partial(optional, needed_by="data frames need")
