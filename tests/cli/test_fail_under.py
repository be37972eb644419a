"""``--fail-under``: a score that is too low is exit code 1."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command import Cli


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--fail-under", "0.5"), 0),
        (("--fail-under", "0.51"), 1),
        (("--fail-under", "0.6", "--macro"), 0),
        (("--fail-under", "0.7", "--macro"), 1),
        (("--fail-under", "1.5"), 2),
        (("--fail-under", "x"), 2),
    ],
    ids=str,
)
def test_the_exit_code(
    arguments: tuple[str, ...], code: int, cli: Cli, tmp_path: Path
) -> None:
    pred, gold = tmp_path / "p.jsonl", tmp_path / "g.jsonl"
    pred.write_text('{"a": 1}\n{"a": 1, "b": 2}\n{"a": [5, 6, 7]}\n')
    gold.write_text('{"a": 1}\n{"a": 1, "b": 2}\n{"a": [1, 2, 3]}\n')
    ran = cli(str(pred), str(gold), "--metric", "json", *arguments)
    assert ran.code == code, ran.err
    assert ("is less than" in ran.err) == (code == 1)
