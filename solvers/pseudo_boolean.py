"""An alignment problem in OPB, the format of the pseudo-Boolean competitions.

The *problem* is the aggregated model, to be minimised: ``x1`` to ``xN`` are the
candidates, the variables after them the pair terms, and the objective is the value of
an alignment with the sign turned.  Its constraints are, in this order,

1. of the candidates of a left node, at most one is chosen; of a right node likewise;
2. of the terms that join a candidate with those of one left node, at most one counts,
   and none if the candidate is not chosen; with those of one right node likewise.

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

from exactmatch.solvers.components import Component
from exactmatch.solvers.problem import AlignmentProblem, IntArray

Vector = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Constraint:
    """``coefficients · variables >= degree``, and its number in the proof.

    Attributes:
        number: its number in the proof, from 1.
        variables: numbers of those whose coefficient is not 0, each once.
        coefficients: their coefficients, in the same order.
        degree: the right-hand side.
    """

    number: int
    variables: Vector
    coefficients: Vector
    degree: int

    @classmethod
    def of(cls, number: int, coefficients: Vector, degree: int) -> Constraint:
        """A constraint, of its number and its coefficients of all variables."""
        variables = np.flatnonzero(coefficients)
        return cls(number, variables, coefficients[variables], degree)

    def coefficient(self, variable: int) -> int:
        """The coefficient of a variable, 0 where it does not occur."""
        return int(self.coefficients[self.variables == variable].sum())


class Model:
    """The constraints of a problem, by what they are about.

    Attributes:
        objective: the value of an alignment, a coefficient a variable.
        constraints: all, in the order of the file.
        by_node: those of left and of right nodes.
        by_pair: those of candidate and left node, and of candidate and right node.
        names: what the variables are called in the file.
    """

    def __init__(self, problem: AlignmentProblem) -> None:
        self.problem = problem
        self.n_variables = problem.n_candidates + problem.n_terms
        self.names: Vector = np.arange(1, self.n_variables + 1)
        self.objective: Vector = problem.objective
        self.constraints: list[Constraint] = []
        self._stated: dict[tuple[int, ...], Constraint] = {}
        sides = problem.left, problem.right
        self.by_node = [self._at_most_one(nodes) for nodes in sides]
        self.by_pair = [self._counted(nodes) for nodes in sides]

    def part(self, component: Component) -> Model:
        """The model of a component, in the words of the file of the whole problem.

        Its variables are numbered from 0, and it lists no constraints.
        """
        model = Model(component.problem)
        model.constraints = []
        own = component.candidates, component.terms + self.problem.n_candidates
        model.names = self.names[np.concatenate(own)]
        candidates = component.candidates.tolist()
        for side, nodes in enumerate(
            (component.left.tolist(), component.right.tolist())
        ):
            by_node, by_pair = model.by_node[side], model.by_pair[side]
            for i, constraint in by_node.items():
                number = self.by_node[side][nodes[i]].number
                by_node[i] = replace(constraint, number=number)
            for (c, i), constraint in by_pair.items():
                number = self.by_pair[side][candidates[c], nodes[i]].number
                by_pair[c, i] = replace(constraint, number=number)
        return model

    def shifted(self, amounts: Vector) -> Model:
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
        order = np.argsort(nodes, kind="stable")
        found, starts = np.unique(nodes[order], return_index=True)
        groups = np.split(order, starts[1:]) if len(found) else []
        return {
            node: self._added(chosen.tolist(), np.full(len(chosen), -1), -1)
            for node, chosen in zip(found.tolist(), groups, strict=True)
        }

    def _counted(self, nodes: IntArray) -> dict[tuple[int, int], Constraint]:
        problem = self.problem
        terms: dict[tuple[int, int], list[int]] = {}
        pairs = zip(problem.first.tolist(), problem.second.tolist(), strict=True)
        for variable, (c, d) in enumerate(pairs, problem.n_candidates):
            for own, other in ((c, d), (d, c)):
                terms.setdefault((own, int(nodes[other])), []).append(variable)
        return {
            key: self._added([key[0], *terms[key]], [1] + [-1] * len(terms[key]), 0)
            for key in sorted(terms)
        }

    def _added(
        self, variables: Sequence[int], coefficients: npt.ArrayLike, degree: int
    ) -> Constraint:
        """The constraint, which is listed once however many nodes it is of."""
        key = (degree, *variables)
        made = self._stated.get(key)
        if made is None:
            made = self._stated[key] = Constraint(
                len(self.constraints) + 1,
                np.asarray(variables, dtype=np.int64),
                np.asarray(coefficients, dtype=np.int64),
                degree,
            )
            self.constraints.append(made)
        return made


def write_problem(stream: TextIO, problem: AlignmentProblem) -> None:
    """Write the problem as OPB, to be minimised.

    Args:
        stream: where to.
        problem: what to write; values are in units of ``1 / problem.scale``.

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
    everything = np.arange(model.n_variables)
    objective = _terms(everything, -model.objective) or "+0 x1"
    stream.write(f"min: {objective} ;\n")
    for constraint in model.constraints:
        sum_of = _terms(constraint.variables, constraint.coefficients)
        stream.write(f"{sum_of} >= {constraint.degree} ;\n")


def _terms(variables: Vector, coefficients: Vector) -> str:
    return " ".join(
        f"{k:+d} x{v + 1}"
        for v, k in zip(variables.tolist(), coefficients.tolist(), strict=True)
        if k
    )
