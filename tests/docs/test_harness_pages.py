"""Each harness has a page of three lines, whose names of ours exist."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

import pytest

from exactmatch.adapters import documents

DOCS = Path(__file__).parents[2] / "docs" / "how-to"
PAGES = sorted((DOCS / "harnesses").glob("*.md"))
HARNESSES = (
    *("autoevals", "langfuse", "langsmith", "mlflow", "opik", "weave", "deepeval"),
    *("pydantic_evals", "phoenix", "ragas", "promptfoo", "verifiers"),
)
"""Functions of ``documents``, each with a page."""


def code(page: Path) -> str:
    blocks = re.findall(r"```py\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    assert len(blocks) == 1, page.name
    return str(blocks[0])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_has_three_lines_that_import_what_exists(page: Path) -> None:
    lines = code(page).splitlines()
    lines = [line for line in lines if line and not line.startswith("#")]
    assert len(lines) <= 3
    known = {}
    for node in ast.walk(ast.parse("\n".join(lines))):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("exact"):
            module = importlib.import_module(str(node.module))
            for name in node.names:
                is_module = not hasattr(module, name.name)
                place = f"{node.module}.{name.name}"
                known[name.name] = (
                    importlib.import_module(place)
                    if is_module
                    else getattr(module, name.name)
                )
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in known
        ):
            assert hasattr(known[node.value.id], node.attr), node.attr
    assert known


def test_every_harness_has_a_page_and_a_line() -> None:
    table = (DOCS / "json-in-harnesses.md").read_text("utf-8")
    for page in PAGES:
        assert f"(harnesses/{page.name})" in table
    names = {page.stem.replace("-", "_") for page in PAGES}
    assert names >= set(HARNESSES)
    assert all(callable(getattr(documents, name)) for name in HARNESSES)
