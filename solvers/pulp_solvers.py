"""CBC, and any other MILP solver that PuLP finds, on the aggregated model.

Candidates are binary, pair terms continuous.  ``cbc`` runs the binary of the
``cbcbox`` package where that is installed (``pip install 'exactmatch[cbc]'``), else
the one that PuLP brings (before version 4), else one on the path; ``pulp:NAME`` runs
the solver that PuLP calls NAME: ``SCIP_CMD``, ``HiGHS``, ``GUROBI``, ``CPLEX_CMD``, ….
All work in a process of their own (:mod:`exactmatch.solvers.linear.process`).

PuLP reports no bound, only a status, so the value of what a solver calls
optimal is its bound, and only if no gap was allowed, the time limit did not
strike, the solution is integral and both of PuLP's statuses say "optimal"; in
every other case nothing is proved.

Traps, each seen: a time-out and a gap limit are both reported as status 1,
``Optimal`` (a gap even as ``Optimal Solution Found``); without an integer
solution the variables hold the linear relaxation, and if time runs out right
after it, CBC calls that optimal, in both statuses; ``PULP_CBC_CMD`` is
deprecated and gone in PuLP 4, hence ``COIN_CMD`` with a path; most commercial
solvers stop at a relative gap of 1e-4 unless told otherwise, hence ``gapRel=0``; each
call writes files, here into a private directory that is removed again.

Upstream: https://coin-or.github.io/pulp/technical/solvers.html
"""

from __future__ import annotations

import importlib.metadata
import inspect
import os
import shutil
import tempfile
import time
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from exactmatch.base.errors import SolverError
from exactmatch.solvers.base import Solver
from exactmatch.solvers.bnb import climbed
from exactmatch.solvers.linear import process
from exactmatch.solvers.linear.model import aggregated_model, alignment_of, floored
from exactmatch.solvers.problem import Alignment, AlignmentProblem
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Limits, Proposal

_CBC = "COIN_CMD"
"""What PuLP calls CBC."""

_DEPRECATED = "PULP_CBC_CMD"
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
    install = "pip install pulp"

    def __init__(self, solver: str, gap: float = 0.0) -> None:
        if not gap >= 0:
            raise SolverError(f"gap is {gap}; it must be 0 or more")
        self.solver = solver
        self.gap = gap

    def signature(self) -> str:
        gap = f",gap={self.gap}" if self.gap else ""
        return f"{self.name}:{self.solver}{gap}"

    def _solve(self, problem: AlignmentProblem, progress: Progress) -> Proposal:
        if not problem.n_candidates:
            return Proposal((-1,) * problem.n_left, 0, "milp", solver=self.signature())
        progress.offer(climbed(problem))
        with tempfile.TemporaryDirectory(prefix="exactmatch-") as folder:
            arguments = progress.alignment, progress.limits, self, folder
            proposal = process.search(
                solved, *arguments, imports=("pulp",), progress=progress
            )
        return proposal._replace(solver=self.signature())

    def _back_end(self, pulp: Any, limits: Limits) -> Any:
        call_options = self._parameters(limits)
        if self.solver == _CBC and (path := cbc_path(pulp)) is not None:
            seed = limits.seed % _LARGEST_SEED
            options = [f"randomCbcSeed {seed}"] if seed else []
            may_start = os.name != "nt"  # PuLP's names of files forbid it there
            return pulp.COIN_CMD(
                path=path, options=options, warmStart=may_start, **call_options
            )
        backends = None
        if self.solver != _DEPRECATED:
            with suppress(pulp.PulpSolverError):
                backends = pulp.getSolver(self.solver, msg=False)
        if backends is None or not backends.available():
            available = pulp.listSolvers(onlyAvailable=True)
            available_names = ", ".join(
                name for name in available if name != _DEPRECATED
            )
            raise SolverError(
                f"PuLP finds no solver {self.solver!r} here (installed: "
                f"{available_names or 'none'})"
            )
        supported = inspect.signature(type(backends)).parameters
        return type(backends)(
            **{k: x for k, x in call_options.items() if k in supported}
        )

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
    install = "pip install 'exactmatch[cbc]'"

    def __init__(self, gap: float = 0.0) -> None:
        super().__init__(_CBC, gap)

    @classmethod
    def is_available(cls) -> bool:
        if not super().is_available() or find_spec("cbcbox") or shutil.which("cbc"):
            return super().is_available()
        spec = find_spec("pulp")
        if spec is None or spec.origin is None:
            return False
        folder = Path(spec.origin).parent / "solverdir" / "cbc"
        return folder.is_dir()  # which PuLP brings before version 4

    @classmethod
    def version(cls) -> str | None:
        if not cls.is_available():
            return None
        distribution = "cbcbox" if find_spec("cbcbox") else "PuLP"
        return f"{importlib.metadata.version(distribution)} ({distribution})"

    def signature(self) -> str:
        return f"{self.name}:gap={self.gap}" if self.gap else self.name


def solved(
    report: process.Report | None,
    seconds: float | None,
    problem: AlignmentProblem,
    start: Alignment,
    limits: Limits,
    solver: Pulp,
    folder: str,
) -> Proposal:
    """Solve a problem that has candidates; called in a process of its own.

    Those that can begin with the alignment *start*; files are written to *folder*.
    """
    import pulp

    del report  # PuLP says nothing on the way
    started = time.perf_counter()
    back_end = solver._back_end(pulp, replace(limits, seconds=seconds))
    program, x = _program(pulp, problem, start)
    back_end.tmpDir = folder
    try:
        program.solve(back_end)
    except pulp.PulpSolverError as error:
        raise SolverError(f"solver {solver.signature()!r}: {error}") from error
    values = np.array([variable.varValue or 0.0 for variable in x])
    alignment = alignment_of(problem, values)
    spent = time.perf_counter() - started
    is_proved = (
        solver.gap == 0.0
        and (seconds is None or spent < seconds)
        and program.status == pulp.LpStatusOptimal
        and program.sol_status == pulp.LpSolutionOptimal
        and bool(np.all(np.abs(values - np.rint(values)) <= _INTEGRALITY))
    )
    if not is_proved:
        return Proposal(alignment, None)
    return Proposal(alignment, floored(problem.value(alignment)), "milp")


def cbc_path(pulp: Any) -> str | None:
    """Return the CBC to use: that of cbcbox, else PuLP's own, else one on the path."""
    if find_spec("cbcbox"):
        import cbcbox

        return str(cbcbox.cbc_bin_path())
    bundled = getattr(pulp.apis.coin_api, "pulp_cbc_path", None)
    if bundled is not None and os.access(bundled, os.X_OK):
        return str(bundled)
    return shutil.which("cbc")


def _program(
    pulp: Any, problem: AlignmentProblem, start: Alignment
) -> tuple[Any, list[Any]]:
    model = aggregated_model(problem)
    program = pulp.LpProblem("alignment", pulp.LpMaximize)
    variable = getattr(program, "add_variable", pulp.LpVariable)  # PuLP 3.3's name
    x = [variable(f"x{c}", 0, 1, pulp.LpBinary) for c in range(model.n_x)]
    variables = x + [variable(f"y{p}", 0, 1) for p in range(model.n_y)]
    for v, value in zip(variables, problem.indicators(start).tolist(), strict=True):
        v.setInitialValue(int(value))
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
