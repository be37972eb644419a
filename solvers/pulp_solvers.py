"""CBC, and any other MILP solver that PuLP finds, on the aggregated model.

Candidates are binary, pair terms continuous.  ``cbc`` runs the binary of the
``cbcbox`` package (``pip install 'pulp[cbc]'``); ``pulp:NAME`` runs the solver
that PuLP calls NAME: ``SCIP_CMD``, ``HiGHS``, ``GUROBI``, ``CPLEX_CMD``, ….

PuLP reports no bound, only a status, so the value of what a solver calls
optimal is its bound, and only if no gap was allowed, the time limit did not
strike, the solution is integral and both of PuLP's statuses say "optimal"; in
every other case nothing is proved.

Traps, each seen: a time-out and a gap limit are both reported as status 1,
``Optimal`` (a gap even as ``Optimal Solution Found``); without an integer
solution the variables hold the linear relaxation, and if time runs out right
after it, CBC calls that optimal, in both statuses; ``PULP_CBC_CMD`` is
deprecated and gone in PuLP 4, hence ``COIN_CMD`` with a path; most commercial
solvers stop at a relative gap of 1e-4 unless told otherwise, hence
``gapRel=0`` wherever PuLP can pass it on; each call starts a process and
writes files, here into a private directory that is removed again.

Upstream: https://coin-or.github.io/pulp/technical/solvers.html
"""

from __future__ import annotations

import contextlib
import inspect
import tempfile
import time
from typing import Any, ClassVar

import numpy as np

from exactmatch.solvers.base import Solver
from exactmatch.solvers.errors import SolverError
from exactmatch.solvers.linear.model import (
    AggregatedModel,
    aggregated_model,
    alignment_of,
    floored,
)
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.solution import Limits, Proposal

_DEPRECATED = {"PULP_CBC_CMD"}
_SHORTEST_SECONDS = 0.01
_INTEGRALITY = 1e-5
_LARGEST_SEED = 2**31 - 1


class Pulp(Solver):
    """Prove the optimum with a solver of PuLP's.

    Args:
        solver: PuLP's name of it.
        gap: relative gap at which it may stop; then its answer proves nothing.
            The default, 0, is passed on where PuLP can.
    """

    name = "pulp"
    exact = True
    summary = "any MILP solver that PuLP finds, on the aggregated model"
    requires: ClassVar[tuple[str, ...]] = ("pulp",)
    distribution = "PuLP"
    install = "pip install 'pulp[cbc]'"

    def __init__(self, solver: str, gap: float = 0.0) -> None:
        if not gap >= 0:
            raise SolverError(f"gap is {gap}; it must be 0 or more")
        self.solver = solver
        self.gap = gap

    def signature(self) -> str:
        """The solver's name in PuLP, and the gap if one is allowed."""
        gap = f",gap={self.gap}" if self.gap else ""
        return f"{self.name}:{self.solver}{gap}"

    def _solve(self, problem: AlignmentProblem, limits: Limits) -> Proposal:
        import pulp

        if not problem.n_candidates:
            return Proposal((-1,) * problem.n_left, 0, "milp", solver=self.signature())
        deadline = time.perf_counter() + (limits.seconds or 0.0)
        back_end = self._back_end(pulp, limits)
        model = aggregated_model(problem)
        program, x = _program(pulp, model)
        with tempfile.TemporaryDirectory(prefix="exactmatch-") as folder:
            back_end.tmpDir = folder
            try:
                program.solve(back_end)
            except pulp.PulpSolverError as error:
                raise SolverError(f"solver {self.signature()!r}: {error}") from error
        values = np.array([variable.varValue or 0.0 for variable in x])
        alignment = alignment_of(problem, values)
        in_time = limits.seconds is None or time.perf_counter() < deadline
        proved = (
            self.gap == 0.0
            and in_time
            and program.status == pulp.LpStatusOptimal
            and program.sol_status == pulp.LpSolutionOptimal
            and bool(np.all(np.abs(values - np.rint(values)) <= _INTEGRALITY))
        )
        return Proposal(
            alignment,
            floored(problem.value(alignment)) if proved else None,
            "milp" if proved else "none",
            solver=self.signature(),
        )

    def _back_end(self, pulp: Any, limits: Limits) -> Any:
        found = None
        if self.solver not in _DEPRECATED:
            with contextlib.suppress(pulp.PulpSolverError):
                found = pulp.getSolver(self.solver, msg=False)
        if found is None or not found.available():
            installed = ", ".join(installed_solvers(pulp)) or "none"
            raise SolverError(
                f"PuLP finds no solver {self.solver!r} here (installed: {installed})"
            )
        return type(found)(**_supported(type(found), self._parameters(limits)))

    def _parameters(self, limits: Limits) -> dict[str, Any]:
        parameters = {"msg": False, "gapRel": self.gap}
        if limits.threads > 1:
            parameters["threads"] = limits.threads
        if limits.seconds is not None:
            parameters["timeLimit"] = max(limits.seconds, _SHORTEST_SECONDS)
        return parameters


class Cbc(Pulp):
    """Prove the optimum with COIN-OR's CBC.

    Args:
        gap: relative gap at which it may stop; then its answer proves nothing.
    """

    name = "cbc"
    exact = True
    summary = "COIN-OR's CBC through PuLP, on the aggregated model"
    requires = ("pulp", "cbcbox")
    distribution = "cbcbox"

    def __init__(self, gap: float = 0.0) -> None:
        super().__init__("COIN_CMD", gap)

    def signature(self) -> str:
        """The name, and the gap if one is allowed."""
        return f"{self.name}:gap={self.gap}" if self.gap else self.name

    def _back_end(self, pulp: Any, limits: Limits) -> Any:
        import cbcbox

        seed = limits.seed % _LARGEST_SEED
        return pulp.COIN_CMD(
            path=cbcbox.cbc_bin_path(),
            options=[f"randomCbcSeed {seed}"] if seed else [],
            **self._parameters(limits),
        )


def installed_solvers(pulp: Any) -> list[str]:
    """Names of the solvers that PuLP can run here."""
    return [n for n in pulp.listSolvers(onlyAvailable=True) if n not in _DEPRECATED]


def _supported(kind: type, parameters: dict[str, Any]) -> dict[str, Any]:
    known = inspect.signature(kind).parameters
    return {name: value for name, value in parameters.items() if name in known}


def _program(pulp: Any, model: AggregatedModel) -> tuple[Any, list[Any]]:
    """The aggregated model in PuLP's terms, and its candidate variables."""
    program = pulp.LpProblem("alignment", pulp.LpMaximize)
    x = [program.add_variable(f"x{c}", 0, 1, pulp.LpBinary) for c in range(model.n_x)]
    variables = x + [program.add_variable(f"y{p}", 0, 1) for p in range(model.n_y)]
    objective = model.objective.tolist()
    program += pulp.LpAffineExpression(zip(variables, objective, strict=True))
    starts, columns = model.starts.tolist(), model.columns.tolist()
    coefficients, upper = model.coefficients.tolist(), model.upper.tolist()
    for row in range(model.n_rows):
        entries = slice(starts[row], starts[row + 1])
        pairs = zip(columns[entries], coefficients[entries], strict=True)
        total = pulp.LpAffineExpression((variables[k], a) for k, a in pairs)
        program += total <= upper[row]
    return program, x
