"""An alignment problem in OPB, the format of the pseudo-Boolean competitions.

The *problem* is the aggregated model, to be minimised: ``x1`` to ``xN`` are the
candidates, the variables after them the pair terms, and the objective is the value of
an alignment with the sign turned.  Its constraints are, in this order,

1. of the candidates of a left node, at most one is chosen; of a right node likewise;
2. of the terms that join a candidate with those of one left node, at most one counts,
   and none if the candidate is not chosen; with those of one right node likewise;
3. of the candidates of a conflict, fewer are chosen than it has sets, each of which is
   of one node.

:mod:`exactmatch.solvers.proof_files` proves optima of it.

Source: Roussel and Manquinho (2012), "Input/output format and solver requirements for
the competitions of pseudo-Boolean solvers", for OPB.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import TextIO

import numpy as np
import numpy.typing as npt

from exactmatch.solvers.components import Component, grouped
from exactmatch.solvers.problem import AlignmentProblem, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Constraint:
    """``coefficients · variables >= degree``, and its number in the proof, from 1.

    The variables are those whose coefficient is not 0, each once, by number.
    """

    number: int
    variables: IntArray
    coefficients: IntArray
    degree: int

    @classmethod
    def of(cls, number: int, coefficients: IntArray, degree: int) -> Constraint:
        """Return a constraint, of its number and its coefficients of all variables."""
        variables = np.flatnonzero(coefficients)
        return cls(number, variables, coefficients[variables], degree)

    def coefficient(self, variable: int) -> int:
        """Return the coefficient of a variable, 0 where it does not occur."""
        return int(self.coefficients[self.variables == variable].sum())


class Model:
    """The constraints of a problem, by what they are about.

    Attributes:
        objective: the value of an alignment, a coefficient a variable.
        constraints: all, in the order of the file.
        by_node: those of left and of right nodes.
        by_pair: those of candidate and left node, and of candidate and right node.
        by_conflict: those of the conflicts.
        names: what the variables are called in the file.
    """

    def __init__(self, problem: AlignmentProblem) -> None:
        self.problem = problem
        self.n_variables = problem.n_candidates + problem.n_terms
        self.names: IntArray = np.arange(1, self.n_variables + 1)
        self.objective: IntArray = problem.objective
        self.constraints: list[Constraint] = []
        self._by_terms: dict[tuple[int, ...], Constraint] = {}
        sides = problem.left, problem.right
        self.by_node = [self._at_most_one(nodes) for nodes in sides]
        self.by_pair = [self._counted(nodes) for nodes in sides]
        self.by_conflict = [
            self._added(chosen, np.full(len(chosen), -1), 1 - len(conflict))
            for conflict in problem.conflicts
            for chosen in [sorted(c for each in conflict for c in each)]
        ]

    def part(self, component: Component) -> Model:
        """Return the model of a component, with the names of the whole file.

        Its variables are numbered from 0, and it lists no constraints.
        """
        model = Model(component.problem)
        model.constraints = []
        part_variables = (
            component.candidates,
            component.terms + self.problem.n_candidates,
        )
        model.names = self.names[np.concatenate(part_variables)]
        candidates = component.candidates.tolist()
        for side, ends in enumerate((component.left, component.right)):
            nodes = ends.tolist()
            by_node, by_pair = self.by_node[side], self.by_pair[side]
            for i, constraint in model.by_node[side].items():
                number = by_node[nodes[i]].number
                model.by_node[side][i] = replace(constraint, number=number)
            for (c, i), constraint in model.by_pair[side].items():
                number = by_pair[candidates[c], nodes[i]].number
                model.by_pair[side][c, i] = replace(constraint, number=number)
        return model

    def shifted(self, amounts: IntArray) -> Model:
        """Add amounts to weights of the objective; constraints stay."""
        model = copy(self)
        model.objective = self.objective + amounts
        unary = model.objective[: self.problem.n_candidates]
        model.problem = self.problem.weighted(unary)
        return model

    def with_variable(self, name: int) -> Model:
        """Add one more variable, the last, that costs nothing; constraints stay."""
        model = copy(self)
        model.n_variables += 1
        model.names = np.append(self.names, name)
        model.objective = np.append(self.objective, 0)
        return model

    def _at_most_one(self, nodes: IntArray) -> dict[int, Constraint]:
        return {
            node: self._added(chosen.tolist(), np.full(len(chosen), -1), -1)
            for node, chosen in enumerate(grouped(nodes))
            if len(chosen)
        }

    def _counted(self, nodes: IntArray) -> dict[tuple[int, int], Constraint]:
        problem = self.problem
        terms: dict[tuple[int, int], list[int]] = {}
        pairs = zip(problem.first.tolist(), problem.second.tolist(), strict=True)
        for variable, (c, d) in enumerate(pairs, problem.n_candidates):
            for candidate, partner in ((c, d), (d, c)):
                terms.setdefault((candidate, int(nodes[partner])), []).append(variable)
        return {
            key: self._added([key[0], *terms[key]], [1] + [-1] * len(terms[key]), 0)
            for key in sorted(terms)
        }

    def _added(
        self, variables: Sequence[int], coefficients: npt.ArrayLike, degree: int
    ) -> Constraint:
        """Return the constraint, which is listed once however many nodes it is of."""
        key = (degree, *variables)
        if key not in self._by_terms:
            number = len(self.constraints) + 1
            variables_array, coefficients_array = (
                np.asarray(a, np.int64) for a in (variables, coefficients)
            )
            self._by_terms[key] = Constraint(
                number, variables_array, coefficients_array, degree
            )
            self.constraints.append(self._by_terms[key])
        return self._by_terms[key]


def write_problem(stream: TextIO, problem: AlignmentProblem) -> None:
    """Write the problem as OPB, to be minimised.

    Example:
        >>> import sys
        >>> problem = AlignmentProblem.from_weights(1, 1, {(0, 0): 2}, {})
        >>> write_problem(sys.stdout, problem)
        * #variable= 1 #constraint= 1
        * candidates: x1 to x1; pair terms: the others; values in units of 1/1
        min: -2 x1 ;
        -1 x1 >= -1 ;
    """
    model = Model(problem)
    stream.write(
        f"* #variable= {max(model.n_variables, 1)} "
        f"#constraint= {len(model.constraints)}\n"
        f"* candidates: x1 to x{problem.n_candidates}; pair terms: the others; "
        f"values in units of 1/{problem.scale}\n"
    )
    stream.write(f"min: {terms(model.names, -model.objective) or '+0 x1'} ;\n")
    for constraint in model.constraints:
        sum_of = terms(model.names[constraint.variables], constraint.coefficients)
        stream.write(f"{sum_of} >= {constraint.degree} ;\n")


def terms(names: IntArray, coefficients: IntArray) -> str:
    """Return a sum of variables, without those whose coefficient is 0."""
    pairs = zip(names.tolist(), coefficients.tolist(), strict=True)
    return " ".join(f"{k:+d} x{name}" for name, k in pairs if k)
