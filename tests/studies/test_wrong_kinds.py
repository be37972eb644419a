"""Arguments of a wrong kind are refused in a sentence, by every public function."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

import exactmatch
from exactmatch.base.errors import ExactmatchError, InputError

GRAPH = "(a / b)"
ROWS = [{"id": "1", "response": f"Sure: {GRAPH}"}]

FUNCTIONS = [
    found
    for name in sorted(exactmatch.__all__)
    if inspect.isfunction(found := getattr(exactmatch, name))
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("value", [3, None, [3], [[GRAPH]], {"a": 3}, object()])
def test_no_foreign_error(function: Callable[..., Any], value: Any) -> None:
    wanted = [
        parameter
        for parameter in inspect.signature(function).parameters.values()
        if parameter.default is parameter.empty
        and parameter.kind is parameter.POSITIONAL_OR_KEYWORD
    ]
    told = "nothing; "
    try:
        function(*[value] * len(wanted))
    except ExactmatchError as error:
        told = f"{error}; "
    except TypeError as error:
        told = str(error)
    assert "; " in told or "must be" in told


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: exactmatch.compare([[GRAPH]], [GRAPH]), "by its name"),  # type: ignore[arg-type]  # on purpose
        (lambda: exactmatch.evaluate(ROWS, ROWS), "for row in rows. with extract="),
        (lambda: exactmatch.evaluate(ROWS, [GRAPH]), "response.. for row in rows"),
        (lambda: exactmatch.agreement([[GRAPH]]), "by name"),  # type: ignore[list-item]  # on purpose
        (lambda: exactmatch.agreement({"a": 3, "b": [GRAPH]}), "a list of graphs"),  # type: ignore[dict-item]  # on purpose
    ],
)
def test_the_way_out(call: Callable[[], Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        call()
