"""The example notebook runs, shows what stands in it, and is typed.

It is read as the JSON that it is and its cells run one after another, so that the
tests need neither Jupyter nor a kernel.  ``jupyter nbconvert --execute --inplace``
writes its outputs anew.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

import pytest
from support.type_checking import PACKAGE, Mypy, pyright

NOTEBOOK = Path(__file__).parents[2] / "docs" / "how-to" / "example.ipynb"
CELLS = [
    cell
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    if cell["cell_type"] == "code"
]
SOURCE = "\n\n".join("".join(cell["source"]) for cell in CELLS)


def run(source: str, namespace: dict[str, Any]) -> tuple[str, Any]:
    """What a cell prints, and the value of the expression that it ends with."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    value = None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, NOTEBOOK.name, "exec"), namespace)
        if isinstance(last, ast.Expr):
            expression = ast.Expression(last.value)
            value = eval(compile(expression, NOTEBOOK.name, "eval"), namespace)
    return printed.getvalue(), value


def shown(cell: dict[str, Any], kind: str) -> str:
    """The text of a cell's outputs of one kind."""
    found = [output for output in cell["outputs"] if output["output_type"] == kind]
    texts = (
        out["text"] if "text" in out else out["data"]["text/plain"] for out in found
    )
    return "".join("".join(text) for text in texts)


def test_every_cell_runs_and_shows_what_stands_below_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MPLBACKEND", "Agg")
    pytest.importorskip("pandas")
    pyplot = pytest.importorskip("matplotlib.pyplot")
    namespace: dict[str, Any] = {"__name__": "__main__"}
    compared = 0
    for cell in CELLS:
        printed, value = run("".join(cell["source"]), namespace)
        assert printed == shown(cell, "stream")
        if type(value).__module__.startswith("exactmatch."):
            assert repr(value) == shown(cell, "execute_result")
            compared += 1
    assert compared >= 4
    assert len(namespace["frame"]) == len(namespace["report"]) == 40
    curve, bars = namespace["figure"].axes
    assert list(curve.lines[0].get_ydata()) == namespace["scores"]
    assert sum(bar.get_height() for bar in bars.patches) == 40
    pyplot.close(namespace["figure"])


@pytest.mark.parametrize(
    "call", ["prepare", "update", "compute", "to_frame", "align", "subplots"]
)
def test_it_shows_how_to(call: str) -> None:
    assert f".{call}(" in SOURCE


@pytest.mark.slow
def test_mypy_passes_it(mypy: Mypy, tmp_path: Path) -> None:
    script = tmp_path / "notebook.py"
    script.write_text(SOURCE + "\n", encoding="utf-8")
    done = mypy(script)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_pyright_passes_it(tmp_path: Path) -> None:
    """A cell may end with an expression, which is shown."""
    pytest.importorskip("matplotlib")
    script = tmp_path / "notebook.py"
    script.write_text(SOURCE + "\n", encoding="utf-8")
    shown = {"reportUnusedExpression": "none"}
    assert pyright(script, extraPaths=[str(PACKAGE)], **shown) == []
