"""Values without a name are told apart by signatures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.command import Cli

import exactmatch
from exactmatch.base.signed import signed_function


def signature(**options: Any) -> str:
    report = exactmatch.evaluate(
        [[("cat", "eats", "mouse")]],
        [[("cats", "eat", "mice")]],
        exactmatch.make_metric("graph", **options),
    )
    return report.scores[0].signature


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("node_similarity", lambda *_: 1.0, lambda *_: 0.0),
        ("edge_similarity", lambda *_: 1.0, lambda *two: float(two[0] == two[1])),
        ("node_similarity", np.eye(2), np.ones((2, 2))),
        ("aliases", {"cat": "cats"}, {"cat": "dog"}),
    ],
)
def test_two_values_have_two_signatures(name: str, one: Any, other: Any) -> None:
    signed = [signature(**{name: value}) for value in (one, other, one)]
    assert signed[0] == signed[2] != signed[1]
    assert ("|undetermined:function|" in signed[0]) == callable(one)


def test_encoders_have_signatures() -> None:
    def ones(labels: list[str]) -> Any:
        return np.ones((len(labels), 2))

    def random(labels: list[str]) -> Any:
        return np.random.default_rng(0).random((len(labels), 2))

    signed = [
        signature(node_similarity="cosine", encoder=encoder)
        for encoder in (ones, random)
    ]
    assert signed[0] != signed[1]
    assert all("cosine:function:" in one for one in signed)
    assert all("|undetermined:function|" in one for one in signed)


def scaled(factor: float) -> Callable[[str, str], float]:
    return lambda *_: factor


def test_functions_are_told_apart_by_what_they_close_over() -> None:
    assert signed_function(scaled(0.5)) != signed_function(scaled(0.25))
    assert signed_function(scaled(0.5)) == signed_function(scaled(0.5))


@pytest.mark.parametrize("option", ["--reify", "--dereify", "--no-wiki", "--no-sense"])
def test_choices_of_the_profile_are_signed_by_graph(option: str, cli: Cli) -> None:
    sample = ("exactmatch", "--metric", "graph")
    plain, changed = (
        cli.record("sample", *sample[1:], *more)["signature"]
        for more in ((), (option,))
    )
    assert "|profile:clean|" in plain
    assert "|profile:clean+|" in changed
    assert plain != changed


def test_pairs_that_were_chosen_are_signed_by_which_they_are(cli: Cli) -> None:
    signed = {
        cli.record("sample", "--ids", ids)["signature"]
        for ids in ("sample.1,sample.2", "sample.3,sample.4", "sample.2,sample.1")
    }
    assert len(signed) == 2


def test_alignments_and_profiles_have_signatures(cli: Cli) -> None:
    assert cli.json("align")["signatures"][0].startswith("metric:smatch|")
    found = cli.json("explain-profile", "--macro")
    signed = [row["signature"] for row in found["rows"]]
    assert len(set(signed)) == len(signed)
    assert all(one.startswith("metric:smatch|profile:") for one in signed)
    assert all(one.endswith("|average:macro") for one in signed)
    assert f"signature: {signed[0]}" in cli.out("explain-profile", "--macro")
