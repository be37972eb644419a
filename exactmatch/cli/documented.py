"""What functions and classes say of themselves, which is what help shows."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any


def documentation(described: Callable[..., Any]) -> str:
    """The docstring of a function or class, not indented.

    ``python -OO`` drops docstrings; then it is read from the source, and empty where
    there is none.
    """
    if described.__doc__ is not None:
        return inspect.cleandoc(described.__doc__)
    import ast
    import textwrap

    try:
        source = textwrap.dedent(inspect.getsource(described))
    except (OSError, TypeError):
        return ""
    (stated,) = ast.parse(source).body
    if isinstance(stated, ast.FunctionDef | ast.ClassDef):
        return ast.get_docstring(stated) or ""
    return ""
