"""Certificates checked from Python: against the files that they name, or graphs."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command import Cli
from support.files import Files

import exactmatch
from exactmatch.base.errors import InputError
from exactmatch.studies import verify

PREDS = ["(b / bark-01 :ARG0 (d / dog))", "(r / rain-01)"]
GOLDS = ["(b / bark-01 :ARG0 (c / cat))", "(r / rain-01)"]


def test_the_files_that_they_name_are_found_or_graphs_are_given(
    cli: Cli, files: Files, tmp_path: Path
) -> None:
    pred, gold = files.pair("\n\n".join(PREDS), "\n\n".join(GOLDS))
    proofs = tmp_path / "proofs.jsonl"
    cli.out(pred, gold, "--certificates", proofs)
    header = proofs.read_text().splitlines()
    exactmatch.evaluate(Path(pred), Path(gold), certificates=proofs)
    assert proofs.read_text().splitlines() == header
    for pair in ((), (Path(pred), Path(gold)), (PREDS, GOLDS)):
        found = verify(proofs, *pair)
        assert (found.verified, found.optimal) == (2, 2)
        assert found.exit_code == 0
    other = [GOLDS[0], "(s / snow-01)"]
    found = verify(proofs, PREDS, other)
    shown = cli("verify", proofs, pred, files.one("o", "\n\n".join(other)))
    (rejected,) = found.rejected
    assert (rejected.index, found.verified, found.exit_code) == (1, 1, 1)
    assert str(found) in shown.out
    assert shown.code == 1
    proofs.write_text("".join(proofs.read_text().splitlines(True)[:2]))
    found = verify(str(proofs))
    assert (found.missing, found.exit_code) == ([1], 1)
    with pytest.raises(InputError, match="about two files of graphs, not 3"):
        verify(proofs, Path(pred), [Path(gold), Path(gold)])
