"""Problems whose proofs are looked at closely, and changes of a proof."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from exactmatch.solvers.certificate import (
    Certificate,
    ProofNode,
    Round,
)
from exactmatch.solvers.problem import AlignmentProblem


def ring(n: int) -> list[tuple[int, int]]:
    return [(k, (k + 1) % n) for k in range(n)]


RING = AlignmentProblem.from_weights(
    6,
    6,
    {(i, j): 2 + (i == j) for i in range(6) for j in range(6)},
    {
        ((u, x), (v, y)): 2
        for u, v in ring(6)
        for x, y in [*ring(3), *[(3 + x, 3 + y) for x, y in ring(3)]]
    },
)
"""A ring of six in two of three: proved by branching, dropping on the way."""

SMALL = AlignmentProblem.from_weights(
    2, 2, {(0, 0): 1, (0, 1): 2}, {((0, 0), (1, 1)): 3, ((0, 1), (1, 0)): 1}
)
"""Candidates 0 to 3 are (0, 0), (0, 1), (1, 0), (1, 1); the optimum is 1 + 3."""

BY_HAND = Certificate(
    bound=4,
    nodes=(
        ProofNode(
            (
                Round(
                    unit=2,
                    shares=(5, 0),  # of 6 and 2 halves
                    inner_left=(5, 0, 2, 1),
                    inner_right=(0, 0, 0, 0),
                    left=(7, 2),
                    right=(0, 0),
                ),
            )
        ),
    ),
)
"""Worths are 7, 4, 2 and 1 halves: 7 + 2 halves are at most four."""


def with_round(
    certificate: Certificate, node: int, change: Callable[[Round], Round]
) -> Certificate:
    """Return the certificate with the last round of a node changed."""
    changed = certificate.nodes[node]
    rounds = (*changed.rounds[:-1], change(changed.rounds[-1]))
    nodes = list(certificate.nodes)
    nodes[node] = replace(changed, rounds=rounds)
    return replace(certificate, nodes=tuple(nodes))


def nudged(numbers: tuple[int, ...], position: int, by: int) -> tuple[int, ...]:
    return (*numbers[:position], numbers[position] + by, *numbers[position + 1 :])


def first_positive(numbers: tuple[int, ...]) -> int:
    return next(n for n, number in enumerate(numbers) if number > 0)
