"""Parts of a problem that have nothing to do with one another.

Two candidates belong together where they share a node or a pair term.  Where a problem
falls apart into *components*, its best alignment is the union of theirs, and its bound
the sum.  A document whose variables are aligned within their sentences does so:
only triples of the document level keep sentences together.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from exactmatch.solvers.problem import AlignmentProblem


def components(problem: AlignmentProblem) -> npt.NDArray[np.int64]:
    """The component of every candidate, numbered from 0; shape ``(candidates,)``.

    Labels are propagated: each candidate repeatedly takes the least label among those
    that it shares a node or pair term with.  Following labels of labels (pointer
    jumping) keeps the number of rounds small in long chains.  ``auto`` needs NumPy
    alone, so SciPy's ``connected_components`` is not called.
    """
    label = np.arange(problem.n_candidates)
    sides = ((problem.left, problem.n_left), (problem.right, problem.n_right))
    while True:
        least = label.copy()
        np.minimum.at(least, problem.first, label[problem.second])
        np.minimum.at(least, problem.second, label[problem.first])
        for nodes, count in sides:
            of_node = np.full(count, problem.n_candidates)
            np.minimum.at(of_node, nodes, least)
            least = of_node[nodes]
        least = least[least]
        if np.array_equal(least, label):
            break
        label = least
    numbers: npt.NDArray[np.int64] = np.unique(label, return_inverse=True)[1].ravel()
    return numbers
