"""Every study has one shape: a folder with options, study, results and view."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import exactmatch.studies
from exactmatch.base.registry import imported
from exactmatch.cli.commands import GROUPS
from exactmatch.studies.command import Command

STUDIES = Path(exactmatch.studies.__file__).parent
NOT_STUDIES = {"completion", "plugins"}
NAMES = sorted({name for group in GROUPS.values() for name in group} - NOT_STUDIES)
FOLDERS = sorted(path.parent for path in STUDIES.glob("*/__init__.py"))


@pytest.mark.parametrize("command", NAMES)
def test_a_commands_row_stands_in_options_and_its_study_in_study(command: str) -> None:
    name = command.replace("-", "_")
    row = imported(f"exactmatch.studies.{name}.options:COMMAND")
    assert isinstance(row, Command)
    assert row.study == f"exactmatch.studies.{name}.study:study"
    assert callable(imported(row.study))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_rows_and_views_stand_nowhere_else(folder: Path) -> None:
    assert (folder / "study.py").exists()
    for path in folder.glob("*.py"):
        body = ast.parse(path.read_text("utf-8")).body
        names = {node.name for node in body if isinstance(node, ast.FunctionDef)}
        targets = [node.targets for node in body if isinstance(node, ast.Assign)]
        names |= {ast.unparse(one) for found in targets for one in found}
        assert "COMMAND" not in names or path.name == "options.py", path
        assert "tables" not in names or path.name == "view.py", path
