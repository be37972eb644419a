"""The simulation of sizes and coverages, on very few corpora."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.__main__ import main
from benchmarks.coverage import Cell, Simulation, exchangeable, f1_of, populations
from benchmarks.many_corpora import Fractions, Outcomes


def test_tables_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    few = ["--runs", "3", "--samples", "50", "--sizes", "6,8"]
    main(["coverage", *few, "--populations", "even,rare"])
    out = capsys.readouterr().out
    assert "| even, micro |" in out
    assert "| rare, macro |" in out
    assert "3 corpora a cell, 50 samples, seed 0" in out
    with pytest.raises(SystemExit):
        main(["coverage", "--populations", "none"])


@pytest.mark.parametrize("name", populations())
def test_exchanged_systems_are_alike_and_worse_ones_are_worse(name: str) -> None:
    draw = populations()[name]
    both = exchangeable(np.random.default_rng(1), draw, 20_000)
    assert abs(f1_of(both[0], False) - f1_of(both[1], False)) < 0.01
    base, system = draw(np.random.default_rng(1), 20_000, 0.1)
    assert f1_of(base, False) > f1_of(system, False) + 0.005
    assert (base[:, 0] <= base[:, 1:].min(axis=1)).all()
    assert (system[:, 0] <= system[:, 1:].min(axis=1)).all()


def test_a_broken_test_is_seen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from benchmarks import coverage

    def sure(base: Fractions, *_: object) -> Outcomes:
        count = len(base.tops)
        return Outcomes(np.zeros(count), np.ones(count, int), np.ones(count, bool))

    monkeypatch.setattr(coverage, "exchange_tests", sure)
    cell = Simulation(20, 50, 0).size(populations()["even"], 10, False)
    assert cell == Cell(20, 20)
    assert str(cell) == "100.0"
    assert main(["coverage", "--runs", "20", "--sizes", "10", "--samples", "50"]) == 1
    assert "broken promise: even, micro, n = 10: 100.0 %" in capsys.readouterr().out
