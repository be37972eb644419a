"""Messages of errors, read from source code."""

import ast
from collections.abc import Iterator


def messages_of(source: str) -> Iterator[str]:
    """Yield the messages of the errors in source code; ``…`` stands for values."""
    for node in ast.walk(ast.parse(source)):
        call = node.exc if isinstance(node, ast.Raise) else None
        if isinstance(call, ast.Call) and call.args:
            error = getattr(call.func, "id", "")
            text = _text(call.args[0])
            if error.endswith("Error") and " " in text.replace("…", "").strip():
                yield text


def _text(value: ast.expr) -> str:
    if isinstance(value, ast.Constant):
        return str(value.value).replace("\n", " ")
    if isinstance(value, ast.JoinedStr):
        return "".join(map(_text, value.values))
    return "…"
