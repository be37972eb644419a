"""Rooms lie above each other, and no file needs itself: every import counts.

The order of the rooms is that of the import contract in ``pyproject.toml``.  Imports
within functions and those for types alone are arrows like all others.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import networkx as nx
import pytest

ROOT = Path(__file__).parent.parent
HOUSE = "exactmatch"


def modules() -> dict[str, Path]:
    """Return the files by the names of their modules; solvers lie beside the rest."""
    own = [p for p in (ROOT / HOUSE).rglob("*.py") if "solvers" not in p.parts]
    theirs = [*(ROOT / "solvers").rglob("*.py")]
    named = [(p.relative_to(ROOT), p) for p in own]
    named += [(HOUSE / p.relative_to(ROOT), p) for p in theirs]
    return {
        ".".join(name.with_suffix("").parts).removesuffix(".__init__"): path
        for name, path in named
    }


def imported(path: Path) -> Iterator[str]:
    """Yield all that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path} has a relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.fixture(scope="module")
def arrows() -> nx.DiGraph:
    """Return the files with an arrow from each to all that it imports.

    The package itself, which names everything, is none of them.
    """
    files = modules()
    found = nx.DiGraph()
    found.add_nodes_from(files)
    for name, path in files.items():
        for target in imported(path):
            place = target if target in files else target.rpartition(".")[0]
            if place in files and place != name:
                found.add_edge(name, place)
    found.remove_node(HOUSE)
    assert found.has_edge(f"{HOUSE}.scoring.run", f"{HOUSE}.scoring.pair")
    return found


def test_no_file_needs_itself(arrows: nx.DiGraph) -> None:
    circles = nx.strongly_connected_components(arrows)
    assert [sorted(circle) for circle in circles if len(circle) > 1] == []


def test_no_room_needs_one_above_it(arrows: nx.DiGraph) -> None:
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    (layers,) = re.findall(r"^layers = \[(.*?)^\]", project, re.DOTALL | re.MULTILINE)
    floors = [line.split(" : ") for line in re.findall(r'"(.*)"', layers)]
    depth = {room: k for k, rooms in enumerate(floors) for room in rooms}
    rooms = nx.DiGraph()
    for file, target in arrows.edges:
        upper, lower = file.split(".")[1], target.split(".")[1]
        assert depth[upper] <= depth[lower], f"{file} imports {target}"
        if upper != lower:
            rooms.add_edge(upper, lower)
    # on one floor they lie beside each other
    assert rooms.number_of_nodes() > 10
    assert nx.is_directed_acyclic_graph(rooms)


def test_a_package_of_ours_is_found_by_its_name_alone() -> None:
    packages = {p.parent.name for p in (ROOT / "packages").glob("*/*/__init__.py")}
    assert packages == {"exactmatch_papers"}
    for path in modules().values():
        assert not {name.partition(".")[0] for name in imported(path)} & packages


@pytest.mark.slow
def test_a_public_method_says_what_it_does_or_its_base_does() -> None:
    classes: dict[str, list[ast.ClassDef]] = {}
    for path in modules().values():
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                classes.setdefault(node.name, []).append(node)

    def is_said(cls: ast.ClassDef, method: str) -> bool:
        own = [m for m in cls.body if isinstance(m, ast.FunctionDef)]
        if any(m.name == method and ast.get_docstring(m) for m in own):
            return True
        names = (ast.unparse(base).partition("[")[0] for base in cls.bases)
        bases = (base for name in names for base in classes.get(name, ()))
        return any(is_said(base, method) for base in bases if base is not cls)

    unsaid = [
        f"{cls.name}.{method.name}"
        for found in classes.values()
        for cls in found
        for method in cls.body
        if isinstance(method, ast.FunctionDef) and not cls.name.startswith("_")
        if not method.name.startswith("_") and not is_said(cls, method.name)
    ]
    assert unsaid == []


def test_every_package_is_installed() -> None:
    """A folder that ``pyproject.toml`` does not name is missing in a wheel."""
    tomllib = pytest.importorskip("tomllib")
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    fronts = {name for name, path in modules().items() if path.name == "__init__.py"}
    assert fronts <= set(listed["tool"]["setuptools"]["packages"])


def test_records_have_annotations_that_are_read_as_texts() -> None:
    """From Python 3.14 on, other annotations are not in a class when it is made."""
    own = "from exactmatch.base.records import"
    texts = [path.read_text("utf-8") for path in modules().values()]
    makers = [
        text for text in texts if re.search(rf"{own} .*(dataclass|NamedTuple)", text)
    ]
    assert len(makers) > 20
    assert all("\nfrom __future__ import annotations\n" in text for text in makers)


NAMELESS = {"found", "asked", "given", "stated", "told", "heard", "wanted", "said"}
"""Words that stand for whatever a variable holds."""

QUESTIONS = {"How", "Which", "Whether", "Where", "What", "Who", "When"}
"""Words that begin a clause: a first line is a verb or a noun."""


@pytest.mark.slow
def test_names_say_what_they_hold() -> None:
    nameless = []
    for path in modules().values():
        for name in _names(ast.parse(path.read_text(encoding="utf-8"))):
            words = re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower().split("_")
            if NAMELESS & {*words}:
                nameless.append(f"{path.relative_to(ROOT)}: {name}")
    assert not nameless


def _names(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a module gives to what it defines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name


@pytest.mark.slow
def test_first_lines_are_nouns_or_verbs() -> None:
    clauses = []
    for path in modules().values():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                line = (ast.get_docstring(node) or ".").splitlines()[0]
                if line.partition(" ")[0] in QUESTIONS:
                    clauses.append(f"{path.relative_to(ROOT)}: {line}")
    assert not clauses
