"""Numbers that are far too large end in a sentence, at once and in little memory."""

from __future__ import annotations

import pytest
from support.command import Cli

import exactmatch

HUGE = str(10**20)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["audit", "sample", "--runs", HUGE], f"--runs/--seeds: {HUGE} is more than"),
        (["report", "--serve", "--port", "65536"], "--port: 65536 is more than 65,535"),
        (["--solver", f"bnb:nodes={HUGE}"], "is too large"),
    ],
)
def test_a_number_that_is_too_large_is_refused(
    arguments: list[str], sentence: str, cli: Cli
) -> None:
    assert sentence in cli.refusal(*arguments)


def test_there_are_no_more_workers_than_work() -> None:
    graphs = ["(a / b)", "(c / d)"]
    assert (
        exactmatch.cdist(graphs, graphs, jobs=10**9).tolist()
        == exactmatch.cdist(graphs, graphs).tolist()
    )
