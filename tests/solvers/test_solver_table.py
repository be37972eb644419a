"""The table of solvers: names, options, and errors that name the way out."""

from __future__ import annotations

import importlib.util

import pytest
from support.strategies import random_problem

from exactmatch.base.errors import MissingSolverError, SolverError
from exactmatch.solvers import SOLVERS, get_solver, solver_class
from exactmatch.solvers.base import Solver


@pytest.mark.parametrize("name", SOLVERS)
def test_every_entry_is_a_described_solver_of_that_name(name: str) -> None:
    cls = solver_class(name)
    assert issubclass(cls, Solver)
    assert cls.name == name
    assert cls.summary
    assert cls.__doc__
    assert isinstance(cls.exact, bool)


@pytest.mark.parametrize("name", SOLVERS)
def test_every_solver_is_installed_here_with_a_version_or_our_own(name: str) -> None:
    """Everything is a dependency, so the suite must not skip any of it."""
    cls = solver_class(name)
    assert cls.is_available()
    if name in ("auto", "bnb"):
        assert cls.version() in ("compiled", "interpreted")
    else:
        assert (cls.version() is None) == (cls.distribution is None)


def test_a_misspelt_solver_is_named_and_corrected() -> None:
    with pytest.raises(SolverError, match="'cp-sat'; did you mean 'cpsat'"):
        get_solver("cp-sat")


def test_an_unknown_solver_lists_the_known_ones() -> None:
    with pytest.raises(SolverError, match=r"'xyz' \(known: auto, .*brute\)"):
        get_solver("xyz")


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("hillclimb:restart=4", r"no option 'restart' \(known: restarts, seed\)"),
        ("cpsat:gap=1", r"'cpsat' has no option 'gap' \(known: none\)"),
        ("hillclimb:restarts=many", "restarts .* wants a number, not 'many'"),
        (f"bnb:nodes={2**63}", f"option nodes of solver 'bnb': {2**63} is too large"),
        ("hillclimb:seed=x", "seed .* wants a number, not 'x'"),
        ("hillclimb:restarts=-1", "restarts is -1; it must be 0 or more"),
        ("cbc:gap=little", "gap .* wants a number, not 'little'"),
        ("cbc:gap=-1", "gap is -1.0; it must be 0 or more"),
        ("bnb:nodes=-1", "nodes is -1; it must be 0 or more"),
        ("bnb:nodes", "option record_proof of solver 'bnb' wants a number"),
        ("hungarian:x", "specification 'hungarian:x'"),
        ("bnb:1,2,3,4", "specification 'bnb:1,2,3,4'"),
        ("pulp", "pulp.*missing .* 'solver'"),
        ("cpsat:fast", "solver specification 'cpsat:fast'"),
    ],
)
def test_a_wrong_option_is_named(spec: str, complaint: str) -> None:
    with pytest.raises(SolverError, match=complaint):
        get_solver(spec)


def test_options_reach_the_solver() -> None:
    assert get_solver("auto:1,5").solve(random_problem(0, 3, 3)).is_optimal
    assert get_solver("hillclimb:7").signature() == "hillclimb:restarts=7"
    solver = get_solver("hillclimb:restarts=9,seed=3")
    assert solver.signature() == "hillclimb:restarts=9,seed=3"


def test_a_missing_package_is_named_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever the solver needs, and without a traceback from deep inside."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    for name in ("cpsat", "highs", "cbc"):
        with pytest.raises(
            MissingSolverError, match=rf"'{name}' needs .*: pip install"
        ):
            get_solver(name).solve(random_problem(0, 3, 3))
        assert solver_class(name).version() is None


@pytest.mark.parametrize("name", ["NO_SUCH", "PULP_CBC_CMD", "MIPCL_CMD"])
def test_a_solver_that_pulp_does_not_find_is_refused_with_those_it_finds(
    name: str,
) -> None:
    with pytest.raises(SolverError, match=rf"no solver '{name}' here \(installed: "):
        get_solver(f"pulp:{name}").solve(random_problem(0, 3, 3))


def test_enumeration_refuses_more_than_eight_nodes() -> None:
    with pytest.raises(SolverError, match="at most 8 nodes a side, not 9; use auto"):
        get_solver("brute").solve(random_problem(0, 4, 9))
