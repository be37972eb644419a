"""The options of functions on many graphs: names, old names, ranges, warnings."""

from __future__ import annotations

import inspect
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.command import Cli

import exactmatch
from exactmatch import InputError
from exactmatch.many import Bank, cluster, duplicates, pdist

DOG, BIG, CAT = "(b / bark-01 :ARG0 (d / dog))", "(b / bark-01)", "(c / cat)"
GRAPHS = [DOG, BIG, CAT]
FUNCTIONS: list[Any] = [exactmatch.cdist, pdist, exactmatch.search, duplicates, cluster]
FUNCTIONS += [exactmatch.ensemble, Bank, Bank.build]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda one: one.__name__)
def test_every_option_has_a_name(function: Any) -> None:
    known = inspect.signature(function).parameters
    assert {"profile", "top", "wiki", "roles", "solver"} <= {*known}
    assert [n for n, one in known.items() if one.kind is one.VAR_KEYWORD] == ["options"]


def test_the_weights_of_systems_are_no_option_of_a_metric() -> None:
    of_metric: dict[str, Any] = {"weights": [1, 2]}
    with pytest.raises(InputError, match="metric 'smatch' has no option 'weights'"):
        exactmatch.ensemble([[CAT, DOG]], **of_metric)


def test_weights_of_a_metric_are_its_own() -> None:
    made = exactmatch.make_metric("sembleu", weights="0.9,0.1", ngram=2)
    own: dict[str, Any] = {"weights": "0.9,0.1", "ngram": 2}
    found = exactmatch.ensemble([[DOG, BIG]], "sembleu", **own)
    assert found == exactmatch.ensemble([[DOG, BIG]], made)
    assert found != exactmatch.ensemble([[DOG, BIG]], made, system_weights=[0.9, 0.1])


def test_the_word_of_rapidfuzz_stays() -> None:
    ours = exactmatch.cdist(GRAPHS, GRAPHS, at_least=0.6)
    theirs: dict[str, Any] = {"score_cutoff": 0.6}
    assert np.array_equal(exactmatch.cdist(GRAPHS, GRAPHS, **theirs), ours)
    percent: Any = "60%"
    assert np.array_equal(exactmatch.cdist(GRAPHS, GRAPHS, at_least=percent), ours)


@pytest.mark.parametrize("least", [50, 1.5, "1.5", "101%", -0.1])
def test_what_is_no_share_is_refused_on_both_sides(least: Any, cli: Cli) -> None:
    asks: list[Any] = [exactmatch.cdist, exactmatch.search]
    for ask in asks:
        with pytest.raises(InputError, match="not a score between 0 and 1"):
            ask(GRAPHS, GRAPHS, at_least=least)
    asks = [pdist, duplicates, cluster]
    for ask in asks:
        with pytest.raises(InputError, match="not a score between 0 and 1"):
            ask(GRAPHS, at_least=least)
    sample = str(Path(exactmatch.__file__).parent / "sample" / "gold.amr")
    for command in ("matrix", "nearest", "duplicates", "cluster"):
        said = cli.refusal(command, sample, f"--at-least={least}")
        assert "not a score between 0 and 1" in said


def test_minus_one_is_every_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    from exactmatch.many.options import PdistOptions

    assert PdistOptions(GRAPHS, jobs=-1).jobs == 3
    assert PdistOptions(GRAPHS, jobs=2).jobs == 2
    wrongs: list[Any] = [0, -2, 1.5, True]
    for wrong in wrongs:
        with pytest.raises(InputError, match="not a number of workers"):
            pdist(GRAPHS, jobs=wrong)


def test_a_bank_is_made_of_a_list() -> None:
    bank, built = Bank(GRAPHS, profile="clean"), Bank.build(GRAPHS, profile="clean")
    assert bank.metric.profile == built.metric.profile
    assert np.array_equal(bank.graphs.cells, built.graphs.cells)
    assert exactmatch.search([DOG], bank, 1) == [[(0, 1.0)]]


def test_a_bank_takes_what_it_has_and_a_solver() -> None:
    bank = Bank(GRAPHS, profile="clean")
    whole = exactmatch.cdist(bank, GRAPHS)
    same = exactmatch.cdist(bank, GRAPHS, profile="clean", solver="bnb")
    assert np.array_equal(same, whole)
    for other in ({"profile": "smatch"}, {"wiki": False}, {"metric": "rematch"}):
        with pytest.raises(InputError, match="a bank has its metric and profile"):
            exactmatch.cdist(bank, GRAPHS, **other)
    with pytest.raises(InputError, match="'auto' or 'bnb'"):
        pdist(bank, solver="hillclimb")


def test_python_warns_of_what_commands_say(tmp_path: Path) -> None:
    lossy = "(b / bark-01 :mod -)"
    for ask in (
        lambda: exactmatch.cdist([lossy], [lossy]),
        lambda: exactmatch.search([lossy], [lossy]),
        lambda: duplicates([lossy]),
        lambda: cluster([lossy, DOG]),
        lambda: exactmatch.ensemble([[lossy, DOG]]),
        lambda: Bank([lossy]),
    ):
        with pytest.warns(exactmatch.errors.ExactmatchWarning) as told:
            ask()
        (warning,) = told
        assert str(warning.message).startswith("smatch: as read: ")
        assert warning.filename == __file__
    for name in ("pred.amr", "again.amr"):
        (tmp_path / name).write_text(f"# ::id 1\n{DOG}\n")
    pred, again = (tmp_path / name for name in ("pred.amr", "again.amr"))
    with pytest.warns(exactmatch.errors.ExactmatchWarning, match="same file as the"):
        exactmatch.cdist(pred, again)
    with pytest.warns(exactmatch.errors.ExactmatchWarning, match="arg9"):
        pdist(GRAPHS, roles="ARG9")


def test_documents_that_no_bank_holds_are_read_and_counted_once() -> None:
    """A search begins to build a bank, and goes on without one."""
    document = (
        "# ::snt1 a dog\n# sentence level graph:\n(s1d / dog)\n\n# alignment:\n\n"
        "# document level annotation:\n(s1s0 / sentence)\n"
    )
    lossy = exactmatch.search([document], [document, document], profile="umr")
    assert [index for index, _ in lossy[0]] == [0, 1]
