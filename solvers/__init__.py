"""Solvers: find the best alignment and prove it; nothing here knows of AMR.

The files live in the top-level folder ``solvers``; the import name is
``exactmatch.solvers``.  A solver is one file and one line in :data:`SOLVERS`.
"""

from __future__ import annotations

if __name__ == "solvers":
    raise ImportError("import exactmatch.solvers, not solvers")

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from exactmatch.base.errors import SolverError
from exactmatch.base.fronts import front
from exactmatch.base.registry import Registry

if TYPE_CHECKING:
    import inspect

    from exactmatch.solvers.base import Solver
    from exactmatch.solvers.problem import AlignmentProblem as AlignmentProblem


def _is_solver(registered: object) -> bool:
    from exactmatch.solvers.base import Solver

    is_solver = isinstance(registered, type) and issubclass(registered, Solver)
    return is_solver and hasattr(registered, "name")


SOLVERS: Registry[type[Solver]] = Registry(
    "solver",
    {
        "auto": "exactmatch.solvers.auto:Auto",
        "bnb": "exactmatch.solvers.bnb:BranchAndBound",
        "cpsat": "exactmatch.solvers.cpsat:CpSat",
        "highs": "exactmatch.solvers.highs:Highs",
        "cbc": "exactmatch.solvers.pulp_solvers:Cbc",
        "pulp": "exactmatch.solvers.pulp_solvers:Pulp",
        "hillclimb": "exactmatch.solvers.hillclimb:HillClimb",
        "hungarian": "exactmatch.solvers.hungarian:Hungarian",
        "brute": "exactmatch.solvers.brute:Brute",
    },
    _is_solver,
    "a subclass of exactmatch.solvers.base.Solver with a name",
    error="exactmatch.base.errors:SolverError",
)
"""Every solver by name; it is imported when it is asked for."""

__getattr__, __dir__ = front(
    __name__, {"exactmatch.solvers.problem": "AlignmentProblem"}
)

DEFAULT_SOLVER = "auto"
"""The name of the solver that is used where none is asked for."""


def solver_class(name: str) -> type[Solver]:
    """Return the class behind a solver's name.

    Raises:
        SolverError: if no solver has that name (the message suggests one), or if what
            another package calls so is none.
    """
    return SOLVERS.find(name)


def get_solver(spec: str) -> Solver:
    """Make a solver from ``NAME[:option=value,…]``.

    A solver that is not registered is named by its place, as in
    ``my_package.solvers:Fast:restarts=2``.  A first option without ``=`` is the
    solver's positional argument, as in ``pulp:GUROBI`` or ``pulp:SCIP_CMD,threads=2``.

    Raises:
        SolverError: if the name, an option or a value is wrong.

    Example:
        >>> get_solver("hillclimb:restarts=2").signature()
        'hillclimb:restarts=2'
    """
    name, _, rest = spec.partition(":")
    if name not in SOLVERS:
        name, _, rest = _by_place(spec)
    cls = solver_class(name)
    positional: list[Any] = []
    options: dict[str, Any] = {}
    parameters = _parameters(cls) if rest else {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            free = list(parameters.values())[len(positional) :]  # none: Python says so
            positional.append(_converted(name, free[0], key) if free else key)
        elif key not in parameters:
            known = ", ".join(parameters) or "none"
            raise SolverError(f"solver {name!r} has no option {key!r} (known: {known})")
        else:
            options[key] = _converted(name, parameters[key], value)
    try:
        return cls(*positional, **options)
    except TypeError as error:
        raise SolverError(f"solver specification {spec!r}: {error}") from None


@cache
def _parameters(cls: type[Solver]) -> Mapping[str, inspect.Parameter]:
    """Return the options of a solver; programs may call this thousands of times."""
    import inspect

    return inspect.signature(cls).parameters


def _by_place(spec: str) -> tuple[str, str, str]:
    """Split ``module:class[:options]``; other text is the name of no solver."""
    module, colon, rest = spec.partition(":")
    attribute, _, options = rest.partition(":")
    place = f"{module}:{attribute}"
    return (place, colon, options) if place in SOLVERS else (module, colon, rest)


def _converted(solver: str, parameter: inspect.Parameter, value: str) -> Any:
    kinds = {"int": int, "float": float, "str": str}
    convert = kinds.get(str(parameter.annotation).removesuffix(" | None"), str)
    option = f"option {parameter.name} of solver {solver!r}"
    try:
        number = convert(value)
    except ValueError:
        raise SolverError(f"{option} wants a number, not {value!r}") from None
    if isinstance(number, int) and abs(number) >= 2**63:
        raise SolverError(f"{option}: {value} is too large")
    return number
