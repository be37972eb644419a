"""One road for a pair: who asks for an alignment, and who asks a solver."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import exactmatch
from exactmatch.adapters import smatch as compat
from exactmatch.engine import align as road
from exactmatch.metrics import METRICS
from exactmatch.metrics.finegrained.aspects import aspects

HOUSE = Path(exactmatch.__file__).parent
OTHER_PROBLEMS = (
    "edit",
    "adapters/myopic_mces",
    "adapters/networkx",
    "studies/solve",
    "testing",
)
"""Edit distances, graph matching, checks of solvers: no pair's score."""

PRED = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"
GOLD = "(w / want-01 :ARG0 (g / girl) :ARG1 (l / leave-11 :ARG0 g))"


def sources() -> Iterator[tuple[str, str]]:
    for path in sorted(HOUSE.rglob("*.py")):
        name = path.relative_to(HOUSE).as_posix()
        if not name.startswith(("solvers/", *OTHER_PROBLEMS)):
            yield name, path.read_text("utf-8")


def callers(wanted: Callable[[ast.Call], bool]) -> set[str]:
    """The functions with such a call, as ``file:function``."""
    found = set()
    for name, text in sources():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                calls = (n for n in ast.walk(node) if isinstance(n, ast.Call))
                if any(map(wanted, calls)):
                    found.add(f"{name}:{node.name}")
    return found


@pytest.mark.slow
def test_a_solver_is_asked_in_one_place() -> None:
    def asks(call: ast.Call) -> bool:
        function = call.func
        if not isinstance(function, ast.Attribute) or function.attr != "solve":
            return False
        owner = function.value
        return not (isinstance(owner, ast.Name) and owner.id == "self")

    assert {name.rpartition("/")[2] for name in callers(asks)} == {"align.py:solve"}


@pytest.mark.slow
def test_an_alignment_is_asked_for_by_metrics_and_by_smatchs_functions() -> None:
    def asks(call: ast.Call) -> bool:
        return isinstance(call.func, ast.Name) and call.func.id == "align"

    assert {name.rpartition("/")[2] for name in callers(asks)} == {
        "aligning.py:solve_problem",
        "smatch.py:_align",
    }


def test_nobody_asks_of_what_class_a_metric_is() -> None:
    """What a metric can do is an attribute of it, of ours and of plug-ins' alike."""
    named = {METRICS[name].__name__ for name in METRICS}
    assert {"Smatch", "S2Match", "LabelledMatch"} <= named
    asked = []
    for file, text in sources():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance":
                classes = re.findall(r"\w+", ast.unparse(node.args[1]))
            elif isinstance(node, ast.Compare) and "type(" in ast.unparse(node.left):
                classes = re.findall(r"\w+", ast.unparse(node.comparators[0]))
            else:
                continue
            asked += [f"{file}: {ast.unparse(node)}"] * bool(named & {*classes})
    assert asked == []


@pytest.fixture
def stated(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What was aligned in the kernel."""
    found: list[Any] = []
    really = road._in_kernel

    def noted(stated: Any, *more: Any) -> Any:
        found.append(stated)
        return really(stated, *more)

    monkeypatch.setattr(road, "_in_kernel", noted)
    return found


QUESTIONS: dict[str, Callable[[], object]] = {
    "smatch": lambda: exactmatch.smatch(PRED, GOLD),
    "score": lambda: exactmatch.score(PRED, GOLD, metric="s2match"),
    "evaluate": lambda: exactmatch.evaluate([PRED], [GOLD]),
    "totals": lambda: exactmatch.evaluate([PRED], [GOLD], keep_pairs=False),
    "cdist": lambda: exactmatch.cdist([PRED], [GOLD], "s2match"),
    "search": lambda: exactmatch.search([GOLD], [PRED], 1, metric="mrp"),
    "ensemble": lambda: exactmatch.ensemble([[PRED]], "s2match"),
    "Scorer.score": lambda: exactmatch.Scorer("s2match").score(PRED, GOLD),
    "Scorer.add": lambda: exactmatch.Scorer().add(PRED, GOLD),
    "get_amr_match": lambda: compat.get_amr_match(PRED, GOLD),
    "aspects": lambda: exactmatch.evaluate([PRED], [GOLD], aspects("main")),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_takes_the_road_once_for_a_pair(
    question: str, stated: list[Any]
) -> None:
    """All aspects of a pair are rows of one alignment."""
    QUESTIONS[question]()
    assert len(stated) == 1
