"""Solve the alignment problems of two files' pairs, one by one, by one solver.

usage: solve.py PRED GOLD SOLVER [SECONDS]

Reading, building and imports are done before and are not counted.  Writes a line
for each pair: its size, the seconds, the CPU seconds of this process (a solver may
compute in another one), what was found and proved.
"""

from __future__ import annotations

import json
import sys
import time


def main() -> None:
    """Read, build, solve."""
    from exactmatch.formats.blocks import read_blocks
    from exactmatch.formats.readings import get_reader
    from exactmatch.graphs.profile import PROFILES
    from exactmatch.metrics.smatch import Smatch
    from exactmatch.solvers import get_solver
    from exactmatch.solvers.problem import AlignmentProblem
    from exactmatch.solvers.solution import Limits

    pred, gold, name, *rest = sys.argv[1:]
    solver = get_solver(name)
    limits = Limits(float(rest[0]) if rest else None)
    read = get_reader("smatch")
    metric = Smatch(PROFILES["smatch"], solver)
    problems = [
        metric.build_problem(
            *(metric.prepare(read(block)[0]) for block in (p, g))
        ).problem
        for p, g in zip(read_blocks(pred), read_blocks(gold), strict=True)
    ]
    tiny = AlignmentProblem.from_weights(1, 1, {(0, 0): 1}, {})
    for imported in (solver, get_solver("highs")):
        imported.solve(tiny)
    for problem in problems:
        started, computed = time.perf_counter(), time.process_time()
        solution = solver.solve(problem, limits)
        record = {
            "seconds": time.perf_counter() - started,
            "cpu": time.process_time() - computed,
            "left": problem.n_left,
            "right": problem.n_right,
            "candidates": problem.n_candidates,
            "terms": problem.n_terms,
            "value": solution.value,
            "bound": solution.bound,
            "proof": solution.proof,
        }
        print(json.dumps(record), flush=True)


if __name__ == "__main__":
    main()
